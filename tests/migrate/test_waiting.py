"""What is told while a server does not answer: once, of whom, and until when."""

import re
import threading
import time
from collections.abc import Iterator

import pytest
from some_tables import ONE, table

from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationFailed, ServerError, Unavailable
from btmodel.migrate import apply, make_plan, waiting
from btmodel.migrate.applying import table_calls as tables
from btmodel.migrate.waiting import Patience, until_answered, watched

PATH = "projects/p/instances/i"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_SOON", 0.1)
    monkeypatch.setattr(waiting, "_SLOW", 0.2)
    monkeypatch.setattr(waiting, "LONGEST", 1.0)
    monkeypatch.setattr(tables, "_LONGEST", 1.5)


@pytest.fixture
def told() -> Iterator[list[str]]:
    """The lines that are told in the test."""
    lines: list[str] = []
    with watched("SERVER", lines.append):
        yield lines


def test_a_dead_server(told: list[str]) -> None:
    """A server that is gone is waited for, which one line tells, with who it is and until when."""
    server = local_server.start()
    with Admin(Target(PATH, server.host)) as admin:
        plan = make_plan(PATH, [table("T", f=ONE)], ())
        server.kill()
        with pytest.raises(MigrationFailed, match="no answer from"):
            apply(plan, admin)
    [line] = told
    assert re.match(
        rf"waiting until \d\d:\d\d:\d\d UTC: table 'T' of {PATH}: no answer from {server.host} ", line
    )


def test_one_that_comes_back(told: list[str]) -> None:
    """Once it answers, that is told, too, and what was waited for is done."""
    tries = iter([True] * 3)

    def work() -> int:
        if next(tries, False):
            time.sleep(0.1)
            raise Unavailable("no answer")
        return 7

    assert until_answered(work) == 7
    assert [line.partition(" until ")[0] for line in told] == ["waiting", "SERVER answers: going on"]


def test_one_that_is_silent(told: list[str]) -> None:
    """A call that is not answered at all is told, too."""
    with Patience():
        time.sleep(0.4)
    assert [line.partition("UTC: ")[2] for line in told] == ["SERVER has not answered yet", ""]


def test_many_operations_take_one_thread(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A command reads hundreds of times: no read that is answered soon has a thread of its own."""
    started: list[str] = []
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda self: (started.append(self.name), start(self)))
    monkeypatch.setattr(waiting, "_SOON", 20.0)
    for _ in range(200):
        with Patience():
            pass
    assert len(started) <= 1
    assert told == []


def test_what_passes_at_once_is_not_told(told: list[str]) -> None:
    """A short failure is nobody's matter, and neither is a long piece of work that goes well."""
    with Patience() as patience:
        patience.wait(Unavailable("no answer"))
    with Patience(long=True):
        time.sleep(0.3)
    assert told == []


def test_it_ends() -> None:
    """What does not come back is raised once the time is over; nobody need be told."""
    began = time.monotonic()

    def work() -> None:
        raise Unavailable("no answer")

    with pytest.raises(ServerError, match="no answer"):
        until_answered(work)
    assert time.monotonic() - began < 5


def test_long_work_has_all_the_time_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure long after the last one has as much time as the first had."""
    monkeypatch.setattr(waiting, "LONGEST", 0.3)
    with Patience(long=True) as patience:
        time.sleep(0.4)
        assert patience.wait(Unavailable("no answer"))
        time.sleep(0.4)
        assert patience.wait(Unavailable("no answer"))
