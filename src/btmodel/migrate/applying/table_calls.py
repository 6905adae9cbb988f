"""Apply the changes of one table: make the calls, and check each of them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from btmodel.errors import SchemaConflict, ServerError
from btmodel.migrate.changes.base import InstanceChange
from btmodel.migrate.history import CopyRecord
from btmodel.migrate.instance import Instance, TableCall, joined, until_replicated
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.tables.templates import is_empty
from btmodel.migrate.waiting import LONGEST, passes, until_answered
from btmodel.schema import Layout, Table
from btmodel.schema.names import fits, placeholders


def calls(changes: Iterable[InstanceChange]) -> tuple[TableCall, ...]:
    """The fewest calls that make ``changes``, all of one table and in the order of a plan."""
    return joined(call for change in changes for call in change.calls)


_LONGEST = LONGEST  # seconds of retries for one table; quotas are counted over 100


def _passes(error: ServerError) -> bool:
    """Whether a change of a table may succeed on another try: another change or the server was in the way."""
    return isinstance(error, SchemaConflict) or passes(error)


class TableMoved(Exception):
    """A table changed in a way that the plan does not know; the message says how."""


class TableSteps:
    """The changes that ``plan`` makes to table ``id``."""

    def __init__(self, plan: Plan, instance: Instance, id: str) -> None:
        self.id = id
        self.changes = plan.by_table[id]
        self._copied: set[InstanceChange] = set()
        self._tried: set[InstanceChange] = set()
        # Whether the changes that only exist in the migration history are recorded; None if the write did not finish.
        self._recorded: bool | None = False
        self._plan = plan
        self._instance = instance

    @property
    def layouts(self) -> tuple[Layout, ...] | None:
        """The layouts to record once the changes are made; None if none are to be recorded."""
        records = [change.records for change in self.changes if change.records is not None]
        return records[-1] if records else None

    @property
    def live(self) -> Table | None:
        """The table as it is now; temporary failures are retried, others raise :class:`ServerError`."""
        return until_answered(lambda: self._instance.table(self.id))

    def make(
        self,
        begin: Callable[[], None] = lambda: None,
        look: Callable[[Table | None], None] = lambda live: None,
    ) -> tuple[InstanceChange, ...]:
        """Make the remaining changes in the fewest calls, and return the changes of the calls that succeeded.

        ``begin`` is called before the first call. ``look`` is called before that with the table as it is, and may
        raise :class:`TableMoved`.

        Temporary failures, such as another change in the way or a server that does not answer, are retried for as
        long as the server asks. The table is read before each try, so a change that another program made, or a call
        whose answer was lost, is not repeated. Raises :class:`TableMoved` and :class:`ServerError`.
        """
        if not any(change.by_call for change in self.changes):
            return ()
        looked = False

        def attempt() -> tuple[InstanceChange, ...]:
            nonlocal looked
            live = self._instance.table(self.id)
            if not looked:
                look(live)
                looked = True
            left = self._all_planned(self._left(live))
            if left:
                begin()
                self._tried.update(left)
                self._make(left)
            return left

        return until_answered(attempt, passing=_passes, total=_LONGEST)

    def check_empty(self) -> None:
        """Raise :class:`TableMoved` if the plan relies on empty tables and one has rows by now; also :class:`ServerError`."""
        unasked = self._plan.is_unasked
        relied = [change for change in reversed(self.changes) if change.relies_on_empty or unasked(change)]
        for id, change in {id: relying for relying in relied for id in relying.rows_of}.items():
            self._check_empty(id, change)

    def _check_empty(self, id: str, change: InstanceChange) -> None:
        # Programs may have created more tables of a template since.
        live = [table.id for table in self._instance.read_tables()] if placeholders(id) else []
        until_replicated(self._instance, [one for one in live if fits(id, one)] or [id])
        if not is_empty(self._instance, id, live):
            raise TableMoved(
                f"table {id!r} held no row when the plan was made, and holds some now, so {change.name} would have "
                "them "
                + (
                    "overwritten"
                    if change.moves
                    else "left behind"
                    if id != self.id
                    else "removed"
                    if self._plan.is_unasked(change)
                    else "read otherwise than they were written, or not at all"
                )
            )

    @property
    def renewed(self) -> tuple[CopyRecord, ...]:
        """The records of copies from tables and families that the changes create again, reuse or drop; they expire with that."""
        subjects = {change.subject for change in self.changes if change.renews}
        return tuple(copy for copy in self._plan.facts.copies if copy.old in subjects)

    @property
    def followed(self) -> tuple[CopyRecord, ...]:
        """The copies into what the changes drop, each redirected to the name that took the cells over from there."""
        dropped = [change for change in self.changes if change.drops]
        found = (self._plan.facts.of(change.table_id, change.family_id) for change in dropped)
        subjects = {change.subject for change in dropped}
        return tuple(
            renaming.followed(copy)
            for renaming in found
            for copy in self._plan.facts.copies
            if renaming is not None and renaming.copied and copy.new == renaming.old_name
            if copy.old not in subjects
            and copy.old != renaming.new_name  # a copy back to where the cells came from
        )

    def settle(self, change: InstanceChange, *, done: bool) -> bool:
        """Note whether ``change``, which moves cells, is ``done``, and return that."""
        if done:
            self._copied.add(change)
        return done

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Mark the changes that only exist in the migration history as made when this block ends."""
        self._recorded = None
        yield
        self._recorded = True

    @property
    def unknown(self) -> tuple[InstanceChange, ...]:
        """The changes that may or may not be recorded."""
        return tuple(change for change in self.changes if change.recorded and self._recorded is None)

    def pending(self) -> tuple[InstanceChange, ...]:
        """The changes of the plan that are not in effect, as read now; raises :class:`ServerError`."""
        # The record of a template belongs to no table that could be read.
        by_call = any(change.by_call for change in self.changes)
        left = self._left(self._instance.table(self.id)) if by_call else ()
        subjects = {change.subject for change in left}
        return tuple(change for change in self.changes if self._is_left(change, subjects))

    def is_ours(self, change: InstanceChange) -> bool:
        """Whether this run made ``change`` or tried to; a call that it did not make was another run's."""
        return not change.by_call or any(other.subject == change.subject for other in self._tried)

    def _is_left(self, change: InstanceChange, subjects: set[str]) -> bool:
        if change.recorded:
            return self._recorded is False
        if change.moves:
            return change not in self._copied
        made_of_all = change.table_id in subjects or (bool(subjects) and change.makes_table)
        return change.subject in subjects or made_of_all

    def _make(self, left: tuple[InstanceChange, ...]) -> None:
        """Make ``left``. An error after which the table has changed, in part or by another program, counts as temporary."""
        try:
            for call in calls(left):
                call.make(self._instance)
        except ServerError as error:
            if _passes(error) or self._left(self._instance.table(self.id)) == left:
                raise
            raise SchemaConflict(str(error)) from error

    def _left(self, live: Table | None) -> tuple[InstanceChange, ...]:
        return self._plan.left(self.id, live)

    def _all_planned(self, left: tuple[InstanceChange, ...]) -> tuple[InstanceChange, ...]:
        """Return ``left`` if the plan knows all of it; raise :class:`TableMoved` otherwise."""
        for change in left:
            if not self._plan.knows(change):
                raise TableMoved(
                    f"table {self.id!r} was changed by another program since the plan was made, and now needs "
                    f"{change.name} ({change.summary})"
                )
        return left
