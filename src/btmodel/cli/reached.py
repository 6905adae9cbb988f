"""The instance that a command is about, reached for as long as it runs."""

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from btmodel.client.target import Target, resolve


@contextmanager
def reached(instance: str) -> Iterator[Target]:
    """The target of a name or path, released in the end; on stderr, that its file was made for this.

    Raises what :func:`resolve` does.
    """
    target = resolve(instance)
    try:
        if target.new_file is not None:
            click.echo(_told(target.new_file), err=True)
        yield target
    finally:
        target.release()


def _told(file: Path) -> str:
    """That there was no such file, and which one may have been meant."""
    beside = [one.name for one in file.parent.glob(f"*{file.suffix}") if one.is_file() and one != file]
    near = difflib.get_close_matches(file.name, beside, n=1)
    hint = f"; beside it lies {near[0]}" if near else ""
    return f"note: {file} was not there: it is a new database, and empty{hint}"
