"""Codecs that take more than before: safe where every old key and cell is read as it was, else blocked."""

from enum import Enum
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from settled_tables import layout
from some_tables import QUOTE

import btmodel as bt
from btmodel.codecs.key import KeyCodec
from btmodel.errors import DeclarationError
from btmodel.lint import errors, review
from btmodel.migrate import Effect, InstanceChange, diff
from btmodel.migrate.tables.layouts import _WIDER, readings, reads_all, wider
from btmodel.recorded.layouts import recorded_codec
from btmodel.rows.key_codec import RowKeyCodec
from btmodel.schema import KeyField, Layout, RowKey, Table
from btmodel.schema.layout import codec_text
from btmodel.testing import drawn
from tests.examples_tried import examples
from tests.schemas import DELIMITERS, model_of

_SIZES = st.integers(1, 4)
_PLAIN = ("Text", "Bytes", "Int", "Domain", "Enum", "Escaped", "Other")
_KINDS = st.sampled_from(
    [
        *_PLAIN,
        *(f"Repeated {inner}" for inner in _PLAIN),
        # The others are refused, whatever their arguments: for want of a fixed width, or for having one.
        *(f"Prefixed {inner}" for inner in _PLAIN if inner != "Other"),
        *(f"Descending {inner}" for inner in ("Text", "Bytes", "Int", "Other")),
    ]
)


def enum(*pairs: tuple[str, Any]) -> type[Enum]:
    """An enum of these members."""
    return cast("type[Enum]", Enum("Side", pairs))


MEMBERS = [("BUY", "B"), ("SELL", "S"), ("HOLD", "H#"), ("NONE", "#"), ("ODD", "'(")]


@st.composite
def key_codecs(draw: st.DrawFn, kind: str) -> KeyCodec[Any]:
    """Codecs of a kind, of random arguments; ``Repeated Text`` is one of the other."""
    most = draw(_SIZES)
    least = draw(st.integers(0, most))
    outer, _, inner = kind.rpartition(" ")
    match outer or inner:
        case "Text":
            return bt.Text(max_length=most, min_length=least, holds_delimiter=draw(st.booleans()))
        case "Bytes":
            return bt.Bytes(max_length=most, min_length=least)
        case "Int":
            return bt.Int(max_digits=most)
        case "Domain":
            return bt.ReversedDomain(max_length=most)
        case "Enum":
            return bt.EnumText(enum(*draw(st.permutations(MEMBERS))[: most + 1]))
        case "Escaped":
            return bt.EscapedText(most, min_length=least)
        case "Repeated":
            return bt.Repeated(draw(key_codecs(inner)), draw(st.sampled_from("/#")), least=1, most=most)
        case "Prefixed":
            return bt.LengthPrefixed(draw(key_codecs(inner)))
        case "Descending":
            return bt.Descending(draw(key_codecs(inner)))
    return draw(
        st.sampled_from([bt.PaddedInt(2), bt.Text(width=2), bt.DateText(), bt.Boolean(), bt.HexInt(1)])
    )


@st.composite
def pairs(draw: st.DrawFn) -> tuple[KeyCodec[Any], KeyCodec[Any]]:
    """Two codecs of which the first takes what the second one does, as is said."""
    try:
        kind = draw(_KINDS)
        new, old = draw(key_codecs(kind)), draw(key_codecs(kind))
    except DeclarationError:
        assume(False)
    assume(codec_text(new) != codec_text(old))
    return (new, old) if wider(new, old, key=False) else (old, new)


def same(new: Any, old: Any) -> bool:
    """Whether two values are the same; members of enums are by their names."""
    if isinstance(new, Enum):
        return (new.name, new.value) == (old.name, old.value)
    if isinstance(new, tuple):
        return len(new) == len(old) and all(map(same, new, old))
    return bool(new == old)


def moved(new: Any, value: Any) -> Any:
    """``value`` with members of the enum of the codec ``new``."""
    if isinstance(value, tuple):
        return tuple(moved(new.codec, one) for one in value)
    while not isinstance(new, bt.EnumText) and hasattr(new, "codec"):
        new = new.codec
    return new.enum[value.name] if isinstance(value, Enum) else value


@examples(50, suppress_health_check=list(HealthCheck))
@given(pairs(), st.data())
def test_what_takes_more_writes_and_reads_the_same(
    codecs: tuple[KeyCodec[Any], KeyCodec[Any]], data: st.DataObject
) -> None:
    """Every value of the old codec has the same bytes in the new one, and comes back from them."""
    new, old = codecs
    assume(wider(new, old, key=data.draw(st.booleans())))
    value = data.draw(drawn(old))
    raw = old.encode(value)
    assert new.encode(moved(new, value)) == raw
    assert same(new.decode(raw), old.decode(raw))


@examples(50, suppress_health_check=list(HealthCheck))
@given(st.lists(pairs(), min_size=1, max_size=3), st.sampled_from(DELIMITERS), st.integers(0, 2), st.data())
def test_keys_of_fields_that_take_more(
    fields: list[tuple[KeyCodec[Any], KeyCodec[Any]]], delimiter: bytes, at: int, data: st.DataObject
) -> None:
    """A key that was written with the old codec is the same one with the new, wherever it stands."""
    at %= len(fields)
    new, old = fields[at]
    assume(wider(new, old, key=True))
    codecs: list[RowKeyCodec] = []
    optional = data.draw(st.booleans()) and len(fields) > 1
    for codec in (new, old):
        parts = tuple(
            KeyField(f"k{n}", codec if n == at else one, optional=optional and n == len(fields) - 1)
            for n, (one, _) in enumerate(fields)
        )
        model = model_of(RowKey(parts, delimiter))
        assume(not [one for one in errors(review(model)) if one.rule in ("KEY008", "KEY020")])
        codecs.append(RowKeyCodec(model))
    values = {f"k{n}": data.draw(drawn(old if n == at else one)) for n, (one, _) in enumerate(fields)}
    try:
        raw = codecs[1].encode(values)
        read = codecs[1].decode(raw)
    except (bt.ValueRefused, bt.UndecodableKey):
        return
    found = codecs[0].decode(raw)
    assert all(same(found[name], value) for name, value in read.items())
    changed = f"k{at}"
    if read[changed] is not None:
        assert codecs[0].encode({**read, changed: moved(new, read[changed])}) == raw


@settings(suppress_health_check=list(HealthCheck))
@given(pairs(), st.integers(1, 30), st.integers(1, 30), st.data())
def test_cells_that_take_more(
    codecs: tuple[KeyCodec[Any], KeyCodec[Any]], most: int, more: int, data: st.DataObject
) -> None:
    """Cells likewise, whatever they are wrapped in."""
    new, old = (
        bt.Compressed(bt.AsInKey(one), most=size) for one, size in zip(codecs, (most, more), strict=True)
    )
    assume(wider(new, old, key=False))
    value = data.draw(drawn(codecs[1]))
    try:
        raw = old.encode(value)
    except bt.ValueRefused:
        return
    assert new.encode(moved(codecs[0], value)) == raw
    assert same(new.decode(raw), old.decode(raw))


@given(st.permutations(MEMBERS), st.permutations(MEMBERS), st.integers(1, 5), st.integers(1, 5))
def test_cells_of_enums(new: list[Any], old: list[Any], count: int, more: int) -> None:
    """An enum takes more where it has all the members, in whatever order."""
    wide, narrow = (bt.EnumValue(enum(*one), bt.Utf8()) for one in (new[:more], old[:count]))
    assert wider(wide, narrow, key=False) is (set(old[:count]) <= set(new[:more]))
    if wider(wide, narrow, key=False):
        for member in narrow.enum:
            raw = narrow.encode(member)
            assert wide.encode(wide.enum[member.name]) == raw
            assert same(wide.decode(raw), member)


def found(declared: Layout, recorded: Layout) -> InstanceChange:
    """The one change between two layouts of a table."""
    (change,) = diff((table(declared),), (table(recorded),))
    return change


def table(one: Layout) -> Table:
    """The table QUOTE whose rows lie so."""
    return Table(QUOTE.id, QUOTE.families, layouts=(one,))


SIDE = "EnumText(enum=Side(BUY='B', SELL='S'))"


@pytest.mark.parametrize(
    ("declared", "recorded", "key", "cell"),
    [
        ("EnumText(enum=Side(BUY='B', SELL='S', HOLD='H'))", SIDE, True, True),
        ("EnumText(enum=Side(SELL='S', BUY='B'))", SIDE, True, True),
        ("EnumText(enum=Sides(BUY='B', SELL='S', HOLD='H'))", SIDE, True, True),
        ("EnumText(enum=Side(BOUGHT='B', SELL='S'))", SIDE, True, True),
        ("EnumText(enum=Side(BUY='B', SELL='S', HOLD='HOLD'))", SIDE, False, True),
        ("EnumText(enum=Side(BUY='B'))", SIDE, False, False),
        ("EnumText(enum=Side(BUY='B', SELL='s'))", SIDE, False, False),
        ("EnumText(enum=Side(BUY='S', SELL='B'))", SIDE, False, False),
        ("EnumText(enum=Side(BUY=\"B\", SELL='S, HOLD=1'))", SIDE, False, False),
        ("Text(max_length=20)", "Text(max_length=10)", True, True),
        ("Text(max_length=10)", "Text(max_length=20)", False, False),
        ("Text(max_length=10, min_length=0)", "Text(max_length=10)", True, True),
        ("Text(max_length=6)", "Text(max_length=5, min_length=5)", False, True),
        ("Text(max_length=10, holds_delimiter=True)", "Text(max_length=10)", False, False),
        ("Text(width=6)", "Text(width=5)", False, False),
        ("Text(max_length=6)", "Text(width=5)", False, False),
        ("Int(max_digits=9)", "Int(max_digits=4)", True, True),
        ("Int(max_digits=2)", "Int(max_digits=1)", False, True),
        ("PaddedInt(digits=9)", "PaddedInt(digits=4)", False, False),
        (
            "Repeated(codec=Text(max_length=6), most=8)",
            "Repeated(codec=Text(max_length=5), most=4)",
            True,
            True,
        ),
        (
            "Descending(codec=EnumText(enum=Side(A='1', B='b')))",
            "Descending(codec=EnumText(enum=Side(A='1')))",
            False,
            False,
        ),
        ("Mine(most=5)", "Mine(most=4)", False, False),
        (
            "Week(origin=datetime.date(2021, 3, 1), first=0)",
            "Week(origin=datetime.date(2021, 3, 1))",
            False,
            False,
        ),
    ],
)
def test_changes_of_keys_and_cells(declared: str, recorded: str, key: bool, cell: bool) -> None:
    """What takes more is safe; what takes less, or writes other bytes, is refused. A key must end where it did."""
    change = found(layout("Quote", declared), layout("Quote", recorded))
    assert change.effect is (Effect.SAFE if key else Effect.BLOCKED)
    change = found(
        layout("Quote", BID=f"value AsInKey(codec={declared})"),
        layout("Quote", BID=f"value AsInKey(codec={recorded})"),
    )
    assert change.effect is (Effect.SAFE if cell else Effect.BLOCKED)


def test_what_is_derived_stays_derived() -> None:
    """A salt of another function, and a field that is no salt any more, are other keys."""
    salted = layout("Quote", "Text(max_length=4) by salt_of of at in (1, 2, 3)")
    assert (
        found(layout("Quote", "Text(max_length=5) by salt_of of at in (1, 2, 3)"), salted).effect
        is Effect.SAFE
    )
    assert (
        found(layout("Quote", "Text(max_length=4) by salt of at in (1, 2, 3)"), salted).effect
        is Effect.BLOCKED
    )
    assert found(layout("Quote", "Text(max_length=4)"), salted).effect is Effect.BLOCKED


def test_another_number_of_fields_is_another_key() -> None:
    """A field more, or less, is another key, whatever the others take."""
    one = layout("Quote", "Text(max_length=4)")
    two = Layout(one.model, (*one.key, *one.key), one.cells)
    assert found(two, one).effect is Effect.BLOCKED


ENUMS = ["EnumValue(enum=Side(A='a', B='b'), value=Utf8())", "EnumValue(enum=Side(A='a'), value=Utf8())"]


def test_a_cell_of_an_enum() -> None:
    """One member more is safe, also in what is compressed and read beside others; one less is not."""
    wide, narrow = (f"value {one}" for one in ENUMS)
    assert reads_all(wide, narrow)
    assert not reads_all(narrow, wide)
    assert reads_all(f"value Compressed(codec={ENUMS[0]})", f"value Compressed(codec={ENUMS[1]})")
    for around in ("HexText(codec={})", "Base64Text(codec={})", "Prefixed(prefix=b'x', codec={})"):
        assert reads_all(f"value {around.format(ENUMS[0])}", f"value {around.format(ENUMS[1])}")
        assert not reads_all(f"value {around.format(ENUMS[1])}", f"value {around.format(ENUMS[0])}")
    assert reads_all(f"value Either(new=Compressed(codec={ENUMS[0]}), old=({ENUMS[0]}))", narrow)
    assert reads_all(f"mapping {ENUMS[0]} Text(max_length=5)", f"mapping {ENUMS[1]} Text(max_length=4)")
    assert not reads_all(f"history {ENUMS[0]}", narrow)
    either = "value Either(new={}, old=(Utf8()))"
    assert not reads_all(either.format(ENUMS[0]), either.format(ENUMS[1]))


def test_spans_of_another_length() -> None:
    """What was counted by the hour is read as it lies by days, and the other way round; an endless counter is another thing."""
    hours, days = (
        f"counts Int64() Spans(every=datetime.timedelta({one}))" for one in ("seconds=3600", "days=1")
    )
    assert reads_all(hours, days)
    assert reads_all(days, hours)
    assert not reads_all(hours, "counter Int64()")
    assert not reads_all("counter Int64()", hours)


def test_members_of_other_types_are_others() -> None:
    """1 and True are equal in Python, and not in cells."""
    assert not reads_all(
        "value EnumValue(enum=E(A=True), value=Json(of=dict))",
        "value EnumValue(enum=E(A=1), value=Json(of=dict))",
    )


@given(
    st.text("Either(new=,old)'\" \\[]{}<>Tx1#", max_size=60),
    st.text("Either(new=,old)'\" \\[]{}<>Tx1#", max_size=60),
)
def test_any_texts_can_be_compared(declared: str, recorded: str) -> None:
    """Whatever was recorded, it is read by itself, and comparing it raises nothing."""
    assert reads_all(declared, declared)
    assert reads_all(declared, recorded) in (True, False)
    change = diff((table(layout("Q", declared)),), (table(layout("Q", recorded)),))
    assert all(one.effect in (Effect.SAFE, Effect.BLOCKED) for one in change)


def test_texts_of_many_eithers_are_read_by_themselves() -> None:
    """However deep and however wide a text is, it takes no time."""
    deep = "Either(new=" * 3000
    wide = ", ".join(f"a{n}=Either(new=A(), old=(B()))" for n in range(60))
    for text in (deep, f"value F({wide})"):
        assert readings(text) == (text,)
        assert recorded_codec(text) is None


def test_every_codec_of_the_table_is_tried() -> None:
    """Each kind of codec that may take more is one of those that the properties try, or stands in a test above."""
    assert {one.__name__ for one in _WIDER} == {
        "AsInKey",
        "Base64Text",
        "Bytes",
        "Compressed",
        "EnumText",
        "EnumValue",
        "EscapedBytes",
        "EscapedText",
        "HexText",
        "Int",
        "LengthPrefixed",
        "Prefixed",
        "Repeated",
        "ReversedDomain",
        "Spans",
        "Text",
    }
