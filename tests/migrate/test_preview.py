"""`btmodel migrate preview`: what pending stages take, rehearsed on samples of this instance, which stays as it is."""

import json
import re
import socket
from typing import Any

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, LISTED, QUOTE, SWITCH

from btmodel.migrate.history import Reached
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.records import confirm
from btmodel.migrate.revisions.steps import step_checksum
from btmodel.rows import Cell

MOVED = (("A", b"XNYS"), ("B", b"XNAS"), ("C", b"XNYS"))
MANY = 20_000


def put(there: Site, *quotes: tuple[str, bytes]) -> None:
    there.write(
        "QUOTE",
        {
            symbol.encode(): [
                Cell("MD", b"BID", 5_000, (7).to_bytes(8)),
                Cell("MD", b"EXCHANGE", 5_000, name),
            ]
            for symbol, name in quotes
        },
    )


@pytest.fixture
def quotes(project: Project, there: Site) -> Project:
    """A project with a revision that is applied, and rows of it."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    put(there, *MOVED)
    return project


@pytest.fixture
def moving(quotes: Project) -> Project:
    """The same with the revisions of a move to another key."""
    quotes.declare(LISTED)
    quotes.done("new", "by exchange")
    return quotes


def shown(project: Project, *options: str) -> str:
    """What the command prints of pending stages."""
    result = project.run("preview", *options)
    assert result.exit_code == 2, (result.output, result.exception)
    lines = (result.stdout if "--json" in options else result.output).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("server: "))


def previewed(project: Project, *options: str) -> dict[str, dict[str, Any]]:
    """The steps of all stages, by stage and name."""
    told = json.loads(shown(project, "--json", *options))
    return {f"{stage['id']}/{step['name']}": step for stage in told["stages"] for step in stage["steps"]}


def everything(there: Site) -> dict[str, dict[bytes, set[Cell]]]:
    return {table.id: there.cells(table.id) for table in there.admin.read_tables()}


def test_every_stage_of_a_move_is_previewed(moving: Project, there: Site) -> None:
    """Stages that wait for a deployment are rehearsed too, and what one would write is there for the next; nothing changes."""
    before = everything(there)
    told = shown(moving)
    assert everything(there) == before
    assert told.startswith(f"{moving.instance}: 3 stages\n")
    rows = [line.split() for line in told.splitlines() if line.startswith("  0")]
    assert [row[:2] for row in rows] == [
        ["0002_by_exchange", "1"],
        ["0003_by_exchange_backfill", "move_quote"],
        ["0004_by_exchange_switch", "compare_quote"],
    ]
    assert (
        "0003_by_exchange_backfill waits for a deployment, which btmodel cannot see: the application writes QUOTE and LISTED"
        in told
    )
    assert "move_quote: one process is enough; from about " in told
    steps = previewed(moving)
    backfill = steps["0003_by_exchange_backfill/move_quote"]
    assert (backfill["rows"], backfill["rows_left"], backfill["exact"]) == (3, 3, True)
    # The old rows twice to move them, and both tables to compare them.
    assert (backfill["read"]["rows"], backfill["written"]["rows"]) == (12, 3)
    assert backfill["written"]["bytes"] == 3 * len("XNYS#A") + 3 * (len("MD") + len("BID") + 8 + 8)
    switch = steps["0004_by_exchange_switch/compare_quote"]
    assert (switch["read"]["rows"], switch["written"]["rows"], switch["usd_a_month"]) == (6, 0, 0)


def test_a_switch_alone_compares_what_the_backfill_has_moved(moving: Project, there: Site) -> None:
    """Once rows are moved, the preview of the comparison knows of a new table that has them, and writes nothing to it."""
    moving.done("apply", "--yes")
    moving.done("apply", "--yes", "--allow", BACKFILL)
    [(name, step)] = previewed(moving).items()
    assert name == "0004_by_exchange_switch/compare_quote"
    assert (step["read"]["rows"], step["written"]["rows"]) == (6, 0)


def test_the_drop_of_a_moved_table_takes_a_comparison(moving: Project, there: Site) -> None:
    """It reads the old rows, and looks each of them up in the new table."""
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        moving.done("apply", "--yes", *allowed)
    [(name, step)] = previewed(moving, "--allow", "drop-table:QUOTE").items()
    assert name == "0004_by_exchange_switch/compare QUOTE with LISTED"
    assert (step["read"]["rows"], step["written"]["rows"]) == (3 + 3, 0)
    assert there.admin.table("QUOTE") is not None


def test_a_begun_move_takes_what_is_left(moving: Project, there: Site) -> None:
    """Rows that an interrupted run has moved are not moved again; they are compared. Its deployment is confirmed already."""
    moving.done("apply", "--yes")
    [revision] = [
        one for one in read_folder(moving.migrations).revisions.values() if one.id.startswith("0003")
    ]
    there.history.record_progress(
        f"{revision.id}/move_quote", Reached(b"B", 2, step_checksum(revision, "move_quote"))
    )
    confirm(revision, RunRecord(there.history, "a run"))
    told = moving.run("status").output
    assert f"confirm it with --allow {BACKFILL}" not in told
    assert "confirm it with --allow deployed:0004_by_exchange_switch" in told
    assert "waits" not in shown(moving).replace("0004_by_exchange_switch waits", "")
    step = previewed(moving)[f"{revision.id}/move_quote"]
    assert (step["rows"], step["rows_left"], step["written"]["rows"]) == (3, 1, 1)
    assert step["read"]["rows"] == 2 + 6


@pytest.mark.parametrize("counted", [True, False])
def test_a_large_table_is_sampled(
    moving: Project, there: Site, counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows are counted up to a size, and estimated beyond; what is written follows from the sample."""
    put(there, *((f"{n:05}", b"X%03d" % (n % 50)) for n in range(MANY)))
    rows = MANY + len(MOVED)
    if not counted:
        monkeypatch.setattr("btmodel.migrate.data.rehearsal._COUNTED", 2**20)
    step = previewed(moving)["0003_by_exchange_backfill/move_quote"]
    assert step["exact"] == counted
    assert step["rows"] == (rows if counted else pytest.approx(rows, rel=0.4))
    assert step["written"]["rows"] == pytest.approx(step["rows"], rel=0.01)
    assert step["written"]["bytes"] == pytest.approx(
        step["rows"] * (len("X000#00000") + 2 + 3 + 8 + 8), rel=0.01
    )
    assert 0 < step["minutes"] < 10
    assert step["several_machines_from_rows"] > 1_000_000


@pytest.mark.parametrize("counted", [True, False])
def test_one_huge_row_says_nothing_of_the_others(
    moving: Project, there: Site, counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large table seemed to have a tenth of its rows, and a counted one ten times its bytes."""
    put(there, *((f"{n:05}", b"X%03d" % (n % 50)) for n in range(MANY)))
    before = previewed(moving)["0003_by_exchange_backfill/move_quote"]
    for part in range(5):
        there.write("QUOTE", {b"!": [Cell("MD", b"NOTE%d" % part, 5_000, b"x" * 3 * 2**20)]})
    put(there, ("!", b"XNYS"))
    rows = MANY + len(MOVED) + 1
    if not counted:
        monkeypatch.setattr("btmodel.migrate.data.rehearsal._COUNTED", 2**20)
    step = previewed(moving)["0003_by_exchange_backfill/move_quote"]
    assert step["rows"] == (rows if counted else pytest.approx(rows, rel=0.4))
    assert step["read"]["bytes"] == pytest.approx(before["read"]["bytes"], rel=0.4)
    told = shown(moving)
    said = re.findall(r"QUOTE: row b'!' of 15 MiB of 1,\d+ sampled rows is left out of the figures", told)
    assert len(said) == 1, told


def test_a_table_of_large_rows_is_sampled_as_it_is(moving: Project, there: Site) -> None:
    """Where one row is like the other, none is left out."""
    for n in range(40):
        there.write("QUOTE", {b"%05d" % n: [Cell("MD", b"NOTE", 5_000, b"x" * 2**20)]})
    put(there, *((f"{n:05}", b"XNYS") for n in range(40)))
    step = previewed(moving)["0003_by_exchange_backfill/move_quote"]
    assert step["rows"] == 40 + len(MOVED)
    assert step["read"]["bytes"] > 3.5 * 40 * 2**20
    assert "left out of the figures" not in shown(moving)


def test_a_step_that_fails_on_a_sampled_row_is_found_before_it_runs(quotes: Project, there: Site) -> None:
    """The error is that of the run, which would have come to it in the middle."""
    quotes.done("new", "venues", "--data-step", "venues")
    path = quotes.migrations / "0002_venues.py"
    assert "the data step venues is still to be written" in shown(quotes)
    path.write_text(
        "from btmodel.migrate import StoredRow, data_step\n\n\n"
        '@data_step("QUOTE")\ndef venues(row: StoredRow) -> None:\n    """None."""\n    {b"A": 1, b"B": 2}[row.key]\n'
    )
    assert quotes.refused("preview") == (
        "migrations/0002_venues.py:7: venues: raised KeyError at row b'C' of 'QUOTE': b'C'"
    )


def test_copies_of_plain_models_are_previewed(project: Project, there: Site) -> None:
    """Without revisions it is the plan that is rehearsed: a renamed family is copied and compared."""
    assert shown(project).endswith(": 1 stage\n  stage   step                rows  read  written  minutes  USD  USD a month\n"
                                             "  models  1 change of tables\n")  # fmt: skip
    project.declare(QUOTE)
    project.run("--yes")
    put(there, *MOVED)
    assert project.done("preview") == f"{project.instance}: nothing is pending\n"
    renamed = QUOTE.replace(
        '"MD", gc=bt.max_versions(1)', '"market", gc=bt.max_versions(1), renamed_from="MD"'
    )
    project.declare(renamed)
    step = previewed(project)["None/copy QUOTE.MD to QUOTE.market"]
    assert (step["rows"], step["written"]["rows"]) == (3, 3)


def test_an_instance_that_cannot_be_reached_is_one_error(
    moving: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the server that does not answer, once."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{closed.getsockname()[1]}"
        monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", host)
        result = moving.run("preview")
    assert result.exit_code == 1
    assert f"BIGTABLE_EMULATOR_HOST={host}: nothing answers there" in str(result.exception)


def test_all_revisions_are_previewed_for_an_empty_instance(project: Project, there: Site) -> None:
    """Tables that its first stages create have no rows, and nothing waits for an application that is not there."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.declare(LISTED)
    project.done("new", "by exchange")
    told = shown(project)
    assert told.startswith(f"{project.instance}: 4 stages\n")
    assert "waits" not in told
    assert {name: step["rows"] for name, step in previewed(project).items()} == {
        "0003_by_exchange_backfill/move_quote": 0,
        "0004_by_exchange_switch/compare_quote": 0,
    }


STEP = """from btmodel.migrate import Cell, Mutation, data_step


@data_step("{}")
def fill(row):
    return {}
"""


@pytest.mark.parametrize(
    ("table", "made", "why"),
    [
        ("NOSUCH", "None", "fill: table 'NOSUCH' is not in {}: create it"),
        ("QUOTE", 'Mutation("NOSUCH", row.key, [Cell("A", b"b", 5_000, b"")])', "migrations/0002_fill.py:4: fill: row b'A' and 2 others of 'NOSUCH' could not be written: table 'NOSUCH' is not in {}: create"),
        ("QUOTE", 'Mutation("QUOTE", row.key, [Cell("ZZ", b"b", 5_000, b"")])', "the table lacks some of the families that were written: ZZ"),
    ],
    ids=["read", "written", "family"],
)  # fmt: skip
def test_a_step_about_a_table_that_is_not_there(quotes: Project, table: str, made: str, why: str) -> None:
    """The error names this instance, and not the place of the rehearsal."""
    quotes.done("new", "fill", "--data-step", "fill")
    (quotes.migrations / "0002_fill.py").write_text(STEP.format(table, made))
    error = quotes.refused("preview")
    assert why.format(quotes.instance) in error
    assert "instances/preview" not in error
    assert "cannot be read" not in error
