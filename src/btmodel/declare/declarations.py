"""A declaration as written, until the metaclass compiles it, and the workload estimates that it takes."""

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypedDict, TypeVar, cast

from attrs import field, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.errors import DeclarationError, shown
from btmodel.schema import Derived, Expected, Family, GcRule, Location, Rate, Shape, Skew
from btmodel.schema.rate import parse_every
from btmodel.value import Value
from btmodel.words import meant

F = TypeVar("F", bound=Callable[..., Any])
P = TypeVar("P")


class Required:
    """The default of an attribute that has none."""

    def __repr__(self) -> str:
        return "required"


REQUIRED = Required()


@frozen(eq=False, repr=False)
class Made(Value):
    """The default of an attribute that a function makes for each row anew."""

    by: Callable[[], Any]


def default_of(what: str, default: object, factory: object) -> Any:
    """The default that a declaration gives, as a value or as a function; ``REQUIRED`` where it gives none."""
    if factory is None:
        if isinstance(default, (list, dict, set, bytearray)):
            raise DeclarationError(
                f"{what}: default: expected a value that rows can share, got {shown(default)}, which could be changed in one: "
                f"give default_factory={type(default).__name__}, or a function"
            )
        return default
    if default is not REQUIRED:
        raise DeclarationError(f"{what}: expected either default= or default_factory=, got both")
    if not callable(factory):
        raise DeclarationError(
            f"{what}: default_factory: expected a function without arguments, got {shown(factory)}"
        )
    return Made(factory)


@frozen(eq=False, repr=False)
class KeyDeclaration(Value):
    """A key field, as declared."""

    codec: KeyCodec[Any]
    mirror: str | tuple[str, CellCodec[Any]] | None
    default: Any
    figures: Mapping[str, Any]
    location: Location = field(eq=False)
    ends: bytes | None = None
    stored: bool = True
    of: str | None = None


@frozen(eq=False, repr=False)
class TakenDeclaration(Value):
    """An attribute of a view, as declared: a copy of ``of``, another model's attribute, or what a ``function`` makes of a group of rows."""

    of: str | None
    function: str | None
    location: Location = field(eq=False)


@frozen(eq=False, repr=False)
class ConstantDeclaration(Value):
    """A constant part of the key, as declared."""

    codec: Constant
    location: Location = field(eq=False)
    ends: bytes | None = None


@frozen(eq=False, repr=False)
class DerivedDeclaration(Value):
    """A part of the key that follows from other attributes, as declared."""

    codec: KeyCodec[Any]
    derived: Derived
    location: Location = field(eq=False)
    ends: bytes | None = None


@frozen(eq=False, repr=False)
class ColumnDeclaration(Value):
    """A column, or a family as many columns, as declared."""

    shape: Shape
    qualifier: bytes
    family: Family
    codec: CellCodec[Any] | None
    default: Any
    figures: Mapping[str, Any]
    location: Location = field(eq=False)
    names: KeyCodec[Any] | None = None
    every: str | None = None
    slot_names: str | None = None
    keep_undecoded: bool = False
    also: tuple[bytes, ...] = ()
    renamed_from: bytes | None = None
    round: bool = False


@frozen(eq=False, repr=False)
class TimestampDeclaration(Value):
    """A time that lives in the timestamps of the row's cells, as declared."""

    default: Any
    location: Location = field(eq=False)
    expires: bool = False
    round: bool = False


@frozen(eq=False, repr=False)
class RefusedDeclaration(Value):
    """Stands in a class body for a declaration that was refused: the class is refused with it, by its name, beside all else that is wrong.

    ``why`` is None where it follows from another one.
    """

    why: DeclarationError | None
    location: Location

    def of(self, where: str) -> DeclarationError:
        """Why ``where``, the attribute of a class, is refused."""
        said = str(self.why).removeprefix(f"{self.location}: ")
        return DeclarationError(f"{self.location}: {where}: {said}")

    def __set_name__(self, owner: type, name: str) -> None:
        """Raise what is wrong in the body of a class that is no model: metaclasses of models take it out before."""
        raise self.of(f"{owner.__name__}.{name}")


def as_bytes(name: object) -> bytes | None:
    """The bytes of a name that is given as text or as bytes; None for anything else."""
    if isinstance(name, str):
        try:
            return name.encode()
        except UnicodeEncodeError:
            return None
    return name if isinstance(name, bytes) else None


def former_qualifier(what: str, qualifier: bytes, renamed_from: object) -> bytes | None:
    """The qualifier that the column had before, or a refusal of what is none."""
    raw = as_bytes(renamed_from)
    if renamed_from is not None and raw in (None, qualifier):
        raise DeclarationError(
            f"{what}: renamed_from: expected the qualifier that the column had before, as text or bytes, got {shown(renamed_from)}"
        )
    return raw


def other_qualifiers(what: str, own: bytes, also: object, former: bytes | None) -> tuple[bytes, ...]:
    """The other qualifiers of a column, ``former`` first, or a refusal of what is none, or there twice."""
    given = (
        (also,) if isinstance(also, str | bytes) else tuple(also) if isinstance(also, Iterable) else (also,)
    )
    others = [raw for qualifier in given if (raw := as_bytes(qualifier)) is not None]
    taken = {own} if former is None else {own, former}
    if len({*taken, *others}) < len(given) + len(taken):
        besides = "" if former is None else f" than {former!r} of renamed_from"
        raise DeclarationError(
            f"{what}: also: expected other qualifiers{besides}, each once, as text or bytes, got {shown(also)}"
        )
    return tuple(others) if former is None else (former, *others)


def delimiter(what: str, value: object, location: Location) -> bytes | None:
    """The bytes of a delimiter that a field has of its own, or None where none is given."""
    raw = as_bytes(value)
    if value is not None and raw is None:
        raise DeclarationError(
            f"{location}: {what}: ends: expected a delimiter, text or bytes, got {value!r}"
        )
    return raw


def here(depth: int = 2) -> Location:
    """The line of the caller's caller, or of ``depth`` calls up: where the declaration stands."""
    frame = sys._getframe(depth)
    while frame.f_globals is globals() and frame.f_back is not None:
        frame = frame.f_back  # what is around a function that declares
    return Location(frame.f_code.co_filename, frame.f_lineno)


def declares(function: F) -> F:
    """``function``, which raises :class:`DeclarationError` with the place where its arguments are not those that it takes.

    In the body of a class that waits for the end of the body, which knows the name of the attribute.
    """

    @wraps(function)
    def declaration(*args: Any, **given: Any) -> Any:
        try:
            try:
                return function(*args, **given)
            except TypeError as error:
                if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                    raise  # from within
                why = _misfit(function, args, given)
            raise DeclarationError(f"{here()}: {function.__name__}: expected {why}")
        except DeclarationError as error:
            if not {"__module__", "__qualname__"} <= set(sys._getframe(1).f_locals):
                raise
            return RefusedDeclaration(error, here())

    return cast("F", declaration)


def _misfit(function: Callable[..., Any], args: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """The parameters that ``function`` takes, and why the call does not fit them."""
    taken = signature(function)
    wanted = ", ".join(name for name, parameter in taken.parameters.items() if _must_be_given(parameter))
    came = "" if args or given else ", got nothing"
    known = [name for name, parameter in taken.parameters.items() if _can_be_named(parameter)]
    unknown = next((name for name in given if name not in taken.parameters), None)
    if unknown is not None and not any(
        each.kind is Parameter.VAR_KEYWORD for each in taken.parameters.values()
    ):
        return f"{function.__name__}({wanted}){came}: got an unexpected keyword argument {unknown!r}{meant(unknown, known)}"
    try:
        taken.bind(*args, **given)
    except TypeError as error:
        return f"{function.__name__}({wanted}){came}: {error}"
    raise AssertionError(f"{function.__name__} takes what it refused")


def _can_be_named(parameter: Parameter) -> bool:
    return parameter.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def _must_be_given(parameter: Parameter) -> bool:
    several = parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return parameter.default is Parameter.empty and not several


class KeyFigures(TypedDict, total=False):
    """What is known of the values of a key field.

    ``cardinality``: how many distinct ones are expected. ``sequential``: whether they are given
    one after the other, as from a counter. ``domain``: whether they are names of internet
    domains. ``tenant``: whether they say whose data a row is. ``pii``: whether they identify a
    person. ``skew``: how unevenly values come, ``"90%:200"`` where 200 values have 90 % of the events, or ``"zipf:0.99"``
    where the frequency of rank r is proportional to r ** -0.99.
    ``changes``: whether a row gets another value in its life. Where ``domain``, ``tenant``, ``pii`` and ``changes`` are not
    said, the name of the field is judged. ``size``: the bytes of a typical value, where
    that is not the middle of the least and the most.
    """

    cardinality: int
    size: int
    sequential: bool
    domain: bool
    tenant: bool
    pii: bool
    changes: bool
    skew: str


class KeepFigures(TypedDict, total=False):
    """``keep``: what this column wants to be kept, as a GC rule; a family keeps the same of all its columns."""

    keep: GcRule


class SizeFigures(KeepFigures, total=False):
    """``size`` and ``max_size``: the bytes of a typical value, and of the largest."""

    size: int
    max_size: int


class ColumnFigures(SizeFigures, total=False):
    """``cardinality``: how many distinct values are expected; ``increments``: how often the cell of a row is added to."""

    cardinality: int
    increments: str


class HistoryFigures(SizeFigures, total=False):
    """``every``: the time between two events of a row, as ``"1min"``."""

    every: str


class MarkFigures(KeepFigures, total=False):
    """``every``: the time between two events of a row, as ``"1min"``."""

    every: str


class MappingFigures(SizeFigures, total=False):
    """``entries``: the most entries that a row has."""

    entries: int


class HistoriesFigures(MappingFigures, total=False):
    """``every``: the time between two versions of an entry, as ``"1day"``."""

    every: str


class MemberFigures(KeepFigures, total=False):
    """``entries``: the most members that a row has."""

    entries: int


class CounterFigures(TypedDict, total=False):
    """``increments``: how often the cell of a row is added to, as ``"200/min"``."""

    increments: str


class CountersFigures(CounterFigures, total=False):
    """``entries``: the most entries that a row has; ``increments``: how often those of one row are added to."""

    entries: int


ESTIMATES: dict[Shape, type] = {
    Shape.VALUE: ColumnFigures,
    Shape.HISTORY: HistoryFigures,
    Shape.SLOTS: SizeFigures,
    Shape.MARKS: MarkFigures,
    Shape.MAPPING: MappingFigures,
    Shape.HISTORIES: HistoriesFigures,
    Shape.TIMED: MappingFigures,
    Shape.MEMBERS: MemberFigures,
    Shape.COUNTER: CounterFigures,
    Shape.COUNTERS: CountersFigures,
    Shape.COUNTS: CounterFigures,
}


# More than anybody counts; the rules compute with products of such numbers.
_MOST = 10**18


def expected(shape: Shape, given: Mapping[str, Any], what: str) -> Expected:
    """The figures of a column of this shape; ``what`` names it, with its place, in a refusal."""
    if not given:
        return Expected()
    _refuse_unknown(ESTIMATES[shape], given, what)
    keep = given.get("keep")
    if keep is not None and not isinstance(keep, GcRule):
        raise DeclarationError(f"{what}: keep: expected a rule such as max_versions(1), got {keep!r}")
    return Expected(
        size=_number(what, "size", given, least=0),
        max_size=_number(what, "max_size", given, least=0),
        cardinality=_number(what, "cardinality", given),
        every=parsed(what, parse_every, given.get("every")),
        entries=_number(what, "entries", given),
        keep=keep,
        increments=parsed(what, lambda text: Rate.parse(text, "increments"), given.get("increments")),
    )


def key_figures(given: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The figures of a key field, checked, by name; ``what`` names it, with its place, in a refusal."""
    _refuse_unknown(KeyFigures, given, what)
    for name, value in given.items():
        if name not in ("cardinality", "size", "skew") and type(value) is not bool:
            raise DeclarationError(f"{what}: {name}: expected True or False, got {value!r}")
    numbers = {name: _number(what, name, given) for name in ("cardinality", "size")}
    return {**given, **numbers, "skew": _skew(what, given.get("skew"), numbers["cardinality"])}


def _skew(what: str, given: object, cardinality: int | None) -> Skew | None:
    if given is None:
        return None
    try:
        found = Skew.parse(given)
    except ValueError as error:
        raise DeclarationError(f"{what}: skew: {error}") from None
    if cardinality is not None and found.values > cardinality:
        raise DeclarationError(
            f"{what}: skew: expected up to {cardinality:,} values, as many as the `cardinality`, got {found.values:,}"
        )
    return found


def _refuse_unknown(known: type, given: Mapping[str, Any], what: str) -> None:
    names = sorted(known.__annotations__)
    for name in given:
        if name not in names:
            raise DeclarationError(f"{what}: unknown argument {name!r}{meant(name, names)}")


def _number(what: str, name: str, given: Mapping[str, Any], least: int = 1) -> int | None:
    value = given.get(name)
    if value is None or (type(value) is int and least <= value <= _MOST):
        return value
    wanted = f"from {least} to 10**18" if type(value) is int and value > _MOST else f"from {least} on"
    raise DeclarationError(f"{what}: {name}: expected a number {wanted}, got {shown(value)}")


def parsed(what: str, parse: Callable[[object], P], value: object) -> P | None:
    """What ``parse`` makes of an argument; None where it is not given. ``what`` names it in a refusal."""
    try:
        return None if value is None else parse(value)
    except DeclarationError as error:
        raise DeclarationError(f"{what}: {error}") from None
