"""The row codec of a model, made when it is first asked for."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from btmodel.rows import RowCodec


class LateCodec:
    """Stands in a model class for its codec, and makes way for it: who only declares models needs nothing of rows."""

    def __init__(self, make: "Callable[[], RowCodec[Any]]") -> None:
        self._make = make

    def __get__(self, row: object, owner: Any) -> "RowCodec[Any]":
        codec = owner.__codec__ = self._make()
        return codec
