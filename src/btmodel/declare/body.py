"""The body of a class: what it declares, and the annotations, resolved."""

import inspect
import sys
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, NamedTuple

from btmodel.declare.declarations import (
    ColumnDeclaration,
    ConstantDeclaration,
    DerivedDeclaration,
    KeyDeclaration,
    RefusedDeclaration,
    TakenDeclaration,
    TimestampDeclaration,
)
from btmodel.declare.problems import Problems
from btmodel.declare.queries import DeclaredQuery, DeclaredSql
from btmodel.errors import DeclarationError, reason
from btmodel.schema import Family, Location
from btmodel.schema.names import is_private

# What needs an annotation, and what must not have one.
TYPED = (KeyDeclaration, ColumnDeclaration, TimestampDeclaration, TakenDeclaration)
UNTYPED = (ConstantDeclaration, DerivedDeclaration, DeclaredQuery, DeclaredSql, Family)

Declaration = (
    KeyDeclaration
    | ColumnDeclaration
    | TimestampDeclaration
    | TakenDeclaration
    | ConstantDeclaration
    | DerivedDeclaration
    | DeclaredQuery
    | DeclaredSql
    | Family
)


class Attribute(NamedTuple):
    """A declared attribute: its declaration, and the annotation that it was given, resolved."""

    declaration: Declaration
    annotation: Any = None


def refuse_private(where: str, namespace: Mapping[str, Any]) -> None:
    """Refuse declarations under names that Python has for itself, before it makes a class of them."""
    for name, value in namespace.items():
        if is_private(name) and isinstance(value, (*TYPED, *UNTYPED)):
            raise DeclarationError(
                f"{where}.{name}: expected a name without two underscores in front: those are Python's; rename it"
            )
    annotations = namespace.get("__annotations__", {})
    if not isinstance(annotations, dict):
        raise DeclarationError(
            f"{where}.__annotations__: expected the annotations that Python puts there, got {annotations!r}"
        )


def declared_in(
    cls: type,
    namespace: Mapping[str, Any],
    scope: Mapping[str, Any],
    inherited: Collection[str],
    problems: Problems,
) -> dict[str, Attribute]:
    """The declarations of one class body, by attribute name and in order; what is wrong goes to ``problems``."""
    annotations = inspect.get_annotations(cls)
    found: dict[str, Attribute] = {}
    for name, value in namespace.items():
        if isinstance(value, TYPED):
            annotation = problems.one(partial(_annotation, cls, name, value, annotations, scope), None)
            found[name] = Attribute(value, annotation)
        elif isinstance(value, UNTYPED):
            found[name] = Attribute(value)
    refused = {name for name, value in namespace.items() if isinstance(value, RefusedDeclaration)}
    for name in {**annotations, **namespace}:
        if name not in found and name not in refused and not is_private(name):
            problems.one(partial(_refuse_other, cls, name, annotations, inherited), None)
    return found


def refuse_other_base(where: str, base: type) -> None:
    """Refuse a base class that declares something and is no model: rows would not have it, though the class shows it."""
    if hasattr(base, "__declared__"):
        return
    for class_ in base.__mro__:
        for name, value in vars(class_).items():
            if isinstance(value, (*TYPED, *UNTYPED, RefusedDeclaration)):
                raise DeclarationError(
                    f"{where}: {class_.__name__} declares {name} and is no model, so no row would have it: "
                    f"write class {class_.__name__}(bt.Model), without table=, and what it declares is inherited"
                )


def refuse_refused(where: str, namespace: Mapping[str, Any], problems: Problems) -> None:
    """Put the declarations that were refused in the body of the class ``where`` among the ``problems``."""

    def refuse(error: DeclarationError) -> None:
        raise error

    for name, value in namespace.items():
        if isinstance(value, RefusedDeclaration) and value.why is not None:
            problems.one(partial(refuse, value.of(f"{where}.{name}")), None)


def _refuse_other(cls: type, name: str, annotations: Mapping[str, Any], inherited: Collection[str]) -> None:
    """Refuse what hides a declaration, and what looks like one and is none."""
    if name in inherited:
        raise DeclarationError(
            f"{cls.__name__}.{name} hides an inherited attribute: declare it again, or leave it out"
        )
    if name in annotations and "ClassVar" not in str(annotations[name]):
        raise DeclarationError(
            f"{cls.__name__}.{name}: an annotated attribute is declared with key(...), column(...), history(...) or their like; "
            "write ClassVar[...] for what is not stored"
        )


def _annotation(
    cls: type,
    name: str,
    value: KeyDeclaration | ColumnDeclaration | TimestampDeclaration | TakenDeclaration,
    annotations: Mapping[str, Any],
    scope: Mapping[str, Any],
) -> Any:
    if name not in annotations:
        raise DeclarationError(f"{value.location}: {cls.__name__}.{name} has no annotation: give its type")
    return _resolved(cls, name, annotations[name], scope, value.location)


def _resolved(cls: type, name: str, annotation: Any, scope: Mapping[str, Any], location: Location) -> Any:
    if not isinstance(annotation, str):
        return annotation
    module = sys.modules.get(cls.__module__)
    try:
        return eval(annotation, dict(vars(module)) if module else {}, {**scope, **vars(cls)})
    except Exception as error:
        raise DeclarationError(
            f"{location}: {cls.__name__}.{name}: the annotation {annotation!r} does not resolve: {reason(error)}"
        ) from None
