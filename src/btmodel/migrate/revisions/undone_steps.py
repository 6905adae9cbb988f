"""Cells that steps have moved or rewritten which a rollback goes below: its models would not find them, or could not read them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import evolve, frozen

from btmodel.migrate.changes.layouts import ChangeCodec
from btmodel.migrate.changes.results import same_rows
from btmodel.migrate.revisions.past_moves import NONE, rewriting
from btmodel.migrate.revisions.revision import Revision
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


def undone_steps(
    revisions: Iterable[Revision],
    folder: Path,
    before: Iterable[Table] = (),
    skipped: Mapping[str, Collection[str]] = NONE,
) -> tuple[UndoneStep, ...]:
    """The steps of these ``revisions`` that rewrite rows in place, but for those that were ``skipped``, in order, with the names before the first of them.

    These are the names of the tables ``before``, which may already have the new name of a renaming that later revisions still declare. Raises
    :class:`btmodel.errors.MigrationError` if one cannot be loaded.
    """
    order, there = tuple(revisions), {table.id: table for table in before}
    found = rewriting(order, folder, skipped)
    return tuple(_followed(revision, model, order, there) for revision, model in found)


def _followed(
    revision: Revision, model: ModelSchema, order: Sequence[Revision], there: Mapping[str, Table]
) -> UndoneStep:
    at = order.index(revision)
    table, families = model.table, {family.id: family.id for family in model.families}
    names = {table}
    for earlier in reversed(order[: at + 1]):
        for known in (one for one in earlier.tables if one.id in names):
            former = {family.id: family.renamed_from or family.id for family in known.families}
            kept = {family.id for family in there[table].families} if table in there else set[str]()
            families = {
                own: before if before in kept else former.get(before, before)
                for own, before in families.items()
            }
            table = table if table in there else known.renamed_from or table
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


UNREAD = "unread-cells:"


def unread_name(table: str, cell: str) -> str:
    """The name that allows to leave cells where nothing reads them."""
    return f"{UNREAD}{table}.{cell}"


@frozen
class UnreadCells:
    """Cells of a table that the undone steps have moved from ``old`` to ``new``; ``others`` says that others are in their place by now.

    ``begun`` is the id of the revision whose step has moved only some of them, as its run was interrupted; empty if all are moved. ``now_in`` is
    the table, and ``now`` the cell, that has them now, as renamings may have given them other names. ``codecs`` are the one of the target
    revision and the one in which they are written by now, if the first does not read the second.
    """

    table: str
    old: str
    new: str
    others: bool
    now_in: str
    now: str
    begun: str = ""
    codecs: tuple[str, str] | None = None

    @property
    def name(self) -> str:
        """The name that allows to leave them where nothing reads them."""
        return unread_name(self.table, self.new)

    def where(self, to: Revision | None) -> str:
        """Where they are, and what moves them back."""
        assert to is not None
        find = "read the values of others" if self.others else "find none"
        qualifier, (family, _, other) = self.old.partition(":")[2], self.now.partition(":")
        both = "" if self.codecs is None else f" and the codec {_either(*self.codecs)}"
        way = (
            f'declare {family}:{qualifier} with renamed_from="{other}"{both}, and `btmodel migrate new` writes the step that moves '
            f"them back{' and rewrites them' * bool(both)}"
        )
        renamed = (self.now_in, self.now) != (self.table, self.new)
        done = f"moved {{}} {self.table}.{self.old} to {self.new}{f', which is {self.now_in}.{self.now} now' * renamed}"
        if self.codecs is not None:
            done += f", and written them as {self.codecs[1]}"
            find += f" there, and read {self.codecs[0]}"
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
            f"declare {self.cell} of {self.model} with {_either(self.old, self.new)}, and `btmodel migrate new MESSAGE --rewrite {self.model}` "
            "writes the step that rewrites them back"
        )
        done = f"rewritten {{}} {self.table}.{self.cell} as {self.new}"
        return _instead(done, self.begun, f"the models of {to.id} read {self.old}", way)


def _either(new: str, old: str) -> str:
    """The codec that writes ``new`` and reads both."""
    return f"Either(new={new}, old=({old}))"


def _instead(done: str, begun: str, then: str, way: str) -> str:
    """What a step has ``done``, and what to do in place of a rollback; ``begun`` is its revision where its run was interrupted."""
    if not begun:
        return f"a step has {done.format('the cells of')}, and {then}: in place of a rollback, {way}"
    half = done.format("some of the cells of")
    return (
        f"the step of {begun} has {half}, until it was interrupted, and {then}: in place of a rollback, let it run to its end with "
        f"`btmodel migrate apply --to {begun}`, and then {way}"
    )


@frozen
class _Traced:
    """A ``cell`` of a layout, and where a step has left what lay in it: ``at`` another one, perhaps, and written by the codec ``writes`` if the layout does not read that.

    ``last`` is the last step that has moved it, and ``begun`` the id of a revision of which a run was interrupted that has moved or rewritten some of it.
    """

    cell: str
    at: str
    codec: str
    writes: str = ""
    last: UndoneStep | None = None
    begun: str = ""

    @property
    def codecs(self) -> tuple[str, str] | None:
        """The codec of the layout, and the one in which the cells are written, if the first does not read the second."""
        return (codec_in(self.codec), self.writes) if self.writes else None

    def after(
        self, step: UndoneStep, moves: Mapping[str, str], codecs: Mapping[str, str], begun: str
    ) -> "_Traced":
        """The same after a ``step`` that ``moves`` cells and writes ``codecs``; ``begun`` is the id of its revision if that was interrupted."""
        found = self
        if self.at in moves:
            found = evolve(found, at=moves[self.at], last=step, begun=begun or self.begun)
        writes, *older = readings(codecs[found.at]) if found.at in codecs else ("",)
        if older:
            is_read = reads_all(self.codec, writes)
            found = evolve(found, writes="" if is_read else codec_in(writes), begun=begun or found.begun)
        return found


def _traced(
    table: str, layout: Layout, steps: Iterable[UndoneStep], unfinished: Collection[str]
) -> tuple[_Traced, ...]:
    """Where ``steps`` have left the cells of a ``layout`` of ``table``."""
    found = tuple(_Traced(cell.cell, cell.cell, cell.codec) for cell in layout.cells)
    for step in steps:
        id, model = step.revision.id, step.model
        if model.table == table and same_rows(layout_of(model), layout):
            moves = {place.cell: column.cell for column in model.columns for place in column.places[1:]}
            codecs = {cell.cell: cell.codec for cell in layout_of(model).cells}
            begun = id if id in unfinished else ""
            found = tuple(one.after(step, moves, codecs, begun) for one in found)
    return found


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
    traced = _traced(table, layout, steps, unfinished)
    where = {one.cell: one.at for one in traced}
    for one in traced:
        # Where both are read, as one column, both have come to one place.
        if one.last is not None and one.at != one.cell and where.get(one.at) != one.at:
            others = one.cell in where.values()
            now = (one.last.table, one.last.now(one.at))
            yield UnreadCells(table, one.cell, one.at, others, *now, one.begun, one.codecs)


def rewritten_back(
    steps: Collection[UndoneStep], begun: Collection[str], tables: Iterable[Table]
) -> Iterator[RewrittenBack]:
    """The cells that ``steps`` have rewritten in a codec that the models of ``tables`` do not read; ``begun`` revisions have rewritten some of theirs."""
    for table in tables if steps else ():
        for layout in table.layouts:
            for one in _traced(table.id, layout, steps, begun):
                if one.codecs is not None and one.at == one.cell:
                    yield RewrittenBack(table.id, layout.model, one.cell, *one.codecs, one.begun)
