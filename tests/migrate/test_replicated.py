"""GC rules of replicated instances: what the service refuses is known before it is tried."""

from datetime import timedelta

import pytest
from hypothesis import given
from memory_instance import rule
from some_tables import ONE, WEEK, rules, table

from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError
from btmodel.migrate import (
    AddFamily,
    ChangeGc,
    Effect,
    InstanceFacts,
    apply,
    diff,
    make_plan,
    read_plan,
)
from btmodel.schema import Family, GcRule, KeepAll, MaxAge, MaxVersions
from btmodel.server.request_errors import RequestError
from btmodel.server.schema import check_relaxation

SEVERAL = InstanceFacts(replicated=True)


def change(new: GcRule | None, old: GcRule | None, facts: InstanceFacts = SEVERAL) -> ChangeGc:
    """The change of the rule of a family."""
    (found,) = diff((table("T", f=new),), (table("T", f=old),), facts)
    assert isinstance(found, ChangeGc)
    return found


def refused(new: GcRule, old: GcRule, *, ignore_warnings: bool) -> bool:
    """Whether the local server refuses the change on a replicated instance."""
    try:
        check_relaxation(rule(Family("f", old)), rule(Family("f", new)), "f", ignore_warnings)
    except RequestError:
        return True
    return False


@given(rules, rules)
def test_it_agrees_with_the_server(new: GcRule, old: GcRule) -> None:
    """Blocked is what the server takes with ignore_warnings alone, impossible what it never takes."""
    # As a live rule it went through the server, which has no word for keeping everything inside another rule.
    for found in diff((table("T", f=new),), (table("T", f=old),), SEVERAL):
        blocked = found.effect in (Effect.BLOCKED, Effect.IMPOSSIBLE)
        assert refused(new, old, ignore_warnings=False) is blocked
        assert refused(new, old, ignore_warnings=True) is (found.effect is Effect.IMPOSSIBLE)


@pytest.mark.parametrize("days", [1, 89, 90, 91, 4000])
def test_how_far_an_age_can_grow(days: int) -> None:
    """By 90 days, asked for by name, it takes its time; further, nothing but steps or fewer clusters helps."""
    found = change(MaxAge(WEEK.age + timedelta(days=days)), WEEK)
    if days <= 90:
        assert (found.effect, found.effect_if_allowed) == (Effect.BLOCKED, Effect.SLOW)
        assert found.requires == "relax-replicated:T.f"
    else:
        assert (found.effect, found.requires) == (Effect.IMPOSSIBLE, None)
        assert "steps of 90 days" in found.details[0]


def test_what_no_steps_lead_to() -> None:
    """An age cannot end, nor become a number of versions; the way is over one cluster."""
    for new in (None, KeepAll(), ONE, WEEK & ONE):
        found = change(new, WEEK)
        assert found.effect is Effect.IMPOSSIBLE
        assert "all clusters but one" in found.details[0]
        assert "steps" not in found.details[0]


def test_what_is_not_blocked() -> None:
    """Rules of versions may grow, and so may ages on one cluster; a shorter age is as destructive as anywhere."""
    assert change(MaxVersions(3), ONE).effect is Effect.SAFE
    assert change(None, WEEK, InstanceFacts(replicated=False)).effect is Effect.SAFE
    assert change(WEEK, None).effect is Effect.DESTRUCTIVE
    assert change(MaxAge(timedelta(days=1)), WEEK).requires == "tighten-gc:T.f"


def test_a_family_takes_its_time() -> None:
    """A new family loses nothing, and every cluster has to learn of it."""
    (found,) = diff((table("T", f=ONE),), (table("T"),), SEVERAL)
    assert found == AddFamily("T", Family("f", ONE), replicated=True)
    assert found.effect is Effect.SLOW


def test_clusters_that_cannot_be_read_are_noted() -> None:
    """Where it would matter, the plan says that it does not know."""
    live, declared = (table("T", f=WEEK),), (table("T", f=None),)
    assert "could not be read" in make_plan("i", declared, live).notes[0]
    assert make_plan("i", live, declared).notes == ()
    assert make_plan("i", declared, live, facts=InstanceFacts(replicated=False)).notes == ()


def test_on_a_replicated_server(instance: str) -> None:
    """The clusters are read; a blocked change is sent when it is asked for, and the server takes it."""
    month = table("T", f=MaxAge(timedelta(days=30)))
    with local_server.start(replicated=True) as running, Admin(Target(instance, running.host)) as admin:
        admin.create_table(table("T", f=WEEK))
        with pytest.raises(
            MigrationError,
            match=r"nothing was applied, because the service refuses it.*--allow relax-replicated:T\.f",
        ):
            apply(read_plan(admin, (month,)), admin)
        apply(read_plan(admin, (month,), ["relax-replicated:T.f"]), admin)
        assert read_plan(admin, (month,)).changes == ()
        with pytest.raises(MigrationError, match="cannot all be done"):
            apply(read_plan(admin, (table("T", f=None),)), admin)
