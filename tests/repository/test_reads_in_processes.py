"""Other processes read the parts of a read, and give the same rows; nothing of them is left."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from notes import Note, generated

import btmodel as bt
from btmodel.errors import QueryRefused, ServerError, UndecodableCell
from btmodel.repository._async.processes import _Worker
from btmodel.rows import Cell, Mutation
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteRepository
from examples.market import Quote, made_up_quotes

ROOT = Path(__file__).parents[2]
ROWS = sorted(made_up_quotes(3_000), key=bt.key_of)
SYMBOLS = sorted({(row.exchange, row.symbol) for row in ROWS})


@pytest.fixture
def quotes(bigtable: Callable[..., bt.Database]) -> QuoteRepository:
    """Some rows."""
    repository = QuoteRepository(bigtable(Quote))
    repository.put_many(ROWS)
    return repository


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def every(quotes: Any) -> Any:
    """A read of several ranges, which is all rows."""
    exchanges, symbols = ({one[at] for one in SYMBOLS} for at in (0, 1))
    return quotes.by_symbol(exchanges, symbols)


@pytest.mark.usefixtures("preloaded_processes")
def test_rows_keys_and_columns_come_in_order(quotes: QuoteRepository) -> None:
    """The same, and the same again."""
    read = every(quotes)
    parallel = read.parallel(processes=2)
    assert list(parallel) == list(read) == ROWS
    assert list(parallel.keys()) == list(read.keys())
    assert list(parallel.stored()) == list(read.stored())
    assert parallel.to_arrow() == read.to_arrow()
    assert parallel.to_arrow(["bid"]).column_names == ["bid"]
    some = list(parallel.only("bid").where(bid_size=500))
    assert some == list(read.only("bid").where(bid_size=500))
    assert parallel.count() == len(ROWS)


def test_rows_come_once_in_any_order_and_the_loop_may_be_left(quotes: QuoteRepository) -> None:
    """No process goes on for rows that nobody wants."""
    read = every(quotes).parallel(processes=2, ordered=False)
    assert sorted(read, key=bt.key_of) == ROWS
    rows = iter(read)
    next(rows)
    assert multiprocessing.active_children() != []
    rows.close()


@pytest.mark.usefixtures("preloaded_processes")
def test_rows_that_do_not_decode_are_told(quotes: QuoteRepository) -> None:
    """Raised behind those in front of them, or given to the handler: of rows and of columns."""
    wrong = bt.key_of(ROWS[1_500])
    quotes._db.write(Mutation("QUOTE", wrong, [Cell("MD", b"BID", 4 * 10**15, b"x")]))
    read = every(quotes).parallel(processes=2)
    came = []
    with pytest.raises(UndecodableCell) as raised:
        came.extend(read)
    assert raised.value.key == wrong
    with pytest.raises(UndecodableCell):
        read.to_arrow()
    errors: list[Any] = []
    told = read.on_error(errors.append)
    assert len(list(told)) == told.to_arrow().num_rows == len(ROWS) - 1
    assert [error.key for error in errors] == [wrong, wrong]


@pytest.mark.usefixtures("preloaded_processes")
def test_asynchronous_reads_use_processes(quotes: QuoteRepository) -> None:
    """Rows, columns, and a loop that is left."""

    async def reading() -> tuple[list[Any], int]:
        async with bt.connect_async(quotes._db.target.instance) as db:
            read = every(AsyncQuoteRepository(db)).parallel(processes=2)
            rows = [row async for row in read]
            table = await read.to_arrow()
            async for _ in read:
                break
            return rows, table.num_rows

    assert asyncio.run(reading()) == (ROWS, len(ROWS))


def test_reads_and_models_that_cannot_travel_are_refused(
    quotes: QuoteRepository, database: Callable[..., bt.Database]
) -> None:
    """With what to do instead."""
    read = every(quotes)
    for wrong in (
        lambda: read.limit(3).parallel(processes=2),
        lambda: read.parallel(processes=2).backwards(),
    ):
        with pytest.raises(QueryRefused, match="leave out limit"):
            wrong()
    for number in (0, 65, True, "2"):
        with pytest.raises(QueryRefused, match="expected from 1 to 64 processes"):
            read.parallel(processes=number)
    notes = generated(Note).NoteRepository(database(Note))
    notes.put(Note(tenant="a", name="b", title="x", tags=set(), scores={}))
    with pytest.raises(QueryRefused, match="Note cannot be sent to other processes"):
        list(notes.all_notes().parallel(processes=2))


@pytest.mark.usefixtures("preloaded_processes")
def test_a_process_that_dies_is_told(quotes: QuoteRepository) -> None:
    """The read fails, and the others end."""
    rows = iter(every(quotes).parallel(processes=2))
    next(rows)
    for child in multiprocessing.active_children():
        child.kill()
    with pytest.raises(ServerError, match="ended with exit code -9"):
        list(rows)


SCRIPT = dedent(
    """
    import os, signal, sys, time
    import btmodel as bt
    from examples.generated.quote_repository import QuoteRepository

    def main():
        with bt.connect(sys.argv[1]) as db:
            rows = iter(QuoteRepository(db).by_symbol(["NASDAQ", "NYSE"], ["ZXZZT", "IBM"]).parallel(processes=2))
            next(rows)
            print("reading", flush=True)
            time.sleep(60)

    {guard}
    """
)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_program_leaves_no_process(
    quotes: QuoteRepository, tmp_path: Path, end: signal.Signals
) -> None:
    """Whatever ends it, its processes end as well."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("{guard}", "if __name__ == '__main__':\n    main()"))
    with started(script, quotes) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "reading\n"
        group = os.getpgid(program.pid)
        os.kill(program.pid, end)
        program.wait(timeout=30)
        for _ in range(100):
            if not members(group):
                break
            time.sleep(0.1)
        assert members(group) == []


def test_a_program_that_reads_when_it_is_imported_is_told(quotes: QuoteRepository, tmp_path: Path) -> None:
    """Instead of starting processes without end."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("{guard}", "main()"))
    with started(script, quotes) as program:
        _, said = program.communicate(timeout=60)
    assert "put that behind `if __name__ == '__main__':`" in said


def started(script: Path, quotes: QuoteRepository) -> "subprocess.Popen[str]":
    """A program in a group of its own."""
    return subprocess.Popen(
        [sys.executable, script, quotes._db.target.instance],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def members(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="masks of processes are read from /proc")
def test_a_process_starts_with_ctrl_c_held_back() -> None:
    """A terminal sends it to all processes: one that still imports would print a traceback."""
    worker = _Worker.start(b"")
    try:
        status = Path(f"/proc/{worker.process.pid}/status").read_text()
    finally:
        worker.end()
    masks = [line.split()[1] for line in status.splitlines() if line.startswith("SigBlk:")]
    assert int(masks[0], 16) >> (signal.SIGINT - 1) & 1
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
