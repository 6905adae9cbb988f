"""The rows of tables of Arrow: the way back from what reads give as columns."""

from collections.abc import Iterator
from typing import Any

from btmodel.columnar.arrow_types import fits
from btmodel.columnar.fields import Field, Fields
from btmodel.columnar.libraries import pyarrow
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.schema import ModelSchema, Shape


def rows_of(model: ModelSchema, table: Any) -> Iterator[dict[str, Any]]:
    """The attributes of each row of a table, a record batch, or a reader of such; no absent ones.

    Counters are left out: no row is made with them. Raises :class:`QueryRefused` for columns that the model
    lacks or requires, and :class:`ValueRefused` for a column of another type, both before any row is given, and
    for values other than ``to_arrow`` gives.
    """
    pa = pyarrow()
    if not isinstance(table, pa.Table | pa.RecordBatch | pa.RecordBatchReader):
        kinds = "a Table, a RecordBatch or a RecordBatchReader of pyarrow"
        raise QueryRefused(f"{model.name}: put_arrow: wanted {kinds}, got {type(table).__name__}")
    names = table.schema.names
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise QueryRefused(
            f"{model.name}: put_arrow: wanted each column once; given twice: {', '.join(twice)}"
        )
    fields = Fields.of(model, None, names)
    given = {one.name for one in fields.all}
    lacking = [name for name in _required(model) if name not in given]
    if lacking:
        raise QueryRefused(
            f"{model.name}: put_arrow: wanted a column for each attribute that a row must have; "
            f"there is none for {', '.join(lacking)}"
        )
    for one in fields.all:
        _check_type(one, table.schema.field(one.name).type, f"{model.name}.{one.name}")
    return _rows(model, fields, table)


def _rows(model: ModelSchema, fields: Fields, table: Any) -> Iterator[dict[str, Any]]:
    batches = [table] if isinstance(table, pyarrow().RecordBatch) else table
    if isinstance(table, pyarrow().Table):
        batches = table.to_batches()
    put = [one for one in fields.all if one.column is None or one.column.shape is not Shape.COUNTER]
    names = [one.name for one in put]
    required = _required(model)
    for batch in batches:
        columns = [_values(one, batch.column(one.name), model.name) for one in put]
        for row in zip(*columns, strict=True):
            values = {name: value for name, value in zip(names, row, strict=True) if value is not None}
            for name in required:
                if name not in values:
                    raise ValueRefused("a value, for a row must have it", None, where=f"{model.name}.{name}")
            yield values


def _required(model: ModelSchema) -> list[str]:
    """The attributes that no row is without."""
    stamp = model.stamp.attribute if model.stamp.stored and model.stamp.required else None
    return [
        *(part.name for part in model.key.asked if not part.optional),
        *([stamp] if stamp else []),
        *(
            column.name
            for column in model.columns
            if column.required or column.shape not in (Shape.VALUE, Shape.COUNTER)
        ),
    ]


def _check_type(field: Field, given: Any, where: str) -> None:
    """Raise :class:`ValueRefused` for a column of another type than ``to_arrow`` gives."""
    if fits(given, field.type):
        return
    wanted = f"a column of {field.type}, as to_arrow gives it"
    if pyarrow().types.is_decimal(given) and pyarrow().types.is_string(field.type):
        wanted += " (a decimal of Arrow changes 10 to 10.00, another cell: put the text of each number)"
    raise ValueRefused(wanted, given, where=where)


def _values(field: Field, array: Any, model: str) -> list[Any]:
    """The values of an array, and None for absent ones."""
    pa = pyarrow()
    type = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    where = f"{model}.{field.name}"
    try:
        found = array.cast(type).to_pylist()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ValueRefused(f"values that fit {type} without loss", array.type, where=where) from error
    return [None if plain is None else _value(field, plain, where) for plain in found]


def _value(field: Field, plain: Any, where: str) -> Any:
    try:
        return field.value(plain)
    except (ValueError, TypeError, ArithmeticError, LookupError):
        raise ValueRefused(f"a value as to_arrow gives it, in {field.type}", plain, where=where) from None
