"""Plans, what they need to be allowed, and how they read."""

import json

import pytest
from attrs import evolve
from some_tables import ONE, QUOTE, TRADE, WEEK, table

from btmodel.errors import MigrationError
from btmodel.migrate import DropFamily, DropTable, as_json, as_text, make_plan, refuse
from btmodel.schema import Family, MaxVersions

INSTANCE = "projects/p/instances/i"
LIVE = (table("QUOTE", MD=MaxVersions(3), OLD=WEEK), TRADE, table("USED", f=None))
DECLARED = (QUOTE, table("TRADE", MD=MaxVersions(2), STAT=WEEK), table("NEW", f=ONE))


def test_text() -> None:
    """A plan reads in groups by effect, each line with what it needs."""
    assert as_text(make_plan(INSTANCE, DECLARED, LIVE)) == (
        "projects/p/instances/i: 3 changes, 1 destructive\n"
        "in the instance but not declared, left alone (2):\n"
        "  ? undeclared-family:QUOTE.OLD  keeps younger than 7d  [drop with --allow drop-family:QUOTE.OLD]\n"
        "  ? undeclared-table:USED  f keeps everything  [drop with --allow drop-table:USED]\n"
        "loses no data (2):\n"
        "  + create-table:NEW  f keeps newest 1 version\n"
        "  ~ relax-gc:TRADE.MD  keeps newest 2 versions, instead of newest 1 version: keeps more\n"
        "loses data (1):\n"
        "  ~ tighten-gc:QUOTE.MD  keeps newest 1 version, instead of newest 3 versions: keeps less"
        "  [needs --allow tighten-gc:QUOTE.MD]\n"
        "      lost: cells that the rule of the instance keeps and the declared rule does not, including those already written\n"
        "      can be undone: no; setting the old rule again at once may save what is not deleted yet, "
        "and a backup made before saves everything"
    )


def test_nothing_to_do() -> None:
    """A plan without changes says so."""
    assert as_text(make_plan(INSTANCE, (QUOTE,), (QUOTE,))) == "projects/p/instances/i: nothing to do"


def test_json() -> None:
    """A plan is JSON, and says of each change what it is, what it needs and whether it has it."""
    value = as_json(make_plan(INSTANCE, DECLARED, LIVE, ["drop-table:USED"]))
    assert json.loads(json.dumps(value)) == value
    assert value["changes"][-1] == {
        "name": "drop-table:USED",
        "table": "USED",
        "family": None,
        "effect": "destructive",
        "summary": "f keeps everything",
        "details": [],
        "lost": "every row of the table, and its authorized views",
        "undo": DropTable(LIVE[2]).undo,
        "quiet": False,
        "requires": "drop-table:USED",
        "allowed": True,
    }
    assert [change["name"] for change in value["drift"]] == ["undeclared-family:QUOTE.OLD"]
    assert value["drift"][0]["allowed"] is False


def test_a_drop_is_in_the_plan_only_by_name() -> None:
    """Drift becomes a drop when its drop is allowed by name, and then comes last."""
    plan = make_plan(INSTANCE, DECLARED, LIVE, ["drop-family:QUOTE.OLD", "drop-table:USED"])
    assert plan.changes[-2:] == (DropFamily("QUOTE", Family("OLD", WEEK)), DropTable(LIVE[2]))
    assert plan.drift == ()


def test_an_unallowed_destructive_change_is_refused() -> None:
    """One sentence names the change and what to say."""
    with pytest.raises(MigrationError, match=r"nothing was applied.*use --allow tighten-gc:QUOTE\.MD if"):
        refuse(make_plan(INSTANCE, DECLARED, LIVE))
    refuse(make_plan(INSTANCE, DECLARED, LIVE, ["tighten-gc:QUOTE.MD"]))


def test_an_allowance_of_nothing_is_refused_with_near_misses() -> None:
    """A name that allows nothing is an error that says what could have been meant."""
    with pytest.raises(MigrationError, match=r"--allow drop-family:QUOTE\.OLDE: .*drop-family:QUOTE\.OLD"):
        make_plan(INSTANCE, DECLARED, LIVE, ["drop-family:QUOTE.OLDE"])
    with pytest.raises(MigrationError, match="no change needs permission"):
        make_plan(INSTANCE, (QUOTE,), (QUOTE,), ["drop-table:QUOTE"])


def test_an_allowance_of_two_things_is_refused() -> None:
    """Ids may hold dots, so two families can share a name; then it allows neither."""
    live = (table("a", **{"b.c": None}), table("a.b", c=None))
    with pytest.raises(MigrationError, match="2 changes have that name"):
        make_plan(INSTANCE, (table("a"), table("a.b")), live, ["drop-family:a.b.c"])


def test_a_table_of_existing_rows_that_is_not_there_is_noted() -> None:
    """It is made, as a test needs; a wrong instance is the likelier reason, so the plan says what it makes."""
    missing = make_plan(INSTANCE, (evolve(QUOTE, existing=True), TRADE), ())
    (note,) = missing.notes
    assert note.startswith(
        "QUOTE is declared with `existing=True`, but projects/p/instances/i has no such table"
    )
    assert make_plan(INSTANCE, (evolve(QUOTE, existing=True),), (QUOTE,)).notes == ()
