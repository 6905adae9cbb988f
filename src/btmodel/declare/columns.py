"""Families and columns, from their declarations."""

import typing
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from btmodel.codecs.cell import CellCodec, Present, default_codec
from btmodel.declare.annotations import refuse_other_type, value_of
from btmodel.declare.body import Attribute
from btmodel.declare.declared import ColumnDeclaration
from btmodel.declare.figures import expected
from btmodel.errors import DeclarationError
from btmodel.rows.history import History
from btmodel.rows.slots import Slots
from btmodel.schema import Bucket, Column, Family, Shape
from btmodel.schema.every import parse_every
from btmodel.schema.slot import SlotFormat


def families(where: str, declared: Mapping[str, Attribute]) -> Iterator[Callable[[], Family]]:
    """A maker of each family, which refuses one that is declared twice."""
    seen: set[str] = set()

    def once(family: Family) -> Family:
        if family.id in seen:
            raise DeclarationError(f"{family.location}: {where} declares family {family.id!r} twice")
        seen.add(family.id)
        return family

    for attribute in declared.values():
        if isinstance(attribute.declaration, Family):
            yield partial(once, attribute.declaration)


def columns(
    where: str, declared: Mapping[str, Attribute], known: set[str], bucket: Bucket | None
) -> Iterator[Callable[[], Column]]:
    """A maker of each column; ``known`` are the ids of the model's families."""
    for name, attribute in declared.items():
        if isinstance(attribute.declaration, ColumnDeclaration):
            yield partial(_column, where, name, attribute.declaration, attribute.annotation, known, bucket)


def _column(
    where: str,
    name: str,
    declaration: ColumnDeclaration,
    annotation: Any,
    known: set[str],
    bucket: Bucket | None,
) -> Column:
    place = f"{declaration.location}: {where}.{name}"
    shape, family = declaration.shape, declaration.family
    if family.id not in known:
        raise DeclarationError(
            f"{place}: family {family.id!r} is not of this model: "
            "assign it to an attribute, as in md = bt.family(...)"
        )
    inner, optional = _value_type(place, declaration, annotation)
    return Column(
        name=name,
        family=family.id,
        qualifier=declaration.qualifier,
        codec=_codec(place, declaration, inner),
        required=shape is Shape.VALUE and not optional,
        shape=shape,
        names=declaration.names,
        slots=_slots(place, declaration, bucket) if shape is Shape.SLOTS else None,
        expected=expected(shape, declaration.figures, place),
        location=declaration.location,
    )


def _codec(place: str, declaration: ColumnDeclaration, inner: Any) -> CellCodec[Any]:
    if declaration.shape in (Shape.MARKS, Shape.MEMBERS):
        return Present()
    try:
        codec: CellCodec[Any] | None = declaration.codec or default_codec(inner)
    except DeclarationError as error:
        raise DeclarationError(f"{place}: {error}") from None
    if codec is None:
        raise DeclarationError(f"{place}: no default codec for {inner!r}: give codec=, for one bt.Utf8()")
    refuse_other_type(place, inner, codec)
    return codec


def _slots(place: str, declaration: ColumnDeclaration, bucket: Bucket | None) -> SlotFormat:
    if bucket is None:
        raise DeclarationError(f"{place}: slots are those of a time bucket: give the model one, bucket='day'")
    try:
        return SlotFormat(declaration.slot_names, parse_every(declaration.every), bucket)  # type: ignore[arg-type]
    except DeclarationError as error:
        raise DeclarationError(f"{place}: {error}") from None


# What an attribute of each shape is annotated with, and how many types it takes.
_ANNOTATIONS: dict[Shape, tuple[type, int, str]] = {
    Shape.HISTORY: (History, 1, "History[...]"),
    Shape.MARKS: (History, 1, "History[...]"),
    Shape.SLOTS: (Slots, 1, "Slots[...]"),
    Shape.MAPPING: (dict, 2, "dict[..., ...]"),
    Shape.MEMBERS: (set, 1, "set[...]"),
}


def _value_type(place: str, declaration: ColumnDeclaration, annotation: Any) -> tuple[Any, bool]:
    """The type of one value of a column, and whether it may be None."""
    inner, optional = value_of(annotation, declaration.default)
    if declaration.shape in _ANNOTATIONS:
        kind, count, shown = _ANNOTATIONS[declaration.shape]
        types = typing.get_args(inner)
        if typing.get_origin(inner) is not kind or len(types) != count or optional:
            raise DeclarationError(f"{place}: wanted the annotation {shown}, got {annotation!r}")
        if declaration.names is not None:
            refuse_other_type(f"{place}: qualifiers", types[0], declaration.names)
        return types[-1], False
    if declaration.default is None and not optional:
        shown = getattr(annotation, "__name__", annotation)
        why = "for a counter" if declaration.shape is Shape.COUNTER else "with default=None"
        raise DeclarationError(f"{place}: {why} wanted the annotation {shown} | None, got {shown}")
    return inner, optional
