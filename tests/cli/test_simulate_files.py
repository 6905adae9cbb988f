"""Files that ``btmodel simulate`` writes are written whole, or not at all."""

import os
import resource
from pathlib import Path

import pytest

from btmodel.cli.output import check_place, write_output
from btmodel.errors import GenerationError


def test_what_was_there_stays_where_a_file_cannot_be_written(tmp_path: Path) -> None:
    """No half of a file is left, under any name."""
    path = tmp_path / "load.html"
    path.write_bytes(b"before")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, usual[1]))
    try:
        with pytest.raises(GenerationError, match=r"load.html: cannot be written: File too large"):
            write_output(path, bytes(10_000), force=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert path.read_bytes() == b"before"
    assert [one.name for one in tmp_path.iterdir()] == ["load.html"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """What it points to is written."""
    (tmp_path / "real.html").write_bytes(b"before")
    (tmp_path / "link.html").symlink_to(tmp_path / "real.html")
    write_output(tmp_path / "link.html", b"after", force=True)
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "real.html").read_bytes().startswith(b"after")


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """And not replaced by a file."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write_output(path, b"a page")
    assert os.read(reader, 100) == b"a page"
    os.close(reader)
    assert path.is_fifo()


def test_a_folder_that_is_not_there_is_told_before_anything_is_simulated(tmp_path: Path) -> None:
    """Nobody waits for a simulation whose page has no place."""
    with pytest.raises(GenerationError, match="there is no folder"):
        check_place(tmp_path / "none" / "load.html")
    check_place(tmp_path / "load.html")
    check_place(Path("load.html"))
