"""What ruff says of generated repositories: nothing, with its own settings and with those of this project."""

import re
import subprocess
import sys
from pathlib import Path

from attrs import evolve
from btmodel_codegen import generate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.schema import ModelSchema
from btmodel.schema.names import is_name
from examples.catalogue import Article
from examples.market import Quote
from examples.weather import WeatherDay
from tests.codegen.golden import case, load, load_twins

ROOT = Path(__file__).parents[2]
RUFF = [Path(sys.executable).with_name("ruff")]
OURS = ["--config", str(ROOT / "pyproject.toml")]
HEADER = re.compile(r"^# (fmt: off|ruff: noqa)\n", re.M)
MODELS = [bt.schema_of(model) for model in (Quote, WeatherDay, Article)]
# Settings that are somebody else's: every rule there is; other quotes, the least width.
EVERY_RULE = ["--isolated", "--select", "ALL", "--ignore", "CPY001,PGH004"]  # of notices, and of our line
OTHER_STYLE = ["--isolated", "--line-length", "40", "--config", "format.quote-style='single'"]


def ruff(*arguments: str | Path) -> None:
    """Run ruff, which must find nothing."""
    done = subprocess.run([*RUFF, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def bare(text: str) -> str:
    """A module without the lines that tell ruff to leave it alone."""
    return HEADER.sub("", text)


@case
def test_ruff_would_leave_them_as_they_are(folder: Path, tmp_path: Path) -> None:
    """Without being told to, ruff finds nothing in them, and formats nothing, at any usual line length."""
    for name, text in generate(load(folder), ["repository"], twins=load_twins(folder)).items():
        (tmp_path / name).write_text(bare(text))
    for length in ("88", "100", "120"):
        ruff("format", "--isolated", "--check", "--diff", "--line-length", length, tmp_path)
    ruff("check", "--isolated", tmp_path)
    ruff("check", *OURS, "--ignore", "I", tmp_path)  # the header has isort skip the file


@case
def test_ruff_leaves_them_alone_whatever_its_settings(folder: Path, tmp_path: Path) -> None:
    """As written, they pass with every rule that ruff has, and in any style."""
    for name, text in generate(load(folder), ["repository"], twins=load_twins(folder)).items():
        (tmp_path / name).write_text(text)
    ruff("check", *EVERY_RULE, tmp_path)
    ruff("format", "--check", *OTHER_STYLE, tmp_path)


LETTERS = st.sampled_from([*"abcxyzABCXYZ", "_", "1", "é", "ß", "名", "ª"])
NAMES = st.one_of(
    st.text(LETTERS, min_size=1, max_size=40),
    st.sampled_from(
        ["date", "str", "int", "start", "end", "only", "closed", "key", "row", "type", "match", "Any"]
    ),
).filter(lambda name: is_name(name) and not name.startswith("_"))
TEXT = st.sampled_from([*"ab \n\t\r\\\"'#{}$é", '"""', "\\N{", "\x00", "\x85", "\u2028"])
DOCS = st.lists(TEXT, max_size=200).map("".join)


@st.composite
def odd(draw: st.DrawFn) -> ModelSchema:
    """A model of the examples, with other names and texts."""
    schema = draw(st.sampled_from(MODELS))
    old = [part.name for part in schema.key.asked] + [column.name for column in schema.columns]
    new = draw(st.lists(NAMES, min_size=len(old), max_size=len(old), unique=True))
    names = dict(zip(old, new, strict=True))
    fields = tuple(evolve(part, name=names.get(part.name, part.name)) for part in schema.key.fields)
    queries = tuple(
        evolve(
            query,
            equal=tuple(names[name] for name in query.equal),
            between=query.between and names[query.between],
            only=tuple(names[name] for name in query.only),
        )
        for query in schema.queries
    )
    return evolve(
        schema,
        module="elsewhere",
        name=draw(NAMES).capitalize(),
        doc=draw(DOCS),
        key=evolve(schema.key, fields=fields),
        columns=tuple(evolve(column, name=names[column.name]) for column in schema.columns),
        queries=queries,
    )


def test_any_names_and_texts_give_whole_modules(tmp_path: Path) -> None:
    """Whatever names and docstrings a model has, its module is refused by name, or compiles and passes ruff."""

    @settings(max_examples=150, suppress_health_check=list(HealthCheck))
    @given(odd())
    def write(model: ModelSchema) -> None:
        try:
            texts = generate([model], ["repository"])
        except bt.GenerationError:
            return
        [text] = [text for name, text in texts.items() if name != "__init__.py"]
        compile(text, "odd", "exec")
        path = tmp_path / f"m{len(list(tmp_path.iterdir()))}.py"
        path.write_text(bare(text), "utf-8", newline="")

    write()
    assert len(list(tmp_path.iterdir())) > 100
    ruff("check", "--isolated", tmp_path)
    for length in ("88", "120"):
        ruff("format", "--isolated", "--check", "--diff", "--line-length", length, tmp_path)
