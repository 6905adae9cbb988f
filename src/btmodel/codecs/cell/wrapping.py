"""Cell codecs around others: compressed, either of several, between two functions, or one for each entry."""

import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Literal, TypeVar

from attrs import Attribute, Factory, field, frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.byte_set import ANY, ByteSet, choice, exactly, literal, one_of, sequence
from btmodel.codecs.cell.base import CellCodec, SortedRun
from btmodel.codecs.cell.record import value_text
from btmodel.codecs.cell.text import Raw, Utf8
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.value import Value
from btmodel.words import counted

T = TypeVar("T")
V = TypeVar("V")

Method = Literal["zlib", "bz2", "lzma", "gzip", "zstd"]
_STORED = 0
# The first byte of a cell. A number, once given, keeps its meaning for ever.
_NUMBERS: dict[str, int] = {"zlib": 1, "bz2": 2, "lzma": 3, "gzip": 4, "zstd": 5}
# How the streams of each method begin.
_STREAMS = {
    "zlib": sequence(one_of(bytes(range(0x08, 0x80, 0x10))), exactly(6), ANY),
    "bz2": sequence(literal(b"BZh"), ANY),
    "lzma": sequence(literal(b"\xfd7zXZ\0"), ANY),
    "gzip": sequence(literal(b"\x1f\x8b\x08"), ANY),
    "zstd": sequence(literal(b"\x28\xb5\x2f\xfd"), ANY),
}
_GZIP_BITS = 31  # of the window, with the header of gzip
_STEP = 256  # bytes of a zstd stream that are unpacked at once, so that few of them fill no memory
_CELL_BYTES = 100 * 2**20
_LZMA_MEMORY = 256 * 2**20


def instance_of_cell(instance: object, attribute: object, codec: object) -> None:
    """A validator of attrs that takes codecs of cells."""
    if not isinstance(codec, CellCodec):
        raise DeclarationError(f"{type(instance).__name__}: expected a cell codec, got {shown(codec)}")


@frozen(eq=False, repr=False)
class Compressed(Value, CellCodec[T]):
    """What ``codec`` gives, compressed; for long text, JSON and arrays.

    The first byte of the cell says how the rest is compressed: 0 not at all (where compressing does not make it
    smaller), 1 zlib (RFC 1950), 2 bz2, 3 lzma (an .xz stream), 4 gzip, 5 zstd, which needs the extra ``btmodel[zstd]``. Every
    cell is read by its own first byte, so ``method`` can be changed later.

    With ``framed=False`` there is no first byte: each cell is a stream of ``method``, as other programs write it.

    ``most`` is how many bytes may come out of a cell, 100 MiB unless told otherwise: what is longer is refused,
    on writing and on reading, before it fills the memory.
    """

    codec: CellCodec[T] = field(validator=instance_of_cell)
    method: Method = "zlib"
    most: int = _CELL_BYTES
    framed: bool = field(default=True, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.method not in _NUMBERS:
            raise DeclarationError(
                f"Compressed: expected the method {', '.join(_NUMBERS)}, got {self.method!r}"
            )
        if type(self.most) is not int or self.most < 1:
            raise DeclarationError(f"Compressed: most: expected a number of bytes, got {self.most!r}")
        if type(self.framed) is not bool:
            raise DeclarationError(f"Compressed: expected framed=True or framed=False, got {self.framed!r}")

    @property
    def python_type(self) -> type:
        """That of the codec inside."""
        return self.codec.python_type

    @property
    def annotation(self) -> Any:
        """That of the codec inside."""
        return self.codec.annotation

    @property
    def typical_size(self) -> int:
        """An assumption: a third of what is inside, and the first byte."""
        return 1 + self.codec.typical_size // 3

    @property
    def max_size(self) -> int | None:
        """The first byte, and what is inside, uncompressed; None where only ``most``, left as it is, bounds that.

        What does not get smaller gets larger without a first byte, by a hundredth or some headers.
        """
        inside = self.codec.max_size
        if inside is None and self.most >= _CELL_BYTES:
            return None
        most = self.most if inside is None else min(inside, self.most)
        return 1 + most if self.framed else most + most // 100 + 600

    @property
    def reads(self) -> ByteSet:
        """What the codec inside reads, behind a 0; or a stream, behind its number."""
        return self._framed(self.codec.reads)

    @property
    def writes(self) -> ByteSet:
        """Likewise, of what the codec inside writes."""
        return self._framed(self.codec.writes)

    def _framed(self, stored: ByteSet) -> ByteSet:
        if not self.framed:
            return _STREAMS[self.method]
        streams = (
            sequence(literal(bytes([number])), _STREAMS[method]) for method, number in _NUMBERS.items()
        )
        return choice(sequence(literal(b"\0"), stored), *streams)

    @property
    def meaning(self) -> str:
        """In words."""
        alone = "" if self.framed else ", without a first byte"
        return f"{meaning_of(self.codec)}, compressed with {self.method}{alone}"

    def encode(self, value: T) -> bytes:
        """The first byte, and the rest compressed, where that makes it smaller."""
        plain = self.codec.encode(value)
        if len(plain) > self.most:
            raise ValueRefused(
                f"a value of up to {counted(self.most, 'byte')} before it is compressed", value
            )
        packed = _compress(self.method, plain)
        if not self.framed:
            return packed
        if len(packed) >= len(plain):
            return bytes([_STORED]) + plain
        return bytes([_NUMBERS[self.method]]) + packed

    def decode(self, raw: bytes) -> T:
        """The value, whichever method wrote it; without a first byte, this one."""
        if not self.framed:
            return self.codec.decode(_plain(_NUMBERS[self.method], raw, self.most))
        if not raw or raw[0] not in (_STORED, *_NUMBERS.values()):
            raise ValueError(f"expected a first byte from 0 to {max(_NUMBERS.values())}, got {raw[:1]!r}")
        if raw[0] != _STORED:
            return self.codec.decode(_plain(raw[0], raw[1:], self.most))
        if len(raw) - 1 > self.most:
            raise ValueError(f"expected up to {counted(self.most, 'byte')}, got {len(raw) - 1:,}")
        return self.codec.decode(raw[1:])


def _compress(method: str, plain: bytes) -> bytes:
    # Not every Python is built with bz2 and lzma.
    if method == "bz2":
        import bz2

        return bz2.compress(plain)
    if method == "lzma":
        import lzma

        return lzma.compress(plain)
    if method == "gzip":
        return zlib.compress(plain, wbits=_GZIP_BITS)
    if method == "zstd":
        compressed: bytes = _zstandard().ZstdCompressor().compress(plain)
        return compressed
    return zlib.compress(plain)


def _plain(number: int, packed: bytes, most: int) -> bytes:
    """The bytes that were compressed. Raises ``ValueError`` where they are more, or other, than they should be."""
    decompressor, errors = _DECOMPRESSORS[number]()
    try:
        plain: bytes = decompressor.decompress(packed, most + 1)
    except errors as error:
        raise ValueError(f"expected compressed bytes, got {packed[:20]!r}: {error}") from None
    if len(plain) > most:
        raise ValueError(f"expected up to {counted(most, 'byte')} when decompressed, got more")
    if not decompressor.eof:
        raise ValueError("expected compressed bytes with their end, got only the beginning")
    if decompressor.unused_data:
        raise ValueError(
            f"expected nothing after the compressed bytes, got {decompressor.unused_data[:20]!r}"
        )
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


def _gzip() -> _Decompressor:
    return zlib.decompressobj(_GZIP_BITS), (zlib.error,)


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise DeclarationError("cells of zstd need zstandard: install btmodel[zstd]") from None
    return zstandard


class _Zstd:
    """A decompressor that stops after a number of bytes, as those of the standard library do."""

    def __init__(self) -> None:
        self._stream: Any = _zstandard().ZstdDecompressor().decompressobj()

    def decompress(self, packed: bytes, most: int) -> bytes:
        """The bytes, or more than ``most`` of them where there are more."""
        plain = bytearray()
        self.unused_data: bytes = b""
        for at in range(0, len(packed), _STEP):
            plain += self._stream.decompress(packed[at : at + _STEP])
            if self._stream.eof:
                self.unused_data = self._stream.unused_data + packed[at + _STEP :]
                break
            if len(plain) > most:
                break
        return bytes(plain)

    @property
    def eof(self) -> bool:
        """Whether the end was reached."""
        return bool(self._stream.eof)


def _zstd() -> _Decompressor:
    return _Zstd(), (_zstandard().ZstdError,)


_DECOMPRESSORS: dict[int, Callable[[], _Decompressor]] = {1: _zlib, 2: _bz2, 3: _lzma, 4: _gzip, 5: _zstd}


def _some_bytes(instance: object, attribute: object, prefix: Any) -> None:
    if not isinstance(prefix, bytes) or not prefix:
        raise DeclarationError(f"Prefixed: expected at least 1 byte as the prefix, got {prefix!r}")


@frozen(eq=False, repr=False)
class Prefixed(Value, CellCodec[T]):
    """What ``codec`` gives, behind the bytes ``prefix``: ``Prefixed(b"\\x00\\x00\\x00\\x00\\x07", Protobuf(Order))``.

    Several in an ``Either`` choose the codec by the first bytes of a cell.
    """

    prefix: bytes = field(validator=_some_bytes)
    codec: CellCodec[T] = field(validator=instance_of_cell)

    @property
    def python_type(self) -> type:
        """That of the codec inside."""
        return self.codec.python_type

    @property
    def annotation(self) -> Any:
        """That of the codec inside."""
        return self.codec.annotation

    @property
    def fixed_size(self) -> int | None:
        """With the prefix, where that inside is of one size."""
        return None if self.codec.fixed_size is None else len(self.prefix) + self.codec.fixed_size

    @property
    def typical_size(self) -> int:
        """With the prefix."""
        return len(self.prefix) + self.codec.typical_size

    @property
    def max_size(self) -> int | None:
        """With the prefix, where that inside is bounded."""
        return None if self.codec.max_size is None else len(self.prefix) + self.codec.max_size

    @property
    def reads(self) -> ByteSet:
        """What the codec inside reads, behind the prefix."""
        return sequence(literal(self.prefix), self.codec.reads)

    @property
    def writes(self) -> ByteSet:
        """What the codec inside writes, behind the prefix."""
        return sequence(literal(self.prefix), self.codec.writes)

    @property
    def meaning(self) -> str:
        """In words."""
        return f"{meaning_of(self.codec)}, behind {self.prefix!r}"

    def encode(self, value: T) -> bytes:
        """The prefix, and the rest."""
        return self.prefix + self.codec.encode(value)

    def encodings(self, value: T) -> tuple[bytes, ...]:
        """Those of the codec inside, behind the prefix."""
        return tuple(self.prefix + one for one in self.codec.encodings(value))

    def decode(self, raw: bytes) -> T:
        """The value of what is behind the prefix."""
        if not raw.startswith(self.prefix):
            raise ValueError(f"expected {self.prefix!r} in front, got {raw[:20]!r}")
        return self.codec.decode(raw[len(self.prefix) :])


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
            raise DeclarationError(f"Either: expected two cell codecs or more, got {self._codecs!r}")
        types = {one.python_type for one in self._codecs}
        if len(types) > 1:
            names = ", ".join(sorted(one.__name__ for one in types))
            raise DeclarationError(f"Either: expected codecs of values of one type, got {names}")
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
    def annotation(self) -> Any:
        """That of the codec that writes."""
        return self.new.annotation

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
            f"mapped: {attribute.alias}: expected a function with a name, which migrations record, got {function!r}"
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
                f"expected what {value_text(self.from_)} takes, got {written!r}: {told}"
            ) from error


def _keeps_order(instance: "MappedCell[Any]", attribute: object, ordered: object) -> None:
    if type(ordered) is not bool or (ordered and not instance.codec.runs):
        raise DeclarationError(
            f"mapped: ordered={ordered!r}: expected True or False, and True only where the bytes of "
            f"{shown(instance.codec)} sort as its values do"
        )


@frozen(eq=False, repr=False)
class MappedCell(Mapped, CellCodec[V]):
    """What ``codec`` writes of ``to(value)``; it is read back with ``from_``. See :func:`btmodel.mapped`."""

    codec: CellCodec[Any] = field(validator=instance_of_cell)
    to: Callable[[Any], Any] = field(validator=named_function, repr=value_text)
    from_: Callable[[Any], Any] = field(validator=named_function, repr=value_text)
    type: Any = field(repr=value_text)
    # No part of what the codec is: the bytes are the same.
    keeps_order: bool = field(
        default=False, validator=_keeps_order, alias="ordered", eq=False, repr=False, kw_only=True
    )

    @property
    def runs(self) -> tuple[SortedRun, ...]:
        """Those of ``codec``, of the values that ``from_`` makes of their ends, where ``ordered`` says that the functions keep the order."""
        if not self.keeps_order:
            return ()
        return tuple(
            SortedRun(self._end(run.first), self._end(run.last), run.downward) for run in self.codec.runs
        )

    def _end(self, written: Any) -> Any:
        return None if written is None else self.from_(written)

    def bound(self, value: V) -> bytes | None:
        """That of ``codec``, of ``to(value)``."""
        return self.codec.bound(self.written(value))

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


def _pairs(codecs: Any) -> tuple[tuple[Any, CellCodec[Any]], ...]:
    pairs = tuple(codecs.items()) if isinstance(codecs, Mapping) else codecs
    if not isinstance(pairs, tuple) or not pairs or not all(isinstance(one[1], CellCodec) for one in pairs):
        raise DeclarationError(f"PerEntry: expected a cell codec for each entry, by its key, got {codecs!r}")
    return pairs


@frozen(eq=False, repr=False)
class PerEntry(Value, CellCodec[Any]):
    """The values of a mapping, each by the codec of its entry: ``PerEntry({"temp": FloatText(), "count": DecimalText()})``.

    ``otherwise`` is the codec of all other entries; without it they are refused, on writing and on reading. It is a codec of
    :func:`btmodel.mapping` alone, as no other cell has the key of an entry.
    """

    of_entries = True
    codecs: tuple[tuple[Any, CellCodec[Any]], ...] = field(converter=_pairs)
    otherwise: CellCodec[Any] | None = None
    _by_key: dict[Any, CellCodec[Any]] = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: dict(self.codecs), takes_self=True)
    )

    def of(self, key: Any) -> CellCodec[Any]:
        """The codec of the entry ``key``. Raises :class:`ValueRefused` where there is none."""
        found = self._by_key.get(key, self.otherwise)
        if found is None:
            raise ValueRefused(f"an entry called {', '.join(map(repr, self._by_key))}", key)
        return found

    @property
    def _all(self) -> tuple[CellCodec[Any], ...]:
        return (*self._by_key.values(), *(() if self.otherwise is None else (self.otherwise,)))

    @property
    def python_type(self) -> Any:
        """Any: each entry has its own."""
        return Any

    @property
    def typical_size(self) -> int:
        """The largest of all codecs'."""
        return max(one.typical_size for one in self._all)

    @property
    def max_size(self) -> int | None:
        """The largest of all codecs'."""
        sizes = [one.max_size for one in self._all]
        return None if None in sizes else max(size for size in sizes if size is not None)

    @property
    def reads(self) -> ByteSet:
        """What any of them reads."""
        return choice(*(one.reads for one in self._all))

    @property
    def meaning(self) -> str:
        """Entry by entry."""
        parts = [f"{key!r}: {meaning_of(codec)}" for key, codec in self.codecs]
        parts += [] if self.otherwise is None else [f"others: {meaning_of(self.otherwise)}"]
        return "; ".join(parts)

    def encode(self, value: Any) -> bytes:
        """Refused: the key of the entry chooses the codec, :meth:`of`."""
        raise ValueRefused("the entry of a mapping, whose key chooses its codec", value)

    def decode(self, raw: bytes) -> Any:
        """Refused, likewise."""
        raise ValueError("expected the entry of a mapping, whose key chooses its codec")
