"""Guesses of key codecs, for fields and qualifiers. To add one: a function, and its line in the table."""

import re
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from attrs import frozen

from btmodel.codecs import Codec, meaning_of
from btmodel.codecs.key import (
    Bytes,
    DateText,
    Descending,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    EscapedText,
    HexDigest,
    Int,
    IsoWeek,
    KeyCodec,
    PaddedInt,
    Repeated,
    ReversedDigits,
    ReversedDomain,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
    Text,
    TimeText,
    UuidText,
)

# Different values from which on it is hardly chance that all of them are of one kind.
SEVERAL = 3
# Different values from which on a width, or a form, that all of them have is meant.
MANY = 20
# Times outside of these are taken for other numbers.
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
LATEST = datetime(2040, 1, 1, tzinfo=UTC)


@frozen
class FieldGuess:
    """What the values of a field seem to be: the codec that fits them all, and why it was chosen.

    ``said`` is the evidence in words, without the number of values. ``name`` is what the field may be
    called, since a table does not know the names of its key fields. ``sure`` is whether this can
    hardly be chance, so that the values are not taken apart any further.
    """

    codec: KeyCodec[Any]
    said: str
    name: str
    sure: bool = False


FieldGuesser = Callable[[Sequence[bytes]], FieldGuess | None]


def fits(codec: Codec[Any], values: Sequence[bytes]) -> bool:
    """Whether every one of ``values`` decodes, and encodes to the same bytes again."""
    try:
        return all(codec.encode(codec.decode(value)) == value for value in values)
    except (ValueError, OverflowError):
        return False


def plausible(times: Sequence[datetime]) -> bool:
    """Whether all ``times`` are such as a table of today holds."""
    return all(EARLIEST <= time < LATEST for time in times)


def between(values: Sequence[date]) -> str:
    """The first and the last day of times or dates: ``2015-03-16 to 2024-07-01``."""
    days = [value.date() if isinstance(value, datetime) else value for value in values]
    return span(min(days), max(days))


def span(least: object, most: object) -> str:
    """The least and the greatest of something: ``2 to 9``, or ``2`` alone."""
    return f"{least}" if least == most else f"{least} to {most}"


def sizes(values: Sequence[bytes]) -> str:
    """The lengths of values: ``6 bytes``, ``3 to 9 bytes``."""
    least, most = (limit(map(len, values)) for limit in (min, max))
    return f"{span(least, most)} byte{'s' * (most != 1)}"


def one_length(values: Sequence[bytes]) -> int | None:
    """The length of all values, or None where they differ."""
    lengths = set(map(len, values))
    return lengths.pop() if len(lengths) == 1 else None


def roomy(values: Collection[bytes]) -> int:
    """A longest length for values such as these: others may be longer, and a few values do not show by how much."""
    longest, few = max(map(len, values)), len(set(values)) < MANY
    room, times = (128, 8) if few else (16, 2)
    while room < times * longest:
        room *= 2
    return max(min(room, 1024), longest)


def binary(values: Sequence[bytes]) -> FieldGuess:
    """Any bytes; of one width where many values have it."""
    width = one_length(values)
    if width and len(set(values)) >= MANY:
        return FieldGuess(Bytes(width=width), f"{sizes(values)}, no text", "id")
    codec = Bytes(max_length=roomy(values), min_length=min(1, *map(len, values), 1))
    return FieldGuess(codec, f"bytes, {sizes(values)}, no text", "id")


_YEARS = range(1970, 2101)
# From the one that says most to the one that digits fit by chance most easily.
_SORTED: tuple[KeyCodec[Any], ...] = (
    *(
        TimeText(form)
        for form in (
            "%Y-%m-%dT%H:%M:%S.%fZ",
            "%Y-%m-%dT%H:%M:%S.%3fZ",
            "%Y-%m-%dT%H:%M:%SZ",
            "%Y-%m-%dT%H:%M:%S",
            "%Y-%m-%dT%H:%MZ",
            "%Y-%m-%dT%H:%M",
            "%Y-%m-%dT%H",
            "%Y-%m-%d %H:%M:%S",
            "%Y-%m-%d-%H-%M-%S",
            "%Y-%m-%d-%H-%M",
            "%Y-%m-%d-%H%M%S",
            "%Y-%m-%d-%H%M",
            "%Y%m%d-%H%M",
            "%Y-%m-%d %H:%M",
            "%Y-%m-%d-%H",
            "%Y%m%dT%H%M%SZ",
            "%Y%m%dT%H%M%S",
            "%Y%m%d-%H%M%S",
            "%Y%m%d%H%M%S%f",
            "%Y%m%d%H%M%S%3f",
            "%Y%m%d%H%M%S",
            "%Y%m%d%H%M",
            "%Y%m%d%H",
        )
    ),
    *(DateText(form) for form in ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d")),
    *(IsoWeek(form) for form in ("%G-W%V", "%GW%V")),
)
# Of these, days that could be months as well decide nothing: only one of a pair may fit.
_UNSORTED = tuple(
    (DateText(f"%d{mark}%m{mark}%Y"), DateText(f"%m{mark}%d{mark}%Y")) for mark in ("-", "/", ".")
)
# So are a year and a number that counts up in it, until there are more than twelve.
_MONTHS = tuple(DateText(form) for form in ("%Y-%m", "%Y/%m", "%Y%m"))
_NAMES = {"year": "year", "month": "month", "day": "day", "week": "week"}


def calendar(values: Sequence[bytes]) -> FieldGuess | None:
    """Text of a calendar format, with years from 1970 to 2100."""
    length = len(values[0])
    for codec in _SORTED:
        if codec.length.fixed == length and _plausible(codec, values):
            return _guess(codec, values)
    for pair in _UNSORTED:
        fitting = [codec for codec in pair if codec.length.fixed == length and _plausible(codec, values)]
        if len(fitting) == 1:
            return _guess(fitting[0], values)
    months = (codec for codec in _MONTHS if codec.length.fixed == length and _plausible(codec, values))
    return next((_guess(codec, values) for codec in months if _spread(codec, values)), None)


def _plausible(codec: KeyCodec[Any], values: Sequence[bytes]) -> bool:
    return fits(codec, values) and all(codec.decode(value).year in _YEARS for value in values)


def _spread(codec: DateText, values: Sequence[bytes]) -> bool:
    """Whether these are months of several years: of one, numbers that count up from 1 look the same."""
    return len(set(values)) >= SEVERAL and len({codec.decode(value).year for value in values}) > 1


def _guess(codec: KeyCodec[Any], values: Sequence[bytes]) -> FieldGuess:
    written = codec.format if isinstance(codec, DateText | TimeText | IsoWeek) else meaning_of(codec)
    form = written if isinstance(written, str) else written.text
    name = _NAMES.get(str(codec.granularity), "time")
    return FieldGuess(codec, f"{form}, {between([codec.decode(value) for value in values])}", name, sure=True)


_DIGITS = 10
_MOST_DIGITS = 100
# Digits of a 64-bit number: a counter may well grow to as many.
_ROOM = 19
# Times that each of the ten digits comes on average, from which on there is no other number to come.
_EACH = 5


def reversed_digits(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits of one length of which all end with zeros, and some, but few, begin with one: padded, then turned round.

    Round numbers end with zeros, too. They begin with one where they are padded alone, and with several then.
    """
    width = one_length(values)
    if width is None or not 4 <= width <= _MOST_DIGITS or len(set(values)) < MANY:
        return None
    leading = sum(value.startswith(b"0") for value in values)
    if not all(value.endswith(b"00") for value in values) or not 0 < 4 * leading <= len(values):
        return None
    codec = ReversedDigits(width)
    said = f"{width} digits, zeros on the right: a number backwards"
    return FieldGuess(codec, said, "number", sure=True) if fits(codec, values) else None


def padded(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits of one length, of which some begin with zero; or a single one, where all ten of them come often."""
    width = one_length(values)
    if width is None or not 1 <= width <= _MOST_DIGITS or not all(value.isdigit() for value in values):
        return None
    zeros = sum(value.startswith(b"0") for value in values)
    all_ten = len(set(values)) == _DIGITS and len(values) >= _EACH * _DIGITS
    if not (zeros if width > 1 else all_ten):
        return None
    said = (
        f"{width} digits, {zeros:,} of them with zeros on the left"
        if width > 1
        else "1 digit, any of the ten"
    )
    return FieldGuess(PaddedInt(width), said, "number", sure=True)


def unpadded(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits of which none begins with zero: numbers that were not padded, as far as the sample shows."""
    longest = max(map(len, values))
    codec = Int(max(_ROOM, longest))
    if not 0 < longest <= _MOST_DIGITS or not fits(codec, values):
        return None
    least, most = (limit(map(int, values)) for limit in (min, max))
    return FieldGuess(codec, f"a number without zeros on the left, {span(least, most)}", "number", sure=True)


_TOP = frozenset(
    b"com org net edu gov mil int info biz io dev app ai co uk de fr nl eu us ca au jp cn in br ru it es ch at"
    b" se no pl be dk fi ie nz za kr tw mx".split()
)


_LABELS = re.compile(rb"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


def reversed_domain(values: Sequence[bytes]) -> FieldGuess | None:
    """Three or more of labels between dots: the first is a top-level domain in all values, and the last in few."""
    labels = [value.split(b".") for value in values]
    last = sum(label[-1] in _TOP for label in labels)
    if (
        len(set(values)) < SEVERAL
        or not all(map(_LABELS.fullmatch, values))
        or not all(label[0] in _TOP for label in labels)
        or 4 * last > len(values)
    ):
        return None
    codec = ReversedDomain(roomy(values))
    said = f"a domain in reverse, {sizes(values)}"
    return FieldGuess(codec, said, "domain", sure=True) if fits(codec, values) else None


_UPWARD: tuple[KeyCodec[Any], ...] = (EpochSeconds(), EpochMillis(), EpochMicros())
_DOWNWARD: tuple[KeyCodec[Any], ...] = (ReversedSeconds(), ReversedMillis(), ReversedMicros())
_COMPLEMENTS: tuple[KeyCodec[Any], ...] = tuple(Descending(codec) for codec in _UPWARD)
# One number in eight of ten digits is a time from 2000 to 2040: one or two prove nothing, but for longer
# ones, which hardly anything else is, of the years that tables of today are written in.
_SHORT = 10
_TODAY = (datetime(2010, 1, 1, tzinfo=UTC), datetime(2035, 1, 1, tzinfo=UTC))


def epoch(values: Sequence[bytes]) -> FieldGuess | None:
    """10, 13 or 16 digits that are times from 2000 to 2040 as seconds, milliseconds or microseconds."""
    found = _first(_UPWARD, values, "since 1970")
    if found is None or len(set(values)) >= SEVERAL:
        return found
    times = [found.codec.decode(value) for value in values]
    return found if len(values[0]) > _SHORT and _TODAY[0] <= min(times) and max(times) < _TODAY[1] else None


def reversed_epoch(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits that count down to such a time from 2**63 - 1, or, where many do, from as many nines.

    One number in eight is such a time counted from nines, and hardly anybody means it.
    """
    codecs = (*_DOWNWARD, *_COMPLEMENTS) if len(set(values)) >= MANY else _DOWNWARD
    return _first(codecs, values, "reversed, the newest first")


def _first(codecs: Sequence[KeyCodec[Any]], values: Sequence[bytes], how: str) -> FieldGuess | None:
    length = len(values[0])
    for codec in codecs:
        if codec.length.fixed != length or not fits(codec, values):
            continue
        times = [codec.decode(value) for value in values]
        if plausible(times):
            said = f"{length} digits, {codec.granularity}s {how}, {between(times)}"
            return FieldGuess(codec, said, "time", sure=True)
    return None


_SHORTEST = 8
# As many digits as ids of MongoDB, MD5, SHA-1 and the SHA-2 family have: one alone is enough.
_USUAL = frozenset({24, 32, 40, 56, 64, 96, 128})


def hexadecimal(values: Sequence[bytes]) -> FieldGuess | None:
    """Lower-case hexadecimal digits of one length, 8 or more, letters and decimal digits among them.

    Of a length that no usual digest has, there have to be many, or several and zeros on the left: few may be
    words, or numbers that grow longer.
    """
    width = one_length(values)
    if width is None or width < _SHORTEST or not fits(HexDigest(width), values):
        return None
    fewest = SEVERAL if any(value.startswith(b"0") for value in values) else MANY
    if width not in _USUAL and len(set(values)) < fewest:
        return None
    letters = b"".join(values)
    if letters.isdigit() or letters.isalpha():
        return None
    return FieldGuess(HexDigest(width), f"{width} hexadecimal digits", "digest", sure=True)


_SLASH = b"/"
_MOST = 8


def path(values: Sequence[bytes]) -> FieldGuess | None:
    """Names with slashes between them, whose number differs."""
    parts = [value.split(_SLASH) for value in values]
    least, most = (limit(map(len, parts)) for limit in (min, max))
    if most < 2 or least == most or not all(all(part) for part in parts):
        return None
    names = [name for part in parts for name in part]
    codec = Repeated(Text(max_length=roomy(names)), _SLASH, most=max(_MOST, 2 * most))
    said = f"{least} to {most} names with slashes between them"
    return FieldGuess(codec, said, "path") if fits(codec, values) else None


_END = b"\0\x01"


def padded_text(values: Sequence[bytes]) -> FieldGuess | None:
    """Text of one length, which comes from spaces behind names of several."""
    width = one_length(values)
    spaces = sum(value.endswith(b" ") for value in values)
    names = {len(value.rstrip(b" ")) for value in values}
    if not width or not spaces or len(names) == 1 or not fits(Text(width=width), values):
        return None
    said = f"{width} bytes, {spaces:,} of them padded with spaces"
    return FieldGuess(Text(width=width), said, "name")


def escaped(values: Sequence[bytes]) -> FieldGuess | None:
    """Text that ends with 00 01, with every NUL in it escaped."""
    if not all(value.endswith(_END) for value in values):
        return None
    codec = EscapedText(roomy(values))
    said = f"text that ends with 00 01, {sizes(values)}"
    return FieldGuess(codec, said, "name") if fits(codec, values) else None


def text(values: Sequence[bytes]) -> FieldGuess | None:
    """Any text without control characters."""
    codec = Text(max_length=roomy(values), min_length=min(1, *map(len, values), 1))
    return FieldGuess(codec, f"text, {sizes(values)}", "name") if fits(codec, values) else None


_VERSIONS = range(1, 9)


def uuid_text(values: Sequence[bytes]) -> FieldGuess | None:
    """Text of UUIDs; without dashes only where several say a version, for any digest has as many digits."""
    if fits(UuidText(), values):
        return FieldGuess(UuidText(), "the text of a UUID", "id", sure=True)
    several = len(set(values)) >= SEVERAL and fits(UuidText(dashes=False), values)
    if several and all(_says_version(value) for value in values):
        return FieldGuess(UuidText(dashes=False), "the text of a UUID, without dashes", "id", sure=True)
    return None


def _says_version(value: bytes) -> bool:
    found = UUID(value.decode())
    return found.version in _VERSIONS


_MAIL = re.compile(rb"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_URL = re.compile(rb"[a-z][a-z0-9+.-]*://[^\s#|]+")


def mail_address(values: Sequence[bytes]) -> FieldGuess | None:
    """Mail addresses."""
    return _text(values, _MAIL, "a mail address", "mail")


def url(values: Sequence[bytes]) -> FieldGuess | None:
    """Addresses of the web."""
    return _text(values, _URL, "a URL", "url")


def _text(values: Sequence[bytes], form: re.Pattern[bytes], what: str, name: str) -> FieldGuess | None:
    codec = Text(max_length=roomy(values))
    if not all(map(form.fullmatch, values)) or not fits(codec, values):
        return None
    return FieldGuess(codec, f"{what}, {sizes(values)}", name, sure=True)


# The first that fits all values is taken, so what says most stands in front.
FIELDS: tuple[FieldGuesser, ...] = (
    uuid_text,
    calendar,
    epoch,
    reversed_epoch,
    reversed_digits,
    padded,
    unpadded,
    hexadecimal,
    reversed_domain,
    mail_address,
    url,
    padded_text,
    escaped,
    path,
    text,
)


def guess_field(values: Sequence[bytes]) -> FieldGuess:
    """What ``values``, of which there is at least one, seem to be: whatever fails, they are bytes."""
    found = (guess(values) for guess in FIELDS)
    return next((guess for guess in found if guess is not None), None) or binary(values)
