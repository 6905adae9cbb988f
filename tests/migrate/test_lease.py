"""The lease: of many runs, one changes the instance at a time."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from memory_instance import MemoryInstance
from memory_journal import MemoryJournal
from some_tables import QUOTE, TRADE

from btmodel.errors import MigrationError, MigrationFailed, ServerError, Unavailable
from btmodel.migrate import read_plan
from btmodel.migrate.applying.locked import apply_leased, authors
from btmodel.migrate.history import Lease
from btmodel.migrate.history import lock as leases
from btmodel.migrate.history.lock import LeaseLost, acquire, me, take


def lease(owner: str = "bob@there:2", ends_in: float = 30.0) -> Lease:
    now = datetime.now(UTC)
    return Lease(owner, owner, now, now + timedelta(seconds=ends_in))


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lease of half a second, renewed five times in it, and little patience."""
    monkeypatch.setattr(leases, "LASTS", timedelta(seconds=0.5))
    monkeypatch.setattr(leases, "_RENEWED", 0.1)
    monkeypatch.setattr(leases, "_CERTAIN", 0.0)
    monkeypatch.setattr(leases, "_PATIENCE", 3.0)
    monkeypatch.setattr(leases, "_SILENCE", 0.3)


def test_a_lease_is_not_taken_from_another_unasked() -> None:
    """Where another has it, there is none to have at once, and his stays as it is; by force it is had."""
    journal, his = MemoryJournal(), lease()
    assert journal.swap_lease(None, his)
    assert take(journal, "ann") is None
    assert journal.lease() == his
    held = take(journal, "ann", force=True)
    assert held is not None
    assert held.owner == "ann"


def test_a_free_lease_is_had_and_given_back() -> None:
    """Whoever finds no lease has it at once, and nobody has it after the block."""
    journal = MemoryJournal()
    held = acquire(journal, "ann")
    assert held
    with held:
        held.check()
        assert journal.lease() is not None
        assert (held.owner, journal.lease().owner) == ("ann", "ann")  # type: ignore[union-attr]
    assert journal.lease() is None


def test_it_is_renewed_for_as_long_as_it_takes() -> None:
    """A lease that is held longer than it lasts is still ours, and who waits for it goes on waiting."""
    journal = MemoryJournal()
    held = acquire(journal, "ann")
    assert held
    waited: list[Lease] = []
    with held:
        waiter = threading.Thread(target=lambda: acquire(journal, "bob", waiting=waited.append))
        waiter.start()
        time.sleep(1.5)
        held.check()
        assert waiter.is_alive()
    waiter.join(5)
    assert [one.owner for one in waited] == ["ann"]
    assert journal.lease().owner == "bob"  # type: ignore[union-attr]


@pytest.mark.parametrize("ends_in", [3600.0, -200.0, -400.0, -1e9])
def test_a_lease_of_a_dead_run_is_taken_over(ends_in: float) -> None:
    """Whatever the clock of a killed run said, its lease is over once it was seen unrenewed for its whole time."""
    journal = MemoryJournal()
    journal.swap_lease(None, lease(ends_in=ends_in))
    began = time.monotonic()
    assert acquire(journal, "ann")
    assert 0.4 < time.monotonic() - began < 2


def test_a_renewal_is_seen_whatever_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lease is not taken from a machine whose clock stands still: each renewal leaves another record."""
    now = datetime.now(UTC)
    monkeypatch.setattr(leases, "_now", lambda: now)
    journal = MemoryJournal()
    held = acquire(journal, "ann")
    assert held
    others = leases.Others()
    with held:
        for _ in range(3):
            there = journal.lease()
            assert there is not None
            assert others.seen != there
            assert others.holds(there)
            held.check()


def test_a_lease_that_is_renewed_at_the_last_moment_stays() -> None:
    """A waiting run that saw a lease unrenewed for its whole time does not take it where it is renewed just then."""
    renewed: list[Lease] = []

    def renew(journal: MemoryJournal, method: str) -> None:
        if method == "swap_lease" and others and not renewed:
            there = journal.lease()
            assert there is not None
            renewed.append(evolve(there, expires=there.expires + timedelta(seconds=1)))
            journal._lease = renewed[0]

    others: list[Lease] = []
    journal = MemoryJournal(renew)
    journal.swap_lease(None, lease())
    assert acquire(journal, "ann", waiting=others.append)
    assert len(others) == 1
    assert journal.calls == ["swap_lease"] * 3  # bob's, the one that was too early, and the one that took it


def test_a_run_that_is_paused_while_it_takes_the_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that hears late that it has the lease asks again before it relies on it."""
    monkeypatch.setattr(leases, "_CERTAIN", 0.1)

    class Slow(MemoryJournal):
        def swap_lease(self, old: Lease | None, new: Lease | None, *, unrenewed: bool = False) -> bool:
            done = super().swap_lease(old, new, unrenewed=unrenewed)
            if self.calls == ["swap_lease"]:
                time.sleep(0.2)
                self._lease = lease()
            return done

    held = acquire(Slow(), "ann")
    assert held
    with pytest.raises(LeaseLost):
        held.check()


@pytest.mark.parametrize("ahead", [400.0, -400.0])
def test_a_living_lease_is_waited_for_whatever_the_clocks_say(
    ahead: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A waiting run whose clock is minutes off takes no lease that is renewed, and has it once it is given back."""
    journal = MemoryJournal()
    held = acquire(journal, "ann")
    assert held
    with held:
        there = journal.lease()
        monkeypatch.setattr(leases, "_now", lambda: datetime.now(UTC) + timedelta(seconds=ahead))
        waiting = threading.Event()
        taken: list[object] = []

        def wait() -> None:
            taken.append(acquire(journal, "bob", waiting=lambda lease: waiting.set()))

        waiter = threading.Thread(target=wait)
        waiter.start()
        assert waiting.wait(5)
        held.check()
        assert there is not None
        assert journal.lease().id == there.id  # type: ignore[union-attr]
    waiter.join(5)
    assert taken[0] is not None


def test_it_may_be_taken_by_force() -> None:
    """--force-unlock takes a live lease, and who had it finds out before he does more."""
    journal = MemoryJournal()
    first = acquire(journal, "ann")
    assert first
    with first:
        second = acquire(journal, "bob", force=True)
        assert second
        with pytest.raises(LeaseLost, match="taken away by another"):
            first.check()
    assert journal.lease().owner == "bob"  # type: ignore[union-attr]


def test_patience_ends() -> None:
    """Where another goes on and on, the error says who, and how to take the lease from him."""
    journal = MemoryJournal()
    held = acquire(journal, "ann@here:1")
    assert held
    with (
        held,
        pytest.raises(MigrationError, match=r"nothing was applied.*ann@here:1, since .*--force-unlock"),
    ):
        acquire(journal, "bob")


def test_a_server_that_is_gone() -> None:
    """A server that is away for long is told; one that is back in time is not even mentioned."""

    def failing(count: int) -> Callable[[MemoryJournal, str], None]:
        def fail(journal: MemoryJournal, _: str) -> None:
            if len(journal.calls) <= count:
                raise Unavailable("no answer")

        return fail

    assert acquire(MemoryJournal(failing(2)), "ann")
    with pytest.raises(MigrationError, match=r"nothing was applied.*lease.*no answer"):
        acquire(MemoryJournal(failing(1000)), "ann")


def test_a_lost_answer_is_found() -> None:
    """A lease that was taken by a call without an answer is ours."""

    def lose(journal: MemoryJournal, method: str) -> None:
        if len(journal.calls) == 1:
            raise Unavailable("no answer")

    class Lossy(MemoryJournal):
        def swap_lease(self, old: Lease | None, new: Lease | None, *, unrenewed: bool = False) -> bool:
            super().swap_lease(old, new, unrenewed=unrenewed)
            if len(self.calls) == 1:
                raise Unavailable("no answer")
            return True

    journal = Lossy()
    held = acquire(journal, "ann")
    assert held
    held.check()


def test_a_refusal_says_the_way_out() -> None:
    """Where rows cannot be written in transactions, the error says what is needed, and what goes without."""

    def refuse(_: MemoryJournal, method: str) -> None:
        raise ServerError("Single-row transactions are not allowed by this app profile")

    with pytest.raises(
        MigrationError, match=r"nothing was applied.*not allowed.*app profile.*--without-lock"
    ):
        acquire(MemoryJournal(refuse), "ann")


def test_a_renewal_that_fails_is_tried_again_until_it_is_over() -> None:
    """A renewal without an answer loses nothing while the lease lasts, and the lease once it is over."""
    away = False

    def fail(_: MemoryJournal, method: str) -> None:
        if away:
            raise Unavailable("no answer")

    held = acquire(MemoryJournal(fail), "ann")
    assert held
    with held:
        away = True
        held.check()
        time.sleep(0.7)
        with pytest.raises(LeaseLost, match="could not be renewed: no answer"):
            held.check()


def test_nothing_to_do_takes_no_lease() -> None:
    """A plan without changes asks the journal nothing at all."""

    def refuse(_: MemoryJournal, method: str) -> None:
        raise AssertionError(method)

    instance = MemoryInstance((QUOTE,))
    assert apply_leased(read_plan(instance, (QUOTE,)), instance, MemoryJournal(refuse), "ann") == ()


def test_who_waited_finds_it_done() -> None:
    """Who waited while another did all that he wanted does nothing, and says who it was."""
    journal, instance = MemoryJournal(), MemoryInstance()
    plan = read_plan(instance, (QUOTE, TRADE))
    held = acquire(journal, "ann")
    assert held
    ready = threading.Event()
    results: list[object] = []

    def second() -> None:
        done = apply_leased(plan, instance, journal, "bob", waiting=lambda _: ready.set())
        results.append(([one.found for one in done], authors(journal, done, "bob")))

    with held:
        other = threading.Thread(target=second)
        other.start()
        assert ready.wait(5)
        from btmodel.migrate import apply
        from btmodel.migrate.history.lock import Books

        apply(plan, instance, books=Books(journal, "ann", held))
    other.join(5)
    assert results == [([True, True], ("ann",))]
    assert len(instance.changes) == 2


def test_a_lost_lease_stops_before_the_next_table() -> None:
    """Who loses the lease in the midst finishes the table at hand, and touches no other."""
    journal = MemoryJournal()

    def take(_: MemoryInstance, method: str, table: str) -> None:
        if (method, table) == ("create_table", "QUOTE"):
            journal.swap_lease(journal.lease(), lease())

    instance = MemoryInstance((), take)
    with pytest.raises(
        MigrationFailed,
        match=r"taken away by another.*done: create-table:QUOTE; not done: create-table:TRADE",
    ):
        apply_leased(read_plan(instance, (QUOTE, TRADE)), instance, journal, "ann")
    assert set(instance.tables) == {"QUOTE"}
    assert journal.lease().owner == "bob@there:2"  # type: ignore[union-attr]


def test_ctrl_c_gives_it_back() -> None:
    """After Ctrl-C nobody has the lease."""

    def interrupt(_: MemoryInstance, method: str, table: str) -> None:
        if (method, table) == ("create_table", "TRADE"):
            raise KeyboardInterrupt

    journal, instance = MemoryJournal(), MemoryInstance((), interrupt)
    with pytest.raises(MigrationFailed, match="interrupted; done: create-table:QUOTE"):
        apply_leased(read_plan(instance, (QUOTE, TRADE)), instance, journal, "ann")
    assert journal.lease() is None


def test_who_this_is() -> None:
    """A process is told by its user, its machine and its number."""
    name, _, rest = me().partition("@")
    assert name
    assert rest.rpartition(":")[2].isdigit()
