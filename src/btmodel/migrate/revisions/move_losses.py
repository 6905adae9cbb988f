"""What a pending move of rows does not take along, as its tables say: families without a counterpart, and GC rules that keep less.

A family whose columns the old model declares is none of them: what becomes of these is in the code of the move.
"""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from attrs import frozen

from btmodel.declare import schema_of
from btmodel.errors import MigrationError
from btmodel.migrate.changes.base import kept
from btmodel.migrate.data import MoveStep
from btmodel.migrate.data.moved_models import tighter
from btmodel.migrate.instance import Instance
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.steps import load
from btmodel.schema import Family, Table


@frozen
class MoveLosses:
    """What the moves of a revision leave out: ``unmoved`` families, and pairs of families of which the new one keeps less.

    Each has the ids of the old and of the new table.
    """

    unmoved: tuple[tuple[str, str, Family], ...] = ()
    tighter: tuple[tuple[str, str, Family, Family], ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names that allow it."""
        return frozenset(tighter_name(new, family) for _, new, _, family in self.tighter)

    def refusals(self, allow: Collection[str]) -> Iterator[str]:
        """Why rows are not moved by GC rules that keep less, unless ``allow`` names them."""
        for old, new, before, after in self.tighter:
            if tighter_name(new, after) not in allow:
                yield f"nothing was applied, because {why_tighter(old, before, new, after)}"

    @property
    def notes(self) -> Iterator[str]:
        """Which cells stay in the old table."""
        for old, new, family in self.unmoved:
            yield f"{old}.{family.id}: {new} has no family for its cells, so they are not moved, and stop the drop of {old}, unless drop-family:{old}.{family.id} is allowed beside it"


NO_LOSSES = MoveLosses()
_TIGHTER = "tighten-gc"


def tighter_name(table: str, family: Family) -> str:
    """The name that lets rows move to a family that keeps less."""
    return f"{_TIGHTER}:{table}.{family.id}"


def why_tighter(old: str, before: Family, new: str, after: Family) -> str:
    """Why a name has to allow that rows move from one family to another one, which keeps less."""
    return (
        f"{old}.{before.id} keeps {kept(before)}, and {new}.{after.id} keeps {kept(after)}: cells that its rule deletes are not moved, and lost "
        f"once {old} is dropped: let {new}.{after.id} keep as much, or use --allow {tighter_name(new, after)} if you mean that"
    )


def moves_of(revision: Revision, folder: Path) -> tuple[MoveStep, ...]:
    """The steps of a revision that move rows or compare what was moved; none if its code cannot be loaded."""
    try:
        steps = load(revision, folder) if "move" in revision.code else ()
    except MigrationError:
        return ()
    return tuple(step for step in steps if isinstance(step, MoveStep))


def tighter_names(graph: Graph, allow: Collection[str]) -> Iterator[str]:
    """The names that a move of any revision may ask for, or has asked for; none if ``allow`` has none of that kind."""
    asked = any(name.startswith(f"{_TIGHTER}:") for name in allow)
    for revision in graph.revisions.values() if asked else ():
        for step in moves_of(revision, graph.folder):
            yield from (f"{_TIGHTER}:{step.target_table}.{new}" for _, new in step.pairs)


def next_after(step: MoveStep, declared: Iterable[Table]) -> str:
    """What to do once the reads of a move are switched: drop the old table, unless a model still has it ``declared``."""
    old, new = step.table, step.target_table
    table = next((table for table in declared if table.id == old), None)
    if table is None:
        return f"next, let the application write {new} alone; then --allow drop-table:{old} drops {old}"
    models = " and ".join(layout.model for layout in table.layouts) or "a model"
    return f"next, let the application write {new} alone; {old} stays, with the rows that were moved, as {models} declares it"


def losses(
    revision: Revision, folder: Path, declared: Iterable[Table], live: Iterable[Table], instance: Instance
) -> MoveLosses:
    """What the moves of ``revision`` leave out of the ``live`` tables on the way to the ``declared`` ones; nothing of tables without rows.

    Raises :class:`btmodel.errors.ServerError`.
    """
    there, wanted = {table.id: table for table in live}, {table.id: table for table in declared}
    unmoved: list[tuple[str, str, Family]] = []
    less: list[tuple[str, str, Family, Family]] = []
    for step in moves_of(revision, folder):
        old, new = there.get(step.table), wanted.get(step.target_table)
        if old is None or new is None or step.only_compares:
            continue
        declared_columns = () if step.model is None else schema_of(step.model).columns
        known = {*step.places, *(column.family for column in declared_columns)}
        unmoved += [(old.id, new.id, one) for one in old.families if one.id not in known]
        less += [(old.id, new.id, *pair) for pair in tighter(old.families, new.families, step.pairs)]
    olds = {old for old, _, _ in unmoved} | {old for old, *_ in less}
    filled = {id for id in olds if not instance.is_empty(id)}
    return MoveLosses(
        tuple(one for one in unmoved if one[0] in filled), tuple(one for one in less if one[0] in filled)
    )
