"""The rule on aggregates, of rollups: sums of what has a value at each moment."""

from datetime import datetime
from typing import Any

import pytest
from documented import findings

import btmodel as bt
from btmodel.lint import Finding, Level

HEADS = "How many people are in a bath at a moment: the camera counts all heads, twice a minute."


def told(doc: str, name: str, *, of_all: bool = False, group: str = "%Y%m%d%H", **more: Any) -> list[Finding]:
    """What the rule finds on a rollup of a column that is called and described so: by bath and hour, or of all baths."""

    def declare() -> object:
        class Seen(bt.Model, table="seen", events="7/s"):
            __doc__ = doc
            bath: int = bt.key(bt.PaddedInt(4), cardinality=200, sequential=False)
            at: datetime = bt.key(bt.EpochSeconds(round=True))

            h = bt.family("h", gc=bt.max_versions(1))
            taken: datetime = bt.column("t", h)
            vars()[name] = bt.column("n", h)
            __annotations__[name] = int

        class SeenOfHour(bt.Rollup, of=Seen, view="SEEN_OF_HOUR"):
            """What was seen in an hour."""

            if not of_all:
                bath: int = bt.key(bt.PaddedInt(4), cardinality=200, sequential=False)
            if group:
                hour: datetime = bt.key(bt.TimeText(group), of="taken")
            total: int = bt.sum_of(name)
            for key, value in more.items():
                vars()[key] = value
                __annotations__[key] = int

        return Seen, SeenOfHour

    return [one for one in findings(declare) if one.rule == "FAM007"]


@pytest.mark.parametrize(
    ("doc", "name", "level"),
    [
        (HEADS, "present", Level.WARNING),
        (HEADS, "people", Level.WARNING),  # whatever it is called
        ("A probe of a basin, read every 10 seconds.", "temperature_c", Level.WARNING),
        ("A probe of a basin, read every 10 seconds.", "stock", Level.WARNING),
        ("A probe of a basin.", "water_level", Level.INFO),
        ("A probe of a basin.", "stock", None),
        ("A pupil in a lesson: 1 or 0.", "present", None),
        ("How many people went in.", "people", None),
        ("A probe of a basin.", "level_alarms", None),
        (HEADS, "visits", None),
        ("How much of the level was added in a basin, every 10 seconds.", "level", None),
        (
            "A sale in a bath, at the moment of the payment. Sums of each day are on the report.",
            "cents",
            None,
        ),
        ("A sale in a bath. They can be cancelled at any time.", "price", None),
    ],
)
def test_a_level_is_not_added_up_over_time(doc: str, name: str, level: Level | None) -> None:
    """The mean or the largest of what was there is meant; how much came or changed may be added up."""
    found = told(doc, name)
    assert [one.level for one in found] == ([] if level is None else [level])
    for one in found:
        assert (
            one.fix
            == f'declare `total: float = bt.average_of("{name}")`; or `total: int = bt.max_of("{name}")` for the largest'
        )
        assert one.models


def test_a_maximum_is_not_added_up_over_time() -> None:
    """The largest of them is the maximum of the group."""
    (finding,) = told("A ride. `longest_wait` is the longest wait of any guest.", "longest_wait")
    assert (finding.level, finding.fix) == (Level.WARNING, 'declare `total: int = bt.max_of("longest_wait")`')


def test_levels_of_many_things_are_added_up_at_a_moment() -> None:
    """Of all baths in a minute, there is a sum; of an hour, or of all time, there is none; and with the number of rows readers make the mean."""
    assert told(HEADS, "present", of_all=True, group="%Y%m%d%H%M") == []
    assert told(HEADS, "present", of_all=True) != []
    assert told(HEADS, "present", group="") != []
    assert told(HEADS, "present", seen=bt.count()) == []
