"""Classes with fields (attrs, dataclasses, ``NamedTuple``, ``TypedDict``) in one form."""

from typing import Any, TypeGuard, TypeVar

import attrs
from attrs import field, frozen

from btmodel.errors import DeclarationError
from btmodel.on_demand import pattern
from btmodel.value import Value

T = TypeVar("T")


def is_class(annotation: object, kind: type[T]) -> TypeGuard[type[T]]:
    """Whether ``annotation`` is a class, and ``kind`` or derived from it; of ``list[int]`` or ``int | None``, no.

    ``issubclass`` takes ``list[int]`` up to Python 3.12, and raises from 3.13 on.
    """
    return isinstance(annotation, type) and issubclass(annotation, kind)


_ADDRESS = pattern(" at 0x[0-9a-fA-F]+")


def value_text(value: object) -> str:
    """A value as text that is the same in every process: classes and functions by their names."""
    name = getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else _ADDRESS.sub("", repr(value))


@frozen(eq=False, repr=False)
class RecordField(Value):
    """One field: its name, what the constructor calls it, whether it must be given, and its default or what makes it."""

    name: str
    argument: str
    required: bool
    default: object = field(default=None, eq=False)
    factory: bool = False

    @property
    def default_text(self) -> str:
        """Its default as text."""
        return f"{value_text(self.default)}()" if self.factory else value_text(self.default)


def is_message_class(cls: type) -> bool:
    """Whether ``cls`` is the class of a protobuf message, told by what it has: protobuf is slow to import."""
    return all(hasattr(cls, name) for name in ("DESCRIPTOR", "SerializeToString", "FromString"))


def is_record(cls: type) -> bool:
    """Whether ``cls`` is an attrs class, a dataclass or a NamedTuple."""
    return attrs.has(cls) or hasattr(cls, "__dataclass_fields__") or _is_named_tuple(cls)


def record_fields(cls: type) -> tuple[RecordField, ...]:
    """The fields of an attrs class, a dataclass or a NamedTuple.

    Raises :class:`DeclarationError` for another class, and for one that sets fields by itself.
    """
    if not isinstance(cls, type) or not is_record(cls):
        raise DeclarationError(f"expected an attrs class, a dataclass or a NamedTuple, got {cls!r}")
    if _is_named_tuple(cls):
        defaults = getattr(cls, "_field_defaults", {})
        names: tuple[str, ...] = getattr(cls, "_fields", ())
        return tuple(RecordField(name, name, name not in defaults, defaults.get(name)) for name in names)
    found = _attrs_fields(cls) if attrs.has(cls) else _dataclass_fields(cls)
    return tuple(found)


def _is_named_tuple(cls: type) -> bool:
    return is_class(cls, tuple) and hasattr(cls, "_fields")


def _attrs_fields(cls: type) -> list[RecordField]:
    found = []
    for one in attrs.fields(cls):
        _refuse_set_by_itself(cls, one.name, one.init)
        default: Any = one.default
        made = getattr(default, "factory", None) if hasattr(default, "takes_self") else None
        required = default is attrs.NOTHING
        found.append(
            RecordField(one.name, one.alias or one.name, required, made or default, made is not None)
        )
    return found


def _dataclass_fields(cls: type) -> list[RecordField]:
    import dataclasses  # here: every model loads this module, and few have such a class

    found = []
    for one in dataclasses.fields(cls):
        _refuse_set_by_itself(cls, one.name, one.init)
        given = one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
        made = one.default_factory is not dataclasses.MISSING
        default = one.default_factory if made else one.default
        found.append(RecordField(one.name, one.name, given, default, made))
    return found


def _refuse_set_by_itself(cls: type, name: str, init: bool) -> None:
    if not init:
        raise DeclarationError(
            f"{cls.__name__}.{name} is not given to the constructor, so it could not be read back"
        )
