"""Going on past rows that cannot be decoded, never in silence."""

from collections.abc import Callable
from typing import TypeVar, cast

from attrs import frozen

from btmodel.errors import UndecodableCell, UndecodableKey
from btmodel.rows import Cell, Fast, RowDecoder

T = TypeVar("T")

UNDECODABLE = (UndecodableKey, UndecodableCell)
Undecodable = UndecodableKey | UndecodableCell
OnError = Callable[[Undecodable], object]


@frozen(eq=False)
class Skipped:
    """What stands in the place of a row that cannot be decoded: its error, to be told when its turn comes."""

    error: Undecodable


def skipping(decoder: RowDecoder[T]) -> RowDecoder[T | Skipped]:
    """The same decoder, that goes on past rows that cannot be decoded."""

    def strict(key: bytes, cells: list[Cell]) -> T | Skipped:
        try:
            return decoder.strict(key, cells)
        except UNDECODABLE as error:
            return Skipped(error)

    # What is decoded fast is never skipped: a fast decoder stops in front of what it does not know.
    return RowDecoder(strict, cast("Fast[T | Skipped] | None", decoder.fast))


def tell(error: Undecodable, on_error: OnError | None) -> None:
    """Give the error of a row that cannot be decoded to ``on_error``, or raise it where there is none."""
    if on_error is None:
        raise error
    on_error(error)
