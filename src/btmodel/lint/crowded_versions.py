"""Histories of a row that get so many events that several have one timestamp, and rows of their own, which keep them apart."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from attrs import evolve

from btmodel.design.keys import UNKNOWN_TEXT, fresh
from btmodel.design.series import beat_said, collide, sharing, without_beat
from btmodel.estimates import rate_of_one, timed
from btmodel.lint.finding import Fix
from btmodel.lint.retention import rows_of_events
from btmodel.schema import Column, KeyField, ModelSchema, Shape

# The timestamps of versions are whole numbers of these.
VERSION = timedelta(milliseconds=1)


def crowded(model: ModelSchema) -> tuple[list[Column], float]:
    """The histories of which events replace one another, and how many events a row gets in a second; none where each has a timestamp of its own.

    More come than any clock tells apart, or, of what people do when they like, two in a millisecond by chance. What declares an ``every``, or has a
    frequency in the description, comes on a beat.
    """
    found = [
        one
        for one in model.columns
        if one.shape is Shape.HISTORY and not one.spans and one.expected.every is None
    ]
    rate = rate_of_one(model) if found else None
    if not rate or (timed(model) and model.bucket is None) or beat_said(model.doc) is not None:
        return [], 0.0
    by_chance = without_beat(model) and collide(rate, VERSION)
    return (found, rate) if by_chance or sharing(rate, VERSION) >= 1 else ([], 0.0)


def rows_of_their_own(model: ModelSchema, histories: Sequence[Column]) -> Iterator[Fix]:
    """A row for each event, with an id behind its time, as two may come at once on any clock."""
    for fix in rows_of_events(model, *histories):
        made = fix.models[-1]
        id = KeyField(fresh(made, "id", "writer", "source"), UNKNOWN_TEXT)
        key = evolve(made.key, fields=(*made.key.fields, id))
        yield evolve(
            fix,
            text=f"{fix.text}; and an id behind its time, `{key.shape}`, as two may come at once",
            models=(*fix.models[:-1], evolve(made, key=key)),
        )
