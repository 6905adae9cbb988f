"""JSON documents in cells."""

import json
import math
import typing
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, Flag
from types import NoneType, UnionType
from typing import Any, TypeVar
from uuid import UUID

from attrs import field, frozen

from btmodel import words
from btmodel.codecs.aware_times import from_micros, micros_since_epoch, time_of
from btmodel.codecs.byte_set import UTF8, ByteSet, literal, many, one_of, sequence
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.encoded import Base64Text
from btmodel.codecs.cell.number import DecimalNumber, DecimalText, real_number
from btmodel.codecs.cell.record import RecordField, is_record, record_fields, value_text
from btmodel.codecs.cell.text import Utf8
from btmodel.codecs.cell.time import IsoDate
from btmodel.errors import DeclarationError, ValueRefused, reason, shown
from btmodel.value import Value


def document_entries(annotation: Any) -> tuple[str, ...]:
    """The type itself, the fields of the classes inside, ``Line.n: int = 1``, and members, ``Side.BUY = 'B'``."""
    walk = _MetClasses()
    return (walk.spelt(annotation), *walk.entries)


class _MetClasses:
    """The classes that were met, each with a name of its own, and what is said of them."""

    def __init__(self) -> None:
        self.names: dict[type, str] = {}
        self.entries: list[str] = []

    def spelt(self, annotation: Any) -> str:
        """The annotation as text; what it says of classes becomes entries."""
        origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in (typing.Union, UnionType):
            return f"{self.spelt(inner[inner[0] is NoneType])} | None"
        if origin is not None:
            parts = ("..." if one is ... else self.spelt(one) for one in inner)
            return f"{origin.__name__}[{', '.join(parts)}]"
        if not isinstance(annotation, type) or not (issubclass(annotation, Enum) or is_record(annotation)):
            return "None" if annotation in (None, NoneType) else value_text(annotation)
        if annotation not in self.names:
            self.names[annotation] = self._name(annotation)
            if issubclass(annotation, Enum):
                self._enum(annotation)
            else:
                self._record(annotation)
        return self.names[annotation]

    def _name(self, cls: type) -> str:
        """Its own; of two classes of one name, the second has a number."""
        same = sum(name.__qualname__ == cls.__qualname__ for name in self.names)
        return f"{cls.__qualname__}#{same + 1}" if same else cls.__qualname__

    def _enum(self, cls: type[Enum]) -> None:
        self.entries += [f"{self.names[cls]}.{member.name} = {member.value!r}" for member in cls]

    def _record(self, cls: type) -> None:
        hints = typing.get_type_hints(cls)
        for member in record_fields(cls):
            default = "" if member.required else f" = {member.default_text}"
            self.entries.append(f"{self.names[cls]}.{member.name}: {self.spelt(hints[member.name])}{default}")


Convert = Callable[[Any], Any]


class Misfit(ValueError):
    """A part of a document that is not what its type wants; ``place`` is where, as ``.bids[3]``."""

    def __init__(self, wanted: str, got: object, place: str = "") -> None:
        super().__init__(wanted, got, place)
        self.wanted = wanted
        self.got = got
        self.place = place

    def __str__(self) -> str:
        return f"expected {self.wanted}{self.where}, got {shown(self.got)}"

    @property
    def where(self) -> str:
        """Where the part is, unless it is the whole document."""
        return f" at ${self.place}" if self.place else ""


@frozen(eq=False, repr=False)
class Form(Value):
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
        return nullable(_form(inner[inner[0] is NoneType], open_))
    if origin is list:
        return _sequence(list, _form(inner[0], open_))
    if origin is tuple and inner[1:] == (...,):
        return _sequence(tuple, _form(inner[0], open_))
    if origin is tuple:
        return of_items([_form(one, open_) for one in inner])
    if origin is dict:
        return _mapping(annotation, _form(inner[0], open_), _form(inner[1], open_))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _enum(annotation)
    if isinstance(annotation, type) and is_record(annotation):
        return open_[annotation] if annotation in open_ else _record(annotation, open_)
    raise DeclarationError(f"Json: {annotation!r} has no form in JSON: {_KNOWN}")


_KNOWN = (
    "expected None, bool, int, float, str, bytes, Decimal, datetime, date, UUID, an Enum, list[...], tuple[...], "
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
    try:
        time = time_of(text)
    except ValueRefused as error:
        raise Misfit(error.wanted, text) from None
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
    """Each part converted, ``write`` or ``read``; errors name the place."""
    for place, form, value in parts:
        try:
            yield getattr(form, convert)(value)
        except Misfit as misfit:
            raise Misfit(misfit.wanted, misfit.got, place + misfit.place) from None
        except (ValueError, OverflowError):
            raise Misfit(form.wanted, value, place) from None


def nullable(form: Form) -> Form:
    """The form of what may also be None, which is null."""

    def through(convert: Convert) -> Convert:
        return lambda value: None if value is None else convert(value)

    return Form(f"{form.wanted}, or null", through(form.write), through(form.read))


def of_list(item: Form) -> Form:
    """The form of lists."""
    return _sequence(list, item)


def _sequence(cls: type[list[Any]] | type[tuple[Any, ...]], item: Form) -> Form:
    def each(value: Any, kind: Any, convert: str) -> Iterator[Any]:
        if type(value) is not kind:
            raise Misfit(words.one(kind.__name__), value)
        return _placed(((f"[{at}]", item, one) for at, one in enumerate(value)), convert)

    return Form(
        words.one(cls.__name__),
        lambda value: list(each(value, cls, "write")),
        lambda value: cls(each(value, list, "read")),
    )


def of_items(forms: list[Form]) -> Form:
    """The form of tuples of one length, each item of which has its own."""
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
        raise DeclarationError(f"Json: {annotation!r}: the keys of JSON are text, expected dict[str, ...]")
    return of_dict(key, item)


def of_dict(key: Form, item: Form | Callable[[Any], Form]) -> Form:
    """The form of dicts, whose keys are written as text; ``item`` may be a function that gives the form of each key's value."""

    def convert(value: Any, way: str) -> dict[Any, Any]:
        if type(value) is not dict:
            raise Misfit("a dict", value)
        keys: Iterable[Any] = _placed(((f"[{one!r}]", key, one) for one in value), way)
        if isinstance(item, Form):
            items = _placed(((f"[{name!r}]", item, one) for name, one in value.items()), way)
        else:
            keys = list(keys)
            forms = map(item, value if way == "write" else keys)
            pairs = zip(value.items(), forms, strict=True)
            items = _placed(((f"[{name!r}]", form, one) for (name, one), form in pairs), way)
        made = dict(zip(keys, items, strict=True))
        if len(made) < len(value):
            raise Misfit("each key once", value)
        return made

    return Form("a dict", lambda value: convert(value, "write"), lambda value: convert(value, "read"))


_SHOWN = 12  # values of an enum that a message lists; of more, it names the enum


def _enum(cls: type[Enum]) -> Form:
    kinds = {type(member.value) for member in cls}
    if not kinds <= {str, int}:
        raise DeclarationError(f"Json: {cls.__name__}: expected members of text or whole numbers")
    members = {(type(member.value), member.value): member for member in cls}
    flags = issubclass(cls, Flag)
    wanted = f"a value of {cls.__name__}"
    if not flags and len(members) <= _SHOWN:
        # A file that names members, as Parquet does, is the likely mistake.
        wanted += f" ({', '.join(repr(value) for _, value in members)})"

    def write(value: Any) -> Any:
        if not isinstance(value, cls):
            raise Misfit(f"a member of {cls.__name__}", value)
        return value.value

    def read(value: Any) -> Enum:
        # A bool equals 0 or 1, and a list cannot be looked up.
        member = members.get((type(value), value)) if type(value) in kinds else None
        if member is None and flags and type(value) is int:
            member = _together(cls, value)
        if member is None:
            raise Misfit(wanted, value)
        return member

    return Form(wanted, write, read, text=kinds == {str})


def _together(cls: type[Enum], value: int) -> Enum | None:
    """The flags that ``value`` is the sum of; None where the enum reads other flags, or none, of it."""
    try:
        found = cls(value)
    except ValueError:
        return None
    return found if isinstance(found, cls) and found.value == value else None


@frozen(eq=False, repr=False)
class _ClassForm(Value):
    """A class with fields, as an object with their names; ``forms`` is filled once the class is known."""

    cls: type
    fields: tuple[RecordField, ...]
    forms: dict[str, Form] = field(factory=dict, eq=False)

    def write(self, value: Any) -> dict[str, Any]:
        """The object of a value."""
        if type(value) is not self.cls:
            raise Misfit(words.one(self.cls.__name__), value)
        parts = [(f".{name}", form, getattr(value, name)) for name, form in self.forms.items()]
        return dict(zip(self.forms, _placed(parts, "write"), strict=True))

    def read(self, value: Any) -> Any:
        """The value of an object; what is absent has the default of its field, and nothing is dropped."""
        if type(value) is not dict:
            raise Misfit(f"an object for {self.cls.__name__}", value)
        unknown = value.keys() - self.forms.keys()
        missing = [member.name for member in self.fields if member.required and member.name not in value]
        if unknown or missing:
            why = f"with {missing[0]!r}" if missing else f"without {min(unknown)!r}"
            raise Misfit(f"an object for {self.cls.__name__} {why}", value)
        given = [member for member in self.fields if member.name in value]
        parts = [(f".{member.name}", self.forms[member.name], value[member.name]) for member in given]
        arguments = dict(zip((member.argument for member in given), _placed(parts, "read"), strict=True))
        try:
            return self.cls(**arguments)
        except Exception as error:  # whatever a constructor raises that checks its fields
            raise Misfit(f"an object for {self.cls.__name__} ({reason(error)})", value) from error


def _record(cls: type, open_: dict[type, Form]) -> Form:
    record = _ClassForm(cls, record_fields(cls))
    form = Form(f"an object for {cls.__name__}", record.write, record.read)
    try:
        hints = typing.get_type_hints(cls)
    except Exception as error:
        raise DeclarationError(
            f"Json: {cls.__name__}: its annotations do not resolve: {reason(error)}"
        ) from None
    for member in record.fields:
        if member.name not in hints:
            raise DeclarationError(f"Json: {cls.__name__}.{member.name} has no annotation")
        record.forms[member.name] = _form(hints[member.name], {**open_, cls: form})
    return form


T = TypeVar("T")

_SPACE = many(one_of(b" \t\n\r"))


@frozen(eq=False, repr=False)
class Json(Value, CellCodec[T], typical_size=128):
    """A JSON document: UTF-8, without spaces, keys and fields in the order of the value.

    ``of`` is the type of the values: ``dict[str, X]``, ``list[X]``, ``tuple[X, ...]``, a class of attrs, a
    dataclass or a NamedTuple. Inside may also stand None, bool, int, finite floats, str, Enum (its value),
    Decimal, datetime (ISO, in UTC), date, UUID and bytes (base64), these as text, ``X | None``, and Any for
    whatever JSON itself has.

    Every part is held against its type, both on writing and on reading: ``1.5`` or ``True`` in a field of int is
    refused, not converted, and so is a key that the class lacks, since writing it back would lose it. A
    field that is absent has its default, so that a class may gain fields.
    """

    of: type[T]
    _form: Form = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_form", form_of(self.of))  # computed once; the class is frozen

    def __reduce__(self) -> tuple[Any, ...]:
        return Json, (self.of,)  # the form is functions, which a pickle does not hold

    @property
    def python_type(self) -> type:
        """The type, without what its values hold: ``dict`` of ``dict[str, int]``."""
        cls: type = getattr(self.of, "__origin__", self.of)
        return cls

    @property
    def annotation(self) -> Any:
        """The type in full."""
        return self.of

    @property
    def reads(self) -> ByteSet:
        """UTF-8 text, in braces or brackets where it is an object or a list, and what JSON allows around it."""
        cls = self.python_type
        if cls is dict or is_record(cls):
            return sequence(_SPACE, literal(b"{"), UTF8, literal(b"}"), _SPACE)
        if cls in (list, tuple):
            return sequence(_SPACE, literal(b"["), UTF8, literal(b"]"), _SPACE)
        return UTF8

    @property
    def stated(self) -> tuple[str, ...]:
        """The type in full, with the fields of its classes and the members of its enums."""
        return document_entries(self.of)

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        of = self.of.__name__ if self.of is self.python_type else str(self.of).replace("typing.", "")
        return f"JSON of {of}"

    def encode(self, value: T) -> bytes:
        """The document."""
        try:
            tree = self._form.write(value)
            return json.dumps(tree, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        except Misfit as misfit:
            got = f" (not {shown(misfit.got)})" if misfit.place else ""
            raise ValueRefused(f"{misfit.wanted}{misfit.where}{got}", value) from None
        except RecursionError:
            raise ValueRefused("a document that is nested less deeply", value) from None

    def decode(self, raw: bytes) -> T:
        """The value. The error names the place in the document that does not fit."""
        try:
            tree = json.loads(raw.decode(), parse_constant=_no_number, object_pairs_hook=unique_keys)
            value: T = self._form.read(tree)
        except RecursionError:
            raise ValueError("expected a document that is nested less deeply") from None
        return value


def _no_number(name: str) -> Any:
    raise ValueError(f"expected JSON, which has no {name}")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that comes twice, one value would be lost."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError(f"expected each key once, got {shown([name for name, _ in pairs])}")
    return made
