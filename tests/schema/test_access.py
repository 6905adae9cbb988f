"""Queries are proved: the ranges of a served query hold its rows and no others."""

import random
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from schemas import RandomKey, begins, key_of, model_of, random_keys

from btmodel.codecs.key import (
    Constant,
    DateText,
    Descending,
    EpochMillis,
    EscapedText,
    HexDigest,
    Int,
    KeyCodec,
    OrderedInt,
    PaddedInt,
    ReversedDomain,
    Text,
)
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows import Planner, ReadPlan
from btmodel.rows.read import RangeOrder
from btmodel.schema import Access, AccessKind, Derived, KeyField, Query, RowKey, Unserved, access
from tests.examples_tried import examples


@st.composite
def queries(draw: st.DrawFn, key: RowKey) -> Query:
    """Queries over ``key``, most of which give leading fields and bound the next one, or give its beginning."""
    names = [*key.hashed, *(part.name for part in key.asked)]
    if draw(st.integers(0, 3)):
        count = draw(st.integers(0, len(names)))
        equal, rest = names[:count], names[count : count + 1]
    else:
        equal = draw(st.lists(st.sampled_from(names), unique=True))
        rest = [name for name in names if name not in equal]
    then = draw(st.sampled_from([None, *rest, *rest, *rest]))
    scan = draw(st.sampled_from([None, "all of it is meant"]))
    if then is not None and draw(st.booleans()):
        return Query("q", tuple(equal), starting=then, scan=scan)
    return Query("q", tuple(equal), then, scan=scan)


def asked(chance: random.Random, random_key: RandomKey, query: Query, near: dict[str, Any]) -> dict[str, Any]:
    """Values to ask ``query`` with, most of them those of the row ``near``."""
    values: dict[str, Any] = {name: near[name] for name in query.equal}
    if query.between:
        start, end = (chance.choice(random_key.ends(query.between)) for _ in range(2))
        values[query.between] = (start, end, chance.choice(["[)", "[]", "()", "(]"]))
    if query.starting:
        part = random_key.key.field(query.starting)
        pool = [value for value in random_key.pools[query.starting] if value is not None]
        values[query.starting] = beginning(chance, part.codec, near[query.starting] or chance.choice(pool))
    return values


def beginning(chance: random.Random, codec: KeyCodec[Any], whole: Any) -> Any:
    """What values may begin with, most times what ``whole`` does."""
    if isinstance(codec, ReversedDomain):
        return whole.split(".", chance.randrange(2))[-1]
    start = whole[: chance.randrange(3)]
    more: list[Any] = [start[:0], start[:0], start[:0]]
    match start:
        case str():
            more += ["a", "#", "0", ":", "-"]
        case bytes():
            more += [b"a", b"#", b"\0", b"\xff"]
        case tuple():
            more += [("a",), ("",)]
    return start + chance.choice(more)


def meant(key: RowKey, query: Query, given_values: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether ``row`` is among the rows that ``query`` asks for: the definition of queries."""
    if any(row[name] != given_values[name] for name in query.equal):
        return False
    if query.starting:
        value = row[query.starting]
        codec = key.field(query.starting).codec
        return value is not None and begins(codec, value, given_values[query.starting])
    if query.between:
        value = row[query.between]
        start, end, closed = given_values[query.between]
        if value is None:
            return False
        above = start is None or value > start or (value == start and closed[0] == "[")
        return above and (end is None or value < end or (value == end and closed[1] == "]"))
    return True


@examples(200)
@given(data=st.data(), random_key=random_keys(), seed=st.integers(0, 2**32))
def test_a_served_query_reads_its_rows_and_no_others(
    data: st.DataObject, random_key: RandomKey, seed: int
) -> None:
    """Whatever the key, the query and the rows: a row lies in the planned ranges, and its key has the length asked for, exactly if it is asked for."""
    query = data.draw(queries(random_key.key))
    if isinstance(access(random_key.key, query), Unserved):
        return
    planner = Planner(random_key.model)
    rows = random_key.rows(seed, 60)
    chance = random.Random(seed)
    for _ in range(8):
        near = {name: chance.choice(random_key.pools[name]) for name in random_key.pools}
        if rows and chance.random() < 0.8:
            near.update(chance.choice(list(rows.values())))
        given_values = asked(chance, random_key, query, near)
        try:
            plan = planner.query(query, given_values)
        except (ValueRefused, QueryRefused):
            continue  # a value that the field cannot hold, or a start after the end
        for raw, values in rows.items():
            read = sum(span.holds(raw) for span in plan.ranges) if plan.length in (None, len(raw)) else 0
            assert read == meant(random_key.key, query, given_values, values), (
                f"{random_key.key.shape} {query} {given_values} reads {raw!r}: {read}"
            )
        refuse_wrong_merge(random_key, plan, list(rows))


def refuse_wrong_merge(random_key: RandomKey, plan: ReadPlan, keys: list[bytes]) -> None:
    """The leads of a merged plan are the bytes up to the salt, which is the same all over a range."""
    assert plan.joined is RangeOrder.MERGED or not plan.leads
    if plan.joined is not RangeOrder.MERGED:
        return
    behind = random_key.key.behind
    for span, lead in zip(plan.ranges, plan.leads, strict=True):
        for raw in filter(span.holds, keys):
            parts = random_key.codec.split(raw)
            ends = list(accumulate(len(part) + len(behind(field)) for field, part in parts))
            at = ends.index(lead)
            assert raw[:lead] == (span.start + behind(parts[at][0]))[:lead][: len(raw)]


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
    ([EscapedText(4), TIME], b"", Query("q", ("k0",)), PREFIX),
    ([EscapedText(4), TIME], b"", Query("q", (), "k0"), RANGE),
    ([EscapedText(4), NAME], b"", Query("q", (), starting="k0"), PREFIX),
    ([OrderedInt(), NAME], b"", Query("q", ("k0",), "k1"), RANGE),
    ([NAME, Descending(PaddedInt(3)), NAME], b"#", Query("q", ("k0",), "k1"), RANGE),
    ([NAME, NAME], b"#", Query("q", (), starting="k0"), PREFIX),
    ([PaddedInt(2), FREE], b"#", Query("q", ("k0",), starting="k1"), PREFIX),
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
    ([FREE, NAME], b"#", Query("q", ("k0",)), "k0"),
    ([FREE, Int(2)], b"#", Query("q", ("k0",), "k1"), "k0"),
    ([NAME, PaddedInt(2)], b"", Query("q", ("k0",)), "k0"),
    ([FREE, PaddedInt(2)], b"#", Query("q", (), starting="k0"), "where 'k0' ends cannot be determined"),
    ([NAME, PaddedInt(2)], b"", Query("q", (), starting="k0"), "where 'k0' ends cannot be determined"),
    ([NAME, TIME], b"#", Query("q", ("k0",), starting="k1"), "beginning of 'k1' is not the beginning"),
    ([NAME, TIME], b"#", Query("q", ("k0",), starting="k0"), "at once"),
    ([NAME, TIME, NAME], b"#", Query("q", ("k0",), starting="k2"), "'k1' stands in front of 'k2'"),
]


def derived_key(derived: Derived, codec: KeyCodec[Any], at: int) -> RowKey:
    """The key ``{k0}#{k1}`` with the field ``d`` in the place ``at``."""
    fields = key_of(PADDED, TIME).fields
    return RowKey((*fields[:at], KeyField("d", codec, derived=derived), *fields[at:]), b"#")


SALT = Derived(("k0",), len, (1, 2, 3, 4))
SALT_OF_COLUMN = Derived(("c",), len, (1, 2))
HASH = Derived(("k0",), str)
HASH_OF_COLUMN = Derived(("c",), str)


@pytest.mark.parametrize(
    ("derived", "at", "query", "kind", "scattered"),
    [
        (SALT, 0, Query("q", ("k0",)), PREFIX, False),
        (SALT, 0, Query("q", ("k0", "k1")), POINT, False),
        (SALT, 0, Query("q", ("k0",), "k1"), RANGE, False),
        (SALT, 0, Query("q", (), "k0"), RANGE, True),
        (SALT, 0, Query("q", (), starting="k0"), PREFIX, True),
        (SALT, 1, Query("q", (), "k0"), RANGE, False),
        (SALT, 2, Query("q", ("k0", "k1")), POINT, False),
        (SALT_OF_COLUMN, 0, Query("q", ("k0",)), PREFIX, True),
        (SALT_OF_COLUMN, 1, Query("q", ("k0",)), PREFIX, False),
        (SALT_OF_COLUMN, 1, Query("q", ("k0",), "k1"), RANGE, True),
        (SALT_OF_COLUMN, 0, Query("q", (), scan="all"), SCAN, False),
        (HASH, 0, Query("q", ("k0",)), PREFIX, False),
        (HASH, 1, Query("q", ("k0",), "k1"), RANGE, False),
        (HASH_OF_COLUMN, 0, Query("q", ("c",)), PREFIX, False),
        (HASH_OF_COLUMN, 1, Query("q", ("k0", "c")), PREFIX, False),
        (HASH_OF_COLUMN, 2, Query("q", ("k0", "k1")), PREFIX, False),
    ],
)
def test_a_derived_field_is_known_scattered_over_or_left_for_later(
    derived: Derived, at: int, query: Query, kind: AccessKind, scattered: bool
) -> None:
    """A field that follows from what is given needs no reads of its own; a salt that does not is tried in all values."""
    codec: KeyCodec[Any] = HexDigest(4) if derived.values is None else PaddedInt(1)
    found = access(derived_key(derived, codec, at), query)
    assert isinstance(found, Access), found
    assert (found.kind, found.scattered is not None) == (kind, scattered)


@pytest.mark.parametrize(
    ("derived", "at", "query", "why"),
    [
        (SALT, 0, Query("q", ("d",)), "'d' is no field"),
        (SALT, 0, Query("q", ()), "whole table"),
        (SALT, 0, Query("q", ("k1",)), "'k0' stands in front of 'k1'"),
        (SALT_OF_COLUMN, 0, Query("q", ("c",)), "has only a salt of it"),
        (SALT_OF_COLUMN, 0, Query("q", ("c", "k0", "k1")), "has only a salt of it"),
        (HASH, 0, Query("q", (), "k0"), "'d' stands in front of 'k0'"),
        (HASH_OF_COLUMN, 0, Query("q", ("k0",)), "'d' stands in front of 'k0'"),
        (HASH_OF_COLUMN, 0, Query("q", (), "c"), "only a hash of 'c'"),
        (HASH_OF_COLUMN, 2, Query("q", ("k0", "c")), "'k1' stands in front of 'c'"),
        (Derived(("k0", "k1"), str), 0, Query("q", ("k0",)), "'d' stands in front of 'k0'"),
        (Derived(("k1",), str), 0, Query("q", ("k1",)), "'k0' stands in front of 'k1'"),
    ],
)
def test_a_hash_or_a_salt_alone_answers_no_query(derived: Derived, at: int, query: Query, why: str) -> None:
    """What many values share does not tell one of them, and a hash needs all that it is made from."""
    codec: KeyCodec[Any] = HexDigest(4) if derived.values is None else PaddedInt(1)
    found = access(derived_key(derived, codec, at), query)
    assert isinstance(found, Unserved), found
    assert why in found.why


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
