"""Friends: column qualifiers that are data.

A person is a row, each friend a column, and the value the circle that the friend belongs to.
Reading one's friends is reading one row. With a row a friend, the same data grows much faster,
and it takes a number that somebody must keep.
"""

import btmodel as bt


class Person(bt.Model, table="people", events="50/s"):
    """A person with all friends in one row. Friends that are written are added to those that are there."""

    name: str = bt.key(bt.Text(max_length=40), cardinality=100_000)

    family = bt.family("Friends", gc=bt.max_versions(1))
    friends: dict[str, str] = bt.mapping(
        family, bt.Text(max_length=40), codec=bt.Utf8(), size=12, entries=1_000
    )


UNPADDED = {"KEY007": "the documented keys are unpadded, and nobody asks for a range of numbers"}


class Friendship(bt.Model, table="friendships", events="50/s", allow=UNPADDED):
    """The alternative: a row a friend, `Jose#1`, `Jose#2`, and the same two columns in each."""

    person: str = bt.key(bt.Text(max_length=40), cardinality=100_000)
    number: int = bt.key(bt.Int(4))

    family = bt.family("Friends", gc=bt.max_versions(1))
    friend: str = bt.column("FRIEND", family)
    circle: str = bt.column("CIRCLE", family)

    of_person = bt.query("person")


FRIENDS = {
    "Jose": {"Fred": "book-club", "Gabriel": "work", "Hiroshi": "tennis"},
    "Sofia": {"Hiroshi": "work", "Seo Yoon": "school", "Jakob": "chess-club"},
}
