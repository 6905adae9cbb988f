"""Files that are written whole, or not at all."""

from pathlib import Path

from btmodel.errors import GenerationError


def check_place(path: Path) -> None:
    """Raise :class:`GenerationError` where there is no such folder, which is better known before a simulation than after."""
    if not path.parent.is_dir():
        raise GenerationError(f"{path}: cannot be written: there is no folder {path.parent}")


def write_whole(path: Path, content: bytes) -> None:
    """Write all of it, or nothing: what was there before stays where that fails.

    Raises :class:`GenerationError`.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a pipe or a terminal
        else:
            _replace(path.resolve(), content)
    except OSError as error:
        raise GenerationError(f"{path}: cannot be written: {error.strerror or error}") from None


def _replace(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
