"""The web service of the guides under load, behind a network that delays, cuts and refuses: latencies before, during, after.

    python -m tests.bench.service_bench

``uvicorn examples.services.api:app`` asks a local server through a proxy of this process. In each phase some threads ask it for
rows; printed are how many answers came, with which status, and the 50th and 99th percentile of their times.
"""

import asyncio
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import quantiles
from typing import Literal
from urllib.parse import quote

from attrs import define, field

from btmodel import server
from examples.market import QUOTE_TIME
from tests.worked.running import asked, filled, free_port, running

Mode = Literal["well", "delay", "cut", "refuse"]
THREADS, SECONDS = 6, 5.0
DELAY = 0.15  # seconds for each piece of an answer
ONE = f"/quotes/NASDAQ/ZXZZT/{quote(QUOTE_TIME.isoformat())}"
PAGE = "/quotes/NASDAQ/ZXZZT?size=50"


@define
class Network:
    """A proxy for TCP that can be told to misbehave; ``port`` is where it listens."""

    target: int
    port: int = 0
    mode: Mode = "well"
    _open: set[asyncio.StreamWriter] = field(init=False, factory=set)

    async def serve(self, ready: Callable[[], None]) -> None:
        """Hand bytes on, for ever."""
        listening = await asyncio.start_server(self._come, "127.0.0.1", 0)
        self.port = listening.sockets[0].getsockname()[1]
        ready()
        try:
            while True:
                await asyncio.sleep(0.3)
                if self.mode in ("cut", "refuse"):
                    for writer in list(self._open):
                        writer.transport.abort()
        finally:
            listening.close()

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.mode == "refuse":
            writer.transport.abort()
            return
        behind, ahead = await asyncio.open_connection("127.0.0.1", self.target)
        self._open |= {writer, ahead}
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass(reader, ahead, answers=False))
                both.create_task(self._pass(behind, writer, answers=True))
        except* OSError:
            pass
        finally:
            self._open -= {writer, ahead}
            for one in (writer, ahead):
                one.close()

    async def _pass(self, source: asyncio.StreamReader, to: asyncio.StreamWriter, *, answers: bool) -> None:
        while piece := await source.read(65_536):
            if answers and self.mode == "delay":
                await asyncio.sleep(DELAY)
            to.write(piece)
            await to.drain()
        raise ConnectionResetError  # which ends the other direction, too


async def _end() -> None:
    """End what is left of the connections."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for one in left:
        one.cancel()
    await asyncio.gather(*left, return_exceptions=True)


@contextmanager
def network(target: int) -> Iterator[Network]:
    """A proxy in front of the server at the port ``target``."""
    proxy, ready = Network(target), threading.Event()
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)
        loop.run_until_complete(_end())
        loop.close()

    task = loop.create_task(proxy.serve(ready.set))
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(5)


@define
class Phase:
    """The answers of one phase: their statuses, and their times in seconds."""

    name: str
    statuses: Counter[int]
    times: list[float]

    def percentile(self, which: int) -> float:
        """The time in milliseconds below which that share of the answers lies."""
        return quantiles(self.times, n=100, method="inclusive")[which - 1] * 1000


def load(port: int, name: str, seconds: float) -> Phase:
    """Ask for rows and pages, from several threads."""
    until = time.monotonic() + seconds
    statuses: Counter[int] = Counter()
    times: list[float] = []

    def ask(number: int) -> None:
        while time.monotonic() < until:
            begun = time.monotonic()
            status, _, _ = asked(port, PAGE if number % 3 == 0 else ONE)
            times.append(time.monotonic() - begun)
            statuses[status] += 1

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(ask, range(THREADS)))
    return Phase(name, statuses, times)


def phases(seconds: float, folder: Path) -> list[Phase]:
    """All phases in turn, each followed by one in which all is well."""
    with server.start() as local, network(int(local.host.rpartition(":")[2])) as proxy:
        filled(local.host, 300)
        port = free_port()
        command = ["uvicorn", "examples.services.api:app", "--port", str(port), "--log-level", "warning"]
        with running(command, f"127.0.0.1:{proxy.port}", port, folder):
            load(port, "warming up", seconds / 3)
            done = [load(port, "before", seconds)]
            modes: tuple[Mode, ...] = ("delay", "cut", "refuse")
            for mode in modes:
                proxy.mode = mode
                done.append(load(port, mode, seconds))
                proxy.mode = "well"
                load(port, "recovering", 1.5)
                done.append(load(port, f"after {mode}", seconds))
    return done


def main() -> int:
    """Print the figures; the last line is JSON."""
    with tempfile.TemporaryDirectory() as folder:
        done = phases(SECONDS, Path(folder))
    print(f"{'':<14}{'answers':>9}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}  statuses")
    figures = {}
    for phase in done:
        p50, p99, most = phase.percentile(50), phase.percentile(99), max(phase.times) * 1000
        statuses = dict(sorted(phase.statuses.items()))
        print(f"{phase.name:<14}{len(phase.times):>9}{p50:>9.1f}{p99:>9.1f}{most:>9.1f}  {statuses}")
        figures[phase.name] = {"p50": round(p50, 1), "p99": round(p99, 1), "statuses": statuses}
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
