"""The rules on row keys: where they speak, where they are silent, and that their fixes fix."""

import itertools
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs.cell import CellCodec, Flag, Float64, Utf8, UuidBytes
from btmodel.codecs.key import (
    Constant,
    DateText,
    EnumText,
    EpochMillis,
    EscapedText,
    Int,
    IsoWeek,
    KeyCodec,
    Kind,
    Length,
    LengthPrefixed,
    Order,
    PaddedInt,
    Text,
    TimeText,
    Week,
)
from btmodel.errors import ValueRefused
from btmodel.lint import Finding, Level, review, review_all
from btmodel.rows.key_codec import RowKeyCodec
from btmodel.schema import (
    Column,
    Expected,
    Family,
    KeyField,
    Location,
    ModelSchema,
    Query,
    Rate,
    RowKey,
    Shape,
)
from tests.examples_tried import examples

Make = Callable[..., ModelSchema]
DAY = ("day", DateText())
KIND = KeyField("kind", Constant("LoL"), 1)


def only(model: ModelSchema, rule: str) -> Finding:
    (found,) = [finding for finding in review(model) if finding.rule == rule]
    return found


def rules(model: ModelSchema) -> list[str]:
    return [finding.rule for finding in review(model)]


@pytest.mark.parametrize("codec", [DateText(), EpochMillis(), TimeText("%Y%m%d%H"), DateText("%Y")])
@pytest.mark.parametrize("front", [(), (KIND,), (KeyField("site", Text(width=4), 1),), (KIND, KIND)])
def test_any_time_in_front_is_flagged(
    a_model: Make, codec: KeyCodec[Any], front: tuple[KeyField, ...]
) -> None:
    """A time leads the key whatever its encoding, and whatever of one value stands before it."""
    time = KeyField("at", codec, location=Location("m.py", 7))
    found = only(a_model(*front, time, ("user", Text(width=4))), "KEY001")
    assert (found.field, found.location) == ("at", Location("m.py", 7))


def test_a_time_behind_a_field_of_several_values_is_not_flagged(a_model: Make) -> None:
    """Two values in front are another rule's business, and so is a field of unknown cardinality."""
    assert rules(a_model(KeyField("side", Text(width=1), 2), DAY)) == []
    assert rules(a_model(("side", Text(width=1)), DAY)) == []


@pytest.mark.parametrize(
    ("events", "flagged"), [("1/day", False), ("140/s", False), ("141/s", True), ("5000/s", True)]
)
def test_a_slow_model_may_begin_with_a_time(a_model: Make, events: str, flagged: bool) -> None:
    """A hundredth of what a node writes is easy for one tablet; more is not; nothing declared is more."""
    assert ("KEY001" in rules(a_model(DAY, events=Rate.parse(events)))) is flagged


def test_the_field_with_the_most_values_is_promoted(a_model: Make) -> None:
    """The fix is a key of this model, drawn: constants stay in front, other fields stay where they are."""
    model = a_model(
        KIND,
        DAY,
        KeyField("hour", TimeText("%Y%m%d%H"), 10**9),
        KeyField("a", Text(width=1), 3),
        KeyField("b", Text(width=8), 9_000),
    )
    assert "put `b` (9,000 values) in front: `LoL#{b}#{day}#{hour}#{a}`" in only(model, "KEY001").fix
    two = a_model(DAY, KeyField("few", Text(width=4), 200), KeyField("many", Text(width=4), 900))
    assert "`{few}#{many}#{day}`" in only(two, "KEY001").fix
    meter = a_model(DAY, ("meter", PaddedInt(10)), delimiter=b"|")
    assert "`{meter}|{day}`" in only(meter, "KEY001").fix


def test_a_field_of_few_values_is_no_help(a_model: Make) -> None:
    """Where the key's own fields have few values, a column is proposed; failing that, the fix says what is missing."""
    few = KeyField("side", Text(width=1), 2)
    columns = (Column("user", "data", b"U", Utf8(), True),)
    assert "`{user}#{day}#{side}`" in only(a_model(DAY, few, columns=columns), "KEY001").fix
    bare = only(a_model(DAY, few), "KEY001").fix
    assert "such as the id of what writes the row: `{id}#{day}#{side}`" in bare


def test_a_column_is_promoted_where_no_field_is(a_model: Make) -> None:
    """A column that a query asks for comes first, then who writes the rows, ids, text and numbers; other values tell nothing apart."""
    codecs: dict[str, CellCodec[Any]] = {
        "won": Flag(),
        "kda": Float64(),
        "city": Utf8(),
        "player": Utf8(),
        "id": UuidBytes(),
    }
    columns = tuple(Column(name, "data", name.encode(), codec, True) for name, codec in codecs.items())
    model = a_model(KIND, DAY, columns=columns)
    assert (
        "make the column `player` a key field, if it has many (`city` may serve as well): `LoL#{player}#{day}`"
        in only(model, "KEY001").fix
    )
    nobody = tuple(column for column in columns if column.name not in ("player", "city"))
    assert (
        "make the column `id` a key field: `LoL#{id}#{day}`"
        in only(a_model(KIND, DAY, columns=nobody), "KEY001").fix
    )
    model = a_model(KIND, DAY, columns=columns, queries=(Query("q", ("player",)),))
    assert "`LoL#{player}#{day}`" in only(model, "KEY001").fix
    assert "`LoL#{id}#{day}`" in only(a_model(KIND, DAY), "KEY001").fix


@pytest.mark.parametrize(
    ("codec", "fix"),
    [
        (Int(6), "`bt.PaddedInt(6)`"),
        (DateText("%d.%m.%Y"), '`bt.DateText("%Y.%m.%d")`'),
        (DateText("%m/%Y"), '`bt.DateText("%Y/%m")`'),
        (TimeText("%H%M-%d%m%Y"), '`bt.TimeText("%Y%m-%d%H%M")`'),
        (TimeText("%3f.%Y%m%d%H%M%S"), '`bt.TimeText("%Y.%m%d%H%M%S%3f")`'),
        (TimeText("%d%m%Y %H%M%S.%f"), '`bt.TimeText("%Y%m%d %H%M%S.%f")`'),
        (IsoWeek("W%V-%G"), '`bt.IsoWeek("W%G-%V")`'),
        (
            Week("week{n}", origin=date(2021, 3, 1)),
            '`bt.Week("week{n:04}", origin=date(2021, 3, 1))`',
        ),
        (
            Week("{n}", origin=date(2021, 3, 1), first=0),
            '`bt.Week("{n:04}", origin=date(2021, 3, 1), first=0)`',
        ),
    ],
)
def test_what_does_not_sort_is_fixed_in_kind(a_model: Make, codec: KeyCodec[Any], fix: str) -> None:
    """The codec that the fix writes out is for the same values, and it sorts."""
    found = only(a_model(("id", PaddedInt(4)), ("at", codec)), "KEY007")
    assert fix in found.fix
    fixed = eval(fix.strip("`"), {"bt": bt, "date": date})
    assert fixed.ordered
    assert fixed.python_type == codec.python_type


def test_a_codec_of_a_user_is_judged_by_what_it_says(a_model: Make) -> None:
    """A number of a codec that admits to no order is flagged; nothing is guessed about its fix."""

    @frozen
    class Roman(Letters):
        kind = Kind.NUMBER
        order = Order.NONE

    assert "a codec of fixed width" in only(a_model(("n", Roman())), "KEY007").fix
    assert rules(a_model(("n", Letters()))) == []


def test_what_sorts_is_not_flagged(a_model: Make) -> None:
    """One digit sorts without zeros; text is no number."""
    parts = (("t", Text(width=9)), ("n", Int(1)), ("day", DateText("%Y-%m-%d")))
    assert rules(a_model(*parts)) == []


@frozen
class Letters(KeyCodec[str]):
    """A codec of a user: letters ``a`` only, of no fixed width."""

    order = Order.ASCENDING
    holds_delimiter = True
    python_type = str
    kind = Kind.TEXT
    length = Length(1, 2)
    alphabet = frozenset(b"a")
    meaning = "some a"

    def encode(self, value: str) -> bytes:
        """As it is."""
        if not value or set(value) - {"a"}:
            raise ValueRefused("letters a", value)
        return value.encode()

    def decode(self, raw: bytes) -> str:
        """As it is."""
        return raw.decode()


class Escaped(Letters):
    """A codec of a user that tells its own end: an exclamation mark, which may be a delimiter's first byte."""

    self_ending = True
    length = Length(1, 3)
    alphabet = frozenset(b"a#!")

    def encode(self, value: str) -> bytes:
        """The text and its end."""
        if set(value) - set("a#") or len(value) > 2:
            raise ValueRefused("two letters", value)
        return value.encode() + b"!"

    def decode(self, raw: bytes) -> str:
        """The text."""
        return raw.decode()[:-1]

    def end(self, raw: bytes, at: int) -> int:
        """Behind the mark."""
        return raw.index(b"!", at) + 1


CODECS = st.sampled_from(
    [
        Text(width=2),
        Text(max_length=2),
        Text(max_length=2, min_length=0),
        Text(max_length=2, holds_delimiter=True),
        Text(max_length=2, min_length=0, holds_delimiter=True),
        Constant("#a"),
        Letters(),
        EscapedText(2),
        LengthPrefixed(Text(max_length=2)),
        Escaped(),
    ]
)
DELIMITERS = st.sampled_from([b"#", b"##", b"#a#", b"!#", b""])
VALUES = ["".join(letters) for size in range(3) for letters in itertools.product("a#", repeat=size)]


def every_key(model: ModelSchema) -> list[tuple[tuple[str | None, ...], bytes]]:
    """All fields of short values that ``model`` accepts, with their keys."""
    codec = RowKeyCodec(model)
    keys = []
    pools = [[None, *VALUES] if part.optional else VALUES for part in model.key.asked]
    for values in itertools.product(*pools):
        given = dict(zip([part.name for part in model.key.asked], values, strict=True))
        try:
            keys.append((values, codec.encode(given)))
        except ValueRefused:
            continue
    return keys


def reads_back(model: ModelSchema, values: tuple[str | None, ...], key: bytes) -> bool:
    try:
        return tuple(RowKeyCodec(model).decode(key).values()) == values
    except ValueError:
        return False


@examples(80)
@given(
    st.lists(st.tuples(CODECS, st.none() | DELIMITERS), min_size=1, max_size=4),
    DELIMITERS,
    st.booleans(),
)
def test_a_key_is_ambiguous_exactly_where_the_rule_says_so(
    parts: list[tuple[KeyCodec[str], bytes | None]], delimiter: bytes, optional: bool
) -> None:
    """Of a model that passes, different fields have different keys, all of which read back; one that fails is wrong."""
    fields = tuple(KeyField(f"f{index}", codec, ends=ends) for index, (codec, ends) in enumerate(parts))
    if all(part.constant for part in fields) or sum(not part.constant for part in fields) > 3:
        return
    key = RowKey(fields, delimiter)
    if optional and len(fields) > 1 and key.behind(fields[-2]) and not fields[-1].constant:
        fields = (*fields[:-1], evolve(fields[-1], optional=True))
    model = ModelSchema("M", "m", "", "T", RowKey(fields, delimiter), (), ())
    keys = every_key(model)
    flagged = {finding.field for finding in review(model) if finding.rule == "KEY008"}
    if not flagged:
        assert len({key for _, key in keys}) == len(keys)
        assert all(reads_back(model, values, key) for values, key in keys)
    elif any(model.key.behind(part) in (b"#", b"##", b"") for part in fields if part.name in flagged):
        assert not all(reads_back(model, values, key) for values, key in keys)


def test_the_fix_of_an_ambiguous_key_loses_no_query(a_model: Make) -> None:
    """A field is moved behind another one only where what is served once it has an end is served there, too."""
    shop, till = KeyField("shop", Text(max_length=12), ends=b""), KeyField("till", Text(max_length=8))
    fields = (shop, till, KeyField("at", EpochMillis()))
    of_till = Query("of_till", ("shop", "till"), "at")
    told = only(a_model(*fields, queries=(of_till,)), "KEY008")
    assert "move it" not in told.fix
    assert [made.key.shape for made in told.models] == ["{shop}#{till}#{at}"]
    at_till = Query("at_till", ("till",))
    assert "or move it after `till`" in only(a_model(*fields, queries=(at_till,)), "KEY008").fix


def test_the_fix_of_an_ambiguous_key_names_the_ways_out(a_model: Make) -> None:
    """Ends with which the field holds what it held come first; padding is offered where it costs little, and another place where it helps."""
    path = ("path", Text(max_length=40, holds_delimiter=True))
    found = only(a_model(path, DAY, ("user", Text(max_length=9)), ("n", PaddedInt(3))), "KEY008")
    assert found.field == "path"
    assert found.fix == (
        'separate the fields by a character that no field holds: `delimiter="\\x1f"`; or encode `path` as `bt.EscapedText(40)`, which ends '
        "itself; or, if no value of `path` holds '#', leave out its `holds_delimiter`; or move it after `user`: `{day}#{user}#{path}#{n}`"
    )
    narrow = only(
        a_model(("path", Text(max_length=9, holds_delimiter=True)), ("n", Text(max_length=9))), "KEY008"
    )
    assert "; or give `path` a fixed width of 9 bytes; or, if" in narrow.fix
    control = ("path", Text(max_length=40, holds_delimiter=True, controls=True))
    assert only(a_model(control, ("n", Text(max_length=9))), "KEY008").fix.startswith(
        "encode `path` as `bt.EscapedText"
    )
    ending = KeyField("path", Text(max_length=40, holds_delimiter=True), ends=b"|")
    assert (
        'separate it by a character that `path` never holds: `ends="\\x1f"`'
        in only(a_model(ending, ("n", Text(max_length=9))), "KEY008").fix
    )
    assert "`{day}#{user}#{path}#{n}`" in found.fix
    both = a_model(path, ("note", Text(max_length=9, holds_delimiter=True)))
    assert "move it" not in only(both, "KEY008").fix
    bare = only(a_model(("a", Text(max_length=4)), ("b", Text(max_length=4)), delimiter=b""), "KEY008")
    assert 'delimiter="#"' in bare.fix
    joined = KeyField("a", Text(max_length=4), ends=b"")
    assert (
        'separate it from the next field: `ends="#"`'
        in only(a_model(joined, ("b", Text(max_length=4))), "KEY008").fix
    )


def test_a_field_whose_end_an_optional_one_would_tell(a_model: Make) -> None:
    """Where the last field may be left out, it does not tell the end of the one in front, which names it."""
    path = KeyField("path", Text(max_length=9, holds_delimiter=True))
    found = only(a_model(DAY, path, KeyField("n", PaddedInt(3), optional=True)), "KEY008")
    assert found.field == "path"
    assert "stands in front of `n`, which rows may lack: where `path` ends" in found.message
    assert "move it" not in found.fix


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=4), st.booleans())
def test_a_key_bounded_as_told_is_short_enough(sizes: list[int], fixed: bool) -> None:
    """Each time a bound is proposed, following it clears the finding at that field, or leads to the next one."""
    for _ in range(20):
        codecs = [Text(width=size) if fixed else Text(max_length=size) for size in sizes]
        fields = tuple(KeyField(f"f{index}", codec) for index, codec in enumerate(codecs))
        model = ModelSchema("M", "m", "", "T", RowKey(fields, b"#"), (), ())
        found = [finding for finding in review(model) if finding.rule == "KEY009"]
        if not found:
            assert model.key.most <= 4096
            return
        bound = re.search(r"limit `f(\d)` to ([\d,]+) bytes", found[0].fix)
        if bound is None:
            assert len(sizes) > 1
            return
        index, size = int(bound[1]), int(bound[2].replace(",", ""))
        assert size < sizes[index]
        sizes = [size if at == index else other for at, other in enumerate(sizes)]
    raise AssertionError("it never ends")


@pytest.mark.parametrize(
    ("codec", "size", "level"),
    [
        (Text(width=256), None, None),
        (Text(width=257), None, Level.WARNING),
        (Text(max_length=4096), None, None),
        (Text(max_length=4096), 256, None),
        (Text(max_length=4096), 257, Level.WARNING),
        (Text(max_length=4097), None, Level.ERROR),
    ],
)
def test_the_length_of_a_key(
    a_model: Make, codec: KeyCodec[Any], size: int | None, level: Level | None
) -> None:
    """256 typical bytes and 4,096 possible ones pass; what nobody declares is not typical."""
    model = a_model(KeyField("path", codec, size=size))
    found = [finding for finding in review(model) if finding.rule == "KEY009"]
    assert [finding.level for finding in found] == ([] if level is None else [level])
    assert all(finding.limit is (level is Level.ERROR) for finding in found)


def test_the_size_of_a_long_field_is_asked_for(a_model: Make) -> None:
    """A bound is no size: the rule that needs it says so, once, until it is declared."""
    path = KeyField("path", Text(max_length=600), cardinality=1_000_000)
    (asked,) = [found for found in review_all([a_model(path, events=Rate(1))]) if "`size`" in found.message]
    assert (asked.rule, asked.message) == ("FIG001", "the `size` of `path` is not declared")
    assert asked.why.startswith("KEY009 judges")
    told = review_all([a_model(evolve(path, size=40), events=Rate(1))])
    assert [found for found in told if "`size`" in found.message] == []


@pytest.mark.parametrize(
    ("codec", "size"), [(Text(max_length=5000), None), (Text(max_length=600), 400), (Text(width=300), None)]
)
def test_a_long_field_that_is_hashed_as_told_is_clean(
    a_model: Make, codec: KeyCodec[Any], size: int | None
) -> None:
    """KEY004 does not send it back into the key, and a bound that is told is one that passes at once."""
    fix = only(a_model(KeyField("path", codec, size=size)), "KEY009").fix
    assert 'path_hash = bt.digest("path")' in fix
    bound = re.search(r"limit `path` to ([\d,]+) bytes", fix)
    if bound is None:
        assert (size or 0) > 256  # nobody limits a value to less than it usually has
        return
    most = int(bound[1].replace(",", ""))
    assert fix.startswith(
        "limit" if most <= 256 else "keep a hash"
    )  # a key of 4,096 bytes is still a long one
    assert rules(a_model(("path", Text(width=most) if codec.length.fixed else Text(max_length=most)))) == []
    hashed = bt.digest("path")
    figures = dict(re.findall(r"(size|max_size)=([\d_]+)", fix))
    expected = Expected(**{name: int(value) for name, value in figures.items()})
    column = Column("path", "data", b"path", Utf8(), True, expected=expected)
    part = KeyField("path_hash", hashed.codec, derived=hashed.derived)
    assert rules(a_model(part, columns=(column,))) == []


def test_a_hash_of_what_is_not_bounded_says_how_to_declare_it(a_model: Make) -> None:
    """Whether it fits in a key is not guessed; a short one does."""
    hashed = bt.digest("path")
    part = KeyField("path_hash", hashed.codec, derived=hashed.derived)
    column = Column("path", "data", b"path", Utf8(), True)
    assert "declare its `max_size`" in only(a_model(part, columns=(column,)), "KEY004").fix
    short = evolve(column, expected=Expected(max_size=500))
    assert "declare" not in only(a_model(part, columns=(short,)), "KEY004").fix
    long = evolve(column, expected=Expected(size=300))
    assert rules(a_model(part, columns=(long,))) == []
    written = evolve(column, expected=Expected(size=80, max_size=1_025))  # short, but at any length
    assert rules(a_model(part, columns=(written,))) == []


@pytest.mark.parametrize(
    ("queries", "level"),
    [
        ((Query("of_repo", ("symbol", "repo")), Query("typed", (), starting="symbol")), Level.INFO),
        ((Query("of_repo", ("symbol", "repo")), Query("of_path", ("symbol", "repo", "path"))), Level.WARNING),
        ((Query("of_repo", ("symbol", "repo"), where=("path",)),), Level.WARNING),
        ((Query("all", (), scan="nightly"),), Level.WARNING),
        ((), Level.WARNING),
    ],
)
def test_a_hash_that_only_distinguishes_rows_is_information(
    a_model: Make, queries: tuple[Query, ...], level: Level
) -> None:
    """It stands last, and no query asks by what is hashed; that is stored in the row."""
    symbol, repo = (KeyField(name, Text(max_length=60), 25_000) for name in ("symbol", "repo"))
    hashed = bt.digest("path")
    part = KeyField("at", hashed.codec, derived=hashed.derived)
    path = Column("path", "data", b"path", Utf8(), True, expected=Expected(size=50, max_size=200))
    model = a_model(symbol, repo, part, columns=(path,), queries=queries)
    assert only(model, "KEY004").level is level
    longer = evolve(path, expected=Expected(size=50, max_size=1_000))
    told = [one for one in review(evolve(model, columns=(longer,))) if one.rule == "KEY004"]
    assert [one.level for one in told] == [level] * (level is Level.WARNING)
    if queries:
        assert (
            only(a_model(symbol, part, repo, columns=(path,), queries=queries), "KEY004").level
            is Level.WARNING
        )


@pytest.mark.parametrize(
    ("name", "query", "asked"),
    [
        ("latitude", Query("q", (), between="latitude"), True),
        ("unit_price", Query("q", (), between="unit_price"), True),
        ("unit_price", Query("q", (), starting="unit_price"), False),
        ("price_list", Query("q", (), between="price_list"), False),
        ("latitude", Query("q", ("latitude",)), False),
    ],
)
def test_a_range_of_numbers_as_text_is_asked_about(
    a_model: Make, name: str, query: Query, asked: bool
) -> None:
    """By its name it may be a number, whose text sorts only with as many digits each; nobody can be sure."""
    found = [one for one in review(a_model((name, Text(width=9)), queries=(query,))) if one.rule == "KEY007"]
    assert [one.level for one in found] == [Level.INFO] * asked


@pytest.mark.parametrize(
    ("name", "doc", "values"),
    [
        (
            "release",
            "Releases are named as the vendor prints them: 9.4.1, 9.12.0, 10.0.2.",
            "9.4.1 and 9.12.0",
        ),
        ("slot", "A slot is called such as A9, A10 or B2 on the plan.", "A9 and A10"),
        ("slot", "Slots are numbered, e.g. 9, 10, 11.", "9 and 10"),
        ("slot", "Slots are numbered such as `8`, `9` or `12` by the harbour", "9 and 12"),
        ("rev", "Revs, for example 1.9 and 1.10, are given by the vendor.", "1.9 and 1.10"),
        (
            "opening",
            "Openings are written such as 01.12.2023, 12.03.2024, 02.04.2024.",
            "12.03.2024 and 02.04.2024",
        ),
        ("slot", "Slots are named such as A09, A10.", None),
        ("slot", "Slots are short, such as 9 and 10 minutes.", None),
        ("slot_minutes", "They last such as 9 and 10 minutes.", "9 and 10"),
        (
            "slot",
            "Slots have a length such as 1.5, 1.25.",
            None,
        ),  # as decimals they do not climb, and their texts sort
        ("slot", "Drawers are named such as A9, A10.", None),
        ("slot", "Slots are ids such as 9a3f, 10be.", None),
        ("slot", "There are 9 slots a day, and 10 on Sundays.", None),
    ],
)
def test_samples_in_the_description_show_that_a_text_does_not_sort(
    a_model: Make, name: str, doc: str, values: str | None
) -> None:
    """Whatever the field is called, and with a fixed width, too: two values whose texts sort otherwise than their numbers."""
    model = evolve(a_model((name, Text(width=9)), queries=(Query("q", (), between=name),)), doc=doc)
    found = [one for one in review(model) if one.rule == "KEY007"]
    assert [one.level for one in found] == [Level.WARNING] * (values is not None)
    for one in found:
        assert values is not None
        assert values in one.message
        assert one.models
        assert ("bt.DateText(" if name == "opening" else "bt.PaddedInt(") in one.fix
    asked = evolve(model, queries=(Query("q", (name,)),))
    assert [one for one in review(asked) if one.rule == "KEY007"] == []


def test_entries_of_a_row_for_each_day_get_rows_of_their_own(a_model: Make) -> None:
    """Nothing in the key spreads them, and the entries do: the fix keeps them, with their versions, and holds."""
    expected = Expected(every=timedelta(minutes=1), entries=400_000)
    held = Column("r", "d", b"", Float64(), False, Shape.HISTORIES, Text(max_length=36), expected=expected)
    families = (Family("d", bt.max_versions(1_440)),)
    model = a_model(DAY, families=families, columns=(held,), events=Rate(6_000.0))
    finding = only(model, "KEY001")
    assert (
        finding.fix
        == "write a row for each entry of `r`, with its name in front of `day` in the key: `{r_key}#{day}`"
    )
    (made,) = finding.models
    assert made.columns[0].shape is Shape.HISTORY
    assert rules(made) == []


class Zone(StrEnum):
    """Zones, of which one begins another."""

    COLD = "C"
    HAZARDOUS = "CH"


def test_an_end_that_is_proposed_can_be_written(a_model: Make) -> None:
    """Members of an enum have no width to declare: the field gets a delimiter."""
    place = KeyField("place", Text(max_length=6))
    for codec, width in ((EnumText(Zone), False), (Text(max_length=2), True)):
        model = a_model(KeyField("zone", codec, ends=b""), place)
        (finding,) = [one for one in review(model) if one.rule == "KEY008"]
        assert ("fixed width" in finding.fix) is width
        assert 'separate it from the next field: `ends="#"`' in finding.fix


def test_a_reversed_time_is_called_the_newest() -> None:
    """`newest` in front of another id says how the time sorts; a plain text of that name is a value that changes."""

    class Receipt(bt.Model, table="RECEIPT", events="60/s"):
        bakery: str = bt.key(bt.HexDigest(8), cardinality=1_200)
        newest: datetime = bt.key(bt.ReversedMillis())
        till: str = bt.key(bt.HexDigest(4), cardinality=200)

        r = bt.family("r", gc=bt.max_versions(1) | bt.max_age(days=90))
        total: int = bt.column("total", r)

        of_bakery = bt.query("bakery", between="newest", newest=True)

    assert [one.rule for one in review(bt.schema_of(Receipt))] == []
