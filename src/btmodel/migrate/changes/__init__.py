"""The kinds of change: one file per subject, with each change next to the function that finds it.

A new kind takes a class and a function in such a file, a line below, and, if it needs a call of its own, that call in
``btmodel.migrate.instance``.
"""

from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from btmodel.migrate.changes import (
    attributes,
    gc_rules,
    layouts,
    moves,
    renames,
    settings,
    table_parts,
    tables,
    unknown_moves,
)
from btmodel.migrate.changes.base import InstanceChange, InstanceFacts
from btmodel.schema import Table

FindBoth = Callable[[Table, Table, InstanceFacts], Iterator[InstanceChange]]
FindOne = Callable[[Table | None, Table | None, InstanceFacts], Iterator[InstanceChange]]


@frozen
class Finder:
    """The functions that find changes of one kind; None for a case in which that kind has no change.

    ``of_both`` takes a table that is declared and in the instance, ``of_one`` a table that is in only one of them.
    """

    of_both: FindBoth
    of_one: FindOne | None = None

    @classmethod
    def always(cls, find: FindOne) -> "Finder":
        """A finder that applies to both cases."""
        return cls(find, find)

    def find(
        self, declared: Table | None, live: Table | None, facts: InstanceFacts
    ) -> Iterable[InstanceChange]:
        """The changes that lead one table from ``live`` to ``declared``; either may be None."""
        if declared is not None and live is not None:
            return self.of_both(declared, live, facts)
        return () if self.of_one is None else self.of_one(declared, live, facts)


# In the order of one table: additions, then changes, then removals. The plan itself puts protection first or last.
FINDERS = (
    Finder.always(tables.find_new_table),
    Finder(tables.find_added_family),
    Finder.always(renames.find_copy),
    Finder(gc_rules.find),
    Finder(tables.find_aggregate),
    Finder(layouts.find_key),
    Finder(layouts.find_codec),
    Finder(attributes.find_taken),
    Finder.always(layouts.find_required_column),
    Finder(renames.find_reuse),
    Finder(settings.find_periods),
    Finder(settings.find),
    Finder.always(table_parts.find_parts),
    Finder(settings.find_protection),
    Finder.always(renames.find_renamed),
    Finder(tables.find_undeclared_family),
    Finder(moves.find_moved_family),
    Finder.always(moves.find_moved_table),
    Finder.always(moves.find_new_table),
    Finder.always(unknown_moves.find),
    Finder.always(tables.find_undeclared_table),
    Finder(settings.find_undeclared_setting),
    Finder(tables.find_value_type),
    Finder(layouts.find_undeclared_layout),
    Finder(layouts.find_moved),
    Finder(gc_rules.find_unknown),
)
