"""Garbage collection: by the rules, lazily or at once."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from server_api import Api, set_cell

from btmodel.server import RunningServer, protos, schema, start

DAY = 86_400
MICROS = 1_000_000


@pytest.fixture(scope="module")
def eager() -> Iterator[RunningServer]:
    """A server that collects garbage before anybody can read it."""
    with start(gc="eager") as running:
        yield running


def age(days: float) -> dict[str, Any]:
    """A rule by age."""
    return {"max_age": {"seconds": int(days * DAY)}}


def versions(count: int) -> dict[str, Any]:
    """A rule by versions."""
    return {"max_num_versions": count}


#: rule -> how many days old the cells that stay are, of cells that are 0, 1, 2, 3 and 4 days old
RULES: list[tuple[str, dict[str, Any], list[int]]] = [
    ("none", {}, [0, 1, 2, 3, 4]),
    ("versions", versions(2), [0, 1]),
    ("age", age(2.5), [0, 1, 2]),
    ("union", {"union": {"rules": [versions(4), age(2.5)]}}, [0, 1, 2]),
    ("intersection", {"intersection": {"rules": [versions(4), age(2.5)]}}, [0, 1, 2, 3]),
    (
        "nested",
        {"union": {"rules": [age(3.5), {"intersection": {"rules": [versions(1), age(1.5)]}}]}},
        [0, 1],
    ),
]
NAMES = [name for name, _, _ in RULES]


def write(api: Api, rule: dict[str, Any]) -> tuple[str, int]:
    """A row with cells that are 0 to 4 days old; answers the table and the time that is 0 days ago."""
    table = api.table(families={"cf": {"gc_rule": rule}, "keep": {}})
    now = int(time.time()) * MICROS
    cells = [
        set_cell(f"{family}:q", b"v", now - n * DAY * MICROS) for n in range(5) for family in ("cf", "keep")
    ]
    api("MutateRow", table_name=table, row_key=b"k", mutations=cells)
    return table, now


def ages(api: Api, table: str, now: int, family: str = "cf") -> list[int]:
    """How many days old the cells of a family are."""
    rows = api.rows(table)
    return [
        (now - t) // (DAY * MICROS) for _, cells in rows for column, t, _ in cells if column == f"{family}:q"
    ]


@pytest.mark.parametrize(("name", "rule", "left"), RULES, ids=NAMES)
def test_lazy_collection_waits(
    api: Api, server: RunningServer, name: str, rule: dict[str, Any], left: list[int]
) -> None:
    """Garbage must stay readable until a collection, and then be gone by the rule of its family alone."""
    table, now = write(api, rule)
    assert ages(api, table, now) == [0, 1, 2, 3, 4]
    server.collect_garbage()
    assert ages(api, table, now) == left
    assert ages(api, table, now, "keep") == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("name", "rule", "left"), RULES, ids=NAMES)
def test_eager_collection_hides_at_once(
    eager: RunningServer, name: str, rule: dict[str, Any], left: list[int]
) -> None:
    """With eager collection nobody must ever read garbage."""
    api = Api(eager.host)
    table, now = write(api, rule)
    assert ages(api, table, now) == left
    assert ages(api, table, now, "keep") == [0, 1, 2, 3, 4]
    api.close()


def test_eager_collection_follows_a_new_rule(eager: RunningServer) -> None:
    """A rule that is tightened must hide what it deletes at once, also from a row that nobody writes."""
    api = Api(eager.host)
    table, now = write(api, {})
    update = {"id": "cf", "update": {"gc_rule": versions(1)}}
    api("ModifyColumnFamilies", name=table, modifications=[update])
    assert ages(api, table, now) == [0]
    api.close()


def test_a_row_without_cells_is_gone(eager: RunningServer) -> None:
    """A row whose last cell is collected must be no row any more."""
    api = Api(eager.host)
    table = api.table(families={"cf": {"gc_rule": age(1)}})
    api.set(table, b"old", timestamp=1000)
    assert api.keys(table) == []
    assert api("ReadRows", table_name=table, rows_limit=1) == []
    api.close()


def test_background_collection(tmp_path: object) -> None:
    """With a period the server must collect by itself."""
    with start(gc_period=0.2) as running:
        api = Api(running.host)
        table, now = write(api, versions(1))
        deadline = time.monotonic() + 10
        while ages(api, table, now) != [0] and time.monotonic() < deadline:
            time.sleep(0.05)
        assert ages(api, table, now) == [0]


def test_tables_that_are_dropped_do_not_put_collection_off() -> None:
    """The server must collect each period, also where a table is dropped more often than that."""
    with start(gc_period=0.5) as running:
        api = Api(running.host)
        table, now = write(api, versions(1))
        deadline = time.monotonic() + 10
        while ages(api, table, now) != [0] and time.monotonic() < deadline:
            api("DeleteTable", name=api.table("passing"))
        assert ages(api, table, now) == [0]


def test_collector_is_the_rule() -> None:
    """A compiled rule must agree with the definition of unions and intersections on random nested rules."""
    randomly = random.Random(7)

    def rule(depth: int) -> dict[str, Any]:
        kind = randomly.choice(["versions", "age"] + ["union", "intersection"] * (depth > 0))
        if kind == "versions":
            return versions(randomly.randint(1, 4))
        if kind == "age":
            return {"max_age": {"seconds": randomly.randint(1, 4)}}
        return {kind: {"rules": [rule(depth - 1) for _ in range(randomly.randint(1, 3))]}}

    def deletes(rule: dict[str, Any], rank: int, seconds: int) -> bool:
        ((kind, value),) = rule.items()
        if kind == "max_num_versions":
            return bool(rank + 1 > value)
        if kind == "max_age":
            return bool(seconds > value["seconds"])
        return (any if kind == "union" else all)(deletes(each, rank, seconds) for each in value["rules"])

    for _ in range(300):
        made = rule(3)
        collects = schema.collector(protos.admin("GcRule")(**made))
        assert collects is not None
        for rank in range(6):
            for seconds in range(6):
                assert collects(rank, seconds * MICROS) == deletes(made, rank, seconds), (made, rank, seconds)
