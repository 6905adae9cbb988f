"""Generated files on disk: written whole or not at all, and only over files of our own."""

import difflib
import os
import shutil
import tempfile
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from attrs import field, frozen

from btmodel.errors import GenerationError
from btmodel_codegen.file_names import refuse_bad_names
from btmodel_codegen.marks import WITHIN, has_mark

# Files are made ready in a folder of this name, beside those that they replace.
_STAGING = ".btmodel-"
_ABANDONED = 3600.0  # seconds: no run takes so long, so one that old was killed


@frozen
class OutputChanges:
    """What a run changes in the output folder, by the names of the files, sorted.

    ``written`` differ from what was there, ``unchanged`` do not, ``removed`` were written by an
    earlier run and are no longer due. ``before`` is what each of ``written`` held, None for nothing.
    """

    written: tuple[Path, ...]
    unchanged: tuple[Path, ...]
    removed: tuple[Path, ...]
    before: Mapping[Path, str | None] = field(repr=False, eq=False)

    @property
    def any(self) -> bool:
        """Whether anything differs."""
        return bool(self.written or self.removed)


def compare(files: Mapping[str, str], out: Path, *, prune: bool = True) -> OutputChanges:
    """What :func:`write` would change; nothing is touched.

    Raises :class:`GenerationError` where it would refuse, too.
    """
    refuse_bad_names(files)
    on_disk = {out / name: _read(out / name) for name in sorted(files)}
    differ = {path: text for path, text in on_disk.items() if text != files[path.name]}
    try:
        for path, text in differ.items():
            _refuse_foreign(path, text)
        removed = tuple(_stale(files, out)) if prune else ()
    except OSError as error:
        raise GenerationError(f"{out}: cannot be read: {error.strerror or error}") from None
    unchanged = tuple(path for path in on_disk if path not in differ)
    return OutputChanges(tuple(differ), unchanged, removed, differ)


def write(files: Mapping[str, str], out: Path, *, prune: bool = True) -> OutputChanges:
    """Write what differs from the disk; return what was changed.

    With ``prune``, generated files that are no longer due are removed: for ``files`` that are
    those of all models and targets of the project.

    Nothing is touched where a file that we did not write is in the way, a name leaves the folder
    or names collide, or the disk has no room for all files (:class:`GenerationError`).
    """
    changes = compare(files, out, prune=prune)
    try:
        out.mkdir(parents=True, exist_ok=True)
        if changes.written:
            _replace({path.name: files[path.name] for path in changes.written}, out)
        for path in changes.removed:
            path.unlink(missing_ok=True)
        _clear_up(out)
    except OSError as error:
        raise GenerationError(f"{out}: cannot be written: {error.strerror or error}") from None
    return changes


def differences(files: Mapping[str, str], out: Path, *, prune: bool = True) -> Iterator[str]:
    """The unified diff from the disk to ``files``, a text for each file that :func:`write` would change."""
    changes = compare(files, out, prune=prune)
    for path in changes.written:
        yield _diff(changes.before[path] or "", files[path.name], path)
    for path in changes.removed:
        yield _diff(_read(path) or "", "", path)


def _diff(before: str, after: str, path: Path) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"{path} (on disk)",
        f"{path} (generated)",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _stale(files: Mapping[str, str], out: Path) -> Iterator[Path]:
    """Files in ``out`` that we wrote and that are no longer due."""
    if not os.path.isdir(out):
        return
    for path in sorted(out.iterdir()):
        plain = path.is_file() and not path.is_symlink() and path.name not in files
        if plain and _ours(path) and not _is_one_of(files, path):
            yield path


def _is_one_of(files: Mapping[str, str], path: Path) -> bool:
    """Whether ``path`` is a due file by another spelling, where the disk knows no capital letters."""
    alike = [name for name in files if name.casefold() == path.name.casefold()]
    return any(os.path.exists(path.parent / name) and path.samefile(path.parent / name) for name in alike)


def _ours(path: Path) -> bool:
    """Whether a file begins as one of ours; no more of it is read, for it may be anything."""
    try:
        with path.open("rb") as file:
            begun = getincrementaldecoder("utf-8")().decode(file.read(WITHIN))
    except UnicodeDecodeError:
        return False
    except OSError as error:
        raise GenerationError(f"{path}: cannot be read: {error.strerror or error}") from None
    return has_mark(begun, path.name)


def _read(path: Path) -> str | None:
    """The text of a file; None where there is none, or none that is text."""
    try:
        return path.read_bytes().decode()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    except OSError as error:
        raise GenerationError(f"{path}: cannot be read: {error.strerror or error}") from None


def _refuse_foreign(path: Path, text: str | None) -> None:
    """Refuse to write to ``path``, which holds ``text``, where that is not ours."""
    theirs = path.is_symlink() or (path.exists() and not (text and has_mark(text, path.name)))
    if theirs and not (path.is_file() and path.stat().st_size == 0):
        raise GenerationError(
            f"{path}: btmodel did not write this file, so it is left as it is; nothing was written: "
            "move it away, or choose another output folder"
        )


def _replace(texts: Mapping[str, str], out: Path) -> None:
    """Put all texts beside their places, then each in its place: a full disk or a kill leaves whole files."""
    staging = Path(tempfile.mkdtemp(dir=out, prefix=_STAGING))
    try:
        for name, text in texts.items():
            ready = staging / name
            ready.write_bytes(text.encode())
            ready.chmod(0o755 if ready.suffix == ".sh" else 0o644)
        for name in texts:
            os.replace(staging / name, out / name)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _clear_up(out: Path) -> None:
    """Remove what runs that were killed left behind; those of now may still be writing."""
    for folder in out.glob(f"{_STAGING}*"):
        with suppress(FileNotFoundError):  # another run may clear up, too
            if time.time() - folder.stat().st_mtime > _ABANDONED:
                shutil.rmtree(folder, ignore_errors=True)
