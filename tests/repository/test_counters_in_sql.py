"""Counters as SQL reads them: the sum, and of a counter that ends each span of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import btmodel as bt
from tests.written_repositories import generated


class Visited(bt.Model, table="VISITED"):
    """How often a page is opened in an hour."""

    page: str = bt.key(bt.Text(max_length=8), cardinality=10)

    c = bt.family("c", gc=bt.max_age(days=30), aggregate="sum")
    opened: bt.History[int] = bt.counter("n", c, every="1h")


def test_each_hour_of_a_counter_is_read_by_unnest(bigtable: Any) -> None:
    """Without the history there is the newest hour alone; with it, a row for each hour, and their sum."""
    repositories, db = generated(Visited), bigtable(Visited)
    visited, key = repositories.VisitedRepository(db), repositories.VisitedKey("a")
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    for count, at in ((2, hour - timedelta(hours=2)), (3, hour), (4, hour)):
        visited.add(key, opened=count, at=at)
    assert db.sql("SELECT TO_INT64(c['n']) AS n FROM VISITED").all() == [(7,)]
    spans = "FROM VISITED(with_history => TRUE), UNNEST(c['n']) AS h"
    assert db.sql(f"SELECT h.timestamp AS began, TO_INT64(h.value) AS n {spans} ORDER BY began").all() == [
        (hour - timedelta(hours=2), 2),
        (hour, 7),
    ]
    assert db.sql(f"SELECT SUM(TO_INT64(h.value)) AS n {spans}").all() == [(9,)]
