"""Metrics of servers: the bytes of the document on real servers, and what a write to two tables promises."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from raw_cells import lines, stamped

import btmodel as bt
from btmodel.repository import TwinRepository
from examples.generated.current_metrics_repository import CurrentMetricsRepository
from examples.generated.metrics_repository import MetricsRepository
from examples.metrics import METRICS, CurrentMetrics, FirstMetrics, Metrics, measured, newest_of_all
from examples.worked.metrics import EXAMPLE

Open = Callable[..., bt.Database]
# 1426535612045 in the keys.
AT = datetime(2015, 3, 16, 19, 53, 32, 45_000, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_the_rows_are_those_of_the_document(database: Open) -> None:
    """A set has a row in both tables: with the time in the key, and without; its cells carry the time."""
    db = database(Metrics, CurrentMetrics)
    both = TwinRepository(db, METRICS)
    both.put(measured("server1.bbb.com"))
    both.put(measured("server1.aaa.bbb.com"))
    assert stamped(db, "METRIC") == [
        ((b"server1.aaa.bbb.com#1426535612045", "METRIC", b"CPU/CPU1_NICE", b"0.00"), AT),
        ((b"server1.aaa.bbb.com#1426535612045", "METRIC", b"CPU/CPU1_USR", b"0.02"), AT),
        ((b"server1.aaa.bbb.com#1426535612045", "METRIC", b"IO/BLK_READ", b"253453634"), AT),
        ((b"server1.aaa.bbb.com#1426535612045", "METRIC", b"MIO/BLK_WRTN", b"657365234"), AT),
        ((b"server1.bbb.com#1426535612045", "METRIC", b"CPU/CPU1_NICE", b"0.00"), AT),
        ((b"server1.bbb.com#1426535612045", "METRIC", b"CPU/CPU1_USR", b"0.02"), AT),
        ((b"server1.bbb.com#1426535612045", "METRIC", b"IO/BLK_READ", b"253453634"), AT),
        ((b"server1.bbb.com#1426535612045", "METRIC", b"MIO/BLK_WRTN", b"657365234"), AT),
    ]
    assert stamped(db, "CURRENT_METRIC") == [
        ((b"server1.aaa.bbb.com", "METRIC", b"CPU/CPU1_NICE", b"0.00"), AT),
        ((b"server1.aaa.bbb.com", "METRIC", b"CPU/CPU1_USR", b"0.02"), AT),
        ((b"server1.aaa.bbb.com", "METRIC", b"IO/BLK_READ", b"253453634"), AT),
        ((b"server1.aaa.bbb.com", "METRIC", b"MIO/BLK_WRTN", b"657365234"), AT),
        ((b"server1.bbb.com", "METRIC", b"CPU/CPU1_NICE", b"0.00"), AT),
        ((b"server1.bbb.com", "METRIC", b"CPU/CPU1_USR", b"0.02"), AT),
        ((b"server1.bbb.com", "METRIC", b"IO/BLK_READ", b"253453634"), AT),
        ((b"server1.bbb.com", "METRIC", b"MIO/BLK_WRTN", b"657365234"), AT),
    ]


def test_machines_are_found_by_what_their_names_begin_with(database: Open) -> None:
    """The machines of a prefix are one range, which ends where a longer name goes on differently."""
    db = database(CurrentMetrics)
    current = CurrentMetricsRepository(db)
    for host in ("server1.bbb.com", "server10.bbb.com", "server1.aaa.bb.com"):
        current.put(CurrentMetrics(host=host, at=AT, values={"CPU/CPU1_USR": Decimal("0.02")}))
    assert lines(db, "CURRENT_METRIC") == [
        (b"server1.aaa.bb.com", "METRIC", b"CPU/CPU1_USR", b"0.02"),
        (b"server1.bbb.com", "METRIC", b"CPU/CPU1_USR", b"0.02"),
        (b"server10.bbb.com", "METRIC", b"CPU/CPU1_USR", b"0.02"),
    ]
    assert [one.host for one in current.of_hosts("server1.")] == ["server1.aaa.bb.com", "server1.bbb.com"]


def test_the_first_iteration_repeats_the_machine(database: Open) -> None:
    """The machine lies in a cell beside its metrics, and is not read as one of them."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    assert lines(db, "METRIC_FIRST_TRY") == [
        (b"server1.bbb.com#1426535612045", "METRIC", b"CPU/CPU1_NICE", b"0.00"),
        (b"server1.bbb.com#1426535612045", "METRIC", b"CPU/CPU1_USR", b"0.02"),
        (b"server1.bbb.com#1426535612045", "METRIC", b"HOSTNAME", b"server1.bbb.com"),
        (b"server1.bbb.com#1426535612045", "METRIC", b"IO/BLK_READ", b"253453634"),
        (b"server1.bbb.com#1426535612045", "METRIC", b"MIO/BLK_WRTN", b"657365234"),
    ]
    [row] = db.read(FirstMetrics.of_host.plan(host="server1.bbb.com", at=(None, None)))
    assert len(row[1]) == 5


def test_the_questions_are_answered(database: Open) -> None:
    """One machine between two times, those of a prefix, and all of them, of which no late set hides the newest."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    assert [one.answer for one in EXAMPLE.ask(db)] == [
        "0.35",
        "server1.aaa.bbb.com 0.02, server1.bbb.com 0.02",
        {"19:53:32"},
    ]


def test_the_newest_of_all_is_not_served_by_the_table_of_machines() -> None:
    """The question needs the second table."""
    with pytest.raises(bt.DeclarationError, match="QRY001 full-scan"):
        newest_of_all()


def test_an_older_set_that_is_written_later_does_not_win(database: Open) -> None:
    """CURRENT_METRIC shows the set with the newest time, in whatever order the sets are written."""
    db = database(Metrics, CurrentMetrics)
    both = TwinRepository(db, METRICS)
    for seconds, load in ((0, "0.50"), (2, "0.70"), (1, "0.60"), (0, "0.50")):
        both.put(measured("server1.bbb.com", AT + seconds * SECOND, load))
    [current] = CurrentMetricsRepository(db).of_all()
    assert (current.at, current.values["CPU/CPU1_USR"]) == (AT + 2 * SECOND, Decimal("0.70"))
    sets = MetricsRepository(db).of_host("server1.bbb.com")
    assert [str(one.values["CPU/CPU1_USR"]) for one in sets] == ["0.50", "0.60", "0.70"]


def test_writing_again_changes_no_cell(database: Open) -> None:
    """A set that is written twice leaves the same raw cells, timestamps included."""
    db = database(Metrics, CurrentMetrics)
    both = TwinRepository(db, METRICS)
    both.put(measured("server1.bbb.com"))
    once = stamped(db, "METRIC"), stamped(db, "CURRENT_METRIC")
    both.put(measured("server1.bbb.com"))
    assert (stamped(db, "METRIC"), stamped(db, "CURRENT_METRIC")) == once


def test_a_twin_whose_table_is_missing_is_told_by_table(database: Open) -> None:
    """METRIC has both rows, CURRENT_METRIC none, and the error says so; writing again repairs it."""
    db = database(Metrics)
    rows = [measured("server1.bbb.com"), measured("server1.aaa.bbb.com")]
    with pytest.raises(bt.TwinsFailed) as failed:
        TwinRepository(db, METRICS).put_many(rows)
    metric, current = failed.value.tables
    assert (metric.table, metric.written, metric.failures) == ("METRIC", 2, ())
    assert (current.table, current.written) == ("CURRENT_METRIC", 0)
    assert [(one.index, one.key) for one in current.failures] == [
        (0, b"server1.bbb.com"),
        (1, b"server1.aaa.bbb.com"),
    ]
    assert all(isinstance(one.cause, bt.MissingTable) for one in current.failures)
    assert len({key for key, *_ in lines(db, "METRIC")}) == 2
    before = stamped(db, "METRIC")

    bt.create_tables(db, CurrentMetrics)
    assert TwinRepository(db, METRICS).put_many(rows) == 2
    assert stamped(db, "METRIC") == before
    assert {key for key, *_ in lines(db, "CURRENT_METRIC")} == {b"server1.bbb.com", b"server1.aaa.bbb.com"}


def test_a_missing_first_table_keeps_rows_out_of_the_second(database: Open) -> None:
    """Where METRIC is missing, CURRENT_METRIC is not written, and its rows are told as not tried."""
    db = database(CurrentMetrics)
    with pytest.raises(bt.TwinsFailed) as failed:
        TwinRepository(db, METRICS).put(measured("server1.bbb.com"))
    metric, current = failed.value.tables
    assert isinstance(metric.failures[0].cause, bt.MissingTable)
    [untried] = current.failures
    assert (untried.key, current.written) == (b"server1.bbb.com", 0)
    assert isinstance(untried.cause, bt.TwinsFailed)
    assert lines(db, "CURRENT_METRIC") == []


def test_a_row_whose_twin_cannot_be_encoded_is_in_no_table(database: Open) -> None:
    """Such a row is told for both tables, by index and reason, and the others are in both."""

    class ShortNames(bt.Model, table="CURRENT_METRIC", events="20000/s"):
        """Machines with names of at most 16 characters."""

        host: str = bt.key(bt.Text(max_length=16), cardinality=100_000)
        at: datetime = bt.timestamp()

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        values: dict[str, Decimal] = bt.mapping(metric, bt.Text(max_length=40))

    db = database(Metrics, ShortNames)
    both = TwinRepository(db, bt.twins(Metrics, ShortNames))
    long, short = measured("server1.aaa.bbb.com"), measured("server1.bbb.com")
    with pytest.raises(bt.ValueRefused, match=r"ShortNames.host: expected"):
        both.put(long)
    with pytest.raises(bt.TwinsFailed) as failed:
        both.put_many([long, short])
    for told in failed.value.tables:
        assert told.written == 1
        [row] = told.failures
        assert row.index == 0
        assert isinstance(row.cause, bt.ValueRefused)
    assert {key for key, *_ in lines(db, "METRIC")} == {b"server1.bbb.com#1426535612045"}
    assert {key for key, *_ in lines(db, "CURRENT_METRIC")} == {b"server1.bbb.com"}
