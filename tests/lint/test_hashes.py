"""The rules on hashes in keys: which are fine, and the fixes that end without one."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.design.unhashed import narrowed
from btmodel.lint import Level, review_all
from btmodel.schema import ModelSchema, Query, Rate
from tests.lint.parts import found


class Slice(bt.Model, table="SLICE", events="30/s"):
    """A slice of a scan, as the viewer shows it. The originals lie in the archive."""

    study = bt.digest("study_uid", size=12)
    series: int = bt.key(bt.PaddedInt(3), cardinality=40)
    slice: int = bt.key(bt.PaddedInt(4), cardinality=2_000)

    px = bt.family("p", gc=bt.max_age(days=10))
    study_uid: str = bt.column("uid", px, max_size=64, cardinality=900_000)
    width: int = bt.column("w", px)

    of_series = bt.query("study_uid", "series")


def slices(*queries: Query, name: str = "study_uid", most: int = 64) -> ModelSchema:
    """Slices whose hashed column is called so and is so long, with these queries."""
    model = bt.schema_of(Slice)
    columns = tuple(
        evolve(column, name=name, expected=evolve(column.expected, max_size=most))
        if column.name == "study_uid"
        else column
        for column in model.columns
    )
    fields = tuple(
        evolve(part, derived=evolve(part.derived, of=(name,))) if part.derived else part
        for part in model.key.fields
    )
    return evolve(model, key=evolve(model.key, fields=fields), columns=columns, queries=queries)


WHOLE = [
    ("study_uid", 64, (Query("q", ("study_uid", "series")),)),
    ("study_uid", 64, (Query("q", ("study_uid",)), Query("all", (), scan="a nightly export"))),
    ("arn", 200, (Query("q", ("arn",)),)),
    ("device_urn", 90, (Query("q", ("device_urn", "series", "slice")),)),
    ("fingerprint", 128, (Query("q", ("fingerprint",), between="series"),)),
    ("path", 120, (Query("q", ("path",)),)),
    ("oid", 64, (Query("q", ("oid",)), Query("r", ("oid", "series")))),
    ("doi", 80, (Query("q", ("doi", "series"), between="slice"),)),
    ("resource", 255, (Query("q", ("resource",)),)),
    ("title", 60, (Query("q", ("title",)),)),
    ("gtin_uri", 49, (Query("q", ("gtin_uri",)),)),
]
PARTLY = [
    ("study_uid", 64, ()),  # nobody says how rows are found
    ("study_uid", 64, (Query("all", (), scan="a nightly export"),)),
    ("study_uid", 64, (Query("q", (), starting="study_uid"),)),
    ("study_uid", 64, (Query("q", (), between="study_uid"),)),
    ("study_uid", 64, (Query("q", ("study_uid",)), Query("r", (), between="study_uid"))),
    ("study_uid", 64, (Query("q", ("study_uid",)), Query("r", ("series",)))),
    ("study_uid", 36, (Query("q", ("study_uid",)),)),
    ("study_uid", 48, (Query("q", ("study_uid",)),)),
    ("pzn", 8, (Query("q", ("pzn",)),)),
    ("name", 60, (Query("q", (), starting="name"),)),
    ("name", 60, (Query("q", ("name",)), Query("r", (), starting="name"))),
    ("city", 30, (Query("q", ("city", "series")),)),
]


@pytest.mark.parametrize(("name", "most", "queries"), WHOLE)
def test_a_hash_of_a_long_identifier_that_is_given_whole_is_fine(
    name: str, most: int, queries: tuple[Query, ...]
) -> None:
    """Nobody reads a range of such values, and what is stored beside it tells what it was."""
    assert found(slices(*queries, name=name, most=most), "KEY004") == []


@pytest.mark.parametrize(("name", "most", "queries"), PARTLY)
def test_other_hashes_are_found(name: str, most: int, queries: tuple[Query, ...]) -> None:
    """Where a query wants an order or a part of the value, or the value fits as it is."""
    (finding,) = found(slices(*queries, name=name, most=most), "KEY004")
    assert finding.level is Level.WARNING


BEGINNINGS = [
    ("name", Query("suggest", (), starting="name")),
    ("name", Query("suggest", ("series",), starting="name")),
    ("title", Query("from_to", (), between="title")),
    ("city", Query("of", ("series",), between="city")),
    ("street", Query("suggest", (), starting="street")),
    ("artist", Query("of", (), starting="artist")),
    ("station", Query("near", (), between="station")),
    ("model", Query("of", (), starting="model")),
    ("part", Query("of", (), between="part")),
    ("word", Query("of", (), starting="word")),
]


@pytest.mark.parametrize(("name", "query"), BEGINNINGS)
def test_the_key_that_serves_a_range_keeps_no_hash_of_it(name: str, query: Query) -> None:
    """What the fix leads to has no other fault left, in its own table and in a second one."""
    model = slices(query, name=name, most=30)
    (finding,) = found(model, "QRY001")
    assert finding.models
    for made in finding.models:
        assert all(part.derived is None for part in made.key.fields)
    grave = [one for one in review_all(finding.models) if one.level is not Level.INFO]
    assert [one.rule for one in grave] == []


def test_a_second_table_keeps_no_hash_either() -> None:
    """The first table keeps the one by which rows are found."""
    both = slices(Query("one", ("name",)), Query("suggest", (), starting="name"), name="name", most=700)
    (finding,) = found(both, "QRY001")
    *first, second = finding.models
    if first:
        assert first[0].key.fields[0].derived is not None
    assert all(part.derived is None for part in second.key.fields)


def test_a_hash_of_something_else_stays() -> None:
    """So does a salt."""
    model = slices(Query("q", (), starting="name"), name="study_uid")
    name = evolve(model.columns[1], name="name", codec=model.columns[0].codec)
    allow = {"KEY004": "the digest of the study is given by another program"}
    (finding,) = found(evolve(model, columns=(*model.columns, name), allow=allow), "QRY001")
    assert any(part.derived for part in finding.models[-1].key.fields)


class Ping(bt.Model, table="PING", events="8000/s"):
    """Positions of lorries."""

    id = bt.digest("lorry", "at")

    g = bt.family("g", gc=bt.max_age(days=14))
    lorry: str = bt.column("lorry", g, cardinality=25_000)
    at: datetime = bt.column("at", g)
    speed: float = bt.column("v", g)

    track = bt.query(scan="the map filters lorry and time, every 30 s")


def pings(reason: str, *, thing: str = "lorry", of: tuple[str, ...] = (), name: str = "track") -> ModelSchema:
    """Positions of things that are called so, hashed with their time, which a scan reads for this reason."""
    model = bt.schema_of(Ping)
    columns = tuple(evolve(one, name=thing) if one.name == "lorry" else one for one in model.columns)
    fields = tuple(
        evolve(part, derived=evolve(part.derived, of=of or (thing, "at"))) if part.derived else part
        for part in model.key.fields
    )
    key = evolve(model.key, fields=fields)
    return evolve(model, key=key, columns=columns, queries=(Query(name, (), scan=reason),))


PICKING = [
    (pings("the map filters lorry and time itself, every 30 s"), "lorry"),
    (pings("the dashboard picks a meter's last day", thing="meter"), "meter"),
    (pings("the app shows the readings of one sensor", thing="sensor", of=("at", "sensor")), "sensor"),
    (pings("each request looks through it for a vessel", thing="vessel"), "vessel"),
    (pings("users search by wallet", thing="wallet"), "wallet"),
    (pings("a page lists them, filtered in Python", thing="machine", name="of_machine"), "machine"),
    (pings("somebody looks at a screen", thing="bus"), "bus"),
]


@pytest.mark.parametrize(("model", "thing"), PICKING)
def test_a_scan_for_want_of_a_range_behind_a_hash_is_a_warning(model: ModelSchema, thing: str) -> None:
    """The readable key, and the query that reads a range of it, are the fix of the scan; nothing is found of these."""
    (finding,) = found(model, "QRY001")
    assert finding.level is Level.WARNING
    given = f'`{{{thing}}}#{{at}}`, with `{model.queries[0].name} = bt.query("{thing}", between="at")`'
    assert given in finding.fix
    ranged = narrowed(model, model.queries[0])
    assert ranged is not None
    assert [each for each in review_all([ranged[1]]) if each.level is not Level.INFO] == []


BATCHES = [
    pings("a nightly export to the lake"),
    pings("the monthly report of each lorry's way"),
    pings("a backup once a week"),
    pings("the training job reads everything"),
    evolve(pings("the map filters lorry and time"), events=Rate.parse("1/h")),
    evolve(pings("a dashboard"), events=None),
    evolve(pings("the map"), queries=(Query("at_once", ("lorry", "at")),)),
]


@pytest.mark.parametrize("model", BATCHES)
def test_a_scan_that_nobody_waits_for_may_read_hashed_rows(model: ModelSchema) -> None:
    """Nor is one of few rows a warning, or a query that gives all that is hashed."""
    assert found(model, "QRY001") == []
