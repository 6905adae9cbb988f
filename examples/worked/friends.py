"""Friends against a server."""

from collections.abc import Iterator

import btmodel as bt
from examples.friends import FRIENDS, Friendship, Person
from examples.generated.friendship_repository import FriendshipRepository
from examples.generated.person_repository import PersonRepository
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Two people, in a row each; and in a row a friend."""
    PersonRepository(db).put_many(Person(name=name, friends=friends) for name, friends in FRIENDS.items())
    FriendshipRepository(db).put_many(
        Friendship(person=name, number=number, friend=friend, circle=circle)
        for name, friends in FRIENDS.items()
        for number, (friend, circle) in enumerate(friends.items(), 1)
    )


def ask(db: bt.Database) -> Iterator[Answer]:
    """One row each."""
    people = PersonRepository(db)
    jose, sofia = people.get("Jose"), people.get("Sofia")
    assert jose is not None
    assert sofia is not None
    yield Answer("Who are Sofia's friends?", sorted(sofia.friends))
    yield Answer("From where does Jose know Hiroshi?", jose.friends["Hiroshi"])
    yield Answer(
        "How many rows does a row a friend take?", FriendshipRepository(db).of_person("Jose").count()
    )


EXAMPLE = Example("Friends", (Person, Friendship), write, ask)
