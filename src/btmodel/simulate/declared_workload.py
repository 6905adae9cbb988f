"""The workload that a model declares."""

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from attrs import evolve, frozen

from btmodel.codecs.key import Kind
from btmodel.design.spread import by_its_order
from btmodel.errors import DeclarationError, SimulationRefused
from btmodel.estimates import rate_of_one, span
from btmodel.schema import Access, AccessKind, ModelSchema, Query, Rate, access
from btmodel.simulate.workload import (
    START,
    AskedField,
    Distribution,
    EventTime,
    Few,
    Reads,
    Sequential,
    Stated,
    Uniform,
    Weighted,
    Workload,
    asked_of,
    distribution_of,
)
from btmodel.words import meant

# The rows of a read without a declared span: a page of results.
USUAL_ROWS = 100.0
# No table has more rows.
_MOST_ROWS = 1e15


def reads_of(model: ModelSchema, texts: Mapping[str, str]) -> tuple[Reads, ...]:
    """The reads that ``texts`` names. Raises :class:`SimulationRefused`."""
    return tuple(_read(model, name, text) for name, text in texts.items())


def _read(model: ModelSchema, name: str, text: str) -> Reads:
    query = next((query for query in model.queries if query.name == name), None)
    if query is None:
        names = [query.name for query in model.queries]
        raise SimulationRefused(f"{model.name}: no query {name!r}{meant(name, names, 'queries')}")
    rate, _, rows = str(text).partition(":")
    try:
        per_second = Rate.parse(rate, f"{model.name}.{name}").per_second
        number = float(rows) if rows else rows_of(model, query)
    except (DeclarationError, ValueError) as error:
        raise SimulationRefused(
            str(error) if isinstance(error, DeclarationError) else _no_rows(model, name, rows)
        ) from None
    if not 0 < number <= _MOST_ROWS:
        raise SimulationRefused(_no_rows(model, name, rows))
    return Reads(name, per_second, number)


def _no_rows(model: ModelSchema, name: str, rows: str) -> str:
    return (
        f"{model.name}.{name}: expected a number of rows above 0 and up to 10**15 after the rate, as in 100/s:50, "
        f"got {rows!r}"
    )


def rows_of(model: ModelSchema, query: Query) -> float:
    """The number of rows that one read of a query returns: those of its declared span, or else a page."""
    found = access(model.key, query)
    if isinstance(found, Access) and found.kind is AccessKind.POINT:
        return 1.0
    rate = rate_of_one(model)
    if query.span is None or rate is None:
        return USUAL_ROWS
    # A row of a bucket holds the events of its span.
    each = span(model) if model.bucket is not None else timedelta(0)
    rows = query.span / each if each else query.span.total_seconds() * rate
    return max(1.0, rows)


# Random ids: so many that none occurs twice.
_DRAWN = 10**12


@frozen
class Lacking:
    """The workload estimates that a model does not declare and a simulation needs."""

    model: ModelSchema
    events: bool
    counts: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.events or bool(self.counts)

    def __str__(self) -> str:
        name = self.model.name
        wanted = []
        if self.events:
            wanted.append("the rate of events is not declared: declare events=, or give --events 5000/s")
        wanted += [
            f"`{field}` has no declared cardinality: declare cardinality=, or give --count {field}=1000"
            for field in self.counts
        ]
        return f"{name}: {'; '.join(wanted)}"


def lacking(model: ModelSchema, stated: Stated) -> Lacking:
    """The estimates that neither the model nor ``stated`` gives, and that a simulation needs."""
    model = _in_order(model, stated)
    fields = _fields(model, stated)
    counts = [asked.name for asked in asked_of(model) if _count(asked, fields[asked.name], stated) is None]
    return Lacking(model, model.events is None and stated.events is None, tuple(counts))


def workload_of(model: ModelSchema, stated: Stated = Stated()) -> Workload:  # noqa: B008 - it is frozen
    """The workload of ``model``: its declared estimates, overridden by what is ``stated``.

    By default, times follow the clock, ids declared as sequential count up, and all other fields have
    their declared skew, or are spread evenly.
    Raises :class:`SimulationRefused` if an estimate is missing, or names no field or query.
    """
    _check_names(model, stated)
    if missing := lacking(model, stated):
        raise SimulationRefused(str(missing))
    declared, model = model, _in_order(model, stated)
    fields = _fields(model, stated)
    counts = {
        asked.name: count
        for asked in asked_of(model)
        if (count := _count(asked, fields[asked.name], stated)) is not None
        and not isinstance(fields[asked.name], EventTime)
    }
    _check_counted(model, fields, stated)
    _check_few(model, fields, counts)
    events = stated.events or model.events
    assert events is not None
    return Workload(
        model,
        events.per_second,
        fields,
        counts,
        growth=stated.growth or 0.0,
        reads=reads_of(model, stated.reads),
        history=stated.history or timedelta(0),
        start=stated.start or START,
        daily=stated.daily or 0.0,
        declared=declared,
    )


def _in_order(model: ModelSchema, stated: Stated) -> ModelSchema:
    """``model``, in which what is a time by its name comes by the clock, and ids in sequence climb, as the review takes them.

    What is stated of a field is not judged by its name, nor is what a function makes another field of the key from.
    """
    said = {*stated.fields, *stated.counts}
    made = (part.derived for part in model.key.fields if part.derived and not part.derived.of_bytes)
    said |= {name for derived in made for name in derived.of}
    fields = tuple(part if part.name in said else by_its_order(model, part) for part in model.key.fields)
    return model if fields == model.key.fields else evolve(model, key=evolve(model.key, fields=fields))


def _fields(model: ModelSchema, stated: Stated) -> dict[str, Distribution]:
    return {
        asked.name: distribution_of(asked, stated.fields[asked.name], f"{model.name}.{asked.name}")
        if asked.name in stated.fields
        else _usual(asked, f"{model.name}.{asked.name}")
        for asked in asked_of(model)
    }


def _usual(asked: AskedField, where: str) -> Distribution:
    if asked.kind is Kind.TIME:
        return EventTime()
    if asked.sequential:
        return Sequential()
    return Uniform() if asked.skew is None else distribution_of(asked, asked.skew, where)


def _count(asked: AskedField, distribution: Distribution, stated: Stated) -> int | None:
    """The number of values of the field; None if it is not declared."""
    if asked.name in stated.counts:
        return stated.counts[asked.name]
    if isinstance(distribution, Weighted):
        return len(distribution.values)
    if asked.count is not None:
        return asked.count
    if asked.kind is Kind.TIME or isinstance(distribution, Sequential):
        return 1
    return _DRAWN if asked.codec.python_type is UUID else None


def _check_names(model: ModelSchema, stated: Stated) -> None:
    known = [asked.name for asked in asked_of(model)]
    for name in (*stated.fields, *stated.counts):
        if name not in known:
            raise SimulationRefused(
                f"{model.name}: no key field {name!r} that a row gives{meant(name, known, 'fields')}"
            )


def _check_counted(model: ModelSchema, fields: dict[str, Distribution], stated: Stated) -> None:
    for name in stated.counts:
        if isinstance(fields[name], EventTime):
            raise SimulationRefused(f"{model.name}.{name}: its values follow the clock, so it takes no count")


def _check_few(model: ModelSchema, fields: dict[str, Distribution], counts: dict[str, int]) -> None:
    for name, found in fields.items():
        if isinstance(found, Few) and found.values > counts[name]:
            raise SimulationRefused(
                f"{model.name}.{name}: expected up to {counts[name]:,} values, as many as it has, got {found.values:,}"
            )
