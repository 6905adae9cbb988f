"""Answers to reads, parsed without an object for each family and column that they name.

A chunk wraps its names into messages of their own, to tell an empty one from none. The class
here reads the same bytes, and leaves a wrapped name as the bytes of its message: the same few,
again and again, which are looked up, and not parsed.
"""

from typing import Any

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.wrappers_pb2 import BytesValue

# A name that a chunk does not tell; no message of one begins so. To ask for it takes half as long as HasField.
ABSENT = b"\0"

_BYTES = FieldDescriptorProto.TYPE_BYTES
_CHUNK = {
    "row_key": (1, _BYTES),
    "family_name": (2, _BYTES),
    "qualifier": (3, _BYTES),
    "timestamp_micros": (4, FieldDescriptorProto.TYPE_INT64),
    "value": (6, _BYTES),
    "value_size": (7, FieldDescriptorProto.TYPE_INT32),
    "reset_row": (8, FieldDescriptorProto.TYPE_BOOL),
    "commit_row": (9, FieldDescriptorProto.TYPE_BOOL),
}


def _answer_class() -> Any:
    """``ReadRowsResponse`` as it is declared here, in a pool of its own: no other sees it."""
    file = FileDescriptorProto(name="btmodel/answers.proto", package="btmodel", syntax="proto2")
    chunk = file.message_type.add(name="Chunk")
    chunk.oneof_decl.add(name="row_status")
    for name, (number, kind) in _CHUNK.items():
        field = chunk.field.add(
            name=name, number=number, type=kind, label=FieldDescriptorProto.LABEL_OPTIONAL
        )
        if name in ("reset_row", "commit_row"):
            field.oneof_index = 0
        if name in ("family_name", "qualifier"):
            field.default_value = "\\000"  # as the language of the service's interface writes ABSENT
    repeated = FieldDescriptorProto.LABEL_REPEATED
    chunk.field.add(name="labels", number=5, type=_BYTES, label=repeated)
    answer = file.message_type.add(name="Answer")
    message = FieldDescriptorProto.TYPE_MESSAGE
    answer.field.add(name="chunks", number=1, type=message, type_name=".btmodel.Chunk", label=repeated)
    optional = FieldDescriptorProto.LABEL_OPTIONAL
    answer.field.add(name="last_scanned_row_key", number=2, type=_BYTES, label=optional)
    pool = DescriptorPool()
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("btmodel.Answer"))


# A message: its ``chunks``, and ``last_scanned_row_key``; ``parsed`` raises :class:`DecodeError`.
parsed = _answer_class().FromString


def unwrapped(name: bytes) -> bytes:
    """What a name's message holds; raises :class:`DecodeError`."""
    if len(name) > 2 and name[0] == 10 and name[1] == len(name) - 2 and name[1] < 128:
        return name[2:]
    held: bytes = BytesValue.FromString(name).value
    return held


__all__ = ["ABSENT", "DecodeError", "parsed", "unwrapped"]
