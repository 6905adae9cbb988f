"""Which cells of a new row count in a comparison with its old one: those that the GC rules of both tables keep."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from attrs import frozen

from btmodel.migrate.data.made_cells import MadeCells
from btmodel.migrate.data.moved_models import family_pairs, family_places, tighter
from btmodel.migrate.data.walks import Cells, Position
from btmodel.rows import Cell
from btmodel.rows.cells import now_micros
from btmodel.schema import Column, GcRule, ModelSchema

# Cells that are about to expire count as expired, whichever clock is right.
_MARGIN = timedelta(minutes=5) // timedelta(microseconds=1)


def visible(rules: Mapping[str, GcRule | None], cells: Cells) -> Cells:
    """The cells that readers see: those that the GC ``rules`` of their families keep."""
    return _kept(cells, lambda at: rules.get(at[1]))


def _kept(cells: Cells, rule_of: Callable[[Position], GcRule | None]) -> Cells:
    now = now_micros() + _MARGIN
    found: Cells = {}
    column, rank, rule = None, 0, None
    for at in sorted(cells, key=lambda at: (at[:3], -at[3])):
        if at[:3] == column:
            rank += 1
        else:
            column, rank, rule = at[:3], 1, rule_of(at)
        age = timedelta(microseconds=max(now - at[3], 0))
        if rule is None or not rule.deletes(age, rank):
            found[at] = cells[at]
    return found


@frozen
class OldRules:
    """The GC rules of the old table of a move: all of them, and, where the new one keeps more, by names of new columns, and by new families for what no column declares.

    What they delete of an old row stays in the new one. So there a cell says nothing that they would have deleted.
    """

    made: MadeCells
    all: tuple[GcRule, ...]
    columns: Mapping[str, GcRule | None]
    families: Mapping[str, GcRule | None]

    @classmethod
    def of(
        cls, made: MadeCells, old: ModelSchema, new: ModelSchema, copied: Mapping[str, tuple[Column, Column]]
    ) -> "OldRules":
        """Those of the model ``old``; none by columns and families where those of ``new`` keep no more."""
        all_rules = tuple(family.gc for family in old.families if family.gc is not None)
        pairs = {(there, here) for here, there in family_pairs(old, new)}
        if not tighter(new.families, old.families, pairs):
            return cls(made, all_rules, {}, {})
        rules = {family.id: family.gc for family in old.families}
        columns = {there.name: rules.get(here.family) for here, there in copied.values()}
        families = {there: rules.get(here) for here, there in family_places(old, new).items()}
        return cls(made, all_rules, columns, families)

    def may_outlive(self, at: Position) -> bool:
        """Whether this cell of a new row is a made one whose old row may have expired, as a cell of that time would have in one of its families.

        A made cell has the time of the newest cell of its old row, and may be in a family that keeps it for longer.
        """
        age = timedelta(microseconds=max(now_micros() + _MARGIN - at[3], 0))
        return any(rule.deletes(age, 1) for rule in self.all) and self.made.holds(at)

    def kept(self, cells: Cells) -> Cells:
        """The cells of new rows that the old table would have, too."""
        return _kept(cells, self._rule) if self.columns or self.families else cells

    def _rule(self, at: Position) -> GcRule | None:
        if self.made.holds(at):
            return None
        column = self.made.codec.column_of(Cell(*at[1:], b""))
        return self.families.get(at[1]) if column is None else self.columns.get(column.column.name)
