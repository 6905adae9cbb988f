"""The classes that are generated for twins: which there are, what they are called, and what they offer."""

import subprocess
import sys
from datetime import date
from pathlib import Path
from types import ModuleType

import pytest
from attrs import evolve
from btmodel_codegen import generate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.declare import twins_in
from btmodel.schema import TwinSchema, TwinsSchema
from examples import flights, games, metrics
from tests.codegen.test_ruff import DOCS, NAMES, bare, ruff


def twins_of(module: ModuleType) -> TwinsSchema:
    """The twins of an example."""
    [found] = twins_in([module.__name__])
    return found


SCORES, METRICS, FLIGHTS = map(twins_of, (games, metrics, flights))


def module_of(twins: TwinsSchema) -> str:
    """The text of the module that is generated for some twins."""
    texts = generate([], ["repository"], twins=[twins])
    [name] = set(texts) - {"__init__.py"}
    return texts[name]


@pytest.mark.parametrize(
    ("variable", "file", "made"),
    [
        ("SCORES", "scores_twins.py", "ScoresTwins"),
        ("SCORES_BY_DAY", "scores_by_day_twins.py", "ScoresByDayTwins"),
        ("scores", "scores_twins.py", "ScoresTwins"),
        ("_scores", "scores_twins.py", "ScoresTwins"),
        ("ScoresOfDays", "scores_of_days_twins.py", "ScoresOfDaysTwins"),
        ("SCORE_TWINS", "score_twins.py", "ScoreTwins"),
        ("type", "type_twins.py", "TypeTwins"),
        ("größen", "größen_twins.py", "GrößenTwins"),
        ("PlayerScoreRepository", "player_score_repository_twins.py", "PlayerScoreRepositoryTwins"),
        ("TwinRepository", "twin_repository_twins.py", "TwinRepositoryTwins"),
    ],
)
def test_the_class_is_called_after_the_variable(variable: str, file: str, made: str) -> None:
    """A file and two classes are named as Python names files and classes, whatever the variable is like."""
    text = generate([], ["repository"], twins=[evolve(SCORES, name=variable)])[file]
    assert f"class {made}(" in text
    assert f"class Async{made}(" in text
    compile(text, file, "exec")


@pytest.mark.parametrize("variable", ["_", "__", "_2020", "class", "a b", 'x"\n', ""])
def test_what_no_class_can_be_called_after_is_refused(variable: str) -> None:
    """Variables whose names leave none for a class, or that cannot be imported, are refused by name."""
    with pytest.raises(bt.GenerationError, match=r"examples\.games"):
        module_of(evolve(SCORES, name=variable))


@pytest.mark.parametrize(
    ("first", "second"), [("SCORES", "SCORES"), ("SCORES", "scores"), ("SCORES", "SCORES_TWINS")]
)
def test_two_twins_of_one_file_are_refused(first: str, second: str) -> None:
    """Twins of two modules, or of two variables, that one file would be written for are refused by name."""
    both = [evolve(SCORES, name=first, module="a"), evolve(SCORES, name=second, module="b")]
    with pytest.raises(
        bt.GenerationError, match=rf"two twins would be written to scores_twins.py: rename b\.{second}"
    ):
        generate([], ["repository"], twins=both)


@pytest.mark.parametrize(
    "name", ["class", "self", "super", "cls", "1", "", "__day", "__debug__", "__class__", "ª", "\u017felf"]
)
def test_names_in_braces_that_are_no_parameters_are_refused(name: str) -> None:
    """What Python takes for no parameter is refused, with the model whose ids hold it."""
    twins = evolve(SCORES, source=evolve(SCORES.source, table=f"T_{{{name}}}"))
    with pytest.raises(bt.GenerationError, match=rf"SCORES: '{name}', in the ids of PlayerScore"):
        module_of(twins)


def test_a_model_called_as_the_class_is_imported_by_another_name() -> None:
    """Names of models and of the runtime that meet those of the module get an underscore."""
    source = evolve(SCORES.source, name="ScoresTwins", module="app.models")
    text = module_of(evolve(SCORES, module="app.models", source=source))
    assert "import SCORES, ScoresTwins as _ScoresTwins\n" in text
    assert "class ScoresTwins(TwinRepository[_ScoresTwins]):" in text
    text = module_of(evolve(SCORES, name="Iterable"))
    assert "import Iterable as _Iterable, PlayerScore\n" in text


@pytest.mark.parametrize("name", ["self", "put", "delete_many", "db", "rows", "super", "__scores", "__debug"])
def test_what_a_class_would_hide_is_imported_by_another_name(name: str) -> None:
    """Twins called as a method or a parameter is, and those whose names Python changes inside of classes."""
    text = module_of(evolve(SCORES, name=name))
    assert f"{name} as _{name.strip('_')}" in text
    assert text.count(f"super().__init__(db, _{name.strip('_')})") == 2


@pytest.mark.parametrize("name", ["__class__", "__dict__"])
def test_what_every_module_has_is_refused(name: str) -> None:
    """Importing it would give something else than what was declared."""
    with pytest.raises(
        bt.GenerationError, match=rf"examples\.games\.{name}: generated code cannot import this"
    ):
        module_of(evolve(SCORES, name=name))


class ByHash(bt.Model, table="by_hash", events="1/s"):
    """Its key holds the name as a digest alone."""

    hashed = bt.digest("name", size=8)
    day: date = bt.key(bt.DateText())
    d = bt.family("d", gc=bt.max_versions(1))
    name: str = bt.column("name", d)


class ByName(bt.Model, table="by_name", events="1/s"):
    """The same, by the name itself."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000, mirror="d:n")
    day: date = bt.key(bt.DateText())
    d = bt.family("d", gc=bt.max_versions(1))


class ByDay(bt.Model, table="by_day", events="1/s", allow={"KEY001": "a test"}):
    """The last one of a day."""

    day: date = bt.key(bt.DateText())
    d = bt.family("d", gc=bt.max_versions(1))
    name: str = bt.column("name", d)


@pytest.mark.parametrize(
    ("twins", "offered"),
    [
        (SCORES, True),
        (METRICS, False),  # all sets of a machine share one row of the newest
        (FLIGHTS, False),  # a function may make one row of several
        (evolve(SCORES, others=(evolve(SCORES.others[0], function="day_score"),)), False),
        (evolve(SCORES, others=(*SCORES.others, *FLIGHTS.others)), False),
        (TwinsSchema("X", "m", bt.schema_of(ByName), (TwinSchema(bt.schema_of(ByHash)),)), False),
        (TwinsSchema("X", "m", bt.schema_of(ByHash), (TwinSchema(bt.schema_of(ByName)),)), True),
        (TwinsSchema("X", "m", bt.schema_of(ByHash), (TwinSchema(bt.schema_of(ByDay)),)), False),
    ],
)
def test_rows_can_be_deleted_where_no_other_row_has_the_same_twin(twins: TwinsSchema, offered: bool) -> None:
    """A class deletes where the key of each twin tells whose it is, and else has no method for it."""
    text = module_of(twins)
    assert ("def delete(" in text) is ("def delete_many(" in text) is offered


def test_the_docstrings_name_the_tables_in_order() -> None:
    """Writing goes forwards, deleting backwards; the function that makes a row is named."""
    text = module_of(SCORES)
    assert '"""Write a row and its twins, to GAME_BY_PLAYER, then GAME_BY_DAY.\n' in text
    assert '"""Delete a row and its twins, from GAME_BY_DAY, then GAME_BY_PLAYER.\n' in text
    told = "- aircraft_flight: its AircraftFlight, made by ``aircraft_flight``; none where that gives None. "
    assert told in " ".join(module_of(FLIGHTS).split())


def test_importing_a_class_loads_no_client() -> None:
    """As with repositories, Google's client is loaded by connecting, not by importing."""
    program = "import sys, examples.generated.scores_twins; sys.exit('google.cloud.bigtable' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_any_names_and_texts_of_twins_give_whole_modules(tmp_path: Path) -> None:
    """Whatever their variables, models, functions, tables and parameters are called: refused by name, or sound."""

    @settings(max_examples=100, suppress_health_check=list(HealthCheck))
    @given(variable=NAMES, model=NAMES, parameter=NAMES, function=st.none() | NAMES | DOCS, text=DOCS)
    def write(variable: str, model: str, parameter: str, function: str | None, text: str) -> None:
        source = evolve(
            SCORES.source, name=model, module="app.models", table=f"T{{{parameter}}}" + text.replace("{", "")
        )
        others = (*SCORES.others, TwinSchema(SCORES.source, function))
        try:
            made = module_of(evolve(SCORES, name=variable, source=source, others=others))
        except bt.GenerationError:
            return
        compile(made, "odd", "exec")
        path = tmp_path / f"m{len(list(tmp_path.iterdir()))}.py"
        path.write_text(bare(made), "utf-8", newline="")

    write()
    assert len(list(tmp_path.iterdir())) > 50
    ruff("check", "--isolated", tmp_path)
    for length in ("88", "120"):
        ruff("format", "--isolated", "--check", "--diff", "--line-length", length, tmp_path)
