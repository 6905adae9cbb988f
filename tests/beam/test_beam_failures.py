"""What fails on a runner is reported as for a local run, and the next run goes on."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pipelines import IN_MEMORY, THREADS
from renamed_models import Site, site
from revised_project import QUOTE, Project

from btmodel import emulator
from btmodel.beam.failures import marked, said_in
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.rows import Cell

STEP = """
from pathlib import Path
from btmodel.migrate import Cell, Mutation, data_step

def checked(row):
    if row.key == b"00700" and Path("broken").exists():
        raise ValueError("no venue")

@data_step("QUOTE")
def fill(row):
    checked(row)
    return Mutation("QUOTE", row.key, [Cell("MD", b"SEEN", 5_000, b"")])
"""
LINE = 1 + STEP.split("\n").index('        raise ValueError("no venue")')
DONE = "ran 0002_fill/fill over 1,200 rows\n"
AFTER_500 = "0002_fill/fill has come to 500 rows in 1 section, and goes on after that"
DIRECT = ("--runner=DirectRunner",)
HERE = {"in memory": IN_MEMORY, "threads": THREADS, "direct": DIRECT}


@pytest.fixture
def there(server: emulator.Emulator, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        yield found


@pytest.fixture
def project(
    server: emulator.Emulator, instance: str, there: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Project:
    """A project with a data step to run over 1,200 quotes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
    made = Project(tmp_path, instance)
    made.declare(QUOTE)
    made.done("new", "quotes")
    made.done("apply", "--yes")
    there.write("QUOTE", {b"%05d" % row: [Cell("MD", b"BID", 5_000, b"\0" * 8)] for row in range(1_200)})
    made.done("new", "fill", "--data-step", "fill")
    (made.migrations / "0002_fill.py").write_text(STEP)
    return made


def begun(*flags: str) -> subprocess.Popen[str]:
    """``btmodel migrate apply`` in a process of its own."""
    options = [flags[0], "--", *flags[1:]] if flags else []
    return subprocess.Popen(
        [sys.executable, "-m", "btmodel", "migrate", "apply", "--yes", *options],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(run: subprocess.Popen[str]) -> tuple[str, list[str]]:
    """What a run that fails has printed: its stdout, and the lines of stderr but for which server it is."""
    out, err = run.communicate(timeout=120)
    assert run.returncode == 1, (out, err)
    return out, [line for line in err.splitlines() if not line.startswith("server: ")]


@pytest.mark.parametrize("flags", [(), *HERE.values()], ids=["here", *HERE])
def test_a_step_that_raises_on_a_runner(project: Project, flags: tuple[str, ...]) -> None:
    """One error names the file, the line, the row and how far the step has come, and Beam prints nothing; the next run goes on."""
    Path("broken").touch()
    out, [error] = ended(begun(*flags))
    assert error.startswith(
        "error: the tables of 0002_fill are there, and its data steps are not done: "
        f"migrations/0002_fill.py:{LINE}: fill: raised ValueError at row b'00700' of 'QUOTE': no venue; 0002_fill/fill has come to "
    )
    assert not flags or AFTER_500 in error
    assert "ran " not in out
    Path("broken").unlink()
    again = (flags[0], "--", *flags[1:]) if flags else ()
    assert DONE in project.done("apply", "--yes", *again)


SAID = "0002_fill.py:9: fill: raised ValueError at row b'\"\\\\' of 'QUOTE': Zürich \" \\ \n(here)"


@pytest.mark.parametrize(
    ("wrapped", "said"),
    [
        ("{}", SAID),
        ("{} [while running 'fill']", SAID),
        (
            "Traceback (most recent call last):\n  File x\nRuntimeError: {}\n\nDuring handling of ...: {}",
            SAID,
        ),
        ("an error of gRPC", None),
        ('btmodel failed: "0002_fill.py:9: fill: rai', "0002_fill.py:9: fill: rai"),
        ("btmodel failed: ", ""),
    ],
)
def test_the_text_of_a_worker_is_found_in_a_report(wrapped: str, said: str | None) -> None:
    """Whatever the runner makes of it: a traceback, a quotation, or a part."""
    report = wrapped.replace("{}", str(marked(ValueError(SAID))))
    assert said_in(report) == said
    if said == SAID:
        assert said_in(repr(report)) == said
        assert said_in(f"details = {report!r}".replace('"', '\\"')) is not None


def test_a_runner_that_fails_by_itself_is_named(project: Project, monkeypatch: Any) -> None:
    """With what it says, where no worker says anything."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    error = project.run("apply", "--yes", "--runner=pipelines.Failing").exception
    assert "fill: --runner: OSError: no room; 0002_fill/fill has come to 0 rows in 1 section" in str(error)
