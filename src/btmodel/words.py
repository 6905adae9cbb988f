"""The words of messages: counts, lists, natural order, near names, and text without control characters."""

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from keyword import iskeyword


def counted(count: int, noun: str) -> str:
    """A number of things: ``1 value``, ``2,000 values``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_SIZES = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def size_text(count: float) -> str:
    """Bytes in the unit that suits them, of 1,024 each: ``87 bytes``, ``1.5 KiB``, ``240 MiB``."""
    scaled, unit = count, 0
    while round(scaled) >= 1024 and unit + 1 < len(_SIZES):
        scaled, unit = scaled / 1024, unit + 1
    if not unit:
        return counted(round(count), "byte")
    figure = f"{scaled:,.{1 if scaled < 10 else 0}f}".removesuffix(".0")
    return f"{figure} {_SIZES[unit]}"


_DURATIONS = {
    name: timedelta(**{f"{name}s": 1})
    for name in ("day", "hour", "minute", "second", "millisecond", "microsecond")
}


def duration_text(duration: timedelta) -> str:
    """A duration in the largest unit of which it is a whole number: ``3 days``, ``1,500 milliseconds``."""
    unit, length = next((unit, length) for unit, length in _DURATIONS.items() if not duration % length)
    return counted(duration // length, unit)


# What stands in front of the id of a view where requests name it; a table's id is without.
VIEWS = "materializedViews/"


def place_text(table: str, *, quoted: bool = False) -> str:
    """The place of rows, which requests name ``table``, as users name it: ``table QUOTE``, ``view QUOTE_BY_SIZE``."""
    kind, id = ("view", table.removeprefix(VIEWS)) if table.startswith(VIEWS) else ("table", table)
    return f"{kind} {id!r}" if quoted else f"{kind} {id}"


_NUMBER = re.compile(r"([0-9]+)")


def natural(name: str) -> tuple[tuple[str | int, ...], str]:
    """The sort key of ``name``; names that count alike, such as ``T1`` and ``T01``, stay in the order of their texts."""
    # Texts and numbers take turns, a text first, so that like is compared with like.
    parts = _NUMBER.split(name)
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts)), name


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


# What begins with a U that is spoken as "you": ``a user``, ``a UUID``, ``a unit``, and not ``an update``.
_SPOKEN_YOU = re.compile("(?i)u(?:ni(?!n)|s[aeu]|uid|ri|rl|t[cfi])").match


def one(noun: str) -> str:
    """One thing: ``an hour``, ``a day``; what has a number keeps it: ``28 days``."""
    if noun[0].isdigit():
        return noun
    vowel = noun[0] in "aeiouAEIOU" and not _SPOKEN_YOU(noun)
    return f"{'an' if noun == 'hour' or vowel else 'a'} {noun}"


def words(name: str) -> list[str]:
    """The words of a name in snake case or camel case: ``user_email`` and ``userEmail`` have two."""
    return _WORD.findall(name)


def clauses(parts: Sequence[str]) -> str:
    """Clauses as one: ``a``, ``a, and b``, ``a, b, and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def quoted(names: Iterable[str]) -> str:
    """The names as code, one after the other."""
    return ", ".join(f"`{name}`" for name in names)


def meant(wrong: str, names: Iterable[str], known: str = "known") -> str:
    """A hint after a wrong name, in parentheses: the names that are :func:`near` to it, or else all ``known`` names."""
    names = [*names]
    return did_you_mean(near(wrong, names)) or f" ({known}: {', '.join(names) or 'none'})"


def did_you_mean(names: Iterable[str]) -> str:
    """The question that offers these names, in parentheses after what was wrong; nothing where no name is offered."""
    offered = " or ".join(names)
    return f" (did you mean {offered}?)" if offered else ""


def near(wrong: str, names: Iterable[str], alike: float = 0.6) -> list[str]:
    """The names that are near to ``wrong``, whatever its case, the nearest first: ``alike`` is 1 for the same text."""
    from difflib import get_close_matches  # not at the top: only errors need it

    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(name.casefold(), []).append(name)
    return [name for close in get_close_matches(wrong.casefold(), folded, 3, alike) for name in folded[close]]


# Whatever names, keys, delimiters and documentation hold passes through here on its way into an error, a repr
# or a terminal.

_OF_A_LINE = re.compile(r"[^\n\t]+")


def printable(text: str) -> str:
    """``text`` with its hidden characters by their numbers, ``\\x1b`` and ``\\u202e``; it keeps its lines and tabs."""
    if text.isprintable():  # as nearly all is
        return text
    return _OF_A_LINE.sub(lambda found: one_line(found[0]), text)


def one_line(text: str) -> str:
    """``text`` on one line: the end of a line is a hidden character, too."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def as_text(raw: bytes) -> str:
    """Bytes as text, ``\\xNN`` for those that are none and a backslash doubled: as ``btmodel explain`` reads them."""
    text = raw.decode("utf-8", "surrogateescape").replace("\\", "\\\\")
    return "".join(one if one.isprintable() else _by_bytes(one) for one in text)


def _by_bytes(one: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in one.encode("utf-8", "surrogateescape"))


_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})|\\(\\)")


def raw_key(text: str) -> bytes:
    r"""The bytes that ``text`` stands for, with ``\xNN`` for a byte that is no text."""
    raw, at = b"", 0
    for match in _ESCAPE.finditer(text):
        raw += text[at : match.start()].encode("utf-8", "surrogateescape")
        raw += bytes([int(match[1], 16)]) if match[1] else b"\\"
        at = match.end()
    return raw + text[at:].encode("utf-8", "surrogateescape")


def attributes_of(columns: Iterable[str]) -> list[str]:
    """Names of attributes for the columns of a query: without leading underscores; ``column_2`` for the second where that is none, or is taken."""
    found: list[str] = []
    for at, column in enumerate(columns, 1):
        name = column.lstrip("_")
        fits = name.isidentifier() and not iskeyword(name) and name not in (*found, "count", "index")
        found.append(name if fits else f"column_{at}")
    return found
