"""Methods for the queries in SQL that models declare: what they take and give is what Google's front end says of them."""

import atexit
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from attrs import frozen

from btmodel.errors import GenerationError
from btmodel.googlesql.analysis import INSTALL, Analyzer, Node, QueryError, SqlType, installed, output_columns
from btmodel.schema import SQL_TYPES, ModelSchema, SqlParameter, SqlQuery
from btmodel.words import attributes_of
from btmodel_codegen.naming import Names, spelt
from btmodel_codegen.python_text import docstring
from btmodel_codegen.signatures import Parameter

_PYTHON = {sql: python for python, sql in SQL_TYPES.items()} | {"FLOAT32": float}
_COUNTS = ("$count_star", "count", "countif")


@frozen
class ResultColumn:
    """A column of a result: the attribute of a row, and its type in Python."""

    name: str
    type: Any


@frozen
class SqlMethod:
    """The method of a query, and the class of its rows."""

    name: str
    doc: str
    row: str
    row_doc: str
    parameters: tuple[Parameter, ...]
    fields: tuple[Parameter, ...]


@cache
def _analyzer() -> Analyzer:
    found = Analyzer()
    atexit.register(found.close)
    return found


def check_queries(models: Sequence[ModelSchema]) -> Iterator[GenerationError]:
    """What is wrong with the queries in SQL of some models; nothing where no front end is installed."""
    if installed():
        for model in models:
            for query in model.sql_queries:
                try:
                    columns(model, query, models)
                except GenerationError as error:
                    yield error


def columns(model: ModelSchema, query: SqlQuery, models: Sequence[ModelSchema]) -> tuple[ResultColumn, ...]:
    """The columns of a query over the tables of ``models``. Raises :class:`GenerationError`."""
    where = f"{query.location}: {model.name}.{query.name}"
    if not installed():
        raise GenerationError(f"{where}: {INSTALL}")
    tables: dict[str, list[str]] = {}
    for schema in (model, *models):
        if not schema.view:
            known = tables.setdefault(schema.table, [])
            known += [family.id for family in schema.families if family.id not in known]
    try:
        tree = _analyzer().analyse(
            query.text, tables, {parameter.name: _sql_type(parameter) for parameter in query.parameters}
        )
    except QueryError as error:
        raise GenerationError(f"{where}: {error.text}") from None
    unused = [
        parameter.name for parameter in query.parameters if parameter.name.lower() not in set(_asked(tree))
    ]
    if unused:
        raise GenerationError(f"{where}: the query has no parameter @{unused[0]}")
    present = _never_null(tree)
    names = attributes_of(name for name, _, _ in output_columns(tree))
    kinds = [
        _python(kind) if number in present else _python(kind) | None
        for _, kind, number in output_columns(tree)
    ]
    return tuple(ResultColumn(name, kind) for name, kind in zip(names, kinds, strict=True))


def _sql_type(parameter: SqlParameter) -> SqlType:
    if parameter.attribute is not None:
        return "BYTES"
    element = getattr(parameter.type, "__args__", None)
    return ["ARRAY", SQL_TYPES[element[0]]] if element else SQL_TYPES[parameter.type]


def _python(kind: SqlType) -> Any:
    match kind:
        case ["ARRAY", element]:
            return list[_python(element) | None]  # type: ignore[misc]
        case ["MAP", key, value]:
            return dict[_python(key), _python(value)]  # type: ignore[misc]
        case ["STRUCT", fields]:
            return tuple[tuple(_python(inner) | None for _, inner in fields)]  # type: ignore[misc]
    return _PYTHON[kind]


def _asked(node: Any) -> Iterator[str]:
    """The names of the parameters that a tree reads."""
    if isinstance(node, dict):
        if node.get("node") == "Parameter":
            yield node["name"].lower()
        for inner in node.values():
            yield from _asked(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _asked(inner)


def _never_null(node: Any) -> set[int]:
    """The numbers of the columns that are never NULL: keys, families, counts, literals, and what is one of these."""
    found: set[int] = set()
    if isinstance(node, list):
        return found.union(*map(_never_null, node)) if node else found
    if not isinstance(node, dict):
        return found
    scanned = node.get("input_scan", node.get("query"))
    found |= _never_null(scanned)
    if node.get("node") in ("TableScan", "TVFScan"):
        found |= {column["column_id"] for column in node.get("column_list", ())}
    for computed in (
        *node.get("expr_list", ()),
        *node.get("group_by_list", ()),
        *node.get("aggregate_list", ()),
    ):
        if _is_there(computed["expr"], found):
            found.add(computed["column"]["column_id"])
    return found


def _is_there(expression: Node, known: set[int]) -> bool:
    match expression["node"]:
        case "ColumnRef":
            return expression["column"]["column_id"] in known
        case "Literal":
            return expression["value"]["value"] is not None
        case "MakeStruct":
            return True
        case "AggregateFunctionCall":
            return expression["function"] in _COUNTS
    return False


def sql_methods(model: ModelSchema, names: Names, models: Sequence[ModelSchema]) -> tuple[SqlMethod, ...]:
    """The methods of a repository for the queries in SQL."""
    return tuple(_method(model, query, names, columns(model, query, models)) for query in model.sql_queries)


def _method(model: ModelSchema, query: SqlQuery, names: Names, found: tuple[ResultColumn, ...]) -> SqlMethod:
    row = row_name(model, query)
    doc = f"The rows of a query in SQL, which is sent when they are read.\n\n{query.text}"
    return SqlMethod(
        query.name,
        docstring(doc, 8),
        row,
        docstring(f"A row of ``{query.name}``.", 4),
        tuple(
            Parameter(parameter.name, _spelt(model, parameter, names), parameter.name)
            for parameter in query.parameters
        ),
        tuple(Parameter(column.name, names.type(column.type), column.name) for column in found),
    )


def _spelt(model: ModelSchema, parameter: SqlParameter, names: Names) -> str:
    return names.type(parameter_type(model, parameter)) + (" | None" if parameter.optional else "")


def parameter_type(model: ModelSchema, parameter: SqlParameter) -> Any:
    """What a parameter takes in Python."""
    if parameter.attribute is None:
        return parameter.type
    return spelt(model.stored(parameter.attribute).codec.python_type)


def row_name(model: ModelSchema, query: SqlQuery) -> str:
    """The class of the rows of a query: SaleTurnover."""
    return model.name + "".join(part[:1].upper() + part[1:] for part in query.name.split("_"))


def sql_types(model: ModelSchema, models: Sequence[ModelSchema]) -> set[Any]:
    """The types in the signatures and rows of the queries."""
    found = {
        parameter_type(model, parameter) for query in model.sql_queries for parameter in query.parameters
    }
    return found | {column.type for query in model.sql_queries for column in columns(model, query, models)}
