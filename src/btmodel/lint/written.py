"""Codecs as a user writes them in a declaration."""

from datetime import date
from typing import Any

import attrs

from btmodel.codecs.key import KeyCodec
from btmodel.codecs.key.calendar import CalendarFormat


def written(codec: KeyCodec[Any]) -> str:
    """The declaration of ``codec``, without what is given by default: ``bt.Text(max_length=20)``."""
    kind = type(codec)
    arguments: list[str] = []
    skipped = False
    for each in attrs.fields(kind) if attrs.has(kind) else ():
        value = getattr(codec, each.name)
        if not each.init or value == each.default:
            skipped = True
            continue
        named = each.kw_only or skipped or isinstance(value, bool)
        arguments.append(f"{each.alias}={_text(value)}" if named else _text(value))
    package = "bt." if kind.__module__.startswith("btmodel.") else ""
    return f"{package}{kind.__name__}({', '.join(arguments)})"


def _text(value: object) -> str:
    if isinstance(value, KeyCodec):
        return written(value)
    if isinstance(value, CalendarFormat):
        return _text(value.text)
    if isinstance(value, str):
        return f'"{value}"' if '"' not in value and value.isprintable() and "\\" not in value else repr(value)
    if isinstance(value, date):
        return f"date({value.year}, {value.month}, {value.day})"
    return value.__name__ if isinstance(value, type) else repr(value)
