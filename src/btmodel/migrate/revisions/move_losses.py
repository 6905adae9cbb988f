"""What a pending move of rows does not take along, as its tables say: families and columns without a counterpart, and GC rules that keep less.

Beside these, columns of the old rows that are no attribute of the new ones.
"""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from attrs import frozen

from btmodel.declare import schema_of
from btmodel.migrate.changes.base import kept
from btmodel.migrate.changes.renames import AbandonTable
from btmodel.migrate.data import MoveStep
from btmodel.migrate.data.moved_models import tighter
from btmodel.migrate.instance import Instance
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.steps import load
from btmodel.schema import Family, Table

_TIGHTER = "tighten-gc"


@frozen
class UnmovedFamily:
    """A family of the ``old`` table for which the ``new`` one has none; ``stays`` are the models that declare the old table after the move, too."""

    old: str
    new: str
    family: Family
    stays: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """What becomes of its cells."""
        place = f"{self.old}.{self.family.id}"
        said = f"{place}: {self.new} has no family for its cells, so they are not moved, and"
        if self.stays:
            return f"{said} stay in {self.old}, which {' and '.join(self.stays)} declares"
        return f"{said} stop the drop of {self.old}, unless drop-family:{place} is allowed beside it"


@frozen
class LeftColumn:
    """A column of the ``old`` table, by its ``cell``, that is no attribute of rows of the ``new`` one; ``stays`` as for families."""

    old: str
    new: str
    name: str
    cell: str
    stays: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """What becomes of its cells."""
        said = f"{self.old}.{self.cell}: rows of {self.new} have no {self.name}, so its cells are not copied, and"
        if self.stays:
            return f"{said} stay in {self.old}, which {' and '.join(self.stays)} declares"
        return f'{said} stop the drop of {self.old}, unless each @move of these rows has left_out=("{self.name}",), or {AbandonTable.verb}:{self.old} is allowed instead'


@frozen
class TighterFamily:
    """A family ``after`` the move, of the ``new`` table, that keeps less than the one ``before``; ``way`` is how to let it keep as much."""

    old: str
    before: Family
    new: str
    after: Family
    way: str

    @property
    def name(self) -> str:
        """The name that lets rows move to it."""
        return f"{_TIGHTER}:{self.new}.{self.after.id}"

    @property
    def why(self) -> str:
        """Why that name has to allow it."""
        return (
            f"{self.old}.{self.before.id} keeps {kept(self.before)}, and {self.new}.{self.after.id} keeps {kept(self.after)}: cells that its rule deletes are not moved, "
            f"and lost once {self.old} is dropped: {self.way}; or use --allow {self.name} if you mean that"
        )


@frozen
class MoveLosses:
    """What the moves of a revision leave out: ``unmoved`` families and columns, and families that are ``tighter`` in the new table."""

    unmoved: tuple[UnmovedFamily | LeftColumn, ...] = ()
    tighter: tuple[TighterFamily, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names that allow it."""
        return frozenset(one.name for one in self.tighter)

    def refusals(self, allow: Collection[str]) -> Iterator[str]:
        """Why rows are not moved by GC rules that keep less, unless ``allow`` names them."""
        for one in self.tighter:
            if one.name not in allow:
                yield f"nothing was applied, because {one.why}"

    @property
    def notes(self) -> Iterator[str]:
        """Which cells stay in the old table."""
        yield from (one.note for one in self.unmoved)


NO_LOSSES = MoveLosses()


def anew(first: str, new: str, after: Family) -> str:
    """How a family of the ``new`` table of a move comes to keep as much as the old one, where no instance has applied the ``first`` revision of the move."""
    return f"delete {first} and what stands on it, let {new}.{after.id} keep as much, and write them anew with `btmodel migrate new`"


def _way(graph: Graph, applied: Collection[Revision], revision: Revision, new: str, after: Family) -> str:
    """The same, also where the instance has the first revision, which made the new table."""
    first = next(one for one in graph.up_to(revision.id) if any(table.id == new for table in one.tables))
    way = anew(first.id, new, after)
    if first not in applied:
        return f"where no instance has applied it, {way}"
    parents = graph.parents[first.id]
    to = f" --to {parents[0]}" if len(parents) == 1 else ""
    return f"deploy what does not write {new}, run `btmodel migrate rollback{to} --allow drop-table:{new}`, {way}"


def moves_of(revision: Revision, folder: Path) -> tuple[MoveStep, ...]:
    """The steps of a revision that move rows or compare what was moved. Raises :class:`MigrationError` if its code cannot be loaded."""
    steps = load(revision, folder) if "move" in revision.code else ()
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
    revision: Revision,
    graph: Graph,
    applied: Collection[Revision],
    declared: Iterable[Table],
    live: Iterable[Table],
    instance: Instance,
) -> MoveLosses:
    """What the moves of ``revision`` leave out of the ``live`` tables on the way to the ``declared`` ones; nothing of tables without rows.

    Raises :class:`btmodel.errors.ServerError`.
    """
    there, wanted = {table.id: table for table in live}, {table.id: table for table in declared}
    unmoved: list[UnmovedFamily | LeftColumn] = []
    less: list[TighterFamily] = []
    for step in moves_of(revision, graph.folder):
        old, new = there.get(step.table), wanted.get(step.target_table)
        if old is None or new is None or step.only_compares:
            continue
        declared_columns = () if step.model is None else schema_of(step.model).columns
        known = {*step.places, *(column.family for column in declared_columns)}
        stays = _stays(old.id, graph)
        unmoved += [UnmovedFamily(old.id, new.id, one, stays) for one in old.families if one.id not in known]
        unmoved += [LeftColumn(old.id, new.id, one.name, one.cell, stays) for one in step.columns_not_copied]
        less += [
            TighterFamily(old.id, before, new.id, after, _way(graph, applied, revision, new.id, after))
            for before, after in tighter(old.families, new.families, step.pairs)
        ]
    olds = {one.old for one in unmoved} | {one.old for one in less}
    filled = {id for id in olds if not instance.is_empty(id)}
    return MoveLosses(
        tuple(one for one in unmoved if one.old in filled), tuple(one for one in less if one.old in filled)
    )


def _stays(old: str, graph: Graph) -> tuple[str, ...]:
    """The models that declare the table ``old`` in the last revisions."""
    layouts = (
        layout
        for revision in graph.heads
        for table in revision.tables
        if table.id == old
        for layout in table.layouts
    )
    return tuple(dict.fromkeys(layout.model for layout in layouts))
