"""Nothing that a client sends may end the process, hang it, or come back as an internal error."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from server_api import METHODS, Api, set_cell

from btmodel.server import RunningServer, protos, start
from btmodel.server.protos import Method
from tests.examples_tried import THOROUGH

ROUNDS = 120 if THOROUGH else 45  # in which each kind of request comes, and the table is made anew
NOT_OURS = {"INTERNAL", "UNKNOWN", "UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"}
TABLE = "projects/p/instances/i/tables/t"
OTHER = "projects/p/instances/i/tables/x"
INSTANCE = "projects/p/instances/i"
#: forms of Python that are no words, and what a terminal would obey
PYTHONS = re.compile(r"(?<= )b['\"]|\bNone\b|\bTrue\b|\bFalse\b|\d+:\d\d:\d\d|[\x00-\x1f\x7f-\x9f]")
NAMES = [TABLE, OTHER, INSTANCE, "projects/p/instances/-", "t", "cf", "sums", "no", "", "a:b", "default", "*"]
NAMES += ["gc_rule", "deletion_protection", "\u00e9" * 300]
BYTES = [
    b"",
    b"k",
    b"q",
    b"\xff",
    b"r1",
    b"(a*)*",
    b".*",
    b"\\C*",
    b"[",
    b"x" * 5000,
    (7).to_bytes(8),
    b"\x1b[2J",
]
NUMBERS = [0, 1, -1, 2, 7, 1000, 5_000_000, 2**31 - 1, -(2**31)]
#: fields whose values would hardly ever be right by chance
LIKELY: dict[str, list[Any]] = {
    "table_name": [TABLE],
    "name": [TABLE, TABLE, "projects/p/instances/i"],
    "parent": ["projects/p/instances/i"],
    "family_name": ["cf", "cf", "sums"],
    "id": ["cf", "sums", "f1", "f2"],
    "table_id": ["t", "t2", "t3"],
    "row_key": [b"k", b"r1", b"new"],
    "row_keys": [b"k", b"r1", b"new"],
    "timestamp_micros": [-1, 0, 1000, 5_000_000],
    "raw_timestamp_micros": [0, 1000],
    "max_num_versions": [1, 2, 3],
    "seconds": [1, 86_400 * 5],
    "nanos": [0],
    "granularity": [0, 1],
    "rows_limit": [0, 1, 5],
    "paths": ["gc_rule", "deletion_protection", "change_stream_config", "value_type"],
}
RARE = {"authorized_view_name", "materialized_view_name", "app_profile_id", "initial_splits"}
LARGE = [2**63 - 1, -(2**63), 10**15]


def fill(message: Any, randomly: random.Random, depth: int = 0) -> Any:
    """Set some of the fields of a message to values that mostly make sense."""
    for field in message.DESCRIPTOR.fields:
        likely = 0.03 if field.name in RARE else 0.97 if field.name in LIKELY else 0.6 if depth < 3 else 0.4
        if randomly.random() > likely or (field.name == "name" and depth and randomly.random() < 0.5):
            continue
        count = randomly.randrange(1, 4) if field.is_repeated else 1
        for _ in range(count):
            _fill_field(message, field, randomly, depth)
    return message


def _fill_field(message: Any, field: Any, randomly: random.Random, depth: int) -> None:
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        target = getattr(message, field.name)
        key = randomly.choice(NAMES)
        if kind.fields_by_name["value"].message_type is not None:
            fill(target[key], randomly, depth + 1)
        else:
            target[key] = _scalar(kind.fields_by_name["value"], randomly)
    elif kind is not None:
        if depth < 6:
            part = getattr(message, field.name)
            fill(part.add() if field.is_repeated else part, randomly, depth + 1)
            if not field.is_repeated:
                part.SetInParent()
    elif field.is_repeated:
        getattr(message, field.name).append(_scalar(field, randomly))
    else:
        setattr(message, field.name, _scalar(field, randomly))


def _scalar(field: Any, randomly: random.Random) -> Any:
    if field.name in LIKELY and randomly.random() < 0.97:
        return randomly.choice(LIKELY[field.name])
    if field.type == field.TYPE_STRING:
        return randomly.choice(NAMES)
    if field.type == field.TYPE_BYTES:
        return randomly.choice(BYTES)
    if field.type in (field.TYPE_DOUBLE, field.TYPE_FLOAT):
        return randomly.choice([0.0, 0.5, 1.0, -1.0, float("nan"), float("inf")])
    if field.type == field.TYPE_BOOL:
        return randomly.random() < 0.5
    if field.type == field.TYPE_ENUM:
        return randomly.choice([0, 1, 2, 3, 99])
    return randomly.choice(NUMBERS + (LARGE if field.type in (field.TYPE_INT64, field.TYPE_SINT64) else []))


@pytest.fixture(scope="module")
def fuzzed() -> Iterator[tuple[RunningServer, Api]]:
    """A server that is thrown away afterwards, with one table of rows."""
    with start() as running:
        api = Api(running.host)
        api.instance = "projects/p/instances/i"
        yield running, api
        api.close()


def prepare(api: Api) -> None:
    """Make the table anew, whatever was done to it before."""
    sums = {"aggregate_type": {"input_type": {"int64_type": {}}, "sum": {}}}
    try:
        free = {"paths": ["deletion_protection", "change_stream_config"]}
        api("UpdateTable", table={"name": TABLE}, update_mask=free)
        api("DeleteTable", name=TABLE)
    except grpc.RpcError as error:
        assert error.code() is grpc.StatusCode.NOT_FOUND
    api.table(families={"cf": {}, "sums": {"value_type": sums}})
    for key in (b"k", b"r1"):
        api("MutateRow", table_name=TABLE, row_key=key, mutations=[set_cell("cf:q", (1).to_bytes(8))])


@pytest.mark.parametrize("name", sorted(METHODS))
def test_method(name: str, fuzzed: tuple[RunningServer, Api]) -> None:
    """Every method must answer or refuse likely, mutated and random requests, and the server go on."""
    running, api = fuzzed
    method, randomly = METHODS[name], random.Random(name)
    prepare(api)
    for number in range(ROUNDS):
        if number % 15 == 14:
            prepare(api)
        request = _request(method, randomly, number)
        try:
            api.send(name, request)
        except grpc.RpcError as error:
            assert error.code().name not in NOT_OURS, (error.code(), error.details(), request)
            assert not PYTHONS.search(error.details()), (error.details(), request)
    api("PingAndWarm", name="projects/p/instances/i")
    assert running._process.poll() is None


def _request(method: Method, randomly: random.Random, number: int) -> bytes:
    """A likely request; one in eight has some bytes changed, and one in ten is noise."""
    if number % 10 == 9:
        return randomly.randbytes(randomly.randrange(200))
    request: bytes = fill(method.request(), randomly).SerializeToString()
    if number % 8 == 7 and request:
        changed = bytearray(request)
        for _ in range(3):
            changed[randomly.randrange(len(changed))] = randomly.randrange(256)
        request = bytes(changed)
    return request


def test_no_such_method(fuzzed: tuple[RunningServer, Api]) -> None:
    """A path that no service has must be UNIMPLEMENTED."""
    _, api = fuzzed
    with pytest.raises(grpc.RpcError) as caught:
        api.channel.unary_unary("/google.bigtable.v2.Bigtable/Nothing")(b"")
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_filters(fuzzed: tuple[RunningServer, Api]) -> None:
    """Random filters on real rows must be answered or refused, and never change the order of the cells."""
    _, api = fuzzed
    api.instance = f"projects/p/instances/filters{random.Random(3).random()}"
    table = api.table(families={"a": {}, "b": {}})
    for key in (b"k1", b"k2"):
        cells = [
            set_cell(f"{f}:{q}", v, t)
            for f in "ab"
            for q in "xyz"
            for t, v in ((1000, b"old"), (2000, b"new"))
        ]
        api("MutateRow", table_name=table, row_key=key, mutations=cells)
    randomly, answered = random.Random(5), 0
    for _ in range(400):
        request = protos.data("ReadRowsRequest")(table_name=table)
        fill(request.filter, randomly, 1)
        try:
            responses = api.send("ReadRows", request.SerializeToString())
        except grpc.RpcError as error:
            assert error.code().name in ("INVALID_ARGUMENT", "NOT_FOUND"), (error.details(), request)
            continue
        answered += bool(responses)
        for key, row in _cells(responses):
            assert key in (b"k1", b"k2")
            order = [(column, -timestamp) for column, timestamp in row]
            assert order == sorted(order)
    assert answered > 20
    api.instance = "projects/p/instances/i"


def _cells(responses: list[Any]) -> list[tuple[bytes, list[tuple[str, int]]]]:
    from server_api import merge

    return [
        (key, [(column, timestamp) for column, timestamp, _, _ in cells]) for key, cells in merge(responses)
    ]
