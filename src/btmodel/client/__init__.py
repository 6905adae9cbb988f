"""The client: the only floor that speaks to a server, through Google's own client library.

Importing it is cheap; the library, which is not, is loaded on the first connection.
"""

from typing import TYPE_CHECKING

from btmodel.client.target import DataPlane, checked_plane, resolve

if TYPE_CHECKING:
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.client._sync.database import Database


def connect(target: str, *, data_plane: DataPlane = "btmodel") -> "Database":
    """A connection to ``target``.

    ``projects/P/instances/I``; ``local:dev.db``, which serves that file while the connection
    lasts, or ``local:`` for one in memory; ``emulator:``; or a name from the settings.

    ``data_plane`` says what reads the messages of the service: btmodel itself, many times as fast as Google's
    client, on that client's connection; or ``"client"``, all of Google's client, to compare them or where the
    one that is fast should ever go wrong.

    Raises :class:`SettingsError` for a target or a data plane that is none and :class:`ServerError` where a
    local server does not answer or cannot be started.
    """
    from btmodel.client._sync.database import Database

    plane = checked_plane(data_plane)
    return Database(resolve(target), data_plane=plane)


def connect_async(target: str, *, data_plane: DataPlane = "btmodel") -> "AsyncDatabase":
    """The same for ``async with``: to be used within one event loop."""
    from btmodel.client._async.database import AsyncDatabase

    plane = checked_plane(data_plane)
    return AsyncDatabase(resolve(target), data_plane=plane)
