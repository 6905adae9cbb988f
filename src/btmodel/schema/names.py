"""Valid names: Python names, template parameters, source locations."""

import keyword
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from string import Formatter

from attrs import frozen

from btmodel.errors import ValueRefused
from btmodel.value import Value

# What the first parameter of a method is called, and what the body of a constructor uses.
_OF_METHODS = ("cls", "self", "super")


# What stands between the ids of a table and of its authorized view where rows are read and written through one.
AUTHORIZED = "/authorizedViews/"
# What a name in braces stands for that has few values, which no query asks for together.
DEPLOYMENTS = frozenset(("env", "environment", "stage"))


def is_name(text: str) -> bool:
    """Whether Python takes ``text`` for a name, and for no other one: it takes ``ﬁ`` for ``fi``."""
    normal = unicodedata.normalize("NFKC", text) == text
    return normal and text.isidentifier() and not keyword.iskeyword(text)


def is_private(name: str) -> bool:
    """Whether Python makes another name of ``name`` inside of classes, or keeps it for itself."""
    return name.startswith("__")


def is_parameter(name: str) -> bool:
    """Whether the constructor of a repository can have a parameter of this name."""
    return is_name(name) and not is_private(name) and name not in _OF_METHODS


# What stands in the place of a name: any text of which ids are made.
_VALUE = "[-_.a-zA-Z0-9]+"


def placeholders(id: str) -> list[str]:
    """The names in braces, in order; none where the braces are not well-formed, which is no id anyway."""
    try:
        return [name for _, name, _, _ in Formatter().parse(id) if name is not None]
    except ValueError:
        return []


def filled(id: str, values: Mapping[str, str]) -> str:
    """``id`` with the values in the place of their names. Raises :class:`ValueRefused` for what is no text, or empty."""
    names = placeholders(id)
    for name in names:
        if not isinstance(values[name], str) or not values[name]:
            raise ValueRefused("text that is not empty", values[name], where=name)
    # All at once: a value that looks like a name in braces is none.
    name_in_braces = re.compile("|".join(re.escape(f"{{{name}}}") for name in names) or "(?!)")
    return name_in_braces.sub(lambda found: values[found[0][1:-1]], id)


def sample(id: str) -> str:
    """``id`` with a letter for each name, to judge the rest of it."""
    return filled(id, dict.fromkeys(placeholders(id), "x"))


def fits(template: str, id: str) -> bool:
    """Whether ``id`` is ``template`` with some text in the place of each name, the same wherever one stands twice."""
    return _pattern(template, "").fullmatch(id) is not None


def values_in(template: str, id: str) -> Mapping[str, str] | None:
    """The values that make ``id`` of ``template``; None where none do, and where others do, too."""
    # Each value as long as can be, from the left, and each as short: where these are the same, there are no others.
    long, short = (_pattern(template, lazy).fullmatch(id) for lazy in ("", "?"))
    if long is None or short is None or long.groups() != short.groups():
        return None
    return dict(zip(dict.fromkeys(placeholders(template)), long.groups(), strict=True))


def are_alike(template: str, other: str) -> bool:
    """Whether two templates differ in what they call their parameters alone, and so name the same."""
    return _pattern(template, "") == _pattern(other, "")


@cache
def _pattern(template: str, lazy: str) -> re.Pattern[str]:
    known: dict[str, int] = {}
    parts = []
    for text, name, _, _ in Formatter().parse(template):
        parts.append(re.escape(text))
        if name is not None and name not in known:
            known[name] = len(known) + 1
            parts.append(f"({_VALUE}{lazy})")
        elif name is not None:
            parts.append(f"(?:\\{known[name]})")
    return re.compile("".join(parts))


@frozen(eq=False, repr=False)
class Location(Value):
    """A line of a source file, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"
