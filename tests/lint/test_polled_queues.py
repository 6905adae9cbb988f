"""ROW009 on queues that are polled from the front, whatever their queries could give."""

from typing import Any

import pytest

from btmodel.codecs.key import EpochMillis, HexDigest, PaddedInt
from btmodel.schema import Derived, KeyField, ModelSchema, Query
from tests.lint.parts import found

MAIL = KeyField("mail", HexDigest(16), 1_000_000_000)
AT = KeyField("at", EpochMillis())
SALT = KeyField("shard", PaddedInt(2), 16, derived=Derived(("mail",), hash, tuple(range(16))))
SHARD = KeyField("shard", PaddedInt(2), 16, sequential=False)
POLLED = "A mail that waits to be sent. Workers poll a shard for its oldest mails, and delete their rows."
RANGE, OF_SHARD = Query("oldest", (), between="at"), Query("of_shard", ("shard",))


@pytest.mark.parametrize("first", [SALT, SHARD])
@pytest.mark.parametrize(
    "doc",
    [
        POLLED,
        "Outbox. The sender fetches the next messages and removes them.",
        "A work list: each worker claims the first row and deletes it.",
        "Jobs wait here; a consumer pulls the earliest ones, then removes them.",
    ],
)
@pytest.mark.parametrize(
    "queries", [(RANGE,), (RANGE, OF_SHARD), (Query("polled", (), scan="workers poll"),)]
)
def test_a_queue_that_is_polled_from_its_front(
    a_model: Any, first: KeyField, doc: str, queries: tuple[Query, ...]
) -> None:
    """A query that could begin at a known time is no answer where the description says that the oldest is read."""
    model: ModelSchema = a_model(first, AT, MAIL, queries=queries, doc=doc)
    (told,) = found(model, "ROW009")
    assert told.field == ("of_shard" if OF_SHARD in queries else queries[0].name)


@pytest.mark.parametrize(
    "doc",
    [
        "A queue of mails. A worker reads on from the last one that it sent, the oldest first, and deletes what is sent.",
        "Mails wait here. A worker takes the oldest after its checkpoint, and deletes it.",
        "A queue in 64 lanes, of which each worker has one; it takes the oldest, and deletes it.",
        "A queue, of which a sender remembers how far it came; it takes the next mail, and removes it.",
        "Readings; the oldest are shown first.",
    ],
)
def test_readers_that_go_on_from_where_they_were(a_model: Any, doc: str) -> None:
    """Or have rows that nobody else takes from; a query must let them."""
    assert found(a_model(SHARD, AT, MAIL, queries=(RANGE,), doc=doc), "ROW009") == []
