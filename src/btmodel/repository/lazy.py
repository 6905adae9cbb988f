"""What lazy reads, their keys and their record batches share: pages, error handling, and clear refusals of list operations.

A read is asked for nothing before its rows are iterated. Where Python would take it for a collection, or for the
other kind of read, the answer would be wrong (the truth of every object is True) or name nothing that helps.
Type checkers know without these methods that a read has none of them.
"""

from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar, cast

from attrs import frozen

from btmodel.client.options import Call
from btmodel.client.row_streams import AsyncStream, Stream
from btmodel.errors import UndecodableCell, UndecodableKey, ValueRefused, shown
from btmodel.rows import Cell, Fast, RowDecoder
from btmodel.words import counted, size_text


class _LazyRead:
    """What holds for a read of either kind, whose ``_awaited`` stands before what is called."""

    __slots__ = ()

    if not TYPE_CHECKING:
        _awaited = _listed = ""
        # Of what a read gives in the place of its rows: how it is called, what one is, and what gives the first ones.
        _subject, _call, _item, _first = "read", "", "row", "`read.limit({n})`, `{awaited}read.first()`"
        _any, _count = "`{awaited}read.first() is not None`", "`{awaited}read.count()`"

        def __bool__(self) -> NoReturn:
            self._refuse("no truth before it is asked", self._filled(self._any))

        def __len__(self) -> NoReturn:
            self._refuse("no length before it is asked", self._filled(self._count))

        def __getitem__(self, index: object) -> NoReturn:
            first = (
                isinstance(index, slice)
                and not index.start
                and isinstance(index.stop, int)
                and index.stop > 0
            )
            found = (self._firsts(index.stop if first else "n"), f"`{self._all}[...]`")
            self._refuse(f"no {self._plural} by number", ", or ".join(filter(None, found)))

        def __next__(self) -> NoReturn:
            first = self._firsts(1) if self._call else f"`{self._awaited}read.first()`"
            wanted = first or f"`{self._all}[0]`"
            self._refuse(f"no next {self._item}: each loop over it asks anew", wanted)

        __anext__ = __next__

        @property
        def _here(self) -> str:
            return type(self).__name__

        @property
        def _all(self) -> str:
            return self._listed.format(item=self._item, read=f"{self._subject}{self._call}")

        @property
        def _plural(self) -> str:
            return f"{self._item}{'es' if self._item.endswith('ch') else 's'}"

        def _firsts(self, number: object) -> str:
            return self._filled(self._first, number)

        def _filled(self, form: str, number: object = 1) -> str:
            return form.format(n=number, awaited=self._awaited, all=self._all)

        def _refuse(self, why: str, wanted: str) -> NoReturn:
            raise TypeError(f"{self._here}: a read has {why}: write {wanted}")


class AsyncLazy(_LazyRead):
    """A read of a connection of ``connect_async``."""

    __slots__ = ()

    if not TYPE_CHECKING:
        _awaited, _listed = "await ", "[{item} async for {item} in {read}]"

        def __iter__(self) -> NoReturn:
            loop = f"async for {self._item} in {self._subject}{self._call}"
            self._refuse(f"its {self._plural} with `await`", f"`{loop}`, or `{self._all}`")

        def __await__(self) -> NoReturn:
            wanted = f"`{self._all}`"
            if not self._call:
                wanted += ", `await read.first()` or `await read.count()`"
            self._refuse("more than one thing to wait for", wanted)


class Lazy(_LazyRead):
    """A read of a connection of ``connect``."""

    __slots__ = ()

    if not TYPE_CHECKING:
        _awaited, _listed = "", "list({read})"

        def __aiter__(self) -> NoReturn:
            loop = f"for {self._item} in {self._subject}{self._call}"
            self._refuse(
                f"its {self._plural} without `await`", f"`{loop}`, or connect with `bt.connect_async`"
            )

        def __await__(self) -> NoReturn:
            self._refuse(
                f"its {self._plural} without `await`", f"`{self._all}`, or connect with `bt.connect_async`"
            )


_T = TypeVar("_T")


@frozen(repr=False, eq=False)
class _Items:
    """What is read instead of rows: their keys, record batches, or events.

    Nothing is sent before it is iterated, and every iteration reads anew.
    """

    _stream: Callable[[], Any]
    _of: str  # the class of the read
    # What refusals say, as in `_LazyRead`.
    _call: str
    _item: str
    _first: str
    _any: str = "`{awaited}read.first() is not None`"
    _count: str = "`{awaited}read.count()`"
    _subject: str = "read"

    @property
    def _here(self) -> str:
        return f"{self._of}{self._call}"

    def __repr__(self) -> str:
        return f"{self._here}, not read yet"


@frozen(repr=False, eq=False)
class AsyncItems(_Items, AsyncLazy, Generic[_T]):
    """Items of a connection of ``connect_async``."""

    def __aiter__(self) -> AsyncIterator[_T]:
        """The keys or batches as they arrive; memory does not grow with their number."""
        stream: AsyncStream[_T] = self._stream()
        return stream


@frozen(repr=False, eq=False)
class Items(_Items, Lazy, Generic[_T]):
    """Items of a connection of ``connect``."""

    def __iter__(self) -> Iterator[_T]:
        """The keys or batches as they arrive; memory does not grow with their number."""
        stream: Stream[_T] = self._stream()
        return stream


class NoCollection:
    """What holds for a repository: its rows are what its queries read."""

    if not TYPE_CHECKING:

        def __iter__(self) -> NoReturn:
            name = type(self).__name__
            queries = self.model.__schema__.queries
            asked = ", ".join(f"`{query.name}(...)`" for query in queries) or "none is declared yet"
            raise TypeError(
                f"{name}: a repository is not a collection of rows: use a declared query ({asked}), `get(...)` or "
                '`get_many(...)`; for all rows, declare a query with `bt.query(scan="why")`'
            )

        __aiter__ = __iter__

        def __getitem__(self, key: object) -> NoReturn:
            iter(self)


def refuse_other_many(where: str, things: object, one: type, single: str) -> None:
    """Refuse what is not many of ``one``: a single one, for which ``single`` is there, and what ``async for`` goes over."""
    wanted = f"{where}: expected an iterable of {one.__name__}, as a list"
    if isinstance(things, one):
        raise TypeError(f"{wanted}, got a single one: write `{single}`, or `[...]` around it")
    if hasattr(things, "__aiter__") and not isinstance(things, Iterable):
        raise TypeError(f"{wanted}, got {type(things).__name__}: write `[one async for one in ...]`")
    if not isinstance(things, Iterable):
        raise TypeError(f"{wanted}, got {shown(things)}")


def refuse_other_many_async(where: str, things: object, one: type, single: str) -> None:
    """The same where ``async for`` is allowed, too."""
    if not isinstance(things, AsyncIterable):
        refuse_other_many(where, things, one, single)


def refuse_other_begin(model: str, begin: object) -> None:
    """Refuse what does not say whether an edit may begin a row: "no" is true."""
    if begin is not None and type(begin) is not bool:
        raise ValueRefused("True, False or None", begin, where=f"{model}: begin")


AsyncText = Awaitable[str]
Text = str


def analysis(calls: Sequence[Call], seconds: float) -> str:
    """What the calls of one read did, which took so many seconds in all: a line, and one for each of several calls."""
    reads = [call for call in calls if call.method == "ReadRows"]
    rows, size = sum(call.rows for call in reads), sum(call.bytes for call in reads)
    requests = sum(call.attempts for call in calls)
    decoding = sum(call.decode_seconds for call in reads)
    parts = "" if len(reads) < 2 else f" for {len(reads)} parts"
    line = (
        f"read {counted(rows, 'row')}, {size_text(size)}, in {seconds * 1000:,.1f} ms: "
        f"{counted(requests, 'request')}{parts}, {decoding * 1000:,.1f} ms of it decoding"
    )
    return "\n".join([line, *(f"  {call!r}" for call in reads if parts)])


R = TypeVar("R")


@frozen
class Page(Generic[R]):
    """Rows of a read, and the cursor of the page behind them; ``next`` is None where nothing follows."""

    rows: list[R]
    next: str | None


T = TypeVar("T")
# What a query takes for a field: a value, or a list, tuple or set of the values to read in one request.
OneOrMany: TypeAlias = T | list[T] | tuple[T, ...] | Set[T]
# What an asynchronous write of many takes, one after the other.
AnyIterable: TypeAlias = Iterable[T] | AsyncIterable[T]
# The times of cells, from a first one up to, and without, a last one; None leaves an end open.
Times = tuple[datetime | None, datetime | None]
# Names of entries to read, by the name of the column that has them.
EntryNames = Mapping[str, object]

UNDECODABLE = (UndecodableKey, UndecodableCell)
Undecodable = UndecodableKey | UndecodableCell
OnError = Callable[[Undecodable], object]


@frozen(eq=False)
class Skipped:
    """What stands in the place of a row that cannot be decoded: its error, to be reported when its turn comes."""

    error: Undecodable


def skipping(decoder: RowDecoder[T]) -> RowDecoder[T | Skipped]:
    """The same decoder, that goes on past rows that cannot be decoded."""

    def strict(key: bytes, cells: list[Cell]) -> T | Skipped:
        try:
            return decoder.strict(key, cells)
        except UNDECODABLE as error:
            return Skipped(error)

    # What is decoded fast is never skipped: a fast decoder stops in front of what it does not know.
    return RowDecoder(strict, cast("Fast[T | Skipped] | None", decoder.fast))


def tell(error: Undecodable, on_error: OnError | None) -> None:
    """Give the error of a row that cannot be decoded to ``on_error``, or raise it where there is none."""
    if on_error is None:
        raise error
    on_error(error)
