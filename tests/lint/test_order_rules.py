"""The rules on the order of keys: reversed times, coarse and fine fields, tenants, delimiters, domains."""

from collections.abc import Callable
from datetime import date
from enum import StrEnum
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import (
    DateText,
    Descending,
    EnumText,
    EpochMillis,
    EpochSeconds,
    EscapedText,
    HexDigest,
    IsoWeek,
    KeyCodec,
    LengthPrefixed,
    Order,
    PaddedInt,
    Repeated,
    ReversedDomain,
    ReversedMicros,
    ReversedMillis,
    Text,
    TimeText,
    Week,
)
from btmodel.lint import Finding, Level, review
from btmodel.schema import KeyField, ModelSchema, Query

Make = Callable[..., ModelSchema]
USER = KeyField("user", Text(width=8), 1_000_000)
OF_USER = Query("of_user", ("user",), between="at")
NEWEST = Query("of_user", ("user",), between="at", newest=True)
COUNTRY = KeyField("country", Text(width=2), 200)
CITY = KeyField("city", Text(width=20), 50_000)
MONDAY = date(2021, 3, 1)


def found(model: ModelSchema, rule: str) -> list[Finding]:
    return [finding for finding in review(model) if finding.rule == rule]


def only(model: ModelSchema, rule: str) -> Finding:
    (finding,) = found(model, rule)
    return finding


def declared(fix: str) -> Any:
    """The codec that a fix writes out."""
    return eval(fix.split("`")[3], {"bt": bt, "date": date})


def test_a_time_that_is_not_reversed_any_more_stays_in_its_key(a_model: Make) -> None:
    """It may be called by how it sorted: writing it upward is the whole fix, and makes no value of it that changes."""
    query = Query("of_user", ("user",), between="newest")
    model = a_model(USER, ("newest", ReversedMillis()), queries=(query,))
    finding = only(model, "KEY014")
    assert finding.fix.endswith("encode `newest` as `bt.EpochMillis()`")
    (made,) = finding.models
    assert [each for each in review(made) if each.rule in {"KEY014", "KEY021"}] == []


@pytest.mark.parametrize("name", ["latest", "lately", "recent_rows", "newest_of"])
def test_a_query_that_is_called_newest_is_to_say_so(a_model: Make, name: str) -> None:
    """Then nobody has to choose between two orders."""
    model = a_model(USER, ("at", ReversedMillis()), queries=(Query(name, ("user",), between="at"),))
    finding = only(model, "KEY014")
    assert finding.message.endswith("though it is called so")
    assert finding.fix == f"declare `{name}` with `newest=True`"
    (made,) = finding.models
    assert review(made) == ()


@pytest.mark.parametrize(
    ("codec", "forth"),
    [
        (ReversedMillis(), EpochMillis()),
        (ReversedMicros(), bt.EpochMicros()),
        (Descending(DateText("%Y%m")), DateText("%Y%m")),
        (Descending(Week("{n:04}", origin=MONDAY)), Week("{n:04}", origin=MONDAY)),
    ],
)
def test_a_time_is_reversed_only_for_a_query_for_the_newest(
    a_model: Make, codec: KeyCodec[Any], forth: KeyCodec[Any]
) -> None:
    """The first query decides; it is a question, for both orders serve the query, and the natural one is written out."""
    finding = only(a_model(USER, ("at", codec), queries=(OF_USER, NEWEST)), "KEY014")
    assert (finding.field, finding.level) == ("at", Level.INFO)
    newest, _, natural = finding.fix.partition("; otherwise ")
    assert "`newest=True`" in newest
    assert declared(natural) == forth
    assert review(a_model(USER, ("at", forth), queries=(OF_USER, NEWEST))) == ()
    assert review(a_model(USER, ("at", codec), queries=(NEWEST, OF_USER))) == ()


@pytest.mark.parametrize(
    ("codec", "back"),
    [
        (EpochMillis(), ReversedMillis()),
        (EpochSeconds(), bt.ReversedSeconds()),
        (DateText(), Descending(DateText())),
        (TimeText("%Y-%m-%d-%H%M"), Descending(TimeText("%Y%m%d%H%M"))),
        (IsoWeek(), Descending(IsoWeek("%G%V"))),
        (Week("week{n:04}", origin=MONDAY), Descending(Week("{n:04}", origin=MONDAY))),
    ],
)
def test_a_query_for_the_newest_may_have_a_reversed_time(
    a_model: Make, codec: KeyCodec[Any], back: KeyCodec[Any]
) -> None:
    """It is an info, with a codec of the same times that is reversed, readable, and clean."""
    finding = only(a_model(USER, ("at", codec), queries=(NEWEST,)), "KEY015")
    assert finding.level is Level.INFO
    assert declared(finding.fix) == back
    assert back.order is Order.DESCENDING
    assert review(a_model(USER, ("at", back), queries=(NEWEST,))) == ()


def test_a_description_says_what_a_reversed_time_is_for(a_model: Make) -> None:
    """Of "the newest first" nobody asks whether it is meant: the query says it, too, and nothing is left."""
    model = a_model(
        USER, ("at", ReversedMillis()), queries=(OF_USER,), doc="Visits of a user, the newest first."
    )
    finding = only(model, "KEY014")
    assert finding.message.endswith("though the description says 'newest first'")
    assert finding.fix == "declare `of_user` with `newest=True`"
    (made,) = finding.models
    assert review(made) == ()


def test_what_is_not_in_the_order_of_a_time_does_not_decide(a_model: Make) -> None:
    """A row, a scan, and rows in the order of another field say nothing about the time; nor does no query."""
    at = KeyField("at", ReversedMillis())
    others = (Query("one", ("user", "at")), Query("all", (), scan="why"), Query("lost", ("nobody",)))
    assert found(a_model(USER, at), "KEY014") == []
    assert found(a_model(USER, at, queries=others), "KEY014") == []
    assert only(a_model(USER, at, queries=(*others, OF_USER)), "KEY014").message.count("`of_user`") == 1
    prefix = Query("of_user", ("user",), newest=True)
    assert found(a_model(USER, at, queries=(prefix,)), "KEY014") == []
    assert found(a_model(USER, ("at", EpochMillis()), queries=(prefix,)), "KEY015") != []


def test_a_finer_field_in_front_of_what_a_query_picks_by(a_model: Make) -> None:
    """The key goes from coarse to fine, and the query that then is a prefix is written out."""
    scan = Query("of_country", (), scan="a report", where=("country",))
    finding = only(a_model(CITY, COUNTRY, queries=(scan,)), "KEY016")
    assert (finding.level, finding.field) == (Level.INFO, "of_country")
    assert (
        finding.fix
        == 'order the fields from coarse to fine: `{country}#{city}`, and ask for its prefix: `bt.query("country")`'
    )
    assert review(a_model(COUNTRY, CITY, queries=(Query("of_country", ("country",)),))) == ()


def test_a_key_that_other_queries_need_stays(a_model: Make) -> None:
    """Where a query would be lost, the other order is for a second table."""
    queries = (Query("of_city", ("city",)), Query("of_country", (), scan="a report", where=("country",)))
    fix = only(a_model(CITY, COUNTRY, queries=queries), "KEY016").fix
    assert fix.startswith("`of_city` needs the key as it is: also write the rows to a second table")


@pytest.mark.parametrize(
    "fields",
    [
        (COUNTRY, CITY),
        (evolve(CITY, cardinality=None), COUNTRY),
        (CITY, evolve(COUNTRY, cardinality=None)),
        (evolve(CITY, cardinality=200), COUNTRY),
        (KeyField("at", EpochMillis(), 10**9), COUNTRY),
    ],
)
def test_what_is_not_known_to_be_finer_may_stand_in_front(
    a_model: Make, fields: tuple[KeyField, ...]
) -> None:
    """Both cardinalities must be declared, and times are left out."""
    scan = Query("of_country", (), scan="a report", where=("country",))
    assert found(a_model(*fields, queries=(scan,)), "KEY016") == []
    given = Query("of_city", ("city",), where=("country",))
    assert found(a_model(CITY, COUNTRY, queries=(given,)), "KEY016") == []


def test_a_query_that_is_not_served_is_left_to_its_own_rule(a_model: Make) -> None:
    """One mistake has one finding."""
    rules = [finding.rule for finding in review(a_model(CITY, COUNTRY, queries=(Query("q", ("country",)),)))]
    assert rules == ["QRY001"]


TENANT = KeyField("tenant", Text(width=8), 500, tenant=True)
KIND = KeyField("kind", bt.codecs.key.Constant("LoL"))


def test_a_tenant_leads(a_model: Make) -> None:
    """Behind constants and fields of one value it leads all the same; else the key is drawn with it in front."""
    site = KeyField("site", Text(width=2), 1)
    assert review(a_model(KIND, site, TENANT, USER)) == ()
    assert review(a_model(TENANT, evolve(TENANT, name="part"), USER)) == ()
    query = Query("of_user", ("user",))
    finding = only(a_model(KIND, USER, TENANT, queries=(query,)), "KEY018")
    assert finding.field == "tenant"
    assert finding.fix == (
        "put the tenant in front: `LoL#{tenant}#{user}`; `of_user` must then also give `tenant`"
    )


@pytest.mark.parametrize("name", ["tenant", "tenant_id", "tenant_code"])
def test_what_is_called_like_a_tenant_may_be_declared_to_be_none(a_model: Make, name: str) -> None:
    """By its name alone it is one, and the fix says how to deny that; one that is declared so stays one whatever others deny."""
    part = KeyField(name, Text(width=8), 500)
    assert "declare `tenant=False`" in only(a_model(USER, part), "KEY018").fix
    assert "declare `tenant=False`" not in only(a_model(USER, evolve(part, tenant=True)), "KEY018").fix
    assert found(a_model(USER, evolve(part, tenant=False)), "KEY018") == []
    owner = KeyField("landlord", Text(width=8), 50, tenant=True)
    both = a_model(USER, evolve(part, tenant=False), owner)
    assert only(both, "KEY018").field == "landlord"


def test_a_denied_tenant_is_given_by_no_caller() -> None:
    """A question in words is then not one for a tenant; a class that declares it passes."""

    class Flat(bt.Model, table="FLAT"):
        """A flat. Support lists the flats of a floor."""

        house: str = bt.key(bt.Text(width=8), cardinality=100_000)
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=500, tenant=False)

        d = bt.family("d", gc=bt.max_versions(1))
        floor: str = bt.column("floor", d)

    (finding,) = [one for one in review(bt.schema_of(Flat)) if one.level is Level.WARNING]
    assert finding.rule == "QRY008"
    assert '`by_floor = bt.query("floor")`' in finding.fix


@pytest.mark.parametrize(
    ("codec", "ends", "flagged"),
    [
        (Text(max_length=9), b"#", True),
        (Text(max_length=9), b":", True),
        (Text(max_length=9), b"\0", False),
        (Text(width=9), b":", False),
        (EscapedText(9), b"#", False),
        (HexDigest(4), b"|", False),
        (ReversedDomain(9), b"#", False),  # it has no order to upset
    ],
)
def test_a_delimiter_that_upsets_the_order(
    a_model: Make, codec: KeyCodec[Any], ends: bytes, flagged: bool
) -> None:
    """Of variable fields it must sort below all that they hold, where a query reads values that begin alike. Above digits it is grave."""
    word = KeyField("word", codec, 1_000_000, ends=ends)
    number = KeyField("n", PaddedInt(2))
    model = a_model(word, number, queries=(Query("q", (), starting="word"),))
    grave = ends[0] > ord("0")
    assert [one.level for one in found(model, "KEY019")] == [Level.WARNING if grave else Level.INFO] * flagged
    assert found(a_model(word, number, queries=(Query("q", ("word",)),)), "KEY019") == []
    last = a_model(USER, evolve(word, ends=None), queries=(Query("q", ("user",), starting="word"),))
    assert found(last, "KEY019") == []


def test_the_order_of_a_field_is_fixed_at_its_end(a_model: Make) -> None:
    """A range of it is refused, and fixed in the same way; a NUL does not help what may hold one."""
    word, number = KeyField("word", Text(max_length=9)), KeyField("n", PaddedInt(2))
    ranged, alike = Query("q", (), between="word"), Query("q", (), starting="word")
    fix = 'end `word` with a NUL, `ends="\\0"`, which sorts below all that it may hold, or give it a fixed width of 9 bytes'
    assert only(a_model(word, number, queries=(ranged,)), "QRY001").fix.startswith(fix)
    assert only(a_model(word, number, queries=(alike,)), "KEY019").fix.startswith(fix)
    assert review(a_model(evolve(word, ends=b"\0"), number, queries=(ranged, evolve(alike, name="r")))) == ()
    raw = a_model(evolve(word, codec=bt.Bytes(max_length=9)), number, queries=(alike,))
    assert only(raw, "KEY019").fix.startswith("after the fix of KEY006, end `word` with a NUL")
    raw = evolve(raw, allow={"KEY006": "other programs read it"})
    assert "NUL" not in only(raw, "KEY019").fix


def test_the_delimiter_that_the_rule_warns_of_upsets_the_order(a_model: Make) -> None:
    """The bytes that the message names come between a value and those that go on behind it; behind a NUL they do not."""
    word = KeyField("word", Text(max_length=9), 1_000_000)
    finding = only(a_model(word, ("n", PaddedInt(2)), queries=(Query("q", (), starting="word"),)), "KEY019")
    assert (
        "may hold characters that do not sort above '#', the delimiter after them: ' ', '!', '\"'"
        in finding.message
    )
    assert sorted(["a", "a!"]) == ["a", "a!"]
    assert sorted(["a#01", "a!#01"]) == ["a!#01", "a#01"]
    assert sorted(["a\0" + "01", "a!\0" + "01"]) == ["a\0" + "01", "a!\0" + "01"]


@pytest.mark.parametrize(
    ("codec", "fix"),
    [
        (Text(max_length=60), "`bt.ReversedDomain(60)`"),
        (Text(width=60), "`bt.ReversedDomain(60)`"),
        (EscapedText(60), "`bt.ReversedDomain(60)`"),
        (LengthPrefixed(Text(max_length=60)), "`bt.ReversedDomain(60)`"),
        (ReversedDomain(60), None),
        (LengthPrefixed(ReversedDomain(60)), None),
    ],
)
def test_a_domain_is_written_backwards(a_model: Make, codec: KeyCodec[Any], fix: str | None) -> None:
    """The codec of the fix is as long; what is not declared a domain is none."""
    finding = found(a_model(USER, KeyField("site", codec, domain=True)), "KEY011")
    assert [fix in each.fix for each in finding if fix] == [True] * (fix is not None)
    assert found(a_model(USER, KeyField("site", codec)), "KEY011") == []


def test_a_range_of_domains_becomes_the_domains_below_one(a_model: Make) -> None:
    """Reversed domains have no ranges, so the query is told anew."""
    site = KeyField("site", Text(max_length=60), domain=True)
    query = Query("some", ("user",), between="site")
    assert (
        'ask `some` for a domain and those below it: `starting="site"`'
        in only(a_model(USER, site, queries=(query,)), "KEY011").fix
    )
    below = evolve(query, between=None, starting="site")
    assert review(a_model(USER, evolve(site, codec=ReversedDomain(60)), queries=(below,))) == ()


PARTS = Repeated(Text(max_length=9), "#", most=4)


@pytest.mark.parametrize(
    ("codec", "delimiter", "flagged"),
    [
        (ReversedDomain(80), b".", True),
        (ReversedDomain(80), b"#", False),
        (ReversedDomain(80), b"..", False),
        (PARTS, b"#", True),
        (PARTS, b"/", False),
        (evolve(PARTS, holds_delimiter=True), b"#", False),
        (evolve(PARTS, most=1), b"#", False),
        (evolve(PARTS, separator="##"), b"#", True),
        (LengthPrefixed(PARTS), b"#", False),
        (Repeated(Text(width=2), "#", least=2, most=2), b"#", False),
        (Repeated(ReversedDomain(9), "/", most=2), b".", True),
    ],
    ids=str,
)
def test_a_field_that_holds_the_delimiter_in_each_value(
    a_model: Make, codec: KeyCodec[Any], delimiter: bytes, flagged: bool
) -> None:
    """It is found exactly where values of two parts are refused, in the middle of a key and at its end."""
    first = ("site", codec)
    middle = a_model(first, ("n", PaddedInt(3)), delimiter=delimiter)
    last = a_model(("n", PaddedInt(3)), first, delimiter=delimiter)
    for model in (middle, last):
        assert bool(found(model, "KEY020")) == flagged
    for finding in found(middle, "KEY020"):
        assert finding.level is Level.ERROR
        assert 'end it with a NUL, `ends="\\0"`' in finding.fix
        site, number = middle.key.fields
        assert found(a_model(evolve(site, ends=b"\0"), number, delimiter=delimiter), "KEY020") == []
    for finding in found(last, "KEY020"):
        other = finding.fix.split('"')[1].encode()
        assert "ends=" not in finding.fix
        assert found(a_model(*last.key.fields, delimiter=other), "KEY020") == []


@pytest.mark.parametrize(
    ("name", "delimiter", "level"),
    [
        ("path", b"/", Level.WARNING),
        ("path", b"#", None),
        ("page_url", b"?", Level.WARNING),
        ("search_text", b"#", Level.INFO),
        ("title", b"/", Level.INFO),
        ("path_id", b"/", None),
    ],
)
def test_a_text_that_is_called_like_one_with_the_delimiter_in_it(
    a_model: Make, name: str, delimiter: bytes, level: Level | None
) -> None:
    """Nearly every path is refused, and now and then a sentence; each fix leaves no such finding, and no other."""
    number = KeyField("n", PaddedInt(3))
    for query in (Query("q", (name,)), Query("q", (), starting=name)):
        model = a_model(KeyField(name, Text(max_length=60)), number, delimiter=delimiter, queries=(query,))
        findings = found(model, "KEY020")
        assert [one.level for one in findings] == [level] * (level is not None)
        assert level is None or found(model, "KEY019") == []
        for one in findings:
            expected = 'ends="\\0"' if query.starting else "holds_delimiter=True"
            assert expected in one.fix
            assert [
                each.rule for made in one.models for each in review(made) if each.level is not Level.INFO
            ] == []


@pytest.mark.parametrize("ends", [None, b"/"])
def test_behind_the_last_field_of_a_key_there_is_no_delimiter(a_model: Make, ends: bytes | None) -> None:
    """It may hold anything, and the words speak of no delimiter after it, nor of another end."""
    number, path = KeyField("n", PaddedInt(3)), KeyField("path", Text(max_length=60), ends=ends)
    (told,) = found(a_model(number, path, delimiter=b"/"), "KEY020")
    assert told.message.endswith("holds '/', the delimiter of the key")
    assert (
        "let `path` hold it, as no field follows it: `bt.Text(max_length=60, holds_delimiter=True)`"
        in told.fix
    )
    assert 'ends="' not in told.fix
    (first,) = found(a_model(evolve(path, ends=None), number, delimiter=b"/"), "KEY020")
    assert first.message.endswith("holds '/', the delimiter after it")
    assert "as no field follows it" not in first.fix


class Weekday(StrEnum):
    """In the order of the week, which is not that of the texts."""

    MONDAY = "mon"
    TUESDAY = "tue"
    FRIDAY = "fri"


class Class(StrEnum):
    """In the order of the texts."""

    FIRST = "1"
    SECOND = "2"


@pytest.mark.parametrize(
    ("name", "codec", "level", "says"),
    [
        ("version", Text(max_length=12), Level.WARNING, "bt.PaddedInt(5), bt.PaddedInt(5)"),
        ("firmware_version", Text(max_length=12), Level.WARNING, "bt.Joined("),
        ("version", Text(width=11), None, ""),  # 002.010.000
        ("version_count", PaddedInt(4), None, ""),
        ("room", Text(max_length=5), Level.WARNING, "bt.PaddedInt(5)"),
        ("house_number", Text(max_length=5), Level.WARNING, "bt.PaddedInt(5)"),
        ("room", Text(width=5), None, ""),
        ("price", Text(max_length=8), Level.WARNING, "bt.PaddedInt(9)"),
        ("price", Text(width=8), Level.INFO, "bt.PaddedInt(9)"),
        ("from_kg", Text(max_length=5), Level.WARNING, "bt.PaddedInt(9)"),
        ("priceCents", Text(max_length=8), Level.WARNING, "bt.PaddedInt(9)"),
        ("cents", Text(max_length=8), None, ""),
        ("ip", Text(max_length=15), Level.WARNING, "bt.PaddedInt(3), bt.PaddedInt(3)"),
        ("weekday", Text(max_length=9), Level.WARNING, "bt.PaddedInt(2)"),
        ("month", Text(width=3), Level.WARNING, "bt.PaddedInt(2)"),
        ("month", Text(width=6), None, ""),  # 202402
        ("size", Text(max_length=3), Level.WARNING, "the place of each"),
        ("created_at", Text(max_length=30), Level.WARNING, "bt.EpochMillis()"),
        ("surname", Text(max_length=30), Level.INFO, "surname.casefold()"),
        ("shelfmark", Text(max_length=30), None, ""),
        ("day", EnumText(Weekday), Level.WARNING, "`1-...`"),
        ("day", EnumText(Class), None, ""),
    ],
)
def test_a_range_of_text_that_sorts_otherwise_than_it_is_meant(
    a_model: Make, name: str, codec: KeyCodec[Any], level: Level | None, says: str
) -> None:
    """What is asked for in a range is written so that its bytes sort as it does; what is only given may be any text."""
    part = KeyField(name, codec)
    fields = (KeyField("product", Text(width=8), 3_000), part)
    ranged = a_model(*fields, queries=(Query("newer", ("product",), name),))
    told = found(ranged, "KEY007")
    assert [one.level for one in told] == [level] * (level is not None)
    assert all(says in one.fix for one in told)
    given = a_model(*fields, queries=(Query("one", ("product", name)), Query("all", ("product",))))
    assert found(given, "KEY007") == []
