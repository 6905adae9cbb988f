"""Writing generated files: only what changed, whole or not at all, and never over other people's files."""

import ast
import os
import re
import time
from datetime import date
from pathlib import Path

import pytest
from attrs import evolve
from btmodel_codegen import DEFAULTS, TARGETS, differences, generate, write

import btmodel as bt
from btmodel.repository import AsyncEventRepository, EventRepository
from btmodel.schema import Query
from btmodel.schema.offered import MEMBERS, NEWEST
from examples.market import Quote, Trade
from examples.weather import WeatherDay

FILES = generate([bt.schema_of(Quote), bt.schema_of(Trade)])


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    """A second write touches nothing; a file that was changed by hand is written anew, alone."""
    assert {path.name for path in write(FILES, tmp_path).written} == set(FILES)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    again = write(FILES, tmp_path)
    assert (again.any, again.written, again.removed) == (False, (), ())
    assert {path.name for path in again.unchanged} == set(FILES)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
    edited = tmp_path / "quote_repository.py"
    edited.write_text(edited.read_text() + "# mine\n")
    assert write(FILES, tmp_path).written == (edited,)
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


def test_files_of_every_target_are_known_as_ours(tmp_path: Path) -> None:
    """Whatever a target writes is removed when it is no longer due: its name and its first lines say it is ours."""
    write(generate([bt.schema_of(Quote)], TARGETS), tmp_path)
    write({}, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_targets_are_those_of_the_page() -> None:
    """The page on generated files has a line for each target, the default ones first."""
    page = (Path(__file__).parents[2] / "docs" / "generated-files.md").read_text()
    told = re.findall(r"^\| `(\w+)` \|", page, re.M)
    assert set(told) == set(TARGETS)
    assert set(told[:3]) == set(DEFAULTS)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """An output folder that is a file is one error with its path."""
    (tmp_path / "out").write_text("")
    with pytest.raises(bt.GenerationError, match="out"):
        write(FILES, tmp_path / "out")


def test_five_hundred_models_take_seconds() -> None:
    """All targets of 500 models are generated in less than 3 seconds."""
    models = [evolve(bt.schema_of(Quote), name=f"Quote{n}", table=f"T{n}") for n in range(500)]
    began = time.process_time()
    files = generate(models, TARGETS)
    assert time.process_time() - began < 3
    assert len(files) > 500


def test_every_name_of_a_repository_is_taken() -> None:
    """No query can have the name of anything that a repository shows, generated or inherited.

    Only ``newest`` can be declared: it then takes the place of the generated one.
    """
    models = [bt.schema_of(model) for model in (WeatherDay, Full)]
    shown = {"event"}
    for text in generate(models, ["repository"]).values():
        for one in ast.parse(text).body:
            if isinstance(one, ast.ClassDef) and one.name.endswith("Repository"):
                shown |= {
                    of.name for of in one.body if isinstance(of, (ast.FunctionDef, ast.AsyncFunctionDef))
                }
    for kind in (AsyncEventRepository, EventRepository):
        shown |= {name for name in (*dir(kind), *kind.__mro__[1].__annotations__) if not name.startswith("_")}
    assert shown - {query.name for model in models for query in model.queries} == MEMBERS | {NEWEST}


class Full(bt.Model, table="full"):
    """A model with a column for every edit."""

    name: str = bt.key(bt.Text(width=3))
    d = bt.family("d", gc=bt.max_versions(1))
    c = bt.family("c", gc=bt.max_versions(1), aggregate="sum")
    number: int = bt.column("n", d)
    text: str | None = bt.column("t", d, default=None)
    tags: set[str] = bt.members(d, bt.Text(max_length=3), prefix="t:")
    visits: int | None = bt.counter("v", c)


class Async(bt.Model, table="async"):
    """A model whose repository would have the name of a class of the runtime."""

    name: str = bt.key(bt.Text(width=3))
    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)


class Hidden(bt.Model, table="hidden", events="1/day"):
    """A query with the name of a type that later methods are annotated with."""

    name: str = bt.key(bt.Text(width=3))
    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)
    int = bt.query("name")


class Own(bt.Model, table="own"):
    """A key field with the name of a class that is generated for it."""

    OwnKey: str = bt.key(bt.Text(width=3))
    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (Async, "Async: generated code needs the name AsyncRe.* for something else; rename the model"),
        (Hidden, "Hidden.int: generated code needs this name for a type; rename it"),
        (Own, "Own.OwnKey: generated code needs this name for a type; rename it"),
    ],
)
def test_names_that_meet_are_refused(model: type[bt.Model], told: str) -> None:
    """Names that would hide what the module needs are refused by name."""
    with pytest.raises(bt.GenerationError, match=told):
        generate([bt.schema_of(model)])


@pytest.mark.parametrize("name", sorted(MEMBERS))
def test_a_query_that_came_by_another_way_is_refused_too(name: str) -> None:
    """No class body lets a query have the name of a method; a schema that does is not generated from."""
    schema = evolve(bt.schema_of(Full), queries=(Query(name, ("name",)),))
    with pytest.raises(bt.GenerationError, match=f"Full.{name}: a repository has a method of this name"):
        generate([schema], ["repository"])


@pytest.mark.parametrize(
    ("first", "second"), [("Quote", "QUOTE"), ("Straße", "STRASSE"), ("Ångström", "Ångström")]
)
def test_files_that_a_disk_takes_for_one_are_refused(first: str, second: str) -> None:
    """Two models whose files differ in capitals alone, or in how letters are put together, are refused."""
    models = [evolve(bt.schema_of(Quote), name=first), evolve(bt.schema_of(Quote), name=second, module="x")]
    with pytest.raises(bt.GenerationError, match=r"two models would be written to .*_repository.py: rename"):
        generate(models, ["repository"])


@pytest.mark.parametrize("name", ["class", "a b", "a\nb", 'x"y', "", "1"])
def test_what_is_no_name_is_refused(name: str) -> None:
    """Names that came by another way than a class body, and that Python does not take, are refused."""
    schema = bt.schema_of(Full)
    columns = (evolve(schema.columns[0], name=name), *schema.columns[1:])
    for odd in (evolve(schema, columns=columns), evolve(schema, name=name)):
        with pytest.raises(bt.GenerationError, match="is no name that Python takes; rename it"):
            generate([odd], ["repository"])


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


def test_an_empty_file_is_in_nobodys_way(tmp_path: Path) -> None:
    """A file that was only touched is written over; a link, even a dangling one, is left alone."""
    (tmp_path / "__init__.py").touch()
    write(FILES, tmp_path)
    assert (tmp_path / "__init__.py").read_text() == FILES["__init__.py"]
    (tmp_path / "tables.json").unlink()
    (tmp_path / "tables.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(bt.GenerationError, match=r"tables.json: btmodel did not write this file"):
        write(FILES, tmp_path)


def test_files_of_models_that_were_not_named_can_be_kept(tmp_path: Path) -> None:
    """Without pruning, a run for some of the models leaves the files of the others."""
    write(FILES, tmp_path)
    fewer = generate([bt.schema_of(Quote)])
    write(fewer, tmp_path, prune=False)
    assert {path.name for path in tmp_path.iterdir()} == set(FILES)
    assert not any("trade" in diff for diff in differences(fewer, tmp_path, prune=False))


class DayFirst(
    bt.Model, table="day_first", bucket="day", allow={"KEY001": "an old table, read a day at a time"}
):
    """A bucket that is not the last field of the key, so that its rows are no series of buckets."""

    day: date = bt.key(bt.DateText())
    name: str = bt.key(bt.Text(width=3))
    d = bt.family("d", gc=bt.max_versions(24))
    value: bt.History[int] = bt.history("v", d)


def test_events_that_no_buckets_hold_have_no_methods() -> None:
    """Where the bucket does not end the key, the repository reads and writes rows, and offers no events."""
    text = generate([bt.schema_of(DayFirst)])["day_first_repository.py"]
    assert "class DayFirstRepository(Repository[DayFirst, DayFirstKey, DayFirstRows]):" in text
    assert "def events(" not in text
