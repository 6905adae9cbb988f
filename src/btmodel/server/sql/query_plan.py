"""A resolved query as one source of rows, in the key ranges that its condition leaves, and the steps that they go through, page by page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from typing import Any, Protocol

from attrs import define, field, frozen

from btmodel.googlesql.analysis import Node, QueryError, output_columns
from btmodel.server.request_errors import exhausted
from btmodel.server.sql.expressions import Compiler, Expression, Row, foreign, only, refused, words
from btmodel.server.sql.functions import AGGREGATES, MOST, AggregateFunction
from btmodel.server.store import EVERYTHING, KeyRange, merged, overlap, prefix_range

Ranges = list[KeyRange]
_ALL = [EVERYTHING]
_SWAPPED = {"$less": "$greater", "$greater": "$less", "$less_or_equal": "$greater_or_equal"}
_SWAPPED |= {"$greater_or_equal": "$less_or_equal", "$equal": "$equal"}


def key_ranges(condition: Node, key: int, compiler: Compiler) -> Ranges:
    """The ranges that hold all keys for which ``condition`` may be true; ``key`` is the column of `_key`."""
    if condition["node"] != "FunctionCall":
        return _ALL
    name, arguments = condition["function"], condition.get("argument_list", ())
    if name in ("$and", "$or"):
        parts = [key_ranges(argument, key, compiler) for argument in arguments]
        return reduce(_both, parts) if name == "$and" else merged(list(chain.from_iterable(parts)))
    at = next((at for at, one in enumerate(arguments) if _is_key(one, key)), None)
    if at is None:
        return _ALL
    constants = [compiler.constant(one) for place, one in enumerate(arguments) if place != at]
    values = [constant[0] for constant in constants if constant is not None]
    if len(values) < len(constants):
        return _ALL
    if at == 1 and len(arguments) == 2:
        name = _SWAPPED.get(name, "")
    elif at:
        return _ALL
    if name == "$in_array":
        name, values = "$in", values[0] or []
    if name == "$in":
        return merged([_only(value) for value in values if value is not None])
    if name not in _RANGES:
        return _ALL
    # A comparison with NULL is never true.
    return [] if None in values else merged(_RANGES[name](values))


def _is_key(node: Node, key: int) -> bool:
    return node["node"] == "ColumnRef" and bool(node["column"]["column_id"] == key)


def _both(some: Ranges, others: Ranges) -> Ranges:
    found = [overlap(key_range, other) for key_range in some for other in others]
    return merged([key_range for key_range in found if key_range is not None])


def _only(key: bytes) -> KeyRange:
    return KeyRange(key, key + b"\0")


def _like(values: Sequence[bytes]) -> Ranges:
    """A pattern begins with what stands in front of its first wildcard."""
    ends = [at for sign in (b"%", b"_", b"\\") if (at := values[0].find(sign)) >= 0]
    return [prefix_range(values[0][: min(ends)])] if ends else [_only(values[0])]


_RANGES: dict[str, Callable[[Sequence[bytes]], Ranges]] = {
    "$equal": lambda values: [_only(values[0])],
    "$less": lambda values: [KeyRange(b"", values[0])],
    "$less_or_equal": lambda values: [KeyRange(b"", values[0] + b"\0")],
    "$greater": lambda values: [KeyRange(values[0] + b"\0", None)],
    "$greater_or_equal": lambda values: [KeyRange(values[0], None)],
    "$between": lambda values: [KeyRange(values[0], values[1] + b"\0")],
    "starts_with": lambda values: [prefix_range(values[0])],
    "$like": _like,
}


Rows = list[Row]
_PIECE = 50  # rows that one step is given at a time


class PlanStep(Protocol):
    """What is done with rows: pages of them come in their order, and what is left when there are no more."""

    done: bool

    def feed(self, rows: Rows) -> Rows:
        """The rows that a page becomes; it may be changed."""
        ...

    def rest(self) -> Rows:
        """The rows that come after the last page."""
        ...


@define
class _Where:
    condition: Expression
    done: bool = False

    def feed(self, rows: Rows) -> Rows:
        condition = self.condition
        return [row for row in rows if condition(row) is True]

    def rest(self) -> Rows:
        return []


@define
class _Project:
    """Computes columns."""

    columns: Sequence[tuple[int, Expression]]
    done: bool = False

    def feed(self, rows: Rows) -> Rows:
        for place, value in self.columns:
            for row in rows:
                row[place] = value(row)
        return rows

    def rest(self) -> Rows:
        return []


@define
class _Unnest:
    """A row for each item of an array."""

    array: Expression
    element: int
    offset: int | None
    condition: Expression | None
    outer: bool
    done: bool = False

    def feed(self, rows: Rows) -> Rows:
        found: Rows = []
        for row in rows:
            made = list(self._of(row))
            found += made or ([row] if self.outer else [])
            check_size(found)
        return found

    def _of(self, row: Row) -> Iterator[Row]:
        for at, item in enumerate(self.array(row) or ()):
            new = row.copy()
            new[self.element] = item
            if self.offset is not None:
                new[self.offset] = at
            if self.condition is None or self.condition(new) is True:
                yield new

    def rest(self) -> Rows:
        return []


@define
class _Limit:
    left: int | None
    offset: int
    done: bool = False

    def feed(self, rows: Rows) -> Rows:
        skipped = min(self.offset, len(rows))
        self.offset -= skipped
        found = rows[skipped:] if self.left is None else rows[skipped : skipped + self.left]
        if self.left is not None:
            self.left -= len(found)
            self.done = self.left == 0
        return found

    def rest(self) -> Rows:
        return []


@define
class _Sort:
    """Sorts by columns, of which each has its direction, and whether NULL comes first."""

    columns: Sequence[tuple[int, bool, bool]]
    done: bool = False
    _held: Rows = field(factory=list)

    def feed(self, rows: Rows) -> Rows:
        self._held += rows
        check_size(self._held)
        return []

    def rest(self) -> Rows:
        for place, falling, nulls_first in reversed(self.columns):
            key = _sort_key(place, nulls_last=nulls_first is falling)
            self._held.sort(key=key, reverse=falling)
        return self._held


def _sort_key(place: int, *, nulls_last: bool) -> Callable[[Row], Any]:
    """NaN is the least number. In falling order all is turned round, NULL too."""

    def key(row: Row) -> Any:
        value = row[place]
        if value is None:
            return (1 if nulls_last else -1, 0)
        return (0, (False, 0.0)) if value != value else (0, (True, value))

    return key


@frozen
class _Computed:
    """An aggregate in its place: what it is of, of which only different values may count."""

    place: int
    aggregate: AggregateFunction
    value: Expression
    distinct: bool


@define
class _Grouping:
    """Groups rows by columns; without any, there is one group, of no row if need be."""

    keys: Sequence[tuple[int, Expression]]
    computed: Sequence[_Computed]
    width: int
    done: bool = False
    _groups: dict[tuple[Any, ...], tuple[list[Any], list[Any]]] = field(factory=dict)

    def feed(self, rows: Rows) -> Rows:
        parts: dict[tuple[Any, ...], Rows] = {}
        for row in rows:
            parts.setdefault(tuple([_group_key(value(row)) for _, value in self.keys]), []).append(row)
        for key, part in parts.items():
            known = self._groups.get(key)
            if known is None:
                known = self._groups[key] = (
                    [value(part[0]) for _, value in self.keys],
                    [None] * len(self.computed),
                )
                check_size(self._groups)
            states = known[1]
            for at, one in enumerate(self.computed):
                values = [one.value(row) for row in part]
                if not one.aggregate.nulls:
                    values = [value for value in values if value is not None]
                if one.distinct:
                    states[at] = {**(states[at] or {}), **{_group_key(value): value for value in values}}
                else:
                    states[at] = one.aggregate.fold(states[at], values)
        return []

    def rest(self) -> Rows:
        if not self.keys and not self._groups:
            self._groups[()] = ([], [None] * len(self.computed))
        return [self._row(keys, states) for keys, states in self._groups.values()]

    def _row(self, keys: list[Any], states: list[Any]) -> Row:
        row: Row = [None] * self.width
        for (place, _), value in zip(self.keys, keys, strict=True):
            row[place] = value
        for one, state in zip(self.computed, states, strict=True):
            if one.distinct:
                state = one.aggregate.fold(None, list((state or {}).values()))
            row[one.place] = one.aggregate.result(state)
        return row


def _group_key(value: Any) -> Any:
    """Values that are one group are equal: NaN is one, and arrays can be looked up."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value
    return tuple(value) if isinstance(value, list) else value


def check_size(held: Sequence[Any] | Mapping[Any, Any]) -> None:
    """Refuse a query that holds too much."""
    if len(held) > MOST:
        raise exhausted(
            f"The query sorts, groups or makes more than {MOST:,} rows, which is a limit of the local server"
        )


@frozen
class SqlSource:
    """What is read: a table by its id, the places of its columns, key ranges, and options; no table gives one row without columns."""

    table: str | None
    columns: Mapping[int, int]  #: the number of a column of the table, to its place in a row
    ranges: list[KeyRange]
    options: Mapping[str, Any]


@define
class SqlPlan:
    """A query ready for one run: it has the state of its steps."""

    source: SqlSource
    steps: list[PlanStep]
    outputs: list[int]
    width: int

    @property
    def streams(self) -> bool:
        """Whether a result comes from one row, so that the key of that row says how far a read has come."""
        return self.source.table is not None and all(
            isinstance(step, _Where | _Project) for step in self.steps
        )

    @property
    def done(self) -> bool:
        """Whether no further row of the source is wanted."""
        return any(step.done for step in self.steps)

    def feed(self, rows: Rows) -> Iterator[Rows]:
        """The rows that a page of the source becomes, in pieces of little work each."""
        return self._through(rows, self.steps)

    def rest(self) -> Iterator[Rows]:
        """The rows that come after the last page."""
        for at, step in enumerate(self.steps):
            yield from self._through(step.rest(), self.steps[at + 1 :])

    def _through(self, rows: Rows, steps: Sequence[PlanStep]) -> Iterator[Rows]:
        if not steps:
            yield rows
            return
        for at in range(0, len(rows), _PIECE):
            yield from self._through(steps[0].feed(rows[at : at + _PIECE]), steps[1:])


def plan(tree: Node, compiler: Compiler, options: Sequence[str]) -> SqlPlan:
    """The plan of a resolved query; ``options`` are those of a table in their order. Raises :class:`QueryError`."""
    planner = _SqlPlanner(compiler, _width(tree), options)
    planner.scan(tree["query"])
    assert planner.source is not None
    places = [number for _, _, number in output_columns(tree)]
    return SqlPlan(planner.source, planner.steps, places, planner.width)


def _width(node: Any) -> int:
    """One more than the greatest number of a column."""
    if isinstance(node, dict):
        number: int = node.get("column_id", 0)
        return max(number + 1, *map(_width, node.values()))
    return max(map(_width, node), default=0) if isinstance(node, list) else 0


@define
class _SqlPlanner:
    compiler: Compiler
    width: int
    options: Sequence[str]
    source: SqlSource | None = None
    steps: list[PlanStep] = field(factory=list)

    def scan(self, node: Node, condition: Node | None = None) -> None:
        """Add a scan and what is below it; ``condition`` is that of WHERE right above it."""
        method = _SCANS.get(node["node"])
        if method is None:
            name = node["node"]
            raise foreign(_FOREIGN[name]) if name in _FOREIGN else refused(words(name))
        if node["node"] in ("TableScan", "TVFScan"):
            self._source(node, condition)
        else:
            method(self, node)

    def _source(self, node: Node, condition: Node | None = None) -> None:
        only(node, "table", "tvf", "column_index_list", "argument_list")
        given = {}
        for name, argument in zip(self.options, node.get("argument_list", ()), strict=False):
            value = self.compiler.constant(argument["expr"])
            if value is None:
                raise QueryError(f"The option {name} of a table must be a constant or a parameter")
            if value[0] is not None:
                given[name] = value[0]
        places = [column["column_id"] for column in node.get("column_list", ())]
        columns = dict(zip(node.get("column_index_list", ()), places, strict=True))
        ranges = [EVERYTHING]
        if condition is not None and 0 in columns:
            ranges = key_ranges(condition, columns[0], self.compiler)
        self.source = SqlSource(node.get("table") or node["tvf"], columns, ranges, given)

    def _nothing(self, node: Node) -> None:
        self.source = SqlSource(None, {}, [], {})

    def _filter(self, node: Node) -> None:
        only(node, "input_scan", "filter_expr")
        self.scan(node["input_scan"], node["filter_expr"])
        self.steps.append(_Where(self.compiler.expression(node["filter_expr"])))

    def _project(self, node: Node) -> None:
        only(node, "input_scan", "expr_list")
        self.scan(node["input_scan"])
        columns = self._columns(node.get("expr_list", ()))
        if columns:
            self.steps.append(_Project(columns))

    def _columns(self, computed: Iterable[Node]) -> list[tuple[int, Expression]]:
        return [(one["column"]["column_id"], self.compiler.expression(one["expr"])) for one in computed]

    def _unnest(self, node: Node) -> None:
        only(
            node,
            "input_scan",
            "array_expr_list",
            "element_column_list",
            "array_offset_column",
            "join_expr",
            "is_outer",
        )
        if len(node["array_expr_list"]) > 1:
            raise refused("UNNEST of several arrays")
        if node.get("input_scan"):
            self.scan(node["input_scan"])
        else:
            self._nothing(node)
        offset, condition = node.get("array_offset_column"), node.get("join_expr")
        array = self.compiler.expression(node["array_expr_list"][0])
        self.steps.append(
            _Unnest(
                array,
                node["element_column_list"][0]["column_id"],
                offset["column"]["column_id"] if offset else None,
                self.compiler.expression(condition) if condition else None,
                bool(node.get("is_outer")),
            )
        )

    def _limit(self, node: Node) -> None:
        only(node, "input_scan", "limit", "offset")
        self.scan(node["input_scan"])
        limit, offset = (self._count(node.get(name), name.upper()) for name in ("limit", "offset"))
        self.steps.append(_Limit(limit, offset or 0))

    def _count(self, node: Node | None, name: str) -> int | None:
        if node is None:
            return None
        value = self.compiler.constant(node)
        if value is None or not isinstance(value[0], int) or value[0] < 0:
            raise QueryError(f"{name} must be a number that is not negative, and not NULL")
        return value[0]

    def _sort(self, node: Node) -> None:
        only(node, "input_scan", "order_by_item_list")
        self.scan(node["input_scan"])
        columns = []
        for one in node["order_by_item_list"]:
            if one.get("collation_name"):
                raise refused("COLLATE")
            falling = bool(one.get("is_descending"))
            first = {1: True, 2: False}.get(one.get("null_order", 0), not falling)
            columns.append((one["column_ref"]["column"]["column_id"], falling, first))
        self.steps.append(_Sort(columns))

    def _aggregate(self, node: Node) -> None:
        only(node, "input_scan", "group_by_list", "aggregate_list")
        self.scan(node["input_scan"])
        computed = [self._computed(one) for one in node.get("aggregate_list", ())]
        self.steps.append(_Grouping(self._columns(node.get("group_by_list", ())), computed, self.width))

    def _computed(self, column: Node) -> _Computed:
        call = column["expr"]
        name = call["function"].rpartition(":")[2].lower()
        only(call, "argument_list", "distinct", "null_handling_modifier")
        if name not in AGGREGATES:
            raise refused(f"aggregate function {name.upper()}")
        aggregate, handling = AGGREGATES[name], call.get("null_handling_modifier", 0)
        if handling:
            aggregate = AggregateFunction(aggregate.fold, aggregate.result, nulls=handling == _RESPECT)
        arguments = [self.compiler.expression(one) for one in call.get("argument_list", ())]
        if len(arguments) > 1:
            raise refused(f"second argument of {name.upper()}")
        value = arguments[0] if arguments else _one
        distinct = bool(call.get("distinct")) or name == "approx_count_distinct"
        return _Computed(column["column"]["column_id"], aggregate, value, distinct)


def _one(row: Row) -> int:
    return 1


_RESPECT = 2  # NullHandlingModifier.RESPECT_NULLS
_FOREIGN = {
    "JoinScan": "JOIN", "SetOperationScan": "UNION, INTERSECT and EXCEPT", "WithScan": "WITH", "WithRefScan": "WITH",
    "AnalyticScan": "OVER", "SampleScan": "TABLESAMPLE", "RelationArgumentScan": "tables as arguments",
}  # fmt: skip
_SCANS: Mapping[str, Callable[[_SqlPlanner, Node], None]] = {
    "SingleRowScan": _SqlPlanner._nothing,
    "TableScan": _SqlPlanner._source,
    "TVFScan": _SqlPlanner._source,
    "FilterScan": _SqlPlanner._filter,
    "ProjectScan": _SqlPlanner._project,
    "ArrayScan": _SqlPlanner._unnest,
    "LimitOffsetScan": _SqlPlanner._limit,
    "OrderByScan": _SqlPlanner._sort,
    "AggregateScan": _SqlPlanner._aggregate,
}
