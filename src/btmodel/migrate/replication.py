"""Wait until all clusters of an instance have the rows of its tables."""

from collections.abc import Callable, Iterable
from functools import partial

from btmodel.errors import MissingTable, ServerError
from btmodel.migrate.instance import Instance
from btmodel.migrate.waiting import Backoff, until_answered

_LONGEST = 3600.0  # seconds


def until_replicated(
    instance: Instance, tables: Iterable[str], waiting: Callable[[str], None] = lambda words: None
) -> None:
    """Return once every cluster has the rows written to ``tables`` by now; tables that do not exist are skipped.

    A read that goes to one cluster does not see rows that only another cluster has. ``waiting`` is called once for
    each table that is not replicated yet. Raises :class:`ServerError`, also after waiting for an hour.
    """
    for table in tables:
        try:
            mark = until_answered(partial(instance.replication_mark, table))
            if mark is not None:
                _wait(instance, table, mark, waiting)
        except MissingTable:
            continue


def _wait(instance: Instance, table: str, mark: str, waiting: Callable[[str], None]) -> None:
    replicated = partial(until_answered, partial(instance.is_replicated, table, mark))
    if replicated():
        return
    waiting(f"waiting until all clusters have the rows of {table}")
    if not Backoff(_LONGEST).until(replicated):
        raise ServerError(
            f"table {table!r} of {instance.instance}: after {_LONGEST:,.0f} s some cluster still lacks rows of it: "
            "look at its replication, and run it again"
        )
