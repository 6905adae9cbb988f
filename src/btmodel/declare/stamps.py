"""Which timestamp the plain cells of a model get."""

from collections.abc import Mapping
from datetime import datetime

from btmodel.declare.annotations import without_none
from btmodel.declare.body import Attribute
from btmodel.declare.declared import KeyDeclaration, TimestampDeclaration
from btmodel.errors import DeclarationError
from btmodel.schema import Location, Stamp
from btmodel.schema.stamp import WRITTEN


def stamp(
    where: str, declared: Mapping[str, Attribute], asked: str | int | None, location: Location
) -> Stamp:
    """The stamp of a model: ``asked`` is its class keyword, a timestamp(...) attribute says it without one."""
    own = [(name, one) for name, one in declared.items() if isinstance(one.declaration, TimestampDeclaration)]
    if len(own) + (asked is not None) > 1:
        raise DeclarationError(
            f"{location}: {where}: wanted one timestamp of the plain cells: "
            "a single timestamp(...) attribute, or timestamp= on the class"
        )
    if own:
        name, attribute = own[0]
        return _own(where, name, attribute)
    if asked is None:
        return WRITTEN
    if isinstance(asked, int):
        return Stamp(fixed=asked)
    found = declared.get(asked)
    if found is None or not isinstance(found.declaration, KeyDeclaration) or found.annotation is not datetime:
        raise DeclarationError(
            f"{location}: {where}: timestamp: wanted the name of a key field that is a datetime, got {asked!r}"
        )
    return Stamp(asked)


def _own(where: str, name: str, attribute: Attribute) -> Stamp:
    inner, optional = without_none(attribute.annotation)
    assert isinstance(attribute.declaration, TimestampDeclaration)
    place = f"{attribute.declaration.location}: {where}.{name}"
    if inner is not datetime or optional is not (attribute.declaration.default is None):
        raise DeclarationError(
            f"{place}: wanted the annotation datetime, or datetime | None with default=None, "
            f"got {attribute.annotation!r}"
        )
    return Stamp(name, stored=True, required=not optional)
