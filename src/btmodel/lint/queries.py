"""Queries and columns as rules write them out: as they would be declared."""

import re

from btmodel.codecs.cell import CellCodec, default_codec
from btmodel.schema import Column, Query, Shape


def asked(query: Query) -> tuple[object, ...]:
    """What a query asks for, whatever it is called."""
    return frozenset(query.equal), query.between, query.starting


def names_of(query: Query) -> tuple[str, ...]:
    """The attributes that a query gives or bounds."""
    return (*query.equal, *(name for name in (query.between, query.starting) if name is not None))


def declaration(query: Query, *more: str) -> str:
    """The declaration of what ``query`` asks, with the fields ``more`` given, too."""
    arguments = [f'"{name}"' for name in (*query.equal, *more)]
    arguments += [f'between="{query.between}"'] if query.between else []
    arguments += [f'starting="{query.starting}"'] if query.starting else []
    return f"bt.query({', '.join(arguments)})"


def column_declaration(name: str, column: Column, family: str) -> str:
    """The declaration of a column called ``name`` that is like ``column``, in the family with the id ``family``.

    A schema does not know what the family is called in Python: the id stands for it.
    """
    type_name = column.codec.python_type.__name__
    optional = " | None" if not column.required else ""
    default = ", default=None" if not column.required else ""
    codec = _codec(column.codec)
    called = re.sub("[^0-9a-z]+", "_", family.lower())
    if column.shape is Shape.HISTORY:
        return f'{name}: bt.History[{type_name}] = bt.history("{name}", {called}{codec})'
    return f'{name}: {type_name}{optional} = bt.column("{name}", {called}{codec}{default})'


def _codec(codec: CellCodec[object]) -> str:
    """The argument that names a codec, where the annotation does not; of one with arguments of its own, a gap."""
    if codec == default_codec(codec.python_type):
        return ""
    text = repr(codec)
    return f", codec=bt.{text}" if text.endswith("()") else ", codec=..."
