"""Classes with fields (attrs, dataclasses, ``NamedTuple``, ``TypedDict``) in one form, and packed one after the other."""

import struct
from typing import Any, TypeGuard, TypeVar

import attrs
from attrs import field, frozen

from btmodel import words
from btmodel.codecs.cell.base import CellCodec
from btmodel.errors import DeclarationError, ValueRefused, reason, shown
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
    """Whether ``cls`` is the class of a protobuf message, judged by its attributes: protobuf is slow to import."""
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
    for member in attrs.fields(cls):
        _refuse_set_by_itself(cls, member.name, member.init)
        default: Any = member.default
        made = getattr(default, "factory", None) if hasattr(default, "takes_self") else None
        required = default is attrs.NOTHING
        found.append(
            RecordField(member.name, member.alias or member.name, required, made or default, made is not None)
        )
    return found


def _dataclass_fields(cls: type) -> list[RecordField]:
    import dataclasses  # here: every model loads this module, and few have such a class

    found = []
    for member in dataclasses.fields(cls):
        _refuse_set_by_itself(cls, member.name, member.init)
        given = member.default is dataclasses.MISSING and member.default_factory is dataclasses.MISSING
        made = member.default_factory is not dataclasses.MISSING
        default = member.default_factory if made else member.default
        found.append(RecordField(member.name, member.name, given, default, made))
    return found


def _refuse_set_by_itself(cls: type, name: str, init: bool) -> None:
    if not init:
        raise DeclarationError(
            f"{cls.__name__}.{name} is not given to the constructor, so it could not be read back"
        )


# What stays out depends on the machine (n, N, P), or has bytes without meaning (c is s of one; p, x).
_LAYOUT = pattern(r"[<>]([0-9]*[?bBhHiIlLqQefds])+")


@frozen(eq=False, repr=False)
class Packed(Value, CellCodec[T]):
    """A record as the items of a ``struct`` format, side by side: ``Packed(Span, ">IId")``.

    ``record`` is an attrs class, a dataclass or a NamedTuple; its fields, in their order, are the items of
    ``layout``. The byte order must be stated: the layout begins with ``<`` (little-endian) or ``>``. Numbers
    that the layout would round are refused, and bytes (``16s``) of another length.
    """

    record: type[T]
    layout: str = field()

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.layout, str) or not _LAYOUT.fullmatch(self.layout):
            raise DeclarationError(
                f"Packed: expected a struct format of ?bBhHiIlLqQefds after its byte order, < or >, got {self.layout!r}"
            )
        fields, items = len(record_fields(self.record)), len(self._items(bytes(self.fixed_size)))
        if fields != items:
            raise DeclarationError(
                f"Packed: {self.record.__name__} has {words.counted(fields, 'field')}, but {self.layout!r} has {words.counted(items, 'item')}"
            )

    @property
    def python_type(self) -> type:
        """The record's class."""
        return self.record

    @property
    def fixed_size(self) -> int:
        """The size of the layout."""
        return struct.calcsize(self.layout)

    @property
    def stated(self) -> tuple[str, ...]:
        """Which field each item is."""
        names = (member.name for member in record_fields(self.record))
        return tuple(f"{self.record.__qualname__} {at} {name}" for at, name in enumerate(names))

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"the fields of {words.one(self.record.__name__)}, packed as {self.layout}"

    def encode(self, value: T) -> bytes:
        """The items, one behind the other."""
        if type(value) is not self.record:
            raise ValueRefused(f"{words.one(self.record.__name__)}", value)
        fields = record_fields(self.record)
        items = [getattr(value, member.name) for member in fields]
        try:
            raw = struct.pack(self.layout, *items)
        except (struct.error, OverflowError) as error:
            raise ValueRefused(
                f"{words.one(self.record.__name__)} that {self.layout} can hold ({error})", value
            ) from None
        for field_, item, back in zip(fields, items, self._items(raw), strict=True):
            if not _same(item, back):
                raise ValueRefused(
                    f"{words.one(self.record.__name__)} whose {field_.name!r} comes back as it was, not as {back!r}",
                    value,
                )
        return raw

    def decode(self, raw: bytes) -> T:
        """The record. Its class may refuse the items; that is a ``ValueError``, too."""
        if len(raw) != self.fixed_size:
            raise ValueError(f"expected {words.counted(self.fixed_size, 'byte')}, got {len(raw)}")
        items = self._items(raw)
        # Of a bool, struct takes every byte but 0 as True.
        if struct.pack(self.layout, *items) != raw and not any(item != item for item in items):
            raise ValueError(f"expected 0 or 1 in each place of a bool, got {shown(raw)}")
        names = [member.argument for member in record_fields(self.record)]
        try:
            return self.record(**dict(zip(names, items, strict=True)))
        except Exception as error:  # whatever a constructor raises that checks its fields
            raise ValueError(
                f"expected the items of {words.one(self.record.__name__)}, got {items!r}: {reason(error)}"
            ) from error

    def _items(self, raw: bytes) -> tuple[Any, ...]:
        return struct.unpack(self.layout, raw)


def _same(item: Any, back: Any) -> bool:
    """Whether an item came back: an int may come back as a float that equals it, and NaN equals nothing."""
    if type(item) is not type(back) and (type(item), type(back)) != (int, float):
        return False
    return bool(item == back or (item != item and back != back))
