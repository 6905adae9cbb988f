"""How refusals and failures end: with what helps, and with no more names than one reads."""

from functools import partial

import pytest
from attrs import evolve
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from some_revisions import FIRST, SECOND, on
from some_tables import ONE, table
from test_revision_apply import back, follow, graph

from btmodel.errors import MigrationError, MigrationFailed, NotAllowed
from btmodel.migrate import apply, make_plan, read_plan
from btmodel.migrate.applying.run import refuse
from btmodel.migrate.revisions.records import refuse_difference
from btmodel.migrate.revisions.standing import standing
from btmodel.schema import MaxVersions, Table

MANY = [table(f"T{number}", MD=ONE) for number in range(30)]


def protected(tables: list[Table]) -> list[Table]:
    return [evolve(one, settings=evolve(one.settings, deletion_protection=True)) for one in tables]


def test_of_many_changes_the_first_are_named() -> None:
    """The sentence names the first changes, and names to allow; how many more there are it says of both."""
    live = [table(one.id, MD=MaxVersions(2)) for one in MANY]
    with pytest.raises(MigrationError) as caught:
        refuse(make_plan("i", MANY, live))
    assert str(caught.value).endswith(
        "; and 20 more): use "
        + " ".join(f"--allow tighten-gc:T{number}.MD" for number in range(10))
        + " and 20 more if you mean that"
    )


def test_of_a_few_all_are_named() -> None:
    """Where one can read them, nothing is left out."""
    live = [table(one.id, MD=MaxVersions(2)) for one in MANY[:10]]
    with pytest.raises(MigrationError, match=r"--allow tighten-gc:T9\.MD if you mean that") as caught:
        refuse(make_plan("i", MANY[:10], live))
    assert "more" not in str(caught.value)


def test_of_many_protected_tables_the_first_are_named() -> None:
    """So it is where protection goes off."""
    live = protected(MANY)
    drops = [f"drop-table:{one.id}" for one in MANY]
    with pytest.raises(MigrationError, match="so does that of 25 more tables: use") as caught:
        refuse(make_plan("i", [], live, drops))
    assert str(caught.value).count("deletion protection") == 5


def test_a_way_back_that_loses_much() -> None:
    """A rollback that would drop much names the first, and so does a baseline that does not fit."""
    more = on(FIRST, message="more", tables=[*FIRST.tables, *MANY])
    instance, history = MemoryInstance(), MemoryHistory()
    follow(graph(FIRST, more), instance, history)
    with pytest.raises(MigrationError, match=r"and 20 more: use --allow drop-table:T0 .* and 20 more if"):
        back(graph(FIRST, more), instance, history)
    with pytest.raises(
        MigrationError, match=r"the instance is not as 0002_more says: .*; and 21 more: bring it"
    ):
        refuse_difference(more, make_plan("i", more.tables, ()), standing(graph(FIRST, more), ()))


@pytest.mark.parametrize("revisions", [False, True])
def test_a_right_that_is_missing(revisions: bool) -> None:
    """To run it again mends nothing before somebody gives the right, which the last words say."""

    def deny(_: object, method: str, table: str) -> None:
        if (method, table) == ("create_table", "TRADE"):
            raise NotAllowed("not permitted to these credentials")

    instance = MemoryInstance((), deny)
    run = (
        partial(follow, graph(FIRST, SECOND), instance, MemoryHistory())
        if revisions
        else partial(apply, read_plan(instance, SECOND.tables), instance)
    )
    with pytest.raises(MigrationFailed, match=r"; run it again to continue, once that is permitted$"):
        run()
