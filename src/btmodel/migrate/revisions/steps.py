"""Data steps: the functions of a revision that change rows, once its tables are there."""

import sys
import traceback
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

from attrs import evolve

from btmodel.counted import counted
from btmodel.declare.collected import into
from btmodel.errors import MigrationError, shown
from btmodel.migrate.books import Books
from btmodel.migrate.copying import Data, telling
from btmodel.migrate.data import DataStep, run_step
from btmodel.migrate.fenced import FencedProgress, FencedRows
from btmodel.migrate.revisions.resuming import progress_name, settle, standings
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.waiting import until_answered


def run(
    steps: Iterable[DataStep],
    revision: Revision,
    folder: Path,
    books: Books,
    data: Data | None,
    allow: Collection[str] = (),
) -> Iterator[str]:
    """Run ``steps``, those of ``revision``, whose code is in ``folder``, in order, and give the name of each that is run.

    Each goes on where it stopped before; one that was edited since, as ``allow`` says. Raises :class:`MigrationError`,
    with the file and the line, for code that fails, :class:`LeaseLost`, and
    :class:`btmodel.errors.ServerError`; what was written before stays.
    """
    path = _file(revision, folder)
    now = {one.step: one for one in standings(revision, books.journal)}
    for step in steps:
        if data is None:
            raise MigrationError(f"{path}: {step.name} needs rows: `btmodel migrate` runs it")
        name, code = progress_name(revision, step.name), now[step.name].code
        recorded = FencedProgress(books)
        reached = settle(now[step.name], revision, recorded, allow)
        told = telling(f"running {name}", books, data, reached)
        try:
            rows = until_answered(
                partial(run_step, FencedRows(data.rows, books), recorded, step, name, told, code), long=True
            )
        except MigrationError as error:
            raise MigrationError(f"{_place(path, error.__cause__, step)}: {error}") from error
        data.say(f"ran {name} over {counted(rows, 'row')}")
        yield name


def load(revision: Revision, folder: Path) -> tuple[DataStep, ...]:
    """The data steps of ``revision``: its code is run, as it was read, as a module of its own name.

    Raises :class:`MigrationError`, with the place and nothing applied, for code that fails, and for what is no data step.
    """
    if not revision.data_steps:
        return ()
    path = _file(revision, folder)
    module = ModuleType(f"btmodel_revision_{revision.id}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # classes look for their own module
    try:
        with into(None):  # models of the past are none of the application's
            exec(compile(revision.code, str(path), "exec"), module.__dict__)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # sys.exit() would end the run without a word
        raise MigrationError(f"{_place(path, error)}: {type(error).__name__}: {error}") from error
    finally:
        del sys.modules[module.__name__]
    return tuple(_step(module, name, path) for name in revision.data_steps)


def forget(revision: Revision, books: Books) -> None:
    """Forget how far the data steps of ``revision`` are; raises :class:`btmodel.errors.ServerError`."""
    for name in revision.data_steps:
        books.journal.end_progress(progress_name(revision, name))


def _file(revision: Revision, folder: Path) -> Path:
    return folder / f"{revision.id}.py"


def _step(module: ModuleType, name: str, path: Path) -> DataStep:
    found = getattr(module, name, None)
    if not isinstance(found, DataStep):
        raise MigrationError(
            f'{path}: {name}: wanted a function with @data_step(Model) or @data_step("TABLE"), got {shown(found)}'
        )
    return evolve(found, name=name)


def _place(path: Path, error: BaseException | None, step: DataStep | None = None) -> str:
    """The file, and the last line of it on the way to ``error``; else that of the function of ``step``."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    code = getattr(step.function, "__code__", None) if step is not None else None
    if code is not None and code.co_filename == str(path):
        lines = lines or [code.co_firstlineno]
    return f"{path}:{lines[-1]}" if lines else str(path)
