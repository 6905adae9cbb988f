"""What the server says and leaves where it cannot go on: a damaged file, a full disk, a port in use, few descriptors."""

from __future__ import annotations

import json
import resource
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from server_api import METHODS, Api, failure, set_cell

from btmodel.errors import ServerError
from btmodel.server import start

SCANS = 200
#: in a folder of its own with half a mebibyte of space: a server that is stopped, and one started, on a full disk
ON_A_FULL_DISK = """
import json, os, subprocess, sys
from pathlib import Path
from server_api import Api, failure, set_cell
from btmodel.errors import ServerError
from btmodel.server import start

folder = Path(sys.argv[1])
file, filler = folder / "dev.db", folder / "filler"
said = {}

def fill():
    with filler.open("ab", buffering=0) as stream:
        while True:
            try:
                stream.write(b"x" * 4096)
            except OSError:
                return

def refused(path):
    try:
        start(path).stop()
    except ServerError as error:
        return str(error)

running = start(file)
api = Api(running.host)
table = api.table()
api.set(table, b"k")
fill()
large = {"table_name": table, "row_key": b"l", "mutations": [set_cell("cf:q", b"v" * 100_000)]}
said["write"] = failure(api, "MutateRow", **large)
said["read"] = api.keys(table) == [b"k"]
running.stop()
said["status"] = running._process.returncode
filler.unlink()
start(file).stop()
fill()
said["start"] = refused(file)
said["new"] = refused(folder / "new.db")
filler.unlink()
with start(file) as running:
    said["kept"] = Api(running.host).keys(table) == [b"k"]
filler.write_bytes(b"x" * 490_000)
copy = [sys.executable, "-m", "btmodel.server", "--file", str(file), "--backup", str(folder / "copy.db")]
said["copy"] = subprocess.run(copy, capture_output=True, text=True).stderr
said["left"] = (folder / "copy.db").exists()
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def on_a_full_disk(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder that was full, and what was said there."""
    folder = tmp_path_factory.mktemp("full")
    mount = 'mount -t tmpfs -o size=512k none "$1" && shift && exec "$@"'
    inside = ["unshare", "-rm", "sh", "-c", mount, "sh", str(folder)]
    if subprocess.run([*inside, "true"], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here (unshare -rm, mount -t tmpfs)")
    command = [*inside, sys.executable, "-c", ON_A_FULL_DISK, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent, timeout=60)
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return folder, said


def test_a_full_disk_is_called_one(on_a_full_disk: tuple[Path, dict[str, Any]]) -> None:
    """A write to a full disk, and a start on one, must name the file and the full disk, and no damage."""
    folder, said = on_a_full_disk
    full = f"{folder / 'dev.db'} cannot be written: the disk is full"
    assert said["write"][0] == "RESOURCE_EXHAUSTED"
    assert said["write"][1].startswith(full)
    assert said["write"][1].endswith(". Nothing of this request was kept")
    assert said["start"].startswith(f"the local server did not start: {full}")
    assert "No space left on device" in said["new"] and str(folder / "new.db") in said["new"]


def test_a_full_disk_loses_nothing(on_a_full_disk: tuple[Path, dict[str, Any]]) -> None:
    """On a full disk reads must go on, a stop be orderly, and all be there once there is space."""
    _, said = on_a_full_disk
    assert (said["read"], said["status"], said["kept"]) == (True, 0, True)


def test_a_copy_that_fails_leaves_none(on_a_full_disk: tuple[Path, dict[str, Any]]) -> None:
    """A copy for which there is no space must not leave a part of it in the way of the next one."""
    _, said = on_a_full_disk
    assert "cannot copy" in said["copy"] and not said["left"]


def test_a_damaged_page_is_one_of_a_file(tmp_path: Path) -> None:
    """What meets a damaged page must be DATA_LOSS, by the name of the file; only a write says that nothing was kept."""
    file = tmp_path / "dev.db"
    with start(file) as running:
        api = Api(running.host)
        table = api.table()
        api.set(table, b"k")
    with closing(sqlite3.connect(file)) as database:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_rows_1'"
        (page,) = database.execute(query).fetchone()
    with file.open("r+b") as stream:
        stream.seek((page - 1) * 4096)
        stream.write(b"\xa5" * 4096)
    damaged = (
        f"{file} is damaged (database disk image is malformed): put a copy that --backup made in its place"
    )
    with start(file) as running:
        api = Api(running.host)
        assert failure(api, "ReadRows", table_name=table) == ("DATA_LOSS", damaged)
        written = {"table_name": table, "row_key": b"l", "mutations": [set_cell("cf:q")]}
        kept = f"{damaged}. Nothing of this request was kept"
        assert failure(api, "MutateRow", **written) == ("DATA_LOSS", kept)


def test_a_damaged_row_is_one_of_a_file(tmp_path: Path) -> None:
    """A row whose bytes were overwritten, in a page that looks well, must be DATA_LOSS by the name of the file, too."""
    file = tmp_path / "dev.db"
    with start(file) as running:
        api = Api(running.host)
        table = api.table()
        api.set(table, b"k")
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("UPDATE rows SET cells = ?", (b"\xff" * 20,))
    with start(file) as running:
        api = Api(running.host)
        asked: list[tuple[str, dict[str, Any]]] = [
            ("ReadRows", {"filter": {"strip_value_transformer": True}}),
            ("MutateRow", {"row_key": b"k", "mutations": [set_cell("cf:q")]}),
        ]
        for method, fields in asked:
            code, text = failure(api, method, table_name=table, **fields)
            assert code == "DATA_LOSS" and text.startswith(f"{file} is damaged")


def test_a_port_in_use_leaves_no_file(tmp_path: Path) -> None:
    """Where the port cannot be had, nothing may be left of a file that was not there."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"cannot listen on 127.0.0.1:{port}: it is in use"):
            start(tmp_path / "new.db", port=port)
    assert list(tmp_path.iterdir()) == []


def test_a_port_on_which_the_file_is_served(tmp_path: Path) -> None:
    """Where the port is in use by the server of the same file, that must be said, with its address."""
    with start(tmp_path / "dev.db") as running:
        port = int(running.host.rpartition(":")[2])
        with pytest.raises(ServerError, match=f"dev.db is already being served by process {running.pid} at"):
            start(tmp_path / "dev.db", port=port)


def test_scans_share_descriptors(tmp_path: Path) -> None:
    """Where a process may have 256 descriptors, as on macOS, two hundred open scans must go on."""
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, usual[1]))
    try:
        running = start(tmp_path / "dev.db")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    with running:
        api = Api(running.host)
        table = api.table()
        entries = [
            {"row_key": b"r%02d" % n, "mutations": [set_cell("cf:q", b"v" * 200_000)]} for n in range(20)
        ]
        api("MutateRows", table_name=table, entries=entries)
        method = METHODS["ReadRows"]
        request = method.request(table_name=table).SerializeToString()
        scan = api.channel.unary_stream(method.path)
        scans = [scan(request, timeout=60) for _ in range(SCANS)]
        assert all(len(next(each)) > 200_000 for each in scans)
        for each in scans:
            each.cancel()
        assert len(api.keys(table)) == 20


@pytest.mark.parametrize("content", [b"x", b"some notes\n", b"SQLite format 3"])
def test_a_short_file_of_others_is_kept(tmp_path: Path, content: bytes) -> None:
    """SQLite writes over a file that is shorter than its own head; the server refuses it as any other."""
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    with pytest.raises(ServerError, match=r"notes\.txt is not a database of the local server"):
        start(file)
    assert file.read_bytes() == content


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    """As mktemp makes one: there is nothing to lose in it."""
    file = tmp_path / "dev.db"
    file.touch()
    with start(file) as running:
        assert Api(running.host).table()
