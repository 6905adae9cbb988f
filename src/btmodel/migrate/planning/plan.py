"""A plan: the changes, and which of them need an ``--allow``."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

import attrs
from attrs import field, frozen

from btmodel.errors import MigrationError, some
from btmodel.migrate.changes import (
    FINDERS,
    UNKNOWN,
    Change,
    ChangeStream,
    CopyChange,
    Drift,
    Effect,
    Facts,
    Phase,
    Protect,
    RecordLayouts,
    Unprotect,
    copies,
)
from btmodel.migrate.history.records import CopyRecord
from btmodel.migrate.tables.layouts import codecs_of, in_families, to_record
from btmodel.migrate.tables.renamings import names_of
from btmodel.schema import OFF, Layout, Table
from btmodel.schema.limits import HISTORY_TABLE
from btmodel.schema.names import fits, placeholders
from btmodel.words import did_you_mean, natural, near


def diff(declared: Iterable[Table], live: Iterable[Table], facts: Facts = UNKNOWN) -> tuple[Change, ...]:
    """Every difference, in the order of the kinds of change, then of tables and families.

    GC rules are compared by meaning, settings where ``declared`` states them, layouts where both have one.
    What the instance has and nothing declares comes out as drift, never as a drop. ``facts`` of the instance decide
    what some changes do.
    """
    wanted = {table.id: table for table in declared}
    there = {table.id: table for table in live}
    known = facts.between(wanted.values(), there.values())
    ids = sorted(wanted.keys() | there.keys(), key=natural)
    return tuple(
        change
        for finder in FINDERS
        for id in ids
        for change in finder.find(wanted.get(id), there.get(id), known)
    )


def complete(changes: Iterable[Change], declared: Table | None, live: Table | None) -> tuple[Change, ...]:
    """The ``changes`` of one table with all that they need, in the order in which they are made."""
    found = [*changes]
    found += _needed(found, declared, live)
    found += _record(found, declared, live)
    return tuple(sorted(found, key=lambda one: one.phase))


def _needed(changes: Sequence[Change], declared: Table | None, live: Table | None) -> Iterator[Change]:
    if live is None:
        return
    drops_table = any(one.drops_table for one in changes)
    drops_family = any(one.drops for one in changes) and not drops_table
    off = any(one.phase is Phase.UNPROTECT for one in changes)
    if live.settings.deletion_protection and (drops_table or drops_family) and not off:
        again = declared is not None and declared.settings.deletion_protection is True
        yield Unprotect(live.id, unstated=drops_family and not again)
        if again:
            yield Protect(live.id)
    if drops_table and live.settings.change_stream:
        yield ChangeStream(live.id, OFF, live.settings.change_stream)


def _record(changes: Sequence[Change], declared: Table | None, live: Table | None) -> Iterator[RecordLayouts]:
    recorded = () if live is None else live.layouts
    known = recorded if live is None else _kept(recorded, declared, live)
    for one in changes:
        known = one.recorded_after(known)
    wanted = recorded
    if any(one.drops_table for one in changes):
        wanted = ()
    elif declared is not None:
        wanted = to_record(declared.layouts, known)
    made = any(one.makes_table for one in changes)
    # The record of a template that was declared under another id is written under the new one, also where it says the same.
    moved = live is not None and bool(placeholders(live.id)) and live.renamed_from is not None
    if wanted != recorded or codecs_of(wanted) != codecs_of(recorded) or ((made or moved) and wanted):
        yield RecordLayouts(declared.id if declared is not None else live.id if live else "", wanted)


def _kept(recorded: tuple[Layout, ...], declared: Table | None, live: Table) -> tuple[Layout, ...]:
    """What is ``recorded`` without the cells of families that are gone, as where a run was killed after their drop."""
    if placeholders(live.id):
        return recorded  # of a template there are no families
    there = {family.id for table in (declared, live) if table is not None for family in table.families}
    return in_families(recorded, there)


# Another kind of change is never offered instead of one: what drops a table is not nearly what drops a family.

_SHOWN = 5  # names that a message offers
_SLIP = 0.85  # how alike a kind of change is that was mistyped: "drop-famly", and not "drop-table"


class WrongAllow(MigrationError):
    """A name that allows nothing, or more than one thing.

    ``plans`` are those that it was said for, and ``headings`` what stands above each of them; none by default.
    """

    def __init__(self, message: str, plans: Sequence["Plan"], headings: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.plans = tuple(plans)
        self.headings = tuple(headings) or ("",) * len(self.plans)


def refuse_needless(
    allow: Iterable[str], known: Collection[str], plans: Sequence["Plan"], headings: Sequence[str] = ()
) -> None:
    """Raise :class:`WrongAllow` with every name in ``allow`` that is not ``known``; ``plans`` are those that it was said for."""
    wrong = [name for name in dict.fromkeys(allow) if name not in known]
    if wrong:
        where = plans[0].instance if plans else "this instance"
        changes = [change for plan in plans for change in plan.changes]
        message = "\n".join(_needless(name, known, changes, where) for name in wrong)
        raise WrongAllow(message, plans, headings)


def _needless(name: str, known: Collection[str], changes: Iterable[Change], instance: str) -> str:
    """Why ``--allow name`` is refused where only ``known`` names allow anything, and what was probably meant."""
    for change in changes:
        if change.name == name and change.effect is Effect.IMPOSSIBLE:
            return f"--allow {name}: this cannot be allowed: {(*change.details, change.summary)[0]}"
    return f"--allow {name}: nothing in {instance} needs that{_hint(name, known)}"


def _hint(name: str, known: Collection[str]) -> str:
    kind, _, subject = name.partition(":")
    kinds = {one.partition(":")[0] for one in known}
    kind = next(iter(near(kind, kinds, _SLIP)), kind)
    subjects = {one.partition(":")[2]: one for one in known if one.startswith(f"{kind}:")}
    if placeholders(subject):
        of = [one for there, one in subjects.items() if fits(subject, there)]
        each = "; each live table has a name of its own"
        return f"{each}: {_some(of)}" if of else f"{each}, and none of this kind has to be allowed"
    alike = did_you_mean(f"--allow {subjects[one]}" for one in near(subject, subjects))
    return alike or (f" (what can be allowed: {_some(known)})" if known else "; nothing has to be allowed")


def _some(names: Iterable[str]) -> str:
    return some(sorted(names, key=natural), _SHOWN)


@frozen(slots=False)
class Plan:
    """The changes that lead from the instance to ``declared``, in the order in which they are made.

    ``changes`` is what applying does, ``drift`` what the instance has and stays undeclared, and
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
        """The changes about which the user is asked: all but btmodel's own bookkeeping."""
        return tuple(change for change in self.changes if not change.quiet)

    @property
    def refused(self) -> tuple[Change, ...]:
        """The changes that cannot be made, and those that are not allowed; with any of them nothing is applied."""
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
    def copies(self) -> tuple[CopyChange, ...]:
        """The changes that copy cells."""
        return copies(self.changes)

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
        """Whether agreeing to the plan is agreeing to ``change``."""
        return any(one.covers(change) for one in self.by_table.get(change.table_id, ()))

    def _notes(self) -> Iterator[str]:
        if self.facts.replicated is None:
            yield from dict.fromkeys(change.uncertain for change in self.changes if change.uncertain)
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
        records = [change.table_id for change in self.changes if change.records]
        live = [self._there[id] for id in records if id in self._there]
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
    if HISTORY_TABLE in wanted:
        raise MigrationError(
            f"table {HISTORY_TABLE!r} is btmodel's own record of migrations: declare another id"
        )
    known = facts.between(wanted.values(), there.values())
    changes: list[tuple[Change, ...]] = []
    drift: list[Drift] = []
    for id in sorted(wanted.keys() | there.keys(), key=natural):
        made, left = _changes(id, wanted.get(id), there.get(id), allow, known)
        changes.append(made)
        drift += left
    filled = {change.subject for change in copies(chain.from_iterable(changes))}
    changes.sort(key=lambda group: _rank(group, filled))
    plan = Plan(
        instance,
        tuple(wanted.values()),
        tuple(chain.from_iterable(changes)),
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
    others = {end.name for change in found for end in change.ends}
    rivals = {end.name for change in found for end in change.ends[1:]}
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


def _rank(changes: Sequence[Change], filled: Collection[str]) -> int:
    """New tables come first, tables that lose something later, then those that are copied from what is ``filled`` by a copy; tables that go last."""
    if any(copy.renaming.old_name in filled for copy in copies(changes)):
        return 3
    if any(change.makes_table for change in changes):
        return 0
    if any(change.drops_table for change in changes):
        return 4
    return 2 if any(change.effect is Effect.DESTRUCTIVE for change in changes) else 1


def _check(plan: Plan, allow: Collection[str], done: Collection[str]) -> None:
    found = (*plan.changes, *plan.drift)
    # A table and a name are one thing: two models can share a cell. Two tables can share a name, as ids hold dots.
    things = {(change.table_id, name) for change in found for name in change.names}
    names = [name for _, name in sorted(things)]
    refuse_needless([name for name in allow if name not in done], names, (plan,))
    for name in allow:
        if (count := names.count(name)) > 1:
            raise WrongAllow(
                f"--allow {name}: {count} changes have that name, so it allows none of them", (plan,)
            )
