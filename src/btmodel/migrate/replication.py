"""Waiting until all clusters of an instance have what was written to a table."""

from collections.abc import Callable, Iterable
from functools import partial

from btmodel.errors import MissingTable, ServerError
from btmodel.migrate.backoff import Backoff
from btmodel.migrate.instance import Instance
from btmodel.migrate.waiting import until_answered

_LONGEST = 3600.0  # seconds


def until_replicated(
    instance: Instance, tables: Iterable[str], waiting: Callable[[str], None] = lambda words: None
) -> None:
    """Return once every cluster has what was written by now to ``tables``, of which some may not be there.

    A read that goes to one cluster does not see rows that only another one has. ``waiting`` is called once for each table that is
    waited for. Raises :class:`ServerError`, also where an hour is not enough.
    """
    for table in tables:
        try:
            mark = until_answered(partial(instance.replication_mark, table))
            if mark is not None:
                _wait(instance, table, mark, waiting)
        except MissingTable:
            continue


def _wait(instance: Instance, table: str, mark: str, waiting: Callable[[str], None]) -> None:
    backoff = Backoff(_LONGEST)
    told = False
    while not until_answered(partial(instance.is_replicated, table, mark)):
        if not told:
            waiting(f"waiting until all clusters have the rows of {table}")
            told = True
        if not backoff.wait():
            raise ServerError(
                f"table {table!r} of {instance.instance}: after {_LONGEST:,.0f} s some cluster still lacks rows of it: "
                "look at its replication, and run it again"
            )
