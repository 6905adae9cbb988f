"""Finding the emulator."""

import socket
from pathlib import Path

import pytest

from btmodel import emulator
from btmodel.client.target import resolve
from btmodel.errors import ServerError


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with nothing on PATH and nothing in the environment."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("BIGTABLE_EMULATOR_HOST", raising=False)


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_none() -> None:
    """Where there is none, one sentence says what to install."""
    with pytest.raises(ServerError) as caught:
        emulator.start()
    assert str(caught.value) == (
        "no Bigtable emulator: cbtemulator is neither on PATH nor in a Cloud SDK; install it with "
        "`gcloud components install bigtable`, or set BIGTABLE_EMULATOR_HOST to one that runs"
    )


def test_next_to_where_gcloud_really_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Cloud SDK is found through the links that lead to gcloud."""
    gcloud = program(tmp_path / "sdk/bin/gcloud")
    wanted = program(tmp_path / "sdk/platform/bigtable-emulator/cbtemulator")
    link = tmp_path / "usr/bin/gcloud"
    link.parent.mkdir(parents=True)
    link.symlink_to(gcloud)
    monkeypatch.setenv("PATH", str(link.parent))
    assert emulator.find() == wanted.resolve()


def test_a_cloud_sdk_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Cloud SDK that lacks the component is as good as none."""
    monkeypatch.setenv("PATH", str(program(tmp_path / "sdk/bin/gcloud").parent))
    with pytest.raises(ServerError, match="gcloud components install bigtable"):
        emulator.find()


def test_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One on PATH wins over the Cloud SDK's."""
    program(tmp_path / "sdk/platform/bigtable-emulator/cbtemulator")
    wanted = program(tmp_path / "sdk/bin/cbtemulator")
    program(tmp_path / "sdk/bin/gcloud")
    monkeypatch.setenv("PATH", str(wanted.parent))
    assert emulator.find() == wanted


@pytest.mark.parametrize("host", ["nonsense", "host:", ":8086", "host:port", "host:0", "host:65536", "a:1²"])
def test_a_malformed_host(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A BIGTABLE_EMULATOR_HOST that is no address is refused, with what was expected."""
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", host)
    with pytest.raises(ServerError, match="BIGTABLE_EMULATOR_HOST: expected host:port"):
        emulator.start()


def test_a_host_where_nothing_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A BIGTABLE_EMULATOR_HOST that nobody listens at is refused at once."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", host)
    with pytest.raises(
        ServerError, match=f"{host}: nothing answers there.*unset the variable to have one started$"
    ):
        emulator.start()
    with pytest.raises(ServerError, match=r"or unset the variable to call the service itself, in the cloud$"):
        resolve("projects/p/instances/i")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("#!/bin/sh\necho flag provided but not defined >&2; exit 3\n", "flag provided but not defined"),
        ("#!/bin/sh\nexit 3\n", "it said nothing"),
        ("#!/no/such/interpreter\n", "No such file or directory"),
    ],
)
def test_one_that_does_not_start(
    text: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An emulator that ends before it listens is told, with its own last words."""
    monkeypatch.setenv("PATH", str(program(tmp_path / "cbtemulator", text).parent))
    with pytest.raises(ServerError, match=f"cbtemulator did not start: {why}"):
        emulator.start()
