"""The metaclass of models, which only calls the functions of this room in order.

While models are collected for a review, a stand-in takes the place of a refused class, so that it does not hide the next.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NoReturn, dataclass_transform

import attrs

from btmodel.declare.attributes import (
    average_of,
    column,
    count,
    counter,
    counters,
    covered,
    distinct_of,
    expires,
    max_of,
    min_of,
    sum_of,
    timestamp,
)
from btmodel.declare.body import (
    TYPED,
    UNTYPED,
    Attribute,
    declared_in,
    refuse_other_base,
    refuse_private,
    refuse_refused,
)
from btmodel.declare.build import build_schema, part_of_schema
from btmodel.declare.declarations import (
    ColumnDeclaration,
    ConstantDeclaration,
    DerivedDeclaration,
    KeyDeclaration,
    Made,
    RefusedDeclaration,
    Required,
    TakenDeclaration,
    TimestampDeclaration,
)
from btmodel.declare.key_fields import key
from btmodel.declare.keywords import parse_keywords, refuse_without_table
from btmodel.declare.problems import Declared, Problems, collected, into, note, placed
from btmodel.declare.queries import DeclaredQuery, DeclaredSql, ModelQuery, ModelSql
from btmodel.errors import BtmodelError, DeclarationError, ValueRefused
from btmodel.lint.refusal import refuse
from btmodel.rows.cells import Cell
from btmodel.rows.collections import HELD, as_held
from btmodel.schema import Location, ModelSchema
from btmodel.schema.names import is_private
from btmodel.words import printable

if TYPE_CHECKING:
    from btmodel.declare.views import DeclaredView
    from btmodel.rows import RowCodec


class LateCodec:
    """Stands in a model class for its codec and makes it once: a program that only declares models needs nothing of rows.

    A copy of the class in another process makes its own.
    """

    def __init__(self, make: "Callable[[], RowCodec[Any]]") -> None:
        self._make = make
        self._made: RowCodec[Any] | None = None

    def __get__(self, row: object, owner: Any) -> "RowCodec[Any]":
        if self._made is None:
            self._made = self._make()
        return self._made

    def __reduce__(self) -> tuple[Any, ...]:
        return LateCodec, (self._make,)


UNKNOWN = "_unknown_cells"
RESERVED = ("row_key", "read_key", "self")
COUNTED = "nothing: a counter is added to, by `add` of a repository, and never given or set"
_EMPTY = {"__module__", "__dict__"}


@dataclass_transform(
    kw_only_default=True,
    # Not those of collections: what type checkers do not know as fields has a default, as these have.
    field_specifiers=(
        key,
        column,
        counter,
        counters,
        timestamp,
        expires,
        covered,
        count,
        sum_of,
        min_of,
        max_of,
        average_of,
        distinct_of,
    ),
)
class ModelMeta(type):
    """Turns a class body into a schema, has the schema reviewed, and makes an attrs class of it."""

    __schema__: ModelSchema
    __declared__: Mapping[str, Attribute]
    __codec__: "RowCodec[Any]"

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **settings: Any) -> type:
        """Make the class. Raises :class:`DeclarationError`, which lists every finding."""
        if isinstance(namespace.get("__schema__"), ModelSchema):
            # attrs makes a class with slots by building it a second time.
            return super().__new__(mcs, name, bases, namespace)
        if not settings and namespace.keys() <= _EMPTY:
            # Not even a name, as of a class statement: cloudpickle makes the class in another process, and then
            # sets what it has. Without slots, which cannot be set.
            return super().__new__(mcs, name, bases, namespace)
        frame = sys._getframe(1)
        location = Location(frame.f_code.co_filename, frame.f_lineno)
        try:
            return _build(mcs, name, bases, namespace, settings, frame.f_locals, location)
        except DeclarationError as error:
            declared = collected()
            if declared is None:
                raise
            why = DeclarationError(placed(str(error), location))
            return declared.stand_in(name, bases, namespace, why)

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **settings: Any) -> None:
        super().__init__(name, bases, namespace)

    def __repr__(cls) -> str:
        schema = cls.__dict__.get("__schema__")
        shown = f"<model {cls.__name__}: {schema.place}, row key {schema.key.shape}>" if schema else None
        return printable(shown or super().__repr__())


def _build(
    mcs: type[ModelMeta],
    name: str,
    bases: tuple[type, ...],
    namespace: dict[str, Any],
    settings: dict[str, Any],
    scope: Mapping[str, Any],
    location: Location,
) -> type:
    refuse_private(name, namespace)
    body = {attribute: _class_value(value) for attribute, value in namespace.items()}
    for attribute, value in namespace.items():
        if isinstance(value, (*TYPED, DerivedDeclaration, RefusedDeclaration)):
            del body[attribute]
    body.setdefault("__slots__", ())
    cls = super(ModelMeta, mcs).__new__(mcs, name, bases, body)
    inherited = _inherited(name, bases)
    problems = Problems(location)
    cls.__declared__ = {**inherited, **declared_in(cls, namespace, scope, inherited.keys(), problems)}
    kind: str | None = getattr(cls, "_kept_as", None)
    view = problems.one(partial(_declared_view, name, kind, settings, location), None) if kind else None
    has_table = "table" in settings or view is not None
    if has_table:
        _refuse_names(name, cls.__declared__, problems)
    wrong = bool(problems)
    refuse_refused(name, namespace, problems)
    if not has_table:
        if kind is None:
            refuse_without_table(name, settings, problems)
        problems.refuse()
        return cls
    schema = _schema(cls, view, settings, problems, location, wrong=wrong)
    _review(schema)
    return _with_attrs(cls, schema)


def _schema(
    cls: ModelMeta,
    view: "DeclaredView | None",
    settings: dict[str, Any],
    problems: Problems,
    location: Location,
    *,
    wrong: bool,
) -> ModelSchema:
    """The schema of a class with a table, or a view; ``wrong`` is whether what it declares is known in part alone."""
    written = cls.__declared__
    if view:
        from btmodel.declare.views import as_declared, keywords_of

        keywords = keywords_of(view, settings, problems)
        cls.__declared__ = as_declared(view, written, problems)
    else:
        _refuse_taken(cls.__name__, written, problems)
        keywords = parse_keywords(cls.__name__, settings, problems)
    sound = not problems
    try:
        if wrong:  # a schema would lack attributes, which would only look like more that is wrong
            problems.refuse()
        schema = build_schema(cls, cls.__declared__, keywords, problems, location)
        if not view:
            return schema
        from btmodel.declare.views import with_view

        return with_view(view, schema, written, problems)
    except DeclarationError:
        declared = collected()
        if declared is not None and view is None:
            part, whole = part_of_schema(cls, cls.__declared__, keywords, location)
            declared.partial.append((part, whole and sound))
        raise


def _with_attrs(cls: ModelMeta, schema: ModelSchema) -> type:
    """The class of a model as attrs makes it, with its schema, its codec and its queries."""
    cls.__schema__ = schema
    made: Any = attrs.define(
        cls,
        these=_attrs_fields(cls.__name__, cls.__declared__),
        kw_only=True,
        repr=False,
        eq=False,
        getstate_setstate=False,
    )
    counters = {column.name for column in schema.columns if column.shape.summed}
    if counters:
        _refuse_to_give(made, counters)
    if "__replace__" in vars(made):
        delattr(made, "__replace__")  # that of attrs, from Python 3.13 on, knows whole rows alone
    late: Any = LateCodec(partial(_codec, made, schema, whole=not counters))
    made.__codec__ = late
    for query in schema.queries:
        setattr(made, query.name, ModelQuery(schema, query))
    for sql in schema.sql_queries:
        setattr(made, sql.name, ModelSql(schema, sql))
    checked: type = made
    return checked


def _declared_view(
    name: str, kind: str, settings: Mapping[str, Any], location: Location
) -> "DeclaredView | None":
    """The view that a class declares; None of a class that only passes its declarations on."""
    if not settings:
        return None
    from btmodel.declare.views import declared_view  # here: most models are of tables

    return declared_view(name, kind, settings, location)


def _refuse_taken(where: str, declared: Mapping[str, Attribute], problems: Problems) -> None:
    for name, attribute in declared.items():
        if isinstance(attribute.declaration, TakenDeclaration):
            said = f"{attribute.declaration.location}: {where}.{name}: only a bt.Index and a bt.Rollup take what another model has"
            problems.one(partial(_raise, DeclarationError(said)), None)


def _raise(error: DeclarationError) -> None:
    raise error


def _review(schema: ModelSchema) -> None:
    declared = collected()
    if declared is None:
        refuse(schema)
    else:
        declared.schemas.append(schema)


def _class_value(value: object) -> object:
    """The value that the class itself shows for a declaration: a constant is shown as its text."""
    return value.codec.text if isinstance(value, ConstantDeclaration) else value


def _inherited(name: str, bases: tuple[type, ...]) -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    for base in reversed(bases):
        if "__schema__" in base.__dict__:
            raise DeclarationError(
                f"{name}: {base.__name__} has a table of its own; inherit from a model without table="
            )
        refuse_other_base(name, base)
        found.update(getattr(base, "__declared__", {}))
    return found


def _refuse_names(where: str, declared: Iterable[str], problems: Problems) -> None:
    for name in declared:
        problems.one(partial(_refuse_name, where, name), None)


def _refuse_name(where: str, name: str) -> None:
    if name.startswith("_") or name in RESERVED:
        raise DeclarationError(f"{where}.{name}: this name is taken, or begins with an underscore")


def _attrs_fields(model: str, declared: Mapping[str, Attribute]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    key_first = sorted(declared.items(), key=lambda item: not isinstance(item[1].declaration, KeyDeclaration))
    for name, attribute in key_first:
        match attribute.declaration:
            case ColumnDeclaration(shape=shape) if shape.summed:
                held = HELD.get(shape)
                default = attrs.Factory(held.kind) if held else None
                fields[name] = attrs.field(default=default, init=False, on_setattr=_refuse_to_set)
            case ColumnDeclaration(shape=shape) if shape in HELD:
                fields[name] = attrs.field(
                    factory=HELD[shape].kind, converter=partial(as_held, shape, f"{model}.{name}")
                )
            case KeyDeclaration() | ColumnDeclaration() | TimestampDeclaration() as declaration:
                fields[name] = _field(declaration.default)
    fields[UNKNOWN] = attrs.field(init=False, default=(), eq=False, repr=False)
    return fields


def _field(default: object) -> Any:
    match default:
        case Required():
            return attrs.field()
        case Made(by):
            return attrs.field(factory=by)
    return attrs.field(default=default)


def _codec(cls: Any, schema: ModelSchema, *, whole: bool) -> "RowCodec[Any]":
    from btmodel.rows import RowCodec

    return RowCodec(schema, _make(cls, schema), cls if whole else None)


def _make(cls: Any, schema: ModelSchema) -> Callable[[dict[str, Any], tuple[Cell, ...]], Any]:
    whole = {part.name for part in schema.key.asked} | {column.name for column in schema.columns}
    if schema.stamp.stored and schema.stamp.attribute:
        whole.add(schema.stamp.attribute)
    counters = [column.name for column in schema.columns if column.shape.summed]

    def make(values: dict[str, Any], unknown: tuple[Cell, ...]) -> Any:
        if counters or len(values) < len(whole):
            return _unset(cls, values, unknown)
        row = cls(**values)
        if unknown:
            setattr(row, UNKNOWN, unknown)
        return row

    return make


def _unset(cls: Any, values: dict[str, Any], unknown: tuple[Cell, ...]) -> Any:
    """An instance of the fields that there are; those that were not asked for stay unset."""
    row = cls.__new__(cls)
    for name, value in values.items():
        object.__setattr__(row, name, value)
    object.__setattr__(row, UNKNOWN, unknown)
    return row


def _refuse_to_give(cls: Any, counters: Collection[str]) -> None:
    """Have the constructor of a model say why counters are none of its parameters."""
    construct = cls.__init__

    @wraps(construct)
    def init(self: Any, **values: Any) -> None:
        for name in values.keys() & counters:
            raise ValueRefused(COUNTED, values[name], where=f"{cls.__name__}.{name}")
        construct(self, **values)

    cls.__init__ = init


def _refuse_to_set(row: Any, attribute: Any, value: Any) -> None:
    raise ValueRefused(COUNTED, value, where=f"{type(row).__name__}.{attribute.name}")


def collecting() -> AbstractContextManager[Declared]:
    """Gather the models that are declared in this block, where each class with an error would be refused.

    A class that rules refuse is made all the same. Where no schema can be built, a
    :class:`StandIn` takes the place of the class, and why is among the problems.
    """
    return into(Declared(_stand_in))


class FollowUp(DeclarationError, AttributeError):
    """Raised by the use of a class that only stands in for a refused one; ``problem`` is why that was."""

    def __init__(self, stand_in: type) -> None:
        super().__init__(f"{stand_in.__name__} only stands in for a class that cannot be")
        self.problem: BtmodelError = stand_in.__dict__["__problem__"]


class StandIn(ModelMeta):
    """The class of what stands in for a model that cannot be, so that its module goes on.

    It shows what its body assigned, such as families, constants and methods. Any other
    use raises :class:`FollowUp`. What inherits from it is a stand-in, too, for the same problem.
    """

    __problem__: BtmodelError

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **settings: Any
    ) -> "StandIn":
        """Make what inherits from a stand-in, and report with its problem that this cannot be judged."""
        problem = next(base.__problem__ for base in bases if isinstance(base, StandIn))
        frame = sys._getframe(1)
        place = Location(frame.f_code.co_filename, frame.f_lineno)
        note(problem, f"{name} ({place}) inherits from it, so it is not reviewed")
        return _stand_in(name, bases, namespace, problem)

    def __getattr__(cls, name: str) -> NoReturn:
        """Reached for what the class would have if it could be."""
        raise FollowUp(cls)

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse to make a row."""
        raise FollowUp(cls)


def _stand_in(
    name: str, bases: tuple[type, ...], namespace: Mapping[str, Any], problem: BtmodelError
) -> StandIn:
    unused = (*TYPED, DerivedDeclaration, DeclaredQuery, DeclaredSql, RefusedDeclaration)
    body = {
        attribute: value
        for attribute, value in namespace.items()
        if not isinstance(value, (*unused, *UNTYPED) if is_private(attribute) else unused)
    }
    return type.__new__(StandIn, name, bases, {"__slots__": (), **body, "__problem__": problem})
