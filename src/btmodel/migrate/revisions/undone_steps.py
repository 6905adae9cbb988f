"""Cells that steps have moved or rewritten which a rollback goes below: its models would not find them, or could not read them."""

from collections.abc import Collection, Iterable, Iterator

from attrs import frozen

from btmodel.migrate.changes.layouts import ChangeCodec
from btmodel.migrate.changes.results import same_rows
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.tables.layouts import codec_in, readings, reads_all
from btmodel.schema import Layout, ModelSchema, Table
from btmodel.schema.layout import layout_of

# A model whose rows a step rewrites, with its revision.
_Step = tuple[Revision, ModelSchema]


@frozen
class UnreadCells:
    """Cells of a table that the undone steps have moved from ``old`` to ``new``; ``others`` says that others are in their place by now.

    ``begun`` is the id of the revision whose step has moved only some of them, as its run was interrupted; empty if all are moved.
    """

    table: str
    old: str
    new: str
    others: bool
    begun: str = ""

    @property
    def name(self) -> str:
        """The name that allows to leave them where nothing reads them."""
        return f"unread-cells:{self.table}.{self.new}"

    def where(self, to: Revision | None) -> str:
        """Where they are, and what moves them back."""
        assert to is not None
        find = "read the values of others" if self.others else "find none"
        family, _, qualifier = self.old.partition(":")
        way = (
            f'declare {family}:{qualifier} with renamed_from="{self.new.partition(":")[2]}", and `btmodel migrate new` writes the step that moves '
            "them back"
        )
        done = f"moved {{}} {self.table}.{self.old} to {self.new}"
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
    steps: Collection[_Step], begun: Collection[str], tables: Iterable[Table]
) -> Iterator[UnreadCells]:
    """The cells that ``steps`` have moved, and that the models of ``tables`` look for where they were; ``begun`` revisions have moved some of theirs."""
    for table in tables if steps else ():
        found = {one for layout in table.layouts for one in _moved(table.id, layout, steps, begun)}
        yield from sorted(found, key=lambda one: one.old)


def _moved(
    table: str, layout: Layout, steps: Iterable[_Step], unfinished: Collection[str]
) -> Iterator[UnreadCells]:
    where = {cell.cell: cell.cell for cell in layout.cells}
    begun = dict[str, str]()
    for revision, model in steps:
        if model.table == table and same_rows(layout_of(model), layout):
            moves = {place.cell: column.cell for column in model.columns for place in column.places[1:]}
            if revision.id in unfinished:
                begun |= {cell: revision.id for cell, at in where.items() if at in moves}
            where = {cell: moves.get(at, at) for cell, at in where.items()}
    for cell, at in where.items():
        # Where both are read, as one column, both have come to one place.
        if at != cell and where.get(at) != at:
            yield UnreadCells(table, cell, at, cell in where.values(), begun.get(cell, ""))


def rewritten_back(
    steps: Collection[_Step], begun: Collection[str], tables: Iterable[Table]
) -> Iterator[RewrittenBack]:
    """The cells that ``steps`` have rewritten in a codec that the models of ``tables`` do not read; ``begun`` revisions have rewritten some of theirs."""
    for table in tables if steps else ():
        for layout in table.layouts:
            found: dict[str, RewrittenBack | None] = {}
            for revision, model in steps:
                if model.table == table.id and same_rows(layout_of(model), layout):
                    found |= _rewritten(layout, model, revision.id if revision.id in begun else "")
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
