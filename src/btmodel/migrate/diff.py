"""What differs between the tables that are declared and those that are live."""

from collections.abc import Iterable

from btmodel.migrate.changes import FINDERS, Change
from btmodel.schema import Table


def diff(declared: Iterable[Table], live: Iterable[Table]) -> tuple[Change, ...]:
    """Every difference, in the order of the kinds of change, then of tables and families.

    GC rules are compared by meaning. What is live and not declared comes out as
    drift, never as a drop.
    """
    wanted = {table.id: table for table in declared}
    there = {table.id: table for table in live}
    ids = sorted(wanted.keys() | there.keys())
    return tuple(change for find in FINDERS for id in ids for change in find(wanted.get(id), there.get(id)))
