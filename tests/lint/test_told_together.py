"""Findings on one model agree, and each thing is said once."""

from collections.abc import Callable
from datetime import datetime

from attrs import evolve
from documented import findings
from parts import column

import btmodel as bt
from btmodel.codecs.cell import Utf8
from btmodel.codecs.key import EpochMillis, HexDigest
from btmodel.lint import Level, review
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


def test_one_change_is_said_once() -> None:
    """Of findings on one part that are fixed alike, the gravest is said; of equals, the one that names the cause. One that is suppressed leaves the other."""

    def shows(**more: dict[str, str]) -> Callable[[], object]:
        def declare() -> object:
            class Show(bt.Model, table="SHOW", events="900/s", **more):
                show: str = bt.key(bt.HexDigest(16), cardinality=700_000)

                subs = bt.family("subs", gc=bt.max_versions(1))
                subscribers: set[str] = bt.members(subs, bt.HexDigest(16), entries=4_500_000)

                one = bt.query("show")

            return Show

        return declare

    (told,) = findings(shows())
    assert told.rule == "ROW002"
    (other,) = findings(shows(allow={"ROW002": "such rows are few, and read in parts"}))
    assert (other.rule, other.fix, other.field) == ("COL003", told.fix, told.field)


def test_what_is_fixed_otherwise_is_said_beside_it() -> None:
    """One change of a part does not settle what another change of it does, nor what is wrong with another part."""

    def declare() -> object:
        class Order(bt.Model, table="ORDER", events="200/s"):
            number: int = bt.key(bt.LittleEndian(), cardinality=100_000_000, sequential=False)
            line: int = bt.key(bt.BigEndian(2), cardinality=40, sequential=False)

            o = bt.family("o", gc=bt.max_versions(1))
            cents: int = bt.column("c", o)

            some = bt.query(between="number")

        return Order

    told = {(one.rule, one.field) for one in findings(declare)}
    assert {("KEY007", "number"), ("KEY006", "line")} <= told
    assert ("KEY006", "number") not in told


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


def test_a_large_row_of_a_series_is_told_with_both_fixes() -> None:
    """That a row gathers a series is why it is too large: one finding, with the other's fix as an alternative."""

    def declare(**allow: str) -> object:
        class Probe(bt.Model, table="PROBE", events="3000/s", allow=allow):
            probe: str = bt.key(bt.Text(max_length=20), cardinality=30_000)

            p = bt.family("p", gc=bt.max_age(days=900))
            value: bt.History[float] = bt.history("v", p, every="10s")

            of_probe = bt.query("probe")

        return Probe

    (finding,) = findings(declare)
    assert (finding.rule, finding.level) == ("ROW002", Level.WARNING)
    assert "make the bucket a week" in finding.fix
    assert "; or write one row per event: `{probe}#{at}`" in finding.fix
    (alone,) = findings(lambda: declare(ROW002="it is read in parts"))
    assert alone.rule == "COL005"
    (large,) = findings(lambda: declare(COL005="a week of it is read at once"))
    assert large.rule == "ROW002"
    assert "write one row per event:" not in large.fix
