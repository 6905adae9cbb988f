"""What `btmodel put` leaves out of its files, and says so."""

from collections.abc import Callable
from pathlib import Path

import pytest
from test_row_commands import commands

import btmodel as bt


class Seen(bt.Model, table="SEEN", events="1/day"):
    """How often a page was seen."""

    page: str = bt.key(bt.Text(max_length=20))
    d = bt.family("d", gc=bt.max_versions(1))
    c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
    title: str = bt.column("t", d)
    times: int | None = bt.counter("n", c)


def test_what_is_not_put_is_said(
    migrated: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Counters, which exports of rows have, too, and files of a folder that are no Parquet by their names."""
    monkeypatch.chdir(tmp_path)
    run = commands(monkeypatch, __name__, migrated(Seen))
    Path("rows.jsonl").write_text('{"page": "a", "title": "A", "times": 7}\n')
    done = run("put", "Seen", "rows.jsonl")
    assert (done.exit_code, done.stdout) == (0, "1 row written\n")
    assert "note: counters are not written (times): backups of --cells have them\n" in done.stderr
    run("rows", "Seen", "--out", "folder", "--partition", "page")
    for name in ("folder/rows.jsonl", "folder/page=a/part-1.PARQUET", "folder/_SUCCESS"):
        Path(name).write_text("")
    done = run("put", "Seen", "folder")
    assert (
        "note: folder: not read, as no name ends with .parquet: page=a/part-1.PARQUET, rows.jsonl\n"
        in done.stderr
    )
