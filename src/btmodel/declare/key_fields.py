"""Declaring functions of key fields: plain ones, constants, and those that follow from other attributes."""

import zlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeVar, Unpack, cast, overload

from btmodel.codecs import key as key_codecs
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.declare.declarations import (
    REQUIRED,
    ConstantDeclaration,
    DerivedDeclaration,
    KeyDeclaration,
    KeyFigures,
    declares,
    default_of,
    delimiter,
    here,
)
from btmodel.errors import DeclarationError, shown
from btmodel.schema import Derived, Location

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


@overload
def key(
    codec: KeyCodec[T],
    *,
    mirror: "str | tuple[str, CellCodec[T]] | None" = None,
    ends: str | bytes | None = None,
    of: str | None = None,
    **figures: Unpack[KeyFigures],
) -> T: ...
@overload
def key(codec: KeyCodec[T], *, stored: Literal[False], **figures: Unpack[KeyFigures]) -> T | None: ...
@overload
def key(codec: KeyCodec[T], *, default: None, **figures: Unpack[KeyFigures]) -> T | None: ...
@overload
def key(
    codec: KeyCodec[T],
    *,
    default: T,
    mirror: "str | tuple[str, CellCodec[T]] | None" = None,
    ends: str | bytes | None = None,
    **figures: Unpack[KeyFigures],
) -> T: ...
@overload
def key(
    codec: KeyCodec[T],
    *,
    default_factory: Callable[[], T],
    mirror: "str | tuple[str, CellCodec[T]] | None" = None,
    ends: str | bytes | None = None,
    **figures: Unpack[KeyFigures],
) -> T: ...
@declares
def key(
    codec: KeyCodec[Any] | None = None,
    *,
    mirror: "str | tuple[str, CellCodec[Any]] | None" = None,
    default: Any = REQUIRED,
    default_factory: Callable[[], Any] | None = None,
    ends: str | bytes | None = None,
    stored: bool = True,
    of: str | None = None,
    **figures: Unpack[KeyFigures],
) -> Any:
    """A field of the row key. Fields stand in the key in the order of their declaration.

    ``codec`` says how the value becomes bytes. ``mirror`` names a
    cell, as ``"MD:SYMBOL"``, that repeats the value for readers of the raw table, in
    the field's own text or in the codec given with it: ``("METER:ID", DecimalText())``.
    With ``default=None`` the last field of the key may be None: the row key then ends
    before the delimiter in front of it. Any other ``default``, or what ``default_factory`` gives, is what a new row has
    that is made without the field. ``ends`` is what stands behind the field, where it
    is not the delimiter of the class. With ``stored=False`` the field is in no key and no cell: it is given where a row is written or
    looked for, only to make derived fields from it, and is None in rows that were read. In a view, ``of`` names the attribute of
    the table's model that the field is made of, where that has another name.

    The ``figures`` are what the review reasons with. ``cardinality`` is the number of distinct
    values that are expected; ``sequential`` whether they are given one after the other, as
    from a counter; ``domain`` whether they are names of internet domains; ``tenant`` whether they say
    whose data a row is; ``pii`` whether they identify a person; ``changes`` whether a row gets another value
    in its life; ``skew`` how unevenly they come, as ``"90%:200"`` where 200 of them have 90 % of the events.
    Where ``domain``, ``tenant``, ``pii`` and ``changes`` are not said, the field's name is judged.
    """
    location = here()
    if not isinstance(codec, KeyCodec):
        came = "nothing" if codec is None else shown(codec)
        raise DeclarationError(f"{location}: key: expected a key codec such as bt.Text(width=6), got {came}")
    made = default_of(f"{location}: key", default, default_factory)
    if default is None and mirror is not None:
        raise DeclarationError(f"{location}: key: a field that rows may lack has no mirror")
    if type(stored) is not bool or (
        not stored and (mirror is not None or ends is not None or made is not REQUIRED)
    ):
        raise DeclarationError(
            f"{location}: key: expected stored=False alone, without mirror=, ends= and a default, got stored={stored!r}"
        )
    ends_with = delimiter("key", ends, location)
    if of is not None and not isinstance(of, str):
        raise DeclarationError(f"{location}: key: of: expected the name of an attribute, got {shown(of)}")
    return KeyDeclaration(codec, mirror, made, figures, location, ends_with, stored, of)


@declares
def constant(text: str | bytes, *, ends: str | bytes | None = None) -> str:
    """A part of the row key that is the same in every row, such as ``LoL`` or ``b"\\x01"``; ``ends`` as for :func:`key`."""
    return cast(str, ConstantDeclaration(Constant(text), here(), delimiter("constant", ends, here())))


@declares
def derived(
    codec: KeyCodec[Any],
    *of: str,
    by: Callable[..., Any],
    values: Iterable[Any] | None = None,
    ends: str | bytes | None = None,
) -> DerivedDeclaration:
    """A part of the row key that ``by`` computes from the attributes ``of``; callers never give it.

    ``of`` names key fields, or columns that every row has; ``by`` gets their values as they
    will be read back (times in UTC). ``values`` are all that ``by`` can give, where they are
    few: a query that does not give the field then reads the rows of each of them, merged
    in the order of the rest of the key. Without them, the field is known only where all of
    ``of`` are: it is a hash, which cannot be decoded. It is checked when rows are read.
    """
    if values is not None and not isinstance(values, Iterable):
        raise DeclarationError(f"{here()}: derived: expected all values that there are, got {values!r}")
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
        raise DeclarationError(f"{here()}: salt: expected at least 2 buckets, got {buckets!r}")
    codec = key_codecs.PaddedInt(len(str(buckets - 1)))
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
        raise DeclarationError(f"{here()}: digest: expected a size of 1 to 32 bytes, got {size!r}")
    return _derived(
        here(), key_codecs.HexDigest(2 * size), of, partial(_sha256, size), None, of_bytes=True, ends=ends
    )


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
        raise DeclarationError(
            f"{location}: derived: expected a key codec such as PaddedInt(1), got {shown(codec)}"
        )
    if not of or not all(isinstance(name, str) for name in of):
        raise DeclarationError(
            f"{location}: derived: expected the names of the attributes that it is made from, got {of!r}"
        )
    if not callable(by):
        raise DeclarationError(f"{location}: derived: by: expected a function of {', '.join(of)}, got {by!r}")
    if values is not None and (not values or any(one in values[:at] for at, one in enumerate(values))):
        raise DeclarationError(
            f"{location}: derived: expected each value once, and at least one, got {values!r}"
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
