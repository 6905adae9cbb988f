# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Parts of a read in other processes, each with a connection of its own."""

import multiprocessing
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from btmodel.client.options import Options
from btmodel.client.row_streams import Stream
from btmodel.client.target import Target
from btmodel.errors import QueryRefused, ServerError, raised, reason
from btmodel.repository.lazy import OnError, Skipped, skipping, tell
from btmodel.repository.parts import PARTS, Part, What, packed, received, run, unpacked
from btmodel.rows import Parallel

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._sync.database import Database

_GIVEN, _ENDED, _FAILED = range(3)
# A process by spawn knows nothing of the threads, locks and connections here.
_SPAWN = multiprocessing.get_context("spawn")


def from_processes(
    rows: Any, db: "Database", what: What, parallel: Parallel, handler: OnError | None
) -> Stream[Any]:
    """What is read of the parts of ``rows``, a lazy read, by as many processes at once as ``parallel`` has workers.

    They end with the loop. Errors of rows that do not decode are raised, or given to the ``handler``. Raises :class:`QueryRefused` where a process could not know the model, and :class:`ServerError` where one ends early.
    """
    # Here, as they load Google's client.
    from btmodel.client._sync.reading import Gathering
    from btmodel.client.tasks import Tasks

    parts = rows._parts(None, parallel.workers * PARTS)
    tasks = Tasks()
    workers = _ReadProcesses(_opened(db.target, db.options), tasks.watch)
    sent = [_sent(part, what) for part in parts]
    streams = [partial(workers.read, one) for one in sent]
    gathering = Gathering(streams, tasks, parallel.workers, parallel.ordered)
    try:
        with closing(gathering.items()) as found:
            for some in found:
                for one in some:
                    if type(one) is Skipped:
                        tell(one.error, handler)
                    else:
                        yield one
    finally:
        workers.end()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """A block in which processes start with Ctrl-C held back, as a terminal sends it to them, too: they would print a traceback each while they import."""
    if sys.platform == "win32":  # which has no masks
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@define(eq=False)
class _Worker:
    """One process, and the pipe to it."""

    process: Any
    pipe: Any

    @classmethod
    def start(cls, opened: bytes) -> "_Worker":
        here, there = _SPAWN.Pipe()
        process = _SPAWN.Process(target=_serve, args=[there, opened], name="btmodel-part", daemon=True)
        with _interrupts_held():
            process.start()
        there.close()  # so that its end is noticed here
        return cls(process, here)

    def cancel(self) -> None:
        """End it, whatever it does."""
        self.process.kill()

    def end(self) -> None:
        """End it, and wait for it: it holds nothing but its connection."""
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def received(self) -> tuple[int, Any]:
        """What it says next; raises :class:`ServerError` where it has ended."""
        try:
            found: tuple[int, Any] = received(self.pipe)
        except (EOFError, OSError):
            self.process.join()
            raise ServerError(
                f"a process that read a part of a table ended with exit code {self.process.exitcode}; what it said is on stderr. "
                "If the program begins reading when it is imported, put that behind `if __name__ == '__main__':`"
            ) from None
        return found


@define(eq=False)
class _ReadProcesses:
    """Processes for one read: each reads one part after the other."""

    opened: bytes
    watch: Callable[[Any], Any]
    _idle: list[_Worker] = field(init=False, factory=list)
    _all: list[_Worker] = field(init=False, factory=list)

    def read(self, task: bytes) -> Stream[list[Any]]:
        """What a process reads of one part."""
        worker = self._idle.pop() if self._idle else self._started()
        worker.pipe.send_bytes(task)
        while True:
            kind, items = worker.received()
            if kind == _GIVEN:
                yield unpacked(items)
            elif kind == _ENDED:
                break
            else:
                raise items
        self._idle.append(worker)

    def _started(self) -> _Worker:
        worker = _Worker.start(self.opened)
        self._all.append(worker)
        self.watch(worker)
        return worker

    def end(self) -> None:
        """End all of them."""
        for worker in self._all:
            worker.cancel()
        for worker in self._all:
            worker.end()


def sent(rows: Any, what: What) -> Stream[list[Any]]:
    """What another process sends of a part: rows in batches, and in the place of those that do not decode their errors."""
    if what[0] == "cells_arrow":
        with closing(rows._cell_batches(what[1])) as found:
            for one in found:
                yield [one]
        return
    if what[0] != "arrow":
        plan, decoder = rows._asked_for(what)
        with closing(rows._db.read_batches(plan, skipping(decoder))) as several:
            for some in several:
                yield some.rows
        return
    _, names, most, skips = what
    errors: list[Any] = []
    read = rows.on_error(lambda error: errors.append(Skipped(error))) if skips else rows
    with closing(read._columns(names).batches(most)) as batches:
        for batch in batches:
            yield [*errors, batch]
            errors.clear()
    yield errors


def _opened(target: Target, options: Options) -> bytes:
    """What a process connects with."""
    try:
        return pickle.dumps((target.instance, target.address, evolve(options, on_call=None)))
    except Exception as error:
        raise QueryRefused(
            f"parallel: the options of the connection cannot be sent to other processes ({reason(error)}): give connect the path of a "
            "file of credentials"
        ) from None


def _sent(part: Part[Any], what: What) -> bytes:
    """What a process has to read."""
    model = part.model
    main = sys.modules.get("__main__")
    if model.__module__ != "__main__" or hasattr(main, "__file__"):
        try:
            return pickle.dumps((part, what))
        except Exception as error:
            why = f"({reason(error)})"
    else:
        why = "as no file holds it"
    raise QueryRefused(
        f"parallel: {model.__name__} cannot be sent to other processes {why}: declare the model in a module that they can "
        "import, and generate its repository there"
    )


def _serve(pipe: Connection, opened: bytes) -> None:
    """What a process does: read the parts that it is given, until the reader has stopped."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is ended by the process that reads
    try:
        run(_serve_parts, pipe, opened)
    except (EOFError, OSError):
        return


def _serve_parts(pipe: Connection, opened: bytes) -> None:
    from btmodel.client._sync.database import Database

    instance, host, options = pickle.loads(opened)
    with Database(Target(instance, host, options=options)) as db:
        while True:
            part, what = pickle.loads(pipe.recv_bytes())
            try:
                with closing(sent(part.read(db), what)) as several:
                    for items in several:
                        pipe.send((_GIVEN, packed(items)))
            except OSError:
                raise
            except Exception as error:
                pipe.send((_FAILED, _sendable(error)))
            else:
                pipe.send((_ENDED, None))


def _sendable(error: Exception) -> Exception:
    """An error as it can be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return ServerError(f"{raised(error)}")
    return error
