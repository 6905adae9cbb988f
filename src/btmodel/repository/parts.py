"""Parts of a read, which other threads, processes and machines may read."""

import asyncio
import sys
from collections import namedtuple
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast

from attrs import evolve, fields, frozen

from btmodel.client.target import AsyncMixed, Mixed
from btmodel.declare import Fields, Model, unknown_cells
from btmodel.errors import QueryRefused
from btmodel.repository.lazy import AsyncLazy
from btmodel.repository.model_codecs import Reader
from btmodel.rows import (
    Chain,
    FirstCells,
    RangeOrder,
    ReadPlan,
    RowDecoder,
    RowRange,
    Selection,
    WithoutValues,
)
from btmodel.rows.division import key_within, share_below
from btmodel.rows.ranges import overlap
from btmodel.schema import RowKey
from btmodel.schema.names import AUTHORIZED
from btmodel.words import place_text, size_text

if TYPE_CHECKING:
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.client._sync.database import Database

PARTS = 4  # of each process, at the least: one is soon done with an empty one
# What is read of a part: "rows", "keys", "stored", or "arrow" with names of columns, a number of rows, and whether errors are kept.
What = tuple[Any, ...]

ANY_CELL = Chain((FirstCells(1), WithoutValues()))
KEY: RowDecoder[bytes | None] = RowDecoder(lambda key, cells: key)

R = TypeVar("R")  # the lazy read


@frozen(repr=False)
class Part(Generic[R]):
    """A part of the rows of a read, as a value: ``parts`` of a read gives it, and ``read`` reads it with any connection.

    It can be pickled: it names its model and the class of its rows, and holds the ranges of row keys, the narrowings and the parameters of
    the read. ``size`` is about how many bytes of the table lie in its ranges, as the service samples them, whatever the read
    leaves out.
    """

    _rows: type[R]
    _model: type[Model]
    _key: Any  # the named tuple of its keys, or the names of its fields
    _parameters: Mapping[str, str]
    _asked: ReadPlan
    _narrowed: Mapping[str, Any]
    _seen: RowRange  # from the first to the last row, when the parts were made: there may be others by now
    size: int

    @classmethod
    def whole(cls, rows: type[R], reader: Reader[Any, Any], asked: ReadPlan, selection: Selection) -> Self:
        """The whole of a read. Raises :class:`QueryRefused` for one that is limited, or goes backwards."""
        where = f"{reader.schema.name}: parts"
        if asked.limit is not None:
            raise QueryRefused(
                f"{where}: expected a read without a limit, which no part could keep: leave out limit(...), or count the rows as "
                "they come"
            )
        if asked.backwards:
            raise QueryRefused(
                f"{where}: expected a read in the order of its keys, got one from the last row to the first: leave out "
                "backwards(), and read the parts in the opposite order"
            )
        narrowed = {
            attribute.name: getattr(selection, attribute.name)
            for attribute in fields(Selection)
            if attribute.name != "model"
        }
        plain = evolve(
            asked, filter=None, joined=RangeOrder.KEY_ORDER, leads=(), ranges=_sorted(asked.ranges)
        )
        key = reader.key
        if getattr(sys.modules.get(key.__module__), key.__qualname__, None) is not key:
            key = key._fields  # others could not import it
        return cls(rows, reader.model, key, reader.parameters, plain, narrowed, RowRange(b"", b""), 0)

    def read(self, db: "Database | AsyncDatabase") -> R:
        """The lazy read of the part: of a read of ``connect``, with any connection of ``connect``; of ``connect_async`` likewise."""
        awaited = issubclass(self._rows, AsyncLazy)
        if not isinstance(db, AsyncMixed if awaited else Mixed):
            wanted = f"connect{'_async' if awaited else ''}(...), as the read had that it is a part of"
            raise TypeError(f"Part.read: expected a connection of {wanted}, got {db!r}")
        key = (
            namedtuple(f"{self._model.__name__}Key", self._key) if isinstance(self._key, tuple) else self._key
        )
        reader: Reader[Any, Any] = Reader(self._model, key, self._parameters)
        view = self._asked.table.partition(AUTHORIZED)[2]
        reader = reader.through(view) if view else reader
        selection = Selection(reader.schema, **self._narrowed)
        make = cast("Callable[..., R]", self._rows)
        return make(db, reader, self._asked, selection)

    def split(self, share: float = 0.5) -> tuple[Self, Self] | None:
        """Two parts, the first with about ``share`` of the rows; None where no key is known to lie between its rows.

        Where that is follows from the codecs of the row key, so that nothing is asked: rows are taken to lie evenly between the ends
        of a range. Raises :class:`QueryRefused` for a share that is not between 0 and 1.
        """
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
            raise QueryRefused(f"Part.split: expected a share of the part between 0 and 1, got {share!r}")
        spans = self._asked.ranges
        at, within = divmod(share * len(spans), 1)
        index = int(at)
        if spans and spans[index].key is None:
            span = self._bounded(spans[index])
            cut = key_within(self._row_key, span, within) if span.end and within else None
            if cut is not None:
                return self.cut(cut)
        index = max(index, 1)
        return self.cut(spans[index].start) if index < len(spans) else None

    def cut(self, key: bytes) -> tuple[Self, Self] | None:
        """The rows in front of a row key, and those from it on; None where either could not hold any."""
        first = (
            tuple(
                row_range
                for row_range in (span.before(key) for span in self._asked.ranges)
                if not row_range.empty
            )
            if key
            else ()
        )
        last = tuple(
            row_range for row_range in (span.since(key) for span in self._asked.ranges) if not row_range.empty
        )
        if not first or not last:
            return None
        below = round(self.size * self.share_below(key))
        return self._of(first, below), self._of(last, self.size - below)

    def share_below(self, key: bytes) -> float:
        """About how much of the part lies in front of a row key, from 0 to 1: how far a reader has come that is there."""
        spans = [self._bounded(span) for span in self._asked.ranges]
        found = [
            (share_below(self._row_key, row_range, key) if row_range.end else 0.5)
            if row_range.start < key
            else 0.0
            for row_range in spans
        ]
        return sum(found) / len(found) if found else 1.0

    def __repr__(self) -> str:
        spans = self._asked.ranges
        more = f" and {len(spans) - 1} more" if len(spans) > 1 else ""
        rows = f"rows {spans[0]}{more}" if spans else "no rows"
        return f"<part of {self._rows.__name__}: {place_text(self._asked.table)}, {rows}, about {size_text(self.size)}>"

    @property
    def model(self) -> type[Model]:
        """The model of its rows."""
        return self._model

    @property
    def plan(self) -> ReadPlan:
        """The ranges that it asks for."""
        return self._asked

    @property
    def _row_key(self) -> RowKey:
        schema = self._model.__schema__
        key: RowKey = schema.key
        return key

    def _bounded(self, span: RowRange) -> RowRange:
        """A range, from the first to the last row that were seen."""
        return overlap(span, self._seen)

    def _of(self, spans: Iterable[RowRange], size: int) -> Self:
        return evolve(self, asked=evolve(self._asked, ranges=tuple(spans)), size=size)

    def with_rows_seen(self, first: bytes, last: bytes) -> Self:
        """The same, whose rows lay between these."""
        return evolve(self, seen=RowRange(first, last + b"\0"))

    def divided(self, samples: Sequence[tuple[bytes, int]], size: int | None, least: int) -> list[Self]:
        """The part in several, in order: at sampled keys, with how many bytes lie in front of each; ``least`` of them, if it can be.

        With ``size``, each is of about so many bytes.
        """
        parts = []
        for section, held in _sections(samples):
            spans = tuple(
                row_range
                for row_range in (overlap(span, section) for span in self._asked.ranges)
                if not row_range.empty
            )
            if spans:
                bounded = self._bounded(section)
                parts.append(
                    self._of(spans, round(held * sum(self._held(bounded, row_range) for row_range in spans)))
                )
        if size is not None:
            parts = [piece for part in _joined(parts, size) for piece in part._pieces(ceil(part.size / size))]
        return _halved(parts, least)

    def _held(self, section: RowRange, span: RowRange) -> float:
        """How much of a section lies in a range."""
        if not section.end or section.empty:
            return 1.0
        return share_below(self._row_key, section, span.end or section.end) - share_below(
            self._row_key, section, span.start
        )

    def _pieces(self, count: int) -> list[Self]:
        """So many parts of about one size."""
        parts, rest = [], self
        for left in range(count, 1, -1):
            found = rest.split(1 / left)
            if found is None:
                break
            parts.append(found[0])
            rest = found[1]
        return [*parts, rest]


P = TypeVar("P", bound=Part[Any])


def _sections(samples: Sequence[tuple[bytes, int]]) -> Iterable[tuple[RowRange, int]]:
    """All keys, cut at the samples, each with the bytes that lie in it; behind the last key, none are known."""
    ends = {key: offset for key, offset in samples if key}
    total = max((offset for _, offset in samples), default=0)
    edges = [(b"", 0), *sorted(ends.items()), (b"", total)]
    for (start, before), (end, behind) in pairwise(edges):
        yield RowRange(start, end), max(behind - before, 0)


def _joined(parts: Sequence[P], size: int) -> list[P]:
    """Neighbours put together as long as they are no larger than ``size``."""
    found: list[P] = []
    for part in parts:
        if found and found[-1].size + part.size <= size:
            first, spans = found[-1], list(found[-1].plan.ranges)
            more = part.plan.ranges
            if spans[-1].end == more[0].start and spans[-1].end:
                spans, more = [*spans[:-1], RowRange(spans[-1].start, more[0].end)], more[1:]
            found[-1] = first._of([*spans, *more], first.size + part.size)
        else:
            found.append(part)
    return found


def _halved(parts: list[P], least: int) -> list[P]:
    """``least`` parts, as long as the largest can be split."""
    whole: set[int] = set()  # those that cannot
    while len(parts) < least and len(whole) < len(parts):
        at = max(
            (at for at, part in enumerate(parts) if id(part) not in whole), key=lambda at: parts[at].size
        )
        halves = parts[at].split()
        if halves is None:
            whole.add(id(parts[at]))
        else:
            parts[at : at + 1] = halves
    return parts


def _sorted(spans: Iterable[RowRange]) -> tuple[RowRange, ...]:
    return tuple(sorted((row_range for row_range in spans if not row_range.empty), key=lambda one: one.start))


async def received_async(pipe: Any) -> Any:
    """What comes next from another process."""
    return await asyncio.to_thread(pipe.recv)


def received(pipe: Any) -> Any:
    """The same in a thread of its own."""
    return pipe.recv()


def run_async(work: Callable[..., Coroutine[Any, Any, None]], *given: Any) -> None:
    """Do the ``work`` of another process."""
    asyncio.run(work(*given))


def run(work: Callable[..., None], *given: Any) -> None:
    """The same."""
    work(*given)


def packed(rows: Sequence[Any]) -> Any:
    """Rows as they are sent to another process: of whole rows of one model their values alone, which takes a third of the time."""
    model = type(rows[0]) if rows else None
    if model is None or not issubclass(model, Model) or any(type(row) is not model for row in rows):
        return list(rows)
    names = tuple(Fields(rows[0]))
    values = attrgetter(*names)
    try:
        made = [values(row) for row in rows]
    except AttributeError:  # of columns that were not read
        return list(rows)
    return list(rows) if any(map(unknown_cells, rows)) else _PackedRows(model, names, made)


def unpacked(items: Any) -> list[Any]:
    """The rows again."""
    return items.rows() if type(items) is _PackedRows else items


@frozen
class _PackedRows:
    model: type[Model]
    names: tuple[str, ...]
    values: list[Any]

    def rows(self) -> list[Any]:
        """The rows that have these values."""
        model, names, found = self.model, self.names, []
        if len(names) == 1:
            self.values[:] = [(value,) for value in self.values]
        for values in self.values:
            row = object.__new__(model)
            for name, value in zip(names, values, strict=True):
                setattr(row, name, value)
            found.append(row)
        return found
