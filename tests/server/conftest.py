"""The two servers that the tests run against."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from server_api import EMULATOR, Api, start_emulator

from btmodel.server import RunningServer, start


@pytest.fixture(scope="session")
def server() -> Iterator[RunningServer]:
    """The local server, in memory, for all tests of a session."""
    with start() as running:
        yield running


@pytest.fixture(scope="session")
def emulator() -> Iterator[str]:
    """The address of Google's emulator, for all tests of a session."""
    if not EMULATOR.exists():
        pytest.skip("Google's emulator is not installed")
    process, address = start_emulator()
    yield address
    process.kill()
    process.wait()


@pytest.fixture
def api(server: RunningServer) -> Iterator[Api]:
    """The local server with an instance for one test."""
    made = Api(server.host)
    yield made
    made.close()


@pytest.fixture
def file_server(tmp_path: Path) -> Iterator[RunningServer]:
    """A local server on a file of its own."""
    with start(tmp_path / "dev.db") as running:
        yield running
