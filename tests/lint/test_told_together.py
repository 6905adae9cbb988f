"""Findings on one model agree, and each thing is said once."""

from collections.abc import Callable
from datetime import datetime

from attrs import evolve
from documented import findings
from parts import column

import btmodel as bt
from btmodel.codecs.cell import Utf8
from btmodel.codecs.key import EpochMillis, HexDigest
from btmodel.lint import review
from btmodel.schema import Family, KeyField, ModelSchema, Query, Rate, Shape

Make = Callable[..., ModelSchema]


def test_no_finding_mends_what_a_graver_one_does_away_with() -> None:
    """A salt that is to be left out is not told to have too many values; where it stays, it is."""

    def trades(of: str) -> object:
        class Trade(bt.Model, table="TRADE", events="18000/s"):
            shard = bt.salt(of, buckets=24)
            area: str = bt.key(bt.Text(width=4), cardinality=3)
            at: datetime = bt.key(bt.EpochMicros())
            trade: str = bt.key(bt.HexDigest(12), cardinality=2_000_000_000)

            t = bt.family("t", gc=bt.max_age(days=730))
            price: int = bt.column("p", t)

            of_area = bt.query("area", between="at", span="1h")

        return Trade

    assert {one.rule for one in findings(lambda: trades("area"))} == {"KEY003"}
    assert "KEY005" in {one.rule for one in findings(lambda: trades("trade"))}


def test_an_id_stands_behind_the_time_of_which_a_query_reads_a_range(a_model: Make) -> None:
    """In front of it, each range would be read for each id; of bursts, the time is told more finely, too."""
    device, at = KeyField("device", HexDigest(20), 20_000), KeyField("at", bt.EpochSeconds(round=True))
    model = a_model(
        device,
        at,
        events=Rate.parse("50000/s"),
        queries=(Query("of_device", ("device",), between="at"),),
        columns=(column("action", codec=Utf8(), required=True),),
    )
    (finding,) = [one for one in review(model) if one.rule == "KEY017"]
    assert "`at: datetime = bt.key(bt.EpochMillis(round=True))`: `{device}#{at}#{id}`" in finding.fix
    assert "{id}#{at}" not in finding.fix
    assert isinstance(finding.models[0].key.fields[1].codec, EpochMillis)


def test_the_counters_of_a_row_are_divided_at_once() -> None:
    """All of its columns are added to in the same shards, of which each takes its part of all writes with ease."""

    def declare() -> object:
        class Totals(bt.Model, table="TOTALS", events="13000/s"):
            scope = bt.constant("exchange")

            c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
            bids: int | None = bt.counter("bids", c, increments="9000/s")
            shown: int | None = bt.counter("shown", c, increments="4000/s")

        return Totals

    (finding,) = findings(declare)
    assert "`bids`, `shown` of one row are added to at rates of 9,000/s and 4,000/s" in finding.message
    assert finding.fix.count("divide each row") == 1
    assert '`increments="97/s"` of `bids`, `increments="44/s"` of `shown`' in finding.fix


def test_old_versions_are_told_once_a_family(a_model: Make) -> None:
    """It has one rule, so the columns of it have one fix."""
    columns = tuple(column(name) for name in ("lat", "lon", "speed"))
    vehicle = KeyField("vehicle", HexDigest(12), 60_000)
    model = a_model(
        vehicle, events=Rate.parse("20000/s"), families=(Family("data", bt.keep_all()),), columns=columns
    )
    (finding,) = [one for one in review(model) if one.rule == "ROW003"]
    assert finding.field == "data"
    assert "every version of `lat`, `lon`, `speed`" in finding.message
    mixed = (*columns, column("days", shape=Shape.HISTORY))
    told = [one for one in review(evolve(model, columns=mixed)) if one.rule == "ROW003"]
    assert any("give `lat`, `lon`, `speed` a family of their own" in one.fix for one in told)
