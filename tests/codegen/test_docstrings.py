"""What generated docstrings say follows from the model; and none of their lines is longer than it must be."""

import ast
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from btmodel_codegen import generate
from btmodel_codegen.python_text import NARROW, and_last, docstring, width
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.schema import GcRule
from tests.codegen.golden import case, load, load_twins


class Plain(bt.Model, table="plain"):  # no docstring
    workspace: str = bt.key(bt.Text(max_length=20))
    room: str = bt.key(bt.Text(max_length=20))
    sent: str = bt.key(bt.Text(max_length=20))
    day: date = bt.key(bt.DateText())

    f = bt.family("f", gc=bt.max_versions(1))
    count: int | None = bt.column("c", f, default=None)
    log: str | None = bt.column("l", f, default=None)

    of_sent = bt.query("workspace", "room", "sent")


class Aged(bt.Model, table="aged"):
    """The same, in a family that keeps cells for a week."""

    name: str = bt.key(bt.Text(max_length=20))

    f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=7))
    count: int | None = bt.column("c", f, default=None)
    log: str | None = bt.column("l", f, default=None)


class Needs(bt.Model, table="needs"):
    """Rows of a required column."""

    name: str = bt.key(bt.Text(max_length=20))

    f = bt.family("f", gc=bt.max_versions(1))
    title: str = bt.column("t", f)
    count: int | None = bt.column("c", f, default=None)


def test_an_update_says_how_to_write_without_a_look() -> None:
    """By the name that the option has, whether every row has a column or none."""
    for model, said in [(Needs, "``begin=True``"), (Plain, "``begin=False``")]:
        schema = bt.schema_of(model)
        [text] = [one for name, one in generate([schema]).items() if name.endswith("_repository.py")]
        assert said in text


def a_bucket(first: GcRule, second: GcRule, *, slots: bool = False) -> type[bt.Model]:
    """A model of two series."""

    class Bucket(bt.Model, table="bucket", bucket="day"):
        """Two series of a day."""

        name: str = bt.key(bt.Text(max_length=20))
        day: date = bt.key(bt.DateText())
        a = bt.family("a", gc=first)
        b = bt.family("b", gc=second)
        power: bt.History[float] = bt.history("p", a)
        if slots:
            other: bt.Slots[float] = bt.slots(b, every="1h", qualifier="%H")
        else:
            alarms: bt.History[str] = bt.marks(b, bt.Text(max_length=20))

    return Bucket


def docs_of(model: type[bt.Model]) -> dict[str, str]:
    """The docstrings of a repository, and of its methods, each on one line."""
    # A module that is not loaded may hold the model, wherever a function made it.
    schema = evolve(bt.schema_of(model), module="elsewhere")
    [text] = [text for name, text in generate([schema]).items() if name.endswith("_repository.py")]
    [made] = [
        one for one in ast.parse(text).body if getattr(one, "name", "") == f"{model.__name__}Repository"
    ]
    assert isinstance(made, ast.ClassDef)
    found: list[Any] = [made, *(one for one in made.body if isinstance(one, ast.FunctionDef))]
    return {one.name: " ".join((ast.get_docstring(one) or "").split()) for one in found}


def test_fields_are_listed_with_commas() -> None:
    """Of several the last one is behind an and; deleting a prefix is told as shortly for a long key."""
    told = docs_of(Plain)
    assert told["of_sent"].startswith("The rows of one workspace, room and sent, in key order.")
    assert told["newest"].startswith("The newest ``n`` rows of one workspace, room and sent, by day.")
    prefix = "Delete the rows of one workspace, or of more leading fields; return how many. Every cell"
    assert told["delete_prefix"].startswith(prefix)
    assert [and_last(list(names)) for names in ("a", "ab", "abc")] == ["a", "a and b", "a, b and c"]


def test_a_model_without_a_docstring_has_a_true_one() -> None:
    """Its repository says what it does, not the bare name."""
    assert docs_of(Plain)["PlainRepository"].startswith(
        "Reads and writes the rows of Plain. Table plain, row"
    )


@pytest.mark.parametrize("method", ["increment", "extend"])
def test_an_age_is_spoken_of_where_there_is_one(method: str) -> None:
    """``max_age`` is named where the family has it, and nowhere else."""
    assert "max_age" not in docs_of(Plain)[method]
    assert "too old to be read, by ``max_age`` of its family" in docs_of(Aged)[method]


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (a_bucket(bt.max_versions(5), bt.max_versions(5)), ""),
        (a_bucket(bt.max_age(days=7) & bt.max_versions(5), bt.keep_all()), ""),
        (a_bucket(bt.max_age(days=7), bt.max_age(days=7)), "An event older than 7 days"),
        (a_bucket(bt.max_age(days=7) | bt.max_versions(5), bt.max_age(days=7)), "An event older than 7 days"),
        (
            a_bucket(bt.max_age(days=7), bt.max_age(hours=36)),
            "What is older than 7 days of ``power`` and 36 hours of ``alarms``",
        ),
        (a_bucket(bt.max_age(days=7), bt.keep_all()), "What is older than 7 days of ``power``"),
        # Slots have the time of writing, so that their rule does not look at the time of the event.
        (
            a_bucket(bt.max_age(days=7), bt.max_age(days=7), slots=True),
            "What is older than 7 days of ``power``",
        ),
    ],
)
def test_append_says_what_is_never_read(model: type[bt.Model], told: str) -> None:
    """Events that the rule of their family does not keep are written, and never read: where it has an age."""
    found = docs_of(model)["append"]
    if not told:
        assert "never read" not in found
        return
    assert f"{told} is written, but never read: its family does not keep it (``max_age``)." in found


def docstrings(text: str) -> list[str]:
    """The lines of a module that are docstrings."""
    lines = text.splitlines()
    found = []
    for one in ast.walk(ast.parse(text)):
        if isinstance(one, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = one.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found += lines[first.lineno - 1 : first.end_lineno]
    return found


@case
def test_no_line_of_a_docstring_is_too_long(folder: Path) -> None:
    """What can be broken is, at the width that ruff has by default."""
    texts = generate(load(folder), ["repository"], twins=load_twins(folder))
    found = [line for text in texts.values() for line in docstrings(text)]
    assert found
    assert [line for line in found if width(line) > NARROW and " " in line.strip()] == []


WORDS = st.text(st.sampled_from('ab名 -\\"\n'), max_size=300)


@given(WORDS, st.sampled_from([0, 4, 8]))
def test_any_text_is_broken_at_its_spaces(text: str, indent: int) -> None:
    """A line that is too long is a word that is too long, by itself but for what a list's item begins with."""
    for line in docstring(text, indent).split("\n"):
        assert width(line) <= NARROW or " " not in line.strip(' -"')


def test_methods_that_give_nothing_return_nothing() -> None:
    """A method annotated with None has no return; one that fits stands on one line."""
    text = generate([bt.schema_of(Plain)])["plain_repository.py"]
    assert "    def only(self, *columns: PlainColumn) -> Self:\n" in text
    methods = [
        one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    nothing = [one for one in methods if ast.unparse(one.returns or ast.Name("")) == "None"]
    assert {one.name for one in nothing} == {"__init__", "delete", "clear", "update"}
    assert not [one.name for one in nothing if isinstance(one.body[-1], ast.Return)]
