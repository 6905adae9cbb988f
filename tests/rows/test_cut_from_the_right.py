"""Keys whose text may hold the delimiter: what stands behind it has a fixed width, so it is cut off from the right."""

from datetime import date
from itertools import product
from typing import Any

import pytest
from filter_interpreter import passing
from hypothesis import given
from hypothesis import strategies as st
from schemas import key_of, model_of

import btmodel as bt
from btmodel.codecs.key import KeyCodec
from btmodel.errors import QueryRefused
from btmodel.rows import Cell, Planner, ReadPlan
from btmodel.rows.key_codec import RowKeyCodec
from btmodel.schema import Access, KeyField, Query, RowKey, Unserved, access

FREE = bt.Text(max_length=30, holds_delimiter=True)
# Texts that look like the beginning, the end and the whole of other keys.
TEXTS = st.text("a#0", min_size=1, max_size=6)
DIGIT = bt.PaddedInt(1)
BODIES: list[tuple[tuple[KeyCodec[Any], ...], bytes]] = [
    ((FREE, DIGIT, DIGIT), b"#"),
    ((FREE, DIGIT, DIGIT), b"##"),
    ((bt.PaddedInt(1), FREE, DIGIT, bt.Descending(DIGIT)), b"#"),
    ((bt.Text(max_length=6), FREE, DIGIT, DIGIT), b"/"),
]


def rows_of(plan: ReadPlan, keys: list[bytes]) -> set[bytes]:
    """The keys that a server gives: those in a range that pass the filter that it gets."""
    return {
        key
        for key in keys
        if any(span.holds(key) for span in plan.ranges)
        and (plan.sent is None or passing(plan.sent, [Cell("f", b"c", 0, b"")], None, key))  # type: ignore[arg-type]
    }


@pytest.mark.parametrize(("codecs", "delimiter"), BODIES, ids=str)
@given(data=st.data())
def test_a_query_gives_its_rows_and_no_others(
    codecs: tuple[KeyCodec[Any], ...], delimiter: bytes, data: st.DataObject
) -> None:
    """Of any rows, a query of the text gives those of its value: none that goes on behind it, and none is lost."""
    key = RowKey(tuple(KeyField(f"k{at}", one, 100) for at, one in enumerate(codecs)), delimiter)
    model = model_of(key)
    names = [part.name for part in key.fields]
    at = next(index for index, one in enumerate(codecs) if one is FREE)
    value = [TEXTS if isinstance(one, bt.Text) else st.integers(0, 9) for one in codecs]
    if at and isinstance(codecs[0], bt.Text):
        value[0] = st.text("a0", min_size=1, max_size=3)
    rows = data.draw(st.lists(st.tuples(*value), min_size=1, max_size=12, unique=True))
    # Each also with a text that goes on as the next field begins.
    rows += [
        (*row[:at], f"{row[at]}{delimiter.decode()}{row[at + 1]}{delimiter.decode()}", *row[at + 1 :])
        for row in rows
    ]
    codec = RowKeyCodec(model)
    by_key = {codec.encode(dict(zip(names, row, strict=True))): row for row in rows}
    assert {raw: tuple(codec.taken_apart(raw).values()) for raw in by_key} == by_key
    asked = dict(zip(names, data.draw(st.sampled_from(rows)), strict=True))
    low, high = sorted(data.draw(st.tuples(st.integers(0, 9), st.integers(0, 9))))
    planner = Planner(model)
    for count in range(at + 1, len(names)):
        given = names[:count]
        of = {row for row in by_key.values() if row[:count] == tuple(asked[name] for name in given)}
        plan = planner.query(Query("of", tuple(given)), {name: asked[name] for name in given})
        assert {by_key[raw] for raw in rows_of(plan, list(by_key))} == of
        plan = planner.query(
            Query("during", tuple(given), names[count]),
            {**{name: asked[name] for name in given}, names[count]: (low, high, "[]")},
        )
        assert {by_key[raw] for raw in rows_of(plan, list(by_key))} == {
            row for row in of if low <= row[count] <= high
        }


@given(
    st.lists(st.text("a#0", min_size=2, max_size=2), min_size=1, max_size=4, unique=True),
    st.lists(TEXTS, max_size=8),
)
def test_several_values_of_one_length_are_one_read(asked: list[str], others: list[str]) -> None:
    """A list of texts that are equally long gives the rows of each, between the same ends; other lists are refused."""
    model = model_of(key_of(FREE, DIGIT))
    codec = RowKeyCodec(model)
    rows = {(text, day) for text, day in product({*asked, *others}, range(3))}
    rows |= {(f"{text}#1", day) for text, day in rows}
    keys = {codec.encode({"k0": text, "k1": day}): (text, day) for text, day in rows}
    plan = Planner(model).query(Query("of", ("k0",), "k1"), {"k0": asked, "k1": (1, 2, "[]")})
    assert {keys[raw] for raw in rows_of(plan, list(keys))} == {
        (text, day) for text, day in rows if text in asked and day
    }
    with pytest.raises(
        QueryRefused, match=r"Row.of: expected values whose keys are equally long, got ones of 4 to 5 bytes"
    ):
        Planner(model).query(Query("of", ("k0",), "k1"), {"k0": ["aa", "aaa"], "k1": (1, 2)})


def test_what_cannot_be_cut_is_not_served() -> None:
    """Without a fixed width behind the text, or for its beginnings, no key serves the query."""
    text = bt.Text(max_length=9)
    for key, query in (
        (key_of(FREE, text), Query("q", ("k0",))),
        (key_of(FREE, DIGIT), Query("q", (), None, "k0")),
        (key_of(FREE, DIGIT, delimiter=b""), Query("q", ("k0",))),
        (key_of(FREE, DIGIT), Query("q", (), "k0")),
        (key_of(FREE, FREE, DIGIT), Query("q", ("k0",))),
    ):
        assert isinstance(access(key, query), Unserved), query
    found = access(key_of(FREE, DIGIT), Query("q", ("k0",)))
    assert isinstance(found, Access)
    assert found.cut is not None
    plain = access(key_of(text, DIGIT), Query("q", ("k0",)))
    assert isinstance(plain, Access)
    assert plain.cut is None


class Visit(bt.Model, table="visits"):
    """A page on a day."""

    page: str = bt.key(bt.Text(max_length=40, holds_delimiter=True), cardinality=1_000)
    day: date = bt.key(bt.DateText())

    f = bt.family("f", gc=bt.max_versions(1))
    count: int = bt.column("c", f)

    of_page = bt.query("page", between="day")


def test_it_says_what_it_reads() -> None:
    """``explain`` shows the range, which may hold other rows, and the length that tells them apart."""
    assert Visit.of_page.explain(page="a#b", day=(date(2020, 5, 1), None)) == (
        "Visit.of_page\n"
        "table   visits\n"
        "rows    [b'a#b#20200501', b'a#b#:')\n"
        "filter  keys of 12 bytes > families f > newest 1 of a column"
    )
