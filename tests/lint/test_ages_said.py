"""What descriptions say of ages: that each family has its own, that values stay readable for long, and that they are read as they were."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from tests.lint.parts import found


class Subscriber(bt.Model, table="subscriber", events="400/s"):
    """A row that gathers events, beside a value that ends at an age."""

    line: str = bt.key(bt.HexDigest(12), cardinality=60_000_000)

    contract = bt.family("c", gc=bt.max_versions(1))
    usage = bt.family("u", gc=bt.max_age(days=45))
    location = bt.family("l", gc=bt.max_age(days=1) | bt.max_versions(1))
    tariff: str = bt.column("tariff", contract)
    megabytes: bt.History[int] = bt.history("mb", usage, every="1day")
    cell: str | None = bt.column("cell", location, default=None)

    of_line = bt.query("line")


@pytest.mark.parametrize(
    "said",
    [
        "One row a line; each family has its own lifetime.",
        "A line. Every family has a retention of its own.",
        "A line. The families have different lifetimes.",
        "A line. Each family keeps its own age.",
        "A line. All three families have their own GC rule.",
        "A line. The retention differs by family.",
        "A line, with families that differ; the families differ in their lifetime.",
        "A line. Every column family has its own TTL.",
        "A line. There is a separate retention period per family.",
    ],
)
def test_families_that_live_for_different_times_by_intent_are_let_be(said: str) -> None:
    """Where rows may lack what goes first; what they need is found even so."""
    model = evolve(bt.schema_of(Subscriber), doc=said)
    assert found(model, "FAM005") == []
    needed = tuple(evolve(one, required=True) if one.name == "cell" else one for one in model.columns)
    assert [one.level for one in found(evolve(model, columns=needed), "FAM005")] == [Level.WARNING]


@pytest.mark.parametrize(
    "said",
    [
        "One row a line.",
        "A line. Each line has its own lifetime.",
        "A line. Its family has its own page.",
        "A line. The families have different names.",
        "A line. No retention differs by family.",
        "A line. Each family member has an age of their own.",
        "A line of a family plan; each family has its own tariff.",
        "A line. Its age differs.",
        "A line. The families are divided by what reads them.",
    ],
)
def test_other_words_on_families_change_nothing(said: str) -> None:
    """A value in a family with an age is lost while the events of its row go on."""
    (finding,) = found(evolve(bt.schema_of(Subscriber), doc=said), "FAM005")
    assert finding.level is Level.WARNING
