"""What a Python value is in Arrow."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cached_property
from typing import Any, Protocol
from uuid import UUID

from attrs import frozen

from btmodel.codecs.cell import Json
from btmodel.codecs.classes import is_class
from btmodel.columnar.libraries import pyarrow
from btmodel.errors import ValueRefused


class Codec(Protocol):
    """What is asked of a codec, be it of a cell, of a key field, or of a name."""

    @property
    def python_type(self) -> type:
        """The type of the values."""
        ...

    def encode(self, value: Any) -> bytes:
        """The bytes of a value."""
        ...

    def decode(self, raw: bytes) -> Any:
        """The value of bytes."""
        ...


@frozen(slots=False)
class Scalar:
    """A type of Arrow for the values of a codec, there and back: what a codec writes of both is the same.

    ``plain`` makes of a value what pyarrow takes for it, and ``value`` the value of what pyarrow gives.
    Members of ``enum`` are a dictionary.
    """

    arrow: Any
    plain: Callable[[Any], Any] | None = None
    value: Callable[[Any], Any] | None = None
    enum: type[Enum] | None = None

    def array(self, values: Sequence[Any], where: str) -> Any:
        """The values, of which None is an absent one. Raises :class:`ValueRefused`."""
        pa = pyarrow()
        if self.enum is not None:
            numbers = self._numbers
            indices = [None if value is None else numbers[value] for value in values]
            names = pa.array([member.name for member in self.enum], pa.string())
            return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), names)
        plain = self.plain
        if plain is not None:
            values = [None if value is None else plain(value) for value in values]
        return made(values, self.arrow, where)

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        assert self.enum is not None
        return {member: number for number, member in enumerate(self.enum)}


def made(values: Sequence[Any], type: Any, where: str) -> Any:
    """An array of Arrow. Raises :class:`ValueRefused` for a value that its type cannot hold."""
    pa = pyarrow()
    try:
        return pa.array(values, type)
    except (pa.ArrowInvalid, OverflowError):
        for value in values:
            try:
                pa.array([value], type)
            except (pa.ArrowInvalid, OverflowError):
                raise ValueRefused(
                    f"a value that fits {type} of Arrow (leave it out: columns=[...])", value, where=where
                ) from None
        raise


def scalar_of(codec: Codec, *, nested: bool = False) -> Scalar:
    """The type of Arrow for the values of ``codec``.

    What Arrow has no type for is text, where it is JSON, or else the bytes of the cell. A Decimal is text, too:
    a decimal of Arrow has as many digits behind the point as its column, and 10 and 10.00 are different cells.
    Within lists and maps members of an enum are their names.
    """
    pa = pyarrow()
    kind = codec.python_type
    if isinstance(codec, Json):
        return Scalar(
            pa.string(), lambda value: codec.encode(value).decode(), lambda text: codec.decode(text.encode())
        )
    if is_class(kind, Enum):
        member = kind.__getitem__
        if nested:
            return Scalar(pa.string(), lambda member: member.name, member)
        return Scalar(pa.dictionary(pa.int32(), pa.string()), None, member, enum=kind)
    if kind is UUID:
        return Scalar(pa.binary(16), lambda value: value.bytes, lambda raw: UUID(bytes=raw))
    if kind is Decimal:
        return Scalar(pa.string(), str, _decimal)
    types = {
        str: pa.string(),
        bytes: pa.binary(),
        int: pa.int64(),
        float: pa.float64(),
        bool: pa.bool_(),
        datetime: pa.timestamp("us", tz="UTC"),
        date: pa.date32(),
    }
    found = types.get(kind)
    return Scalar(pa.binary(), codec.encode, codec.decode) if found is None else Scalar(found)


def _decimal(text: str) -> Decimal:
    """The Decimal of its text. Decimal itself also takes spaces, underscores and the digits of other scripts."""
    if not text.isascii() or "_" in text or text != text.strip():
        raise ValueError(f"wanted decimal text, got {text!r}")
    return Decimal(text)
