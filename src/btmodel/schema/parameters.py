"""Ids of tables and families that are completed at run time: ``SENSOR_{day}``."""

import re
from collections.abc import Mapping
from string import Formatter

from btmodel.errors import ValueRefused


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
