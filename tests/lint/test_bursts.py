"""The rule on colliding events, where the description says how many come together: what distinguishes them satisfies it."""

from datetime import datetime
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import KeyCodec
from btmodel.lint import Level
from btmodel.schema import KeyField, ModelSchema, Rate
from tests.lint.parts import found


class Entry(bt.Model, table="ENTRY", events="1500/s"):
    """Somebody came in. Before a match, each gate lets through two or three people a second."""

    stadium: str = bt.key(bt.Text(width=4), cardinality=38)
    gate: int = bt.key(bt.PaddedInt(3), cardinality=120)
    second: datetime = bt.key(bt.EpochSeconds(round=True))

    e = bt.family("e", gc=bt.max_age(days=400))
    ticket: str = bt.column("t", e, max_size=22)
    season_pass: bool = bt.column("sp", e)

    passed = bt.query("stadium", "gate", between="second")


def entry(*behind: KeyField, doc: str = "", front: bool = False) -> ModelSchema:
    """Entries with fields behind the time, or in front of it."""
    model = bt.schema_of(Entry)
    *fields, time = model.key.fields
    key = evolve(model.key, fields=(*fields, *behind, time) if front else (*fields, time, *behind))
    taken = {part.name for part in behind}
    columns = tuple(column for column in model.columns if column.name not in taken)
    return evolve(model, key=key, columns=columns, doc=doc or model.doc, queries=())


SEVERAL = "An entry. Often several people pass in the same second."

DISTINGUISHED = [
    ("ticket", bt.Text(max_length=22), None),
    ("ticket", bt.Text(max_length=22), 30_000_000),
    ("id", bt.UuidText(), None),
    ("event_id", bt.Text(width=20), None),
    ("visitor", bt.UuidRaw(), None),
    ("nonce", bt.HexDigest(4), None),
    ("seq", bt.PaddedInt(3), None),
    ("seq", bt.PaddedInt(2), 20),
    ("pass_number", bt.PaddedInt(9), None),
    ("serial", bt.Text(width=12), None),
    ("visitor", bt.Text(max_length=20), 5_000_000),
    ("tag", bt.HexDigest(16), 700_000),
    ("barcode", bt.Text(width=18), None),
    ("fan", bt.HexDigest(16), None),
]
SHARED = [
    ("turnstile", bt.PaddedInt(1), 4),
    ("lane", bt.Text(width=1), 6),
    ("door_id", bt.Text(width=2), 40),
    ("side", bt.Text(width=5), None),
    ("reader", bt.Text(max_length=8), 190),
    ("camera", bt.UuidText(), 90),
    ("kind", bt.Text(max_length=10), None),
    ("steward", bt.Text(max_length=10), 100),
    ("tag", bt.HexDigest(2), 20),
    ("number", bt.PaddedInt(1), 10),
]


@pytest.mark.parametrize("doc", ["", SEVERAL])
@pytest.mark.parametrize(("name", "codec", "values"), DISTINGUISHED)
def test_what_distinguishes_events_satisfies_the_rule(
    name: str, codec: KeyCodec[Any], values: int | None, doc: str
) -> None:
    """An id, what is drawn or counted for each, and what has far more values than events come together."""
    assert found(entry(KeyField(name, codec, values), doc=doc), "KEY017") == []


@pytest.mark.parametrize("doc", ["", SEVERAL])
@pytest.mark.parametrize(("name", "codec", "values"), SHARED)
def test_what_events_may_share_does_not(
    name: str, codec: KeyCodec[Any], values: int | None, doc: str
) -> None:
    """Where they come, and what they are."""
    (finding,) = found(entry(KeyField(name, codec, values), doc=doc), "KEY017")
    assert finding.level is Level.WARNING


def test_of_what_stands_in_front_of_the_time_the_subject_counts() -> None:
    """What stands behind that of which so many are said distinguishes them, too, and not that itself."""
    ticket = KeyField("ticket", bt.Text(max_length=22), 30_000_000)
    assert found(entry(ticket, front=True), "KEY017") == []
    of_tickets = "A fan. Each ticket is scanned three times a second."
    slow = evolve(entry(ticket, front=True, doc=of_tickets))
    assert [one.level for one in found(slow, "KEY017")] == [Level.WARNING]


@pytest.mark.parametrize("doc", ["", SEVERAL, "An entry. A gate counts up to 12 people a second."])
def test_the_fix_holds(doc: str) -> None:
    """A column that is an id becomes a key field; or else a new id comes behind the time."""
    model = entry(doc=doc)
    (finding,) = found(model, "KEY017")
    assert "`{stadium}#{gate}#{second}#{ticket}`" in finding.fix
    assert "; or, if two events may share it, add an id: `{stadium}#{gate}#{second}#{id}`" in finding.fix
    assert all(found(made, "KEY017") == [] for made in finding.models)
    anonymous = evolve(model, columns=tuple(one for one in model.columns if one.name != "ticket"))
    (finding,) = found(anonymous, "KEY017")
    assert finding.fix.startswith("add a field to the key that distinguishes the events, such as an id")
    assert finding.models
    assert all(found(made, "KEY017") == [] for made in finding.models)


class Authorization(bt.Model, table="card_auth", events="500/s"):
    """What a card was charged."""

    card: str = bt.key(bt.HexDigest(16), cardinality=40_000_000)
    at: datetime = bt.key(bt.EpochSeconds(round=True))

    x = bt.family("x", gc=bt.max_age(days=35))
    amount: int = bt.column("amt", x)

    of_card = bt.query("card", between="at")


@pytest.mark.parametrize(
    "said",
    [
        "Toll gates and vending rigs fire several per second on one card.",
        "A card is used more than once a second.",
        "A card may be charged more than one time a second.",
        "A vending machine charges one card dozens of times in one second.",
        "At a gate, each card comes in bursts of charges within a second.",
        "A test run charges the same card many times per second.",
        "A shop that splits its bill charges a card a few times in a second.",
        "Some terminals send multiple charges of a card each second.",
        "A stolen card is tried hundreds of times a second.",
        "Retries put a handful of charges per second on a single card.",
        "A stolen card is tried thousands of times a second.",
        "Two terminals may charge one card in the same millisecond.",
        "A card of a test run gets 3,000 charges a second.",
        "Several charges of a card can have the same time.",
        "Two charges of a card often carry the same timestamp.",
    ],
)
def test_more_than_one_in_a_time_is_a_burst_without_a_number(said: str) -> None:
    """Where it is said of one of the things that stand in front of the time."""
    (finding,) = found(evolve(bt.schema_of(Authorization), doc=f"A charge. {said}"), "KEY017")
    assert finding.level is Level.WARNING
    assert "`{card}#{at}#{id}`" in finding.fix
    assert all(found(made, "KEY017") == [] for made in finding.models)


@pytest.mark.parametrize(
    "said",
    [
        "A card is never charged more than once a second.",
        "No card is used several times per second.",
        "A card cannot have several in the same second.",
        "In all, several thousand come per second.",
        "A card is used several times a month.",
        "A card is charged a few times a day.",
        "Uploads come in bursts.",
        "The list of one card shows many charges, and a second page follows.",
        "A terminal sends several per second.",
        "There is not more than one a second on a card.",
        "The reader of a card is asked for several years, a second time.",
        "Never two of one card in the same second.",
        "Never two of one card in the same millisecond.",
        "A card is read thousands of times a second.",
        "Readers look a card up hundreds of times a second.",
    ],
)
def test_what_is_denied_rare_or_of_all_is_no_burst(said: str) -> None:
    """And so is what does not say of what so many come."""
    assert found(evolve(bt.schema_of(Authorization), doc=f"A charge. {said}"), "KEY017") == []


@pytest.mark.parametrize(
    ("name", "events", "flagged"),
    [
        ("RoomMessage", 25_000, True),
        ("RoomMessages", 25_000, True),
        ("Vote", 25_000, True),
        ("RoomMessage", 100, False),  # less than one lost in a minute
        ("Reading", 25_000, False),  # which may come at intervals
    ],
)
def test_what_people_do_is_lost_by_its_number(name: str, events: int, flagged: bool) -> None:
    """One in 321 of many is lost, though a room has a message in some minutes."""
    model = evolve(bt.schema_of(Authorization), name=name, doc="What came.", events=Rate(float(events)))
    fields = (
        evolve(model.key.fields[0], cardinality=4_000_000),
        evolve(model.key.fields[1], codec=bt.EpochSeconds()),
    )
    told = found(evolve(model, key=evolve(model.key, fields=fields)), "KEY017")
    assert [one.level for one in told] == [Level.WARNING] * flagged
    for one in told:
        assert "about 1 event in 320 replaces another" in one.message
        assert "`{card}#{at}#{id}`" in one.fix
        assert all(found(made, "KEY017") == [] for made in one.models)


@pytest.mark.parametrize(
    "doc",
    [
        "A card is never charged more than once a second.",
        "Never two of one card in the same second.",
        "A card cannot have several in the same second.",
    ],
)
def test_what_never_comes_twice_in_a_second_loses_nothing(doc: str) -> None:
    """However many there are of all."""
    often = evolve(bt.schema_of(Authorization), doc=doc, events=Rate(20_000.0))
    exact = (often.key.fields[0], evolve(often.key.fields[1], codec=bt.EpochSeconds()))
    often = evolve(often, key=evolve(often.key, fields=exact))
    assert found(often, "KEY017") == []
    assert len(found(evolve(often, doc="A charge."), "KEY017")) == 1


def test_what_shares_a_millisecond_shares_a_key_of_milliseconds() -> None:
    """A finer time would only make it rarer; an id distinguishes them."""
    model = bt.schema_of(Authorization)
    key = evolve(model.key, fields=(model.key.fields[0], evolve(model.key.fields[1], codec=bt.EpochMillis())))
    said = "A charge. Two terminals may charge one card in the same millisecond."
    assert found(evolve(model, key=key), "KEY017") == []
    (finding,) = found(evolve(model, key=key, doc=said), "KEY017")
    assert "`{card}#{at}#{id}`" in finding.fix
