"""The files of a simulation: a page of heat maps, and a picture of them."""

from collections.abc import Sequence
from pathlib import Path

from btmodel.cli.output import write_output
from btmodel.simulate.picture import Side, page, png


def write_page(path: Path, sides: Sequence[Side], title: str, notes: Sequence[str], *, force: bool) -> None:
    """Write the page. Raises :class:`GenerationError` where the file cannot be written."""
    write_output(path, page(sides, title=title, notes=notes).encode(), force=force)


def write_png(path: Path, sides: Sequence[Side], title: str, *, force: bool) -> None:
    """Write the picture; also where matplotlib is not installed, this raises before anything is written."""
    write_output(path, png(sides, title=title), force=force)
