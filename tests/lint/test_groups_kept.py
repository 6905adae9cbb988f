"""FAM006 on rollups whose table deletes what their descriptions want together."""

from datetime import date, datetime

import pytest
from documented import findings

import btmodel as bt
from btmodel.lint import Finding


def told(doc: str, days: int, group: str = "%Y%m") -> list[Finding]:
    """What is found on a rollup with this description, of uses that are kept for so many days."""

    def declare() -> object:
        class Use(bt.Model, table="use", events="20/s"):
            """A use of a pump."""

            pump: str = bt.key(bt.Text(width=6), cardinality=4_000)
            begun: datetime = bt.key(bt.EpochMillis(round=True))

            u = bt.family("u", gc=bt.max_age(days=days))
            strokes: int = bt.column("strokes", u)

            of_pump = bt.query("pump", between="begun", span="1day")

        class UseSums(bt.Rollup, of=Use, view="USE_SUMS"):
            __doc__ = doc
            pump: str = bt.key(bt.Text(width=6), cardinality=4_000)
            when: date = bt.key(bt.DateText(group), of="begun")

            strokes: int = bt.sum_of("strokes")

            of_pump = bt.query("pump", between="when")

        return Use, UseSums

    return [one for one in findings(declare) if one.rule == "FAM006"]


@pytest.mark.parametrize(
    ("doc", "days", "group", "kept"),
    [
        ("Strokes of a month, for the yearly bill.", 14, "%Y%m", 396),
        ("Strokes of a month, billed by the year.", 100, "%Y%m", 396),
        ("Strokes of a day, compared with the same day of last year.", 90, "%Y%m%d", 366),
        ("Strokes of a day, as the chart of the last 90 days draws them.", 30, "%Y%m%d", 91),
        ("Strokes of a day. Year-over-year, for the city.", 100, "%Y%m%d", 366),
        ("Strokes of a day, in the monthly report.", 14, "%Y%m%d", 32),
        ("Strokes of a month.", 14, "%Y%m", 62),
    ],
)
def test_a_table_keeps_what_its_sums_are_wanted_for(doc: str, days: int, group: str, kept: int) -> None:
    """The fix keeps it up to the end of the last group."""
    (one,) = told(doc, days, group)
    assert f"gc=bt.max_age(days={kept})" in one.fix
    assert one.models


@pytest.mark.parametrize(
    ("doc", "days", "group"),
    [
        ("Strokes of a month, for the yearly bill.", 400, "%Y%m"),
        ("Strokes of a day, of the last 90 days.", 90, "%Y%m%d"),
        ("Strokes of a day. A job exports them to BigQuery for the yearly report.", 14, "%Y%m%d"),
        ("Strokes of a day, for those who bought an annual pass.", 14, "%Y%m%d"),
        ("Strokes of a day, in the daily report.", 14, "%Y%m%d"),
        ("Strokes of a day.", 14, "%Y%m%d"),
    ],
)
def test_sums_that_are_read_in_time_may_go(doc: str, days: int, group: str) -> None:
    """Where nothing wants them for longer, or something else keeps them."""
    assert told(doc, days, group) == []


@pytest.mark.parametrize(
    ("doc", "late", "first"),
    [
        (
            "A watch in a log book of 1971, typed in by volunteers.",
            "20000d",
            "let the age count from the writing",
        ),
        ("A watch in a log.", "500d", "let the age count from the writing"),
        ("A watch that is imported from an old system.", "60d", "let the age count from the writing"),
        ("A watch, sent when the ship is in a harbor again.", "60d", "keep what is late"),
    ],
)
def test_an_age_may_count_from_the_writing(doc: str, late: str, first: str) -> None:
    """First for what was long ago; events of devices that were without a network are kept for longer first."""

    def declare() -> object:
        class Watch(bt.Model, table="watch", events="5000/day", timestamp="at", lateness=late):
            __doc__ = doc
            light: str = bt.key(bt.Text(max_length=30), cardinality=900)
            at: datetime = bt.key(bt.TimeText("%Y%m%d%H"), sequential=False)

            t = bt.family("t", gc=bt.max_age(days=50))
            wind: str = bt.column("wind", t, size=6)

            of_light = bt.query("light", between="at", span="40day")

        return Watch

    (one,) = (one for one in findings(declare) if one.rule == "FAM006")
    assert one.fix.startswith(first)
    assert 'leave out `timestamp="at"` and `lateness=`' in one.fix
    assert "keep what is late: `bt.family(" in one.fix
    assert one.models


def test_an_age_that_is_longer_than_events_are_late_counts_from_them() -> None:
    """Then it says how long they are wanted, and a margin is enough; and so where the description counts from them."""

    def fix(doc: str, days: int) -> str:
        def declare() -> object:
            class Watch(bt.Model, table="watch", events="5000/day", timestamp="watched", lateness="60d"):
                __doc__ = doc
                light: str = bt.key(bt.Text(max_length=30), cardinality=900)
                watched: datetime = bt.key(bt.TimeText("%Y%m%d%H"), sequential=False)

                t = bt.family("t", gc=bt.max_age(days=days))
                wind: str = bt.column("wind", t, size=6)

                of_light = bt.query("light", between="watched", span="40day")

            return Watch

        return "".join(one.fix for one in findings(declare) if one.rule == "FAM006")

    assert "timestamp=" not in fix("A watch that is imported.", 90)
    assert "timestamp=" not in fix("A watch that is imported. It goes 50 days after the watch.", 50)
