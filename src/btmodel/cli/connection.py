"""The connection of a command to its instance."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from btmodel.cli.terminal import echo
from btmodel.client.target import Target, nearest, resolve
from btmodel.emulator import VARIABLE
from btmodel.errors import SettingsError
from btmodel.settings import read
from btmodel.words import did_you_mean

_FILE = "btmodel.file"  # where a command's context has what it reached


@contextmanager
def reached(instance: str, *, makes_file: bool = False, only_reads: bool = False) -> Iterator[Target]:
    """The target of a name or path, released in the end; on stderr, which server it is, and that its file was made for this.

    A local file that is not there is refused unless the command ``makes_file``, or the settings name it; a command that ``only_reads`` finds an empty instance in
    its place, and makes none. Raises what :func:`resolve` does.
    """
    target = resolve(instance, makes_file=makes_file, only_reads=only_reads)
    try:
        if (context := click.get_current_context(silent=True)) is not None:
            context.meta[_FILE] = (target.instance, target.file)
        if target.new_file is not None:
            echo(_new_file_note(target.new_file, is_absent=target.is_absent), err=True)
        echo(f"server: {_server(target)}", err=True)
        yield target
    finally:
        target.release()


def named_instance(typed: str | None) -> str:
    """The instance that the command line names, or else the settings. Raises :class:`SettingsError` where neither does."""
    settings = read()
    name = typed or settings.instance
    if name is None:
        raise SettingsError(
            "no instance given: use --instance projects/PROJECT/instances/INSTANCE, set BTMODEL_INSTANCE, or write "
            f"instance = ... under [tool.btmodel] of pyproject.toml (settings: {settings.origin})"
        )
    return name


def as_known(instance: str) -> str:
    """The path of an instance, and beside it the file that a command reached as that: all files have one path."""
    context = click.get_current_context(silent=True)
    path, file = (context.meta.get(_FILE) if context else None) or (None, None)
    return f"{instance} ({file})" if file is not None and path == instance else instance


def _server(target: Target) -> str:
    """The server of an instance, and what has chosen it."""
    if target.host is None:
        return f"{target.server}, for {target.instance}"
    if target.is_absent:
        return f"{target.host}, a local server in memory, in the place of {target.file}"
    if target.file is not None:
        return f"{target.host}, a local server of {target.file}"
    why = f", which {VARIABLE} names" if os.environ.get(VARIABLE, "").strip() == target.host else ""
    return f"{target.host}{why}, for {target.instance}"


def _new_file_note(file: Path, *, is_absent: bool) -> str:
    """A note that a local file did not exist, with the name of a similar file."""
    meant = did_you_mean(nearest(file))
    if is_absent:
        return f"note: {file} does not exist{meant}: read as an empty database, and not created"
    return f"note: {file} did not exist{meant}: created as a new, empty database"
