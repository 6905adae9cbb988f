"""What differs between two sets of tables, such as those that are declared and those that are live."""

from collections.abc import Iterable

from btmodel.migrate.changes import FINDERS, UNKNOWN, Change, Facts
from btmodel.migrate.natural import natural
from btmodel.schema import Table


def diff(declared: Iterable[Table], live: Iterable[Table], facts: Facts = UNKNOWN) -> tuple[Change, ...]:
    """Every difference, in the order of the kinds of change, then of tables and families.

    GC rules are compared by meaning, settings where ``declared`` states them, layouts where both have one.
    What is live and not declared comes out as drift, never as a drop. ``facts`` of the instance decide
    what some changes do.
    """
    wanted = {table.id: table for table in declared}
    there = {table.id: table for table in live}
    known = facts.between(wanted.values(), there.values())
    ids = sorted(wanted.keys() | there.keys(), key=natural)
    return tuple(
        change for find in FINDERS for id in ids for change in find(wanted.get(id), there.get(id), known)
    )
