"""Views that the service keeps of a table: an index, or a rollup."""

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

from attrs import field, frozen

from btmodel.errors import DeclarationError
from btmodel.on_demand import pattern
from btmodel.schema.names import Location
from btmodel.value import Value

if TYPE_CHECKING:
    from btmodel.schema.model import ModelSchema

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


@frozen(eq=False, repr=False)
class View(Value):
    """What makes a model one of a view: its kind, the model and the table that it is of, and its definition in the service.

    ``fields`` are the attributes of the view's model that are copies of those of the other model, as pairs of names;
    ``of`` is that model's name, ``of_module`` its module, ``of_table`` its table. ``where`` is the condition in words, empty without one.
    ``source`` is that model, and ``sums`` are the columns of a rollup, each with the attribute that is summed up; None where rows are counted.
    """

    kind: ViewKind
    of: str
    of_module: str
    of_table: str
    definition: TableView
    fields: tuple[tuple[str, str], ...]
    where: str = ""
    location: Location | None = field(default=None, eq=False, repr=False)
    source: "ModelSchema | None" = field(default=None, eq=False, repr=False)
    sums: tuple[tuple[str, str | None], ...] = field(default=(), eq=False, repr=False)


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
