"""The rule on models that share a table: what it takes for proof, and that its proofs hold."""

import random
from collections.abc import Callable
from datetime import datetime
from itertools import combinations
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st
from schemas import DELIMITERS, POOLS, RandomKey, Side, key_of, model_of, random_keys

import btmodel as bt
from btmodel.codecs.cell import Int64, Utf8
from btmodel.codecs.key import (
    BigEndian,
    Bytes,
    Constant,
    DateText,
    EnumText,
    EpochMillis,
    EscapedText,
    Int,
    KeyCodec,
    LengthPrefixed,
    PaddedInt,
    Text,
)
from btmodel.design.overlap import apart, neighbours
from btmodel.errors import UndecodableKey, ValueRefused
from btmodel.lint import Finding, Level, review, review_all
from btmodel.schema import Column, Derived, KeyField, Location, Mirror, ModelSchema, RowKey, Shape
from tests.examples_tried import examples

Make = Callable[..., ModelSchema]
Codecs = tuple[KeyCodec[Any], ...]
USER = Text(max_length=20)
PATH = Text(max_length=20, holds_delimiter=True)
A, B = Constant("a"), Constant("b")


def optional(key: RowKey) -> RowKey:
    """The same key, whose last field rows may lack."""
    return evolve(key, fields=(*key.fields[:-1], evolve(key.fields[-1], optional=True)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((A, USER), (B, USER)),
        ((USER, A, PaddedInt(6)), (USER, B, DateText())),
        ((USER, Constant("order")), (USER, Constant("orders"))),
        ((Constant("order"), PATH), (Constant("orders"), PATH)),
        ((Constant("x#y"), PATH), (Constant("x"), Constant("z"), PATH)),
        ((USER, Constant("settings")), (USER, PaddedInt(6))),
        ((USER, Constant("123")), (USER, PaddedInt(6))),
        ((Constant("2024-13-01"), USER), (DateText(), USER)),
        ((Constant("é" * 11), USER), (USER, USER)),
        ((USER,), (USER, PaddedInt(6))),
        ((USER, PaddedInt(6)), (USER, PaddedInt(6), PaddedInt(6))),
        ((PaddedInt(6),), (PaddedInt(8),)),
        ((Bytes(max_length=8),), (Bytes(width=9),)),
        ((EpochMillis(), A), (Text(width=13), B)),
        ((Bytes(width=8), A), (BigEndian(8), B)),
        ((PATH, A), (PATH, B)),
        ((PATH, A, PaddedInt(6)), (PATH, B, PaddedInt(6))),
        ((EscapedText(20), A, USER), (EscapedText(20), B, USER)),
        ((LengthPrefixed(USER), A, PATH), (LengthPrefixed(USER), B, PATH)),
        ((Int(max_digits=4), USER), (Text(width=1), A, USER, USER)),
    ],
)
def test_keys_that_cannot_be_the_same_are_apart(one: Codecs, other: Codecs) -> None:
    """Constants, alphabets, lengths and the number of fields are proof, wherever both keys are cut alike."""
    assert apart(key_of(*one), key_of(*other))
    assert apart(key_of(*other), key_of(*one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((USER, PaddedInt(6)), (USER, Constant("000017"))),
        ((A, USER), (USER, USER)),
        ((Constant("a#b"), PATH), (A, B, A)),
        ((PATH,), (USER, A)),
        ((A, PATH), (PATH, B)),
        ((Text(width=3), USER), (A, B, USER)),
        ((Bytes(width=3),), (Constant("#0a"),)),
        ((USER,), (Text(max_length=8),)),
    ],
)
def test_keys_that_may_be_the_same_are_not_apart(one: Codecs, other: Codecs) -> None:
    """Without proof there is none: a value may swallow what stands behind it, or be a constant by chance."""
    assert not apart(key_of(*one), key_of(*other))
    assert not apart(key_of(*other), key_of(*one))


def test_a_field_that_rows_may_lack_is_no_proof() -> None:
    """A key that may end early is that of a model without the last field; one that differs before is not."""
    visits = optional(key_of(USER, PaddedInt(6)))
    assert not apart(visits, key_of(USER))
    assert not apart(key_of(USER), visits)
    assert apart(optional(key_of(A, PaddedInt(6))), key_of(B))
    assert apart(visits, key_of(USER, PaddedInt(6), PaddedInt(6)))


@pytest.mark.parametrize("delimiter", [b"::", b"aba", b"\x1f", b"|"])
def test_a_delimiter_of_any_kind_cuts_keys(delimiter: bytes) -> None:
    """Constants behind a value of any width are proof, as the value refuses the whole delimiter."""
    one, other = (key_of(USER, kind, USER, delimiter=delimiter) for kind in (A, B))
    assert apart(one, other)


def test_keys_of_two_delimiters_may_meet() -> None:
    """A value may hold the delimiter of the other model, so constants behind it are no proof."""
    one, other = key_of(USER, A, USER), key_of(USER, B, USER, delimiter=b":")
    assert not apart(one, other)
    assert not apart(key_of(USER, USER, delimiter=b""), key_of(A, USER))


@st.composite
def two_keys(draw: st.DrawFn) -> tuple[RandomKey, RandomKey]:
    """Two keys, of which the second is often the first one with a field changed, put in, or left out."""
    first = draw(random_keys())
    if not draw(st.integers(0, 4)):
        return first, draw(random_keys())
    pairs = [(part.codec, first.pools.get(part.name)) for part in first.key.fields if not part.derived]
    at = draw(st.integers(0, len(pairs) - 1))
    new = draw(st.sampled_from([*POOLS, *[(Constant(text), [text]) for text in ("a", "b", "10", "a#")]]))
    match draw(st.sampled_from(["change", "put in", "leave out", "append", "delimiter"])):
        case "change":
            pairs[at] = new
        case "put in":
            pairs.insert(at, new)
        case "append":
            pairs.append(new)
        case "leave out" if len(pairs) > 1:
            del pairs[at]
    delimiter = draw(st.sampled_from([first.key.delimiter, first.key.delimiter, *DELIMITERS]))
    key = key_of(*(codec for codec, _ in pairs), delimiter=delimiter)
    if delimiter and len(pairs) > 1 and not key.fields[-1].constant and draw(st.booleans()):
        key = optional(key)
    pools = {part.name: pool or [] for part, (_, pool) in zip(key.fields, pairs, strict=True) if part.asked}
    return first, RandomKey(key, pools)


def some_keys(random_key: RandomKey, seed: int) -> set[bytes]:
    """Row keys of some rows."""
    chance, codec, keys = random.Random(seed), random_key.codec, set()
    for _ in range(40):
        try:
            keys.add(codec.encode({name: chance.choice(pool) for name, pool in random_key.pools.items()}))
        except ValueRefused:
            continue
    return keys


def read_by_both(one: RandomKey, other: RandomKey, seed: int) -> set[bytes]:
    """Keys of the one that the other takes for its own."""
    found = set()
    codec = other.codec
    for raw in some_keys(one, seed):
        try:
            codec.decode(raw)
        except UndecodableKey:
            continue
        found.add(raw)
    return found


@examples(200)
@given(two_keys(), st.integers(0, 2**32))
def test_of_keys_that_are_apart_none_is_read_by_the_other_model(
    keys: tuple[RandomKey, RandomKey], seed: int
) -> None:
    """Whatever the fields and the rows: where the rule speaks of proof, no key decodes as one of the other."""
    one, other = keys
    assert apart(one.key, other.key) == apart(other.key, one.key)
    if apart(one.key, other.key):
        assert not read_by_both(one, other, seed)
        assert not read_by_both(other, one, seed)


@settings(max_examples=200)
@given(random_keys())
def test_a_key_is_never_apart_from_itself(random_key: RandomKey) -> None:
    """Every key that there is belongs to a model of the same key."""
    assert not apart(random_key.key, random_key.key)


CONSTANTS = ["a", "a#", "ab", "b", "1", "a#b"]


@st.composite
def keys_of_one_table(draw: st.DrawFn) -> list[RowKey]:
    """Keys that begin alike, and go on with constants or not, each with a delimiter of its own or the same."""
    front = draw(st.lists(st.sampled_from([USER, PATH, PaddedInt(2), A]), max_size=2))
    keys = []
    for _ in range(draw(st.integers(2, 6))):
        kind = draw(st.lists(st.sampled_from([Constant(text) for text in CONSTANTS]), max_size=2))
        rest = draw(st.lists(st.sampled_from([USER, PATH, PaddedInt(2)]), max_size=1))
        codecs = [*front, *kind, *rest] or [USER]
        key = key_of(*codecs, delimiter=draw(st.sampled_from([b"#", b"#", b":", b""])))
        keys.append(optional(key) if rest and len(codecs) > 1 and draw(st.booleans()) else key)
    return keys


SIDE = EnumText(Side)
# The delimiter of the second key is in the first field of the third, and the other way round in what follows.
TWO_DELIMITERS = [
    key_of(SIDE),
    key_of(SIDE, Constant("s:y"), PATH),
    key_of(SIDE, Constant("y#p"), PATH, delimiter=b":"),
]
WITHOUT_THE_LAST_FIELD = [optional(key_of(A, USER)), optional(key_of(A, USER, delimiter=b":"))]


@settings(max_examples=4 * settings().max_examples)
@given(keys_of_one_table())
@example(TWO_DELIMITERS)
@example(WITHOUT_THE_LAST_FIELD)
def test_models_that_are_not_held_against_each_other_are_apart(keys: list[RowKey]) -> None:
    """Every pair but those that are proved to be apart is a pair of neighbours, once, in the order of the models."""
    models = [evolve(model_of(key), name=f"M{number}") for number, key in enumerate(keys)]
    pairs = [(int(one.name[1:]), int(other.name[1:])) for one, other in neighbours(models)]
    assert pairs == sorted(set(pairs))
    assert all(one < other for one, other in pairs)
    for one, other in set(combinations(range(len(keys)), 2)) - set(pairs):
        assert apart(keys[one], keys[other])


def found(*models: ModelSchema) -> list[Finding]:
    return [each for each in review_all(models) if each.rule == "TAB005"]


@pytest.fixture
def two(a_model: Make) -> tuple[ModelSchema, ModelSchema]:
    """Two models of one table, of which a row may be one of either."""
    visit = a_model(("user", USER), ("n", PaddedInt(6)), name="Visit", location=Location("m.py", 9))
    pages = a_model(("user", USER), ("page", Text(max_length=9)), name="Page", location=Location("m.py", 20))
    return visit, pages


def test_the_model_declared_later_is_flagged(two: tuple[ModelSchema, ModelSchema]) -> None:
    """The finding sits on the later one, names the earlier one, writes out both keys, and can be allowed."""
    visit, page = two
    (finding,) = found(page, visit)
    assert (finding.model, finding.level, finding.limit) == ("Page", Level.ERROR, False)
    assert "a row of `{user}#{page}` may be taken for one of Visit, `{user}#{n}`" in finding.message
    assert "`visit#{user}#{n}` in Visit and `page#{user}#{page}` here" in finding.fix
    assert found(visit, page) == [finding]
    allowed = review_all([visit, evolve(page, allow={"TAB005": "pages have letters"})])
    assert {each.rule for each in allowed} == {"FIG001"}
    assert "ALW003" in {each.rule for each in review_all([evolve(visit, allow={"TAB005": "why"}), page])}


def test_the_fixed_keys_need_no_second_pair_of_constants(a_model: Make) -> None:
    """Fields alike of other names are no first field in common: the constants stand in front of them."""
    one = a_model(("user", USER), ("at", EpochMillis()), name="Xa")
    other = a_model(("person", USER), ("day", EpochMillis()), name="Yb")
    (finding,) = found(one, other)
    shapes = finding.fix.split("`")[1::2]
    assert shapes == ["xa#{user}#{at}", "yb#{person}#{day}"]
    fixed = [
        evolve(each, key=with_kind(each.key, shape)) for each, shape in zip((one, other), shapes, strict=True)
    ]
    assert review_all(fixed) == ()


def test_a_model_alone_is_not_flagged(two: tuple[ModelSchema, ModelSchema]) -> None:
    """A class cannot know of the others, and tables of other names do not meet."""
    visit, page = two
    assert review(page) == ()
    assert found(visit, evolve(page, table="PAGES")) == []


@settings(max_examples=4 * settings().max_examples)
@given(two_keys())
@example((RandomKey(key_of(USER, PATH), {}), RandomKey(key_of(USER, USER, PATH), {})))
def test_the_fix_that_is_written_out_fixes(keys: tuple[RandomKey, RandomKey]) -> None:
    """With the constants where the finding puts them, the two keys are apart."""
    models = [evolve(model_of(each.key), name=name) for each, name in zip(keys, ("Xa", "Yb"), strict=True)]
    for finding in found(*models):
        if finding.field is None:
            shapes = finding.fix.split("`")[1::2]
            fixed = [with_kind(each.key, shape) for each, shape in zip(keys, shapes, strict=True)]
            assert apart(*fixed), shapes


def with_kind(key: RowKey, shape: str) -> RowKey:
    """``key`` with the constant that ``shape`` shows in it."""
    for text in ("xa", "yb"):
        for at in range(len(key.fields) + 1):
            fields = (*key.fields[:at], KeyField("kind", Constant(text)), *key.fields[at:])
            if RowKey(fields, key.delimiter).shape == shape:
                return RowKey(fields, key.delimiter)
    raise AssertionError(shape)


def column(name: str, qualifier: bytes, **changes: Any) -> Column:
    return evolve(Column(name, "data", qualifier, Utf8(), True), **changes)


def test_views_of_the_same_rows_are_not_flagged(a_model: Make) -> None:
    """A model of the same key with fewer columns, or with others, is a view of the rows."""
    whole = a_model(name="A", columns=(column("a", b"a"), column("b", b"b")))
    assert found(whole, evolve(whole, name="B", columns=(column("b", b"b"), column("c", b"c")))) == []
    assert found(whole, evolve(whole, name="B", columns=(column("x", b"b", required=False),))) == []


@pytest.mark.parametrize(
    ("column_here", "flagged"),
    [
        (column("a", b"a", codec=Int64()), True),
        (column("a", b"a", shape=Shape.HISTORY), True),
        (column("rest", b"", shape=Shape.MAPPING, names=USER), True),
        (column("rest", b"t:", shape=Shape.MAPPING, names=USER), True),
        (column("rest", b"t:x:", shape=Shape.MAPPING, names=USER), True),
        (column("tags", b"t:", shape=Shape.MEMBERS, names=USER), False),
        (column("t", b"t:x"), True),
        (column("rest", b"u:", shape=Shape.MAPPING, names=USER), False),
        (column("a", b"a", family="other", codec=Int64()), False),
    ],
)
def test_a_cell_that_two_views_read_in_different_ways_is_found(
    a_model: Make, column_here: Column, flagged: bool
) -> None:
    """Another codec or shape for one cell, or for cells that a mapping or a set may hold, is an error."""
    tags = column("tags", b"t:", shape=Shape.MEMBERS, names=USER)
    first = a_model(name="A", columns=(column("a", b"a"), tags))
    here = evolve(first, name="B", columns=(evolve(column_here, location=Location("m.py", 30)),))
    assert {(each.field, each.location) for each in found(first, here)} == (
        {(column_here.name, Location("m.py", 30))} if flagged else set()
    )


def test_a_cell_that_both_views_name_is_no_entry_of_a_mapping(a_model: Make) -> None:
    """A mapping leaves the cells of other columns alone, so a view of such a column meets none of its entries."""
    rest = column("rest", b"", shape=Shape.MAPPING, names=USER, codec=Int64())
    first = a_model(name="A", columns=(column("a", b"a"), rest))
    assert found(first, evolve(first, name="B", columns=(column("a", b"a"),))) == []
    assert len(found(first, evolve(first, name="B", columns=(column("b", b"b"),)))) == 1


def test_a_mirror_is_a_cell_too(a_model: Make) -> None:
    """What one model mirrors and the other reads as a number is one cell with two encodings."""
    mirrored = a_model(KeyField("id", PaddedInt(6), mirror=Mirror("data", b"id", Utf8())), name="A")
    plain = a_model(name="B", columns=(column("number", b"id", codec=Int64()),))
    assert [each.field for each in found(mirrored, plain)] == ["number"]


def test_cells_whose_timestamp_ends_a_row_are_no_cells_of_a_plain_model() -> None:
    """Two models share a column, and the timestamp is the end of the row in one alone: what the other writes has ended at once."""

    class Lock(bt.Model, table="LOCK"):
        task: str = bt.key(bt.Text(max_length=40), cardinality=10_000)
        until: datetime = bt.expires()
        f = bt.family("f", gc=bt.max_age(seconds=1))
        owner: str = bt.column("o", f)

    class Owner(bt.Model, table="LOCK"):
        task: str = bt.key(bt.Text(max_length=40), cardinality=10_000)
        f = bt.family("f", gc=bt.max_age(seconds=1))
        owner: str = bt.column("o", f)

    lock, owner = bt.schema_of(Lock), bt.schema_of(Owner)
    (finding,) = found(lock, owner)
    assert "`f:o`: the newest value of one column, UTF-8 text, until `until`; here: " in finding.message
    assert found(lock, evolve(lock, name="Again")) == found(owner, evolve(owner, name="Again")) == []
    assert not found(lock, evolve(owner, columns=(evolve(owner.columns[0], qualifier=b"n"),)))


def test_fields_that_are_named_or_derived_otherwise_are_other_rows(a_model: Make) -> None:
    """The same codecs in the same order are views only where they hold the same attributes."""
    one = a_model(("user", USER), name="A")
    assert len(found(one, a_model(("guest", USER), name="B"))) == 1
    constant = [a_model((name, A), ("user", USER), name=name) for name in ("k", "l")]
    assert found(*constant) == []
    salts = [Derived(("user",), function, (0, 1)) for function in (len, hash)]
    salted = [
        a_model(KeyField("salt", PaddedInt(1), derived=salt), ("user", USER), name=name)
        for salt, name in zip(salts, "AB", strict=True)
    ]
    assert len(found(*salted)) == 1


class Quote(bt.Model, table="QUOTE"):
    """A quote."""

    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    ask: int | None = bt.column("OFFER", md, default=None, renamed_from="ASK")


class Spread(bt.Model, table="QUOTE"):
    """The same rows."""

    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    offer: int | None = bt.column("ASK", md, default=None)


class Renamed(bt.Model, table="QUOTE"):
    """The same rows, whose column is renamed as well."""

    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    offer: int | None = bt.column("OFFER", md, default=None, renamed_from="ASK")


def test_a_column_is_renamed_in_all_models_that_read_it() -> None:
    """The one that still reads the old qualifier alone is flagged, whichever was declared first; `also=` takes nothing from anybody."""
    for models in ((Quote, Spread), (Spread, Quote)):
        (finding,) = found(*map(bt.schema_of, models))
        assert finding.model == "Spread"
        assert (
            "`offer` reads the cells `MD:ASK`, which Quote.ask writes as `MD:OFFER` from now on"
            in finding.message
        )
        assert finding.fix == "declare it as `OFFER` with `renamed_from='ASK'` as well"
    assert not found(bt.schema_of(Quote), bt.schema_of(Renamed))
    quote = bt.schema_of(Quote)
    also = evolve(quote, columns=tuple(evolve(column, renamed_from=None) for column in quote.columns))
    assert not found(also, bt.schema_of(Spread))
