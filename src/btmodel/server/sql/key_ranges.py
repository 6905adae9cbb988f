"""The key ranges that a condition leaves to be read. Whatever is not understood here reads all keys: the condition itself decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import chain

from btmodel.googlesql.analysis import Node
from btmodel.server.row_set import EVERYTHING, KeyRange, merged, overlap, prefix_range
from btmodel.server.sql.expressions import Compiler

Ranges = list[KeyRange]
_ALL = [EVERYTHING]
_SWAPPED = {"$less": "$greater", "$greater": "$less", "$less_or_equal": "$greater_or_equal"}
_SWAPPED |= {"$greater_or_equal": "$less_or_equal", "$equal": "$equal"}


def key_ranges(condition: Node, key: int, compiler: Compiler) -> Ranges:
    """The ranges that hold all keys for which ``condition`` may be true; ``key`` is the column of `_key`."""
    if condition["node"] != "FunctionCall":
        return _ALL
    name, arguments = condition["function"], condition.get("argument_list", ())
    if name in ("$and", "$or"):
        parts = [key_ranges(argument, key, compiler) for argument in arguments]
        return reduce(_both, parts) if name == "$and" else merged(list(chain.from_iterable(parts)))
    at = next((at for at, one in enumerate(arguments) if _is_key(one, key)), None)
    if at is None:
        return _ALL
    constants = [compiler.constant(one) for place, one in enumerate(arguments) if place != at]
    values = [constant[0] for constant in constants if constant is not None]
    if len(values) < len(constants):
        return _ALL
    if at == 1 and len(arguments) == 2:
        name = _SWAPPED.get(name, "")
    elif at:
        return _ALL
    if name == "$in_array":
        name, values = "$in", values[0] or []
    if name == "$in":
        return merged([_one(value) for value in values if value is not None])
    if name not in _RANGES:
        return _ALL
    # A comparison with NULL is never true.
    return [] if None in values else merged(_RANGES[name](values))


def _is_key(node: Node, key: int) -> bool:
    return node["node"] == "ColumnRef" and bool(node["column"]["column_id"] == key)


def _both(some: Ranges, others: Ranges) -> Ranges:
    found = [overlap(key_range, other) for key_range in some for other in others]
    return merged([key_range for key_range in found if key_range is not None])


def _one(key: bytes) -> KeyRange:
    return KeyRange(key, key + b"\0")


def _like(values: Sequence[bytes]) -> Ranges:
    """A pattern begins with what stands in front of its first wildcard."""
    ends = [at for sign in (b"%", b"_", b"\\") if (at := values[0].find(sign)) >= 0]
    return [prefix_range(values[0][: min(ends)])] if ends else [_one(values[0])]


_RANGES: dict[str, Callable[[Sequence[bytes]], Ranges]] = {
    "$equal": lambda values: [_one(values[0])],
    "$less": lambda values: [KeyRange(b"", values[0])],
    "$less_or_equal": lambda values: [KeyRange(b"", values[0] + b"\0")],
    "$greater": lambda values: [KeyRange(values[0] + b"\0", None)],
    "$greater_or_equal": lambda values: [KeyRange(values[0], None)],
    "$between": lambda values: [KeyRange(values[0], values[1] + b"\0")],
    "starts_with": lambda values: [prefix_range(values[0])],
    "$like": _like,
}
