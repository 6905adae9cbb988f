"""Python source: names, types and docstrings, chosen and quoted."""

import builtins
import keyword
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from textwrap import indent
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

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


def type_name(type_: Any) -> str:
    """How generated code spells a type, which may be a generic one: ``dict[str, tuple[int, ...]]``."""
    if type_ in (None, NoneType):
        return "None"
    if type_ is Ellipsis:
        return "..."
    origin, parts = get_origin(type_), [type_name(part) for part in get_args(type_)]
    if origin in (UnionType, Union):
        return " | ".join(parts)
    name: str = (origin or type_).__qualname__
    return f"{name}[{', '.join(parts)}]" if parts else name


def classes(types: Iterable[Any]) -> set[Any]:
    """The classes that generated code must import, or finds built in, to spell ``types``."""
    found: set[Any] = set()
    for type_ in types:
        origin = get_origin(type_)
        if origin is not None:
            found |= classes(get_args(type_)) | (set() if origin in (UnionType, Union) else {origin})
        elif type_ not in (None, NoneType, Ellipsis):
            found.add(type_)
    return found


def imports(types: Iterable[Any], extra: Mapping[str, Iterable[str]]) -> list[str]:
    """The sorted import lines for ``types``, and for the names of ``extra`` by module, one for each module."""
    names: dict[str, set[str]] = {module: set(found) for module, found in extra.items()}
    for class_ in classes(types):
        if class_.__module__ != builtins.__name__:
            refuse_unimportable(class_.__module__, class_.__qualname__)
            names.setdefault(_home(class_), set()).add(bound_name(class_))
    for module, found in names.items():
        for name in found:
            refuse_unimportable(module, name)
    return [_import(module, sorted(found)) for module, found in sorted(names.items())]


def _home(class_: Any) -> str:
    """The module to import a class from: some Pythons keep those of ``pathlib`` in ``pathlib._local``."""
    module: str = class_.__module__
    top, _, inner = module.partition(".")
    shown = getattr(sys.modules.get(top), bound_name(class_), None)
    hidden = inner.startswith("_") and top in sys.stdlib_module_names
    return top if hidden and getattr(shown, "__module__", None) == module else module


def bound_name(class_: Any) -> str:
    """The name that importing a class binds: of one within a class, that of the outermost."""
    name: str = class_.__qualname__
    return name.partition(".")[0]


def _import(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= NARROW else fitted(f"from {module} import (", names, ")")


def fitted(opening: str, items: Sequence[str], closing: str, *, within: int = 0) -> str:
    """A bracketed list on one line, or, where that is too long, an item a line; formatters leave both alone.

    ``within`` is the number of columns that it will be indented by.
    """
    line = f"{opening}{', '.join(items)}{closing}"
    fits = within + len(line) <= NARROW and "\n" not in line
    return line if fits else exploded(opening, items, closing)


def exploded(opening: str, items: Sequence[str], closing: str) -> str:
    """A bracketed list, an item a line; the comma behind the last one keeps formatters from joining it."""
    return "\n".join([opening, *(indent(f"{item},", "    ") for item in items), closing])


def refuse_unimportable(module: str, name: str) -> None:
    """Refuse what generated code could not import."""
    if module == "__main__":
        raise GenerationError(
            f"{name} is declared in a script that was run: move it to a module to import it from"
        )
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in f"{module}.{name}".split(".")):
        raise GenerationError(
            f"{module}.{name}: generated code cannot import this; declare it at the top of a module"
        )
