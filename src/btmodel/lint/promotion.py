"""Field promotion: what could stand in front of a time so that the writes are spread."""

from typing import Any
from uuid import UUID

from btmodel.codecs.key import Kind
from btmodel.lint.encodings import backwards, scatters
from btmodel.lint.keys import before, drawn, single, tenant_first
from btmodel.lint.personal import personal
from btmodel.schema import Column, KeyField, ModelSchema, Shape

# Fewer values than these keep the writes on too few tablets (this project's own figure).
MANY = 100

_IDENTIFYING: dict[Any, int] = {UUID: 0, str: 1, int: 2}


def promoting(model: ModelSchema, place: KeyField) -> str:
    """The key with the most telling field in front of ``place``; or with a column there that may be one."""
    key = model.key
    fields = spreading_fields(model)
    if fields:
        best = fields[0]
        known = "" if best.cardinality is None else f" ({best.cardinality:,} values)"
        drawing = drawn(key, tenant_first(before(key, place, best)))
        return f"put `{best.name}`{known} in front{in_reverse(best)}: `{drawing}`"
    columns = spreading_columns(model)
    if not columns:
        drawing = drawn(key, tenant_first(before(key, place, "id")))
        return f"put a field with many values in front, such as the id of what writes the row: `{drawing}`"
    column = columns[0]
    drawing = drawn(key, tenant_first(before(key, place, column.name)))
    lack = "the key has no field with many values to put in front: make the column"
    if column.expected.cardinality is not None:
        return f"{lack} `{column.name}` ({column.expected.cardinality:,} values) a key field: `{drawing}`"
    others = [one.name for one in columns[1:4]]
    more = f" (`{'`, `'.join(others)}` may serve as well)" if others else ""
    return f"{lack} `{column.name}` a key field, if it has many{more}: `{drawing}`"


def spreading_fields(model: ModelSchema) -> list[KeyField]:
    """Key fields that may have values enough, the most telling first; a cardinality that is not declared may be large."""
    fields = [part for part in model.key.fields if _spreads(part)]
    return sorted(fields, key=lambda part: -(part.cardinality or 0))


def _spreads(part: KeyField) -> bool:
    enough = part.cardinality is None or part.cardinality >= MANY
    given = part.asked and not part.optional and not single(part)
    return enough and given and part.codec.kind is not Kind.TIME and not _stuck(part)


def _stuck(part: KeyField) -> bool:
    """Whether its values are given one after the other, and no codec writes their digits backwards."""
    return rising(part) and backwards(part.codec) is None


def rising(part: KeyField) -> bool:
    """Whether values of ``part`` are declared to come one after the other, and new ones lie together."""
    return part.sequential is True and not scatters(part.codec)


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
