"""Saved plans: what was agreed to is applied, exactly that, or nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from saving import save
from settled_tables import declared_sets, layout, live_sets
from some_tables import ONE, QUOTE, TRADE, WEEK, table

from btmodel.errors import MigrationError
from btmodel.migrate import allowable, apply, as_json, read_live, read_plan
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.planning.saved import load
from btmodel.schema import MaxVersions, Table

DECLARED = (QUOTE, TRADE)
LIVE = (table("QUOTE", MD=ONE, OLD=WEEK), table("OTHER"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "plan.json"


def saved(path: Path) -> MemoryInstance:
    """An instance, and the plan for it in a file."""
    instance = MemoryInstance(LIVE)
    save(read_plan(instance, DECLARED, ["drop-family:QUOTE.OLD"]), path)
    return instance


def test_it_is_applied_as_it_was_saved(path: Path) -> None:
    """The plan that is read is the plan that was written, with what it was allowed."""
    instance = saved(path)
    plan = load(path).read_again(instance)
    assert plan.changes == read_plan(instance, DECLARED, ["drop-family:QUOTE.OLD"]).changes
    apply(plan, instance)
    assert read_plan(instance, DECLARED).changes == ()
    assert instance.tables["QUOTE"].families == QUOTE.families


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(declared_sets, live_sets, st.sampled_from([None, False, True]))
def test_any_plan_comes_back(
    path: Path, declared: tuple[Table, ...], live: tuple[Table, ...], several: bool | None
) -> None:
    """Whatever the tables, the file gives the same changes for the same instance."""
    instance, history = MemoryInstance(live, several=several), MemoryHistory()
    for one in live:
        history.record_layouts(one.id, one.layouts)
    first = read_plan(instance, declared, history=history)
    plan = read_plan(
        instance, declared, allowable(declared, read_live(instance, history), first.facts), history
    )
    save(plan, path)
    again = load(path).read_again(instance, history)
    assert as_json(again)["changes"] == as_json(plan)["changes"]


@pytest.mark.parametrize(
    ("move", "told"),
    [
        (
            lambda tables: tables.update(QUOTE=table("QUOTE", MD=MaxVersions(2), OLD=WEEK)),
            "family QUOTE.MD kept newest 1 version, and keeps newest 2 versions",
        ),
        (
            lambda tables: tables.update(QUOTE=table("QUOTE", MD=ONE, OLD=WEEK, NEW=ONE)),
            "family QUOTE.NEW is new, and keeps newest 1 version",
        ),
        (lambda tables: tables.update(QUOTE=table("QUOTE", MD=ONE)), "family QUOTE.OLD is gone"),
        (lambda tables: tables.pop("QUOTE"), "table QUOTE is gone"),
        (lambda tables: tables.update(TRADE=table("TRADE")), "table TRADE is new"),
        (
            lambda tables: tables.update(
                QUOTE=evolve(
                    tables["QUOTE"], settings=evolve(tables["QUOTE"].settings, deletion_protection=True)
                )
            ),
            "table QUOTE had no settings, and has deletion protection",
        ),
    ],
)
def test_a_table_that_moved(path: Path, move: Callable[[dict[str, Table]], object], told: str) -> None:
    """Whatever became of a table that the plan concerns, it is refused, and what moved is told, from what to what."""
    instance = saved(path)
    move(instance.tables)
    with pytest.raises(MigrationError) as caught:
        load(path).read_again(instance)
    assert str(caught.value) == (
        f"{path}: the instance is not what it was when the plan was made: {told}: nothing was applied; make the plan again"
    )


def test_much_that_moved(path: Path) -> None:
    """Of many changes some are told, and how many more there are."""
    instance = saved(path)
    instance.tables["QUOTE"] = table("QUOTE", MD=ONE, OLD=WEEK, **{f"f{count}": ONE for count in range(12)})
    with pytest.raises(
        MigrationError, match=r"QUOTE\.f2 is new.*QUOTE\.f9 is new.*; and 2 more: nothing"
    ) as caught:
        load(path).read_again(instance)
    assert "f10" not in str(caught.value)


def test_a_table_that_it_does_not_concern_may_move(path: Path) -> None:
    """What the plan leaves alone is nothing to it."""
    instance = saved(path)
    instance.tables["OTHER"] = table("OTHER", f=ONE)
    instance.tables["MORE"] = table("MORE", f=ONE)
    apply(load(path).read_again(instance), instance)
    assert instance.tables["OTHER"] == table("OTHER", f=ONE)


def test_a_changed_record(path: Path) -> None:
    """A layout that was recorded meanwhile is a move, too; and so is the first row of a table that was empty."""
    history, instance = MemoryHistory(), MemoryInstance((QUOTE,))
    history.record_layouts("QUOTE", (layout("Quote", BID="value Int64()"),))
    declared = (evolve(QUOTE, layouts=(layout("Quote", BID="value Utf8()"),)),)
    save(read_plan(instance, declared, history=history), path)
    instance.filled.add("QUOTE")
    with pytest.raises(MigrationError, match="the rows or the clusters"):
        load(path).read_again(instance, history)
    history.record_layouts("QUOTE", ())
    with pytest.raises(
        MigrationError, match="how the rows of QUOTE are written was recorded anew, of Quote: nothing"
    ):
        load(path).read_again(instance, history)


def test_another_instance(path: Path) -> None:
    """A plan is for one instance."""
    saved(path)
    other = MemoryInstance(LIVE)
    other.instance = "projects/p/instances/other"
    with pytest.raises(
        MigrationError, match=r"is a plan for projects/p/instances/memory, and this is .*other"
    ):
        load(path).read_again(other)


def test_the_same_plan_twice(path: Path) -> None:
    """Once it is applied, its tables have moved."""
    instance = saved(path)
    apply(load(path).read_again(instance), instance, run_record=RunRecord(MemoryHistory(), "me"))
    with pytest.raises(MigrationError, match=r"QUOTE\.OLD is gone; table TRADE is new: nothing"):
        load(path).read_again(instance)


def edited(path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """The file with something edited."""
    data = json.loads(path.read_text())
    edit(data)
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("edit", "match"),
    [
        (lambda data: data["allowed"].append("drop-table:OTHER"), "was edited, or is damaged"),
        (lambda data: data["declared"].pop("QUOTE"), "was edited, or is damaged"),
        (lambda data: data.update(instance="projects/p/instances/x"), "was edited, or is damaged"),
        (lambda data: data.update(format=3), "of format 3, and this version of btmodel reads up to 2"),
        (lambda data: data.pop("live"), "is not a saved plan: expected"),
        (lambda data: data.update(allowed="all"), "is not a saved plan: expected"),
    ],
)
def test_an_edited_file(path: Path, edit: Callable[[dict[str, Any]], object], match: str) -> None:
    """Whatever was edited is refused in one sentence that names the file."""
    saved(path)
    edited(path, edit)
    with pytest.raises(MigrationError, match=rf"plan\.json.*{match}"):
        load(path)


@given(st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_file(path: Path, raw: bytes) -> None:
    """Any bytes are refused in one sentence."""
    path.write_bytes(raw)
    with pytest.raises(MigrationError, match="is not a saved plan"):
        load(path)


def test_no_file(path: Path) -> None:
    """A file that is not there is named with the reason."""
    with pytest.raises(MigrationError, match=r"plan\.json cannot be read: No such file"):
        load(path)


def test_another_version_would_do_something_else(path: Path) -> None:
    """A plan that would be another one today, though no table moved, is not applied."""
    instance = saved(path)
    loaded = load(path)
    shown = {**loaded.shown, "changes": [{**one, "effect": "safe"} for one in loaded.shown["changes"]]}
    with pytest.raises(MigrationError, match="the version of btmodel"):
        evolve(loaded, shown=shown).read_again(instance)


def test_another_version_would_say_it_otherwise(path: Path) -> None:
    """A plan whose changes an earlier version described in other words is applied: it does the same."""
    instance = saved(path)
    loaded = load(path)
    changes = [{**one, "summary": "other words", "lost": "words"} for one in loaded.shown["changes"]]
    plan = evolve(loaded, shown={**loaded.shown, "changes": changes}).read_again(instance)
    assert plan.changes == load(path).read_again(instance).changes != ()
