"""KEY013 on counters of the service: what a row adds to the load of one node decides how grave it is."""

from typing import Any

import pytest

import btmodel as bt
from btmodel.codecs.key import HexDigest
from btmodel.lint import Level
from btmodel.schema import Aggregate, Expected, Family, KeyField, Rate, Shape
from tests.lint.parts import column, found


@pytest.mark.parametrize(
    ("often", "events", "level"),
    [
        ("300/s", "50000/s", Level.INFO),  # 4 % of what each of 6 nodes gets
        ("900/s", "50000/s", Level.WARNING),
        ("300/s", "3000/s", Level.WARNING),
        ("300/s", None, Level.WARNING),
        ("2000/s", "900000/s", Level.WARNING),  # more than a tenth of what one node takes
        ("12000/s", "900000/s", Level.ERROR),
        ("140/s", "50000/s", None),
    ],
)
@pytest.mark.parametrize("summed", [True, False])
def test_a_row_that_its_node_hardly_notices(
    a_model: Any, often: str, events: str | None, level: Level | None, summed: bool
) -> None:
    """Additions of the service alone: what a program reads to add to it waits for each."""
    video = KeyField("video", HexDigest(11), 80_000_000)
    sums = Family("data", bt.max_age(days=60), Aggregate.SUM if summed else None)
    expected = Expected(increments=Rate.parse(often))
    counter = column("views", Shape.COUNTER if summed else Shape.VALUE, expected=expected)
    rate = None if events is None else Rate.parse(events)
    told = found(a_model(video, columns=(counter,), families=(sums,), events=rate), "KEY013")
    if summed:
        assert [one.level for one in told] == ([] if level is None else [level])
    else:
        assert [one.level for one in told] == [Level.ERROR if level is Level.ERROR else Level.WARNING]
