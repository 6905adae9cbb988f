"""What annotations say of the values."""

import types
import typing
from typing import Any

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec
from btmodel.errors import DeclarationError, shown


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
    held = held_type(place, codec)
    if isinstance(annotation, type) and annotation is not Any and annotation is not held:
        came = annotation.__name__
        raise DeclarationError(
            f"{place}: {shown(codec)} holds {_named(held)}, but the annotation says {came}"
        )


def held_type(place: str, codec: KeyCodec[Any] | CellCodec[Any]) -> Any:
    """The type of a codec's values; a codec of the user's that names none is refused here, where it is declared.

    From here on every reader of a schema trusts ``python_type``.
    """
    try:
        held = codec.python_type
    except Exception as error:  # whatever a codec of the user's raises
        came = f"it raised {type(error).__name__}: {error}"
    else:
        if _is_type(held):
            return held
        came = f"got {shown(held)}"
    raise DeclarationError(
        f"{place}: python_type of {shown(codec)}: wanted the class of its values, such as str or list[int], {came}"
    )


def _is_type(held: Any) -> bool:
    """Whether generated code can name it: a class, Any, or a generic one or a union of such."""
    if typing.get_origin(held) is None:
        return held is Any or isinstance(held, type | typing.NewType)
    return all(part in (None, Ellipsis) or _is_type(part) for part in typing.get_args(held))


def _named(type_: Any) -> str:
    """How a type is written: ``str``, ``tuple[str, ...]``."""
    return str(type_) if typing.get_args(type_) else getattr(type_, "__name__", str(type_))
