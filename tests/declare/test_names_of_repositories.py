"""Names that a model's repository needs for something else are refused where they are declared."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest

import btmodel as bt
from btmodel.declare.metaclass import collecting
from btmodel.errors import DeclarationError
from btmodel.schema.checks import MEMBERS

F = bt.family("f", gc=bt.max_versions(24))


def declared(body: dict[str, Any], annotations: dict[str, Any], **settings: Any) -> type:
    """A model of these attributes."""
    body = {"__module__": __name__, "__qualname__": "Made", "f": F, "__annotations__": annotations, **body}
    made: type = type(bt.Model)("Made", (bt.Model,), body, table="made", **settings)  # type: ignore[misc]
    return made


def asked_by(name: str) -> Callable[[], type]:
    """A model with a query of this name."""
    body = {"k": bt.key(bt.Text(width=3)), "v": bt.column("v", F, default=None), name: bt.query("k")}
    return lambda: declared(body, {"k": str, "v": int | None})


def over_fields(*fields: str) -> type:
    """A model whose query gives all these fields but the last, which it bounds."""
    keys = {name: bt.key(bt.DateText()) for name in fields}
    query = bt.query(*fields[:-1], between=fields[-1])
    body = {**keys, "v": bt.column("v", F, default=None), "found": query}
    return declared(
        body, {**dict.fromkeys(fields, date), "v": int | None}, allow={"KEY001": "a test", "KEY016": "a test"}
    )


def of_days(field: str, series: str) -> type:
    """A model of buckets with a field and a history of these names."""
    body = {
        field: bt.key(bt.Text(max_length=3)),
        "day": bt.key(bt.DateText()),
        series: bt.history("h", F),
    }
    return declared(body, {field: str, "day": date, series: bt.History[float]}, bucket="day")


@pytest.mark.parametrize("name", sorted(MEMBERS))
def test_a_query_has_no_name_of_a_method(name: str) -> None:
    """The error names the query and its line, and ``newest`` alone can be declared."""
    with pytest.raises(DeclarationError, match=rf"\.py:\d+: Made\.{name}: a repository has a method of this"):
        asked_by(name)()
    assert bt.schema_of(asked_by("newest")()).query("newest")


def test_no_two_parameters_of_a_query_have_one_name() -> None:
    """Where the ends of a range and what they are renamed to are both fields, the key field is named."""
    with pytest.raises(
        DeclarationError, match=r"Made.found: two parameters would be called k_end; rename the key"
    ):
        over_fields("k_end", "end", "k")
    for fields in (("k_end", "k"), ("start", "end", "k"), ("closed", "k"), ("end", "start")):
        assert over_fields(*fields)


@pytest.mark.parametrize("name", ["at", "start", "end", "on_error"])
def test_events_have_names_of_their_own(name: str) -> None:
    """Neither a field nor a series may be called as the time of an event, or an end of a range, is."""
    for names in ((name, "temp"), ("station", name)):
        with pytest.raises(
            DeclarationError, match=rf"Made\.{name}: events have a field, or a parameter, of this name"
        ):
            of_days(*names)
    assert of_days("station", "temp")


def test_such_names_are_free_where_there_are_no_events() -> None:
    """A model without buckets may have a column called ``at``."""
    body = {"k": bt.key(bt.Text(width=3)), "at": bt.column("v", F, default=None)}
    assert declared(body, {"k": str, "at": datetime | None})


@pytest.mark.parametrize(
    "name",
    [
        "__debug__",
        "__class__",
        "__day",
        "self",
        "super",
        "cls",
        "class",
        "1",
        "",
        "a.b",
        "0",
        "ª",
        "ﬁ",
        "\u017felf",
    ],
)
@pytest.mark.parametrize("id", ["table", "family"])
def test_names_in_braces_are_names_of_parameters(name: str, id: str) -> None:
    """What no constructor takes, or takes for another name, is refused with the model and its line."""
    braces = f"x_{{{name}}}"
    family = bt.family(braces, gc=bt.max_versions(1)) if id == "family" else F
    body = {"__module__": __name__, "__qualname__": "Made", "__annotations__": {"k": str, "v": int | None}}
    body |= {"k": bt.key(bt.Text(width=3)), "f": family, "v": bt.column("v", family, default=None)}
    with pytest.raises(
        DeclarationError, match=r"\.py:\d+: Made: the id of a table or a family, or an age, has \{"
    ) as raised:
        type(bt.Model)("Made", (bt.Model,), body, table=braces if id == "table" else "made")  # type: ignore[call-arg]
    assert f"got {name!r}" in str(raised.value)


@pytest.mark.parametrize("name", ["day", "_day", "db", "where", "str", "größe", "type"])
def test_names_of_parameters_complete_ids(name: str) -> None:
    """Whatever Python takes for a parameter completes the id of a table."""
    body = {"k": bt.key(bt.Text(width=3)), "v": bt.column("v", F, default=None)}
    body |= {"__module__": __name__, "__annotations__": {"k": str, "v": int | None}, "f": F}
    made = type(bt.Model)("Made", (bt.Model,), body, table=f"T_{{{name}}}")  # type: ignore[call-arg]
    assert bt.schema_of(made, **{name: "x"}).table == "T_x"


@pytest.mark.parametrize(
    "name",
    [
        "__slots__",
        "__annotations__",
        "__attrs_attrs__",
        "__schema__",
        "__qualname__",
        "__doc__",
        "__class__",
        "__x",
    ],
)
def test_nothing_is_declared_under_a_name_of_pythons(name: str) -> None:
    """A query, a family or a column of such a name is refused by it, and stands in nobody's way where errors are collected."""
    for value in (bt.query("k"), F, bt.constant("c"), bt.column("v", F)):
        body = {"__module__": __name__, "__qualname__": "Made", "k": bt.key(bt.Text(width=3)), name: value}
        with pytest.raises(DeclarationError, match=rf"Made\.{name}: expected a name without two underscores"):
            type(bt.Model)("Made", (bt.Model,), body, table="made")  # type: ignore[call-arg]
        with collecting() as found:
            type(bt.Model)("Made", (bt.Model,), body, table="made")  # type: ignore[call-arg]
        assert len(found.problems) == 1


def test_annotations_are_those_of_python() -> None:
    """Whatever else stands in their place is refused, and not read."""
    body = {"__module__": __name__, "__qualname__": "Made", "__annotations__": 5}
    with pytest.raises(
        DeclarationError, match=r"Made\.__annotations__: expected the annotations that Python puts"
    ):
        type(bt.Model)("Made", (bt.Model,), body, table="made")  # type: ignore[call-arg]


def test_a_field_is_called_as_the_class_of_a_method_is() -> None:
    """``cls`` is a name of a field as any other, also where a row key is asked for."""
    body = {"cls": bt.key(bt.Text(width=3)), "v": bt.column("v", F, default=None)}
    assert declared(body, {"cls": str, "v": int | None}).row_key(cls="abc") == b"abc"  # type: ignore[attr-defined]
