"""A finding: one thing that a rule says about one model."""

from enum import Enum

from attrs import frozen

from btmodel.lint.fix import Fix
from btmodel.printable import printable
from btmodel.schema import Location


class Level(Enum):
    """How grave a finding is. An error refuses the class; the others are collected and shown."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return _RANKS[self]


_RANKS = {level: rank for rank, level in enumerate(Level)}


@frozen(str=False)
class Finding:
    """What a rule found: where, why it matters, and how to mend it in terms of this model.

    ``field`` names the key field, column, family or query that is meant, or is None
    where the whole model is. ``limit`` is true where the service itself refuses what
    was found, which no allowance can change. ``fix`` is the mend as a change of one
    declaration, where it is no more than that. ``simulated`` is what a simulation shows of it; no rule fills it in,
    but ``btmodel check --simulate``.
    """

    rule: str
    name: str
    level: Level
    limit: bool
    module: str
    model: str
    field: str | None
    location: Location | None
    message: str
    why: str
    mend: str
    fix: Fix | None = None
    simulated: str | None = None

    @property
    def subject(self) -> str:
        """The model, or the part of it that is meant: ``Quote.bid``."""
        return self.model if self.field is None else f"{self.model}.{self.field}"

    @property
    def place(self) -> str:
        """The subject, and the source line where it is known: ``Quote.bid (models.py:7)``."""
        return self.subject if self.location is None else f"{self.subject} ({self.location})"

    def as_json(self) -> dict[str, str | int | bool | dict[str, int | str] | None]:
        """The finding as a dict of JSON values, flat but for its fix. The keys are a contract: they are only ever added to."""
        return {
            "rule": self.rule,
            "name": self.name,
            "level": self.level.value,
            "limit": self.limit,
            "module": self.module,
            "model": self.model,
            "field": self.field,
            "file": None if self.location is None else self.location.file,
            "line": None if self.location is None else self.location.line,
            "message": self.message,
            "why": self.why,
            "mend": self.mend,
            "fix": None if self.fix is None else self.fix.as_json(),
            "simulated": self.simulated,
        }

    @property
    def order(self) -> tuple[str | int, ...]:
        """What findings are sorted by: the model, then the gravest first, then the rule and the place."""
        line = 0 if self.location is None else self.location.line
        return (self.module, self.model, self.level.rank, self.rule, line, self.field or "", self.message)

    def __str__(self) -> str:
        return printable(
            f"{self.place}: {self.level.value} {self.rule} {self.name}: {self.message}. "
            f"Why: {self.why}. Mend: {self.mend}."
        )
