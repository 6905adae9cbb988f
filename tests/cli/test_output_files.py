"""A file that the user names is replaced only where btmodel wrote it, and nobody has changed it since."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from user_project import Run

from btmodel.cli.output import check_place, new_file, new_folder, write_output
from btmodel.cli.row_files.partitions import PARTITIONS
from btmodel.errors import GenerationError

HAND_WRITTEN = "# written by hand\n"
COMMANDS = {
    "plan.json": ("migrate", "plan", "--instance", "local:dev.db", "--out"),
    "schema.json": ("migrate", "schema", "--out"),
    "live.py": ("inspect", "local:dev.db", "--rows", "0", "--out"),
    "live.json": ("inspect", "local:dev.db", "--rows", "0", "--json", "--out"),
    "load.html": ("simulate", "Order", "--for", "1h", "--count", "number=1000", "--brief", "--html"),
    "load.png": ("simulate", "Order", "--for", "1h", "--count", "number=1000", "--brief", "--png"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command(name: str, run: Run, project: Path) -> None:
    """Each writes over what it wrote, refuses what was edited or is of somebody else, and replaces that with --force."""
    if COMMANDS[name][0] != "simulate":
        assert run("migrate", "--instance", "local:dev.db", "--yes").returncode == 0
    command, path = (*COMMANDS[name], name), project / name
    path.write_text(HAND_WRITTEN)
    refused = run(*command)
    assert refused.returncode == 1
    assert f"{name} exists, and btmodel did not write it" in refused.stderr
    assert "--force" in refused.stderr
    assert path.read_text() == HAND_WRITTEN
    assert run(*command, "--force").returncode in (0, 2)
    written = path.read_bytes()
    assert HAND_WRITTEN.encode() not in written
    if name.endswith((".json", ".py")):
        assert run(*command).returncode == 0
        path.write_bytes(written + b" ")
        assert run(*command).returncode == 1


CONTENTS = {
    "JSON": b'{\n  "a": 1\n}\n',
    "HTML": b"<!doctype html>\n<p>a</p>\n",
    "Python": b'"""A module."""\n',
    "another mark": b"<p>written by btmodel, 00000000000000000000000000000000</p>\n",
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
@pytest.mark.parametrize(
    "edit", [lambda raw: raw + b" ", lambda raw: raw.replace(b"a", b"b", 1), lambda raw: raw[:-40]]
)
def test_the_mark(content: bytes, edit: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """A file is known as long as no byte of it changes, and as empty; one of the same words is not."""
    path = tmp_path / "file"
    path.touch()
    write_output(path, content)
    write_output(path, content)
    path.write_bytes(edit(path.read_bytes()))
    with pytest.raises(GenerationError, match="it was edited since"):
        check_place(path)
    path.write_bytes(content)
    with pytest.raises(GenerationError, match="it was edited since"):
        write_output(path, content)
    write_output(path, content, force=True)
    check_place(path)


def test_what_lies_beside_it_stays(tmp_path: Path) -> None:
    """No file of the user's is taken for the half of another, and permissions stay."""
    beside = tmp_path / "page.html.part"
    beside.write_text("mine")
    path = tmp_path / "page.html"
    path.touch(0o600)
    write_output(path, b"<p>")
    assert beside.read_text() == "mine"
    assert path.stat().st_mode & 0o777 == 0o600
    assert len([*tmp_path.iterdir()]) == 2


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_a_folder_that_cannot_be_replaced_stays(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where that ends between its two renamings: the folder of before was deleted with the new one."""
    place, real = tmp_path / "rows", Path.rename
    place.mkdir()
    (place / "part-0.parquet").write_bytes(b"before")

    def rename(path: Path, to: Path) -> Path:
        if path.name.endswith(".part"):
            raise error
        return real(path, to)

    monkeypatch.setattr(Path, "rename", rename)
    with (
        pytest.raises((KeyboardInterrupt, GenerationError)),
        new_folder(place, PARTITIONS, force=True) as folder,
    ):
        (folder / "part-0.parquet").write_bytes(b"after")
    assert [path.name for path in tmp_path.iterdir()] == ["rows"]
    assert (place / "part-0.parquet").read_bytes() == b"before"


def test_rows_are_on_the_disk_before_they_take_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that stops leaves the file of before, or all of the new one."""
    done: list[str] = []
    for call in ("fsync", "replace", "rename"):
        real = getattr(os, call)

        def noted(first: Any, *rest: Any, call: str = call, real: Any = real) -> Any:
            what = os.readlink(f"/proc/self/fd/{first}") if isinstance(first, int) else str(first)
            done.append(f"{call} {'part' if '.part' in what else 'folder'}")
            return real(first, *rest)

        monkeypatch.setattr(os, call, noted)
    with new_file(tmp_path / "rows.jsonl") as file:
        file.write(b"{}")
    assert done == ["fsync part", "replace part", "fsync folder"]
    done.clear()
    with new_folder(tmp_path / "rows", PARTITIONS) as folder:
        (folder / "month=1").mkdir()
        (folder / "month=1" / "part-0.parquet").write_bytes(b"")
    assert done == [*["fsync part"] * 3, "rename part", "fsync folder"]


def test_a_place_that_cannot_be_looked_at(tmp_path: Path) -> None:
    """One sentence, also where the system does not even say whether there is such a file."""
    with pytest.raises(GenerationError, match="cannot be written: File name too long"):
        check_place(tmp_path / ("x" * 300))


LONG = "n" * 300
BAD = ("ring", "ring/x", LONG, f"{LONG}/x", "file/x")
INPUTS = {
    "put": ("put", "Order", "{}.csv", "--instance", "local:dev.db"),
    "put a table": ("put", "Order", "{}.parquet", "--instance", "local:dev.db"),
    "put cells": ("put", "Order", "{}.parquet", "--cells", "--instance", "local:dev.db"),
    "check": ("check", "{}.py"),
    "module": ("check", "-m", "{}.py"),
    "settings": ("check",),
    "diff": ("migrate", "diff", "{}.json", "models"),
    "plan": ("migrate", "--plan", "{}.json", "--instance", "local:dev.db"),
    "instance": ("rows", "Order", "--instance", "local:{}.db"),
    "serve": ("serve", "--file", "{}.db"),
    "workload": ("simulate", "Order", "--for", "1h", "--file", "{}.toml"),
    "keys": ("simulate", "Order", "--for", "1h", "--keys", "{}.txt"),
    "rows": ("rows", "Order", "--instance", "local:dev.db", "--out", "{}.csv"),
    "forced": ("rows", "Order", "--instance", "local:dev.db", "--force", "--out", "{}.parquet"),
    "partitions": ("rows", "Order", "--instance", "local:dev.db", "--partition", "number", "--out", "{}"),
    "generate": ("generate", "--out", "{}"),
    "init": ("init", "{}", "--name", "shop_of_mine"),
    "page": ("simulate", "Order", "--for", "1h", "--count", "number=1000", "--brief", "--html", "{}.html"),
}


@pytest.mark.parametrize("name", INPUTS)
def test_a_path_that_leads_nowhere_is_one_error(name: str, run: Run, project: Path) -> None:
    """A ring of links, a name that is too long, a file where a folder should be: no command fails with a traceback, and none makes anything of it."""
    if "local:dev.db" in INPUTS[name]:
        assert run("migrate", "--instance", "local:dev.db", "--yes").returncode == 0
    (project / "file").write_text("x")
    (project / "ring").symlink_to("ring")
    for path in BAD:
        given = [part.format(path) for part in INPUTS[name]]
        suffix = Path(next((part for part in INPUTS[name] if "{}" in part), "{}.toml")).suffix
        if path == "ring" and suffix:
            (project / f"ring{suffix}").symlink_to(f"ring{suffix}")
        environment = {"BTMODEL_SETTINGS": f"{path}.toml"} if name == "settings" else {}
        done = run(*given, **environment)
        said = (path, done.stdout, done.stderr)
        assert done.returncode == 1, said
        assert sum(line.startswith("error: ") for line in done.stderr.splitlines()) == 1, said
        assert "Traceback" not in done.stderr, said


def test_btmodel_alone_is_its_help(run: Run) -> None:
    """Without a command it lists its commands, and calls nothing an error."""
    shown = run()
    assert (shown.stdout + shown.stderr).startswith("Usage: btmodel [OPTIONS] COMMAND [ARGS]...\n")
    assert "rror" not in shown.stderr.replace("if one has an error", "")
