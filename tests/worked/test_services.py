"""The programs of docs/deploy.md, as they would run: real servers with several workers, real requests, signals."""

import fcntl
import json
import re
import shlex
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

import btmodel as bt
from btmodel import emulator, server
from examples.generated.quote_repository import QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes
from examples.services import worker
from tests.bench.service_bench import phases
from tests.server.file_user import until
from tests.worked.running import INSTANCE, ROOT, asked, environment, filled, free_port, running

SERVICES = ROOT / "examples" / "services"
# On a busy machine a worker may miss the five seconds that uvicorn usually gives it to show that it lives, and is then replaced.
PATIENTLY = ("--timeout-worker-healthcheck", "60")
API = ("uvicorn", "examples.services.api:app", "--workers", "2", *PATIENTLY)


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """A local server with 300 quotes; its address."""
    with server.start() as local:
        filled(local.host, 300)
        yield local.host


def test_the_api(tmp_path: Path) -> None:
    """Two workers: rows, pages by cursor, writes, refusals, and what a server that is gone looks like."""
    port = free_port()
    with server.start() as local:
        filled(local.host, 300)
        with running([*API, "--port", str(port)], local.host, port, tmp_path):
            answers_of_the_api(port)
            # A worker that starts later would find no server, and end.
            until(lambda: (tmp_path / "log").read_text().count("Application startup complete") == 2)
            local.kill()
            begun = time.monotonic()
            status, told, headers = asked(port, "/quotes/NYSE/IBM")
            assert (status, told["detail"]) == (
                503,
                "Bigtable does not take this now: try again",
            ) or status == 504
            assert status == 504 or int(headers["retry-after"]) >= 1
            assert time.monotonic() - begun < 10
            assert asked(port, "/healthz")[0] == 200
            until(lambda: asked(port, "/readyz")[0] in (503, 504))


def answers_of_the_api(port: int) -> None:
    status, row, _ = asked(port, f"/quotes/NASDAQ/ZXZZT/{quote(QUOTE_TIME.isoformat())}")
    assert (status, row["bid"], row["bid_size"]) == (200, "600.55", 500)
    times: list[str] = []
    cursor = None
    while True:
        more = "" if cursor is None else f"&cursor={quote(cursor)}"
        status, found, _ = asked(port, f"/quotes/NASDAQ/ZXZZT?size=60{more}")
        assert status == 200
        times += [one["quote_time"] for one in found["rows"]]
        cursor = found["next"]
        if cursor is None:
            break
    assert len(times) == len(set(times)) == 150
    assert times == sorted(times)
    body = {"exchange": "NYSE", "symbol": "NEW", "quote_time": "2020-01-01T00:00:00Z", "bid": "1.5"}
    assert asked(port, "/quotes", body)[0] == 201
    assert asked(port, "/quotes/NYSE/NEW")[1]["rows"][0]["bid"] == "1.5"
    status, told, _ = asked(port, "/quotes", {**body, "symbol": "TOOLONG"})
    assert (status, "TOOLONG" in told["detail"]) == (422, True)
    assert asked(port, "/quotes/NYSE/IBM?cursor=none")[0] == 422
    assert asked(port, "/quotes/NYSE/NONE/2020-01-01T00:00:00Z")[0] == 404
    assert asked(port, "/readyz")[0] == 200


def test_workers_and_commands_share_a_local_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers, this process and a command have one file open at once, and see each other's rows."""
    monkeypatch.delenv(emulator.VARIABLE, raising=False)
    instance = f"local:{tmp_path / 'dev.db'}"
    filled("", 100, instance)
    port = free_port()
    command = [*API, "--port", str(port)]
    own = environment("", port, instance)
    with running(command, "", port, tmp_path, instance), bt.connect(instance) as db:
        body = {"exchange": "NYSE", "symbol": "SHARED", "quote_time": "2020-01-01T00:00:00Z", "bid": "1.5"}
        assert asked(port, "/quotes", {**body, "symbol": "BOTH"})[0] == 201
        [row] = QuoteRepository(db).by_symbol("NYSE", "BOTH")
        assert str(row.bid) == "1.5"
        plan = [sys.executable, "-m", "btmodel", "migrate", "plan", "-m", "examples.market", "--json"]
        done = subprocess.run(
            [*plan, "--instance", instance],
            cwd=tmp_path,
            env=own,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2, done.stderr
        assert "create-table:TRADE" in done.stdout
        assert "create-table:QUOTE" not in done.stdout
        QuoteRepository(db).put_many(made_up_quotes(120))
        assert len(asked(port, "/quotes/NASDAQ/ZXZZT?size=100")[1]["rows"]) == 60


def test_the_site(tmp_path: Path) -> None:
    """Workers that are forked from a process which has imported the application connect by themselves."""
    port = free_port()
    command = ["gunicorn", "--preload", "--workers", "2", "--threads", "4", "--bind", f"127.0.0.1:{port}"]
    with server.start() as local:
        filled(local.host, 300)
        with running([*command, "examples.services.site:app"], local.host, port, tmp_path):
            for _ in range(8):
                status, found, _ = asked(port, "/quotes/NASDAQ/ZXZZT?size=5")
                assert (status, len(found["rows"]), bool(found["next"])) == (200, 5, True)
            assert asked(port, "/quotes/NASDAQ/TOOLONG")[0] == 422
            local.kill()
            status, told, headers = asked(port, "/quotes/NYSE/IBM")
            assert (status, told["detail"]) == (503, "Bigtable does not answer: try again")
            assert int(headers["retry-after"]) >= 1


def unread(pipe: int) -> int:
    """The bytes that nobody has read from a pipe yet."""
    found = bytearray(4)
    fcntl.ioctl(pipe, termios.FIONREAD, found)
    return int.from_bytes(found, sys.byteorder)


def lines(first: int, count: int) -> bytes:
    return b"".join(
        b"NYSE,WORK,%d,1.5,1.6\n" % (1_600_000_000_000 + at) for at in range(first, first + count)
    )


def rows_of(host: str, symbol: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(emulator.VARIABLE, host)
        with bt.connect(INSTANCE) as db:
            return QuoteRepository(db).by_symbol("NYSE", symbol).count()


def test_the_worker(served: str, tmp_path: Path) -> None:
    """All lines are rows in the end; told to stop while it waits for more, it writes what it has read, and ends at once."""
    command = [sys.executable, "-m", "examples.services.worker"]
    whole = {"cwd": tmp_path, "env": environment(served, 0), "timeout": 60, "check": True}
    done = subprocess.run(command, input=lines(0, 4_500), capture_output=True, **whole)  # type: ignore[call-overload]
    assert done.stdout == b"4500 rows written\n"
    assert rows_of(served, "WORK") == 4_500
    odd = lines(0, 1) + b"\nnonsense\nNYSE,TOOLONG,1,1,1\n" + lines(4_500, 1)
    done = subprocess.run(
        command,
        input=odd,
        capture_output=True,
        cwd=tmp_path,
        env=environment(served, 0),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"2 rows written\n")
    assert done.stderr.count(b"not written: ") == 3
    assert rows_of(served, "WORK") == 4_501
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(served, 0), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines(10_000, 300))
        process.stdin.flush()
        until = time.monotonic() + 30
        while unread(process.stdin.fileno()):
            assert time.monotonic() < until
            time.sleep(0.05)
        process.terminate()
        assert process.stdout.read() == b"300 rows written, told to stop\n"
        assert process.wait(10) == 0
    assert rows_of(served, "WORK") == 4_801


def test_the_service_under_load_in_a_network_that_fails(tmp_path: Path) -> None:
    """No request hangs, refusals are statuses that say so, and all is as before once the network is."""
    done = {phase.name: phase for phase in phases(0.4, tmp_path)}
    for name, phase in done.items():
        assert phase.statuses.keys() <= {200, 503, 504}, name
        assert max(phase.times) < 6, name  # the deadlines are 1 and 3 seconds; this machine may be busy
        if name == "before" or name.startswith("after"):
            assert phase.statuses.keys() == {200}, name
    assert done["delay"].statuses.keys() == {200}
    assert done["delay"].percentile(50) > 150
    assert done["refuse"].statuses.keys() & {503, 504}
    assert done["cut"].statuses[200] > 0


def test_the_worker_writes_what_a_stopped_write_did_not_try(
    served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After 1,000 failures a bulk write stops: the failed rows are written again, and those that it did not try as well."""
    monkeypatch.setenv(emulator.VARIABLE, served)
    rows = list(made_up_quotes(3_000))
    with bt.connect(INSTANCE) as db:
        quotes = QuoteRepository(db)
        real, tries = quotes.put_many, []

        def put_many(given: list[Quote]) -> int:
            tries.append(len(given))
            if len(tries) > 1:
                return real(given)
            # As where the server goes away after 500 rows.
            written = real(given[:500])
            failures = [bt.FailedRow(at, None, bt.Unavailable("away")) for at in range(500, 1_500)]
            raise bt.WriteFailed("QUOTE", written, failures, stopped=True)

        monkeypatch.setattr(quotes, "put_many", put_many)
        assert worker.write(quotes, rows, pytest.fail) == 3_000
        assert tries == [3_000, 2_500]
        monkeypatch.setattr(
            quotes,
            "put_many",
            lambda given: (_ for _ in ()).throw(
                bt.WriteFailed("QUOTE", 0, [bt.FailedRow(0, None, bt.Unavailable("away"))], stopped=False)
            ),
        )
        with pytest.raises(bt.WriteFailed):
            worker.write(quotes, rows, pytest.fail)


def test_the_container_starts(served: str, tmp_path: Path) -> None:
    """What the Dockerfile's CMD starts serves at PORT, and its health check passes; what it copies is there."""
    text = (SERVICES / "Dockerfile").read_text()
    for sources in re.findall(r"^COPY (.*) \S+$", text, re.M):
        assert all((ROOT / source).exists() for source in sources.split())
    [command] = [json.loads(one) for one in re.findall(r"^CMD (\[.*\])$", text, re.M)]
    [check] = [json.loads(one) for one in re.findall(r"^HEALTHCHECK CMD (\[.*\])$", text, re.M)]
    port = free_port()
    local = [one.replace("--host 0.0.0.0", "--host 127.0.0.1") for one in command]
    assert local != command
    with running(local, served, port, tmp_path):
        subprocess.run(check, env=environment(served, port), timeout=20, check=True)
        assert asked(port, "/quotes/NASDAQ/ZXZZT?size=1")[0] == 200


def test_the_guide_names_the_programs() -> None:
    """Each program has its place in the guide, with the command that starts it."""
    guide = (ROOT / "docs" / "deploy.md").read_text()
    for path in SERVICES.glob("[a-z]*"):
        if path.is_file():
            assert f"(../examples/services/{path.name})" in guide
    for command in re.findall(r"`((?:uvicorn|gunicorn|python) [^`<]*)", guide):
        module = next(word for word in shlex.split(command) if word.startswith("examples.")).partition(":")[0]
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file()
