"""Applying the changes of one table: the calls, and the check of each."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from btmodel.errors import SchemaConflict, ServerError
from btmodel.migrate.changes import Change
from btmodel.migrate.history import CopyRecord
from btmodel.migrate.instance import Call, Instance, joined
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.tables.templates import is_empty
from btmodel.migrate.waiting import LONGEST, passes, until_answered, until_replicated
from btmodel.schema import Layout, Table
from btmodel.schema.names import fits, placeholders


def calls(changes: Iterable[Change]) -> tuple[Call, ...]:
    """The calls that make ``changes``, which are all of one table and in the order of a plan, as few as it takes."""
    return joined(call for change in changes for call in change.calls)


_LONGEST = LONGEST  # seconds in which one table is tried again and again: quotas count 100


def _passes(error: ServerError) -> bool:
    """Whether a change of a table may go well when it is tried again: another change was in the way, or the server."""
    return isinstance(error, SchemaConflict) or passes(error)


class Moved(Exception):
    """A table became something that the plan does not know; the message says what."""


class TableSteps:
    """The changes that ``plan`` makes to the table called ``id``."""

    def __init__(self, plan: Plan, instance: Instance, id: str) -> None:
        self.id = id
        self.changes = plan.by_table[id]
        self._copied: set[Change] = set()
        self._tried: set[Change] = set()
        # Whether what is made in the migration history alone is made; None where that was begun and did not end.
        self._recorded: bool | None = False
        self._plan = plan
        self._instance = instance

    @property
    def layouts(self) -> tuple[Layout, ...] | None:
        """How the rows lie once the changes are made, where that is to be recorded."""
        records = [change.records for change in self.changes if change.records is not None]
        return records[-1] if records else None

    @property
    def live(self) -> Table | None:
        """The table as it is now; raises :class:`ServerError`."""
        return self._instance.table(self.id)

    def make(
        self,
        begin: Callable[[], None] = lambda: None,
        look: Callable[[Table | None], None] = lambda live: None,
    ) -> tuple[Change, ...]:
        """Make what is left to do by calls, as few as it takes; ``begin`` is called before the first of them.

        ``look`` is called with the table as it is before that, and may raise :class:`Moved`.

        What passes is waited for, as long as the server asks: another change that is in the way, a
        server that does not answer. The table is read before each try, so what was done
        already, by a call whose answer was lost or by another, is not done again.
        Returns the changes of the calls that succeeded. Raises :class:`Moved`, and :class:`ServerError`.
        """
        if not any(change.by_call for change in self.changes):
            return ()
        looked = False

        def attempt() -> tuple[Change, ...]:
            nonlocal looked
            live = self.live
            if not looked:
                look(live)
                looked = True
            left = self._known(self._left(live))
            if left:
                begin()
                self._tried.update(left)
                self._make(left)
            return left

        return until_answered(attempt, passing=_passes, total=_LONGEST)

    def check_empty(self) -> None:
        """Raise :class:`Moved` where the plan takes tables for empty, and a row came since; and :class:`ServerError`."""
        relied = [change for change in reversed(self.changes) if change.relies_on_empty]
        for id, change in {id: one for one in relied for id in one.rows_of}.items():
            self._check_empty(id, change)

    def _check_empty(self, id: str, change: Change) -> None:
        # Of a template, programs may have made more tables since.
        live = [table.id for table in self._instance.read_tables()] if placeholders(id) else []
        until_replicated(self._instance, [one for one in live if fits(id, one)] or [id])
        if not is_empty(self._instance, id, live):
            raise Moved(
                f"table {id!r} held no row when the plan was made, and holds some now, so {change.name} would have "
                "them "
                + (
                    "overwritten"
                    if change.moves
                    else "left behind"
                    if id != self.id
                    else "read otherwise than they were written, or not at all"
                )
            )

    @property
    def renewed(self) -> tuple[CopyRecord, ...]:
        """The copies that were made of what the changes make anew, take for new, or drop: they say nothing of it from now on."""
        subjects = {change.subject for change in self.changes if change.renews}
        return tuple(copy for copy in self._plan.facts.copies if copy.old in subjects)

    @property
    def followed(self) -> tuple[CopyRecord, ...]:
        """The copies that were made to what the changes drop, as copies to what took that over in turn."""
        dropped = [change for change in self.changes if change.drops]
        found = (self._plan.facts.of(change.table_id, change.family_id) for change in dropped)
        subjects = {change.subject for change in dropped}
        return tuple(
            one.followed(copy)
            for one in found
            for copy in self._plan.facts.copies
            if one is not None and one.copied and copy.new == one.old_name
            if copy.old not in subjects and copy.old != one.new_name  # which took back what it had given
        )

    def settle(self, change: Change, *, done: bool) -> bool:
        """Note whether ``change``, which moves cells, is ``done``, and return it."""
        if done:
            self._copied.add(change)
        return done

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record, in this block, the changes that are made in the migration history alone."""
        self._recorded = None
        yield
        self._recorded = True

    @property
    def unknown(self) -> tuple[Change, ...]:
        """The changes that may or may not be recorded."""
        return tuple(change for change in self.changes if change.recorded and self._recorded is None)

    def pending(self) -> tuple[Change, ...]:
        """The changes of the plan that are not live, as read now; raises :class:`ServerError`."""
        # What is recorded of a template alone is in no table that could be read.
        by_call = any(change.by_call for change in self.changes)
        left = self._left(self._instance.table(self.id)) if by_call else ()
        subjects = {change.subject for change in left}
        return tuple(change for change in self.changes if self._is_left(change, subjects))

    def is_ours(self, change: Change) -> bool:
        """Whether this run has made ``change``, or tried to, where it is made by a call: others may have made it as well."""
        return not change.by_call or any(one.subject == change.subject for one in self._tried)

    def _is_left(self, change: Change, subjects: set[str]) -> bool:
        if change.recorded:
            return self._recorded is False
        if change.moves:
            return change not in self._copied
        made_of_all = change.table_id in subjects or (bool(subjects) and change.makes_table)
        return change.subject in subjects or made_of_all

    def _make(self, left: tuple[Change, ...]) -> None:
        """Make ``left``. What was refused and yet changed the table, by half or by another's hand, has passed."""
        try:
            for call in calls(left):
                call.make(self._instance)
        except ServerError as error:
            if _passes(error) or self._left(self._instance.table(self.id)) == left:
                raise
            raise SchemaConflict(str(error)) from error

    def _left(self, live: Table | None) -> tuple[Change, ...]:
        return self._plan.left(self.id, live)

    def _known(self, left: tuple[Change, ...]) -> tuple[Change, ...]:
        """``left``, once it is sure that the plan knows it all."""
        for change in left:
            if not self._plan.knows(change):
                raise Moved(
                    f"table {self.id!r} was changed by another since the plan was made, and now needs "
                    f"{change.name} ({change.summary})"
                )
        return left
