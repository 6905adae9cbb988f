"""A model whose rows would be looked for under other keys than they have."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, ReadingChange
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.codecs import lost_key, takes_all
from btmodel.migrate.layouts import match
from btmodel.schema import Layout, Table

_WAY = (
    "rows keep the keys that they were written with: declare the model with a table of a new id, copy the rows, "
    "then drop the old table; to allow it by name is to promise that all rows are rewritten"
)
_LOST = (
    "the recorded key needs code of yours, which `btmodel inspect` cannot write: declare as they were recorded "
    "the fields "
)


@frozen
class ChangeKey(ReadingChange):
    """Take the declared key for that of the rows; ``live`` is how it was when the table was migrated last."""

    verb: ClassVar[str] = "change-key"
    sign: ClassVar[str] = "!"

    declared: Layout
    live: Layout
    empty: bool = False

    @property
    def subject(self) -> str:
        """Table and model."""
        return f"{self.of_table}/{self.declared.model}"

    @property
    def takes_all(self) -> bool:
        """Whether every key that the recorded one writes is written and read by the declared one as it was."""
        new, old = self.declared.key, self.live.key
        return len(new) == len(old) and all(
            takes_all(one, other) for one, other in zip(new, old, strict=True)
        )

    @property
    def summary(self) -> str:
        """What would become of the rows."""
        if self.takes_all:
            return "the row key takes more than before, and every key that is there stays what it is"
        if self.empty:
            return "the row key is another one, and the table holds no row"
        return "the row key is another one: rows that are there would not be found, or be read as others"

    @property
    def effect(self) -> Effect:
        """Nothing can go wrong where all keys stay what they are, or there is no row."""
        return Effect.SAFE if self.empty or self.takes_all else Effect.BLOCKED

    @property
    def details(self) -> tuple[str, ...]:
        """Both keys, and what to do."""
        keys = (f"recorded: {self.live.key_text}", f"declared: {self.declared.key_text}")
        if self.effect is Effect.SAFE:
            return keys
        lost = ", ".join(self._lost)
        return (*keys, f"{_LOST}{lost}", _WAY) if lost else (*keys, _WAY)

    @property
    def _lost(self) -> Iterator[str]:
        """The fields that were derived, or had a codec of the user's, and are plain ones now."""
        for one, other in zip(self.declared.key, self.live.key, strict=False):
            if lost_key(one, other):
                yield other.name


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[ChangeKey]:
    """The models of both whose keys differ."""
    if declared is None or live is None:
        return
    for wanted, recorded in match(declared.layouts, live.layouts).both:
        if wanted.key != recorded.key:
            yield ChangeKey(live.id, wanted, recorded, live.id in facts.empty)
