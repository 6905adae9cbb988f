"""Batteries of phones: each tells its charge now and then, to the millisecond.

A key of the time alone is refused: every phone would write to the end of the table.
Promoting a field into the key, the user, spreads the writes and serves the question
that is asked most: what did one user's battery do? That is the preferred design.

Salting spreads them, too, by a number that a hash makes from the time. It is for data
with no field to promote, and it has a price: what happened between two times is one
read for each salt, merged. There are three salts, for about as many nodes.
"""

import zlib
from collections.abc import Iterator
from datetime import UTC, datetime

import btmodel as bt

AT = bt.TimeText("%Y%m%d%H%M%S%3f")


class UserBattery(bt.Model, table="BATTERY", events="2000/s"):
    """A charge among those of its user."""

    battery = bt.constant("BATTERY")
    user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    at: datetime = bt.key(AT)

    metric = bt.family("METRIC", gc=bt.max_versions(1))
    percentage: int = bt.column("PERCENTAGE", metric, codec=bt.DecimalText())

    of_user = bt.query("user", between="at")


def salt_of(at: datetime) -> int:
    """A hash of the time, divided by 3: the remainder, from 1 to 3.

    The hash begins at 57 because its salts are then those of the document's five rows.
    """
    return zlib.crc32(AT.encode(at), 57) % 3 + 1


SALTED = {"KEY017": "the documented key, without the user: its charges are a millisecond apart"}


class SaltedBattery(bt.Model, table="BATTERY_SALTED", events="2000/s", allow=SALTED):
    """A charge among those of its time; the salt in front spreads the writes."""

    battery = bt.constant("BATTERY")
    salt = bt.derived(bt.PaddedInt(1), "at", by=salt_of, values=(1, 2, 3))
    at: datetime = bt.key(AT)

    metric = bt.family("METRIC", gc=bt.max_versions(1))
    user: str = bt.column("USER", metric, cardinality=1_000_000)
    percentage: int = bt.column("PERCENTAGE", metric, codec=bt.DecimalText())

    in_time = bt.query(between="at")


def hot() -> object:
    """The key of the time alone."""

    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        battery = bt.constant("BATTERY")
        at: datetime = bt.key(AT)

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        user: str = bt.column("USER", metric, cardinality=1_000_000)
        percentage: int = bt.column("PERCENTAGE", metric, codec=bt.DecimalText())

    return Battery


def charges() -> Iterator[tuple[str, datetime, int]]:
    """Five charges of three users, a millisecond apart."""
    for milli, (user, percentage) in enumerate(
        (("Corrie", 98), ("Jo", 54), ("Corrie", 96), ("Sam", 43), ("Sam", 38)), 1
    ):
        yield user, datetime(2015, 3, 1, 12, 45, 1, 1000 * milli, tzinfo=UTC), percentage
