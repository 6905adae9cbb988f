"""The functions of GoogleSQL that the local server evaluates, by the names that the front end gives them, over Python values.

Aggregate functions take the values of a group piece by piece.
"""

from __future__ import annotations

import base64
import hashlib
import math
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain
from operator import and_, or_, xor
from typing import Any

from attrs import frozen

from btmodel.server.request_errors import exhausted
from btmodel.server.sql.times import TIMES
from btmodel.server.sql.values import bytes_of, rounded
from btmodel.server.view_functions import Failed, int64, substr

Value = Any


def _number(value: Value) -> Value:
    """A result, which must fit into its type."""
    if isinstance(value, int):
        return int64(value)
    if math.isinf(value):
        raise Failed("double overflow")
    return value


def _arithmetic(operate: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    def checked(one: Value, other: Value) -> Value:
        try:
            found = operate(one, other)
        except OverflowError:
            raise Failed("double overflow") from None
        if isinstance(found, int):
            return int64(found)
        if math.isinf(found) and not (math.isinf(one) or math.isinf(other)):
            raise Failed("double overflow")
        return found

    return checked


def _divide(one: float, other: float) -> float:
    if other == 0:
        raise Failed("division by zero")
    return one / other


def _quotient(one: int, other: int) -> int:
    if other == 0:
        raise Failed("division by zero")
    found = abs(one) // abs(other)
    return int64(found if (one < 0) == (other < 0) else -found)


def _remainder(one: int, other: int) -> int:
    return one - _quotient(one, other) * other if abs(other) != 1 else 0


def _real(function: Callable[..., float]) -> Callable[..., float]:
    """A function of reals that fails where it has no value."""

    def checked(*values: float) -> float:
        try:
            return float(function(*values))
        except (ValueError, OverflowError, ZeroDivisionError):
            raise Failed("a number out of the range of the function") from None

    return checked


def _wrapped(number: int) -> int:
    """The lowest 64 bits as a number with a sign."""
    return int.from_bytes((number & (2**64 - 1)).to_bytes(8), signed=True)


def _shift(one: int, places: int, *, left: bool) -> int:
    if places < 0:
        raise Failed("a shift by a negative number")
    if places >= 64:
        return 0
    return _wrapped(one << places if left else (one & (2**64 - 1)) >> places)


def _padded(value: Value, size: int, pad: Value | None = None, *, left: bool) -> Value:
    pad = (b" " if isinstance(value, bytes) else " ") if pad is None else pad
    if size < 0 or not pad:
        raise Failed("a negative size, or nothing to pad with")
    _small(size)
    missing = size - len(value)
    if missing <= 0:
        return value[:size]
    filling = (pad * (missing // len(pad) + 1))[:missing]
    return filling + value if left else value + filling


_MOST = 1 << 20  # of what a function makes out of a number: bytes, or items


def _small(size: int) -> int:
    if size > _MOST:
        raise Failed("a result of more than 1 MiB")
    return size


def _repeated(value: Value, times: int) -> Value:
    if times < 0:
        raise Failed("a negative number of repetitions")
    _small(len(value) * times)
    return value * times


def _split(value: Value, delimiter: Value = ",") -> list[Value]:
    if not delimiter:
        return [value[at : at + 1] for at in range(len(value))] or [value]
    found: list[Value] = value.split(delimiter)
    return found


def _stripped(side: Callable[[Value, Value | None], Value]) -> Callable[..., Value]:
    spaces = " \t\n\v\f\r\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
    return lambda value, of=None: side(value, spaces if of is None else of)


def _concat(*pieces: Value) -> Value:
    return list(chain.from_iterable(pieces)) if isinstance(pieces[0], list) else pieces[0][:0].join(pieces)


def _replaced(value: Value, old: Value, new: Value) -> Value:
    return value.replace(old, new) if old else value


def _position(value: Value, part: Value) -> int:
    found: int = value.find(part)
    return found + 1


def _unpacked(form: str, size: int) -> Callable[[bytes], Value]:
    def read(value: bytes) -> Value:
        if len(value) != size:
            raise Failed(f"expected {size} bytes, got {len(value)}")
        return struct.unpack(form, value)[0]

    return read


def _vector(form: str, size: int) -> Callable[[bytes], list[float]]:
    def read(value: bytes) -> list[float]:
        if len(value) % size:
            raise Failed(f"expected a multiple of {size} bytes, got {len(value)}")
        return list(struct.unpack(f">{len(value) // size}{form}", value))

    return read


def _from_hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text if len(text) % 2 == 0 else f"0{text}")
    except ValueError:
        raise Failed("no hexadecimal digits") from None


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise Failed("no base 64") from None


def _re2() -> Any:
    try:
        import re2
    except ImportError:
        raise Failed("regular expressions and LIKE need `pip install 'btmodel[sql]'`") from None
    return re2


@lru_cache(maxsize=256)
def _expression(pattern: Value) -> Any:
    """A regular expression, as the service has it: it takes linear time, whatever the pattern and the text."""
    re2 = _re2()
    options = re2.Options()
    options.log_errors = False
    if isinstance(pattern, bytes):
        options.encoding = re2.Options.Encoding.LATIN1
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        why = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else error
        raise Failed(f"Invalid regular expression: {why}") from None


def _regexp_contains(value: Value, pattern: Value) -> bool:
    return _expression(pattern).search(value) is not None


def _extracting(pattern: Value) -> Any:
    """An expression, and whether a group of it is meant instead of all that it matches."""
    compiled = _expression(pattern)
    if compiled.groups > 1:
        raise Failed("a regular expression with more than one group")
    return compiled


def _regexp_extract(value: Value, pattern: Value) -> Value:
    compiled = _extracting(pattern)
    match = compiled.search(value)
    return None if match is None else match[compiled.groups]


def _regexp_extract_all(value: Value, pattern: Value) -> list[Value]:
    compiled, found = _extracting(pattern), []
    for match in compiled.finditer(value):
        found.append(match[compiled.groups] or value[:0])
        if match.end() + (match.start() == match.end()) >= len(value):
            break  # the service looks for nothing at the end of a text, unless the first look finds it there
    return found


def _regexp_replace(value: Value, pattern: Value, rewrite: Value) -> Value:
    compiled = _expression(pattern)
    parts = _rewrite(rewrite, compiled.groups)
    found, end = [], 0
    for match in compiled.finditer(value):
        if match.start() == match.end() == end and end:
            continue  # nothing behind a match is none
        found += [
            value[end : match.start()],
            *(one if isinstance(one, type(value)) else match[one] or value[:0] for one in parts),
        ]
        end = match.end()
    return value[:0].join([*found, value[end:]])


@lru_cache(maxsize=256)
def _rewrite(rewrite: Value, groups: int) -> list[Any]:
    """What stands in the place of a match: texts, and the numbers of groups."""
    backslash: Value = "\\" if isinstance(rewrite, str) else b"\\"
    found, rest = [], rewrite
    while rest:
        text, escape, behind = rest.partition(backslash)
        found.append(text)
        sign, rest = behind[:1], behind[1:]
        if not escape:
            break
        if sign == backslash:
            found.append(sign)
        elif sign.isdigit() and int(sign) <= groups:
            found.append(int(sign))
        else:
            raise Failed(
                "a backslash of REGEXP_REPLACE without the number of a group or a backslash behind it"
            )
    return found


@lru_cache(maxsize=256)
def _like_pattern(pattern: Value) -> Any:
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    found, at, escape = ["(?s)"], 0, _re2().escape
    while at < len(text):
        if text[at] == "\\":
            at += 1
            if at == len(text):
                raise Failed("LIKE pattern ends with a backslash")
            found.append(escape(text[at]))
        else:
            found.append({"%": ".*", "_": "."}.get(text[at]) or escape(text[at]))
        at += 1
    whole = "".join(found)
    return _expression(whole.encode("latin-1") if isinstance(pattern, bytes) else whole)


def _like(value: Value, pattern: Value) -> bool:
    return _like_pattern(pattern).fullmatch(value) is not None


def _item(array: Sequence[Value], place: int, *, first: int = 0, safe: bool = False) -> Value:
    at = place - first
    if 0 <= at < len(array):
        return array[at]
    if safe:
        return None
    raise Failed("an array offset out of bounds")


def _generated(start: int, end: int, step: int = 1) -> list[int]:
    if step == 0:
        raise Failed("a step of zero")
    found = range(start, end + (1 if step > 0 else -1), step)
    _small(len(found))
    return list(found)


def _joined(array: Sequence[Value], between: Value, null: Value | None = None) -> Value:
    return between.join(null if one is None else one for one in array if one is not None or null is not None)


def _map_entries(value: Mapping[bytes, Value]) -> list[tuple[bytes, Value]]:
    return list(value.items())


def _digest(name: str) -> Callable[[Value], bytes]:
    return lambda value: hashlib.new(name, bytes_of(value), usedforsecurity=False).digest()


def _points(value: Value) -> list[int]:
    return list(value) if isinstance(value, bytes) else [ord(one) for one in value]


def _from_points(points: Sequence[int], to: Callable[[Sequence[int]], Value]) -> Value:
    try:
        return None if None in points else to(points)
    except (ValueError, OverflowError):
        raise Failed("no code points") from None


def _extreme(best: Callable[[Sequence[Value]], Value]) -> Callable[..., Value]:
    return lambda *values: math.nan if any(value != value for value in values) else best(values)


#: Functions that give NULL where they are given one.
FUNCTIONS: dict[str, Callable[..., Value]] = {
    **TIMES,
    "$equal": lambda one, other: one == other,
    "$not_equal": lambda one, other: one != other,
    "$less": lambda one, other: one < other,
    "$less_or_equal": lambda one, other: one <= other,
    "$greater": lambda one, other: one > other,
    "$greater_or_equal": lambda one, other: one >= other,
    "$not": lambda value: not value,
    "$like": _like,
    "$add": _arithmetic(lambda one, other: one + other),
    "$subtract": _arithmetic(lambda one, other: one - other),
    "$multiply": _arithmetic(lambda one, other: one * other),
    "$divide": _arithmetic(_divide),
    "$unary_minus": lambda value: _number(-value) if isinstance(value, int) else -value,
    "$bitwise_and": lambda one, other: one & other,
    "$bitwise_or": lambda one, other: one | other,
    "$bitwise_xor": lambda one, other: one ^ other,
    "$bitwise_not": lambda value: ~value,
    "$bitwise_left_shift": lambda one, places: _shift(one, places, left=True),
    "$bitwise_right_shift": lambda one, places: _shift(one, places, left=False),
    "bit_count": lambda value: (value & (2**64 - 1)).bit_count(),
    "$concat_op": _concat,
    "$subscript": lambda value, key: value.get(key),
    "$array_at_offset": _item,
    "$array_at_ordinal": lambda array, place: _item(array, place, first=1),
    "$safe_array_at_offset": lambda array, place: _item(array, place, safe=True),
    "$safe_array_at_ordinal": lambda array, place: _item(array, place, first=1, safe=True),
    "abs": lambda value: _number(abs(value)) if isinstance(value, int) else abs(value),
    "sign": lambda value: (
        (value > 0) - (value < 0)
        if isinstance(value, int)
        else value
        if value != value
        else float((value > 0) - (value < 0))
    ),
    "mod": _remainder,
    "div": _quotient,
    "ceil": lambda value: float(math.ceil(value)) if math.isfinite(value) else value,
    "floor": lambda value: float(math.floor(value)) if math.isfinite(value) else value,
    "trunc": lambda value: float(math.trunc(value)) if math.isfinite(value) else value,
    "round": rounded,
    "sqrt": _real(math.sqrt),
    "exp": _real(math.exp),
    "ln": _real(math.log),
    "log": _real(math.log),
    "log10": _real(math.log10),
    "pow": _real(math.pow),
    "sin": _real(math.sin),
    "cos": _real(math.cos),
    "tan": _real(math.tan),
    "asin": _real(math.asin),
    "acos": _real(math.acos),
    "atan": _real(math.atan),
    "atan2": _real(math.atan2),
    "is_nan": math.isnan,
    "is_inf": math.isinf,
    "greatest": _extreme(max),
    "least": _extreme(min),
    "concat": _concat,
    "length": len,
    "char_length": len,
    "byte_length": lambda value: len(bytes_of(value)),
    "lower": lambda value: value.lower(),
    "upper": lambda value: value.upper(),
    "trim": _stripped(lambda value, of: value.strip(of)),
    "ltrim": _stripped(lambda value, of: value.lstrip(of)),
    "rtrim": _stripped(lambda value, of: value.rstrip(of)),
    "substr": substr,
    "left": lambda value, size: substr(value, 1, size),
    "right": lambda value, size: substr(value, -size, size) if size > 0 else substr(value, 1, size),
    "lpad": lambda value, size, pad=None: _padded(value, size, pad, left=True),
    "rpad": lambda value, size, pad=None: _padded(value, size, pad, left=False),
    "repeat": _repeated,
    "replace": _replaced,
    "reverse": lambda value: value[::-1],
    "split": _split,
    "starts_with": lambda value, start: value.startswith(start),
    "ends_with": lambda value, end: value.endswith(end),
    "strpos": _position,
    "regexp_contains": _regexp_contains,
    "regexp_extract": _regexp_extract,
    "regexp_replace": _regexp_replace,
    "regexp_extract_all": _regexp_extract_all,
    "to_hex": lambda value: value.hex(),
    "from_hex": _from_hex,
    "to_base64": lambda value: base64.b64encode(value).decode(),
    "from_base64": _from_base64,
    "to_code_points": _points,
    "code_points_to_bytes": lambda points: _from_points(points, bytes),
    "code_points_to_string": lambda points: _from_points(points, lambda given: "".join(map(chr, given))),
    "safe_convert_bytes_to_string": lambda value: value.decode(errors="replace"),
    "md5": _digest("md5"),
    "sha1": _digest("sha1"),
    "sha256": _digest("sha256"),
    "sha512": _digest("sha512"),
    "array_length": len,
    "array_concat": _concat,
    "array_reverse": lambda array: array[::-1],
    "array_to_string": _joined,
    "array_first": _item,
    "generate_array": _generated,
    "map_keys": lambda value: list(value),
    "map_values": lambda value: list(value.values()),
    "map_entries": _map_entries,
    "map_keys_sorted": lambda value: list(value),
    "map_contains_key": lambda value, key: key in value,
    "map_cardinality": len,
    "map_empty": lambda value: not value,
    "to_int64": _unpacked(">q", 8),
    "to_float32": _unpacked(">f", 4),
    "to_float64": _unpacked(">d", 8),
    "to_vector32": _vector("f", 4),
    "to_vector64": _vector("d", 8),
}
for _name in ("add", "subtract", "multiply", "divide"):
    FUNCTIONS[f"safe_{_name}"] = FUNCTIONS[f"${_name}"]
FUNCTIONS["safe_negate"] = FUNCTIONS["$unary_minus"]
for _alias, _name in {
    "character_length": "char_length",
    "ceiling": "ceil",
    "power": "pow",
    "substring": "substr",
}.items():
    FUNCTIONS[_alias] = FUNCTIONS[_name]


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


def _extreme_of_group(
    best: Callable[[Sequence[Value]], Value], state: Value, values: Sequence[Value]
) -> Value:
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
    "max": AggregateFunction(partial(_extreme_of_group, max)),
    "min": AggregateFunction(partial(_extreme_of_group, min)),
    "sum": AggregateFunction(_sum, lambda state: int64(state) if isinstance(state, int) else state),
}
