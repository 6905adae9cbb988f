"""Ids of tables and families that are completed at run time: ``SENSOR_{day}``."""

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
    """``id`` with the values in the place of their names."""
    for name in placeholders(id):
        if not isinstance(values[name], str):
            raise ValueRefused("text", values[name], where=name)
        id = id.replace(f"{{{name}}}", values[name])
    return id


def sample(id: str) -> str:
    """``id`` with a letter for each name, to judge the rest of it."""
    return filled(id, dict.fromkeys(placeholders(id), "x"))
