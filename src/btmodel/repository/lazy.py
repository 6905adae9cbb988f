"""What lazy reads share: pages, error handling, and clear refusals of list operations.

A read is asked for nothing before its rows are iterated. Where Python would take it for a collection, or for the
other kind of read, the answer would be wrong (the truth of every object is True) or name nothing that helps.
Type checkers know without these methods that a read has none of them.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar, cast

from attrs import frozen

from btmodel.errors import UndecodableCell, UndecodableKey
from btmodel.rows import Cell, Fast, RowDecoder


class _Read:
    """What holds for a read of either kind, whose ``_awaited`` stands before what is called."""

    __slots__ = ()

    if not TYPE_CHECKING:
        _awaited = _listed = ""

        def __bool__(self) -> NoReturn:
            self._refuse("no truth before it is asked", f"`{self._awaited}read.first() is not None`")

        def __len__(self) -> NoReturn:
            self._refuse("no length before it is asked", f"`{self._awaited}read.count()`")

        def __getitem__(self, index: object) -> NoReturn:
            first = (
                isinstance(index, slice)
                and not index.start
                and isinstance(index.stop, int)
                and index.stop > 0
            )
            wanted = f"`read.limit({index.stop if first else 'n'})`, `{self._awaited}read.first()`, or `{self._listed}[...]`"
            self._refuse("no rows by number", wanted)

        def __next__(self) -> NoReturn:
            self._refuse("no next row: each loop over it asks anew", f"`{self._awaited}read.first()`")

        __anext__ = __next__

        def _refuse(self, why: str, wanted: str) -> NoReturn:
            raise TypeError(f"{type(self).__name__}: a read has {why}: write {wanted}")


class AsyncLazy(_Read):
    """A read of a connection of ``connect_async``."""

    __slots__ = ()

    if not TYPE_CHECKING:
        _awaited, _listed = "await ", "[row async for row in read]"

        def __iter__(self) -> NoReturn:
            self._refuse("its rows with `await`", "`async for row in read`, or `[row async for row in read]`")

        def __await__(self) -> NoReturn:
            wanted = "`[row async for row in read]`, `await read.first()` or `await read.count()`"
            self._refuse("more than one thing to wait for", wanted)


class Lazy(_Read):
    """A read of a connection of ``connect``."""

    __slots__ = ()

    if not TYPE_CHECKING:
        _awaited, _listed = "", "list(read)"

        def __aiter__(self) -> NoReturn:
            self._refuse("its rows without `await`", "`for row in read`, or connect with `bt.connect_async`")

        def __await__(self) -> NoReturn:
            self._refuse("its rows without `await`", "`list(read)`, or connect with `bt.connect_async`")


R = TypeVar("R")


@frozen
class Page(Generic[R]):
    """Rows of a read, and the cursor of the page behind them; ``next`` is None where nothing follows."""

    rows: list[R]
    next: str | None


T = TypeVar("T")

UNDECODABLE = (UndecodableKey, UndecodableCell)
Undecodable = UndecodableKey | UndecodableCell
OnError = Callable[[Undecodable], object]


@frozen(eq=False)
class Skipped:
    """What stands in the place of a row that cannot be decoded: its error, to be told when its turn comes."""

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
