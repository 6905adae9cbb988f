"""Results of SQL as tables of Arrow."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from btmodel.columnar.libraries import pyarrow

# A type of SQL: its name, or ARRAY, MAP or STRUCT with what it is of.
SqlType = str | tuple[Any, ...]


def sql_table(columns: Sequence[tuple[str, SqlType]], rows: Sequence[Sequence[Any]]) -> Any:
    """The rows as a table, with a type for each column."""
    pa = pyarrow()
    schema = pa.schema([(name, _type(kind)) for name, kind in columns])
    values = [[row[at] for row in rows] for at in range(len(columns))]
    arrays = [
        pa.array([None if one is None else plain(one) for one in listed], field.type)
        for (_, kind), listed, field in zip(columns, values, schema, strict=True)
        for plain in (_plain(kind),)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _type(kind: SqlType) -> Any:
    pa = pyarrow()
    match kind:
        case ("ARRAY", element):
            return pa.list_(_type(element))
        case ("MAP", key, value):
            return pa.map_(_type(key), _type(value))
        case ("STRUCT", fields):
            return pa.struct(
                [(name or f"field_{at}", _type(inner)) for at, (name, inner) in enumerate(fields, 1)]
            )
    types: Mapping[Any, Any] = {
        "BOOL": pa.bool_(), "INT64": pa.int64(), "ENUM": pa.int64(), "FLOAT64": pa.float64(), "FLOAT32": pa.float32(),
        "STRING": pa.string(), "BYTES": pa.binary(), "PROTO": pa.binary(), "TIMESTAMP": pa.timestamp("us", tz="UTC"),
        "DATE": pa.date32(),
    }  # fmt: skip
    return types[kind]


def _plain(kind: SqlType) -> Callable[[Any], Any]:
    """What makes of a value what Arrow takes for it."""
    match kind:
        case ("ARRAY", element):
            inner = _within(element)
            return lambda values: [inner(one) for one in values]
        case ("MAP", key, value):
            first, second = _within(key), _within(value)
            return lambda values: [(first(one), second(other)) for one, other in values.items()]
        case ("STRUCT", fields):
            parts = [(name or f"field_{at}", _within(inner)) for at, (name, inner) in enumerate(fields, 1)]
            return lambda values: {name: plain(one) for (name, plain), one in zip(parts, values, strict=True)}
    return lambda value: value


def _within(kind: SqlType) -> Callable[[Any], Any]:
    plain = _plain(kind)
    return lambda value: None if value is None else plain(value)
