"""The pages of the studio: what they show of a real instance, and of hostile bytes in it."""

import re
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from html import unescape
from http.client import HTTPConnection
from importlib import import_module
from pathlib import Path

import html5lib
import pytest
from attrs import evolve
from hypothesis import Phase, find, settings

import btmodel as bt
from btmodel import schema_of
from btmodel.client.target import Target
from btmodel.migrate.revisions.folder import read_folder
from btmodel.rows import Cell, Mutation, RowRange
from btmodel.schema import Query
from btmodel.schema.table import named_tables
from btmodel.settings import read
from btmodel.studio.browsing import MOST_CELLS, _parts_read
from btmodel.studio.overview import _pattern
from btmodel.studio.row import PAGE
from btmodel.studio.state import Studio
from btmodel.testing import instances
from btmodel.words import as_text
from examples.battery import SaltedBattery
from examples.flights import AirportDeparture
from examples.generated.quote_repository import QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes
from examples.meters import SensorOfDay
from examples.views.arrivals import FlightTo
from examples.weather import WeatherDay
from tests.studio.conftest import Opened, Running, running

ROOT = Path(__file__).parents[2]
SCRIPT = (
    b"<script>document.title='x'</script><img src=x onerror=alert(1)>\"'`\x1b]0;x\x07\xe2\x80\xae\xff\x00"
)


def keys_on(page: str) -> list[str]:
    """The row keys of a page, which are links to their rows."""
    return [unescape(one) for one in re.findall(r'/row\?[^"]*"><code class="long">([^<]*)', page)]


def links(page: str, rel: str) -> list[str]:
    """The address behind a link to another page of rows."""
    return [unescape(one) for one in re.findall(rf'rel="{rel}" href="([^"]*)"', page)]


def sound(page: str) -> str:
    """The page, once it is known to be well-formed HTML without hidden characters."""
    assert not [one for one in page if one != "\n" and not one.isprintable()]
    html5lib.HTMLParser(strict=True).parse(page)
    return page


@pytest.fixture
def studio(opened: Opened) -> Running:
    """A studio of a table with 60 quotes."""
    made = opened(Quote)
    QuoteRepository(made.studio.db).put_many(made_up_quotes(60))
    return made


def put(studio: Running, table: str, key: bytes, *cells: Cell) -> None:
    studio.studio.db.write(Mutation(table, key, cells=cells))


def test_home_shows_models_beside_the_instance(opened: Opened) -> None:
    """A table is as declared, missing, different, or without a model; each is said of its families, too."""
    studio = opened(Quote, WeatherDay, tables=(Quote,))
    from btmodel.schema import Family, MaxVersions, Table

    studio.studio.admin.create_table(Table("stranger", (Family("f", MaxVersions(3)),)))
    page = sound(studio.get("/").text)
    found = dict(re.findall(r'<a href="/tables/([^"]+)">[^<]+</a>\s*<span class="badge \w+">([^<]+)', page))
    assert found == {"QUOTE": "as declared", "weather_day": "missing", "stranger": "no model"}
    studio.studio.admin.modify_families("QUOTE", update=[Family("MD", MaxVersions(7))])
    assert "differs" in studio.get("/").text
    assert "the newest 7 versions" in studio.get("/").text


def test_home_shows_what_a_table_has_beside_its_families(opened: Opened) -> None:
    """An authorized view is as declared, or missing; one that nothing declares is shown, too."""

    class Tenants(
        bt.Model, table=bt.table("TENANTS", authorized_views=[bt.authorized_view("ACME")]), events="1/s"
    ):
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=100)
        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

    studio = opened(Tenants)

    def shown() -> dict[str, str]:
        page = sound(studio.get("/").text)
        return dict(re.findall(r'authorized view <code>(\w+)</code> <span class="badge \w+">([^<]+)', page))

    assert shown() == {"ACME": "as declared"}
    [view] = bt.schema_of(Tenants).authorized
    studio.studio.admin.create_part("TENANTS", evolve(view, id="OTHER"))
    studio.studio.admin.delete_part("TENANTS", view)
    assert shown() == {"ACME": "missing", "OTHER": "as declared"}


def test_pages_of_rows_follow_one_another_both_ways(studio: Running) -> None:
    """Next and previous lead through all rows in the order of their keys, and back."""
    every = [as_text(key) for key, _ in studio.studio.db.cells("QUOTE")]
    first = sound(studio.get("/models/Quote").text)
    assert keys_on(first) == every[:25]
    assert links(first, "prev") == []
    second = studio.client.get(links(first, "next")[0]).text
    assert keys_on(second) == every[25:50]
    last = studio.client.get(links(second, "next")[0]).text
    assert keys_on(last) == every[50:]
    assert links(last, "next") == []
    back = studio.client.get(links(last, "prev")[0]).text
    assert keys_on(back) == every[25:50]
    assert keys_on(studio.client.get(links(back, "prev")[0]).text) == every[:25]
    assert keys_on(studio.get("/models/Quote", newest="yes").text) == every[:-26:-1]


def test_a_declared_query_is_a_form(studio: Running) -> None:
    """It reads just the rows that a repository reads, says what it reads, and measures it when asked."""
    empty = sound(studio.get("/models/Quote", query="by_symbol").text)
    assert "Fill in the form" in empty
    assert keys_on(empty) == []
    asked = {"query": "by_symbol", "is.exchange": "NYSE", "is.symbol": "IBM"}
    repository = QuoteRepository(studio.studio.db)
    wanted = list(repository.by_symbol("NYSE", "IBM").keys())
    page = sound(studio.get("/models/Quote", **asked, rows="100").text)
    assert len(keys_on(page)) == len(wanted) == 30
    assert "NYSE  #IBM  #" in page
    start, end = wanted[3].quote_time, wanted[7].quote_time
    ranged = {**asked, "from.quote_time": start.isoformat(), "until.quote_time": end.isoformat()}
    assert len(keys_on(studio.get("/models/Quote", **ranged).text)) == 4
    measured = studio.get("/models/Quote", **asked, measure="yes").text
    assert "Read 30 rows" in measured
    assert "in one part" in measured


@pytest.mark.parametrize(
    ("terms", "count"),
    [
        ({"key.exchange": "NYSE"}, 30),
        ({"key.exchange": "NYSE", "key.symbol": "I*"}, 30),
        ({"key.exchange": "NYSE", "key.symbol": "IBM", "key.quote_time": QUOTE_TIME.isoformat()}, 0),
        ({"key.exchange": "NYSE", "key.symbol": "IBM", "key.quote_time": "2015-03-16.."}, 30),
        ({"key.exchange": "NONE"}, 0),
    ],
)
def test_a_key_a_prefix_or_a_range(studio: Running, terms: dict[str, str], count: int) -> None:
    """The fields of the key are typed as for `btmodel rows`."""
    page = sound(studio.get("/models/Quote", query="key", rows="100", **terms).text)
    assert len(keys_on(page)) == count


@pytest.mark.parametrize(
    ("query", "at", "said"),
    [
        ({"query": "by_symbol", "is.exchange": "LONGEREXCHANGE", "is.symbol": "IBM"}, "is.exchange", "expected"),
        ({"query": "by_symbol", "is.exchange": "NYSE", "is.symbol": "IBM", "from.quote_time": "yesterday"}, "from.quote_time", "a time"),
        ({"query": "by_symbol", "is.exchange": "NYSE"}, "is.symbol", "expected"),
        ({"query": "key", "key.symbol": "IBM"}, "", "the key does not serve"),
        ({"after": "not a key of it", "query": "by_symbol", "is.exchange": "NYSE", "is.symbol": "IBM"}, "", "expected a key"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_said_at_its_input(
    studio: Running, query: dict[str, str], at: str, said: str
) -> None:
    """The form comes back with what was typed, and the error stands at the input that it is about."""
    answer = studio.get("/models/Quote", **query)
    assert answer.status_code == 400
    page = sound(answer.text)
    wrong = re.findall(r'name="([^"]+)"[^>]*aria-invalid="true"', page)
    assert wrong == ([at] if at else [])
    assert said in page
    for value in query.values():
        assert value in page


def test_a_row_is_shown_whole(studio: Running) -> None:
    """Its key taken apart, its values, every version of every cell, those that no column knows, and bytes in hexadecimal."""
    key, _ = next(iter(studio.studio.db.cells("QUOTE")))
    put(studio, "QUOTE", key, Cell("MD", b"NEWS", 7_000, b"\x01\xfe"), Cell("MD", b"NEWS", 5_000, b"old"))
    page = sound(studio.get("/models/Quote/row", key=as_text(key)).text)
    for text in (
        "quote_time",
        "13 digits: milliseconds since 1970",
        "2015-03-16 19:53:32.156",
        "MD:BID, decimal text",
    ):
        assert text in page
    assert page.count("MD:NEWS</code>") == 2
    assert "not declared" in page
    assert "01 fe" in page
    assert "1970-01-01 00:00:00.007" in page
    assert studio.get("/models/Quote/row", key="NYSE  #NONE #1426535612156").status_code == 404


def test_a_value_is_downloaded_as_it_is(studio: Running) -> None:
    """A large value is cut on the page, and whole behind its link, as bytes that no browser shows."""
    key, large = b"NYSE  #IBM  #1426535612400", bytes(range(256)) * 4_096
    put(studio, "QUOTE", key, Cell("MD", b"\x00<big>", 5_000, large), Cell("MD", b"BID", 5_000, b"1.5"))
    page = sound(studio.get("/models/Quote/row", key=as_text(key)).text)
    assert len(page) < 60_000
    assert "1,048,576 bytes" in page
    (address,) = [one for one in re.findall(r'href="(/tables/QUOTE/value[^"]*)"', page) if "big" in one]
    answer = studio.client.get(unescape(address))
    assert answer.content == large
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert (
        studio.get(
            "/tables/QUOTE/value", key=as_text(key), family="MD", qualifier="none", time="5000"
        ).status_code
        == 404
    )


@pytest.mark.parametrize("key", [SCRIPT, b"\xff\xfe", b"a/../b?c#d&e=f%00 +", b"NYSE  #" + SCRIPT[:5]])
def test_bytes_never_become_html(studio: Running, key: bytes) -> None:
    """Keys, qualifiers and values that are markup, controls or no text are shown as text on every page, and their links lead to them."""
    put(studio, "QUOTE", key, Cell("MD", SCRIPT, 5_000, SCRIPT), Cell("MD", b"BID", 5_000, SCRIPT))
    rows = sound(studio.get("/models/Quote", rows="100").text)
    raw = sound(studio.get("/tables/QUOTE", prefix=as_text(key)).text)
    (address,) = [unescape(one) for one in re.findall(r'href="(/tables/QUOTE/row[^"]*)"', raw)]
    pages = [rows, raw, sound(studio.client.get(address).text)]
    pages.append(sound(studio.get("/models/Quote/row", key=as_text(key)).text))
    for page in pages:
        assert "<img" not in page
        assert page.count("<script") == 1
    assert as_text(SCRIPT)[:30] in unescape(pages[2])
    assert "problem" in rows


@pytest.mark.parametrize(
    "path",
    [
        "/models/Quote/<script>",
        "/models/<script>alert(1)<",
        "/tables/<script>",
        "/models/Quote?query=<script>",
        "/models/Quote?query=key&key.exchange=<script>toolongtofit",
    ],
)
def test_addresses_never_become_html(studio: Running, path: str) -> None:
    """What stands in an address is refused, and quoted."""
    answer = studio.client.get(path)
    assert answer.status_code in (400, 404)
    assert sound(answer.text).count("<script") == 1


def test_a_row_of_very_many_cells(opened: Opened) -> None:
    """It is shown in parts, does not stop the page of rows, and each part leads to the next."""
    studio = opened(Quote)
    key = Quote.row_key(exchange="NYSE", symbol="IBM", quote_time=QUOTE_TIME)
    count = 20_000
    for begin in range(0, count, 10_000):
        put(
            studio,
            "QUOTE",
            key,
            *(Cell("MD", b"c%06d" % at, 5_000, b"v") for at in range(begin, begin + 10_000)),
        )
    rows = sound(studio.get("/models/Quote").text)
    assert f"more than {MOST_CELLS:,} cells" in rows
    first = sound(studio.get("/models/Quote/row", key=as_text(key)).text)
    assert first.count("MD:c") >= PAGE
    assert "MD:c000500" not in first
    assert "in parts" in first
    second = studio.client.get(links(first, "next")[0]).text
    assert "MD:c000500" in second
    assert "MD:c000499" not in second
    assert "MD:c000000" in studio.client.get(links(second, "prev")[0]).text


def test_a_page_of_large_rows_ends_early(opened: Opened) -> None:
    """A page holds so many bytes, says so, and leads on."""
    studio = opened(Quote)
    for quote in made_up_quotes(12):
        key = Quote.row_key(exchange=quote.exchange, symbol=quote.symbol, quote_time=quote.quote_time)
        put(studio, "QUOTE", key, Cell("MD", b"X", 5_000, b"x" * 3_000_000), Cell("MD", b"BID", 5_000, b"1"))
    page = sound(studio.get("/models/Quote").text)
    assert "ends early" in page
    shown = keys_on(page)
    assert 0 < len(shown) < 12
    following = keys_on(studio.client.get(links(page, "next")[0]).text)
    assert following[0] == as_text([key for key, _ in studio.studio.db.cells("QUOTE")][len(shown)])


def test_a_table_named_at_run_time(opened: Opened) -> None:
    """Its parameters are asked for first, and go along with every link."""
    studio = opened(SensorOfDay, tables=())
    name, *others = SensorOfDay.__schema__.parameters
    assert others == []
    page = sound(studio.get("/models/SensorOfDay").text)
    assert "completed at run time" in page
    answer = studio.get("/models/SensorOfDay", **{f"of.{name}": "5"})
    assert answer.status_code == 404
    assert "no such table" in answer.text
    assert "btmodel migrate" in answer.text


def test_models_of_one_name_keep_apart(opened: Opened) -> None:
    """Two classes of one name are called with their modules."""

    def made(table_id: str) -> type[bt.Model]:
        class Note(bt.Model, table=table_id):
            id: str = bt.key(bt.Text(max_length=9))
            f = bt.family("f", gc=bt.max_versions(1))
            text: str = bt.column("t", f)

        return Note

    one, other = made("one"), made("other")
    other.__module__ = "elsewhere"
    studio = opened(one, other)
    assert set(studio.studio.models) == {f"{__name__}.Note", "elsewhere.Note"}
    assert studio.get("/models/elsewhere.Note").status_code == 200


def test_without_models_tables_are_shown_as_they_are_stored(opened: Opened) -> None:
    """A project without models has tables, rows and cells all the same."""
    studio = opened(tables=(Quote,))
    QuoteRepository(studio.studio.db).put_many(made_up_quotes(30))
    assert "no model" in sound(studio.get("/").text)
    first = sound(studio.get("/tables/QUOTE").text)
    second = studio.client.get(links(first, "next")[0]).text
    assert len(keys_on(first) + keys_on(second)) == 30
    assert studio.get("/tables/none").status_code == 404
    assert "nothing to compare" in sound(studio.get("/migrations").text)


def test_an_instance_that_does_not_answer(gone: Target) -> None:
    """Home shows the models and why nothing else; other pages say what to check. Pages without the instance work."""
    target = gone
    with running(Studio(target, "far", (Quote,))) as studio:
        home = studio.get("/")
        assert home.status_code == 200
        assert "does not answer" in sound(home.text)
        assert "quote_time" in home.text
        assert "not known" in home.text
        studio.studio.__dict__["_db"] = studio.studio.db.with_options(deadline=1.0)
        for path in ("/models/Quote", "/migrations", "/tables/QUOTE"):
            answer = studio.get(path)
            assert answer.status_code == 502
            assert "does not answer" in sound(answer.text)
        assert studio.get("/models/Quote/schema").status_code == 200
        assert studio.get("/models/Quote/load").status_code == 200


def test_the_schema_and_the_review(studio: Running) -> None:
    """The page of a model has its key, columns, queries and sizes as `btmodel show` has them."""
    page = sound(studio.get("/models/Quote/schema").text)
    for text in (
        "13 digits: milliseconds since 1970",
        "the newest version",
        "MD:BIDSIZE",
        "by_symbol",
        "Nothing is found",
    ):
        assert text in page


def test_the_load_of_a_model(studio: Running) -> None:
    """The simulation says a sentence and draws its heat map; the local server does not tell hot tablets, and that is said."""
    page = sound(studio.get("/models/Quote/load", **{"for": "1h", "nodes": "4"}).text)
    assert "4 nodes" in page
    assert "does not report hot tablets" in page
    (address,) = re.findall(r'<iframe[^>]*src="([^"]*)"', page)
    picture = studio.client.get(unescape(address))
    assert picture.status_code == 200
    assert "<canvas" in picture.text
    assert "script-src 'sha256-" in picture.text
    assert "frame-ancestors 'self'" in picture.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("given", "said"),
    [({"for": "soon"}, "for: "), ({"nodes": "0"}, "nodes: expected"), ({"for": "100000d"}, "up to a year")],
)
def test_a_simulation_that_cannot_be(studio: Running, given: dict[str, str], said: str) -> None:
    """What is wrong with the form is said on the page."""
    assert said in sound(studio.get("/models/Quote/load", **given).text)


def test_a_model_without_estimates_says_what_a_simulation_needs(opened: Opened) -> None:
    """It names the estimates that are not declared."""

    class Bare(bt.Model, table="bare"):
        id: str = bt.key(bt.Text(max_length=9))
        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f)

    page = sound(opened(Bare).get("/models/Bare/load").text)
    assert "declare events=" in page
    assert "<iframe" not in page


def test_pending_migrations(opened: Opened) -> None:
    """Without revisions, the plan is shown as `btmodel migrate plan` has it."""
    studio = opened(Quote, WeatherDay, tables=(Quote,))
    page = sound(studio.get("/migrations").text)
    assert "create-table:weather_day" in page
    done = opened(Quote)
    assert (
        "Nothing to do" in sound(done.get("/migrations").text)
        or "othing to do" in done.get("/migrations").text
    )


def test_a_history_and_events_are_shown(opened: Opened) -> None:
    """Columns of many values are text of their JSON, and each version is a cell."""
    from examples.generated.weather_day_repository import WeatherDayRepository

    studio = opened(WeatherDay)
    start = QUOTE_TIME.replace(hour=0, minute=0, second=0, microsecond=0)
    repository = WeatherDayRepository(studio.studio.db)
    times: Sequence[timedelta] = [timedelta(hours=at) for at in range(3)]
    name = next(one.name for one in WeatherDay.__schema__.columns if one.shape.versioned)
    for at, time in enumerate(times):
        repository.append(station="JFK", at=start + time, **{name: 20.5 + at})  # type: ignore[arg-type]
    page = sound(studio.get("/models/WeatherDay").text)
    assert "JFK" in page
    (key,) = keys_on(page)
    row = sound(studio.get("/models/WeatherDay/row", key=key).text)
    assert "22.5" in row
    assert row.count('<td data-label="timestamp"') == 3


def test_every_model_of_the_examples_has_pages(opened: Opened) -> None:
    """Whatever a model declares, its rows, its schema, its load and its forms are shown."""
    names = read(ROOT).models
    models = {one for name in names for one in vars(import_module(name)).values() if isinstance(one, type)}
    declared = [
        one
        for one in models
        if issubclass(one, bt.Model) and "__schema__" in vars(one) and one.__module__ in names
    ]
    studio = opened(
        *declared, tables=tuple(one for one in declared if not schema_of(one).parameters), edit=True
    )
    assert len(studio.studio.models) > 40
    for name, schema in studio.studio.schemas.items():
        given = {f"of.{one}": "5d" if "ttl" in one else "5" for one in schema.parameters}
        wanted = {"": 404 if given else 200, "/schema": 200, "/new": 400 if schema.view else 200}
        for page, status in wanted.items():
            answer = studio.get(f"/models/{name}{page}", **given)
            assert (name, page, answer.status_code) == (name, page, status)
            sound(answer.text)
        for query in schema.queries:
            answer = studio.get(f"/models/{name}", query=query.name, **given)
            assert (name, query.name, answer.status_code in (200, 404)) == (name, query.name, True)
    sound(studio.get("/").text)


@pytest.mark.parametrize(
    "query",
    [{}, {"newest": "yes"}, {"query": "in_time"}, {"query": "key", "key.at": "2026-01-05..2026-01-06"}],
    ids=str,
)
def test_rows_of_a_salted_table_follow_one_another(opened: Opened, query: dict[str, str]) -> None:
    """In the order that a repository gives, forwards and back, though their keys are scattered."""
    studio = opened(SaltedBattery)
    repository = studio.studio.repository(SaltedBattery, {})
    start = datetime(2026, 1, 5, tzinfo=UTC)
    for at in range(70):
        repository.put(SaltedBattery(user=f"u{at % 7}", at=start + timedelta(seconds=at), percentage=at))
    if query.get("query"):
        asked = repository.ask(Query("all", (), "at"), {"at": (start, start + timedelta(days=1))})
    else:
        asked = repository.all().backwards() if query else repository.all()
    every = [as_text(key) for key, _, _ in asked.stored()]
    assert len(every) == 70
    pages = [studio.get("/models/SaltedBattery", **query).text]
    while following := links(pages[-1], "next"):
        pages.append(studio.client.get(following[0]).text)
    assert [key for page in pages for key in keys_on(page)] == every
    back = studio.client.get(links(pages[-1], "prev")[0]).text
    assert keys_on(back) == keys_on(pages[-2])


def test_tables_in_parts_say_how_many_a_read_touches() -> None:
    """By the keys that end the parts, the last of which has no end."""
    ends = [b"b", b"m", b""]
    cases = {
        (b"a", b"aa"): 1,
        (b"a", b"c"): 2,
        (b"", b""): 3,
        (b"m", b""): 1,
        (b"b", b"m"): 1,
        (b"z", b""): 1,
        (b"a", b"b"): 1,
    }
    for (start, end), touched in cases.items():
        assert (start, end, _parts_read([RowRange(start, end)], ends)) == (start, end, touched)
    assert _parts_read([RowRange(b"a", b"aa"), RowRange(b"n", b"o")], ends) == 2
    assert _parts_read([], ends) == 0


def test_an_index_is_read_only_and_beside_its_table(opened: Opened) -> None:
    """Its rows are shown and never changed, and home shows it with the table that it is of."""
    studio = opened(AirportDeparture, FlightTo, edit=True)
    home = sound(studio.get("/").text)
    assert "flight_to" in home
    assert ">index<" in home
    page = sound(studio.get("/models/FlightTo").text)
    assert "New row" not in page
    answer = studio.get("/models/FlightTo/new")
    assert answer.status_code == 400
    assert "view are read only" in answer.text
    assert studio.post("/models/FlightTo/delete", key="x").status_code == 400


def test_rows_are_filtered_by_a_column(studio: Running) -> None:
    """By a value as it is typed for `--where`, in any query; a wrong value or column is said."""
    quotes = QuoteRepository(studio.studio.db)
    one = quotes.by_symbol("NYSE", "IBM").first()
    assert one is not None
    wanted = len(list(quotes.by_symbol("NYSE", "IBM").where(bid_size=one.bid_size)))
    asked = {"query": "by_symbol", "is.exchange": "NYSE", "is.symbol": "IBM", "where": "bid_size"}
    page = sound(studio.get("/models/Quote", **asked, equals=str(one.bid_size)).text)
    assert 0 < wanted < 25
    assert len(keys_on(page)) == wanted
    assert studio.get("/models/Quote", **asked, equals="many").status_code == 400
    assert "has no column" in studio.get("/models/Quote", where="nothing", equals="1").text
    assert len(keys_on(studio.get("/models/Quote", where="bid", equals="null").text)) == 0


def test_tables_that_were_named_at_run_time_lead_to_their_model(opened: Opened) -> None:
    """Home finds the model whose pattern fits, and its rows are shown and linked with the parameters."""
    studio = opened(SensorOfDay, tables=())
    [made] = named_tables([schema_of(SensorOfDay)], {"day": "5"})
    studio.studio.admin.create_table(made)
    (address,) = re.findall(r'A table of <a href="([^"]+)"', sound(studio.get("/").text))
    repository = studio.studio.repository(SensorOfDay, {"day": "5"})
    # Any row: to look for a small one takes longer than all else here.
    repository.put(find(instances(SensorOfDay), lambda _: True, settings=settings(phases=[Phase.generate])))
    page = sound(studio.client.get(unescape(address)).text)
    (key,) = keys_on(page)
    (to,) = re.findall(r'href="(/models/SensorOfDay/row[^"]*)"', page)
    assert "Cells" in studio.client.get(unescape(to)).text
    assert key


@pytest.mark.parametrize(
    ("template", "id", "found"),
    [
        ("S_{day}", "S_5", {"day": "5"}),
        ("{tenant}_log_{day}", "a.b_log_5", {"tenant": "a.b", "day": "5"}),
        ("{day}_{day}", "5_5", {"day": "5"}),
        ("{day}_{day}", "5_6", None),
        ("S.{day}", "Sx5", None),
        ("S_{day}", "S_", None),
    ],
)
def test_the_ids_that_complete_a_template(template: str, id: str, found: dict[str, str] | None) -> None:
    """Other characters of it stand for themselves, and one name has one value."""
    match = re.fullmatch(_pattern(template), id)
    assert (match and match.groupdict()) == found


def test_revisions_are_listed_with_their_state(opened: Opened) -> None:
    """With revisions, the page lists each as `btmodel migrate status` does, and which are pending."""
    folder = ROOT / "migrations"
    ids = [*read_folder(folder).revisions]
    studio = opened(Quote, tables=(), revisions=folder)
    page = sound(studio.get("/migrations").text)
    assert f"Revisions: {len(ids)} pending" in page
    assert (
        re.findall(
            r'<th scope="row"><code class="long">([^<]+)</code></th><td data-label="state"><span>\s*<span class="badge warning">pending',
            page,
        )
        == ids
    )
    assert "create-table:QUOTE" in page
    assert "Nothing is applied from here" in page


def test_the_longest_names_are_followed(studio: Running) -> None:
    """A key of 4,096 bytes and a qualifier of 16,384, none of them text, have addresses all the same."""
    key, qualifier = b"\xff" * 4_096, b"\x00" * 16_384
    put(studio, "QUOTE", key, Cell("MD", qualifier, 5_000, b"here"))
    page = sound(studio.get("/tables/QUOTE", prefix="\\xff").text)
    (address,) = [unescape(one) for one in re.findall(r'href="(/tables/QUOTE/row[^"]*)"', page)]
    row = sound(studio.client.get(address).text)
    (value,) = [unescape(one) for one in re.findall(r'href="(/tables/QUOTE/value[^"]*)"', row)]
    cookie = f"btmodel-studio-{studio.port}={studio.secrets.session}"
    # The client above takes no address of this length.
    with closing(HTTPConnection("127.0.0.1", studio.port)) as connection:
        connection.request("GET", value, headers={"cookie": cookie, "connection": "close"})
        assert connection.getresponse().read() == b"here"
