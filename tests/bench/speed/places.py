"""The servers that are measured on: the local one, Google's emulator, and the replay of the service's streams."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from attrs import frozen

import btmodel as bt
from btmodel import emulator, server
from btmodel.errors import ServerError
from tests.bench.speed import replay
from tests.bench.speed.day import MeterDay, MeterReading
from tests.bench.speed.reached import Place
from tests.bench.speed.workload import WORKLOADS

READ = "projects/bench/instances/read"
WRITTEN = "projects/bench/instances/written"
MODELS = [work.model_class for work in WORKLOADS.values()]


@frozen
class Servers:
    """Where they are. ``emulator`` is None where it is not installed, and ``why_not`` says so."""

    replay: replay.Replay
    local: str
    emulator: str | None
    why_not: str

    def replayed(self, rows_a_message: int) -> Place:
        """The replay server, with so many rows in a message."""
        name = f"replay, {rows_a_message} rows a message"
        return Place(name, self.replay.host, replay.instance(rows_a_message))

    def kept(self, instance: str) -> list[Place]:
        """The servers that keep what is written; the emulator, if it is there, first."""
        hosts = {"Google's emulator": self.emulator, "local server": self.local}
        return [Place(name, host, instance) for name, host in hosts.items() if host]


@contextmanager
def servers() -> Iterator[Servers]:
    """Start them all, with the tables in them."""
    with ExitStack() as stack:
        replayed = stack.enter_context(replay.start())
        local = stack.enter_context(server.start())
        google, why_not = None, ""
        try:
            google = stack.enter_context(emulator.running()).host
        except ServerError as error:
            why_not = str(error)
        found = Servers(replayed, local.host, google, why_not)
        for place in (*found.kept(READ), *found.kept(WRITTEN)):
            with place.named():
                bt.create_tables(place.instance, *MODELS, MeterDay, MeterReading)
        yield found
