"""What of old rows a move does not copy, and why."""

from attrs import Factory, define

from btmodel.migrate.data.copies import ExampleCells
from btmodel.words import counted


@define
class Unmoved:
    """What of old rows does not go to the new table.

    These are rows of ``others``, which have no key of the old model, rows for which the function returns ``nothing``, cells ``without_place``,
    which are those of columns that neither model declares, in families for which the new table has none, ``unread`` cells, which no attribute of the
    new row takes, and ``expired`` cells, which the GC rules of the new table delete.
    """

    others: int = 0
    nothing: int = 0
    without_place: ExampleCells = Factory(ExampleCells)
    expired: ExampleCells = Factory(ExampleCells)
    unread: ExampleCells = Factory(ExampleCells)

    def __str__(self) -> str:
        why = (
            (self.expired, self.expired, "the GC rules of the new table delete them"),
            (self.nothing, counted(self.nothing, "row"), "the function returns None"),
            (self.others, counted(self.others, "row"), "no key of the old model"),
            (self.without_place, self.without_place, "the new table has no family for them"),
            (self.unread, self.unread, "no attribute of the new rows takes them"),
        )
        return ", ".join(f"left out {what}: {because}" for there, what, because in why if there)

    def with_others(self, others: "Unmoved") -> "Unmoved":
        """The same with what other rows add to it."""
        return Unmoved(
            self.others + others.others,
            self.nothing + others.nothing,
            self.without_place.with_others(others.without_place),
            self.expired.with_others(others.expired),
            self.unread.with_others(others.unread),
        )
