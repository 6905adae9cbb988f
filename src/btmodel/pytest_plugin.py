"""Fixtures for users' tests: a fresh Bigtable instance with the tables of their models.

pytest finds this module by itself once btmodel is installed. The server is the local
one, in memory, in a process of its own; nothing else needs to be there.
"""

import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from btmodel.emulator import VARIABLE

if TYPE_CHECKING:
    # Loaded when a test asks for an instance: grpc should not slow down every run of pytest.
    from btmodel import AsyncDatabase, Database, Model
    from btmodel.server import RunningServer


class Instances:
    """Makes fresh instances on a local server: call it with the models whose tables it needs."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._opened: list[Database] = []

    def __call__(self, /, *models: "type[Model]", **parameters: str) -> "Database":
        """A connection to a new instance that has the tables of ``models``; it is closed with the fixture.

        ``parameters`` complete the names of tables named at run time, as those of :func:`btmodel.create_tables` do.
        """
        from btmodel import connect

        self._opened.append(connect(self.path(*models, **parameters)))
        return self._opened[-1]

    def connect_async(self, /, *models: "type[Model]", **parameters: str) -> "AsyncDatabase":
        """The same for ``async with``."""
        from btmodel import connect_async

        return connect_async(self.path(*models, **parameters))

    def path(self, /, *models: "type[Model]", **parameters: str) -> str:
        """The path of a new instance that has the tables of ``models``, for code that connects by itself."""
        from btmodel import schema_of
        from btmodel.client.admin import Admin
        from btmodel.client.target import Target
        from btmodel.migrate import bring
        from btmodel.schema.table import named_tables

        wanted = named_tables([schema_of(model) for model in models], parameters)
        instance = f"projects/test/instances/i{uuid.uuid4().hex[:12]}"
        with Admin(Target(instance, self._host)) as admin:
            bring(admin, wanted)
        return instance

    def close(self) -> None:
        """Close every connection that was made."""
        while self._opened:
            self._opened.pop().close()


@pytest.fixture(scope="session")
def bigtable_server() -> "Iterator[RunningServer]":
    """A local server in memory, one a test process. ``collect_garbage()`` applies GC rules at once."""
    from btmodel import server

    with server.start() as running:
        yield running


@pytest.fixture
def bigtable(bigtable_server: "RunningServer", monkeypatch: pytest.MonkeyPatch) -> Iterator[Instances]:
    """Fresh instances for one test: ``db = bigtable(Quote, Trade)``, ``bigtable(Log, tenant="acme")``."""
    monkeypatch.setenv(VARIABLE, bigtable_server.host)
    instances = Instances(bigtable_server.host)
    yield instances
    instances.close()


@pytest.fixture(scope="session")
def bigtable_session(bigtable_server: "RunningServer") -> Iterator[Instances]:
    """Fresh instances that live as long as the session, for data that many tests only read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, bigtable_server.host)
        instances = Instances(bigtable_server.host)
        yield instances
        instances.close()
