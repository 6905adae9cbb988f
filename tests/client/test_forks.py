"""Processes that are forked: connecting after a fork works, and using a connection across one is an error that says so."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from btmodel import emulator
from tests.forked_commands import Commands

ROOT = Path(__file__).parents[2]
# gRPC must be used before the fork, and the process must be one of its own, in which nothing has used it yet.
SCRIPT = """
import asyncio, os, sys, traceback
import btmodel as bt
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes, the_message

INSTANCE = sys.argv[2]
KEY = ("NASDAQ", "ZXZZT", QUOTE_TIME)

def forked(work):
    child = os.fork()
    if child == 0:
        try:
            print(work(), flush=True)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.waitpid(child, 0)

def read(db):
    return "read" if QuoteRepository(db).get(*KEY) == the_message()[0] else "other"

def error(work):
    try:
        return work()
    except bt.ServerError as error:
        return str(error)

def anew():
    with bt.connect(INSTANCE) as db:
        return read(db)

async def awaited():
    async with bt.connect_async(INSTANCE) as db:
        row = await AsyncQuoteRepository(db).get(*KEY)
        return "read" if row == the_message()[0] else "other"

def blocking():
    with bt.connect(INSTANCE) as db:
        bt.create_tables(db, Quote)
        QuoteRepository(db).put(the_message()[0])
        forked(anew)
        forked(lambda: error(lambda: read(db)))
        def left():
            with db:
                pass
            return "left"
        forked(left)
        print(read(db), flush=True)

def asynchronous():
    asyncio.run(awaited())
    forked(lambda: error(lambda: asyncio.run(awaited())))

def unused():
    db = bt.connect(INSTANCE)
    forked(lambda: error(lambda: read(db)))
    forked(lambda: asyncio.run(awaited()))

def under_way():
    with bt.connect(INSTANCE) as db, bt.connect(INSTANCE, data_plane="client") as other:
        bt.create_tables(db, Quote)
        QuoteRepository(db).put_many(made_up_quotes(6_000))
        reads = QuoteRepository(db).by_symbol("NASDAQ", "ZXZZT")
        for read in (reads.parallel(3), reads, QuoteRepository(other).by_symbol("NASDAQ", "ZXZZT")):
            rows = iter(read)
            next(rows)
            forked(lambda: error(lambda: len(list(rows))))
            print(len(list(rows)), flush=True)

{"under_way": under_way, "blocking": blocking, "asynchronous": asynchronous, "unused": unused}[sys.argv[1]]()
"""


@pytest.fixture
def run(tmp_path: Path, commands: Commands, server: emulator.Emulator) -> Callable[[str, str], list[str]]:
    """Runs a part of the script; the lines that it prints."""
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {**os.environ, emulator.VARIABLE: server.host, "PYTHONPATH": str(ROOT)}

    def run_(which: str, instance: str) -> list[str]:
        done = commands.program(tmp_path / "script.py", [which, instance], ROOT, environment)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
        return done.stdout.splitlines()

    return run_


@pytest.fixture(scope="module")
def instance() -> str:
    """An instance of their own."""
    return "projects/btmodel/instances/forks"


def test_connections_and_forks(instance: str, run: Callable[[str, str], list[str]]) -> None:
    """A child connects anew; a connection of its parent is refused there, and closing it there leaves it open for the parent."""
    anew, across, left, parent = run("blocking", instance)
    assert (anew, left, parent) == ("read", "left", "read")
    assert across.startswith("this connection was opened in process ")
    assert "connect in each process, after the fork" in across
    across, anew = run("unused", instance)
    assert across.startswith("this connection was opened in process ")
    assert anew == "read"
    [told] = run("asynchronous", instance)
    assert "had used a connection of connect_async: gRPC hangs or crashes in such a process" in told


def test_a_read_that_is_under_way_is_not_continued_in_a_fork(run: Callable[[str, str], list[str]]) -> None:
    """A child gets an error that says so, and does not wait for threads that it does not have; the parent reads on."""
    lines = run("under_way", "projects/btmodel/instances/under-way")
    told, rest = lines[::2], lines[1::2]
    assert len(told) == 3
    assert all("was forked from" in one for one in told), told
    assert rest == ["2999"] * 3
