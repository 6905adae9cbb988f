"""The module that is written for live tables: as a person would write it, and clean for every tool."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from btmodel_codegen.inspected import inspected
from btmodel_codegen.literals import literal
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.guess import SampledRow, TableSample, guess_tables
from btmodel.rows import Cell
from btmodel.schema import OFF, Aggregate, Family, KeepAll, MaxAge, MaxVersions, Table, TableSettings
from examples.market import Quote, made_up_quotes
from tests.guess.live_tables import INSTANCE, live_tables

GOLDEN = Path(__file__).parent / "inspected" / "models.py"
ROOT = Path(__file__).parents[2]
RUFF = [sys.executable, "-m", "ruff"]
DAY = timedelta(days=1)
ON = TableSettings(True, 3 * DAY, OFF, OFF, "")


def tool(*command: str) -> None:
    """Run a tool, which must find nothing."""
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def quotes() -> TableSample:
    """Quotes, as the examples write them."""
    rows = []
    for quote in made_up_quotes(200):
        mutation = bt.mutation_of(quote)
        rows.append(SampledRow(mutation.key, tuple(sorted(mutation.cells))))
    table = Table("QUOTE", bt.schema_of(Quote).families, ON)
    return TableSample(
        table, tuple(sorted(rows, key=lambda row: row.key)), False, "200 rows were read from 8 places"
    )


def shared() -> TableSample:
    """Users and their orders in one table."""
    names = ("ada", "fred", "jose", "li", "zoe")
    users = [
        SampledRow(b"user#%s" % name.encode(), (Cell("u", b"mail", 0, b"%s@example.com" % name.encode()),))
        for name in names
    ]
    orders = [
        SampledRow(
            b"order#%s#%s" % (name.encode(), b"2024-0%d-17" % (at + 1)),
            (Cell("o", b"total", 0, b"%d.50" % at), Cell("o", b"visits", 0, (at * 7).to_bytes(8, "big"))),
        )
        for at, name in enumerate(names)
    ]
    gc = MaxAge(30 * DAY) | MaxVersions(3)
    families = (Family("o", gc), Family("sum", KeepAll(), Aggregate.SUM), Family("u", MaxVersions(1)))
    return TableSample(Table("shop-data", families), (*orders, *users), True, "all 10 rows were read")


def tags() -> TableSample:
    """Rows of many columns each, whose names are data; a table without rows, one without families."""
    rows = tuple(
        SampledRow(
            f"{number:08x}".encode(), tuple(Cell("t", f"tag:{one}".encode(), 0, b"") for one in range(30))
        )
        for number in range(0xA1, 0xA1 + 12)
    )
    return TableSample(Table("tags", (Family("t", KeepAll()),)), rows, True, "all 12 rows were read")


def samples() -> list[TableSample]:
    """The tables of the recorded module."""
    bare = TableSample(Table("bare", ()), (), False, "none was read")
    empty = TableSample(Table("empty", (Family("f.1", MaxAge(DAY)),)), (), True, "none is there")
    return [bare, empty, quotes(), shared(), tags()]


def test_the_recorded_module(request: pytest.FixtureRequest) -> None:
    """The text stays as it was recorded, to the byte."""
    text = inspected("projects/shop/instances/production", list(guess_tables(samples())))
    if request.config.getoption("--refresh-goldens"):
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text()


def test_tools_find_nothing() -> None:
    """The recorded module passes ruff and mypy, in this project's settings and in their own."""
    for length in ("88", "100", "120"):
        tool("ruff", "format", "--isolated", "--check", "--line-length", length, str(GOLDEN))
    tool("ruff", "check", "--isolated", "--select", "B,C4,D1,E,F,I,PT,RUF,SIM,UP,W", str(GOLDEN))
    tool("mypy", "--strict", str(GOLDEN))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(found=st.lists(live_tables(), min_size=1, max_size=3, unique_by=lambda one: one.table.id))
def test_ruff_leaves_any_module_as_it_is(tmp_path: Path, found: list[TableSample]) -> None:
    """Whatever ids, qualifiers and values a table has, ruff finds nothing, and formats nothing."""
    path = tmp_path / "models.py"
    path.write_text(inspected(INSTANCE, list(guess_tables(found))))
    tool("ruff", "format", "--isolated", "--check", "--diff", str(path))
    tool(
        "ruff",
        "check",
        "--isolated",
        "--select",
        "B,C4,D1,E,F,I,PT,RUF,SIM,UP,W",
        "--ignore",
        "E501",
        str(path),
    )


@given(st.binary() | st.text(st.characters(codec="utf-8")))
@example("'\"\\\n\u2028é\U0001f600")
@example(b'\'""\xff\n')
def test_literals_are_what_they_stand_for(value: str | bytes) -> None:
    """Any text and any bytes are spelt so that Python reads them again."""
    assert eval(literal(value)) == value
