"""Values and codecs as Python that makes them again, as formatters leave it."""

from datetime import date, timedelta
from typing import Any, get_args, get_origin

import attrs

from btmodel.codecs.cell import Either
from btmodel.codecs.key.calendar import CalendarFormat
from btmodel.words import duration_text

_THOUSANDS = 10_000


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


def codec_code(codec: Any) -> str:
    """The expression that makes ``codec`` again, with the names of btmodel behind ``bt.``."""
    if isinstance(codec, Either):
        return f"bt.Either({', '.join(map(codec_code, (codec.new, *codec.old)))})"
    arguments: list[str] = []
    positional = True
    for field in attrs.fields(type(codec)):
        if not field.init:
            continue
        value = getattr(codec, field.name)
        if value == field.default:
            positional = False
            continue
        positional = positional and not field.kw_only
        arguments.append(_value(value) if positional else f"{field.alias}={_value(value)}")
    return f"bt.{type(codec).__name__}({', '.join(arguments)})"


def _value(value: Any) -> str:
    match value:
        case bool():
            return repr(value)
        case int():
            return number(value)
        case str():
            return literal(value)
        case bytes():
            return literal(value)
        case tuple():
            return f"({', '.join(map(_value, value))}{',' * (len(value) == 1)})"
        case CalendarFormat(text):
            return literal(text)
        case date():
            return f"date({value.year}, {value.month}, {value.day})"
        case timedelta():
            return length_code(value)
        case _ if get_origin(value) or isinstance(value, type):
            return type_text(value)
        case _:
            return codec_code(value)


def length_code(length: timedelta) -> str:
    """The expression that makes a length of time: ``timedelta(days=28)``."""
    count, unit = duration_text(length).split()
    return f"timedelta({unit.removesuffix('s')}s={number(int(count.replace(',', '')))})"


def type_text(type_: Any) -> str:
    """How a module that imports what it needs spells a type."""
    if type_ is Ellipsis:
        return "..."
    name: str = getattr(get_origin(type_) or type_, "__name__", str(type_))
    parts = [type_text(part) for part in get_args(type_)]
    return f"{name}[{', '.join(parts)}]" if parts else name
