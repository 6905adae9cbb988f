"""The next revision file, from changes of the models."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

import attrs
from attrs import frozen

from btmodel.codecs.parts import reads_older
from btmodel.declare import schema_of
from btmodel.errors import MigrationError
from btmodel.migrate.changes.base import UNKNOWN, Effect, InstanceChange
from btmodel.migrate.changes.layouts import ChangeCodec
from btmodel.migrate.changes.results import NO_RESULTS
from btmodel.migrate.planning.plan import diff
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.move_losses import moves_of
from btmodel.migrate.revisions.past_moves import rewriting
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.step_results import PastSteps, writers_left
from btmodel.migrate.tables.layouts import match, readings
from btmodel.schema import Column, ModelSchema, Table
from btmodel.schema.layout import layout_of
from btmodel.schema.names import placeholders

_HEAD = '''"""Data steps of {id}: they run once its tables are there, in the order of data_steps.

Each step is called with every row of a table, in key order. After an interruption, the next run resumes after the last
recorded rows, so a step may see some rows again, and must then return the same.
"""

from btmodel.migrate import Mutation, StoredRow, data_step

# A step for a model gets rows as the model reads them. Declare the model here as it was when they were written, so that
# this file stays correct when the models of the application change.
#
#     import btmodel as bt
#
#     class OldQuote(bt.Model, table="QUOTE"):
#         """A quote as it was before this revision."""
#
#         symbol: str = bt.key(bt.Text(max_length=9))
#         data = bt.family("MD", gc=bt.max_versions(1))
#         bid: int = bt.column("BID", data)
#
#     @data_step(OldQuote)
#     def {name}(row: OldQuote) -> Quote: ...
'''
_STEP = '''

@data_step("{table}")
def {name}(row: StoredRow) -> Mutation | None:
    """Return what to write for a row of {table}: row.key, and row.cells with family, qualifier, timestamp and value.

    Return a row of a model, which is put, a mutation, added(Model, ...) for counters, a list of these, or None.
    """
    raise NotImplementedError("fill in {name}")
'''


def skeleton(revision: Revision, before: Sequence[Table]) -> str:
    """The code of the data steps of ``revision``, for the first table that changes from ``before``, or the first table.

    Raises :class:`MigrationError` if the revision has no table.
    """
    changes = (change for change in diff(revision.tables, before) if change.effect is not Effect.DRIFT)
    known = {table.id for table in before}
    ids = [
        *(change.table_id for change in changes if change.table_id in known),
        *(table.id for table in revision.tables),
    ]
    ids = [id for id in ids if not placeholders(id)]
    if not ids:
        raise MigrationError("--data-step: there is no table that a data step could read")
    head = _HEAD.format(id=revision.id, name=revision.data_steps[0])
    return head + "".join(_STEP.format(table=ids[0], name=name) for name in revision.data_steps)


_LONGEST = 50  # characters of the part made from the message


def id_on(parents: Iterable[Revision], message: str) -> str:
    """The id of a revision on top of ``parents``: the next number, and its message.

    The number is one more than the greatest number of the parents, so files sorted by name follow their parents. If
    two branches write the next revision at once, both get the same number but different names: git merges them
    without a conflict.
    """
    number = max((revision.number for revision in parents), default=0) + 1
    return f"{number:04}_{slug(message)}"


def slug(message: str) -> str:
    """A message as part of a file name, cut at a word boundary: ``Add trades (NYSE)`` becomes ``add_trades_nyse``."""
    letters = unicodedata.normalize("NFKD", message).encode("ascii", "ignore").decode().lower()
    plain = re.sub(r"[^a-z0-9]+", "_", letters).strip("_")
    if len(plain) > _LONGEST:  # cut at a word boundary, unless the first word is too long
        plain = plain[: _LONGEST + 1].rpartition("_")[0] or plain[:_LONGEST]
    return plain or "revision"


def checked(message: str) -> str:
    """``message`` without surrounding blanks; raises :class:`MigrationError` if it is empty or not a single line."""
    text = message.strip()
    if not text or not text.isprintable():
        raise MigrationError(f'expected a message on one line, such as "add trades", got {message!r}')
    return text


@frozen
class RevisionChange:
    """A change from one revision to the next for people: its sign, its name, and what happens to its subject.

    A removed declaration is not shown as a drop: the table or family stays until the user allows its drop. ``details`` are
    what a plan will say of a change that it refuses: what to do instead; and what another revision has to do then.
    """

    sign: str
    name: str
    summary: str
    details: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.sign} {self.name}  {self.summary}"


def next_revision(
    graph: Graph, declared: Iterable[Table], message: str, data_steps: Sequence[str] = ()
) -> Revision | None:
    """The revision that leads from the last one of ``graph`` to ``declared``; None if nothing differs.

    A revision with ``data_steps`` gets code that the user has to fill in, and may change no table. Raises
    :class:`MigrationError` if there are two heads or the message is invalid.
    """
    tables, head, title = tuple(declared), graph.head, checked(message)
    if not data_steps and same(tables, head.tables if head else ()):
        return None
    parents = (head,) if head else ()
    found = Revision(
        id_on(parents, title),
        title,
        tuple(revision.parent_link for revision in parents),
        tables,
        tuple(data_steps),
    )
    if not data_steps:
        return found
    return attrs.evolve(found, code=skeleton(found, head.tables if head else ()))


def why_impossible(tables: Iterable[Table], graph: Graph) -> Iterator[str]:
    """Why no instance could apply a revision with ``tables`` on top of the last one of ``graph``, and why none can apply revisions that are there.

    What a merge joins was looked at on both sides.
    """
    revisions = graph.revisions
    for revision in revisions.values():
        if len(revision.parents) == 1 and (below := revisions.get(revision.parents[0].id)) is not None:
            for change in _impossible(revision.tables, below.tables):
                yield (
                    f"{graph.folder / revision.id}.toml: no instance that has {below.id} can apply it: {change}: delete {revision.id} and what stands on "
                    "it, and write them anew"
                )
    if graph.head is not None:
        for change in _impossible(tables, graph.head.tables):
            yield f"no instance that has {graph.head.id} could apply a revision with these models: {change}"


def _impossible(tables: Iterable[Table], before: Iterable[Table]) -> Iterator[str]:
    for change in diff(tables, before):
        if change.effect is Effect.IMPOSSIBLE:
            yield "; ".join([f"{change.name}: {change.summary}", *change.details])


def same(left: Iterable[Table], right: Iterable[Table]) -> bool:
    """Whether two sets of tables mean the same, including layouts and stated settings."""
    one, other = tuple(left), tuple(right)
    alike = [_without_rules(table) for table in one] == [_without_rules(table) for table in other]
    return alike and _require_the_same(one, other) and not diff(one, other)


def _require_the_same(left: Sequence[Table], right: Sequence[Table]) -> bool:
    """Whether both agree on which columns are required, as far as both state it."""
    pairs = (
        (cell.required, also.required)
        for table, other in zip(left, right, strict=True)
        for layout, known in zip(table.layouts, other.layouts, strict=True)
        for cell, also in zip(layout.cells, known.cells, strict=True)
    )
    return all(one == other or None in (one, other) for one, other in pairs)


def differences(
    tables: Iterable[Table], before: Iterable[Table], graph: Graph | None = None
) -> tuple[RevisionChange, ...]:
    """The changes that lead from ``before`` to ``tables``, including new columns.

    With ``graph``, its revisions are taken to be applied, so that what their steps have made true is no change.
    """
    wanted, known = tuple(tables), tuple(before)
    past = () if graph is None else tuple(graph.revisions.values())
    results = NO_RESULTS if graph is None else PastSteps(past, past, graph.folder, {}).results(wanted, known)
    found = [
        RevisionChange(change.sign, change.name, _fate(change), _more(change))
        for change in diff(wanted, known, attrs.evolve(UNKNOWN, results=results))
    ]
    return (*found, *_new_cells(wanted, {table.id: table for table in known}))


def has_cells_to_rewrite(model: ModelSchema, before: Iterable[Table]) -> bool:
    """Whether a step that rewrites the rows of ``model`` may change cells by itself: it reads some in more than one way, or they are recorded in ``before`` with another codec."""
    recorded = {
        cell.cell: cell
        for table in before
        if table.id == model.table
        for layout in table.layouts
        if layout.model == model.name
        for cell in layout.cells
    }
    layout = layout_of(model)
    return any(
        len(readings(cell.codec)) > 1 or recorded.get(cell.cell, cell) != cell for cell in layout.cells
    ) or any(column.also or reads_older(column.codec) for column in model.columns)


@frozen
class RenamedColumn:
    """A column of ``model`` that is declared with ``renamed_from=``; ``moved_by`` says what has moved its cells, the step of the last revision that does, or one that was squashed.

    ``elsewhere`` are a revision that moves them to a qualifier that it does not read, and that qualifier. ``first`` is the id of the first revision that has
    the table, if it has the column under both names already, and ``is_new`` says that this revision made the table, and that no move has brought such cells to it.
    """

    model: ModelSchema
    column: Column
    moved_by: str | None
    elsewhere: tuple[str, bytes] | None = None
    first: str = ""
    is_new: bool = False

    @property
    def why_none_move(self) -> str | None:
        """Why there would be no cells to move: an earlier revision moves them to a qualifier that the column does not read."""
        if self.elsewhere is None:
            return None
        by, place = self.elsewhere
        assert self.column.renamed_from is not None
        old, now = (each.decode(errors="backslashreplace") for each in (self.column.renamed_from, place))
        return (
            f"{self.model.name}.{self.column.name}: renamed_from={old!r}: expected {now!r}, as {by} moves the cells of {self.column.family}:{old} "
            f"to {self.column.family}:{now}: declare it with renamed_from={now!r}"
        )

    @property
    def cells(self) -> str:
        """The cells that move: ``the cells of MD:ASK to MD:OFFER``."""
        return f"the cells of {self.column.places[1].cell} to {self.column.cell}"

    @property
    def is_movable(self) -> bool:
        """Whether a step can move the cells: not where the table is named at run time."""
        return not placeholders(self.model.table)

    @property
    def is_left(self) -> bool:
        """Whether a revision has still to be written that moves the cells."""
        return self.is_movable and self.moved_by is None and not self.is_new

    @property
    def next_step(self) -> str:
        """What the user has to do next, in one sentence."""
        name = f"{self.model.name}.{self.column.name}"
        if self.why_none_move:
            return self.why_none_move
        if not self.is_movable:
            return f"{name}: {self.model.table} is named at run time, so no step moves {self.cells}: keep renamed_from=, which reads both"
        old = self.column.places[1].cell
        if self.moved_by is not None:
            return f"{name}: once {self.moved_by} on every instance, declare it without renamed_from="
        if self.is_new:
            return f"{name}: {self.first} makes {self.model.table} with {self.column.cell}, and no revision brings cells of {old} to it: declare it without renamed_from="
        way = "keep renamed_from=, and run `btmodel migrate new MESSAGE`, which writes one"
        if self.first:
            return f"{name}: {self.first} is the first revision here, and reads both {old} and {self.column.cell}: where no instance has cells of {old}, declare it without renamed_from=; otherwise {way} that moves them"
        return f"{name}: no revision moves {self.cells} yet: {way}"


def renamed_columns(models: Iterable[ModelSchema], graph: Graph) -> tuple[RenamedColumn, ...]:
    """The columns with ``renamed_from=`` whose old qualifier the last revision, or one before it, has recorded.

    Raises :class:`MigrationError` if there are two heads, and for a step that moves cells and cannot be loaded.
    """
    renamed = [
        (model, column)
        for model in models
        if not model.view
        for column in model.columns
        if column.renamed_from is not None
    ]
    if not renamed or graph.head is None:
        return ()
    past = graph.up_to(graph.head.id)
    recorded = {
        (table.id, cell.cell)
        for revision in past
        for table in revision.tables
        for layout in table.layouts
        for cell in layout.cells
    }
    steps = list(rewriting(past, graph.folder))
    return tuple(
        RenamedColumn(
            model,
            column,
            _moved_by(model, column, past, steps),
            _where_cells_are(model, column, past, graph),
            *_first(model, column, past, graph),
        )
        for model, column in renamed
        if (model.table, column.places[1].cell) in recorded  # that of renamed_from=
    )


def _moved_by(
    model: ModelSchema,
    column: Column,
    past: Sequence[Revision],
    steps: Iterable[tuple[Revision, ModelSchema]],
) -> str | None:
    """What has moved the cells: the last of these revisions, or one that it replaces, if it moves them to this qualifier; None if it moves them away, or none moves them."""
    of, found = f"{model.table}/{model.name}", None
    squashed = ((one.id, cells) for one in past for cells in one.moves if cells.is_of_cells)
    for id, cells in squashed:
        if {cells.old, cells.new} == {f"{of}.{place.cell}" for place in column.places[:2]}:
            moved_here = cells.new == f"{of}.{column.cell}"
            found = f"{cells.by}, which is part of {id}, has run" if moved_here else None
    for revision, rewritten in steps:
        if model.name in writers_left(past, revision, model.table, column.places[1].cell, column.cell):
            continue
        for other in rewritten.columns if _has_same_rows(rewritten, model) else ():
            if other.family == column.family and {column.qualifier, column.renamed_from} <= {
                other.qualifier,
                *other.also,
            }:
                found = f"the step of {revision.id} has run" if other.qualifier == column.qualifier else None
    return found


def _first(model: ModelSchema, column: Column, past: Sequence[Revision], graph: Graph) -> tuple[str, bool]:
    """The first of these revisions that has the table of ``model``, if it has both names of the column, or else nothing; and whether no cells of the former name can be there."""
    first = next(one for one in past if any(table.id == model.table for table in one.tables))
    layouts = next(table for table in first.tables if table.id == model.table).layouts
    cells = {cell.cell for layout in layouts if layout.model == model.name for cell in layout.cells}
    if not {place.cell for place in column.places[:2]} <= cells:
        return "", False
    declared = next(table for table in first.tables if table.id == model.table)
    is_new = bool(first.parents) and not declared.renamed_from
    return first.id, is_new and not any(_brings(one, column, model.table, graph) for one in past)


def _brings(revision: Revision, column: Column, table: str, graph: Graph) -> bool:
    """Whether a step of ``revision`` may write cells of the former name of a ``column`` to ``table``: a move, if its old rows have it behind another, or any code of the user."""
    if "data_step" in revision.code:
        return True
    pairs = (
        (one, new)
        for step in moves_of(revision, graph.folder)
        if step.model is not None and step.target_table == table
        for one in schema_of(step.model).columns
        for new in schema_of(step.target).columns
        if one.name == new.name == column.name
    )
    return any(column.renamed_from in one.also and column.renamed_from in new.also for one, new in pairs)


def _has_same_rows(rewritten: ModelSchema, model: ModelSchema) -> bool:
    """Whether a step for ``rewritten`` is one for the rows of ``model``: the table may have rows of other models."""
    same = rewritten.name == model.name or layout_of(rewritten).key == layout_of(model).key
    return same and rewritten.table == model.table


def _where_cells_are(
    model: ModelSchema, column: Column, past: Iterable[Revision], graph: Graph
) -> tuple[str, bytes] | None:
    """The last of these revisions that moves the cells to a qualifier that the column does not read, and that qualifier; None if none does.

    Where a later revision has freed the old qualifier, and one declares it again, or a later step moves cells there, these are other
    cells, which are still there.
    """
    renamed, key = column.places[1].cell, layout_of(model).key
    place, by, is_free = column.renamed_from, "", False
    for revision in past:
        stands_on = bool(by) and by in {one.id for one in graph.up_to(revision.id) if one != revision}
        reads = renamed in {
            cell.cell
            for table in revision.tables
            for layout in table.layouts
            if table.id == model.table and (layout.model == model.name or layout.key == key)
            for cell in layout.cells
        }
        if stands_on and is_free and reads:
            place, by = column.renamed_from, ""
        is_free = stands_on and not reads
        for _, rewritten in rewriting([revision], graph.folder):
            for other in rewritten.columns if _has_same_rows(rewritten, model) else ():
                if other.family == column.family and place in other.also:
                    place, by = other.qualifier, revision.id
                elif stands_on and other.cell == renamed:
                    place, by = column.renamed_from, ""
    assert place is not None
    return None if place in (column.qualifier, *column.also) else (by, place)


def _fate(change: InstanceChange) -> str:
    if not change.ends:
        return change.summary
    # Tables named at run time each have their own name in the instance.
    until = "each is allowed to go" if placeholders(change.subject) else f"--allow {change.ends[0].name}"
    return "; ".join([f"{change.summary}; no longer declared, and kept until {until}", *change.details])


def _more(change: InstanceChange) -> tuple[str, ...]:
    if change.effect in (Effect.BLOCKED, Effect.IMPOSSIBLE):
        return change.details
    rewriting = change.rewriting if isinstance(change, ChangeCodec) else None
    return () if rewriting is None else (rewriting,)


def _new_cells(tables: Iterable[Table], before: dict[str, Table]) -> Iterator[RevisionChange]:
    """The new cells and models of tables."""
    for table in tables:
        if table.id not in before:
            continue
        found = match(table.layouts, before[table.id].layouts)
        for layout in found.new:
            yield RevisionChange("+", f"add-model:{table.id}/{layout.model}", f"keys {layout.key_text}")
        for layout, other in found.both:
            known = {cell.cell for cell in other.cells}
            for cell in layout.cells:
                if cell.cell not in known:
                    yield RevisionChange("+", f"add-cell:{table.id}/{layout.model}.{cell.cell}", cell.codec)


def _without_rules(table: Table) -> Table:
    """The table without its GC rules, which :func:`diff` compares by meaning."""
    return attrs.evolve(table, families=tuple(attrs.evolve(family, gc=None) for family in table.families))
