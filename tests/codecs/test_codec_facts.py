"""What a codec of the user's has to say of itself, and in which forms."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

import pytest
from attrs import frozen

import btmodel as bt
from btmodel.codecs import meaning_of
from btmodel.codecs.byte_set import ANY, exactly, one_of
from btmodel.errors import DeclarationError

T = TypeVar("T")


@frozen
class Celsius(bt.CellCodec[float]):
    """Tenths of a degree, as text.

    More of it here.
    """

    def encode(self, value: float) -> bytes:
        return b"%d" % round(value * 10)

    def decode(self, raw: bytes) -> float:
        return int(raw) / 10


@frozen
class Seat(bt.KeyCodec[int], length=bt.Length(1, 2), kind=bt.Kind.TEXT):
    def encode(self, value: int) -> bytes:
        return b"%d" % value

    def decode(self, raw: bytes) -> int:
        return int(raw)


def test_a_cell_codec_says_nothing_but_how_it_writes_and_reads() -> None:
    """Its type is that of its base, its words those of its docstring, and of its bytes nothing is known."""
    codec = Celsius()
    assert codec.python_type is float
    assert codec.meaning == "Tenths of a degree, as text"
    assert (codec.fixed_size, codec.max_size, codec.typical_size) == (None, None, 16)
    assert codec.reads == codec.writes == ANY
    assert codec.stated == ()


def test_a_key_codec_says_how_long_it_gets() -> None:
    """Any byte may come, and the values do not sort, unless stated."""
    codec = Seat()
    assert (codec.python_type, codec.kind, codec.order) == (int, bt.Kind.TEXT, bt.Order.NONE)
    assert codec.alphabet == frozenset(range(256))
    assert codec.meaning == meaning_of(codec) == "Seat"

    @frozen
    class Endless(bt.KeyCodec[str]):
        """Text."""

        def encode(self, value: str) -> bytes:
            return value.encode()

        def decode(self, raw: bytes) -> str:
            return raw.decode()

    with pytest.raises(TypeError, match="Endless does not say how long its encodings are: state length"):
        _ = Endless().length
    with pytest.raises(
        DeclarationError, match=r"expected the shortest and the longest encoding.*state length"
    ):

        class Row(bt.Model, table="ROW"):
            name: str = bt.key(Endless())
            f = bt.family("f", gc=bt.max_versions(1))
            warm: str = bt.column("c", f)


def test_codecs_work_in_models_and_their_tests() -> None:
    """Declared, written and read like the built-in ones."""

    class Row(bt.Model, table="ROW"):
        seat: int = bt.key(Seat(), cardinality=10)
        f = bt.family("f", gc=bt.max_versions(1))
        warm: float = bt.column("c", f, codec=Celsius(), size=4, max_size=6)

    assert bt.key_of(Row(seat=7, warm=1.5)) == b"7"
    assert "f:c" in str(bt.mutation_of(Row(seat=7, warm=1.5)))


def test_one_size_says_all_sizes() -> None:
    """Of a fixed size follow the largest value, a typical one, and the bytes that are read."""

    @frozen
    class Half(Celsius, fixed_size=2):
        """Two bytes."""

    @frozen
    class Bounded(Celsius, max_size=9):
        """Up to nine bytes."""

    @frozen
    class Letter(Celsius, fixed_size=1, reads=one_of("az")):
        """One letter."""

    assert (Half().max_size, Half().typical_size, Half().reads) == (2, 2, exactly(2))
    assert (Bounded().max_size, Bounded().typical_size, Bounded().reads) == (9, 9, ANY)
    assert Letter().writes == one_of("az")


def test_what_follows_from_arguments_is_a_property() -> None:
    """Properties count before keywords of a base, in classes of attrs, of dataclasses, and plain ones."""

    @dataclass(frozen=True)
    class Sized(Celsius, meaning="a number"):
        digits: int = 3

        @property
        def max_size(self) -> int:
            return self.digits

        @property
        def python_type(self) -> type:
            return object

    class Plain(Celsius):
        python_type = complex
        meaning = "plain"

    assert (Sized(5).max_size, Sized().typical_size) == (5, 3)
    assert (Sized().python_type, Sized().meaning) == (object, "a number")
    assert (Plain().python_type, Plain().meaning) == (complex, "plain")


def test_the_type_is_found_through_bases() -> None:
    """Through a generic class of the user's, and not where a class leaves it open."""

    class Boxed(bt.CellCodec[T]):
        def encode(self, value: T) -> bytes:
            return b""

        def decode(self, raw: bytes) -> T:
            raise ValueError

    class Box(Boxed[datetime]):
        """A time."""

    class Pairs(Boxed[tuple[int, str]]):
        """A pair."""

    assert Box().python_type is datetime
    assert Pairs().python_type == tuple[int, str]
    with pytest.raises(TypeError, match="Boxed does not say which type its values have: define python_type"):
        _ = Boxed[Any]().python_type

    class Two(bt.KeyCodec[T], Generic[T], length=bt.Length(1, 1)):
        def encode(self, value: T) -> bytes:
            return b"x"

        def decode(self, raw: bytes) -> T:
            raise ValueError

    class Stamp(Two[datetime]):
        """A time."""

    assert Stamp().kind is bt.Kind.TIME


def test_an_unknown_keyword_is_refused_with_the_near_names() -> None:
    """Of keys other keywords are known than of cells."""
    with pytest.raises(DeclarationError, match=r"unknown keyword 'lenght' of a codec.*length"):
        type("Wrong", (bt.KeyCodec,), {}, lenght=bt.Length(1, 1))
    with pytest.raises(DeclarationError, match=r"unknown keyword 'alphabet' of a codec"):
        type("Wrong", (bt.CellCodec,), {}, alphabet=frozenset())


def test_a_wrong_fact_is_refused_where_the_codec_is_declared() -> None:
    """As one of a property is."""

    @frozen
    class Endless(Seat, length=5):
        """Of a length that is none."""

    with pytest.raises(DeclarationError, match=r"length of Endless.*expected the shortest and the longest"):

        class Row(bt.Model, table="ROW"):
            seat: int = bt.key(Endless())
            f = bt.family("f", gc=bt.max_versions(1))
            warm: str = bt.column("c", f)
