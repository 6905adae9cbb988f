"""From the body of a class to a schema: plain functions, called by the metaclass."""

import difflib
import inspect
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any, TypeVar

from attrs import frozen

from btmodel.codecs.cell import CellCodec, default_codec
from btmodel.codecs.key import KeyCodec
from btmodel.declare.fields import ColumnDeclaration, ConstantDeclaration, KeyDeclaration, as_bytes
from btmodel.declare.problems import Problems
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


def declared_in(
    cls: type, namespace: Mapping[str, Any], scope: Mapping[str, Any], inherited: Collection[str]
) -> dict[str, Attribute]:
    """The declarations of one class body, by attribute name and in order."""
    annotations = inspect.get_annotations(cls)
    found: dict[str, Attribute] = {}
    for name, value in namespace.items():
        if isinstance(value, (KeyDeclaration, ColumnDeclaration)):
            if name not in annotations:
                raise DeclarationError(
                    f"{value.location}: {cls.__name__}.{name} has no annotation: give its type"
                )
            found[name] = Attribute(value, _resolved(cls, name, annotations[name], scope, value.location))
        elif isinstance(value, (ConstantDeclaration, DeclaredQuery, Family)):
            found[name] = Attribute(value)
    for name in {**annotations, **namespace}:
        if name in found or name.startswith("__"):
            continue
        if name in inherited:
            raise DeclarationError(
                f"{cls.__name__}.{name} hides what it inherits: declare it anew, or leave it out"
            )
        if name in annotations and "ClassVar" not in str(annotations[name]):
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
    problems = Problems(location)
    families = tuple(problems.each(_families(where, declared)))
    ids = {family.id for family in families}
    table = problems.one(lambda: _table(where, settings["table"]), "")
    delimiter = problems.one(lambda: _delimiter(where, settings.get("delimiter", "#")), b"")
    events = problems.one(lambda: _parsed(where, Rate.parse, settings.get("events")), None)
    bucket = problems.one(lambda: _parsed(where, Bucket.parse, settings.get("bucket")), None)
    no_allowance: dict[str, str] = {}
    allow = problems.one(lambda: _allow(where, settings.get("allow")), no_allowance)
    key = RowKey(tuple(problems.each(_key_fields(where, declared, ids))), delimiter)
    columns = tuple(problems.each(_columns(where, declared, ids)))
    problems.refuse()
    schema = ModelSchema(
        name=cls.__name__,
        module=cls.__module__,
        doc=inspect.cleandoc(cls.__doc__ or ""),
        table=table,
        key=key,
        families=families,
        columns=columns,
        queries=tuple(_queries(declared)),
        events=events,
        bucket=bucket,
        allow=allow,
        location=location,
    )
    for check in (_check_key, _check_cells, _check_bucket):
        problems.one(lambda check=check: check(schema), None)  # type: ignore[misc]
    problems.refuse()
    return schema


def refuse_unknown(where: str, given: Iterable[str]) -> None:
    """Refuse class keywords that mean nothing, naming the one that was probably meant."""
    for name in given:
        if name not in SETTINGS:
            near = difflib.get_close_matches(name, SETTINGS, 1)
            hint = f" (did you mean {near[0]!r}?)" if near else f" (known: {', '.join(SETTINGS)})"
            raise DeclarationError(f"{where}: unknown class keyword {name!r}{hint}")


def _resolved(cls: type, name: str, annotation: Any, scope: Mapping[str, Any], location: Location) -> Any:
    if not isinstance(annotation, str):
        return annotation
    module = sys.modules.get(cls.__module__)
    try:
        return eval(annotation, dict(vars(module)) if module else {}, {**scope, **vars(cls)})
    except Exception as error:
        raise DeclarationError(
            f"{location}: {cls.__name__}.{name}: the annotation {annotation!r} does not resolve: {error}"
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
    raw = as_bytes(value)
    if raw is None:
        raise DeclarationError(f"{where}: delimiter: wanted text or bytes, got {value!r}")
    return raw


def _key_fields(
    where: str, declared: Mapping[str, Attribute], families: set[str]
) -> Iterator[Callable[[], KeyField]]:
    for name, attribute in declared.items():
        declaration = attribute.declaration
        if isinstance(declaration, ConstantDeclaration):
            yield partial(KeyField, name, declaration.codec, 1, None, declaration.location)
        elif isinstance(declaration, KeyDeclaration):
            yield partial(_key_field, where, name, declaration, attribute.annotation, families)


def _key_field(
    where: str, name: str, declaration: KeyDeclaration, annotation: Any, families: set[str]
) -> KeyField:
    place = f"{declaration.location}: {where}.{name}"
    if _without_none(annotation)[1]:
        raise DeclarationError(f"{place}: a key field is never None: annotate it without | None")
    _refuse_other_type(place, annotation, declaration.codec)
    mirror = _mirror(place, declaration, families)
    return KeyField(name, declaration.codec, declaration.cardinality, mirror, declaration.location)


def _refuse_other_type(place: str, annotation: Any, codec: KeyCodec[Any] | CellCodec[Any]) -> None:
    """Refuse a codec whose values are not what the annotation says; what is no class is left to type checkers."""
    if isinstance(annotation, type) and annotation is not codec.python_type:
        wanted, came = codec.python_type.__name__, annotation.__name__
        raise DeclarationError(f"{place}: {codec!r} holds {wanted}, but the annotation says {came}")


def _mirror(place: str, declaration: KeyDeclaration, families: set[str]) -> Mirror | None:
    if declaration.mirror is None:
        return None
    match declaration.mirror:
        case (str(cell), CellCodec() as codec):
            _refuse_other_type(f"{place}: mirror", declaration.codec.python_type, codec)
        case str(cell):
            codec = declaration.codec.mirror()
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


def _families(where: str, declared: Mapping[str, Attribute]) -> Iterator[Callable[[], Family]]:
    seen: set[str] = set()

    def once(family: Family) -> Family:
        if family.id in seen:
            raise DeclarationError(f"{family.location}: {where} declares family {family.id!r} twice")
        seen.add(family.id)
        return family

    for attribute in declared.values():
        if isinstance(attribute.declaration, Family):
            yield partial(once, attribute.declaration)


def _columns(
    where: str, declared: Mapping[str, Attribute], families: set[str]
) -> Iterator[Callable[[], Column]]:
    for name, attribute in declared.items():
        if isinstance(attribute.declaration, ColumnDeclaration):
            yield partial(_column, where, name, attribute.declaration, attribute.annotation, families)


def _column(
    where: str, name: str, declaration: ColumnDeclaration, annotation: Any, families: set[str]
) -> Column:
    place = f"{declaration.location}: {where}.{name}"
    if declaration.family.id not in families:
        raise DeclarationError(
            f"{place}: family {declaration.family.id!r} is not of this model: "
            "assign it to an attribute, as in md = bt.family(...)"
        )
    inner, optional = _column_type(place, declaration, annotation)
    codec = declaration.codec or default_codec(inner)
    if codec is None:
        raise DeclarationError(f"{place}: no default codec for {inner!r}: give codec=, for one bt.Utf8()")
    _refuse_other_type(place, inner, codec)
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
    inner, optional = _without_none(annotation)
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


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return annotation, False
    left = [part for part in typing.get_args(annotation) if part is not type(None)]
    return (left[0] if len(left) == 1 else annotation), len(left) < len(typing.get_args(annotation))


def _queries(declared: Mapping[str, Attribute]) -> Iterable[Query]:
    for name, attribute in declared.items():
        if isinstance(attribute.declaration, DeclaredQuery):
            yield attribute.declaration.named(name)


def _check_key(schema: ModelSchema) -> None:
    if not schema.key.asked:
        raise DeclarationError(
            f"{schema.location}: {schema.name} has no key field: declare at least one key(...)"
        )


def _check_cells(schema: ModelSchema) -> None:
    """Refuse a model that no row can be written of: a row without cells does not exist."""
    if not schema.columns and not any(part.mirror for part in schema.key.fields):
        raise DeclarationError(
            f"{schema.location}: {schema.name} has no cell to write, and a row without cells does not exist: "
            "declare a column(...), or a mirror= of a key field"
        )


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
