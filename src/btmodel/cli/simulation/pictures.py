"""The files of a simulation: a page of heat maps, and a picture of them."""

from collections.abc import Sequence
from pathlib import Path

from btmodel.errors import GenerationError
from btmodel.simulate.picture import Side, page, png


def write_page(path: Path, sides: Sequence[Side], title: str, notes: Sequence[str]) -> None:
    """Write the page. Raises :class:`GenerationError` where the file cannot be written."""
    _write(path, page(sides, title=title, notes=notes).encode())


def write_png(path: Path, sides: Sequence[Side], title: str) -> None:
    """Write the picture; also where matplotlib is not installed, this raises before anything is written."""
    _write(path, png(sides, title=title))


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise GenerationError(f"{path}: cannot be written: {error.strerror or error}") from None
