"""QRY005 on rows that are rare by the words of the description: how many come, how few of them are wanted, and the index that holds these alone."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from btmodel.schema import ModelSchema, Query
from tests.lint.parts import found


class Round(bt.Model, table="ROUND", events="3000/s"):
    """A finished round of a player."""

    player: str = bt.key(bt.HexDigest(12), cardinality=5_000_000)
    ended: datetime = bt.key(bt.EpochMillis(round=True))

    g = bt.family("g", gc=bt.keep_all())
    score: int = bt.column("sc", g)
    perfect: bool = bt.column("pf", g)
    replay: bytes = bt.column("rp", g, size=20_000, max_size=90_000)

    picked = bt.query("player", where=["perfect"])


def rounds(
    doc: str, *, name: str = "Round", thing: str = "player", flag: str = "perfect", size: int = 20_000
) -> ModelSchema:
    """Rows of things that are called so, picked by a flag, with this description."""
    model = bt.schema_of(Round)
    first, second = model.key.fields
    columns = tuple(
        evolve(one, name=flag)
        if one.name == "perfect"
        else evolve(one, expected=evolve(one.expected, size=size))
        if one.name == "replay"
        else one
        for one in model.columns
    )
    key = evolve(model.key, fields=(evolve(first, name=thing), second))
    queries = (Query("picked", (thing,), where=(flag,)),)
    return evolve(model, name=name, table=name.upper(), doc=doc, key=key, columns=columns, queries=queries)


RARE = [
    (rounds("Rounds. The page shows the perfect rounds (about 1 in 5,000); a player has up to 60,000 rounds."), 60_000, 5_000),
    (rounds("Payments: 0.02 % are disputed. An account has 50,000 payments.", name="Payment", thing="account", flag="disputed"), 50_000, 5_000),
    (rounds("Scans of a parcel belt. Every 2,000th scan is rejected. A belt makes 900,000 scans in its life.", name="Scan", thing="belt", flag="rejected"), 900_000, 2_000),
    (rounds("Photos. One in a thousand is featured; each user has some 40,000 photos.", name="Photo", thing="user", flag="featured"), 40_000, 1_000),
    (rounds("Calls of an agent. 3 of 10,000 calls are escalated. Up to 30 thousand calls per agent.", name="Call", thing="agent", flag="is_escalated"), 30_000, 3_333),
    (rounds("A mailbox has two million messages, of which 50 ppm are starred.", name="Message", thing="mailbox", flag="starred"), 2_000_000, 20_000),
    (rounds("Exams; 2 per mille are flagged. Every school keeps 70,000 exams.", name="Exam", thing="school", flag="flagged"), 70_000, 500),
]  # fmt: skip


@pytest.mark.parametrize(("model", "rows", "one_in"), RARE)
def test_rows_that_are_rare_by_the_description_are_worth_an_index(
    model: ModelSchema, rows: int, one_in: int
) -> None:
    """The index of those for which the flag is true comes first, without the large cells."""
    (finding,) = found(model, "QRY005")
    assert finding.level is Level.WARNING
    assert f"of about {rows:,} rows, of which it returns about 1 in {one_in:,}" in finding.message
    flag = model.queries[0].where[0]
    assert finding.fix.startswith(f"if the rows are asked for of which `{flag}` is true")
    assert f'where={{"{flag}": True}}' in finding.fix


COMMON = [
    rounds("Rounds of a player."),
    rounds("Rounds. About 1 in 2 is perfect; a player has up to 60,000 rounds."),
    rounds("Rounds; 80 % are perfect. A player has 900 rounds."),
    rounds("Rounds. 1 in 5,000 players is banned; a player has 40,000 rounds."),
    rounds("Rounds. A round may be perfect. A player plays 60,000 rounds a year."),
    rounds("Rounds. 3 in 10 minutes may be perfect."),
]  # fmt: skip
FEW = [
    rounds("Rounds: 1 in 5,000 is perfect. A player has 40 rounds."),
    rounds("Rounds: 1 in 5,000 is perfect. A player has up to 60,000 rounds.", size=10),
    rounds("Rounds: 1 in 5,000 is perfect. There are 60,000 rounds a second."),
]


@pytest.mark.parametrize("model", COMMON)
def test_rows_that_are_not_said_to_be_rare_are_half_of_all(model: ModelSchema) -> None:
    """Nor do words on other things, or on a rate, say so."""
    assert found(model, "QRY005") == []


@pytest.mark.parametrize("model", FEW)
def test_few_or_small_rows_that_are_dropped_are_no_warning(model: ModelSchema) -> None:
    """What is read in vain is little."""
    assert [each for each in found(model, "QRY005") if each.level is not Level.INFO] == []
