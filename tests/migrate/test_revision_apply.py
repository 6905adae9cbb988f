"""Following revisions on an instance in memory: what is pending, in which order, and after any failure."""

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import attrs
import pytest
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from some_revisions import BOTH, FIRST, OTHER, SECOND, USER, folder_of, on
from some_tables import ONE, QUOTE, TRADE, WEEK, as_live, table

from btmodel.errors import MigrationError, MigrationFailed, ServerError
from btmodel.migrate import diff, make_plan, read_plan
from btmodel.migrate.applying.stages import RunListener, Stage, apply_stages, others
from btmodel.migrate.history import AppliedRevision
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.planning.text import plain
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.graph import Graph, graph_of
from btmodel.migrate.revisions.planning import after, revision_stages
from btmodel.migrate.revisions.records import confirm
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.rollback import rollback_stage, way_back
from btmodel.migrate.revisions.squashing import squash
from btmodel.migrate.revisions.standing import standing, targets
from btmodel.schema import MaxVersions

HERE = Path("migrations")
ALL = ("QUOTE", "TRADE", "USER")


def graph(*revisions: Revision) -> Graph:
    return graph_of(HERE, revisions)


def recorded(*revisions: Revision, history: MemoryHistory | None = None) -> MemoryHistory:
    """A migration history that remembers these as applied."""
    books = history or MemoryHistory()
    for one in revisions:
        books.add_revision(AppliedRevision(one.id, one.checksum, datetime.now(UTC), "me"))
    return books


def way(of: Graph, history: MemoryHistory, to: Revision | None = None) -> list[tuple[str, tuple[str, ...]]]:
    """Each revision that is pending, and the tables to which it leads."""
    found = targets(standing(of, history.revisions()), to)
    return [(one.revision.id, tuple(table.id for table in one.tables)) for one in found]


def follow(
    of: Graph,
    instance: MemoryInstance,
    history: MemoryHistory,
    allow: Iterable[str] = (),
    to: Revision | None = None,
) -> list[str]:
    """Apply what is pending; the ids of what was recorded."""
    told: list[str] = []
    found = revision_stages(standing(of, history.revisions()), instance, history, to, list(allow))
    progress = RunListener(revision=told.append)
    apply_stages(found, instance, history, "me", progress)
    return told


def test_pending_revisions_are_applied_in_order() -> None:
    """An empty instance gets them all, each recorded; then nothing is pending."""
    instance, history = MemoryInstance(), MemoryHistory()
    assert follow(graph(FIRST, SECOND), instance, history) == ["0001_quotes", "0002_trades"]
    assert [one.id for one in history.revisions()] == ["0001_quotes", "0002_trades"]
    assert [one.checksum for one in history.revisions()] == [FIRST.checksum, SECOND.checksum]
    assert instance.read_tables() == as_live(QUOTE, TRADE)
    assert follow(graph(FIRST, SECOND), instance, history) == []


def test_as_far_as_is_said() -> None:
    """--to ends the way at a revision; what is applied already is not touched by it."""
    instance, history = MemoryInstance(), MemoryHistory()
    assert follow(graph(FIRST, SECOND), instance, history, to=FIRST) == ["0001_quotes"]
    assert instance.read_tables() == as_live(QUOTE)
    follow(graph(FIRST, SECOND), instance, history)
    assert follow(graph(FIRST, SECOND), instance, history, to=FIRST) == []
    assert instance.read_tables() == as_live(QUOTE, TRADE)


def test_what_is_there_already_is_only_recorded() -> None:
    """Plans go from what is live: on an instance that is as a revision says, it makes no call."""
    instance, history = MemoryInstance([QUOTE]), MemoryHistory()
    follow(graph(FIRST, SECOND), instance, history)
    assert instance.changes == [("create_table", "TRADE")]


def test_what_was_changed_by_hand_is_mended() -> None:
    """With nothing pending, live is led back to what the last revision says."""
    instance, history = MemoryInstance(), MemoryHistory()
    follow(graph(FIRST, SECOND), instance, history)
    instance.delete_table("TRADE")
    follow(graph(FIRST, SECOND), instance, history)
    assert instance.read_tables() == as_live(QUOTE, TRADE)


def test_a_branch_is_applied_beside_another() -> None:
    """Where one branch is applied, the other's snapshot would undo it: a revision leads to what both lead to by then."""
    more = on(SECOND, message="more", tables=[QUOTE, TRADE, table("MORE")])
    both = on(more, OTHER, message="merge", tables=[*more.tables, USER])
    found = graph(FIRST, SECOND, more, OTHER, both)
    assert way(found, MemoryHistory()) == [
        ("0001_quotes", ("QUOTE",)),
        ("0002_trades", ("QUOTE", "TRADE")),
        ("0002_users", ("QUOTE", "TRADE", "USER")),
        ("0003_more", ("MORE", "QUOTE", "TRADE", "USER")),
        ("0004_merge", ("QUOTE", "TRADE", "MORE", "USER")),
    ]
    assert way(found, recorded(FIRST, OTHER)) == [
        ("0002_trades", ("QUOTE", "TRADE", "USER")),
        ("0003_more", ("MORE", "QUOTE", "TRADE", "USER")),
        ("0004_merge", ("QUOTE", "TRADE", "MORE", "USER")),
    ]


def test_a_branch_does_not_undo_another() -> None:
    """A rule that one branch has relaxed is not tightened again on the way through the other."""
    more = on(FIRST, message="more", tables=[table("QUOTE", MD=MaxVersions(5))])
    both = on(more, OTHER, message="both", tables=[table("QUOTE", MD=MaxVersions(5)), USER])
    instance, history = MemoryInstance(), MemoryHistory()
    follow(graph(FIRST, more), instance, history)
    assert follow(graph(FIRST, more, OTHER, both), instance, history) == ["0002_users", "0003_both"]
    assert instance.read_tables() == as_live(*both.tables)


def test_a_branch_beside_what_is_applied_is_refused() -> None:
    """A revision that does not stand on what is applied is not applied: both ways out are named."""
    with pytest.raises(
        MigrationError, match="0002_users does not stand on 0002_trades, which the instance has applied"
    ):
        way(graph(FIRST, SECOND, OTHER), recorded(FIRST, SECOND), OTHER)
    with pytest.raises(MigrationError, match="both come last"):
        way(graph(FIRST, SECOND, OTHER), recorded(FIRST))


def test_an_older_checkout_leaves_a_newer_instance_alone() -> None:
    """An instance that is further than the files has nothing to do, and a live table of the future stays."""
    assert way(graph(FIRST), recorded(FIRST, SECOND)) == []


def test_revisions_of_another_branch_are_told() -> None:
    """Where the instance has what these files lack, and something is pending, nothing is applied."""
    with pytest.raises(
        MigrationError, match="has applied 0002_trades, which migrations lacks: get the files"
    ):
        way(graph(FIRST, OTHER), recorded(FIRST, SECOND))


def test_an_edited_file_is_told() -> None:
    """A revision whose file is another one than was applied is found, and both ways out are named."""
    edited = attrs.evolve(FIRST, tables=(TRADE,))
    with pytest.raises(
        MigrationError, match=r"0001_quotes.toml: it was edited since it was applied.*baseline 0001_quotes"
    ):
        way(graph(edited), recorded(FIRST))


def test_edited_files_are_all_told() -> None:
    """Where several files are others than were applied, each is named, and the last is what a baseline brings up to date."""
    edited = (attrs.evolve(FIRST, tables=(TRADE,)), attrs.evolve(SECOND, message="two", parents=()))
    with pytest.raises(
        MigrationError,
        match=r"0001_quotes.toml, \S*0002_trades.toml: they were edited since they were applied.*baseline 0002_trades",
    ):
        way(graph(*edited), recorded(FIRST, SECOND))


def test_an_instance_knows_the_squashed() -> None:
    """What is squashed is applied where the last of what it replaces is, and pending where nothing is."""
    third = on(SECOND, message="third", tables=[QUOTE, TRADE, USER])
    one = squash(graph(FIRST, SECOND), SECOND, "both")
    found = graph(one, third)
    assert way(found, recorded(FIRST, SECOND)) == [("0003_third", ALL)]
    assert way(found, MemoryHistory()) == [("0002_both", ("QUOTE", "TRADE")), ("0003_third", ALL)]
    again = squash(found, third, "again")
    assert way(graph(again), recorded(FIRST, SECOND, third)) == [("0003_again", ALL)]
    with pytest.raises(
        MigrationError, match="the instance has some of the revisions that it replaces, and lacks 0002_trades"
    ):
        way(found, recorded(FIRST))
    with pytest.raises(
        MigrationError, match=r"0003_again.*, and lacks 0003_third, the last of them: apply"
    ) as error:
        way(graph(again), recorded(one))
    assert "0001_quotes" not in str(error.value)
    with pytest.raises(MigrationError, match=r"0002_both.toml: it was edited since"):
        way(found, recorded(FIRST, attrs.evolve(SECOND, tables=())))


class Killed(BaseException):
    """What no code of ours expects."""


@pytest.mark.parametrize("failure", [ServerError("gone"), Killed()])
def test_a_run_that_ends_anywhere_is_finished_by_the_next(failure: BaseException) -> None:
    """Whatever call is the last one, before it or behind it, the next run ends where an undisturbed one does."""
    revisions = graph(FIRST, SECOND, OTHER, BOTH)
    for number in range(200):
        instance, history, calls = MemoryInstance(), MemoryHistory(), 0

        def fail(*_: object, at: int = number) -> None:
            nonlocal calls
            calls += 1
            if calls == at + 1:
                raise failure

        instance.before = history.before = fail
        try:
            follow(revisions, instance, history)
        except (Killed, MigrationError, ServerError):
            instance.before = history.before = lambda *_: None
            history._lock = None  # it runs out
            follow(revisions, instance, history)
        else:
            assert number > 10
            break
        assert instance.read_tables() == as_live(QUOTE, TRADE, USER)
        assert {one.id for one in history.revisions()} == set(revisions.revisions)
        done = [call for call in instance.changes if call[0] == "create_table"]
        assert len({table for _, table in done}) == 3


def test_a_revision_is_recorded_behind_its_plan() -> None:
    """While its plan is not applied wholly, a revision is not recorded."""
    history = MemoryHistory()

    def fail(_: object, method: str, table_id: str) -> None:
        if (method, table_id) == ("create_table", "TRADE"):
            raise ServerError("no")

    with pytest.raises(MigrationError, match="no; "):
        follow(graph(FIRST, SECOND), MemoryInstance(before=fail), history)
    assert [one.id for one in history.revisions()] == ["0001_quotes"]


def test_allowances_reach_their_revision() -> None:
    """A name allows what it names in whichever plan needs it, and one that no plan needs is refused."""
    less = on(FIRST, message="less", tables=[table("QUOTE", MD=WEEK & ONE)])
    tight = on(less, message="tight", tables=[table("QUOTE", MD=ONE)])
    name = "tighten-gc:QUOTE.MD"
    instance, history = MemoryInstance([table("QUOTE", MD=MaxVersions(9))]), recorded(FIRST)
    with pytest.raises(MigrationError, match=f"use --allow {name}"):
        follow(graph(FIRST, less, tight), instance, history)
    assert instance.changes == []
    with pytest.raises(
        MigrationError,
        match=f"--allow drop-table:X: nothing in {instance.instance} needs that \\(what can be allowed: {name}\\)",
    ):
        follow(graph(FIRST, less, tight), instance, history, ["drop-table:X"])
    assert len(follow(graph(FIRST, less, tight), instance, history, [name])) == 2


def test_a_table_that_the_run_creates_needs_no_permission() -> None:
    """On a fresh instance nothing can be lost, and no process waits to be deployed; of a table that was there, each is asked for."""
    less = on(FIRST, message="less", tables=[table("QUOTE", MD=WEEK & ONE)])
    tight = attrs.evolve(
        on(less, message="tight", tables=[table("QUOTE", MD=ONE)]), deployed="every process writes less"
    )
    revisions = graph(FIRST, less, tight)
    instance, history = MemoryInstance(), MemoryHistory()
    stages = revision_stages(standing(revisions, history.revisions()), instance, history)
    assert "needs no permission, as this run creates the table (1):" in plain(stages[-1].text())
    assert [one.notes for one in stages] == [(), (), ()]
    assert len(follow(revisions, instance, history)) == 3
    assert [one.id for one in history.revisions()] == [FIRST.id, less.id, tight.id]

    filled = MemoryInstance(filled=["QUOTE"])
    with pytest.raises(
        MigrationFailed, match=r"holds some now, so tighten-gc:QUOTE\.MD would have them removed"
    ):
        follow(revisions, filled, MemoryHistory())

    there = MemoryInstance([table("QUOTE", MD=MaxVersions(9))])
    stages = revision_stages(standing(revisions, recorded(FIRST).revisions()), there, recorded(FIRST))
    assert "waits for a deployment" in stages[-1].next_step


def test_a_refusal_names_what_every_revision_needs(tmp_path: Path) -> None:
    """Where several revisions are refused, the error has the names of all of them, and every data step that is not written."""
    tight = on(FIRST, message="tight", tables=[table("QUOTE", MD=WEEK & ONE), table("TRADE", MD=WEEK & ONE)])
    tighter = on(tight, message="tighter", tables=[table("QUOTE", MD=WEEK & ONE), table("TRADE", MD=ONE)])
    step = attrs.evolve(
        on(tighter, message="fill", tables=tighter.tables, steps=("fill",)),
        code="def fill(row):\n    raise NotImplementedError\n",
    )
    live = MemoryInstance([table("QUOTE", MD=MaxVersions(9)), table("TRADE", MD=MaxVersions(9))])
    with pytest.raises(MigrationError) as error:
        follow(graph_of(tmp_path, [FIRST, tight, tighter, step]), live, recorded(FIRST))
    told = str(error.value)
    assert "use --allow tighten-gc:QUOTE.MD --allow tighten-gc:TRADE.MD if you mean that" in told
    assert "0004_fill.py:1: nothing was applied, because the data step fill is still to be written" in told
    assert live.changes == []


def test_what_a_plan_leaves_is_foreseen() -> None:
    """What is foreseen to be live after a plan needs nothing more, and keeps what nothing declares."""
    live = as_live(table("QUOTE", OLD=ONE), USER)
    plan = make_plan("i", [QUOTE, TRADE], live, ["drop-family:QUOTE.OLD"])
    found = after(plan, live)
    assert found == (*as_live(QUOTE), TRADE, *as_live(USER))
    assert [one.name for one in diff([QUOTE, TRADE], found)] == ["undeclared-table:USER"]


STEPS = on(FIRST, message="fill", tables=[QUOTE], steps=("fill_venue",))


def test_data_steps_are_not_passed_over(tmp_path: Path) -> None:
    """Where a revision names a function that is no data step, nothing is applied, not even what stands before it."""
    history = MemoryHistory()
    with pytest.raises(MigrationError, match="fill_venue: expected a function with @data_step"):
        follow(read_folder(folder_of(tmp_path, FIRST, STEPS)), MemoryInstance(), history)
    assert history.revisions() == ()


def test_a_deployment_is_confirmed_once() -> None:
    """A run that was killed in a data step goes on without the name that it was given; another sentence has to be confirmed itself."""
    fill = attrs.evolve(
        on(FIRST, message="fill", tables=FIRST.tables, steps=("fill",)),
        code="def fill(row):\n    return None\n",
        deployed="every process writes both tables",
    )
    other = attrs.evolve(fill, deployed="no process writes the old table")
    live, history = MemoryInstance([table("QUOTE", MD=MaxVersions(9))]), recorded(FIRST)

    def notes(revision: Revision) -> tuple[str, ...]:
        now = standing(graph(FIRST, revision), history.revisions())
        return tuple(chain.from_iterable(one.notes for one in revision_stages(now, live, history)))

    assert "0002_fill waits for a deployment" in notes(fill)[0]
    confirm(fill, RunRecord(history, "a run"))
    assert notes(fill) == ()
    assert "no process writes the old table" in notes(other)[0]


def back(
    of: Graph,
    instance: MemoryInstance,
    history: MemoryHistory,
    allow: tuple[str, ...] = (),
    to: Revision | None = None,
) -> list[str]:
    """Roll back; the ids of what was undone."""
    path = way_back(standing(of, history.revisions()), to)
    stage = rollback_stage(path, instance, history, allow)
    stage.refuse_loss()
    apply_stages([stage], instance, history, "me")
    return [one.id for one in path.undone]


def test_the_way_back_loses_nothing_unasked() -> None:
    """What came with a revision goes with it, where that is said by name; without it nothing is touched."""
    instance, history = MemoryInstance(), MemoryHistory()
    follow(graph(FIRST, SECOND), instance, history)
    with pytest.raises(
        MigrationError, match="TRADE would be dropped: use --allow drop-table:TRADE if you mean that"
    ):
        back(graph(FIRST, SECOND), instance, history)
    assert instance.read_tables() == as_live(QUOTE, TRADE)
    assert back(graph(FIRST, SECOND), instance, history, ("drop-table:TRADE",)) == ["0002_trades"]
    assert instance.read_tables() == as_live(QUOTE)
    assert [one.id for one in history.revisions()] == ["0001_quotes"]
    assert back(graph(FIRST, SECOND), instance, history, ("drop-table:QUOTE",)) == ["0001_quotes"]
    with pytest.raises(MigrationError, match="no revision is applied"):
        back(graph(FIRST, SECOND), instance, history)


def test_the_way_back_from_a_tighter_rule() -> None:
    """A rule that was tightened is relaxed again, which loses nothing more; one that was relaxed needs a name."""
    tight = on(FIRST, message="tight", tables=[table("QUOTE", MD=ONE | WEEK)])
    loose = on(tight, message="loose", tables=[table("QUOTE", MD=MaxVersions(9))])
    instance, history = MemoryInstance(), MemoryHistory()
    follow(graph(FIRST, tight, loose), instance, history, ["tighten-gc:QUOTE.MD"])
    with pytest.raises(MigrationError, match=r"use --allow tighten-gc:QUOTE.MD if you mean that"):
        back(graph(FIRST, tight, loose), instance, history)
    back(graph(FIRST, tight, loose), instance, history, ("tighten-gc:QUOTE.MD",), to=tight)
    assert back(graph(FIRST, tight, loose), instance, history) == ["0002_tight"]
    assert instance.read_tables() == as_live(QUOTE)


def test_what_was_never_ours_stays_on_the_way_back() -> None:
    """Tables that no undone revision had made are drift, and no matter of the way back."""
    instance, history = MemoryInstance([USER]), MemoryHistory()
    follow(graph(FIRST), instance, history)
    back(graph(FIRST), instance, history, ("drop-table:QUOTE",))
    assert instance.read_tables() == as_live(USER)


def test_a_merge_has_two_ways_back() -> None:
    """From a merge one says which branch the way leads back to; the other branch is undone with it."""
    found = graph(FIRST, SECOND, OTHER, BOTH)
    instance, history = MemoryInstance(), MemoryHistory()
    follow(found, instance, history)
    with pytest.raises(
        MigrationError,
        match="0003_merge joins 0002_trades and 0002_users: name the one to return to with --to",
    ):
        back(found, instance, history)
    assert back(found, instance, history, ("drop-table:USER",), to=SECOND) == ["0003_merge", "0002_users"]
    assert instance.read_tables() == as_live(QUOTE, TRADE)


def test_data_steps_have_no_way_back() -> None:
    """What a data step wrote stays, which is told and has to be allowed."""
    history = recorded(FIRST, STEPS)
    with pytest.raises(
        MigrationError, match="fill_venue of 0002_fill wrote stays: use --allow data-step:fill_venue"
    ):
        back(graph(FIRST, STEPS), MemoryInstance([QUOTE]), history)
    assert back(graph(FIRST, STEPS), MemoryInstance([QUOTE]), history, ("data-step:fill_venue",)) == [
        "0002_fill"
    ]


def test_no_way_back_to_what_is_not_applied() -> None:
    """--to names a revision that is applied."""
    with pytest.raises(MigrationError, match="--to 0002_trades: it is not applied"):
        back(graph(FIRST, SECOND), MemoryInstance(), recorded(FIRST), to=SECOND)


def test_what_other_runs_did_meanwhile() -> None:
    """Stages that another run has applied since they were planned are left, and the sentence says which run it was."""
    instance, history = MemoryInstance(), MemoryHistory()
    of = graph(FIRST, SECOND)
    stages = revision_stages(standing(of, ()), instance, history)
    plain = Stage(read_plan(instance, (QUOTE, TRADE)))
    apply_stages(stages, instance, history, "ann")
    assert apply_stages(stages, instance, history, "bob") == ()
    assert list(others(stages, history, "bob", ())) == [
        "0001_quotes was applied by ann meanwhile",
        "0002_trades was applied by ann meanwhile",
    ]
    assert list(others(stages, history, "ann", ())) == []
    done = apply_stages([plain], instance, history, "bob")
    assert [one.found for one in done] == [True, True]
    assert list(others([plain], history, "bob", done)) == ["applied by ann meanwhile"]
