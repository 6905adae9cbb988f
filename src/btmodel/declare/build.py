"""From the declarations of a class to its schema."""

import inspect
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import attrs

from btmodel.codecs import cell as cell_codecs
from btmodel.codecs.byte_set import ByteSet
from btmodel.codecs.cell import CellCodec, default_codec
from btmodel.codecs.key import KeyCodec, Kind, Length, Order
from btmodel.declare.body import Attribute
from btmodel.declare.declarations import (
    ColumnDeclaration,
    ConstantDeclaration,
    DerivedDeclaration,
    KeyDeclaration,
    Made,
    Required,
    TimestampDeclaration,
    as_bytes,
    expected,
    key_figures,
)
from btmodel.declare.keywords import Keywords, with_parts
from btmodel.declare.problems import Problems
from btmodel.declare.queries import DeclaredQuery, DeclaredSql
from btmodel.errors import DeclarationError, ValueRefused, raised, shown
from btmodel.estimates import members
from btmodel.rows.collections import HELD, History
from btmodel.schema import (
    Column,
    Family,
    KeyField,
    Location,
    Mirror,
    ModelSchema,
    Query,
    RowKey,
    Stamp,
)
from btmodel.schema.bucket import SlotFormat, Spans, TimeBucket
from btmodel.schema.checks import CHECKS
from btmodel.schema.model import WRITTEN
from btmodel.schema.rate import parse_every


def without_none(annotation: Any) -> tuple[Any, bool]:
    """An annotation without ``None``, and whether it held it."""
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return annotation, False
    left = [part for part in typing.get_args(annotation) if part is not type(None)]
    return (left[0] if len(left) == 1 else annotation), len(left) < len(typing.get_args(annotation))


def value_of(annotation: Any, default: object) -> tuple[Any, bool]:
    """The annotation of a value without ``None``, and whether it may be None; of ``Any``, where that is its default."""
    inner, optional = without_none(annotation)
    return inner, optional or (inner is Any and default is None)


def refuse_other_type(
    place: str, wanted: Any, codec: KeyCodec[Any] | CellCodec[Any], says: str = "the annotation says"
) -> None:
    """Refuse a codec whose values are not of the type ``wanted``, which ``says`` has; what is no class is left to type checkers."""
    held = held_type(place, codec)
    if isinstance(wanted, type) and wanted is not Any and wanted is not held:
        raise DeclarationError(f"{place}: {shown(codec)} holds {_named(held)}, but {says} {wanted.__name__}")


def held_type(place: str, codec: KeyCodec[Any] | CellCodec[Any]) -> Any:
    """The type of a codec's values; a codec of the user's that cannot say what it is is refused here, where it is declared.

    From here on every reader of a schema trusts what a codec says of itself: its ``python_type`` and sizes, and its text
    that migrations record.
    """
    for one in _others_in(codec):
        for name, wanted, fits in (*_FACTS, *(_KEY_FACTS if isinstance(one, KeyCodec) else _CELL_FACTS)):
            try:
                said = getattr(one, name)
                came = None if fits(said) else f"got {shown(said)}"
            except Exception as error:  # whatever a codec of the user's raises
                came = f"it raised {raised(error)}"
            if came:
                raise DeclarationError(f"{place}: {name} of {shown(one)}: expected {wanted}, {came}")
        from btmodel.schema.layout import codec_text  # only here: most models have no codec of the user's

        try:
            codec_text(one)
        except Exception as error:
            raise DeclarationError(
                f"{place}: {shown(one)}: expected a codec that can be written as text, which migrations record: it raised "
                f"{raised(error)}"
            ) from None
    return codec.python_type


def _others_in(codec: Any) -> Iterator[Any]:
    """The codecs that are not btmodel's own: of ``codec`` and of those that it is made of, from the inside out."""
    inner = list(attrs.asdict(codec, recurse=False).values()) if attrs.has(type(codec)) else []
    parts = [part for one in inner for part in (one if isinstance(one, tuple) else (one,))]
    found = [each for part in parts if isinstance(part, KeyCodec | CellCodec) for each in _others_in(part)]
    yield from found
    if found or not type(codec).__module__.startswith("btmodel."):
        yield codec


def _is_type(held: Any) -> bool:
    """Whether generated code can name it: a class, Any, or a generic one or a union of such."""
    if typing.get_origin(held) is None:
        return held is Any or isinstance(held, type | typing.NewType)
    return all(part in (None, Ellipsis) or _is_type(part) for part in typing.get_args(held))


def _is_size(said: object) -> bool:
    return type(said) is int and said >= 0


def _is_length(said: object) -> bool:
    return (
        isinstance(said, Length) and _is_size(said.least) and _is_size(said.most) and said.least <= said.most
    )


def _is_alphabet(said: object) -> bool:
    return isinstance(said, Set) and all(type(one) is int and 0 <= one < 256 for one in said)


def _is_tuple_of(kind: type, said: object) -> bool:
    return isinstance(said, tuple) and all(isinstance(one, kind) for one in said)


def _is_granularity(said: object) -> bool:
    return said is None or isinstance(said, str) or (isinstance(said, timedelta) and said > timedelta(0))


Fact = tuple[str, str, Callable[[Any], bool]]

# What a codec says of itself: the name, what is expected, and whether an answer is that.
_FACTS: tuple[Fact, ...] = (
    ("python_type", "the class of its values, such as str or list[int]", _is_type),
    ("stated", "a tuple of texts", lambda said: _is_tuple_of(str, said)),
)
_KEY_FACTS: tuple[Fact, ...] = (
    ("kind", "a Kind, such as Kind.TEXT", lambda said: isinstance(said, Kind)),
    ("length", "the shortest and the longest encoding, such as Length(1, 5)", _is_length),
    ("alphabet", "a set of bytes, such as frozenset(b'abc')", _is_alphabet),
    ("order", "an Order, such as Order.ASCENDING", lambda said: isinstance(said, Order)),
    ("granularity", "a unit of time as text, a timedelta above 0, or None", _is_granularity),
    ("separators", "a tuple of bytes", lambda said: _is_tuple_of(bytes, said)),
    ("holds_delimiter", "True or False", lambda said: isinstance(said, bool)),
    ("self_ending", "True or False", lambda said: isinstance(said, bool)),
)
_CELL_FACTS: tuple[Fact, ...] = (
    ("typical_size", "a number of bytes", _is_size),
    ("max_size", "a number of bytes, or None", lambda said: said is None or _is_size(said)),
    ("reads", "a ByteSet", lambda said: isinstance(said, ByteSet)),
    ("writes", "a ByteSet", lambda said: isinstance(said, ByteSet)),
)


def _named(type_: Any) -> str:
    """How a type is written: ``str``, ``tuple[str, ...]``."""
    return str(type_) if typing.get_args(type_) else getattr(type_, "__name__", str(type_))


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
    where: str, declared: Mapping[str, Attribute], known: set[str], bucket: TimeBucket | None
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
    bucket: TimeBucket | None,
) -> Column:
    place = f"{declaration.location}: {where}.{name}"
    shape, family = declaration.shape, declaration.family
    if family.id not in known:
        raise DeclarationError(
            f"{place}: family {family.id!r} is not of this model: "
            "assign it to an attribute, as in md = bt.family(...)"
        )
    inner, optional = _value_type(place, declaration, annotation)
    codec = _codec(place, declaration, inner)
    _check_default(place, codec, declaration.default)
    return Column(
        name=name,
        family=family.id,
        qualifier=declaration.qualifier,
        codec=codec,
        required=shape.plain and not optional,
        shape=shape,
        names=declaration.names,
        slots=_slots(place, declaration, bucket) if shape.slotted else None,
        spans=_spans(place, declaration, bucket) if shape.spanned else None,
        keep_undecoded=declaration.keep_undecoded,
        also=declaration.also,
        renamed_from=declaration.renamed_from,
        round=declaration.round,
        expected=expected(shape, declaration.figures, place),
        location=declaration.location,
    )


def _codec(place: str, declaration: ColumnDeclaration, inner: Any) -> CellCodec[Any]:
    if declaration.shape.empty:
        return cell_codecs.Present()
    try:
        codec: CellCodec[Any] | None = declaration.codec or default_codec(inner)
    except DeclarationError as error:
        raise DeclarationError(f"{place}: {error}") from None
    if codec is None:
        raise DeclarationError(
            f"{place}: no default codec for {_named(inner)}: give codec=, a bt.CellCodec of your own for one, or annotate a "
            "type that has a default (str, bytes, int, float, bool, Decimal, datetime, date, UUID, an Enum, dict, list, "
            "tuple, a class with fields)"
        )
    refuse_other_type(place, inner, codec)
    return codec


def _slots(place: str, declaration: ColumnDeclaration, bucket: TimeBucket | None) -> SlotFormat:
    if bucket is None:
        raise DeclarationError(f"{place}: slots are those of a time bucket: give the model one, bucket='day'")
    try:
        return SlotFormat(declaration.slot_names, parse_every(declaration.every), bucket)  # type: ignore[arg-type]
    except DeclarationError as error:
        raise DeclarationError(f"{place}: {error}") from None


def _spans(place: str, declaration: ColumnDeclaration, bucket: TimeBucket | None) -> Spans:
    if bucket is not None:
        raise DeclarationError(
            f"{place}: every: expected a model without bucket=, whose rows are spans of time themselves: declare the counter "
            "without every=, or in another model"
        )
    try:
        return Spans(parse_every(declaration.every))
    except DeclarationError as error:
        raise DeclarationError(f"{place}: {error}") from None


def _value_type(place: str, declaration: ColumnDeclaration, annotation: Any) -> tuple[Any, bool]:
    """The type of one value of a column, and whether it may be None."""
    inner, optional = value_of(annotation, declaration.default)
    if declaration.shape in HELD:
        held = HELD[declaration.shape]
        parts = typing.get_args(inner)
        fits = typing.get_origin(inner) is held.kind and len(parts) == (2 if held.kind is dict else 1)
        if fits and held.entry is not None:
            fits = typing.get_origin(parts[-1]) is held.entry
            parts = (*parts[:-1], *typing.get_args(parts[-1]))
        if not fits or optional:
            raise DeclarationError(f"{place}: expected the annotation {held.wanted}, got {annotation!r}")
        other = next(
            (shape for shape in HELD if HELD[shape].entry is (typing.get_origin(parts[-1]) or Any)), None
        )
        if other is not None:
            raise DeclarationError(
                f"{place}: expected bt.{other.function}(...) for the annotation {annotation!r}"
            )
        if declaration.names is not None:
            refuse_other_type(f"{place}: qualifiers", parts[0], declaration.names)
        return parts[-1], False
    if declaration.codec is None and typing.get_origin(inner) in (typing.Union, types.UnionType):
        return inner, True  # whether None is among them or not, no codec is chosen by it
    if declaration.default is None and not optional:
        type_name = getattr(annotation, "__name__", annotation)
        if declaration.shape.summed and typing.get_origin(inner) is History:
            raise DeclarationError(
                f'{place}: expected every=, such as every="1h", for a counter of each span of time, as {type_name} is, or the '
                "annotation int | None for one number"
            )
        if declaration.shape.summed and typing.get_origin(inner) is dict:
            raise DeclarationError(
                f"{place}: expected bt.counters(...), a number for each entry, for the annotation {annotation!r}"
            )
        why = "a counter" if declaration.shape.summed else "a column that rows may lack"
        raise DeclarationError(
            f"{place}: expected the annotation {type_name} | None of {why}, got {type_name}"
        )
    return inner, optional


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
    if declaration.of is not None:
        raise DeclarationError(
            f"{place}: of= names an attribute that a view takes: leave it out in a model of a table"
        )
    if not declaration.stored and not maybe_none:
        raise DeclarationError(
            f"{place}: with stored=False expected an annotation with | None, which it is in rows that were read"
        )
    if maybe_none and not optional and declaration.stored:
        raise DeclarationError(
            f"{place}: a key field is never None: annotate it without | None "
            "(or give default=None, if it is the last one, and keys may end before it)"
        )
    if optional and not maybe_none:
        type_name = getattr(annotation, "__name__", annotation)
        raise DeclarationError(
            f"{place}: with default=None expected the annotation {type_name} | None, got {type_name}"
        )
    refuse_other_type(place, inner, declaration.codec)
    _check_default(place, declaration.codec, declaration.default)
    return KeyField(
        name,
        declaration.codec,
        mirror=_mirror(place, declaration, families),
        optional=optional,
        ends=declaration.ends,
        location=declaration.location,
        factory=declaration.default.by if isinstance(declaration.default, Made) else None,
        **_figures_of_field(place, declaration),
    )


def _check_default(place: str, codec: KeyCodec[Any] | CellCodec[Any], default: object) -> None:
    """Refuse a default that no row could be written with; what a function makes is not known before."""
    if default is None or isinstance(default, Required | Made):
        return
    try:
        codec.encode(default)
    except ValueRefused as error:
        raise DeclarationError(f"{place}: default: {error}") from None


def _figures_of_field(place: str, declaration: KeyDeclaration) -> dict[str, Any]:
    """The figures of a field; values that can be counted need no declared cardinality."""
    found = key_figures(declaration.figures, place)
    if found["skew"] is not None and declaration.codec.kind is Kind.TIME:
        raise DeclarationError(
            f"{place}: skew: expected a field that is not a time, because times follow the clock"
        )
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
            refuse_other_type(f"{place}: mirror", declaration.codec.python_type, codec, "the key field holds")
        case str(cell):
            codec = declaration.codec.mirror()
            held_type(f"{place}: mirror", codec)
        case other:
            raise DeclarationError(f"{place}: mirror: expected 'FAMILY:QUALIFIER', got {other!r}")
    family, _, name = cell.partition(":")
    qualifier = as_bytes(name)
    if ":" not in cell or family not in families or qualifier is None:
        known = ", ".join(sorted(families)) or "none"
        raise DeclarationError(
            f"{place}: mirror {cell!r}: expected FAMILY:QUALIFIER with a family of the model ({known})"
        )
    return Mirror(family, qualifier, codec)


def stamp(
    where: str, declared: Mapping[str, Attribute], asked: str | int | None, location: Location
) -> Stamp:
    """The stamp of a model: ``asked`` is its class keyword, a timestamp(...) attribute says it without one."""
    own = [(name, one) for name, one in declared.items() if isinstance(one.declaration, TimestampDeclaration)]
    if len(own) + (asked is not None) > 1:
        raise DeclarationError(
            f"{location}: {where}: expected one timestamp of the plain cells: "
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
        number = found is not None and found.annotation is int
        why = (
            ": as a timestamp, a number is a time in 1970, which is older than any age of a GC rule"
            if number
            else ""
        )
        raise DeclarationError(
            f"{location}: {where}: timestamp: expected the name of a key field that is a datetime, got {asked!r}{why}"
        )
    # What the key rounds, the timestamp rounds as well.
    return Stamp(asked, round=getattr(found.declaration.codec, "round", False))


def _own(where: str, name: str, attribute: Attribute) -> Stamp:
    inner, optional = without_none(attribute.annotation)
    assert isinstance(attribute.declaration, TimestampDeclaration)
    place = f"{attribute.declaration.location}: {where}.{name}"
    if inner is not datetime or optional is not (attribute.declaration.default is None):
        raise DeclarationError(
            f"{place}: expected the annotation datetime, or datetime | None with default=None, "
            f"got {attribute.annotation!r}"
        )
    declaration = attribute.declaration
    return Stamp(
        name, stored=True, required=not optional, expires=declaration.expires, round=declaration.round
    )


def build_schema(
    cls: type, declared: Mapping[str, Attribute], keywords: Keywords, problems: Problems, location: Location
) -> ModelSchema:
    """The schema of a model class.

    Raises :class:`DeclarationError` where none can be built, with what is among ``problems`` already.
    """
    schema = _schema(cls, declared, keywords, problems, location)
    problems.refuse()
    for check in CHECKS:
        problems.one(partial(check, schema), None)
    for part in schema.key.fields:
        problems.one(partial(_check_delimiter, schema, part, declared), None)
    problems.refuse()
    if keywords.table.authorized_views or schema.schema_bundle:
        schema = with_parts(schema, keywords.table, problems)
        problems.refuse()
    return schema


def _schema(
    cls: type, declared: Mapping[str, Attribute], keywords: Keywords, problems: Problems, location: Location
) -> ModelSchema:
    """The schema of what is declared as it should be; what is not goes to ``problems``."""
    where = cls.__name__
    declared_families = tuple(problems.each(families(where, declared)))
    ids = {family.id for family in declared_families}
    fields = tuple(problems.each(key_fields(where, declared, ids)))
    cells = tuple(problems.each(columns(where, declared, ids, keywords.bucket)))
    keys = {name: attribute.declaration for name, attribute in declared.items()}
    unstored = {
        name
        for name, attribute in keys.items()
        if isinstance(attribute, KeyDeclaration) and not attribute.stored
    }
    return ModelSchema(
        name=where,
        module=cls.__module__,
        doc=inspect.cleandoc(cls.__doc__ or ""),
        table=keywords.table.id,
        key=RowKey(
            tuple(part for part in fields if part.name not in unstored),
            keywords.delimiter,
            tuple(part for part in fields if part.name in unstored),
            keywords.max_key,
        ),
        families=declared_families,
        columns=cells,
        queries=tuple(_queries(declared)),
        sql_queries=tuple(
            attribute.declaration.named(name)
            for name, attribute in declared.items()
            if isinstance(attribute.declaration, DeclaredSql)
        ),
        events=keywords.events,
        bucket=keywords.bucket,
        nodes=keywords.nodes,
        atomic=keywords.atomic,
        stamp=problems.one(lambda: stamp(where, declared, keywords.timestamp, location), WRITTEN),
        allow=keywords.allow,
        settings=keywords.table.settings,
        row_key_schema=keywords.table.row_key_schema,
        renamed_from=keywords.table.renamed_from,
        moved_from=keywords.table.moved_from,
        moved_to=keywords.table.moved_to,
        schema_bundle=keywords.table.schema_bundle,
        existing=keywords.existing,
        lateness=keywords.lateness,
        location=location,
    )


def part_of_schema(
    cls: type, declared: Mapping[str, Attribute], keywords: Keywords, location: Location
) -> tuple[ModelSchema, bool]:
    """The schema of what is declared well in a class that is refused as a whole, and whether its whole key is declared well."""
    made = _schema(cls, declared, keywords, Problems(location), location)
    wanted = [one for one in declared.values() if isinstance(one.declaration, _OF_KEYS)]
    return made, len(made.key.fields) + len(made.key.unstored) == len(wanted) > 0


_OF_KEYS = (KeyDeclaration, ConstantDeclaration, DerivedDeclaration)


def _check_delimiter(schema: ModelSchema, part: KeyField, declared: Mapping[str, Attribute]) -> None:
    """Refuse a default that its codec takes and the key does not, as it would be taken for the end of the field."""
    found = declared[part.name].declaration
    if (
        not isinstance(found, KeyDeclaration)
        or found.default is None
        or isinstance(found.default, Required | Made)
    ):
        return
    if schema.key.blurred(part, part.codec.encode(found.default)):
        delimiter = schema.key.behind(part).decode(errors="replace")
        raise DeclarationError(
            f"{found.location}: {schema.name}.{part.name}: expected a value without the delimiter {delimiter!r}, got "
            f"{shown(found.default)} (as its default)"
        )


def _queries(declared: Mapping[str, Attribute]) -> Iterable[Query]:
    for name, attribute in declared.items():
        if isinstance(attribute.declaration, DeclaredQuery):
            yield attribute.declaration.named(name)
