"""The client: the only floor that speaks to a server, through Google's own client library.

Importing it is cheap; the library, which is not, is loaded on the first connection.
"""

from typing import TYPE_CHECKING

from btmodel.client.target import resolve

if TYPE_CHECKING:
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.client._sync.database import Database


def connect(target: str) -> "Database":
    """A connection to ``target``.

    ``projects/P/instances/I``; ``local:dev.db``, which serves that file while the connection
    lasts, or ``local:`` for one in memory; ``emulator:``; or a name from the settings.

    Raises :class:`SettingsError` for a target that is none and :class:`ServerError` where a
    local server does not answer or cannot be started.
    """
    from btmodel.client._sync.database import Database

    return Database(resolve(target))


def connect_async(target: str) -> "AsyncDatabase":
    """The same for ``async with``: to be used within one event loop."""
    from btmodel.client._async.database import AsyncDatabase

    return AsyncDatabase(resolve(target))
