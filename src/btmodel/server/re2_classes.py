"""Sets of bytes that RE2 has names for, each an integer with one bit a byte."""

from __future__ import annotations

import unicodedata
from functools import cache

ANY = (1 << 256) - 1


def bits_of(chars: str) -> int:
    """The set of some characters."""
    return sum(1 << ord(char) for char in set(chars))


def span(first: int, last: int) -> int:
    """The set of the bytes from one to another, both included."""
    return (1 << (last + 1)) - (1 << first)


_DIGITS = span(48, 57)
_UPPER, _LOWER = span(65, 90), span(97, 122)
_SPACES = bits_of("\t\n\f\r ")
_WORDS = _DIGITS | _UPPER | _LOWER | bits_of("_")
PERL = {"d": _DIGITS, "s": _SPACES, "w": _WORDS}
POSIX = {
    "alnum": _DIGITS | _UPPER | _LOWER,
    "alpha": _UPPER | _LOWER,
    "ascii": span(0, 127),
    "blank": bits_of("\t "),
    "cntrl": span(0, 31) | 1 << 127,
    "digit": _DIGITS,
    "graph": span(33, 126),
    "lower": _LOWER,
    "print": span(32, 126),
    "punct": span(33, 47) | span(58, 64) | span(91, 96) | span(123, 126),
    "space": _SPACES | 1 << 11,
    "upper": _UPPER,
    "word": _WORDS,
    "xdigit": _DIGITS | span(65, 70) | span(97, 102),
}


@cache
def folded(byte: int) -> int:
    """A byte in both of its cases."""
    char = chr(byte)
    return sum(1 << ord(c) for c in {char, char.lower(), char.upper()} if len(c) == 1 and ord(c) < 256)


def fold(chars: int) -> int:
    """A set of bytes in both of their cases."""
    both = chars
    for byte in range(256):
        if chars >> byte & 1:
            both |= folded(byte)
    return both


@cache
def unicode_category(name: str) -> int | None:
    """The Latin-1 characters of a general category such as L or Lu; None when there is no such category."""
    if name == "Any":
        return ANY
    categories = [unicodedata.category(chr(byte)) for byte in range(256)]
    known = {"C", "L", "M", "N", "P", "S", "Z"}
    if not name or name[0] not in known or len(name) > 2:
        return None
    return sum(1 << byte for byte, category in enumerate(categories) if category.startswith(name))
