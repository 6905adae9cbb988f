"""A declared table that is not live."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, TableChange
from btmodel.schema import Table


@frozen
class CreateTable(TableChange):
    """Create the table, with all its families in the same call."""

    verb: ClassVar[str] = "create-table"
    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE


def find(declared: Table | None, live: Table | None) -> Iterator[CreateTable]:
    """The creation of ``declared``, where it is not live."""
    if declared is not None and live is None:
        yield CreateTable(declared)
