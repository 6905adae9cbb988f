"""Bigtable's rows in BigQuery: an external table for each model, and a view that takes its key apart."""

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from btmodel.errors import GenerationError
from btmodel.schema import Column, ModelSchema
from btmodel.sql import comment, identifier, renamed
from btmodel.sql.readings import StoredType, of_cell
from btmodel_codegen.python_text import snake_case
from btmodel_codegen.render import render
from btmodel_codegen.sql_select import (
    Selected,
    SqlEngine,
    about,
    condition,
    distinct,
    in_tables,
    key_columns,
    whole_key,
)

FILE = "tables.bigquery.sql"

_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
# The field in which BigQuery lists the columns of a family that have no field of their own.
_OTHERS = "column"


@frozen
class _ExternalTable:
    """An external table and its view, as the template prints them."""

    about: list[str]
    external: str
    source: str
    view: str
    table: str
    options: str
    columns: list[Selected]
    condition: str | None


def files(models: Sequence[ModelSchema]) -> dict[str, str]:
    """The external tables and the views of ``models``."""
    views = [_view(model) for model in in_tables(models)]
    names = [view.view for view in views] + [view.external for view in views]
    for name, count in Counter(names).items():
        if count > 1:
            raise GenerationError(
                f"{FILE}: two tables or views would be called {name}; rename one of the models"
            )
    return {FILE: render("tables.bigquery.sql.jinja", file=FILE, views=views)}


def _view(model: ModelSchema) -> _ExternalTable:
    name = snake_case(model.name)
    fields = field_names(model)
    columns = [whole_key("rowkey"), *key_columns(model, "rowkey", _BIGQUERY)]
    columns += [_cell(column, fields) for column in model.columns]
    return _ExternalTable(
        [*about(model, _BIGQUERY), *_doubts(model)],
        _path(f"{name}_cells"),
        _path(f"{name}_cells") + renamed(f"{name}_cells", model),
        _path(name),
        model.table,
        _options(model, fields),
        distinct(columns),
        condition(model, "rowkey"),
    )


def _path(name: str) -> str:
    """A name in the dataset that the user of the script fills in."""
    quoted = identifier(name)
    return f"`${{DATASET}}.{quoted[1:]}"


def _doubts(model: ModelSchema) -> Iterator[str]:
    for family in sorted({column.family for column in model.columns}):
        if not _NAME.fullmatch(family):
            yield comment(f"BigQuery has no other name for a family, and may refuse this one: {family}")


def _converted(raw: str, stored: StoredType) -> str:
    """Of bytes of a key, text or bytes; those of cells are converted by the external table."""
    return f"SAFE_CAST({raw} AS STRING)" if stored is StoredType.TEXT else raw


_BIGQUERY = SqlEngine(_converted, bignumeric=True, key_schemas=False)


# The fields of an external table, by the attribute and the qualifier that each is of.
_Fields = Mapping[tuple[str, bytes], str]


def field_names(model: ModelSchema) -> dict[tuple[str, bytes], str]:
    """The field of each column that is one: its name where BigQuery takes it, else a number."""
    names: dict[tuple[str, bytes], str] = {}
    taken = {_OTHERS}
    for number, column in enumerate(model.columns):
        plain = _NAME.fullmatch(column.name) and column.name.lower() not in taken
        name = column.name if plain else f"{_OTHERS}_{number}"
        if not column.open:
            names[column.name, column.qualifier] = name
            names |= {(column.name, one): f"{_OTHERS}_{number}_{at}" for at, one in enumerate(column.also, 1)}
            taken.add(name.lower())
    return names


def _options(model: ModelSchema, fields: _Fields) -> str:
    """The options of the external table, as JSON that can stand in a raw literal of three single quotes."""
    families = sorted({column.family for column in model.columns})
    options = {
        "readRowkeyAsString": False,
        "ignoreUnspecifiedColumnFamilies": True,
        "columnFamilies": [_family(model, family, fields) for family in families],
    }
    text = json.dumps(options, indent=2, ensure_ascii=True)
    # Neither the end of the literal nor a ${PROJECT} comes from a name.
    return text.replace("'", r"\u0027").replace("$", r"\u0024")


def _family(model: ModelSchema, family: str, fields: _Fields) -> dict[str, Any]:
    columns = [column for column in model.columns if column.family == family]
    return {
        "familyId": family,
        "type": StoredType.BYTES.value,
        "encoding": "BINARY",
        "onlyReadLatest": not any(column.versioned for column in columns if column.open),
        "columns": [
            _column(place, fields[place.name, place.qualifier])
            for column in columns
            if not column.open
            for place in column.places
        ],
    }


def _column(column: Column, field: str) -> dict[str, Any]:
    stored = of_cell(column.codec, bignumeric=True).stored
    return {
        **_qualifier(column.qualifier),
        "fieldName": field,
        "type": stored.value,
        "encoding": "TEXT" if stored is StoredType.TEXT else "BINARY",
        "onlyReadLatest": not column.versioned,
    }


def _qualifier(qualifier: bytes) -> dict[str, str]:
    try:
        return {"qualifierString": qualifier.decode()}
    except UnicodeDecodeError:
        return {"qualifierEncoded": b64encode(qualifier).decode()}


def _cell(column: Column, fields: _Fields) -> Selected:
    family = identifier(column.family)
    if column.open:
        begin = f"those whose names begin with {column.qualifier!r}: " if column.qualifier else ""
        return Selected(
            f"{family}.{identifier(_OTHERS)}",
            column.name,
            f"cells of the family that have no field: {begin}{column.shape.lies}",
        )
    there = [f"{family}.{identifier(fields[place.name, place.qualifier])}.cell" for place in column.places]
    reading = of_cell(column.codec, bignumeric=True)
    if column.versioned:
        return Selected(there[0], column.name, f"every version; {reading.note}".rstrip("; "))
    values = [f"{one}.value" for one in there]
    return Selected(
        reading.of(f"COALESCE({', '.join(values)})" if column.also else values[0]), column.name, reading.note
    )
