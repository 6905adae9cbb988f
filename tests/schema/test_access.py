"""Queries are proved: the ranges of a served query hold its rows and no others."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schemas import RandomKey, key_of, model_of, random_keys

from btmodel.codecs.key import Constant, DateText, EpochMillis, Int, KeyCodec, PaddedInt, Text
from btmodel.errors import ValueRefused
from btmodel.rows import Planner
from btmodel.schema import Access, AccessKind, Query, RowKey, Unserved, access


@st.composite
def queries(draw: st.DrawFn, key: RowKey) -> Query:
    """Queries over ``key``, most of which give leading fields and bound the next one."""
    names = [part.name for part in key.asked]
    if draw(st.integers(0, 3)):
        count = draw(st.integers(0, len(names)))
        equal, rest = names[:count], names[count : count + 1]
    else:
        equal = draw(st.lists(st.sampled_from(names), unique=True))
        rest = [name for name in names if name not in equal]
    between = draw(st.sampled_from([None, *rest, *rest, *rest]))
    return Query("q", tuple(equal), between, draw(st.sampled_from([None, "all of it is meant"])))


@settings(max_examples=800)
@given(data=st.data(), random_key=random_keys(), seed=st.integers(0, 2**32))
def test_a_served_query_reads_its_rows_and_no_others(
    data: st.DataObject, random_key: RandomKey, seed: int
) -> None:
    """Whatever the key, the query and the rows: a row lies in the planned ranges exactly if it is asked for."""
    query = data.draw(queries(random_key.key))
    if isinstance(access(random_key.key, query), Unserved):
        return
    planner = Planner(model_of(random_key.key))
    rows = random_key.rows(seed, 60)
    chance = random.Random(seed)
    for _ in range(8):
        wanted = {name: chance.choice(random_key.pools[name]) for name in random_key.pools}
        if rows and chance.random() < 0.8:
            wanted.update(chance.choice(list(rows.values())))
        pool = random_key.pools.get(query.between or "", [None])
        start, end = (chance.choice([None, *pool, *pool]) for _ in range(2))
        given_values = {name: wanted[name] for name in query.equal}
        if query.between:
            given_values[query.between] = (start, end)
        try:
            plan = planner.query(query, given_values)
        except ValueRefused:
            continue
        for raw, values in rows.items():
            equal = all(values[name] == wanted[name] for name in query.equal)
            value = values[query.between] if query.between else None
            inside = not query.between or ((start is None or value >= start) and (end is None or value < end))
            read = sum(span.holds(raw) for span in plan.ranges)
            assert read == (equal and inside), (
                f"{random_key.key.shape} {query} {given_values} reads {raw!r}: {read}"
            )


NAME, PADDED, FREE = Text(max_length=4), Text(width=4), Text(max_length=4, holds_delimiter=True)
TIME, NUMBER, DAY = EpochMillis(), Int(4), DateText()
POINT, RANGE, PREFIX, SCAN = AccessKind.POINT, AccessKind.RANGE, AccessKind.PREFIX, AccessKind.SCAN
SERVED: list[tuple[list[KeyCodec[Any]], bytes, Query, AccessKind]] = [
    ([NAME, TIME], b"#", Query("q", ("k0", "k1")), POINT),
    ([NAME, TIME], b"#", Query("q", ("k1", "k0")), POINT),
    ([NAME, TIME], b"#", Query("q", ("k0",)), PREFIX),
    ([NAME, TIME], b"#", Query("q", ("k0",), "k1"), RANGE),
    ([TIME, NAME], b"#", Query("q", (), "k0"), RANGE),
    ([Constant("LoL"), NAME, DAY], b"#", Query("q", ("k1",), "k2"), RANGE),
    ([NAME, Constant("LoL"), DAY], b"#", Query("q", ("k0",), "k2"), RANGE),
    ([NAME, Constant("end")], b"#", Query("q", ("k0",)), POINT),
    ([TIME, NAME], b"#", Query("q", ("k0",), "k1"), RANGE),
    ([PADDED, TIME], b"", Query("q", (), "k0"), RANGE),
    ([NAME, TIME], b"\x1f", Query("q", (), "k0"), RANGE),
    ([PaddedInt(2), FREE], b"#", Query("q", ("k0",)), PREFIX),
    ([FREE, PaddedInt(2)], b"#", Query("q", ("k0", "k1")), POINT),
    ([NAME, TIME], b"#", Query("q", (), scan="all"), SCAN),
]
UNSERVED: list[tuple[list[KeyCodec[Any]], bytes, Query, str]] = [
    ([NAME, TIME], b"#", Query("q", ("k1",)), "'k0' stands in front of 'k1'"),
    ([NAME, TIME], b"#", Query("q", (), "k1"), "'k0' stands in front of 'k1'"),
    ([NAME, TIME], b"#", Query("q", ()), "whole table"),
    ([NAME, TIME], b"#", Query("q", ("k7",)), "'k7' is no field"),
    ([NAME, TIME], b"#", Query("q", ("k0",), "k7"), "'k7' is no field"),
    ([NAME, TIME], b"#", Query("q", ("k0", "k1"), "k1"), "at once"),
    ([NAME, NUMBER], b"#", Query("q", ("k0",), "k1"), "do not sort"),
    ([NAME, TIME], b"#", Query("q", (), "k0"), "no fixed width"),
    ([NAME, DateText("%d%m%Y")], b"#", Query("q", ("k0",), "k1"), "do not sort"),
    ([FREE, PaddedInt(2)], b"#", Query("q", ("k0",)), "k0"),
    ([FREE, PaddedInt(2)], b"#", Query("q", ("k0",), "k1"), "k0"),
    ([NAME, PaddedInt(2)], b"", Query("q", ("k0",)), "k0"),
]


@pytest.mark.parametrize(("codecs", "delimiter", "query", "kind"), SERVED)
def test_what_a_key_serves_is_served_by_the_cheapest_read(
    codecs: list[KeyCodec[Any]], delimiter: bytes, query: Query, kind: AccessKind
) -> None:
    """A query that the key serves is served, as one row before one range before one prefix."""
    found = access(key_of(*codecs, delimiter=delimiter), query)
    assert isinstance(found, Access)
    assert found.kind is kind


@pytest.mark.parametrize(("codecs", "delimiter", "query", "why"), UNSERVED)
def test_what_no_key_serves_is_refused_with_the_reason(
    codecs: list[KeyCodec[Any]], delimiter: bytes, query: Query, why: str
) -> None:
    """A query that would read rows that it does not ask for is not served, and the reason names the field."""
    found = access(key_of(*codecs, delimiter=delimiter), query)
    assert isinstance(found, Unserved)
    assert why in found.why


def test_all_rows_of_a_model_are_not_all_rows_of_a_shared_table() -> None:
    """A scan of a model whose key begins with a constant leaves out the rows of its neighbours."""
    model = model_of(key_of(Constant("LoL"), PaddedInt(2)))
    (span,) = Planner(model).query(Query("every", (), scan="all of it"), {}).ranges
    assert span.holds(b"LoL#07")
    assert not span.holds(b"Other#07")
