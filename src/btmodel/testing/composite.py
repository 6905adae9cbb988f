"""Strategies of values that hold others: documents, packed records, messages, arrays."""

import re
import struct
import typing
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from btmodel.codecs.cell.record import is_record, record_fields

_TEXT = st.text(st.characters(codec="utf-8"))
_FINITE = st.floats(allow_nan=False, allow_infinity=False)
_LEAF = st.none() | st.booleans() | st.integers() | _FINITE | _TEXT
_ANY: SearchStrategy[Any] = st.recursive(
    _LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3), max_leaves=6
)
_PLAIN: dict[Any, SearchStrategy[Any]] = {
    str: _TEXT,
    float: _FINITE,
    Decimal: st.decimals(allow_nan=False, allow_infinity=False),
    datetime: st.datetimes(timezones=st.just(UTC)),
    list: st.lists(_ANY, max_size=3),
    dict: st.dictionaries(_TEXT, _ANY, max_size=3),
    Any: _ANY,
    object: _ANY,
}


def documents(annotation: Any) -> SearchStrategy[Any]:
    """Values of a type that a JSON document can hold."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if origin in (typing.Union, UnionType):
        return st.none() | documents(inner[inner[0] is NoneType])
    if origin is list:
        return st.lists(documents(inner[0]), max_size=4)
    if origin is tuple and inner[1:] == (...,):
        return st.lists(documents(inner[0]), max_size=4).map(tuple)
    if origin is tuple:
        return st.tuples(*map(documents, inner))
    if origin is dict:
        return st.dictionaries(documents(inner[0]), documents(inner[1]), max_size=4)
    if isinstance(annotation, type) and is_record(annotation) and not issubclass(annotation, Enum):
        return _records(typing.cast(Any, annotation))
    drawn: SearchStrategy[Any] = st.from_type(annotation)
    return drawn


@cache
def _records(cls: Any) -> SearchStrategy[Any]:
    """Those of a class: one strategy, since the class may hold itself."""

    def build() -> SearchStrategy[Any]:
        hints = typing.get_type_hints(cls)
        return st.builds(cls, **{one.argument: documents(hints[one.name]) for one in record_fields(cls)})

    return st.deferred(build)


def packed(record: type, layout: str) -> SearchStrategy[Any]:
    """Records whose fields are the items of a struct format."""
    items: list[SearchStrategy[Any]] = []
    for count, code in re.findall(r"([0-9]*)(\D)", layout[1:]):
        size = struct.calcsize(layout[0] + code)
        if code == "s":
            items.append(st.binary(min_size=int(count or 1), max_size=int(count or 1)))
        else:
            items += [_item(code, size)] * int(count or 1)
    names = [one.argument for one in record_fields(record)]
    return st.builds(record, **dict(zip(names, items, strict=True)))


def _item(code: str, size: int) -> SearchStrategy[Any]:
    if code == "?":
        return st.booleans()
    if code == "e":
        return st.floats(width=16, allow_nan=False)
    if code in "fd":
        return st.floats(width=32 if code == "f" else 64, allow_nan=False)
    bits = 8 * size
    return (
        st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if code.islower()
        else st.integers(0, 2**bits - 1)
    )


# What protobuf calls the kinds of fields (FieldDescriptor.CPPTYPE_...): numbers, text and bools.
_FIELDS: dict[int, SearchStrategy[Any]] = {
    1: st.integers(-(2**31), 2**31 - 1),
    2: st.integers(-(2**63), 2**63 - 1),
    3: st.integers(0, 2**32 - 1),
    4: st.integers(0, 2**64 - 1),
    5: _FINITE,
    6: st.floats(width=32, allow_nan=False),
    7: st.booleans(),
}


def messages(message_class: Any) -> SearchStrategy[Any]:
    """Messages with values in their fields of numbers and bools; the others are left out."""
    fields = {one.name: one for one in message_class.DESCRIPTOR.fields}
    single = {name: one for name, one in fields.items() if one.cpp_type in _FIELDS and not one.is_repeated}
    values = {name: _FIELDS[one.cpp_type] for name, one in single.items()}
    return st.fixed_dictionaries({}, optional=values).map(lambda given: message_class(**given))


def arrays(dtype: Any, shape: Any) -> SearchStrategy[Any]:
    """Arrays of numpy without NaN, of small shapes where these are open."""
    from hypothesis.extra import numpy

    dtypes: Any = (
        st.sampled_from(["<f8", ">f4", "<i8", ">u2", "|b1", "<U3", "|S2"])
        if dtype is None
        else st.just(dtype)
    )
    if shape is None:
        shapes: Any = numpy.array_shapes(min_dims=0, max_dims=3, max_side=4)
    else:
        shapes = st.tuples(*(st.integers(0, 4) if size is None else st.just(size) for size in shape))
    drawn: SearchStrategy[Any] = dtypes.flatmap(
        lambda one: numpy.arrays(one, shapes, elements=numpy.from_dtype(_np(one), allow_nan=False))
    )
    return drawn


def _np(dtype: Any) -> Any:
    from btmodel.codecs.cell import NumpyArray

    return NumpyArray(dtype).dtype
