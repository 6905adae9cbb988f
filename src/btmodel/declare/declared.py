"""What a declaration is until the metaclass makes a schema of it."""

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar, cast

from attrs import field, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.errors import DeclarationError
from btmodel.schema import Derived, Family, Location, Shape

F = TypeVar("F", bound=Callable[..., Any])


class Required:
    """The default of an attribute that has none."""

    def __repr__(self) -> str:
        return "required"


REQUIRED = Required()


@frozen
class KeyDeclaration:
    """A key field, as declared."""

    codec: KeyCodec[Any]
    mirror: str | tuple[str, CellCodec[Any]] | None
    default: Required | None
    figures: Mapping[str, Any]
    location: Location = field(eq=False)
    ends: bytes | None = None


@frozen
class ConstantDeclaration:
    """A constant part of the key, as declared."""

    codec: Constant
    location: Location = field(eq=False)
    ends: bytes | None = None


@frozen
class DerivedDeclaration:
    """A part of the key that follows from other attributes, as declared."""

    codec: KeyCodec[Any]
    derived: Derived
    location: Location = field(eq=False)
    ends: bytes | None = None


@frozen
class ColumnDeclaration:
    """A column, or a family as many columns, as declared."""

    shape: Shape
    qualifier: bytes
    family: Family
    codec: CellCodec[Any] | None
    default: Required | None
    figures: Mapping[str, Any]
    location: Location = field(eq=False)
    names: KeyCodec[Any] | None = None
    every: str | None = None
    slot_names: str | None = None


@frozen
class TimestampDeclaration:
    """A time that lives in the timestamps of the row's cells, as declared."""

    default: Required | None
    location: Location = field(eq=False)


def as_bytes(name: object) -> bytes | None:
    """The bytes of a name that is given as text or as bytes; None for anything else."""
    if isinstance(name, str):
        try:
            return name.encode()
        except UnicodeEncodeError:
            return None
    return name if isinstance(name, bytes) else None


def delimiter(what: str, value: object, location: Location) -> bytes | None:
    """The bytes of a delimiter that a field has of its own, or None where none is given."""
    raw = as_bytes(value)
    if value is not None and raw is None:
        raise DeclarationError(f"{location}: {what}: ends: wanted a delimiter, text or bytes, got {value!r}")
    return raw


def here(depth: int = 2) -> Location:
    """The line of the caller's caller, or of ``depth`` calls up: where the declaration stands."""
    frame = sys._getframe(depth)
    while frame.f_globals is globals() and frame.f_back is not None:
        frame = frame.f_back  # what is around a function that declares
    return Location(frame.f_code.co_filename, frame.f_lineno)


def declares(function: F) -> F:
    """``function``, which raises :class:`DeclarationError` with the place where its arguments are not those that it takes."""
    taken = signature(function)
    wanted = ", ".join(name for name, one in taken.parameters.items() if _must_be_given(one))

    @wraps(function)
    def declaration(*args: Any, **given: Any) -> Any:
        try:
            taken.bind(*args, **given)
        except TypeError as error:
            name = function.__name__
            came = "" if args or given else ", got nothing"
            raise DeclarationError(f"{here()}: {name}: wanted {name}({wanted}){came}: {error}") from None
        return function(*args, **given)

    return cast("F", declaration)


def _must_be_given(parameter: Parameter) -> bool:
    several = parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return parameter.default is Parameter.empty and not several
