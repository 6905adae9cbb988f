"""Programs of the examples as processes, and requests to them."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import btmodel as bt
from btmodel import emulator
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes

ROOT = Path(__file__).parents[2]
INSTANCE = "projects/btmodel/instances/services"


def filled(host: str, rows: int, instance: str = INSTANCE) -> None:
    """Make the table of quotes, with so many rows, on the server at ``host``, if that is not empty."""
    with pytest.MonkeyPatch.context() as patch:
        if host:
            patch.setenv(emulator.VARIABLE, host)
        with bt.connect(instance) as db:
            bt.create_tables(db, Quote)
            QuoteRepository(db).put_many(made_up_quotes(rows))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def environment(host: str, port: int, instance: str = INSTANCE) -> dict[str, str]:
    """What a container would get: no settings but the instance."""
    own = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PORT": str(port)}
    own |= {"HOME": "/nonexistent", "BTMODEL_INSTANCE": instance}
    return {**own, emulator.VARIABLE: host} if host else own


@contextmanager
def running(
    command: list[str], host: str, port: int, folder: Path, instance: str = INSTANCE
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that answers at ``port``; told to stop at the end, which it does."""
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(host, port, instance),
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    try:
        until = time.monotonic() + 30
        while asked(port, "/healthz")[0] != 200:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)
        yield process
        process.terminate()
        assert process.wait(20) in (0, -signal.SIGTERM), log.read_text()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def asked(port: int, path: str, body: object = None) -> tuple[int, Any, dict[str, str]]:
    """The status, the JSON and the headers of an answer; 0 where nobody answers."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer), {}
    except urllib.error.HTTPError as error:
        text = error.read()
        return (
            error.code,
            json.loads(text) if text.startswith(b"{") else text,
            {name.lower(): value for name, value in error.headers.items()},
        )
    except OSError:
        return 0, None, {}
