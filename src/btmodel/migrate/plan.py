"""A plan: what applying would do, and what it would not do without being asked by name."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

import attrs
from attrs import field, frozen

from btmodel.errors import MigrationError, some
from btmodel.migrate.changes import (
    UNKNOWN,
    Change,
    ChangeGc,
    CreateTable,
    Drift,
    DropTable,
    Effect,
    Facts,
    RecordLayouts,
)
from btmodel.migrate.diff import diff
from btmodel.migrate.journal.protocol import CopyRecord
from btmodel.migrate.natural import natural
from btmodel.migrate.needed import complete
from btmodel.migrate.renamings import names_of
from btmodel.migrate.wrong_allow import WrongAllow, refuse_needless
from btmodel.schema import Table
from btmodel.schema.parameters import fits, placeholders
from btmodel.schema.reserved import JOURNAL_TABLE

_SHOWN = 5  # tables that a note names


@frozen(slots=False)
class Plan:
    """The changes that lead from what is live to ``declared``, in the order in which they are made.

    ``changes`` is what applying does, ``drift`` what is live and stays undeclared, and
    ``allowed`` the names that were said to allow changes. ``live`` are the tables that it was made for.
    """

    instance: str
    declared: tuple[Table, ...]
    changes: tuple[Change, ...]
    drift: tuple[Drift, ...] = ()
    allowed: frozenset[str] = frozenset()
    live: tuple[Table, ...] = field(default=(), repr=False)
    facts: Facts = UNKNOWN

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes about which somebody is asked: all but btmodel's own bookkeeping."""
        return tuple(change for change in self.changes if not change.quiet)

    @property
    def refused(self) -> tuple[Change, ...]:
        """The changes that cannot be made, and those that nobody allowed; with any of them nothing is applied."""
        return tuple(change for change in self.changes if not self.allows(change))

    def allows(self, change: Change) -> bool:
        """Whether ``change`` may be made: it can be, and it needs no word or was allowed by its name."""
        if change.effect is Effect.IMPOSSIBLE:
            return False
        return change.requires is None or change.requires in self.allowed

    def effect(self, change: Change) -> Effect:
        """What ``change`` does, now that it is allowed or not."""
        return change.effect_if_allowed if self.allows(change) else change.effect

    @cached_property
    def by_table(self) -> dict[str, tuple[Change, ...]]:
        """The changes of each table, in the order in which the tables are dealt with."""
        groups: dict[str, list[Change]] = {}
        for change in self.changes:
            groups.setdefault(change.table_id, []).append(change)
        return {id: tuple(changes) for id, changes in groups.items()}

    @property
    def copies_over(self) -> tuple[CopyRecord, ...]:
        """The copies that say nothing any more once it is applied: of what is declared, as after a rollback, and of what is gone."""
        declared, live = names_of(self.declared), names_of(self.live)
        return tuple(
            copy
            for copy in self.facts.copies
            if copy.old in declared or (copy.new in live and copy.old not in live)
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be known, and matters here."""
        return tuple(self._notes())

    def left(self, table_id: str, live: Table | None) -> tuple[Change, ...]:
        """The changes of one table that are still to be made by calls, where it is ``live`` now.

        What the plan does not know is among them: see :meth:`knows`.
        """
        declared = self._wanted.get(table_id)
        before = self._there.get(table_id)
        if live is not None and before is not None:
            live = attrs.evolve(live, layouts=before.layouts)
        found = _changes(table_id, declared, live, self.allowed, self.facts)[0]
        return tuple(change for change in found if change.by_call)

    def knows(self, change: Change) -> bool:
        """Whether who agreed to the plan agreed to ``change``."""
        return any(one.covers(change) for one in self.by_table.get(change.table_id, ()))

    def _notes(self) -> Iterator[str]:
        if self.facts.replicated is None and any(
            isinstance(change, ChangeGc) and change.relaxes_age for change in self.changes
        ):
            yield (
                "whether the instance is replicated could not be read: if it is, the service refuses to let cells "
                "live longer that an age alone ends"
            )
        if ids := self._trusted:
            one = len(ids) == 1
            yield (
                f"{some(ids, _SHOWN)} {'is' if one else 'are'} live, and nothing is recorded of how "
                f"{'its' if one else 'their'} rows are written: keys and cells are taken to be as declared "
                f"(`btmodel inspect` shows how they look)"
            )

    @property
    def _trusted(self) -> list[str]:
        """The ids of live tables whose rows are taken to be as declared, as nothing says otherwise."""
        records = [change for change in self.changes if isinstance(change, RecordLayouts) and change.layouts]
        live = [self._there[one.table_id] for one in records if one.table_id in self._there]
        ids = [id for table in live if not table.layouts for id in self._tables_of(table.id)]
        # Where a copy was killed, what it made is recorded with the end of it.
        copied = {copy.new for copy in self.facts.copies}
        return [id for id in ids if id not in copied]

    def _tables_of(self, id: str) -> list[str]:
        """``id``; of a template, the live tables that are declared by it, and have no record of their own."""
        if not placeholders(id):
            return [id]
        return [
            one
            for one, table in self._wanted.items()
            if one in self._there and not table.layouts and not placeholders(one) and fits(id, one)
        ]

    @cached_property
    def _wanted(self) -> dict[str, Table]:
        return {table.id: table for table in self.declared}

    @cached_property
    def _there(self) -> dict[str, Table]:
        return {table.id: table for table in self.live}


def make_plan(
    instance: str,
    declared: Iterable[Table],
    live: Iterable[Table],
    allow: Collection[str] = (),
    facts: Facts = UNKNOWN,
    done: Collection[str] = (),
) -> Plan:
    """The plan that leads from ``live`` to ``declared``.

    ``allow`` names each change that is wanted and not made without its name: ``tighten-gc:QUOTE.MD``,
    ``drop-family:QUOTE.MD``, ``drop-table:QUOTE``. ``facts`` is what else is known of the instance. Raises
    :class:`WrongAllow` where one of these names allows nothing, and is not of what was ``done`` before, as by
    a run that was killed; or where it does not allow one thing only.
    """
    wanted = {table.id: table for table in declared}
    there = {table.id: table for table in live}
    if JOURNAL_TABLE in wanted:
        raise MigrationError(
            f"table {JOURNAL_TABLE!r} is btmodel's own record of migrations: declare another id"
        )
    known = facts.between(wanted.values(), there.values())
    changes: list[tuple[Change, ...]] = []
    drift: list[Drift] = []
    for id in sorted(wanted.keys() | there.keys(), key=natural):
        made, left = _changes(id, wanted.get(id), there.get(id), allow, known)
        changes.append(made)
        drift += left
    ordered = [change for group in sorted(changes, key=_rank) for change in group]
    plan = Plan(
        instance,
        tuple(wanted.values()),
        tuple(ordered),
        tuple(sorted(drift, key=lambda one: one.name.partition(":")[0])),
        frozenset(allow),
        tuple(there.values()),
        known,
    )
    _check(plan, allow, done)
    return plan


def allowable(declared: Iterable[Table], live: Iterable[Table], facts: Facts = UNKNOWN) -> frozenset[str]:
    """Every name that would allow a change on the way from ``live`` to ``declared``."""
    wanted, there = tuple(declared), tuple(live)
    found = diff(wanted, there, facts)
    ends = {change.requires for change in found if change.requires is not None}
    others = {end.name for change in found if isinstance(change, Drift) for end in change.ends}
    rivals = {end.name for change in found if isinstance(change, Drift) for end in change.ends[1:]}
    plan = make_plan("", wanted, there, ends - rivals, facts)
    return frozenset(
        {change.requires for change in plan.changes if change.requires is not None} | ends | others
    )


def _changes(
    id: str, declared: Table | None, live: Table | None, allow: Collection[str], facts: Facts
) -> tuple[tuple[Change, ...], list[Drift]]:
    """The changes of one table with all that they need, and the drift that stays."""
    changes: list[Change] = []
    drift: list[Drift] = []
    for change in diff(() if declared is None else (declared,), () if live is None else (live,), facts):
        if not isinstance(change, Drift):
            changes.append(change)
            continue
        ends = [end for end in change.ends if end.name in allow]
        if len(ends) > 1:
            names = " and ".join(f"--allow {end.name}" for end in ends)
            raise MigrationError(f"{names}: these are different ends of {change.subject}: say one of them")
        changes += ends
        if not ends:
            drift.append(change)
    return complete(changes, declared, live), drift


def _rank(changes: Sequence[Change]) -> int:
    """New tables come first, tables that lose something later, tables that go last."""
    if any(isinstance(change, CreateTable) for change in changes):
        return 0
    if any(isinstance(change, DropTable) for change in changes):
        return 3
    return 2 if any(change.effect is Effect.DESTRUCTIVE for change in changes) else 1


def _check(plan: Plan, allow: Collection[str], done: Collection[str]) -> None:
    found = (*plan.changes, *plan.drift)
    # A table and a name are one thing: two models can share a cell. Two tables can share a name, as ids hold dots.
    things = {(change.table_id, name) for change in found for name in _names(change)}
    names = [name for _, name in sorted(things)]
    refuse_needless([name for name in allow if name not in done], names, (plan,))
    for name in allow:
        if (count := names.count(name)) > 1:
            raise WrongAllow(
                f"--allow {name}: {count} changes have that name, so it allows none of them", (plan,)
            )


def _names(change: Change) -> tuple[str, ...]:
    if isinstance(change, Drift):
        return tuple(end.name for end in change.ends)
    return () if change.requires is None else (change.requires,)
