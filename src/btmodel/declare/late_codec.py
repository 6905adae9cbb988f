"""The row codec of a model, made when it is first asked for."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from btmodel.rows import RowCodec


class LateCodec:
    """Stands in a model class for its codec and makes it once: who only declares models needs nothing of rows.

    A copy of the class in another process makes its own.
    """

    def __init__(self, make: "Callable[[], RowCodec[Any]]") -> None:
        self._make = make
        self._made: RowCodec[Any] | None = None

    def __get__(self, row: object, owner: Any) -> "RowCodec[Any]":
        if self._made is None:
            self._made = self._make()
        return self._made

    def __reduce__(self) -> tuple[Any, ...]:
        return LateCodec, (self._make,)
