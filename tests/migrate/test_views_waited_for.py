"""`btmodel migrate` while the service creates a view: it says so, it ends, and a run after one that was killed goes on."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import grpc
import pytest
from fake_bigtable import answering, asked
from google.longrunning.operations_pb2 import GetOperationRequest, Operation

from btmodel import emulator
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationFailed, ServerError
from btmodel.migrate import apply, make_plan, waiting
from btmodel.migrate.applying import table_calls as applying
from btmodel.migrate.waiting import watched
from btmodel.schema import Family, MaxVersions, Table, TableView
from btmodel.server import RunningServer, start
from tests.forked_commands import COMMAND, Commands

QUERY = "SELECT f['c'] AS _key, COUNT(*) AS n FROM `ORDER` WHERE f['c'] IS NOT NULL GROUP BY 1"
MODELS = """
import btmodel as bt

class Order(bt.Model, table="ORDER", events="1/s"):
    id: str = bt.key(bt.HexDigest(8), cardinality=1_000)
    f = bt.family("f", gc=bt.max_versions(1))
    customer: str = bt.column("c", f)

class Totals(bt.Rollup, of=Order, view="TOTALS"):
    customer: str = bt.key(bt.Text(max_length=20), cardinality=100)
    orders: int = bt.count()
    of_customer = bt.query("customer")
"""


class Slow:
    """A server in front of a local one, whose view is there at once; it says of the operation that it goes on, ``polls`` times."""

    def __init__(self, behind: grpc.Channel, polls: float, fault: int = 0) -> None:
        self.asked: list[float] = []
        self._behind = behind
        self._polls = polls
        self._fault = fault  # a code with which the operation ends
        self._made = Operation()

    def answer(self, path: str, request: bytes, call: Any) -> Iterator[bytes]:
        method = path.rpartition("/")[2]
        if method == "CreateMaterializedView":
            self._made = Operation.FromString(b"".join(asked(self._behind, path, request, call)))
            yield Operation(name=self._made.name).SerializeToString()
        elif method == "GetOperation":
            assert GetOperationRequest.FromString(request).name == self._made.name
            self.asked.append(monotonic())
            yield self._state().SerializeToString()
        else:
            yield from asked(self._behind, path, request, call)

    def _state(self) -> Operation:
        if len(self.asked) <= self._polls:
            return Operation(name=self._made.name)
        if self._fault:
            return Operation(
                name=self._made.name, done=True, error={"code": self._fault, "message": "no room"}
            )
        return self._made


@contextmanager
def slow(host: str, polls: float, fault: int = 0) -> Iterator[tuple[str, Slow]]:
    with grpc.insecure_channel(host) as behind:
        service = Slow(behind, polls, fault)
        with answering(service.answer) as target:
            yield str(target.host), service


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with start() as running:
        yield running


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_SOON", 0.1)
    monkeypatch.setattr(waiting, "_SLOW", 0.2)


WANTED = Table("ORDER", (Family("f", MaxVersions(1)),), views=(TableView("TOTALS", QUERY),))


def migrated(instance: str, host: str) -> list[str]:
    """Create the table and its view; the lines reported meanwhile."""
    lines: list[str] = []
    with Admin(Target(instance, host)) as admin, watched("SERVER", lines.append):
        try:
            apply(make_plan(instance, [WANTED], admin.read_tables()), admin)
        finally:
            found = admin.table("ORDER")
            assert found is not None
            assert [view.id for view in found.views] == ["TOTALS"]
    return lines


def test_it_says_that_it_waits(server: RunningServer, instance: str) -> None:
    """One line when it begins to wait and one when it goes on; it asks once a second at most, and not whether the server answers."""
    with slow(server.host, 2) as (host, service):
        lines = migrated(instance, host)
    assert [re.sub(r"\d\d:\d\d:\d\d", "TIME", line) for line in lines] == [
        f"waiting until TIME UTC: view 'TOTALS' of {instance} is being created, which takes hours for terabytes",
        f"view 'TOTALS' of {instance} is created: going on",
    ]
    assert len(service.asked) == 3
    assert min(b - a for a, b in zip(service.asked, service.asked[1:], strict=False)) > 0.95


def test_what_is_done_at_once_is_not_reported(server: RunningServer, instance: str) -> None:
    """The local server creates a view before it answers."""
    assert migrated(instance, server.host) == []


def test_it_ends(server: RunningServer, instance: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time is over, the error says that the service goes on and what to do; the next run finds the view."""
    monkeypatch.setattr(waiting, "_CREATION", 1.5)
    monkeypatch.setattr(applying, "_LONGEST", 0.5)
    with slow(server.host, float("inf")) as (host, service):
        with pytest.raises(
            MigrationFailed,
            match=rf"view 'TOTALS' of {instance}: expected .* it goes on .* run `btmodel migrate` again",
        ):
            migrated(instance, host)
        polls = len(service.asked)
        assert migrated(instance, host) == []
        assert len(service.asked) == polls


def test_a_failed_operation(server: RunningServer, instance: str) -> None:
    """What the service says at the end of an operation that failed is raised."""
    with (
        slow(server.host, 0, grpc.StatusCode.INVALID_ARGUMENT.value[0]) as (host, _),
        Admin(Target(instance, host)) as admin,
    ):
        admin.create_table(Table("ORDER", (Family("f", MaxVersions(1)),)))
        created = admin.create_view(WANTED.views[0])
        with pytest.raises(ServerError, match="no room"):
            created()


def test_a_killed_run_is_repeated(
    server: RunningServer, instance: str, tmp_path: Path, commands: Commands
) -> None:
    """A command that is killed while it waits, given again, finds the view and ends well; then nothing is left to do."""
    (tmp_path / "viewed_models.py").write_text(MODELS)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.btmodel]\nmodels = ["viewed_models"]\nemulated = ["projects/*"]\n'
    )
    command = ["migrate", "--yes", "--instance", instance]
    with slow(server.host, float("inf")) as (host, _):
        environment = {**os.environ, emulator.VARIABLE: host}
        ours, theirs = os.pipe()
        run = commands.started([COMMAND, *command], tmp_path, environment, [0, 1, theirs])
        os.close(theirs)
        with open(ours) as stderr:
            said: list[str] = []
            for line in stderr:
                said.append(line)
                if "is being created" in line:
                    os.kill(run.pid, signal.SIGKILL)
                    break
        assert run.wait(60) == -signal.SIGKILL, said
        again = commands.run([*command, "--force-unlock"], tmp_path, environment)
        assert again.returncode == 0, again.stderr
        assert "being created" not in again.stderr
        last = commands.run(command, tmp_path, environment)
    assert last.returncode == 0, last.stderr
    assert "nothing to do" in last.stdout
