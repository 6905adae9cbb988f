"""What annotations say of the values."""

import types
import typing
from typing import Any

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec
from btmodel.errors import DeclarationError


def without_none(annotation: Any) -> tuple[Any, bool]:
    """An annotation without ``None``, and whether it held it."""
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return annotation, False
    left = [part for part in typing.get_args(annotation) if part is not type(None)]
    return (left[0] if len(left) == 1 else annotation), len(left) < len(typing.get_args(annotation))


def value_of(annotation: Any, default: object) -> tuple[Any, bool]:
    """The annotation of a value without ``None``, and whether it may be None; of ``Any``, where that is its default."""
    inner, optional = without_none(annotation)
    return inner, optional or (inner is Any and default is None)


def refuse_other_type(place: str, annotation: Any, codec: KeyCodec[Any] | CellCodec[Any]) -> None:
    """Refuse a codec whose values are not what the annotation says; what is no class is left to type checkers."""
    if isinstance(annotation, type) and annotation is not Any and annotation is not codec.python_type:
        wanted, came = _named(codec.python_type), annotation.__name__
        raise DeclarationError(f"{place}: {codec!r} holds {wanted}, but the annotation says {came}")


def _named(type_: type) -> str:
    """How a type is written: ``str``, ``tuple[str, ...]``."""
    return str(type_) if typing.get_args(type_) else type_.__name__
