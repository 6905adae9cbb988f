"""Friends: qualifiers that are data."""

from collections.abc import Callable

import pytest

import btmodel as bt
from examples.friends import Person
from examples.generated.person_repository import PersonKey, PersonRepository
from examples.worked.friends import EXAMPLE
from tests.worked.raw_cells import cells

Open = Callable[..., bt.Database]


@pytest.fixture
def friends(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_a_person_is_a_row_and_each_friend_a_column(friends: bt.Database) -> None:
    """The qualifier is the friend, with a space where the name has one, and the value the circle."""
    assert cells(friends, "people") == {
        b"Jose": [
            (b"Friends:Fred", b"book-club"),
            (b"Friends:Gabriel", b"work"),
            (b"Friends:Hiroshi", b"tennis"),
        ],
        b"Sofia": [
            (b"Friends:Hiroshi", b"work"),
            (b"Friends:Jakob", b"chess-club"),
            (b"Friends:Seo Yoon", b"school"),
        ],
    }


def test_the_alternative_takes_a_row_a_friend(friends: bt.Database) -> None:
    """The same data in six rows of two cells each."""
    rows = cells(friends, "friendships")
    assert list(rows) == [b"Jose#1", b"Jose#2", b"Jose#3", b"Sofia#1", b"Sofia#2", b"Sofia#3"]
    assert rows[b"Sofia#2"] == [(b"Friends:CIRCLE", b"school"), (b"Friends:FRIEND", b"Seo Yoon")]


def test_the_questions_have_answers(friends: bt.Database) -> None:
    """All friends of a person are one row."""
    assert [answer.answer for answer in EXAMPLE.ask(friends)] == [
        ["Hiroshi", "Jakob", "Seo Yoon"],
        "tennis",
        3,
    ]


def test_friends_come_and_go(friends: bt.Database) -> None:
    """A friend that is written is added to the others, and one that is removed leaves them."""
    people = PersonRepository(friends)
    people.put(Person(name="Jose", friends={"Jakob": "school"}))
    people.remove(PersonKey("Jose"), friends=["Gabriel"])
    jose = people.get("Jose")
    assert jose is not None
    assert jose.friends == {"Fred": "book-club", "Hiroshi": "tennis", "Jakob": "school"}
