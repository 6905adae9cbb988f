"""Text of others as it is shown to people: what cannot be seen, or drives a terminal, is written out.

Whatever names, keys, delimiters and documentation hold passes through here on its way into an error, a repr
or a terminal.
"""

import re

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
