"""Codecs as source text: generated code gives what the codec gives, and leaves to it whatever that refuses."""

from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from key_cases import CASES as KEYS
from key_cases import Case, plain
from schemas import key_of, model_of

from btmodel.codecs.cell import CellCodec, DecimalText, EnumValue, Int64, Utf8
from btmodel.codecs.cell.default import DEFAULTS
from btmodel.codecs.inline import InlineCell, Memo, cell_inline
from btmodel.errors import UndecodableKey, ValueRefused
from btmodel.rows import RowKeyCodec
from btmodel.rows.compiled import key_reader, key_writer
from btmodel.rows.compiled.source import Source
from btmodel.testing.strategies import drawn

# Text that may be empty makes no key by itself, and is left out.
INLINE_KEYS = {name: case for name, case in KEYS.items() if key_writer(key_of(case.codec))}
# What is not of a field's type, or lies just outside of it.
NUMBERS = [None, True, False, -1, 0, 10**20, 1.5, float("nan"), [], b"", b"a"]
TEXTS = [
    "",
    " ",
    "a ",
    "#",
    "\x00",
    "\x7f",
    "é",
    "٣",
    "\ud800",
    "x" * 5000,
    "٣٣٣",
    "1_0",
    "+1",
    " 1",
    "01",
    "1\n",
]
STRANGE = st.sampled_from([*NUMBERS, *TEXTS])
DIGITS = st.text("0123456789٣_+- \n#ab", max_size=20)


class Level(IntEnum):
    """Members that are equal to numbers, which are none of them."""

    LOW = 0
    HIGH = 1


CELLS: list[CellCodec[Any]] = [*DEFAULTS.values(), DecimalText(), EnumValue(Level, Int64())]


@pytest.mark.parametrize("case", INLINE_KEYS.values(), ids=INLINE_KEYS)
@given(data=st.data())
def test_a_written_key_is_what_the_codec_writes(case: Case, data: st.DataObject) -> None:
    """Whatever is given, the generated function gives the codec's bytes, or leaves it to the codec."""
    key = key_of(case.codec)
    write = key_writer(key)
    assert write is not None
    value = data.draw(case.values | STRANGE)
    try:
        wanted = RowKeyCodec(model_of(key)).key({"k0": value})
    except ValueRefused:
        wanted = None
    assert write(SimpleNamespace(k0=value)) in (wanted, None)


@pytest.mark.parametrize("case", INLINE_KEYS.values(), ids=INLINE_KEYS)
@given(data=st.data())
def test_a_read_key_is_what_the_codec_reads(case: Case, data: st.DataObject) -> None:
    """Whatever bytes come, the generated function gives the codec's value, or leaves them to the codec."""
    key = key_of(case.codec)
    read = key_reader(key)
    assert read is not None
    raw = data.draw(case.values.map(case.codec.encode) | DIGITS.map(str.encode) | st.binary(max_size=20))
    try:
        wanted = RowKeyCodec(model_of(key)).taken_apart(raw)
    except UndecodableKey:
        wanted = None
    found = read(raw)
    assert found is None or {name: plain(value) for name, value in found.items()} == wanted


@pytest.mark.parametrize("case", INLINE_KEYS.values(), ids=INLINE_KEYS)
def test_the_values_that_are_met_the_most_are_not_left_to_the_codec(case: Case) -> None:
    """A case that always fell back would make the tests above empty."""
    key = key_of(case.codec)
    write, read = key_writer(key), key_reader(key)
    assert write is not None
    assert read is not None

    @given(value=case.values)
    def takes_some(value: Any) -> None:
        raw = write(SimpleNamespace(k0=value))
        taken.append(raw is not None and read(raw) is not None)

    taken: list[bool] = []
    takes_some()
    assert any(taken) or not key.asked


@pytest.mark.parametrize("codec", CELLS, ids=lambda codec: type(codec).__name__)
@given(data=st.data())
def test_a_written_cell_is_what_the_codec_writes(codec: CellCodec[Any], data: st.DataObject) -> None:
    """Whatever is given, what the expressions take they write as the codec, and that does not refuse it."""
    value = data.draw(drawn(codec) | STRANGE)
    inline = inlined(codec)
    written = call(inline, f"{inline.written} if {inline.takes} else None", value)
    if written is not None:
        assert written == codec.encode(value)
        assert inline.size in (None, len(written))


@pytest.mark.parametrize("codec", CELLS, ids=lambda codec: type(codec).__name__)
@given(data=st.data())
def test_a_read_cell_is_what_the_codec_reads(codec: CellCodec[Any], data: st.DataObject) -> None:
    """Whatever bytes come, what the expressions read is the codec's value, and that does not refuse them."""
    raw = data.draw(drawn(codec).map(codec.encode) | DIGITS.map(str.encode) | st.binary(max_size=20))
    inline = inlined(codec)
    if inline.size is not None and len(raw) != inline.size:
        return
    nothing = object()
    known = raw if inline.layout is None else inline.layout.unpack(raw)[0]
    found = call(inline, f"{inline.read} if {inline.holds or True} else None", known, nothing)
    if found is not nothing and (inline.holds == "" or found is not None):
        wanted = codec.decode(raw)
        assert type(found) is type(wanted)
        assert repr(found) == repr(wanted)


def test_codecs_of_users_are_called() -> None:
    """A class derived from a codec may do otherwise than that, so the table does not speak for it."""

    class Loud(Utf8):
        def encode(self, value: str) -> bytes:
            return value.upper().encode()

    assert cell_inline(Loud()) is None


def test_a_memo_stays_small_and_keeps_no_failure() -> None:
    """It forgets everything when it is full, and asks again about what failed."""
    asked: list[int] = []

    def halved(number: int) -> int:
        asked.append(number)
        return 10 // number

    memo = Memo(halved)
    for number in range(1, 10_000):
        assert memo[number] == memo[number] == 10 // number
    assert len(memo) < 5_000
    assert len(asked) == 9_999
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            memo[0]
    assert asked.count(0) == 2


def inlined(codec: CellCodec[Any]) -> InlineCell:
    """The expressions of a codec that has some."""
    inline = cell_inline(codec)
    assert inline is not None
    return inline


def call(inline: InlineCell, expression: str, value: Any, failed: Any = None) -> Any:
    """What an expression gives for ``value``; ``failed`` where it raises."""
    source = Source()
    source.name_all(inline.names, "x")
    with source.block("def expression(x):"):
        source.line(f"return {expression.replace('$', 'x')}")
    try:
        return source.function("expression", "a test")(value)
    except Exception:
        return failed
