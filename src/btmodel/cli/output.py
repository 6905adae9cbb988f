"""Files that the user names: written whole or not at all, never over a file that btmodel did not write."""

import errno
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import click

from btmodel.errors import GenerationError

# Behind these words stands a checksum of the file, in which the checksum itself counts as zeros.
_WORDS = b"written by btmodel, "
_MARK = re.compile(_WORDS + rb"([0-9a-f]{32})")
_BLANK = _WORDS + b"0" * 32
_PNG = b"\x89PNG\r\n"
# Where a picture says what made it; those who edit pictures write their own name there.
_PNG_MARK = b"Software\0btmodel"

force_option = click.option(
    "--force", is_flag=True, help="Replace a file that btmodel did not write, or that was edited since."
)


def check_place(path: Path, *, force: bool = False) -> None:
    """Raise :class:`GenerationError` where nothing can be written, or a file is not btmodel's, before any work is done.

    With ``force``, any file may be replaced.
    """
    try:
        if not path.parent.is_dir():
            raise GenerationError(f"{path}: cannot be written: there is no folder {path.parent}")
        with suppress(FileNotFoundError):
            path.stat()  # which raises of a ring of links, too
        # A pipe or a terminal is written to, and a file replaced by another one of its folder.
        special = path.exists() and not path.is_file()  # which raises in a folder that is closed to this user
        if not os.access(path if special else path.parent, os.W_OK if special else os.W_OK | os.X_OK):
            raise GenerationError(f"{path}: cannot be written: {os.strerror(errno.EACCES)}")
    except OSError as error:
        raise GenerationError(f"{path}: cannot be written: {error.strerror or error}") from None
    if force or not path.is_file():
        return
    try:
        content = path.read_bytes()
    except OSError as error:
        raise GenerationError(f"{path}: cannot be read: {error.strerror or error}") from None
    if content and not _is_own(content):
        raise GenerationError(
            f"{path} exists, and btmodel did not write it, or it was edited since: name another file, or use --force to "
            "replace it"
        )


def write_output(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write all of it, with a mark by which it is known as btmodel's, or nothing: what was there before stays where that fails.

    Raises :class:`GenerationError`, also what :func:`check_place` does.
    """
    check_place(path, force=force)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a pipe or a terminal
        else:
            with replacing(path.resolve()) as file:
                file.write(_marked(content))
    except OSError as error:
        raise GenerationError(f"{path}: cannot be written: {error.strerror or error}") from None


@contextmanager
def new_file(path: Path, *, force: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to, which is there when the block ends, or not at all where it raises.

    It has no mark, so it takes the place of no other file but with ``force``. Raises :class:`GenerationError`.
    """
    check_place(path, force=True)
    if path.exists() and path.is_file() and not force:
        raise GenerationError(f"{path} exists: name another file, or use --force to replace it")
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        with replacing(path.resolve()) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _sync(path.resolve().parent)
    except OSError as error:
        raise GenerationError(f"{path}: cannot be written: {error.strerror or error}") from None


@contextmanager
def new_folder(path: Path, own: re.Pattern[str], *, force: bool = False) -> Iterator[Path]:
    """A folder to write to, which is there when the block ends, or not at all where it raises.

    ``force`` replaces another one that holds nothing but files and folders that match ``own`` by their paths in it.
    Raises :class:`GenerationError`.
    """
    check_place(path, force=True)
    if path.exists() and not (force and path.is_dir() and not path.is_symlink()):
        hint = (
            "name another folder, or use --force to replace it"
            if path.is_dir()
            else "expected the name of a folder"
        )
        raise GenerationError(f"{path} exists: {hint}")
    foreign = next((each for each in path.rglob("*") if not own.fullmatch(str(each.relative_to(path)))), None)
    if foreign is not None:
        raise GenerationError(
            f"{path} holds {foreign.relative_to(path)}, which --force would delete: name another folder"
        )
    place = path.absolute()
    part, old = (place.with_name(f".{place.name}.{os.getpid()}.{end}") for end in ("part", "old"))
    try:
        part.mkdir()
        try:
            yield part
            for each in (*part.rglob("*"), part):
                _sync(each)
            if place.exists():
                place.rename(old)
            part.rename(place)
            _sync(place.parent)
        finally:
            if old.exists() and not place.exists():
                old.rename(place)
            for left in (part, old):
                shutil.rmtree(left, ignore_errors=True)
    except OSError as error:
        raise GenerationError(f"{path}: cannot be written: {error.strerror or error}") from None


def _sync(path: Path) -> None:
    """Let a file, or the names in a folder, reach the disk: a machine that stops later leaves them."""
    place = os.open(path, os.O_RDONLY)
    try:
        os.fsync(place)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP) or not path.is_dir():
            raise  # but for file systems that do not do that for folders
    finally:
        os.close(place)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of another one, with its mode, when the block ends; where it raises, that stays."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            yield file
        if path.exists():
            part.chmod(path.stat().st_mode & 0o777)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _marked(content: bytes) -> bytes:
    """``content`` with the mark: a key of JSON, a comment of HTML and of Python; pictures have their own."""
    if content.startswith(_PNG):
        return content
    if content.startswith(b"{\n"):
        blank = b'{\n  "written_by": "%s",\n%s' % (_BLANK, content[2:])
    elif content.startswith(b"<"):
        blank = b"%s<!-- %s -->\n" % (content, _BLANK)
    else:
        blank = b"%s# %s\n" % (content, _BLANK)
    at = (blank.index if blank.startswith(b"{") else blank.rindex)(_BLANK) + len(_WORDS)
    return blank[:at] + _checksum(blank) + blank[at + 32 :]


def _is_own(content: bytes) -> bool:
    """Whether btmodel wrote ``content``, and no byte of it has changed since."""
    if content.startswith(_PNG):
        return _PNG_MARK in content
    return any(
        _checksum(content[: found.start(1)] + b"0" * 32 + content[found.end(1) :]) == found[1]
        for found in _MARK.finditer(content)
    )


def _checksum(blank: bytes) -> bytes:
    return hashlib.sha256(blank).hexdigest()[:32].encode()
