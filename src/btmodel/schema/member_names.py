"""Names of generated repository members, and clashes with a model's own."""

from collections.abc import Iterator
from typing import NamedTuple

from btmodel.schema.lookup import Access, access
from btmodel.schema.model import ModelSchema, Query
from btmodel.schema.names import Location, is_parameter

# The public names of repositories, which no query can have.
MEMBERS = frozenset(
    {
        "add",
        "append",
        "append_many",
        "apply_many",
        "changes",
        "clear",
        "delete",
        "delete_many",
        "delete_prefix",
        "edit",
        "event",
        "events",
        "exists",
        "extend",
        "get",
        "get_many",
        "increment",
        "increment_entry",
        "key",
        "key_of",
        "model",
        "newest_events",
        "put",
        "put_arrow",
        "put_cells",
        "put_if",
        "put_if_absent",
        "put_many",
        "remove",
        "replace",
        "replace_many",
        "rows",
        "through",
        "update",
        "update_many",
        "when",
        "with_options",
        "writer",
    }
)
# The method of a view's repository that leads to the table.
SOURCES = "sources"
# Also the name of a generated method, unless a declared query has it.
NEWEST = "newest"
# The time of an event, and parameters of the methods that read events.
OF_EVENTS = ("at", "start", "end", "on_error")


class Arguments(NamedTuple):
    """The names of the parameters that the method of a query takes.

    ``equal`` are those of the fields that are given, ``ends`` those of a range, with ``closed`` for which
    of them belong to it, and ``starting`` is that of what values begin with.
    """

    equal: tuple[str, ...]
    ends: tuple[str, ...] = ()
    closed: str | None = None
    starting: str | None = None

    @property
    def all(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.equal, *self.ends, *(one for one in (self.closed, self.starting) if one is not None))


def arguments(query: Query, found: Access) -> Arguments:
    """The names of the parameters for a query: short ones, unless a field that is given has such a name."""
    taken = set(query.equal)
    if found.between is not None:
        field = found.between.name
        ends = (f"{field}_start", f"{field}_end") if taken & {"start", "end"} else ("start", "end")
        return Arguments(query.equal, ends, f"{field}_closed" if "closed" in taken else "closed")
    starting = None if found.starting is None else f"{found.starting.name}_start"
    return Arguments(query.equal, starting=starting)


class InTheWay(NamedTuple):
    """A name of a model that a repository cannot take, where it is declared, and why."""

    name: str
    why: str
    location: Location | None


def in_the_way(model: ModelSchema) -> Iterator[InTheWay]:
    """The names of a model that meet those of its repository."""
    for query in model.queries:
        taken = query.name in MEMBERS or (model.view is not None and query.name == SOURCES)
        if taken or query.name.startswith("_"):
            why = "a repository has a method of this name; rename the query"
            yield InTheWay(query.name, why, query.location)
            continue
        twice = _twice(model, query)
        if twice is not None:
            why = f"two parameters would be called {twice}; rename the key field {twice}"
            yield InTheWay(query.name, why, query.location)
    for sql in model.sql_queries:
        if sql.name in MEMBERS or sql.name.startswith("_"):
            why = "a repository has a method of this name; rename the query"
            yield InTheWay(sql.name, why, sql.location)
        for parameter in sql.parameters:
            if not is_parameter(parameter.name):
                why = f"no parameter can be called {parameter.name}; rename it, in the query, too"
                yield InTheWay(sql.name, why, sql.location)
    if model.holds_events:
        fields = [part for part in model.key.asked if part is not model.bucket_field]
        places = {field.name: field.location for field in fields} | {
            column.name: column.location for column in model.series
        }
        for name, location in places.items():
            if name in OF_EVENTS:
                why = "events have a field, or a parameter, of this name; rename the attribute"
                yield InTheWay(name, why, location)


def _twice(model: ModelSchema, query: Query) -> str | None:
    """The name that two parameters of a query would have, or None."""
    found = access(model.key, query)
    if not isinstance(found, Access):
        return None
    names = arguments(query, found).all
    return next((name for name in names if names.count(name) > 1), None)
