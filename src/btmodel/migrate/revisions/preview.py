"""Say what the stages of a migration would take: each is rehearsed on samples of its rows, in an empty instance."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from attrs import define, evolve, field, frozen

from btmodel.errors import MigrationError
from btmodel.migrate.applying.stages import Stage
from btmodel.migrate.data import Copy, DataStep, MoveStep, Recorded, RewriteStep, RowAccess, compare, copy
from btmodel.migrate.data.behind import left_behind
from btmodel.migrate.data.comparison import what_stays
from btmodel.migrate.data.rehearsal import MeasuredWork, RowSample, SampledRows, rehearse
from btmodel.migrate.history import MigrationHistory, Reached
from btmodel.migrate.instance import Instance
from btmodel.migrate.revisions.planning import RevisionStage, revision_stages
from btmodel.migrate.revisions.records import deployed_name, is_confirmed
from btmodel.migrate.revisions.standing import Standing
from btmodel.migrate.revisions.steps import load, may_add, placed, why_unwritten
from btmodel.migrate.tables.templates import is_template
from btmodel.rows import Mutation
from btmodel.schema import Family, KeepAll, Table
from btmodel.words import counted

# From here on, waiting for one process is no plan any more.
LONG = 4 * 3600.0

Run = Callable[[RowAccess, Recorded], object]


@frozen
class ScratchInstance:
    """An empty instance for this process alone, where work is rehearsed."""

    instance: Instance
    rows: RowAccess


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
    """A stage: its ``id``, how many changes of tables it makes, the deployment for which it waits, its steps, and what else there is to say."""

    id: str
    changes: int
    waits: str
    steps: tuple[Estimate, ...]
    remarks: tuple[str, ...] = ()


@frozen
class _RehearsedStep:
    """Work on the rows of ``table``; ``reached`` is how far an interrupted run has come.

    ``before`` is what earlier stages have done that the work needs, unless they are rehearsed too: it fills ``target``.
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


def pending_stages(
    now: Standing, instance: Instance, history: MigrationHistory, allow: Collection[str] = ()
) -> tuple[RevisionStage, ...]:
    """All pending stages, also those that wait for a deployment, with the changes that ``allow`` names. Raises what :func:`revision_stages` does."""
    waiting = [deployed_name(revision) for revision in now.pending if revision.deployed]
    return revision_stages(now, instance, history, allow=[*waiting, *allow])


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
        trial = _Rehearsals(
            db, place(), progress, {table.id for stage in stages for table in stage.plan.live}
        )
        trial.create(stages)
    return tuple(_previewed(stage, found, trial, history) for stage, found in zip(stages, steps, strict=True))


def _previewed(
    stage: Stage, steps: Sequence[_RehearsedStep], trial: "_Rehearsals | None", history: MigrationHistory
) -> StagePreview:
    id, waits, remarks = "", "", stage.remarks
    if isinstance(stage, RevisionStage):
        id = stage.revision.id
        remarks = (*remarks, *stage.losses.refusals(stage.allowed))
        done = stage.target.is_applied or is_confirmed(stage.revision, history)
        waits = "" if done else stage.revision.deployed
    found = tuple(trial.estimate(step) for step in steps) if trial is not None else ()
    if isinstance(stage, RevisionStage) and trial is not None and not stage.target.is_applied:
        remarks = (*remarks, *_left_out(stage, trial))
    return StagePreview(id, len(stage.plan.pending), waits, found, remarks)


def _left_out(stage: RevisionStage, trial: "_Rehearsals") -> Iterator[str]:
    """What the moves of a stage leave out of the sampled rows."""
    for step in load(stage.revision, stage.folder):
        sample = trial.samples.get(step.table)
        if not isinstance(step, MoveStep) or sample is None:
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
    if not isinstance(stage, RevisionStage) or stage.target.is_applied:
        return
    for why in why_unwritten(stage.revision, stage.folder):
        raise MigrationError(why)
    for step, state in zip(load(stage.revision, stage.folder), stage.steps, strict=True):
        yield _of_step(stage, step, None if state.edited else state.reached)


def _of_step(stage: RevisionStage, step: DataStep, reached: Reached | None) -> _RehearsedStep:
    run = partial(_run_step, stage, step)
    if isinstance(step, RewriteStep):
        return _RehearsedStep(
            step.name, step.table, run, reached, adds=False, at_once=step.requests, spreads=True
        )
    if isinstance(step, MoveStep) and step.only_compares:
        moves = partial(_run_step, stage, evolve(step, only_compares=False))
        return _RehearsedStep(step.name, step.table, run, target=step.target_table, before=moves, adds=False)
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


@define
class _Rehearsals:
    """The rehearsals of all steps, one after the other: what one writes is there for the next."""

    db: SampledRows
    place: ScratchInstance
    progress: Callable[[str, int], None]
    there: set[str]
    samples: dict[str, RowSample] = field(factory=dict)

    def create(self, stages: Iterable[Stage]) -> None:
        """Create all tables that are there or come to be, with all families; nothing is collected as garbage."""
        families: dict[str, dict[str, Family]] = {}
        for table in chain.from_iterable((*stage.plan.live, *stage.plan.declared) for stage in stages):
            if not is_template(table):
                families.setdefault(table.id, {}).update({family.id: family for family in table.families})
        for id, several in families.items():
            kept = (evolve(family, gc=KeepAll(), renamed_from=None) for family in several.values())
            self.place.instance.create_table(Table(id, tuple(kept)))

    def estimate(self, step: _RehearsedStep) -> Estimate:
        """What ``step`` takes for all rows of its table."""
        sample = self._sample(step.table)
        if step.before is not None and step.target not in self.samples:
            self._filled(rehearse(self.place.rows, step.before).written, sample)
        self.progress(f"rehearsing {step.name}", len(sample.taken))
        tried = rehearse(self.place.rows, step.run)
        times = sample.rows / len(sample.taken) if sample.taken else 0
        self._filled(tried.written, sample)
        left = max(sample.rows - step.reached.rows, 0) if step.reached else sample.rows
        share = left / sample.rows if sample.rows else 0
        work = MeasuredWork().plus(tried.every, times).plus(tried.walk, times * share)
        seconds = max(work.seconds + work.requests * sample.answer / step.at_once, work.node_seconds)
        return Estimate(
            step.name, step.table, sample.rows, left, sample.exact, work, seconds, step.adds, step.spreads
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
