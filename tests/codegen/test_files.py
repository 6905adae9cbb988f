"""Writing generated files: only what changed, whole or not at all, and never over other people's files."""

import os
from pathlib import Path

import pytest
from btmodel_codegen import differences, generate, write

import btmodel as bt
from examples.market import Quote, Trade

FILES = generate([bt.schema_of(Quote), bt.schema_of(Trade)])


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    """A second write touches nothing; a file that was changed by hand is written anew, alone."""
    assert {path.name for path in write(FILES, tmp_path)} == set(FILES)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert write(FILES, tmp_path) == []
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
    edited = tmp_path / "quote_repository.py"
    edited.write_text(edited.read_text() + "# mine\n")
    assert write(FILES, tmp_path) == [edited]
    assert os.access(tmp_path / "tables.cbt.sh", os.X_OK)


def test_a_foreign_file_is_never_overwritten(tmp_path: Path) -> None:
    """Where a file that we did not write is in the way, nothing at all is written."""
    mine = tmp_path / "tables.json"
    mine.write_text("{}")
    with pytest.raises(bt.GenerationError, match=r"tables.json: btmodel did not write this file"):
        write(FILES, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["tables.json"]
    assert mine.read_text() == "{}"


def test_files_of_models_that_are_gone_are_removed_and_others_are_not(tmp_path: Path) -> None:
    """What we wrote and no longer write goes; what we never wrote stays."""
    write(FILES, tmp_path)
    (tmp_path / "mine.py").write_text("kept = True\n")
    fewer = generate([bt.schema_of(Quote)])
    diff = "".join(differences(fewer, tmp_path))
    assert "trade_repository.py (on disk)" in diff
    write(fewer, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*fewer, "mine.py"}
    assert list(differences(fewer, tmp_path)) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """An output folder that is a file is one error with its path."""
    (tmp_path / "out").write_text("")
    with pytest.raises(bt.GenerationError, match="out"):
        write(FILES, tmp_path / "out")


class Clash(bt.Model, table="clash"):
    """A query that has the name of a repository's method."""

    name: str = bt.key(bt.Text(width=3))
    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)
    get = bt.query("name")


def test_names_that_a_repository_has_are_refused() -> None:
    """A query called ``get`` is refused by name, where it would shadow the method."""
    with pytest.raises(bt.GenerationError, match=r"Clash.get: a repository has a method of this name"):
        generate([bt.schema_of(Clash)])


def test_models_inside_functions_are_refused() -> None:
    """A model that generated code could not import is refused by name."""

    class Inner(bt.Model, table="inner"):
        name: str = bt.key(bt.Text(width=3))
        d = bt.family("d", gc=bt.max_versions(1))
        value: int = bt.column("v", d)

    schema = bt.schema_of(Inner)
    object.__setattr__(schema, "module", "__main__")
    with pytest.raises(bt.GenerationError, match="Inner is declared in a script"):
        generate([schema])
