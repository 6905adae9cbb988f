"""What ``access`` promises, tried on every row of small tables."""

import itertools
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from btmodel.codecs.key import Constant, KeyCodec, Text
from btmodel.errors import ValueRefused
from btmodel.rows.key import RowKeyCodec
from btmodel.rows.plan import Planner
from btmodel.schema import KeyField, ModelSchema, Query, RowKey, Unserved, access

FIXED = Text(width=2)
FREE = Text(max_length=2)
HOLDING = Text(max_length=2, holds_delimiter=True)
VALUES = ["".join(letters) for size in (1, 2) for letters in itertools.product("a#!", repeat=size)]

Row = tuple[dict[str, str], bytes]


def every_row(model: ModelSchema) -> list[Row]:
    """All rows of short values that ``model`` accepts, with their keys."""
    codec, rows = RowKeyCodec(model), []
    names = [part.name for part in model.key.asked]
    for values in itertools.product(VALUES, repeat=len(names)):
        row = dict(zip(names, values, strict=True))
        try:
            rows.append((row, codec.encode(row)))
        except ValueRefused:
            continue
    return rows


@settings(max_examples=200, deadline=None)
@given(
    # At most one field whose end is found from the right: more of them make keys that do not read back.
    st.lists(st.sampled_from([FIXED, FREE, Constant("a")]), max_size=1),
    st.sampled_from([FIXED, FREE, HOLDING]),
    st.lists(st.sampled_from([FIXED, Constant("a")]), max_size=2),
    st.sampled_from([b"#", b"!", b""]),
    st.booleans(),
    st.data(),
)
def test_a_served_query_reads_its_rows_and_no_others(
    front: list[KeyCodec[str]],
    middle: KeyCodec[str],
    back: list[KeyCodec[str]],
    delimiter: bytes,
    bounded: bool,
    data: st.DataObject,
) -> None:
    """The planned ranges of a served query hold just the rows that match it."""
    assume(delimiter or FREE not in front)
    fields = [KeyField(f"f{index}", codec) for index, codec in enumerate((*front, middle, *back))]
    key = RowKey(tuple(fields), delimiter)
    names = [part.name for part in key.asked]
    count = data.draw(st.integers(0, len(names) - bounded))
    query = Query("q", tuple(names[:count]), names[count] if bounded else None)
    model = ModelSchema("M", "m", "", "T", key, (), (), (query,))
    assume(not isinstance(access(key, query), Unserved))
    rows = every_row(model)
    drawn = [data.draw(st.sampled_from(rows))[0] for _ in range(3)]
    wanted: dict[str, Any] = {name: drawn[0][name] for name in query.equal}
    span = {query.between: (drawn[1][query.between], drawn[2][query.between])} if query.between else {}
    plan = Planner(model).query(query, wanted | span)
    for row, raw in rows:
        matches = all(row[name] == value for name, value in wanted.items())
        matches = matches and all(start <= row[name] < end for name, (start, end) in span.items())
        assert any(part.holds(raw) for part in plan.ranges) == matches, (row, raw)
