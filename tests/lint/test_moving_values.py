"""KEY021 where a description says in other words than "changes" that a value of the key is another one later."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from tests.lint.parts import found


class Board(bt.Model, table="BOARD", events="900/s"):
    """The players of a league, the best first."""

    league: str = bt.key(bt.HexDigest(8), cardinality=4_000)
    points: int = bt.key(bt.Descending(bt.PaddedInt(6)), cardinality=5_000)
    player: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)

    p = bt.family("p", gc=bt.max_versions(1))
    wins: int = bt.column("w", p)

    top = bt.query("league")


MOVES = [
    "After each match the points of both players are raised or lowered.",
    "A player's points rise and fall with each match.",
    "The points rise with each match.",
    "A win raises the player's points.",
    "A player gains or loses points in each match.",
    "Her points are recomputed every night.",
    "The points go up and down.",
    "The points drop when a player rests.",
    "Points are updated after each match.",
    "A player's points are written anew after each match.",
    "Every match updates the points of two players.",
    "The points increase with each win.",
]


@pytest.mark.parametrize("said", MOVES)
def test_a_value_that_rises_and_falls_moves_its_row(said: str) -> None:
    """The board is then a second table, whose old row is deleted."""
    (one,) = found(evolve(bt.schema_of(Board), doc=f"The players of a league. {said}"), "KEY021")
    assert (one.field, one.level) == ("points", Level.WARNING)
    assert "`bt.twins(Board, BoardTop, owned=True)`" in one.fix
    assert one.models


@pytest.mark.parametrize(
    "said",
    [
        "",
        "The points of a player are never raised or lowered.",
        "The fee of a league is raised each year.",
        "The points are those of the final, and stay.",
        "A league gains players.",
        "What is said of points is lowered to a word.",
    ],
)
def test_what_is_said_of_other_things_moves_nothing(said: str) -> None:
    """Or what is denied."""
    assert found(evolve(bt.schema_of(Board), doc=f"The players of a league. {said}"), "KEY021") == []


def test_the_value_of_a_moment_stays() -> None:
    """A level that rises is another event each time, where the time stands in front of it."""

    class Level_(bt.Model, table="LEVEL", events="10/s"):
        """A gauge. The depth rises with the tide."""

        gauge: str = bt.key(bt.HexDigest(8), cardinality=4_000)
        at: datetime = bt.key(bt.EpochMillis())
        depth: int = bt.key(bt.PaddedInt(5), cardinality=5_000)

        p = bt.family("p", gc=bt.max_age(days=90))
        wind: int = bt.column("w", p)

        of_gauge = bt.query("gauge", between="at")

    assert found(bt.schema_of(Level_), "KEY021") == []


def test_a_thing_that_is_raised_is_a_new_one() -> None:
    """An alarm, or an invoice: what rises and falls is a number."""

    class Alarm(bt.Model, table="ALARM", events="10/s"):
        """An alarm is raised by a sensor, and updated when it ends. A site gains an alarm when a door opens."""

        site: str = bt.key(bt.HexDigest(8), cardinality=4_000)
        alarm: str = bt.key(bt.HexDigest(8), cardinality=400_000)
        sensor: str = bt.key(bt.HexDigest(8), cardinality=40_000)

        p = bt.family("p", gc=bt.max_versions(1))
        text: str = bt.column("t", p, size=40)

        of_site = bt.query("site")

    assert found(bt.schema_of(Alarm), "KEY021") == []


class Sample(bt.Model, table="SAMPLE", events="6/s"):
    """A blood sample."""

    state: str = bt.key(bt.Text(max_length=10), cardinality=4)
    tube: str = bt.key(bt.HexDigest(8), cardinality=900_000)

    r = bt.family("r", gc=bt.max_age(days=365))
    hb: float = bt.column("hb", r)

    waiting = bt.query("state")


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("The state moves from drawn to tested to reported.", True),
        ("The state of the tube goes from drawn to tested.", True),
        ("Its state advances through four steps.", True),
        ("The state then turns over from drawn to tested.", True),
        ("A courier moves from state to state.", True),
        ("The tube goes from the state of origin to the laboratory.", False),
        ("The courier of a state moves from hospital to hospital.", False),
        ("The number of a state goes from 1 to 50.", False),
        ("The state never moves from drawn to tested.", False),
    ],
)
def test_a_state_that_goes_on_moves_its_row(said: str, changes: bool) -> None:
    """It is in one after the other; what moves within a state, or is counted from 1, is none."""
    found_ = found(evolve(bt.schema_of(Sample), doc=f"A blood sample. {said}"), "KEY021")
    assert bool(found_) is changes


@pytest.mark.parametrize(
    ("said", "owned"),
    [
        ("An adjuster opens the claims assigned to her.", True),
        ("Claims of the assigned adjuster are listed.", True),
        ("Users list the claims of an adjuster. A claim is assigned to another adjuster in holidays.", True),
        ("Users list the claims of an adjuster.", False),
        ("Users list the claims of an adjuster, whose number is assigned by the office.", False),
        ("Users list the claims of an adjuster. No claim is assigned to another adjuster later.", False),
    ],
)
def test_a_table_by_who_something_is_assigned_to_is_owned(said: str, owned: bool) -> None:
    """It may be assigned to somebody else, and the row of the first one has to go."""

    class Claim(bt.Model, table="claim", events="40/s"):
        """A claim."""

        policy: str = bt.key(bt.HexDigest(9), cardinality=40_000_000)
        opened: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_age(days=3_000))
        adjuster: int = bt.column("adj", c, cardinality=2_000)
        cents: int = bt.column("cents", c)

        of_policy = bt.query("policy")

    (one,) = found(evolve(bt.schema_of(Claim), doc=f"A claim. {said}"), "QRY008")
    assert ("owned=True" in one.fix) is owned
