"""Reads of declared queries, and how many rows each of them takes."""

from collections.abc import Mapping
from datetime import timedelta

from btmodel.errors import DeclarationError, SimulationRefused
from btmodel.near import meant
from btmodel.schema import Access, AccessKind, ModelSchema, Query, Rate, access
from btmodel.schema.counts import span
from btmodel.schema.density import rate_of_one
from btmodel.simulate.workload.workload import Reads

# The rows of a read whose span no model declares: a page of results.
USUAL_ROWS = 100.0
# No table has more.
_MOST_ROWS = 1e15


def reads_of(model: ModelSchema, told: Mapping[str, str]) -> tuple[Reads, ...]:
    """The reads that ``told`` names. Raises :class:`SimulationRefused`."""
    return tuple(_read(model, name, text) for name, text in told.items())


def _read(model: ModelSchema, name: str, text: str) -> Reads:
    query = next((query for query in model.queries if query.name == name), None)
    if query is None:
        names = [query.name for query in model.queries]
        raise SimulationRefused(f"{model.name}: no query {name!r}; {meant(name, names, 'queries')}")
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
        f"{model.name}.{name}: wanted a number of rows above 0 and up to 10**15 behind the rate, as in 100/s:50, "
        f"got {rows!r}"
    )


def rows_of(model: ModelSchema, query: Query) -> float:
    """The rows that one read of a query takes: those of its span, where the model declares it; else a page."""
    found = access(model.key, query)
    if isinstance(found, Access) and found.kind is AccessKind.POINT:
        return 1.0
    rate = rate_of_one(model)
    if query.span is None or rate is None:
        return USUAL_ROWS
    # A row of a bucket takes the events of its span.
    each = span(model) if model.bucket is not None else timedelta(0)
    rows = query.span / each if each else query.span.total_seconds() * rate
    return max(1.0, rows)
