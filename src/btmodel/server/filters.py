"""Row filters: a message becomes a function from cells to cells.

A filter is compiled once a request, which also finds everything that the service refuses in it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeAlias

from attrs import define, evolve, frozen

from btmodel.server import limits
from btmodel.server.protos import Message
from btmodel.server.re2 import Pattern
from btmodel.server.request_errors import invalid, not_found
from btmodel.server.stored_rows import Places, ServerCell

Cells: TypeAlias = list[ServerCell]
#: (row key, cells) -> cells
RowFilter: TypeAlias = Callable[[bytes, Cells], Cells]
#: the same for a part of a filter; what it puts into the sink is in the result whatever the outer parts say
Filter: TypeAlias = Callable[[bytes, Cells, Cells], Cells]
Test: TypeAlias = Callable[[ServerCell], bool]

_MOST_STEPS = 200_000  # of all the regular expressions of one filter


@define
class _Budget:
    """The remaining cost that the regular expressions of one request may have."""

    steps: int = _MOST_STEPS


@frozen
class _Context:
    """The place of a part in a filter, and the data against which it is checked."""

    places: Places  # of the families that the table has
    granule: int
    budget: _Budget
    depth: int = 0
    in_condition: bool = False

    def inside(self, condition: bool = False) -> _Context:
        """The context of a filter within this one."""
        return evolve(self, depth=self.depth + 1, in_condition=self.in_condition or condition)


def compile_filter(message: Message, places: Places, granule: int) -> RowFilter | None:
    """Compile the filter of a request on a table; None when it lets everything through.

    Raises INVALID_ARGUMENT for what the service refuses, and NOT_FOUND for a family that the table has not.
    """
    size = message.ByteSize()
    if size > limits.FILTER_SIZE:
        raise invalid(f"Row filter exceeds maximum size of {limits.FILTER_SIZE} bytes (it has {size})")
    kind = message.WhichOneof("filter")
    if kind is None or (kind == "pass_all_filter" and message.pass_all_filter):
        return None
    part = _compile(message, _Context(places, granule, _Budget()))

    def whole(key: bytes, cells: Cells) -> Cells:
        sink: Cells = []
        left = part(key, cells, sink)
        return sorted(left + sink, key=places.of_cell) if sink else left

    return whole


def _compile(message: Message, context: _Context) -> Filter:
    kind = message.WhichOneof("filter")
    if kind is None:
        raise invalid("Row filter must have one of its fields set")
    if context.depth >= limits.FILTER_DEPTH:
        raise invalid(f"Row filter is nested more than {limits.FILTER_DEPTH} deep")
    if kind in _NESTED:
        return _NESTED[kind](getattr(message, kind), context)
    if kind in _TESTS:
        return _keeping(_TESTS[kind](getattr(message, kind), context))
    return _ROWS[kind](getattr(message, kind), context)


def _keeping(test: Test) -> Filter:
    return lambda key, cells, sink: [cell for cell in cells if test(cell)]


# Filters of filters


def _chain(message: Message, context: _Context) -> Filter:
    if len(message.filters) < 2:
        raise invalid("Chain must contain at least two RowFilters")
    if sum(_labels(part) for part in message.filters) > 1:
        raise invalid("Chain must have no more than one sub-filter which contains an apply_label_transformer")
    parts = [_compile(part, context.inside()) for part in message.filters]

    def chain(key: bytes, cells: Cells, sink: Cells) -> Cells:
        for part in parts:
            if not cells:
                break
            cells = part(key, cells, sink)
        return cells

    return chain


def _labels(message: Message) -> bool:
    """Whether a filter puts a label on cells."""
    kind = message.WhichOneof("filter")
    if kind in ("chain", "interleave"):
        return any(_labels(part) for part in getattr(message, kind).filters)
    if kind == "condition":
        return _labels(message.condition.true_filter) or _labels(message.condition.false_filter)
    return bool(kind == "apply_label_transformer")


def _interleave(message: Message, context: _Context) -> Filter:
    if len(message.filters) < 2:
        raise invalid("Interleave must contain at least two RowFilters")
    parts = [_compile(part, context.inside()) for part in message.filters]

    def interleave(key: bytes, cells: Cells, sink: Cells) -> Cells:
        pooled = [cell for part in parts for cell in part(key, cells, sink)]
        return sorted(pooled, key=context.places.of_cell)

    return interleave


def _condition(message: Message, context: _Context) -> Filter:
    if not message.HasField("predicate_filter"):
        raise invalid("Condition must have a predicate_filter")
    inner = context.inside(condition=True)
    predicate = _compile(message.predicate_filter, inner)
    if_true, if_false = (
        _compile(getattr(message, name), inner) if message.HasField(name) else _nothing
        for name in ("true_filter", "false_filter")
    )

    def condition(key: bytes, cells: Cells, sink: Cells) -> Cells:
        chosen = if_true if predicate(key, cells, sink) else if_false
        return chosen(key, cells, sink)

    return condition


def _nothing(key: bytes, cells: Cells, sink: Cells) -> Cells:
    return []


# Filters of whole rows


def _must_be_true(value: bool, name: str) -> None:
    if not value:
        raise invalid(f"{name} must be true if set")


def _sink(value: bool, context: _Context) -> Filter:
    _must_be_true(value, "sink")
    if context.in_condition:
        raise invalid("sink cannot be used within a condition")

    def into_sink(key: bytes, cells: Cells, sink: Cells) -> Cells:
        sink += cells
        return []

    return into_sink


def _pass_all(value: bool, context: _Context) -> Filter:
    _must_be_true(value, "pass_all_filter")
    return lambda key, cells, sink: cells


def _block_all(value: bool, context: _Context) -> Filter:
    _must_be_true(value, "block_all_filter")
    return _nothing


def _row_key_regex(pattern: bytes, context: _Context) -> Filter:
    if not pattern:
        raise invalid("Error in field 'row_key_regex_filter' : argument must not be empty")
    regex = _regex(pattern, context)
    return lambda key, cells, sink: cells if regex.matches(key) else []


def _row_sample(probability: float, context: _Context) -> Filter:
    if not 0.0 < probability < 1.0:
        raise invalid(f"row_sample_filter argument must be between 0.0 and 1.0, but got {probability}")
    return lambda key, cells, sink: cells if random.random() < probability else []


def _cells_per_row_offset(count: int, context: _Context) -> Filter:
    if count < 0:
        raise invalid(f"cells_per_row_offset_filter must not be negative, but got {count}")
    return lambda key, cells, sink: cells[count:]


def _at_least_one(count: int, name: str) -> None:
    if count < 1:
        raise invalid(f"{name} must be at least 1, but got {count}")


def _cells_per_row(count: int, context: _Context) -> Filter:
    _at_least_one(count, "cells_per_row_limit_filter")
    return lambda key, cells, sink: cells[:count]


def _cells_per_column(count: int, context: _Context) -> Filter:
    _at_least_one(count, "cells_per_column_limit_filter")

    def limit(key: bytes, cells: Cells, sink: Cells) -> Cells:
        left, column, seen = [], None, 0
        for cell in cells:
            seen = seen + 1 if column == cell[:2] else 1
            column = cell[:2]
            if seen <= count:
                left.append(cell)
        return left

    return limit


def _strip_value(value: bool, context: _Context) -> Filter:
    _must_be_true(value, "strip_value_transformer")
    return lambda key, cells, sink: [cell._replace(value=b"") for cell in cells]


def _label(label: str, context: _Context) -> Filter:
    if not limits.LABEL.fullmatch(label):
        raise invalid(
            f"apply_label_transformer must match [a-z0-9\\-]+ and have up to 15 characters, got '{label}'"
        )
    return lambda key, cells, sink: [cell._replace(label=label) for cell in cells]


# Filters of single cells


def _regex(pattern: bytes, context: _Context) -> Pattern:
    regex = Pattern(pattern)
    context.budget.steps -= regex.size
    if context.budget.steps < 0:
        raise invalid("Invalid regex: the patterns of this filter are too large together")
    return regex


def _memory(test: Callable[[bytes], bool]) -> Callable[[bytes], bool]:
    """Remember the answers for short values that come again with every row, such as qualifiers."""
    known: dict[bytes, bool] = {}

    def remembered(value: bytes) -> bool:
        answer = known.get(value)
        if answer is None:
            answer = test(value)
            if len(known) < 10_000 and len(value) < 256:
                known[value] = answer
        return answer

    return remembered


def _known_family(name: str, context: _Context) -> None:
    if name not in context.places:
        raise not_found("Requested column family not found.")


def _family_regex(pattern: str, context: _Context) -> Test:
    if ":" in pattern:
        raise invalid(f"family_name_regex_filter must not contain ':', got '{pattern}'")
    regex = _regex(pattern.encode(), context)
    if regex.literal is not None:
        _known_family(regex.literal.decode(errors="replace"), context)
    matched = {family for family in context.places if regex.matches(family.encode())}
    return lambda cell: cell.family in matched


def _qualifier_regex(pattern: bytes, context: _Context) -> Test:
    matches = _memory(_regex(pattern, context).matches)
    return lambda cell: matches(cell.qualifier)


def _value_regex(pattern: bytes, context: _Context) -> Test:
    matches = _memory(_regex(pattern, context).matches)
    return lambda cell: matches(cell.value)


def _within(message: Message, kind: str) -> Callable[[bytes], bool]:
    """The test of a range of byte strings, whose bounds are called start_<kind>_closed and so on."""
    start_kind, end_kind = message.WhichOneof(f"start_{kind}"), message.WhichOneof(f"end_{kind}")
    start = getattr(message, start_kind) if start_kind else b""
    if end_kind and b"" < getattr(message, end_kind) < start:
        end = getattr(message, end_kind)
        raise invalid(f"A {kind} range must not end before its start, but got {start!r} to {end!r}")
    if start_kind == f"start_{kind}_open":
        start += b"\0"  # the least byte string behind it
    if end_kind is None:
        return lambda value: start <= value
    end = getattr(message, end_kind)
    if end_kind == f"end_{kind}_closed":
        end += b"\0"
    return lambda value: start <= value < end


def _column_range(message: Message, context: _Context) -> Test:
    limits.check_family_id(message.family_name)
    _known_family(message.family_name, context)
    family = message.family_name
    if message.WhichOneof("start_qualifier") is None and message.WhichOneof("end_qualifier") is None:
        return lambda cell: cell.family == family
    within = _memory(_within(message, "qualifier"))
    return lambda cell: cell.family == family and within(cell.qualifier)


def _value_range(message: Message, context: _Context) -> Test:
    within = _within(message, "value")
    return lambda cell: within(cell.value)


def _timestamp_range(message: Message, context: _Context) -> Test:
    start, end = timestamp_bounds(message, context.granule)
    return lambda cell: start <= cell.timestamp < end


def timestamp_bounds(message: Message, granule: int) -> tuple[int, int]:
    """The bounds of a TimestampRange in microseconds; zero as the end means no end."""
    start, end = (
        limits.check_timestamp(getattr(message, name), granule, name)
        for name in ("start_timestamp_micros", "end_timestamp_micros")
    )
    if end and start > end:
        raise invalid(f"Timestamp range must not end before its start, but got [{start}, {end})")
    return start, end or limits.MAX_TIMESTAMP + 1


def _value_bitmask(message: Message, context: _Context) -> Test:
    size, mask = len(message.mask), int.from_bytes(message.mask)
    return lambda cell: len(cell.value) == size and int.from_bytes(cell.value) & mask == mask


_NESTED = {"chain": _chain, "interleave": _interleave, "condition": _condition}
_ROWS: dict[str, Callable[..., Filter]] = {
    "sink": _sink,
    "pass_all_filter": _pass_all,
    "block_all_filter": _block_all,
    "row_key_regex_filter": _row_key_regex,
    "row_sample_filter": _row_sample,
    "cells_per_row_offset_filter": _cells_per_row_offset,
    "cells_per_row_limit_filter": _cells_per_row,
    "cells_per_column_limit_filter": _cells_per_column,
    "strip_value_transformer": _strip_value,
    "apply_label_transformer": _label,
}
_TESTS: dict[str, Callable[..., Test]] = {
    "family_name_regex_filter": _family_regex,
    "column_qualifier_regex_filter": _qualifier_regex,
    "column_range_filter": _column_range,
    "timestamp_range_filter": _timestamp_range,
    "value_regex_filter": _value_regex,
    "value_range_filter": _value_range,
    "value_bitmask_filter": _value_bitmask,
}
