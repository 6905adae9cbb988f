"""What the machines share: a server of their own, and asserts that show what differs."""

from collections.abc import Iterator

import pytest

from btmodel import emulator
from btmodel import server as local_server
from btmodel.errors import ServerError

pytest.register_assert_rewrite("tests.stateful.machine", "tests.stateful.event_machine")

Server = emulator.Emulator | local_server.RunningServer


@pytest.fixture(scope="package", params=["local", "emulator"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server for these tests alone: they collect garbage again and again, in every table that their server has."""
    try:
        running = local_server.start() if request.param == "local" else emulator.start()
    except ServerError as error:
        pytest.skip(str(error))
    yield running
    running.stop()
