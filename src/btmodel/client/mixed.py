"""``with`` and ``async with`` of a connection of the other kind: what to write instead."""

from typing import TYPE_CHECKING, NoReturn


class AsyncMixed:
    """A connection that is used with ``async with``."""

    if not TYPE_CHECKING:

        def __enter__(self) -> NoReturn:
            raise TypeError(
                "a connection of connect_async: write `async with`, or connect with `bt.connect` for `with`"
            )

        def __exit__(self, *error: object) -> None:
            pass


class Mixed:
    """A connection that is used with ``with``."""

    if not TYPE_CHECKING:

        async def __aenter__(self) -> NoReturn:
            raise TypeError(
                "a connection of connect: write `with`, or connect with `bt.connect_async` for `async with`"
            )

        async def __aexit__(self, *error: object) -> None:
            pass
