"""The data steps of a revision: their code, checksum and progress."""

import ast
import hashlib
import json
import re
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import TypeVar

import attrs
from attrs import evolve, frozen

from btmodel.declare import schema_of
from btmodel.declare.problems import into
from btmodel.errors import MigrationError, MigrationFailed, ServerError, UndecodableKey, raised, shown
from btmodel.migrate.applying.copying import Data, progress_of
from btmodel.migrate.applying.run import Done, is_permitted
from btmodel.migrate.data import DataStep, MoveStep, Recorded
from btmodel.migrate.data.adding import repeat_name, settle_adds, skip_name, why_unknown
from btmodel.migrate.data.compared_parts import ComparedPart
from btmodel.migrate.data.comparison import TAKE_BACK, Suspects
from btmodel.migrate.data.rewriting import RewriteStep
from btmodel.migrate.data.sections import (
    RepeatableRows,
    RunnerFailed,
    Section,
    SectionRows,
    SeenLock,
    Spread,
    WorkerProgress,
    WorkerRows,
    targets_of,
)
from btmodel.migrate.data.steps import fails_again
from btmodel.migrate.data.sums import Sums
from btmodel.migrate.data.walks import FencedProgress, FencedRows, RowAccess
from btmodel.migrate.history import MigrationHistory, Reached
from btmodel.migrate.history.lock import LockLost, is_held_by
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.revisions.revision import Revision, form
from btmodel.migrate.revisions.shared_tables import other_rows
from btmodel.migrate.waiting import until_answered
from btmodel.words import counted

T = TypeVar("T")
# How code of steps adds to counters.
_ADDS = re.compile(r"\b(added|Add)\(")


def may_add(revision: Revision) -> bool:
    """Whether a data step of ``revision`` may add to counters."""
    return bool(_ADDS.search(revision.code))


def step_checksum(revision: Revision, step: str, *, imports: bool = False) -> str:
    """The checksum of one data step: of its file without the functions of the other steps.

    Comments, formatting and imports do not count; with ``imports``, it is as earlier versions recorded it.
    """
    others = [name for name in revision.data_steps if name != step]
    code = form(revision.code, without=others, imports=imports)
    return hashlib.sha256(json.dumps(code).encode()).hexdigest()[:32]


def step_checksum_of_lines(revision: Revision, step: str) -> str:
    """The checksum in its earlier form, which included formatting but no blanks at the ends of lines."""
    lines = revision.code.split("\n")
    for function in _functions(revision):
        if function.name != step:
            first = min([function.lineno, *(each.lineno for each in function.decorator_list)])
            lines[first - 1 : function.end_lineno] = [""] * ((function.end_lineno or first) - first + 1)
    kept = [line.rstrip() for line in lines if line.strip()]
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()[:32]


def unwritten(revision: Revision) -> Iterator[tuple[str, int]]:
    """The data steps that were not filled in and only raise NotImplementedError, each with its line."""
    for function in _functions(revision):
        body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
        if len(body) == 1 and isinstance(body[0], ast.Raise) and _is_not_implemented(body[0].exc):
            yield function.name, function.lineno


def writing(revision: Revision) -> Iterator[str]:
    """The data steps whose rows stay after a rollback: all but the moves that only compare."""
    comparing = {
        function.name
        for function in _functions(revision)
        if any(map(_only_compares, function.decorator_list))
    }
    yield from (step for step in revision.data_steps if step not in comparing)


def only_rewriting(revision: Revision) -> Iterator[str]:
    """The data steps whose functions return the row as they get it: those that rewrite rows fill nothing in."""
    for one in _functions(revision):
        if one.args.args:
            body = one.body[1:] if ast.get_docstring(one, clean=False) is not None else one.body
            if [ast.unparse(line) for line in body] == [f"return {one.args.args[0].arg}"]:
                yield one.name


def _only_compares(decorator: ast.expr) -> bool:
    """Whether this is ``@move(..., only_compares=True)``."""
    given = decorator.keywords if isinstance(decorator, ast.Call) else []
    return any(
        keyword.arg == "only_compares"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is True
        for keyword in given
    )


def _moves_rows(revision: Revision, step: str) -> bool:
    """Whether a step is declared as a move of rows."""
    declared = (
        one for function in _functions(revision) if function.name == step for one in function.decorator_list
    )
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "move"
        for one in declared
    )


def _functions(revision: Revision) -> Iterator[ast.FunctionDef]:
    for statement in ast.parse(revision.code).body:
        if isinstance(statement, ast.FunctionDef) and statement.name in revision.data_steps:
            yield statement


def _is_not_implemented(raised: ast.expr | None) -> bool:
    name = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(name, ast.Name) and name.id == "NotImplementedError"


@frozen
class StepState:
    """How far a data step of a revision has come; ``reached`` is None if it has come to no row.

    ``code`` is the checksum of its current code, and ``earlier`` are its earlier forms. A run that has ``begun`` may have written rows and not recorded that.
    Of a run that is ``adding`` and holds the lock it is not known yet whether it ends before it has recorded that.
    """

    step: str
    code: str
    reached: Reached | None
    earlier: tuple[str, ...] = ()
    begun: bool = False
    adding: bool = False

    @property
    def asks_for_adds(self) -> bool:
        """Whether the user has to say what becomes of additions of which nobody knows whether they were made."""
        return self.reached is not None and bool(self.reached.adding) and not self.adding

    @property
    def edited(self) -> bool:
        """Whether the step has progress by other code than the current one."""
        return self.reached is not None and self.reached.code not in (self.code, *self.earlier)

    @property
    def restart(self) -> str:
        """The name that lets an edited step start again at the first row."""
        return f"restart-step:{self.step}"

    @property
    def resume(self) -> str:
        """The name that lets an edited step resume where it stopped."""
        return f"resume-step:{self.step}"

    @property
    def asks(self) -> Iterator[str]:
        """The names that let it go on, one of which the user has to choose."""
        if self.edited:
            yield from (self.restart, self.resume)
        if self.asks_for_adds:
            yield from (repeat_name(self.step), skip_name(self.step))

    @property
    def names(self) -> Iterator[str]:
        """All names that may ever let it go on."""
        yield from (self.restart, self.resume, repeat_name(self.step), skip_name(self.step))

    def __str__(self) -> str:
        if self.reached is None:
            return self.step
        if self.asks_for_adds:
            return f"{self.step} (asks first what becomes of what it has added)"
        return f"{self.step} ({'edited since it came to' if self.edited else 'goes on after'} {self.reached})"


def progress_name(revision: Revision, step: str) -> str:
    """The name under which the progress of a data step is recorded: ``0003_fill_venue/fill_venue``."""
    return f"{revision.id}/{step}"


def standings(revision: Revision, history: MigrationHistory) -> Iterator[StepState]:
    """How far each data step of ``revision`` has come, in order; raises :class:`btmodel.errors.ServerError`."""
    for step in revision.data_steps:
        reached = history.progress(progress_name(revision, step))
        earlier = step_checksum(revision, step, imports=True), step_checksum_of_lines(revision, step)
        adding = reached is not None and bool(reached.adding) and is_held_by(history, reached.run)
        code = step_checksum(revision, step)
        yield StepState(step, code, reached or None, earlier, reached is not None, adding)


def why_unwritten(revision: Revision, folder: Path) -> Iterator[str]:
    """Why data steps of ``revision`` that were not filled in are refused."""
    for step, line in unwritten(revision):
        yield (
            f"{folder / revision.id}.py:{line}: nothing was applied, because the data step {step} is still to be written: "
            f"fill it in, or take it out of the file, and out of data_steps in {revision.id}.toml"
        )


def why_asked(one: StepState, revision: Revision, folder: Path, allow: Collection[str]) -> Iterator[str]:
    """Why a data step does not go on where an earlier run stopped, unless ``allow`` says how."""
    yield from _why_edited(one, revision, folder, allow)
    yield from _why_unknown_adds(one, revision, folder, allow)


def _why_edited(one: StepState, revision: Revision, folder: Path, allow: Collection[str]) -> Iterator[str]:
    """Why a data step that was edited midway is refused, unless ``allow`` says what to do."""
    if not one.edited:
        return
    said = [name for name in (one.restart, one.resume) if name in allow]
    if len(said) == 2:
        yield f"--allow {one.restart} and --allow {one.resume}: name one of them"
    if not said:
        twice = ", which adds for these rows a second time" if may_add(revision) else ""
        moved = ""
        if _moves_rows(revision, one.step):
            moved = (
                "; what the code before has written and this one writes otherwise, such as rows with other keys, stays in the new table until the comparison names it, and "
                f"--allow {TAKE_BACK}:{one.step} deletes it"
            )
        yield (
            f"{folder / revision.id}.py: {one.step} was edited since it came to {one.reached}: put its code back as it "
            f"was, or use --allow {one.restart} to begin at the first row again{twice}, or --allow {one.resume} to go on after "
            f"that row with the new code{moved}"
        )


def _why_unknown_adds(
    one: StepState, revision: Revision, folder: Path, allow: Collection[str]
) -> Iterator[str]:
    """Why a data step that may have added for rows is refused, unless ``allow`` says what to do."""
    if one.reached is None or not one.asks_for_adds or (one.edited and one.restart in allow):
        return
    said = [name for name in (repeat_name(one.step), skip_name(one.step)) if name in allow]
    if len(said) == 2:
        yield f"--allow {said[0]} and --allow {said[1]}: name one of them"
    if not said:
        yield f"{folder / revision.id}.py: {why_unknown(one.step, one.reached)}"


def why_unspread(
    steps: Iterable[DataStep], revision: Revision, folder: Path, rows: RowAccess
) -> Iterator[str]:
    """Why the workers of a runner cannot run ``steps`` of ``revision``."""
    for step in steps:
        why = step.unspread(rows)
        if why is not None:
            yield (
                f"{_place(_file(revision, folder), None, step)}: nothing was applied, because the data step {step.name} cannot run with --runner: "
                f"{why}: leave out --runner"
            )


def settle(one: StepState, revision: Revision, recorded: Recorded, allow: Collection[str]) -> Reached | None:
    """Where a data step resumes; None for the first row. If it was edited midway, ``allow`` decides.

    Raises what ``recorded`` raises.
    """
    if one.reached is None or not any(one.asks):
        return one.reached
    name = progress_name(revision, one.step)
    reached = recorded.progress(name)
    if (one.edited and one.restart in allow) or reached is None:
        # What the interrupted batch of a move may have written stays known.
        targets = () if reached is None else targets_of(recorded, name, reached)
        adds = reached is not None and reached.may_have_added
        recorded.record_progress(name, Reached(b"", 0, one.code, targets=targets, adds=adds))
        return None
    reached = attrs.evolve(reached, code=one.code)
    if not reached.adding:
        recorded.record_progress(name, reached)
        return reached
    return settle_adds(recorded, name, reached, skip=skip_name(one.step) in allow) or None


def run_steps(
    steps: Iterable[DataStep],
    revision: Revision,
    folder: Path,
    run_record: RunRecord,
    data: Data | None,
    allow: Collection[str] = (),
) -> Iterator[str]:
    """Run ``steps``, those of ``revision`` with code in ``folder``, in order, and yield the name of each finished step.

    Each step resumes where it stopped; where that is asked first, ``allow`` decides. Raises :class:`MigrationError`, with
    file and line, if the code fails, :class:`LockLost`, and :class:`btmodel.errors.ServerError`; what was written
    before stays.
    """
    path = _file(revision, folder)
    now = {state.step: state for state in standings(revision, run_record.history)}
    for step in steps:
        if data is None:
            raise MigrationError(f"{path}: {step.name} needs rows: `btmodel migrate` runs it")
        # Another run may have ended in this step since the plan was made.
        if why := [*why_asked(now[step.name], revision, folder, allow)]:
            raise MigrationError("\n".join(why))
        name, code = progress_name(revision, step.name), now[step.name].code
        recorded = FencedProgress(run_record)
        reached = settle(now[step.name], revision, recorded, allow)
        progress = progress_of(f"running {name}", run_record, data, reached)
        rows_of, spread = (
            FencedRows(data.rows, run_record),
            _spread(revision, folder, step, code, run_record, data),
        )
        try:
            rows = until_answered(
                partial(step.run, rows_of, recorded, name, progress, code, data.say, allow, spread),
                long=True,
            )
        except RunnerFailed:
            raise
        except MigrationError as error:
            raise placed(error, revision, folder, step) from error
        data.say(f"ran {name} over {counted(rows, 'row')}")
        yield name


@frozen
class Job:
    """A data step of a revision, for workers: they load its code, and write as long as the lock ``run`` is held."""

    revision: Revision
    folder: Path
    step: str
    code: str
    run: str

    def load(self) -> DataStep:
        """The step; raises :class:`MigrationError` where its code cannot be loaded, as what it imports is not there."""
        return next(one for one in load(self.revision, self.folder) if one.name == self.step)

    def work(self, step: DataStep, section: Section, rows: RowAccess, history: MigrationHistory) -> int:
        """Go on with a section, and return how many of its rows are done.

        Raises :class:`MigrationError`, with file and line, if the code fails, :class:`LockLost` and :class:`btmodel.errors.ServerError`.
        """
        lock = SeenLock(history.patient(), self.run)
        there = SectionRows(RepeatableRows(WorkerRows(rows, lock)), section.rows)
        go_on = partial(step.walked, there, WorkerProgress(lock), section.name, code=self.code)
        return self._patiently(step, go_on).rows

    def sums(self, step: DataStep, section: Section, rows: RowAccess, history: MigrationHistory) -> Sums:
        """What the rows of a section of both tables of a move add up to; raises like :meth:`work`."""
        return self._patiently(step, self._part(step, section, rows, history).sums)

    def repair(
        self, step: DataStep, section: Section, suspects: Suspects, rows: RowAccess, history: MigrationHistory
    ) -> None:
        """Make the rows of a section of both tables equal; raises like :meth:`work`."""
        self._patiently(step, partial(self._part(step, section, rows, history).repair, suspects))

    def _part(
        self, step: DataStep, section: Section, rows: RowAccess, history: MigrationHistory
    ) -> ComparedPart:
        assert isinstance(step, MoveStep)
        lock = SeenLock(history.patient(), self.run)
        return ComparedPart(RepeatableRows(WorkerRows(rows, lock)), step, section, WorkerProgress(lock))

    def _patiently(self, step: DataStep, work: Callable[[], T]) -> T:
        try:
            return until_answered(work, long=True)
        except MigrationError as error:
            raise placed(error, self.revision, self.folder, step) from error


def _spread(
    revision: Revision, folder: Path, step: DataStep, code: str, run_record: RunRecord, data: Data
) -> Spread | None:
    """How to run a step on the runner of ``data``; None without one. Raises :class:`MigrationError` without a lock."""
    if data.runner is None:
        return None
    if run_record.held is None:
        raise MigrationError(f"{step.name}: --runner: workers need the lock: leave out --without-lock")
    job = Job(revision, folder, step.name, code, run_record.held.id)
    runner = data.runner
    return Spread(runner.splits, partial(runner.run, job), partial(runner.compare, job))


@contextmanager
def stepping(
    revision: Revision, done: Sequence[Done], run: Sequence[str], history: MigrationHistory
) -> Iterator[None]:
    """If a data step fails in this block, say what is done, which steps have ``run``, and how far the next one is."""
    try:
        yield
    except (MigrationError, ServerError, LockLost, KeyboardInterrupt) as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        left = [progress_name(revision, step) for step in revision.data_steps][len(run) :]
        raise MigrationFailed(
            f"the tables of {revision.id} are there, and its data steps are not done",
            [*(one.change.name for one in done if not one.change.quiet), *run],
            left,
            (),
            partly=True,
            permitted=is_permitted(error),
            cause=why,
            reached=_so_far(left, history),
            wrong=fails_again(error),
        ) from error


def _so_far(left: Sequence[str], history: MigrationHistory) -> str:
    """How far the first of the steps that are ``left`` has come; empty if it has not begun or cannot be read."""
    try:
        reached = history.progress(left[0]) if left else None
    except (ServerError, MigrationError):
        return ""
    return f"{left[0]} has come to {reached}, and goes on after that" if reached else ""


# The workers of a runner may be threads of one process, and each loads the revision.
_LOADING = RLock()


def load(revision: Revision, folder: Path) -> tuple[DataStep, ...]:
    """Load the data steps of ``revision`` by running its code as a module of its own.

    Raises :class:`MigrationError`, with the place, if the code fails or does not define a data step.
    """
    if not revision.data_steps:
        return ()
    path = _file(revision, folder)
    module = ModuleType(f"btmodel_revision_{revision.id}")
    module.__file__ = str(path)
    with _LOADING:
        sys.modules[module.__name__] = module  # classes look up their own module
        try:
            with into(None):  # old models do not belong to the application
                exec(compile(revision.code, str(path), "exec"), module.__dict__)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # sys.exit() would end the run silently
            raise MigrationError(
                f"{_place(path, error)}: {raised(error)}; the data steps of {revision.id} cannot be loaded, without which it is not known what they change: "
                "correct the file, or what it imports; another import is accepted also of a revision that is applied"
            ) from error
        finally:
            del sys.modules[module.__name__]
    return tuple(_step(module, revision, name, path) for name in revision.data_steps)


def _file(revision: Revision, folder: Path) -> Path:
    return folder / f"{revision.id}.py"


def _step(module: ModuleType, revision: Revision, name: str, path: Path) -> DataStep:
    step = getattr(module, name, None)
    if not isinstance(step, DataStep):
        raise MigrationError(
            f'{path}: {name}: expected a function with @data_step(Model) or @data_step("TABLE"), got {shown(step)}'
        )
    if isinstance(step, RewriteStep) and step.model is not None:
        step = evolve(step, others=other_rows(revision.tables, schema_of(step.model)))
    return evolve(step, name=name)


def placed(error: MigrationError, revision: Revision, folder: Path, step: DataStep) -> MigrationError:
    """The error of a data step with its file, and the line of it that led to the error."""
    way = ""
    if isinstance(step, MoveStep) and not step.shared and isinstance(error.__cause__, UndecodableKey):
        way = (
            f": where that is a row of another model, write shared=True in the @move of each step of {step.table}, which leaves such rows out and counts "
            "them"
        )
    return MigrationError(f"{_place(_file(revision, folder), error.__cause__, step)}: {error}{way}")


def _place(path: Path, error: BaseException | None, step: DataStep | None = None) -> str:
    """The file and the last line in it that leads to ``error``; without one, the line of the function of ``step``."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    code = getattr(step.function, "__code__", None) if step is not None else None
    if code is not None and code.co_filename == str(path):
        lines = lines or [code.co_firstlineno]
    return f"{path}:{lines[-1]}" if lines else str(path)
