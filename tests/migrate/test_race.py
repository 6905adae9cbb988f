"""Many migrations of one instance at the same time."""

import os
import subprocess
import sys

from some_tables import ONE, QUOTE, TRADE, WEEK, table

from btmodel import emulator
from btmodel.client.admin import Admin
from btmodel.migrate import diff
from btmodel.schema import MaxVersions

PROCESSES = 6
THREADS = 5

DECLARED = (QUOTE, TRADE, *(table(f"T{number}", a=ONE, b=WEEK, c=None) for number in range(8)))
LIVE = (table("QUOTE", MD=WEEK & ONE), table("TRADE"), table("T1", b=MaxVersions(3)))
ALLOWED = ("tighten-gc:QUOTE.MD", "tighten-gc:T1.b")

# Reads the plan, waits for all the others to have read theirs, then applies it.
RACER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from btmodel.client.admin import Admin
from btmodel.migrate import apply, read_plan
from test_race import ALLOWED, DECLARED, THREADS

instance, host = sys.argv[1:]
ready = Barrier(THREADS + 1)
go = Barrier(THREADS + 1)

def race(_):
    with Admin(instance, host) as admin:
        plan = read_plan(admin, DECLARED, ALLOWED)
        ready.wait()
        go.wait()
        return sum(not done.found for done in apply(plan, admin))

with ThreadPoolExecutor(THREADS) as threads:
    racing = threads.map(race, range(THREADS))
    ready.wait()
    print("ready", flush=True)
    sys.stdin.readline()
    go.wait()
    print(sum(racing))
"""


def test_racing_migrations(server: emulator.Emulator, instance: str) -> None:
    """Thirty migrations in six processes all end well, and the tables are as declared."""
    with Admin(instance, server.host) as admin:
        for made in LIVE:
            admin.create_table(made)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        racers = [
            subprocess.Popen(
                [sys.executable, "-c", RACER, instance, server.host],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=environment,
            )
            for _ in range(PROCESSES)
        ]
        assert [racer.stdout.readline() for racer in racers if racer.stdout] == ["ready\n"] * PROCESSES
        for racer in racers:
            assert racer.stdin
            racer.stdin.write("go\n")
            racer.stdin.flush()
        ended = [racer.communicate(timeout=120) for racer in racers]
        assert [racer.returncode for racer in racers] == [0] * PROCESSES, ended
        assert diff(DECLARED, admin.read_tables()) == ()
        assert sum(int(out) for out, _ in ended) >= len(DECLARED)
