"""Which recorded cells are one attribute of the old model of a step, what it is called there, and in which order it reads them."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

import attrs
from attrs import frozen

from btmodel.errors import MigrationError
from btmodel.migrate.changes.results import same_rows
from btmodel.migrate.tables.layouts import family_of
from btmodel.schema import CellLayout, Column, Layout, ModelSchema, Shape, Table
from btmodel.schema.layout import layout_of

_PLAIN = f"{Shape.VALUE.name.lower()} "


@frozen
class Past:
    """What happened before a move: the ``tables`` of all revisions, in order, and the models of the steps that ``rewrote`` rows in place."""

    tables: Collection[Table] = ()
    rewrote: Sequence[ModelSchema] = ()

    def steps(self, table: str, layout: Layout) -> tuple[ModelSchema, ...]:
        """The models of steps for the rows of ``layout``, the last one first."""
        return tuple(
            model
            for model in reversed(self.rewrote)
            if model.table == table and same_rows(layout_of(model), layout)
        )

    def age(self, table: str, layout: Layout, cell: str) -> int:
        """The number of the first table of these that had ``cell`` in such rows."""
        for number, before in enumerate(self.tables):
            alike = (one for one in before.layouts if before.id == table and same_rows(one, layout))
            if any(cell == one.cell for lie in alike for one in lie.cells):
                return number
        return len(self.tables)


@frozen
class OldColumn:
    """The ``cells`` of one attribute of the old model, the place that counts first in front; its ``name`` is None where nothing says it."""

    name: str | None
    cells: tuple[CellLayout, ...]


def former_places(new: ModelSchema) -> dict[str, Column]:
    """The columns of the new model by the cells that they had before: the same, or other qualifiers and families that they state."""
    former = {family.id: family.renamed_from or family.id for family in new.families}
    moved = (
        (column.name, attrs.evolve(place, family=former[place.family]))
        for column in new.columns
        for place in column.places
    )
    return {place.cell: attrs.evolve(place, name=name) for name, place in moved}


def old_columns(
    where: str, table: str, layout: Layout, cells: Sequence[CellLayout], new: ModelSchema, past: Past
) -> tuple[OldColumn, ...]:
    """The ``cells`` of the recorded rows by their attributes.

    Revisions record the attribute of each cell, and what earlier ones did not record the steps that rewrote rows may say; cells of an attribute that the
    new model does not have, or that nothing names, are those of its column that states their place. Raises :class:`MigrationError` if names and
    places contradict each other, or if nothing says in which order an attribute reads several cells.
    """
    steps = past.steps(table, layout)
    names = _names(where, cells, new, steps)
    found: list[OldColumn] = []
    for cell in cells:
        alike = tuple(one for one in cells if _is_one_column(cell, one, names))
        if alike[0] is cell:
            name = names[cell.cell]
            ordered = alike if len(alike) == 1 else _ordered(where, table, layout, name, alike, new, past)
            found.append(OldColumn(name, ordered))
    return tuple(found)


def _names(
    where: str, cells: Sequence[CellLayout], new: ModelSchema, steps: Sequence[ModelSchema]
) -> dict[str, str | None]:
    of_steps = {
        place.cell: column.name
        for model in reversed(steps)
        for column in model.columns
        for place in column.places
    }
    recorded = {cell.cell: cell.attribute or of_steps.get(cell.cell) for cell in cells}
    known = {*recorded.values(), *(cell.attribute for cell in cells)}
    by_place = {cell: column.name for cell, column in former_places(new).items()}
    _refuse_crossed(where, recorded, by_place)
    found: dict[str, str | None] = {}
    for cell, name in recorded.items():
        place = by_place.get(cell)
        is_renamed = name not in new.attributes and place is not None and place not in known
        found[cell] = place if is_renamed else name
    return found


def _refuse_crossed(where: str, recorded: Mapping[str, str | None], by_place: Mapping[str, str]) -> None:
    """Raise :class:`MigrationError` if cells whose attributes were not recorded look like those of other attributes than the new model reads there."""
    unnamed = {cell: _as_name(cell) for cell, name in recorded.items() if name is None}
    for cell, looks in unnamed.items():
        there = by_place.get(cell)
        others = [other for other, name in unnamed.items() if name == there and by_place.get(other) != there]
        if there is not None and there != looks and others:
            former = others[0].partition(":")[2]
            raise MigrationError(
                f"{where}: {there} is declared with {cell}, and {others[0]} looks like its cells; which attributes they were is not recorded: declare {there} "
                f'with renamed_from="{former}" if its values lie there, or call it otherwise until its rows have moved'
            )


def _as_name(cell: str) -> str:
    family, _, qualifier = cell.partition(":")
    return re.sub("[^0-9a-z]+", "_", (qualifier.removesuffix("...") or family).lower()).strip("_")


def _is_one_column(cell: CellLayout, other: CellLayout, names: Mapping[str, str | None]) -> bool:
    if cell is other:
        return True
    same = names[cell.cell] is not None and names[cell.cell] == names[other.cell]
    plain = cell.codec.startswith(_PLAIN) and cell.codec == other.codec
    return same and plain and family_of(cell.cell) == family_of(other.cell)


def _ordered(
    where: str,
    table: str,
    layout: Layout,
    name: str | None,
    cells: tuple[CellLayout, ...],
    new: ModelSchema,
    past: Past,
) -> tuple[CellLayout, ...]:
    """The cells of one attribute in the order in which it reads them: as the last step that moved them, or the new model, states it, or else the youngest first."""
    ids = {cell.cell: cell for cell in cells}
    stated = [column for model in past.steps(table, layout) for column in model.columns]
    orders = [[place.cell for place in column.places] for column in stated]
    former = former_places(new)
    orders.append([cell for cell, column in former.items() if column.name == name])
    for order in orders:
        if ids.keys() <= {*order}:
            return tuple(ids[cell] for cell in order if cell in ids)
    first = [cell for cell in orders[-1][:1] if cell in ids]
    aged = sorted(((past.age(table, layout, cell), cell) for cell in ids if cell not in first), reverse=True)
    if any(len(list(alike)) > 1 for _, alike in groupby(aged, lambda one: one[0])):
        raise MigrationError(
            f"{where}: {name} was read from {' and '.join(sorted(ids))}, and which of them counts first is not recorded: declare it in the new model "
            "with also=, which names them in their order"
        )
    return tuple(ids[cell] for cell in (*first, *(cell for _, cell in aged)))


def newest_place(column: Column, others: Iterable[CellLayout]) -> Column:
    """``column``, which is read from these ``others`` where its own cell is absent."""
    also = tuple(_qualifier(cell.cell) for cell in others)
    return attrs.evolve(column, also=also)


def _qualifier(cell: str) -> bytes:
    return cell.partition(":")[2].encode()
