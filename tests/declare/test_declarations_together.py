"""Declarations that are wrong in several ways, or in ways that only show in use."""

from collections.abc import Callable
from datetime import date
from typing import Any, ClassVar

import pytest

import btmodel as bt


def test_every_structural_mistake_is_told_at_once() -> None:
    """A wrong table, rate, bucket and two wrong columns are five lines of one error, each with its place."""
    with pytest.raises(bt.DeclarationError) as refused:

        class Wrong(bt.Model, table=5, events="often", bucket="fortnight"):  # type: ignore[call-arg]
            name: str = bt.key(bt.Text(width=3))
            f = bt.family("f", gc=bt.keep_all())
            a: complex = bt.column("a", f)
            b: str = bt.column("b", f, default=None)

    lines = str(refused.value).splitlines()
    assert len(lines) == 5
    assert all("test_declarations_together.py:" in line for line in lines)
    for sentence in (
        "table: expected",
        "events: expected a rate",
        "bucket: expected",
        "Wrong.a: no default",
        "Wrong.b: expected the annotation",
    ):
        assert sum(sentence in line for line in lines) == 1


F = bt.family("f", gc=bt.keep_all())


def wrong_key() -> None:
    class K(bt.Model, table="t"):
        name: int = bt.key(bt.Text(width=3))  # type: ignore[assignment]


def wrong_column() -> None:
    class C(bt.Model, table="t"):
        f = F
        name: str = bt.key(bt.Text(width=3))
        c: str = bt.column("c", F, codec=bt.Int64())  # type: ignore[assignment]


def wrong_mirror() -> None:
    class M(bt.Model, table="t"):
        f = F
        name: str = bt.key(bt.Text(width=3), mirror=("f:n", bt.Float64()))  # type: ignore[arg-type]


def wrong_history() -> None:
    class H(bt.Model, table="t"):
        f = F
        name: str = bt.key(bt.Text(width=3))
        h: bt.History[str] = bt.history("h", F, codec=bt.Int64())  # type: ignore[assignment]


@pytest.mark.parametrize("declare", [wrong_key, wrong_column, wrong_mirror, wrong_history])
def test_a_codec_that_holds_another_type_than_the_annotation_is_refused(declare: Callable[[], None]) -> None:
    """Key, column, mirror and history are refused where codec and annotation disagree, naming both."""
    with pytest.raises(bt.DeclarationError, match=r"holds .*, but the (annotation says|key field holds)"):
        declare()


def test_a_key_field_is_never_none() -> None:
    """A key field that is annotated as optional is refused."""
    with pytest.raises(bt.DeclarationError, match="a key field is never None"):

        class Wrong(bt.Model, table="t"):
            name: str | None = bt.key(bt.Text(width=3), mirror="f:n")
            f = bt.family("f", gc=bt.keep_all())


def test_any_may_be_none() -> None:
    """What is annotated with Any needs no ``| None`` to be left out, in the key and in a cell; with a value it is required."""

    class Loose(bt.Model, table="loose", events="1/s"):
        name: str = bt.key(bt.Text(max_length=3), cardinality=9)
        day: Any = bt.key(bt.DateText(), default=None)
        f = bt.family("f", gc=bt.max_versions(1))
        status: Any = bt.column("s", f, codec=bt.Utf8(), default=None)
        told: Any = bt.column("t", f, codec=bt.Json(dict))

    row = Loose(name="n", told={})
    assert (row.day, row.status, bt.key_of(row)) == (None, None, b"n")
    with pytest.raises(TypeError, match="told"):
        Loose(name="n")


def test_a_model_without_a_cell_is_refused() -> None:
    """A model that no row could be written of is refused; a mirror alone is a cell."""
    with pytest.raises(bt.DeclarationError, match="KeyOnly has no cell to write"):

        class KeyOnly(bt.Model, table="t"):
            name: str = bt.key(bt.Text(width=3))

    class Mirrored(bt.Model, table="t"):
        name: str = bt.key(bt.Text(width=3), mirror="f:n")
        f = bt.family("f", gc=bt.keep_all())

    assert Mirrored(name="abc").name == "abc"


def test_an_inherited_declaration_is_not_hidden_in_silence() -> None:
    """A child that puts something else in an inherited column's place is refused."""

    class Base(bt.Model):
        f = bt.family("f", gc=bt.keep_all())
        c: str = bt.column("c", f)

    with pytest.raises(bt.DeclarationError, match=r"Child.c hides an inherited attribute"):

        class Child(Base, table="t"):
            name: str = bt.key(bt.Text(width=3))
            c = None  # type: ignore[assignment]

    with pytest.raises(bt.DeclarationError, match=r"Other.c hides an inherited attribute"):

        class Other(Base, table="t"):
            name: str = bt.key(bt.Text(width=3))
            c: ClassVar[int] = 3  # type: ignore[misc, assignment]


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: bt.family(5), "family: expected its id as text, got 5"),  # type: ignore[arg-type]
        (lambda: bt.query(5), "query: expected names of key fields"),  # type: ignore[arg-type]
        (lambda: bt.query(["k"]), "query: expected names of key fields"),  # type: ignore[arg-type]
        (lambda: bt.query(between=5), "query: expected names of key fields"),  # type: ignore[arg-type]
        (lambda: bt.query("k", "k"), "query: expected each field once"),
        (lambda: bt.query(scan=" "), "scan: expected the reason in words"),
        (lambda: bt.query(scan=True), "scan: expected the reason in words"),  # type: ignore[arg-type]
        (lambda: bt.query("k", scan="why"), "scan= reads every row, so it takes no fields"),
        (lambda: bt.max_age(5), "max_age: expected a timedelta"),  # type: ignore[arg-type]
        (lambda: bt.max_age("10 parsecs"), "max_age: expected a length of time such as '15min'"),
        (lambda: bt.max_age(days="x"), "max_age: expected numbers"),  # type: ignore[arg-type]
        (lambda: bt.column("\ud800", bt.family("f")), "column: expected a qualifier, text or bytes"),
    ],
)
def test_wrong_arguments_are_refused_where_they_stand(declare: object, message: str) -> None:
    """Each function of a declaration refuses a wrong argument by its name, with the line."""
    assert callable(declare)
    with pytest.raises(bt.DeclarationError, match=message):
        declare()


def test_an_age_is_also_told_in_text() -> None:
    """As the periods of a table are."""
    assert bt.max_age("10d") == bt.max_age(days=10)


def test_a_field_cannot_be_called_self() -> None:
    """The one name that a constructor cannot take is refused by name."""
    with pytest.raises(bt.DeclarationError, match=r"Wrong.self: this name is taken"):

        class Wrong(bt.Model, table="t"):
            self: date = bt.key(bt.DateText(), mirror="f:n")
            f = bt.family("f", gc=bt.keep_all())
