"""Values and codecs as Python that makes them again, as formatters leave it."""

import inspect
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import attrs

from btmodel.codecs.cell import CellCodec, Either, MappedCell, PerEntry
from btmodel.codecs.key import KeyCodec, MappedKey
from btmodel.codecs.key.calendar import CalendarFormat
from btmodel.codecs.key.combined import mapped
from btmodel.errors import DeclarationError, GenerationError
from btmodel.schema.layout import built_in
from btmodel.words import duration_text

_THOUSANDS = 10_000

# How a module calls a class or a function that it has to import.
Spell = Callable[[Any], str]


def own_name(named: Any) -> str:
    """How a module that imports a class or a function under its own name calls it: ``Side``, ``Money.parse``."""
    of = getattr(named, "__self__", None)
    if isinstance(of, type):  # a class method, which may be one of a base
        return f"{of.__qualname__}.{named.__name__}"
    return str(getattr(named, "__qualname__", named))


def literal(value: str | bytes) -> str:
    """Text or bytes as a literal of ASCII alone: nothing in it can end it, or look like something else."""
    text = value if isinstance(value, str) else value.decode("latin-1")
    # The sign that needs fewer escapes, as formatters choose it.
    quote = "'" if text.count('"') > text.count("'") else '"'
    body = "".join(_escaped(character, quote) for character in text)
    return f"{'b' * isinstance(value, bytes)}{quote}{body}{quote}"


def _escaped(character: str, quote: str) -> str:
    if character in (quote, "\\"):
        return f"\\{character}"
    if " " <= character <= "~":
        return character
    return character.encode("unicode_escape").decode("ascii")


def name_literal(raw: bytes) -> str:
    """Bytes that name something, where text can be given for bytes: text, wherever they are UTF-8."""
    try:
        return literal(raw.decode())
    except UnicodeDecodeError:
        return literal(raw)


def number(value: int) -> str:
    """A whole number, with underscores where it is long."""
    return f"{value:_}" if abs(value) >= _THOUSANDS else str(value)


def codec_code(codec: Any, spell: Spell = own_name) -> str:
    """The expression that makes ``codec`` again, with the names of btmodel behind ``bt.``.

    Classes and functions of others are called as ``spell`` says; :func:`names_in` are those that a module needs for it. Raises
    :class:`GenerationError` for a codec of a class whose arguments cannot be told from its attributes.
    """
    if isinstance(codec, Either):
        return f"bt.Either({', '.join(codec_code(one, spell) for one in (codec.new, *codec.old))})"
    if isinstance(codec, PerEntry):
        pairs = ", ".join(f"{_value(key, spell)}: {codec_code(of, spell)}" for key, of in codec.codecs)
        otherwise = "" if codec.otherwise is None else f", otherwise={codec_code(codec.otherwise, spell)}"
        return f"bt.PerEntry({{{pairs}}}{otherwise})"
    if isinstance(codec, MappedKey | MappedCell):
        return _mapped_code(codec, spell)
    arguments: list[str] = []
    positional = True
    for name, value, default, by_name in _arguments(codec):
        if _is_same(value, default):
            positional = False
            continue
        positional = positional and not by_name
        text = _value(value, spell)
        arguments.append(text if positional else f"{name}={text}")
    class_ = type(codec)
    called = f"bt.{class_.__name__}" if is_built_in(class_) else spell(class_)
    return f"{called}({', '.join(arguments)})"


def is_built_in(class_: type) -> bool:
    """Whether a class of codecs is btmodel's own."""
    return built_in().get(class_.__name__) is class_


def _mapped_code(codec: Any, spell: Spell) -> str:
    arguments = [codec_code(codec.codec, spell), f"to={spell(codec.to)}", f"from_={spell(codec.from_)}"]
    try:
        follows = mapped(codec.codec, to=codec.to, from_=codec.from_).type == codec.type
    except DeclarationError:  # the function does not say it
        follows = False
    arguments += [] if follows else [f"type={type_text(codec.type, spell)}"]
    arguments += ["ordered=True"] * codec.keeps_order
    return f"bt.mapped({', '.join(arguments)})"


def _arguments(codec: Any) -> Iterator[tuple[str, Any, Any, bool]]:
    """What a codec was made with: the name of each argument, its value, its default, and whether it has to be named."""
    if attrs.has(type(codec)):
        for field in attrs.fields(type(codec)):
            if field.init:
                yield field.alias or field.name, getattr(codec, field.name), field.default, field.kw_only
        return
    for name, parameter in inspect.signature(type(codec)).parameters.items():
        value = getattr(codec, name, inspect.Parameter.empty)
        if value is inspect.Parameter.empty or parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            raise GenerationError(
                f"{type(codec).__name__}: its argument {name} cannot be told from its attributes, so it cannot be written as code: keep it as the attribute {name}, "
                "or declare the class with attrs or as a dataclass"
            )
        yield name, value, parameter.default, parameter.kind is inspect.Parameter.KEYWORD_ONLY


def _is_same(value: Any, default: Any) -> bool:
    # NumPy may take None for a dtype.
    return value is default or (value is not None and default is not None and bool(value == default))


def value_code(value: Any) -> str:
    """The expression that makes a value: ``"sold"``, ``2_000``, ``(1, None)``."""
    return _value(value, own_name)


def _value(value: Any, spell: Spell) -> str:
    match value:
        case None:
            return "None"
        case Enum():
            return f"{spell(type(value))}.{value.name}"
        case bool() | float():
            return repr(value)
        case int():
            return number(value)
        case str() | bytes():
            return literal(value)
        case tuple():
            items = [_value(one, spell) for one in value]
            return f"({', '.join(items)}{',' * (len(items) == 1)})"
        case list():
            return f"[{', '.join(_value(one, spell) for one in value)}]"
        case CalendarFormat(text):
            return literal(text)
        case datetime():
            return spell(datetime) + repr(value).removeprefix("datetime.datetime").replace("datetime.", "")
        case date():
            return f"{spell(date)}({value.year}, {value.month}, {value.day})"
        case timedelta():
            return length_code(value, spell)
        case _ if _is_dtype(value):
            return literal(value.str) if value.names is None else _value(value.descr, spell)
        case _ if get_origin(value) or isinstance(value, type):
            return type_text(value, spell)
        case _ if isinstance(value, KeyCodec | CellCodec):
            return codec_code(value, spell)
        case _ if callable(value) and hasattr(value, "__qualname__"):
            return spell(value)
        case _:
            return codec_code(value, spell)


def _is_dtype(value: Any) -> bool:
    """Whether a value is a dtype of numpy, which is not loaded to find that out."""
    return any((one.__module__, one.__name__) == ("numpy", "dtype") for one in type(value).__mro__)


def names_in(codec: Any) -> Iterator[Any]:
    """The types and functions that stand in the expression of a codec; a type may be a generic one."""
    spelt: list[Any] = []

    def spell(named: Any) -> str:
        spelt.append(named)
        return own_name(named)

    codec_code(codec, spell)
    yield from spelt


def length_code(length: timedelta, spell: Spell = own_name) -> str:
    """The expression that makes a length of time: ``timedelta(days=28)``."""
    count, unit = duration_text(length).split()
    return f"{spell(timedelta)}({unit.removesuffix('s')}s={number(int(count.replace(',', '')))})"


def type_text(type_: Any, spell: Spell = own_name) -> str:
    """How a module spells a type, which may be a generic one: ``dict[str, tuple[int, ...]]``, ``int | None``."""
    if type_ in (None, NoneType):
        return "None"
    if type_ is Ellipsis:
        return "..."
    origin = get_origin(type_)
    parts = [type_text(part, spell) for part in get_args(type_)]
    if origin in (UnionType, Union):
        return " | ".join(parts)
    name = spell(origin or type_)
    return f"{name}[{', '.join(parts)}]" if parts else name
