"""Many migrations of one instance at the same time."""

import os
import subprocess
import sys

from some_tables import ONE, QUOTE, TRADE, WEEK, table

from btmodel import emulator
from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate import diff
from btmodel.schema import MaxVersions

DECLARED = (QUOTE, TRADE, *(table(f"T{number}", a=ONE, b=WEEK, c=None) for number in range(8)))
LIVE = (table("QUOTE", MD=WEEK & ONE), table("TRADE"), table("T1", b=MaxVersions(3)))
ALLOWED = ("tighten-gc:QUOTE.MD", "tighten-gc:T1.b")

# A process for each number, forked from one that has loaded everything. Each of its threads, who share a connection, reads the
# plan; when all have read theirs, which the process says, and it is told to go on, they apply it.
RACER = """
import os, sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from killed_runs import forked_at_once, load_for_migrations
from btmodel.client._sync.database import Database
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate import apply, read_plan
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.history.lock import me
from btmodel.migrate.applying.stages import Stage, apply_stages, authors
from test_race import ALLOWED, DECLARED

instance, host, locked = sys.argv[1], sys.argv[2], sys.argv[3] == "locked"

def race(admin, database, number, ready, go):
    by = f"{me()}/{number}"
    history = MigrationHistory(admin, database)
    plan = read_plan(admin, DECLARED, ALLOWED, history)
    ready.wait()
    go.wait()
    done = apply_stages([Stage(plan)], admin, history, by) if locked else apply(plan, admin)
    made = sum(not one.found for one in done)
    return made, by if made else "+".join(authors(history, done, by))

def racer(count):
    ready, go = Barrier(count + 1), Barrier(count + 1)
    connected = Admin(Target(instance, host)), Database(Target(instance, host))
    with connected[0] as admin, connected[1] as database, ThreadPoolExecutor(count) as threads:
        racing = threads.map(lambda number: race(admin, database, number, ready, go), range(count))
        ready.wait()
        os.write(1, b"ready\\n")
        assert os.read(0, 1) == b"!"
        go.wait()
        # At once: others write to the same pipe.
        os.write(1, "".join(f"{made} {by}\\n" for made, by in racing).encode())
    return 0

load_for_migrations()
sys.exit(forked_at_once(racer, map(int, sys.argv[4:])))
"""


def raced(instance: str, host: str, how: str, threads: list[int]) -> list[tuple[int, str]]:
    """How many changes each client made, and who it says made the rest, of clients in as many processes as numbers."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    racers = subprocess.Popen(
        [sys.executable, "-c", RACER, instance, host, how, *map(str, threads)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert racers.stdout
    assert [racers.stdout.readline() for _ in threads] == ["ready\n"] * len(threads)
    out, err = racers.communicate("!" * len(threads), timeout=120)
    assert racers.returncode == 0, err
    told = [line.split(" ", 1) for line in out.splitlines()]
    return [(int(made), by) for made, by in told]


def prepare(instance: str, host: str) -> None:
    """Some tables that are not as declared; others are not there."""
    with Admin(Target(instance, host)) as admin:
        for made in LIVE:
            admin.create_table(made)


def test_of_a_hundred_one_applies(instance: str) -> None:
    """Of a hundred clients in eight processes one makes every change, and all others say that it was that one."""
    with local_server.start() as server:
        prepare(instance, server.host)
        told = raced(instance, server.host, "locked", [13, 13, 13, 13, 12, 12, 12, 12])
        assert len(told) == 100
        ((changes, winner),) = [(made, by) for made, by in told if made]
        assert changes == 13
        assert {by for _, by in told} == {winner}
        with Admin(Target(instance, server.host)) as admin:
            assert diff(DECLARED, admin.read_tables()) == ()


def test_without_the_lock(server: emulator.Emulator, instance: str) -> None:
    """Without the lock some make this and some that, or the same at once; all end well, and the tables are as declared."""
    prepare(instance, server.host)
    told = raced(instance, server.host, "without", [6, 6])
    assert len(told) == 12
    assert sum(made for made, _ in told) >= len(DECLARED)
    with Admin(Target(instance, server.host)) as admin:
        assert diff(DECLARED, admin.read_tables()) == ()
