"""Cell codecs around others: compressed, either of several, or between two functions."""

import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal, TypeVar

from attrs import Attribute, field, frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.byte_set import ANY, ByteSet, choice, exactly, literal, one_of, sequence
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.record import value_text
from btmodel.codecs.cell.text import Raw, Utf8
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.value import Value
from btmodel.words import counted

T = TypeVar("T")
V = TypeVar("V")

Method = Literal["zlib", "bz2", "lzma"]
_STORED = 0
# The first byte of a cell. A number, once given, keeps its meaning for ever.
_NUMBERS: dict[str, int] = {"zlib": 1, "bz2": 2, "lzma": 3}
# How the streams of each method begin.
_STREAMS = (
    sequence(literal(b"\1"), one_of(bytes(range(0x08, 0x80, 0x10))), exactly(6), ANY),
    sequence(literal(b"\2BZh"), ANY),
    sequence(literal(b"\3\xfd7zXZ\0"), ANY),
)
_CELL_BYTES = 100 * 2**20
_LZMA_MEMORY = 256 * 2**20


@frozen(eq=False, repr=False)
class Compressed(Value, CellCodec[T]):
    """What ``codec`` gives, compressed; for long text, JSON and arrays.

    The first byte of the cell says how the rest is compressed: 0 not at all (where compressing does not make it
    smaller), 1 zlib (RFC 1950), 2 bz2, 3 lzma (an .xz stream). Every cell is read by its own first byte, so
    ``method`` can be changed later.

    ``most`` is how many bytes may come out of a cell, 100 MiB unless told otherwise: what is longer is refused,
    on writing and on reading, before it fills the memory.
    """

    codec: CellCodec[T]
    method: Method = "zlib"
    most: int = _CELL_BYTES

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.codec, CellCodec):
            raise DeclarationError(f"Compressed: wanted a cell codec, got {shown(self.codec)}")
        if self.method not in _NUMBERS:
            raise DeclarationError(
                f"Compressed: wanted the method {', '.join(_NUMBERS)}, got {self.method!r}"
            )
        if type(self.most) is not int or self.most < 1:
            raise DeclarationError(f"Compressed: most: wanted a number of bytes, got {self.most!r}")

    @property
    def python_type(self) -> type:
        """That of the codec inside."""
        return self.codec.python_type

    @property
    def typical_size(self) -> int:
        """An assumption: a third of what is inside, and the first byte."""
        return 1 + self.codec.typical_size // 3

    @property
    def max_size(self) -> int | None:
        """The first byte, and what is inside, uncompressed; None where only ``most``, left as it is, bounds that."""
        inside = self.codec.max_size
        if inside is None and self.most >= _CELL_BYTES:
            return None
        return 1 + (self.most if inside is None else min(inside, self.most))

    @property
    def reads(self) -> ByteSet:
        """What the codec inside reads, behind a 0; or a stream, behind its number."""
        return choice(sequence(literal(b"\0"), self.codec.reads), *_STREAMS)

    @property
    def writes(self) -> ByteSet:
        """Likewise, of what the codec inside writes."""
        return choice(sequence(literal(b"\0"), self.codec.writes), *_STREAMS)

    @property
    def meaning(self) -> str:
        """In words."""
        return f"{meaning_of(self.codec)}, compressed with {self.method}"

    def encode(self, value: T) -> bytes:
        """The first byte, and the rest compressed, where that makes it smaller."""
        plain = self.codec.encode(value)
        if len(plain) > self.most:
            raise ValueRefused(
                f"a value of up to {counted(self.most, 'byte')} before it is compressed", value
            )
        packed = _compress(self.method, plain)
        if len(packed) >= len(plain):
            return bytes([_STORED]) + plain
        return bytes([_NUMBERS[self.method]]) + packed

    def decode(self, raw: bytes) -> T:
        """The value, whichever method wrote it."""
        if not raw or raw[0] not in (_STORED, *_NUMBERS.values()):
            raise ValueError(f"wanted a first byte from 0 to {max(_NUMBERS.values())}, got {raw[:1]!r}")
        if raw[0] != _STORED:
            return self.codec.decode(_plain(raw[0], raw[1:], self.most))
        if len(raw) - 1 > self.most:
            raise ValueError(f"wanted up to {counted(self.most, 'byte')}, got {len(raw) - 1:,}")
        return self.codec.decode(raw[1:])


def _compress(method: str, plain: bytes) -> bytes:
    # Not every Python is built with bz2 and lzma.
    if method == "bz2":
        import bz2

        return bz2.compress(plain)
    if method == "lzma":
        import lzma

        return lzma.compress(plain)
    return zlib.compress(plain)


def _plain(number: int, packed: bytes, most: int) -> bytes:
    """The bytes that were compressed. Raises ``ValueError`` where they are more, or other, than they should be."""
    decompressor, errors = _DECOMPRESSORS[number]()
    try:
        plain: bytes = decompressor.decompress(packed, most + 1)
    except errors as error:
        raise ValueError(f"wanted compressed bytes, got {packed[:20]!r}: {error}") from None
    if len(plain) > most:
        raise ValueError(f"wanted up to {counted(most, 'byte')} when decompressed, got more")
    if not decompressor.eof:
        raise ValueError("wanted compressed bytes with their end, got only the beginning")
    if decompressor.unused_data:
        raise ValueError(f"wanted nothing after the compressed bytes, got {decompressor.unused_data[:20]!r}")
    return plain


_Decompressor = tuple[Any, tuple[type[Exception], ...]]


def _zlib() -> _Decompressor:
    return zlib.decompressobj(), (zlib.error,)


def _bz2() -> _Decompressor:
    import bz2

    return bz2.BZ2Decompressor(), (OSError, ValueError)


def _lzma() -> _Decompressor:
    import lzma

    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY), (lzma.LZMAError,)


_DECOMPRESSORS: dict[int, Callable[[], _Decompressor]] = {1: _zlib, 2: _bz2, 3: _lzma}


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
                    f"Either: {one!r} takes almost any bytes, so the codecs after it would never be asked"
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


def named_function(instance: object, attribute: "Attribute[Any]", function: object) -> None:
    """Refuse what is no function, or has no name to be recorded by."""
    name = getattr(function, "__qualname__", None)
    if not callable(function) or not isinstance(name, str) or name.endswith("<lambda>"):
        raise DeclarationError(
            f"mapped: {attribute.alias}: wanted a function with a name, which migrations record, got {function!r}"
        )


def same_value(value: Any, back: Any) -> bool:
    """Whether a value came back. Arrays and the like, which do not compare to one bool, are taken at their word."""
    try:
        return bool(value == back or (value != value and back != back))
    except Exception:
        return True


class Mapped(Value):
    """What both kinds do with the functions."""

    __slots__ = ()
    codec: Any
    to: Callable[[Any], Any]
    from_: Callable[[Any], Any]
    type: Any

    @property
    def python_type(self) -> Any:
        """The type of the values, as stated, or as ``from_`` is annotated."""
        return self.type

    @property
    def meaning(self) -> str:
        """Its functions, and the codec inside."""
        return f"{value_text(self.to)} of the value: {meaning_of(self.codec)}"

    def written(self, value: Any) -> Any:
        """What ``codec`` writes of ``value``. A value that would not come back is refused."""
        if isinstance(self.type, type) and not isinstance(value, self.type):
            raise ValueRefused(f"a value of {self.type.__name__}", value)
        written = self.to(value)
        back = self.from_(written)
        if not same_value(value, back):
            raise ValueRefused(
                f"a value that comes back from {value_text(self.from_)} as it was, not as {back!r}", value
            )
        return written

    def read(self, written: Any) -> Any:
        """The value of what ``codec`` read. Raises ``ValueError`` where the function raises."""
        try:
            return self.from_(written)
        except Exception as error:  # whatever a function of the user's raises
            told = f"{type(error).__name__}: {error}"
            raise ValueError(
                f"wanted what {value_text(self.from_)} takes, got {written!r}: {told}"
            ) from error


def _cell_codec(instance: object, attribute: object, codec: object) -> None:
    if not isinstance(codec, CellCodec):
        raise DeclarationError(f"mapped: wanted a codec of keys or cells, got {shown(codec)}")


@frozen(eq=False, repr=False)
class MappedCell(Mapped, CellCodec[V]):
    """What ``codec`` writes of ``to(value)``; it is read back with ``from_``. See :func:`btmodel.mapped`."""

    codec: CellCodec[Any] = field(validator=_cell_codec)
    to: Callable[[Any], Any] = field(validator=named_function, repr=value_text)
    from_: Callable[[Any], Any] = field(validator=named_function, repr=value_text)
    type: Any = field(repr=value_text)

    @property
    def fixed_size(self) -> int | None:
        """That of ``codec``."""
        return self.codec.fixed_size

    @property
    def typical_size(self) -> int:
        """That of ``codec``."""
        return self.codec.typical_size

    @property
    def max_size(self) -> int | None:
        """That of ``codec``."""
        return self.codec.max_size

    @property
    def reads(self) -> ByteSet:
        """What ``codec`` reads."""
        return self.codec.reads

    @property
    def writes(self) -> ByteSet:
        """What ``codec`` writes."""
        return self.codec.writes

    def encode(self, value: V) -> bytes:
        """The bytes that ``codec`` writes of ``to(value)``."""
        return self.codec.encode(self.written(value))

    def encodings(self, value: V) -> tuple[bytes, ...]:
        """Those of ``codec``, of ``to(value)``."""
        return self.codec.encodings(self.written(value))

    def decode(self, raw: bytes) -> V:
        """What ``from_`` makes of what ``codec`` reads."""
        value: V = self.read(self.codec.decode(raw))
        return value
