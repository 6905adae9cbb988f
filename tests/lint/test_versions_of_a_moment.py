"""KEY017 where so many events of a row come that versions of a column share their millisecond."""

from datetime import datetime, timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from btmodel.schema import Rate
from tests.lint.parts import found


class AdClicks(bt.Model, table="AD_CLICKS", bucket="minute", events="9000/s"):
    """The clicks on an advertisement in a minute."""

    ad: str = bt.key(bt.HexDigest(12), cardinality=1_000)
    minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

    c = bt.family("c", gc=bt.max_age(days=7))
    visitor: bt.History[str] = bt.history("v", c, size=16)

    of_ad = bt.query("ad", between="minute")


CLICKS = bt.schema_of(AdClicks)


@pytest.mark.parametrize(
    ("name", "a_second", "level"),
    [
        ("AdClicks", 9, None),
        ("AdClicks", 20, Level.WARNING),
        ("AdClicks", 1_500, Level.WARNING),
        ("AdClicks", 3_000, Level.ERROR),
        ("Vibration", 200, None),  # 200 samples of a second may come each 5 ms
        ("Vibration", 1_500, Level.WARNING),  # but no beat has more than one in a millisecond
    ],
)
def test_events_of_one_millisecond_replace_one_another(name: str, a_second: int, level: Level | None) -> None:
    """By chance, of what people do when they like; surely, of more than there are milliseconds. A row each keeps them."""
    model = evolve(CLICKS, name=name, doc="", events=Rate(1_000.0 * a_second))
    findings = found(model, "KEY017")
    assert [one.level for one in findings] == [level] * (level is not None)
    for one in findings:
        assert "`{ad}#{at}#{id}`" in one.fix
        assert one.models
        assert found(one.models[0], "KEY017") == []


def test_what_comes_on_a_beat_has_its_millisecond() -> None:
    """By ``every``, or by a frequency in the description."""
    model = evolve(CLICKS, events=Rate(100_000.0))
    assert found(evolve(model, doc="A click track at 100 Hz."), "KEY017") == []
    assert len(found(model, "KEY017")) == 1
    visitor = model.columns[0]
    every = evolve(visitor, expected=evolve(visitor.expected, every=timedelta(milliseconds=10)))
    assert found(evolve(model, columns=(every,)), "KEY017") == []


def test_a_hot_row_of_a_bucket_keeps_its_query() -> None:
    """The rows of events are asked for by their time."""
    (one,) = found(evolve(CLICKS, name="Vibration", doc="", events=Rate(500_000.0)), "KEY013")
    assert one.fix.startswith("write one row per event: `{ad}#{at}`")
    assert 'ask `of_ad` by `between="at"`' in one.fix
