"""``btmodel init``: a small project to begin with."""

import json
import keyword
import os
import re
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.machinery import PathFinder
from importlib.metadata import distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import click

from btmodel.cli.terminal import echo
from btmodel.errors import GenerationError, SettingsError

# What a new repository often has already; the project works without ours.
_KEPT = ("README.md", ".gitignore", ".pre-commit-config.yaml")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=".", metavar="[DIR]")
@click.option("--name", help="Name the package; by default, it has the name of the folder.")
@click.option(
    "--template",
    type=click.Choice(["library", "fastapi", "worker"]),
    default="library",
    show_default=True,
    help="Write a program that uses the model, with its tests and a Dockerfile: a web service, or a worker.",
)
def init(folder: Path, name: str | None, template: str) -> None:
    """Write a small project in DIR, or in this folder: a model, settings, a test, checks for CI and a README.

    Nothing is overwritten. An existing README.md, .gitignore or .pre-commit-config.yaml is kept; if any
    other file already exists, the command fails and writes nothing.

    Exit code 0: written; 1: a file already exists, or an error.
    """
    from btmodel_codegen import project

    version, source = _installed()
    folder_name = folder.absolute() if folder.name not in ("", "..") else folder.resolve()
    package = _package(folder_name.name, name)
    files = project(package, template, version=version, from_wheel=source is not None)
    kept = [path for path in _KEPT if os.path.lexists(folder / path)]
    _refuse_what_is_there(folder, [path for path in files if path not in kept])
    _refuse_known(package)
    _write({folder / path: text for path, text in files.items() if path not in kept})
    for path in files:
        echo(f"{'kept' if path in kept else 'wrote'} {folder / path}")
    echo("\nNow:\n")
    if folder.resolve() != Path.cwd():
        echo(f"  cd {shlex.quote(str(folder))}")
    if source is None:
        echo("  pip install -e '.[test]' # what the program and its tests need")
    else:
        echo("  # The wheel of btmodel, for CI, too: commit it. Then what the program and its tests need.")
        echo(f"  pip wheel --no-deps --wheel-dir wheels {shlex.quote(source)}")
        echo("  pip install wheels/btmodel-*.whl -e '.[test]'\n")
    echo(f"  btmodel generate         # write {package}/generated")
    echo("  btmodel migrate --yes    # create the table in dev.db")
    echo("  pytest                   # run the tests on a Bigtable in memory")


def _installed() -> tuple[str, str | None]:
    """The version of this btmodel, and the folder, file or repository that it was installed from; None where that was a package index.

    This is what installers record as ``direct_url.json`` (PEP 610).
    """
    installed = distribution("btmodel")
    recorded = installed.read_text("direct_url.json")
    if not recorded:
        return installed.version, None
    origin = json.loads(recorded)
    url = origin["url"]
    if "vcs_info" in origin:
        url = f"{origin['vcs_info']['vcs']}+{url}@{origin['vcs_info']['commit_id']}"
    elif urlsplit(url).scheme == "file":
        url = url2pathname(urlsplit(url).path)
    folder = origin.get("subdirectory")
    return installed.version, f"{url}#subdirectory={folder}" if folder else url


def _package(folder: str, name: str | None) -> str:
    """The name of the package. Raises :class:`SettingsError` for one that cannot be imported."""
    package = re.sub(r"[-. ]+", "_", folder).lower() if name is None else name
    if _NAME.fullmatch(package) and not keyword.iskeyword(package):
        return package
    wanted = "expected lowercase letters, digits and underscores, beginning with a letter, and no keyword of Python"
    if name is None:
        raise SettingsError(
            f"the folder name {folder!r} cannot be a package name ({wanted}): choose one with --name"
        )
    raise SettingsError(f"--name: {wanted}, got {name!r}")


def _refuse_known(package: str) -> None:
    """Refuse the name of a package that is there already, which ours would hide, or be hidden by."""
    installed = [path for path in sys.path if path and Path(path).resolve() != Path.cwd()]
    if package in {"tests", *sys.stdlib_module_names} or PathFinder.find_spec(package, installed):
        raise SettingsError(f"a package called {package!r} already exists: choose another name with --name")


def _refuse_what_is_there(folder: Path, paths: list[str]) -> None:
    there = [path for path in paths if os.path.lexists(folder / path)]
    # A file or a link where a folder is needed is in the way, too.
    needed = dict.fromkeys(parent for path in paths for parent in (folder / path).parents)
    there += [str(path) for path in needed if os.path.lexists(path) and not path.is_dir()]
    if there:
        raise GenerationError(
            f"{folder}: these already exist: {', '.join(there)}; nothing was written: "
            "move them away, or choose another folder or another --name"
        )


def _write(files: Mapping[Path, str]) -> None:
    """Write new files, all or none."""
    written: list[Path] = []
    path = Path()
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                written.append(path)
                file.write(text.encode())
    except OSError as error:
        for path in written:
            with suppress(OSError):
                path.unlink()
        raise GenerationError(
            f"{path}: cannot be written: {error.strerror or error}; nothing was written"
        ) from None
