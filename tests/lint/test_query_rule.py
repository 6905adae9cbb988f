"""QRY001: what it flags, and that the key which it writes out serves the query."""

import ast
import re
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from btmodel.codecs.cell import Int64, Utf8
from btmodel.codecs.key import Constant, DateText, HexDigest, Int, PaddedInt, Text
from btmodel.lint import Finding, review, review_all
from btmodel.schema import (
    Column,
    Derived,
    Expected,
    Family,
    KeyField,
    Location,
    MaxVersions,
    ModelSchema,
    Query,
    Rate,
    RowKey,
    Unserved,
    access,
)

Make = Callable[..., ModelSchema]
KIND = KeyField("kind", Constant("LoL"), 1)
SCORE = (KIND, ("player", Text(max_length=20)), ("day", DateText()))
PLAYER = Column("player", "data", b"PLAYER", Utf8(), True)


def unserved(model: ModelSchema) -> Finding:
    (found,) = [finding for finding in review(model) if finding.rule == "QRY001"]
    return found


@pytest.mark.parametrize(
    "query",
    [
        Query("q", ("player", "day")),
        Query("q", ("player",)),
        Query("q", ("player",), between="day"),
        Query("q", (), between="player"),
        Query("q", (), scan="every night"),
    ],
)
def test_a_query_that_the_key_serves_is_not_flagged(a_model: Make, query: Query) -> None:
    """A row, a prefix, a range, and the whole table with a reason are all served."""
    fields = (KIND, ("player", Text(width=20)), ("day", DateText()))
    assert review(a_model(*fields, queries=(query,))) == ()


def test_the_second_table_is_written_out(a_model: Make) -> None:
    """Its key has the constants first, then what is given, then what is bounded, then the rest."""
    month = Query("of_month", (), between="day", location=Location("m.py", 9))
    found = unserved(a_model(*SCORE, queries=(month,)))
    assert (found.field, found.location) == ("of_month", Location("m.py", 9))
    assert "'player' stands in front of 'day'" in found.message
    assert "second table, whose key `LoL#{day}#{player}` serves it" in found.fix
    assert "begins with the time `day`: let a batch job write it" in found.fix
    slow = a_model(*SCORE, queries=(month,), events=Rate.parse("1/day"))
    assert "batch" not in unserved(slow).fix


def test_a_query_by_a_column_makes_it_a_key_field(a_model: Make) -> None:
    """What is asked by must be in the key, in front of the rest."""
    model = a_model(
        KIND,
        ("day", DateText()),
        columns=(PLAYER,),
        queries=(Query("q", ("player",)),),
        events=Rate.parse("1/h"),
    )
    assert (
        'make the column `player` a key field, and keep its cell, `mirror="data:PLAYER"`, as a row needs one: '
        "`LoL#{player}#{day}`, which serves it" in unserved(model).fix
    )


UNSTORED = (
    KeyField("user", Text(max_length=20), 10_000),
    KeyField("day", DateText()),
    KeyField("token", Text(max_length=40)),
)


def hashed(query: Query, of: tuple[str, ...] = ("user", "day")) -> ModelSchema:
    """A model whose key is a digest of values that no row holds."""
    fields = (KeyField("id", HexDigest(16), derived=Derived(of, hash, of_bytes=True)),)
    unstored = tuple(part for part in UNSTORED if part.name in of)
    columns = (Column("n", "data", b"n", Utf8(), True),)
    return ModelSchema(
        name="M",
        module="m",
        doc="",
        table="m",
        key=RowKey(fields, b"#", unstored),
        families=(Family("data", MaxVersions(1)),),
        columns=columns,
        queries=(query,),
    )


@pytest.mark.parametrize(
    ("query", "fix"),
    [
        (Query("q", ("user",), between="day"), '`id = bt.digest("user", size=8)`, and `day` stored'),
        (Query("q", (), between="day"), "`{day}#{id}`"),
        (Query("q", ("user",)), "`{id}#{id_of_rest}`"),
    ],
)
def test_a_hash_of_what_is_not_stored_is_taken_apart(query: Query, fix: str) -> None:
    """What a query bounds is stored, and what it only gives is hashed alone."""
    assert fix in unserved(hashed(query)).fix


def test_what_identifies_a_person_is_not_stored_for_a_range() -> None:
    """Neither this key nor one of a second table shows a secret for the sake of a range of it."""
    query = Query("q", (), starting="token")
    model = hashed(query, ("user", "token"))
    secret = tuple(evolve(part, pii=part.name == "token") for part in model.key.unstored)
    fix = unserved(evolve(model, key=evolve(model.key, unstored=secret))).fix
    assert "give `token` as a whole" in fix
    assert "{token}" not in fix
    assert "`{token}#{id}`" in unserved(model).fix  # of what is no secret


@pytest.mark.parametrize(
    ("query", "message", "fix"),
    [
        (
            Query("q", ("plaiyer",)),
            "no field 'plaiyer' (did you mean player?)",
            "write `player` for `plaiyer`",
        ),
        (Query("q", ("PLAYER",)), "(did you mean player?)", "write `player` for `PLAYER`"),
        (Query("q", ("player",), "dya"), "no field 'dya'", "write `day` for `dya`"),
        (Query("q", ("zzz",)), "no field 'zzz'", "name fields of the key: `player`, `day`"),
        (Query("q", ("kind",)), "'kind' is the same in every row", "leave `kind` out"),
        (Query("q", ("player", "day"), "day"), "given and bounded at once", "name `day` once"),
        (Query("q", ()), "reads all rows of the model", "say why all rows of the model are read: `scan="),
    ],
)
def test_a_query_that_is_misspelt_gets_a_message_of_its_own(
    a_model: Make, query: Query, message: str, fix: str
) -> None:
    """What cannot be meant is said to be so, instead of a second table being proposed for it."""
    found = unserved(a_model(*SCORE, queries=(query,)))
    assert message in found.message
    assert fix in found.fix
    assert "second table" not in found.fix


@pytest.mark.parametrize(
    ("codec", "fix"),
    [(Int(6), "encode `n` as `bt.PaddedInt(6)`"), (Text(max_length=9), 'end `n` with a NUL, `ends="\\0"`')],
)
def test_a_range_of_what_does_not_sort_is_fixed_at_the_field(a_model: Make, codec: Any, fix: str) -> None:
    """Where the order of the fields is right, the field is to be changed, and no table is proposed."""
    model = a_model(
        ("id", PaddedInt(4)), ("n", codec), ("x", PaddedInt(2)), queries=(Query("q", ("id",), "n"),)
    )
    assert unserved(model).fix.startswith(fix)


FIXED = [KeyField(name, PaddedInt(3)) for name in "abcd"]


@given(
    st.permutations([*FIXED, KIND]),
    st.sets(st.sampled_from("abcd")),
    st.none() | st.sampled_from("abcd"),
)
def test_the_proposed_key_serves_the_query(
    fields: list[KeyField], equal: set[str], between: str | None
) -> None:
    """Read back from the message, the key of the second table serves what the first one does not."""
    query = Query("q", tuple(sorted(equal - {between})), between)
    model = ModelSchema("M", "m", "", "T", RowKey(tuple(fields), b"#"), (), (), (query,))
    found = [finding for finding in review(model) if finding.rule == "QRY001"]
    if not found or "scan=" in found[0].fix.partition(";")[0]:
        assert not found or not (equal or between)
        return
    drawing = re.search(r"whose key `(\S+)` serves it", found[0].fix)
    assert drawing is not None
    names = [part.strip("{}") for part in drawing[1].split("#")]
    key = RowKey(tuple(KIND if name == "LoL" else model.key.field(name) for name in names), b"#")
    assert sorted(key.fields, key=str) == sorted(model.key.fields, key=str)
    assert not isinstance(access(key, query), Unserved)


OTHER = (("day", DateText()), ("player", Text(max_length=20)))
DAY = Query("of_day", ("day",))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({}, False),
        ({"events": Rate.parse("1/day")}, True),
        ({"allow": {"KEY001": "a batch job writes it"}}, True),
    ],
)
def test_a_hot_model_is_no_place_to_ask(a_model: Make, changes: Any, named: bool) -> None:
    """Of two models that send to each other, neither would be right: a table of the day is proposed instead."""
    asking = a_model(*OTHER[::-1], queries=(DAY,))
    other = a_model(*OTHER, name="ByDay", table="BY_DAY", **changes)
    (told,) = [each for each in review_all([asking, other]) if each.rule == "QRY001"]
    assert ("`ByDay`, table 'BY_DAY', serves it" in told.fix) == named
    assert ('table="THING_{day}"' in told.fix) != named


def test_the_dated_table_is_clean(a_model: Make) -> None:
    """The suppression and the query that its fix writes out are all that the review asks for."""
    found = unserved(a_model(*OTHER[::-1], queries=(DAY,)))
    allow, scan = re.search('allow=(\\{"TAB002".*?\\})', found.fix), re.search('scan="(.*?)"', found.fix)
    assert allow
    assert scan
    assert "`of_day = bt.query(scan=" in found.fix
    dated = a_model(
        *OTHER[::-1],
        table="THING_{day}",
        allow=ast.literal_eval(allow[1]),
        queries=(Query("of_day", (), scan=scan[1]),),
    )
    assert [str(each) for each in review_all([a_model(*OTHER[::-1]), evolve(dated, name="OfDay")])] == []


@pytest.mark.parametrize(
    ("sides", "said"),
    [(("latitude", "longitude"), True), (("user_lat", "user_lng"), True), (("latitude", "city"), False)],
)
def test_a_rectangle_of_a_map_is_served_by_no_order(
    a_model: Make, sides: tuple[str, str], said: bool
) -> None:
    """Whatever keeps the first range from being one of keys, the finding says what serves two at once."""
    first, second = sides
    fields = ((first, Text(max_length=9)), (second, Text(max_length=9)))
    model = a_model(*fields, queries=(Query("in_area", (), between=first, where=(second,)),))
    assert ("`geohash: str = bt.key(bt.Text(width=9))`" in unserved(model).fix) is said


PICKED = [
    ("support opens one by hand, now and then", 1_000_000, True),
    ("support opens one by hand, now and then", 9_999, False),
    ("the nightly export of one", 1_000_000, False),
    ("the dashboard asks every minute", 1_000_000, True),
    ("the board in the hall is drawn again every 10 s", 9_999, True),
    ("a program looks every 5 min", 9_999, True),
    ("the departures of a stop, on a display", 9_999, True),
    ("the yearly report of the board", 9_999, False),
    ("a nightly export of the customers", 1_000_000, False),
    ("the export of a user, from a button on the page", 9_999, True),
    ("the size of the table in s and min is written down", 9_999, False),
]


@pytest.mark.parametrize(("reason", "values", "flagged"), PICKED)
def test_a_scan_that_picks_one_of_many_values_is_flagged(
    a_model: Make, reason: str, values: int, flagged: bool
) -> None:
    """What it reads is almost all dropped; the fix gives the column in a second table, which serves the query."""
    column = evolve(PLAYER, expected=Expected(cardinality=values))
    many = KeyField("id", HexDigest(8), 100_000_000)
    found = review(
        a_model(many, columns=(column,), queries=(Query("of", (), scan=reason, where=("player",)),))
    )
    scans = [finding for finding in found if finding.rule == "QRY001"]
    assert bool(scans) is flagged
    for finding in scans:
        assert finding.fix.startswith('give `player`, `of = bt.query("player")`, and ')
        assert "`{player}#{id}`" in finding.fix


def test_of_several_columns_that_a_scan_picks_by_the_one_of_most_values_is_given(a_model: Make) -> None:
    """A number beside it is rather bounded, and no key begins with it."""
    late = evolve(PLAYER, name="late", qualifier=b"late", codec=Int64())
    stop = evolve(PLAYER, name="stop", qualifier=b"stop", expected=Expected(cardinality=5_000))
    many = KeyField("id", HexDigest(8), 100_000_000)
    reason = "the board in the hall"
    for columns in ((late, stop), (late, evolve(stop, expected=Expected()))):
        query = Query("shown", (), scan=reason, where=("stop", "late"))
        found = review(a_model(many, columns=columns, queries=(query,)))
        (finding,) = [each for each in found if each.rule == "QRY001"]
        assert finding.fix.startswith('give `stop`, `shown = bt.query("stop")`, and ')
        assert "`{stop}#{id}`" in finding.fix


@pytest.mark.parametrize(("reason", "values", "flagged"), PICKED)
def test_a_scan_that_picks_by_a_field_behind_others_is_flagged_too(
    a_model: Make, reason: str, values: int, flagged: bool
) -> None:
    """The fix gives the field, which then leads the key, or that of a second table where another query needs the key."""
    experiment = KeyField("experiment", Text(max_length=20), 900)
    user = KeyField("user", HexDigest(8), values)
    is_in = Query("is_in", ("experiment",))
    of_user = Query("of_user", (), scan=reason, where=("user",))
    for queries, key in (((of_user,), "{user}#{experiment}"), ((is_in, of_user), "{user}#{experiment}")):
        events = Rate(100_000.0)  # so that a year writes each key
        model = a_model(experiment, user, columns=(PLAYER,), queries=queries, events=events)
        scans = [finding for finding in review(model) if finding.rule == "QRY001"]
        assert bool(scans) is flagged
        for finding in scans:
            assert finding.fix.startswith('give `user`, `of_user = bt.query("user")`, and ')
            assert f"`{key}`" in finding.fix
            assert "no other schema" not in finding.fix
            assert all(each.rule != "QRY001" for made in finding.models for each in review(made))
