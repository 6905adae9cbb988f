"""Networks that fail between any two calls, of the real clients, before the server did it or after."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest
from some_tables import ONE, WEEK, table

from btmodel import Database, emulator
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError, MigrationFailed, ServerError, Unanswered, Unavailable
from btmodel.migrate import read_plan, waiting
from btmodel.migrate.applying import table_calls as tables
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.history import lock as locks
from btmodel.migrate.history.run_record import RunRecord
from btmodel.schema import KeyPart, Layout, MaxVersions
from tests.points_tried import points

LAYOUT = Layout("Quote", (KeyPart("Text()", "", "id"),), ())
DECLARED = (attrs.evolve(table("A", f=ONE), layouts=(LAYOUT,)), table("B", f=ONE, g=WEEK))
LIVE = (table("B", f=MaxVersions(3), old=None), table("C", f=ONE))
ALLOWED = ("tighten-gc:B.f", "drop-family:B.old", "drop-table:C")
WANTED = ("A", "B")


class Faulty:
    """A client of which a call fails: the one after ``spared`` calls, or with ``for_good`` all from then on."""

    def __init__(self, client: Any, faults: "Faults") -> None:
        self._client = client
        self._faults = faults

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._client, name)
        if not callable(found):
            return found
        return lambda *arguments, **options: self._faults.call(name, found, arguments, options)


class Faults:
    """When which error comes, and whether the server has done it by then; calls are counted."""

    def __init__(self, spared: int, error: BaseException, *, done: bool, for_good: bool = False) -> None:
        self.left = spared
        self.error = error
        self.done = done
        self.for_good = for_good
        self.names: list[str] = []

    def call(self, name: str, method: Callable[..., Any], arguments: Any, options: Any) -> Any:
        self.names.append(name)
        self.left -= 1
        if self.left == -1 or (self.for_good and self.left < 0):
            if self.done and not self.for_good:
                # A read that is answered too late is a stream that was opened.
                method(*arguments, **options)
            raise self.error
        return method(*arguments, **options)


@pytest.fixture
def clients(server: emulator.Emulator, instance: str) -> Iterator[tuple[Admin, Database]]:
    """The real clients, of an instance of its own for each call of the fixture's value."""
    with (
        Admin(Target(instance, server.host)) as admin,
        Database(Target(instance, server.host, lambda: None)) as database,
    ):
        yield admin, database


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_LONGEST", 0.2)
    monkeypatch.setattr(locks, "_SILENCE", 0.2)
    monkeypatch.setattr(waiting, "LONGEST", 0.2)


def prepare(admin: Admin, database: Database) -> None:
    """The instance as it was before anything was applied."""
    for there in (*WANTED, "C", "btmodel_migrations"):
        with contextlib.suppress(ServerError):
            admin.delete_table(there)
    for made in LIVE:
        admin.create_table(made)


def run(admin: Any, database: Any) -> None:
    """Plan undisturbed, and apply with the clients given."""
    history = MigrationHistory(admin, database)
    apply_stages([Stage(read_plan(admin, DECLARED, ALLOWED, history))], admin, history, "ann", force=True)


def check_ended(admin: Admin, database: Database) -> None:
    """What is declared is live, recorded, and nobody is at it."""
    history = MigrationHistory(admin, database)
    assert read_plan(admin, DECLARED, (), history).changes == ()
    assert tuple(one.id for one in admin.read_tables()) == WANTED
    assert history.layouts() == {"A": (LAYOUT,)}
    assert (history.lock(), [one for one in history.steps().values() if one.ended is None]) == (None, [])


def check_told(error: MigrationFailed, admin: Admin, database: Database) -> None:
    """What the error says to be done is, and what it says not to be is not."""
    left = {
        change.name
        for change in read_plan(admin, DECLARED, ALLOWED, MigrationHistory(admin, database)).changes
    }
    assert not left & set(error.done)
    assert left >= set(error.undone)
    assert "run it again to continue" in str(error)


@pytest.mark.parametrize(
    ("error", "done", "for_good"),
    [
        (Unavailable("nobody answers"), False, False),
        (Unanswered("the answer was lost"), True, False),
        (Unanswered("the answer was lost"), False, False),
        (Unavailable("nobody answers"), False, True),
        (ServerError("an internal error"), True, False),
        (KeyboardInterrupt(), True, False),
    ],
    ids=["unavailable", "lost", "deadline", "gone", "internal", "ctrl-c"],
)
def test_a_fault_at_any_call(
    clients: tuple[Admin, Database], error: BaseException, done: bool, for_good: bool
) -> None:
    """A fault is overcome, or told in one sentence that is true; then a second run ends as an undisturbed one.

    It comes at calls of each kind between the same two, and with ``--thorough`` at all.
    """
    admin, database = clients
    prepare(admin, database)
    undisturbed = Faults(1_000, error, done=done)
    run(Faulty(admin, undisturbed), Faulty(database, undisturbed))
    check_ended(admin, database)
    assert len(undisturbed.names) > 20
    between = list(
        zip(["", *undisturbed.names], undisturbed.names, [*undisturbed.names[1:], ""], strict=False)
    )
    for spared in points(between):
        prepare(admin, database)
        faults = Faults(spared, error, done=done, for_good=for_good)
        told: BaseException | None = None
        try:
            run(Faulty(admin, faults), Faulty(database, faults))
        except (ServerError, MigrationError) as failed:
            told = failed
        except KeyboardInterrupt as stopped:
            told = stopped
        assert "\n" not in str(told)
        if isinstance(told, MigrationFailed) and not for_good:
            check_told(told, admin, database)
        assert faults.left < 0
        run(admin, database)
        check_ended(admin, database)


def test_calls_that_pass_are_overcome(clients: tuple[Admin, Database]) -> None:
    """Of the calls that change tables, and of those that take the lock, each may fail once without anybody's notice."""
    admin, database = clients
    for error, done in ((Unavailable("away"), False), (Unanswered("lost"), True)):
        for method in ("create_table", "modify_families", "delete_table", "write_if", "table"):
            prepare(admin, database)
            once = Once(method, error, done=done)
            run(Faulty(admin, once), Faulty(database, once))
            assert once.failed
            check_ended(admin, database)


class Once(Faults):
    """The first call of one method fails."""

    def __init__(self, method: str, error: BaseException, *, done: bool) -> None:
        super().__init__(0, error, done=done)
        self.method = method
        self.failed = False

    def call(self, name: str, method: Callable[..., Any], arguments: Any, options: Any) -> Any:
        if name != self.method or self.failed:
            return method(*arguments, **options)
        self.failed = True
        return super().call(name, method, arguments, options)


def test_the_books_cannot_be_read(clients: tuple[Admin, Database]) -> None:
    """Where the migration history is not to be read, nothing is applied."""
    admin, database = clients
    prepare(admin, database)
    plan = read_plan(admin, DECLARED, ALLOWED)
    broken = MigrationHistory(
        admin, Faulty(database, Faults(0, ServerError("no"), done=False, for_good=True))
    )
    with pytest.raises(MigrationError, match=r"nothing was applied.*remembers cannot be read: no"):
        RunRecord(broken, "ann")
    with pytest.raises(MigrationError, match=r"nothing was applied.*the lock cannot be taken \(no\)"):
        apply_stages([Stage(plan)], admin, broken, "ann")
    assert admin.read_tables(["A"]) == ()
