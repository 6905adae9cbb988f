"""A plan: what is read of an instance for it, its changes, and which of them need an ``--allow``."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

import attrs
from attrs import field, frozen

from btmodel.errors import MigrationError, some
from btmodel.migrate.changes import FINDERS
from btmodel.migrate.changes.base import UNKNOWN, Drift, Effect, InstanceChange, InstanceFacts, Phase
from btmodel.migrate.changes.layouts import RecordLayouts
from btmodel.migrate.changes.renames import CopyChange, copies
from btmodel.migrate.changes.settings import ChangeStream, Protect, Unprotect
from btmodel.migrate.changes.table_parts import before_table
from btmodel.migrate.history import CopyRecord, MigrationHistory
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.comparisons import drop_depths
from btmodel.migrate.tables.layouts import codecs_of, in_families, to_record, without_layouts
from btmodel.migrate.tables.renamings import names_of
from btmodel.migrate.tables.templates import Recorded, concrete, is_empty, is_template, layouts_of
from btmodel.schema import OFF, Layout, Table
from btmodel.schema.limits import HISTORY_TABLE
from btmodel.schema.names import fits, placeholders
from btmodel.words import did_you_mean, natural, near


def diff(
    declared: Iterable[Table], live: Iterable[Table], facts: InstanceFacts = UNKNOWN
) -> tuple[InstanceChange, ...]:
    """All differences, ordered by kind of change, then by table and family.

    GC rules are compared by meaning, settings only if ``declared`` states them, and layouts if both sides have them.
    What the instance has and nothing declares is drift, never a drop. ``facts`` about the instance decide what some
    changes do.
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


def complete(
    changes: Iterable[InstanceChange], declared: Table | None, live: Table | None
) -> tuple[InstanceChange, ...]:
    """The ``changes`` of one table, completed by those that they need, in the order of applying."""
    found = [*changes]
    found += _needed(found, declared, live)
    found += _record(found, declared, live)
    return tuple(sorted(found, key=lambda one: one.phase))


def _needed(
    changes: Sequence[InstanceChange], declared: Table | None, live: Table | None
) -> Iterator[InstanceChange]:
    if live is None:
        return
    drops_table = any(change.drops_table for change in changes)
    drops_family = any(change.drops for change in changes) and not drops_table
    off = any(change.phase is Phase.UNPROTECT for change in changes)
    if live.settings.deletion_protection and (drops_table or drops_family) and not off:
        again = declared is not None and declared.settings.deletion_protection is True
        yield Unprotect(live.id, unstated=drops_family and not again)
        if again:
            yield Protect(live.id)
    if drops_table:
        yield from before_table(live)
    if drops_table and live.settings.change_stream:
        yield ChangeStream(live.id, OFF, live.settings.change_stream)


def _record(
    changes: Sequence[InstanceChange], declared: Table | None, live: Table | None
) -> Iterator[RecordLayouts]:
    recorded = () if live is None else live.layouts
    known = recorded if live is None else _kept(recorded, declared, live)
    for change in changes:
        known = change.recorded_after(known)
    wanted = recorded
    if any(change.drops_table for change in changes):
        wanted = ()
    elif declared is not None:
        wanted = to_record(declared.layouts, known)
    made = any(change.makes_table for change in changes)
    # A template with a new id gets a record under that id, even if the layouts are the same.
    moved = live is not None and bool(placeholders(live.id)) and live.renamed_from is not None
    if wanted != recorded or codecs_of(wanted) != codecs_of(recorded) or ((made or moved) and wanted):
        yield RecordLayouts(declared.id if declared is not None else live.id if live else "", wanted)


def _kept(recorded: tuple[Layout, ...], declared: Table | None, live: Table) -> tuple[Layout, ...]:
    """``recorded`` without the cells of families that are gone, for example after an interrupted drop."""
    if placeholders(live.id):
        return recorded  # a template has no families
    there = {family.id for table in (declared, live) if table is not None for family in table.families}
    return in_families(recorded, there)


# Never suggest another kind of change: dropping a table is not close to dropping a family.

_SHOWN = 5  # names that a message offers
_SLIP = 0.85  # similarity of a mistyped kind of change: "drop-famly", but not "drop-table"


class WrongAllow(MigrationError):
    """A name in ``--allow`` that allows nothing, or more than one thing.

    ``plans`` are the plans that it was given for, and ``headings`` the headings above them.
    """

    def __init__(self, message: str, plans: Sequence["Plan"], headings: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.plans = tuple(plans)
        self.headings = tuple(headings) or ("",) * len(self.plans)


def refuse_needless(
    allow: Iterable[str], known: Collection[str], plans: Sequence["Plan"], headings: Sequence[str] = ()
) -> None:
    """Raise :class:`WrongAllow` with every name in ``allow`` that is not ``known``; it was given for ``plans``."""
    wrong = [name for name in dict.fromkeys(allow) if name not in known]
    if wrong:
        where = plans[0].instance if plans else "this instance"
        changes = [change for plan in plans for change in plan.changes]
        message = "\n".join(_needless(name, known, changes, where) for name in wrong)
        raise WrongAllow(message, plans, headings)


def _needless(name: str, known: Collection[str], changes: Iterable[InstanceChange], instance: str) -> str:
    """Why ``--allow name`` is refused if only ``known`` names allow anything, and what was probably meant."""
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
    return alike or (f" (what can be allowed: {_some(known)})" if known else "; no change needs permission")


def _some(names: Iterable[str]) -> str:
    return some(sorted(names, key=natural), _SHOWN)


@frozen(slots=False)
class Plan:
    """The changes that lead from the instance to ``declared``, in the order of applying.

    ``changes`` is what applying does, ``drift`` what the instance has beside the declaration, and ``allowed`` the
    names that the user has allowed. ``live`` are the tables that the plan was made for.
    """

    instance: str
    declared: tuple[Table, ...]
    changes: tuple[InstanceChange, ...]
    drift: tuple[Drift, ...] = ()
    allowed: frozenset[str] = frozenset()
    live: tuple[Table, ...] = field(default=(), repr=False)
    facts: InstanceFacts = UNKNOWN

    @property
    def pending(self) -> tuple[InstanceChange, ...]:
        """The changes about which the user is asked: all except btmodel's own bookkeeping."""
        return tuple(change for change in self.changes if not change.quiet)

    @property
    def refused(self) -> tuple[InstanceChange, ...]:
        """The changes that are impossible or not allowed; while there are any, nothing is applied."""
        return tuple(change for change in self.changes if not self.allows(change))

    def allows(self, change: InstanceChange) -> bool:
        """Whether ``change`` may be made: it is possible, and needs no permission or has it."""
        if change.effect is Effect.IMPOSSIBLE:
            return False
        return change.requires is None or change.requires in self.allowed or self.is_unasked(change)

    def is_unasked(self, change: InstanceChange) -> bool:
        """Whether ``change`` is made without permission because this run creates its tables, so that no row is lost."""
        if change.requires is None or change.requires in self.allowed:
            return False
        return change.effect is not Effect.IMPOSSIBLE and self.facts.created.issuperset(
            (change.table_id, *change.rows_of)
        )

    def effect(self, change: InstanceChange) -> Effect:
        """The effect of ``change``, given what is allowed."""
        if self.is_unasked(change):
            return Effect.SAFE
        return change.effect_if_allowed if self.allows(change) else change.effect

    @cached_property
    def by_table(self) -> dict[str, tuple[InstanceChange, ...]]:
        """The changes of each table, in the order of applying."""
        groups: dict[str, list[InstanceChange]] = {}
        for change in self.changes:
            groups.setdefault(change.table_id, []).append(change)
        return {id: tuple(changes) for id, changes in groups.items()}

    @property
    def copies(self) -> tuple[CopyChange, ...]:
        """The changes that copy cells."""
        return copies(self.changes)

    @property
    def copies_over(self) -> tuple[CopyRecord, ...]:
        """The records of copies that are obsolete after the plan: of names that are declared again, or that are gone."""
        declared, live = names_of(self.declared), names_of(self.live)
        return tuple(
            copy
            for copy in self.facts.copies
            if copy.old in declared or (copy.new in live and copy.old not in live)
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings about facts that matter here and are not known."""
        return tuple(self._notes())

    def left(self, table_id: str, live: Table | None) -> tuple[InstanceChange, ...]:
        """The remaining changes of one table that take calls, if it is ``live`` now.

        The result includes changes that the plan does not know: see :meth:`knows`.
        """
        declared = self._wanted.get(table_id)
        before = self._there.get(table_id)
        if live is not None and before is not None:
            live = attrs.evolve(live, layouts=before.layouts)
        found = _changes(table_id, declared, live, self.allowed, self.facts)[0]
        return tuple(change for change in found if change.by_call)

    def names_to_end(self, drift: Drift) -> tuple[str, ...]:
        """All names that end ``drift`` together: that of its end, then those of what has to be dropped or switched off with it."""
        if drift.end is None:
            return ()
        id = drift.table_id
        table = (id, self._wanted.get(id), self._there.get(id))
        asked = [
            [change.requires for change in _changes(*table, allow, self.facts)[0] if change.requires]
            for allow in (self.allowed, {*self.allowed, drift.end.name})
        ]
        others = (name for name in asked[1] if name not in asked[0] and name not in self.allowed)
        return tuple(dict.fromkeys((drift.end.name, *others)))

    def knows(self, change: InstanceChange) -> bool:
        """Whether agreeing to the plan includes agreeing to ``change``."""
        return any(one.covers(change) for one in self.by_table.get(change.table_id, ()))

    def _notes(self) -> Iterator[str]:
        if self.facts.replicated is None:
            yield from dict.fromkeys(change.uncertain for change in self.changes if change.uncertain)
        if ids := self._trusted:
            one = len(ids) == 1
            yield (
                f"{some(ids, _SHOWN)} {'is' if one else 'are'} in the instance, but it has no record of how "
                f"{'its' if one else 'their'} rows are written: btmodel assumes that keys and cells are as declared "
                f"(`btmodel inspect` shows how they look)"
            )
        if ids := self._missing:
            one = len(ids) == 1
            yield (
                f"{some(ids, _SHOWN)} {'is' if one else 'are'} declared with `existing=True`, but {self.instance} has no such "
                f"table, so an empty one is made: check that this is the right instance"
            )

    @property
    def _missing(self) -> list[str]:
        """The ids of tables that the plan makes, although a model declares that they have rows."""
        made = {change.table_id for change in self.changes if change.makes_table}
        return [id for id, table in self._wanted.items() if table.existing and id in made]

    @property
    def _trusted(self) -> list[str]:
        """The ids of tables whose rows are assumed to be as declared, because nothing is recorded about them."""
        records = [change.table_id for change in self.changes if change.records]
        live = [self._there[id] for id in records if id in self._there]
        ids = [id for table in live if not table.layouts for id in self._tables_of(table.id)]
        # What an interrupted copy created is recorded when the copy ends.
        copied = {copy.new for copy in self.facts.copies}
        return [id for id in ids if id not in copied]

    def _tables_of(self, id: str) -> list[str]:
        """``id``; for a template, the tables in the instance that it declares and that have no record of their own."""
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
    facts: InstanceFacts = UNKNOWN,
    done: Collection[str] = (),
) -> Plan:
    """Make the plan that leads from ``live`` to ``declared``.

    ``allow`` names each change that needs permission: ``tighten-gc:QUOTE.MD``, ``drop-family:QUOTE.MD``,
    ``drop-table:QUOTE``. ``facts`` is what else is known about the instance. Raises :class:`WrongAllow` if a name
    allows nothing, and does not name a change that an earlier run has ``done``, or if it allows more than one thing.
    """
    wanted = {table.id: table for table in declared}
    there = {table.id: table for table in live}
    if HISTORY_TABLE in wanted:
        raise MigrationError(
            f"table {HISTORY_TABLE!r} is btmodel's own record of migrations: declare another id"
        )
    known = facts.between(wanted.values(), there.values())
    changes: list[tuple[InstanceChange, ...]] = []
    drift: list[Drift] = []
    for id in sorted(wanted.keys() | there.keys(), key=natural):
        made, left = _changes(id, wanted.get(id), there.get(id), allow, known)
        changes.append(made)
        drift += left
    filled = {change.subject for change in copies(chain.from_iterable(changes))}
    depths = drop_depths(changes)
    changes.sort(key=lambda group: _rank(group, filled, depths))
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


def allowable(
    declared: Iterable[Table], live: Iterable[Table], facts: InstanceFacts = UNKNOWN
) -> frozenset[str]:
    """Every name that would allow a change between ``live`` and ``declared``."""
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
    id: str, declared: Table | None, live: Table | None, allow: Collection[str], facts: InstanceFacts
) -> tuple[tuple[InstanceChange, ...], list[Drift]]:
    """The changes of one table, completed by those that they need, and the drift that stays."""
    changes: list[InstanceChange] = []
    drift: list[Drift] = []
    for change in diff(() if declared is None else (declared,), () if live is None else (live,), facts):
        if not isinstance(change, Drift):
            changes.append(change)
            continue
        ends = [end for end in change.ends if end.name in allow]
        if len(ends) > 1:
            names = " and ".join(f"--allow {end.name}" for end in ends)
            raise MigrationError(f"{names}: these are different ends of {change.subject}: name one of them")
        changes += ends
        if not ends:
            drift.append(change)
    return complete(changes, declared, live), drift


def _rank(
    changes: Sequence[InstanceChange], filled: Collection[str], depths: Mapping[str, int]
) -> tuple[int, int]:
    """The place of a table in a plan: new ones, others, those that lose data, copies of what is ``filled``, dropped ones in the order of ``depths``."""
    depth = max((depths.get(change.table_id, 0) for change in changes if change.drops), default=0)
    if any(change.drops_table for change in changes) or depth:
        return 4, depth
    if any(copy.renaming.old_name in filled for copy in copies(changes)):
        return 3, 0
    if any(change.makes_table for change in changes):
        return 0, 0
    return (2 if any(change.effect is Effect.DESTRUCTIVE for change in changes) else 1), 0


def _check(plan: Plan, allow: Collection[str], done: Collection[str]) -> None:
    found = (*plan.changes, *plan.drift)
    # One table and name mean one thing, as two models can share a cell. Two tables can share a name, as ids may hold dots.
    things = {(change.table_id, name) for change in found for name in change.names}
    names = [name for _, name in sorted(things)]
    refuse_needless([name for name in allow if name not in done], names, (plan,))
    for name in allow:
        if (count := names.count(name)) > 1:
            raise WrongAllow(
                f"--allow {name}: {count} changes have that name, so it allows none of them", (plan,)
            )


def read_plan(
    instance: Instance,
    declared: Iterable[Table],
    allow: Collection[str] = (),
    history: MigrationHistory | None = None,
) -> Plan:
    """Make the plan for ``instance`` as it is now.

    Without ``history``, the plan does not cover keys and codecs. Raises :class:`MigrationError` if a name in
    ``allow`` allows nothing and did not do so before, and :class:`btmodel.errors.ServerError`.
    """
    wanted, live = concrete(
        without_layouts(declared) if history is None else declared, read_known(instance, history)
    )
    facts = read_facts(instance, wanted, live, () if history is None else history.copies())
    return make_plan(instance.instance, wanted, live, allow, facts, done_before(history) if allow else ())


def read_live(
    instance: Instance, history: MigrationHistory | None = None, ids: Collection[str] | None = None
) -> tuple[Table, ...]:
    """The tables of ``instance``, or those of ``ids``, with the layouts that ``history`` has for them or their templates.

    The table of the migration history is left out. Raises :class:`btmodel.errors.ServerError`.
    """
    known = read_known(instance, history, ids)
    recorded = {table.id: table.layouts for table in known if table.layouts}
    return tuple(
        attrs.evolve(table, layouts=layouts_of(table.id, recorded))
        for table in known
        if not is_template(table)
    )


def read_known(
    instance: Instance, history: MigrationHistory | None = None, ids: Collection[str] | None = None
) -> tuple[Table, ...]:
    """The tables of ``instance``, or those of ``ids``, and the templates in ``history``, each with its recorded layouts.

    A template has no families here. Raises :class:`btmodel.errors.ServerError`.
    """
    recorded: Recorded = {} if history is None else history.layouts()
    tables = (
        attrs.evolve(table, layouts=recorded.get(table.id, ()))
        for table in instance.read_tables(ids)
        if table.id != HISTORY_TABLE
    )
    templates = (Table(id, (), layouts=recorded[id]) for id in sorted(recorded) if placeholders(id))
    return (*tables, *templates)


def read_facts(
    instance: Instance,
    declared: Iterable[Table],
    live: Iterable[Table],
    copies: Iterable[CopyRecord] = (),
) -> InstanceFacts:
    """Read the facts of ``instance`` that decide the effects of the changes from ``live`` to ``declared``, and no others.

    ``copies`` are the recorded copies of renamings. Raises :class:`btmodel.errors.ServerError`.
    """
    there = {table.id: table for table in live}
    known = InstanceFacts(copies=tuple(copies))
    found = diff(declared, there.values(), known)
    harmless = (change for change in found if change.harmless_if_empty and change.effect is Effect.BLOCKED)
    changed = sorted({id for change in harmless for id in change.rows_of} & there.keys())
    empty = frozenset(id for id in changed if is_empty(instance, id, there))
    asked = any(change.depends_on_clusters for change in found)
    return InstanceFacts(instance.replicated() if asked else None, empty, known.copies)


def done_before(history: MigrationHistory | None) -> frozenset[str]:
    """The names of the last changes of each table in ``history``, so that a repeated command may allow them again.

    Raises :class:`btmodel.errors.ServerError`.
    """
    steps = () if history is None else history.steps().values()
    return frozenset(name for step in steps for name in step.changes)
