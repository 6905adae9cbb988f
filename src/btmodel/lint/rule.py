"""What a rule is."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from attrs import field, frozen

from btmodel.lint.finding import Finding, Level
from btmodel.lint.fix import Fix
from btmodel.schema import Location, ModelSchema

Subject = TypeVar("Subject")


def _text(doc: str | None) -> str:
    return doc or ""  # python -OO drops docstrings


@frozen
class Rule(Generic[Subject]):
    """A rule: a check of a subject, and the page that explains it.

    The subject is one model, or all models together, or the allowances of a model;
    the tables in :mod:`btmodel.lint.rules` say which. ``levels`` are those that its
    findings can have, the usual one first. Where ``limit`` is true, its errors are
    hard limits of the service, which nobody can allow.
    """

    id: str
    name: str
    check: Callable[[Subject], Iterable[Finding]]
    page: str = field(converter=_text, repr=False)
    levels: tuple[Level, ...] = (Level.ERROR,)
    limit: bool = False

    @property
    def allowable(self) -> bool:
        """Whether there are findings of it that a model can allow."""
        return not self.limit or any(level is not Level.ERROR for level in self.levels)

    def finding(
        self,
        model: ModelSchema,
        message: str,
        *,
        why: str,
        mend: str,
        part: str | None = None,
        at: Location | None = None,
        level: Level | None = None,
        fix: Fix | None = None,
    ) -> Finding:
        """A finding of this rule on ``model``; ``part`` is the field that is meant, ``at`` its line, ``fix`` changes it there."""
        level = level or self.levels[0]
        return Finding(
            rule=self.id,
            name=self.name,
            level=level,
            limit=self.limit and level is Level.ERROR,
            module=model.module,
            model=model.name,
            field=part,
            location=at or model.location,
            message=message,
            why=why,
            mend=mend,
            fix=fix,
        )
