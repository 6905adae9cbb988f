"""The texts of layouts, taken apart where they are neither in quotes nor in parentheses. Any text can be."""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from attrs import frozen

OPEN, CLOSE = "([{", ")]}"


def pieces(text: str, separator: str) -> tuple[str, ...]:
    """What stands between the ``separator``, one character, that is in no parentheses and no quotes."""
    found: list[str] = []
    start = depth = 0
    for at, one in unquoted(text):
        depth += (one in OPEN) - (one in CLOSE)
        if one == separator and not depth:
            found.append(text[start:at].strip())
            start = at + 1
    return (*found, text[start:].strip())


def closing(text: str, opening: int) -> int | None:
    """Where the parenthesis at ``opening`` is closed; None where it is not."""
    depth = 0
    for at, one in unquoted(text):
        if at < opening:
            continue
        depth += (one in OPEN) - (one in CLOSE)
        if not depth:
            return at
    return None


def unquoted(text: str) -> Iterator[tuple[int, str]]:
    """The characters that stand in no quotes, and their places."""
    quote = ""
    escaped = False
    for at, one in enumerate(text):
        if quote:
            if escaped:
                escaped = False
            elif one == "\\":
                escaped = True
            elif one == quote:
                quote = ""
        elif one in "'\"":
            quote = one
        else:
            yield at, one


@frozen(eq=False)
class CodecText:
    """The text of a codec in two: what is in it everywhere, and what codecs state in braces, ``Packed(...){...}``.

    Two texts are equal where they agree as far as both say it: what older versions recorded has no braces. So
    equality is not transitive, and texts are put side by side by it, never gathered.
    """

    bare: str
    # The place in ``bare`` behind each codec that states something, and the entries that it states.
    stated: tuple[tuple[int, tuple[str, ...]], ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CodecText):
            return NotImplemented
        known = dict(other.stated)
        return self.bare == other.bare and all(known.get(at, said) == said for at, said in self.stated)

    def __hash__(self) -> int:
        return hash(self.bare)


@lru_cache(1_000)
def codec_parts(text: str) -> CodecText:
    """``text`` in two. Braces that no version wrote are left where they are."""
    bare: list[str] = []
    stated: list[tuple[int, tuple[str, ...]]] = []
    start = 0
    for at, one in unquoted(text):
        if one != "{" or at < start or text[at - 1 : at] != ")":
            continue
        end = closing(text, at)
        said = None if end is None else _entries(text[at : end + 1])
        if end is None or said is None:
            continue
        bare.append(text[start:at])
        start = end + 1
        stated.append((sum(map(len, bare)), said))
    return CodecText("".join((*bare, text[start:])), tuple(stated))


def stated_text(entries: Iterable[str]) -> str:
    """What a codec states, as it stands behind its text; nothing where that is nothing."""
    said = ", ".join(map(repr, dict.fromkeys(entries)))
    return f"{{{said}}}" if said else ""


def fuller(text: str, other: str) -> str:
    """Of two texts that are equal as far as both say it, the one that says more; of others, the first."""
    one, also = codec_parts(text), codec_parts(other)
    return other if one == also and len(also.stated) > len(one.stated) else text


def _entries(braces: str) -> tuple[str, ...] | None:
    try:
        entries = ast.literal_eval(f"[{braces[1:-1]}]")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return tuple(entries) if entries and all(isinstance(one, str) for one in entries) else None
