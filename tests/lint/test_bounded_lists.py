"""Lists in one cell: which sentences say that one does not grow for ever, whatever its name or other sentences say."""

import pytest
from attrs import evolve

import btmodel as bt
from tests.lint.parts import found


class Cart(bt.Model, table="CART", events="9/s"):
    """A list that is called like what grows."""

    buyer: str = bt.key(bt.HexDigest(12), cardinality=60_000)

    f = bt.family("f", gc=bt.max_versions(1))
    orders: list[str] = bt.column("o", f, size=200)

    of_buyer = bt.query("buyer")


BOUNDED = (
    "The oldest is dropped when an eleventh comes.",
    "It drops the oldest ones.",
    "Old ones fall off the end.",
    "Only the latest twenty are there.",
    "It has the last ten.",
    "The newest 50 of them are kept.",
    "There are at most 30.",
    "It never holds more; the first makes way for a new one.",
    "A list of fixed length.",
    "A ring buffer of 64.",
    "It is cleared each night.",
    "It is trimmed to twenty.",
    "Never more than a dozen.",
    "It is written once.",
    "It never grows.",
    "It starts anew every morning.",
)
UNBOUNDED = (
    "The oldest is never dropped.",
    "It is sorted by the price, the lowest first.",
    "At most one is placed a day.",
    "A buyer orders up to three times a week.",
    "Nobody drops the oldest.",
    "The last step is to pay.",
    "It is not trimmed.",
    "A buyer may have two addresses.",
)


@pytest.mark.parametrize("way", ["by the name", "by the words"])
def test_a_list_with_a_bound_in_words_does_not_grow(way: str) -> None:
    """Whether its name says that there is always one more, or a sentence that something is added each day."""
    added, name = ("", "orders") if way == "by the name" else (" A job appends a line every day.", "lines")
    schema = bt.schema_of(Cart)
    columns = (evolve(schema.columns[0], name=name),)
    for said in BOUNDED:
        model = evolve(schema, columns=columns, doc=f"A buyer.{added} {said}")
        assert (said, [one.field for one in found(model, "ROW003")]) == (said, [])
    for said in UNBOUNDED:
        model = evolve(schema, columns=columns, doc=f"A buyer.{added} {said}")
        assert (said, [one.field for one in found(model, "ROW003")]) == (said, [name])
