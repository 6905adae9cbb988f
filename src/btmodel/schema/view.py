"""Views that the service keeps of a table: an index, or a rollup."""

from collections.abc import Sequence
from enum import Enum

from attrs import frozen

from btmodel.errors import DeclarationError
from btmodel.on_demand import pattern
from btmodel.value import Value

# What stands in front of the id of a view where requests name it; a table's id is without.
VIEWS = "materializedViews/"
# The only family of a view's rows, and the timestamp of its cells is 0. Assumed: no page of the service's documentation names it.
VIEW_FAMILY = "default"
# https://cloud.google.com/bigtable/docs/continuous-materialized-views: views of one table.
VIEWS_OF_A_TABLE = 5
# The same page: what a view selects of a row, or puts into one; the service drops rows beyond.
VIEW_ROW_BYTES = 2**20


class ViewKind(Enum):
    """What a row of a view is made of."""

    INDEX = "index"  # one row of the table
    ROLLUP = "rollup"  # all rows of the table that have the same key fields of the view


@frozen(eq=False, repr=False)
class TableView(Value):
    """A view as its table has it: its id, its query in GoogleSQL, and whether it is protected; None where that is not stated."""

    id: str
    query: str
    deletion_protection: bool | None = None

    @property
    def asked(self) -> str:
        """The query without line breaks and indentation, by which two are compared."""
        return " ".join(self.query.split())

    @property
    def mark(self) -> str:
        """Eight digits that differ where queries do."""
        from hashlib import blake2b  # only here: loading OpenSSL takes longer than all of this room

        return blake2b(self.asked.encode(), digest_size=4).hexdigest()


_FROM = pattern(r"\bFROM\s+`?([-_.a-zA-Z0-9]+)`?")


def table_of(query: str) -> str | None:
    """The id of the table that a query reads; None where the query does not say it."""
    found = _FROM.search(query)
    return found and str(found[1])


def views_of(table: str, views: Sequence[TableView]) -> tuple[TableView, ...]:
    """The views of a table in the order of their ids. Raises :class:`DeclarationError` for two of one id, and too many."""
    found = {view.id: view for view in views}
    if len(found) < len(views):
        twice = next(view.id for view in views if [one.id for one in views].count(view.id) > 1)
        raise DeclarationError(
            f"table {table!r}: two models declare the view {twice!r}: give each an id of its own"
        )
    if len(found) > VIEWS_OF_A_TABLE:
        raise DeclarationError(
            f"table {table!r}: expected at most {VIEWS_OF_A_TABLE} views, which is the limit of the service, got "
            f"{len(found)} ({', '.join(sorted(found))}): declare a second table for one of them, filled by `bt.twins`"
        )
    return tuple(found[id] for id in sorted(found))
