"""FIG002 contradicting-figures: declared workload estimates that cannot all be true

What it finds
    A field or a column with more distinct values than its codec can write; a typical size above
    the largest one; a rate of events of the table that is more than twice as high as all columns
    of all of its rows have together, given the time between two events (unless that is longer than the unit of the key's time, so that rows of earlier times are written, too); or a domain name that is
    not text. A rate of events that is less than a tenth of what the values of a key field come to, by the slots of their rows or by the docstring ("each
    meter sends a value every 15 minutes"), is a warning. An age for tiered storage that no cell reaches, as each family deletes its cells before, is a warning.

Why
    Other rules compute with these estimates. From contradicting ones, they may find a hotspot
    where there is none, or miss one. So `btmodel check --fix` writes no number that would be another one with
    one of the corrections.

Example
    import btmodel as bt


    class Balloon(bt.Model, table="BALLOON"):
        place: str = bt.key(bt.Text(max_length=20), cardinality=40)
        balloon: int = bt.key(bt.PaddedInt(3), cardinality=5_000)

        data = bt.family("data", gc=bt.max_versions(1))
        pressure: int = bt.column("pressure", data)

        of_place = bt.query("place")

Use instead
    import btmodel as bt


    class Balloon(bt.Model, table="BALLOON"):
        place: str = bt.key(bt.Text(max_length=20), cardinality=40)
        balloon: int = bt.key(bt.PaddedInt(4), cardinality=5_000)

        data = bt.family("data", gc=bt.max_versions(1))
        pressure: int = bt.column("pressure", data)

        of_place = bt.query("place")

Allow
    There is hardly a reason to. Correct the wrong estimate.

Source
    Arithmetic: each figure is what another one allows, or less.
"""

from collections.abc import Iterator
from datetime import timedelta
from math import floor
from typing import Any, NamedTuple

from attrs import evolve

from btmodel.codecs import meaning_of
from btmodel.design.keys import replaced
from btmodel.design.series import written_later
from btmodel.estimates import members, stated_every, writable, writers
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import Column, KeyField, ModelSchema, Rate
from btmodel.schema.gc import kept_text
from btmodel.schema.rate import every_text
from btmodel.words import counted, duration_text

_WHY = "other rules compute with these estimates, and results computed from contradictory ones mean nothing"
# Rough estimates are enough: what differs by less changes no finding.
_ROUGHLY = 2


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag figures that cannot be true together, each pair of them once."""
    for part in model.key.fields:
        yield from _field(model, part)
    for column in model.columns:
        yield from _column(model, column)
    yield from _rates(model)
    yield from _too_low(model)
    yield from _tiers(model)


def _most_values(part: KeyField) -> int | None:
    """How many values the codec of a field that rows give can write, and being without one; None where nobody counts them."""
    possible = writable(part.codec) if part.asked else None
    return None if possible is None else possible + part.optional  # a key without it is one more


def _longer(part: KeyField, possible: int) -> str:
    """What to declare where a codec has too few values; of a digest, which would come to the same for several things, a longer one alone."""
    from btmodel.codecs.key import HexDigest  # here: this rule is loaded with every model

    if part.derived is None and not isinstance(part.codec, HexDigest):
        return f"declare at most `cardinality={possible:_}`, or a codec that can write them all"
    return "write a longer digest: with fewer values than things, several of these share their keys"


def _field(model: ModelSchema, part: KeyField) -> Iterator[Finding]:
    possible = _most_values(part)
    if possible is not None and part.cardinality is not None and part.cardinality > possible:
        yield RULE.finding(
            model,
            f"`{part.name}` has {counted(part.cardinality, 'value')}, but its codec can write only {possible:,} ({meaning_of(part.codec)})",
            why=_WHY,
            fix=_longer(part, possible),
            part=part.name,
            at=part.location,
        )
    if part.domain and part.codec.python_type is not str:
        yield RULE.finding(
            model,
            f"`{part.name}` is declared as the name of a domain, and holds {part.codec.python_type.__name__}",
            why=_WHY,
            fix=f"leave out the `domain=True` of `{part.name}`",
            part=part.name,
            at=part.location,
        )


def _column(model: ModelSchema, column: Column) -> Iterator[Finding]:
    size, most = column.expected.size, column.expected.max_size
    if size is not None and most is not None and size > most:
        yield RULE.finding(
            model,
            f"a typical value of `{column.name}` has {counted(size, 'byte')}, and the largest has {most:,}",
            why=_WHY,
            fix=f"declare `size={most:_}` at most, or `max_size={size:_}` at least",
            part=column.name,
            at=column.location,
        )
    possible = members(column.value_type)
    cardinality = column.expected.cardinality
    if cardinality is not None and possible is not None and cardinality > possible:
        yield RULE.finding(
            model,
            f"`{column.name}` has {counted(cardinality, 'value')}, of {possible:,} that there are",
            why=_WHY,
            fix=f"declare at most `cardinality={possible}`",
            part=column.name,
            at=column.location,
        )


def _tiers(model: ModelSchema) -> Iterator[Finding]:
    """The age from which cells are moved to infrequent access, where all of them are deleted before."""
    moved = model.settings.tiered_storage
    rules = [family.gc for family in model.families if family.gc is not None and not family.gc.given]
    if (
        moved is None
        or not rules
        or len(rules) < len(model.families)
        or not all(rule.deletes(moved, 1) for rule in rules)
    ):
        return
    yield RULE.finding(
        model,
        f"cells are moved to infrequent access after {duration_text(moved)}, and each family deletes them before that, as {model.families[0].id!r} does, "
        f"which keeps {kept_text(rules[0])}",
        why="no cell ever gets there, so the setting saves nothing",
        fix="leave out the `tiered_storage`, or declare one of less than the age that a family keeps",
        level=Level.WARNING,
    )


class _Rates(NamedTuple):
    """The rate of a table that is too high for its ``rows``, of which each has an event in each of ``intervals``: ``most`` in all."""

    events: Rate
    rows: int
    intervals: list[tuple[Column, timedelta]]
    most: float

    @property
    def times(self) -> float:
        """How many times as high it is."""
        return self.events.per_second / self.most

    def shorter(self, every: timedelta) -> timedelta:
        """The time between two events with which the rate is true, in whole units."""
        seconds = every.total_seconds() / self.times
        unit = next((unit for unit in (86_400, 3_600, 60, 1) if seconds >= unit), 0.001)
        return timedelta(seconds=max(1, floor(seconds / unit)) * unit)


def _contradicting(model: ModelSchema) -> _Rates | None:
    """The rate of the table against that of one row, which times all of its rows is the most that there can be; None where both may be true."""
    fields = tuple(evolve(part, skew=None) for part in model.key.fields)
    rows = writers(evolve(model, key=evolve(model.key, fields=fields)))
    stated = [(column, stated_every(column)) for column in model.series]
    intervals = [(column, every) for column, every in stated if every is not None]
    others = any(not column.eventful for column in model.columns)  # which are written, too
    if rows is None or model.events is None or not stated or others or len(intervals) < len(stated):
        return None  # of one without a rate there may be as many as you like
    if written_later(model):
        return None  # the rows of earlier times are written, too, and nothing counts them
    most = sum(rows / every.total_seconds() for _, every in intervals)
    return None if model.events.per_second <= most * _ROUGHLY else _Rates(model.events, rows, intervals, most)


def _rates(model: ModelSchema) -> Iterator[Finding]:
    """Rates that contradict each other, with each of the figures that may be wrong, as it would then be right."""
    found = _contradicting(model)
    if found is None:
        return
    first, every = found.intervals[0]
    one = len(found.intervals) == 1
    each = f"an event every {every_text(every)}" if one else "events"
    names = ", ".join(f"`{column.name}`" for column, _ in found.intervals)
    shorter = [
        f'`every="{every_text(found.shorter(every))}"` of `{column.name}`'
        for column, every in found.intervals
        if column.expected.every is not None
    ]
    ways = [f'`events="{Rate(found.most).rounded()}"` of the class']
    ways += [" and ".join(shorter)] if len(shorter) == len(found.intervals) else []
    rows = f"{float(f'{found.rows * found.times:.2g}'):,.0f}"
    yield RULE.finding(
        model,
        f"{found.events} are declared for the table, and {names} {'has' if one else 'have'} {each} of each of {found.rows:,} rows at "
        f"a time: {Rate(found.most).rounded()} at most",
        why=_WHY,
        fix=f"correct what is wrong: {', or '.join(ways)}, or the cardinalities of the key, for {rows} rows at a time",
        part=first.name,
        at=first.location,
    )


def _too_low(model: ModelSchema) -> Iterator[Finding]:
    """A rate of the table that is far lower than what its writers come to, by their slots or by the description."""
    if model.events is None or not (model.doc or any(column.slots for column in model.columns)):
        return
    from btmodel.lint.paces_said import FAR, least_rate  # here: this rule is loaded with every model

    pace = least_rate(model)
    if pace is None or model.events.per_second * FAR >= pace.least.per_second:
        return
    count = pace.part.cardinality or 0
    most = max(1, round(count * model.events.per_second / pace.least.per_second))
    yield RULE.finding(
        model,
        f"{model.events} are declared for the table, and {counted(count, 'value')} of `{pace.part.name}` come to {pace.least.rounded()}, {pace.how}",
        why=_WHY,
        fix=f'correct what is wrong: `events="{pace.least.rounded()}"` of the class, or the cardinality of `{pace.part.name}`, for about {most:,} at a time, or what is said of each',
        part=pace.part.name,
        at=pace.part.location,
        level=Level.WARNING,
    )


def corrected(model: ModelSchema) -> Iterator[ModelSchema]:
    """The model with each of the figures that contradict another one as it would be right, one at a time.

    What is worked out from either of two such figures is known only if it is the same with each of them.
    """
    for part in model.key.fields:
        most = _most_values(part)
        if most is not None and part.cardinality is not None and part.cardinality > most:
            yield replaced(model, part, evolve(part, cardinality=most))
    for column in model.columns:
        expected, possible = column.expected, members(column.value_type)
        size, largest = expected.size, expected.max_size
        if size is not None and largest is not None and size > largest:
            yield _expecting(model, column, size=largest)
            yield _expecting(model, column, max_size=size)
        if possible is not None and (expected.cardinality or 0) > possible:
            yield _expecting(model, column, cardinality=possible)
    found = _contradicting(model)
    if found is None:
        return
    yield evolve(model, events=Rate(found.most))
    faster = model
    for column, every in found.intervals:
        if column.expected.every is not None:
            faster = _expecting(faster, column, every=found.shorter(every))
    yield faster


def _expecting(model: ModelSchema, column: Column, **figures: Any) -> ModelSchema:
    """The model with other figures of a column."""
    other = evolve(column, expected=evolve(column.expected, **figures))
    return evolve(model, columns=tuple(other if one == column else one for one in model.columns))


RULE: Rule[ModelSchema] = Rule(
    "FIG002", "contradicting-figures", check, page=__doc__, rewrites=None, levels=(Level.ERROR, Level.WARNING)
)
