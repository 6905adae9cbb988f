"""Selections: which rows of a read's ranges, and what of them, as one filter."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from attrs import evolve, frozen

from btmodel.errors import QueryRefused, ValueRefused, shown
from btmodel.rows.cells import range_end
from btmodel.rows.conditions import all_of, has_value
from btmodel.rows.filters import Filter, FirstCells, KeyMatches, Rows, Times, WithoutValues, chain
from btmodel.rows.kept import Span, of_columns, of_model
from btmodel.rows.ranges import refuse_reversed
from btmodel.schema import ModelSchema, Query
from btmodel.schema.edits import sorts


@frozen
class Selection:
    """What a read wants of the rows in its ranges.

    ``columns`` are the columns to read, or None for whole rows; ``spans`` are the
    qualifiers to read of a column that is many, behind its prefix; ``times`` bounds the timestamps of cells; every one of ``conditions`` must find a cell in a row, and every
    one of ``patterns`` must match its key.
    """

    model: ModelSchema
    columns: frozenset[str] | None = None
    spans: tuple[Span, ...] = ()
    times: Times | None = None
    conditions: tuple[Filter, ...] = ()
    patterns: tuple[KeyMatches, ...] = ()
    every_cell: bool = False

    @classmethod
    def of_query(cls, model: ModelSchema, query: Query) -> "Selection":
        """What a declared query reads: the columns that it names, as far as the model has them."""
        known = frozenset(column.name for column in model.columns).intersection(query.only)
        return cls(model, known or None)

    def only(self, names: Collection[str]) -> "Selection":
        """The same of these columns alone. Raises :class:`QueryRefused` for unknown ones, and for none."""
        known = [column.name for column in self.model.columns]
        if isinstance(names, str):
            raise QueryRefused(f"{self.model.name}: only: wanted names of columns in a list, got {names!r}")
        unknown = [name for name in names if name not in known]
        if unknown or not names:
            came = f"unknown: {', '.join(map(str, unknown))}" if unknown else "got none"
            raise QueryRefused(f"{self.model.name}: only: wanted columns of {', '.join(known)}; {came}")
        return evolve(self, columns=frozenset(names))

    def entries(self, name: str, start: Any, end: Any) -> "Selection | None":
        """The same of entries from ``start`` up to ``end`` of the column ``name``, beside the columns asked for.

        None where there can be none; an end that is None is open.
        """
        column = next((one for one in self.model.columns if one.name == name), None)
        names = column.names if column and sorts(column) else None
        if names is None:
            fit = [one.name for one in self.model.columns if sorts(one)]
            known = ", ".join(fit) or "the model has none"
            raise QueryRefused(
                f"{self.model.name}: entries: wanted a column of many whose names sort ({known}), got {shown(name)}"
            )
        try:
            low = b"" if start is None else names.bound(start)
            high = b"" if end is None else names.bound(end)
        except ValueRefused as error:
            raise error.at(f"{self.model.name}.{name}") from None
        if start is not None and end is not None and high is not None and (low is None or low > high):
            refuse_reversed(f"{self.model.name}.{name}", start, end)
        if low is None or (high and low >= high) or (end is not None and high == b""):
            return None
        spans = (*(span for span in self.spans if span[0] != name), (name, low, high or b""))
        return evolve(self, columns=(self.columns or frozenset()) | {name}, spans=spans)

    def where(self, values: Mapping[str, Any]) -> "Selection":
        """The same of rows in which the newest value of each named column is the one given, too."""
        found = tuple(has_value(self.model, name, value) for name, value in values.items())
        return evolve(self, conditions=self.conditions + found)

    def matching(self, pattern: bytes | str) -> "Selection":
        """The same of rows whose whole key matches ``pattern``, too."""
        if not isinstance(pattern, (bytes, str)) or not pattern:
            raise QueryRefused(
                f"{self.model.name}: matching: wanted a regular expression, got {shown(pattern)}"
            )
        raw = pattern if isinstance(pattern, bytes) else pattern.encode()
        return evolve(self, patterns=(*self.patterns, KeyMatches(raw)))

    def between(self, start: datetime | None, end: datetime | None) -> "Selection | None":
        """The same of cells with timestamps in ``[start, end)``; None where there can be none.

        An end that is None is open.
        """
        try:
            low = 0 if start is None else max(range_end(start), 0)
            high = None if end is None else range_end(end)
        except ValueRefused as error:
            raise error.at(f"{self.model.name}: times") from None
        if start is not None and high is not None and range_end(start) > high:
            refuse_reversed(f"{self.model.name}: times", start, end)
        if high is not None and low >= high:
            return None
        return evolve(self, times=Times(low, high or 0))

    @property
    def filter(self) -> Filter | None:
        """The filter of it all. Collected cells are left out first: a rule counts versions of all times.

        Between two times the newest of a plain column is the newest that lies there.
        """
        if self.every_cell:
            return None
        timed = self.times is not None
        if self.columns is None:
            found = of_model(self.model, every_version=timed)
        else:
            found = of_columns(self.model, self.columns, self.spans, every_version=timed)
        return chain([*self.patterns, all_of(self.conditions, chain([found, self.times]))])

    @property
    def looks(self) -> bool:
        """Whether which rows come depends on what lies in them, beside that it is a row of the model."""
        return bool(self.conditions or self.times or self.columns)

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
