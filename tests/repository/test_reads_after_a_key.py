"""Reads that begin behind a row whose key the caller knows, as web pages do with the id of the last row."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from notes import generated

import btmodel as bt

Open = Callable[..., bt.Database]
pytestmark = pytest.mark.both_servers
AT = datetime(2024, 2, 29, 12, tzinfo=UTC)


class Message(bt.Model, table="MESSAGE", events="100/s"):
    """The messages of channels, the newest first, several of one time."""

    channel: str = bt.key(bt.Text(max_length=9), cardinality=1_000)
    at: datetime = bt.key(bt.ReversedMillis())
    number: int = bt.key(bt.PaddedInt(2))

    f = bt.family("f", gc=bt.max_versions(1))
    text: str = bt.column("t", f)

    of_channel = bt.query("channel", between="at", newest=True)


class Spread(bt.Model, table="SPREAD", events="100/s"):
    """Readings behind a salt, whose rows are merged."""

    shard = bt.salt("number", buckets=3)
    at: datetime = bt.key(bt.EpochMillis())
    number: int = bt.key(bt.PaddedInt(2))

    f = bt.family("f", gc=bt.max_versions(1))
    text: str = bt.column("t", f)

    during = bt.query(between="at")


MESSAGES, SPREAD = generated(Message), generated(Spread)
KEY = MESSAGES.MessageKey


@pytest.fixture
def messages(database: Open) -> Any:
    """Nine messages in each of two channels: three times, three at each."""
    found = MESSAGES.MessageRepository(database(Message))
    found.put_many(
        Message(channel=channel, at=AT + timedelta(seconds=at), number=number, text=f"{at}{number}")
        for channel in "ab"
        for at in range(3)
        for number in range(3)
    )
    return found


def texts(read: Any) -> str:
    """What lies in the rows of a read."""
    return " ".join(row.text for row in read)


def test_a_read_goes_on_behind_a_key(messages: Any) -> None:
    """Within a millisecond, too; the row need not be there, and both orders have what is behind it."""
    read, last = messages.of_channel("a"), KEY("a", AT + timedelta(seconds=1), 1)
    assert texts(read) == "20 21 22 10 11 12 00 01 02"
    assert texts(read.after(last)) == "12 00 01 02"
    assert texts(read.after(last).limit(2)) == texts(read.limit(2).after(last)) == "12 00"
    assert texts(read.backwards().after(last)) == "10 22 21 20"
    assert texts(messages.newest(2, "a").after(last)) == "12 00"
    assert texts(read.after(KEY("a", AT + timedelta(seconds=1), 99))) == "00 01 02"
    assert texts(read.after(last).after(KEY("a", AT, 0))) == "01 02"
    page = read.after(last).page(3)
    assert [row.text for row in page.rows] == ["12", "00", "01"]
    assert [row.text for row in read.after(last).page(3, page.next).rows] == ["02"]
    assert read.after(last).count() == 4
    assert texts(messages.of_channel(["a", "b"]).after(KEY("a", AT, 1)).limit(3)) == "01 02 02"


def test_a_merged_read_goes_on_in_its_order(database: Open) -> None:
    """Behind the key in every range, not in the one alone in which its row lies."""
    spread = SPREAD.SpreadRepository(database(Spread))
    rows = [Spread(at=AT + timedelta(seconds=n), number=n, text=str(n)) for n in range(9)]
    spread.put_many(rows)
    read = spread.during(AT, None)
    for n in (0, 4, 8):
        assert list(read.after(SPREAD.SpreadKey(rows[n].at, n))) == rows[n + 1 :]


def test_a_key_of_other_rows_is_refused(messages: Any) -> None:
    """One that the query does not ask for, and what is no key of the model."""
    with pytest.raises(
        bt.QueryRefused, match=r"Message: after: expected a key in the ranges of the read, got b'b#"
    ):
        messages.of_channel("a").after(KEY("b", AT, 1))
    with pytest.raises(bt.ValueRefused, match="expected a MessageKey"):
        messages.of_channel("a").after(("a", AT, 1))
