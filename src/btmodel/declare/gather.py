"""From the body of a class to a schema: plain functions, called by the metaclass."""

import difflib
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypeVar

from attrs import frozen

from btmodel.codecs.cell import CellCodec, default_codec
from btmodel.declare.fields import ColumnDeclaration, ConstantDeclaration, KeyDeclaration
from btmodel.declare.query import DeclaredQuery
from btmodel.errors import DeclarationError
from btmodel.rows.history import History
from btmodel.schema import (
    Bucket,
    Column,
    Family,
    KeyField,
    Location,
    Mirror,
    ModelSchema,
    Query,
    Rate,
    RowKey,
)

P = TypeVar("P")
SETTINGS = ("table", "delimiter", "events", "bucket", "allow")
Declaration = KeyDeclaration | ConstantDeclaration | ColumnDeclaration | DeclaredQuery | Family


@frozen
class Attribute:
    """A declared attribute: its declaration, and the annotation that it was given, resolved."""

    declaration: Declaration
    annotation: Any = None


def declared_in(cls: type, namespace: Mapping[str, Any], scope: Mapping[str, Any]) -> dict[str, Attribute]:
    """The declarations of one class body, by attribute name and in order."""
    annotations = inspect.get_annotations(cls)
    found: dict[str, Attribute] = {}
    for name, value in namespace.items():
        if isinstance(value, (KeyDeclaration, ColumnDeclaration)):
            if name not in annotations:
                raise DeclarationError(
                    f"{value.location}: {cls.__name__}.{name} has no annotation: give its type"
                )
            found[name] = Attribute(value, _resolved(cls, name, annotations[name], scope))
        elif isinstance(value, (ConstantDeclaration, DeclaredQuery, Family)):
            found[name] = Attribute(value)
    for name in annotations:
        if name not in found and "ClassVar" not in str(annotations[name]):
            raise DeclarationError(
                f"{cls.__name__}.{name}: an annotated attribute is a key(...), a column(...) or a history(...); "
                "write ClassVar[...] for what is not stored"
            )
    return found


def build_schema(
    cls: type, declared: Mapping[str, Attribute], settings: Mapping[str, Any], location: Location
) -> ModelSchema:
    """The schema of a model class. Raises :class:`DeclarationError` where none can be built."""
    where = cls.__name__
    families = tuple(_family_ids(where, declared))
    columns = tuple(_columns(where, declared, {family.id for family in families}))
    delimiter = settings.get("delimiter", "#")
    key = RowKey(tuple(_key_fields(where, declared, families)), _delimiter(where, delimiter))
    if not key.asked:
        raise DeclarationError(f"{location}: {where} has no key field: declare at least one key(...)")
    schema = ModelSchema(
        name=cls.__name__,
        module=cls.__module__,
        doc=inspect.cleandoc(cls.__doc__ or ""),
        table=_table(where, settings["table"]),
        key=key,
        families=families,
        columns=columns,
        queries=tuple(_queries(declared)),
        events=_parsed(where, Rate.parse, settings.get("events")),
        bucket=_parsed(where, Bucket.parse, settings.get("bucket")),
        allow=_allow(where, settings.get("allow")),
        location=location,
    )
    _check_bucket(schema)
    return schema


def refuse_unknown(where: str, given: Iterable[str]) -> None:
    """Refuse class keywords that mean nothing, naming the one that was probably meant."""
    for name in given:
        if name not in SETTINGS:
            near = difflib.get_close_matches(name, SETTINGS, 1)
            hint = f" (did you mean {near[0]!r}?)" if near else f" (known: {', '.join(SETTINGS)})"
            raise DeclarationError(f"{where}: unknown class keyword {name!r}{hint}")


def _resolved(cls: type, name: str, annotation: Any, scope: Mapping[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    module = sys.modules.get(cls.__module__)
    try:
        return eval(annotation, dict(vars(module)) if module else {}, {**scope, **vars(cls)})
    except Exception as error:
        raise DeclarationError(
            f"{cls.__name__}.{name}: the annotation {annotation!r} does not resolve: {error}"
        ) from None


def _table(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise DeclarationError(f"{where}: table: wanted the id of a table, got {value!r}")
    return value


def _parsed(where: str, parse: Callable[[object], P], value: object) -> P | None:
    try:
        return None if value is None else parse(value)
    except DeclarationError as error:
        raise DeclarationError(f"{where}: {error}") from None


def _allow(where: str, value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise DeclarationError(
            f"{where}: allow: wanted rules with reasons, {{'KEY001': 'why'}}, got {value!r}"
        )
    return dict(value)


def _delimiter(where: str, value: object) -> bytes:
    if not isinstance(value, (str, bytes)):
        raise DeclarationError(f"{where}: delimiter: wanted text or bytes, got {value!r}")
    return value.encode() if isinstance(value, str) else value


def _key_fields(
    where: str, declared: Mapping[str, Attribute], families: tuple[Family, ...]
) -> Iterable[KeyField]:
    ids = {family.id for family in families}
    for name, attribute in declared.items():
        declaration = attribute.declaration
        if isinstance(declaration, ConstantDeclaration):
            yield KeyField(name, declaration.codec, cardinality=1, location=declaration.location)
        elif isinstance(declaration, KeyDeclaration):
            mirror = _mirror(f"{where}.{name}", declaration, ids)
            yield KeyField(name, declaration.codec, declaration.cardinality, mirror, declaration.location)


def _mirror(where: str, declaration: KeyDeclaration, families: set[str]) -> Mirror | None:
    if declaration.mirror is None:
        return None
    match declaration.mirror:
        case (str(cell), CellCodec() as codec):
            pass
        case str(cell):
            codec = declaration.codec.mirror()
        case other:
            raise DeclarationError(f"{where}: mirror: wanted 'FAMILY:QUALIFIER', got {other!r}")
    family, colon, qualifier = cell.partition(":")
    if not colon or family not in families:
        known = ", ".join(sorted(families)) or "none"
        raise DeclarationError(
            f"{where}: mirror {cell!r}: wanted FAMILY:QUALIFIER with a family of the model ({known})"
        )
    return Mirror(family, qualifier.encode(), codec)


def _family_ids(where: str, declared: Mapping[str, Attribute]) -> Iterable[Family]:
    seen: set[str] = set()
    for attribute in declared.values():
        family = attribute.declaration
        if isinstance(family, Family):
            if family.id in seen:
                raise DeclarationError(f"{family.location}: {where} declares family {family.id!r} twice")
            seen.add(family.id)
            yield family


def _columns(where: str, declared: Mapping[str, Attribute], families: set[str]) -> Iterable[Column]:
    for name, attribute in declared.items():
        declaration = attribute.declaration
        if not isinstance(declaration, ColumnDeclaration):
            continue
        if declaration.family.id not in families:
            raise DeclarationError(
                f"{declaration.location}: {where}.{name}: family {declaration.family.id!r} is not of this model: "
                "assign it to an attribute, as in md = bt.family(...)"
            )
        yield _column(f"{where}.{name}", name, declaration, attribute.annotation)


def _column(where: str, name: str, declaration: ColumnDeclaration, annotation: Any) -> Column:
    inner, optional = _without_none(annotation)
    if declaration.history:
        if typing.get_origin(inner) is not History or optional:
            raise DeclarationError(
                f"{declaration.location}: {where}: wanted the annotation History[...], got {annotation!r}"
            )
        inner = typing.get_args(inner)[0]
    elif declaration.default is None and not optional:
        shown = getattr(annotation, "__name__", annotation)
        raise DeclarationError(
            f"{declaration.location}: {where}: with default=None wanted the annotation {shown} | None, got {shown}"
        )
    codec = declaration.codec or default_codec(inner)
    if codec is None:
        raise DeclarationError(
            f"{declaration.location}: {where}: no default codec for {inner!r}: give codec=, for one bt.Utf8()"
        )
    qualifier = declaration.qualifier
    return Column(
        name=name,
        family=declaration.family.id,
        qualifier=qualifier.encode() if isinstance(qualifier, str) else qualifier,
        codec=codec,
        required=not optional and not declaration.history,
        history=declaration.history,
        location=declaration.location,
    )


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return annotation, False
    left = [part for part in typing.get_args(annotation) if part is not type(None)]
    return (left[0] if len(left) == 1 else annotation), len(left) < len(typing.get_args(annotation))


def _queries(declared: Mapping[str, Attribute]) -> Iterable[Query]:
    for name, attribute in declared.items():
        if isinstance(attribute.declaration, DeclaredQuery):
            yield attribute.declaration.named(name)


def _check_bucket(schema: ModelSchema) -> None:
    """Refuse a bucket that no key field names, one without events, and rows that an event alone cannot begin."""
    if schema.bucket is None:
        return
    field = schema.bucket_field
    if field is None or field.codec.python_type not in (date, datetime):
        raise DeclarationError(
            f"{schema.location}: {schema.name}: bucket={schema.bucket.value!r} needs a key field of whole "
            f"{schema.bucket.value}s, such as DateText() for days or TimeText('%Y%m%d%H') for hours"
        )
    if not schema.histories:
        raise DeclarationError(
            f"{schema.location}: {schema.name}: bucket={schema.bucket.value!r}, but no history(...) to hold its events"
        )
    for column in schema.columns:
        if column.required:
            raise DeclarationError(
                f"{column.location}: {schema.name}.{column.name}: a row of a bucket begins with its first event, "
                "which has no such cell: declare the column as optional, `| None` with default=None"
            )
