"""How values of each type stand in a JSON document, checked on the way in and on the way out."""

import math
import typing
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from types import NoneType, UnionType
from typing import Any
from uuid import UUID

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.byte_text import Base64Text
from btmodel.codecs.cell.number import DecimalNumber, DecimalText, real_number
from btmodel.codecs.cell.record import RecordField, is_record, record_fields
from btmodel.codecs.cell.text import Utf8
from btmodel.codecs.cell.time import IsoDate
from btmodel.codecs.time import from_micros, micros_since_epoch
from btmodel.errors import DeclarationError, shown

Convert = Callable[[Any], Any]


class Misfit(ValueError):
    """A part of a document that is not what its type wants; ``place`` is where, as ``.bids[3]``."""

    def __init__(self, wanted: str, got: object, place: str = "") -> None:
        super().__init__(wanted, got, place)
        self.wanted = wanted
        self.got = got
        self.place = place

    def __str__(self) -> str:
        return f"wanted {self.wanted} at ${self.place}, got {shown(self.got)}"


@frozen
class Form:
    """How values of one type are written and read; both raise ``ValueError`` for what does not fit.

    ``text`` says that they stand as JSON text, so that they can be keys.
    """

    wanted: str
    write: Convert
    read: Convert
    text: bool = False


def form_of(annotation: Any) -> Form:
    """The form of values of ``annotation``. Raises :class:`DeclarationError` where there is none."""
    return _form(annotation, {})


def _form(annotation: Any, open_: dict[type, Form]) -> Form:
    """``open_`` holds the classes that are being looked at: one may hold itself."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if origin in (typing.Union, UnionType) and len(inner) == 2 and NoneType in inner:
        return _optional(_form(inner[inner[0] is NoneType], open_))
    if origin is list:
        return _sequence(list, _form(inner[0], open_))
    if origin is tuple and inner[1:] == (...,):
        return _sequence(tuple, _form(inner[0], open_))
    if origin is tuple:
        return _items([_form(one, open_) for one in inner])
    if origin is dict:
        return _mapping(annotation, _form(inner[0], open_), _form(inner[1], open_))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _enum(annotation)
    if isinstance(annotation, type) and is_record(annotation):
        return open_[annotation] if annotation in open_ else _record(annotation, open_)
    raise DeclarationError(f"Json: {annotation!r} has no form in JSON: {_KNOWN}")


_KNOWN = (
    "wanted None, bool, int, float, str, bytes, Decimal, datetime, date, UUID, an Enum, list[...], tuple[...], "
    "dict[str, ...], X | None, Any, or a class of attrs, a dataclass or a NamedTuple"
)


def _only(cls: type, wanted: str) -> Form:
    def same(value: Any) -> Any:
        if type(value) is not cls:
            raise Misfit(wanted, value)
        return value

    return Form(wanted, same, same)


def _checked(cls: type, wanted: str, codec: CellCodec[Any]) -> Form:
    """A form that JSON has itself, of values that ``codec`` takes."""

    def same(value: Any) -> Any:
        if type(value) is not cls:
            raise Misfit(wanted, value)
        codec.encode(value)
        return value

    return Form(wanted, same, same, text=cls is str)


def _as_text(wanted: str, write: Convert, read: Convert) -> Form:
    def read_text(value: Any) -> Any:
        if type(value) is not str:
            raise Misfit(wanted, value)
        return read(value)

    return Form(wanted, write, read_text, text=True)


def _in_cell(wanted: str, codec: CellCodec[Any]) -> Form:
    """The text that a cell of ``codec`` holds."""
    return _as_text(
        wanted, lambda value: codec.encode(value).decode(), lambda text: codec.decode(text.encode())
    )


def _float(value: Any) -> float:
    number = real_number(value)
    if not math.isfinite(number):
        raise Misfit("a finite number", value)
    return number


def _write_time(value: Any) -> str:
    return from_micros(micros_since_epoch(value)).isoformat()


def _read_time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    if time.utcoffset() is None:
        raise Misfit("a time with its offset", text)
    return time.astimezone(UTC)


def _write_uuid(value: Any) -> str:
    if not isinstance(value, UUID):
        raise Misfit("a UUID", value)
    return str(value)


def _read_uuid(text: str) -> UUID:
    if str(UUID(text)) != text.lower():
        raise Misfit("a UUID with its four hyphens", text)
    return UUID(text)


def _any(value: Any) -> Any:
    """A value of whatever JSON has; numbers keep to int and float as they are."""
    kind = type(value)
    if kind is list:
        return _sequence(list, _ANY).write(value)
    if kind is dict:
        return _mapping(dict, _PLAIN[str], _ANY).write(value)
    if kind not in _JSON:
        raise Misfit("None, a bool, a number, text, a list or a dict of text", value)
    return _PLAIN[kind].write(value)


_ANY = Form("any JSON", _any, _any)
_JSON = (NoneType, bool, int, float, str)
# How values of a type stand in a document. A contract on disk.
_PLAIN: dict[Any, Form] = {
    None: _only(NoneType, "null"),
    NoneType: _only(NoneType, "null"),
    bool: _only(bool, "true or false"),
    int: _checked(int, "a whole number", DecimalText()),
    float: Form("a finite number", _float, _float),
    str: _checked(str, "text", Utf8()),
    bytes: _in_cell("bytes as base64 text", Base64Text()),
    Decimal: _in_cell("a Decimal as text", DecimalNumber()),
    date: _in_cell("an ISO date", IsoDate()),
    datetime: _as_text("an ISO time with its offset", _write_time, _read_time),
    UUID: _as_text("a UUID as text", _write_uuid, _read_uuid),
    Any: _ANY,
    object: _ANY,
}
_PLAIN |= {list: Form("a list", _any, _any), dict: Form("a dict of text", _any, _any)}


def _placed(parts: Iterable[tuple[str, Form, Any]], convert: str) -> Iterator[Any]:
    """Each part converted, ``write`` or ``read``; what goes wrong is told with its place."""
    for place, form, value in parts:
        try:
            yield getattr(form, convert)(value)
        except Misfit as misfit:
            raise Misfit(misfit.wanted, misfit.got, place + misfit.place) from None
        except (ValueError, OverflowError):
            raise Misfit(form.wanted, value, place) from None


def _optional(form: Form) -> Form:
    def through(convert: Convert) -> Convert:
        return lambda value: None if value is None else convert(value)

    return Form(f"{form.wanted}, or null", through(form.write), through(form.read))


def _sequence(cls: type[list[Any]] | type[tuple[Any, ...]], item: Form) -> Form:
    def each(value: Any, kind: Any, convert: str) -> Iterator[Any]:
        if type(value) is not kind:
            raise Misfit(f"a {kind.__name__}", value)
        return _placed(((f"[{at}]", item, one) for at, one in enumerate(value)), convert)

    return Form(
        f"a {cls.__name__}",
        lambda value: list(each(value, cls, "write")),
        lambda value: cls(each(value, list, "read")),
    )


def _items(forms: list[Form]) -> Form:
    wanted = f"a tuple of {len(forms)}"

    def each(value: Any, kind: Any, convert: str) -> Iterator[Any]:
        if type(value) is not kind or len(value) != len(forms):
            raise Misfit(wanted, value)
        parts = [(f"[{at}]", form, one) for at, (form, one) in enumerate(zip(forms, value, strict=True))]
        return _placed(parts, convert)

    return Form(
        wanted,
        lambda value: list(each(value, tuple, "write")),
        lambda value: tuple(each(value, list, "read")),
    )


def _mapping(annotation: Any, key: Form, item: Form) -> Form:
    if not key.text:
        raise DeclarationError(f"Json: {annotation!r}: the keys of JSON are text, wanted dict[str, ...]")

    def convert(value: Any, way: str) -> dict[Any, Any]:
        if type(value) is not dict:
            raise Misfit("a dict", value)
        keys = _placed(((f"[{one!r}]", key, one) for one in value), way)
        items = _placed(((f"[{name!r}]", item, one) for name, one in value.items()), way)
        made = dict(zip(keys, items, strict=True))
        if len(made) < len(value):
            raise Misfit("each key once", value)
        return made

    return Form("a dict", lambda value: convert(value, "write"), lambda value: convert(value, "read"))


def _enum(cls: type[Enum]) -> Form:
    kinds = {type(member.value) for member in cls}
    if not kinds <= {str, int}:
        raise DeclarationError(f"Json: {cls.__name__}: wanted members of text or whole numbers")
    members = {(type(member.value), member.value): member for member in cls}
    wanted = f"a value of {cls.__name__}"

    def write(value: Any) -> Any:
        if not isinstance(value, cls):
            raise Misfit(f"a member of {cls.__name__}", value)
        return value.value

    def read(value: Any) -> Enum:
        # A bool equals 0 or 1, and a list cannot be looked up.
        member = members.get((type(value), value)) if type(value) in kinds else None
        if member is None:
            raise Misfit(wanted, value)
        return member

    return Form(wanted, write, read, text=kinds == {str})


@frozen
class _Record:
    """A class with fields, as an object with their names; ``forms`` is filled once the class is known."""

    cls: type
    fields: tuple[RecordField, ...]
    forms: dict[str, Form] = field(factory=dict, eq=False)

    def write(self, value: Any) -> dict[str, Any]:
        """The object of a value."""
        if type(value) is not self.cls:
            raise Misfit(f"a {self.cls.__name__}", value)
        parts = [(f".{name}", form, getattr(value, name)) for name, form in self.forms.items()]
        return dict(zip(self.forms, _placed(parts, "write"), strict=True))

    def read(self, value: Any) -> Any:
        """The value of an object; what is absent has the default of its field, and nothing is dropped."""
        if type(value) is not dict:
            raise Misfit(f"an object for {self.cls.__name__}", value)
        unknown = value.keys() - self.forms.keys()
        missing = [one.name for one in self.fields if one.required and one.name not in value]
        if unknown or missing:
            why = f"with {missing[0]!r}" if missing else f"without {min(unknown)!r}"
            raise Misfit(f"an object for {self.cls.__name__} {why}", value)
        given = [one for one in self.fields if one.name in value]
        parts = [(f".{one.name}", self.forms[one.name], value[one.name]) for one in given]
        arguments = dict(zip((one.argument for one in given), _placed(parts, "read"), strict=True))
        try:
            return self.cls(**arguments)
        except Exception as error:  # whatever a constructor raises that checks its fields
            raise Misfit(f"an object for {self.cls.__name__} ({error})", value) from error


def _record(cls: type, open_: dict[type, Form]) -> Form:
    record = _Record(cls, record_fields(cls))
    form = Form(f"an object for {cls.__name__}", record.write, record.read)
    try:
        hints = typing.get_type_hints(cls)
    except Exception as error:
        raise DeclarationError(f"Json: {cls.__name__}: its annotations do not resolve: {error}") from None
    for one in record.fields:
        if one.name not in hints:
            raise DeclarationError(f"Json: {cls.__name__}.{one.name} has no annotation")
        record.forms[one.name] = _form(hints[one.name], {**open_, cls: form})
    return form
