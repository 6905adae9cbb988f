"""The folder of revisions: all of them read, and new ones written."""

from collections.abc import Iterable
from pathlib import Path

from btmodel.errors import MigrationError
from btmodel.migrate.revisions.file import SUFFIX, as_text, read
from btmodel.migrate.revisions.graph import Graph, graph_of
from btmodel.migrate.revisions.revision import Revision

_ASIDE = "squashed"


def read_folder(folder: Path) -> Graph:
    """The revisions in ``folder``; none where there is no such folder.

    Every file ``*.toml`` has to be one. Raises :class:`MigrationError`, with the place.
    """
    return graph_of(folder, map(read, files(folder)))


def files(folder: Path) -> list[Path]:
    """The files of the revisions, in the order of their names; raises :class:`MigrationError`.

    Hidden ones are those of editors and file systems.
    """
    try:
        found = (path for path in folder.iterdir() if path.suffix == SUFFIX)
        return sorted(path for path in found if not path.name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise MigrationError(f"{folder}: cannot be read: {error.strerror}") from None


def write(folder: Path, revision: Revision, changes: Iterable[str] = ()) -> Path:
    """Write a new revision, the code of its data steps beside it, and return its file.

    Raises :class:`MigrationError` where there is one of this name, which is left as it is, or the disk does not take it.
    """
    path = folder / f"{revision.id}{SUFFIX}"
    if revision.data_steps:
        _write(path.with_suffix(".py"), revision.code.encode())
    _write(path, as_text(revision, changes).encode())
    return path


def _write(path: Path, text: bytes) -> None:
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            try:
                file.write(text)
                file.flush()
            except OSError:  # a full disk
                path.unlink()
                raise
    except OSError as error:
        raise MigrationError(f"{path}: cannot be written: {error.strerror}") from None


def set_aside(folder: Path, id: str) -> Path:
    """Move the files of a revision to a folder in ``folder``, in which none is read, and return that.

    Raises :class:`MigrationError` where one of this name is there, or it cannot be moved.
    """
    aside = folder / _ASIDE
    for suffix in (".py", SUFFIX):  # last that which makes it a revision
        path, there = folder / f"{id}{suffix}", aside / f"{id}{suffix}"
        if not path.exists():
            continue
        if there.exists():
            raise MigrationError(
                f"{path}: cannot be moved to {there}, which is there: move that away, and delete this"
            )
        try:
            aside.mkdir(exist_ok=True)
            path.rename(there)
        except OSError as error:
            raise MigrationError(f"{path}: cannot be moved to {there}: {error.strerror}") from None
    return aside


def remove(folder: Path, ids: Iterable[str]) -> None:
    """Delete the files of revisions, those of their data steps included; raises :class:`MigrationError`."""
    for id in ids:
        for suffix in (".py", SUFFIX):  # last that which makes it a revision
            path = folder / f"{id}{suffix}"
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise MigrationError(f"{path}: cannot be deleted: {error.strerror}") from None
