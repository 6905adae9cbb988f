"""What a codec holds: other codecs and enums, and whether one of them reads what it does not write."""

from collections.abc import Iterator
from enum import Enum
from typing import Any

import attrs

from btmodel.codecs.cell import Either


def parts_of(codec: Any) -> Iterator[object]:
    """A codec and all that its arguments hold, and what these hold."""
    yield codec
    if isinstance(codec, tuple):
        for one in codec:
            yield from parts_of(one)
    elif attrs.has(type(codec)):
        for field in attrs.fields(type(codec)):
            yield from parts_of(getattr(codec, field.name))


def enums_of(codec: object) -> Iterator[type[Enum]]:
    """The enums that a codec, or a part of one, holds."""
    return (part for part in parts_of(codec) if isinstance(part, type) and issubclass(part, Enum))


def reads_other_values(enum: type[Enum]) -> bool:
    """Whether an enum reads values that none of its members has, by a ``_missing_`` of its own."""
    return any("_missing_" in vars(one) for one in enum.__mro__ if one.__module__ != Enum.__module__)


def reads_older(codec: object) -> bool:
    """Whether a codec is declared to read what it does not write: an ``Either``, an enum that finds members for other values, or a codec with such a one inside."""
    several = any(isinstance(part, Either) for part in parts_of(codec))
    return several or any(map(reads_other_values, enums_of(codec)))
