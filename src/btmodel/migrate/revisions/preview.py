"""Say what the stages of a migration would take: each is rehearsed on samples of its rows, in an empty instance."""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from attrs import define, evolve, field, frozen

from btmodel.errors import MigrationError, ServerError, reason, shown
from btmodel.migrate.applying.copying import why_unmoved
from btmodel.migrate.applying.left_columns import why_unread
from btmodel.migrate.applying.stages import Stage, why_refused
from btmodel.migrate.changes.moves import DropMovedTable
from btmodel.migrate.data import Copy, DataStep, MoveStep, Recorded, RewriteStep, RowAccess, compare, copy
from btmodel.migrate.data.adding import skip_name
from btmodel.migrate.data.behind import left_behind
from btmodel.migrate.data.comparison import what_stays
from btmodel.migrate.data.rehearsal import MeasuredWork, RowSample, SampledRows, rehearse
from btmodel.migrate.data.walks import PassedRows, Row
from btmodel.migrate.history import MigrationHistory, Reached
from btmodel.migrate.instance import Instance
from btmodel.migrate.revisions.planning import RevisionStage
from btmodel.migrate.revisions.records import why_waiting
from btmodel.migrate.revisions.steps import StepState, load, may_add, placed, unwritten
from btmodel.migrate.tables.templates import is_template
from btmodel.rows import Mutation, ReadPlan
from btmodel.schema import Family, KeepAll, Table
from btmodel.words import counted, size_text

# From here on, waiting for one process is no plan any more.
LONG = 4 * 3600.0

Run = Callable[[RowAccess, Recorded], object]


@frozen
class ScratchInstance:
    """An empty instance for this process alone, where work is rehearsed; errors call it by its ``name``."""

    instance: Instance
    rows: RowAccess
    name: str


@frozen
class Estimate:
    """What one step of a stage takes.

    ``rows`` are those of its table, of which ``left`` are still to be walked, and ``seconds`` is how long one process needs.
    ``exact`` says that all rows were counted, ``adds`` that what is written is stored in addition, and ``spreads`` that workers of a runner
    can share it.
    """

    name: str
    table: str
    rows: int
    left: int
    exact: bool
    work: MeasuredWork
    seconds: float
    adds: bool
    spreads: bool

    @property
    def long_from(self) -> int | None:
        """The number of rows from which on one process needs more than four hours; None for a step without rows."""
        return None if not self.left or not self.seconds else round(LONG / self.seconds * self.left)


@frozen
class StagePreview:
    """A stage: its ``id``, how many changes of tables it makes, the deployment for which it waits, why else and therefore a run would refuse it, its steps, and what else there is to say.

    A step of a refused stage that fails in the rehearsal is left out of ``steps``.
    """

    id: str
    changes: int
    waits: str
    refusals: tuple[str, ...]
    steps: tuple[Estimate, ...]
    remarks: tuple[str, ...] = ()


@frozen
class _RehearsedStep:
    """Work on the rows of ``table``; ``reached`` is how far an interrupted run has come.

    ``before`` is what earlier stages have done that the work needs, unless they are rehearsed too: it fills ``target``. ``refusals`` says what a
    run would find in these rows that refuses it.
    """

    name: str
    table: str
    run: Run
    reached: Reached | None = None
    adds: bool = True
    spreads: bool = False
    at_once: int = 1
    target: str = ""
    before: Run | None = None
    refusals: Callable[[RowAccess], Iterable[str]] = lambda rows: ()


def preview_stages(
    stages: Sequence[Stage],
    db: SampledRows,
    history: MigrationHistory,
    place: Callable[[], ScratchInstance],
    progress: Callable[[str, int], None],
) -> tuple[StagePreview, ...]:
    """What each of ``stages`` takes that has something to do.

    Nothing is written but to the ``place``, which is asked for if there is work on rows.

    Raises :class:`MigrationError` if a step fails on a sample, and :class:`btmodel.errors.ServerError`.
    """
    stages = [one for one in stages if one.plan.pending or one.recorded_as is not None]
    steps = [tuple(_steps(stage, history)) for stage in stages]
    trial = None
    if any(steps):
        # The first plan starts from the instance, and each other one from the result of the one before.
        first = stages[0].plan
        trial = _Rehearsals(db, place(), progress, first.instance, {table.id for table in first.live})
        trial.create(stages)
    return tuple(_previewed(stage, found, trial) for stage, found in zip(stages, steps, strict=True))


def _previewed(stage: Stage, steps: Sequence[_RehearsedStep], trial: "_Rehearsals | None") -> StagePreview:
    refusals = [*why_refused([stage])]
    id, waits, waiting = "", "", set[str]()
    if isinstance(stage, RevisionStage):
        id = stage.revision.id
        waiting = {*why_waiting(stage.revision, stage.allowed)} & {*refusals}
        waits = stage.revision.deployed if waiting else ""
    remarks = [*stage.remarks, *(note for note in stage.notes if note not in refusals), *_beside(stage)]
    found: list[Estimate] = []
    if trial is not None:
        trial.refused = trial.refused or not waiting.issuperset(refusals)
        for step in steps:
            estimate = trial.estimate(step)
            if isinstance(estimate, Estimate):
                found.append(estimate)
                refusals += trial.refusals(step)
                remarks += trial.huge_rows(step.table)
            else:
                remarks.append(f"{step.name} is not rehearsed: {estimate}")
        if isinstance(stage, RevisionStage) and not stage.target.is_applied:
            remarks += _left_out(stage, trial, {estimate.name for estimate in found})
    return StagePreview(id, len(stage.plan.pending), waits, tuple(refusals), tuple(found), tuple(remarks))


def _beside(stage: Stage) -> Iterator[str]:
    """What the plan says of things that stay in tables which it drops: they may stop the drop."""
    tables = {change.table_id for change in stage.plan.changes if change.drops and change.family_id is None}
    for drift in stage.plan.drift:
        if drift.table_id in tables:
            yield from (f"{drift.name}: {detail}" for detail in drift.details)


def _left_out(stage: RevisionStage, trial: "_Rehearsals", rehearsed: Collection[str]) -> Iterator[str]:
    """What the ``rehearsed`` moves of a stage leave out of the sampled rows."""
    for step in load(stage.revision, stage.folder):
        sample = trial.samples.get(step.table)
        if not isinstance(step, MoveStep) or sample is None or step.name not in rehearsed:
            continue
        if said := str(what_stays(step, sample.taken)):
            yield f"{step.name}: of {counted(len(sample.taken), 'sampled row')} of {step.table}: {said}"


def _steps(stage: Stage, history: MigrationHistory) -> Iterator[_RehearsedStep]:
    """The work of a stage on rows, in order."""
    for change in stage.plan.copies:
        what = change.renaming.copy
        reached = None if change.again else history.progress(what.step)
        run = _compared(what) if change.again else _copied(what)
        yield _RehearsedStep(what.step, what.old_table, run, reached, target=what.new_table)
    for dropped in stage.plan.changes:
        names = dropped.step_of
        if names is not None and dropped.drops:
            what = names.copy
            name = f"compare {names.old_name} with {names.new_name}"
            yield _RehearsedStep(
                name, what.old_table, _compared(what), target=what.new_table, before=_copied(what), adds=False
            )
        for move in dropped.moved.steps if dropped.drops and dropped.moved else ():
            name = f"compare {move.table} with {move.target_table}"
            moves = partial(_run, evolve(move, only_compares=False))
            yield _RehearsedStep(
                name, move.table, _looked_behind(move), target=move.target_table, before=moves, adds=False
            )
        if isinstance(dropped, DropMovedTable):
            yield from _unmoved(stage, dropped)
    if not isinstance(stage, RevisionStage) or stage.target.is_applied:
        return
    # What is not written yet is one of the refusals.
    left_out = {*stage.skipped, *(name for name, _ in unwritten(stage.revision))}
    for step, state in zip(load(stage.revision, stage.folder), stage.steps, strict=True):
        if step.name not in left_out:
            yield _of_step(stage, step, _reached(state, stage.allowed))


def _reached(state: StepState, allow: Collection[str]) -> Reached | None:
    """Where a data step goes on, by what the user allows; None for the first row, as also until the user has said it."""
    if state.reached is None or (state.edited and state.resume not in allow):
        return None
    return state.reached.added if skip_name(state.step) in allow else state.reached


def _unmoved(stage: Stage, dropped: DropMovedTable) -> Iterator[_RehearsedStep]:
    """The look for what a move has left in its old table, before that is dropped; none where it has left nothing for sure."""
    beside = stage.plan.by_table[dropped.table_id]
    gone = {one.family_id for one in beside if one.drops}
    steps = dropped.move.steps
    unmoved = {family.id for family in dropped.move.unmoved(dropped.table)} - gone
    if not (all(step.shared for step in steps) or unmoved or any(step.may_leave_cells for step in steps)):
        return

    def refusals(rows: RowAccess) -> Iterator[str]:
        yield from why_unmoved(dropped, dropped.table, gone, lambda look: look(rows))
        yield from why_unread(dropped, beside, lambda look: look(rows))

    old = dropped.table_id
    [first, *_] = dropped.move.steps
    yield _RehearsedStep(
        f"look for what was not moved from {old}",
        old,
        lambda rows, progress: [*refusals(rows)],
        target=first.target_table,
        adds=False,
        refusals=refusals,
    )


def _of_step(stage: RevisionStage, step: DataStep, reached: Reached | None) -> _RehearsedStep:
    run = partial(_run_step, stage, step)
    if isinstance(step, RewriteStep):
        return _RehearsedStep(
            step.name, step.table, run, reached, adds=False, at_once=step.requests, spreads=True
        )
    if isinstance(step, MoveStep) and step.only_compares:
        moves = partial(_run_step, stage, evolve(step, only_compares=False))
        return _RehearsedStep(
            step.name, step.table, run, target=step.target_table, before=moves, adds=False, spreads=True
        )
    spreads = step.alone is None and not may_add(stage.revision)
    return _RehearsedStep(step.name, step.table, run, reached, spreads=spreads)


def _run_step(stage: RevisionStage, step: DataStep, rows: RowAccess, progress: Recorded) -> None:
    try:
        _run(step, rows, progress)
    except MigrationError as error:
        raise placed(error, stage.revision, stage.folder, step) from error


def _run(step: DataStep, rows: RowAccess, progress: Recorded) -> None:
    step.run(rows, progress, step.name)


def _looked_behind(step: MoveStep) -> Run:
    return lambda rows, progress: left_behind(rows, step)


def _copied(what: Copy) -> Run:
    def run(rows: RowAccess, progress: Recorded) -> None:
        copy(rows, progress, what)
        compare(rows, what)

    return run


def _compared(what: Copy) -> Run:
    return lambda rows, progress: compare(rows, what, fix=True)


@frozen
class _SampleBesideInstance(PassedRows):
    """The sampled ``rows`` of a ``table``; all other tables are read as they are in the instance."""

    instance: RowAccess
    table: str

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        yield from (self.rows if plan.table == self.table else self.instance).read(plan)


@define
class _Rehearsals:
    """The rehearsals of all steps, one after the other: what one writes is there for the next.

    ``refused`` says that a run would refuse the stage, or an earlier one: its steps may fail therefore.
    """

    db: SampledRows
    place: ScratchInstance
    progress: Callable[[str, int], None]
    instance: str
    there: set[str]
    refused: bool = False
    samples: dict[str, RowSample] = field(factory=dict)
    said: set[tuple[tuple[bytes, int], ...]] = field(factory=set)

    def create(self, stages: Iterable[Stage]) -> None:
        """Create all tables that are there or come to be, with all families; nothing is collected as garbage."""
        families: dict[str, dict[str, Family]] = {}
        for table in chain.from_iterable((*stage.plan.live, *stage.plan.declared) for stage in stages):
            if not is_template(table):
                families.setdefault(table.id, {}).update({family.id: family for family in table.families})
        for id, several in families.items():
            kept = (evolve(family, gc=KeepAll(), renamed_from=None) for family in several.values())
            self.place.instance.create_table(Table(id, tuple(kept)))

    def estimate(self, step: _RehearsedStep) -> Estimate | str:
        """What ``step`` takes for all rows of its table; of a step that may fail and does, why it did.

        Raises :class:`MigrationError` for another step that fails, and :class:`btmodel.errors.ServerError`.
        """
        sample = self._sample(step.table)
        try:
            if step.before is not None and step.target not in self.samples:
                self._filled(rehearse(self.place.rows, step.before).written, sample)
            self.progress(f"rehearsing {step.name}", len(sample.taken))
            tried = rehearse(self.place.rows, step.run)
        except (MigrationError, ServerError) as error:
            why = reason(error).replace(self.place.name, self.instance)
            if self.refused:
                return why
            raise MigrationError(
                why if isinstance(error, MigrationError) else f"{step.name}: {why}"
            ) from error
        times = sample.rows / len(sample.taken) if sample.taken else 0
        self._filled(tried.written, sample)
        left = max(sample.rows - step.reached.rows, 0) if step.reached else sample.rows
        share = left / sample.rows if sample.rows else 0
        work = MeasuredWork().plus(tried.every, times).plus(tried.walk, times * share)
        seconds = max(work.seconds + work.requests * sample.answer / step.at_once, work.node_seconds)
        return Estimate(
            step.name, step.table, sample.rows, left, sample.exact, work, seconds, step.adds, step.spreads
        )

    def refusals(self, step: _RehearsedStep) -> list[str]:
        """Why a run would refuse ``step``, which was rehearsed, for the sampled rows."""
        sampled = (
            f"of {counted(len(self.samples[step.table].taken), 'sampled row')}"
            if step.table in self.samples
            else ""
        )
        rows = _SampleBesideInstance(self.place.rows, self.db, step.table)
        return [f"{sampled}: {why}" for why in step.refusals(rows)]

    def huge_rows(self, table: str) -> Iterator[str]:
        """Which sampled rows of ``table`` are in no figure, said once."""
        sample = self.samples.get(table)
        if sample is None or not sample.huge or sample.huge in self.said:
            return  # what follows from a sample has the same one
        self.said.add(sample.huge)
        key, size = sample.huge[0]
        others = len(sample.huge) - 1
        more = f" and {counted(others, 'other')}" if others else ""
        yield (
            f"{table}: row {shown(key)} of {size_text(size)}{more} of {counted(len(sample.taken) + len(sample.huge), 'sampled row')} is left out of the figures, which are those of the "
            "other rows: if there are many like it, a run takes longer by them"
        )

    def _sample(self, table: str) -> RowSample:
        """A sample of ``table``, which lies at the place by now; of what an earlier step has filled, that."""
        if table not in self.samples:
            if table not in self.there:
                return RowSample()
            self.progress(f"sampling {table}", 0)
            found = RowSample.of(self.db, table, partial(self.progress, f"sampling {table}"))
            self.place.rows.write_many(table, (Mutation(table, key, cells) for key, cells in found.taken))
            self.samples[table] = found
        return self.samples[table]

    def _filled(self, tables: Collection[str], source: RowSample) -> None:
        """Note that ``tables`` have at the place what follows from the sample ``source``."""
        for table in tables:
            self.samples.setdefault(table, source)
