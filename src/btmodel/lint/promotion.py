"""Field promotion: what could stand in front of a time so that the writes are spread."""

from typing import Any
from uuid import UUID

from btmodel.lint.encodings import backwards, scatters
from btmodel.lint.personal import personal
from btmodel.lint.spread import MANY, leading
from btmodel.schema import Column, KeyField, ModelSchema, Shape

_IDENTIFYING: dict[Any, int] = {UUID: 0, str: 1, int: 2}


def rising(part: KeyField) -> bool:
    """Whether values of ``part`` are declared to come one after the other, and new ones lie together."""
    return part.sequential is True and not scatters(part.codec)


def digits_in_front(model: ModelSchema, part: KeyField) -> str | None:
    """The codec that KEY002 wants of ids in sequence that lead the key; None of any other field."""
    ranged = any(part.name in (query.between, query.starting) for query in model.queries)
    leads = part.sequential is True and leading(model) == part
    return backwards(part.codec) if leads and not ranged else None


def in_reverse(part: KeyField) -> str:
    """A word on the codec that ``part`` needs in front; empty where it needs no other."""
    return f", its digits written backwards ({backwards(part.codec)})" if rising(part) else ""


def spreading_columns(model: ModelSchema) -> list[Column]:
    """Columns that may tell rows apart: those of many declared values, what queries ask for, then ids, text, numbers."""
    asked = asked_for(model)
    columns = [one for one in model.columns if _identifies(one) and personal(one.name) is None]
    return sorted(
        columns,
        key=lambda one: (
            -(one.expected.cardinality or 0),
            one.name not in asked,
            _IDENTIFYING[one.codec.python_type],
        ),
    )


def _identifies(column: Column) -> bool:
    declared = column.expected.cardinality
    enough = (declared is None or declared >= MANY) and column.expected.increments is None
    return enough and column.shape is Shape.VALUE and column.codec.python_type in _IDENTIFYING


def asked_for(model: ModelSchema) -> set[str]:
    """The attributes that declared queries give, or pick rows by."""
    return {name for query in model.queries for name in (*query.equal, *query.where)}
