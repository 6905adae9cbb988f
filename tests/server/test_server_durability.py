"""What was acknowledged stays: through kill -9, a copy of the file, and a second process that wants it."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from hypothesis import settings
from server_api import METHODS, SUM, Api, set_cell

from btmodel.errors import ServerError
from btmodel.server import RunningServer, start
from btmodel.server.store import EVERYTHING, Store, write_row

KILLS = max(30, settings().max_examples // 10)
CROWDS = 4
_ADD: dict[str, object] = {
    "add_to_cell": {
        "family_name": "s",
        "column_qualifier": {"raw_value": b"n"},
        "timestamp": {"raw_timestamp_micros": 1000},
        "input": {"int_value": 1},
    }
}


class Writer(threading.Thread):
    """Writes rows of two equal cells until the server is gone, and notes which were acknowledged."""

    def __init__(self, api: Api, table: str, life: int) -> None:
        super().__init__(daemon=True)
        self.api, self.table, self.life = api, table, life
        self.acknowledged: list[bytes] = []

    def run(self) -> None:
        """Write until the server does not answer."""
        number = 0
        try:
            while True:
                keys = [b"%03d-%05d" % (self.life, number + n) for n in range(3)]
                self.api("MutateRow", table_name=self.table, row_key=keys[0], mutations=_twice(keys[0]))
                self.acknowledged.append(keys[0])
                entries = [{"row_key": key, "mutations": _twice(key)} for key in keys[1:]]
                (response,) = self.api("MutateRows", table_name=self.table, entries=entries)
                self.acknowledged += [keys[1 + e.index] for e in response.entries if e.status.code == 0]
                number += 3
        except grpc.RpcError:
            pass


def _twice(key: bytes) -> list[dict[str, object]]:
    return [set_cell("cf:one", key), set_cell("cf:two", key)]


def test_kill_nine(tmp_path: Path) -> None:
    """Many deaths at any moment must lose no acknowledged row and show no half of one."""
    file = tmp_path / "dev.db"
    acknowledged: list[bytes] = []
    table = ""
    for life in range(KILLS):
        running = start(file)
        api = Api(running.host)
        table = table or api.table()
        writer = Writer(api, table, life)
        writer.start()
        time.sleep(0.001 * (life % 37))
        os.kill(running.pid, signal.SIGKILL)
        writer.join(10)
        assert not writer.is_alive()
        api.close()
        running.kill()
        acknowledged += writer.acknowledged
    with start(file) as running:
        rows = dict(Api(running.host).rows(table))
    assert len(acknowledged) > KILLS, "the writer must have got through between the kills"
    assert [key for key in acknowledged if key not in rows] == []
    for key, cells in rows.items():
        assert cells == [("cf:one", 1000, key), ("cf:two", 1000, key)]


def test_kill_nine_under_a_crowd(tmp_path: Path) -> None:
    """Of hundreds of writes that are under way at once, none that was acknowledged may be lost or be done twice."""
    file = tmp_path / "dev.db"
    kept: list[bytes] = []
    sent = added = 0
    table = ""
    for life in range(CROWDS):
        running = start(file)
        api = Api(running.host)
        table = table or api.table(families={"cf": {}, **SUM})
        calls: dict[bytes, Any] = {}
        adds: list[Any] = []
        killed = threading.Event()
        for number in itertools.count(1):
            if killed.is_set():
                break
            key = b"%d-%05d" % (life, number)
            calls[key] = _future(api, table, key, _twice(key))
            adds.append(_future(api, table, b"sum", [_ADD]))
            if number == 100 * (life + 1):
                calls[key].add_done_callback(partial(_kill, running.pid, killed))
        running.kill()
        kept += [key for key, call in calls.items() if call.exception() is None]
        added += sum(call.exception() is None for call in adds)
        sent += len(adds)
        api.close()
    with start(file) as running:
        rows = dict(Api(running.host).rows(table))
    assert 0 < len(kept) < sent
    ((_, _, total),) = rows.pop(b"sum", [("", 0, bytes(8))])
    assert added <= int.from_bytes(total) <= sent
    assert [key for key in kept if key not in rows] == []
    for key, cells in rows.items():
        assert cells == [("cf:one", 1000, key), ("cf:two", 1000, key)]


def _kill(pid: int, killed: threading.Event, call: grpc.Future) -> None:
    os.kill(pid, signal.SIGKILL)
    killed.set()


def _future(api: Api, table: str, key: bytes, mutations: list[dict[str, object]]) -> Any:
    """A MutateRow that is under way."""
    method = METHODS["MutateRow"]
    request = method.request(table_name=table, row_key=key, mutations=mutations).SerializeToString()
    return api.channel.unary_unary(method.path).future(request, timeout=60)


def test_one_failure_in_a_group_is_that_of_one(tmp_path: Path) -> None:
    """What fails in a transaction of many must be undone wholly, and all others be kept, whatever the failure."""
    store = Store(tmp_path / "dev.db")

    def write(number: int) -> int:
        with store.writing() as connection:
            write_row(connection, 1, b"%d" % number, b"stored")
            if number == 3:
                raise RuntimeError("after it has written")
            if number == 5:
                connection.execute("ROLLBACK")  # as SQLite does by itself when the disk is full
                raise sqlite3.OperationalError("database or disk is full")
            return number

    outcomes = store.group([partial(write, number) for number in range(8)])
    assert [type(outcome) for outcome in outcomes] == [
        RuntimeError if number == 3 else sqlite3.OperationalError if number == 5 else int
        for number in range(8)
    ]
    kept = [key for key, _ in store.page(1, EVERYTHING, backwards=False)[0]]
    store.close()
    assert kept == [b"0", b"1", b"2", b"4", b"6", b"7"]


def test_a_group_is_kept_at_once(tmp_path: Path) -> None:
    """A group must be one transaction: other connections see all of it or nothing."""
    store = Store(tmp_path / "dev.db")
    seen: list[int] = []

    def write(number: int) -> None:
        with store.writing() as connection:
            write_row(connection, 1, b"%d" % number, b"stored")
        seen.append(len(store.page(1, EVERYTHING, backwards=False)[0]))

    store.group([partial(write, number) for number in range(5)])
    after = len(store.page(1, EVERYTHING, backwards=False)[0])
    store.close()
    assert (seen, after) == ([0] * 5, 5)


def test_data_stays_when_the_server_stops(tmp_path: Path) -> None:
    """A table with all of its settings and rows must be there after a restart."""
    file = tmp_path / "dev.db"
    with start(file) as running:
        api = Api(running.host)
        table = api.table(families={"cf": {"gc_rule": {"max_num_versions": 3}}}, deletion_protection=True)
        api.set(table, b"k")
        before = api("GetTable", name=table)
    with start(file) as running:
        api = Api(running.host)
        assert api("GetTable", name=table) == before
        assert api.rows(table) == [(b"k", [("cf:q", 1000, b"v")])]


def test_one_process_owns_a_file(file_server: RunningServer) -> None:
    """A second server on a file must refuse in a sentence with the first one's process and address."""
    assert file_server.file is not None
    with pytest.raises(
        ServerError, match=rf"dev\.db is already being served by process {file_server.pid} at"
    ) as e:
        start(file_server.file)
    assert str(e.value).endswith(
        f"at {file_server.host}: connect to local:{file_server.file}, or export BIGTABLE_EMULATOR_HOST={file_server.host}"
    )


def test_a_file_is_free_after_kill_nine(tmp_path: Path) -> None:
    """The death of the owner must give the file up."""
    running = start(tmp_path / "dev.db")
    running.kill()
    start(tmp_path / "dev.db").stop()


def test_not_a_database(tmp_path: Path) -> None:
    """A file of another kind must be refused, and left as it is."""
    file = tmp_path / "notes.txt"
    file.write_text("something else, " * 100)
    with pytest.raises(ServerError, match="not a database of the local server"):
        start(file)
    assert file.read_text() == "something else, " * 100


def test_a_database_of_another_program(tmp_path: Path) -> None:
    """Another program's SQLite file must be refused, and left as it is, and so must a newer format."""
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE mine (x)")
    before = file.read_bytes()
    with pytest.raises(ServerError, match="another program made this database"):
        start(file)
    assert file.read_bytes() == before
    newer = tmp_path / "newer.db"
    start(newer).stop()
    with closing(sqlite3.connect(newer)) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(ServerError, match="has format 99"):
        start(newer)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """A path that cannot be opened must be told in a sentence."""
    with pytest.raises(ServerError, match="there is no folder"):
        start(tmp_path / "no" / "dev.db")


def test_a_file_is_portable(tmp_path: Path) -> None:
    """After a stop the file alone, under another name, must hold everything."""
    with start(tmp_path / "dev.db") as running:
        api = Api(running.host)
        table = api.table()
        api.set(table, b"k")
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(tmp_path / "dev.db", tmp_path / "elsewhere" / "other.db")
    with start(tmp_path / "elsewhere" / "other.db") as running:
        assert Api(running.host).keys(table) == [b"k"]


def _backup(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "btmodel.server", "--file", str(source), "--backup", str(target)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30)


def test_backup_of_a_live_file(file_server: RunningServer, tmp_path: Path) -> None:
    """A copy made while rows are written must hold the rows of one moment, whole."""
    assert file_server.file is not None
    api = Api(file_server.host)
    table = api.table()
    writer = Writer(Api(file_server.host), table, 0)
    writer.start()
    while len(writer.acknowledged) < 100:
        time.sleep(0.01)
    before = list(writer.acknowledged)
    done = _backup(file_server.file, tmp_path / "copy.db")
    assert done.returncode == 0, done.stderr
    file_server.kill()
    writer.join(10)
    with start(tmp_path / "copy.db") as running:
        rows = dict(Api(running.host).rows(table))
    assert set(before) <= set(rows)
    assert all(len(cells) == 2 for cells in rows.values())


def test_backup_overwrites_nothing(tmp_path: Path) -> None:
    """A backup must refuse a target that exists, and a source that does not."""
    start(tmp_path / "dev.db").stop()
    (tmp_path / "copy.db").write_text("mine")
    refused = _backup(tmp_path / "dev.db", tmp_path / "copy.db")
    assert refused.returncode == 1 and "exists already" in refused.stderr
    assert (tmp_path / "copy.db").read_text() == "mine"
    assert "no such file" in _backup(tmp_path / "no.db", tmp_path / "new.db").stderr


def test_the_server_ends_with_its_parent(tmp_path: Path) -> None:
    """A server must end, and give its file up, when the process that started it dies by kill -9."""
    file = str(tmp_path / "dev.db")
    script = f"from btmodel.server import start; s = start({file!r}); print(s.pid, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 10
    while _lives(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _lives(child)
    start(tmp_path / "dev.db").stop()


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_fifty_clients_write_one_row(file_server: RunningServer) -> None:
    """Readers of a row that fifty clients write must always see the cells of one write, never a mixture."""
    api = Api(file_server.host)
    table = api.table()
    wrong: list[object] = []
    over = threading.Event()

    def write(number: int) -> None:
        mine = Api(file_server.host)
        for turn in range(20):
            value = b"%d-%d" % (number, turn)
            mutations = [set_cell(f"cf:{column}", value) for column in "abcdefgh"]
            mine("MutateRow", table_name=table, row_key=b"shared", mutations=mutations)
        mine.close()

    def read() -> None:
        mine = Api(file_server.host)
        while not over.is_set():
            for _, cells in mine.rows(table):
                if len(cells) != 8 or len({value for _, _, value in cells}) != 1:
                    wrong.append(cells)

    readers = [threading.Thread(target=read) for _ in range(3)]
    writers = [threading.Thread(target=write, args=[number]) for number in range(50)]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    over.set()
    for thread in readers:
        thread.join()
    assert wrong == [] and len(api.rows(table)[0][1]) == 8


def test_fifty_clients_increment_one_cell(file_server: RunningServer) -> None:
    """No increment of fifty clients must be lost, and one of fifty takers of a lock must get it."""
    api = Api(file_server.host)
    table = api.table()
    took: list[bool] = []
    rule = {"family_name": "cf", "column_qualifier": b"n", "increment_amount": 1}
    taken = {"predicate_filter": {"column_qualifier_regex_filter": b"lock"}}

    def work() -> None:
        mine = Api(file_server.host)
        for _ in range(10):
            mine("ReadModifyWriteRow", table_name=table, row_key=b"k", rules=[rule])
        free = not mine(
            "CheckAndMutateRow",
            table_name=table,
            row_key=b"k",
            false_mutations=[set_cell("cf:lock")],
            **taken,
        ).predicate_matched
        took.append(free)
        mine.close()

    threads = [threading.Thread(target=work) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cells = {column: value for column, _, value in reversed(api.rows(table)[0][1])}
    assert int.from_bytes(cells["cf:n"]) == 500
    assert took.count(True) == 1
