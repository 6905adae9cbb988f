"""Messages of SQL: parameters as they are sent, and results as rows of Python values."""

import re
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from types import NoneType, UnionType
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import google_crc32c  # which google-cloud-bigtable brings
from attrs import NOTHING, define, field, fields, frozen, has
from google.cloud.bigtable_v2.types import (
    ExecuteQueryRequest,
    ExecuteQueryResponse,
    PrepareQueryRequest,
    PrepareQueryResponse,
    ProtoRows,
    Type,
    Value,
)

from btmodel.client.call import Calls
from btmodel.client.failures import InvalidAnswer
from btmodel.errors import QueryRefused, ValueRefused, shown
from btmodel.rows import Cell
from btmodel.rows.filters import Filter
from btmodel.rows.gc_filter import of_family, passing_cells, versioned_families
from btmodel.schema import ModelSchema
from btmodel.schema.gc import oldest
from btmodel.words import attributes_of, meant

R = TypeVar("R")
#: The type of a parameter: that of its values, or a list of one of them.
ParameterType: TypeAlias = Any

_Prepared, _Answer, _Rows = PrepareQueryResponse.pb(), ExecuteQueryResponse.pb(), ProtoRows.pb()
_Type, _Value = Type.pb(), Value.pb()
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = (
    (end.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1) for end in (datetime.min, datetime.max)
)


class _SqlType(NamedTuple):
    """A type of SQL: its name, the fields of Type and Value, and the type of Python's values."""

    sql: str
    field: str
    value: str
    python: type


_KINDS = [
    _SqlType("BOOL", "bool_type", "bool_value", bool),
    _SqlType("INT64", "int64_type", "int_value", int),
    _SqlType("FLOAT64", "float64_type", "float_value", float),
    _SqlType("FLOAT32", "float32_type", "float_value", float),
    _SqlType("STRING", "string_type", "string_value", str),
    _SqlType("BYTES", "bytes_type", "bytes_value", bytes),
    _SqlType("TIMESTAMP", "timestamp_type", "timestamp_value", datetime),
    _SqlType("DATE", "date_type", "date_value", date),
    _SqlType("ENUM", "enum_type", "int_value", int),
    _SqlType("PROTO", "proto_type", "bytes_value", bytes),
]
_BY_FIELD = {kind.field: kind for kind in _KINDS}
_BY_TYPE = {kind.python: kind for kind in reversed(_KINDS[:8])}
_KNOWN = "bytes, str, int, float, bool, an aware datetime, date, or a list of one of them"


@frozen
class Parameters:
    """The parameters of a query as they are sent."""

    types: Mapping[str, Any]
    values: Mapping[str, Any]

    @classmethod
    def of(cls, query: str, values: Mapping[str, Any], types: Mapping[str, ParameterType]) -> "Parameters":
        """The parameters of a ``query`` by name. ``types`` are needed for None and empty lists. Raises :class:`QueryRefused`."""
        for what, given in (("parameters", values), ("types", types)):
            if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
                raise QueryRefused(f"sql: {what}: expected a dict by name, got {shown(given)}")
        for name in types:
            if name not in values:
                raise QueryRefused(
                    f"sql: the type of @{name} is given, but no value{meant(name, list(values))}"
                )
        _refuse_unnamed(query, values)
        kinds = {name: _parameter_type(name, value, types.get(name)) for name, value in values.items()}
        sent = {name: _parameter(name, value, kinds[name]) for name, value in values.items()}
        return cls(kinds, sent)


def _refuse_unnamed(query: object, values: Mapping[str, Any]) -> None:
    """Refuse a parameter that stands nowhere in the query, perhaps as its name is misspelt. Case does not count in SQL."""
    if not isinstance(query, str):
        return  # which is refused where it is sent
    named = re.findall(r"@\s*`?(\w+)", query)
    known = {name.lower() for name in named}
    for name in values:
        if name.lower() not in known:
            raise QueryRefused(
                f"sql: expected parameters that the query names, got {name!r}: it has no @{name}{meant(name, named)}"
            )


def _parameter_type(name: str, value: Any, given: ParameterType) -> Any:
    found = _Type()
    inner = _element(given) if given is not None else _element_of(value)
    if inner is not None:
        getattr(found.array_type.element_type, _field(name, inner, value)).SetInParent()
        return found
    plain = type(value) if given is None else given
    if value is None and given is None:
        raise QueryRefused(f"sql: @{name} is None, which has no type: say one with types={{{name!r}: int}}")
    if isinstance(value, list | tuple) and given is None:
        kinds = sorted({type(one).__name__ for one in value if one is not None})
        if kinds:
            raise QueryRefused(
                f"sql: @{name} has values of {' and '.join(kinds)}: expected a list of one type, got {shown(value)}"
            )
        raise QueryRefused(
            f"sql: @{name} is a list without a value, which has no type: say one with types={{{name!r}: list[int]}}"
        )
    getattr(found, _field(name, plain, value)).SetInParent()
    return found


def _element(given: ParameterType) -> Any:
    origin: Any = get_origin(given)
    return get_args(given)[0] if origin is list and get_args(given) else None


def _element_of(value: Any) -> type | None:
    if not isinstance(value, list | tuple):
        return None
    kinds = {type(one) for one in value if one is not None}
    return kinds.pop() if len(kinds) == 1 else None


def _field(name: str, python: Any, value: Any) -> str:
    kind = next((_BY_TYPE[one] for one in getattr(python, "__mro__", ()) if one in _BY_TYPE), None)
    if kind is None:
        if python is not type(value):
            raise QueryRefused(f"sql: the type of @{name} must be that of {_KNOWN}, got {shown(python)}")
        raise QueryRefused(f"sql: @{name} must be {_KNOWN}, got {shown(value)}")
    return kind.field


def _parameter(name: str, value: Any, kind: Any) -> Any:
    found = _Value()
    found.type_.CopyFrom(kind)
    _put(name, found, value, kind)
    return found


def _put(name: str, message: Any, value: Any, kind: Any) -> None:
    if value is None:
        return
    field = kind.WhichOneof("kind")
    if field == "array_type":
        if not isinstance(value, list | tuple):
            raise QueryRefused(f"sql: @{name} must be a list, got {shown(value)}")
        message.array_value.SetInParent()
        for item in value:
            _put(name, message.array_value.values.add(), item, kind.array_type.element_type)
        return
    wanted = _BY_FIELD[field]
    fits = isinstance(value, wanted.python) and isinstance(value, bool) is (wanted.python is bool)
    if not fits or (isinstance(value, datetime) and (wanted.python is date or value.tzinfo is None)):
        python = "an aware datetime" if wanted.python is datetime else wanted.python.__name__
        raise QueryRefused(f"sql: @{name} must be {python} ({wanted.sql}), got {shown(value)}")
    if wanted.python is datetime:
        if getattr(value, "nanosecond", None):
            raise QueryRefused(
                f"sql: @{name} must be a time in whole microseconds: of a Timestamp of pandas, take .floor('us'), got {shown(value)}"
            )
        micros = (value - _EPOCH) // timedelta(microseconds=1)
        if not _FIRST <= micros <= _LAST:
            raise QueryRefused(
                f"sql: @{name} must be a time of the years 1 to 9999 in UTC, got {shown(value)}"
            )
        message.timestamp_value.seconds, rest = divmod(micros, 1_000_000)
        message.timestamp_value.nanos = rest * 1_000
    elif wanted.python is date:
        day = message.date_value
        day.year, day.month, day.day = value.year, value.month, value.day
    else:
        try:
            setattr(message, wanted.value, value)
        except (ValueError, UnicodeEncodeError) as error:
            said = "it is out of range" if isinstance(value, int) else error
            raise QueryRefused(
                f"sql: @{name} cannot be sent as {wanted.sql}: {said}: got {shown(value)}"
            ) from None


def query_text(query: object) -> str:
    """The text of a query. Raises :class:`QueryRefused` for anything else, and for text that UTF-8 cannot hold."""
    if not isinstance(query, str):
        raise QueryRefused(f"sql: expected a query in SQL as str, got {shown(query)}")
    try:
        query.encode()
    except UnicodeEncodeError as error:
        raise QueryRefused(f"sql: the query cannot be sent: {error}") from None
    return query


def prepare_request(calls: Calls, query: str, parameters: Parameters) -> bytes:
    """The serialized request that prepares a query."""
    found = PrepareQueryRequest.pb()(instance_name=calls.name, app_profile_id=calls.app_profile, query=query)
    found.proto_format.SetInParent()
    for name, kind in parameters.types.items():
        found.param_types[name].CopyFrom(kind)
    sent: bytes = found.SerializeToString()
    return sent


def execute_request(calls: Calls, prepared: bytes, parameters: Parameters, token: bytes) -> bytes:
    """The serialized request that runs a query, from a token on."""
    found = ExecuteQueryRequest.pb()(
        instance_name=calls.name,
        app_profile_id=calls.app_profile,
        prepared_query=prepared,
        resume_token=token,
    )
    for name, value in parameters.values.items():
        found.params[name].CopyFrom(value)
    sent: bytes = found.SerializeToString()
    return sent


class SqlColumn(NamedTuple):
    """A column of a result: its name, which is empty for an expression without an alias, and its type in SQL."""

    name: str
    type: str


@frozen
class Prepared:
    """A prepared query: what runs it, its columns, and the messages of their types."""

    query: bytes
    columns: tuple[SqlColumn, ...]
    kinds: tuple[Any, ...]

    @classmethod
    def of(cls, answer: bytes) -> "Prepared":
        """What a server answers to the request of :func:`prepare_request`."""
        message = _Prepared.FromString(answer)
        listed = message.metadata.proto_schema.columns
        if not listed:
            raise InvalidAnswer("a prepared query without columns")
        columns = tuple(SqlColumn(one.name, sql_name(kind_of(one.type_))) for one in listed)
        return cls(message.prepared_query, columns, tuple(one.type_ for one in listed))

    @property
    def titles(self) -> list[tuple[str, Any]]:
        """Names for a table: those of the query, where each has one of its own; and types."""
        given = [column.name for column in self.columns]
        names = given if all(given) and len(set(given)) == len(given) else self.names
        return [(name, kind_of(kind)) for name, kind in zip(names, self.kinds, strict=True)]

    @property
    def names(self) -> list[str]:
        """The attributes of a row."""
        return attributes_of([column.name for column in self.columns])


def kind_of(message: Any) -> Any:
    """A type as its name, or as ARRAY, MAP or STRUCT with what it is of."""
    field = message.WhichOneof("kind")
    match field:
        case "array_type":
            return "ARRAY", kind_of(message.array_type.element_type)
        case "map_type":
            return "MAP", kind_of(message.map_type.key_type), kind_of(message.map_type.value_type)
        case "struct_type":
            return "STRUCT", tuple(
                (member.field_name, kind_of(member.type_)) for member in message.struct_type.fields
            )
    if field not in _BY_FIELD:
        raise InvalidAnswer(f"a column of an unknown type ({field})")
    return _BY_FIELD[field].sql


def sql_name(kind: Any) -> str:
    """A type as SQL writes it."""
    match kind:
        case ("STRUCT", fields):
            return f"STRUCT<{', '.join(f'{name} {sql_name(inner)}'.strip() for name, inner in fields)}>"
        case (name, *parts) if not isinstance(kind, str):
            return f"{name}<{', '.join(map(sql_name, parts))}>"
    return str(kind)


def decoder(kind: Any) -> Callable[[Any], Any]:
    """What makes a value of Python of a message of a type; a map is a dict, a structure a tuple, NULL None."""
    field = kind.WhichOneof("kind")
    match field:
        case "array_type":
            element = decoder(kind.array_type.element_type)
            return _there(lambda message: [element(value) for value in message.array_value.values])
        case "map_type":
            key, value = decoder(kind.map_type.key_type), decoder(kind.map_type.value_type)
            return _there(lambda message: dict(_pair(key, value, one) for one in message.array_value.values))
        case "struct_type":
            parts = [decoder(member.type_) for member in kind.struct_type.fields]
            made = _structure(tuple(member.field_name for member in kind.struct_type.fields))
            return _there(
                lambda message: made(
                    part(one) for part, one in zip(parts, message.array_value.values, strict=True)
                )
            )
        case "timestamp_type":
            return _there(lambda message: _time(message.timestamp_value))
        case "date_type":
            return _there(
                lambda message: date(
                    message.date_value.year, message.date_value.month, message.date_value.day
                )
            )
    name = _BY_FIELD[field].value
    return _there(lambda message: getattr(message, name))


def _there(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda message: None if message.WhichOneof("kind") is None else read(message)


def _pair(key: Callable[[Any], Any], value: Callable[[Any], Any], message: Any) -> tuple[Any, Any]:
    first, second = message.array_value.values
    return key(first), value(second)


def _time(message: Any) -> datetime:
    micros, rest = divmod(message.nanos, 1_000)
    try:
        time = _EPOCH + timedelta(seconds=message.seconds, microseconds=micros)
    except OverflowError:
        raise InvalidAnswer(
            f"a time that is not of the years 1 to 9999: {message.seconds} s since 1970"
        ) from None
    if rest:
        raise InvalidAnswer(
            f"a time that is finer than a microsecond, as none in Python is: {time} and {rest} ns"
        )
    return time


@cache
def _structure(names: tuple[str, ...]) -> Callable[[Iterator[Any]], Any]:
    """A named tuple where the fields have names of their own."""
    if all(name.isidentifier() and not name.startswith("_") for name in names) and len(set(names)) == len(
        names
    ):
        made: Any = namedtuple("Structure", names)  # type: ignore[misc]
        make: Callable[[Iterator[Any]], Any] = made._make
        return make
    return tuple


LEFT_OUT: Any = object()  # in the place of a row that no read gives


@define
class Results(Generic[R]):
    """The messages of a result: rows are given once a token says that the server can go on behind them."""

    prepared: Prepared
    make: Callable[[Sequence[Any]], R]
    token: bytes = b""
    _batch: bytearray = field(factory=bytearray)
    _waiting: list[bytes] = field(factory=list)
    _decoders: list[Callable[[Any], Any]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._decoders = [decoder(kind) for kind in self.prepared.kinds]

    def begin(self) -> None:
        """A request is made, from the last token on: what came behind it will come again."""
        self._batch, self._waiting = bytearray(), []

    def take(self, message: bytes) -> list[R]:
        """The rows that are whole with this message."""
        results = _Answer.FromString(message).results
        if results.reset:
            self.begin()
        self._batch += results.proto_rows_batch.batch_data
        if results.HasField("batch_checksum"):
            if google_crc32c.value(bytes(self._batch)) != results.batch_checksum:
                raise InvalidAnswer("rows whose checksum is another one")
            self._waiting.append(bytes(self._batch))
            self._batch = bytearray()
        if not results.resume_token:
            return []
        if self._batch:
            raise InvalidAnswer("a token in the middle of rows")
        self.token = results.resume_token
        found, self._waiting = self._waiting, []
        return [row for batch in found for row in self._rows(batch)]

    def end(self) -> None:
        """The answer has ended. Raises InvalidAnswer in the middle of rows."""
        if self._batch or self._waiting:
            raise InvalidAnswer("a result that ends in the middle of rows")

    def _rows(self, batch: bytes) -> Iterator[R]:
        values, width = _Rows.FromString(batch).values, len(self._decoders)
        if len(values) % width:
            raise InvalidAnswer(f"{len(values):,} values in rows of {width}")
        decoders, make = self._decoders, self.make
        read = iter(values)
        for _ in range(len(values) // width):
            row = make([decode(next(read)) for decode in decoders])
            if row is not LEFT_OUT:
                yield row


def maker(into: type[R] | None, prepared: Prepared) -> Callable[[Sequence[Any]], Any]:
    """What makes a row of its values: a named tuple, or ``into``, whose fields have the names of columns. Raises :class:`QueryRefused`."""
    names = prepared.names
    if into is None:
        return _tuple(tuple(names))
    if isinstance(getattr(into, "__schema__", None), ModelSchema):
        return _model_rows(into, prepared)
    wanted, optional = _fields(into)
    for name in names:
        if name not in wanted:
            raise QueryRefused(
                f"sql: {into.__name__} has no field {name!r}, a column of the query{meant(name, list(wanted))}"
            )
    missing = [name for name in wanted if name not in names and name not in optional]
    if missing:
        raise QueryRefused(
            f"sql: {into.__name__}.{missing[0]} is not a column of the query: it has {', '.join(names)}"
        )
    for name, kind, column in zip(names, prepared.kinds, prepared.columns, strict=True):
        if not _fits(wanted[name], kind):
            raise QueryRefused(
                f"sql: {into.__name__}.{name} is {_shown(wanted[name])}, but the column is {column.type}"
            )
    never_null = {name: wanted[name] for name in names if not _takes_null(wanted[name])}

    def make(values: Sequence[Any]) -> Any:
        row = dict(zip(names, values, strict=True))
        if any(value is None for value in values):
            for name, annotation in never_null.items():
                if row[name] is None:
                    kind = _shown(annotation)
                    raise ValueRefused(
                        f"{kind}, as the type of the field has no None for NULL: declare it as `{kind} | None`, or give another value in the query, as with IFNULL",
                        None,
                        where=f"sql: {into.__name__}.{name}",
                    )
        return into(**row)

    return make


def _takes_null(annotation: Any) -> bool:
    """Whether a field may be None: one whose type says so, or is none of those that columns have."""
    choices = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    known = {list, dict, tuple, *_BY_TYPE}
    return any(one is NoneType or (get_origin(one) or one) not in known for one in choices)


def _model_rows(model: Any, prepared: Prepared) -> Callable[[Sequence[Any]], Any]:
    """What makes rows of a model of a key and whole families, as they are newest, or with their history.

    Like every read, it leaves out cells that GC rules let the service delete, and rows without any others.
    """
    schema, codec = model.__schema__, model.__codec__
    places = {column.name: at for at, column in enumerate(prepared.columns)}
    types = {column.name: column.type for column in prepared.columns}
    wanted = ["_key", *dict.fromkeys(column.family for column in schema.columns)]
    missing = [
        name for name in wanted if types.get(name) not in (("BYTES",) if name == "_key" else _FAMILIES)
    ]
    if missing:
        raise QueryRefused(
            f"sql: a row of {schema.name} is made of whole families: expected {', '.join(wanted)} among the columns, as of SELECT *, got {', '.join(places)}"
        )
    history = all(types[name] == _HISTORY for name in wanted[1:])
    if not history and (schema.stamp.stored or any(column.versioned for column in schema.columns)):
        raise QueryRefused(
            f"sql: a row of {schema.name} holds times or versions: ask for them, as FROM {schema.table}(with_history => TRUE)"
        )
    aged = next((one for one in schema.families if one.id in wanted and oldest(one.gc)), None)
    if not history and aged:
        raise QueryRefused(
            f"sql: rows of {schema.name} leave out cells that are as old as the GC rule of the family {aged.id!r} says, and only a "
            f"history has the times of cells: ask for it, as FROM {schema.table}(with_history => TRUE)"
        )
    only = None if history else frozenset(column.name for column in schema.columns)
    now = datetime.now(UTC)
    kept = {family: of_family(schema, family, versioned_families(schema)) for family in wanted[1:]}

    def make(values: Sequence[Any]) -> Any:
        cells = [
            cell
            for family in wanted[1:]
            for qualifier, value in values[places[family]].items()
            for cell in _cells(family, qualifier, value, kept[family] if history else None, now)
        ]
        if not cells and any(values[places[family]] for family in wanted[1:]):
            return LEFT_OUT
        return codec.decode(values[places["_key"]], cells, only)

    return make


_HISTORY = "MAP<BYTES, ARRAY<STRUCT<timestamp TIMESTAMP, value BYTES>>>"
_FAMILIES = ("MAP<BYTES, BYTES>", _HISTORY)


def _cells(family: str, qualifier: bytes, value: Any, kept: Filter | None, now: datetime) -> list[Cell]:
    """The cells of a column that pass, newest first; of a newest value alone the time is not known, and not needed."""
    if not isinstance(value, list):
        return [Cell(family, qualifier, 0, value)]
    return passing_cells(
        kept,
        [Cell(family, qualifier, (time - _EPOCH) // timedelta(microseconds=1), one) for time, one in value],
        now,
    )


def _shown(annotation: Any) -> str:
    return getattr(annotation, "__name__", None) or str(annotation)


@cache
def _tuple(names: tuple[str, ...]) -> Callable[[Sequence[Any]], Any]:
    made: Any = namedtuple("SqlRow", names)  # type: ignore[misc]
    make: Callable[[Sequence[Any]], Any] = made._make
    return make


def _fields(into: type[Any]) -> tuple[dict[str, Any], set[str]]:
    """The fields of a class for rows, with their types, and those that have a default."""
    hints = get_type_hints(into)
    if issubclass(into, tuple) and hasattr(into, "_fields"):
        kind: Any = into
        return {name: hints.get(name, Any) for name in kind._fields}, set(kind._field_defaults)
    if has(into):
        known = {member.name: member for member in fields(into) if member.init}
        return {name: hints.get(name, Any) for name in known}, {
            name for name, one in known.items() if one.default is not NOTHING
        }
    if hasattr(into, "__dataclass_fields__"):
        from dataclasses import MISSING
        from dataclasses import fields as data_fields

        kept: Any = into
        listed = [member for member in data_fields(kept) if member.init]
        return {member.name: hints[member.name] for member in listed}, {
            member.name
            for member in listed
            if member.default is not MISSING or member.default_factory is not MISSING
        }
    raise QueryRefused(
        f"sql: into must be a NamedTuple, a dataclass or a class of attrs, got {into.__name__}"
    )


def _fits(annotation: Any, kind: Any) -> bool:
    """Whether the values of a column may stand under an annotation; one that is not of those types may hold anything."""
    choices = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    plain = [choice for choice in choices if choice is not NoneType]
    field = kind.WhichOneof("kind")
    python = {"array_type": list, "map_type": dict, "struct_type": tuple}.get(field) or _BY_FIELD[
        field
    ].python
    known = {list, dict, tuple, *_BY_TYPE}
    bare = [get_origin(one) or one for one in plain]
    return any(one not in known or one is python for one in bare)
