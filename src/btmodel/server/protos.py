"""The messages and methods of the Bigtable API, built from one committed descriptor file.

They live in a pool of their own, so they never clash with those of google-cloud-bigtable in the same process,
and reading them costs a tenth of importing that package. The classes are made at run time, which no type
checker can see: `Message` is the one place where that is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from attrs import frozen
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError as DecodeError

Message: TypeAlias = Any
MessageClass: TypeAlias = Any

DESCRIPTORS = Path(__file__).with_name("descriptors.binpb")
DATA = "google.bigtable.v2"
ADMIN = "google.bigtable.admin.v2"


@frozen
class Method:
    """One remote method: where it is called, what it takes and answers, and whether it streams answers."""

    path: str
    request: MessageClass
    response: MessageClass
    streams: bool

    @property
    def name(self) -> str:
        """The last part of the path, such as ReadRows."""
        return self.path.rsplit("/", 1)[1]


@cache
def _pool() -> Any:
    pool = descriptor_pool.DescriptorPool()
    for file in _files():
        pool.Add(file)
    return pool


@cache
def _files() -> list[Any]:
    return list(descriptor_pb2.FileDescriptorSet.FromString(DESCRIPTORS.read_bytes()).file)


@cache
def message(full_name: str) -> MessageClass:
    """The class of a message, such as google.bigtable.v2.ReadRowsRequest; KeyError when there is none."""
    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(full_name))


def data(name: str) -> MessageClass:
    """The class of a message of google.bigtable.v2."""
    return message(f"{DATA}.{name}")


def admin(name: str) -> MessageClass:
    """The class of a message of google.bigtable.admin.v2."""
    return message(f"{ADMIN}.{name}")


def methods() -> Iterator[Method]:
    """Every method of every service that the descriptor file declares."""
    for file in _files():
        for service in file.service:
            found = _pool().FindServiceByName(f"{file.package}.{service.name}")
            for method in found.methods:
                yield Method(
                    path=f"/{found.full_name}/{method.name}",
                    request=message_factory.GetMessageClass(method.input_type),
                    response=message_factory.GetMessageClass(method.output_type),
                    streams=method.server_streaming,
                )
