"""Python source text for a GC rule, a rate and a declared query."""

import re
from datetime import date, timedelta
from types import GenericAlias
from typing import Any

import attrs

from btmodel.codecs.cell import CellCodec, default_codec
from btmodel.codecs.key import KeyCodec
from btmodel.schema import Column, Query, Shape
from btmodel.schema.gc import GcRule, GivenAge, Intersection, KeepAll, MaxAge, MaxVersions, Union
from btmodel.schema.rate import every_text

_MILLI = timedelta(milliseconds=1)
# From coarse to fine: the arguments of ``max_age``.
_UNITS = {
    "days": timedelta(days=1),
    "hours": timedelta(hours=1),
    "minutes": timedelta(minutes=1),
    "seconds": timedelta(seconds=1),
    "milliseconds": _MILLI,
}


def gc_code(rule: GcRule) -> str:
    """The expression of ``rule``, with the names of this package behind ``bt.``; its meaning is the same."""
    match rule:
        case KeepAll():
            return "bt.keep_all()"
        case MaxVersions(versions):
            return f"bt.max_versions({versions:_})"
        case GivenAge():
            return f"bt.max_age({_text(rule.text)})"
        case MaxAge(age):
            return f"bt.max_age({_age(age)})"
        case Union(rules):
            return " | ".join(map(gc_code, rules))
        case Intersection((only,)):
            return gc_code(only)
        case Intersection(rules):
            return " & ".join(map(_part, rules))
        case _:
            raise TypeError(f"a GC rule that cannot be declared: {rule!r}")


def gc_lines(rule: GcRule) -> str:
    """The same expression with a line for each part of the rule, as formatters break one that is too long."""
    match _flat(rule):
        case Union(rules):
            return "\n| ".join(map(gc_code, rules))
        case Intersection(rules):
            return "\n& ".join(map(_part, rules))
        case other:
            return gc_code(other)


def _flat(rule: GcRule) -> GcRule:
    """The same rule without one of its own kind in it, and without one of a single part."""
    if not isinstance(rule, Union | Intersection):
        return rule
    parts: list[GcRule] = []
    for part in map(_flat, rule.rules):
        parts += part.rules if isinstance(part, Union | Intersection) and type(part) is type(rule) else [part]
    return parts[0] if len(parts) == 1 else type(rule)(tuple(parts))


def _part(rule: GcRule) -> str:
    """A part of an intersection: ``&`` binds closer than ``|``."""
    text = gc_code(rule)
    return f"({text})" if " | " in text else text


def _age(age: timedelta) -> str:
    """The arguments of an age: its largest whole unit, or days and what is left of them."""
    for name, unit in _UNITS.items():
        if not age % unit:
            return f"{name}={age // unit:_}"
    rest = f"milliseconds={(age - timedelta(days=age.days)) / _MILLI}"
    return f"days={age.days:_}, {rest}" if age.days else rest


def written(codec: KeyCodec[Any] | CellCodec[Any]) -> str:
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
    name = "mapped" if kind.__name__ == "MappedKey" and package else kind.__name__
    return f"{package}{name}({', '.join(arguments)})"


def _text(value: object) -> str:
    if isinstance(value, KeyCodec | CellCodec):
        return written(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))}{',' if len(value) == 1 else ''})"
    from btmodel.codecs.key.calendar import (
        CalendarFormat,  # here: every model loads this module, and few write a codec
    )

    if isinstance(value, CalendarFormat):
        return _text(value.text)
    if isinstance(value, str):
        return f'"{value}"' if '"' not in value and value.isprintable() and "\\" not in value else repr(value)
    if isinstance(value, date):
        return f"date({value.year}, {value.month}, {value.day})"
    if isinstance(value, timedelta):
        return f"timedelta({_age(value)})"
    return repr(value) if isinstance(value, GenericAlias) else getattr(value, "__qualname__", repr(value))


def asked(query: Query) -> tuple[object, ...]:
    """The code of a query, without its name."""
    return frozenset(query.equal), query.between, query.starting


def names_of(query: Query) -> tuple[str, ...]:
    """The attributes that a query gives or bounds."""
    return (*query.equal, *(name for name in (query.between, query.starting) if name is not None))


def declaration(query: Query, *more: str) -> str:
    """The declaration of what ``query`` asks, with the fields ``more`` given, too."""
    arguments = [f'"{name}"' for name in (*query.equal, *more)]
    arguments += [f'between="{query.between}"'] if query.between else []
    arguments += [f'starting="{query.starting}"'] if query.starting else []
    arguments += ["newest=True"] if query.newest else []
    arguments += [f'span="{every_text(query.span)}"'] if query.span is not None and query.between else []
    return f"bt.query({', '.join(arguments)})"


def family_name(id: str) -> str:
    """The name in Python that stands for the family with an id: a schema does not know what it is called there."""
    return re.sub("[^0-9a-z]+", "_", id.lower())


def column_declaration(name: str, column: Column, family: str) -> str:
    """The declaration of a column called ``name`` that is like ``column``, in the family with the id ``family``."""
    type_name = column.codec.python_type.__name__
    optional = " | None" if not column.required else ""
    default = ", default=None" if not column.required else ""
    codec = _codec(column.codec)
    called = family_name(family)
    if column.shape is Shape.HISTORY:
        return f'{name}: bt.History[{type_name}] = bt.history("{name}", {called}{codec})'
    return f'{name}: {type_name}{optional} = bt.column("{name}", {called}{codec}{default})'


def _codec(codec: CellCodec[object]) -> str:
    """The argument that names a codec, where the annotation does not; of one with arguments of its own, a gap."""
    if codec == default_codec(codec.python_type):
        return ""
    text = repr(codec)
    return f", codec=bt.{text}" if text.endswith("()") else ", codec=..."
