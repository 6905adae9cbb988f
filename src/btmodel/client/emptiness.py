"""Whether a table holds any row: the one thing that a migration asks the data API."""

from btmodel.client._sync.database import Database
from btmodel.client.target import Target
from btmodel.errors import MissingTable
from btmodel.rows import ReadPlan, RowRange


def is_empty(instance: str, host: str | None, table: str) -> bool:
    """Whether ``table`` holds no row; true where there is no such table.

    ``instance`` is a path, and ``host`` the ``host:port`` of an emulator, or None. Raises :class:`ServerError`.
    """
    with Database(Target(instance, host, lambda: None)) as db:
        try:
            return next(iter(db.read(ReadPlan(table, (RowRange(b"", b""),), None, limit=1))), None) is None
        except MissingTable:
            return True
