"""Changing rows in the studio: validation by the model, confirmation, and nothing but what was changed."""

import re
from html import unescape

import pytest

import btmodel as bt
from btmodel.declare import twins_in
from btmodel.rows import Cell, Mutation
from btmodel.words import as_text
from examples.flights import AircraftFlight, AirportDeparture
from examples.generated.quote_repository import QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes
from tests.studio.conftest import Opened, Running
from tests.studio.test_studio_pages import sound


class Person(bt.Model, table="person"):
    """A column of each kind that a form changes."""

    id: str = bt.key(bt.Text(max_length=9), cardinality=1_000)
    f = bt.family("f", gc=bt.max_versions(3))
    g = bt.family("g", gc=bt.max_versions(1))
    h = bt.family("h", gc=bt.max_versions(1))
    name: str = bt.column("n", f)
    note: str | None = bt.column("t", f, default=None)
    age: int | None = bt.column("a", f, default=None)
    scores: dict[str, int] = bt.mapping(g, bt.Text(max_length=9))
    tags: set[str] = bt.members(h, bt.Text(max_length=9))


KEY = "ada"


@pytest.fixture
def studio(opened: Opened) -> Running:
    """A studio with one person, and a cell that no column knows."""
    made = opened(Person, edit=True)
    ada = Person(id=KEY, name="Ada", note="two\nlines", age=36, scores={"a": 1, "b": 2}, tags={"x", "y"})
    made.studio.repository(Person, {}).put(ada)
    made.studio.db.write(Mutation("person", b"ada", cells=(Cell("f", b"else", 5_000, b"kept"),)))
    return made


def fields(page: str) -> dict[str, str]:
    """What a browser would send of a form as it is shown."""
    sent = {}
    for tag in re.findall(r"<input[^>]*>", page):
        found = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        if found.get("type") != "checkbox" or re.search(r"\bchecked\b", tag):
            sent[found["name"]] = found.get("value", "")
    for name, text in re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>', page, re.S):
        sent[name] = unescape(text).replace("\n", "\r\n")
    sent.pop("contents", None)
    return sent


def cells(studio: Running) -> dict[tuple[str, bytes], list[bytes]]:
    found: dict[tuple[str, bytes], list[bytes]] = {}
    for _, some in studio.studio.db.cells("person", b"ada"):
        for cell in some:
            found.setdefault(cell[:2], []).append(cell.value)
    return found


def changed(studio: Running, **texts: str | None) -> tuple[int, str]:
    """Send the form of the row with other texts; None unticks that an attribute has a value."""
    page = sound(studio.get("/models/Person/edit", key=KEY).text)
    data = fields(page)
    for name, text in texts.items():
        if text is None:
            data.pop(f"there.{name}")
        else:
            data |= {f"value.{name}": text, f"there.{name}": "yes"}
    answer = studio.post("/models/Person/edit", data, key=KEY)
    return answer.status_code, answer.headers.get("location", "") or answer.text


def person(studio: Running) -> Person:
    row = studio.studio.repository(Person, {}).of_key(b"ada")
    assert isinstance(row, Person)
    return row


def test_only_what_was_changed_is_written(studio: Running) -> None:
    """Another attribute, a cell that no column knows, and the versions of the rest stay as they are."""
    before = cells(studio)
    status, location = changed(studio, age="37")
    assert status == 303
    assert "age" in location
    after = cells(studio)
    assert after.pop(("f", b"a"))[0] == (37).to_bytes(8, "big")
    before.pop(("f", b"a"))
    assert after == before
    assert "Written: age" in unescape(studio.client.get(location).text)
    assert changed(studio)[0] == 303
    assert {place: some for place, some in cells(studio).items() if place != ("f", b"a")} == after


def test_a_value_is_taken_away(studio: Running) -> None:
    """An attribute that a row may lack is cleared; a required one cannot be."""
    assert changed(studio, note=None)[0] == 303
    assert person(studio).note is None
    assert ("f", b"t") not in cells(studio)
    assert 'name="there.name"' not in studio.get("/models/Person/edit", key=KEY).text


def test_an_empty_text_is_a_value(studio: Running) -> None:
    """An empty text is written as one, and is not no value."""
    assert changed(studio, note="")[0] == 303
    assert person(studio).note == ""


def test_lines_come_back_as_they_were(studio: Running) -> None:
    """A browser ends lines with two characters; the text keeps the one that it had, and is unchanged by being shown."""
    assert person(studio).note == "two\nlines"
    assert changed(studio, age="1")[0] == 303
    assert person(studio).note == "two\nlines"
    changed(studio, note="one\r\n\r\nmore")
    assert person(studio).note == "one\n\nmore"


def test_entries_and_members_are_changed(studio: Running) -> None:
    """A mapping and a set become what the form says: entries are written, and those that are gone are deleted."""
    assert changed(studio, scores='{"b": 5, "c": 3}', tags='["y", "z"]')[0] == 303
    row = person(studio)
    assert row.scores == {"b": 5, "c": 3}
    assert row.tags == {"y", "z"}
    assert changed(studio, scores="{}", tags="[]")[0] == 303
    assert person(studio).scores == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [("age", "old"), ("age", ""), ("scores", "{1"), ("scores", '{"toolongname": 1}'), ("tags", "7")],
)
def test_a_wrong_value_is_said_at_its_input(studio: Running, name: str, text: str) -> None:
    """Nothing is written, what was typed is kept, and the model says what is expected."""
    before = cells(studio)
    status, page = changed(studio, **{name: text, "note": "typed & kept"})
    assert status == 400
    assert re.findall(r'name="value\.(\w+)"[^>]*aria-invalid', sound(page)) == [name]
    assert "expected" in page
    assert "typed &amp; kept" in page
    assert cells(studio) == before


def test_a_row_that_has_changed_meanwhile_is_not_overwritten(studio: Running) -> None:
    """A form that shows an earlier state is refused."""
    data = fields(studio.get("/models/Person/edit", key=KEY).text) | {"value.age": "99"}
    changed(studio, note="meanwhile")
    answer = studio.post("/models/Person/edit", data, key=KEY)
    assert answer.status_code == 400
    assert "has changed since" in answer.text
    assert person(studio).age == 36


def test_hidden_characters_are_not_changed_by_a_form(studio: Running) -> None:
    """A text that no form can show is locked, with the way out."""
    studio.studio.repository(Person, {}).put(Person(id=KEY, name="A\x07da\r"))
    page = sound(studio.get("/models/Person/edit", key=KEY).text)
    assert "hidden characters" in page
    assert 'name="value.name"' not in page
    assert changed(studio, age="5")[0] == 303
    assert person(studio).name == "A\x07da\r"


def test_a_new_row(studio: Running) -> None:
    """It is validated by the model, written once, and never replaces another."""
    page = sound(studio.get("/models/Person/new").text)
    data = fields(page) | {"value.id": "bob", "value.name": "Bob", "value.tags": '["x"]', "there.tags": "yes"}
    answer = studio.post("/models/Person/new", data)
    assert answer.status_code == 303
    assert "Bob" in studio.client.get(answer.headers["location"]).text
    row = studio.studio.repository(Person, {}).of_key(b"bob")
    assert row == Person(id="bob", name="Bob", tags={"x"})
    again = studio.post("/models/Person/new", data | {"value.name": "Other"})
    assert again.status_code == 400
    assert "already exists" in again.text
    wrong = studio.post("/models/Person/new", data | {"value.id": "much too long for it"})
    assert re.findall(r'name="value\.(\w+)"[^>]*aria-invalid', wrong.text) == ["id"]


def test_a_row_is_deleted_after_a_question(studio: Running) -> None:
    """The page says what goes; the form deletes the row with every cell."""
    page = sound(studio.get("/models/Person/delete", key=KEY).text)
    assert "8 cells" in page
    assert cells(studio)
    answer = studio.post("/models/Person/delete", fields(page), key=KEY)
    assert answer.status_code == 200
    assert "is deleted" in answer.text
    assert cells(studio) == {}
    assert studio.get("/models/Person/delete", key=KEY).status_code == 404


def test_an_instance_of_the_service_wants_its_name_typed(opened: Opened) -> None:
    """Each write, change and deletion does, and nothing is done without it."""
    studio = opened(Person, edit=True, protected=True)
    wanted = studio.studio.target.instance_id
    data = {"value.id": "ada", "value.name": "Ada"}
    for typed in ("", "yes", wanted.upper()):
        answer = studio.post("/models/Person/new", data | {"confirm": typed})
        assert answer.status_code == 400
        assert wanted in answer.text
    assert list(studio.studio.db.cells("person")) == []
    assert studio.post("/models/Person/new", data | {"confirm": wanted}).status_code == 303
    form = fields(studio.get("/models/Person/edit", key=KEY).text) | {"value.name": "Eve"}
    assert studio.post("/models/Person/edit", form | {"confirm": "no"}, key=KEY).status_code == 400
    assert studio.post("/models/Person/delete", {"confirm": ""}, key=KEY).status_code == 400
    assert person(studio).name == "Ada"
    assert studio.post("/models/Person/delete", {"confirm": wanted}, key=KEY).status_code == 200
    assert list(studio.studio.db.cells("person")) == []


def test_a_form_that_is_too_large_is_refused(studio: Running) -> None:
    """It is not held in memory whatever its size."""
    answer = studio.post("/models/Person/new", {"value.id": "x" * 5_000_000})
    assert answer.status_code == 413


def test_every_row_of_the_examples_can_be_shown_in_a_form(opened: Opened) -> None:
    """The form of a quote keeps the bytes of a decimal as they were written."""
    studio = opened(Quote, edit=True)
    quote = next(iter(made_up_quotes(1)))
    QuoteRepository(studio.studio.db).put(quote)
    key = as_text(Quote.row_key(exchange=quote.exchange, symbol=quote.symbol, quote_time=QUOTE_TIME))
    page = sound(studio.get("/models/Quote/edit", key=key).text)
    before = list(studio.studio.db.cells("QUOTE"))
    answer = studio.post("/models/Quote/edit", fields(page), key=key)
    assert "Nothing" in answer.headers["location"]
    assert list(studio.studio.db.cells("QUOTE")) == before


def test_a_model_that_is_written_with_others_says_so(opened: Opened) -> None:
    """The form warns that a change is made in its table alone, and home shows which models are written together."""
    studio = opened(AirportDeparture, AircraftFlight, edit=True, twins=twins_in(["examples.flights"]))
    assert "in this table alone" in sound(studio.get("/models/AircraftFlight/new").text)
    home = sound(studio.get("/").text)
    assert "FLIGHTS" in home
    alone = opened(Quote, edit=True)
    assert "in this table alone" not in alone.get("/models/Quote/new").text
