"""A family whose live GC rule means something else than the declared one."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, FamilyChange, kept
from btmodel.schema import Family, GcChange, KeepAll, Table

_WORDS = {
    GcChange.EQUAL: "means the same",
    GcChange.TIGHTER: "keeps less",
    GcChange.LOOSER: "keeps more",
    GcChange.BOTH: "keeps some cells more, some less",
}


@frozen
class ChangeGc(FamilyChange):
    """Give the family its declared GC rule; ``live`` is the family as it is.

    A tighter rule is destructive: the service applies it to cells that are already
    written, within days, and cannot bring them back.
    """

    verb: ClassVar[str] = "change-gc"
    sign: ClassVar[str] = "~"

    live: Family

    @property
    def kind(self) -> GcChange:
        """What the change does to the cells, exactly."""
        return _kind(self.family, self.live)

    @property
    def effect(self) -> Effect:
        """Destructive where it deletes cells that the live rule keeps."""
        return Effect.DESTRUCTIVE if self.kind.deletes_kept_cells else Effect.SAFE

    @property
    def name(self) -> str:
        """Named for its effect: ``tighten-gc:QUOTE.MD``, or ``relax-gc:QUOTE.MD``."""
        verb = "tighten-gc" if self.kind.deletes_kept_cells else "relax-gc"
        return f"{verb}:{self.subject}"

    @property
    def summary(self) -> str:
        """What it keeps, what it kept, and which of them is more."""
        return f"keeps {kept(self.family)}, instead of {kept(self.live)}: {_WORDS[self.kind]}"


def find(declared: Table | None, live: Table | None) -> Iterator[ChangeGc]:
    """The families of both whose rules differ in meaning."""
    if declared is None or live is None:
        return
    for family in declared.families:
        other = live.family(family.id)
        if other is not None and _kind(family, other) is not GcChange.EQUAL:
            yield ChangeGc(declared.id, family, other)


def _kind(declared: Family, live: Family) -> GcChange:
    return (declared.gc or KeepAll()).compared_to(live.gc or KeepAll())
