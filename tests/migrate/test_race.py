"""Many migrations of one instance at the same time."""

import os
import sys
from pathlib import Path

from some_tables import ONE, QUOTE, TRADE, WEEK, table

from btmodel import emulator
from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate import diff
from btmodel.schema import MaxVersions
from tests.forked_commands import Commands

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
    plan = read_plan(admin, DECLARED, ALLOWED, history.snapshot())
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


def raced(
    commands: Commands, folder: Path, instance: str, host: str, how: str, threads: list[int]
) -> list[tuple[int, str]]:
    """How many changes each client made, and who it says made the rest, of clients in as many processes as numbers."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    (folder / "racer.py").write_text(RACER)
    arguments = [str(folder / "racer.py"), instance, host, how, *map(str, threads)]
    (stdin, go), (told_by, stdout) = os.pipe(), os.pipe()
    racers = commands.started(arguments, folder, environment, [stdin, stdout, 2])
    os.close(stdin)
    os.close(stdout)
    with open(told_by) as out, open(go, "w") as start:
        assert [out.readline() for _ in threads] == ["ready\n"] * len(threads)
        start.write("!" * len(threads))
        start.flush()
        told = [line.rstrip("\n").split(" ", 1) for line in out]
    assert racers.wait(120) == 0
    return [(int(made), by) for made, by in told]


def prepare(instance: str, host: str) -> None:
    """Some tables that are not as declared; others are not there."""
    with Admin(Target(instance, host)) as admin:
        for made in LIVE:
            admin.create_table(made)


def test_of_a_hundred_one_applies(instance: str, commands: Commands, tmp_path: Path) -> None:
    """Of a hundred clients in eight processes one makes every change, and all others say that it was that one."""
    with local_server.start() as server:
        prepare(instance, server.host)
        told = raced(commands, tmp_path, instance, server.host, "locked", [13, 13, 13, 13, 12, 12, 12, 12])
        assert len(told) == 100
        ((changes, winner),) = [(made, by) for made, by in told if made]
        assert changes == 13
        assert {by for _, by in told} == {winner}
        with Admin(Target(instance, server.host)) as admin:
            assert diff(DECLARED, admin.read_tables()) == ()


def test_without_the_lock(
    server: emulator.Emulator, instance: str, commands: Commands, tmp_path: Path
) -> None:
    """Without the lock some make this and some that, or the same at once; all end well, and the tables are as declared."""
    prepare(instance, server.host)
    told = raced(commands, tmp_path, instance, server.host, "without", [6, 6])
    assert len(told) == 12
    assert sum(made for made, _ in told) >= len(DECLARED)
    with Admin(Target(instance, server.host)) as admin:
        assert diff(DECLARED, admin.read_tables()) == ()
