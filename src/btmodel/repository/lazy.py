"""What a read is not, and what to write instead.

A read is asked for nothing before its rows are iterated. Where Python would take it for a collection, or for the
other kind of read, the answer would be wrong (the truth of every object is True) or name nothing that helps.
Type checkers know without these methods that a read has none of them.
"""

from typing import TYPE_CHECKING, NoReturn


class _Read:
    """What holds for a read of either kind, whose rows ``_each`` tells how to iterate."""

    __slots__ = ()

    if not TYPE_CHECKING:
        _wait = _each = ""

        def __bool__(self) -> NoReturn:
            self._refuse("no truth before it is asked", f"`{self._wait}read.first() is not None`")

        def __len__(self) -> NoReturn:
            self._refuse("no length before it is asked", f"`{self._wait}read.count()`")

        def __getitem__(self, index: object) -> NoReturn:
            listed = f"[row {self._each} row in read]"
            wanted = f"`read.limit(n)`, `{self._wait}read.first()`, `{self._wait}read.page(n)`, or a list `{listed}`"
            self._refuse("no rows by number", wanted)

        def _refuse(self, why: str, wanted: str) -> NoReturn:
            raise TypeError(f"{type(self).__name__}: a read has {why}: write {wanted}")


class AsyncLazy(_Read):
    """A read of a connection of ``connect_async``."""

    __slots__ = ()

    if not TYPE_CHECKING:
        _wait, _each = "await ", "async for"

        def __iter__(self) -> NoReturn:
            self._refuse("its rows with `await`", "`async for row in read`, or `[row async for row in read]`")

        def __await__(self) -> NoReturn:
            wanted = "`[row async for row in read]`, `await read.first()` or `await read.count()`"
            self._refuse("more than one thing to wait for", wanted)


class Lazy(_Read):
    """A read of a connection of ``connect``."""

    __slots__ = ()

    if not TYPE_CHECKING:
        _wait, _each = "", "for"

        def __aiter__(self) -> NoReturn:
            self._refuse("its rows without `await`", "`for row in read`, or connect with `bt.connect_async`")

        def __await__(self) -> NoReturn:
            self._refuse("its rows without `await`", "`list(read)`, or connect with `bt.connect_async`")
