"""SQL of the local server: analysed by Google's front end, and equal to its own evaluator on whatever is asked."""

from __future__ import annotations

import datetime
import math
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import google_crc32c
import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from server_api import METHODS, Api, set_cell

from btmodel.server import RunningServer, protos, start
from tests.codegen import googlesql_engine as engine
from tests.examples_tried import examples

_Rows = protos.data("ProtoRows")
_FIELDS = {
    "bytes_type": "bytes_value", "string_type": "string_value", "int64_type": "int_value", "float64_type": "float_value",
    "bool_type": "bool_value",
}  # fmt: skip


class Sql:
    """An instance with a table ``t`` of families ``f`` and ``g``."""

    def __init__(self, host: str) -> None:
        self.api = Api(host)
        self.table = self.api.table(families={"f": {}, "g": {}})

    def prepare(self, query: str, **types: Any) -> Any:
        return self.api("PrepareQuery", instance_name=self.api.instance, query=query, param_types=types)

    def answers(self, query: str, types: Any = None, **parameters: Any) -> list[Any]:
        """The messages of a run."""
        prepared = self.prepare(query, **(types or {}))
        return list(
            self.api(
                "ExecuteQuery",
                instance_name=self.api.instance,
                prepared_query=prepared.prepared_query,
                params=parameters,
            )
        )

    def __call__(self, query: str, types: Any = None, **parameters: Any) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        prepared = self.prepare(query, **(types or {}))
        return _read(prepared.metadata, self.answers(query, types, **parameters))

    def refused(self, query: str, types: Any = None, **parameters: Any) -> str:
        """The error of a query: its code and its sentence."""
        with pytest.raises(grpc.RpcError) as caught:
            self.answers(query, types, **parameters)
        return f"{caught.value.code().name}: {caught.value.details()}"


def _read(metadata: Any, answers: Sequence[Any]) -> list[tuple[Any, ...]]:
    kinds = [column.type_ for column in metadata.proto_schema.columns]
    values, data = [], b""
    for answer in answers:
        data += answer.results.proto_rows_batch.batch_data
        if answer.results.HasField("batch_checksum"):
            assert answer.results.batch_checksum == google_crc32c.value(data)
            values += _Rows.FromString(data).values
            data = b""
    assert not data, "the last batch has no checksum"
    read = [_value(kinds[at % len(kinds)], one) for at, one in enumerate(values)]
    return [tuple(read[at : at + len(kinds)]) for at in range(0, len(read), len(kinds))]


def _value(kind: Any, message: Any) -> Any:
    """A value as the engine's own evaluator gives it."""
    if message.WhichOneof("kind") is None:
        return None
    match kind.WhichOneof("kind"):
        case "array_type":
            return [_value(kind.array_type.element_type, one) for one in message.array_value.values]
        case "struct_type":
            pairs = zip(kind.struct_type.fields, message.array_value.values, strict=True)
            return [_value(field.type_, one) for field, one in pairs]
        case "map_type":
            pairs = [one.array_value.values for one in message.array_value.values]
            return {
                _value(kind.map_type.key_type, key): _value(kind.map_type.value_type, value)
                for key, value in pairs
            }
        case "timestamp_type":
            return message.timestamp_value.ToDatetime(datetime.UTC)
        case "date_type":
            return datetime.date(message.date_value.year, message.date_value.month, message.date_value.day)
        case name:
            return getattr(message, _FIELDS[name])


@pytest.fixture(scope="module")
def sql(server: RunningServer) -> Iterator[Sql]:
    made = Sql(server.host)
    for key, families in ROWS.items():
        mutations = [
            set_cell(f"{family}:{name.decode()}", value, 1000)
            for family, cells in families.items()
            for name, value in cells.items()
        ]
        made.api("MutateRow", table_name=made.table, row_key=key, mutations=mutations)
    yield made
    made.api.close()


ROWS: dict[bytes, dict[str, dict[bytes, bytes]]] = {
    b"a": {"f": {b"n": b"1", b"s": b"one"}},
    b"a#1": {"f": {b"n": b"-7", b"s": "zwölf".encode(), b"x": b"\xff\x00"}, "g": {b"d": b"1.5"}},
    b"a#2": {"f": {b"s": b""}, "g": {b"d": b"-0.25", b"k": b"1"}},
    b"b": {"f": {b"n": b"4611686018427387904", b"s": b"a,b,,c"}},
    b"b\xff": {"f": {b"n": b"0", b"s": b"2024-02-29"}, "g": {b"d": b"1e300"}},
    b"b\xff\xff": {"f": {b"n": b"1", b"s": b"one"}, "g": {b"k": b"2"}},
    b"c%_": {"g": {b"d": b"inf", b"k": b"1"}},
    b"d": {"f": {b"n": b"-1", b"s": b"  7 "}, "g": {b"d": b"0.0"}},
}  # fmt: skip


def _both(sql: Sql, query: str) -> tuple[Any, Any]:
    """The rows of a query by the server and by the engine's own evaluator; the name of the failure where it fails."""
    try:
        ours: Any = sql(query)
    except grpc.RpcError as error:
        ours = error.code().name if error.code().name != "OUT_OF_RANGE" else "fails"
        if ours != "fails":
            ours = f"{ours}: {error.details()}"
    try:
        theirs: Any = [
            tuple(row.values()) for row in engine.run(engine.in_bigtable("t", ROWS, ["f", "g"], query))
        ]
    except engine.QueryError:
        theirs = "fails"
    return _comparable(ours), _comparable(theirs)


def _comparable(value: Any) -> Any:
    match value:
        case float() if math.isnan(value):
            return "NaN"
        case float():
            return float(f"{value:.12g}")
        case list() | tuple():
            return [_comparable(one) for one in value]
    return value


_KEYS = st.sampled_from([*ROWS, b"", b"a#", b"b\xfe", b"c", b"zz"])


def _literal(value: bytes) -> str:
    return str(engine.literal(value))


@st.composite
def _key_conditions(draw: Any, depth: int = 2) -> str:
    """Conditions on keys, of which the server makes ranges."""
    kind = draw(st.integers(0, 10 if depth else 7))
    key, other = _literal(draw(_KEYS)), _literal(draw(_KEYS))
    sign = draw(st.sampled_from(["=", "<", "<=", ">", ">=", "!="]))
    match kind:
        case 0:
            return f"_key {sign} {key}"
        case 1:
            return f"{key} {sign} _key"
        case 2:
            return f"_key BETWEEN {key} AND {other}"
        case 3:
            return f"STARTS_WITH(_key, {key})"
        case 4:
            return f"_key IN ({key}, {other}, b'd')"
        case 5:
            return f"_key IN UNNEST([{key}, {other}])"
        case 6:
            pattern = draw(st.sampled_from(["a%", "a#_", "%#%", "b", "c\\\\%\\\\_", "", "%"]))
            return f"_key LIKE b'{pattern}'"
        case 7:
            return draw(
                st.sampled_from(
                    [
                        f"_key IS DISTINCT FROM {key}",
                        "_key IS DISTINCT FROM NULL",
                        "_key IS NOT NULL",
                        "_key > CAST(NULL AS BYTES)",
                    ]
                )
            )
        case 8:
            return f"NOT ({draw(_key_conditions(depth - 1))})"
        case _:
            word = "AND" if kind == 9 else "OR"
            return f"({draw(_key_conditions(depth - 1))}) {word} ({draw(_key_conditions(depth - 1))})"


@examples(60)
@given(condition=_key_conditions())
def test_key_conditions_read_what_they_mean(sql: Sql, condition: str) -> None:
    """Whatever ranges a condition on the key becomes, the rows are those of the engine's own evaluator."""
    ours, theirs = _both(sql, f"SELECT _key FROM `t` WHERE {condition} ORDER BY _key")
    assert ours == theirs


_TEXTS = "SAFE_CAST(f['s'] AS STRING)"
_NUMBERS = "CAST(CAST(f['n'] AS STRING) AS INT64)"
_REALS = "CAST(CAST(g['d'] AS STRING) AS FLOAT64)"
_SMALL = st.sampled_from(["-3", "-1", "0", "1", "2", "5"])


@st.composite
def _texts(draw: Any, depth: int = 2) -> str:
    if depth == 0:
        return draw(st.sampled_from([_TEXTS, "'one'", "''", "'ö,'", "CAST(NULL AS STRING)"]))
    inner, other = draw(_texts(depth - 1)), draw(_texts(depth - 1))
    number = draw(_SMALL)
    return draw(
        st.sampled_from(
            [
                f"CONCAT({inner}, {other})", f"UPPER({inner})", f"TRIM({inner})", f"SUBSTR({inner}, {number})",
                f"SUBSTR({inner}, {number}, 2)", f"REPLACE({inner}, 'o', {other})", f"REVERSE({inner})", f"LEFT({inner}, 2)",
                f"RIGHT({inner}, {number})", f"LPAD({inner}, 4, '*')", f"RPAD({inner}, {number})", f"REPEAT({inner}, {number})",
                f"COALESCE({inner}, {other})", f"NULLIF({inner}, {other})", f"SPLIT({inner}, ',')[SAFE_OFFSET({number})]",
                f"SPLIT({inner}, ',')[OFFSET(0)]", f"TO_HEX(CAST({inner} AS BYTES))", f"CAST({_NUMBERS} AS STRING)",
                f"CAST({_REALS} AS STRING)", f"REGEXP_EXTRACT({inner}, r'[a-z]+$')", f"ARRAY_TO_STRING(SPLIT({inner}), '-')",
                f"IF({draw(_conditions(0))}, {inner}, {other})", f"CASE {inner} WHEN 'one' THEN {other} ELSE 'no' END",
                f"TO_BASE64(SHA256({inner}))", f"FORMAT_DATE('%Y/%m/%d %j', SAFE_CAST({inner} AS DATE))",
                f"CAST(SAFE_CAST({inner} AS TIMESTAMP) AS STRING)",
            ]
        )
    )  # fmt: skip


@st.composite
def _numbers(draw: Any, depth: int = 2) -> str:
    if depth == 0:
        return draw(st.sampled_from([_NUMBERS, "1", "-2", "9223372036854775807", "CAST(NULL AS INT64)"]))
    inner, other, text = draw(_numbers(depth - 1)), draw(_numbers(depth - 1)), draw(_texts(depth - 1))
    sign = draw(st.sampled_from(["+", "-", "*", "&", "|", "^"]))
    return draw(
        st.sampled_from(
            [
                f"({inner} {sign} {other})", f"MOD({inner}, {other})", f"DIV({inner}, {other})", f"ABS({inner})", f"(-({inner}))",
                f"SIGN({inner})", f"LENGTH({text})", f"BYTE_LENGTH({text})", f"STRPOS({text}, 'o')", f"SAFE_CAST({text} AS INT64)",
                f"SAFE_ADD({inner}, {other})", f"SAFE_MULTIPLY({inner}, {other})", f"GREATEST({inner}, {other})",
                f"LEAST({inner}, {other})", f"CAST({_REALS} AS INT64)", f"SAFE_CAST({_REALS} AS INT64)", f"({inner} << 3)",
                f"({inner} >> 1)", f"ARRAY_LENGTH(SPLIT({text}, ','))", f"EXTRACT(DAYOFWEEK FROM SAFE_CAST({text} AS DATE))",
                f"UNIX_DATE(DATE_ADD(SAFE_CAST({text} AS DATE), INTERVAL 13 MONTH))", f"IFNULL({inner}, {other})", f"BIT_COUNT({inner})",
                f"UNIX_MICROS(TIMESTAMP_TRUNC(TIMESTAMP_MICROS({draw(_SMALL)}), DAY))",
            ]
        )
    )  # fmt: skip


@st.composite
def _reals(draw: Any, depth: int = 2) -> str:
    if depth == 0:
        return draw(st.sampled_from([_REALS, "0.5", "-2.0", "CAST('nan' AS FLOAT64)"]))
    inner, other = draw(_reals(depth - 1)), draw(_reals(depth - 1))
    return draw(
        st.sampled_from(
            [
                f"({inner} + {other})", f"({inner} * {other})", f"({inner} / {other})", f"SAFE_DIVIDE({inner}, {other})", f"ROUND({inner})",
                f"ROUND({inner}, 1)", f"FLOOR({inner})", f"CEIL({inner})", f"TRUNC({inner})", f"ABS({inner})", f"SQRT(ABS({inner}))",
                f"POW(2, {inner})", f"SAFE.LN({inner})", f"CAST({draw(_numbers(depth - 1))} AS FLOAT64)", f"GREATEST({inner}, {other})",
                f"SIGN({inner})", f"({draw(_numbers(depth - 1))} / {inner})",
            ]
        )
    )  # fmt: skip


@st.composite
def _conditions(draw: Any, depth: int = 2) -> str:
    if depth == 0:
        return draw(
            st.sampled_from(
                ["(f['s'] IS NULL)", "(f['n'] IS NOT NULL)", "TRUE", "CAST(NULL AS BOOL)", "(_key < b'b')"]
            )
        )
    inner, other = draw(_conditions(depth - 1)), draw(_conditions(depth - 1))
    kind = draw(st.sampled_from([_texts, _numbers, _reals]))
    one, two, three = (draw(kind(depth - 1)) for _ in range(3))
    sign = draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
    text = draw(_texts(depth - 1))
    return draw(
        st.sampled_from(
            [
                f"({inner} AND {other})", f"({inner} OR {other})", f"(NOT {inner})", f"({one} {sign} {two})", f"({one} BETWEEN {two} AND {three})",
                f"({one} IN ({two}, {three}))", f"({one} NOT IN ({two}, {three}))", f"({one} IS NULL)", f"({inner} IS TRUE)", f"({inner} IS NOT FALSE)",
                f"({text} LIKE '%n_')", f"STARTS_WITH({text}, 'o')", f"ENDS_WITH({text}, 'e')", f"REGEXP_CONTAINS({text}, '[aeiou]{{1,2}}$')",
                f"(IF({inner}, {one}, {two}) IS NOT DISTINCT FROM {three})",
            ]
        )
    )  # fmt: skip


@examples(100)
@given(expression=st.one_of(_texts(), _numbers(), _reals(), _conditions()))
def test_expressions_are_those_of_the_engine(sql: Sql, expression: str) -> None:
    """Any expression gives what the engine's own evaluator gives, or fails where that fails."""
    ours, theirs = _both(sql, f"SELECT _key, {expression} AS x FROM `t` ORDER BY _key")
    assert ours == theirs


# The engine's evaluator takes infinities into a mean step by step, so what it gives rests on their order.
_AGGREGATES = [
    "COUNT(*)", "COUNT({0})", "COUNT(DISTINCT {0})", "SUM({1})", "MIN({0})", "MAX({0})", "MIN({2})", "MAX({2})", "SUM({2})",
    "AVG(IF(IS_INF({2}), NULL, {2}))", "COUNTIF({3})", "LOGICAL_AND({3})", "LOGICAL_OR({3})", "BIT_AND({1})", "BIT_OR({1})", "BIT_XOR({1})",
    "SUM(DISTINCT {1})", "ARRAY_LENGTH(ARRAY_AGG({0}))", "ARRAY_LENGTH(ARRAY_AGG({0} IGNORE NULLS))",
]  # fmt: skip


@examples(60)
@given(
    group=st.one_of(_texts(1), _numbers(1), _conditions(1)),
    aggregates=st.lists(st.sampled_from(_AGGREGATES), min_size=1, max_size=3),
    parts=st.tuples(_texts(1), _numbers(1), _reals(1), _conditions(1)),
    having=st.sampled_from(["", " HAVING COUNT(*) > 1"]),
    falling=st.sampled_from(["", " DESC", " NULLS LAST", " DESC NULLS FIRST"]),
    limit=st.sampled_from(["", " LIMIT 2", " LIMIT 3 OFFSET 1", " LIMIT 0"]),
)
def test_groups_are_those_of_the_engine(
    sql: Sql, group: str, aggregates: list[str], parts: tuple[str, ...], having: str, falling: str, limit: str
) -> None:
    """Groups, their aggregates, their order and their limits are those of the engine's own evaluator."""
    values = ", ".join(f"{one.format(*parts)} AS a{at}" for at, one in enumerate(aggregates))
    query = f"SELECT {group} AS g, {values} FROM `t` GROUP BY 1{having} ORDER BY g{falling}{limit}"
    ours, theirs = _both(sql, query)
    assert ours == theirs


@pytest.mark.parametrize(
    "call",
    [
        "PARSE_DATE('%Y%m%d', '{}')",
        "PARSE_DATE('%Y-%m-%d', '{}')",
        "PARSE_DATE('%Y%j', '{}')",
        "PARSE_DATE('%d', '{}')",
        "PARSE_DATE('%Y%m%d%H', '{}')",
        "PARSE_TIMESTAMP('%Y%m%d%H', '{}')",
        "PARSE_TIMESTAMP('%Y%m%d%H%M%E3S', '{}')",
        "PARSE_TIMESTAMP('%Y-%m-%dT%H:%M:%E6SZ', '{}')",
        r"REGEXP_REPLACE('{}', '(.{{3}})$', '.\\\\1')",
        r"REGEXP_REPLACE('{}', '0*', '<\\\\0>')",
        r"REGEXP_REPLACE('{}', '0', '\\\\1')",
    ],
)
def test_texts_are_read_and_rewritten_as_by_the_engine(sql: Sql, call: str) -> None:
    """Dates, times and rewritten texts are those of the engine, which gives NULL for what it cannot read."""
    texts = [
        "20260105", "2026015", "  20260105 ", "20260230", "00010101", "99991231", "2026-01-05", "2026-1-5", "10000-01-01", "2024366", "31",
        "2026010512", "2026010524", "20260105123456.789", "20260105123456", "20260105123456.", "20260105123460.5", "20260105123456.7891",
        "2026-01-05T12:34:56.123456Z", "2026-01-05T12:34:56Z", "2026-01-05T12:34:61Z", "",
    ]  # fmt: skip
    wanted = ", ".join(f"SAFE.{call.format(text)}" for text in texts)
    ours = sql(f"SELECT [{wanted}] AS x FROM t LIMIT 1")
    [theirs] = engine.run(f"SELECT [{wanted}] AS x")
    assert ours == [(theirs["x"],)]


def test_a_whole_row_comes_with_maps_of_its_families(sql: Sql) -> None:
    """SELECT * gives the key, and each family as a map of newest values, an empty one too."""
    assert sql("SELECT * FROM t WHERE _key = b'a'") == [(b"a", {b"n": b"1", b"s": b"one"}, {})]


def test_columns_have_names_and_types(sql: Sql) -> None:
    """What a query will give is known when it is prepared; a column without a name has an empty one."""
    query = (
        "SELECT _key, f, TO_INT64(f['n']) AS n, [1.5], DATE '2024-01-02' AS d, CURRENT_TIMESTAMP() t FROM t"
    )
    columns = sql.prepare(query).metadata.proto_schema.columns
    assert [column.name for column in columns] == ["_key", "f", "n", "", "d", "t"]
    kinds = ["bytes_type", "map_type", "int64_type", "array_type", "date_type", "timestamp_type"]
    assert [column.type_.WhichOneof("kind") for column in columns] == kinds


def test_encoded_numbers_are_read(sql: Sql) -> None:
    """TO_INT64 and TO_FLOAT64 read 8 bytes, big-endian, TO_VECTOR32 an array of them; other bytes fail, or are NULL where SAFE says so."""
    query = "SELECT TO_INT64(b'\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe'), TO_FLOAT64(FROM_HEX('4000000000000000')), SAFE.TO_INT64(b'1')"
    assert sql(query) == [(-2, 2.0, None)]
    assert sql("SELECT TO_VECTOR32(FROM_HEX('3f80000040000000'))[OFFSET(1)] = 2.0") == [(True,)]
    assert sql.refused("SELECT TO_INT64(b'1')").startswith("OUT_OF_RANGE: The query failed: expected 8 bytes")


_PATTERNS = [
    ("ö", "^.$"), ("zwölf", "[^a-z]"), ("a\nb", "a$"), ("a\n", "a$"), ("٣", r"\d"), ("aé", r"\w+$"), ("x.y", r"x\.y"), ("price $", r"\$"),
    ("ab", "(a)(?:b)"), ("AB", "(?i)ab"), ("a b", r"\s"), ("aab", "a{2}b"), ("a\\", r"\\$"),
    ("zwölf 7", "[[:alpha:]]+"), ("Öl", r"\pL"), ("a.b", r"\Qa.b\E"), ("aXb", "(?U)a.*"), ("a\nb", "(?s)a.b"), ("", "x*"), ("abc", "x*"), ("axxb", "x*"), ("xx", "x*"), ("zwölf", "(x*)"), ("ab", "$"), ("ab", "(z)|a"), ("ab", "b|$"), ("aö", "$|a"), ("öö", "y*"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pattern"), _PATTERNS)
def test_regular_expressions_are_those_of_re2(sql: Sql, text: str, pattern: str) -> None:
    """Characters, classes and the end of the text mean what they mean to the engine, in all functions."""
    value, wanted = engine.literal(text), engine.literal(pattern)
    query = f"SELECT REGEXP_CONTAINS({value}, {wanted}) AS c, REGEXP_EXTRACT({value}, {wanted}) AS x, REGEXP_EXTRACT_ALL({value}, {wanted}) AS a"
    (row,) = sql(query)
    assert [*row] == list(engine.run(query)[0].values())


@pytest.mark.parametrize("pattern", ["(?=a)", "(a", "(a)(b)"])
def test_expressions_that_re2_does_not_know_are_refused(sql: Sql, pattern: str) -> None:
    """They fail with a sentence, as does one with two groups, of which nobody could say which is meant."""
    assert "regular expression" in sql.refused(f"SELECT REGEXP_EXTRACT('a', '{pattern}')")


def test_nan_equals_nothing(sql: Sql) -> None:
    """NaN is in no list, not even in one that has it; it is not distinct from itself."""
    nan = "CAST('nan' AS FLOAT64)"
    (row,) = sql(f"SELECT x IN (x, 1), x = x, x IS NOT DISTINCT FROM x FROM UNNEST([{nan}]) AS x")
    assert row == (False, False, True)


def test_maps_are_taken_apart(sql: Sql) -> None:
    """The keys, values and entries of a family are arrays, in the order of qualifiers."""
    query = "SELECT MAP_KEYS(f), MAP_VALUES(f), MAP_ENTRIES(f), MAP_CONTAINS_KEY(f, b's') FROM t WHERE _key = b'a'"
    assert sql(query) == [([b"n", b"s"], [b"1", b"one"], [[b"n", b"1"], [b"s", b"one"]], True)]
    rows = sql("SELECT e.key, e.value FROM t, UNNEST(MAP_ENTRIES(f)) AS e WHERE _key < b'a#1'")
    assert rows == [(b"n", b"1"), (b"s", b"one")]
    assert sql("SELECT ARRAY_FILTER(MAP_KEYS(f), k -> k > b'n') FROM t WHERE _key = b'a'") == [([b"s"],)]


def test_options_of_a_table_choose_versions(server: RunningServer) -> None:
    """History is newest first, cut by times and a number of versions; as_of gives the values of a moment."""
    sql = Sql(server.host)
    for second in (1, 2, 3):
        sql.api.set(sql.table, b"k", b"v%d" % second, column="f:q", timestamp=second * 1_000_000)
    sql.api.set(sql.table, b"later", b"x", column="f:q", timestamp=9_000_000)

    def versions(options: str) -> list[Any]:
        query = f"SELECT f['q'] FROM t(with_history => TRUE{options}) WHERE _key = b'k'"
        return [value for row in sql(query) for _, value in row[0]]

    assert versions("") == [b"v3", b"v2", b"v1"]
    assert versions(", latest_n => 2") == [b"v3", b"v2"]
    assert versions(", after => TIMESTAMP_SECONDS(1)") == [b"v3", b"v2"]
    assert versions(", after_or_equal => TIMESTAMP_SECONDS(2), before => TIMESTAMP_SECONDS(3)") == [b"v2"]
    assert versions(", before_or_equal => TIMESTAMP_SECONDS(2), latest_n => 1") == [b"v2"]
    rows = sql("SELECT f['q'][0].timestamp AS t FROM t(with_history => TRUE) WHERE _key = b'k'")
    assert rows == [(datetime.datetime(1970, 1, 1, 0, 0, 3, tzinfo=datetime.UTC),)]
    assert sql("SELECT _key, f['q'] FROM t(as_of => TIMESTAMP_SECONDS(2))") == [(b"k", b"v2")]
    assert "latest_n needs with_history" in sql.refused("SELECT 1 FROM t(latest_n => 1)")
    assert "as_of must not be given" in sql.refused(
        "SELECT 1 FROM t(with_history => TRUE, as_of => TIMESTAMP_SECONDS(2))"
    )
    assert "at least 1" in sql.refused("SELECT 1 FROM t(with_history => TRUE, latest_n => 0)")


_PARAMETERS = [
    ({"bytes_type": {}}, {"bytes_value": b"a\xff"}, b"a\xff"),
    ({"string_type": {}}, {"string_value": "'; DROP"}, "'; DROP"),
    ({"int64_type": {}}, {"int_value": -5}, -5),
    ({"float64_type": {}}, {"float_value": 0.5}, 0.5),
    ({"bool_type": {}}, {"bool_value": True}, True),
    ({"timestamp_type": {}}, {"timestamp_value": {"seconds": 5}}, datetime.datetime(1970, 1, 1, 0, 0, 5, tzinfo=datetime.UTC)),
    ({"date_type": {}}, {"date_value": {"year": 2024, "month": 2, "day": 29}}, datetime.date(2024, 2, 29)),
    ({"array_type": {"element_type": {"int64_type": {}}}}, {"array_value": {"values": [{"int_value": 1}, {}]}}, [1, None]),
    ({"int64_type": {}}, {}, None),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "given_value", "read"), _PARAMETERS)
def test_parameters_have_all_types(sql: Sql, kind: Any, given_value: Any, read: Any) -> None:
    """A parameter of each type arrives as it is, NULL too."""
    assert sql("SELECT @p AS p", {"p": kind}, p=given_value) == [(read,)]


def test_parameters_are_checked(sql: Sql) -> None:
    """Structures are refused, values must be of the prepared type, and none may be missing."""
    assert "Parameter @p has STRUCT" in sql.refused("SELECT @p", {"p": {"struct_type": {}}})
    assert "Parameter @p is INT64" in sql.refused(
        "SELECT @p", {"p": {"int64_type": {}}}, p={"string_value": "1"}
    )
    assert "Expected values of the parameters of the prepared query: @p, got none" in sql.refused(
        "SELECT @p", {"p": {"int64_type": {}}}
    )
    assert "INVALID_ARGUMENT" in sql.refused("SELECT @nobody")


_REFUSED = {
    "SELECT a._key FROM t a JOIN t b ON a._key = b._key": "Bigtable's SQL has no JOIN",
    "SELECT 1 UNION ALL SELECT 2": "Bigtable's SQL has no UNION",
    "WITH x AS (SELECT 1 AS a) SELECT x.a, y.a FROM x, x AS y": "Bigtable's SQL has no",
    "SELECT (SELECT 1)": "Bigtable's SQL has no subqueries",
    "SELECT ROW_NUMBER() OVER () FROM t": "Bigtable's SQL has no OVER",
    "DELETE FROM t WHERE TRUE": "Statement not supported: DeleteStatement",
    "CREATE TABLE x (a INT64)": "Statement not supported: CreateTableStatement",
    "SELECT NUMERIC '1'": "Bigtable's SQL has no type NUMERIC",
    "SELECT SOUNDEX('a')": "The local server's SQL has no function SOUNDEX",
    "SELECT STRING_AGG('a', 'b') FROM t": "The local server's SQL has no",
    "SELECT h['q'] FROM t": "Unrecognized name: h",
    "SELECT FROM": "Syntax error",
    "SELECT _key FROM nothing": "Table not found: nothing",
    "": "Syntax error",
}


@pytest.mark.parametrize("query", _REFUSED)
def test_what_is_not_there_is_refused_by_name(sql: Sql, query: str) -> None:
    """A query with what Bigtable or the local server lacks is refused when it is prepared, with its name."""
    with pytest.raises(grpc.RpcError) as caught:
        sql.prepare(query)
    assert _REFUSED[query] in caught.value.details()
    assert caught.value.code().name in ("INVALID_ARGUMENT", "UNIMPLEMENTED")


@pytest.mark.parametrize(
    "query",
    ["(" * 3_000, "SELECT " + "(" * 3_000 + "1" + ")" * 3_000, "SELECT " + "1+" * 3_000 + "1", "SELECT '\0'", "SELECT '" + "x" * 200_000 + "'",
     "SELECT REPEAT('x', 1000000000)", "SELECT REGEXP_CONTAINS(REPEAT('a', 5000), '(a*)*b')", "SELECT REGEXP_EXTRACT(REPEAT('a', 5000), '(a|a)*b')",
     "SELECT REGEXP_EXTRACT_ALL(REPEAT('a', 100000), '(?:a*)*b')", "SELECT REPEAT('a', 100000) LIKE REPEAT('%a', 200) || 'b'", "SELECT @@x", "SELECT ERROR('x')",
     "SELECT " + "NOT " * 2_000 + "TRUE", "SELECT [" * 500 + "1" + "]" * 500, "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")],
)  # fmt: skip
def test_a_hostile_query_harms_nobody(sql: Sql, query: str) -> None:
    """Whatever a query is, it is answered or refused soon, and the next one is answered."""
    began = time.monotonic()
    try:
        sql(query)
    except grpc.RpcError as error:
        assert error.code().name not in ("UNAVAILABLE", "UNKNOWN", "DEADLINE_EXCEEDED"), error.details()
    assert time.monotonic() - began < 30
    assert sql("SELECT 1") == [(1,)]


def _descendants(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(line) for line in listed.stdout.split()]


def test_the_engine_is_started_again_and_ends_with_the_server(tmp_path: Path) -> None:
    """Where the engine's process is killed, the next query starts another; it ends when the server is killed."""
    with start(tmp_path / "sql.db") as running:
        sql = Sql(running.host)
        assert _descendants(running.pid) == []  # it starts with the first query
        assert sql("SELECT 1") == [(1,)]
        (process,) = _descendants(running.pid)
        assert (
            str(1 << 31) in Path(f"/proc/{process}/limits").read_text()
        )  # bytes that a hostile query may take
        os.kill(process, signal.SIGKILL)
        assert sql("SELECT 1") == [(1,)]  # known already
        with suppress(grpc.RpcError):
            sql("SELECT 2")
        assert sql("SELECT 3") == [(3,)]
        (process,) = _descendants(running.pid)
        running.kill()
        for _ in range(100):
            if not Path(f"/proc/{process}").exists():
                break
            time.sleep(0.1)
        else:
            pytest.fail("the engine outlives the server")


def test_tables_whose_names_differ_in_capitals_are_two(server: RunningServer) -> None:
    """A query reads the table that it names; where both stand in it, it is refused."""
    sql = Sql(server.host)
    sql.api("CreateTable", parent=sql.api.instance, table_id="T", table={"column_families": {"h": {}}})
    sql.api.set(sql.api.name("T"), b"big", column="h:q")
    assert sql("SELECT _key FROM t") == []
    assert sql("SELECT _key, h['q'] FROM T") == [(b"big", b"v")]
    assert "Duplicate table" in sql.refused("SELECT t._key FROM t, T")


def test_a_server_stops_while_its_engine_starts(tmp_path: Path) -> None:
    """A stop does not wait for an engine that is still starting."""
    running = start(tmp_path / "sql.db")
    sql = Sql(running.host)
    call = sql.api.channel.unary_unary(METHODS["PrepareQuery"].path).future(
        METHODS["PrepareQuery"].request(instance_name=sql.api.instance, query="SELECT 1").SerializeToString()
    )
    for _ in range(100):
        if _descendants(running.pid):
            break
        time.sleep(0.05)
    began = time.monotonic()
    running.stop()
    assert time.monotonic() - began < 10
    assert call.exception() is not None or call.done()


def test_a_read_that_breaks_off_goes_on(sql: Sql) -> None:
    """From each token of a result on, the rest of it comes, whether it is a scan or a sorted result."""
    for query in (
        "SELECT _key FROM t",
        "SELECT _key FROM t ORDER BY _key DESC",
        "SELECT _key FROM t LIMIT 5",
    ):
        whole = sql(query)
        answers = sql.answers(query)
        tokens = [answer.results.resume_token for answer in answers if answer.results.resume_token]
        assert tokens
        prepared = sql.prepare(query)
        before = [
            sql.api(
                "ExecuteQuery",
                instance_name=sql.api.instance,
                prepared_query=prepared.prepared_query,
                resume_token=token,
            )
            for token in tokens
        ]
        assert _read(prepared.metadata, before[-1]) == []
        assert _read(prepared.metadata, answers) == whole


def test_a_result_of_many_rows_resumes_behind_each_message(server: RunningServer) -> None:
    """A result in many messages lacks no row and has none twice, wherever it is taken up again."""
    sql = Sql(server.host)
    entries = [
        {"row_key": b"%05d" % at, "mutations": [set_cell("f:q", b"x" * 500, 1000)]} for at in range(3_000)
    ]
    sql.api("MutateRows", table_name=sql.table, entries=entries)
    for query in ("SELECT _key, f['q'] AS q FROM t", "SELECT _key FROM t ORDER BY _key"):
        prepared, answers = sql.prepare(query), sql.answers(query)
        whole = _read(prepared.metadata, answers)
        assert [row[0] for row in whole] == [entry["row_key"] for entry in entries]
        places = [at for at, answer in enumerate(answers) if answer.results.resume_token]
        assert len(places) > 3
        for at in places:
            token = answers[at].results.resume_token
            rest = sql.api(
                "ExecuteQuery",
                instance_name=sql.api.instance,
                prepared_query=prepared.prepared_query,
                resume_token=token,
            )
            assert _read(prepared.metadata, answers[: at + 1]) + _read(prepared.metadata, rest) == whole


def test_a_query_of_another_instance_is_refused(sql: Sql) -> None:
    """A prepared query is run where it was prepared, and bytes that are none are refused."""
    prepared = sql.prepare("SELECT 1").prepared_query
    for instance, bytes_given in (("projects/p/instances/other", prepared), (sql.api.instance, b"\xff\xff")):
        with pytest.raises(grpc.RpcError, match="prepared_query was") as caught:
            sql.api("ExecuteQuery", instance_name=instance, prepared_query=bytes_given)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_an_unprepared_query_begins_with_its_columns(sql: Sql) -> None:
    """A query in its text, as older clients send it, is answered with its columns first."""
    answers = sql.api(
        "ExecuteQuery", instance_name=sql.api.instance, query="SELECT _key FROM t WHERE _key < b'a#'"
    )
    assert [column.name for column in answers[0].metadata.proto_schema.columns] == ["_key"]
    assert _read(answers[0].metadata, answers[1:]) == [(b"a",)]


def test_a_query_whose_columns_have_changed_must_be_prepared_again(server: RunningServer) -> None:
    """A client must not read rows by columns that they no longer have: such a query has expired."""
    sql = Sql(server.host)
    sql.api.set(sql.table, b"k", column="f:q")
    prepared = sql.prepare("SELECT * FROM t").prepared_query
    sql.api("ModifyColumnFamilies", name=sql.table, modifications=[{"id": "h", "create": {}}])
    with pytest.raises(grpc.RpcError, match="has expired") as caught:
        sql.api("ExecuteQuery", instance_name=sql.api.instance, prepared_query=prepared)
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION


def test_a_dropped_family_ends_prepared_queries(server: RunningServer) -> None:
    """A query that was prepared before its table changed is analysed again, and refused where it has lost a column."""
    sql = Sql(server.host)
    prepared = sql.prepare("SELECT g FROM t").prepared_query
    sql.api("ModifyColumnFamilies", name=sql.table, modifications=[{"id": "g", "drop": True}])
    with pytest.raises(grpc.RpcError, match="Unrecognized name: g"):
        sql.api("ExecuteQuery", instance_name=sql.api.instance, prepared_query=prepared)


def test_without_the_extra_one_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server of an installation without the extra refuses queries, and says how to install it."""
    hidden = "import importlib.util as u; real = u.find_spec; u.find_spec = lambda name, *more: None if name == 'zetasql' else real(name, *more)\n"
    (tmp_path / "sitecustomize.py").write_text(hidden)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with start() as running:
        refused = Sql(running.host).refused("SELECT 1")
    assert (
        refused
        == "UNIMPLEMENTED: SQL needs Google's GoogleSQL front end: install it with `pip install 'btmodel[sql]'`"
    )
