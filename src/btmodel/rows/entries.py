"""Families as mappings and as sets: what is given for them, as what it is kept."""

from collections.abc import Mapping, Set
from typing import Any

from btmodel.errors import ValueRefused


def as_entries(value: Mapping[Any, Any]) -> dict[Any, Any]:
    """``value`` as a dict from keys to values."""
    if not isinstance(value, Mapping):
        raise ValueRefused("a mapping, such as a dict", value)
    return value if isinstance(value, dict) else dict(value)


def as_members(value: Set[Any]) -> set[Any]:
    """``value`` as a set."""
    if not isinstance(value, Set):
        raise ValueRefused("a set", value)
    return value if isinstance(value, set) else set(value)
