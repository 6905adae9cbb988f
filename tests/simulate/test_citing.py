"""What findings about load cite: of a table that is large, because a small one says nothing of its key."""

from datetime import datetime

import btmodel as bt
from btmodel.declare import collecting
from btmodel.lint import Finding, review_all
from btmodel.schema import ModelSchema
from btmodel.simulate.citing import CITING, cited


def found(declaring: object) -> tuple[list[Finding], list[str]]:
    """The findings of a model with what is cited of them, and the notes."""
    with collecting() as collected:
        declaring()  # type: ignore[operator]
    models: list[ModelSchema] = list(collected.schemas)
    notes: list[str] = []
    return list(cited(review_all(models), models, notes.append)), notes


def salted() -> object:
    class Charge(bt.Model, table="CHARGE", events="500/s"):
        salt = bt.salt("at", buckets=3)
        at: datetime = bt.key(bt.EpochMicros())
        d = bt.family("d", gc=bt.max_versions(1))
        user: str = bt.column("u", d, cardinality=1_000_000, size=8)
        percent: int = bt.column("p", d)

    return Charge


def test_a_salt_is_cited_with_the_key_that_needs_none() -> None:
    """Both spread the writes of a large table: the field at the price of no reads. A new table would be on one node."""
    findings, notes = found(salted)
    [salt] = [one for one in findings if one.rule == "KEY005"]
    assert salt.simulated is not None
    assert salt.simulated.startswith(
        "a large table on 3 nodes, a day: the writes are spread, 3 of 3 nodes busy"
    )
    assert "; with the key `{user}#{at}` 3 of 3 nodes busy" in salt.simulated
    assert notes == []


def hot_row() -> object:
    class Load(bt.Model, table="LOAD", events="10000/s"):
        device: str = bt.key(bt.HexDigest(8), cardinality=100)
        d = bt.family("d", gc=bt.max_versions(1))
        percent: int = bt.column("p", d)

        of_device = bt.query("device")

    return Load


def test_a_hot_row_is_cited_with_what_it_takes_of_a_node() -> None:
    """A hundredth of 10,000 writes a second, of the 14,000 that a node can do."""
    findings, _ = found(hot_row)
    [row] = [one for one in findings if one.rule == "KEY013"]
    assert row.simulated is not None
    assert "its hottest row takes 100 writes a second, 0.7 % of what a node can do" in row.simulated


def few_in_front() -> object:
    class Quote(bt.Model, table="QUOTE", events="40000/s"):
        exchange: str = bt.key(bt.Text(width=6), cardinality=1)
        quote_time: datetime = bt.key(bt.EpochMillis())
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)
        md = bt.family("MD", gc=bt.max_versions(1))
        bid: float = bt.column("BID", md)

    return Quote


def sequential() -> type[bt.Model]:
    class Order(bt.Model, table="orders", events="25000/s"):
        number: int = bt.key(bt.PaddedInt(12), sequential=True)

        d = bt.family("d", gc=bt.max_versions(1))
        total: int = bt.column("total", d)

        one = bt.query("number")

    return Order


def test_sequential_ids_are_cited_with_the_node_that_takes_them() -> None:
    """The ids at the end are as hot as a time at the end; each is a row of its own, of which there is nothing to say."""
    findings, _ = found(sequential)
    [cited] = [one.simulated for one in findings if one.rule == "KEY002"]
    assert cited is not None
    assert "every write goes to one node until it is full" in cited
    assert "3 of 3 nodes busy" in cited
    assert "hottest row" not in cited


def test_too_few_values_are_cited_with_how_many_nodes_they_keep_busy() -> None:
    """One exchange is one growing end, whatever the symbols behind the time are."""
    findings, _ = found(few_in_front)
    [few] = [one for one in findings if one.rule in ("KEY001", "KEY003")]
    assert few.simulated is not None
    assert "every write goes to one node until it is full" in few.simulated
    assert "{exchange}#{symbol}#{quote_time}" in few.fix


def unknown() -> object:
    class Event(bt.Model, table="EVENT"):
        at: datetime = bt.key(bt.EpochMicros())
        source: str = bt.key(bt.Text(max_length=20))
        d = bt.family("d", gc=bt.max_versions(1))
        value: int = bt.column("v", d)

    return Event


def test_what_nobody_says_is_noted_and_not_cited() -> None:
    """Once a model, however many findings it has."""
    findings, notes = found(unknown)
    about = [one for one in findings if one.rule in CITING]
    assert about
    assert all(one.simulated is None for one in findings)
    assert len(notes) == 1
    assert notes[0].startswith("not simulated: Event: the rate of events is not declared")


def test_other_findings_are_left_as_they_are() -> None:
    """Only rules that reason about load cite anything."""
    findings, _ = found(hot_row)
    assert all(one.simulated is None for one in findings if one.rule not in CITING)
