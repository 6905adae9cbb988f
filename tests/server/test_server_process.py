"""The process: how fast it starts, what it listens on, what it loads, and that its descriptors are fresh."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2
from server_api import METHODS, Api

from btmodel.errors import ServerError
from btmodel.server import RunningServer, join, protos, start
from btmodel.server.store import Store, backup
from tests.forked_commands import Commands

ROOT = Path(__file__).parents[2]


def test_loads_no_client() -> None:
    """The server must not import the packages that take longer to load than it may to start."""
    script = "import sys, btmodel.server.process; print([m for m in sys.modules if m.startswith('google.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stdout
    assert "google.protobuf" in loaded
    assert "google.cloud" not in loaded and "google.api_core" not in loaded and "google.auth" not in loaded


def fields(raw: bytes) -> set[tuple[str, str, int, int, str]]:
    """Every field of every message in a set of descriptors: file, message, number, type and name."""
    files = descriptor_pb2.FileDescriptorSet.FromString(raw).file
    return {
        (file.name, message.name, field.number, field.type, field.name)
        for file in files
        for message in file.message_type
        for field in message.field
    }


def test_descriptors_are_those_of_the_installed_client() -> None:
    """What the committed descriptors say is what the installed google-cloud-bigtable says; that may say more."""
    sys.path.insert(0, str(ROOT / "codegen"))
    try:
        import server_protos
    finally:
        sys.path.pop(0)
    ours = fields(protos.DESCRIPTORS.read_bytes())
    assert len(ours) > 500
    assert ours - fields(server_protos.descriptors()) == set(), "run codegen/server_protos.py"


def test_every_method_is_served() -> None:
    """The data API, both admin APIs and operations must be there with all of their methods."""
    paths = {method.path for method in protos.methods()}
    services = {path.split("/")[1] for path in paths}
    assert services == {
        "google.bigtable.v2.Bigtable",
        "google.bigtable.admin.v2.BigtableTableAdmin",
        "google.bigtable.admin.v2.BigtableInstanceAdmin",
        "google.longrunning.Operations",
    }
    streams = {method.name for method in protos.methods() if method.streams}
    assert {"ReadRows", "MutateRows", "SampleRowKeys"} <= streams


def test_listens_on_loopback_alone(server: RunningServer) -> None:
    """The port must be open on 127.0.0.1 and on no other address."""
    port = int(server.host.rpartition(":")[2])
    listening = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            local, state = line.split()[1], line.split()[3]
            if state == "0A" and int(local.rpartition(":")[2], 16) == port:
                listening.append(local.rpartition(":")[0])
    mapped = "0000000000000000FFFF0000"  # an IPv4 address in a table of IPv6 ones
    assert [address.removeprefix(mapped) for address in listening] == ["0100007F"]


def test_a_taken_port_is_an_error(server: RunningServer) -> None:
    """A port that is in use must be told in a sentence, and by nobody else."""
    port = server.host.rpartition(":")[2]
    command = [sys.executable, "-m", "btmodel.server", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith(f"btmodel.server: cannot listen on 127.0.0.1:{port}: it is in use")


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "x" * 70, "::2"])
def test_an_address_of_others_is_an_error(host: str) -> None:
    """An address that is not of this machine, or none, must be told alike."""
    command = [sys.executable, "-m", "btmodel.server", "--port", "0", "--host", host]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("btmodel.server: cannot listen on ")


def test_command_line_prints_the_address(tmp_path: Path) -> None:
    """The command must print one line with the address when it is ready, and end in order on SIGTERM."""
    command = [sys.executable, "-m", "btmodel.server", "--file", str(tmp_path / "dev.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("btmodel.server ready on 127.0.0.1:")
        process.terminate()
        assert process.wait(10) == 0
        assert process.stdout.read() == ""
    assert not (tmp_path / "dev.db-wal").exists()


@pytest.mark.parametrize("arguments", [["--backup", "x.db"], ["--gc", "sometimes"]])
def test_wrong_arguments(arguments: list[str]) -> None:
    """Arguments that make no sense must end the command with a sentence."""
    command = [sys.executable, "-m", "btmodel.server", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert done.returncode in (1, 2) and done.stderr


def test_a_file_has_one_name_to_be_owned_by(tmp_path: Path) -> None:
    """A symlink to a served file is that file, and a hard link is refused: two servers never share one."""
    with start(tmp_path / "dev.db"):
        (tmp_path / "link.db").symlink_to(tmp_path / "dev.db")
        with pytest.raises(ServerError, match="already being served by process"):
            start(tmp_path / "link.db")
    (tmp_path / "hard.db").hardlink_to(tmp_path / "dev.db")
    with pytest.raises(ServerError, match="another name"):
        start(tmp_path / "hard.db")


@pytest.mark.parametrize("port", [-1, 65_536, 99_999])
def test_a_port_that_is_none_is_refused(port: int) -> None:
    """A port outside of 0 to 65535 is refused, not taken for another."""
    with pytest.raises(ServerError, match=f"cannot listen on port {port}: expected 0 to 65535"):
        start(port=port)


def test_a_damaged_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    """A file whose pages were overwritten is one error that names it."""
    file = tmp_path / "dev.db"
    with start(file) as running:
        api = Api(running.host)
        for number in range(200):
            api.table(f"t{number}")
        api.close()
    raw = file.read_bytes()
    file.write_bytes(raw[:4096] + b"\xa5" * (len(raw) - 4096))
    with pytest.raises(ServerError, match=r"dev.db is damaged \(database disk image is malformed\)"):
        start(file)


def test_files_of_the_working_folder_do_not_stand_in_for_pythons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project with a signal.py and a queue.py of its own has a server all the same."""
    for name in ("signal.py", "queue.py", "select.py"):
        (tmp_path / name).write_text("raise RuntimeError('not this one')\n")
    monkeypatch.chdir(tmp_path)
    with start() as running:
        assert running.host


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    """The error names the file that was asked for and the folder that is not there."""
    with pytest.raises(ServerError, match=r"cannot serve .*dev.db: there is no folder .*missing"):
        start(tmp_path / "missing" / "dev.db")


def test_a_path_with_control_bytes_is_one_line(tmp_path: Path) -> None:
    """An error must name the path on one line, without what a terminal would obey."""
    with pytest.raises(ServerError) as refused:
        start(tmp_path / "no\n\x1b[2J" / "dev.db")
    assert str(refused.value).endswith(r"there is no folder " + str(tmp_path / r"no\n\x1b[2J"))


def test_a_method_that_nobody_has_is_told_in_a_sentence() -> None:
    """A path that is of no service is UNIMPLEMENTED, by its name, and the server goes on."""
    with start() as running, grpc.insecure_channel(running.host) as channel:
        for path in ("/google.bigtable.v2.Bigtable/Nope", "/other.Service/Call"):
            with pytest.raises(grpc.RpcError) as refused:
                channel.unary_unary(path)(b"", timeout=10)
            assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
            assert refused.value.details() == f"The Bigtable API has no method {path}"
        Api(running.host).close()


def test_a_parent_that_is_gone_is_no_error(tmp_path: Path) -> None:
    """Where nobody reads the line that says ready, as the parent was killed, the server ends without a traceback."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "btmodel.server",
        "--until-eof",
        "--file",
        str(tmp_path / "dev.db"),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 0


# What lets root look into folders that are closed to it, and is taken from it here.
_AS_A_USER = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


def test_a_file_that_is_refused_is_left_alone(tmp_path: Path) -> None:
    """Nothing stands beside it afterwards."""
    (tmp_path / "notes.txt").write_text("no database, and long enough to be one, " * 9)
    for use in (start, join):
        with pytest.raises(ServerError, match=r"notes\.txt is not a database of the local server"):
            use(tmp_path / "notes.txt")
    assert [one.name for one in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["generate", "--out", "{}"],
        ["generate", "--out", "{}/new"],
        ["init", "{}/newest"],
        ["simulate", "--html", "{}/x.html"],
        ["inspect", "local:x.db", "--out", "{}/models.py"],
        ["migrate", "plan", "--out", "{}/plan.json"],
    ],
)
def test_a_place_that_may_not_be_written_to_is_refused(
    arguments: list[str], tmp_path: Path, commands: Commands
) -> None:
    """In one line that names it once, before any work is done."""
    assert commands.run(["init", "shop"], tmp_path, os.environ).returncode == 0
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    command = [*_AS_A_USER, sys.executable, "-m", "btmodel", *(one.format(folder) for one in arguments)]
    refused = subprocess.run(
        command, cwd=tmp_path / "shop", capture_output=True, text=True, check=False, timeout=60
    )
    assert (refused.returncode, refused.stdout) == (1, "")
    [line] = refused.stderr.splitlines()
    assert re.fullmatch(
        rf"error: {folder}\S*: cannot be written: Permission denied(; nothing was written)?", line
    )
    assert not list((tmp_path / "shop").glob("*.db"))


def test_a_plan_that_is_not_there_starts_no_server(tmp_path: Path) -> None:
    """And makes no file."""
    command = [sys.executable, "-m", "btmodel", "migrate", "--plan", "nope.json", "--instance", "local:x.db"]
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert refused.stderr == "error: nope.json cannot be read: No such file or directory\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["serve", "--port", "0", "--file", "{}/x.db"], "error: cannot serve {}/x.db: Permission denied\n"),
        (
            ["serve", "--file", "{}/x.db", "--backup", "y.db"],
            "error: cannot copy {}/x.db: Permission denied\n",
        ),
        (
            ["inspect", "local:{}/x.db"],
            "error: cannot serve {}/x.db: Permission denied\n",
        ),
    ],
)
def test_a_file_in_a_closed_folder_is_refused(arguments: list[str], said: str, tmp_path: Path) -> None:
    """A command whose file lies where this user may not look says that in one line, without a traceback."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o000)
    refused = subprocess.run(
        [*_AS_A_USER, sys.executable, "-m", "btmodel", *(one.format(folder) for one in arguments)],
        cwd=tmp_path,
        env={**os.environ, "BIGTABLE_EMULATOR_HOST": ""},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (refused.returncode, refused.stderr) == (1, said.format(folder))


def test_a_ring_of_links_and_a_long_name_are_refused(tmp_path: Path) -> None:
    """A path that the system cannot follow is refused with the reason, by the server and by a copy."""
    ring = tmp_path / "ring.db"
    ring.symlink_to(ring)
    with pytest.raises(ServerError, match=f"cannot serve {ring}: .*(loop|links)"):
        Store(ring)
    long = tmp_path / ("a" * 300)
    with pytest.raises(ServerError, match=f"cannot serve {long}: File name too long"):
        Store(long)
    with pytest.raises(ServerError, match=f"cannot copy {long}: File name too long"):
        backup(long, tmp_path / "copy.db")


def test_every_stop_ends_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is stopped has closed its file: it ends with 0, and leaves no log beside the file, every time."""
    monkeypatch.setenv(
        "MALLOC_PERTURB_", "165"
    )  # memory that was given back is overwritten, so that its use shows
    for number in range(8):
        running = start(tmp_path / f"{number}.db")
        api = Api(running.host)
        table = api.table()
        api.set(table, b"k")
        running.stop()
        assert running._process.returncode == 0
        assert not (tmp_path / f"{number}.db-wal").exists()


def _stream(api: Api, name: str, **fields: object) -> Any:
    """A call whose answers are read one by one."""
    method = METHODS[name]
    call = api.channel.unary_stream(method.path, response_deserializer=method.response.FromString)
    return call(method.request(**fields).SerializeToString(), timeout=30)


def test_calls_that_a_stop_breaks_off_are_repeated_by_clients(tmp_path: Path) -> None:
    """Long reads and change streams, idle or waiting for their reader, end with UNAVAILABLE, after which a client repeats them."""
    running = start(tmp_path / "dev.db")
    try:
        api = Api(running.host)
        table = api.table(change_stream_config={"retention_period": {"seconds": 86_400}})
        begin = {"seconds": int(time.time()) + 1}
        time.sleep(begin["seconds"] - time.time())
        for number in range(60):
            api.set(table, b"%02d" % number, b"v" * (1 << 20))
        whole = {"table_name": table, "partition": {"row_range": {"start_key_closed": b""}}}
        calls = [
            _stream(api, "ReadRows", table_name=table),
            _stream(api, "ReadChangeStream", **whole, start_time=begin),
            _stream(api, "ReadChangeStream", **whole),
        ]
        for call in calls[:2]:
            next(call)
    finally:
        running.stop()
    for call in calls:
        with pytest.raises(grpc.RpcError) as ended:
            list(call)
        assert ended.value.code() == grpc.StatusCode.UNAVAILABLE, ended.value.details()
        assert ended.value.details() == "The server is stopping"


def test_short_calls_that_come_while_a_server_stops_are_repeated_by_clients(tmp_path: Path) -> None:
    """A call that comes while the server stops ends with UNAVAILABLE, and never as if its client had cancelled it."""
    ends: list[grpc.StatusCode] = []

    def call_on_and_on(api: Api, table: str) -> None:
        try:
            while True:
                api.set(table, b"k")
        except grpc.RpcError as error:
            ends.append(error.code())

    for number in range(4):
        running = start(tmp_path / f"{number}.db")
        try:
            table = Api(running.host).table()
            callers = [
                threading.Thread(target=call_on_and_on, args=[Api(running.host), table]) for _ in range(6)
            ]
            for caller in callers:
                caller.start()
            time.sleep(0.2)
        finally:
            running.stop()
        for caller in callers:
            caller.join()
    assert ends == [grpc.StatusCode.UNAVAILABLE] * 24
