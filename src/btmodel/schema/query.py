"""Declared queries."""

from attrs import field, frozen

from btmodel.schema.location import Location


@frozen
class Query:
    """What the application asks of a table: these fields given, this one between two values.

    In the place of ``between``, ``starting`` is a field whose values begin with a given part.

    ``scan`` holds the reason where reading the whole table is meant; without one, a
    query must be served by a key, a prefix or a range.
    """

    name: str
    equal: tuple[str, ...]
    between: str | None = None
    starting: str | None = None
    scan: str | None = None
    location: Location | None = field(default=None, eq=False, repr=False)
