"""What tests of several folders share."""

import compileall
import gc
import multiprocessing
import os
import signal
import subprocess
import sys

# pytest compiles our tests and, as we have a pytest plugin, all of btmodel; that is half of collecting, so its bytecode is
# kept. Modules that tests write themselves have none: a second one within a second would get the bytecode of the first.
KEEPS_NO_BYTECODE = sys.dont_write_bytecode
sys.dont_write_bytecode = False

import uuid
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from multiprocessing import forkserver
from pathlib import Path

import pytest
from hypothesis import settings

from btmodel import Database, Model, connect, emulator, schema_of
from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import ServerError
from btmodel.migrate import bring
from btmodel.repository._async import processes as async_processes
from btmodel.repository._sync import processes as sync_processes
from btmodel.schema import tables
from btmodel.server import running
from btmodel.words import counted
from tests.forked_commands import Commands
from tests.forked_servers import LAUNCHED, Servers

# The same examples in every run: a failure is the change's, not the day's. Others, and many more of them, are tried
# with --thorough.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=1_000)
settings.load_profile("repeatable")

ROOT = Path(__file__).parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Recorded text is refreshed by a flag; others run everything on both servers, and try all points and more examples."""
    parser.addoption("--refresh-goldens", action="store_true", help="record generated text anew")
    parser.addoption(
        "--emulate-all", action="store_true", help="run every test of a server on the emulator too"
    )
    parser.addoption(
        "--thorough",
        action="store_true",
        help="try every point at which a test disturbs something, and 1,000 random examples per property",
    )


# Fixtures of a server that runs; `make fast` leaves out what takes one.
SERVERS = {"server", "startable", "bigtable_server"}
# What else it leaves out: what measures time and memory, kills processes or has them race, or starts other tools for long.
SLOW = (
    "bench/",
    "cli/test_check_live.py",
    "cli/test_completion.py",
    "cli/test_init.py",
    "client/test_broken_",
    "client/test_read_ahead.py",
    "codegen/test_inspected.py",
    "codegen/test_interrupted_writing.py",
    "codegen/test_nasty_names.py",
    "codegen/test_ruff.py",
    "codegen/test_scripts.py",
    "codegen/test_sql",
    "emulator/",
    "migrate/test_emulated.py",
    "migrate/test_faults.py",
    "migrate/test_flights_move.py",
    "migrate/test_key_moves.py",
    "migrate/test_killed",
    "migrate/test_lock.py",
    "migrate/test_passing_faults.py",
    "migrate/test_race.py",
    "migrate/test_revision_runs.py",
    "repository/test_changes.py",
    "repository/test_reads_in_processes.py",
    "repository/test_repaired_twins.py",
    "server/test_server_change_streams.py",
    "server/test_server_clients.py",
    "server/test_server_durability.py",
    "server/test_server_failures.py",
    "server/test_server_load.py",
    "server/test_server_process.py",
    "server/test_server_replaced.py",
    "server/test_server_shared.py",
    "server/test_server_streams.py",
    "simulate/test_picture_png.py",
    "stateful/",
    "studio/test_studio_in_browser.py",
    "test_site.py",
    "test_tutorial.py",
    "testing/test_plugin.py",
    "types/",
    "worked/test_demo.py",
    "worked/test_meters_job.py",
    "worked/test_services.py",
    "worked/test_year.py",
)
# What takes longest, the longest first: each worker begins with its share, so that none is left with one at the end.
LONGEST = (
    "test_tutorial.py::test_a_reader_sees_what_the_pages_show",
    "worked/test_demo.py::test_the_demo_answers_its_questions",
    "test_site.py::test_the_site_is_whole",
    "migrate/test_killed_moves.py",
    "worked/test_year.py::test_a_year_of_flights_moves_to_another_key",
    "testing/test_plugin.py::test_the_project_in_the_examples_passes",
    "worked/test_services.py::test_the_service_under_load_in_a_network_that_fails",
    "migrate/test_killed.py",
    "cli/test_init.py::test_a_new_project_is_well_formed",
    "cli/test_init.py::test_a_program_works_at_once",
    "worked/test_meters_job.py::test_a_job_that_is_killed_is_run_again",
    "worked/test_services.py::test_the_api",
    "server/test_server_durability.py::test_kill_nine",
    "codegen/test_sql_queries.py::test_a_repository_runs_declared_queries",
    "codegen/test_nasty_names.py",
)


def pytest_configure(config: pytest.Config) -> None:
    """Compile what the tests start a thousand times, which takes half of each start, also where Python keeps no bytecode."""
    config.addinivalue_line(
        "markers", "both_servers: compares the two servers, so every test of it runs on both"
    )
    config.addinivalue_line("markers", "slow: is left out by `make fast`")
    if config.getoption("--thorough"):
        settings.load_profile("thorough")
    # A shell that starts the tests in the background has them ignore Ctrl-C, and so would what they start and interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        for folder in ("src", "codegen", "examples"):
            compileall.compile_dir(ROOT / folder, quiet=2)
        if config.getoption("numprocesses", None):
            compile_engine(config)


def compile_engine(config: pytest.Config) -> None:
    """Have the engine of SQL compiled once, beside the first tests: each worker would, where no earlier run has kept it."""
    program = [sys.executable, "-c", "from btmodel.googlesql.child import Engine; Engine()"]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end() -> None:
        process.kill()
        process.wait()

    config.add_cleanup(end)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what is slow."""
    in_slow_file = item.path.relative_to(ROOT / "tests").as_posix().startswith(SLOW)
    if in_slow_file or SERVERS.intersection(getattr(item, "fixturenames", ())):
        item.add_marker("slow")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run what is slow last, but what takes longest first, and leave out what Google's emulator would prove again.

    ``tests/server`` and what is marked ``both_servers`` hold our server against it; of every other file the first test
    of a server runs there too, and the rest with ``--emulate-all``.
    """
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)
    if not config.getoption("--emulate-all"):
        items[:] = those_that_prove_more(items)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = longest_first(items, workers)


def those_that_prove_more(items: list[pytest.Item]) -> list[pytest.Item]:
    """Leave out what Google's emulator would prove again."""
    begun: set[Path] = set()

    def proves_more(item: pytest.Item) -> bool:
        params = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        if params.get("server") != "emulator" or item.get_closest_marker("both_servers"):
            return True
        is_first = item.path not in begun
        begun.add(item.path)
        return is_first

    return [item for item in items if proves_more(item)]


def longest_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Deal what takes longest to the beginnings of the equal parts with which the workers begin; they steal from the ends."""
    ranks = {item: rank for item in items if (rank := rank_of(item)) is not None}
    longest = sorted(ranks, key=lambda item: ranks[item])
    rest = iter([item for item in items if item not in ranks])
    dealt: list[pytest.Item] = []
    for worker in range(workers):
        own = longest[worker::workers]
        size = (len(items) - len(dealt)) // (workers - worker)
        dealt += [*own, *islice(rest, max(0, size - len(own)))]
    return [*dealt, *rest]


def rank_of(item: pytest.Item) -> int | None:
    """The place among what takes longest; None for all other tests."""
    name = item.nodeid.removeprefix("tests/")
    return next((rank for rank, begins in enumerate(LONGEST) if name.startswith(begins)), None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without looking for garbage among them: that took a sixth of collecting, once in each worker."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Tests run with the bytecode setting that Python was started with, and without collecting tests as garbage.

    Looking through the 300,000 objects of all tests again and again took a tenth of their time.
    """
    sys.dont_write_bytecode = KEEPS_NO_BYTECODE
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


# What tests are skipped without: a word of the reason, in this order, and how to get it.
TOOLS = {
    "emulator": "Google's emulator: `gcloud components install bigtable`",
    "cbt": "cbt: `gcloud components install cbt`",
    "gcloud": "gcloud: the Google Cloud SDK",
    "chromium": "chromium: `apt install chromium`",
    "terraform": "terraform",
    "zsh": "zsh: `apt install zsh`",
    "fish": "fish: `apt install fish`",
    "bash": "bash: `apt install bash`",
}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in a line for each missing tool how many tests were skipped without it, and how to get it."""
    skipped: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        skipped[next((f"without {how}" for word, how in TOOLS.items() if word in reason), reason)] += 1
    for reason, count in skipped.most_common():
        terminalreporter.write_line(f"skipped {counted(count, 'test')} {reason}")


Server = emulator.Emulator | local_server.RunningServer


@pytest.fixture(scope="session", params=["local", "emulator"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A running server, one a test process; each test has an instance of its own on it.

    Tests run on our own server, and on Google's emulator where it is installed.
    """
    try:
        running = local_server.start() if request.param == "local" else emulator.start()
    except ServerError as error:
        pytest.skip(str(error))
    yield running
    running.stop()


@pytest.fixture(scope="session", autouse=True)
def _servers() -> Iterator[Servers]:
    """Local servers are forks of a process that has loaded them, but for those of the tests of the server itself."""
    servers = Servers()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "_launched", servers.launched)
        yield servers
    servers.close()


@pytest.fixture
def own_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that a test starts are processes of their own, as it looks at these."""
    monkeypatch.setattr(running, "_launched", LAUNCHED)


@pytest.fixture(scope="session")
def commands(_servers: Servers) -> Iterator[Commands]:
    """What runs ``btmodel``, one a test process."""
    _servers.begin()
    commands = Commands(_servers.path)
    yield commands
    commands.close()


@pytest.fixture(scope="session")
def preloaded() -> multiprocessing.context.ForkServerContext:
    """Processes that have loaded what reads and writes need: each is a fork of one that has."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        [
            "btmodel.client._sync.database",
            "btmodel.columnar.record_batches",
            "pyarrow",
            "examples.generated.quote_repository",
        ]
    )
    forkserver.ensure_running()
    return context


@pytest.fixture
def preloaded_processes(
    preloaded: multiprocessing.context.ForkServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads get processes that have loaded what they need: each is a fork of one that has. They are told the same as others."""
    for module in (async_processes, sync_processes):
        monkeypatch.setattr(module, "_SPAWN", preloaded)


@pytest.fixture
def startable(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that start emulators of their own, whatever the environment names."""
    monkeypatch.delenv(emulator.VARIABLE, raising=False)
    try:
        emulator.find()
    except ServerError as error:
        pytest.skip(str(error))


@pytest.fixture
def instance() -> str:
    """The path of an instance that no other test knows; these servers take any."""
    return f"projects/test/instances/i{uuid.uuid4().hex[:12]}"


@pytest.fixture
def served(server: Server, instance: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty instance that ``connect`` and the commands reach by its path."""
    monkeypatch.setenv(emulator.VARIABLE, server.host)
    return instance


@pytest.fixture
def migrated(server: Server, served: str) -> Callable[..., str]:
    """Makes the tables of some models in an empty instance, and gives its path."""

    def migrate(*models: type[Model]) -> str:
        with Admin(Target(served, server.host)) as admin:
            bring(admin, tables(schema_of(model) for model in models))
        return served

    return migrate


@pytest.fixture
def database(migrated: Callable[..., str]) -> Iterator[Callable[..., Database]]:
    """Makes the tables of some models, and connects to the instance."""
    opened: list[Database] = []

    def open_(*models: type[Model]) -> Database:
        opened.append(connect(migrated(*models)))
        return opened[-1]

    yield open_
    for db in opened:
        db.close()
