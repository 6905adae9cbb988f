"""The texts of layouts, taken apart where they are neither in quotes nor in parentheses. Any text can be."""

from collections.abc import Iterator

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
