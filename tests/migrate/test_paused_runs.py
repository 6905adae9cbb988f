"""Runs that are paused while another takes their lock, and go on: they write nothing more, and record nothing."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen
from failing_proxy import failing
from grpc import StatusCode
from renamed_models import MARKET, QUOTE, Site, site, some_rows
from revised_project import Project

from btmodel import emulator
from btmodel.errors import MigrationFailed
from btmodel.migrate.data import Row, data_step, run_step
from btmodel.migrate.data.walks import BATCH_ROWS, FencedProgress, FencedRows
from btmodel.migrate.history import Reached
from btmodel.migrate.history import lock as locks
from btmodel.migrate.history.lock import LockLost, acquire
from btmodel.migrate.history.run_record import RunRecord
from btmodel.rows import Cell, Mutation, ReadPlan

ROWS = 7


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of two rows, and locks that are looked at each time."""
    assert BATCH_ROWS > ROWS
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 2)
    monkeypatch.setattr(locks, "_CERTAIN", 0.0)


@pytest.fixture
def there(server: emulator.Emulator, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        found.admin.create_table(QUOTE)
        found.write("QUOTE", some_rows(ROWS))
        yield found


def taken(there: Site, who: str) -> RunRecord:
    """The run_record of a run that takes the lock, the run that has it."""
    held = acquire(there.history, who, force=True)
    assert held is not None
    return RunRecord(there.history, who, held)


@frozen
class Paused:
    """Rows of a run that is paused before, or behind, its second write, while ``others`` are at it."""

    rows: Any
    others: Callable[[], None]
    behind: bool
    calls: list[str] = field(factory=list)

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        yield from self.rows.read(plan)

    def write_many(self, table: str, mutations: Iterable[Mutation], permit: Any = None) -> int:
        self.calls.append(table)
        if len(self.calls) == 2 and not self.behind:
            self.others()
        written: int = self.rows.write_many(table, mutations, permit=permit)
        if len(self.calls) == 2 and self.behind:
            self.others()
        return written


@data_step("QUOTE")
def seen(row: Any) -> Mutation:
    return Mutation("QUOTE", row.key, [Cell("MD", b"SEEN", 5_000, b"")])


def run(run_record: RunRecord, rows: Any) -> int:
    return run_step(FencedRows(rows, run_record), FencedProgress(run_record), seen, "r/seen")


def have_seen(there: Site) -> list[bytes]:
    return [key for key, cells in there.cells("QUOTE").items() if any(c.qualifier == b"SEEN" for c in cells)]


def test_the_lock_is_looked_at_before_each_write(there: Site) -> None:
    """A run that lost its lock while it worked on a batch does not write it."""

    def slow(row: Any) -> Mutation:
        if row.key == b"00002":
            taken(there, "bob")
        return seen.function(row)  # type: ignore[return-value]

    run_record = taken(there, "ann")
    step = data_step("QUOTE")(slow)
    with pytest.raises(LockLost):
        run_step(FencedRows(there.rows, run_record), FencedProgress(run_record), step, "r/seen")
    assert have_seen(there) == [b"00000", b"00001"]


@pytest.mark.parametrize("behind", [False, True])
def test_nothing_is_recorded_once_the_lock_is_lost(there: Site, behind: bool) -> None:
    """What a paused run would record when another has ended and the step begins anew is not there: no row is passed over."""

    def others() -> None:
        bob = taken(there, "bob")
        assert run(bob, there.rows) == ROWS
        there.history.end_progress("r/seen")

    with pytest.raises(LockLost):
        run(taken(there, "ann"), Paused(there.rows, others, behind))
    assert there.history.progress("r/seen") is None
    assert run(taken(there, "cid"), there.rows) == ROWS


def test_what_is_recorded_is_fenced_by_itself(there: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a run that is paused between its look at the lock and its record is refused, by the record alone."""
    ann, bob = taken(there, "ann"), taken(there, "bob")
    monkeypatch.setattr(locks.HeldLock, "check", lambda held: None)
    of_ann, of_bob = FencedProgress(ann), FencedProgress(bob)
    assert of_ann.progress("s") is None
    of_ann.record_progress("s", Reached(b"1", 1))
    assert of_bob.progress("s") == Reached(b"1", 1, run=bob.held.id)  # type: ignore[union-attr]
    with pytest.raises(LockLost, match="another run has taken over s"):
        of_ann.record_progress("s", Reached(b"2", 2))
    of_bob.record_progress("s", Reached(b"3", 3))
    there.history.end_progress("s")
    with pytest.raises(LockLost):
        of_ann.record_progress("s", Reached(b"2", 2))
    assert there.history.progress("s") is None


def test_a_run_that_goes_on_takes_over_what_is_recorded(there: Site) -> None:
    """Progress with a lock of before, or with none, is gone on with, whether or not a row was dealt with."""
    for before in (Reached(b"00003", 4), Reached(b"00003", 4, "", "gone"), Reached(b"", 0, "", "gone")):
        there.history.record_progress("r/seen", before)
        run_record = taken(there, "bob")
        assert run(run_record, there.rows) == ROWS
        assert there.history.progress("r/seen").run == run_record.held.id  # type: ignore[union-attr]
    unlocked = RunRecord(there.history, "eve")
    assert run(unlocked, there.rows) == ROWS


@pytest.mark.parametrize("read", [1, 2])
def test_a_copy_stops_where_the_lock_is_lost(there: Site, read: int) -> None:
    """While it copies, and while it copies what comparing found, a run writes nothing that it has no lock for."""

    @frozen
    class Losing:
        rows: Any
        reads: list[ReadPlan] = field(factory=list)
        late: list[str] = field(factory=list)

        def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
            self.reads.append(plan)
            if len(self.reads) == 2:  # copied, and about to be compared
                there.write("QUOTE", {b"00000": [Cell("MD", b"LATE", 9_000, b"")]})
            for row in self.rows.read(plan):
                yield row
                if len(self.reads) == read and row[0] == b"00001":
                    taken(there, "bob")
                    self.late.append("lost")

        def write_many(self, table: str, mutations: Iterable[Mutation], permit: Any = None) -> int:
            if self.late:
                self.late.append(table)
            written: int = self.rows.write_many(table, mutations, permit=permit)
            return written

    rows = Losing(there.rows)
    with pytest.raises(MigrationFailed, match="another run took the lock"):
        there.apply(MARKET, rows=rows)
    assert rows.late == ["lost"]


def test_what_a_forgotten_copy_had_reached_goes_with_it(there: Site) -> None:
    """The progress of a copy that was killed, and is not declared any more, is forgotten with the copy."""

    class Killed(Exception):
        pass

    def end() -> None:
        raise Killed

    with pytest.raises(Killed):
        there.apply(MARKET, rows=Paused(there.rows, end, behind=False))
    assert there.history.progress("copy QUOTE.MD to QUOTE.market")
    there.apply(QUOTE, allow=("drop-family:QUOTE.market",))
    assert there.history.copies() == ()
    assert there.history.progress("copy QUOTE.MD to QUOTE.market") is None


FILL = """
from btmodel.migrate import Cell, Mutation, data_step

@data_step("QUOTE")
def fill(row):
    assert row.key != b"00004"
    return Mutation("QUOTE", row.key, [Cell("MD", b"SEEN", 5_000, b"")])
"""


def test_a_way_back_forgets_steps_that_are_half_way(project: Project, server: Any, instance: str) -> None:
    """A step that failed half-way begins at the first row where the revisions below it were rolled back in between."""
    project.done("new", "quotes")
    project.done("apply", "--yes")
    project.done("new", "fill", "--data-step", "fill")
    (project.migrations / "0002_fill.py").write_text(FILL)
    with site(instance, server.host) as there:
        rows = partial(there.write, "QUOTE", some_rows(ROWS))
        rows()
        assert "has come to row b'00003'" in project.refused("apply", "--yes")
        names = ("--allow", "drop-table:QUOTE", "--allow", "data-step:fill")
        project.done("rollback", "--yes", *names)
        assert there.history.progress("0002_fill/fill") is None


def test_of_a_stopped_run_one_request_comes_late(server: emulator.Emulator, there: Site) -> None:
    """Stopped between its look at the lock and its write, a process sends that one batch when it goes on, and nothing else."""
    program = Path(__file__).with_name("stopped_run.py")
    path = os.pathsep.join([*sys.path, str(program.parent)])
    process = subprocess.Popen(
        [sys.executable, str(program), server.host, there.admin.instance],
        env={**os.environ, "PYTHONPATH": path},
    )
    try:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        bob = taken(there, "bob")
        assert run(bob, there.rows) == ROWS
        reached = there.history.progress("r/seen")
        there.write("QUOTE", {b"00009": [Cell("MD", b"BID", 1_000, b"")]})
        for key in have_seen(there):  # as the application may, once the step has ended
            there.rows.delete("QUOTE", key)
        process.send_signal(signal.SIGCONT)
        assert process.wait(30) == 3
    finally:
        process.kill()
        process.wait()
    assert have_seen(there) == [b"00002", b"00003"]
    assert there.history.progress("r/seen") == reached


def test_what_is_sent_again_is_sent_with_the_lock(instance: str, server: emulator.Emulator) -> None:
    """A write that the server does not take for now is not tried on once the lock is lost."""
    refused: list[str] = []

    def fault(call: str) -> tuple[StatusCode, bool] | None:
        if not call.endswith("/MutateRows"):
            return None
        if not refused:
            with site(instance, server.host) as other:
                taken(other, "bob")
        refused.append(call)
        return StatusCode.UNAVAILABLE, False

    with failing(server.host, fault) as host, site(instance, server.host) as there:
        there.admin.create_table(QUOTE)
        there.write("QUOTE", some_rows(1))
        with site(instance, host) as behind, pytest.raises(LockLost):
            run(taken(behind, "ann"), behind.rows)
        assert have_seen(there) == []
    assert len(refused) == 1
