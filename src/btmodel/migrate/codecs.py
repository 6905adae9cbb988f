"""What the recorded texts of cell codecs say of the bytes that they read."""

from collections.abc import Iterator

_EITHER = "Either(new="
_OPEN, _CLOSE = "([{", ")]}"


def readings(text: str) -> frozenset[str]:
    """Every codec that reads cells of this layout: one, or each of those in an ``Either``."""
    at = _outside_quotes(text, _EITHER)
    if at is None:
        return frozenset({text})
    end = _closing(text, at + len("Either"))
    if end is None:
        return frozenset({text})
    inner = list(_parts(text[at + len("Either(") : end]))
    if len(inner) != 2 or not inner[1].startswith("old=(") or not inner[1].endswith(")"):
        return frozenset({text})
    codecs = [inner[0].removeprefix("new="), *_parts(inner[1][len("old=(") : -1])]
    return frozenset(
        reading for codec in codecs for reading in readings(f"{text[:at]}{codec}{text[end + 1 :]}")
    )


def _parts(text: str) -> Iterator[str]:
    """What stands between the commas of ``text`` that are in no parentheses and no quotes."""
    start = depth = 0
    for at, one in _code(text):
        depth += (one in _OPEN) - (one in _CLOSE)
        if one == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()


def _closing(text: str, opening: int) -> int | None:
    """Where the parenthesis at ``opening`` is closed."""
    depth = 0
    for at, one in _code(text):
        if at < opening:
            continue
        depth += (one in _OPEN) - (one in _CLOSE)
        if not depth:
            return at
    return None


def _outside_quotes(text: str, word: str) -> int | None:
    """Where ``word`` stands first, as a word and in no quotes."""
    for at, _ in _code(text):
        if text.startswith(word, at) and not (at and (text[at - 1].isalnum() or text[at - 1] == "_")):
            return at
    return None


def _code(text: str) -> Iterator[tuple[int, str]]:
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
