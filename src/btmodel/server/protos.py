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


def wrong_with(descriptors: bytes) -> str | None:
    """What is wrong with a serialized FileDescriptorSet, such as a file that it imports and has not; None where nothing is."""
    try:
        found = descriptor_pb2.FileDescriptorSet.FromString(descriptors).file
        pool = descriptor_pool.DescriptorPool()
        for file in found:
            pool.Add(file)
        for file in found:
            pool.FindFileByName(file.name)
    except (DecodeError, TypeError, KeyError) as error:
        return str(error).strip("'\"") or type(error).__name__
    return None if found else "it holds no file"


def names_in(descriptors: bytes) -> set[str]:
    """The fields of the messages of a serialized FileDescriptorSet, with their numbers, and the values of its enums."""
    files = descriptor_pb2.FileDescriptorSet.FromString(descriptors).file
    return {name for file in files for name in _names_in(file, file.package)}


def _names_in(scope: Any, of: str) -> Iterator[str]:
    for enum in scope.enum_type:
        yield from (f"{of}.{enum.name}.{one.name} = {one.number}" for one in enum.value)
    for field in getattr(scope, "field", ()):
        yield f"{of}.{field.name} = {field.number} ({field.type_name or field.type})"
    for one in (*getattr(scope, "message_type", ()), *getattr(scope, "nested_type", ())):
        yield from _names_in(one, f"{of}.{one.name}")


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
