"""Event loops: an asynchronous connection belongs to one, a blocking one to none."""

import asyncio

from attrs import define

from btmodel.errors import ServerError


@define
class AsyncHome:
    """The event loop that a connection belongs to: that in which it is first used."""

    _loop: asyncio.AbstractEventLoop | None = None

    def check(self) -> None:
        """Raise :class:`ServerError` in any other loop, where Google's client would break in its middle."""
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        elif self._loop is not loop:
            raise ServerError(
                "this connection belongs to another event loop, in which it was first used: "
                "open one with connect_async in each loop (each asyncio.run makes a new one)"
            )


class SyncHome:
    """The same for a connection that blocks: it may be used anywhere."""

    def check(self) -> None:
        """Nothing to refuse."""
