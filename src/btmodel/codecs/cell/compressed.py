"""Compressed cells, by the compressors of Python and by zstd."""

import zlib
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from attrs import field, frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.byte_set import ANY, ByteSet, choice, exactly, literal, one_of, sequence
from btmodel.codecs.cell.base import AroundCell, CellCodec
from btmodel.codecs.cell.wrapping import instance_of_cell
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.value import Value
from btmodel.words import counted

T = TypeVar("T")

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


@frozen(eq=False, repr=False)
class Compressed(Value, AroundCell[T]):
    """What ``codec`` gives, compressed; for long text, JSON and arrays.

    The first byte of the cell says how the rest is compressed: 0 not at all (where compressing does not make it
    smaller), 1 zlib (RFC 1950), 2 bz2, 3 lzma (an .xz stream), 4 gzip, 5 zstd, which needs the extra ``btmodel[zstd]``. Every
    cell is read by its own first byte, so ``method`` can be changed later.

    With ``framed=False`` there is no first byte: each cell is a stream of ``method``, as other programs write it.

    ``most`` is how many bytes may come out of a cell, 100 MiB by default: what is longer is refused,
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
        """The encoding in a few words, for people."""
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
