"""Two encodings side by side, while a column moves from one to the other."""

from contextlib import suppress
from typing import Any, TypeVar

from attrs import frozen

from btmodel.codecs.byte_set import ByteSet, choice
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.text import Raw, Utf8
from btmodel.codecs.meaning import meaning_of
from btmodel.errors import DeclarationError, ValueRefused

T = TypeVar("T")

# They would take what was meant for the codecs behind them.
_GREEDY = (Raw, Utf8)


@frozen(init=False)
class Either(CellCodec[T]):
    """Writes with ``new``, and reads with the first codec that can: ``Either(Json(Quote), Packed(Quote, ">dd"))``.

    For a column that changes its encoding while old cells are still there. It is as safe as the codecs tell
    their bytes apart: 8 digits of ``DecimalText`` are also an ``Int64``. ``btmodel migrate`` takes it for safe where
    no bytes can be of two of them, and otherwise blocks the change, with a cell that would be misread.
    ``Raw`` and ``Utf8``, which take almost any bytes, are refused in front of another codec.
    """

    new: CellCodec[T]
    old: tuple[CellCodec[T], ...]

    def __init__(self, new: CellCodec[T], *old: CellCodec[T]) -> None:
        self.__attrs_init__(new, old)  # pyright: ignore[reportAttributeAccessIssue]
        if not old or not all(isinstance(one, CellCodec) for one in self._codecs):
            raise DeclarationError(f"Either: wanted two cell codecs or more, got {self._codecs!r}")
        types = {one.python_type for one in self._codecs}
        if len(types) > 1:
            names = ", ".join(sorted(one.__name__ for one in types))
            raise DeclarationError(f"Either: wanted codecs of values of one type, got {names}")
        for one in self._codecs[:-1]:
            if _greedy(one):
                raise DeclarationError(
                    f"Either: {one!r} takes almost any bytes, so the codecs behind it would never be asked"
                )

    @property
    def _codecs(self) -> tuple[CellCodec[T], ...]:
        return (self.new, *self.old)

    @property
    def python_type(self) -> type:
        """That of every codec."""
        return self.new.python_type

    @property
    def typical_size(self) -> int:
        """That of the new codec."""
        return self.new.typical_size

    @property
    def max_size(self) -> int | None:
        """The largest of every codec: cells of the older ones are still there."""
        sizes = [one.max_size for one in self._codecs]
        return None if None in sizes else max(size for size in sizes if size is not None)

    @property
    def reads(self) -> ByteSet:
        """What any of them reads."""
        return choice(*(one.reads for one in self._codecs))

    @property
    def writes(self) -> ByteSet:
        """What any of them writes: cells of the older ones are still there."""
        return choice(*(one.writes for one in self._codecs))

    @property
    def meaning(self) -> str:
        """In words."""
        return "; or, where older, ".join(meaning_of(one) for one in self._codecs)

    def encode(self, value: T) -> bytes:
        """The bytes that the new codec gives."""
        return self.new.encode(value)

    def encodings(self, value: T) -> tuple[bytes, ...]:
        """The bytes of every codec that takes the value, the new one's first."""
        found = list(self.new.encodings(value))
        for one in self.old:
            with suppress(ValueRefused):
                found += one.encodings(value)
        return tuple(found)

    def decode(self, raw: bytes) -> T:
        """The value that the first codec gives which can read the bytes."""
        causes = []
        for one in self._codecs:
            try:
                return one.decode(raw)
            except (ValueError, OverflowError) as error:
                causes.append(str(error))
        raise ValueError("; ".join(causes))


def _greedy(codec: CellCodec[Any]) -> bool:
    return isinstance(codec, _GREEDY) or (isinstance(codec, Either) and _greedy(codec.old[-1]))
