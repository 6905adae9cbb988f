"""What fails on a runner, and what interrupts it, is reported as for a local run, and the next run goes on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from apache_beam.options.pipeline_options import GoogleCloudOptions
from pipelines import IN_MEMORY, PORTABLE, PROCESSES, THREADS, Waiting, written
from renamed_models import Site, site
from revised_project import QUOTE, Project

from btmodel import emulator
from btmodel.beam.options import checked_flags
from btmodel.beam.worker import WorkerError, marked, worker_error
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.errors import SettingsError
from btmodel.rows import Cell
from btmodel.schema.limits import HISTORY_TABLE

STEP = """
import os
import time
from pathlib import Path
from btmodel.migrate import Cell, Mutation, data_step

def checked(row):
    if row.key == b"00700" and Path("broken").exists():
        raise ValueError("no venue")
    if row.key >= b"00600" and Path("slow").exists():
        Path("begun").write_text(str(os.getpid()))
        time.sleep(0.01)

@data_step("QUOTE")
def fill(row):
    checked(row)
    return Mutation("QUOTE", row.key, [Cell("MD", b"SEEN", 5_000, b"")])
"""
LINE = 1 + STEP.split("\n").index('        raise ValueError("no venue")')
DONE = "ran 0002_fill/fill over 1,200 rows\n"
AFTER_500 = "0002_fill/fill has come to 500 rows in 1 section, and goes on after that"
DIRECT = ("--runner=DirectRunner",)
BUNDLES = ("--runner=BundleBasedDirectRunner",)
HERE = {
    "in memory": IN_MEMORY,
    "threads": THREADS,
    "processes": PROCESSES,
    "direct": DIRECT,
    "bundles": BUNDLES,
}
STOPPED = {name: flags for name, flags in HERE.items() if flags is not BUNDLES}  # which ends with its section


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


WRONG: dict[tuple[str, ...], str] = {
    ("pipelines.DataflowRunner",): (
        "Missing GCS path option: temp_location. Missing GCS path option: staging_location. "
        "Missing required option: project. Missing required option: region."
    ),
    (
        "pipelines.DataflowRunner",
        "--project=12",
        "--region=r",
        "--temp_location=/tmp",
    ): "Invalid Project ID (12)",
    (
        "FnApiRunner",
        "--direct_num_worker=2",
    ): "unknown option --direct_num_worker (did you mean --direct_num_workers?)",
    ("FlinkRunner", "--flink_mster=f:8081"): "unknown option --flink_mster (did you mean --flink_master?)",
    ("FlinkRunner", "--parallelism", "2", "f:8081"): "unknown option f:8081",
    ("FlinkRunner", "--job_server_java_launcher=jawa"): (
        "its job server needs Java, and 'jawa' is not there: install it, or name one with --job_server_java_launcher."
    ),
    (
        "SparkRunner",
        "--flink_job_server_jar=x",
        "--spark_job_server_jar=none.jar",
        "--job_server_java_launcher=sh",
    ): ('Unable to parse jar URL "none.jar".'),
    ("SparkRunner", "--spark_submit_uber_jar"): "Option spark_rest_url must be set.",
    ("PortableRunner",): "You must specify a --job_endpoint when using --runner=PortableRunner.",
    ("PortableRunner", "--job_endpoit=h:1"): "unknown option --job_endpoit (did you mean --job_endpoint?)",
    ("PortableRunner", "--job_endpoint=127.0.0.1:1"): "no answer from --job_endpoint=127.0.0.1:1: ",
    (
        "PortableRunner",
        "--job_endpoint=embed",
        "--environment_type=LOPBACK",
    ): "--environment_type: expected DOCKER, PROCESS, EXTERNAL, LOOPBACK, got 'LOPBACK'.",
    ("PortableRunner", "--job_endpoint=embed", "--environment_type=PROCESS"): (
        "Option process_command is required for environment type PROCESS."
    ),
    ("PrismRunner", "--prism_location=none"): 'Unable to parse binary URL "none".',
    ("FnApiRunner", "--direct_num_workers=two"): "argument --direct_num_workers: invalid int value: 'two'",
    ("FnApiRunner", "two"): "unknown option two",
    ("FnApiRunner", "--runner=DirectRunner"): "expected one runner, got --runner=DirectRunner behind --, too",
}


@pytest.mark.parametrize(("options", "why"), WRONG.items(), ids=map(" ".join, WRONG))
def test_wrong_options_are_refused_before_anything_is_applied(
    project: Project, there: Site, options: tuple[str, ...], why: str
) -> None:
    """Those that Beam does not know, or that the runner lacks, by Beam's own checks: nothing is recorded."""
    before = written(there.rows, HISTORY_TABLE)
    result = project.run("apply", "--yes", f"--runner={options[0]}", "--", *options[1:])
    assert isinstance(result.exception, SettingsError)
    assert str(result.exception).startswith(f"--runner={options[0]}: ")
    assert why in str(result.exception)
    assert "usage:" not in result.output
    assert written(there.rows, HISTORY_TABLE) == before


def test_google_is_asked_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of options makes no bucket and looks into none: where Google does not answer, that took minutes."""

    def ask(self: GoogleCloudOptions, *arguments: str) -> None:
        raise AssertionError("asked Google")

    monkeypatch.setattr(GoogleCloudOptions, "_create_default_gcs_bucket", ask)
    monkeypatch.setattr(GoogleCloudOptions, "_warn_if_soft_delete_policy_enabled", ask)
    flags = ["--project=quotes-1", "--region=r"]
    with pytest.raises(SettingsError, match="Missing GCS path option: temp_location"):
        checked_flags("pipelines.DataflowRunner", flags)
    flags.append("--temp_location=gs://bucket/tmp")
    assert checked_flags("pipelines.DataflowRunner", flags) == ["--runner=pipelines.DataflowRunner", *flags]


@pytest.mark.skipif(find_spec("google.cloud.dataflow") is not None, reason="has what Dataflow needs")
def test_dataflow_needs_libraries() -> None:
    """Which are looked for before anything is applied."""
    flags = ["--project=quotes-1", "--region=r", "--temp_location=gs://bucket/tmp"]
    with pytest.raises(SettingsError, match=r'are not installed \(.*\): pip install "apache-beam\[gcp\]"'):
        checked_flags("DataflowRunner", flags)


def test_options_of_a_job_server_are_its_own(project: Project) -> None:
    """It says which ones it has when the pipeline runs, so that an unknown one is not refused here."""
    flags = ["--job_endpoint=embed", "--environment_type=LOOPBACK", "--parallelism_of_flink=2"]
    assert checked_flags("PortableRunner", flags) == ["--runner=PortableRunner", *flags]


def test_a_runner_needs_the_lock(project: Project, there: Site) -> None:
    """Which is said before anything is applied."""
    before = written(there.rows, HISTORY_TABLE)
    error = project.run("apply", "--yes", "--without-lock", "--runner=FnApiRunner").exception
    assert str(error) == "--runner=FnApiRunner: workers need the lock: leave out --without-lock"
    assert written(there.rows, HISTORY_TABLE) == before


def begun(*flags: str) -> subprocess.Popen[str]:
    """``btmodel migrate apply`` in a process of its own."""
    options = [flags[0], "--", *flags[1:]] if flags else []
    return subprocess.Popen(
        [sys.executable, "-m", "btmodel", "migrate", "apply", "--yes", *options],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ended(run: subprocess.Popen[str]) -> tuple[str, list[str]]:
    """What a run that fails has printed: its stdout, and the lines of stderr but for which server it is; those that belong to an error as one."""
    out, err = run.communicate(timeout=120)
    assert run.returncode == 1, (out, err)
    whole = err.replace("not done:\n  ", "not done: ").replace("\n  ", "; ")
    return out, [line for line in whole.splitlines() if not line.startswith("server: ")]


def test_a_runner_that_fails_by_itself_is_named(project: Project) -> None:
    """With what it says, where no worker says anything."""
    error = project.run("apply", "--yes", "--runner=pipelines.Failing").exception
    assert "are not done: fill: --runner: OSError: no room; not done: 0002_fill/fill" in str(error)


@pytest.mark.parametrize("flags", [(), *HERE.values(), PORTABLE], ids=["here", *HERE, "portable"])
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


@pytest.mark.parametrize("flags", HERE.values(), ids=HERE)
def test_beam_prints_nothing_of_its_own(project: Project, flags: tuple[str, ...]) -> None:
    """Neither do worker processes; they do from the level on that an option of Beam asks for."""
    out, err = begun(*flags).communicate(timeout=120)
    assert DONE in out
    assert [line for line in err.splitlines() if not line.startswith("server: ")] == []


def test_beam_prints_what_it_is_asked_for(project: Project) -> None:
    """By its own option, which says from which level on; another one is refused before anything is applied."""
    _, [error] = ended(begun(*PROCESSES, "--default_sdk_harness_log_level=loud"))
    assert error == (
        "error: --runner=FnApiRunner: --default_sdk_harness_log_level: expected a level of logging, such as INFO, got 'loud'"
    )
    out, err = begun(*PROCESSES, "--default_sdk_harness_log_level=info").communicate(timeout=120)
    assert DONE in out
    assert "INFO:apache_beam.runners.worker.sdk_worker:Control channel established." in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("flags", [(), *STOPPED.values()], ids=["here", *STOPPED])
def test_a_run_that_is_interrupted(
    project: Project, there: Site, flags: tuple[str, ...], number: signal.Signals
) -> None:
    """It says so, by Ctrl-C and by SIGTERM, in one line, gives the lock back, and the next run goes on."""
    Path("slow").touch()
    run = begun(*flags)
    while not Path("begun").exists():
        assert run.poll() is None, run.communicate()
        time.sleep(0.05)
    # Ctrl-C of a terminal goes to worker processes, too.
    (os.killpg if number is signal.SIGINT else os.kill)(run.pid, number)
    _, [error] = ended(run)
    assert error.startswith(
        "error: the tables of 0002_fill are there, and its data steps are not done: interrupted; 0002_fill/fill has come to "
    )
    assert error.endswith("; not done: 0002_fill/fill; run it again to continue")
    assert not flags or AFTER_500 in error
    assert there.history.lock() is None
    Path("slow").unlink()
    again = (flags[0], "--", *flags[1:]) if flags else ()
    assert DONE in project.done("apply", "--yes", *again)


def test_a_worker_process_that_is_killed(project: Project, there: Site) -> None:
    """Ends the run with one error, where Beam would wait for it forever: the lock is given back, and the next run goes on."""
    Path("slow").touch()
    run = begun(*PROCESSES)
    while not (worker := Path("begun").read_text() if Path("begun").exists() else ""):
        assert run.poll() is None, run.communicate()
        time.sleep(0.05)
    os.kill(int(worker), signal.SIGKILL)
    _, [error] = ended(run)
    assert error.startswith(
        "error: the tables of 0002_fill are there, and its data steps are not done: fill: --runner: a worker process was ended by SIGKILL, "
        f"as the system does where memory is short; {AFTER_500}; not done: "
    )
    assert there.history.lock() is None
    Path("slow").unlink()
    assert DONE in project.done("apply", "--yes")


def running(processes: set[int]) -> set[int]:
    """Those of ``processes`` that have not ended."""
    states = subprocess.run(
        ["ps", "-o", "pid=,stat=", "-p", ",".join(map(str, processes))], capture_output=True, text=True
    )
    lines = (line.split() for line in states.stdout.splitlines())
    return {int(pid) for pid, state in lines if not state.startswith("Z")}


def test_worker_processes_end_with_a_command_that_is_killed(project: Project) -> None:
    """Also those that have not reached it yet, which Beam would let try that forever."""
    run = begun(*PROCESSES)
    workers: set[int] = set()
    while len(workers) < 2:
        assert run.poll() is None, run.communicate()
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(run.pid)], capture_output=True, text=True)
        workers = running({*map(int, found.stdout.split())} or {run.pid}) - {run.pid}
        time.sleep(0.02)
    run.kill()
    run.wait(30)
    until = time.monotonic() + 15
    while (left := running(workers)) and time.monotonic() < until:
        time.sleep(0.2)
    for worker in left:
        os.kill(worker, signal.SIGKILL)
    run.communicate(timeout=30)
    assert not left


def test_an_interrupt_cancels_a_pipeline_on_other_machines(project: Project) -> None:
    """So that it does not go on until its workers see that the lock is gone."""
    before = Waiting.cancelled
    error = project.run("apply", "--yes", "--runner=pipelines.Waiting").exception
    assert "are not done: interrupted; not done: 0002_fill/fill" in str(error)
    assert Waiting.cancelled == before + 1


SAID = "0002_fill.py:9: fill: raised ValueError at row b'\"\\\\' of 'QUOTE': Zürich \" \\ \n(here)"


@pytest.mark.parametrize("lasting", [False, True])
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
def test_the_text_of_a_worker_is_found_in_a_report(wrapped: str, said: str | None, lasting: bool) -> None:
    """Whatever the runner makes of it: a traceback, a quotation, or a part."""
    report = wrapped.replace("{}", str(marked(ValueError(SAID), lasting=lasting)))
    assert worker_error(report) == (None if said is None else WorkerError(said, lasting and "{}" in wrapped))
    if said == SAID:
        assert worker_error(repr(report)) == WorkerError(SAID, lasting)
        assert worker_error(f"details = {report!r}".replace('"', '\\"')) is not None
