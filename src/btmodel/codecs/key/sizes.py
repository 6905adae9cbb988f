"""Sizes in the declarations of codecs: what they must be."""

from collections.abc import Callable

from btmodel.counted import counted
from btmodel.errors import DeclarationError, ValueRefused


def at_least_one(unit: str) -> Callable[[object, object, int], None]:
    """A validator of attrs that takes whole numbers from 1 on; ``unit`` is what they count."""

    def check(instance: object, attribute: object, value: int) -> None:
        if type(value) is not int or value < 1:
            raise DeclarationError(f"{type(instance).__name__}: wanted at least 1 {unit}, got {value!r}")

    return check


def check_lengths(codec: object, least: int, most: int | None) -> None:
    """Refuse the declaration of a codec whose encodings cannot have these lengths."""
    if type(least) is not int or type(most) is not int:
        raise DeclarationError(f"{codec!r}: wanted whole numbers of bytes")
    if not 0 <= least <= most or most < 1:
        raise DeclarationError(f"{codec!r}: wanted a length of at least 1 and at least min_length")


def check_one_size(codec: object, width: int | None, max_length: int | None) -> None:
    """Refuse the declaration of a codec that is not of one width, or of one longest length."""
    if (width is None) == (max_length is None):
        raise DeclarationError(f"{codec!r}: wanted either width= or max_length=, in bytes")


def bytes_of(value: object, size: int) -> bytes:
    """``value``, where it is of ``size`` bytes; else it is refused."""
    if not isinstance(value, bytes) or len(value) != size:
        raise ValueRefused(f"{counted(size, 'byte')}", value)
    return value
