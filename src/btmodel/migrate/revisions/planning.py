"""Pending revisions as stages: their plans, against the instance as it is, their data steps and their records."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import attrs
from attrs import frozen

from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.run import Done
from btmodel.migrate.applying.stages import Listener, Stage
from btmodel.migrate.changes import Drift, Facts
from btmodel.migrate.data import DataStep
from btmodel.migrate.history import CopyRecord, History
from btmodel.migrate.history.lock import Books
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.plan import Plan, allowable, make_plan, refuse_needless
from btmodel.migrate.planning.reading import done_before, read_facts, read_known
from btmodel.migrate.planning.text import NOTHING, PlanText, plan_text
from btmodel.migrate.revisions.merging import Names, Place
from btmodel.migrate.revisions.records import record, recording
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import Standing, Target, targets
from btmodel.migrate.revisions.steps import (
    StepState,
    load,
    run_steps,
    standings,
    stepping,
    why_edited,
    why_unwritten,
)
from btmodel.migrate.tables.renamings import Renaming, reverted
from btmodel.migrate.tables.templates import concrete, is_template
from btmodel.schema import Table
from btmodel.words import natural


@frozen
class Missed:
    """A table, or a family, with which a revision was written, that another one has renamed or dropped by then.

    ``by`` is that other revision, and ``applied`` whether it is applied already.
    """

    place: Place
    by: str
    applied: bool

    @property
    def name(self) -> str:
        """The table, or the family: ``table QUOTE``, ``family QUOTE.MD``."""
        table, family = self.place
        return f"table {table}" if family is None else f"family {table}.{family}"


def missed(
    target: Target,
    live: Iterable[Table],
    copies: Iterable[CopyRecord],
    instance: Instance,
    applied: Collection[str],
) -> tuple[Missed, ...]:
    """What the data steps of ``target`` would miss of the rows that are ``live`` by then; nothing where there is no row.

    ``copies`` are those that are made by then. Raises :class:`btmodel.errors.ServerError`.
    """
    if not target.beside or not target.revision.data_steps or target.is_applied:
        return ()
    there = {table.id: table for table in live}
    copied = {one.old for one in copies}
    places = [
        place
        for place in _lacking(target)
        if not _has(there.values(), place) or ".".join(filter(None, place)) in copied
    ]
    names = Names.given_by(target.beside)
    tables = {id for place in places for id in names.of_table(place[0])}
    if all(instance.is_empty(id) for id in tables):
        return ()
    return tuple(_missed(place, target, applied) for place in places)


def _missed(place: Place, target: Target, applied: Collection[str]) -> Missed:
    by = next((one.id for one in target.beside if not _has(one.tables, place)), target.beside[-1].id)
    return Missed(place, by, by in applied)


def _lacking(target: Target) -> Iterator[Place]:
    """What the revision of ``target`` declares, and is not declared by then, as those beside it have renamed or dropped it."""
    for table in target.revision.tables:
        if is_template(table):
            continue
        if not _has(target.tables, (table.id, None)):
            yield table.id, None
            continue
        for family in table.families:
            if not _has(target.tables, (table.id, family.id)):
                yield table.id, family.id


def _has(tables: Iterable[Table], place: Place) -> bool:
    id, family = place
    found = next((table for table in tables if table.id == id), None)
    return found is not None and (family is None or found.family(family) is not None)


def why_missed(
    missed: Collection[Missed], target: Target, folder: Path, allow: Collection[str]
) -> Iterator[str]:
    """Why data steps are refused that would miss something, where ``allow`` does not name them."""
    steps = [step for step in target.revision.data_steps if run_name(step) not in allow]
    if not missed or not steps:
        return
    id = target.revision.id
    gone = " and ".join(f"{one.name}, which {one.by} has renamed or dropped by then" for one in missed)
    done = [one.by for one in missed if one.applied]
    way = f"apply it before that, with `btmodel migrate apply --to {id}`"
    if done:
        way = f"go back before {done[0]} with `btmodel migrate rollback`, and {way}"
    names = " ".join(f"--allow {run_name(step)}" for step in steps)
    yield (
        f"{folder / id}.py: nothing was applied, because its data steps were written with {gone}: {way}; or, where the "
        f"steps neither read nor write it, say {names}"
    )


def run_name(step: str) -> str:
    """The name by which a data step is run all the same."""
    return f"run-step:{step}"


@frozen(slots=False)
class RevisionStage(Stage):
    """A revision to apply: its plan, then its data steps, then its record.

    ``steps`` is how far its data steps have come, ``missed`` what they would miss, ``allowed`` the names that allow
    them all the same, and ``folder`` where its files are. One that is applied already is compared once more, and recorded no more.
    """

    target: Target
    folder: Path
    steps: tuple[StepState, ...] = ()
    allowed: frozenset[str] = frozenset()
    missed: tuple[Missed, ...] = ()

    @property
    def revision(self) -> Revision:
        """The revision."""
        return self.target.revision

    @property
    def recorded_as(self) -> str | None:
        """Its id, unless it is applied already."""
        return None if self.target.is_applied else self.revision.id

    @property
    def heading(self) -> str:
        """Its id and title; nothing where it is applied, and the instance is as it says."""
        if self.target.is_applied:
            return (
                f"{self.revision.id} is applied, and the instance is not as it says:"
                if self.plan.pending
                else ""
            )
        return f"{self.revision.id}: {self.title}"

    @property
    def title(self) -> str:
        """The message of the revision, and the last of those that are applied beside it."""
        beside = self.target.beside[-1:]
        return self.revision.title + "".join(f" (beside {one.id})" for one in beside)

    @property
    def then(self) -> tuple[str, ...]:
        """Its data steps."""
        return tuple(map(str, self.steps))

    def text(self, *, moved: bool = False) -> PlanText:
        """Its plan in words: one that is to be applied is something to do, whatever its tables need, and so is what ``moved``."""
        said = plan_text(self.plan)
        if self.target.is_applied and not moved:
            return said
        nothing = "no revision is pending" if self.target.is_applied else "no table changes"
        tally = nothing if said.tally == NOTHING else said.tally
        return attrs.evolve(
            said, tally=tally.replace("everything declared", f"everything that {self.revision.id} declares")
        )

    @property
    def refusals(self) -> Iterator[str]:
        """Why its data steps may not be run."""
        if self.recorded_as is None:
            return
        yield from why_unwritten(self.revision, self.folder)
        yield from why_missed(self.missed, self.target, self.folder, self.allowed)
        for step in self.steps:
            yield from why_edited(step, self.revision, self.folder, self.allowed)

    def is_pending(self, recorded: Collection[str]) -> bool:
        """Whether it is not recorded; where it is to be no more, whether its plan has anything to do."""
        return super().is_pending(recorded) if self.recorded_as is None else self.revision.id not in recorded

    def is_left(self, recorded: Collection[str], instance: Instance, history: History) -> bool:
        """Whether it is not recorded yet; where it is to be no more, what its plan says."""
        if self.recorded_as is None:
            return super().is_left(recorded, instance, history)
        return self.revision.id not in recorded

    @property
    def found(self) -> tuple[Done, ...]:
        """Nothing: the record says it."""
        return super().found if self.recorded_as is None else ()

    def load(self) -> None:
        """Load its data steps; raises :class:`MigrationError`."""
        _ = self._code

    def finish(self, books: Books, data: Data | None, listener: Listener, done: Sequence[Done]) -> None:
        """Run its data steps, and record that it is applied."""
        if self.recorded_as is None:
            return
        run = list[str]()
        with stepping(self.revision, done, run, books.history):
            for name in run_steps(self._code, self.revision, self.folder, books, data, self.allowed):
                run.append(name)
        with recording(f"{self.revision.id} is applied", self.revision, done):
            record(self.revision, books)
        listener.revision(self.revision.id)

    @cached_property
    def _code(self) -> tuple[DataStep, ...]:
        return () if self.recorded_as is None else load(self.revision, self.folder)


def revision_stages(
    now: Standing,
    instance: Instance,
    history: History,
    to: Revision | None = None,
    allow: Collection[str] = (),
) -> tuple[RevisionStage, ...]:
    """What leads from where an instance stands ``now`` to ``to``, or else to the last revision, in order.

    The plan of the first starts from the instance, those of others from what the ones before will leave.
    A name in ``allow`` allows what it names in every stage. Raises :class:`WrongAllow` where it allows
    nothing in any, nor did so before, as in those that are applied; :class:`MigrationError` where what is applied does
    not fit the files, or ``to`` does not stand on it; and :class:`btmodel.errors.ServerError`.
    """
    found: list[RevisionStage] = []
    known, before = set[str](), {one.id: one for one in now.applied}
    # A user who repeats a command that was killed says again what it had done.
    harmless = {*done_before(history), *_step_names(before.values())} if allow else set[str]()
    live, copies = read_known(instance, history), history.copies()
    for target in targets(now, to):
        plan, names = plan_with(instance, target.tables, live, allow, copies, before=target.before)
        known |= names
        lacking = missed(target, live, copies, instance, before)
        live, copies = after(plan, live), copies_after(plan)
        steps = () if target.is_applied else tuple(standings(target.revision, history))
        known |= {name for one in steps if one.edited for name in (one.restart, one.resume)}
        harmless |= set(_step_names([target.revision]))
        found.append(RevisionStage(plan, target, now.graph.folder, steps, frozenset(allow), lacking))
    refuse_needless(
        [name for name in allow if name not in harmless],
        known,
        [one.plan for one in found],
        [one.heading for one in found],
    )
    return tuple(found)


def _step_names(revisions: Iterable[Revision]) -> Iterator[str]:
    """The names by which data steps go on that were edited half-way, or would miss something."""
    for step in (step for one in revisions for step in one.data_steps):
        yield from (StepState(step, "", None).restart, StepState(step, "", None).resume, run_name(step))


def plan_with(
    instance: Instance,
    tables: tuple[Table, ...],
    live: tuple[Table, ...],
    allow: Collection[str],
    copies: Iterable[CopyRecord],
    renamings: tuple[Renaming, ...] | None = None,
    before: str | None = None,
) -> tuple[Plan, frozenset[str]]:
    """The plan from ``live`` to ``tables`` with those names of ``allow`` that it needs, and all names that it knows.

    ``renamings`` are those on the way, where they are other ones than ``tables`` declare, and ``before`` is the revision
    after which that of ``tables`` comes.
    """
    wanted, there = concrete(tables, live)
    facts = attrs.evolve(read_facts(instance, wanted, there, copies), renamings=renamings, before=before)
    if renamings is not None:
        facts = attrs.evolve(facts, reverted=reverted(wanted, there, facts.copies, renamings))
    known = allowable(wanted, there, facts)
    return make_plan(instance.instance, wanted, there, sorted(known & set(allow)), facts), known


def after(plan: Plan, live: Iterable[Table]) -> tuple[Table, ...]:
    """What the instance has once ``plan`` is applied to ``live``: what is declared, and what is not and stays."""
    dropped = {(one.table_id, one.family_id) for one in plan.changes if one.drops}
    layouts = {one.table_id: one.records for one in plan.changes if one.records is not None}
    there = {table.id: table for table in live if (table.id, None) not in dropped}
    there |= {table.id: _over(table, there.get(table.id), dropped) for table in plan.declared}
    return tuple(
        attrs.evolve(there[id], layouts=layouts.get(id, there[id].layouts))
        for id in sorted(there, key=natural)
    )


def copies_after(plan: Plan) -> tuple[CopyRecord, ...]:
    """What the migration history has of copies once ``plan`` is applied: those that are not over, and those that it makes."""
    now, over = datetime.now(UTC), plan.copies_over
    made = (one.renaming.recorded("", now, now) for one in plan.copies)
    return (*(one for one in plan.facts.copies if one not in over), *made)


def _over(declared: Table, live: Table | None, dropped: Collection[tuple[str, str | None]]) -> Table:
    """``declared`` where ``live`` is: the layouts stay, and with them what nothing declares."""
    if live is None:
        return attrs.evolve(declared, layouts=())
    stays = [
        one for one in live.families if declared.family(one.id) is None and (live.id, one.id) not in dropped
    ]
    families = sorted((*declared.families, *stays), key=lambda one: one.id)
    return Table(declared.id, tuple(families), declared.settings.over(live.settings), live.layouts)


def leftovers(plan: Plan, applied: Iterable[Revision]) -> tuple[Drift, ...]:
    """The drift of ``plan`` that the ``applied`` revisions, or what was recorded of them, explain; all else came by other hands."""
    before = [table for one in applied for table in concrete(one.tables, plan.live)[0]]
    return tuple(one for one in plan.drift if one.is_left_by(before))


@frozen
class AgainstLast:
    """The names of the changes that lead from the instance back to ``revision``, and of what it does not declare.

    ``drops`` has the command that drops each table and family that was renamed, by its name: ``QUOTE.MD``.
    """

    revision: Revision
    changes: tuple[str, ...]
    drift: tuple[str, ...]
    drops: Mapping[str, str]


def against_last(now: Standing, instance: Instance, history: History) -> AgainstLast | None:
    """How the instance differs from the last applied revision; None where none is applied, or what is does not fit the files.

    It costs one list, one get for each table, and two reads of the migration history: neither rows nor clusters are looked at. Raises
    :class:`btmodel.errors.ServerError`.
    """
    fits = not (now.edited or now.unknown or now.partly or len(now.tops) > 1)
    last = now.last if fits else None
    if last is None:
        return None
    facts = Facts(None, frozenset(), tuple(history.copies()))
    wanted, there = concrete(last.tables, read_known(instance, history))
    plan = make_plan(instance.instance, wanted, there, (), facts)
    drops = {
        one.subject: f"{now.command} --allow {one.end.name}"
        for one in plan.drift
        if one.step_of is not None and one.end is not None
    }
    return AgainstLast(
        last, tuple(one.name for one in plan.pending), tuple(one.name for one in plan.drift), drops
    )
