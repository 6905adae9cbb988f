"""A running studio over a real local Bigtable server, and clients of it."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from attrs import define

from btmodel import Model
from btmodel.client.target import Target, resolve
from btmodel.studio.app import app_of
from btmodel.studio.serving import Gate, Secrets, listening, server_of
from btmodel.studio.state import Studio


@define
class Running:
    """A studio that answers: its address, its secrets, and a client that has come in."""

    address: str
    port: int
    secrets: Secrets
    studio: Studio
    client: httpx2.Client

    def stranger(self, **options: Any) -> httpx2.Client:
        """A client without a cookie."""
        return httpx2.Client(base_url=self.address, **options)

    def get(self, path: str, **query: str) -> httpx2.Response:
        """A page."""
        return self.client.get(path, params=query)

    def post(self, path: str, data: dict[str, str] | None = None, **query: str) -> httpx2.Response:
        """A form of ours, sent as a browser sends it."""
        return self.client.post(
            path,
            params=query,
            data={"token": self.studio.form, **(data or {})},
            headers={"origin": self.address},
        )


@contextmanager
def running(studio: Studio) -> Iterator[Running]:
    """The server of ``btmodel studio`` in a thread."""
    secrets = Secrets()
    with ExitStack() as stack:
        at: socket.socket = stack.enter_context(listening(0))
        port = at.getsockname()[1]
        studio.form = secrets.form
        server = server_of(Gate(app_of(studio), secrets, port))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [at]})
        thread.start()
        try:
            address = f"http://127.0.0.1:{port}"
            client = stack.enter_context(httpx2.Client(base_url=address, timeout=60))
            answer = client.get("/", params={"token": secrets.token})
            assert answer.status_code == 303
            yield Running(address, port, secrets, studio, client)
        finally:
            server.should_exit = True
            thread.join(30)
            studio.close()


Opened = Callable[..., Running]


@pytest.fixture
def opened(migrated: Callable[..., str]) -> Iterator[Opened]:
    """Opens a studio over a new instance with the tables of models."""
    with ExitStack() as stack:

        def open_(
            *models: type[Model], tables: tuple[type[Model], ...] | None = None, **options: Any
        ) -> Running:
            path = migrated(*(models if tables is None else tables))
            target = stack.enter_context(_released(resolve(path)))
            return stack.enter_context(running(Studio(target, "dev", models, **options)))

        yield open_


@contextmanager
def _released(target: Target) -> Iterator[Target]:
    try:
        yield target
    finally:
        target.release()


@pytest.fixture
def gone(tmp_path: Path) -> Target:
    """A server that does not answer."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return Target("projects/p/instances/i", f"127.0.0.1:{free.getsockname()[1]}")
