"""The kinds of change, one file each: the change, and the function that finds it.

A new kind is a new file, its line below, and, where it needs a call of its own, that
call in ``btmodel.migrate.calls``.
"""

from collections.abc import Callable, Iterator

from btmodel.migrate.changes import (
    add_family,
    change_aggregate,
    change_gc,
    create_table,
    undeclared_family,
    undeclared_table,
)
from btmodel.migrate.changes.add_family import AddFamily
from btmodel.migrate.changes.base import Change, Effect, FamilyChange
from btmodel.migrate.changes.change_aggregate import ChangeAggregate
from btmodel.migrate.changes.change_gc import ChangeGc
from btmodel.migrate.changes.create_table import CreateTable
from btmodel.migrate.changes.undeclared_family import DropFamily, UndeclaredFamily
from btmodel.migrate.changes.undeclared_table import DropTable, UndeclaredTable
from btmodel.schema import Table

Find = Callable[[Table | None, Table | None], Iterator[Change]]

# In the order of a plan: what is added before what is changed before what goes.
FINDERS: tuple[Find, ...] = (
    create_table.find,
    add_family.find,
    change_gc.find,
    change_aggregate.find,
    undeclared_family.find,
    undeclared_table.find,
)

__all__ = [
    "FINDERS",
    "AddFamily",
    "Change",
    "ChangeAggregate",
    "ChangeGc",
    "CreateTable",
    "DropFamily",
    "DropTable",
    "Effect",
    "FamilyChange",
    "UndeclaredFamily",
    "UndeclaredTable",
]
