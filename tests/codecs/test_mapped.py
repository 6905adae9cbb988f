"""Codecs of two functions around another codec: their bytes, what they refuse, and where they can stand."""

import pickle
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum

import pytest

import btmodel as bt
from btmodel.codecs import key, meaning_of
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.migrate.tables.layouts import conflict
from btmodel.recorded.layouts import recorded_bytes
from btmodel.schema.layout import codec_text
from btmodel.source_text import written
from btmodel.sql.readings import of_cell, of_key

HOUR = timedelta(hours=1)


def cents(euros: Decimal) -> int:
    return int(euros.scaleb(2))


def euros(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def lower(text: str) -> str:
    return text.lower()


def same(text: str) -> str:
    return text


def hours(length: timedelta) -> int:
    return length // HOUR


def of_hours(count: int) -> timedelta:
    return count * HOUR


class Tag(StrEnum):
    RED = "r"


PRICE = bt.mapped(bt.PaddedInt(6), to=cents, from_=euros, ordered=True)
SPAN = bt.mapped(bt.DecimalText(), to=hours, from_=of_hours)
SET = bt.mapped(bt.Json(list[str]), to=sorted, from_=set)


def test_its_bytes_are_those_of_the_codec_inside() -> None:
    """What the function makes of the value, as the codec writes it."""
    assert PRICE.encode(Decimal("12.34")) == b"001234"
    assert PRICE.decode(b"001234") == Decimal("12.34")
    assert SPAN.encode(3 * HOUR) == b"3"
    assert SET.encode({"b", "a"}) == b'["a","b"]'
    assert SET.decode(b'["a","b"]') == {"a", "b"}


def test_it_says_of_itself_what_the_codec_inside_says() -> None:
    """Lengths, bytes, order where it is declared, and the type of its functions."""
    assert (PRICE.python_type, PRICE.length, PRICE.alphabet) == (
        Decimal,
        key.Length(6, 6),
        key.PaddedInt(6).alphabet,
    )
    assert PRICE.order is key.Order.ASCENDING
    assert bt.mapped(bt.PaddedInt(6), to=cents, from_=euros).order is key.Order.NONE
    assert bt.mapped(bt.ReversedDigits(6), to=cents, from_=euros).order is key.Order.SCATTERED
    assert bt.mapped(bt.ReversedMillis(), to=same, from_=same, type=datetime).kind is key.Kind.TIME
    assert (SPAN.python_type, SPAN.max_size, SPAN.reads) == (timedelta, 4001, bt.DecimalText().reads)
    assert meaning_of(PRICE) == "cents of the value: 6 digits, zeros on the left"
    assert (bt.mapped(bt.EscapedText(9), to=same, from_=same).self_ending) is True
    assert SET.python_type is set


def test_a_value_that_would_not_come_back_is_refused() -> None:
    """So nothing is cut or rounded in silence, and a key has one encoding for a value."""
    with pytest.raises(ValueRefused, match=r"comes back from euros as it was, not as Decimal\('12.34'\)"):
        PRICE.encode(Decimal("12.345"))
    with pytest.raises(ValueRefused, match="a value of Decimal"):
        PRICE.encode(12)  # type: ignore[arg-type]
    with pytest.raises(ValueRefused, match="a whole number from 0 to 999999"):
        PRICE.encode(Decimal(10_000))
    folded = bt.mapped(bt.Text(max_length=9), to=lower, from_=same)
    with pytest.raises(ValueRefused, match="not as 'ab'"):
        folded.encode("Ab")
    with pytest.raises(ValueError, match="expected the one encoding of 'AB', got b'AB'"):
        folded.decode(b"AB")
    with pytest.raises(ValueRefused, match="comes back"):
        PRICE.bound(Decimal("1.001"))
    assert PRICE.bound(Decimal(10_000)) is None


def test_what_a_function_raises_is_a_value_that_does_not_decode() -> None:
    """Whatever it raises, one cell ends no read."""
    broken = bt.mapped(bt.Utf8(), to=str, from_=Tag)
    assert broken.decode(b"r") is Tag.RED
    with pytest.raises(ValueError, match="expected what Tag takes, got 'x': ValueError"):
        broken.decode(b"x")
    assert bt.Either(bt.mapped(bt.DecimalText(), to=cents, from_=euros), bt.DecimalNumber()).decode(
        b"1.5"
    ) == Decimal("1.5")


def test_declarations_that_cannot_work_are_refused() -> None:
    """Nameless functions, an order that is not there, no type, no codec, a constant."""
    with pytest.raises(DeclarationError, match=r"mapped: to: expected a function with a name"):
        bt.mapped(bt.PaddedInt(3), to=lambda one: one, from_=int)
    with pytest.raises(DeclarationError, match=r"mapped: from_: expected a function with a name"):
        bt.mapped(bt.PaddedInt(3), to=int, from_=5, type=int)  # type: ignore[call-overload]
    with pytest.raises(DeclarationError, match=r"ordered=True: .*only where Int.* is ordered"):
        bt.mapped(bt.Int(3), to=cents, from_=euros, ordered=True)
    with pytest.raises(
        DeclarationError, match=r"ordered=True: .*only where the bytes of DecimalText\(\) sort"
    ):
        bt.mapped(bt.DecimalText(), to=cents, from_=euros, ordered=True)
    with pytest.raises(DeclarationError, match="expected type=, as sorted does not say"):
        bt.mapped(bt.Json(list[str]), to=sorted, from_=sorted)
    with pytest.raises(DeclarationError, match="expected a codec of keys or cells, got 'x'"):
        bt.mapped("x", to=cents, from_=euros)  # type: ignore[call-overload]
    with pytest.raises(DeclarationError, match="expected a codec whose values vary"):
        bt.mapped(key.Constant("x"), to=same, from_=same)


def test_it_is_recorded_by_the_names_of_its_functions() -> None:
    """Another function is another codec; as no name tells what it does, its cells are read as the codec inside reads them."""
    text = codec_text(SPAN)
    assert text == "MappedCell(codec=DecimalText(), to=hours, from_=of_hours, type=timedelta)"
    assert codec_text(PRICE) == (
        "MappedKey(codec=PaddedInt(digits=6), to=cents, from_=euros, type=Decimal, ordered=True)"
    )
    assert recorded_bytes(text) == bt.DecimalText()
    assert conflict(f"value {text}", f"value {text}") is None
    assert conflict(
        f"value {codec_text(bt.mapped(bt.DecimalText(), to=cents, from_=euros))}", f"value {text}"
    )
    flags = codec_text(bt.mapped(bt.Flag(), to=bool, from_=bool))
    assert (
        conflict(
            f"value Either(new={flags}, old=({codec_text(bt.Int64())},))", f"value {codec_text(bt.Int64())}"
        )
        is None
    )


def test_it_is_written_as_source_and_pickled() -> None:
    """As it is declared; functions go by their names."""
    assert written(PRICE) == "bt.mapped(bt.PaddedInt(6), cents, euros, Decimal, ordered=True)"
    assert pickle.loads(pickle.dumps(PRICE)) == PRICE
    assert repr(SPAN) == "MappedCell(codec=DecimalText(), to=hours, from_=of_hours, type=timedelta)"


def test_sql_reads_what_the_codec_inside_wrote() -> None:
    """With a note; where SQL cannot read that, it says so."""
    assert of_key(PRICE).note.startswith("as cents gives it")
    assert of_key(PRICE).before == of_key(bt.PaddedInt(6)).before
    assert of_cell(SPAN).note == f"as hours gives it; {of_cell(bt.DecimalText()).note}"
    lost = bt.mapped(bt.Compressed(bt.Utf8()), to=same, from_=same)
    assert of_cell(lost).note == f"SQL cannot decode it: {meaning_of(lost)}"
