"""The command itself, as a process: what it prints, what it answers, and how it ends."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.forked_commands import Commands

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "src" / "btmodel" / "__main__.py"
PAGE = (ROOT / "docs" / "studio.md").read_text()
SETTINGS = '[tool.btmodel]\nmodels = ["examples.market"]\ninstance = "dev"\n[tool.btmodel.instances]\ndev = "local:dev.db"\n'
STARTED = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]{40,})")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of quotes, with an empty local instance."""
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    return tmp_path


@contextmanager
def command(project: Path, *arguments: str, **more: str) -> Iterator["subprocess.Popen[str]"]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    process = subprocess.Popen(
        [sys.executable, "-m", "btmodel", "studio", *arguments],
        cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(commands: Commands, project: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """The command where it ends by itself, in a fork of a process that has loaded it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return commands.program(PROGRAM, ["studio", *arguments], project, environment)


def printed(process: "subprocess.Popen[str]") -> list[str]:
    """The lines that it prints when it is ready."""
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or not STARTED.search(lines[-1]):
        line = process.stdout.readline()
        assert line, process.stderr and process.stderr.read()
        lines.append(line)
    return lines


def test_it_serves_until_ctrl_c_and_logs_no_secret(project: Path) -> None:
    """It prints what the page of the documentation shows, answers at that address, and ends with 0; only that line has the token."""
    with command(project, "--port", "0", "--no-open") as process:
        lines = printed(process)
        match = STARTED.search(lines[-1])
        assert match is not None
        shown = "".join(lines).replace(match[1], "8087").replace(match[2], "…")
        assert shown in PAGE
        with httpx2.Client(base_url=f"http://127.0.0.1:{match[1]}", follow_redirects=True) as client:
            assert "QUOTE" in client.get("/", params={"token": match[2]}).text
            assert client.get("/models/Quote", params={"token": "wrong"}).status_code == 403
            assert client.get("/models/Quote/row", params={"key": "\x1b[31m"}).status_code == 404
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert match[2] not in out + err
    assert "\x1b[31m" not in err
    assert "Traceback" not in err
    assert "\nserver: " in err


def test_a_port_in_use_is_one_line(project: Path, commands: Commands) -> None:
    """Before any instance is reached, and with the way out."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        refused = ended(commands, project, "--port", port)
    assert (refused.returncode, refused.stdout) == (1, "")
    (line,) = refused.stderr.splitlines()
    assert f"127.0.0.1:{port}: it is in use" in line
    assert "--port" in line


def test_an_unknown_instance_and_a_broken_model_are_errors(project: Path, commands: Commands) -> None:
    """They are told at the start, as by every command."""
    unknown = ended(commands, project, "--instance", "nowhere", "--port", "0")
    assert "instance 'nowhere' is not in the settings" in unknown.stderr
    broken = ended(commands, project, "-m", "not_there", "--port", "0")
    assert "does not exist" in broken.stderr
    assert (unknown.returncode, broken.returncode) == (1, 1)


def test_it_works_without_models(project: Path) -> None:
    """A project that declares nothing yet has tables all the same."""
    (project / "pyproject.toml").write_text(SETTINGS.replace('["examples.market"]', "[]"))
    with command(project, "--port", "0", "--no-open") as process:
        match = STARTED.search(printed(process)[-1])
        assert match is not None
        with httpx2.Client(base_url=f"http://127.0.0.1:{match[1]}", follow_redirects=True) as client:
            assert "No models are declared" in client.get("/", params={"token": match[2]}).text


def test_the_page_names_every_option_and_no_other() -> None:
    """The documentation and the command agree."""
    from btmodel.cli.studio import studio

    options = {name for one in studio.params for name in (*one.opts, *one.secondary_opts)} - {
        "-m",
        "--module",
    }
    assert set(re.findall(r"`(--[a-z-]+)", PAGE)) == options
    for picture in re.findall(r"\]\(([\w-]+\.png)\)", PAGE):
        assert (ROOT / "docs" / picture).stat().st_size < 150_000


def test_a_browser_is_started_with_an_address_for_one_use(project: Path) -> None:
    """Its command line, which other users of the machine may read, does not hold the token."""
    program, told = project / "browser", project / "told"
    program.write_text(f'#!/bin/sh\necho "$1" > {told}.new && mv {told}.new {told}\n')
    program.chmod(0o755)
    with command(project, "--port", "0", "--open", BROWSER=f"{program} %s") as process:
        match = STARTED.search(printed(process)[-1])
        assert match is not None
        end = time.monotonic() + 60
        while not told.exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        address = told.read_text().strip()
        assert STARTED.fullmatch(address)
        assert match[2] not in address
        assert [httpx2.get(address).status_code for _ in range(2)] == [303, 403]
