"""Key fields and their mirrors, from their declarations."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from btmodel.codecs.cell import CellCodec
from btmodel.declare.annotations import held_type, refuse_other_type, value_of
from btmodel.declare.body import Attribute
from btmodel.declare.declared import ConstantDeclaration, DerivedDeclaration, KeyDeclaration, as_bytes
from btmodel.declare.figures import key_figures
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.schema import KeyField, Mirror
from btmodel.schema.density import members


def key_fields(
    where: str, declared: Mapping[str, Attribute], families: set[str]
) -> Iterator[Callable[[], KeyField]]:
    """A maker of each key field, in order; ``families`` are the ids of the model's families."""
    for name, attribute in declared.items():
        declaration = attribute.declaration
        if isinstance(declaration, ConstantDeclaration):
            yield partial(
                KeyField, name, declaration.codec, 1, ends=declaration.ends, location=declaration.location
            )
        elif isinstance(declaration, DerivedDeclaration):
            yield partial(_derived_field, where, name, declaration)
        elif isinstance(declaration, KeyDeclaration):
            yield partial(_key_field, where, name, declaration, attribute.annotation, families)


def _key_field(
    where: str, name: str, declaration: KeyDeclaration, annotation: Any, families: set[str]
) -> KeyField:
    place = f"{declaration.location}: {where}.{name}"
    inner, maybe_none = value_of(annotation, declaration.default)
    optional = declaration.default is None
    if maybe_none and not optional:
        raise DeclarationError(
            f"{place}: a key field is never None: annotate it without | None "
            "(or give default=None, if it is the last one, and keys may end before it)"
        )
    if optional and not maybe_none:
        shown = getattr(annotation, "__name__", annotation)
        raise DeclarationError(
            f"{place}: with default=None wanted the annotation {shown} | None, got {shown}"
        )
    refuse_other_type(place, inner, declaration.codec)
    return KeyField(
        name,
        declaration.codec,
        mirror=_mirror(place, declaration, families),
        optional=optional,
        ends=declaration.ends,
        location=declaration.location,
        **_counted(place, declaration),
    )


def _counted(place: str, declaration: KeyDeclaration) -> dict[str, Any]:
    """The figures of a field; values that can be counted need no declared cardinality."""
    found = key_figures(declaration.figures, place)
    if found["cardinality"] is None:
        found["cardinality"] = members(declaration.codec.python_type)
    return found


def _derived_field(where: str, name: str, declaration: DerivedDeclaration) -> KeyField:
    held_type(f"{declaration.location}: {where}.{name}", declaration.codec)
    values = declaration.derived.values
    for value in values or ():
        try:
            declaration.codec.encode(value)
        except ValueRefused as error:
            raise DeclarationError(f"{declaration.location}: {where}.{name}: values: {error}") from None
    cardinality = len(values) if values else None
    return KeyField(
        name,
        declaration.codec,
        cardinality,
        derived=declaration.derived,
        ends=declaration.ends,
        location=declaration.location,
    )


def _mirror(place: str, declaration: KeyDeclaration, families: set[str]) -> Mirror | None:
    if declaration.mirror is None:
        return None
    match declaration.mirror:
        case (str(cell), CellCodec() as codec):
            refuse_other_type(f"{place}: mirror", declaration.codec.python_type, codec)
        case str(cell):
            codec = declaration.codec.mirror()
            held_type(f"{place}: mirror", codec)
        case other:
            raise DeclarationError(f"{place}: mirror: wanted 'FAMILY:QUALIFIER', got {other!r}")
    family, _, name = cell.partition(":")
    qualifier = as_bytes(name)
    if ":" not in cell or family not in families or qualifier is None:
        known = ", ".join(sorted(families)) or "none"
        raise DeclarationError(
            f"{place}: mirror {cell!r}: wanted FAMILY:QUALIFIER with a family of the model ({known})"
        )
    return Mirror(family, qualifier, codec)
