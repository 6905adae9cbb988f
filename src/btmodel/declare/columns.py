"""Families and columns, from their declarations."""

import typing
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from btmodel.codecs.cell import default_codec
from btmodel.declare.annotations import refuse_other_type, without_none
from btmodel.declare.body import Attribute
from btmodel.declare.fields import ColumnDeclaration, as_bytes
from btmodel.errors import DeclarationError
from btmodel.rows.history import History
from btmodel.schema import Column, Family


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


def columns(where: str, declared: Mapping[str, Attribute], known: set[str]) -> Iterator[Callable[[], Column]]:
    """A maker of each column; ``known`` are the ids of the model's families."""
    for name, attribute in declared.items():
        if isinstance(attribute.declaration, ColumnDeclaration):
            yield partial(_column, where, name, attribute.declaration, attribute.annotation, known)


def _column(
    where: str, name: str, declaration: ColumnDeclaration, annotation: Any, known: set[str]
) -> Column:
    place = f"{declaration.location}: {where}.{name}"
    if declaration.family.id not in known:
        raise DeclarationError(
            f"{place}: family {declaration.family.id!r} is not of this model: "
            "assign it to an attribute, as in md = bt.family(...)"
        )
    inner, optional = _column_type(place, declaration, annotation)
    codec = declaration.codec or default_codec(inner)
    if codec is None:
        raise DeclarationError(f"{place}: no default codec for {inner!r}: give codec=, for one bt.Utf8()")
    refuse_other_type(place, inner, codec)
    return Column(
        name=name,
        family=declaration.family.id,
        qualifier=as_bytes(declaration.qualifier) or b"",
        codec=codec,
        required=not optional and not declaration.history,
        history=declaration.history,
        location=declaration.location,
    )


def _column_type(place: str, declaration: ColumnDeclaration, annotation: Any) -> tuple[Any, bool]:
    """The type of a column's values, and whether they may be None."""
    inner, optional = without_none(annotation)
    if declaration.history:
        values = typing.get_args(inner)
        if typing.get_origin(inner) is not History or len(values) != 1 or optional:
            raise DeclarationError(f"{place}: wanted the annotation History[...], got {annotation!r}")
        return values[0], False
    if declaration.default is None and not optional:
        shown = getattr(annotation, "__name__", annotation)
        raise DeclarationError(
            f"{place}: with default=None wanted the annotation {shown} | None, got {shown}"
        )
    return inner, optional
