"""Models whose key has a codec of the user's, for a class of the user's: they are drawn like any other."""

import re
from io import StringIO
from typing import Any, NamedTuple

import pytest
from attrs import frozen
from btmodel_codegen import generate
from rich.console import Console

import btmodel as bt
from btmodel.cli.show import as_json, print_model, print_summary
from btmodel.codecs.cell import CellCodec, Utf8
from btmodel.codecs.key import KeyCodec, Kind, Length, Order
from btmodel.declare import codec_of
from btmodel.described import segments
from btmodel.lint import review_all
from btmodel.rows import Cell


@frozen
class Place:
    """Where somebody sits."""

    row: int
    seat: int


class Corner(NamedTuple):
    """Where two streets meet."""

    street: str
    other: str


class _Own(KeyCodec[object]):
    """What the two codecs share."""

    @property
    def kind(self) -> Kind:
        return Kind.TEXT

    @property
    def length(self) -> Length:
        return Length(5, 5)

    @property
    def alphabet(self) -> frozenset[int]:
        return frozenset(b"0123456789-")

    @property
    def order(self) -> Order:
        return Order.ASCENDING

    def decode(self, raw: bytes) -> object:
        raise KeyError(raw)

    def mirror(self) -> CellCodec[object]:
        return Utf8()  # type: ignore[return-value]


@frozen
class PlaceCodec(_Own):
    """Raises AttributeError for what is no place."""

    @property
    def python_type(self) -> type:
        return Place

    @property
    def meaning(self) -> str:
        return "row and seat"

    def encode(self, value: object) -> bytes:
        return b"%02d-%02d" % (value.row, value.seat)  # type: ignore[attr-defined]


@frozen
class CornerCodec(_Own):
    """Raises an error of its own."""

    @property
    def python_type(self) -> type:
        return Corner

    @property
    def meaning(self) -> str:
        return "two streets"

    def encode(self, value: object) -> bytes:
        raise LookupError(value)


class Seat(bt.Model, table="seats", events="1/s"):
    """A seat of a house."""

    place: Place = bt.key(PlaceCodec(), cardinality=10)
    corner: Corner = bt.key(CornerCodec(), cardinality=10)
    name: str = bt.key(bt.Text(max_length=5), cardinality=10)

    f = bt.family("f", gc=bt.max_versions(1))
    seen: int = bt.column("c", f)
    near: dict[Place, int] = bt.mapping(f, PlaceCodec(), prefix="p")

    of_place = bt.query("place", "corner")


class Told(bt.Model, table="told", events="1/s"):
    """The names of entries are places."""

    name: str = bt.key(bt.Text(max_length=5), cardinality=10)

    f = bt.family("f", gc=bt.max_versions(1))
    near: dict[Place, int] = bt.mapping(f, PlaceCodec(), prefix="p")


SCHEMA = bt.schema_of(Seat)


def test_bytes_that_nobody_knows_are_question_marks() -> None:
    """As many as the field has, whatever its codec raises for values that were tried; the other fields have words."""
    assert "".join(one.text for one in segments(SCHEMA.key)) == "?????#?????#cedar"


@pytest.mark.parametrize("target", ["html", "markdown", "sql", "bigquery", "json", "terraform", "repository"])
def test_every_file_is_generated(target: str) -> None:
    """One such codec stops no page."""
    assert any("Seat" in text or "seats" in text for text in generate([SCHEMA], [target]).values())


def test_the_model_is_shown() -> None:
    """Alone, among others, and as JSON."""
    written = StringIO()
    console = Console(file=written, width=100)
    print_summary(console, [SCHEMA])
    print_model(console, SCHEMA)
    assert "?????#?????#cedar" in written.getvalue()
    assert as_json(SCHEMA, [])["model"] == "Seat"


def test_a_constant_beside_such_a_key_is_reviewed() -> None:
    """Whatever the codec raises for bytes of another model of its table."""

    class Beside(bt.Model, table="seats", events="1/s"):
        """Another row of the table."""

        kind = bt.constant("01-02")
        f = bt.family("f", gc=bt.max_versions(1))
        seen: int = bt.column("c", f)

    assert review_all([SCHEMA, bt.schema_of(Beside)]) is not None


def test_what_such_a_codec_raises_for_a_value_names_the_field() -> None:
    """In a key and in the name of an entry, as of any value that is refused."""
    corner, raised = Corner("a", "b"), "expected a value that its codec takes (it raised AttributeError"
    with pytest.raises(bt.ValueRefused, match=re.escape(f"Seat.place: {raised}")):
        Seat.row_key(place="here", corner=corner, name="n")
    near: Any = {"here": 1}
    row = Told(name="n", near=near)
    with pytest.raises(bt.ValueRefused, match=re.escape(f"Told.near: {raised}")):
        bt.mutation_of(row)
    with pytest.raises(bt.UndecodableCell, match="a qualifier of row and seat"):
        codec_of(Told).decode(b"n", [Cell("f", b"p01-02", 0, bytes(8))])
