"""Cells that steps have moved or rewritten which a rollback goes below: its models would not find them, or could not read them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import evolve, frozen

from btmodel.migrate.changes.layouts import ChangeCodec
from btmodel.migrate.changes.results import same_rows
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.step_results import rewriting
from btmodel.migrate.tables.layouts import codec_in, readings, reads_all
from btmodel.schema import Layout, ModelSchema, Table
from btmodel.schema.layout import layout_of


@frozen
class UndoneStep:
    """A step of a ``revision`` that rewrites rows of ``model``, with the names that its table and families had before; ``table`` and ``families`` are what these are called now, by the names before."""

    revision: Revision
    model: ModelSchema
    table: str
    families: Mapping[str, str]

    def now(self, cell: str) -> str:
        """The name that a cell has now: ``market:OFFER`` for ``MD:OFFER``."""
        family, _, qualifier = cell.partition(":")
        return f"{self.families.get(family, family)}:{qualifier}"


def undone_steps(revisions: Iterable[Revision], folder: Path) -> tuple[UndoneStep, ...]:
    """The steps of these ``revisions`` that rewrite rows in place, in order, with the names before the first of them.

    Raises :class:`btmodel.errors.MigrationError` if one cannot be loaded.
    """
    order = tuple(revisions)
    return tuple(_followed(revision, model, order) for revision, model in rewriting(order, folder))


def _followed(revision: Revision, model: ModelSchema, order: Sequence[Revision]) -> UndoneStep:
    at = order.index(revision)
    table, families = model.table, {family.id: family.id for family in model.families}
    names = {table}
    for earlier in reversed(order[: at + 1]):
        for known in (one for one in earlier.tables if one.id in names):
            former = {family.id: family.renamed_from or family.id for family in known.families}
            families = {own: former.get(before, before) for own, before in families.items()}
            table = known.renamed_from or table
            names.add(table)
    now, called = model.table, {family.id: family.id for family in model.families}
    for later in order[at + 1 :]:
        for known in (one for one in later.tables if now in (one.id, one.renamed_from)):
            becomes = {family.renamed_from: family.id for family in known.families}
            called = {own: becomes.get(after, after) for own, after in called.items()}
            now = known.id
    columns = tuple(evolve(column, family=families[column.family]) for column in model.columns)
    before = tuple(evolve(family, id=families[family.id], renamed_from=None) for family in model.families)
    return UndoneStep(
        revision,
        evolve(model, table=table, families=before, columns=columns),
        now,
        {families[own]: name for own, name in called.items()},
    )


@frozen
class UnreadCells:
    """Cells of a table that the undone steps have moved from ``old`` to ``new``; ``others`` says that others are in their place by now.

    ``begun`` is the id of the revision whose step has moved only some of them, as its run was interrupted; empty if all are moved. ``now_in`` is
    the table, and ``now`` the cell, that has them now, as renamings may have given them other names.
    """

    table: str
    old: str
    new: str
    others: bool
    now_in: str
    now: str
    begun: str = ""

    @property
    def name(self) -> str:
        """The name that allows to leave them where nothing reads them."""
        return f"unread-cells:{self.table}.{self.new}"

    def where(self, to: Revision | None) -> str:
        """Where they are, and what moves them back."""
        assert to is not None
        find = "read the values of others" if self.others else "find none"
        qualifier, (family, _, other) = self.old.partition(":")[2], self.now.partition(":")
        way = (
            f'declare {family}:{qualifier} with renamed_from="{other}", and `btmodel migrate new` writes the step that moves '
            "them back"
        )
        renamed = (self.now_in, self.now) != (self.table, self.new)
        done = f"moved {{}} {self.table}.{self.old} to {self.new}{f', which is {self.now_in}.{self.now} now' * renamed}"
        return _instead(done, self.begun, f"the models of {to.id} would {find}", way)


@frozen
class RewrittenBack:
    """Cells of a ``model`` that the undone steps have rewritten in the codec ``new``, which the codec ``old`` of the target revision does not read.

    ``begun`` is the id of the revision whose step has rewritten only some of them, as its run was interrupted; empty if all are.
    """

    table: str
    model: str
    cell: str
    old: str
    new: str
    begun: str = ""

    def is_of(self, change: ChangeCodec) -> bool:
        """Whether ``change`` reads these cells in another way."""
        return (change.table_id, change.model, change.cell) == (self.table, self.model, self.cell)

    def where(self, to: Revision | None) -> str:
        """How they are written, and what rewrites them back."""
        assert to is not None
        way = (
            f"declare {self.cell} of {self.model} with Either(new={self.old}, old=({self.new})), and `btmodel migrate new MESSAGE --rewrite {self.model}` "
            "writes the step that rewrites them back"
        )
        done = f"rewritten {{}} {self.table}.{self.cell} as {self.new}"
        return _instead(done, self.begun, f"the models of {to.id} read {self.old}", way)


def _instead(done: str, begun: str, then: str, way: str) -> str:
    """What a step has ``done``, and what to do in place of a rollback; ``begun`` is its revision where its run was interrupted."""
    if not begun:
        return f"a step has {done.format('the cells of')}, and {then}: in place of a rollback, {way}"
    half = done.format("some of the cells of")
    return (
        f"the step of {begun} has {half}, until it was interrupted, and {then}: in place of a rollback, let it run to its end with "
        f"`btmodel migrate apply --to {begun}`, and then {way}"
    )


def unread_cells(
    steps: Collection[UndoneStep], begun: Collection[str], tables: Iterable[Table]
) -> Iterator[UnreadCells]:
    """The cells that ``steps`` have moved, and that the models of ``tables`` look for where they were; ``begun`` revisions have moved some of theirs."""
    for table in tables if steps else ():
        found = {one for layout in table.layouts for one in _moved(table.id, layout, steps, begun)}
        yield from sorted(found, key=lambda one: one.old)


def _moved(
    table: str, layout: Layout, steps: Iterable[UndoneStep], unfinished: Collection[str]
) -> Iterator[UnreadCells]:
    where = {cell.cell: cell.cell for cell in layout.cells}
    begun = dict[str, str]()
    last = dict[str, UndoneStep]()
    for step in steps:
        revision, model = step.revision, step.model
        if model.table == table and same_rows(layout_of(model), layout):
            moves = {place.cell: column.cell for column in model.columns for place in column.places[1:]}
            if revision.id in unfinished:
                begun |= {cell: revision.id for cell, at in where.items() if at in moves}
            last |= {cell: step for cell, at in where.items() if at in moves}
            where = {cell: moves.get(at, at) for cell, at in where.items()}
    for cell, at in where.items():
        # Where both are read, as one column, both have come to one place.
        if at != cell and where.get(at) != at:
            step = last[cell]
            others = cell in where.values()
            yield UnreadCells(table, cell, at, others, step.table, step.now(at), begun.get(cell, ""))


def rewritten_back(
    steps: Collection[UndoneStep], begun: Collection[str], tables: Iterable[Table]
) -> Iterator[RewrittenBack]:
    """The cells that ``steps`` have rewritten in a codec that the models of ``tables`` do not read; ``begun`` revisions have rewritten some of theirs."""
    for table in tables if steps else ():
        for layout in table.layouts:
            found: dict[str, RewrittenBack | None] = {}
            for step in steps:
                model, id = step.model, step.revision.id
                if model.table == table.id and same_rows(layout_of(model), layout):
                    found |= _rewritten(layout, model, id if id in begun else "")
            yield from (one for one in found.values() if one is not None)


def _rewritten(layout: Layout, model: ModelSchema, begun: str) -> dict[str, RewrittenBack | None]:
    """The cells of rows of ``layout`` that a step for ``model`` has rewritten, by their names; None for those that the layout reads."""
    declared = {cell.cell: cell.codec for cell in layout.cells}
    found: dict[str, RewrittenBack | None] = {}
    for cell in layout_of(model).cells:
        writes, *older = readings(cell.codec)
        if older and cell.cell in declared:
            old, new = codec_in(declared[cell.cell]), codec_in(writes)
            is_read = reads_all(declared[cell.cell], writes)
            found[cell.cell] = (
                None if is_read else RewrittenBack(model.table, layout.model, cell.cell, old, new, begun)
            )
    return found
