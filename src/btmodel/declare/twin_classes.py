"""Twins, or dual writes: one write kept in several tables under different keys."""

import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Generic, TypeVar

from attrs import field, frozen

from btmodel.declare.declarations import here
from btmodel.declare.metaclass import StandIn
from btmodel.declare.model import Model, schema_of
from btmodel.errors import BtmodelError, DeclarationError, ValueRefused, raised
from btmodel.schema import Location, ModelSchema, Shape, TwinSchema, TwinsSchema
from btmodel.value import Value

M = TypeVar("M", bound=Model)


@frozen(eq=False, repr=False)
class Twin(Value):
    """A model that is written with another one, and the function that makes its row, or None for no row.

    ``copies`` is whether that function only takes the attributes of the same names.
    """

    model: type[Model]
    make: Callable[[Any], Model | Iterable[Model] | None] = field(repr=False)
    copies: bool = False

    def rows(self, source: Model) -> tuple[Model, ...]:
        """The rows that are written with ``source``. Raises :class:`ValueRefused` for one of another model."""
        try:
            given = self.make(source)
            made = () if given is None else (given,) if isinstance(given, Model) else tuple(given)
        except BtmodelError:
            raise
        except Exception as error:
            wanted = f"a row that its function takes (it raised {raised(error)})"
            raise ValueRefused(wanted, source, where=f"twin {self.model.__name__}") from error
        for one in made:
            if type(one) is not self.model:
                wanted = (
                    f"an instance of {self.model.__name__}, or None, or several in a list, from its function"
                )
                raise ValueRefused(wanted, one, where=f"twin of {type(source).__name__}")
        return made

    @property
    def schema(self) -> TwinSchema:
        """The twin as plain values."""
        name = None if self.copies else getattr(self.make, "__name__", type(self.make).__name__)
        return TwinSchema(schema_of(self.model), name)


@frozen(eq=False, repr=False)
class Twins(Value, Generic[M]):
    """A model and its twins; ``module`` is where they are declared.

    They are written in their order, the model itself first, or last where ``source_last``. ``owned`` is whether it is declared
    that no two rows of the model have the same row as a twin. ``moving`` is whether rows move from the one table to the other.
    """

    source: type[M]
    others: tuple[Twin, ...]
    source_last: bool = False
    owned: bool = False
    moving: bool = False
    module: str = field(default="", eq=False, repr=False)
    location: Location | None = field(default=None, eq=False, repr=False)

    def rows(self, row: M) -> tuple[Model, ...]:
        """``row`` and the rows of its twins, in the order in which they are written."""
        return tuple(one for rows in self.by_model(row) for one in rows)

    def by_model(self, row: M) -> tuple[tuple[Model, ...], ...]:
        """The same rows, those of each model by themselves, in the order of :attr:`models`."""
        others = tuple(twin.rows(row) for twin in self.others)
        return (*others, (row,)) if self.source_last else ((row,), *others)

    @property
    def models(self) -> tuple[type[Model], ...]:
        """The models in the order in which they are written."""
        others = tuple(twin.model for twin in self.others)
        return (*others, self.source) if self.source_last else (self.source, *others)

    @property
    def one_to_one(self) -> bool:
        """Whether no two rows of the model can have the same row as a twin."""
        return _schema(self, self.module, "").one_to_one


def twins(
    source: type[M],
    *others: "type[Model] | tuple[type[Model], Callable[[M], Model | Iterable[Model] | None]]",
    source_last: bool = False,
    owned: bool = False,
    moving: bool = False,
) -> Twins[M]:
    """Declare that each row of ``source`` is written to ``others``, too, whose keys serve other queries.

    A twin takes its attributes from those of ``source`` that have the same names, which
    is checked here; one that does not is given with a function, as
    ``(AircraftFlight, flight_of)``. The function gives one row, several in a list, or None where the twin has no row:
    what an earlier writing put there stays.

    The row of ``source`` is written first and deleted last, or, with ``source_last``, the other way round: what is
    first there and last gone is what readers may rely on. With ``owned`` you say that no two rows of ``source`` have the
    same row as a twin, so that it is deleted with its row, which of copies is known from the keys.

    With ``moving``, rows move from ``source`` to the one other model, which ``btmodel migrate`` fills meanwhile: every row of ``source``
    is written first and deleted first, and is the only one with its twin. Raises :class:`DeclarationError`.
    """
    location = here()
    if not others:
        raise DeclarationError(f"{location}: twins: expected at least one model beside {source!r}")
    if moving and (source_last or len(others) > 1):
        raise DeclarationError(
            f"{location}: twins: expected one model that the rows of {source!r} move to, which is written after them"
        )
    if not _is_model(source):
        raise DeclarationError(f"{location}: twins: expected a model of a table in front, got {source!r}")
    declared = tuple(_twin(location, source, other) for other in others)
    module = sys._getframe(1).f_globals.get("__name__", "")
    return Twins(source, declared, source_last, owned or moving, moving, module, location)


def _twin(location: Location, source: type[Model], other: Any) -> Twin:
    match other:
        case (model, make) if _is_pair(model, make):
            return Twin(model, make)
        case _ if not _is_model(other):
            raise DeclarationError(
                f"{location}: twins: expected models of tables, or pairs (model, function), got {other!r}"
            )
    if StandIn in (type(source), type(other)):
        return Twin(other, _copying(other, ()), copies=True)  # there is nothing to hold against each other
    theirs, ours = _attributes(schema_of(other)), _attributes(schema_of(source))
    for name, wanted in theirs.items():
        came = ours.get(name)
        if came != wanted:
            has = "which it does not have" if came is None else f"which is {_described(came)} there"
            raise DeclarationError(
                f"{location}: twins: {other.__name__}.{name} ({_described(wanted)}) would be taken from "
                f"{source.__name__}.{name}, {has}: give a function, "
                f"({other.__name__}, {other.__name__.lower()}_of)"
            )
    return Twin(other, _copying(other, tuple(theirs)), copies=True)


def _is_model(value: object) -> bool:
    return isinstance(value, StandIn) or (
        isinstance(value, type) and issubclass(value, Model) and "__schema__" in vars(value)
    )


def _is_pair(model: object, make: object) -> bool:
    return _is_model(model) and callable(make)


def _copying(model: type[Model], names: tuple[str, ...]) -> Callable[[Model], Model]:
    def make(row: Model) -> Model:
        return model(**{name: getattr(row, name) for name in names})

    return make


Held = tuple[Shape, tuple[type, ...]]


def _attributes(schema: ModelSchema) -> Mapping[str, Held]:
    """The attributes that a row is made of, with what they hold."""
    found: dict[str, Held] = {
        part.name: (Shape.VALUE, (part.codec.python_type,)) for part in schema.key.asked
    }
    for column in schema.columns:
        if not column.shape.summed:
            names = (column.names.python_type,) if column.names else ()
            values = () if column.shape.empty else (column.codec.python_type,)
            found[column.name] = (column.shape, names + values)
    if schema.stamp.stored and schema.stamp.attribute:
        found[schema.stamp.attribute] = (Shape.VALUE, (datetime,))
    return found


def _described(one: Held) -> str:
    shape, kinds = one
    names = " to ".join(getattr(kind, "__name__", str(kind)) for kind in kinds)
    return names if shape.plain else f"{shape.name.lower()} of {names}"


def twins_in(modules: Iterable[str]) -> list[TwinsSchema]:
    """The twins that the loaded ones of these modules show, each once, by its name where it is declared.

    Those in which a class only stands in for a model are left out.
    """
    found: dict[int, TwinsSchema] = {}
    for module in modules:
        for name, value in _contents(module):
            if isinstance(value, Twins) and id(value) not in found and not _stands_in(value):
                found[id(value)] = _schema(value, module, name)
    return list(found.values())


def _contents(module: str) -> list[tuple[str, object]]:
    """The contents of a module; a module may have replaced itself with any object."""
    return list(getattr(sys.modules.get(module), "__dict__", {}).items())


def _stands_in(twins: Twins[Any]) -> bool:
    return any(isinstance(model, StandIn) for model in twins.models)


def _schema(twins: Twins[Any], module: str, name: str) -> TwinsSchema:
    """The twins as plain values: what holds them where they are declared, or, where nothing does, ``name``."""
    declared = ((twins.module, known) for known, value in _contents(twins.module) if value is twins)
    module, name = next(declared, (module, name))
    others = tuple(twin.schema for twin in twins.others)
    return TwinsSchema(
        name,
        module,
        schema_of(twins.source),
        others,
        twins.source_last,
        twins.owned,
        twins.moving,
        twins.location,
    )
