"""The fields of a key, in words."""

from btmodel.codecs.key import Kind, Order
from btmodel.codecs.meaning import meaning_of
from btmodel.schema import KeyField

_ORDERS = {
    Order.ASCENDING: "upward",
    Order.DESCENDING: "downward",
    Order.SCATTERED: "scattered",
    Order.NONE: "not sorted",
}


def width(part: KeyField) -> str:
    """The bytes of a field: ``6``, or ``1 to 20``."""
    length = part.codec.length
    return f"{length.most:,}" if length.fixed is not None else f"{length.least:,} to {length.most:,}"


def sorts(part: KeyField) -> str:
    """How the rows lie by it."""
    return _ORDERS[part.codec.order]


def values(part: KeyField) -> str:
    """How many values a field has; nothing of times, which go on."""
    if part.derived and part.derived.values:
        return f"{len(part.derived.values):,}"
    if part.cardinality is None:
        return "1" if part.constant else "" if part.codec.kind is Kind.TIME else "?"
    return f"{part.cardinality:,}"


def meaning(part: KeyField) -> str:
    """The encoding of a field, and what it follows from."""
    made = f"from {', '.join(part.derived.of)}, as " if part.derived else ""
    return f"{made}{meaning_of(part.codec)}{', may be left out' if part.optional else ''}"
