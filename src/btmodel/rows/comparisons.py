"""Comparisons: what columns are compared with, as filters that find a cell where they hold."""

import math
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from attrs import evolve, frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.aware_times import micros_since_epoch
from btmodel.codecs.cell.base import SortedRun
from btmodel.codecs.cell.wrapping import PerEntry
from btmodel.errors import QueryRefused, ValueRefused, shown
from btmodel.rows.cells import MILLISECOND, range_end
from btmodel.rows.columns import SHAPES
from btmodel.rows.filters import (
    NOTHING,
    Before,
    ExactValue,
    Families,
    Filter,
    FirstCells,
    Qualifiers,
    Times,
    Values,
    Within,
    any_of,
    chain,
)
from btmodel.rows.gc_filter import of_columns, of_family, of_model, of_newest
from btmodel.rows.read import Closed
from btmodel.schema import Column, ModelSchema, Shape
from btmodel.schema.limits import FILTER_BYTES
from btmodel.words import did_you_mean, near

MOST_COMPARED = FILTER_BYTES // 2  # a filter has a value as both ends of a range
T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Comparison(Generic[T_co]):
    """What a column is compared with: :func:`less_than`, :func:`one_of`, :func:`present` and others make one.

    It says something of the newest cell of the column that the rule of its family keeps.
    """

    # Whether it says something of columns that are many cells, and of one that holds no value of its own.
    of_any_shape = False
    # Whether it holds where the filter finds no cell.
    when_absent = False

    def filter(self, model: ModelSchema, column: Column) -> Filter:
        """Finds a cell where the comparison holds. Raises :class:`ValueRefused` and :class:`QueryRefused`."""
        raise NotImplementedError

    def passing(self, column: Column, where: str) -> Filter | None:
        """Lets a cell of ``column`` through where the comparison holds for it; None where it does for every one."""
        raise NotImplementedError


class _OfCell(Comparison[T_co]):
    def filter(self, model: ModelSchema, column: Column) -> Filter:
        found = chain([of_newest(model, column), self.passing(column, f"{model.name}.{column.name}")])
        assert found is not None
        return found


@frozen
class _Between(_OfCell[T_co]):
    """Values between two ends, each of which may be open, and says whether it belongs to the range."""

    low: Any = None
    high: Any = None
    with_low: bool = True
    with_high: bool = True

    def __str__(self) -> str:
        match self:
            case _Between(None, high, _, with_end):
                return f"bt.{'at_most' if with_end else 'less_than'}({shown(high)})"
            case _Between(low, None, with_start, _):
                return f"bt.{'at_least' if with_start else 'more_than'}({shown(low)})"
        closed = f"{'[' if self.with_low else '('}{']' if self.with_high else ')'}"
        return f"bt.between({shown(self.low)}, {shown(self.high)}, {closed!r})"

    def passing(self, column: Column, where: str) -> Filter:
        """A range of bytes for each run of values that sorts."""
        runs = column.codec.runs
        if not runs:
            raise QueryRefused(
                f"{where}: {self}: the bytes of its codec {shown(column.codec)} ({meaning_of(column.codec)}) do not sort "
                "as its values do, and the server compares bytes: compare with a value, or bt.one_of(...), or declare a "
                "codec that sorts, such as Int64(), Micros() or AsInKey(PaddedInt(10))"
            )
        low, high = (_End.of(column, value, where) for value in (self.low, self.high))
        if low and high and low.value > high.value:
            raise QueryRefused(f"{where}: expected the lower end of {self} first")
        found = [_ByteRange.of(column, run, low, high, self.with_low, self.with_high) for run in runs]
        filters = tuple(one for one in found if one is not None)
        _refuse_large(where, self, sum(condition.size for condition in filters))
        return any_of([condition.filter for condition in filters])


@frozen
class _End:
    """An end of a range of values: the least encoding that is not below it, and whether it is just its own."""

    value: Any
    bound: bytes | None
    exact: bool

    @classmethod
    def of(cls, column: Column, value: Any, where: str) -> "_End | None":
        if value is None:
            return None
        codec = column.codec
        try:
            bound = codec.bound(value)
        except ValueRefused as error:
            raise error.at(where) from None
        if isinstance(value, float) and math.isnan(value):
            raise ValueRefused("a number, which is less or more than others", value, where=where)
        try:
            exact = codec.encode(value) == bound
        except ValueRefused:
            exact = False  # finer than what is stored, or beyond it
        # What is stored of a value counts: a codec that rounds makes 0.0 of a number that is almost 0.
        return cls(codec.decode(bound) if exact and bound is not None else value, bound, exact)


@frozen
class _ByteRange:
    """A range of bytes; an end that is None is open, and each says whether it belongs to the range."""

    start: bytes | None
    end: bytes | None
    with_start: bool
    with_end: bool

    @classmethod
    def of(
        cls,
        column: Column,
        run: SortedRun,
        low: _End | None,
        high: _End | None,
        with_low: bool,
        with_high: bool,
    ) -> "_ByteRange | None":
        """The bytes of those values of ``run`` that lie between two ends; None where there are none."""
        if low is not None and (low.bound is None or _lies_below(run, low.value, with_low)):
            return None
        if high is not None and run.first is not None and not _reaches(run, high.value, with_high):
            return None
        encode = column.codec.encode
        # An end of the run itself is encoded as the run has it: 0.0 and -0.0 are one number, of different bytes.
        if low is None or (run.first is not None and low.value <= run.first):
            start = None if run.first is None else encode(run.first)
            with_start = with_low or low is None or low.value != run.first
        else:
            start = encode(run.last) if low.value == run.last else low.bound
            with_start = with_low or not low.exact
        if high is None or high.bound is None or (run.last is not None and high.value >= run.last):
            end = None if run.last is None else encode(run.last)
            with_end = with_high or high is None or high.value != run.last
        else:
            end = encode(run.first) if high.value == run.first else high.bound
            with_end = with_high and high.exact
        return (
            cls(end, start, with_end, with_start) if run.downward else cls(start, end, with_start, with_end)
        )

    @property
    def size(self) -> int:
        return len(self.start or b"") + len(self.end or b"")

    @property
    def filter(self) -> Filter:
        if self.start == self.end and self.start is not None:
            return ExactValue(self.start) if self.with_start and self.with_end else NOTHING
        if self.end == b"":  # nothing is less than no byte at all
            return ExactValue(b"") if self.with_end else NOTHING
        return Values(self.start, self.end, self.with_start, self.with_end)


def _lies_below(run: SortedRun, low: Any, closed: bool) -> bool:
    """Whether all values of the run lie below ``low``."""
    return run.last is not None and (low > run.last or (not closed and low == run.last))


def _reaches(run: SortedRun, high: Any, closed: bool) -> bool:
    """Whether a value of the run lies below ``high``."""
    return bool(high > run.first or (closed and high == run.first))


@frozen
class _OneOf(_OfCell[T_co]):
    values: tuple[Any, ...]
    plain: bool = False  # given as a value, without a function around it

    def __str__(self) -> str:
        text = ", ".join(map(shown, self.values))
        return text if self.plain else f"bt.one_of({text})"

    def passing(self, column: Column, where: str) -> Filter:
        """Just the bytes of these values."""
        raws: dict[bytes, None] = {}
        for value in self.values:
            try:
                raws.update(dict.fromkeys(column.codec.encodings(value)))
            except ValueRefused as error:
                if isinstance(value, list | tuple | set | frozenset):
                    several = "bt.one_of(...)" if self.plain else "bt.one_of(*values)"
                    wanted = f"{error.wanted}, or {several} for any of several"
                    raise ValueRefused(wanted, value, where=where) from None
                raise error.at(where) from None
        _refuse_large(where, self.values[0] if self.plain else self, sum(map(len, raws)))
        return any_of([ExactValue(raw) for raw in raws])


@frozen
class IsPresent(Comparison[T_co]):
    """A cell, whatever is in it: of a column, or of a row or one ``family`` of it."""

    of_any_shape = True
    family: str | None = None

    def __str__(self) -> str:
        return f"bt.present({self.family!r})" if self.family else "bt.present()"

    def filter(self, model: ModelSchema, column: Column) -> Filter:
        """Any cell that the rule of the family keeps."""
        found = of_columns(model, [column.name]) if column.open else of_newest(model, column)
        assert found is not None
        return found

    def passing(self, column: Column, where: str) -> None:
        """Any value."""

    def of_row(self, model: ModelSchema) -> Filter:
        """Finds a cell of the model in a row, or in one of its families."""
        if self.family is None:
            found = chain([of_model(model), FirstCells(1)])
        else:
            family = model.family(self.family)
            if family is None:
                known = [family.id for family in model.families]
                offered = did_you_mean(near(self.family, known))
                raise QueryRefused(
                    f"{model.name}: expected a family of the model ({', '.join(known)}), got {self.family!r}{offered}"
                )
            found = chain([Families((family.id,)), of_family(model, family.id, {family.id}), FirstCells(1)])
        assert found is not None
        return found


@frozen
class IsAbsent(IsPresent[T_co]):
    """No such cell."""

    when_absent = True

    def __str__(self) -> str:
        return f"bt.absent({self.family!r})" if self.family else "bt.absent()"


@frozen
class _BeforeOrAfter(_OfCell[T_co]):
    """A cell whose timestamp lies before or after a time, or an age."""

    than: datetime | timedelta
    older: bool

    def __str__(self) -> str:
        return f"bt.{'older' if self.older else 'newer'}_than({self.than!r})"

    def passing(self, column: Column, where: str) -> Filter:
        """By the timestamp alone."""
        if isinstance(self.than, timedelta):
            return Before(self.than) if self.older else Within(self.than)
        try:
            end = range_end(self.than)
        except ValueRefused as error:
            raise error.at(where) from None
        if self.older:
            return Times(0, end) if end > 0 else NOTHING
        behind = (micros_since_epoch(self.than) // MILLISECOND + 1) * MILLISECOND
        return Times(max(behind, 0), 0)


@frozen
class _Contains(Comparison[T_co]):
    of_any_shape = True
    name: Any
    value: Comparison[Any]

    def __str__(self) -> str:
        text = "" if isinstance(self.value, IsPresent) else f", {self.value}"
        return f"bt.contains({shown(self.name)}{text})"

    def filter(self, model: ModelSchema, column: Column) -> Filter:
        """The newest cell of one entry, or of one member."""
        where = f"{model.name}.{column.name}"
        if not column.shape.entered:
            raise QueryRefused(f"{where}: {self}: only mappings and sets contain something")
        if column.shape is Shape.MEMBERS and isinstance(self.value, _Between | _OneOf):
            raise QueryRefused(f"{where}: {self}: a member of a set has no value to compare")
        of_family_alone = isinstance(self.value, IsPresent) and self.value.family is not None
        if column.shape.summed and isinstance(self.value, _OfCell):
            raise uncompared_sum(where, self, f"row.{column.name}.get({shown(self.name)}, 0)")
        if self.value.when_absent or of_family_alone or not isinstance(self.value, _OfCell | IsPresent):
            raise QueryRefused(f"{where}: {self}: expected a value, or what compares with one")
        qualifier = SHAPES[column.shape](model, column, model.single_cells).qualifier(self.name)
        newest = of_family(model, column.family)
        column = _of_entry(column, self.name, where)
        found = chain([Qualifiers(column.family, (qualifier,)), newest, self.value.passing(column, where)])
        assert found is not None
        return found


def uncompared_sum(where: str, comparison: Comparison[Any], number: str) -> QueryRefused:
    """The error of a counter that is compared; ``number`` is how Python gets it from a row."""
    return QueryRefused(
        f"{where}: expected bt.present() or bt.absent() of a counter, got {comparison}: the server adds up the "
        "cells of a counter when it reads them, and Bigtable documents no filter on the result. Compare the rows "
        f"that come, as in `[row for row in read if {number} >= 3]`, or keep the number in a column of int, to which "
        "`increment` adds"
    )


def _of_entry(column: Column, name: Any, where: str) -> Column:
    """The column with the codec of the one entry, where each has its own."""
    if not isinstance(column.codec, PerEntry):
        return column
    try:
        return evolve(column, codec=column.codec.of(name))
    except ValueRefused as error:
        raise error.at(where) from None


def less_than(value: T) -> Comparison[T]:
    """Values below ``value``, of a column whose codec sorts."""
    return _Between(high=_not_none("less_than", value), with_high=False)


def at_most(value: T) -> Comparison[T]:
    """Values up to ``value``, of a column whose codec sorts."""
    return _Between(high=_not_none("at_most", value))


def more_than(value: T) -> Comparison[T]:
    """Values above ``value``, of a column whose codec sorts."""
    return _Between(_not_none("more_than", value), with_low=False)


def at_least(value: T) -> Comparison[T]:
    """Values from ``value`` on, of a column whose codec sorts."""
    return _Between(_not_none("at_least", value))


def between(start: T, end: T, closed: Closed = "[)") -> Comparison[T]:
    """Values from ``start`` up to ``end``, of a column whose codec sorts.

    ``closed`` says which ends belong to the range, as in mathematics: the first one, unless given.
    """
    if closed not in ("[)", "[]", "()", "(]"):
        raise QueryRefused(f"bt.between: expected one of '[)', '[]', '()', '(]', got {shown(closed)}")
    low, high = _not_none("between", start), _not_none("between", end)
    return _Between(low, high, closed[0] == "[", closed[1] == "]")


def one_of(*values: T) -> Comparison[T]:
    """Any of these values."""
    if not values:
        raise QueryRefused("bt.one_of: expected at least one value, got none")
    return _OneOf(tuple(_not_none("one_of", value) for value in values))


def present(family: str | None = None) -> Comparison[Any]:
    """A cell, whatever is in it: of a column, of the row as a whole, or of one family of it, by its id."""
    return IsPresent(family)


def absent(family: str | None = None) -> Comparison[Any]:
    """No cell, as None: of a column, of the row as a whole, or of one family of it, by its id."""
    return IsAbsent(family)


def older_than(than: datetime | timedelta) -> Comparison[Any]:
    """A cell that was written before a time, or longer ago than an age, by its timestamp.

    An age counts from when the request is sent, by the clock of this machine.
    """
    return _BeforeOrAfter(_time("older_than", than), older=True)


def newer_than(than: datetime | timedelta) -> Comparison[Any]:
    """A cell that was written after a time, or within an age, by its timestamp; as :func:`older_than`."""
    return _BeforeOrAfter(_time("newer_than", than), older=False)


def contains(name: Any, value: Any = IsPresent()) -> Comparison[Any]:
    """A set with this member, or a mapping with this entry: with any value, or one that is compared."""
    return _Contains(name, as_comparison(value))


def _refuse_large(where: str, value: object, size: int) -> None:
    if size > MOST_COMPARED:
        raise ValueRefused(
            f"a value of at most {MOST_COMPARED:,} bytes to compare with, not of {size:,} (Bigtable takes filters "
            f"of {FILTER_BYTES:,} bytes, and a value counts twice in one: compare a short column, such as a version)",
            value,
            where=where,
        )


def _not_none(function: str, value: T) -> T:
    if value is None or isinstance(value, Comparison):
        raise QueryRefused(f"bt.{function}: expected a value, got {value}: an absent cell is bt.absent()")
    return value


def _time(function: str, than: datetime | timedelta) -> datetime | timedelta:
    aware = isinstance(than, datetime) and than.tzinfo is not None
    if not aware and not (isinstance(than, timedelta) and than >= timedelta(0)):
        raise ValueRefused("an aware time, or an age from 0 on", than, where=f"bt.{function}")
    return than


def as_comparison(value: Any) -> Comparison[Any]:
    """``value``, or what compares with it; None stands for an absent cell."""
    if isinstance(value, Comparison):
        return value
    return IsAbsent() if value is None else _OneOf((value,), plain=True)
