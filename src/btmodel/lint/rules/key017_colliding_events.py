"""KEY017 colliding-events: events that share a row key, so that the later one replaces the earlier

What it finds
    A row key in which more than one event is expected at the same time: the declared
    `events`, over all values of the key but its times, in one unit of its finest time. One
    a unit is fine where the unit is a second or longer, which is then taken for the beat of the
    events; one in a hundred units is the most where it is shorter, and events come when
    they come. Rows of a bucket gather events and are not meant, nor are columns that are
    no single value.

Why
    A row key is there once. A second event with the same key overwrites the first one, and nothing fails.

Example
    from datetime import date

    import btmodel as bt


    class Score(bt.Model, table="GAME", events="10000/day"):
        game: str = bt.key(bt.Text(max_length=20), cardinality=50)
        day: date = bt.key(bt.DateText())

        results = bt.family("GAME", gc=bt.max_versions(1))
        player: str = bt.column("PLAYER", results, cardinality=100_000)
        won: bool = bt.column("WIN", results)

        of_game = bt.query("game", between="day")

Use instead
    from datetime import date

    import btmodel as bt


    class Score(bt.Model, table="GAME", events="10000/day"):
        game: str = bt.key(bt.Text(max_length=20), cardinality=50)
        player: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
        day: date = bt.key(bt.DateText())

        results = bt.family("GAME", gc=bt.max_versions(1))
        won: bool = bt.column("WIN", results)

        of_player = bt.query("game", "player", between="day")

Allow
    Where the later event is meant to replace the earlier, as in a summary of the day that is
    written anew: say so.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (row keys: two players
    on one day), https://cloud.google.com/bigtable/docs/schema-design (each row key must be
    unique). The one in a hundred is this project's own figure.
"""

from collections.abc import Iterator
from datetime import timedelta

from btmodel.lint.finding import Finding, Level
from btmodel.lint.keys import before, drawn
from btmodel.lint.promotion import asked_for, spreading_columns
from btmodel.lint.rule import Rule
from btmodel.lint.series import clock, collide, sharing, unit
from btmodel.schema import Column, KeyField, ModelSchema, Shape
from btmodel.schema.density import rate_of_one, timed


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the finest time of the key, where its unit is too long for the rate of one prefix."""
    rate, finest = rate_of_one(model), _finest(model)
    if model.bucket is not None or rate is None or finest is None or not _replaced(model):
        return
    time, span = finest
    if not collide(rate, span):
        return
    yield RULE.finding(
        model,
        f"{_shown(sharing(rate, span))} events are expected for each key of `{model.key.shape}`: the {model.events} "
        f"that are declared come for the same {time.codec.granularity} (`{time.name}`)",
        why="a key is there once, so the later event replaces the earlier one in silence",
        mend=_mend(model, time, rate, span),
        part=time.name,
        at=time.location,
    )


def _finest(model: ModelSchema) -> tuple[KeyField, timedelta] | None:
    """The time of the key with the shortest unit; None where there is none, or one of an unknown unit."""
    found: list[tuple[KeyField, timedelta]] = []
    for part in timed(model):
        span = unit(part)
        if span is None:
            return None
        found.append((part, span))
    return min(found, key=lambda one: one[1], default=None)


def _replaced(model: ModelSchema) -> bool:
    """Whether there is a value for a later event to replace: a sum, a history or a set takes both."""
    return any(column.shape is Shape.VALUE and column.expected.increments is None for column in model.columns)


def _mend(model: ModelSchema, time: KeyField, rate: float, span: timedelta) -> str:
    """The key with the column that tells the events apart, or a time that does."""
    column = _telling(model)
    if column is not None:
        known = column.expected.cardinality
        values = "" if known is None else f" ({known:,} values)"
        drawing = drawn(model.key, before(model.key, time, column.name))
        rest = (
            ", and yet another field, as these are too few" if known and collide(rate / known, span) else ""
        )
        return f"make the column `{column.name}`{values} a key field, to tell the events apart: `{drawing}`{rest}"
    finer = clock(rate)
    drawing = drawn(model.key, before(model.key, time, "id"))
    text = f"put what tells the events apart into the key, such as an id: `{drawing}`"
    return (
        f"{text}; or tell the time more finely: `{time.name}: datetime = bt.key({finer})`" if finer else text
    )


def _telling(model: ModelSchema) -> Column | None:
    """The column that tells events apart best: no number, unless the model says that there are many, or asks for it."""
    asked = asked_for(model)
    return next(
        (
            column
            for column in spreading_columns(model)
            if column.expected.cardinality or column.name in asked or column.codec.python_type is not int
        ),
        None,
    )


def _shown(count: float) -> str:
    return f"{count:,.0f}" if count >= 10 else f"{count:.2g}"


RULE: Rule[ModelSchema] = Rule("KEY017", "colliding-events", check, page=__doc__, levels=(Level.WARNING,))
