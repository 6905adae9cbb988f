"""Several numbers in one cell, at fixed places."""

import struct
from typing import Any, TypeVar

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.record import record_fields
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.on_demand import pattern
from btmodel.value import Value
from btmodel.words import counted, one

T = TypeVar("T")

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
                f"Packed: {self.record.__name__} has {counted(fields, 'field')}, but {self.layout!r} has {counted(items, 'item')}"
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
        names = (one.name for one in record_fields(self.record))
        return tuple(f"{self.record.__qualname__} {at} {name}" for at, name in enumerate(names))

    @property
    def meaning(self) -> str:
        """In words."""
        return f"the fields of {one(self.record.__name__)}, packed as {self.layout}"

    def encode(self, value: T) -> bytes:
        """The items, one behind the other."""
        if type(value) is not self.record:
            raise ValueRefused(f"{one(self.record.__name__)}", value)
        fields = record_fields(self.record)
        items = [getattr(value, one.name) for one in fields]
        try:
            raw = struct.pack(self.layout, *items)
        except (struct.error, OverflowError) as error:
            raise ValueRefused(
                f"{one(self.record.__name__)} that {self.layout} can hold ({error})", value
            ) from None
        for field_, item, back in zip(fields, items, self._items(raw), strict=True):
            if not _same(item, back):
                raise ValueRefused(
                    f"{one(self.record.__name__)} whose {field_.name!r} comes back as it was, not as {back!r}",
                    value,
                )
        return raw

    def decode(self, raw: bytes) -> T:
        """The record. Its class may refuse the items; that is a ``ValueError``, too."""
        if len(raw) != self.fixed_size:
            raise ValueError(f"expected {counted(self.fixed_size, 'byte')}, got {len(raw)}")
        items = self._items(raw)
        # Of a bool, struct takes every byte but 0 as True.
        if struct.pack(self.layout, *items) != raw and not any(item != item for item in items):
            raise ValueError(f"expected 0 or 1 in each place of a bool, got {raw!r}")
        names = [one.argument for one in record_fields(self.record)]
        try:
            return self.record(**dict(zip(names, items, strict=True)))
        except Exception as error:  # whatever a constructor raises that checks its fields
            raise ValueError(
                f"expected the items of {one(self.record.__name__)}, got {items!r}: {error}"
            ) from error

    def _items(self, raw: bytes) -> tuple[Any, ...]:
        return struct.unpack(self.layout, raw)


def _same(item: Any, back: Any) -> bool:
    """Whether an item came back: an int may come back as a float that equals it, and NaN equals nothing."""
    if type(item) is not type(back) and (type(item), type(back)) != (int, float):
        return False
    return bool(item == back or (item != item and back != back))
