"""The queries of views, run by Google's implementation of GoogleSQL, give the rows that the local server keeps."""

import math
import struct
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.declare.model import codec_of, key_of
from btmodel.server.view_query import ViewedRow, parse
from btmodel.testing import instances
from tests.codegen.googlesql_engine import QueryError, in_bigtable, run
from tests.codegen.view_models import VIEWS, ByCustomer, Grade, OfShop, Order, Status

FAMILIES = ("f", "g")
CELLS = [("f", one.qualifier) for one in bt.schema_of(Order).columns if one.family == "f"] + [("f", b"cust")]
CELLS += [("g", one.qualifier) for one in bt.schema_of(Order).columns if one.family == "g"]
# Bytes that are near to what codecs write.
NEARLY = st.one_of(
    st.binary(max_size=9),
    st.integers(-(2**63), 2**63 - 1).map(lambda number: number.to_bytes(8, signed=True)),
    st.integers(-(10**15), 4 * 10**15).map(lambda number: number.to_bytes(8, signed=True)),
    st.text(max_size=8).map(str.encode),
    st.sampled_from(
        [
            b"paid",
            b"open",
            b"\x01",
            b"\0",
            b"true",
            b"2024-02-30",
            b"2024-12-31",
            b"999",
            b"-1",
            b"a#b",
            b"a ",
            b"1e3",
        ]
    ),
)
TIMES = st.datetimes(datetime(1970, 1, 2), datetime(2200, 1, 1), timezones=st.just(UTC)).map(
    lambda time: time.replace(microsecond=time.microsecond // 1000 * 1000)
)


def kept(query: str, rows: dict[bytes, dict[str, dict[bytes, bytes]]]) -> dict[bytes, dict[bytes, bytes]]:
    """The rows that the local server makes."""
    parsed = parse(query)
    groups: dict[bytes, list[Any]] = {}
    for key, families in sorted(rows.items()):
        cells = {(family, name): value for family, of in families.items() for name, value in of.items()}
        part = parsed.part(ViewedRow(key, cells))
        if part is not None:
            groups.setdefault(part[0], []).append(part[1])
    found = {key: dict(parsed.cells(parts)) for key, parts in groups.items()}
    return {key: cells for key, cells in found.items() if cells}


def of_engine(value: Any) -> bytes | None:
    """A value of SQL as ReadRows gives it."""
    match value:
        case None | bytes():
            return value
        case str():
            return value.encode()
        case int():
            return value.to_bytes(8, signed=True)
        case float():
            return struct.pack(">d", value)
        case datetime():
            return ((value - datetime(1970, 1, 1, tzinfo=UTC)) // (datetime.resolution)).to_bytes(
                8, signed=True
            )
    raise AssertionError(f"no value of a view: {value!r}")


def same(one: bytes | None, other: bytes | None, *, real: bool) -> bool:
    """Whether two cells are equal; of sums of floats, as near as another order of adding makes them."""
    if one == other or one is None or other is None or not real:
        return one == other
    first, second = (struct.unpack(">d", raw)[0] for raw in (one, other))
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-9) or (
        math.isnan(first) and math.isnan(second)
    )


def check(view: type[bt.Model], rows: dict[bytes, dict[str, dict[bytes, bytes]]]) -> None:
    schema = bt.schema_of(view)
    assert schema.view is not None
    query = schema.view.definition.query
    real = {one.name for one in schema.columns if one.codec == bt.Float64()}
    mine = kept(query, rows)
    # The engine's evaluator has no sketches, and few values are counted exactly by one.
    exact = query.replace("HLL_COUNT.EXTRACT(HLL_COUNT.INIT(", "(COUNT(DISTINCT ")
    try:
        theirs = {row.pop("_key"): row for row in run(in_bigtable("ORDER", rows, FAMILIES, exact))}
    except QueryError as error:
        # Nothing can be said in SQL against a sum that is too large; the service drops the row, as the server does.
        assume("int64 overflow" not in str(error) or "SUM(" not in query)
        raise
    told = {key: {name: of_engine(value) for name, value in row.items()} for key, row in theirs.items()}
    there = {key: row for key, row in told.items() if any(value is not None for value in row.values())}
    assert mine.keys() == there.keys()
    for key, row in there.items():
        for name, value in row.items():
            assert same(mine[key].get(name.encode()), value, real=name in real), (key, name)


def stored(row: bt.Model) -> dict[str, dict[bytes, bytes]]:
    found: dict[str, dict[bytes, bytes]] = {}
    for cell in codec_of(type(row)).encode({name: getattr(row, name) for name in bt.to_dict(row)}, 0).cells:
        found.setdefault(cell.family, {})[cell.qualifier] = cell.value
    return found


ORDERS = instances(Order, placed=TIMES)


@pytest.mark.parametrize("view", VIEWS)
@given(orders=st.lists(ORDERS, max_size=6))
@settings(max_examples=6, deadline=None)
def test_written_rows_are_in_the_view_as_google_sql_has_them(
    view: type[bt.Model], orders: list[Order]
) -> None:
    """Of rows that the model writes, the engine and the server make the same rows of a view."""
    check(view, {key_of(row): stored(row) for row in orders})


@pytest.mark.parametrize("view", VIEWS)
@given(
    rows=st.dictionaries(
        st.one_of(st.binary(min_size=1, max_size=30), ORDERS.map(key_of)),
        st.dictionaries(st.sampled_from(CELLS), NEARLY, max_size=len(CELLS)),
        max_size=6,
    )
)
@settings(max_examples=6, deadline=None)
def test_any_bytes_are_in_the_view_as_google_sql_has_them(
    view: type[bt.Model], rows: dict[bytes, dict[tuple[str, bytes], bytes]]
) -> None:
    """Of any bytes, too, and no row makes the query fail: what cannot be a key of the view is left out."""
    found: dict[bytes, dict[str, dict[bytes, bytes]]] = {}
    for key, cells in rows.items():
        for (family, name), value in cells.items():
            found.setdefault(key, {}).setdefault(family, {})[name] = value
    check(view, found)


@pytest.mark.parametrize("view", VIEWS)
@given(orders=st.lists(ORDERS, min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_rows_of_a_view_decode(view: type[bt.Model], orders: list[Order]) -> None:
    """The model of a view reads every row that the server keeps of it."""
    schema = bt.schema_of(view)
    assert schema.view is not None
    rows = kept(schema.view.definition.query, {key_of(row): stored(row) for row in orders})
    for key, cells in rows.items():
        made = [bt_cell(name, value) for name, value in cells.items()]
        row = codec_of(view).decode(key, made, only=None, whole=True)
        assert bt.key_of(row) == key


def bt_cell(qualifier: bytes, value: bytes) -> Any:
    from btmodel.rows import Cell

    return Cell("default", qualifier, 0, value)


def order(**values: Any) -> Order:
    given: dict[str, Any] = {
        "shop": "s1",
        "number": 7,
        "at": datetime(2024, 2, 29, 12, tzinfo=UTC),
        "customer": "jo",
        "status": Status.PAID,
        "grade": Grade.LOW,
        "total": 5,
        "placed": datetime(2024, 1, 1, 10, 30, 15, 123_000, tzinfo=UTC),
        "due": date(2024, 12, 30),
        "paid": True,
        "token": UUID(int=1),
        "count": 12,
        "flag": False,
        "raw": b"ab",
        "slot": 3,
    }
    return Order(**{**given, **values})


def test_the_bytes_of_an_index_are_those_of_btmodels_codecs() -> None:
    """The key of an index, by hand: customer, 2^63 - 1 less the milliseconds, and the whole key of the table."""
    schema = bt.schema_of(ByCustomer)
    assert schema.view is not None
    row = order(note="hi")
    rows = kept(schema.view.definition.query, {key_of(row): stored(row)})
    left = 2**63 - 1 - 1_704_105_015_123
    assert rows == {
        f"jo#{left}#o#s1#0007#1709208000000".encode(): {
            b"total": (5).to_bytes(8),
            b"note": b"hi",
            b"money": b"12",
        }
    }
    assert b", _key) AS _key" in schema.view.definition.query.encode()  # as a whole, not cut out of it


def test_a_rollup_by_hand() -> None:
    """Counts, sums and extremes of a group, each in the 8 bytes that the service has for them."""
    schema = bt.schema_of(OfShop)
    assert schema.view is not None
    orders = [order(total=5, weight=0.5), order(number=8, total=-2, weight=None, customer="al", note="b")]
    rows = kept(schema.view.definition.query, {key_of(row): stored(row) for row in orders})
    [(key, cells)] = rows.items()
    assert key == b"s1#202402"
    row = codec_of(OfShop).decode(key, [bt_cell(*one) for one in cells.items()], only=None, whole=True)
    assert row == OfShop(
        shop="s1",
        month=date(2024, 2, 1),
        orders=2,
        noted=1,
        total=3,
        weight=0.5,
        least=12,
        greatest=None,
        last=datetime(2024, 1, 1, 10, 30, 15, 123_000, tzinfo=UTC),
        first_note="b",
        mean=1.5,
        customers=2,
    )
