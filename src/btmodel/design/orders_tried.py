"""Whether the codecs of users keep the order that they declare, as far as trying them shows."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Any

from btmodel.codecs.key import KeyCodec, Order

# Numbers of one and of several digits, with and without a fraction; a codec may refuse some of them.
_WHOLE = (0, 1, 2, 9, 10, 11, 20, 99, 100, 101, 1_000, 12_345)
_BROKEN = (0.0, 0.25, 0.5, 1.0, 2.0, 9.0, 9.75, 10.25, 20.0, 99.5, 100.0, 101.0, 1_234.5)
# No two days are in the order of their numbers in a month, nor of their months in a year.
_DAYS = (
    date(2029, 12, 31),
    date(2030, 1, 30),
    date(2030, 2, 9),
    date(2030, 2, 10),
    date(2030, 10, 1),
    date(2031, 3, 5),
)
_MOMENTS = tuple(
    datetime(day.year, day.month, day.day, hour, tzinfo=UTC) for day in _DAYS for hour in (3, 14)
)
_LENGTHS = tuple(timedelta(seconds=seconds) for seconds in (0, 1, 9, 10, 59, 60, 100, 3_600, 36_000, 90_000))
_CLIMBING: dict[Any, tuple[Any, ...]] = {
    int: _WHOLE,
    float: _BROKEN,
    Decimal: tuple(map(Decimal, map(str, _BROKEN))),
    date: _DAYS,
    datetime: _MOMENTS,
    timedelta: _LENGTHS,
}
# Numbers with a sign, of what is below zero as often as above.
_BELOW: dict[Any, tuple[Any, ...]] = {
    int: (-20, -3, -2),
    float: (-20.0, -3.0, -2.5),
    Decimal: (Decimal(-20), Decimal(-3), Decimal("-2.5")),
}


@lru_cache(maxsize=256)
def out_of_order(codec: KeyCodec[Any], *, below_zero: bool = False) -> tuple[Any, Any] | None:
    """Two values, the smaller one first, that a codec with a user's functions writes the other way round, though it declares an order; None where it keeps it.

    Values that it refuses are left out, so nothing is known of one that takes few numbers.
    """
    inner = getattr(codec, "codec", None)
    if type(codec).__module__.startswith("btmodel.") and not hasattr(codec, "keeps_order"):
        return out_of_order(inner, below_zero=below_zero) if isinstance(inner, KeyCodec) else None
    if codec.order not in (Order.ASCENDING, Order.DESCENDING):
        return None
    kind = codec.python_type
    values = (*(_BELOW.get(kind, ()) if below_zero else ()), *_CLIMBING.get(kind, ()))
    back = codec.order is Order.DESCENDING
    for (lower, first), (higher, second) in pairwise(_written(codec, values)):
        if (first < second) if back else (first > second):
            return lower, higher
    return None


def _written(codec: KeyCodec[Any], values: Iterable[Any]) -> Iterable[tuple[Any, bytes]]:
    for value in values:
        try:
            made = codec.encode(value)
        except Exception:  # whatever the function of a user raises
            continue
        yield value, made
