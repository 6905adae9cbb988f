"""A thin client of both servers that takes plain values, and what goes with it."""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from btmodel.server import protos

EMULATOR = Path("/usr/lib/google-cloud-sdk/platform/bigtable-emulator/cbtemulator")
METHODS = {method.name: method for method in protos.methods() if "IamPolicy" not in method.name}
SUM = {"s": {"value_type": {"aggregate_type": {"input_type": {"int64_type": {}}, "sum": {}}}}}
_numbers = itertools.count(1)


class Api:
    """Calls any method by its name with the fields of its request, within an instance of its own."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.instance = f"projects/project/instances/instance{os.getpid()}-{next(_numbers)}"
        options = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
        self.channel = grpc.insecure_channel(address, options=options)

    def __call__(self, method: str, **fields: Any) -> Any:
        """The response of a unary method, or the list of the responses of a streaming one."""
        return self.send(method, METHODS[method].request(**fields).SerializeToString())

    def send(self, name: str, request: bytes) -> Any:
        """Call a method with a request that is serialized already."""
        method = METHODS[name]
        kinds = {"response_deserializer": method.response.FromString}
        if method.streams:
            return list(self.channel.unary_stream(method.path, **kinds)(request, timeout=60))
        return self.channel.unary_unary(method.path, **kinds)(request, timeout=60)

    def name(self, table_id: str) -> str:
        """The full name of a table."""
        return f"{self.instance}/tables/{table_id}"

    def table(self, table_id: str = "t", families: dict[str, Any] | None = None, **settings: Any) -> str:
        """Create a table, with the family `cf` unless told otherwise, and answer its name."""
        wanted = {"column_families": {"cf": {}} if families is None else families, **settings}
        self("CreateTable", parent=self.instance, table_id=table_id, table=wanted)
        return self.name(table_id)

    def set(
        self, table: str, key: bytes, value: bytes = b"v", *, column: str = "cf:q", timestamp: int = 1000
    ) -> None:
        """Write one cell."""
        self("MutateRow", table_name=table, row_key=key, mutations=[set_cell(column, value, timestamp)])

    def rows(self, table: str, **fields: Any) -> list[tuple[bytes, list[tuple[str, int, bytes]]]]:
        """Scan: each row with its cells as (family:qualifier, timestamp, value)."""
        return [
            (key, [(column, timestamp, value) for column, timestamp, value, _ in cells])
            for key, cells in self.labelled_rows(table, **fields)
        ]

    def labelled_rows(
        self, table: str, **fields: Any
    ) -> list[tuple[bytes, list[tuple[str, int, bytes, list[str]]]]]:
        """Scan: each row with its cells as (family:qualifier, timestamp, value, labels)."""
        return list(merge(self("ReadRows", table_name=table, **fields)))

    def keys(self, table: str, **fields: Any) -> list[bytes]:
        """Scan: the row keys."""
        return [key for key, _ in self.rows(table, **fields)]

    def close(self) -> None:
        """Close the channel."""
        self.channel.close()


def set_cell(column: str, value: bytes = b"v", timestamp: int = 1000) -> dict[str, Any]:
    """A SetCell mutation of family:qualifier."""
    family, _, qualifier = column.partition(":")
    return {
        "set_cell": {
            "family_name": family,
            "column_qualifier": qualifier.encode(),
            "timestamp_micros": timestamp,
            "value": value,
        }
    }


def merge(responses: list[Any]) -> Iterator[tuple[bytes, list[tuple[str, int, bytes, list[str]]]]]:
    """The rows in ReadRows responses, by the rules of the chunks' documentation."""
    key, cells, family, qualifier = b"", [], "", b""
    pieces: list[bytes] = []
    for response in responses:
        for chunk in response.chunks:
            assert not chunk.row_key or not key or chunk.row_key == key, "a row began before one ended"
            key = key or chunk.row_key
            assert key, "the first chunk of a row must have its key"
            if chunk.HasField("family_name"):
                family = chunk.family_name.value
                assert chunk.HasField("qualifier"), "a new family must come with a qualifier"
            if chunk.HasField("qualifier"):
                qualifier = chunk.qualifier.value
            if not pieces:
                timestamp, labels = chunk.timestamp_micros, list(chunk.labels)
            pieces.append(chunk.value)
            if chunk.value_size:
                continue
            cells.append((f"{family}:{qualifier.decode()}", timestamp, b"".join(pieces), labels))
            pieces.clear()
            if chunk.commit_row:
                yield key, cells
                key, cells, family, qualifier = b"", [], "", b""
    assert not key, "the stream ended within a row"


def failure(api: Api, method: str, **fields: Any) -> tuple[str, str]:
    """The code and the text with which a call fails; the test fails when the call does not."""
    with pytest.raises(grpc.RpcError) as caught:
        api(method, **fields)
    return caught.value.code().name, caught.value.details()


def start_emulator() -> tuple[subprocess.Popen[bytes], str]:
    """Google's emulator and its address."""
    process = subprocess.Popen([EMULATOR, "-port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    with process.stdout as told:
        return process, told.readline().decode().split()[-1]
