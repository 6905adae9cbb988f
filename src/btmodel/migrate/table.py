"""The part of a plan that is about one table, made live."""

import time

from btmodel.errors import SchemaConflict, ServerError
from btmodel.migrate.calls import call
from btmodel.migrate.changes import AddFamily, Change, CreateTable
from btmodel.migrate.diff import diff
from btmodel.migrate.instance import Instance
from btmodel.migrate.plan import Plan, split
from btmodel.schema import Table

_TRIES = 8
_PAUSE = 0.05  # seconds before the second try; twice as long before each further one


class Moved(Exception):
    """A table became something that the plan does not know; the message says what."""


class TableSteps:
    """The changes that ``plan`` makes to the table called ``id``."""

    def __init__(self, plan: Plan, instance: Instance, id: str) -> None:
        self.id = id
        self._changes = plan.by_table[id]
        self._declared = tuple(table for table in plan.declared if table.id == id)
        self._allowed = plan.allowed
        self._instance = instance

    def make(self) -> tuple[Change, ...]:
        """Make what is left to do, in one call, again where another change was in the way.

        Returns the changes of the call that succeeded; none where all was done already.
        Raises :class:`Moved`, and :class:`ServerError`.
        """
        live = self._instance.table(self.id)
        last: ServerError | None = None
        for attempt in range(_TRIES):
            left = self._known(self._left(live))
            if not left:
                return ()
            try:
                call(self._instance, left)
            except ServerError as error:
                before, live = live, self._instance.table(self.id)
                if live == before and not isinstance(error, SchemaConflict):
                    raise
                last = error
            else:
                return left
            time.sleep(_PAUSE * 2**attempt)
        assert last is not None, "there is at least one try"
        raise last

    def pending(self) -> tuple[Change, ...]:
        """The changes of the plan that are not live, as read now; raises :class:`ServerError`."""
        left = self._left(self._instance.table(self.id))
        subjects = {change.subject for change in left}
        return tuple(
            change
            for change in self._changes
            if change.subject in subjects
            or change.table_id in subjects
            or (subjects and isinstance(change, CreateTable))
        )

    def _left(self, live: Table | None) -> tuple[Change, ...]:
        changes, _ = split(diff(self._declared, () if live is None else (live,)), self._allowed)
        return changes

    def _known(self, left: tuple[Change, ...]) -> tuple[Change, ...]:
        """``left``, once it is sure that the plan knows it all.

        Who agreed to create a table agreed to the families that it lacks as well.
        """
        creating = any(isinstance(change, CreateTable) for change in self._changes)
        for change in left:
            if change not in self._changes and not (creating and isinstance(change, AddFamily)):
                raise Moved(
                    f"table {self.id!r} was changed by another since the plan was made, and now needs "
                    f"{change.name} ({change.summary})"
                )
        return left
