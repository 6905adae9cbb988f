"""Plain data as TOML: tomllib reads it, and writes none.

Written here rather than by a library because the form is the point: what a person may
change stands on a line of its own, so that a difference in git says what changed.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Path = tuple[str, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def written(data: Mapping[str, Any], has_header: Callable[[Path], bool], path: Path = ()) -> Iterator[str]:
    """The lines of ``data``; a mapping is a table where ``has_header`` says so of its path, else it stands on a line.

    Values are text, whole numbers, truth values, and lists and mappings of these; keys
    and texts are any that Unicode can write.
    """
    tables = {
        name: one for name, one in data.items() if isinstance(one, Mapping) and has_header((*path, name))
    }
    if path and (len(tables) < len(data) or not data):
        yield ""
        yield f"[{'.'.join(map(key, path))}]"
    for name, one in data.items():
        if name not in tables:
            yield from _line(name, one)
    for name, one in tables.items():
        yield from written(one, has_header, (*path, name))


def key(name: str) -> str:
    """A key, quoted where it has to be."""
    return name if _BARE.fullmatch(name) else text(name)


def text(value: str) -> str:
    """A text in quotes; what cannot be seen is written as its number."""
    return f'"{"".join(map(_letter, value))}"'


def value(one: Any) -> str:
    """A value on one line."""
    match one:
        case bool():
            return "true" if one else "false"
        case int():
            return str(one)
        case str():
            return text(one)
        case Mapping():
            pairs = ", ".join(f"{key(name)} = {value(part)}" for name, part in one.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case _:
            return f"[{', '.join(map(value, one))}]"


def _line(name: str, one: Any) -> Iterator[str]:
    """A key and its value; a list of mappings has a line for each."""
    if isinstance(one, list) and one and all(isinstance(part, Mapping) for part in one):
        yield f"{key(name)} = ["
        yield from (f"    {value(part)}," for part in one)
        yield "]"
    else:
        yield f"{key(name)} = {value(one)}"


def _letter(letter: str) -> str:
    if letter in _SHORT:
        return _SHORT[letter]
    if letter.isprintable():
        return letter
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"
