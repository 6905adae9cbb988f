"""ROW008 where a description says that changes come in another order than they were made."""

from datetime import datetime, timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from tests.lint.parts import found


class Account(bt.Model, table="ACCOUNT", events="6000/s", lateness="20min"):
    """An account as it is now."""

    account: str = bt.key(bt.HexDigest(16), cardinality=70_000_000)

    r = bt.family("r", gc=bt.max_versions(1))
    status: str = bt.column("st", r, size=8)
    committed: datetime = bt.column("at", r)

    by_id = bt.query("account")


SAID = [
    "Workers take the changes in any order.",
    "Changes come out of order.",
    "The events of one account may arrive out-of-order.",
    "Updates are read from many partitions, in no particular order.",
    "Messages are not in their order.",
    "Changes overtake one another.",
    "An update may overtake an earlier one.",
    "The order of changes is not guaranteed.",
    "An older change can overwrite a newer one.",
    "Late changes must not overwrite newer ones.",
    "Two regions write the changes, each in its own order.",
]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("late", [timedelta(minutes=20), None])
def test_an_old_change_does_not_replace_a_newer_one(said: str, late: timedelta | None) -> None:
    """However rarely a row is written; the time of each change is that of the cells in the fix."""
    model = evolve(bt.schema_of(Account), doc=f"An account as it is now. {said}", lateness=late)
    (one,) = found(model, "ROW008")
    assert one.level is Level.WARNING
    assert "`committed: datetime = bt.timestamp()` in the place of the column" in one.fix
    assert ("about one event in 10" in one.message) == (late is not None)
    assert found(one.models[0], "ROW008") == []


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Changes never come out of order.",
        "No two changes are out of order.",
        "The list of accounts is shown in any order.",
        "Workers take accounts in any order, one worker each.",
    ],
)
def test_what_comes_in_order_may_be_replaced(said: str) -> None:
    """Where a row is written so rarely that nothing else says otherwise."""
    assert found(evolve(bt.schema_of(Account), doc=f"An account as it is now. {said}"), "ROW008") == []


def test_without_a_time_and_a_lateness_nothing_is_known() -> None:
    """Nobody could tell which change is the newer one; with a lateness, the fix brings a time."""
    model = evolve(bt.schema_of(Account), doc=SAID[0])
    timeless = evolve(model, columns=model.columns[:1])
    assert found(evolve(timeless, lateness=None), "ROW008") == []
    (one,) = found(timeless, "ROW008")
    assert "`at: datetime = bt.timestamp()`" in one.fix
