"""The rule on rows without a bound: entries of which there is ever more, by the description or by the declared rate."""

from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import HexDigest, Joined, PaddedInt, Text, UuidText
from btmodel.lint import Level
from btmodel.schema import ModelSchema, Rate
from tests.lint.parts import found


class Room(bt.Model, table="ROOM", events="2000/s"):
    """A room."""

    room: str = bt.key(bt.HexDigest(10), cardinality=40_000)

    said = bt.family("s", gc=bt.max_versions(1))
    meta = bt.family("m", gc=bt.max_versions(1))
    title: str | None = bt.column("t", meta, default=None, max_size=120)
    lines: dict[str, str] = bt.mapping(said, bt.Text(max_length=40), size=90, max_size=4_000)


def room(doc: str = "A room.", rate: str | None = "2000/s", **changes: Any) -> ModelSchema:
    """Rooms that are described so, at this rate, with parts of the mapping changed."""
    model = bt.schema_of(Room)
    columns = tuple(evolve(one, **changes) if one.name == "lines" else one for one in model.columns)
    return evolve(model, doc=doc, columns=columns, events=Rate.parse(rate) if rate else None)


SAID = (
    "Everything that was ever said in a room.",
    "A room, with all that was written since the beginning.",
    "A room. Whatever anybody ever wrote is here.",
    "A room and the whole conversation.",
    "A room, with its full transcript.",
    "A room; one entry for each message, as they come.",
    "A room, with an item per comment.",
    "A room. Nothing is ever deleted.",
    "A room. None of it gets purged.",
    "A room. Lines are never really removed.",
    "A room: every line so far.",
    "A room. Lines are held indefinitely.",
    "A room that fills year after year.",
    "A room. No one deletes a line.",
)
UNSAID = (
    "A room.",
    "A room. Hardly anything is ever changed: all of it hardly ever.",
    "A room. Everything that was ever said is in the table LINES.",
    "A room. The whole conversation goes to the archive.",
    "A room. All that was ever said is in another model.",
    "A room; one entry for each language.",
    "A room, with an item per door.",
    "A room. The title is deleted with the room.",
    "A room. Everybody in it has a role.",
    "A room. Each setting has a value.",
    "A room. It is never empty.",
    "A room and its complete address.",
    "A room. Nothing is said in it.",
)


@pytest.mark.parametrize("doc", SAID)
def test_what_is_ever_more_by_its_description_has_no_bound(doc: str) -> None:
    """A row for each entry is the fix; what has an age or a number of entries has a bound."""
    (finding,) = found(room(doc, rate=None), "ROW003")
    assert finding.level is Level.WARNING
    assert "`{room}#{lines_key}`" in finding.fix
    model = room(doc)
    assert found(room(doc, expected=evolve(model.columns[1].expected, entries=200)), "ROW003") == []
    aged = tuple(evolve(one, gc=bt.max_age(days=30)) for one in model.families)
    assert found(evolve(model, families=aged), "ROW003") == []


@pytest.mark.parametrize("doc", UNSAID)
def test_what_is_said_of_other_things_is_no_growth(doc: str) -> None:
    """Nor what stays as it is, or is at another place."""
    assert found(room(doc), "ROW003") == []


IDS = [
    ("2000/s", Text(width=26), 194),  # a ULID
    ("2000/s", Text(width=24), None),  # an ObjectId
    ("2000/s", Text(width=36), None),
    ("2000/s", Text(width=64), None),
    ("2000/s", UuidText(), None),
    ("2000/s", HexDigest(16), None),
    ("2000/s", PaddedInt(12), None),
    ("200/s", Text(width=26), None),
    ("170/s", Text(width=26), None),
    ("170/s", UuidText(), None),
    ("1/h", Joined((bt.DateText(), Text(max_length=9)), ":"), None),
]
NAMED = [
    ("2000/s", Text(max_length=40)),
    ("2000/s", Text(width=12)),
    ("2000/s", Text(width=2)),
    ("2000/s", Text(width=20)),
    ("2000/s", PaddedInt(4)),
    ("1/s", Text(width=26)),
    ("5/min", UuidText()),
    ("40/h", HexDigest(16)),
    ("1/day", Text(width=36)),
    (None, Text(width=26)),
    (None, UuidText()),
]


@pytest.mark.parametrize(("rate", "names", "days"), IDS)
def test_ids_that_come_at_the_declared_rate_have_no_bound(rate: str, names: Any, days: int | None) -> None:
    """Where they make a row too large within a few years; the finding says when."""
    (finding,) = found(room(rate=rate, names=names), "ROW003")
    assert finding.level is Level.WARNING
    if rate != "1/h":
        assert "if each write brings a new one, a row gets " in finding.message
        assert "and exceeds 100 MiB in " in finding.message
    if days is not None:
        assert f"in {days} days" in finding.message


@pytest.mark.parametrize(("rate", "names"), NAMED)
def test_names_may_come_again_and_slow_ids_take_a_lifetime(rate: str | None, names: Any) -> None:
    """The number of entries is asked for, and nothing is said of a row that does not grow in a foreseeable time."""
    assert found(room(rate=rate, names=names), "ROW003") == []


def test_large_values_fill_a_row_with_fewer_of_them() -> None:
    """The bytes count, and not the number alone."""
    model = room(rate="20/s", names=UuidText())
    assert found(model, "ROW003") == []
    expected = evolve(model.columns[1].expected, size=20_000, max_size=100_000)
    (finding,) = found(room(rate="20/s", names=UuidText(), expected=expected), "ROW003")
    assert "exceeds 100 MiB in" in finding.message
