"""SQL by the client: parameters, rows of named tuples and of classes, Arrow, errors, and answers that break off."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from importlib.util import find_spec
from typing import Any, NamedTuple

import attrs
import google_crc32c
import grpc
import numpy as np
import pyarrow as pa
import pytest
from fake_bigtable import answering
from google.cloud.bigtable_v2.types import (
    ExecuteQueryRequest,
    ExecuteQueryResponse,
    PrepareQueryResponse,
    ProtoRows,
)

import btmodel as bt
from btmodel.errors import QueryRefused, ServerError, Unanswered

pytestmark = pytest.mark.skipif(find_spec("zetasql") is None, reason="the local server needs zetasql for SQL")


class Trade(bt.Model, table="TRADE"):
    """A trade."""

    symbol: str = bt.key(bt.Text(max_length=8))
    number: int = bt.key(bt.BigEndian(4))
    cells = bt.family("t", gc=bt.max_versions(1))
    price: int = bt.column("price", cells, codec=bt.Int64())
    note: str | None = bt.column("note", cells, default=None)


@pytest.fixture
def db(bigtable: Any) -> bt.Database:
    """A connection to an instance with three trades."""
    connected: bt.Database = bigtable(Trade)
    for number, note in enumerate(["first", None, "third"]):
        connected.write(bt.mutation_of(Trade(symbol="A", number=number, price=10 * number, note=note)))
    return connected


QUERY = "SELECT _key, TO_INT64(t['price']) AS price, SAFE_CAST(t['note'] AS STRING) AS note FROM TRADE ORDER BY price"


def test_rows_are_named_tuples(db: bt.Database) -> None:
    """A row has an attribute for each column: the key without its underscore, and a number for one without a name."""
    rows = db.sql(QUERY).all()
    assert [(row.price, row.note) for row in rows] == [(0, "first"), (10, None), (20, "third")]
    assert rows[0].key == rows[0][0] == b"A#\0\0\0\0"
    (row,) = db.sql("SELECT 1, 'a' AS `class`, 2 AS x, 3 AS x, [1, NULL] AS many, t FROM TRADE LIMIT 1")
    assert row._fields == ("column_1", "column_2", "x", "column_4", "many", "t")
    assert row.many == [1, None]
    assert set(row.t) == {b"price", b"note"}


def test_a_query_is_sent_anew_by_each_reader(db: bt.Database) -> None:
    """Nothing is sent before rows are read; each reading sees what is there then."""
    rows = db.sql("SELECT COUNT(*) AS n FROM TRADE")
    assert "not read yet" in repr(rows)
    assert [row.n for row in rows] == [3]
    db.delete("TRADE", b"A#\0\0\0\0")
    assert [row.n for row in rows] == [2]


def test_the_columns_of_a_query_are_known_before_it_is_run(db: bt.Database) -> None:
    """Their names and types in SQL are answered by preparing the query."""
    columns = db.sql("SELECT _key, t, [1.5] AS a, STRUCT(1 AS b, 'x' AS c) AS s FROM TRADE").columns()
    assert [tuple(column) for column in columns] == [
        ("_key", "BYTES"), ("t", "MAP<BYTES, BYTES>"), ("a", "ARRAY<FLOAT64>"), ("s", "STRUCT<b INT64, c STRING>"),
    ]  # fmt: skip


@pytest.mark.parametrize(("size", "count"), [(1 << 10, 2_000), (100_000, 300), (3 << 20, 3), (9 << 20, 2)])
def test_large_results_arrive_whole(db: bt.Database, size: int, count: int) -> None:
    """Results beyond the size of a message are cut for the way, and no byte of them is lost."""
    notes = {10 + at: f"{at}".ljust(size, "x") for at in range(count)}
    for number, note in notes.items():
        db.write(bt.mutation_of(Trade(symbol="L", number=number, price=number, note=note)))
    where = "WHERE STARTS_WITH(_key, b'L')"
    for order in ("", "ORDER BY price"):
        query = f"SELECT TO_INT64(t['price']) AS price, CAST(t['note'] AS STRING) AS note FROM TRADE {where} {order}"
        assert {row.price: row.note for row in db.sql(query)} == notes


class Tuple(NamedTuple):
    """A row."""

    key: bytes
    price: int
    note: str | None = None


@dataclass
class Data:
    """A row."""

    key: bytes
    price: int
    note: str | None
    more: str = "default"


@attrs.frozen
class Frozen:
    """A row."""

    key: bytes
    price: int | None
    note: str | None


@pytest.mark.parametrize("kind", [Tuple, Data, Frozen])
def test_rows_are_of_a_class(db: bt.Database, kind: Any) -> None:
    """The columns are the fields of a NamedTuple, a dataclass or a class of attrs, by name."""
    assert db.sql(QUERY, into=kind).all()[1] == kind(key=b"A#\0\0\0\1", price=10, note=None)


@pytest.mark.parametrize("kind", [Tuple, Data])
def test_a_null_in_a_field_that_takes_none_is_refused(db: bt.Database, kind: Any) -> None:
    """The error names the field and says how to take the NULL; a field whose type has None takes it."""
    query = "SELECT _key AS key, CAST(NULL AS INT64) AS price, CAST(NULL AS STRING) AS note FROM TRADE"
    with pytest.raises(bt.ValueRefused) as refused:
        db.sql(query, into=kind).all()
    assert str(refused.value) == (
        f"sql: {kind.__name__}.price: expected int, as the type of the field has no None for NULL: declare it as `int | None`, "
        "or give another value in the query, as with IFNULL, got None"
    )
    assert db.sql(query, into=Frozen).all()[0].price is None


def test_a_parameter_that_the_query_does_not_name_is_refused(db: bt.Database) -> None:
    """It would change nothing, as where its name is misspelt; names are compared as SQL compares them."""
    query = "SELECT _key FROM TRADE WHERE _key = @Key OR _key = @`other`"
    given = {"key": b"A", "OTHER": b"B"}
    assert db.sql(query, given).all() == []
    with pytest.raises(bt.QueryRefused) as refused:
        db.sql(query, {**given, "othr": b"C"})
    assert str(refused.value).startswith(
        "sql: expected parameters that the query names, got 'othr': it has no @othr"
    )


class Noted(bt.Model, table="NOTED"):
    """A model whose rows hold versions, and a time."""

    id: str = bt.key(bt.Text(max_length=8))
    cells = bt.family("t", gc=bt.max_versions(5))
    at: datetime = bt.timestamp()
    note: str | None = bt.column("note", cells, default=None)
    marks: dict[str, int] = bt.mapping(cells, prefix="m:", names=bt.Text(max_length=4))


def test_rows_are_of_a_model(db: bt.Database) -> None:
    """A query for whole families gives rows as any read does, and says which columns it needs."""
    rows = db.sql(
        "SELECT * FROM TRADE WHERE _key >= @key ORDER BY _key", {"key": b"A#\0\0\0\1"}, into=Trade
    ).all()
    assert rows == [
        Trade(symbol="A", number=1, price=10),
        Trade(symbol="A", number=2, price=20, note="third"),
    ]
    whole = db.sql("SELECT * FROM TRADE(with_history => TRUE)", into=Trade).all()
    assert whole[1:] == rows
    with pytest.raises(QueryRefused, match=r"expected _key, t among the columns, as of SELECT .*, got _key"):
        db.sql("SELECT _key FROM TRADE", into=Trade).all()


def test_rows_of_a_model_with_times_need_the_history(bigtable: Any) -> None:
    """Times and versions are read from a history; without one the query is refused, and nothing is read wrongly."""
    db = bigtable(Noted)
    row = Noted(id="a", at=datetime(2024, 2, 29, tzinfo=UTC), note="x", marks={"b": 2, "a": 1})
    db.write(bt.mutation_of(row))
    assert db.sql("SELECT * FROM NOTED(with_history => TRUE)", into=Noted).all() == [row]
    with pytest.raises(QueryRefused, match=r"ask for them, as FROM NOTED\(with_history => TRUE\)"):
        db.sql("SELECT * FROM NOTED", into=Noted).all()


class Shelved(bt.Model, table="SHELVED"):
    """A model whose rules delete cells by rank, by age, and by both."""

    id: str = bt.key(bt.Text(max_length=8))
    ranked = bt.family("r", gc=bt.max_versions(2))
    aged = bt.family("a", gc=bt.max_age(days=1))
    both = bt.family("b", gc=bt.max_versions(3) & bt.max_age(days=1) | bt.max_versions(4))
    low: bt.History[int] = bt.history("low", ranked)
    note: bt.History[str] = bt.history("note", aged)
    high: bt.History[int] = bt.history("high", both)


class Ending(bt.Model, table="ENDING"):
    """A row that expires."""

    id: str = bt.key(bt.Text(max_length=8))
    until: datetime = bt.expires(round=True)
    cells = bt.family("c", gc=bt.max_age(milliseconds=1))
    user: str = bt.column("u", cells)


class Aged(bt.Model, table="AGED"):
    """A model without versions whose cells come of age."""

    id: str = bt.key(bt.Text(max_length=8))
    cells = bt.family("c", gc=bt.max_age(days=1))
    user: str = bt.column("u", cells)


def test_rows_of_a_model_leave_out_what_its_gc_rules_delete(bigtable: Any) -> None:
    """A cell that the service may delete is read from SQL as seldom as from any read, and a row without others is none."""
    db = bigtable(Shelved)
    now = datetime.now(UTC).replace(microsecond=0)
    hours = {now - timedelta(hours=10 * ago): ago for ago in range(6)}
    for row in (
        Shelved(
            id="a",
            low=bt.History(hours),
            note=bt.History({time: str(ago) for time, ago in hours.items()}),
            high=bt.History(hours),
        ),
        Shelved(id="b", note=bt.History({now - timedelta(days=3): "old"})),
    ):
        db.write(bt.mutation_of(row))
    [row] = db.sql("SELECT * FROM SHELVED(with_history => TRUE)", into=Shelved).all()
    assert [list(row.low.values()), list(row.note.values()), list(row.high.values())] == [
        [0, 1],
        ["0", "1", "2"],
        [0, 1, 2],
    ]


def test_rows_of_a_model_leave_out_rows_that_have_expired(bigtable: Any) -> None:
    """A row whose end has come is no row of a query either."""
    db = bigtable(Ending)
    now = datetime.now(UTC)
    for id, seconds in (("dead", -5), ("live", 500)):
        db.write(bt.mutation_of(Ending(id=id, until=now + timedelta(seconds=seconds), user="u")))
    rows = db.sql("SELECT * FROM ENDING(with_history => TRUE)", into=Ending)
    assert [row.id for row in rows] == [row.id for row in rows.all()] == ["live"]


def test_rows_of_a_model_whose_cells_come_of_age_need_the_history(bigtable: Any) -> None:
    """The newest values alone do not say how old they are."""
    db = bigtable(Aged)
    db.write(bt.mutation_of(Aged(id="a", user="u")))
    assert db.sql("SELECT * FROM AGED(with_history => TRUE)", into=Aged).all() == [Aged(id="a", user="u")]
    with pytest.raises(QueryRefused, match=r"family 'c' .* FROM AGED\(with_history => TRUE\)"):
        db.sql("SELECT * FROM AGED", into=Aged).all()


class Wrong(NamedTuple):
    """A row whose price is text."""

    key: bytes
    price: str
    note: str | None


class Less(NamedTuple):
    """A row without a note."""

    key: bytes
    price: int


class More(NamedTuple):
    """A row with more than the query has."""

    key: bytes
    price: int
    note: str
    notes: str


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Wrong, "sql: Wrong.price is str, but the column is INT64"),
        (Less, "sql: Less has no field 'note', a column of the query"),
        (More, "sql: More.notes is not a column of the query: it has key, price, note"),
        (int, "sql: into must be a NamedTuple, a dataclass or a class of attrs, got int"),
    ],
)
def test_a_class_that_does_not_fit_is_refused(db: bt.Database, kind: Any, words: str) -> None:
    """A field and a column that do not fit each other are named, before any row is read."""
    with pytest.raises(QueryRefused) as caught:
        db.sql(QUERY, into=kind).all()
    assert str(caught.value).startswith(words)


class Nanos(datetime):
    """A time as pandas has it, which knows the nanoseconds behind its microseconds."""

    nanosecond = 7


_PARAMETERS = [
    (b"a\xff", None), ("x", None), (5, None), (0.5, None), (True, None), (date(2024, 2, 29), None),
    (datetime(2024, 2, 29, 1, 2, 3, 4, tzinfo=UTC), None), (datetime(1, 1, 1, tzinfo=UTC), None), ([1, None, 3], None), ([b"a"], list[bytes]),
    (None, int), ([], list[str]), (None, list[date]), ([None], list[bool]),
]  # fmt: skip


@pytest.mark.parametrize(("value", "kind"), _PARAMETERS)
def test_parameters_arrive_as_they_are(db: bt.Database, value: Any, kind: Any) -> None:
    """A parameter of each type comes back from a query as it was given; None and an empty list with the type that is said."""
    (row,) = db.sql("SELECT @p AS p", {"p": value}, types={} if kind is None else {"p": kind})
    assert row.p == value


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        (None, None, "@p is None, which has no type: say one with types={'p': int}"),
        ([], None, "@p is a list without a value, which has no type: say one with types={'p': list[int]}"),
        ([None], None, "@p is a list without a value, which has no type: say one with types={'p': list[int]}"),
        (np.array([1, 2]), None, "@p must be bytes, str, int, float, bool"),
        (np.int64(3), None, "@p must be bytes, str, int, float, bool"),
        (None, dict, "the type of @p must be that of bytes, str, int"),
        (datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-14))), None, "@p must be a time of the years 1 to 9999 in UTC"),
        (10**400, None, "@p cannot be sent as INT64: it is out of range: got 1000"),
        (datetime(2024, 1, 1), None, "@p must be an aware datetime (TIMESTAMP)"),
        ({"a": 1}, None, "@p must be bytes, str, int, float, bool, an aware datetime, date, or a list of one of them"),
        ("x", int, "@p must be int (INT64), got 'x'"),
        (True, int, "@p must be int (INT64), got True"),
        ([1, "a"], None, "@p has values of int and str: expected a list of one type, got [1, 'a']"),
        (2**63, None, "@p cannot be sent as INT64"),
        ("\ud800", None, "@p cannot be sent as STRING"),
        (datetime(2024, 1, 1, tzinfo=UTC), date, "@p must be date (DATE)"),
        (Nanos(2024, 1, 1, tzinfo=UTC), None, "@p must be a time in whole microseconds: of a Timestamp of pandas, take .floor('us')"),
    ],
)  # fmt: skip
def test_parameters_that_cannot_be_sent_are_refused(
    db: bt.Database, value: Any, kind: Any, words: str
) -> None:
    """A parameter without a type, or with another one, is refused by name before anything is sent."""
    with pytest.raises(QueryRefused) as caught:
        db.sql("SELECT @p", {"p": value}, types={} if kind is None else {"p": kind})
    assert str(caught.value).startswith(f"sql: {words}")
    with pytest.raises(QueryRefused, match="the type of @q is given, but no value"):
        db.sql("SELECT @p", {"p": 1}, types={"q": int})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((b"SELECT 1",), "expected a query in SQL as str, got b'SELECT 1'"),
        (("SELECT '\ud800'",), "the query cannot be sent: 'utf-8' codec can't encode"),
        (("SELECT @p", [1]), "parameters: expected a dict by name, got [1]"),
        (("SELECT @p", {1: 1}), "parameters: expected a dict by name, got {1: 1}"),
    ],
)
def test_what_is_no_query_is_refused(db: bt.Database, given: Any, words: str) -> None:
    """Anything but text with parameters by name is refused before anything is sent."""
    with pytest.raises(QueryRefused) as caught:
        db.sql(*given)
    assert str(caught.value).startswith(f"sql: {words}")


def test_results_are_tables_of_arrow(db: bt.Database) -> None:
    """Columns have the types of the query, nested ones too, also where there is no row."""
    query = "SELECT _key, t, TO_INT64(t['price']) AS price, CURRENT_TIMESTAMP() AS now, STRUCT(1 AS b) AS s, [DATE '2024-01-01'] AS d FROM TRADE"
    table = db.sql(query).to_arrow()
    assert table["price"].to_pylist() == [0, 10, 20]
    assert table["t"][0].as_py() == [(b"note", b"first"), (b"price", bytes(8))]
    assert table["s"][0].as_py() == {"b": 1}
    empty = db.sql(f"{query} WHERE FALSE").to_arrow()
    assert empty.num_rows == 0
    assert empty.schema == table.schema
    assert table.schema.field("t").type == pa.map_(pa.binary(), pa.binary())
    assert table.schema.field("d").type == pa.list_(pa.date32())


def test_async_reads_give_the_same(bigtable: Any, db: bt.Database) -> None:
    """The asynchronous connection reads rows, all of them, columns and Arrow."""

    async def main() -> Any:
        async with bt.AsyncDatabase(db.target) as connected:
            rows = connected.sql(QUERY, into=Tuple)
            first = [row async for row in rows]
            assert first == await rows.all()
            assert (await rows.to_arrow())["price"].to_pylist() == [0, 10, 20]
            return first, await rows.columns()

    rows, columns = asyncio.run(main())
    assert rows == db.sql(QUERY, into=Tuple).all()
    assert columns == db.sql(QUERY).columns()


def test_errors_name_the_instance_and_the_fault(db: bt.Database) -> None:
    """What the service refuses is said with its words; they name the table, the column or the place."""
    with pytest.raises(ServerError, match=r"SQL in projects/.*: refused by .*Table not found: NOTHING"):
        db.sql("SELECT 1 FROM NOTHING").all()
    with pytest.raises(ServerError, match=r"The query failed: division by zero"):
        db.sql("SELECT 1/0").all()
    with pytest.raises(ServerError, match=r"Unrecognized name: u"):
        db.sql("SELECT u['x'] FROM TRADE").columns()


def test_calls_of_sql_are_seen_as_others(db: bt.Database) -> None:
    """Hooks see how many rows and bytes came, by which method, and what failed."""
    seen: list[Any] = []
    watched = db.with_options(on_call=seen.append)
    assert len(watched.sql(QUERY).all()) == 3
    assert [(call.method, call.rows) for call in seen] == [("PrepareQuery", 1), ("ExecuteQuery", 3)]
    with pytest.raises(ServerError):
        watched.sql("SELECT").all()
    assert isinstance(seen[-1].error, ServerError)


def _rows(*numbers: int, token: bytes = b"", broken: bool = False, checksum: bool = True) -> Any:
    return _values(
        *({"int_value": number} for number in numbers), token=token, broken=broken, checksum=checksum
    )


def _values(*values: dict[str, Any], token: bytes = b"", broken: bool = False, checksum: bool = True) -> Any:
    data = ProtoRows.pb()(values=values).SerializeToString()
    results: dict[str, Any] = {"proto_rows_batch": {"batch_data": data}, "resume_token": token}
    if checksum:
        results["batch_checksum"] = google_crc32c.value(data) ^ broken
    return ExecuteQueryResponse.pb()(results=results)


Answer = Callable[[Any], Iterator[Any]]


def _scripted(*answers: Answer, kind: str = "int64_type") -> tuple[list[Any], list[bytes], list[str]]:
    """The numbers that a query gives of a service which answers so, the tokens that it was asked by, and the methods called."""
    left, tokens, methods = list(answers), [], []
    metadata = {"proto_schema": {"columns": [{"name": "n", "type_": {kind: {}}}]}}

    def answer(path: str, request: bytes, call: Any) -> Iterator[bytes]:
        methods.append(path.rpartition("/")[2])
        if path.endswith("/PrepareQuery"):
            yield PrepareQueryResponse.pb()(metadata=metadata, prepared_query=b"q").SerializeToString()
        elif path.endswith("/ExecuteQuery"):
            tokens.append(ExecuteQueryRequest.pb().FromString(request).resume_token)
            for message in left.pop(0)(call):
                yield message.SerializeToString()
        else:
            yield b""

    with answering(answer) as target, bt.Database(target) as db:
        return [row.n for row in db.sql("SELECT n FROM t")], tokens, methods


def _breaks(call: Any, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> None:
    call.abort(code, "as scripted")


def test_an_answer_that_breaks_off_goes_on_behind_its_last_token() -> None:
    """Rows without a token behind them come again, and none is given twice."""

    def first(call: Any) -> Iterator[Any]:
        yield _rows(1, 2, token=b"a")
        yield _rows(3)
        _breaks(call)

    def second(call: Any) -> Iterator[Any]:
        yield _rows(3, 4)
        yield _rows(5, token=b"b")

    numbers, tokens, _ = _scripted(first, second)
    assert numbers == [1, 2, 3, 4, 5]
    assert tokens == [b"", b"a"]


def test_a_reset_drops_what_came_before_it() -> None:
    """Rows that the server takes back are not given."""

    def only(call: Any) -> Iterator[Any]:
        yield _rows(7, 8)
        message = _rows(1, token=b"t")
        message.results.reset = True
        yield message

    assert _scripted(only)[0] == [1]


def test_a_query_that_has_expired_is_prepared_again() -> None:
    """Before the first row, a query that is not valid any more is prepared anew, a few times."""

    def expired(call: Any) -> Iterator[Any]:
        _breaks(call, grpc.StatusCode.FAILED_PRECONDITION)
        yield

    def well(call: Any) -> Iterator[Any]:
        yield _rows(1, token=b"t")

    numbers, _, methods = _scripted(expired, well)
    assert numbers == [1]
    assert methods.count("PrepareQuery") == 2
    with pytest.raises(ServerError, match="as scripted"):
        _scripted(expired, expired, expired)


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([_rows(1, token=b"t", broken=True)], "checksum"),
        ([_rows(1, token=b"t", checksum=False)], "a token in the middle of rows"),
        ([_rows(1)], "ends in the middle of rows"),
    ],
)
def test_an_answer_that_is_not_valid_is_an_error(messages: Any, words: str) -> None:
    """Rows of another checksum, and ones that are not whole, are never given."""
    with pytest.raises((ServerError, Unanswered), match=words):
        _scripted(lambda call: iter(messages))


def test_times_of_a_result_are_those_of_the_service() -> None:
    """A time that Python could not hold is an error, and none is cut."""

    def answered(**time: int) -> list[Any]:
        message = _values({"timestamp_value": time}, token=b"t")
        return _scripted(lambda call: iter([message]), kind="timestamp_type")[0]

    assert answered(seconds=-1, nanos=999_999_000) == [
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    ]
    for wrong, words in (
        (
            {"seconds": 5, "nanos": 1_001},
            r"a time that is finer than a microsecond.*00:00:05.000001\+00:00 and 1 ns",
        ),
        (
            {"seconds": 253_402_300_800},
            "a time that is not of the years 1 to 9999: 253402300800 s since 1970",
        ),
    ):
        with pytest.raises(ServerError, match=words):
            answered(**wrong)
