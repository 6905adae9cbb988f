"""The built-in codecs as source text, and the builder of source text, for code that is generated for one model.

Such code runs for every row, where calling a codec costs more than what it does. So
the codecs that are met the most are written down here a second time, as expressions, for
the values that are met the most: whatever an expression is not certain of is left to the codec
itself, which alone decides what is refused. A property test holds each to its codec.

A codec that is not in the tables, as one of a user's, is called.
"""

import linecache
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import count
from struct import Struct
from typing import Any, TypeVar
from uuid import UUID

from attrs import Factory, frozen

from btmodel.codecs.aware_times import EPOCH
from btmodel.codecs.cell import (
    CellCodec,
    DecimalNumber,
    DecimalText,
    EnumValue,
    Flag,
    Float64,
    Int64,
    IsoDate,
    Micros,
    Raw,
    Utf8,
    UuidBytes,
)
from btmodel.codecs.key import (
    Boolean,
    Constant,
    DateText,
    EnumText,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    Int,
    KeyCodec,
    PaddedInt,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
    Text,
    TimeText,
)
from btmodel.codecs.key.epoch import GREATEST
from btmodel.errors import ValueRefused
from btmodel.value import Value

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST_KEPT = 4_096  # results


class Memo(dict[K, V]):
    """``memo[x]`` is ``function(x)``, kept for the next time; what it raises is raised, and not kept.

    It is emptied when it is full, so that its memory is bounded however many values there are.
    """

    __slots__ = ("_function", "_most")

    def __init__(self, function: Callable[[K], V], most: int = MOST_KEPT) -> None:
        super().__init__()
        self._function = function
        self._most = most

    def __missing__(self, key: K) -> V:
        value = self._function(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value


_INT64 = Struct(">q")
_FLOAT64 = Struct(">d")
_MICROSECOND = timedelta(microseconds=1)
_LEAST = (datetime.min.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND
_MOST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND


@frozen(eq=False, repr=False)
class InlineCell(Value):
    """One cell codec as expressions; ``$`` stands for the variable, ``$_`` for another of its own.

    Where ``takes`` is true of a value, ``written`` is its bytes, as the codec's. ``read`` is
    the value of bytes for which ``holds`` is true; it may raise for others, but never gives a value
    where the codec would refuse. ``size`` is the number of bytes of every value, where it is fixed.
    Where such bytes are a number of some ``layout``, that is what ``$`` stands for in ``read``.
    ``names`` are what the expressions refer to.
    """

    takes: str
    written: str
    read: str
    holds: str = ""
    size: int | None = None
    layout: Struct | None = None
    names: Mapping[str, Any] = Factory(dict)


def cell_inline(codec: CellCodec[Any]) -> InlineCell | None:
    """The expressions of ``codec``; None where it must be called."""
    found = _CELLS.get(type(codec))
    return found(codec) if callable(found) else found


def _enum(codec: EnumValue) -> InlineCell | None:
    """Both ways are tables: the members are few."""
    written = {}
    for member in codec.enum:
        with suppress(ValueRefused):
            written[member] = codec.encode(member)
    read = {raw: codec.decode(raw) for raw in written.values()}
    sizes = {len(raw) for raw in read}
    return InlineCell(
        takes="type($) is enum_$",
        written="written_$[$]",
        read="read_$[$]",
        size=sizes.pop() if len(sizes) == 1 else None,
        names={"enum_$": codec.enum, "written_$": written, "read_$": read},
    )


def _remembered_cell(codec: CellCodec[Any]) -> InlineCell:
    """Decoding is looked up: days come again and again."""
    return InlineCell(
        takes="type($) is date_$",
        written="$.isoformat().encode()",
        read="read_$[$]",
        size=10,
        names={"date_$": codec.python_type, "read_$": Memo(codec.decode)},
    )


_CELLS: dict[type, InlineCell | Callable[[Any], InlineCell | None]] = {
    Utf8: InlineCell(takes="type($) is str", written="$.encode()", read="$.decode()"),
    Raw: InlineCell(takes="type($) is bytes", written="$", read="$"),
    Int64: InlineCell(
        takes="type($) is int",
        written="pack_int64($)",
        read="$",
        size=8,
        layout=_INT64,
        names={"pack_int64": _INT64.pack},
    ),
    Float64: InlineCell(
        takes="type($) is float",
        written="pack_float64($)",
        read="$",
        size=8,
        layout=_FLOAT64,
        names={"pack_float64": _FLOAT64.pack},
    ),
    Flag: InlineCell(
        takes="type($) is bool",
        written='(b"\\x01" if $ else b"\\x00")',
        read="flags[$]",
        size=1,
        names={"flags": {b"\0": False, b"\1": True}},
    ),
    # Written anew, a number proves its digits: `int` also takes signs, spaces and underscores.
    DecimalText: InlineCell(
        takes="type($) is int and -1_000_000_000_000 < $ < 1_000_000_000_000",
        written='b"%d" % $',
        read="$_",
        holds='len($) < 14 and b"%d" % ($_ := int($)) == $',
    ),
    DecimalNumber: InlineCell(
        takes="type($) is Decimal and $.is_finite()",
        written="str($).encode()",
        read="decimals[$]",
        names={"Decimal": Decimal, "decimals": Memo(DecimalNumber().decode)},
    ),
    Micros: InlineCell(
        takes="type($) is datetime and least_micros <= ($_ := ($ - EPOCH) // MICROSECOND) <= most_micros",
        written="pack_int64($_)",
        read="EPOCH + timedelta(0, 0, $)",
        size=8,
        layout=_INT64,
        names={
            "datetime": datetime,
            "timedelta": timedelta,
            "EPOCH": EPOCH,
            "MICROSECOND": _MICROSECOND,
            "least_micros": _LEAST,
            "most_micros": _MOST,
            "pack_int64": _INT64.pack,
        },
    ),
    IsoDate: _remembered_cell,
    UuidBytes: InlineCell(
        takes="type($) is UUID",
        written="$.bytes",
        read="UUID(bytes=$)",
        size=16,
        names={"UUID": UUID},
    ),
    EnumValue: _enum,
}


_DAY = 86_400_000_000  # microseconds


@frozen(eq=False, repr=False)
class InlineKey(Value):
    """One key codec as expressions; ``$`` stands for the variable, ``$_`` for another of its own.

    Where ``takes`` is true of a value, the f-string ``written`` is its text, as the codec's: ASCII without the
    delimiter. ``read`` is the value of bytes for which ``holds`` is true; it may raise for others, but never
    gives a value where the codec would refuse. Unless it is ``sized``, the bytes must be known to be as many as
    the codec allows. ``names`` are what the expressions refer to.
    """

    takes: str
    written: str
    read: str
    holds: str = ""
    sized: bool = False
    names: Mapping[str, Any] = Factory(dict)


def key_inline(codec: KeyCodec[Any], delimiter: str = "", *, few: bool = False) -> InlineKey | None:
    """The expressions of ``codec``; None where it must be called.

    Values that hold the ``delimiter``, one character that is neither a letter nor a digit, are left to the
    codec. With ``few`` there are so few values that they come again and again.
    """
    if few and type(codec) in (Text, PaddedInt, Int):
        return _remembered(codec, delimiter)
    found = _KEYS.get(type(codec))
    return found(codec, delimiter) if found else None


def _text(codec: Text, delimiter: str) -> InlineKey | None:
    """Most text is letters and digits, which one test shows; in most encodings they are those of ASCII."""
    if codec.wide:
        return None
    most, least = codec.length.most, codec.min_length
    size = f"{least} <= len($) <= {most}" if least > 1 else f"len($) <= {most}"
    some = "$ and " if least else ""
    apart = f" and {delimiter!r} not in $" if delimiter else ""
    # Padding would look like a space at the end.
    unpadded = ' and $[-1:] != " "' if codec.width else ""
    takes = f"type($) is str and {size} and $.isascii() and ($.isalnum() or {some}$.isprintable(){apart}{unpadded})"
    apart = f" and {delimiter.encode()!r} not in $" if delimiter else ""
    holds = f"{size} and ($.isalnum() or {some}$.isascii() and $.decode().isprintable(){apart})"
    if codec.width is None:
        return InlineKey(takes, "{$}", "$.decode()", holds, sized=True)
    stripped = holds.replace("$", "$_").replace("$_", '($_ := $.rstrip(b" "))', 1)
    return InlineKey(takes, f"{{$.ljust({most})}}", "$_.decode()", stripped)


def _padded(codec: PaddedInt, delimiter: str) -> InlineKey:
    takes = f"type($) is int and 0 <= $ <= {codec.most}"
    # Half the time of a format with zeros.
    return InlineKey(takes, f"{{str($).zfill({codec.digits})}}", "int($)", "$.isdigit()")


def _whole(codec: Int, delimiter: str) -> InlineKey:
    takes = f"type($) is int and 0 <= $ <= {codec.most}"
    return InlineKey(takes, "{$}", "int($)", '$.isdigit() and ($[0] != 48 or $ == b"0")')


def _epoch(codec: EpochSeconds | EpochMillis | EpochMicros, delimiter: str) -> InlineKey:
    return InlineKey(
        # From the day on from which no zeros stand on the left.
        takes=_takes_time(
            codec.micros, *(10**digits * codec.micros // _DAY for digits in (codec.digits - 1, codec.digits))
        ),
        written=f"{{{_count(codec.micros)}}}",
        read=f"EPOCH + int($) * unit_{codec.micros}",
        holds="$.isdigit()",
        names=_times(codec.micros),
    )


def _reversed(codec: ReversedSeconds | ReversedMillis | ReversedMicros, delimiter: str) -> InlineKey:
    return InlineKey(
        takes=_takes_time(codec.micros, -1, (datetime.max.replace(tzinfo=UTC) - EPOCH).days),
        written=f"{{{GREATEST} - {_count(codec.micros)}}}",
        read=f"EPOCH + ({GREATEST} - int($)) * unit_{codec.micros}",
        holds=f'$.isdigit() and $ <= b"{GREATEST}"',
        names=_times(codec.micros),
    )


def _takes_time(micros: int, after: int, before: int) -> str:
    """Of a time: that it lies between two days, counted since 1970, and is whole in the unit of ``micros``."""
    whole = {1: "", 1_000: " and not $_.microseconds % 1000", 1_000_000: " and not $_.microseconds"}[micros]
    return f"type($) is datetime and {after} < ($_ := $ - EPOCH).days < {before}{whole}"


def _count(micros: int) -> str:
    """How many units lie in ``$_``; to divide the whole time by a unit takes longer."""
    fraction = {1: " + $_.microseconds", 1_000: " + $_.microseconds // 1000", 1_000_000: ""}[micros]
    return f"(($_.days * 86400 + $_.seconds) * {1_000_000 // micros}{fraction})"


def _times(micros: int) -> dict[str, Any]:
    return {
        "datetime": datetime,
        "EPOCH": EPOCH,
        f"unit_{micros}": timedelta(microseconds=micros),
    }


def _remembered(codec: KeyCodec[Any], delimiter: str) -> InlineKey:
    """Both ways are looked up: days, minutes and members of enums come again and again."""

    def text(value: Any) -> str:
        return _without(delimiter, codec.encode(value)).decode("ascii")

    def value(raw: bytes) -> Any:
        return codec.decode(_without(delimiter, raw))

    return InlineKey(
        # Times of another zone may be equal, and yet not the same time: its clock shows an hour twice.
        takes="type($) is datetime and $.tzinfo is UTC"
        if codec.python_type is datetime
        else "type($) is type_$",
        written="{texts_$[$]}",
        read="values_$[$]",
        sized=True,
        names={
            "datetime": datetime,
            "UTC": UTC,
            "type_$": codec.python_type,
            "texts_$": Memo(text),
            "values_$": Memo(value),
        },
    )


def _minutes(codec: TimeText, delimiter: str) -> InlineKey:
    """Minutes of years are too many to be kept; their days and the minutes of a day are few."""
    if codec.format.text != "%Y%m%d%H%M":
        return _remembered(codec, delimiter)

    def day_text(day: int) -> str:
        return codec.encode(datetime.combine(datetime.fromordinal(day), time(tzinfo=UTC))).decode()[:8]

    def day(raw: bytes) -> date:
        return codec.decode(raw + b"0000").date()

    def clock(raw: bytes) -> time:
        return codec.decode(b"20000101" + raw).timetz()

    return InlineKey(
        takes="type($) is datetime and $.tzinfo is UTC and not $.second and not $.microsecond",
        written="{days_$[$.toordinal()]}{clocks_$[$.hour * 60 + $.minute]}",
        read="combine(dates_$[$[:8]], times_$[$[8:]])",
        names={
            "datetime": datetime,
            "UTC": UTC,
            "combine": datetime.combine,
            "days_$": Memo(day_text),
            "clocks_$": [f"{hour:02}{minute:02}" for hour in range(24) for minute in range(60)],
            "dates_$": Memo(day),
            "times_$": Memo(clock),
        },
    )


def _without(delimiter: str, raw: bytes) -> bytes:
    """``raw``, if it may stand between delimiters."""
    if not raw.isascii() or (delimiter and delimiter.encode() in raw):
        raise ValueError(raw)
    return raw


def _constant(codec: Constant, delimiter: str) -> InlineKey | None:
    if not isinstance(codec.text, str) or not codec.text.isascii():
        return None
    return InlineKey(takes="", written="", read="", holds=f"$ == {codec.raw!r}", sized=True)


_KEYS: dict[type, Callable[[Any, str], InlineKey | None]] = {
    Text: _text,
    PaddedInt: _padded,
    Int: _whole,
    EpochSeconds: _epoch,
    EpochMillis: _epoch,
    EpochMicros: _epoch,
    ReversedSeconds: _reversed,
    ReversedMillis: _reversed,
    ReversedMicros: _reversed,
    DateText: _remembered,
    TimeText: _minutes,
    EnumText: _remembered,
    Boolean: _remembered,
    Constant: _constant,
}


_NUMBERS = count(1)


class FunctionSource:
    """A function that is being written: its lines, and the objects that they refer to by name."""

    def __init__(self) -> None:
        self._names: dict[str, Any] = {}
        self._lines: list[str] = []
        self._depth = 0

    def line(self, *lines: str) -> None:
        """Add lines at the depth that has been reached."""
        self._lines += ("    " * self._depth + line for line in lines)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Add ``head``, and one level deeper what is added within."""
        self.line(head)
        self._depth += 1
        yield
        self._depth -= 1

    @contextmanager
    def guarded(self, otherwise: str) -> Iterator[None]:
        """Do what is added within, and ``otherwise`` where any of it fails: the plain codec then says why."""
        with self.block("try:"):
            yield
        with self.block("except Exception:"):
            self.line(otherwise)

    def name_all(self, names: Mapping[str, Any], variable: str) -> None:
        """Take in what an inline expression of ``variable`` refers to."""
        for name, value in names.items():
            self._names[name.replace("$", variable)] = value

    def name(self, value: object) -> str:
        """A name for ``value``."""
        name = f"c{len(self._names)}"
        self._names[name] = value
        return name

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self._lines) + "\n"

    def function(self, name: str, of: str) -> Any:
        """Compile, and give the function ``name``; ``of`` says in a traceback what it is for."""
        file = f"<btmodel {next(_NUMBERS)}: {of!r}>"
        text = self.text
        scope: dict[str, Any] = {"__name__": "btmodel.generated", **self._names}
        exec(compile(text, file, "exec"), scope)
        # A traceback shows the lines, as it does for the constructors that attrs writes.
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        return scope[name]
