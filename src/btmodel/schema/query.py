"""Declared queries."""

from datetime import timedelta

from attrs import field, frozen

from btmodel.schema.location import Location


@frozen
class Query:
    """What the application asks of a table: these fields given, this one between two values.

    In the place of ``between``, ``starting`` is a field whose values begin with a given part.
    ``scan`` holds the reason where reading the whole table is meant; without one, a
    query must be served by a key, a prefix or a range.

    ``only`` are the columns that it reads, or none for whole rows; ``newest`` is whether it reads the
    newest row first. The rest is for the review: ``where`` are the attributes by which the
    reader picks among the rows that come, ``span`` is the usual time between the ends of
    ``between``, ``together`` are the names of other models whose rows are read with these.
    """

    name: str
    equal: tuple[str, ...]
    between: str | None = None
    starting: str | None = None
    scan: str | None = None
    only: tuple[str, ...] = ()
    newest: bool = False
    where: tuple[str, ...] = ()
    span: timedelta | None = None
    together: tuple[str, ...] = ()
    location: Location | None = field(default=None, eq=False, repr=False)
