"""The command of a run that was killed, said again as it was: what is done already is no mistake in it."""

from collections.abc import Callable
from itertools import count

import pytest
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from some_revisions import on
from some_tables import ONE, QUOTE, TRADE, WEEK, table
from test_revision_apply import Killed, back, follow, graph, recorded

from btmodel.migrate.history import Reached
from btmodel.migrate.planning.plan import WrongAllow
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.standing import standing
from btmodel.schema import MaxVersions

FIRST = on(message="first", tables=[table("QUOTE", MD=ONE, OLD=ONE), table("TRADE", MD=ONE)])
LESS = on(FIRST, message="less", tables=[table("QUOTE", MD=ONE)])
WEEKS = table("WEEKS", MD=WEEK)
KEPT = on(FIRST, message="kept", tables=[table("QUOTE", MD=ONE, OLD=ONE, NEW=ONE), *FIRST.tables[1:], WEEKS])
MORE = on(LESS, message="more", tables=[table("QUOTE", MD=MaxVersions(2), NEW=ONE)])
DROPS = ("drop-family:QUOTE.OLD", "drop-table:TRADE")


def killed_anywhere(
    prepare: Callable[[MemoryInstance, MemoryHistory], None],
    command: Callable[[MemoryInstance, MemoryHistory], object],
) -> MemoryInstance:
    """Kill ``command`` before every call in turn, and say it again; what is live at the end of the last try."""
    for number in count():
        instance, history, calls = MemoryInstance(), MemoryHistory(), 0
        prepare(instance, history)

        def fail(*_: object, at: int = number) -> None:
            nonlocal calls
            calls += 1
            if calls == at + 1:
                raise Killed

        instance.before = history.before = fail
        try:
            command(instance, history)
        except Killed:
            instance.before = history.before = lambda *_: None
            history._lock = None  # it runs out
            command(instance, history)
        else:
            assert number > 10
            return instance
    raise AssertionError


def test_allowed_drops_may_be_said_again() -> None:
    """Wherever a run with drops was killed, its command goes through, also where a later revision changed the same table."""
    found = graph(FIRST, LESS, MORE)
    instance = killed_anywhere(
        lambda instance, history: follow(graph(FIRST), instance, history) and None,
        lambda instance, history: follow(found, instance, history, DROPS),
    )
    assert [(one.id, [family.id for family in one.families]) for one in instance.tables.values()] == [
        ("QUOTE", ["MD", "NEW"])
    ]


def test_a_run_that_is_done_may_be_said_again() -> None:
    """A command is no mistake where nothing is left of it; a name that allowed nothing ever is one still."""
    found, instance, history = graph(FIRST, LESS, MORE), MemoryInstance(), MemoryHistory()
    follow(graph(FIRST), instance, history)
    follow(found, instance, history, DROPS)
    assert follow(found, instance, history, DROPS) == []
    with pytest.raises(WrongAllow, match=r"--allow drop-family:QUOTE\.OTHER: nothing in"):
        follow(found, instance, history, ["drop-family:QUOTE.OTHER"])


def test_the_way_back_may_be_said_again() -> None:
    """Wherever a rollback was killed, its command goes through: with its drops, with what it keeps, and with data steps of what is undone."""
    fill = on(FIRST, message="fill", tables=[*FIRST.tables, table("USER", MD=ONE)], steps=("fill",))
    last = on(fill, message="last", tables=[*fill.tables, table("VENUE", MD=WEEK), WEEKS])
    found = graph(FIRST, fill, last)
    names = ("drop-table:USER", "drop-table:VENUE", "keep-table:WEEKS", "data-step:fill")

    def prepare(instance: MemoryInstance, history: MemoryHistory) -> None:
        follow(graph(FIRST), instance, history)
        for one in (*fill.tables, *last.tables):
            instance.tables.setdefault(one.id, one)
        recorded(fill, last, history=history)

    instance = killed_anywhere(
        prepare, lambda instance, history: back(found, instance, history, names, to=FIRST)
    )
    assert sorted(instance.tables) == ["QUOTE", "TRADE", "WEEKS"]


def test_only_what_a_rollback_may_have_kept_may_be_said_again() -> None:
    """A table that no undone revision has created is a mistake."""
    found, instance, history = graph(FIRST, KEPT), MemoryInstance(), MemoryHistory()
    follow(found, instance, history)
    names = ("keep-table:WEEKS", "keep-family:QUOTE.NEW")
    assert back(found, instance, history, names, to=FIRST) == [KEPT.id]
    assert back(found, instance, history, names, to=FIRST) == []
    with pytest.raises(WrongAllow, match=r"--allow keep-table:TRADE: nothing in"):
        back(found, instance, history, ("keep-table:TRADE",), to=FIRST)


def test_what_becomes_of_an_edited_step_may_be_said_again() -> None:
    """The name by which an edited data step goes on is no mistake once its revision is applied."""
    steps = on(message="fill", tables=[QUOTE], steps=("fill",))
    later = on(steps, message="later", tables=[QUOTE, TRADE])
    found, history, instance = graph(steps, later), MemoryHistory(), MemoryInstance([QUOTE])
    history.record_progress("0001_fill/fill", Reached(b"a", 1, "another"))
    for _ in range(2):
        now = standing(found, history.revisions())
        revision_stages(now, instance, history, allow=["restart-step:fill"])
        recorded(steps, history=history)
        history.end_progress("0001_fill/fill")
    with pytest.raises(WrongAllow, match="restart-step:other"):
        revision_stages(now, instance, history, allow=["restart-step:other"])
