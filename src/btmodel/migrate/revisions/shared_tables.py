"""Models that share a table: what a step that rewrites the rows of one does to what the others read."""

from collections.abc import Callable, Iterable, Iterator

from btmodel.migrate.changes.layouts import key_of, may_share
from btmodel.migrate.data.rewriting import OtherRows
from btmodel.migrate.tables.layouts import codec_in, is_unread, reader_of, readings
from btmodel.rows.key_codec import RowKeyCodec
from btmodel.schema import CellLayout, Layout, ModelSchema, Table
from btmodel.schema.layout import layout_of


def other_rows(tables: Iterable[Table], model: ModelSchema) -> tuple[OtherRows, ...]:
    """The rows of the other models of the table of ``model``, as ``tables`` declare them."""
    return tuple(
        OtherRows(
            layout.model,
            RowKeyCodec(ModelSchema(layout.model, "", "", model.table, key_of(layout), (), ())),
            frozenset(cell.cell for cell in layout.cells if cell.required),
        )
        for layout in _others(tables, model)
    )


def _others(tables: Iterable[Table], model: ModelSchema) -> Iterator[Layout]:
    for table in tables:
        if table.id == model.table:
            yield from (layout for layout in table.layouts if layout.model != model.name)


def unread_elsewhere(
    tables: Iterable[Table], model: ModelSchema, models: Iterable[ModelSchema] = ()
) -> Iterator[str]:
    """What other models of the table could not read any more once the rows of ``model`` are rewritten, and what to do about it.

    Rows belong to several models unless their keys are proved to be different. ``models`` say how attributes are called.
    """
    own, names = layout_of(model), _names(models)
    written = {cell.cell: cell for cell in own.cells}
    for other in _others(tables, model):
        if not may_share(own, other):
            continue
        for column in model.columns:
            new = written[column.cell]
            there = reader_of(other, column.cell)
            for place in column.places[1:]:
                old = reader_of(other, place.cell)
                if old is not None and there is None:
                    yield (
                        f"{model.name}.{column.name} takes the cells of {place.cell} to {column.cell}, and {names(other, old)} of the same rows reads "
                        f"{place.cell} alone and would find nothing: {_way(names(other, old), other, place.cell, column.qualifier)}"
                    )
            writes, *older = readings(new.codec)
            if older and there is not None and is_unread(there, writes):
                yield (
                    f"{model.name}.{column.name} rewrites {column.cell} as {codec_in(writes)}, and {names(other, there)} of the same rows reads "
                    f"{codec_in(there.codec)}: declare the same codec there, {codec_in(new.codec)}, or leave {other.model} out if nothing uses it"
                )


def _names(models: Iterable[ModelSchema]) -> Callable[[Layout, CellLayout], str]:
    """How the attribute is called that reads a cell; the model and the cell where none of ``models`` says it."""
    known = {
        (model.name, place.cell): f"{model.name}.{column.name}"
        for model in models
        for column in model.columns
        for place in column.places
    }
    return lambda layout, cell: known.get((layout.model, cell.cell), f"{layout.model} ({cell.cell})")


def _way(name: str, other: Layout, old: str, new: bytes) -> str:
    qualifier = new.decode(errors="backslashreplace")
    return f'declare {name} as {qualifier!r} with renamed_from="{old.partition(":")[2]}" as well, or leave {other.model} out if nothing uses it'
