"""What a check has found."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import field, frozen

from btmodel.cli.source import Sources
from btmodel.errors import BtmodelError, DeclarationError
from btmodel.lint import Finding, Level
from btmodel.schema import ModelSchema


@frozen
class Report:
    """The models that were reviewed, why others could not be, and what the rules found, of the project in ``root``."""

    root: Path
    models: Sequence[ModelSchema]
    problems: Sequence[BtmodelError]
    findings: Sequence[Finding]
    sources: Sources = field(factory=Sources, eq=False, repr=False)

    @property
    def reviewed(self) -> int:
        """The number of models that were looked at: those that there are, and those that findings refused."""
        refused = {(each.module, each.model) for problem in self.problems for each in findings_of(problem)}
        return len(refused | {(model.module, model.name) for model in self.models})

    @property
    def unread(self) -> Sequence[BtmodelError]:
        """The problems that are more than findings: what could not be read at all."""
        return [problem for problem in self.problems if not findings_of(problem)]

    def count(self, level: Level) -> int:
        """The number of findings of a level."""
        return sum(finding.level is level for finding in self.findings)

    def fails(self, *, strict: bool) -> bool:
        """Whether there is an error, where ``strict`` a warning, or something that could not be read."""
        return bool(self.unread or self.count(Level.ERROR) or (strict and self.count(Level.WARNING)))


def findings_of(problem: BtmodelError) -> Iterable[Finding]:
    """The findings that refused a class."""
    if not isinstance(problem, DeclarationError):
        return []
    return [finding for finding in problem.findings if isinstance(finding, Finding)]
