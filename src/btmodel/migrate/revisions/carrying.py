"""What a merge carries on of the side that it decides against: cells that an instance may have where, or as, no model of the merge would read them.

An attribute that both branches keep in other columns, or write in other codecs, is declared by the merge as the side that it takes writes
it, and is read as either side does. The step of the merge then rewrites the rows, as that of a renamed column does.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from btmodel.codecs.cell import CellCodec, Either
from btmodel.errors import DeclarationError, MigrationError
from btmodel.migrate.changes.layouts import ChangeCodec, ChangeKey
from btmodel.migrate.changes.results import same_rows
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.text import allowing
from btmodel.migrate.revisions.graph import Graph, graph_of
from btmodel.migrate.revisions.merging import Origins, diverged, taken_side
from btmodel.migrate.revisions.moving import recorded_model
from btmodel.migrate.revisions.past_moves import rewriting
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.shared_tables import unread_elsewhere
from btmodel.migrate.revisions.undone_steps import unread_name
from btmodel.migrate.revisions.widening import by_attribute
from btmodel.migrate.tables.layouts import conflict, family_of, reads_all
from btmodel.migrate.tables.templates import is_template
from btmodel.schema import CellLayout, Layout, ModelSchema, Shape, Table
from btmodel.schema.layout import codec_text, layout_of
from btmodel.schema.names import fits

_Cells = Mapping[str, CellLayout]
Attribute = tuple[str, str, str]  # a table, a model of it, and the name
_PLAIN = f"{Shape.VALUE.name.lower()} "


@frozen
class LosingCells:
    """The cells of an attribute as the side ``loser`` has them, of which the models of the side that is taken do not read some.

    ``cells`` have the names that they get in the merged tables, ``base`` are those before both sides, and ``own`` those that the merge takes. ``there`` is what that side
    calls the ``table``.
    """

    table: Table
    there: str
    layout: Layout
    cells: _Cells
    own: _Cells
    base: _Cells
    taken: Revision
    loser: Revision

    @property
    def _unread(self) -> Iterator[CellLayout]:
        """The cells that the merge does not declare, or not so that it reads them."""
        for name, cell in self.cells.items():
            if name not in self.own or not reads_all(self.own[name].codec, cell.codec):
                yield cell

    @property
    def is_read(self) -> bool:
        """Whether the merge reads all of them, and a step has still to write them where it writes the attribute."""
        return not any(True for _ in self._unread)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that allow to leave them where no model reads them, or to take them for others."""
        return tuple(
            unread_name(self.table.id, one.cell)
            if one.cell not in self.own
            else f"{ChangeCodec.verb}:{self.table.id}.{one.cell}"
            for one in self._unread
        )

    def __str__(self) -> str:
        """``QUOTE.MD:OFFER as value Int64()``."""
        cells = self.cells.values() if self.is_read else self._unread
        return " and ".join(f"{self.table.id}.{one.cell} as {one.codec}" for one in cells)

    @property
    def way(self) -> str:
        """How to bring an instance that has them to what the merge takes, without a step of the merge."""
        if is_template(self.table):
            return self._read
        return (
            f"on the branch of {self.loser.id}, write a revision that rewrites these cells as {self.taken.id} has them, or as they were before both, and one that declares that "
            "alone, apply them there with `btmodel migrate apply --to`, and merge again"
        )

    @property
    def _read(self) -> str:
        """How models of tables that are named at run time read both, as no step rewrites them."""
        return f"let {self.layout.model} read them too, with also= or Either, and write the next revision with `btmodel migrate new MESSAGE`"

    def ways(self, merge: Revision) -> Iterator[str]:
        """What to do where an instance has them, and no step of ``merge`` carries them on."""
        model = self.layout.model
        if is_template(self.table):
            yield self._read
            return
        yield (
            f"delete {merge.id} where no instance has applied it, and write it anew with `btmodel migrate merge --take {self.taken.id}`, whose step rewrites these cells where it can"
        )
        families = {family_of(name) for name, cell in self.own.items() if cell.codec.startswith(_PLAIN)}
        if all(one.cell not in self.own and family_of(one.cell) in families for one in self._unread):
            yield f"let {model} read them too, and write the next revision with `btmodel migrate new MESSAGE --rewrite {model}`"
        else:
            yield self.way

    def is_of(self, revision: Revision) -> bool:
        """Whether ``revision`` declares such cells."""
        return any(
            (_qualifier(cell), cell.codec) == (_qualifier(one), one.codec)
            for layout in _layouts_of(revision, self.there, self.layout)
            for cell in layout.cells
            for one in self._unread
        )


def _qualifier(cell: CellLayout) -> str:
    """Its name without that of its family, which may be another one on another side."""
    return cell.cell.partition(":")[2]


@frozen
class LosingKey:
    """The ``key`` of a model as the side ``loser`` has it, by which the models of the side that is taken would not find rows."""

    table: Table
    there: str
    layout: Layout
    key: Layout
    taken: Revision
    loser: Revision

    @property
    def names(self) -> tuple[str, ...]:
        """The name that promises that rows are rewritten."""
        return (f"{ChangeKey.verb}:{self.table.id}/{self.layout.model}",)

    def __str__(self) -> str:
        """``rows of QUOTE with the key {symbol: Text(width=7)}``."""
        return f"rows of {self.table.id} with the key {self.key.key_text}"

    def ways(self, merge: Revision) -> Iterator[str]:
        """What to do where an instance has them."""
        yield (
            f"on the branch of {self.loser.id}, write a revision with the key of {self.taken.id} and a step that writes each row under it and deletes the old row "
            f"(`btmodel migrate new MESSAGE --data-step NAME`), apply it there with `btmodel migrate apply --to`, and merge again without {merge.id}"
        )

    def is_of(self, revision: Revision) -> bool:
        """Whether ``revision`` declares such rows."""
        return any(one.key == self.key.key for one in _layouts_of(revision, self.there, self.layout))


def _layouts_of(revision: Revision, table: str, layout: Layout) -> Iterator[Layout]:
    tables = (one for one in revision.tables if one.id == table)
    return (one for each in tables for one in each.layouts if one.model == layout.model)


@frozen
class Carried:
    """A ``merge`` that reads both ways, the ``models`` whose rows its steps have to rewrite, and what it carries on by these.

    ``left`` are the cells that it cannot carry on, each with the reason.
    """

    merge: Revision
    models: tuple[ModelSchema, ...] = ()
    cells: tuple[LosingCells, ...] = ()
    left: tuple[tuple[LosingCells, str], ...] = ()


def losing_cells(graph: Graph, merge: Revision) -> tuple[LosingCells, ...]:
    """The cells of the side that ``merge`` decides against, which its models would not read; ``merge`` is in ``graph``."""
    sides = taken_side(graph, merge)
    return _losing_cells(graph, merge, *sides) if sides else ()


def _losing_cells(
    graph: Graph, merge: Revision, taken: Revision, loser: Revision, others: Collection[Attribute] = ()
) -> tuple[LosingCells, ...]:
    """The same, and those of ``others``, which both sides read."""
    before, origins = diverged(graph, taken, loser)
    found: list[LosingCells] = []
    for table in merge.tables:
        theirs, base = (_same_table(table, others, origins) for others in (loser.tables, before))
        for layout in table.layouts if theirs is not None else ():
            assert theirs is not None
            known, was = (_attributes(layout, one, table, origins) for one in (theirs, base))
            own = by_attribute(layout)
            for name, cells in known.items():
                mine, before_both = own.get(name, {}), was.get(name, {})
                one = LosingCells(table, theirs.id, layout, cells, mine, before_both, taken, loser)
                is_new = bool(one.own) and not _alike(cells, one.base)
                if (is_new and not one.is_read) or (table.id, layout.model, name) in others:
                    found.append(one)
    return tuple(found)


def losing_keys(graph: Graph, merge: Revision) -> Iterator[LosingKey]:
    """The keys of the side that ``merge`` decides against, by which rows may be written that its models would not find; ``merge`` is in ``graph``."""
    sides = taken_side(graph, merge)
    if sides is None:
        return
    taken, loser = sides
    before = {
        (table.id, layout.model): layout.key
        for table in diverged(graph, taken, loser)[0]
        for layout in table.layouts
    }
    for table in merge.tables:
        for layout in table.layouts:
            for other in _layouts_of(loser, table.id, layout):
                is_new = before.get((table.id, layout.model)) != other.key
                if is_new and not ChangeKey(table.id, layout, other).keeps_all:
                    yield LosingKey(table, table.id, layout, other, taken, loser)


def _same_table(table: Table, others: Iterable[Table], origins: Origins) -> Table | None:
    """What ``table`` is called on another side."""
    names = {table.id, origins.of(table.id) or table.id}
    return next((one for one in others if names & {one.id, origins.of(one.id) or one.id}), None)


def _attributes(layout: Layout, other: Table | None, table: Table, origins: Origins) -> dict[str, _Cells]:
    """The cells of each attribute of the same model in ``other``, with the families that ``table`` has for them."""
    same = next((one for one in (other.layouts if other else ()) if one.model == layout.model), None)
    if other is None or same is None:
        return {}
    former = {origins.of(table.id, one.id) or one.id: one.id for one in table.families}

    def moved(cell: CellLayout) -> CellLayout:
        family, colon, qualifier = cell.cell.partition(":")
        first = origins.of(other.id, family) or family
        return attrs.evolve(cell, cell=f"{former.get(first, family)}{colon}{qualifier}")

    return {
        name: {one.cell: one for one in map(moved, cells.values())}
        for name, cells in by_attribute(same).items()
    }


def _alike(one: _Cells, other: _Cells) -> bool:
    return {**one} == {**other}


def _reads(own: _Cells, cells: _Cells) -> bool:
    """Whether an attribute with its ``own`` cells reads all of these."""
    return all(name in own and reads_all(own[name].codec, cell.codec) for name, cell in cells.items())


def apart(graph: Graph, merge: Revision) -> Mapping[Attribute, tuple[str, str]]:
    """The attributes that steps of both sides of ``merge`` write to different columns, and that its tables read in both, with these: as of two merges of the same branches.

    Raises :class:`MigrationError` for a step that cannot be loaded.
    """
    left, right = ((link.id, graph.up_to(link.id)) for link in merge.parents)
    mine, theirs = _written(graph, left[1], right[1]), _written(graph, right[1], left[1])
    read = {
        (table.id, layout.model, name): cells
        for table in merge.tables
        for layout in table.layouts
        for name, cells in by_attribute(layout).items()
    }
    both = {one: (mine[one], theirs[one]) for one in mine.keys() & theirs.keys()}
    return {
        one: places
        for one, places in both.items()
        if places[0] != places[1] and {*places} <= read.get(one, {}).keys()
    }


def _written(graph: Graph, side: Iterable[Revision], other: Collection[Revision]) -> dict[Attribute, str]:
    """Where the steps of one side alone move the cells of attributes to."""
    return {
        (model.table, model.name, column.name): column.cell
        for revision in side
        if revision not in other
        for _, model in rewriting([revision], graph.folder)
        for column in model.columns
        if column.also
    }


def carried(graph: Graph, merge: Revision, taken: Revision, declared: Sequence[ModelSchema]) -> Carried:
    """``merge``, on top of the heads of ``graph``, with what it carries on of the side that is not ``taken``.

    The models are written as they are recorded; ``declared`` are those of the application, for classes in codecs that a record only names.
    """
    with_merge = graph_of(graph.folder, [*graph.revisions.values(), merge])
    (loser,) = (graph.revisions[link.id] for link in merge.parents if link.id != taken.id)
    cells = _losing_cells(with_merge, merge, taken, loser, apart(graph, merge))
    left: list[tuple[LosingCells, str]] = []
    models: dict[tuple[str, str], ModelSchema] = {}
    done: list[LosingCells] = []
    for one in cells:
        place = (one.table.id, one.layout.model)
        if is_template(one.table):
            left.append((one, "its tables are named at run time"))
            continue
        try:
            model = models.get(place) or _recorded(one, declared, merge.tables, one.taken, with_merge)
            theirs = _recorded(one, declared, one.loser.tables, one.loser, with_merge)
            wide = _wide(one, model, theirs)
            for why in (*_unproved(one, wide), *unread_elsewhere(merge.tables, wide)):
                raise MigrationError(why)
        except (MigrationError, DeclarationError) as error:
            left.append((one, str(error)))
        else:
            models[place] = wide
            done.append(one)
    if not done:
        return Carried(merge, left=tuple(left))
    tables = tuple(_with_models(table, models, done) for table in merge.tables)
    parents = sorted(
        merge.parents, key=lambda link: link.id == loser.id
    )  # the side that is taken is in front
    found = attrs.evolve(merge, tables=tables, parents=tuple(parents))
    return Carried(found, tuple(models.values()), tuple(done), tuple(left))


def _recorded(
    one: LosingCells,
    declared: Sequence[ModelSchema],
    tables: Iterable[Table],
    side: Revision,
    graph: Graph,
) -> ModelSchema:
    """The model as ``tables`` record it; the steps of ``side`` say last which column counts first."""
    own = {each.id: each for each in graph.up_to(side.id)}
    others = {id: each for id, each in graph.revisions.items() if id not in own}
    in_order = Graph(graph.folder, {**others, **own}, graph.parents)
    found = recorded_model(one.layout.model, declared, tables, in_order)
    return attrs.evolve(found, name=one.layout.model)


def _wide(one: LosingCells, model: ModelSchema, theirs: ModelSchema) -> ModelSchema:
    """``model`` with the attribute read as either side has it; raises :class:`MigrationError` and :class:`DeclarationError`."""
    there = (each for each in model.columns if {place.cell for place in each.places} & one.own.keys())
    ours = next(there, None)
    if ours is None:
        raise MigrationError("it repeats a field of the key")
    other = next((each for each in theirs.columns if each.name == ours.name), None)
    if other is None or other.shape is not ours.shape:
        raise MigrationError("both sides declare columns of different kinds")
    if any(family_of(name) != ours.family for name in one.cells):
        raise MigrationError("both sides have it in different families")
    read = [place.cell for place in ours.places]
    more = [name.partition(":")[2].encode() for name in one.cells if name not in read]
    if more and not ours.shape.plain:
        raise MigrationError("only a column of one value can be read from several qualifiers")
    codec = _either(ours.codec, other.codec)
    column = attrs.evolve(ours, also=(*more, *ours.also), renamed_from=None, codec=codec)
    return attrs.evolve(model, columns=tuple(column if each is ours else each for each in model.columns))


def _either(ours: CellCodec[Any], theirs: CellCodec[Any]) -> CellCodec[Any]:
    """The codec that writes as ``ours`` and reads both; raises :class:`DeclarationError` if there is none."""
    codecs = {codec_text(codec): codec for codec in (*_codecs(ours), *_codecs(theirs))}
    first, *others = codecs.values()
    return ours if len(others) < len(_codecs(ours)) else Either(first, *others)


def _codecs(codec: CellCodec[Any]) -> tuple[CellCodec[Any], ...]:
    """The codecs of an ``Either``, in the order in which they are tried, or the codec itself."""
    if not isinstance(codec, Either):
        return (codec,)
    return tuple(one for each in (codec.new, *codec.old) for one in _codecs(each))


def _unproved(one: LosingCells, wide: ModelSchema) -> Iterator[str]:
    """Why cells of either side, or of before, may be misread by ``wide``."""
    codecs = {cell.cell: cell.codec for cell in layout_of(wide).cells}
    for cell in (*one.own.values(), *one.cells.values(), *one.base.values()):
        found = conflict(codecs[cell.cell], cell.codec) if cell.cell in codecs else None
        if found is not None:
            yield found.example or f"nothing proves that {found.new} reads no cell of {found.old}"


def _with_models(
    table: Table, models: Mapping[tuple[str, str], ModelSchema], done: Iterable[LosingCells]
) -> Table:
    """``table`` with the cells that are carried on as these ``models`` have them."""
    found = []
    for layout in table.layouts:
        of = [one for one in done if (one.table.id, one.layout.model) == (table.id, layout.model)]
        wide = {name for one in of for name in (*one.own, *one.cells)}
        model = models.get((table.id, layout.model))
        more = [cell for cell in layout_of(model).cells if cell.cell in wide] if model is not None else []
        cells = {cell.cell: cell for cell in (*layout.cells, *more)}
        found.append(attrs.evolve(layout, cells=tuple(cells[name] for name in sorted(cells))))
    return attrs.evolve(table, layouts=tuple(found))


@frozen
class LeftBehind:
    """Cells of the side that ``merge`` decides against, which an instance has applied, and that no step carries on."""

    merge: Revision
    what: LosingCells | LosingKey

    def why(self, folder: Path, allow: Collection[str]) -> Iterator[str]:
        """Why nothing is applied, unless ``allow`` says what becomes of them."""
        id, what = self.merge.id, self.what
        names = [name for name in what.names if name not in allow]
        if names:
            ways = "; or ".join(what.ways(self.merge))
            yield (
                f"{folder / id}.toml: nothing was applied, because this instance has applied {what.loser.id}, and {id} would leave {what} where no model reads "
                f"what that is: {ways}; or, where nobody needs it, use {allowing(names)}"
            )


def left_behind(
    graph: Graph,
    way: Collection[Revision],
    applied: Iterable[Revision],
    instance: Instance,
    live: Iterable[Table],
) -> Iterator[LeftBehind]:
    """The cells of sides that merges on the ``way`` decide against, which the ``applied`` revisions declare, and that no step on the way reads.

    Those of a template are read where any of its ``live`` tables has a row, unless a later revision declares them.

    Raises :class:`MigrationError` for a step that cannot be loaded, and :class:`btmodel.errors.ServerError`.
    """
    done, ids = tuple(applied), [table.id for table in live]
    for merge in (one for one in way if len(one.parents) > 1 and done):
        left = [one for one in losing_cells(graph, merge) if not _is_read_by(way, graph, one)]
        found: tuple[LosingCells | LosingKey, ...] = (*left, *losing_keys(graph, merge))
        for one in found:
            below = graph.up_to(one.taken.id)
            there = any(one.is_of(revision) for revision in done if revision not in below)
            names = [id for id in ids if any(fits(name, id) for name in (one.table.id, one.there))]
            if there and not all(map(instance.is_empty, names)):
                yield LeftBehind(merge, one)


def _is_read_by(way: Iterable[Revision], graph: Graph, one: LosingCells) -> bool:
    """Whether a step of these revisions, those of the losing side apart, rewrites the cells, wherever and however they are."""
    below = graph.up_to(one.loser.id)
    others = [revision for revision in way if revision not in below]
    if is_template(one.table):
        layouts = [layout for each in others for layout in _layouts_of(each, one.table.id, one.layout)]
    else:
        models = (model for _, model in rewriting(others, graph.folder) if model.table == one.table.id)
        layouts = [layout for layout in map(layout_of, models) if same_rows(layout, one.layout)]
    return any(_reads({cell.cell: cell for cell in layout.cells}, one.cells) for layout in layouts)
