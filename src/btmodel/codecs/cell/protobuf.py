"""Protobuf messages in cells."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar, cast

from attrs import frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.record import is_message_class
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.value import Value


def is_repeated(field: Any) -> bool:
    """Whether the field of this descriptor holds a list; protobuf before 6.31 says so by its label alone."""
    repeated = getattr(field, "is_repeated", None)
    return bool(field.label == field.LABEL_REPEATED if repeated is None else repeated)


def message_entries(message: Any) -> tuple[str, ...]:
    """The fields of the message of this descriptor, and of those inside: ``shop.Order 1 int64 id = 0``."""
    entries: list[str] = []
    met = {message.full_name}
    waiting = [message]
    while waiting:
        one = waiting.pop()
        for field in one.fields:
            inside = field.message_type or field.enum_type
            entries.append(f"{one.full_name} {field.number} {_kind(field)} {field.name}{_default(field)}")
            if inside is None or inside.full_name in met:
                continue
            met.add(inside.full_name)
            if field.message_type is not None:
                waiting.append(inside)
            else:
                entries += [f"{inside.full_name}.{value.name} = {value.number}" for value in inside.values]
    return tuple(sorted(entries))


def file_set(messages: Iterable[Any]) -> bytes:
    """A serialized ``FileDescriptorSet`` of the files of message classes and of all that they import, each behind its imports."""
    from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

    found: dict[str, Any] = {}

    def add(file: Any) -> None:
        if file.name not in found:
            for imported in file.dependencies:
                add(imported)
            found[file.name] = FileDescriptorProto.FromString(file.serialized_pb)

    for file in sorted((message.DESCRIPTOR.file for message in messages), key=lambda file: str(file.name)):
        add(file)
    return FileDescriptorSet(file=found.values()).SerializeToString(deterministic=True)


def names_in(descriptors: bytes) -> Iterator[str]:
    """The fields of a serialized ``FileDescriptorSet``, ``shop.Order.id = 1 (int64)``, and the values of its enums, ``shop.Status.PAID = 2``."""
    for file in _files(descriptors):
        yield from _names(file, f"{file.package}." if file.package else "")


def _files(descriptors: bytes) -> Any:
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    return FileDescriptorSet.FromString(descriptors).file


def _names(scope: Any, of: str) -> Iterator[str]:
    for enum in scope.enum_type:
        yield from (f"{of}{enum.name}.{one.name} = {one.number}" for one in enum.value)
    for field in getattr(scope, "field", ()):
        kind = field.type_name.lstrip(".") or field.Type.Name(field.type).removeprefix("TYPE_").lower()
        many = "repeated " if field.label == field.LABEL_REPEATED else ""
        default = f", {field.default_value!r} if it is absent" if field.HasField("default_value") else ""
        yield f"{of}{field.name} = {field.number} ({many}{kind}{default})"
    for one in (*getattr(scope, "message_type", ()), *getattr(scope, "nested_type", ())):
        yield from _names(one, f"{of}{one.name}.")


def _kind(field: Any) -> str:
    inside = field.message_type or field.enum_type
    if inside is not None:
        kind = inside.full_name
    else:
        names = (name for name in dir(type(field)) if name.startswith("TYPE_"))
        kind = (
            next(name for name in names if getattr(field, name) == field.type).removeprefix("TYPE_").lower()
        )
    return f"repeated {kind}" if _is(field, "repeated") else kind


def _default(field: Any) -> str:
    """What is read where the field is absent; nothing where it must not be."""
    if _is(field, "required"):
        return ""
    if _is(field, "repeated") or field.message_type is not None:
        return " = nothing"
    return f" = {field.default_value!r}"


def _is(field: Any, label: str) -> bool:
    """Whether the field has this label, which versions of protobuf before 6 say by its number."""
    said = getattr(field, f"is_{label}", None)
    return bool(field.label == getattr(field, f"LABEL_{label.upper()}") if said is None else said)


T = TypeVar("T")


@frozen(eq=False, repr=False)
class Protobuf(Value, CellCodec[T], typical_size=64):
    """A protobuf message of ``message_class`` in its wire format, map entries in the order of their keys.

    Fields that the class does not know are kept. The wire format names no type and has no check of its own:
    bytes that are something else may be read as a message.
    """

    message_class: type[T]

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.message_class, type) or not is_message_class(self.message_class):
            raise DeclarationError(f"Protobuf: expected the class of a message, got {self.message_class!r}")

    @property
    def python_type(self) -> type:
        """The message's class."""
        return self.message_class

    @property
    def stated(self) -> tuple[str, ...]:
        """The fields of the message and of those inside it, with their numbers, types and defaults."""
        return message_entries(cast(Any, self.message_class).DESCRIPTOR)

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"protobuf message {cast(Any, self.message_class).DESCRIPTOR.full_name}"

    def encode(self, value: T) -> bytes:
        """The wire format."""
        if type(value) is not self.message_class:
            raise ValueRefused(f"a message {self.message_class.__name__}", value)
        message = cast(Any, value)
        if not message.IsInitialized():
            missing = ", ".join(message.FindInitializationErrors())
            raise ValueRefused(f"a message {self.message_class.__name__} with its required {missing}", value)
        raw: bytes = message.SerializeToString(deterministic=True)
        return raw

    def decode(self, raw: bytes) -> T:
        """The message."""
        from google.protobuf.message import DecodeError

        name = self.message_class.__name__
        try:
            message = cast(Any, self.message_class).FromString(raw)
        except DecodeError as error:
            raise ValueError(f"expected a message {name}, got {raw[:20]!r}: {error}") from None
        if not message.IsInitialized():
            missing = ", ".join(message.FindInitializationErrors())
            raise ValueError(f"expected a message {name} with its required {missing}")
        return cast(T, message)
