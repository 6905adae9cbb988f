"""Whether a row is one of a whole span of time, such as the totals of a day, and not one of its events."""

import re

from btmodel.schema import KeyField, ModelSchema
from btmodel.words import words

_ADVERBS = {"day": "daily", "week": "weekly", "month": "monthly", "year": "yearly"}


def summary(model: ModelSchema, time: KeyField) -> bool:
    """Whether a row is about a whole span of the time, by the description or its fields, so that it is rather the rate that is meant otherwise.

    What distinguishes the events may be a column of many values; then a row is about one of them.
    """
    granularity = time.codec.granularity
    if (
        any(column.expected.cardinality for column in model.columns)
        or not isinstance(granularity, str)
        or granularity not in _ADVERBS
    ):
        return False
    named = [word.lower() for word in words(model.name)][-1:] == [granularity]
    return (
        named
        or filled_in(model, time)
        or bool(
            re.search(
                rf"(?i)\b(in|for|per|on|totals? of|sums? of) (a|an?|one|each|every|the|a given) {granularity}\b|\bper {granularity}\b|\b(totals|sums)\b|^an? {granularity} of\b|\b{_ADVERBS[granularity]}\b",
                model.doc,
            )
        )
    )


def filled_in(model: ModelSchema, time: KeyField) -> bool:
    """Whether a row is something of a day that is filled in later: what it is of stands behind the day, and it may lack all columns."""
    behind = model.key.fields[model.key.fields.index(time) + 1 :]
    return any(part.asked and (part.cardinality or 0) > 1 for part in behind) and not any(
        column.required or not column.shape.plain for column in model.columns
    )
