"""The lock: of many runs, one changes the instance at a time."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from renamed_models import lie
from some_tables import QUOTE, TRADE

from btmodel.errors import MigrationError, MigrationFailed, ServerError, Unavailable
from btmodel.migrate import read_plan
from btmodel.migrate.applying.stages import RunListener, Stage, apply_stages, authors
from btmodel.migrate.history import Lock
from btmodel.migrate.history import lock as locks
from btmodel.migrate.history.lock import LockLost, acquire, me, take


def lock(owner: str = "bob@there:2", ends_in: float = 30.0) -> Lock:
    now = datetime.now(UTC)
    return Lock(owner, owner, now, now + timedelta(seconds=ends_in))


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock of half a second, renewed five times in it, and little patience."""
    monkeypatch.setattr(locks, "LASTS", timedelta(seconds=0.5))
    monkeypatch.setattr(locks, "_RENEWED", 0.1)
    monkeypatch.setattr(locks, "_CERTAIN", 0.0)
    monkeypatch.setattr(locks, "_PATIENCE", 3.0)
    monkeypatch.setattr(locks, "_SILENCE", 0.3)


def test_a_lock_is_not_taken_from_another_unasked() -> None:
    """Where another has it, there is none to have at once, and his stays as it is; by force it is had."""
    history, his = MemoryHistory(), lock()
    assert history.swap_lock(None, his)
    assert take(history, "ann") is None
    assert history.lock() == his
    held = take(history, "ann", force=True)
    assert held is not None
    assert held.owner == "ann"


def test_a_free_lock_is_had_and_given_back() -> None:
    """Whoever finds no lock has it at once, and nobody has it after the block."""
    history = MemoryHistory()
    held = acquire(history, "ann")
    assert held
    with held:
        held.check()
        assert history.lock() is not None
        assert (held.owner, history.lock().owner) == ("ann", "ann")  # type: ignore[union-attr]
    assert history.lock() is None


def test_it_is_renewed_for_as_long_as_it_takes() -> None:
    """A lock that is held longer than it lasts is still ours, and who waits for it goes on waiting."""
    history = MemoryHistory()
    held = acquire(history, "ann")
    assert held
    waited: list[Lock] = []
    with held:
        waiter = threading.Thread(target=lambda: acquire(history, "bob", waiting=waited.append))
        waiter.start()
        time.sleep(1.5)
        held.check()
        assert waiter.is_alive()
    waiter.join(5)
    assert [one.owner for one in waited] == ["ann"]
    assert history.lock().owner == "bob"  # type: ignore[union-attr]


@pytest.mark.parametrize("ends_in", [3600.0, -200.0, -400.0, -1e9])
def test_a_lock_of_a_dead_run_is_taken_over(ends_in: float) -> None:
    """Whatever the clock of a killed run said, its lock is over once it was seen unrenewed for its whole time."""
    history = MemoryHistory()
    history.swap_lock(None, lock(ends_in=ends_in))
    began = time.monotonic()
    assert acquire(history, "ann")
    assert 0.4 < time.monotonic() - began < 2


def test_a_renewal_is_seen_whatever_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock is not taken from a machine whose clock stands still: each renewal leaves another record."""
    now = datetime.now(UTC)
    monkeypatch.setattr(locks, "_now", lambda: now)
    history = MemoryHistory()
    held = acquire(history, "ann")
    assert held
    others = locks.Others()
    with held:
        for _ in range(3):
            there = history.lock()
            assert there is not None
            assert others.seen != there
            assert others.holds(there)
            held.check()


def test_a_lock_that_is_renewed_at_the_last_moment_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A waiting run that saw a lock unrenewed for its whole time does not take it where it is renewed just then."""
    monkeypatch.setattr(locks, "_PATIENCE", 30.0)  # a busy machine looks late
    renewed: list[Lock] = []

    def renew(history: MemoryHistory, method: str) -> None:
        if method == "swap_lock" and others and not renewed:
            there = history.lock()
            assert there is not None
            renewed.append(evolve(there, expires=there.expires + timedelta(seconds=1)))
            history._lock = renewed[0]

    others: list[Lock] = []
    history = MemoryHistory(renew)
    history.swap_lock(None, lock())
    assert acquire(history, "ann", waiting=others.append)
    assert len(others) == 1
    assert history.calls == ["swap_lock"] * 3  # bob's, the one that was too early, and the one that took it


def test_a_run_that_is_paused_while_it_takes_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that hears late that it has the lock asks again before it relies on it."""
    monkeypatch.setattr(locks, "_CERTAIN", 0.1)

    class Slow(MemoryHistory):
        def swap_lock(self, old: Lock | None, new: Lock | None, *, unrenewed: bool = False) -> bool:
            done = super().swap_lock(old, new, unrenewed=unrenewed)
            if self.calls == ["swap_lock"]:
                time.sleep(0.2)
                self._lock = lock()
            return done

    held = acquire(Slow(), "ann")
    assert held
    with pytest.raises(LockLost):
        held.check()


@pytest.mark.parametrize("ahead", [400.0, -400.0])
def test_a_living_lock_is_waited_for_whatever_the_clocks_say(
    ahead: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A waiting run whose clock is minutes off takes no lock that is renewed, and has it once it is given back."""
    history = MemoryHistory()
    held = acquire(history, "ann")
    assert held
    with held:
        there = history.lock()
        monkeypatch.setattr(locks, "_now", lambda: datetime.now(UTC) + timedelta(seconds=ahead))
        waiting = threading.Event()
        taken: list[object] = []

        def wait() -> None:
            taken.append(acquire(history, "bob", waiting=lambda lock: waiting.set()))

        waiter = threading.Thread(target=wait)
        waiter.start()
        assert waiting.wait(5)
        held.check()
        assert there is not None
        assert history.lock().id == there.id  # type: ignore[union-attr]
    waiter.join(5)
    assert taken[0] is not None


def test_it_may_be_taken_by_force() -> None:
    """--force-unlock takes a live lock, and who had it finds out before he does more."""
    history = MemoryHistory()
    first = acquire(history, "ann")
    assert first
    with first:
        second = acquire(history, "bob", force=True)
        assert second
        with pytest.raises(LockLost, match="another run took the lock"):
            first.check()
    assert history.lock().owner == "bob"  # type: ignore[union-attr]


def test_patience_ends() -> None:
    """Where another goes on and on, the error says who, and how to take the lock from him."""
    history = MemoryHistory()
    held = acquire(history, "ann@here:1")
    assert held
    with (
        held,
        pytest.raises(MigrationError, match=r"nothing was applied.*ann@here:1, since .*--force-unlock"),
    ):
        acquire(history, "bob")


def test_a_server_that_is_gone() -> None:
    """A server that is away for long is told; one that is back in time is not even mentioned."""

    def failing(count: int) -> Callable[[MemoryHistory, str], None]:
        def fail(history: MemoryHistory, _: str) -> None:
            if len(history.calls) <= count:
                raise Unavailable("no answer")

        return fail

    assert acquire(MemoryHistory(failing(2)), "ann")
    with pytest.raises(MigrationError, match=r"nothing was applied.*lock.*no answer"):
        acquire(MemoryHistory(failing(1000)), "ann")


def test_a_lost_answer_is_found() -> None:
    """A lock that was taken by a call without an answer is ours."""

    def lose(history: MemoryHistory, method: str) -> None:
        if len(history.calls) == 1:
            raise Unavailable("no answer")

    class Lossy(MemoryHistory):
        def swap_lock(self, old: Lock | None, new: Lock | None, *, unrenewed: bool = False) -> bool:
            super().swap_lock(old, new, unrenewed=unrenewed)
            if len(self.calls) == 1:
                raise Unavailable("no answer")
            return True

    history = Lossy()
    held = acquire(history, "ann")
    assert held
    held.check()


def test_a_refusal_says_the_way_out() -> None:
    """Where rows cannot be written in transactions, the error says what is needed, and what goes without."""

    def refuse(_: MemoryHistory, method: str) -> None:
        raise ServerError("Single-row transactions are not allowed by this app profile")

    with pytest.raises(
        MigrationError, match=r"nothing was applied.*not allowed.*app profile.*--without-lock"
    ):
        acquire(MemoryHistory(refuse), "ann")


def test_a_renewal_that_fails_is_tried_again_until_it_is_over() -> None:
    """A renewal without an answer loses nothing while the lock lasts, and the lock once it is over."""
    away = False

    def fail(_: MemoryHistory, method: str) -> None:
        if away:
            raise Unavailable("no answer")

    held = acquire(MemoryHistory(fail), "ann")
    assert held
    with held:
        away = True
        held.check()
        time.sleep(0.7)
        with pytest.raises(LockLost, match="could not be renewed: no answer"):
            held.check()


def test_nothing_to_do_takes_no_lock() -> None:
    """A plan without changes asks the migration history nothing at all."""

    def refuse(_: MemoryHistory, method: str) -> None:
        raise AssertionError(method)

    instance = MemoryInstance((QUOTE,))
    assert apply_stages([Stage(read_plan(instance, (QUOTE,)))], instance, MemoryHistory(refuse), "ann") == ()


def test_who_waited_finds_it_done() -> None:
    """Who waited while another did all that he expected does nothing, and says who it was."""
    history, instance = MemoryHistory(), MemoryInstance()
    plan = read_plan(instance, (QUOTE, TRADE))
    held = acquire(history, "ann")
    assert held
    ready = threading.Event()
    results: list[object] = []

    def second() -> None:
        done = apply_stages(
            [Stage(plan)], instance, history, "bob", RunListener(waiting=lambda _: ready.set())
        )
        results.append(([one.found for one in done], authors(history, done, "bob")))

    with held:
        other = threading.Thread(target=second)
        other.start()
        assert ready.wait(5)
        from btmodel.migrate import apply
        from btmodel.migrate.history.run_record import RunRecord

        apply(plan, instance, run_record=RunRecord(history, "ann", held))
    other.join(5)
    assert results == [([True, True], ("ann",))]
    assert len(instance.changes) == 2


def test_a_lost_lock_stops_before_the_next_table() -> None:
    """Who loses the lock in the midst finishes the table at hand, and touches no other."""
    history = MemoryHistory()

    def take(_: MemoryInstance, method: str, table: str) -> None:
        if (method, table) == ("create_table", "QUOTE"):
            history.swap_lock(history.lock(), lock())

    instance = MemoryInstance((), take)
    with pytest.raises(
        MigrationFailed,
        match=r"another run took the lock.*done: create-table:QUOTE; not done: create-table:TRADE",
    ):
        apply_stages([Stage(read_plan(instance, (QUOTE, TRADE)))], instance, history, "ann")
    assert set(instance.tables) == {"QUOTE"}
    assert history.lock().owner == "bob@there:2"  # type: ignore[union-attr]


def test_a_lost_lock_records_nothing_of_the_table_at_hand() -> None:
    """A run that is paused in a call leaves the records as the run wrote them that took over and went on to later tables."""
    history = MemoryHistory()
    later = evolve(QUOTE, layouts=(lie(MD__BID="value DecimalText()"),))

    def take_over(there: MemoryInstance, method: str, table: str) -> None:
        if method == "create_table" and history.layouts() == {}:
            there.before = lambda *_: None
            there.create_table(QUOTE)
            history.swap_lock(history.lock(), lock())
            history.record_layouts("QUOTE", later.layouts)

    instance = MemoryInstance((), take_over)
    first = evolve(QUOTE, layouts=(lie(MD__BID="value Int64()"),))
    with pytest.raises(MigrationFailed, match="another run took the lock"):
        apply_stages([Stage(read_plan(instance, (first,)))], instance, history, "ann")
    assert history.layouts() == {"QUOTE": later.layouts}


def test_ctrl_c_gives_it_back() -> None:
    """After Ctrl-C no run has the lock."""

    def interrupt(_: MemoryInstance, method: str, table: str) -> None:
        if (method, table) == ("create_table", "TRADE"):
            raise KeyboardInterrupt

    history, instance = MemoryHistory(), MemoryInstance((), interrupt)
    with pytest.raises(MigrationFailed, match="interrupted; done: create-table:QUOTE"):
        apply_stages([Stage(read_plan(instance, (QUOTE, TRADE)))], instance, history, "ann")
    assert history.lock() is None


def test_who_this_is() -> None:
    """A process is told by its user, its machine and its number."""
    name, _, rest = me().partition("@")
    assert name
    assert rest.rpartition(":")[2].isdigit()
