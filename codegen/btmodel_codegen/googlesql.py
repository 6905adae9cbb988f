"""Views in Bigtable's GoogleSQL: a SELECT for each model, with typed columns out of the key and the cells."""

from collections.abc import Sequence

from attrs import evolve, frozen

from btmodel.schema import Column, ModelSchema, Shape
from btmodel_codegen.render import render
from btmodel_codegen.sql_reading import Stored
from btmodel_codegen.sql_readings import of_cell
from btmodel_codegen.sql_select import (
    Engine,
    Selected,
    about,
    condition,
    distinct,
    in_tables,
    key_columns,
    read,
    renamed,
    whole_key,
)
from btmodel_codegen.sql_text import bytes_, identifier

FILE = "tables.sql"

_FUNCTIONS = {
    Stored.TEXT: "SAFE_CAST({} AS STRING)",
    Stored.BYTES: "{}",
    Stored.INT64: "SAFE.TO_INT64({})",
    Stored.FLOAT64: "SAFE.TO_FLOAT64({})",
}
_BIGTABLE = Engine(lambda raw, stored: _FUNCTIONS[stored].format(raw), bignumeric=False)


@frozen
class _Query:
    """A SELECT as the template prints it."""

    about: list[str]
    columns: list[Selected]
    source: str
    condition: str | None


def files(models: Sequence[ModelSchema]) -> dict[str, str]:
    """A SELECT for each of ``models``."""
    return {
        FILE: render("tables.sql.jinja", file=FILE, queries=[_query(model) for model in in_tables(models)])
    }


def _query(model: ModelSchema) -> _Query:
    columns = [whole_key("_key"), *key_columns(model, "_key", _BIGTABLE)]
    columns += [_cell(column, model.table) for column in model.columns]
    source = identifier(model.table) + renamed(model.table, model)
    return _Query(about(model), distinct(columns), source, condition(model, "_key"))


def _cell(column: Column, table: str) -> Selected:
    family = identifier(column.family)
    if column.open:
        return Selected(family, column.name, _of_many(column))
    cell = f"{family}[{bytes_(column.qualifier)}]"
    if column.shape is Shape.COUNTER:
        return Selected(cell, column.name, "an aggregate, whose type the table knows")
    reading = of_cell(column.codec)
    if column.versioned:
        newest = f"the newest version; FROM {identifier(table)}(with_history => TRUE) reads all"
        reading = evolve(reading, note="; ".join(filter(None, [newest, reading.note])))
    return read(cell, column.name, reading, _BIGTABLE)


def _of_many(column: Column) -> str:
    """What is in the cells of a column that is many."""
    begin = f"its qualifiers begin with {bytes_(column.qualifier)}" if column.qualifier else "any qualifier"
    return f"a map of the family: {begin}; {column.shape.value}"
