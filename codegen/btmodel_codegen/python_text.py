"""Python source: imports, lists and docstrings, as formatters leave them."""

import re
import sys
from collections.abc import Iterable, Sequence
from textwrap import indent
from unicodedata import east_asian_width

NARROW = 88  # the least line length that generated code is written for
QUOTES = 3  # the width of those around a docstring


def snake_case(name: str) -> str:
    """``FlightByAirport`` as ``flight_by_airport``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def docstring(text: str, indent: int) -> str:
    """``text`` as a docstring, its first line behind the quotes; nothing in it can end the string.

    Lines that are too long are broken where they have spaces.
    """
    safe = _escaped(text.strip())
    # Not at the beginning either: formatters put a space between one there and the quotes in front of it.
    safe = re.sub(r'"{3,}|\A"|"\Z', lambda quotes: quotes[0].replace('"', r"\""), safe)
    first, *others = [line.rstrip() for line in safe.split("\n")]
    room = NARROW - indent
    # One line alone has quotes at both ends.
    alone = not others and width(first) <= room - QUOTES
    lines = _broken(first, room - (2 * QUOTES if alone else QUOTES))
    lines += [part for line in others for part in _broken(line, room)]
    pad = " " * indent
    body = "\n".join([lines[0], *(f"{pad}{line}" if line else "" for line in lines[1:])])
    return f'"""{body}"""' if len(lines) == 1 else f'"""{body}\n{pad}"""'


def filled(texts: Iterable[str], indent: int) -> str:
    """Paragraphs as a docstring, each filled to lines."""
    return docstring("\n\n".join(texts), indent)


def _broken(line: str, room: int) -> list[str]:
    """A line as several of at most ``room`` columns, as far as it has spaces.

    Each is indented as the text of the line is, which may be the item of a list.
    """
    if width(line) <= room:
        return [line]
    beginning = line[: len(line) - len(re.sub(r"^ *(- +)?", "", line))]
    first, *words = line[len(beginning) :].split(" ")
    lines = [beginning + first]
    for word in filter(None, words):
        if width(f"{lines[-1]} {word}") > room:
            lines.append(" " * len(beginning) + word)
        else:
            lines[-1] += f" {word}"
    return lines


def and_last(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _escaped(text: str) -> str:
    """A text as it may stand in a string literal of many lines: control characters and backslashes by their escapes."""
    if text.replace("\n", "").isprintable() and "\\" not in text:  # as nearly all are
        return text
    return "".join(
        one
        if (one.isprintable() and one != "\\") or one == "\n"
        else one.encode("unicode_escape").decode("ascii")
        for one in text
    )


def width(line: str) -> int:
    """The columns that a line takes, as formatters count them: wide characters take two."""
    if line.isascii():
        return len(line)
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)


# The context of imports that fail where a generated module is older than its model.
GUARD = ("btmodel.repository", "GeneratedFrom")


def imports(names: Iterable[tuple[str, str]], *, within: int = 0) -> list[str]:
    """The sorted import lines for names by module, a line for each module, to be indented by ``within`` columns."""
    by_module: dict[str, set[str]] = {}
    for module, name in names:
        by_module.setdefault(module, set()).add(name)
    return [
        _import(module, sorted(found, key=_by_kind), within) for module, found in sorted(by_module.items())
    ]


def _by_kind(name: str) -> tuple[int, str]:
    """Where a name stands among those of an import: constants first, then classes, then the others."""
    constant = len(name) > 1 and name.isupper()
    return 0 if constant else 1 if name[:1].isupper() else 2, name


def import_blocks(
    needed: Iterable[tuple[str, str]], of_model: Iterable[tuple[str, str]], origin: str
) -> list[list[str]]:
    """Blocks of import lines: the standard library's, those of the runtime, and what is of the model's modules.

    The last may fail where the model ``origin`` was changed, and so stands within :data:`GUARD`.
    """
    needed, of_model = list(needed), list(of_model)
    runtime = {module for module, _ in needed} | sys.stdlib_module_names
    mine = [name for name in of_model if name[0].partition(".")[0] not in runtime]
    lines = imports([*needed, *(name for name in of_model if name not in mine)])
    first = [line for line in lines if line.split()[1].partition(".")[0] in sys.stdlib_module_names]
    guard = fitted(f"with {GUARD[1]}(", [f'"{origin}"'], "):")
    guarded = [guard, *(indent(line, "    ") for line in imports(mine, within=4))]
    return [first, [line for line in lines if line not in first], guarded]


def _import(module: str, names: list[str], within: int) -> str:
    line = f"from {module} import {', '.join(names)}"
    fits = within + width(line) <= NARROW
    return line if fits else exploded(f"from {module} import (", names, ")")


def fitted(opening: str, items: Sequence[str], closing: str, *, within: int = 0) -> str:
    """A bracketed list on one line, or, where that is too long, an item a line; formatters leave both alone.

    ``within`` is the number of columns that it will be indented by. A single item in square brackets stays
    where it is: a comma behind it would make a tuple of it.
    """
    line = f"{opening}{', '.join(items)}{closing}"
    fits = within + width(line) <= NARROW and "\n" not in line
    single = len(items) == 1 and closing.startswith("]")
    return line if fits or single else exploded(opening, items, closing)


def class_head(name: str, base: str, types: Sequence[str]) -> str:
    """The first line of a class, or its first lines where that is too long; ``base`` ends with its bracket."""
    generic = f"{base}{', '.join(types)}]"
    line = f"class {name}({generic}):"
    if width(line) <= NARROW:
        return line
    return exploded(f"class {name}(", [generic if len(types) == 1 else exploded(base, types, "]")], "):")


def exploded(opening: str, items: Sequence[str], closing: str) -> str:
    """A bracketed list, an item a line; the comma behind the last one keeps formatters from joining it."""
    return "\n".join([opening, *(indent(f"{item},", "    ") for item in items), closing])
