"""The client: the only floor that speaks to a server, through Google's own client library.

Importing it is cheap; the library, which is not, is loaded on the first connection.
"""

from typing import TYPE_CHECKING, Unpack

from btmodel.client.options import ConnectOptions

if TYPE_CHECKING:
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.client._sync.database import Database


def connect(target: str | None = None, **options: Unpack[ConnectOptions]) -> "Database":
    """A connection to ``target``, or to the ``instance`` of the settings.

    ``projects/P/instances/I``; ``local:dev.db``, a file that any number of processes may use at once, or ``local:`` for
    an instance in memory; ``emulator:``; or a name from the settings.

    ``options`` say which app profile, whose credentials, how long calls may take, and so on: see
    :class:`ConnectOptions`, and the table in docs/production.md. They go before those that the settings have
    for the instance.

    Raises :class:`SettingsError` for a target or an option that is wrong and :class:`ServerError` where a
    local server does not answer or cannot be started.
    """
    from btmodel.client._sync.database import Database

    return Database(target, **options)


def connect_async(target: str | None = None, **options: Unpack[ConnectOptions]) -> "AsyncDatabase":
    """The same for ``async with``: to be used within one event loop."""
    from btmodel.client._async.database import AsyncDatabase

    return AsyncDatabase(target, **options)
