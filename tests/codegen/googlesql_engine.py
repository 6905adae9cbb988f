"""Google's own implementation of GoogleSQL, ZetaSQL, which parses, types and runs what is generated.

Of Bigtable it lacks the functions ``TO_INT64``, ``TO_FLOAT64`` and ``MAP_ENTRIES``, which stand here in SQL. Tables are
put in front of a query with WITH, so that the generated text itself runs, unchanged.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, timedelta
from decimal import Context, Decimal
from functools import cache
from pathlib import Path
from typing import Any

import wasmtime
import zetasql.core.wasm_client
from zetasql import types
from zetasql.api import CatalogBuilder
from zetasql.core import ZetaSqlLocalService
from zetasql.core.exceptions import ServerError
from zetasql.wasi._pb2.zetasql.local_service import local_service_pb2

# Newest cells by family and qualifier.
Families = Mapping[str, Mapping[bytes, bytes]]
# Types of values by family and field.
Fields = Mapping[str, Mapping[str, str]]
QueryError = ServerError

_CODES = "TO_CODE_POINTS(IF(BYTE_LENGTH(x) = 8, x, ERROR('expected 8 bytes')))"
_BITS = " | ".join(f"{_CODES}[OFFSET({at})] << {56 - 8 * at}" for at in range(8))
_FLOAT = f"""(
SELECT CASE
  WHEN exponent = 2047 AND mantissa = 0 THEN sign * CAST('inf' AS FLOAT64)
  WHEN exponent = 2047 THEN CAST('nan' AS FLOAT64)
  WHEN exponent = 0 THEN sign * mantissa * POW(2, -1074)
  ELSE sign * (1 + mantissa / POW(2, 52)) * POW(2, exponent - 1023)
END
FROM (
  SELECT IF(bits < 0, -1.0, 1.0) AS sign, (bits >> 52) & 2047 AS exponent, bits & 4503599627370495 AS mantissa
  FROM (SELECT {_BITS} AS bits)
))"""


class _Config(wasmtime.Config):
    """As of wasmtime, and what it compiled is kept for the next run: it takes 20 seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.cache = True


@cache
def _client() -> Any:
    """The running engine. One test process compiles it, on all cores, while others wait for what it keeps."""
    zetasql.core.wasm_client.Config = _Config
    with open(Path(tempfile.gettempdir()) / f"btmodel-googlesql-{os.getuid()}.lock", "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return ZetaSqlLocalService.get_instance().wasm_client


@cache
def _request() -> Any:
    """A request without its query. It is sent as a message: the package's own classes lose times."""
    _client()  # before anything asks for one that keeps nothing
    language = types.LanguageOptions.maximum_features()
    language.enabled_language_features = [
        *language.enabled_language_features,
        types.LanguageFeature.FEATURE_MAP_TYPE,
    ]
    options = types.AnalyzerOptions(language_options=language, default_timezone="UTC")
    options.enabled_rewrites = [
        *options.enabled_rewrites,
        types.ResolvedASTRewrite.REWRITE_INLINE_SQL_FUNCTIONS,
    ]
    builtin = types.ZetaSQLBuiltinFunctionOptions(language_options=language)
    catalog = CatalogBuilder("tables").with_builtin_functions(builtin).build()
    catalog.custom_function = [
        _function("TO_INT64", _BYTES, _type(types.TypeKind.TYPE_INT64), _BITS),
        _function("TO_FLOAT64", _BYTES, _type(types.TypeKind.TYPE_DOUBLE), _FLOAT),
        _function("MAP_ENTRIES", _ANYTHING, _ANYTHING, "MAP_ENTRIES_SORTED(x)"),
    ]
    # The engine builds a catalog of all functions once, instead of for each query, which took half of its time.
    registered = _client().call_grpc_func(
        "ZetaSqlLocalService_RegisterCatalog",
        local_service_pb2.RegisterCatalogRequest(simple_catalog=catalog.to_proto()),
        local_service_pb2.RegisterResponse,
    )
    return local_service_pb2.EvaluateQueryRequest(
        options=options.to_proto(), registered_catalog_id=registered.registered_id
    )


def _function(
    name: str, takes: types.FunctionArgumentType, returns: types.FunctionArgumentType, body: str
) -> types.Function:
    """A function of ``x``."""
    signature = types.FunctionSignature(argument=[takes], return_type=returns, context_id=0)
    return types.Function(
        name_path=[name],
        group="Templated_SQL_Function",
        mode=types.FunctionEnums.Mode.SCALAR,
        signature=[signature],
        templated_sql_function_argument_name=["x"],
        parse_resume_location=types.ParseResumeLocation(input=body, byte_position=0),
    )


def _type(kind: types.TypeKind) -> types.FunctionArgumentType:
    return types.FunctionArgumentType(
        kind=types.SignatureArgumentKind.ARG_TYPE_FIXED,
        type=types.Type(type_kind=kind),
        num_occurrences=1,
        options=types.FunctionArgumentTypeOptions(),
    )


_BYTES = _type(types.TypeKind.TYPE_BYTES)
_ANYTHING = types.FunctionArgumentType(
    kind=types.SignatureArgumentKind.ARG_TYPE_ARBITRARY,
    num_occurrences=1,
    options=types.FunctionArgumentTypeOptions(),
)


def run(query: str) -> list[dict[str, Any]]:
    """The rows of a query, by the names of their columns. Raises :class:`QueryError`."""
    request = local_service_pb2.EvaluateQueryRequest()
    request.CopyFrom(_request())
    request.sql = query
    answer = _client().call_grpc_func(
        "ZetaSqlLocalService_EvaluateQuery", request, local_service_pb2.EvaluateQueryResponse
    )
    names = [column.name for column in answer.prepared.columns]
    rows = answer.content.table_data.row
    return [dict(zip(names, map(_value, row.cell), strict=True)) for row in rows]


def _value(cell: Any) -> Any:
    """The Python value of one of SQL; of a map, a dict; of a structure, a list."""
    match cell.WhichOneof("value"):
        case None:
            return None
        case "date_value":
            return date(1970, 1, 1) + timedelta(days=cell.date_value)
        case "bignumeric_value":
            # Little-endian, in two's complement, with 38 digits behind the point.
            number = int.from_bytes(cell.bignumeric_value, "little", signed=True)
            return Decimal(number).scaleb(-38, Context(prec=80))
        case "timestamp_value":
            return cell.timestamp_value.ToDatetime(UTC)
        case "map_value":
            return {_value(entry.key): _value(entry.value) for entry in cell.map_value.entry}
        case "array_value":
            return [_value(one) for one in cell.array_value.element]
        case "struct_value":
            return [_value(one) for one in cell.struct_value.field]
        case kind:
            return getattr(cell, kind)


def in_bigtable(
    table: str,
    rows: Mapping[bytes, Families],
    families: Iterable[str],
    query: str,
    schema: Mapping[str, tuple[str, str]] | None = None,
) -> str:
    """``query`` over a table as Bigtable's SQL has it: the key, and a map of newest values for each family.

    ``schema`` are the type and the value in all rows of the fields of its row key schema.
    """
    names, known = sorted(families), schema or {}
    columns = ["_key BYTES", *(f"`{name}` {type}" for name, (type, _) in known.items())]
    columns += [f"`{family}` MAP<BYTES, BYTES>" for family in names]
    values = [value for _, value in known.values()]
    lines = [
        [literal(key), *values, *(_map(cells.get(family, {})) for family in names)]
        for key, cells in rows.items()
    ]
    return _over(table, columns, lines, query)


def _map(cells: Mapping[bytes, bytes]) -> str:
    pairs = ", ".join(f"({literal(name)}, {literal(value)})" for name, value in cells.items())
    return f"MAP_FROM_ARRAY(ARRAY<STRUCT<BYTES, BYTES>>[{pairs}])"


def in_bigquery(
    table: str, rows: Mapping[bytes, Mapping[str, Mapping[str, Any]]], types: Fields, query: str
) -> str:
    """``query`` over an external table of BigQuery: the key, and a structure of newest values for each family."""
    columns = ["rowkey BYTES"]
    for family, fields in types.items():
        cells = [f"`{name}` STRUCT<cell STRUCT<value {kind}>>" for name, kind in fields.items()]
        columns.append(f"`{family}` STRUCT<{', '.join(cells)}>")
    lines = []
    for key, cells_of in rows.items():
        structures = [
            ", ".join(f"STRUCT(STRUCT({literal(cells_of.get(family, {}).get(name))}))" for name in fields)
            for family, fields in types.items()
        ]
        lines.append([literal(key), *(f"STRUCT({one})" for one in structures)])
    return _over(table, columns, lines, query)


def _over(table: str, columns: Sequence[str], rows: Sequence[Sequence[str]], query: str) -> str:
    listed = ",\n".join(f"STRUCT({', '.join(row)})" for row in rows)
    source = f"UNNEST(ARRAY<STRUCT<{', '.join(columns)}>>[{listed}])"
    return f"WITH `{table}` AS (SELECT * FROM {source})\n{query}"


def literal(value: object) -> str:
    """A value that BigQuery makes of a cell, in SQL."""
    match value:
        case None:
            return "NULL"
        case bytes():
            escaped = "".join(f"\\x{byte:02x}" for byte in value)
            return f"b'{escaped}'"
        case str():
            return f"CAST({literal(value.encode())} AS STRING)"
        case float():
            return f"CAST('{value!r}' AS FLOAT64)"
        case _:
            return str(value)
