"""What it costs to begin: importing btmodel, declaring a model, and its command line's help.

With bytecode at hand, as users have it from the second start on.
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping

from tests.bench.speed.contest import Lap, Outcome

NOTHING = "python, nothing imported"
ATTRS = "import attrs"
BTMODEL = "import btmodel"
DECLARED = "a model of three columns"
HELP = "btmodel --help"
_MODEL = """
import btmodel as bt

class Quote(bt.Model, table="QUOTE"):
    symbol: str = bt.key(bt.Text(width=6))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: float = bt.column("BID", md)
    size: int = bt.column("SIZE", md)
    venue: str | None = bt.column("VENUE", md, default=None)
"""
PROGRAMS = {
    NOTHING: "pass",
    ATTRS: "import attrs",
    BTMODEL: "import btmodel",
    DECLARED: _MODEL,
    HELP: "import sys; sys.argv = ['btmodel', '--help']; from btmodel.cli import main; main()",
}


def starts(rounds: int) -> Outcome:
    """Processes of each kind, in turn."""
    laps: dict[str, list[Lap]] = {name: [] for name in PROGRAMS}
    for number in range(rounds + 1):
        for name, program in PROGRAMS.items():
            lap = _process(program)
            if number:  # the first one fills the caches, and writes bytecode
                laps[name].append(lap)
    return Outcome("starts of a process", 1, laps)


def loaded() -> Mapping[str, bool]:
    """Whether ``import btmodel`` loads any of what is large."""
    names = ("grpc", "google.protobuf", "google.cloud.bigtable", "asyncio", "attrs")
    program = f"import sys, btmodel; print(*(name in sys.modules for name in {names!r}))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return dict(zip(names, (word == "True" for word in ran.stdout.split()), strict=True))


def _writing_bytecode() -> dict[str, str]:
    """The environment, without what keeps Python from writing bytecode: else each start compiles all anew."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _process(program: str) -> Lap:
    """What a process took, from its start to its end; its processor time is its own."""
    wall = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.DEVNULL, env=_writing_bytecode()
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    assert status == 0, program
    return Lap(time.perf_counter() - wall, used.ru_utime + used.ru_stime)
