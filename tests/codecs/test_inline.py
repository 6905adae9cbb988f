"""Codecs as source text: generated code gives what the codec gives, and leaves to it whatever that refuses."""

from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from key_cases import CASES as KEYS
from key_cases import Case, plain
from schemas import key_of, model_of

from btmodel.codecs.cell import CellCodec, DecimalText, EnumValue, Int64, Utf8
from btmodel.codecs.cell.default import DEFAULTS, default_codec
from btmodel.codecs.inline import FunctionSource, InlineCell, Memo, cell_inline
from btmodel.errors import UndecodableKey, ValueRefused
from btmodel.rows import RowKeyCodec
from btmodel.rows.compiled import fields_writer, key_reader, key_writer
from btmodel.rows.compiled.inline_keys import inline_fields
from btmodel.schema import RowKey
from btmodel.testing import drawn
from tests.examples_tried import examples

# Text that may be empty makes no key by itself, and is left out.
INLINE_KEYS = {name: case for name, case in KEYS.items() if inline_fields(key_of(case.codec))}
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


CELLS: list[CellCodec[Any]] = [
    *filter(None, map(default_codec, DEFAULTS)),
    DecimalText(),
    EnumValue(Level, Int64()),
]


@pytest.mark.parametrize("case", INLINE_KEYS.values(), ids=INLINE_KEYS)
@examples(10)
@given(data=st.data())
def test_a_written_key_is_what_the_codec_writes(case: Case, data: st.DataObject) -> None:
    """Whatever is given, the generated function gives the codec's bytes, or leaves it to the codec."""
    key = some_keys(data, case)
    values = {part.name: data.draw(case.values | STRANGE) for part in key.fields}
    try:
        wanted = RowKeyCodec(model_of(key)).key(values)
    except ValueRefused:
        wanted = None
    assert key_writer(key, left)(SimpleNamespace(**values)) in (wanted, None)
    assert fields_writer(key, left)(**values) in (wanted, None)


@pytest.mark.parametrize("case", INLINE_KEYS.values(), ids=INLINE_KEYS)
@examples(10)
@given(data=st.data())
def test_a_read_key_is_what_the_codec_reads(case: Case, data: st.DataObject) -> None:
    """Whatever bytes come, the generated function gives the codec's value, or leaves them to the codec."""
    key = some_keys(data, case)
    part = case.values.map(case.codec.encode) | DIGITS.map(str.encode) | st.binary(max_size=20)
    raw = key.delimiter.join(data.draw(st.lists(part, min_size=1, max_size=3)))
    try:
        wanted = list(RowKeyCodec(model_of(key)).taken_apart(raw).values())
    except UndecodableKey:
        wanted = None
    found = key_reader(key, left)(raw)
    assert found is None or (wanted is not None and [*map(plain, found)] == [*map(plain, wanted)])


@pytest.mark.parametrize("fields", [1, 2, 3])
@pytest.mark.parametrize("case", INLINE_KEYS.values(), ids=INLINE_KEYS)
def test_the_values_that_are_met_the_most_are_not_left_to_the_codec(case: Case, fields: int) -> None:
    """A case that always fell back would make the tests above empty."""
    key = key_of(*[case.codec] * fields)
    asked = [part.name for part in key.asked]
    write, by_name, read = key_writer(key, left), fields_writer(key, left), key_reader(key, left)

    @examples(10)
    @given(value=case.values)
    def takes_some(value: Any) -> None:
        values = dict.fromkeys(asked, value)
        raw = write(SimpleNamespace(**values))
        taken.append(raw is not None and raw == by_name(**values) and read(raw) is not None)

    taken: list[bool] = []
    takes_some()
    assert any(taken) or not key.asked


@pytest.mark.parametrize("codec", CELLS, ids=lambda codec: type(codec).__name__)
@examples(10)
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
@examples(10)
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


def some_keys(data: st.DataObject, case: Case) -> RowKey:
    """A key of one to three fields of the codec, of which there are few values, or more than are kept."""
    codecs = [case.codec] * data.draw(st.integers(1, 3))
    key = key_of(*codecs, delimiter=data.draw(st.sampled_from([b"#", b"-"])))
    few = data.draw(st.sampled_from([None, 3, 10**6]))
    return evolve(key, fields=tuple(evolve(part, cardinality=few) for part in key.fields))


def left(*_: Any, **__: Any) -> Any:
    """Stands for the plain codec: None is what was left to it."""


def inlined(codec: CellCodec[Any]) -> InlineCell:
    """The expressions of a codec that has some."""
    inline = cell_inline(codec)
    assert inline is not None
    return inline


def call(inline: InlineCell, expression: str, value: Any, failed: Any = None) -> Any:
    """What an expression gives for ``value``; ``failed`` where it raises."""
    source = FunctionSource()
    source.name_all(inline.names, "x")
    with source.block("def expression(x):"):
        source.line(f"return {expression.replace('$', 'x')}")
    try:
        return source.function("expression", "a test")(value)
    except Exception:
        return failed
