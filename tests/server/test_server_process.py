"""The process: how fast it starts, what it listens on, what it loads, and that its descriptors are fresh."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

from btmodel.server import RunningServer, protos

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
    """A port that is in use must be told in a sentence."""
    port = server.host.rpartition(":")[2]
    command = [sys.executable, "-m", "btmodel.server", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert f"btmodel.server: cannot listen on 127.0.0.1:{port}" in done.stderr


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
