"""Ages of GC rules that are given at run time, where the names of tables are."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from attrs import evolve
from gc_rules import MILLI, RULES
from hypothesis import given
from hypothesis import strategies as st
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from renamed_models import Site, site
from settled_tables import layout
from some_tables import ONE, WEEK, table

import btmodel as bt
from btmodel.described import keeps
from btmodel.errors import DeclarationError
from btmodel.migrate import Effect, apply, read_plan
from btmodel.migrate.history.run_record import RunRecord
from btmodel.recorded.tables import as_data, from_data
from btmodel.schema import (
    Family,
    GcChange,
    GcRule,
    GivenAge,
    Intersection,
    MaxAge,
    MaxVersions,
    Union,
    tables,
)
from btmodel.schema.gc import agreeing
from btmodel.source_text import gc_code

MICRO = timedelta(microseconds=1)
GIVEN = bt.max_age("{ttl}")
# With every age on a grid, and one beside it on both sides, so that all orders of two given ages come.
AGES = [tick * MILLI + near * MICRO for tick in range(1, 7) for near in (-2, -1, 0, 1, 2)]
RANKS = range(1, 8)


def _more(rules: st.SearchStrategy[GcRule]) -> st.SearchStrategy[GcRule]:
    leaves = rules | st.sampled_from([GIVEN, GIVEN, bt.max_age("{days}d")])
    parts = st.lists(leaves, min_size=1, max_size=2).map(tuple)
    return leaves | st.builds(Union, parts) | st.builds(Intersection, parts)


def by_brute_force(new: GcRule, old: GcRule) -> GcChange:
    """What the change does to cells of every age and rank, whatever is given."""
    ages = [age for age in AGES if age >= MILLI]
    given = list(dict.fromkeys((*new.given, *old.given)))
    pairs = set()
    for values in product(ages, repeat=len(given)):
        one, other = (rule.with_ages(dict(zip(given, values, strict=True))) for rule in (new, old))
        pairs |= {
            (other.deletes(age, rank), one.deletes(age, rank)) for age in (*ages, 9 * MILLI) for rank in RANKS
        }
    return GcChange(((False, True) in pairs, (True, False) in pairs))


@given(_more(RULES), _more(RULES))
def test_rules_with_given_ages_are_compared_for_all_ages(new: GcRule, old: GcRule) -> None:
    """A change does what it does with any ages that a program may give."""
    assert new.compared_to(old) is by_brute_force(new, old)


@given(_more(RULES), st.integers(1, 6))
def test_a_live_rule_tells_the_age(rule: GcRule, tick: int) -> None:
    """A rule whose ages were given is found again in what is live, with ages that mean the same."""
    live = rule.with_ages(dict.fromkeys(rule.given, tick * MILLI))
    found = agreeing(rule, live)
    assert found is not None
    assert not found.given
    assert found.compared_to(live) is GcChange.EQUAL


def test_no_age_makes_another_rule() -> None:
    """Where no age makes the live rule, none is told."""
    assert agreeing(GIVEN, bt.max_versions(1)) is None
    assert agreeing(GIVEN, bt.keep_all()) is None
    assert agreeing(GIVEN | bt.max_versions(1), bt.max_age(days=1) | bt.max_versions(2)) is None


def test_a_given_age_in_words_code_and_records() -> None:
    """A rule with a given age is told, declared and recorded with its braces."""
    rule = bt.max_versions(1) | bt.max_age("{days}d")
    assert str(rule) == "(newest 1 version and younger than {days}d)"
    assert keeps(Family("f", rule)) == "the newest version, while younger than {days}d"
    assert keeps(Family("f", GIVEN)) == "versions younger than {ttl}"
    assert gc_code(rule) == 'bt.max_versions(1) | bt.max_age("{days}d")'
    data = as_data([table("LOG_{day}", f=rule)])
    assert data["LOG_{day}"]["families"]["f"]["gc"] == {
        "union": [{"max_versions": 1}, {"max_age": "{days}d"}]
    }
    assert from_data(data, "here") == (table("LOG_{day}", f=rule),)


class Log(bt.Model, table="LOG_{tenant}", allow={"TAB002": "a test"}):
    """A line of a tenant, which each has for as long as it pays for."""

    at: str = bt.key(bt.Text(width=5))
    f = bt.family("f", gc=bt.max_versions(1) | bt.max_age("{ttl}"))
    text: str = bt.column("text", f)


def test_ages_are_bound_with_the_names() -> None:
    """What completes the name of a table completes its rules."""
    schema = bt.schema_of(Log)
    assert schema.parameters == ("tenant", "ttl")
    bound = bt.schema_of(Log, tenant="a", ttl="7d")
    assert bound.families[0].gc == Union((MaxVersions(1), MaxAge(timedelta(days=7))))
    assert bound.parameters == ()
    for wrong, message in {
        "soon": "LOG|ttl: expected text that makes an age such as '7d' or '36h', got 'soon'",
        "": "ttl: expected text that is not empty, got ''",
        "999999999week": "ttl: expected text that makes an age",
    }.items():
        with pytest.raises(bt.ValueRefused, match=message):
            bt.schema_of(Log, tenant="a", ttl=wrong)
    for number in (30, timedelta(days=30)):
        with pytest.raises(
            bt.ValueRefused, match=r"ttl: expected text for the age '\{ttl\}', such as '30d', got"
        ):
            bt.schema_of(Log, tenant="a", ttl=number)  # type: ignore[arg-type]
    with pytest.raises(bt.QueryRefused, match="expected the parameters tenant, ttl, got tenant"):
        bt.schema_of(Log, tenant="a")


@pytest.mark.parametrize("age", ["{ttl", "{ttl}}", "{ttl:>3}", "{ttl!r}", "{", "}"])
def test_braces_that_name_nothing_are_refused(age: str) -> None:
    """Text with braces is an age with names, or refused."""
    with pytest.raises(DeclarationError, match="max_age: expected an age whose names stand in braces"):
        bt.schema_of(_declared("L_{x}", bt.max_age(age)))
    with pytest.raises(DeclarationError, match="and no other times beside it"):
        bt.max_age("{ttl}", days=1)


def _declared(id: str, rule: GcRule) -> type[bt.Model]:
    class Made(bt.Model, table=id, allow={"TAB002": "a test"}):
        at: str = bt.key(bt.Text(width=5))
        f = bt.family("f", gc=rule)
        text: str = bt.column("text", f)

    return Made


def test_tables_that_migrations_make_state_their_ages() -> None:
    """An age is given at run time only where a name is."""
    with pytest.raises(
        DeclarationError, match=r"family .f. keeps younger than \{ttl\}: an age can be given at run time"
    ):
        _declared("LOG", GIVEN)
    with pytest.raises(
        DeclarationError, match=r"Made: the id of a table or a family, or an age, has \{class\} in it"
    ):
        _declared("LOG_{day}", bt.max_age("{class}"))


TEMPLATE = evolve(table("LOG_{tenant}", f=bt.max_versions(1) | GIVEN), layouts=(layout("Log"),))


def test_each_live_table_has_its_own_age() -> None:
    """Live tables of a template may have any ages; another rule is drift, for nothing says which age to set."""
    instance = MemoryInstance(
        [
            table("LOG_a", f=ONE | WEEK),
            table("LOG_b", f=ONE | bt.max_age(days=1)),
            table("LOG_c", f=ONE),
            table("LOG_d"),
        ]
    )
    history = MemoryHistory()
    apply(read_plan(instance, [TEMPLATE], (), history), instance, run_record=RunRecord(history, "me"))
    plan = read_plan(instance, [TEMPLATE], history=history)
    assert plan.pending == ()
    assert [(one.name, one.summary, one.details) for one in plan.drift] == [
        (
            "unknown-gc:LOG_c.f",
            "keeps newest 1 version; declared is: (newest 1 version and younger than {ttl})",
            ("only your program knows the age: set the rule where it is known",),
        ),
        (
            "unknown-gc:LOG_d.f",
            "is missing; declared is: (newest 1 version and younger than {ttl})",
            ("only your program knows the age: bt.create_tables(..., ttl=...) adds the family",),
        ),
    ]
    assert plan.effect(plan.drift[0]) is Effect.DRIFT


def test_an_age_that_the_name_tells_is_compared() -> None:
    """Where the name of a table tells the age, its rule is compared, and a missing family is added with it."""
    declared = table("LOG_{days}", f=bt.max_age("{days}d"))
    instance = MemoryInstance(
        [table("LOG_7", f=WEEK), table("LOG_30", f=WEEK), table("LOG_1"), table("LOG_x", f=WEEK)]
    )
    plan = read_plan(instance, [declared])
    assert [(one.name, one.summary) for one in plan.pending] == [
        ("add-family:LOG_1.f", "keeps younger than 1d"),
        ("relax-gc:LOG_30.f", "keeps younger than 30d, instead of younger than 7d: keeps more"),
    ]
    assert [one.name for one in plan.drift] == ["unknown-gc:LOG_x.f"]


@pytest.fixture
def there(server: bt.emulator.Emulator, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        yield found


def test_a_program_makes_its_tables_with_their_ages(there: Site) -> None:
    """``create_tables`` makes each table with its own age, and reads leave out what is older."""
    for tenant, days in (("a", 7), ("b", 30)):
        bt.create_tables(there.rows, Log, tenant=tenant, ttl=f"{days}d")
    found: Any = {one.id: one.family("f") for one in there.admin.read_tables()}
    assert {id: str(one.gc) for id, one in found.items()} == {
        "LOG_a": "(newest 1 version and younger than 7d)",
        "LOG_b": "(newest 1 version and younger than 30d)",
    }
    assert isinstance(bt.schema_of(Log).families[0].gc, Union)
    assert tables([bt.schema_of(Log)]) == ()
    assert GivenAge("{ttl}") in bt.schema_of(Log).families[0].gc.given  # type: ignore[union-attr]
