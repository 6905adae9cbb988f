"""Views in Bigtable's GoogleSQL: a SELECT for each model, with typed columns out of the key and the cells."""

from collections.abc import Sequence

from attrs import evolve, frozen

from btmodel.schema import Column, ModelSchema
from btmodel.sql import bytes_, identifier, renamed
from btmodel.sql.readings import CONVERTED, of_cell
from btmodel_codegen.render import render
from btmodel_codegen.sql_select import (
    Selected,
    SqlEngine,
    about,
    condition,
    distinct,
    in_tables,
    key_columns,
    read,
    whole_key,
)

FILE = "tables.sql"

_BIGTABLE = SqlEngine(lambda raw, stored: CONVERTED[stored].format(raw), bignumeric=False, key_schemas=True)


@frozen
class _Select:
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


def _query(model: ModelSchema) -> _Select:
    columns = [whole_key("_key"), *key_columns(model, "_key", _BIGTABLE)]
    columns += [_cell(column, model) for column in model.columns]
    source = identifier(model.table) + renamed(model.table, model)
    return _Select(about(model, _BIGTABLE), distinct(columns), source, condition(model, "_key"))


def _cell(column: Column, model: ModelSchema) -> Selected:
    family = identifier(column.family)
    if column.open:
        return _of_many(column, model)
    cells = [f"{family}[{bytes_(place.qualifier)}]" for place in column.places]
    cell = f"COALESCE({', '.join(cells)})" if column.also else cells[0]
    versions = f"the newest version; FROM {identifier(model.table)}(with_history => TRUE) reads all"
    newest = [versions] if column.versioned else []
    if column.shape.summed:
        return Selected(cell, column.name, "; ".join([*newest, "an aggregate, whose type the table knows"]))
    reading = of_cell(column.codec)
    note = "; ".join(filter(None, [*newest, reading.note]))
    return read(cell, column.name, evolve(reading, note=note), _BIGTABLE)


def _of_many(column: Column, model: ModelSchema) -> Selected:
    """The cells of a column that is many: the family, or the entries of it that are the column's."""
    family, prefix = identifier(column.family), bytes_(column.qualifier)
    lies = column.shape.lies
    if column.versioned:
        lies += f"; the newest of each; FROM {identifier(model.table)}(with_history => TRUE) reads all"
    begin = f"whose qualifiers begin with {prefix}" if column.qualifier else "of any qualifier"
    others = [
        qualifier for qualifier in _qualifiers(model, column.family) if qualifier.startswith(column.qualifier)
    ]
    chosen = [f"STARTS_WITH(entry.key, {prefix})"] if column.qualifier else []
    if others:
        chosen.append(f"entry.key NOT IN ({', '.join(map(bytes_, others))})")
    if not chosen:
        return Selected(family, column.name, f"a map of the family, {begin}; {lies}")
    entries = f"ARRAY_FILTER(MAP_ENTRIES({family}), entry -> {' AND '.join(chosen)})"
    but = ", but for those of other columns" if others else ""
    return Selected(entries, column.name, f"entries of the family, {begin}{but}, as key and value; {lies}")


def _qualifiers(model: ModelSchema, family: str) -> list[bytes]:
    """The qualifiers of single cells of a family."""
    return sorted(qualifier for id, qualifier in model.single_cells if id == family)
