"""Conditions: filters that match a row only in a given state."""

from collections.abc import Iterable, Mapping
from typing import Any

from btmodel.errors import QueryRefused, ValueRefused, shown
from btmodel.rows.cells import MILLISECOND
from btmodel.rows.filters import Filter, FirstCells, Interleave, Rows, RowsWithout, Times, Value, chain
from btmodel.rows.kept import of_model, of_newest, of_plain
from btmodel.rows.mutations import Conditional, Mutation
from btmodel.schema import Column, ModelSchema
from btmodel.schema.limits import FILTER_BYTES
from btmodel.words import did_you_mean, near

MOST_COMPARED = FILTER_BYTES // 2  # a filter has a value as both ends of a range


def has_value(model: ModelSchema, name: str, value: Any) -> Filter:
    """Finds a cell where the newest value of the column ``name`` is ``value``.

    Raises :class:`QueryRefused` for what is no column of one value, and for None, and
    :class:`ValueRefused` for a value that does not fit, or is too large for a filter.
    """
    column = _value_column(model, name)
    if value is None:
        raise QueryRefused(
            f"{model.name}.{name}: wanted a value, got None, which put_if alone takes for an absent cell"
        )
    try:
        raws = column.codec.encodings(value)
    except ValueRefused as error:
        raise error.at(f"{model.name}.{name}") from None
    values = tuple(map(Value, dict.fromkeys(raws)))
    if (size := sum(len(one.value) for one in values)) > MOST_COMPARED:
        raise ValueRefused(
            f"a value of at most {MOST_COMPARED:,} bytes to compare with, not of {size:,} (Bigtable takes filters "
            f"of {FILTER_BYTES:,} bytes, and a value counts twice in one: compare a short column, such as a version)",
            value,
            where=f"{model.name}.{name}",
        )
    found = chain([of_newest(model, column), values[0] if len(values) == 1 else Interleave(values)])
    assert found is not None
    return found


def all_of(conditions: Iterable[Filter], then: Filter | None) -> Filter | None:
    """What ``then`` lets through, of rows in which every one of ``conditions`` finds a cell."""
    for condition in reversed(list(conditions)):
        then = Rows(condition, then)
    return then


def if_absent(model: ModelSchema, mutation: Mutation) -> Conditional:
    """The mutation under the condition that the row has no cell of the model."""
    found = chain([of_model(model), FirstCells(1)])
    assert found is not None
    return Conditional(mutation, found, present=False)


def if_equal(
    model: ModelSchema, mutation: Mutation, expected: Mapping[str, Any], time: int | None = None
) -> Conditional:
    """The mutation under the condition that the newest values of columns are those ``expected``.

    None stands for an absent cell. Where that is all that is expected, a row that is not there is as expected.
    Where ``time`` is given, in microseconds, the row that is there must not be of a later one, either.
    """
    if not expected:
        raise QueryRefused(
            f"{model.name}: put_if: wanted at least one column, and the value that it must have, got none; "
            "see put, and put_if_absent"
        )
    lacking = [of_newest(model, _value_column(model, name)) for name, one in expected.items() if one is None]
    if time is not None:
        later = chain([of_plain(model), Times(time + MILLISECOND, 0)])
        assert later is not None
        lacking.append(later)
    values = [has_value(model, name, one) for name, one in expected.items() if one is not None]
    there = lacking[0] if len(lacking) == 1 else Interleave(tuple(lacking))
    if not values:
        return Conditional(mutation, there, present=False)
    found = all_of(values[:-1], values[-1])
    assert found is not None
    return Conditional(mutation, RowsWithout(there, found) if lacking else found, present=True)


def _value_column(model: ModelSchema, name: str) -> Column:
    columns = {column.name: column for column in model.columns if column.shape.plain}
    if name in columns:
        return columns[name]
    known = f"wanted a column of one value ({', '.join(columns) or 'the model has none'})"
    if name in {part.name for part in model.key.asked}:
        raise QueryRefused(
            f"{model.name}.{name}: {known}, got a field of the row key: declare a query with it"
        )
    raise QueryRefused(f"{model.name}: {known}, got {shown(name)}{did_you_mean(near(str(name), columns))}")
