"""The result as a table: a row for each measure, a column for each alternative."""

from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from btmodel.schema import ModelSchema, Unserved, access
from btmodel.simulate.answer import Answer, LoadSpread, TableAnswer
from btmodel.simulate.cluster.cluster import Assumed, Assumptions, described
from btmodel.simulate.cluster.outcome import BoundKind, LoadBound
from btmodel.simulate.measures import duration, figure, many, percent
from btmodel.simulate.table_growth import SPANS
from btmodel.words import size_text


def bound_lines(bounds: Sequence[LoadBound], assumptions: Assumptions) -> Iterator[str]:
    """The bounds of tables, one line each, and the one for their sizes."""
    for one in bounds:
        where = f", most of them at {one.what}" if one.what else ""
        yield (
            f"{one.kind.value}: {percent(one.share)} of the writes of {one.table}{where}; "
            f"they need {percent(one.of_node)} of the capacity of a node{_until(one, assumptions)}"
        )
    yield "rows and bytes follow from the declarations alone, after garbage collection and without compression"


def _until(one: LoadBound, assumptions: Assumptions) -> str:
    """How long a table counts as small, which depends on an assumption."""
    if one.kind is not BoundKind.SMALL:
        return ""
    return f", for the first {duration(one.until)} (assuming that a table is small up to {size_text(assumptions.small_table)})"


def assumed_rows(assumptions: Assumptions) -> Iterator[tuple[str, str, str]]:
    """Each assumption: its name, its value, and what it decides."""
    for assumption in described(assumptions):
        source = (
            ""
            if assumption.value == assumption.default
            else f" (default: {valued(assumption, assumption.default)})"
        )
        yield (
            assumption.name.replace("_", "-"),
            valued(assumption, assumption.value),
            assumption.decides + source,
        )


def valued(one: Assumed, value: float) -> str:
    """The value of an assumption in its unit."""
    if one.unit == "bytes":
        return size_text(value)
    if one.unit == "seconds":
        return duration(value)
    return f"{figure(value)} {one.unit}"


def ranges_of(model: ModelSchema) -> int:
    """The ranges of the most expensive declared query that the key serves: one, or one per salt value; 0 without queries."""
    return max((_ranges(model, name) for name in (query.name for query in model.queries)), default=0)


def unserved(model: ModelSchema) -> tuple[str, ...]:
    """The declared queries for which the key is neither a key lookup, a prefix nor a range."""
    return tuple(query.name for query in model.queries if isinstance(access(model.key, query), Unserved))


def _ranges(model: ModelSchema, name: str) -> int:
    found = access(model.key, model.query(name))
    if isinstance(found, Unserved):
        return 0
    derived = found.scattered.derived if found.scattered else None
    return len(derived.values or ()) if derived else 1


_NONE = "-"
# The largest row gets its own line if it is this many times larger than the usual one.
_LARGER = 1.5


@frozen
class MeasureRow:
    """One measure for each alternative, in a ``group``; a ``firm`` row depends on no assumption."""

    group: str
    name: str
    texts: tuple[str, ...]
    firm: bool = False


def load_rows(answers: Sequence[Answer]) -> Iterator[MeasureRow]:
    """The load of the cluster, for all tables together."""

    def row(group: str, name: str, text: Callable[[Answer], str]) -> MeasureRow:
        return MeasureRow(group, name, tuple(map(text, answers)))

    yield row("writes", "nodes busy", lambda one: _busy(one.writes))
    yield row("writes", "on the hottest node", lambda one: _hottest(one.writes))
    if any(answer.reads for answer in answers):
        yield row("reads", "nodes busy", lambda one: _busy(one.reads))
        yield row("reads", "on the hottest node", lambda one: _hottest(one.reads))
    yield row("load", "hottest node, usual", lambda one: _share(one.load))
    yield row("load", "hottest node, peak", lambda one: _share(one.load_most))
    yield row("load", "p99 wait, usual", lambda one: duration(one.p99))
    yield row("load", "p99 wait, peak", lambda one: duration(one.p99_most))
    if any(answer.failed for answer in answers):
        yield row("load", "requests given up", lambda one: percent(one.failed))
    if any(answer.waiting > 1 for answer in answers):
        yield row("load", "backlog at the end", lambda one: duration(one.waiting))
    yield row("tablets", "at the end", lambda one: f"{one.tablets:,}")
    yield row("tablets", "splits, moves", lambda one: f"{one.splits:,}, {one.moves:,}")
    yield from _query_rows(answers)
    yield MeasureRow(
        "nodes", "needed for a spread load", tuple(f"{answer.need.load:,}" for answer in answers)
    )
    yield MeasureRow(
        "nodes", "needed for a year's data", tuple(f"{answer.need.storage:,}" for answer in answers)
    )


def _query_rows(answers: Sequence[Answer]) -> Iterator[MeasureRow]:
    """The cost of keys for reads, if it differs between alternatives."""
    models = [[table.workload.model for table in answer.tables] for answer in answers]
    ranges = [max(map(ranges_of, some)) for some in models]
    if max(ranges) > 1:
        yield MeasureRow(
            "queries", "ranges of one read", tuple(f"{ends or _NONE}" for ends in ranges), firm=True
        )
    lost = [sum(len(unserved(model)) for model in some) for some in models]
    if any(lost):
        yield MeasureRow("queries", "not served", tuple(f"{one:,}" for one in lost), firm=True)


def growth_rows(tables: Sequence[TableAnswer]) -> Iterator[MeasureRow]:
    """The growth of a table, which follows from the declarations alone."""

    for name in SPANS:
        after = [answer.growth.after[name] for answer in tables]
        pairs = list(zip(tables, after, strict=True))
        texts = {
            "rows": [many(one.rows) for one in after],
            "table": [_size(table, one.bytes) for table, one in pairs],
            "a row": [_size(table, one.row) for table, one in pairs],
        }
        if any(one.hottest_row > _LARGER * one.row for one in after):
            texts["the largest row"] = [_size(table, one.hottest_row) for table, one in pairs]
        yield from (
            MeasureRow(f"after {name}", what, tuple(found), firm=True) for what, found in texts.items()
        )


def grown(table: TableAnswer, span: str) -> tuple[str, ...]:
    """Rows, bytes, and the bytes of a usual and of the largest row, after a span."""
    after = table.growth.after[span]
    return (
        many(after.rows),
        _size(table, after.bytes),
        _size(table, after.row),
        _size(table, after.hottest_row),
    )


def _busy(spread: LoadSpread | None) -> str:
    return _NONE if spread is None else f"{spread.busy:,} of {spread.nodes:,}"


def _hottest(spread: LoadSpread | None) -> str:
    return _NONE if spread is None else _share(spread.hottest)


def _share(part: float) -> str:
    """A share, short enough for a column."""
    return percent(part).replace("less than ", "< ")


def _size(table: TableAnswer, count: float) -> str:
    return f"{'≥ ' if table.growth.missing else ''}{size_text(count)}"
