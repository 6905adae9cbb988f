"""Key fields that follow from others: salts, shards and hashes."""

import zlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from btmodel.codecs.key import HexDigest, KeyCodec, PaddedInt
from btmodel.declare.declared import DerivedDeclaration, declares, delimiter, here
from btmodel.errors import DeclarationError
from btmodel.schema import Derived, Location


@declares
def derived(
    codec: KeyCodec[Any],
    *of: str,
    by: Callable[..., Any],
    values: Iterable[Any] | None = None,
    ends: str | bytes | None = None,
) -> DerivedDeclaration:
    """A part of the row key that ``by`` makes from the attributes ``of``: nobody gives it.

    ``of`` names key fields, or columns that every row has; ``by`` gets their values as they
    will be read back (times in UTC). ``values`` are all that ``by`` can give, where they are
    few: a query that does not tell the field then reads the rows of each of them, merged
    in the order of the rest of the key. Without them, the field is known only where all of
    ``of`` are: it is a hash, which cannot be decoded. It is checked when rows are read.
    """
    if values is not None and not isinstance(values, Iterable):
        raise DeclarationError(f"{here()}: derived: wanted all values that there are, got {values!r}")
    return _derived(here(), codec, of, by, None if values is None else tuple(values), ends=ends)


@declares
def salt(*of: str, buckets: int, ends: str | bytes | None = None) -> DerivedDeclaration:
    """A number from 0 to ``buckets`` - 1 that spreads rows: a hash of the attributes ``of``.

    It stands in the key with as many digits as the largest one. About as many buckets as
    the cluster has nodes is the documented advice; each query over all of them reads
    that many ranges. The hash is a contract on disk: the CRC-32, modulo ``buckets``, of the bytes
    that the attribute has in the table, or of several as :func:`digest` joins them.
    """
    if type(buckets) is not int or buckets < 2:
        raise DeclarationError(f"{here()}: salt: wanted at least 2 buckets, got {buckets!r}")
    codec = PaddedInt(len(str(buckets - 1)))
    return _derived(
        here(), codec, of, partial(_checksum, buckets), tuple(range(buckets)), of_bytes=True, ends=ends
    )


@declares
def digest(*of: str, size: int = 16, ends: str | bytes | None = None) -> DerivedDeclaration:
    """A hash of the attributes ``of``, as hex: the first ``size`` bytes of the SHA-256 of what they have in the table.

    Of several attributes the bytes are joined by 00 01, where 00 within them is written
    00 FF, so that no two lists of values are joined to the same. One-way: rows are found by all of ``of``, which must be attributes of the row to be read back.
    """
    if type(size) is not int or not 1 <= size <= 32:
        raise DeclarationError(f"{here()}: digest: wanted a size of 1 to 32 bytes, got {size!r}")
    return _derived(here(), HexDigest(2 * size), of, partial(_sha256, size), None, of_bytes=True, ends=ends)


def _derived(
    location: Location,
    codec: KeyCodec[Any],
    of: tuple[str, ...],
    by: Callable[..., Any],
    values: tuple[Any, ...] | None,
    *,
    of_bytes: bool = False,
    ends: str | bytes | None,
) -> DerivedDeclaration:
    if not isinstance(codec, KeyCodec):
        raise DeclarationError(f"{location}: derived: wanted a key codec such as PaddedInt(1), got {codec!r}")
    if not of or not all(isinstance(name, str) for name in of):
        raise DeclarationError(
            f"{location}: derived: wanted the names of the attributes that it is made from, got {of!r}"
        )
    if not callable(by):
        raise DeclarationError(f"{location}: derived: by: wanted a function of {', '.join(of)}, got {by!r}")
    if values is not None and (not values or any(one in values[:at] for at, one in enumerate(values))):
        raise DeclarationError(
            f"{location}: derived: wanted each value once, and at least one, got {values!r}"
        )
    return DerivedDeclaration(
        codec, Derived(of, by, values, of_bytes), location, delimiter("derived", ends, location)
    )


def _joined(parts: tuple[bytes, ...]) -> bytes:
    if len(parts) == 1:
        return parts[0]
    return b"\0\1".join(part.replace(b"\0", b"\0\xff") for part in parts)


def _checksum(buckets: int, *parts: bytes) -> int:
    return zlib.crc32(_joined(parts)) % buckets


def _sha256(size: int, *parts: bytes) -> str:
    import hashlib  # only here: loading OpenSSL takes longer than any other module of the library

    return hashlib.sha256(_joined(parts)).digest()[:size].hex()
