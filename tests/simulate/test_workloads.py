"""Workloads: what a model declares, what is said over it, and what is refused."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import btmodel as bt
from btmodel.cli.simulation.run import keys_in
from btmodel.errors import SimulationRefused
from btmodel.schema import Rate
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.workload import (
    EventTime,
    Few,
    Sequential,
    Stated,
    Uniform,
    Weighted,
    Workload,
    Zipf,
    read_file,
)
from btmodel.words import raw_key
from examples.devices import DeviceDay
from examples.market import QUOTE_TIME, Quote
from examples.meters import Sensor
from examples.users import User

QUOTE = bt.schema_of(Quote)


class Unknown(bt.Model, table="UNKNOWN"):
    """A model that says nothing of what comes."""

    device: str = bt.key(bt.Text(max_length=20))
    at: datetime = bt.key(bt.EpochMillis())

    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)


def refused(stated: Stated, model: type[bt.Model] = Quote) -> str:
    with pytest.raises(SimulationRefused) as caught:
        workload_of(bt.schema_of(model), stated)
    return str(caught.value)


def test_a_model_declares_its_workload() -> None:
    """Without a word more, the rate and the cardinalities are the model's, fields come evenly, and times by the clock."""
    found = workload_of(QUOTE)
    assert found.writes == 5000
    assert found.fields == {"exchange": Uniform(), "symbol": Uniform(), "quote_time": EventTime()}
    assert found.counts == {"exchange": 20, "symbol": 8000}
    assert found.history == timedelta(0)


def test_ids_that_are_declared_sequential_come_one_after_the_other() -> None:
    """Only where the model says so: meters are numbered in order, but all of them write."""
    assert workload_of(bt.schema_of(User)).fields == {"id": Sequential()}
    assert workload_of(bt.schema_of(Sensor)).fields["meter"] == Uniform()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("uniform", Uniform()),
        ("zipf", Zipf(0.99)),
        ("Zipf:1.2", Zipf(1.2)),
        ("90%:200", Few(0.9, 200)),
        ("12.5 % : 3", Few(0.125, 3)),
        ("IBM:6,ZXZZT:4", Weighted((("IBM", 6.0), ("ZXZZT", 4.0)))),
        ({"IBM": 6, "ZXZZT": 0.5}, Weighted((("IBM", 6.0), ("ZXZZT", 0.5)))),
    ],
)
def test_distributions_are_told_as_text(text: str, wanted: object) -> None:
    """Each form of a distribution is read as what it says."""
    assert workload_of(QUOTE, Stated(fields={"symbol": text})).fields["symbol"] == wanted


@pytest.mark.parametrize("found", [Uniform(), Zipf(1.5), Few(0.125, 3), Weighted((("IBM", 6.0),))])
def test_the_text_of_a_distribution_is_read_again(found: object) -> None:
    """What an answer prints can be given as an option."""
    assert workload_of(QUOTE, Stated(fields={"symbol": str(found)})).fields["symbol"] == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("zipff", "expected uniform, zipf"),
        ("zipf:steep", "got 'steep'"),
        ("zipf:-1", "exponent above 0"),
        ("150%:200", "up to 100 %, got 150 %"),
        ("0%:200", "above 0 %"),
        ("90%:0", "at least 1 value"),
        ("90%:9000", "up to 8,000 values"),
        ("IBM:0", "a weight above 0"),
        ("IBM:1,IBM:2", "each value once"),
        ("MUCHTOOLONG:1", "1 to 5 bytes"),
        ("IBM:many", "got 'many'"),
        ("clock", "it is no time"),
        ("sequential", "it is no number"),
        ({"IBM": "six"}, "a number as the weight"),
    ],
)
def test_what_is_no_distribution_of_a_field_is_refused(text: str, why: str) -> None:
    """The refusal names the field, and says what was expected."""
    message = refused(Stated(fields={"symbol": text}))
    assert message.startswith("Quote.symbol: ")
    assert why in message


def test_a_time_comes_by_the_clock() -> None:
    """No other distribution of the time of an event makes sense, but times one by one."""
    assert "it is a time" in refused(Stated(fields={"quote_time": "uniform"}))
    told = {"quote_time": {"2015-03-16T19:53:32": 1}}
    at = QUOTE_TIME.replace(microsecond=0)
    assert workload_of(QUOTE, Stated(fields=told)).fields["quote_time"] == Weighted(((at, 1.0),))


def test_an_unknown_field_is_refused_with_the_nearest() -> None:
    """A slip of the pen is found, in distributions, in counts and in queries."""
    assert refused(Stated(fields={"simbol": "zipf"})).endswith(" (did you mean symbol?)")
    assert refused(Stated(counts={"zzz": 3})).endswith(" (fields: exchange, symbol, quote_time)")
    assert refused(Stated(reads={"by_simbol": "1/s"})).endswith(" (did you mean by_symbol?)")


def test_figures_that_nobody_tells_are_named_with_their_flags() -> None:
    """Nothing is guessed: a missing rate and a missing cardinality stop the simulation, in one sentence."""
    message = refused(Stated(), Unknown)
    assert "declare events=, or give --events 5000/s" in message
    assert (
        "`device` has no declared cardinality: declare cardinality=, or give --count device=1000" in message
    )
    found = workload_of(bt.schema_of(Unknown), Stated(events=Rate(5.0), counts={"device": 7}))
    assert (found.writes, found.counts) == (5.0, {"device": 7})


@pytest.mark.parametrize(
    ("figures", "why"),
    [
        ({"writes": 0.0}, "a rate of events above 0"),
        ({"daily": 1.5}, "a daily swing from 0 to 1"),
        ({"growth": -1.0}, "a growth above -1"),
        ({"history": timedelta(days=-1)}, "a history of 0 or more"),
        ({"counts": {"symbol": 0}}, "at least 1 value"),
    ],
)
def test_figures_that_make_no_sense_are_refused(figures: dict[str, object], why: str) -> None:
    """A workload cannot be made of them, by whichever way they came."""
    usual: dict[str, object] = {"model": QUOTE, "writes": 1.0, "fields": {}, "counts": {}}
    with pytest.raises(SimulationRefused, match=why):
        Workload(**{**usual, **figures})  # type: ignore[arg-type]


def test_reads_take_the_rows_of_their_span() -> None:
    """A declared span at the rate of one sensor is the rows of a read; a page where none is declared; or as told."""

    class Reading(bt.Model, table="READING", events="100/s"):
        """Ten sensors, ten readings a second each."""

        sensor: str = bt.key(bt.Text(max_length=8), cardinality=10)
        at: datetime = bt.key(bt.EpochMillis())
        d = bt.family("d", gc=bt.max_versions(1))
        value: int = bt.column("v", d)

        of_minute = bt.query("sensor", between="at", span="1min")
        one = bt.query("sensor", "at")

    told = {"of_minute": "1/s", "one": "1/s"}
    assert [one.rows for one in workload_of(bt.schema_of(Reading), Stated(reads=told)).reads] == [600.0, 1.0]
    by_symbol = workload_of(QUOTE, Stated(reads={"by_symbol": "100/s"})).reads[0]
    assert (by_symbol.per_second, by_symbol.rows) == (100.0, 100.0)
    assert workload_of(QUOTE, Stated(reads={"by_symbol": "6/min:2500"})).reads[0].rows == 2500
    assert "rows above 0" in refused(Stated(reads={"by_symbol": "1/s:none"}))
    assert "expected a rate" in refused(Stated(reads={"by_symbol": "often"}))


def test_a_file_tells_the_workloads_of_several_models(tmp_path: Path) -> None:
    """Each figure has its place in a file of TOML."""
    path = tmp_path / "load.toml"
    path.write_text(
        '[cluster]\nnodes = 10\n[assume]\nsplit_size = "1GiB"\n'
        '[Quote]\nevents = "9000/s"\ngrowth = "1%"\ndaily = 0.5\nhistory = "30d"\nstart = 2026-02-03\n'
        '[Quote.fields]\nsymbol = "90%:200"\nexchange = { NASDAQ = 6, NYSE = 4 }\n'
        '[Quote.counts]\nsymbol = 4000\n[Quote.reads]\nby_symbol = "100/s:50"\n[DeviceDay]\nevents = "7/s"\n'
    )
    file = read_file(path)
    assert file.cluster == {"nodes": 10}
    assert file.assume == {"split_size": "1GiB"}
    found = workload_of(QUOTE, file.models["Quote"])
    assert (found.writes, found.growth, found.daily) == (9000.0, 0.01, 0.5)
    assert (found.history, found.start) == (timedelta(days=30), datetime(2026, 2, 3, tzinfo=UTC))
    assert found.fields["symbol"] == Few(0.9, 200)
    assert found.fields["exchange"] == Weighted((("NASDAQ", 6.0), ("NYSE", 4.0)))
    assert found.counts == {"exchange": 2, "symbol": 4000}
    assert found.reads[0].rows == 50
    assert workload_of(bt.schema_of(DeviceDay), file.models["DeviceDay"]).writes == 7


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[Quote]\nevnts = '1/s'", "[Quote]: no 'evnts' (did you mean events"),
        ("[Quote]\nevents = 'many'", "[Quote] events: expected a rate"),
        ("[Quote]\ngrowth = 'much'", "[Quote] growth: expected a share such as 5%"),
        ("[Quote]\nstart = 'soon'", "[Quote] start: expected a time"),
        ("[Quote.counts]\nsymbol = 0", "[Quote] counts.symbol: expected a whole number from 1 on"),
        ("[Quote.fields]\nsymbol = 3", "[Quote] fields.symbol: expected text"),
        ("[cluster]\nnodes = 'ten'", "[cluster] nodes: expected a whole number"),
        ("[cluster]\nnode = 10", "[cluster]: no 'node' (did you mean nodes?)"),
        ("Quote = 3", "[Quote]: expected a table, got 3"),
        ("[Quote", "load.toml: "),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, text: str, why: str) -> None:
    """The message names the file and the figure in it."""
    path = tmp_path / "load.toml"
    path.write_text(text)
    with pytest.raises(SimulationRefused) as caught:
        read_file(path)
    assert str(caught.value).startswith(str(path))
    assert why in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """No traceback, for a workload and for keys."""
    with pytest.raises(SimulationRefused, match="No such file"):
        read_file(tmp_path / "none.toml")
    with pytest.raises(SimulationRefused, match="No such file"):
        keys_in(tmp_path / "none.txt", QUOTE, raw_key)


def test_real_keys_are_read_from_a_file(tmp_path: Path) -> None:
    """One a line, in the spelling of `btmodel explain`; empty lines mean nothing."""
    path = tmp_path / "keys.txt"
    path.write_text("NASDAQ#ZXZZT#1426535612156\r\n\nNYSE  #IBM  #1426535612156\n")
    found = keys_in(path, QUOTE, raw_key)
    assert found == (b"NASDAQ#ZXZZT#1426535612156", b"NYSE  #IBM  #1426535612156")


def test_a_key_of_another_model_is_refused_with_its_line(tmp_path: Path) -> None:
    """Of a million lines, the wrong one is named, with why it is none."""
    path = tmp_path / "keys.txt"
    path.write_text("NASDAQ#ZXZZT#1426535612156\n\nNASDAQ#ZXZZT#yesterday\n")
    with pytest.raises(SimulationRefused) as caught:
        keys_in(path, QUOTE, raw_key)
    assert str(caught.value).startswith(f"{path}:3: not a row key of Quote: ")
    path.write_text("\n")
    with pytest.raises(SimulationRefused, match="one a line, got none"):
        keys_in(path, QUOTE, raw_key)
