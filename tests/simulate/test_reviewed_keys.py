"""What the simulator says goes with what the review says: the rows that there can be, and the key that a fix leads to."""

from uuid import UUID

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import review
from btmodel.simulate.alternatives import fixed
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.table_growth import growth_of, writer_groups


class Ballot(bt.Model, table="ballot", events="8000/s"):
    """A part of the votes of a poll."""

    poll: str = bt.key(bt.Text(max_length=20), cardinality=300)
    part = bt.salt("voter", buckets=32)
    voter: UUID | None = bt.key(bt.UuidRaw(), stored=False, cardinality=10_000_000)

    v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
    votes: dict[str, int] = bt.counters(v, bt.Text(max_length=20), entries=10, increments="1/s")

    of_poll = bt.query("poll")


class Order(bt.Model, table="order", events="12000/s", allow={"KEY002": "see below"}):
    """An order, which is looked for alone, by an id that climbs."""

    order: str = bt.key(bt.Text(width=26), cardinality=5_000_000_000, sequential=True)

    o = bt.family("o", gc=bt.max_versions(1))
    customer: str = bt.column("cust", o, size=12, max_size=12)

    one = bt.query("order")


def test_a_counter_has_as_many_rows_as_its_salt_has_values() -> None:
    """Not as many as there are voters, from whom the salt is made."""
    workload = workload_of(bt.schema_of(Ballot))
    assert sum(group.count for group in writer_groups(workload)) == 300 * 32
    assert growth_of(workload).after["a year"].rows == pytest.approx(300 * 32)


def test_the_key_of_the_fix_is_simulated() -> None:
    """The review proves its fix, which serves the query; the first proposal needs a second table for it."""
    bare = evolve(bt.schema_of(Order), allow={})
    (finding,) = [finding for finding in review(bare) if finding.rule == "KEY002"]
    made = fixed(bare)
    assert made is not None
    assert [made.model.key.shape] == [model.key.shape for model in finding.models] == ["{salt}#{order}"]
