"""What a read is not, and what to write instead.

A read is asked for nothing before its rows are iterated. Where Python would take it for a collection, or for the
other kind of read, the answer would be wrong (the truth of every object is True) or name nothing that helps.
Type checkers know without these methods that a read has none of them.
"""

from typing import TYPE_CHECKING, NoReturn


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
