"""The planner: a declared query with values becomes key ranges and a filter; and the selection of columns."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from attrs import evolve, frozen

from btmodel.errors import QueryRefused, ValueRefused, shown
from btmodel.rows.conditions import All, Test, passing, tests_of
from btmodel.rows.filters import (
    Filter,
    FirstCells,
    KeyMatches,
    Rows,
    Sample,
    Times,
    Versions,
    WithoutFirst,
    WithoutValues,
    chain,
)
from btmodel.rows.gc_filter import MOST_VERSIONS, Exact, Span, of_columns, of_model
from btmodel.rows.key_codec import HALF_OPEN, RowKeyCodec, misfit
from btmodel.rows.ranges import RowRange, refuse_reversed, timestamps
from btmodel.rows.read import RangeOrder, ReadPlan
from btmodel.schema import Access, AccessKind, KeyField, ModelSchema, Query, access
from btmodel.schema.lookup import newest_first
from btmodel.schema.possible_edits import removes, sorts
from btmodel.words import counted, did_you_mean, near

# Of a query with lists of values: a request names all ranges, and what is merged is a request for each.
MOST_RANGES = 1_000
MOST_MERGED = 100
_SEVERAL = frozenset({list, tuple, set, frozenset})


@frozen(slots=False)
class Selection:
    """What a read wants of the rows in its ranges.

    ``columns`` are the columns to read, or None for all; ``spans`` are the
    qualifiers to read of a column that is many, behind its prefix, ``exact`` just those to read of one, beside the other columns; ``times`` bounds the
    timestamps of cells; every one of ``conditions`` must hold for a row, and every
    one of ``patterns`` must match its key; of those rows, a ``sample`` is drawn.
    ``window`` chooses among the versions of histories.
    """

    model: ModelSchema
    columns: frozenset[str] | None = None
    spans: tuple[Span, ...] = ()
    exact: tuple[Exact, ...] = ()
    times: Times | None = None
    conditions: tuple[Test, ...] = ()
    patterns: tuple[KeyMatches, ...] = ()
    sample: Sample | None = None
    window: tuple[Filter, ...] = ()
    every_cell: bool = False
    by_only: bool = (
        False  # whether a call has named the columns, which chooses the rows that have one of them
    )

    @property
    def in_part(self) -> bool:
        """Whether it may leave out cells of the columns that it reads."""
        return bool(self.spans or self.exact or self.times or self.window)

    @classmethod
    def of_query(cls, model: ModelSchema, query: Query) -> "Selection":
        """What a declared query reads: the columns that it names, as far as the model has them."""
        known = frozenset(column.name for column in model.seen).intersection(query.only)
        return cls(model, known or model.shown)

    def only(self, names: Collection[str]) -> "Selection":
        """The same of these columns alone. Raises :class:`QueryRefused` for unknown ones, and for none."""
        known = [column.name for column in self.model.seen]
        if isinstance(names, str):
            raise QueryRefused(f"{self.model.name}: only: expected names of columns in a list, got {names!r}")
        unknown = [name for name in names if name not in known]
        if unknown or not names:
            wrong = (f"{name}{did_you_mean(near(str(name), known))}" for name in unknown)
            came = f"unknown: {', '.join(wrong)}" if unknown else "got none"
            raise QueryRefused(f"{self.model.name}: only: expected columns of {', '.join(known)}; {came}")
        return evolve(self, columns=frozenset(names), by_only=True)

    def entries(self, name: str, start: Any, end: Any) -> "Selection | None":
        """The same with no other entries of the column ``name`` than those from ``start`` up to ``end``.

        Other columns stay as they were asked for. None where there can be no cell; an end that is None is open.
        """
        column = next((column for column in self.model.seen if column.name == name), None)
        names = column.names if column and sorts(column) else None
        if names is None:
            fit = [column.name for column in self.model.seen if sorts(column)]
            known = ", ".join(fit) or "the model has none"
            raise QueryRefused(
                f"{self.model.name}: entries: expected a column of many whose names sort ({known}), got {shown(name)}"
                f"{did_you_mean(near(str(name), fit))}"
            )
        try:
            low = b"" if start is None else names.bound(start)
            high = b"" if end is None else names.bound(end)
        except ValueRefused as error:
            raise error.at(f"{self.model.name}.{name}") from None
        if start is not None and end is not None and high is not None and (low is None or low > high):
            refuse_reversed(f"{self.model.name}.{name}", start, end, of_rows=False)
        if low is None or (high and low >= high) or (end is not None and high == b""):
            return self._with_exact({name: ()})
        found = self._without_entries([name])
        return evolve(found, spans=(*found.spans, (name, low, high or b"")))

    def named(self, entries: Mapping[str, object], *, alone: bool = False) -> "Selection | None":
        """The same with no other entries of these mappings, and members of these sets, than those named.

        Other columns stay as they were asked for; with ``alone``, none are read. None where there can be no cell.
        """
        if not isinstance(entries, Mapping) or not entries:
            raise QueryRefused(
                f"{self.model.name}: entries: expected columns by name, each with its entries in a list, got {shown(entries)}"
            )
        qualifiers = {name: self._qualifiers(name, names) for name, names in entries.items()}
        asked = evolve(self, columns=frozenset()) if alone else self
        return asked._with_exact(qualifiers)

    def _with_exact(self, qualifiers: Mapping[str, tuple[bytes, ...]]) -> "Selection | None":
        found = self._without_entries(qualifiers)
        found = evolve(found, exact=(*found.exact, *qualifiers.items()))
        empty = {name for name, exact in found.exact if not exact}
        return found if found._read - empty else None

    def _without_entries(self, names: Collection[str]) -> "Selection":
        """The same with these columns among those that are asked for, and nothing that is asked of their entries."""
        return evolve(
            self,
            columns=None if self.columns is None else self.columns.union(names),
            spans=tuple(span for span in self.spans if span[0] not in names),
            exact=tuple(one for one in self.exact if one[0] not in names),
        )

    def _qualifiers(self, name: str, entries: object) -> tuple[bytes, ...]:
        fit = {column.name: column for column in self.model.seen if removes(column)}
        column = fit.get(name)
        if column is None or column.names is None:
            known = ", ".join(fit) or "the model has none"
            raise QueryRefused(
                f"{self.model.name}: entries: expected mappings and sets ({known}), got {shown(name)}"
                f"{did_you_mean(near(str(name), fit))}"
            )
        where = f"{self.model.name}.{name}"
        if isinstance(entries, (str, bytes)) or not isinstance(entries, Iterable):
            raise QueryRefused(f"{where}: entries: expected names of entries in a list, got {shown(entries)}")
        try:
            return tuple(dict.fromkeys(column.qualifier + column.names.encode(entry) for entry in entries))
        except ValueRefused as error:
            raise error.at(where) from None

    def narrowed(
        self,
        only: Collection[str] | None,
        times: tuple[datetime | None, datetime | None] | None,
        entries: Mapping[str, object] | None,
        versions: int | None = None,
        *,
        alone: bool = False,
    ) -> "Selection | None":
        """The same as far as each of these is given: of columns, of cells between two times, of entries, of newest versions.

        With ``alone``, ``entries`` without ``only`` are read without any other column. None where there can be no cell.
        """
        found: Selection | None = self if only is None else self.only(only)
        if entries is not None and found is not None:
            found = found.named(entries, alone=alone and only is None)
        if versions is not None and found is not None:
            found = found.versions(versions)
        if times is None or found is None:
            return found
        if not isinstance(times, tuple) or len(times) != 2:
            raise QueryRefused(f"{self.model.name}: times: expected a pair (start, end), got {shown(times)}")
        return found.between(*times)

    def where(self, values: Mapping[str, Any], given: Iterable[Any] = ()) -> "Selection":
        """The same of rows whose columns are as expected, and of which all conditions that are given hold, too."""
        return evolve(self, conditions=(*self.conditions, *tests_of(self.model, given, values)))

    def matching(self, pattern: bytes | str) -> "Selection":
        """The same of rows whose whole key matches ``pattern``, too."""
        if not isinstance(pattern, (bytes, str)) or not pattern:
            raise QueryRefused(
                f"{self.model.name}: matching: expected a regular expression, got {shown(pattern)}"
            )
        raw = pattern if isinstance(pattern, bytes) else pattern.encode()
        return evolve(self, patterns=(*self.patterns, KeyMatches(raw)))

    def versions(self, newest: int, offset: int = 0) -> "Selection":
        """The same with the ``newest`` versions alone of each history, behind the first ``offset``."""
        where = f"{self.model.name}: versions"
        if type(newest) is not int or not 1 <= newest <= MOST_VERSIONS:
            raise QueryRefused(f"{where}: expected a number of versions from 1 on, got {shown(newest)}")
        if type(offset) is not int or not 0 <= offset <= MOST_VERSIONS:
            raise QueryRefused(f"{where}: expected an offset of 0 or more versions, got {shown(offset)}")
        many = [column.name for column in self.model.columns if column.versioned and column.open]
        asked = [name for name in many if self.columns is None or name in self.columns]
        if offset and asked:
            raise QueryRefused(
                f"{where}: an offset counts the versions of one column, and {asked[0]!r} is many: leave it out with "
                "only(...), before versions(...)"
            )
        return evolve(self, window=(*([WithoutFirst(offset)] if offset else []), Versions(newest)))

    def sampled(self, share: float) -> "Selection":
        """The same of a random ``share`` of the rows; of a sample, of that share of it."""
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 < share < 1:
            raise QueryRefused(
                f"{self.model.name}: sample: expected a share of the rows between 0 and 1, such as 0.01, got {shown(share)}"
            )
        return evolve(self, sample=Sample(share * (self.sample.share if self.sample else 1)))

    def between(self, start: datetime | None, end: datetime | None) -> "Selection | None":
        """The same of cells with timestamps in ``[start, end)``; None where there can be none.

        An end that is None is open.
        """
        times = timestamps(f"{self.model.name}: times", start, end)
        return None if times is None else evolve(self, times=Times(*times))

    @cached_property
    def filter(self) -> Filter | None:
        """The filter of it all. Collected cells are left out first: a rule counts versions of all times.

        Between two times the newest of a plain column is the newest that lies there.
        """
        if self.every_cell:
            return None
        timed = self.times is not None
        if self.window:
            names = self.columns or frozenset(column.name for column in self.model.columns)
            window = (*([self.times] if self.times else []), *self.window)
            found = of_columns(self.model, names, self.spans, self.exact, every_version=timed, window=window)
        elif self.columns is None:
            found = of_model(self.model, self.spans, self.exact, every_version=timed)
        else:
            found = of_columns(self.model, self.columns, self.spans, self.exact, every_version=timed)
        return chain([*self.patterns, self.sample, passing(All(self.conditions), chain([found, self.times]))])

    @property
    def every(self) -> Filter | None:
        """The filter that gives every cell of those rows. Raises :class:`QueryRefused` where rows or cells are chosen by what lies in them."""
        if self.looks:
            raise QueryRefused(
                f"{self.model.name}: cells: expected a read of whole rows, got one that is narrowed by what lies in them: leave "
                "out where, only, times, entries and versions"
            )
        return chain([*self.patterns, self.sample])

    @property
    def chosen(self) -> Filter | None:
        """The filter that gives a cell of each of those rows, whatever is drawn of them: one that was is still one."""
        return evolve(self, sample=None).filter

    @property
    def looks(self) -> bool:
        """Whether which rows come depends on what lies in them, beside that it is a row of the model."""
        return bool(self.conditions or self.times or self.columns or self.window or self.spans or self.exact)

    @property
    def _read(self) -> frozenset[str]:
        """The names of the columns to read."""
        return frozenset(column.name for column in self.model.seen) if self.columns is None else self.columns

    def refuse_unchosen(self) -> None:
        """Raise :class:`QueryRefused` for named entries and for versions, which leave out cells and choose no rows, unless ``only`` has named their columns."""
        named = dict.fromkeys([*(name for name, _, _ in self.spans), *(name for name, _ in self.exact)])
        where = f"{self.model.name}: delete: expected a read that chooses rows, got one whose"
        if named and (not self.by_only or self._read - named.keys()):
            columns = ", ".join(map(repr, named))
            raise QueryRefused(
                f"{where} entries of {' and '.join(named)} leave out "
                f"other entries of the same rows: choose rows by where({next(iter(named))}=bt.contains(...)), or, to delete "
                f"rows that have one of these entries, name these columns alone, by only({columns})"
            )
        if self.window and not self.by_only:
            raise QueryRefused(
                f"{where} versions leave out other versions of the same rows, which would be deleted with them: leave versions out, or, to "
                "delete rows that have one of these versions, name the history, by only(...)"
            )

    @property
    def one_cell(self) -> Filter | None:
        """The filter that gives one cell, without its value, of each row that :attr:`filter` gives cells of."""
        return chain([self.filter, FirstCells(1), WithoutValues()])

    @property
    def keys(self) -> Filter | None:
        """The filter that gives what the keys of those rows are made of."""
        if not self.model.key.hashed:
            return self.one_cell
        assert self.one_cell is not None
        return Rows(self.one_cell, of_columns(self.model, self.model.key.hashed))


@frozen(slots=False)
class ServedQuery:
    """A query, with the proof that the key of its model serves it: built once, and planned with the values of each call."""

    name: str
    needed: frozenset[str]
    wanted: tuple[str, ...]  # in the order in which they are given
    access: Access
    given: tuple[str, ...]
    newest: bool
    backwards: bool
    selection: Selection

    @classmethod
    def of(cls, model: ModelSchema, query: Query) -> "ServedQuery":
        """The proof. Raises :class:`QueryRefused` where no key serves the query."""
        name = f"{model.name}.{query.name}"
        found = access(model.key, query)
        if not isinstance(found, Access):
            raise QueryRefused(f"{name}: the key does not serve this query: {found.why}")
        needed = frozenset((*query.equal, *([query.starting] if query.starting else ())))
        return cls(
            name,
            needed,
            tuple(dict.fromkeys((*query.equal, *filter(None, (query.starting, query.between))))),
            found,
            query.equal,
            query.newest,
            query.newest and not newest_first(model.key, found),
            Selection.of_query(model, query),
        )

    def ahead(self, *, several: bool) -> tuple[KeyField, ...] | None:
        """The leading fields that do not count in the order of the rows; None where the order is that of the keys.

        They are a salt that is not given; and of the newest rows of ``several`` values, all in front of the time.
        """
        found = self.access
        if several and self.newest and found.kind is not AccessKind.POINT:
            return found.prefix
        if found.scattered is None:
            return None
        return found.prefix[: found.prefix.index(found.scattered) + 1]

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise :class:`QueryRefused` unless just the fields of the query are given; the bounded one may be left out."""
        if not self.needed <= values.keys() <= {*self.wanted}:
            asked = [name for name in self.wanted if name in self.needed or name in values]
            raise QueryRefused(misfit(self.name, asked, values))


class Planner:
    """Plans the reads of one model."""

    def __init__(self, model: ModelSchema) -> None:
        self._model = model
        self._keys = RowKeyCodec(model)
        self._served: dict[Query, ServedQuery] = {}

    @cached_property
    def whole(self) -> Selection:
        """All that the rows of the model hold."""
        return Selection(self._model, self._model.shown)

    def row(self, key: bytes) -> ReadPlan:
        """The read of the row with this key."""
        return ReadPlan(self._model.table, (RowRange.of_key(key),), self.whole.filter, limit=1)

    def keys(self, keys: Iterable[bytes]) -> ReadPlan:
        """The read of the rows with these keys, as far as they are there, in the order of the keys."""
        ranges = tuple(map(RowRange.of_key, sorted(set(keys))))
        return ReadPlan(self._model.table, ranges, self.whole.filter)

    def served(self, query: Query) -> ServedQuery:
        """The query with its proof, which is built when it is first asked for."""
        found = self._served.get(query)
        if found is None:
            found = self._served[query] = ServedQuery.of(self._model, query)
        return found

    def query(self, query: Query, values: Mapping[str, Any]) -> ReadPlan:
        """The read of a declared query.

        The value of its ``between`` field is a pair ``(start, end)``, half-open, or
        ``(start, end, "[]")`` with the ends that belong to it; either end may be None: the
        range is open there. The value of its ``starting`` field is what values begin with;
        a path or a domain begins with itself, too. A list, tuple or set in the place of any other value asks for
        the rows of each value in it, in one read.
        Raises :class:`QueryRefused` for wrong fields and :class:`ValueRefused` for a value
        that does not fit.
        """
        return self.plan(self.served(query), values)

    def plan(self, served: ServedQuery, values: Mapping[str, Any]) -> ReadPlan:
        """The same of a query that was proved before."""
        served.check(values)
        found = served.access
        several: list[str] = []
        if not _SEVERAL.isdisjoint(map(type, values.values())):
            several = [name for name in served.given if self._is_several(name, values[name])]
        if not several and found.scattered is None:
            length = None if found.cut is None else self._keys.length(values)
            return self._read(served, tuple(self._ranges(found, values)), length)
        ahead = served.ahead(several=bool(several))
        leads: dict[RowRange, int] = {}
        lengths: set[int] = set()
        for one in self._each(served, several, values):
            lead = 0 if ahead is None else len(self._keys.prefix(ahead, one))
            leads |= dict.fromkeys(self._ranges(found, one), lead)
            lengths |= {self._keys.length(one)} if found.cut else set()
        if found.cut and len(lengths) > 1:
            raise QueryRefused(
                f"{served.name}: expected values whose keys are equally long, got ones of {min(lengths)} to {max(lengths)} "
                f"bytes: only the length of a key shows where {found.cut.name!r} ends, so ask for values of one length at a time"
            )
        length = lengths.pop() if lengths else None
        ranges = tuple(sorted(leads, key=lambda span: span.start) if several else leads)
        if ahead is None:
            return self._read(served, ranges, length)
        return self._read(served, ranges, length, RangeOrder.MERGED, tuple(leads[span] for span in ranges))

    def prefixes(self, query: Query, values: Mapping[str, Any]) -> tuple[bytes, ...]:
        """What all keys of the rows of a query by leading fields begin with, and no others: one for each of several values, and each salt.

        Raises :class:`QueryRefused` where the fields are not the first of the key, or are all of it, and :class:`ValueRefused`.
        """
        served = self.served(query)
        served.check(values)
        found, fields = served.access, self._model.key.fields
        left = len(fields) - len(found.prefix)
        if found.kind is AccessKind.POINT or (left == 1 and self._model.key.optional):
            why = (
                "its last field may be absent, so that no delimiter ends them"
                if left
                else "the key of one row also begins others"
            )
            raise QueryRefused(
                f"{served.name}: expected fewer leading fields, got {', '.join(values)}: {why}"
            )
        several = [name for name in served.given if self._is_several(name, values[name])]
        made = (self._keys.prefix(found.prefix, one) for one in self._each(served, several, values))
        return tuple(sorted(set(made)))

    def _is_several(self, name: str, value: object) -> bool:
        """Whether it is values of a field, and not one; of a field whose values are tuples, a tuple is one."""
        if type(value) is not tuple:
            return type(value) in _SEVERAL
        kind = next(part for part in self._model.key.asked if part.name == name).codec.python_type
        return not (isinstance(kind, type) and issubclass(kind, tuple))

    def _read(
        self,
        served: ServedQuery,
        ranges: tuple[RowRange, ...],
        length: int | None,
        joined: RangeOrder = RangeOrder.KEY_ORDER,
        leads: tuple[int, ...] = (),
    ) -> ReadPlan:
        return ReadPlan(
            self._model.table,
            ranges,
            served.selection.filter,
            joined=joined,
            leads=leads,
            backwards=served.backwards,
            length=length,
        )

    def _each(
        self, served: ServedQuery, several: Sequence[str], values: Mapping[str, Any]
    ) -> Iterator[Mapping[str, Any]]:
        """The values of each read that the query is made of: one of each list, and each salt that is not given."""
        salt = served.access.scattered
        salts = (salt.derived.values or ()) if salt is not None and salt.derived is not None else ()
        # The newest rows of each value are a request of their own, and all are under way at once.
        most = MOST_MERGED if served.newest else MOST_RANGES
        if (count := prod(len(values[name]) for name in several) * (len(salts) or 1)) > most and several:
            raise QueryRefused(
                f"{served.name}: expected lists of values that make at most {most:,} ranges of keys in one read, "
                f"got {counted(count, 'range')}: ask for fewer at once"
            )
        for salted in salts or (None,):
            for chosen in product(*(values[name] for name in several)):
                one = {**values, **dict(zip(several, chosen, strict=True))}
                yield one if salt is None else {**one, salt.name: salted}

    def _ranges(self, found: Access, values: Mapping[str, Any]) -> Iterator[RowRange]:
        if found.kind is AccessKind.POINT:
            yield RowRange.of_key(self._keys.key(values))
            return
        if found.starting is not None:
            yield from sorted(
                self._beginning(found.prefix, found.starting, values), key=lambda span: span.start
            )
            return
        if found.between is not None:
            whole = RowRange.of_prefix(self._keys.prefix(found.prefix, values))
            rows = self._keys.range(whole, found.between, *self._ends(found.between.name, values))
            yield from () if rows is None else (rows,)
            return
        yield from self._leading(found.prefix, values)

    def _beginning(
        self, prefix: tuple[KeyField, ...], field: KeyField, values: Mapping[str, Any]
    ) -> Iterator[RowRange]:
        """The rows whose ``field`` begins with its value; just this value may have bytes that begin otherwise."""
        stem = self._keys.stem(field, values[field.name])
        if len(stem) <= field.codec.length.most:
            yield RowRange.of_prefix(self._keys.prefix(prefix, values) + stem)
        if self._keys.stemless(field, values[field.name], stem):
            yield from self._leading((*prefix, field), values)

    def _leading(self, fields: tuple[KeyField, ...], values: Mapping[str, Any]) -> Iterator[RowRange]:
        """The rows whose leading ``fields`` have these values."""
        prefix = self._keys.prefix(fields, values)
        left = len(self._model.key.fields) - len(fields)
        alone = prefix
        if left == 1 and self._model.key.optional:
            alone = prefix.removesuffix(self._model.key.behind(fields[-1]))
        # No row has an empty key, and the service refuses to look for it.
        if alone and (not left or alone != prefix):
            yield RowRange.of_key(alone)
        if left and prefix:
            yield self._keys.going_on(prefix, self._model.key.fields[len(fields)])
        elif left:
            yield RowRange.of_prefix(prefix)

    def _ends(self, name: str, values: Mapping[str, Any]) -> tuple[Any, Any, str]:
        match values.get(name):
            case None:
                return None, None, HALF_OPEN
            case (start, end):
                return start, end, HALF_OPEN
            case (start, end, "[)" | "[]" | "()" | "(]" as closed):
                return start, end, closed
            case other:
                raise QueryRefused(
                    f"{self._model.name}.{name}: expected a pair (start, end), or (start, end, '[]') "
                    f"with one of '[)', '[]', '()', '(]', got {shown(other)}"
                )
