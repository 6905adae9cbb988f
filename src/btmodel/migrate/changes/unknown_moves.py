"""Tables and families whose cells have gone elsewhere, as far as is known, and that cannot be compared with the new place."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Drift, FamilyChange, InstanceFacts, TableChange
from btmodel.migrate.changes.renames import AbandonFamily, AbandonTable
from btmodel.migrate.changes.results import UnknownMove
from btmodel.migrate.changes.tables import is_undeclared
from btmodel.schema import Table


def _details(moves: Sequence[UnknownMove], allow: str) -> tuple[str, ...]:
    why = "; ".join(dict.fromkeys(move.why for move in moves))
    news = " and ".join(dict.fromkeys(move.new for move in moves))
    subject = moves[0].subject
    return (
        f"they cannot be compared before a drop: {why}",
        f"compare them yourself: `btmodel rows` and a backup show what {subject} has that {news} lacks; then --allow {allow} drops it without a comparison",
    )


@frozen
class UnknownMoveOfTable(TableChange, Drift):
    """A table that nothing declares any more, and whose rows have gone to another one with which they cannot be compared."""

    verb: ClassVar[str] = "unknown-move"

    unknown: tuple[UnknownMove, ...]

    @property
    def summary(self) -> str:
        return f"its rows have gone to {_news(self.unknown)}, as far as is known"

    @property
    def details(self) -> tuple[str, ...]:
        return _details(self.unknown, self.end.name)

    @property
    def end(self) -> AbandonTable:
        return AbandonTable(self.table)

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        return True


@frozen
class UnknownMoveOfFamily(FamilyChange, Drift):
    """A family that nothing declares any more, and whose cells have gone elsewhere, where they cannot be compared."""

    verb: ClassVar[str] = "unknown-move"

    unknown: tuple[UnknownMove, ...]

    @property
    def summary(self) -> str:
        return f"its cells have gone to {_news(self.unknown)}, as far as is known"

    @property
    def details(self) -> tuple[str, ...]:
        return _details(self.unknown, self.end.name)

    @property
    def end(self) -> AbandonFamily:
        return AbandonFamily(self.table_id, self.family)

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        return True


UNKNOWN_MOVES = (UnknownMoveOfTable, UnknownMoveOfFamily)


def _news(moves: Sequence[UnknownMove]) -> str:
    return " and ".join(dict.fromkeys(move.new for move in moves))


def find(
    declared: Table | None, live: Table | None, facts: InstanceFacts
) -> Iterator[UnknownMoveOfTable | UnknownMoveOfFamily]:
    """``live``, if nothing declares it, or else its families that nothing declares, of which a move is known that cannot be compared."""
    if live is None:
        return
    if declared is None:
        moves = facts.unknown(live.id)
        if moves and facts.of(live.id) is None:
            yield UnknownMoveOfTable(live, moves)
        if facts.rows_moved(live.id) is None:
            return
    for family in live.families:
        moves = facts.unknown(live.id, family.id)
        if moves and (declared is None or is_undeclared(declared, family, facts)):
            yield UnknownMoveOfFamily(live.id, family, moves)
