"""The attributes of a model as a person declares them: key fields, families and columns."""

from collections.abc import Iterator, Sequence
from typing import Any

from btmodel.codecs.cell import Compressed, Either, Json, Present, default_codec
from btmodel.schema import Column, Family, KeyField, Shape
from btmodel.schema.rate import every_text
from btmodel.source_text import gc_code, gc_lines
from btmodel_codegen.literals import (
    Spell,
    codec_code,
    literal,
    name_literal,
    names_in,
    number,
    own_name,
    type_text,
)
from btmodel_codegen.python_text import NARROW, fitted, width

_INDENT = 4


def key_code(field: KeyField, of: str | None = None, spell: Spell = own_name) -> str:
    """The line that declares a field of a row key; in a view, made ``of`` this attribute. Classes are called as ``spell`` says."""
    ends = [] if field.ends is None else [f"ends={name_literal(field.ends)}"]
    if field.constant is not None:
        return _call(f"{field.name} = bt.constant", [name_literal(field.literal), *ends])
    arguments = [codec_code(field.codec, spell)]
    if field.mirror:
        mirror = field.mirror
        place = name_literal(f"{mirror.family}:".encode() + mirror.qualifier)
        same = mirror.codec == field.codec.mirror()
        arguments.append(
            f"mirror={place}" if same else f"mirror=({place}, {codec_code(mirror.codec, spell)})"
        )
    if field.optional:
        arguments.append("default=None")
    if field.cardinality is not None:
        arguments.append(f"cardinality={number(field.cardinality)}")
    if of not in (None, field.name):
        arguments.append(f"of={literal(of)}")
    type_ = type_text(field.codec.python_type, spell)
    return _call(f"{field.name}: {type_}{' | None' * field.optional} = bt.key", [*arguments, *ends])


def family_code(name: str, family: Family) -> str:
    """The line that declares a family, as the attribute ``name``."""
    arguments = [literal(family.id), f"gc={gc_code(family.gc)}"] if family.gc else [literal(family.id)]
    if family.aggregate is not None:
        arguments.append(f"aggregate={literal(family.aggregate.value)}")
    code = _call(f"{name} = bt.family", arguments)
    if family.gc is None or all(_INDENT + width(line) <= NARROW for line in code.split("\n")):
        return code
    # Formatters break what is too long for a line at its operators, and a long line without such a place is unreadable.
    arguments[1] = f"gc={gc_lines(family.gc)}"
    code = _call(f"{name} = bt.family", arguments)
    fits = all(_INDENT + width(line) <= NARROW for line in code.split("\n"))
    return code if fits else f"{code}  # fmt: skip"


# The annotation of each shape.
CODE: dict[Shape, str] = {
    Shape.VALUE: "{value}{optional}",
    Shape.HISTORY: "bt.History[{value}]",
    Shape.SLOTS: "bt.Slots[{value}]",
    Shape.MARKS: "bt.History[{names}]",
    Shape.MAPPING: "dict[{names}, {value}]",
    Shape.HISTORIES: "dict[{names}, bt.History[{value}]]",
    Shape.TIMED: "dict[{names}, bt.Timed[{value}]]",
    Shape.MEMBERS: "set[{names}]",
    Shape.COUNTER: "int | None",
    Shape.COUNTERS: "dict[{names}, int]",
    Shape.COUNTS: "bt.History[int]",
}


def column_code(column: Column, family: str, spell: Spell = own_name) -> str:
    """The line that declares a column, of the family that is the attribute ``family``. Classes are called as ``spell`` says."""
    value = type_text(_of(column.codec), spell)
    names = type_text(column.names.python_type, spell) if column.names else ""
    annotation = CODE[column.shape].format(
        value=value, names=names, optional=" | None" * (not column.required)
    )
    return _call(
        f"{column.name}: {annotation} = bt.{column.shape.function}", list(_arguments(column, family, spell))
    )


def taken_code(column: Column, of: str | None, function: str | None) -> str:
    """The line that declares a column of a view: a copy of the attribute ``of``, or what a ``function`` makes of it."""
    called = {None: "covered", "count": "count"}.get(function, f"{function}_of")
    arguments = [] if of is None or (function is None and of == column.name) else [literal(of)]
    optional = " | None" * (not column.required)
    return _call(f"{column.name}: {type_text(_of(column.codec))}{optional} = bt.{called}", arguments)


def where_code(values: Sequence[tuple[str, Any]]) -> str:
    """The condition of a view, and the rows of an authorized one; of an attribute that has to be there, the value is None."""
    pairs = [f"{literal(name)}: {_value_code(value)}" for name, value in values]
    return fitted("{", pairs, "}", within=_INDENT)


def _value_code(value: object) -> str:
    if value is None:
        return "bt.present()"
    if isinstance(value, list):
        return f"[{', '.join(map(_value_code, value))}]"
    return literal(value) if isinstance(value, str | bytes) else repr(value)


def _arguments(column: Column, family: str, spell: Spell) -> Iterator[str]:
    if not column.open:
        yield name_literal(column.qualifier)
    yield family
    regular = column.slots or column.spans
    if regular:
        yield f'every="{every_text(regular.every)}"'
    if column.slots:
        yield f"qualifier={literal(column.slots.text)}"
    if column.names:
        yield codec_code(column.names, spell)
    empty = isinstance(column.codec, Present) and column.shape.empty
    if not empty and not column.shape.summed and default_codec(_of(column.codec)) != column.codec:
        yield f"codec={codec_code(column.codec, spell)}"
    if column.open and column.qualifier:
        yield f"prefix={name_literal(column.qualifier)}"
    if column.shape.plain and not column.required:
        yield "default=None"
    if column.also:
        yield f"also=({', '.join(map(name_literal, column.also))},)"


def _of(codec: Any) -> Any:
    """The type of a codec's values, with what the parts of documents are."""
    match codec:
        case Json(of=of):
            return of
        case Compressed(codec=inner) | Either(new=inner):
            return _of(inner)
        case _:
            return codec.python_type


def types_of(field: KeyField | Column) -> Iterator[Any]:
    """The types and functions that the declaration of an attribute spells."""
    if isinstance(field, KeyField) and field.constant is not None:
        return
    yield from names_in(field.codec)
    if isinstance(field, Column):
        yield from () if field.names is None else names_in(field.names)
        yield _of(field.codec)
        yield field.names.python_type if field.names else None
    else:
        yield from () if field.mirror is None else names_in(field.mirror.codec)
        yield field.codec.python_type


def _call(opening: str, arguments: list[str]) -> str:
    return fitted(f"{opening}(", arguments, ")", within=_INDENT)
