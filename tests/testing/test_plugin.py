"""The fixtures for users' tests."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import btmodel as bt
from btmodel.pytest_plugin import Instances
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteRepository
from examples.market import QUOTE_TIME, Quote, Trade, the_message
from tests.forked_commands import Commands
from tests.strict_mypy import mypy

SHOP = Path(__file__).parents[2] / "examples" / "shop"


def test_an_instance_has_the_tables_that_were_named_and_no_rows(bigtable: Instances) -> None:
    """The tables of the named models are there, empty; others are not."""
    db = bigtable(Quote)
    assert list(QuoteRepository(db).by_symbol("NASDAQ", "ZXZZT")) == []
    with pytest.raises(bt.MissingTable, match="TRADE"):
        db.delete("TRADE", b"key")


def test_two_instances_share_nothing(bigtable: Instances) -> None:
    """A row in one instance is not in the next."""
    first, second = QuoteRepository(bigtable(Quote)), QuoteRepository(bigtable(Quote))
    first.put(the_message()[0])
    assert first.get("NASDAQ", "ZXZZT", QUOTE_TIME) == the_message()[0]
    assert second.get("NASDAQ", "ZXZZT", QUOTE_TIME) is None


def test_code_that_connects_by_itself_finds_the_instance(bigtable: Instances) -> None:
    """The path of a fresh instance can be connected to while the fixture lasts."""
    path = bigtable.path(Quote, Trade)
    with bt.connect(path) as db:
        QuoteRepository(db).put(the_message()[0])
    with bt.connect(path) as db:
        assert QuoteRepository(db).get("NASDAQ", "ZXZZT", QUOTE_TIME) == the_message()[0]


class Log(bt.Model, table="LOG_{tenant}", events="1/s"):
    """A table whose name and age are given at run time."""

    id: str = bt.key(bt.Text(max_length=8))

    f = bt.family("f", gc=bt.max_age("{ttl}"))
    text: str = bt.column("t", f)


def test_tables_named_at_run_time_take_their_names(bigtable: Instances) -> None:
    """Each model takes its own parameters, by every way that makes an instance; what is missing or unknown is refused."""
    db = bigtable(Quote, Log, tenant="acme", ttl="30d")
    assert list(db.cells("LOG_acme")) == []
    assert list(db.cells("QUOTE")) == []
    with bt.connect(bigtable.path(Log, tenant="b", ttl="7d")) as other:
        assert list(other.cells("LOG_b")) == []
        assert bt.create_tables(other, Quote, Log, tenant="c", ttl="7d")

    async def main() -> list[object]:
        async with bigtable.connect_async(Log, tenant="a", ttl="1h") as found:
            return [one async for one in found.cells("LOG_a")]

    assert asyncio.run(main()) == []
    with pytest.raises(bt.QueryRefused, match="Log: expected the parameters tenant, ttl, got tenant"):
        bigtable(Quote, Log, tenant="acme")
    with pytest.raises(
        bt.QueryRefused, match="Quote, Log: expected the parameters tenant, ttl, got tenant, tll"
    ):
        bigtable(Quote, Log, tenant="acme", tll="30d")


def test_an_asynchronous_connection(bigtable: Instances) -> None:
    """connect_async gives an instance of its own for ``async with``."""

    async def main() -> Quote | None:
        async with bigtable.connect_async(Quote) as db:
            quotes = AsyncQuoteRepository(db)
            await quotes.put(the_message()[0])
            return await quotes.get("NASDAQ", "ZXZZT", QUOTE_TIME)

    assert asyncio.run(main()) == the_message()[0]


def test_an_instance_for_the_session(bigtable_session: Instances) -> None:
    """The session's fixture gives instances, too."""
    assert QuoteRepository(bigtable_session(Quote)).get("NASDAQ", "ZXZZT", QUOTE_TIME) is None


def test_pytest_starts_without_grpc() -> None:
    """The plugin costs a run of pytest no import of grpc or hypothesis until a fixture is used."""
    code = (
        "import sys, btmodel.pytest_plugin;"
        "print([name for name in ('grpc', 'google.cloud', 'hypothesis') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_project_in_the_examples_passes(tmp_path: Path, commands: Commands) -> None:
    """The example project's generated files are fresh, its types hold, its tables migrate into a file, its tests pass."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    project = tmp_path / "shop"
    shutil.copytree(SHOP, project, ignore=shutil.ignore_patterns("__pycache__", ".*", "*.db*"))
    for command, said in (
        (["generate", "--check"], ""),
        (["migrate", "--yes"], ""),
        (["migrate", "plan"], "nothing to do"),
    ):
        ran = commands.run(command, project, environment)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert said in ran.stdout
    checked = mypy(project, "shop", "tests")
    assert checked.returncode == 0, checked.stdout
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        tests, cwd=project, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert "3 passed" in done.stdout, done.stdout + done.stderr
