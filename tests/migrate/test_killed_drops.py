"""A run that was killed right after the drop of a family leaves nothing that is told for good."""

from collections.abc import Callable

import pytest
from attrs import evolve
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from renamed_models import lie
from some_revisions import on
from some_tables import ONE, table
from test_revision_apply import Killed, follow, graph

from btmodel.migrate import read_plan
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.migrate.revisions.planning import against_last
from btmodel.migrate.revisions.standing import standing

BOTH = evolve(table("QUOTE", MD=ONE, OLD=ONE), layouts=(lie(MD__BID="Int64()", OLD__BID="Int64()"),))
ONLY = evolve(table("QUOTE", MD=ONE), layouts=(lie(MD__BID="Int64()"),))
NAME = "drop-family:QUOTE.OLD"
FIRST = on(message="both", tables=[BOTH])
SECOND = on(FIRST, message="only", tables=[ONLY])
FOUND = graph(FIRST, SECOND)


def migrate(instance: MemoryInstance, history: MemoryHistory, *allow: str) -> None:
    """What `btmodel migrate` does without revisions."""
    apply_stages([Stage(read_plan(instance, [ONLY], allow, history))], instance, history, "me")


def revise(instance: MemoryInstance, history: MemoryHistory, *allow: str) -> None:
    """What it does with them, where all are applied."""
    follow(FOUND, instance, history, allow)


@pytest.fixture(params=[migrate, revise], ids=["models", "revisions"])
def run(request: pytest.FixtureRequest) -> Callable[..., None]:
    found: Callable[..., None] = request.param
    return found


def killed(run: Callable[..., None]) -> tuple[MemoryInstance, MemoryHistory]:
    """An instance, and its history, as they are where a run was killed right after the drop."""
    instance, history = MemoryInstance(), MemoryHistory()
    follow(FOUND, instance, history)
    assert instance.tables["QUOTE"].family("OLD")

    def fail(_: object, method: str) -> None:
        if method == "record_layouts":
            raise Killed

    history.before = fail
    with pytest.raises(Killed):
        run(instance, history, NAME)
    history.before = lambda *_: None
    history._lock = None  # it runs out
    assert instance.tables["QUOTE"].family("OLD") is None
    assert history.layouts()["QUOTE"] == BOTH.layouts
    return instance, history


def test_cells_of_a_family_that_is_gone_are_no_drift(run: Callable[..., None]) -> None:
    """What was recorded of the family is not told any more: its cells went with it."""
    instance, history = killed(run)
    plan = read_plan(instance, [ONLY], history=history)
    assert (plan.pending, plan.drift) == ((), ())
    if run is revise:
        found = against_last(standing(FOUND, history.revisions()), instance, history)
        assert found is not None
        assert (found.changes, found.drift) == ((), ())


def test_the_next_run_brings_the_record_up_to_date(run: Callable[..., None]) -> None:
    """The next run, to which nothing is left but that, records how rows lie now, and that the drop has ended."""
    instance, history = killed(run)
    run(instance, history)
    assert history.layouts() == {"QUOTE": ONLY.layouts}
    assert [one.ended is None for one in history.steps().values()] == [False]
    assert history.lock() is None
