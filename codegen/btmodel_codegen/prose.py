"""Text of pages: runs of words and of code, and characters that no page may hold."""

import re
from collections.abc import Iterable

from attrs import frozen

# Controls and half characters, which HTML forbids, and marks that turn the direction of what follows: shown, not obeyed.
# Named by number, for what Python calls printable differs between its versions.
_HIDDEN = re.compile(
    "[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
    + "]"
)
_SHORT = 16
_CODE = re.compile(r"``(?P<two>[^`]+)``|`(?P<one>[^`\n]+)`")


@frozen
class TextRun:
    """A piece of a text: words, or code, which may link to a place of the page."""

    text: str
    code: bool = False
    link: str | None = None

    @property
    def long(self) -> bool:
        """Whether it may be broken anywhere: there is room for shorter names in whole."""
        return len(self.text) > _SHORT or not self.text.isascii()


Prose = tuple[TextRun, ...]


def words(text: str) -> Prose:
    """A text without code."""
    return (TextRun(text),) if text else ()


def code(text: str, link: str | None = None) -> Prose:
    """A text that is code; nothing, where it is empty."""
    return (TextRun(text, True, link),) if text else ()


def prose(text: str) -> Prose:
    """A text in which code stands between backticks."""
    found: list[TextRun] = []
    at = 0
    for match in _CODE.finditer(text):
        found += words(text[at : match.start()])
        found += code(match["two"] or match["one"])
        at = match.end()
    return (*found, *words(text[at:]))


def sentence(text: str) -> Prose:
    """A text as a sentence: with a capital, and a full stop."""
    return prose(text and f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}")


def paragraphs(text: str) -> tuple[Prose, ...]:
    """The paragraphs of a docstring."""
    return tuple(prose(" ".join(part.split())) for part in re.split(r"\n\s*\n", text) if part.strip())


def listed(texts: Iterable[str]) -> Prose:
    """Pieces of code with commas between them."""
    found: list[TextRun] = []
    for text in texts:
        found += (*words(", " if found else ""), *code(text))
    return tuple(found)


def printable(text: str) -> str:
    """``text`` with its hidden characters written out, as ``\\x00`` and ``\\u202e``; lines stay."""
    # None of them is printable to any Python, so most lines need no second look.
    return "\n".join(line if line.isprintable() else _HIDDEN.sub(_escaped, line) for line in text.split("\n"))


def _escaped(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x1_0000 else f"\\U{number:08x}"
