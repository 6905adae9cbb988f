"""The process that analyses queries: requests come by standard input, answers leave by standard output, each a line of JSON.

ZetaSQL is WebAssembly, so a query is data in a sandbox. It has an own process as it takes 250 MB, seconds to start, and cannot be
interrupted: the caller ends the process if an answer takes too long.
"""

from __future__ import annotations

import base64
import json
import os
import resource
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import wasmtime
import zetasql.core.wasm_client
from zetasql import types
from zetasql.core.exceptions import ServerError
from zetasql.core.local_service import ZetaSqlLocalService
from zetasql.wasi._pb2.zetasql.local_service import local_service_pb2
from zetasql.wasi._pb2.zetasql.proto import simple_catalog_pb2
from zetasql.wasi._pb2.zetasql.public import function_pb2, type_pb2
from zetasql.wasi._pb2.zetasql.public.functions import datetime_pb2

from btmodel.googlesql.analysis import INVALID, OPTIONS

_MEMORY = 1 << 31  # bytes; compiling the engine takes half of it
_FIXED = types.SignatureArgumentKind.ARG_TYPE_FIXED
_RELATION = types.SignatureArgumentKind.ARG_TYPE_RELATION
_ENUMS = function_pb2.FunctionEnums
_NAMES = {
    number: {"DOUBLE": "FLOAT64", "FLOAT": "FLOAT32"}.get(name[5:], name[5:])
    for name, number in type_pb2.TypeKind.items()
}
_NUMBERS = {name: number for number, name in _NAMES.items()}
_TYPES = {"INT64", "FLOAT64", "FLOAT32", "BOOL", "STRING", "BYTES", "DATE", "TIMESTAMP"}
# What Bigtable has and ZetaSQL has not, or under another name: arguments and result. `*` stands for the two types of families.
_HISTORY = ["MAP", "BYTES", ["ARRAY", ["STRUCT", [["timestamp", "TIMESTAMP"], ["value", "BYTES"]]]]]
_NEWEST = ["MAP", "BYTES", "BYTES"]
_OWN: dict[str, list[tuple[list[Any], Any]]] = {
    "TO_INT64": [(["BYTES"], "INT64")],
    "TO_FLOAT32": [(["BYTES"], "FLOAT32")],
    "TO_FLOAT64": [(["BYTES"], "FLOAT64")],
    "TO_VECTOR32": [(["BYTES"], ["ARRAY", "FLOAT32"])],
    "TO_VECTOR64": [(["BYTES"], ["ARRAY", "FLOAT64"])],
    "MAP_KEYS": [([family], ["ARRAY", "BYTES"]) for family in (_NEWEST, _HISTORY)],
    "MAP_VALUES": [([_NEWEST], ["ARRAY", "BYTES"])],
    "MAP_ENTRIES": [
        ([family], ["ARRAY", ["STRUCT", [["key", "BYTES"], ["value", family[2]]]]])
        for family in (_NEWEST, _HISTORY)
    ],
}


class _Config(wasmtime.Config):
    """As of wasmtime, and what it compiled is kept for the next run, where the user has a folder for it: it takes 20 seconds."""

    def __init__(self) -> None:
        super().__init__()
        with suppress(wasmtime.WasmtimeError):
            self.cache = True


class Engine:
    """The running engine."""

    def __init__(self) -> None:
        zetasql.core.wasm_client.Config = _Config
        # The one that ZetaSQL's own classes below ask, too: a second one would take as long to load, and as much memory.
        self._client = ZetaSqlLocalService.get_instance().wasm_client
        language = types.LanguageOptions.maximum_features()
        language.product_mode = types.ProductMode.PRODUCT_EXTERNAL
        language.enabled_language_features = [
            *language.enabled_language_features,
            types.LanguageFeature.FEATURE_MAP_TYPE,
        ]
        language.supported_statement_kinds = [types.ResolvedNodeKind.RESOLVED_QUERY_STMT]
        options = types.AnalyzerOptions(
            language_options=language, default_timezone="UTC", prune_unused_columns=True
        )
        self._options: Any = options.to_proto()
        builtin: Any = types.ZetaSQLBuiltinFunctionOptions(language_options=language)
        self._catalog = simple_catalog_pb2.SimpleCatalogProto(name="instance")
        builtin = builtin.to_proto()
        self._catalog.builtin_function_options.CopyFrom(builtin)
        for name, signatures in _OWN.items():
            function = self._catalog.custom_function.add(name_path=[name], group="Bigtable", mode=1)
            for takes, gives in signatures:
                _sign(function.signature.add(), takes, gives)

    def analyse(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The resolved tree of a query over tables, or its error."""
        message = local_service_pb2.AnalyzeRequest(options=self._options, sql_statement=request["sql"])
        for name, kind in request["parameters"].items():
            parameter = message.options.query_parameters.add(name=name)
            parameter.type.CopyFrom(_type(kind))
        message.simple_catalog.CopyFrom(self._catalog)
        for name, families in request["tables"].items():
            _add_table(message.simple_catalog, name, families, history=request["history"])
        try:
            answer = self._client.call_grpc_func(
                "ZetaSqlLocalService_Analyze", message, local_service_pb2.AnalyzeResponse
            )
        except ServerError as error:
            return {"error": error.message, "code": int(error.code)}
        return {"tree": plain(answer.resolved_statement)}


def _add_table(catalog: Any, name: str, families: list[str], *, history: bool) -> None:
    """A table, and the function of its name that takes options: what its columns are depends on one of them."""
    columns: list[tuple[str, Any]] = [
        ("_key", "BYTES"),
        *((family, _HISTORY if history else _NEWEST) for family in families),
    ]
    table = catalog.table.add(name=name)
    function = catalog.custom_tvf.add(name_path=[name], type=_ENUMS.FIXED_OUTPUT_SCHEMA_TVF)
    signature = function.signatures.add()
    for option, kind in OPTIONS.items():
        argument = signature.argument.add(kind=_FIXED, type=_type(kind), num_occurrences=-1)
        argument.options.cardinality = _ENUMS.OPTIONAL
        argument.options.argument_name = option
        argument.options.argument_name_is_mandatory = True
        argument.options.named_argument_kind = _ENUMS.NAMED_ONLY
    signature.return_type.kind, signature.return_type.num_occurrences = _RELATION, 1
    schema = signature.return_type.options.relation_input_schema
    for column, kind in columns:
        table.column.add(name=column, type=_type(kind if column == "_key" else _NEWEST))
        schema.column.add(name=column, type=_type(kind))


def _sign(signature: Any, takes: list[Any], gives: Any) -> None:
    for kind in takes:
        signature.argument.add(kind=_FIXED, type=_type(kind), num_occurrences=1)
    signature.return_type.kind, signature.return_type.num_occurrences = _FIXED, 1
    signature.return_type.type.CopyFrom(_type(gives))


def _type(kind: Any) -> Any:
    """A type as the engine has it."""
    name, parts = (kind, []) if isinstance(kind, str) else (kind[0], kind[1:])
    found: Any = type_pb2.TypeProto()
    found.type_kind = _NUMBERS[name]
    match name:
        case "ARRAY":
            found.array_type.element_type.CopyFrom(_type(parts[0]))
        case "MAP":
            found.map_type.key_type.CopyFrom(_type(parts[0]))
            found.map_type.value_type.CopyFrom(_type(parts[1]))
        case "STRUCT":
            for field, inner in parts[0]:
                found.struct_type.field.add(field_name=field, field_type=_type(inner))
    return found


class _Unsupported(Exception):
    """A query has what Bigtable has not."""


def _kind(message: Any) -> Any:
    """A type as a name, or as a list of its name and its parts."""
    name = _NAMES.get(message.type_kind, "UNKNOWN")
    match name:
        case "ARRAY":
            return [name, _kind(message.array_type.element_type)]
        case "MAP":
            return [name, _kind(message.map_type.key_type), _kind(message.map_type.value_type)]
        case "STRUCT":
            return [name, [[one.field_name, _kind(one.field_type)] for one in message.struct_type.field]]
        case "ENUM" if message.enum_type.enum_name == "zetasql.functions.DateTimestampPart":
            return name
        case _ if name in _TYPES:
            return name
    raise _Unsupported(f"type {name}")


def _value(message: Any, kind: Any) -> Any:
    """A literal for JSON: bytes as base 64, times as microseconds, days as their number since 1970."""
    name = kind if isinstance(kind, str) else kind[0]
    match message.WhichOneof("value"):
        case None:
            return None
        case "bytes_value":
            return base64.b64encode(message.bytes_value).decode()
        case "enum_value":
            return datetime_pb2.DateTimestampPart.Name(message.enum_value)
        case "timestamp_value":
            return message.timestamp_value.ToMicroseconds()
        case "array_value":
            return [_value(one, kind[1]) for one in message.array_value.element]
        case "struct_value":
            fields = zip(message.struct_value.field, kind[1], strict=True)
            return [_value(one, inner) for one, (_, inner) in fields]
        case field if name in _TYPES:
            return getattr(message, str(field))
    raise _Unsupported(f"a literal of type {name}")


_LEFT_OUT = {
    "type_annotation_map",
    "function_call_info",
    "node_source",
    "hint_list",
    "annotation_map",
    "table_column_list",
}


def plain(message: Any) -> Any:
    """A node of the tree as a dictionary: wrappers and the messages that classes inherit from are not nested in it."""
    while "node" in message.DESCRIPTOR.oneofs_by_name:
        message = getattr(message, str(message.WhichOneof("node")))
    name = message.DESCRIPTOR.name
    match name:
        case "TypeProto":
            return _kind(message)
        case "ValueWithTypeProto":
            kind = _kind(message.type)
            return {"type": kind, "value": _value(message.value, kind)}
        case "FunctionRefProto" | "TableRefProto" | "TableValuedFunctionRefProto":
            return message.name.removeprefix("ZetaSQL:")
        case "FunctionSignatureProto" | "TVFSignatureProto":
            return None
    found: dict[str, Any] = {"node": name.removeprefix("Resolved").removesuffix("Proto")}
    for field, value in message.ListFields():
        if field.name == "parent":
            found = {**plain(value), **found}
        elif field.name not in _LEFT_OUT:
            found[field.name] = _field(field, value)
    return found


def _field(field: Any, value: Any) -> Any:
    if field.message_type is None:
        return list(value) if field.is_repeated else value
    return [plain(one) for one in value] if field.is_repeated else plain(value)


def main() -> None:
    """Answer requests until the end of the input; what the engine itself prints goes to standard error."""
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    engine = Engine()
    for line in sys.stdin:
        try:
            answer = json.dumps(engine.analyse(json.loads(line)))
        except _Unsupported as error:
            answer = json.dumps({"error": f"Bigtable's SQL has no {error}", "code": INVALID})
        except RecursionError:
            answer = json.dumps({"error": "The query is nested too deeply", "code": INVALID})
        answers.write(answer + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
