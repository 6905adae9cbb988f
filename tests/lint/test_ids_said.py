"""Ids of which a description says that they climb: those of the key, and no others."""

from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import HexDigest, KeyCodec, PaddedInt, Text, UuidText
from btmodel.lint import Level
from btmodel.schema import ModelSchema
from tests.lint.parts import found


class Room(bt.Model, table="chat_room", events="4000/s"):
    """A row that is called like its key, and holds another id."""

    room: str = bt.key(bt.Text(width=26), cardinality=200_000)

    m = bt.family("m", gc=bt.max_versions(1))
    last_message: int | None = bt.column("l", m, default=None)
    topic: str | None = bt.column("t", m, default=None)

    of_room = bt.query("room")


def described(doc: str, codec: KeyCodec[Any] | None = None, name: str = "room") -> ModelSchema:
    """The room with another description, and another codec or name of its key."""
    model = bt.schema_of(Room)
    (part,) = model.key.fields
    part = evolve(part, codec=codec or part.codec, name=name)
    return evolve(model, doc=doc, key=evolve(model.key, fields=(part,)), queries=())


def climbs(model: ModelSchema) -> bool:
    """Whether the rule takes the ids of the key for such that climb."""
    return any(each.level is not Level.INFO for each in found(model, "KEY002"))


@pytest.mark.parametrize(
    ("doc", "codec"),
    [
        ("A room. Room ids are ULIDs.", None),
        ("A room, under a ULID.", None),
        ("The ids of rooms are snowflakes.", PaddedInt(19)),
        ("A room. Its id is a UUID of version 7.", UuidText()),
        ("Rooms. Each room has a KSUID, and messages have UUIDs.", None),
        ("A room. Ids begin with the time.", None),
        ("A room; message ids are random, and room ids are ULIDs.", None),
        ("A chat room. Numbers are given one after the other.", PaddedInt(12)),
        ("A chat room. The server numbers rooms as it opens them.", PaddedInt(12)),
        ("A room. The registry hands out the next number.", PaddedInt(12)),
        ("A room. New ids are snowflakes.", PaddedInt(19)),
        ("A room. The id comes from a database sequence.", PaddedInt(12)),
        (
            "A room. Ids are drawn from the registry's Oracle sequence, so customers can read them out.",
            PaddedInt(12),
        ),
        ("A room; the number is taken from a counter.", PaddedInt(12)),
        ("A room. Its id is an AUTO_INCREMENT of MySQL.", PaddedInt(12)),
    ],
)
def test_ids_of_the_key_climb_as_its_description_says(doc: str, codec: KeyCodec[Any] | None) -> None:
    """By whichever word the description speaks of them."""
    assert climbs(described(doc, codec))


@pytest.mark.parametrize(
    ("doc", "codec"),
    [
        ("Settings of a room, and the last message read; message ids are snowflakes.", None),
        ("A chat room with everything that was ever said in it; message ids are snowflakes.", PaddedInt(12)),
        ("A room. The ids of its messages are ULIDs.", None),
        ("A room. The id of a message is a UUID of version 7.", UuidText()),
        ("A room. Messages have ULIDs.", None),
        ("A room. Each message carries a snowflake.", PaddedInt(19)),
        ("A room. `last_message` is a snowflake.", PaddedInt(19)),
        ("A room. Messages are numbered one after the other.", PaddedInt(12)),
        ("A room, whose messages have ids that begin with the time.", None),
        ("A room. Message numbers are consecutive.", PaddedInt(12)),
        ("A room. Message numbers come from a database sequence.", PaddedInt(12)),
        ("A room. The id is drawn at random from a sequence of letters.", PaddedInt(12)),
        ("A room, and a topic whose ids are given in sequence.", None),
    ],
)
def test_of_other_ids_it_may_say_what_it_likes(doc: str, codec: KeyCodec[Any] | None) -> None:
    """Those of columns, and of what is called neither like the key nor like the rows."""
    assert not climbs(described(doc, codec))


@pytest.mark.parametrize("name", ["id", "room"])
def test_a_digest_never_climbs(name: str) -> None:
    """Whatever it is made of."""
    for doc in (
        "A room. Room ids are ULIDs.",
        "A room, under a hash of its ULID.",
        "A room, by its snowflake.",
    ):
        assert not climbs(described(doc, HexDigest(12), name))


def test_a_key_of_no_name_is_that_of_the_rows() -> None:
    """Of what they are called otherwise, unless a column is called so."""
    assert climbs(described("A room. Channel ids are ULIDs.", Text(width=26), "id"))
    assert not climbs(described("A room. Message ids are ULIDs.", Text(width=26), "id"))


NUMBER = ("room_no", Text(width=8))


@pytest.mark.parametrize(
    "doc",
    [
        "A room. The desk takes the next free number of the house.",
        "A room. The registry hands out the next number.",
        "A room, under a running number.",
        "Rooms. Room numbers are consecutive numbers.",
        "A room. Numbers are given without gaps.",
        "A room. It gets the next unused room number.",
    ],
)
def test_a_number_that_is_written_as_text_climbs_as_well(doc: str) -> None:
    """If it is called a number; and the key spreads otherwise, as no digits are turned around."""
    name, codec = NUMBER
    model = described(doc, codec, name)
    (one,) = (each for each in found(model, "KEY002") if each.level is not Level.INFO)
    assert "whose values climb, as the description of the model says" in one.message
    assert "if its values do not climb" in one.fix
    assert not climbs(described(doc, codec, "room"))


@pytest.mark.parametrize(
    "doc",
    [
        "A room. Messages are numbered one after the other.",
        "A room. Message numbers are consecutive numbers.",
        "A room. Guests leave one after the other.",
        "A room, which is counted up in the list of rooms.",
        "A room. Events come in sequence.",
        "A room. The number is drawn at random.",
    ],
)
def test_a_text_does_not_climb_for_what_else_is_in_order(doc: str) -> None:
    """Of texts, what is said of their numbers alone counts."""
    name, codec = NUMBER
    assert not climbs(described(doc, codec, name))
