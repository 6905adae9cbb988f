"""Failures that pass, on the wire: a run that may safely repeat what failed does so, and ends as an undisturbed one."""

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from failing_proxy import failing
from googles_client import cells_of
from grpc import StatusCode
from renamed_models import MARKET, QUOTE, Site, family, site, some_rows

from btmodel import emulator
from btmodel import server as local_server
from btmodel.errors import MigrationError
from btmodel.migrate.data import DataStep, data_step, run_step
from btmodel.migrate.data.walks import FencedProgress, FencedRows
from btmodel.migrate.history import lock as locks
from btmodel.migrate.history.lock import acquire
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.waiting import until_answered
from btmodel.rows import Add, Cell, Mutation
from btmodel.schema import Aggregate, Family, KeepAll, Table

PASSING = [
    StatusCode.ABORTED,
    StatusCode.INTERNAL,
    StatusCode.RESOURCE_EXHAUSTED,
    StatusCode.UNAVAILABLE,
]
ROWS = 7


@pytest.fixture(scope="module")
def local() -> Iterator[emulator.Emulator | local_server.RunningServer]:
    server = local_server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 2)
    monkeypatch.setattr(
        locks, "LASTS", timedelta(seconds=4)
    )  # of one that could not be given back; above the second for which a renewal is proof


@data_step("QUOTE")
def fill(row: Any) -> Mutation:
    return Mutation("QUOTE", row.key, [Cell("market", b"SEEN", 5_000, b"")])


def stepped(there: Site, step: DataStep) -> None:
    """Run a data step with the lock, as revisions do."""
    held = acquire(there.history, "ann")
    assert held
    with held:
        run_record = RunRecord(there.history, "ann", held)
        rows, progress = FencedRows(there.rows, run_record), FencedProgress(run_record)
        until_answered(lambda: run_step(rows, progress, step, "r/step"), long=True)


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("code", PASSING)
def test_what_passes_is_repeated(local: Any, instance: str, code: StatusCode, done: bool) -> None:
    """With calls that fail at random, done or not, a copy, a data step and a drop come to what was there, as Google's client reads it."""
    chance, failed = random.Random(1), list[str]()
    armed = list[bool]()

    def fault(path: str) -> tuple[StatusCode, bool] | None:
        if not armed or chance.random() > 0.25:
            return None
        failed.append(path)
        return code, done

    with failing(local.host, fault) as host, site(instance, host) as there:
        there.admin.create_table(QUOTE)
        there.write("QUOTE", some_rows(ROWS))
        before = cells_of(instance, local.host, "QUOTE")
        plan = there.plan(MARKET)
        armed.append(True)
        there.apply_plan(plan)
        stepped(there, fill)
        armed.clear()
        drop = there.plan(MARKET, allow=["drop-family:QUOTE.MD"])
        armed.append(True)
        there.apply_plan(drop)
    assert len(failed) > 10
    wanted = {
        key: {cell._replace(family="market") for cell in cells} | {Cell("market", b"SEEN", 5_000, b"")}
        for key, cells in before.items()
    }
    assert cells_of(instance, local.host, "QUOTE") == wanted


def test_what_was_added_is_not_repeated(local: Any, instance: str) -> None:
    """A step that adds, and whose answer was lost, ends: nobody knows whether to do it again."""

    @data_step("T")
    def add(row: Any) -> Mutation:
        return Mutation("T", row.key, adds=[Add("sum", b"n", 1_000, 1)])

    def fault(path: str) -> tuple[StatusCode, bool] | None:
        return (StatusCode.ABORTED, False) if armed and path.endswith("/MutateRows") else None

    armed: list[bool] = []
    with failing(local.host, fault) as host, site(instance, host) as there:
        there.admin.create_table(Table("T", (family("f"), Family("sum", KeepAll(), Aggregate.SUM))))
        there.write("T", {b"1": [Cell("f", b"q", 1_000, b"")]})
        armed.append(True)
        with pytest.raises(MigrationError, match="row b'1' of 'T' could not be written"):
            stepped(there, add)
