"""Python source: names, types and docstrings, chosen and quoted."""

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import indent

from btmodel.errors import GenerationError

NARROW = 88  # the least line length that generated code is written for


def snake_case(name: str) -> str:
    """``FlightByAirport`` as ``flight_by_airport``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def docstring(text: str, indent: int) -> str:
    """``text`` as a docstring, its first line behind the quotes; nothing in it can end the string."""
    safe = "".join(map(_escaped, text.strip())).replace('"""', r"\"\"\"")
    if safe.endswith('"'):
        safe = f'{safe[:-1]}\\"'
    lines = [line.rstrip() for line in safe.split("\n")]
    pad = " " * indent
    body = "\n".join([lines[0], *(f"{pad}{line}" if line else "" for line in lines[1:])])
    return f'"""{body}"""' if len(lines) == 1 else f'"""{body}\n{pad}"""'


def _escaped(character: str) -> str:
    """A character as it may stand in a string literal: control characters and backslashes by their escapes."""
    if (character.isprintable() and character != "\\") or character == "\n":
        return character
    return character.encode("unicode_escape").decode("ascii")


def type_name(type_: type) -> str:
    """How generated code spells a type."""
    return type_.__name__


def imports(types: Iterable[type], extra: Mapping[str, Iterable[str]]) -> list[str]:
    """The sorted import lines for ``types``, and for the names of ``extra`` by module, one for each module."""
    names: dict[str, set[str]] = {module: set(found) for module, found in extra.items()}
    for type_ in types:
        if type_.__module__ != builtins.__name__:
            names.setdefault(type_.__module__, set()).add(type_.__qualname__)
    for module, found in names.items():
        for name in found:
            refuse_unimportable(module, name)
    return [_import(module, sorted(found)) for module, found in sorted(names.items())]


def _import(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= NARROW else fitted(f"from {module} import (", names, ")")


def fitted(opening: str, items: Sequence[str], closing: str) -> str:
    """A bracketed list on one line, or, where that is too long, an item a line; formatters leave both alone."""
    line = f"{opening}{', '.join(items)}{closing}"
    return line if len(line) <= NARROW and "\n" not in line else exploded(opening, items, closing)


def exploded(opening: str, items: Sequence[str], closing: str) -> str:
    """A bracketed list, an item a line; the comma behind the last one keeps formatters from joining it."""
    return "\n".join([opening, *(indent(f"{item},", "    ") for item in items), closing])


def refuse_unimportable(module: str, name: str) -> None:
    """Refuse what generated code could not import."""
    if module == "__main__":
        raise GenerationError(
            f"{name} is declared in a script that was run: move it to a module to import it from"
        )
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in [*module.split("."), name]):
        raise GenerationError(
            f"{module}.{name}: generated code cannot import this; declare it at the top of a module"
        )
