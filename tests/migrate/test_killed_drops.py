"""A run that was killed right behind the drop of a family leaves nothing that is told for good."""

from collections.abc import Callable

import pytest
from attrs import evolve
from memory_instance import MemoryInstance
from memory_journal import MemoryJournal
from renamed_models import lie
from some_revisions import on
from some_tables import ONE, table
from test_revision_apply import Killed, follow, graph

from btmodel.migrate import read_plan
from btmodel.migrate.applying.locked import apply_leased
from btmodel.migrate.revisions.planning import against_last
from btmodel.migrate.revisions.standing import standing

BOTH = evolve(table("QUOTE", MD=ONE, OLD=ONE), layouts=(lie(MD__BID="Int64()", OLD__BID="Int64()"),))
ONLY = evolve(table("QUOTE", MD=ONE), layouts=(lie(MD__BID="Int64()"),))
NAME = "drop-family:QUOTE.OLD"
FIRST = on(message="both", tables=[BOTH])
SECOND = on(FIRST, message="only", tables=[ONLY])
FOUND = graph(FIRST, SECOND)


def migrate(instance: MemoryInstance, journal: MemoryJournal, *allow: str) -> None:
    """What `btmodel migrate` does without revisions."""
    apply_leased(read_plan(instance, [ONLY], allow, journal), instance, journal, "me")


def revise(instance: MemoryInstance, journal: MemoryJournal, *allow: str) -> None:
    """What it does with them, where all are applied."""
    follow(FOUND, instance, journal, allow)


@pytest.fixture(params=[migrate, revise], ids=["models", "revisions"])
def run(request: pytest.FixtureRequest) -> Callable[..., None]:
    found: Callable[..., None] = request.param
    return found


def killed(run: Callable[..., None]) -> tuple[MemoryInstance, MemoryJournal]:
    """An instance, and its journal, as they are where a run was killed right behind the drop."""
    instance, journal = MemoryInstance(), MemoryJournal()
    follow(FOUND, instance, journal)
    assert instance.tables["QUOTE"].family("OLD")

    def fail(_: object, method: str) -> None:
        if method == "record_layouts":
            raise Killed

    journal.before = fail
    with pytest.raises(Killed):
        run(instance, journal, NAME)
    journal.before = lambda *_: None
    journal._lease = None  # it runs out
    assert instance.tables["QUOTE"].family("OLD") is None
    assert journal.layouts()["QUOTE"] == BOTH.layouts
    return instance, journal


def test_cells_of_a_family_that_is_gone_are_no_drift(run: Callable[..., None]) -> None:
    """What was recorded of the family is not told any more: its cells went with it."""
    instance, journal = killed(run)
    plan = read_plan(instance, [ONLY], journal=journal)
    assert (plan.pending, plan.drift) == ((), ())
    if run is revise:
        found = against_last(standing(FOUND, journal.revisions()), instance, journal)
        assert found is not None
        assert (found.changes, found.drift) == ((), ())


def test_the_next_run_brings_the_record_up_to_date(run: Callable[..., None]) -> None:
    """The next run, to which nothing is left but that, records how rows lie now, and that the drop has ended."""
    instance, journal = killed(run)
    run(instance, journal)
    assert journal.layouts() == {"QUOTE": ONLY.layouts}
    assert [one.ended is None for one in journal.steps().values()] == [False]
    assert journal.lease() is None
