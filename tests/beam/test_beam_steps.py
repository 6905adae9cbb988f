"""Data steps and key moves on runners leave the bytes that a local run leaves, wherever they are killed."""

import gc
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, cast

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to
from pipelines import RUNNERS, pipeline
from renamed_models import Site, site
from revised_project import QUOTE, Project
from steps_of_quotes import broken, doubled_size
from test_flights_move import BEFORE, moved

import btmodel as bt
from btmodel import emulator
from btmodel.beam import RunStep
from btmodel.beam.steps import _FEW_COLLECTIONS, Workers
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.declare import Fields, codec_of
from btmodel.errors import QueryRefused
from btmodel.migrate import data_step
from btmodel.migrate.data import comparison
from btmodel.rows import Cell, Delete, Mutation
from examples.flights import AirportDeparture, read_flights
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes

FLIGHTS = list(read_flights())[::9]
KEYS = sorted(map(bt.key_of, FLIGHTS))
CUTS = KEYS[300::300]
TABLE = "flight_departure"
BACKFILL = "0003_by_flight_backfill"
CONFIRMED = ("apply", "--yes", "--allow", f"deployed:{BACKFILL}")


def hashed(db: bt.Database, table: str) -> str:
    """The hash of all cells of a table."""
    found = hashlib.sha256()
    for key, cells in db.cells(table):
        found.update(repr((key, sorted(map(tuple, cells)))).encode())
    return found.hexdigest()


@pytest.fixture
def there(server: emulator.Emulator, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        yield found


@pytest.fixture
def project(
    server: emulator.Emulator,
    instance: str,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> Project:
    """A project with flights by airport, which are to be by flight."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
    monkeypatch.setattr(Workers, "splits", lambda self, table: CUTS)
    return Project(tmp_path, instance)


def begun(project: Project, there: Site) -> None:
    """Flights by airport, and the new table beside them."""
    project.declare(BEFORE)
    project.done("new", "flights")
    project.done("apply", "--yes")
    codec = codec_of(AirportDeparture)
    there.rows.write_many("airport_departure", (codec.encode(Fields(one), 1_000_000) for one in FLIGHTS))
    project.declare(moved())
    project.done("new", "by flight")
    project.done("apply", "--yes")


def local_hash(there: Site) -> str:
    """The hash of the new table as it follows from the old one."""
    new_keys = {bt.key_of(one): by_flight(one) for one in FLIGHTS}
    found = hashlib.sha256()
    for key, cells in sorted((new_keys[key], cells) for key, cells in there.rows.cells("airport_departure")):
        found.update(repr((key, sorted(map(tuple, cells)))).encode())
    return found.hexdigest()


def by_flight(one: AirportDeparture) -> bytes:
    """The new key of a flight."""
    day, scheduled = f"{one.day:%Y%m%d}", int(one.scheduled.timestamp())
    return f"{one.carrier}#{one.number:04}#{day}#{one.origin}#{scheduled:010}".encode()


@pytest.mark.parametrize("flags", RUNNERS.values(), ids=RUNNERS)
def test_a_key_moves_on_a_runner(project: Project, there: Site, flags: tuple[str, ...]) -> None:
    """To the same bytes, with the sentences and the records of a local run."""
    begun(project, there)
    said = project.done(*CONFIRMED, flags[0], "--", *flags[1:])
    assert f"moved {len(FLIGHTS):,} rows of airport_departure to {TABLE}\n" in said
    assert f"compared airport_departure with {TABLE}: {len(FLIGHTS):,} rows equal\n" in said
    assert hashed(there.rows, TABLE) == local_hash(there)
    assert BACKFILL in {one.id for one in there.history.revisions()}
    assert there.history.sections(f"{BACKFILL}/move_airport_departure") == {}


@pytest.mark.parametrize("flags", [RUNNERS["in memory"], RUNNERS["processes"]], ids=["here", "processes"])
def test_tables_are_compared_on_a_runner(
    project: Project, there: Site, flags: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that were written to the old table alone are copied, and those of the new one alone are named, or taken back."""
    monkeypatch.setattr(comparison, "LONGER", ())
    begun(project, there)
    project.done(*CONFIRMED)
    late = [*read_flights()][1::900]
    codec = codec_of(AirportDeparture)
    there.rows.write_many("airport_departure", (codec.encode(Fields(one), 1_000_000) for one in late))
    switch = ("apply", "--yes", "--allow", "deployed:0004_by_flight_switch")
    told = project.done(*switch, flags[0], "--", *flags[1:])
    assert f"compared airport_departure with {TABLE}: {len(FLIGHTS) + len(late):,} rows equal" in told
    assert f"{len(late)} rows copied, as cells of the old table were missing" in told
    there.history.remove_revision("0004_by_flight_switch")
    there.rows.write_many("airport_departure", [Mutation("airport_departure", KEYS[7], deletes=(Delete(),))])
    gone = by_flight(next(one for one in FLIGHTS if bt.key_of(one) == KEYS[7]))
    here = project.run(*switch).exception
    assert f"{gone!r}" in str(here)
    if flags == RUNNERS["in memory"]:  # other processes wait for a minute
        assert str(project.run(*switch, flags[0], "--", *flags[1:]).exception) == str(here)
    take_back = ("--allow", "take-back:compare_airport_departure")
    told = project.done(*switch, *take_back, flags[0], "--", *flags[1:])
    assert "1 row with cells removed, which the old table does not have" in told
    assert gone not in {key for key, _ in there.rows.cells(TABLE)}


KILLED = """
import sys
from btmodel.beam.steps import Workers
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
group.table = COMMANDS
Workers.splits = lambda self, table: {cuts!r}
sys.argv[0] = "btmodel"
group()
"""


@pytest.mark.parametrize("last", ["on the runner", "here"])
def test_a_killed_run_goes_on(project: Project, there: Site, last: str) -> None:
    """On the runner or in one process, with the sections that were begun."""
    begun(project, there)
    flags = RUNNERS["processes"]
    name = f"{BACKFILL}/move_airport_departure"
    command = [sys.executable, "-c", KILLED.format(cuts=CUTS), "migrate", *CONFIRMED]
    run = subprocess.Popen(
        [*command, flags[0], "--", *flags[1:]],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while run.poll() is None:
        done = sum(one.rows for one in there.history.sections(name).values())
        if done > len(FLIGHTS) // 4:
            os.killpg(run.pid, 9)
        time.sleep(0.01)
    assert run.returncode == -9
    assert 0 < sum(one.rows for one in there.history.sections(name).values()) < len(FLIGHTS)
    again = (flags[0], "--", *flags[1:]) if last == "on the runner" else ()
    said = project.done(*CONFIRMED, "--force-unlock", *again)
    assert f"moved {len(FLIGHTS):,} rows of airport_departure to {TABLE}\n" in said
    assert hashed(there.rows, TABLE) == local_hash(there)


WORDS = """
import words_of_steps
from btmodel.migrate import data_step
from btmodel.migrate.data import comparison

@data_step("QUOTE")
def words(row):
    "Changes nothing."
    assert words_of_steps.WORD == "here"
"""


def test_worker_processes_import_from_the_project(
    project: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the command runs in a folder below it."""
    monkeypatch.setattr(Workers, "splits", lambda self, table: [b"0000B"])
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {key: [Cell("MD", b"BID", 5_000, bytes(8))] for key in (b"0000A", b"0000C")})
    (project.folder / "words_of_steps.py").write_text('WORD = "here"\n')
    project.done("new", "words", "--data-step", "words")
    (project.migrations / "0002_words.py").write_text(WORDS)
    (project.folder / "below").mkdir()
    monkeypatch.chdir(project.folder / "below")
    runner, *flags = RUNNERS["processes"]
    assert "ran 0002_words/words over 2 rows\n" in project.done("apply", "--yes", runner, "--", *flags)


def test_what_fails_in_a_worker_is_said_as_here(project: Project, there: Site) -> None:
    """With the file and the line, and the row; and both say that the row has to be corrected first."""
    begun(project, there)
    there.write("airport_departure", {KEYS[1_000]: [Cell("f", b"air", 2_000_000, b"odd")]})
    here = project.run(*CONFIRMED).exception
    elsewhere = project.run(*CONFIRMED, "--runner=FnApiRunner").exception
    for failed in (here, elsewhere):
        assert f"row {KEYS[1_000]!r} of 'airport_departure' is no OldAirportDeparture" in str(failed)
        assert f"{BACKFILL}.py:" in str(failed)
        assert "correct the row or the step, then run it again" in str(failed)


@pytest.mark.parametrize("runner", ["FnApiRuner", "no.such.Runner"])
def test_a_runner_that_is_not_there_is_refused_before_anything_is_done(
    project: Project, there: Site, runner: str
) -> None:
    """The error names it; no revision is applied."""
    begun(project, there)
    applied = there.history.revisions()
    error = project.run(*CONFIRMED, f"--runner={runner}").exception
    assert str(error).startswith(f"--runner={runner}: ")
    assert there.history.revisions() == applied


def test_python_collects_as_before_behind_a_step() -> None:
    """Also where several sections are worked through at once, and one of them fails."""
    before = gc.get_threshold()
    with suppress(ValueError), _FEW_COLLECTIONS, _FEW_COLLECTIONS:
        assert gc.get_threshold()[0] > before[0]
        raise ValueError
    assert gc.get_threshold() == before
    gc.set_threshold(0)
    try:
        with _FEW_COLLECTIONS:
            assert gc.get_threshold()[0] == 0  # as somebody wants it
    finally:
        gc.set_threshold(*before)


def test_a_step_is_a_transform(bigtable: Callable[..., bt.Database]) -> None:
    """It runs over all rows, and again, to the same bytes."""
    db = bigtable(Quote)
    rows = sorted(made_up_quotes(900), key=bt.key_of)
    QuoteRepository(db).put_many(rows)
    wanted = [cast(Quote, doubled_size.function(row)).bid_size for row in rows]
    made = pipeline()
    done = made | RunStep(doubled_size, db)
    assert_that(done | beam.CombineGlobally(sum), equal_to([len(rows)]))
    made.run().wait_until_finish()
    found = QuoteRepository(db).by_symbol(["NASDAQ", "NYSE"], ["ZXZZT", "IBM"])
    assert [row.bid_size for row in found] == wanted
    failing = pipeline()
    failing | RunStep(broken, db)
    with pytest.raises(Exception, match="no venue"):
        failing.run()

    @data_step(Quote)
    def inside(row: Quote) -> None:
        """Cannot be imported."""

    with pytest.raises(QueryRefused, match="does not reach workers"):
        RunStep(inside, db)
