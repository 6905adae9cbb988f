"""What a check has found."""

from collections.abc import Sequence
from pathlib import Path

from attrs import field, frozen

from btmodel.cli.source import Sources
from btmodel.errors import BtmodelError
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

    def count(self, level: Level) -> int:
        """The number of findings of a level."""
        return sum(finding.level is level for finding in self.findings)

    def fails(self, *, strict: bool) -> bool:
        """Whether there is an error, where ``strict`` a warning, or something that could not be read."""
        return bool(self.problems or self.count(Level.ERROR) or (strict and self.count(Level.WARNING)))
