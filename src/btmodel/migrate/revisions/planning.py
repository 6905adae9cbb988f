"""Pending revisions as stages: their plans against the instance, their data steps and their records."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import attrs
from attrs import frozen

from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.run import Done
from btmodel.migrate.applying.stages import RunListener, Stage
from btmodel.migrate.changes.base import Drift, InstanceFacts
from btmodel.migrate.changes.layouts import ChangeCodec, Forget, RequireColumn
from btmodel.migrate.changes.results import NO_RESULTS, MovedRows, StepResults, UnknownMove
from btmodel.migrate.changes.unknown_moves import UNKNOWN_MOVES
from btmodel.migrate.data import DataStep, MoveStep, RowAccess
from btmodel.migrate.data.comparison import TAKE_BACK
from btmodel.migrate.history import CopyRecord, MigrationHistory
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.comparisons import why_first, why_needed
from btmodel.migrate.planning.plan import (
    Plan,
    allowable,
    done_before,
    make_plan,
    read_facts,
    read_known,
    refuse_needless,
)
from btmodel.migrate.planning.text import NOTHING, PlanText, plan_text
from btmodel.migrate.revisions.carrying import LeftBehind, left_behind
from btmodel.migrate.revisions.covered_steps import covered_steps
from btmodel.migrate.revisions.emptied_views import EMPTY_VIEW, EmptiedView, emptied_views, why_view_emptied
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.lost_steps import FORGET, LostStep, forget_lost, lost_steps, why_lost
from btmodel.migrate.revisions.missed import Missed, missed, run_name, why_missed
from btmodel.migrate.revisions.move_losses import NO_LOSSES, MoveLosses, losses, next_after, tighter_names
from btmodel.migrate.revisions.overruled import (
    OverruledCell,
    overruled_cells,
    skip_names,
    skipped_steps,
    waits_of,
    why_half_skipped,
    why_overruled,
)
from btmodel.migrate.revisions.premature import emptied_tables, empty_name, why_empty, why_gone, why_too_early
from btmodel.migrate.revisions.records import (
    confirm,
    deployed_name,
    is_confirmed,
    record,
    recording,
    stays_name,
)
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.stale_moves import why_stale
from btmodel.migrate.revisions.standing import RevisionTarget, Standing, targets
from btmodel.migrate.revisions.step_results import PastSteps, why_copied, why_unread
from btmodel.migrate.revisions.steps import (
    StepState,
    load,
    run_steps,
    standings,
    stepping,
    why_asked,
    why_unspread,
    why_unwritten,
)
from btmodel.migrate.revisions.undone_steps import UNREAD
from btmodel.migrate.tables.renamings import Renaming, reverted
from btmodel.migrate.tables.templates import concrete, is_template
from btmodel.schema import Table
from btmodel.schema.names import fits
from btmodel.words import natural


@frozen(slots=False)
class RevisionStage(Stage):
    """A revision to apply: its plan, then its data steps, then its record. ``losses`` is what its moves of rows leave out,
    ``emptied`` are dropped tables that it would create without their rows, ``emptied_views`` views that would lose cells by its steps, ``wrong`` says why it would drop a table too early, or lacks one, and
    ``recorded`` are the ids of the revisions that were recorded by then. ``left_behind`` are cells of a branch that later merges decide against, and that none of their steps carries on, and ``interrupted`` the ids of later revisions whose steps have begun.

    ``next_waits`` is the sentence of a later revision that waits for a deployment, and is no stage therefore.
    ``steps`` is how far its data steps have come, ``missed`` what they would miss, ``overruled`` what they know otherwise than the merge, ``covered`` those that need not run, with the revision whose step does what they do, ``allowed`` the names that allow
    them all the same, ``lost`` what other steps have begun that no revision has, and ``folder`` the place of its files. A revision that is already applied is only compared with
    the instance again.
    """

    target: RevisionTarget
    folder: Path
    steps: tuple[StepState, ...] = ()
    allowed: frozenset[str] = frozenset()
    missed: tuple[Missed, ...] = ()
    overruled: tuple[OverruledCell, ...] = ()
    covered: Mapping[str, str] = attrs.field(factory=dict)
    lost: tuple[LostStep, ...] = ()
    gone: tuple[str, ...] = ()
    next_waits: str = ""
    losses: MoveLosses = NO_LOSSES
    emptied: tuple[str, ...] = ()
    emptied_views: tuple[EmptiedView, ...] = ()
    wrong: tuple[str, ...] = ()
    recorded: frozenset[str] | None = None
    left_behind: tuple[LeftBehind, ...] = ()
    interrupted: tuple[str, ...] = ()

    @property
    def revision(self) -> Revision:
        """The revision."""
        return self.target.revision

    @property
    def recorded_as(self) -> str | None:
        """Its id; None if it is already applied."""
        return None if self.target.is_applied else self.revision.id

    @property
    def planned_on(self) -> frozenset[str] | None:
        """The revisions that were recorded when it was planned."""
        return self.recorded

    @property
    def heading(self) -> str:
        """Its id and title; empty if it is already applied and the instance is as it says."""
        if self.target.is_applied:
            pending = self.plan.pending
            asked = all(change.name in self.plan.allowed for change in pending)
            what = "what you allow beside it" if asked else "the instance is not as it says"
            return f"{self.revision.id} is applied, and {what}:" if pending else ""
        return f"{self.revision.id}: {self.title}"

    @property
    def title(self) -> str:
        """Its message, and the last of the revisions applied beside it."""
        beside = self.target.beside[-1:]
        return self.revision.title + "".join(f" (beside {revision.id})" for revision in beside)

    @property
    def then(self) -> tuple[str, ...]:
        """Its data steps, each with how far it has come."""
        return tuple(str(one) for one in self.steps if one.step not in self.skipped)

    @property
    def skipped(self) -> tuple[str, ...]:
        """The data steps that do not run, as the user has allowed, or as the step of another revision does what they do."""
        return skipped_steps(self.revision, self.overruled, self.allowed, self.covered)

    @property
    def notes(self) -> tuple[str, ...]:
        """The deployment that it waits for, what else refuses it, and the steps that no revision has any more."""
        refused = tuple(self.refusals)
        lost = [str(one) for one in self.lost if not any(one.name in why for why in refused)]
        return (*refused, *lost)

    @property
    def names(self) -> frozenset[str]:
        """The names that allow what its moves leave out, the creation of tables that were dropped, and that steps do not run which a merge has decided against."""
        asks = bool(self.overruled or self.covered)
        skips = {*skip_names([self.revision])} if asks else set[str]()
        skips |= {stays_name(step.step) for step in self.steps if asks and step.begun}
        return (
            self.losses.names
            | {*map(empty_name, self.emptied)}
            | {one.name for one in self.emptied_views}
            | skips
            | {name for one in self.left_behind for name in one.what.names}
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """Which cells of its moves stay in the old table, which cells its models look for where they are no longer, and what has to be dropped before what it renames."""
        covered = (
            f"{step} does not run here: the step of {id} does what it would do"
            for step, id in self.covered.items()
        )
        interrupted = (
            f"a run of {id} was interrupted, and has written rows as that has them: where this stage is refused for that, finish {id} first, with `btmodel migrate apply --to {id}`"
            for id in self.interrupted
        )
        return (
            *self.losses.notes,
            *self.gone,
            *covered,
            *interrupted,
            *why_first(self.plan.changes, self.plan.drift),
        )

    @property
    def next_step(self) -> str:
        """The deployment that the next revision waits for, once this one is applied."""
        return self.next_waits

    def text(self, *, moved: bool = False) -> PlanText:
        """Its plan as text; a revision that is to be applied counts as something to do even if its plan is empty."""
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
        """Why its data steps may not run, and why tables are not dropped or created."""
        yield from self.wrong
        yield from (why for one in self.left_behind for why in one.why(self.folder, self.allowed))
        yield from (why_empty(id) for id in self.emptied if empty_name(id) not in self.allowed)
        if self.recorded_as is None:
            return
        yield from waits_of(self.target, self.overruled, self.allowed, self.covered)
        yield from why_unwritten(self.revision, self.folder)
        yield from why_missed(self.missed, self.target, self.folder, self.allowed, self.covered)
        yield from why_overruled(self.target, self.overruled, self.folder, self.allowed, self.covered)
        if not self.revision.data_steps or len(self.skipped) < len(self.revision.data_steps):
            yield from self._why_rows_stay
        yield from why_lost(self.lost, self.steps, self.revision, self.folder, self.allowed)
        yield from self.losses.refusals(self.allowed)
        skipped = [step for step in self.steps if step.step in self.skipped]
        left = [step for step in skipped if step.step not in self.covered]
        yield from why_half_skipped(self.revision, left, self.folder, self.allowed)
        for step in (step for step in self.steps if step not in skipped):
            yield from why_asked(step, self.revision, self.folder, self.allowed)

    @property
    def _why_rows_stay(self) -> Iterator[str]:
        """Why its steps may not rewrite rows that are still compared, or that views or other models read."""
        yield from why_copied(self.revision, self.folder, self.plan, self.target.beside)
        yield from (
            why_view_emptied(one, self.revision, self.folder)
            for one in self.emptied_views
            if one.name not in self.allowed
        )
        yield from why_unread(self.revision, self.folder, self.target.tables)

    def is_pending(self, recorded: Collection[str]) -> bool:
        """Whether it has no record; for one that is already applied, whether its plan has anything to do."""
        return super().is_pending(recorded) if self.recorded_as is None else self.revision.id not in recorded

    def is_left(self, recorded: Collection[str], instance: Instance, history: MigrationHistory) -> bool:
        """Whether it has no record yet; for one that is already applied, whether its plan has anything left."""
        if self.recorded_as is None:
            return super().is_left(recorded, instance, history)
        return self.revision.id not in recorded

    @property
    def found(self) -> tuple[Done, ...]:
        """Empty, because the record shows what another run did."""
        return super().found if self.recorded_as is None else ()

    def unspread(self, rows: RowAccess) -> Iterator[str]:
        """Why workers cannot run its data steps; raises :class:`MigrationError` where these cannot be loaded."""
        yield from why_unspread(self._code, self.revision, self.folder, rows)

    @property
    def judges_ages(self) -> bool:
        """Whether it copies, compares or drops what was moved, or runs data steps."""
        return super().judges_ages or (self.recorded_as is not None and bool(self.revision.data_steps))

    def load(self) -> None:
        """Load its data steps; raises :class:`MigrationError`."""
        _ = self._code

    def finish(
        self, run_record: RunRecord, data: Data | None, listener: RunListener, done: Sequence[Done]
    ) -> None:
        """Run its data steps, and record that it is applied."""
        if self.recorded_as is None:
            return
        run = list[str]()
        with stepping(self.revision, done, run, run_record.history):
            confirm(self.revision, run_record)
            forget_lost(self.lost, self.allowed, run_record)
            steps = [step for step in self._code if step.name not in self.skipped]
            for name in run_steps(steps, self.revision, self.folder, run_record, data, self.allowed):
                run.append(name)
            if data is not None:
                self._say_what_is_next(data)
        with recording(f"{self.revision.id} is applied", self.revision, done):
            record(
                self.revision,
                run_record,
                [step for step in self.revision.data_steps if step not in self.skipped],
                [one.step for one in self.steps if one.step in self.skipped and not one.begun],
            )
        listener.revision(self.revision.id)

    def _say_what_is_next(self, data: Data) -> None:
        """Say how the old tables of moves end whose rows were just compared."""
        for step in self._code:
            if isinstance(step, MoveStep) and step.only_compares:
                data.say(next_after(step, self.target.tables))

    @cached_property
    def _code(self) -> tuple[DataStep, ...]:
        return () if self.recorded_as is None else load(self.revision, self.folder)


def revision_stages(
    now: Standing,
    instance: Instance,
    history: MigrationHistory,
    to: Revision | None = None,
    allow: Collection[str] = (),
    *,
    through: bool = False,
) -> tuple[RevisionStage, ...]:
    """The stages that lead an instance from ``now`` to revision ``to``, or to the last one, in order.

    They end before one that waits for a deployment, unless it is the first, or ``through`` asks for all. The first plan starts from the instance, and
    each other plan from the result of the one before. A name in ``allow`` applies to every stage. Tables that a stage creates need no permission in
    later ones. A revision waits for no deployment that was confirmed to a run, nor where none of its tables and of those below it is in the instance,
    as no earlier version of the application can be at work. Raises :class:`WrongAllow` if a name allows nothing in any stage and did not do so
    before; :class:`MigrationError` if the applied revisions do not match the files, or ``to`` does not descend from them; and
    :class:`btmodel.errors.ServerError`.
    """
    found: list[RevisionStage] = []
    lost = tuple(lost_steps(now, history)) if now.pending else ()
    known, before = {one.forget for one in lost}, {revision.id: revision for revision in now.applied}
    harmless = _named_before(now, history, allow) if allow else set[str]()
    live, copies = read_known(instance, history), history.copies()
    first = _own_ids(live)
    past, ran = [*now.applied], [*now.stepped]
    wanted = targets(now, to)
    way = [target.revision for target in wanted if not target.is_applied]
    for target in wanted:
        steps = () if target.is_applied else tuple(standings(target.revision, history))
        allowed = _allowed(target.revision, now.graph, allow, first, history)
        overruled = overruled_cells(target, now.graph, instance)
        covered = covered_steps(target, now.graph, way, ran)
        waits = waits_of(target, overruled, allowed, covered)
        if found and waits and not through:  # what comes before the deployment can be applied
            found[-1] = attrs.evolve(found[-1], next_waits=waits[0])
            harmless |= {*_step_names(way), *skip_names(way)}
            break
        pending = [revision for revision in now.pending if revision not in past]
        done = PastSteps(past, ran, now.graph.folder, now.times, pending)
        created, results = _own_ids(live) - first, done.results(target.tables, live)
        plan, names = plan_with(
            instance, target.tables, live, allow, copies, None, target.before, created, results
        )
        lacking = missed(target, live, copies, instance, before)
        gone = () if target.is_applied else tuple(done.gone(target.tables, live))
        stage = RevisionStage(
            plan, target, now.graph.folder, steps, allowed, lacking, overruled, covered, lost, gone
        )
        past.append(target.revision)
        ran += [] if stage.skipped else [target.revision]
        live, copies = after(plan, live), copies_after(plan)
        known |= {*names, *(name for state in steps for name in state.asks)}
        found.append(_with_losses(stage, now, past[:-1], instance, history))
        harmless |= {*_step_names([target.revision]), *_promises(plan)}
    found = _with_branches(found, way, now, instance)
    known |= {name for stage in found for name in stage.names}
    asked = [name for name in allow if name not in harmless]
    refuse_needless(asked, known, [stage.plan for stage in found], [stage.heading for stage in found])
    return tuple(found)


def _own_ids(tables: Iterable[Table]) -> set[str]:
    """The ids of the tables that are no templates."""
    return {table.id for table in tables if not is_template(table)}


def _with_branches(
    stages: Sequence[RevisionStage], way: Sequence[Revision], now: Standing, instance: Instance
) -> list[RevisionStage]:
    """The stages, the first of which says what merges on the ``way`` leave behind, and which other branches have begun."""
    there = stages[0].plan.live if stages else ()
    behind = tuple(left_behind(now.graph, way, now.applied, instance, there))
    begun = tuple(one.revision.id for one in stages[1:] if any(step.begun for step in one.steps))
    return [
        attrs.evolve(one, left_behind=behind, interrupted=begun) if one is stages[0] else one
        for one in stages
    ]


def _named_before(now: Standing, history: MigrationHistory, allow: Collection[str]) -> set[str]:
    """The names that need nothing to allow: a user who repeats an interrupted command names again what it has already done."""
    tables = {table.id for revision in now.applied for table in revision.tables}
    return {
        *done_before(history),
        *_step_names(now.applied),
        *skip_names(now.applied),
        *tighter_names(now.graph, allow),
        *_forgotten(allow),
        *map(empty_name, tables),
    }


def _with_losses(
    stage: RevisionStage,
    now: Standing,
    past: Collection[Revision],
    instance: Instance,
    history: MigrationHistory,
) -> RevisionStage:
    """The stage with what its moves leave out, and why it would drop or create tables at the wrong time; ``past`` are the revisions before its own."""
    plan, target, folder = stage.plan, stage.target, stage.folder
    pending = [revision for revision in now.pending if revision not in past]
    declared = {table.id for revision in now.tops for table in revision.tables}
    left_out = NO_LOSSES
    if not target.is_applied:
        left_out = losses(target.revision, now.graph, now.applied, target.tables, plan.live, instance)
    emptied = emptied_tables(plan, declared, now.graph, history)
    views = () if target.is_applied else tuple(emptied_views(target.revision, folder, after(plan, plan.live)))
    wrong = (
        *why_too_early(plan, pending, folder),
        *why_needed(plan.changes, plan.drift),
        *(() if target.is_applied else why_gone(target.revision, (*plan.live, *plan.declared), folder)),
        *(() if target.is_applied else why_stale(target.revision, now.graph, past)),
    )
    recorded = frozenset(record.id for record in now.records)
    return attrs.evolve(
        stage, losses=left_out, emptied=emptied, emptied_views=views, wrong=wrong, recorded=recorded
    )


def _allowed(
    revision: Revision,
    graph: Graph,
    allow: Collection[str],
    there: Collection[str],
    history: MigrationHistory,
) -> frozenset[str]:
    """The names in ``allow``, and that of the deployment where it was confirmed before, or no table of the revision or of those below it is ``there``."""
    tables = [table for one in graph.up_to(revision.id) for table in one.tables] if revision.deployed else []
    confirmed = is_confirmed(revision, history) or not _is_any(tables, there)
    return frozenset({*allow, deployed_name(revision)} if confirmed else allow)


def _is_any(tables: Iterable[Table], there: Collection[str]) -> bool:
    """Whether any of ``tables``, or of those that a template stands for, is among the ids ``there``."""
    return any(
        fits(table.id, id) if is_template(table) else table.id == id for table in tables for id in there
    )


def _step_names(revisions: Iterable[Revision]) -> Iterator[str]:
    """The names that allow data steps which were edited midway, or would miss something."""
    for revision in revisions:
        if revision.deployed:
            yield deployed_name(revision)
        for step in revision.data_steps:
            states = StepState(step, "", None)
            yield from (*states.names, run_name(step), f"{TAKE_BACK}:{step}")


def _forgotten(allow: Iterable[str]) -> Iterator[str]:
    """The names that let records of lost steps go, views be emptied, and cells be left unread, which a run before may have done."""
    return (name for name in allow if name.startswith((FORGET, EMPTY_VIEW, UNREAD)))


def _promises(plan: Plan) -> Iterator[str]:
    """The names of what a plan would ask for, were it not known that cells have moved: another instance may need them."""
    for cells in plan.facts.results.rewritten:
        yield f"{ChangeCodec.verb}:{cells.table}.{cells.cell}"
    for one in plan.facts.results.moved:
        yield f"{RequireColumn.verb}:{one.table}.{one.new}"
        for layout in (layout for table in plan.live if table.id == one.table for layout in table.layouts):
            yield f"{Forget.verb}:{one.table}/{layout.model}.{one.old}"


def plan_with(
    instance: Instance,
    tables: tuple[Table, ...],
    live: tuple[Table, ...],
    allow: Collection[str],
    copies: Iterable[CopyRecord],
    renamings: tuple[Renaming, ...] | None = None,
    before: str | None = None,
    created: Collection[str] = (),
    results: StepResults = NO_RESULTS,
) -> tuple[Plan, frozenset[str]]:
    """The plan from ``live`` to ``tables`` with the names of ``allow`` that it needs, and all names that it knows.

    ``renamings`` replaces the renamings that ``tables`` declare, ``before`` is the id of the preceding revision, and
    ``created`` are the tables that are not in the instance until an earlier stage of the run creates them, and ``results``
    what data steps have made true.
    """
    wanted, there = concrete(tables, live)
    facts = attrs.evolve(
        read_facts(instance, wanted, there, copies),
        renamings=renamings,
        before=before,
        created=frozenset(created),
        results=results,
    )
    if renamings is not None:
        facts = facts.with_cut_off(wanted, there, renamings)
        facts = attrs.evolve(facts, reverted=reverted(wanted, there, facts.copies, renamings))
    known = allowable(wanted, there, facts)
    return make_plan(instance.instance, wanted, there, sorted(known & set(allow)), facts), known


def after(plan: Plan, live: Iterable[Table]) -> tuple[Table, ...]:
    """The tables of the instance after ``plan`` is applied to ``live``: each as the calls of its changes leave it, with the layouts that are recorded then."""
    there: dict[str, Table] = {table.id: table for table in live}
    there |= {
        table.id: Table(table.id, ())
        for table in plan.declared
        if is_template(table) and table.id not in there
    }
    for id, changes in plan.by_table.items():
        table = there.pop(id, None)
        for change in changes:
            for call in change.calls:
                table = call.changed(table)
            if change.records is not None and table is not None:
                table = attrs.evolve(table, layouts=change.records)
        if table is not None:
            there[id] = table
    return tuple(there[id] for id in sorted(there, key=natural))


def copies_after(plan: Plan) -> tuple[CopyRecord, ...]:
    """The records of copies after ``plan`` is applied: without obsolete ones, and with new ones."""
    now, over = datetime.now(UTC), plan.copies_over
    made = (copy.renaming.recorded("", now, now) for copy in plan.copies)
    return (*(copy for copy in plan.facts.copies if copy not in over), *made)


def leftovers(plan: Plan, applied: Iterable[Revision]) -> tuple[Drift, ...]:
    """The drift of ``plan`` that the ``applied`` revisions or recorded facts explain; all other drift came from elsewhere."""
    before = [table for revision in applied for table in concrete(revision.tables, plan.live)[0]]
    return tuple(drift for drift in plan.drift if drift.is_left_by(before))


def plan_to_last(last: Revision, now: Standing, instance: Instance, history: MigrationHistory) -> Plan:
    """The plan from the instance to the ``last`` applied revision; raises :class:`btmodel.errors.ServerError`."""
    live = read_known(instance, history)
    results = _steps_of(now).results(last.tables, live)
    return plan_with(instance, last.tables, live, (), history.copies(), results=results)[0]


def plan_to_record(target: Revision, now: Standing, instance: Instance, history: MigrationHistory) -> Plan:
    """The plan from the instance to the ``target`` of a baseline, with what was moved by then; raises :class:`btmodel.errors.ServerError`."""
    live = read_known(instance, history)
    past = PastSteps(now.graph.up_to(target.id), now.stepped, now.graph.folder, now.times)
    found = past.results(target.tables, live)
    results = StepResults(moves=found.moves, unknown=found.unknown)
    return plan_with(instance, target.tables, live, (), history.copies(), results=results)[0]


def _steps_of(now: Standing) -> PastSteps:
    return PastSteps(now.applied, now.stepped, now.graph.folder, now.times, now.pending)


@frozen
class AgainstLast:
    """The differences between the instance and the last applied ``revision``: names of changes, and of undeclared things.

    ``moves`` are the tables whose rows were moved, and that are still there; ``unknown`` are those that cannot be compared. ``drops`` has, for each renamed table and family, and each table whose rows were moved, the command that drops it, by its name: ``QUOTE.MD``.
    """

    revision: Revision
    changes: tuple[str, ...]
    drift: tuple[str, ...]
    drops: Mapping[str, str]
    moves: tuple[MovedRows, ...] = ()
    unknown: tuple[UnknownMove, ...] = ()


def against_last(now: Standing, instance: Instance, history: MigrationHistory) -> AgainstLast | None:
    """Compare the instance with the last applied revision; None if none is applied, or if the records do not match the files.

    This costs one list request, one get request for each table, and two reads of the migration history; it reads
    neither rows nor clusters. Raises :class:`btmodel.errors.ServerError`.
    """
    fits = not (now.edited or now.unknown or now.partly or len(now.tops) > 1)
    last = now.last if fits else None
    if last is None:
        return None
    wanted, there = concrete(last.tables, read_known(instance, history))
    results = _steps_of(now).results(wanted, there)
    facts = InstanceFacts(copies=tuple(history.copies()), results=results)
    plan = make_plan(instance.instance, wanted, there, (), facts)
    drops = {
        drift.subject: f"{now.command} {' '.join(f'--allow {name}' for name in plan.names_to_end(drift))}"
        for drift in plan.drift
        if drift.end is not None and (drift.step_of or drift.moved or isinstance(drift, UNKNOWN_MOVES))
    }
    return AgainstLast(
        last,
        tuple(change.name for change in plan.pending),
        tuple(drift.name for drift in plan.drift),
        drops,
        tuple(move for move in results.moves if facts.rows_moved(move.table) and move.table in drops),
        tuple(move for move in results.unknown if move.subject in drops),
    )
