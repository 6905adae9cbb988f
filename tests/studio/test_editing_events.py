"""Changing versions, events, entries with times and counters in the studio."""

import json
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any

import pytest

import btmodel as bt
from btmodel.declare import schema_of
from btmodel.rows import Cell, Mutation
from tests.studio.conftest import Opened, Running
from tests.studio.test_editing import fields
from tests.studio.test_studio_pages import sound

NAME = bt.Text(max_length=9)


class Kettle(bt.Model, table="kettle", bucket="day", lateness="30d"):
    """A day of a kettle, with a column of each kind that has times, and of each that is added to."""

    id: str = bt.key(NAME, cardinality=1_000)
    day: date = bt.key(bt.DateText())
    h = bt.family("h", gc=bt.max_versions(9))
    m = bt.family("m", gc=bt.max_versions(9))
    s = bt.family("s", gc=bt.max_versions(1))
    e = bt.family("e", gc=bt.max_versions(9))
    t = bt.family("t", gc=bt.max_versions(1))
    n = bt.family("n", gc=bt.max_versions(1))
    a = bt.family("a", aggregate="sum", gc=bt.keep_all())
    x = bt.family("x", aggregate="max", gc=bt.keep_all())
    heat: bt.History[int] = bt.history("h", h)
    pressed: bt.History[str] = bt.marks(m, NAME)
    watts: bt.Slots[int] = bt.slots(s, every="15min", qualifier="%H%M")
    prices: dict[str, bt.History[int]] = bt.histories(e, NAME)
    newest: dict[str, bt.Timed[int]] = bt.timed(t, NAME)
    owner: str | None = bt.column("o", n, default=None)
    clicks: int | None = bt.counter("c", a)
    votes: dict[str, int] = bt.counters(a, NAME, prefix="v:")
    best: int | None = bt.counter("b", x)


DAY = date(2026, 1, 5)
KEY = "k#20260105"


def at(hour: int) -> datetime:
    return datetime(2026, 1, 5, hour, tzinfo=UTC)


BEFORE: dict[str, Any] = {
    "heat": {at(1): 10, at(2): 20, at(3): 30},
    "pressed": {at(1): "on", at(2): "off"},
    "watts": {at(1): 100, at(2): 200},
    "prices": {"tea": bt.History({at(1): 1, at(2): 2}), "mate": bt.History({at(1): 5})},
    "newest": {"tea": bt.Timed(1, at(1)), "mate": bt.Timed(2, at(5))},
}
# What is there is changed, taken away, moved to another time and joined by more; the rest of it stays.
AFTER: dict[str, Any] = {
    "heat": {at(1): 10, at(2): 21, at(4): 40},
    "pressed": {at(2): "off", at(5): "on", at(6): "on"},
    "watts": {at(2): 201, at(3): 300},
    "prices": {"tea": bt.History({at(2): 2, at(3): 3}), "rum": bt.History({at(9): 9})},
    "newest": {"tea": bt.Timed(1, at(1)), "mate": bt.Timed(3, at(4))},
}


@pytest.fixture
def studio(opened: Opened) -> Running:
    """A studio with the day of one kettle, a cell that no column knows, and counters that stand at something."""
    made = opened(Kettle, edit=True)
    rows = made.studio.repository(Kettle, {})
    rows.put(Kettle(id="k", day=DAY, owner="Ada", **BEFORE))
    made.studio.db.write(Mutation("kettle", KEY.encode(), cells=(Cell("n", b"else", 5_000, b"kept"),)))
    rows.edit(KEY.encode(), [])._add({"clicks": 7, "votes": {"tea": 2}, "best": 5}).apply()
    return made


def kettle(studio: Running) -> Kettle:
    row = studio.studio.repository(Kettle, {}).of_key(KEY.encode())
    assert isinstance(row, Kettle)
    return row


def cells(studio: Running) -> set[Cell]:
    return {cell for _, some in studio.studio.db.cells("kettle", KEY.encode()) for cell in some}


def changed(studio: Running, **texts: str) -> tuple[int, str]:
    """Send the form of the row with other texts."""
    data = fields(sound(studio.get("/models/Kettle/edit", key=KEY).text))
    data |= {f"value.{name}": text for name, text in texts.items()}
    answer = studio.post("/models/Kettle/edit", data, key=KEY)
    return answer.status_code, answer.headers.get("location", "") or unescape(sound(answer.text))


@pytest.mark.parametrize("name", AFTER)
def test_a_column_with_times_becomes_what_the_form_says(studio: Running, name: str) -> None:
    """Its cells that are the same stay, those that are gone are deleted, others are written, and nothing else is touched."""
    before = cells(studio)
    row = kettle(studio)
    text = json.dumps(bt.to_dict(bt.replace(row, **{name: AFTER[name]}), json=True)[name])
    status, answer = changed(studio, **{name: text})
    assert status == 303, answer
    assert kettle(studio) == bt.replace(row, **{name: AFTER[name]})
    [family] = {column.family for column in schema_of(Kettle).columns if column.name == name}
    assert {cell for cell in before if cell.family != family} == {
        cell for cell in cells(studio) if cell.family != family
    }
    kept = {at(1), at(2)} if name == "heat" else set()
    assert {cell.time for cell in cells(studio) & before if cell.family == "h"} >= kept - {at(2)}


@pytest.mark.parametrize("name", AFTER)
def test_all_of_a_column_with_times_is_taken_away(studio: Running, name: str) -> None:
    """An empty object leaves none of its cells."""
    status, answer = changed(studio, **{name: "{}"})
    assert status == 303, answer
    assert not getattr(kettle(studio), name)


def test_a_form_that_changes_nothing_writes_nothing(studio: Running) -> None:
    """What the form shows of every column is what it reads back."""
    before = cells(studio)
    assert "Nothing was changed" in changed(studio)[1].replace("+", " ")
    assert cells(studio) == before


def test_an_event_outside_of_the_bucket_is_refused(studio: Running) -> None:
    """It belongs to another row, and the form says so at its input."""
    before = cells(studio)
    text = json.dumps({(at(1) + timedelta(days=1)).isoformat(): 5})
    status, page = changed(studio, watts=text)
    assert status == 400
    assert "2026-01-06" in page
    assert cells(studio) == before


def test_counters_are_added_to(studio: Running) -> None:
    """An amount is added to a sum and to its entries, and offered to a maximum; nothing typed adds nothing."""
    status, answer = changed(studio, clicks="3", votes='{"tea": 1, "rum": 4}', best="4")
    assert status == 303, answer
    row = kettle(studio)
    assert (row.clicks, row.votes, row.best) == (10, {"tea": 3, "rum": 4}, 5)
    assert "Nothing" in changed(studio)[1]
    assert kettle(studio) == row
    assert changed(studio, clicks="-12")[0] == 303
    assert kettle(studio).clicks == -2


@pytest.mark.parametrize(
    ("name", "text"),
    [("clicks", "many"), ("clicks", "1.5"), ("votes", "4"), ("votes", '{"a": "b"}'), ("heat", "[1]")],
)  # fmt: skip
def test_a_wrong_amount_is_said_at_its_input(studio: Running, name: str, text: str) -> None:
    """Nothing is written, and the page says what is expected."""
    before = cells(studio)
    status, page = changed(studio, **{name: text, "owner": "Eve"})
    assert status == 400
    assert "expected" in page
    assert f'name="value.{name}"' in page.partition('aria-invalid="true"')[0].splitlines()[-1]
    assert cells(studio) == before


def test_a_counter_that_runs_does_not_close_the_form(studio: Running) -> None:
    """What others add while a form is shown is no reason to refuse it; what they write is one."""
    data = fields(studio.get("/models/Kettle/edit", key=KEY).text) | {"value.owner": "Eve"}
    rows = studio.studio.repository(Kettle, {})
    rows.edit(KEY.encode(), [])._add({"clicks": 1}).apply()
    assert studio.post("/models/Kettle/edit", data, key=KEY).status_code == 303
    assert (kettle(studio).owner, kettle(studio).clicks) == ("Eve", 8)
    data = fields(studio.get("/models/Kettle/edit", key=KEY).text) | {"value.clicks": "1"}
    rows.put(Kettle(id="k", day=DAY, heat={at(7): 1}))
    assert "has changed since" in studio.post("/models/Kettle/edit", data, key=KEY).text


class Site(bt.Model, table="site"):
    """A row with a number for each hour."""

    id: str = bt.key(NAME, cardinality=1_000)
    a = bt.family("a", aggregate="sum", gc=bt.max_age(days=1))
    hits: bt.History[int] = bt.counter("p", a, every="1h")


def test_a_counter_of_spans_is_added_to_in_the_present_one(opened: Opened) -> None:
    """An amount is added to the span of now, and what is no amount is refused."""
    studio = opened(Site, edit=True)
    rows = studio.studio.repository(Site, {})
    rows.edit(b"a", [])._add({"hits": 1}).apply()
    data = fields(sound(studio.get("/models/Site/edit", key="a").text))
    assert studio.post("/models/Site/edit", data | {"value.hits": "6"}, key="a").status_code == 303
    row: Any = rows.of_key(b"a")
    assert row.hits.total == 7
    assert datetime.now(UTC) - max(row.hits) < timedelta(hours=1, minutes=1)
    assert studio.post("/models/Site/edit", data | {"value.hits": "{}"}, key="a").status_code == 400


class Note(bt.Model, table="note"):
    """A row whose time lies in the timestamps of its cells."""

    id: str = bt.key(NAME, cardinality=1_000)
    f = bt.family("f", gc=bt.max_versions(1))
    g = bt.family("g", gc=bt.max_versions(9))
    text: str = bt.column("t", f)
    tags: set[str] = bt.members(f, NAME, prefix="t:")
    heat: bt.History[int] = bt.history("h", g)
    written: datetime = bt.timestamp()


def test_a_row_keeps_its_own_time(opened: Opened) -> None:
    """A change of a row that has a time of its own is written with that time."""
    studio = opened(Note, edit=True)
    rows = studio.studio.repository(Note, {})
    rows.put(Note(id="a", text="x", tags={"u"}, heat={at(1): 1}, written=at(2)))
    for name, text in (("text", "y"), ("heat", "{}"), ("tags", '["v"]')):
        data = fields(sound(studio.get("/models/Note/edit", key="a").text)) | {f"value.{name}": text}
        answer = studio.post("/models/Note/edit", data, key="a")
        assert answer.status_code == 303, answer.text
    assert rows.of_key(b"a") == Note(id="a", text="y", tags={"v"}, heat={}, written=at(2))


class Token(bt.Model, table="token"):
    """A row that ends, as a whole."""

    id: str = bt.key(NAME, cardinality=1_000)
    f = bt.family("f", gc=bt.max_age(milliseconds=1))
    text: str = bt.column("t", f)
    until: datetime = bt.expires()


def test_a_row_that_ends_is_locked(opened: Opened) -> None:
    """Its cells end together, so a form of some of them could not be written: it says what can."""
    studio = opened(Token, edit=True)
    studio.studio.repository(Token, {}).put(Token(id="a", text="x", until=datetime(2090, 1, 1, tzinfo=UTC)))
    page = sound(studio.get("/models/Token/edit", key="a").text)
    assert 'name="value.' not in page
    assert "ends as a whole" in page
