# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Queries in SQL, and their rows."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import frozen
from google.api_core.exceptions import FailedPrecondition

from btmodel.client._sync.writing import ask
from btmodel.client.call import EXECUTE_QUERY, PREPARE_QUERY, SQL, ActiveCall, InstanceAccess
from btmodel.client.channels import leave, next_message
from btmodel.client.failures import google_error
from btmodel.client.row_streams import Stream, pause
from btmodel.client.sql_messages import (
    Parameters,
    Prepared,
    Results,
    SqlColumn,
    execute_request,
    prepare_request,
)
from btmodel.client.tasks import SyncHome
from btmodel.columnar import sql_table

if TYPE_CHECKING:
    from btmodel.columnar.libraries import Table

R = TypeVar("R")
_AGAIN = 2  # times that a query is prepared anew, as what it was prepared for has changed


@frozen(repr=False, eq=False)
class SqlRows(Generic[R]):
    """The rows of a query in SQL; each iteration sends the query again.

    A row is a named tuple with an attribute for each column, or of the class that ``into`` names.
    """

    _access: InstanceAccess
    _query: str
    _parameters: Parameters
    _make: Callable[[Prepared], Callable[[Sequence[Any]], R]]

    def __repr__(self) -> str:
        return f"sql({self._query!r}), not read yet"

    def __iter__(self) -> Iterator[R]:
        """The rows as they arrive; memory does not grow with their number. Raises what :meth:`all` does."""
        with closing(self._batches(self._make)) as batches:
            for rows in batches:
                for row in rows:
                    yield row

    def all(self) -> list[R]:
        """All rows.

        Raises :class:`QueryRefused` where the class of rows does not fit the columns, and :class:`ServerError` for a query that the service
        refuses, or that fails for a row.
        """
        found: list[R] = []
        with closing(self._batches(self._make)) as batches:
            for rows in batches:
                found += rows
        return found

    def columns(self) -> tuple[SqlColumn, ...]:
        """The names and the types of the columns: the query is checked, and not run. Raises :class:`ServerError`."""
        return (self._prepared()).columns

    def to_arrow(self) -> "Table":
        """All rows as a table of Arrow, whose columns have the names of the query's. It needs ``btmodel[arrow]``.

        It has what the service gives, whatever the class of rows (``into``) is: also expired rows, and cells that a GC rule lets the service delete.
        """
        last: list[Prepared] = []
        found: list[Any] = []

        def keep(prepared: Prepared) -> type[list[Any]]:
            last.append(prepared)
            return list

        with closing(self._batches(keep)) as batches:
            for rows in batches:
                found += rows
        return sql_table(last[-1].titles, found)

    def _prepared(self) -> Prepared:
        with ActiveCall(self._access, "scan", PREPARE_QUERY, SQL) as call:
            calls = self._access.open(SQL)
            return Prepared.of(
                ask(call, calls, PREPARE_QUERY, prepare_request(calls, self._query, self._parameters))
            )

    def _batches(self, make: Callable[[Prepared], Callable[[Sequence[Any]], Any]]) -> Stream[list[Any]]:
        """The rows of each message; where an answer breaks off, the rest is asked for behind the last token."""
        prepared, expired, home = self._prepared(), 0, SyncHome()
        results = Results(prepared, make(prepared))
        with ActiveCall(self._access, "scan", EXECUTE_QUERY, SQL) as call:
            calls = self._access.open(SQL)
            while True:
                results.begin()
                request = execute_request(calls, prepared.query, self._parameters, results.token)
                limit = call.clock.begin()
                answer = calls.stream(EXECUTE_QUERY)(request, timeout=limit, metadata=calls.metadata)
                try:
                    while (message := next_message(answer)) is not None:
                        call.bytes += len(message)
                        rows = results.take(message)
                        call.clock.reached(results.token)
                        if rows:
                            call.rows += len(rows)
                            yield rows
                            home.check()
                    results.end()
                    return
                except Exception as error:
                    if _has_expired(error) and not results.token and expired < _AGAIN:
                        expired, wait = expired + 1, 0.0
                    else:
                        wait = call.clock.read_again(error)
                finally:
                    if home.here:
                        leave(answer)
                pause(wait)
                if expired and not results.token:
                    prepared = self._prepared()
                    results = Results(prepared, make(prepared))


def _has_expired(error: Exception) -> bool:
    """Whether a query must be prepared again."""
    return isinstance(google_error(error), FailedPrecondition)
