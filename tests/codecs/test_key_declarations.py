"""Declarations of key codecs that mean nothing, and formats that mean what they say."""

import inspect
from collections.abc import Callable
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any

import pytest

import btmodel as bt
from btmodel.codecs.key import (
    Base58,
    Base64,
    BigEndian,
    Bytes,
    Constant,
    DateText,
    Descending,
    EnumText,
    EscapedBytes,
    EscapedText,
    Hex,
    HexDigest,
    HexInt,
    Int,
    IsoWeek,
    LengthPrefixed,
    LittleEndian,
    PaddedInt,
    Repeated,
    ReversedDigits,
    ReversedDomain,
    Text,
    TimeText,
    UuidText,
    Week,
)
from btmodel.errors import DeclarationError


class Count(Enum):
    """Members without text."""

    ONE = 1


class Line(Enum):
    """A member that cannot stand in a key."""

    FEED = "\n"


class Void(Enum):
    """A member of no text."""

    NONE = ""


class Empty(Enum):
    """No members."""


PATH = Repeated(Text(max_length=2), most=2)

WRONG: dict[str, Callable[[], object]] = {
    "text without a size": lambda: Text(),
    "text of two sizes": lambda: Text(width=3, max_length=3),
    "text of no width": lambda: Text(width=0),
    "text of negative length": lambda: Text(max_length=-1),
    "text whose least is above its most": lambda: Text(max_length=3, min_length=4),
    "text of a negative least": lambda: Text(max_length=3, min_length=-1),
    "text of a width in words": lambda: Text(width="3"),  # type: ignore[arg-type]
    "text of half a byte": lambda: Text(width=2.5),  # type: ignore[arg-type]
    "text of a true width": lambda: Text(width=True),
    "padded number of no digits": lambda: PaddedInt(0),
    "padded number of true digits": lambda: PaddedInt(True),
    "padded number of digits in words": lambda: PaddedInt("4"),  # type: ignore[arg-type]
    "number of no digits": lambda: Int(0),
    "number of a float of digits": lambda: Int(2.0),  # type: ignore[arg-type]
    "constant of nothing": lambda: Constant(""),
    "constant of a number": lambda: Constant(1),  # type: ignore[arg-type]
    "constant with a newline": lambda: Constant("a\n"),
    "constant with a lone surrogate": lambda: Constant("\ud800"),
    "date of no units": lambda: DateText("day"),
    "date of nothing": lambda: DateText(""),
    "date with a time": lambda: DateText("%Y%m%d%H"),
    "date of a number": lambda: DateText(8),  # type: ignore[arg-type]
    "time without a year": lambda: TimeText("%m%d"),
    "time with a gap": lambda: TimeText("%Y%d"),
    "time of an unknown directive": lambda: TimeText("%Y%m%d%I"),
    "time that names a unit twice": lambda: TimeText("%Y%Y"),
    "time with a lone per cent": lambda: TimeText("%Y%"),
    "time in letters beyond ASCII": lambda: TimeText("%Y年"),
    "time of milliseconds without seconds": lambda: TimeText("%Y%m%d%H%M%3f"),
    "time of two fractions": lambda: TimeText("%Y%m%d%H%M%S%3f%f"),
    "time of a number of digits": lambda: TimeText("%Y%3"),
    "time without zeros": lambda: TimeText("%Y%-m"),
    "date of milliseconds": lambda: DateText("%Y%m%d%H%M%S%3f"),
    "week of the calendar without a year": lambda: IsoWeek("%V"),
    "week of the calendar without a week": lambda: IsoWeek("%G"),
    "week of two years": lambda: IsoWeek("%G%G%V"),
    "week of another year": lambda: IsoWeek("%Y-W%V"),
    "week of the calendar of a number": lambda: IsoWeek(8),  # type: ignore[arg-type]
    "week of no number": lambda: Week("week", origin=date(2021, 3, 1)),
    "week of two numbers": lambda: Week("{n}{n}", origin=date(2021, 3, 1)),
    "week of another name": lambda: Week("{m}", origin=date(2021, 3, 1)),
    "week of no digits": lambda: Week("{n:00}", origin=date(2021, 3, 1)),
    "week of spaces": lambda: Week("{n:4}", origin=date(2021, 3, 1)),
    "week in letters beyond ASCII": lambda: Week("周{n}", origin=date(2021, 3, 1)),
    "week from a Tuesday": lambda: Week("week{n}", origin=date(2021, 3, 2)),
    "week from the last Tuesday": lambda: Week("week{n}", origin=date(9999, 12, 28)),
    "week from a datetime": lambda: Week("week{n}", origin=datetime(2021, 3, 1)),
    "week from text": lambda: Week("week{n}", origin="2021-03-01"),  # type: ignore[arg-type]
    "week from below 0": lambda: Week("week{n}", origin=date(2021, 3, 1), first=-1),
    "week from a true number": lambda: Week("week{n}", origin=date(2021, 3, 1), first=True),
    "week from a number of too many digits": lambda: Week("{n:02}", origin=date(2021, 3, 1), first=100),
    "time with a control character": lambda: TimeText("%Y\n%m"),
    "base 58 of nothing": lambda: Base58(0),
    "base 64 of text": lambda: Base64("3"),  # type: ignore[arg-type]
    "hexadecimal of a true size": lambda: Hex(True),
    "digest of no digits": lambda: HexDigest(0),
    "hexadecimal number of half a digit": lambda: HexInt(0.5),  # type: ignore[arg-type]
    "reversed digits of none": lambda: ReversedDigits(0),
    "bytes without a size": lambda: Bytes(),
    "bytes of two sizes": lambda: Bytes(width=3, max_length=3),
    "bytes of no width": lambda: Bytes(width=0),
    "bytes of a width and a least": lambda: Bytes(width=3, min_length=2),
    "bytes of a width in words": lambda: Bytes(width="3"),  # type: ignore[arg-type]
    "bytes whose least is above their most": lambda: Bytes(max_length=3, min_length=4),
    "a member of no enum": lambda: EnumText("Side"),  # type: ignore[type-var]
    "a member of a class": lambda: EnumText(str),  # type: ignore[type-var]
    "a member of none": lambda: EnumText(Empty),
    "members without text": lambda: EnumText(Count),
    "a member of a control character": lambda: EnumText(Line),
    "a member of no text": lambda: EnumText(Void),
    "descending numbers of no width": lambda: Descending(Int(3)),
    "descending numbers that do not sort": lambda: Descending(ReversedDigits(3)),
    "descending twice": lambda: Descending(Descending(PaddedInt(3))),
    "a descending constant": lambda: Descending(Constant("a")),
    "descending numbers of Python": lambda: Descending(int),  # type: ignore[arg-type]
    "domains of no length": lambda: ReversedDomain(0),
    "domains of a length in words": lambda: ReversedDomain("9"),  # type: ignore[arg-type]
    "escaped text of no length": lambda: EscapedText(0),
    "escaped text whose least is above its most": lambda: EscapedText(3, min_length=4),
    "escaped bytes of a true length": lambda: EscapedBytes(True),
    "the length of a fixed width": lambda: LengthPrefixed(Text(width=3)),
    "the length of text": lambda: LengthPrefixed(str),  # type: ignore[arg-type]
    "a length of 3 bytes": lambda: LengthPrefixed(Text(max_length=3), 3),
    "a length of a true byte": lambda: LengthPrefixed(Text(max_length=3), True),
    "a length that does not fit": lambda: LengthPrefixed(Text(max_length=256)),
    "a number of no bytes": lambda: BigEndian(0),
    "a number of a true byte": lambda: LittleEndian(True),
    "a number with a sign in words": lambda: BigEndian(8, signed="yes"),  # type: ignore[arg-type]
    "a number with a sign of 1": lambda: LittleEndian(8, signed=1),  # type: ignore[arg-type]
    "a path of constants": lambda: Repeated(Constant("a"), most=2),
    "a path of Python's text": lambda: Repeated(str, most=2),  # type: ignore[arg-type]
    "a path of fewer parts than none": lambda: Repeated(Text(max_length=3), least=-1, most=2),
    "a path of less than its least": lambda: Repeated(Text(max_length=3), least=3, most=2),
    "a path of a true number of parts": lambda: Repeated(Text(max_length=3), most=True),
    "a path of no separator": lambda: Repeated(Text(max_length=3), "", most=2),
    "a path of a separator that is no text": lambda: Repeated(Text(max_length=3), "\ud800", most=2),
    "a path separated by a number": lambda: Repeated(Text(max_length=3), 47, most=2),  # type: ignore[arg-type]
    "paths of paths with one separator": lambda: Repeated(PATH, most=2),
    "UUIDs with dashes in words": lambda: UuidText("no"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("declare", WRONG.values(), ids=WRONG)
def test_a_declaration_that_means_nothing_is_refused(declare: Callable[[], object]) -> None:
    """Wrong arguments of a codec are a DeclarationError where they are written, not a crash later."""
    with pytest.raises(DeclarationError):
        declare()


SAID: list[tuple[Callable[[], object], str]] = [
    (
        lambda: Descending(Int(3)),
        "Descending: expected a codec of fixed width whose bytes sort as its values do, got Int(max_digits=3)",
    ),
    (
        lambda: EnumText(Line),
        "EnumText: expected text without control characters as the value of <Line.FEED: '\\n'>",
    ),
    (
        lambda: LengthPrefixed(PaddedInt(2)),
        "LengthPrefixed: expected a codec of no fixed width, got PaddedInt(digits=2)",
    ),
    (
        lambda: LengthPrefixed(Int(300)),
        "LengthPrefixed(codec=Int(max_digits=300)): a length of up to 300 does not fit in 1 byte",
    ),
    (lambda: UuidText(1), "UuidText: expected dashes=True or dashes=False, got 1"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("wrong", "message"), SAID, ids=[message for _, message in SAID])
def test_a_refused_declaration_says_what_was_wanted_and_what_came(
    wrong: Callable[[], object], message: str
) -> None:
    """The message alone tells what to fix."""
    with pytest.raises(DeclarationError) as refusal:
        wrong()
    assert str(refusal.value) == message


@pytest.mark.parametrize("form", ["{%Y}", "%Y{0}", "in %Y", "%Y %m day %d", "year%Y", "%Ymonth%m"])
def test_literal_text_of_a_calendar_format_is_literal(form: str) -> None:
    """Braces and words in a format are plain text."""
    codec = TimeText(form)
    time = datetime(2021, 1, 1, tzinfo=UTC)
    assert codec.encode(time).decode() == time.strftime(form)
    assert codec.decode(codec.encode(time)) == time


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: bt.Text(wdth=6), "Text: unknown argument 'wdth' (did you mean width?)"),
        (
            lambda: bt.IntBytes(4, bytorder="big"),
            "IntBytes: unknown argument 'bytorder' (did you mean byteorder?)",
        ),
        (lambda: bt.EpochMicros(zzz=1), "EpochMicros: unknown argument 'zzz' (known: none)"),
    ],
)
def test_a_misspelt_argument_is_answered_with_the_near_one(make: Callable[[], Any], said: str) -> None:
    """Of every codec, in the words in which a declaration says it."""
    with pytest.raises(DeclarationError) as refused:
        make()
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("codec", "arguments"),
    [
        (bt.Text, "width, max_length, min_length, holds_delimiter, encoding, controls"),
        (bt.Joined, "codecs, separator, record, holds_delimiter"),
        (bt.PerEntry, "codecs, otherwise"),
        (bt.EpochMicros, ""),
    ],
)
def test_help_shows_the_arguments_of_a_codec(codec: type[Any], arguments: str) -> None:
    """As a signature that ``help`` and notebooks show."""
    assert ", ".join(inspect.signature(codec).parameters) == arguments


def test_other_type_errors_of_codecs_are_left_as_they_are() -> None:
    """An argument that is missing, or given twice."""
    with pytest.raises(TypeError, match="missing 1 required"):
        bt.PaddedInt()  # type: ignore[call-arg]


def test_a_misspelt_name_of_btmodel_is_answered_with_the_near_one() -> None:
    """Also where nobody sees the traceback, as in `btmodel check`."""
    with pytest.raises(AttributeError, match=r"no attribute 'max_version' \(did you mean max_versions\?\)$"):
        bt.max_version  # type: ignore[attr-defined]  # noqa: B018
