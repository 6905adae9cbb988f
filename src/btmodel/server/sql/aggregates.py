"""Aggregate functions: each takes the values of a group piece by piece."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from operator import and_, or_, xor
from typing import Any

from attrs import frozen

from btmodel.server.request_errors import exhausted
from btmodel.server.view_functions import Failed, int64

Value = Any
MOST = 1_000_000  # groups, sorted rows, or values of an array: what is held in memory


@frozen
class AggregateFunction:
    """How values become one: ``fold`` takes the state, None at first, and more values, which are not NULL unless ``nulls``."""

    fold: Callable[[Any, Sequence[Value]], Any]
    result: Callable[[Any], Value] = lambda state: state
    nulls: bool = False


def _count(state: int | None, values: Sequence[Value]) -> int:
    return (state or 0) + len(values)


def _sum(state: Value, values: Sequence[Value]) -> Value:
    if not values:
        return state
    if isinstance(values[0], float):
        try:
            return math.fsum(values if state is None else [state, *values])
        except OverflowError:
            raise Failed("double overflow in SUM or AVG") from None
        except ValueError:  # infinities of both signs
            return math.nan
    return sum(values, state or 0)


def _mean(state: tuple[Value, int] | None, values: Sequence[Value]) -> tuple[Value, int]:
    total, count = state or (None, 0)
    return _sum(total, values), count + len(values)


def _mean_of(state: tuple[Value, int] | None) -> float | None:
    return None if state is None or not state[1] else state[0] / state[1]


def _extreme(best: Callable[[Sequence[Value]], Value], state: Value, values: Sequence[Value]) -> Value:
    known = values if state is None else [state, *values]
    if known and isinstance(known[0], float) and any(one != one for one in known):
        return math.nan
    return best(known) if known else None


def _all(state: list[Value] | None, values: Sequence[Value]) -> list[Value] | None:
    found = [*(state or ()), *values]
    if len(found) > MOST:
        raise exhausted(
            f"An array of the query has more than {MOST:,} values, which is a limit of the local server"
        )
    return found or None


def _first(state: tuple[Value] | None, values: Sequence[Value]) -> tuple[Value] | None:
    return state or ((values[0],) if values else None)


def _reduced(operate: Callable[[int, int], int], state: int | None, values: Sequence[int]) -> int | None:
    known = values if state is None else [state, *values]
    return reduce(operate, known) if known else None


def _logical(
    combine: Callable[[Sequence[bool]], bool], state: bool | None, values: Sequence[bool]
) -> bool | None:
    known = values if state is None else [state, *values]
    return combine(known) if known else None


AGGREGATES: Mapping[str, AggregateFunction] = {
    "$count_star": AggregateFunction(_count, lambda state: state or 0, nulls=True),
    "any_value": AggregateFunction(_first, lambda state: state[0] if state else None, nulls=True),
    # The service's figure is an estimate: tests should not rest on what that is off by.
    "approx_count_distinct": AggregateFunction(_count, lambda state: state or 0),
    "array_agg": AggregateFunction(_all, nulls=True),
    "avg": AggregateFunction(_mean, _mean_of),
    "bit_and": AggregateFunction(partial(_reduced, and_)),
    "bit_or": AggregateFunction(partial(_reduced, or_)),
    "bit_xor": AggregateFunction(partial(_reduced, xor)),
    "count": AggregateFunction(_count, lambda state: state or 0),
    "countif": AggregateFunction(
        lambda state, values: (state or 0) + values.count(True), lambda state: state or 0
    ),
    "logical_and": AggregateFunction(partial(_logical, all)),
    "logical_or": AggregateFunction(partial(_logical, any)),
    "max": AggregateFunction(partial(_extreme, max)),
    "min": AggregateFunction(partial(_extreme, min)),
    "sum": AggregateFunction(_sum, lambda state: int64(state) if isinstance(state, int) else state),
}
