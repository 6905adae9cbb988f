"""The base class of models."""

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Never, TypeVar, cast

from btmodel.declare.body import Attribute
from btmodel.declare.declarations import KeyDeclaration
from btmodel.declare.keywords import without_table
from btmodel.declare.metaclass import UNKNOWN, FollowUp, ModelMeta, StandIn
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.rows.cells import Cell, cell_timestamp, now_micros
from btmodel.rows.collections import as_held
from btmodel.schema import Column, ModelSchema
from btmodel.words import did_you_mean, near

if TYPE_CHECKING:
    from btmodel.rows import Mutation, RowCodec


class LateFunction:
    """Stands in the base of models for a class method, and in each model with a table makes way for a function.

    ``made`` gives the function of a model, which is then the model's own: calling it costs what it does, and
    no more. ``general`` is what a class without a table has.
    """

    def __init__(
        self, general: "classmethod[Any, ..., Any]", made: Callable[[Any], Callable[..., Any]]
    ) -> None:
        self._general = general
        self._made = made

    def __get__(self, row: object, owner: Any) -> Callable[..., Any]:
        if "__schema__" not in owner.__dict__:
            return self._general.__get__(row, owner)
        function, general = self._made(owner), self._general.__func__
        name = general.__name__
        function.__name__, function.__doc__ = name, general.__doc__
        # So that it can be pickled, as what a pool of processes is to call.
        function.__module__, function.__qualname__ = owner.__module__, f"{owner.__qualname__}.{name}"
        # Where a class stands between that has one of its own, and asks for this one by `super()`, its own stays.
        if next(one for one in owner.__mro__ if name in one.__dict__).__dict__[name] is self:
            setattr(owner, name, Compiled(self, function))
        return function

    def __reduce__(self) -> tuple[Any, ...]:
        return _late_function, (self._general.__func__.__name__,)


class Compiled(staticmethod):  # type: ignore[type-arg]  # mypy wants parameters that the class has at no run time
    """What a :class:`LateFunction` made for a model. A copy of the class in another process compiles its own."""

    def __init__(self, late: LateFunction, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._late = late

    def __reduce__(self) -> tuple[Any, ...]:
        return self._late.__reduce__()


def _late_function(name: str) -> Any:
    from btmodel.declare.model import Model

    return Model.__dict__[name]


M = TypeVar("M", bound="Model")
UNREAD = object()


def _alike(one: Any, other: Any) -> bool:
    """Whether two values are equal; arrays, which compare item by item, are so in their shape and all items."""
    if hasattr(one, "shape") and hasattr(other, "shape"):
        return bool(one.shape == other.shape and (one == other).all())
    return bool(one == other)


class _OfInstances:
    """A method that a class does not have: printers would call it to show the class itself."""

    def __init__(self, method: Callable[..., None]) -> None:
        self._method = method

    def __get__(self, row: object, owner: type) -> Callable[..., None]:
        if row is None:
            raise AttributeError(self._method.__name__)
        return partial(self._method, row)


class Model(metaclass=ModelMeta):
    """The base of every model; a class without ``table=`` only passes its declarations on.

    Class keywords: ``table`` (its id), ``delimiter`` of the row key (``"#"``), ``events``
    (how many rows or events are written, as ``"5000/s"``), ``bucket`` (the time that a
    row holds, as ``"day"``), ``existing`` (True where rows of it are stored already),
    ``allow`` (rules that this model may break, each with the reason), and others that the documentation lists.
    """

    __schema__: ClassVar[ModelSchema]

    if not TYPE_CHECKING:
        # Hidden from type checkers, who would take every name for an attribute, and these parameters for a model's.

        def __init__(self, *args: Any, **values: Any) -> None:
            # Of a class without a table: a model has a constructor of its own.
            raise DeclarationError(without_table(type(self).__name__))

        def __getattr__(self, name: str) -> Any:
            # Reached only for what is not there, such as a column that the read left out.
            if name in tuple(Fields(self)):
                raise AttributeError(
                    f"{type(self).__name__}.{name} was not read: it is not among the columns that the read asked for"
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __eq__(self, other: object) -> bool:
        # A column that was not read is equal to one that was not read alone.
        if type(other) is not type(self):
            return NotImplemented
        return all(_alike(getattr(self, name, UNREAD), getattr(other, name, UNREAD)) for name in Fields(self))

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name, UNREAD) for name in (*Fields(self), UNKNOWN)}
        return {name: value for name, value in state.items() if value is not UNREAD}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        read = ((name, getattr(self, name, UNREAD)) for name in Fields(self))
        shown = ", ".join(f"{name}={value!r}" for name, value in read if value is not UNREAD)
        return f"{type(self).__name__}({shown})"

    def __replace__(self, /, **changes: Any) -> Any:
        # What `copy.replace` of Python 3.13 calls.
        return replace(self, **changes)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        # What pydantic calls for a model that stands where it wants a type, as in the signature of a route of FastAPI.
        from btmodel.declare.row_forms import core_schema_of

        return core_schema_of(cls, handler, from_dict, to_dict)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        from btmodel.declare.row_forms import json_schema_of

        return json_schema_of(cls, schema, handler)

    @_OfInstances
    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # What a notebook shows: an attribute a line.
        values = {name: getattr(self, name, UNREAD) for name in Fields(self)}
        width = max(map(len, values))
        lines = [
            f"  {name:<{width}}  {'(not read)' if value is UNREAD else repr(value)}"
            for name, value in values.items()
        ]
        printer.text("\n".join([type(self).__name__, *lines]))

    @classmethod
    def row_key(cls, /, *_: Never, **fields: Any) -> bytes:
        """The row key of these fields. Raises :class:`QueryRefused` and :class:`ValueRefused`."""
        return codec_of(cls).keys.of_fields(*_, **fields)

    @classmethod
    def read_key(cls, key: bytes, /) -> tuple[Any, ...]:
        """The fields of a row key, in their order, without its constants.

        Raises :class:`UndecodableKey`, and :class:`ValueRefused` for what is no bytes.
        """
        return codec_of(cls).keys.read(key)

    @classmethod
    def _key_of(cls, row: Any, /) -> bytes:
        """The key of a row. Raises :class:`ValueRefused`."""
        return codec_of(cls).keys.of_row(row)


class Index(Model):
    """The base of indexes: a view with one row for each row of a table, under another key. The service maintains it.

    Class keywords: ``of`` (the model of the table), ``view`` (its id), ``where`` (attributes of that model with the values that a row
    must have, ``bt.present()`` or ``bt.absent()``), ``delimiter`` of its row key, ``deletion_protection``, ``allow``. Its key ends with all
    fields of that model's key. Nothing is written to a view, and it lags behind its table.
    """

    _kept_as: ClassVar[str] = "index"


class Rollup(Model):
    """The base of rollups: a view with one row for each group of table rows that share its key fields.

    Class keywords as those of :class:`Index`. The service keeps it by itself: what leaves the table, also by garbage collection, leaves
    its sums. Nothing is written to a view, and it lags behind its table.
    """

    _kept_as: ClassVar[str] = "rollup"


_COMPILED: dict[str, Callable[[type[Model]], Callable[..., Any]]] = {
    "row_key": lambda model: codec_of(model).keys.of_fields,
    "read_key": lambda model: codec_of(model).keys.read,
    "_key_of": lambda model: codec_of(model).keys.of_row,
}
for _name, _made in _COMPILED.items():
    setattr(Model, _name, LateFunction(Model.__dict__[_name], _made))


def schema_of(model: type[Model], /, **parameters: str) -> ModelSchema:
    """The schema that a model class compiled to; ``parameters`` complete the ids of its table and families."""
    if isinstance(model, StandIn):
        raise FollowUp(model)
    if not isinstance(model, ModelMeta):
        raise DeclarationError(f"expected a model, a class that inherits from bt.Model, got {model!r}")
    schema = model.__dict__.get("__schema__")
    if not isinstance(schema, ModelSchema):
        raise DeclarationError(without_table(model.__name__))
    return schema.bound(parameters) if parameters else schema


def lacks_table(model: type[Model]) -> bool:
    """Whether a class has a field of a row key, as models have, and no table."""
    if "__schema__" in vars(model):
        return False
    declared: Mapping[str, Attribute] = getattr(model, "__declared__", {})
    return any(isinstance(one.declaration, KeyDeclaration) for one in declared.values())


def codec_of(model: type[M]) -> "RowCodec[M]":
    """The row codec of a model class: its rows to mutations, and cells back to rows."""
    schema_of(model)
    codec: RowCodec[M] = model.__codec__
    return codec


def key_of(row: Model) -> bytes:
    """The key of a row. Raises :class:`ValueRefused`."""
    try:
        return type(row)._key_of(row)
    except AttributeError:
        refuse_other(row)
        raise


def refuse_other(row: object) -> None:
    """Raise :class:`ValueRefused` for what is no instance of a model."""
    if not isinstance(row, Model):
        raise ValueRefused("a row, an object of a model", row)


def mutation_of(row: Model, now: datetime | None = None) -> "Mutation":
    """What ``put`` would send for a row, at ``now`` or at once; it prints as the request that it becomes.

    Raises :class:`ValueRefused`.
    """
    refuse_other(row)
    stamp = cell_timestamp(now) if now else now_micros()
    return codec_of(type(row)).encode(Fields(row), stamp)


def unknown_cells(row: Model) -> tuple[Cell, ...]:
    """The cells that were read with the row but belong to no attribute of its model. Raises :class:`ValueRefused`."""
    refuse_other(row)
    return cast("tuple[Cell, ...]", getattr(row, UNKNOWN))


# These are functions, as key_of is: every public name of a row is one that its model may give to a column.


def to_dict(row: Model, *, json: bool = False) -> dict[str, Any]:
    """The attributes of a row by name: key fields first, counters too; not what its read left out, nor unknown cells.

    With ``json`` the values are those of JSON, ready for ``json.dumps``, as in a cell of :class:`Json`: times and dates
    in ISO form, Decimals and UUIDs as text, bytes in base64, enums as their values; a history, marks and slots
    as an object from times to values, a set as a list, a mapping as an object. What JSON has no form for, as an array
    of numpy or a message of protobuf, is the base64 of its cell.

    Raises :class:`ValueRefused` for what is no row, and for a value that JSON cannot hold, as a float that is no number.
    """
    refuse_other(row)
    found = {name: value for name in Fields(row) if (value := getattr(row, name, UNREAD)) is not UNREAD}
    if not json:
        return found
    from btmodel.declare.row_forms import converted

    return converted(type(row), found, "write")


def from_dict(model: type[M], values: Mapping[str, Any], *, json: bool = False) -> M:
    """The row with ``values`` by name, as :func:`to_dict` gives them; with ``json``, they are values of JSON.

    What may be left out when a row is made may be left out here. Counters are taken, although writes leave them out.
    Raises :class:`ValueRefused` for a value of JSON that does not fit, and for names that are unknown or missing.
    """
    schema = schema_of(model)
    if not isinstance(values, Mapping):
        raise ValueRefused("a mapping from the names of attributes to values", values, where=model.__name__)
    given = {**values}
    if json:
        from btmodel.declare.row_forms import converted

        given = converted(model, given, "read")
    counters = {
        column.name: _counted(model, column, given.pop(column.name))
        for column in schema.columns
        if column.shape.summed and column.name in given
    }
    _refuse_names(model, given)
    row = model(**given)
    for name, value in counters.items():
        object.__setattr__(row, name, value)  # where an assignment is refused
    return row


def _counted(model: type[Model], column: Column, value: Any) -> Any:
    """What a counter holds; the numbers of its spans of time as a history, those of entries as a dict."""
    where = f"{model.__name__}.{column.name}"
    one_number = column.shape.single
    made = value if one_number else as_held(column.shape, where, value)
    for one in (made,) if one_number else made.values():
        if type(one) is not int and not (one is None and one_number):
            raise ValueRefused("a whole number, which a counter is", one, where=where)
    return made


def _refuse_names(model: type[Model], given: Mapping[str, Any]) -> None:
    """Refuse names that are no attributes of a row, and rows without what they must be given."""
    import attrs

    known = {field.name: field for field in attrs.fields(cast("Any", model)) if field.init}
    for name in given.keys() - known.keys():
        raise ValueRefused(
            f"names of attributes{did_you_mean(near(str(name), known))}", name, where=model.__name__
        )
    missing = [name for name, one in known.items() if one.default is attrs.NOTHING and name not in given]
    if missing:
        raise ValueRefused(f"values of {', '.join(missing)} as well", sorted(given), where=model.__name__)


def replace(row: M, /, **changes: Any) -> M:
    """A copy of a row with other values, given by name; collections are shared with ``row`` unless they are changed.

    What was not read stays so, and cells that the model does not know are kept. ``copy.replace`` of Python 3.13 is the same.
    Raises TypeError for an unknown name, and :class:`ValueRefused` for a counter.
    """
    refuse_other(row)
    known = tuple(Fields(row))
    unknown = changes.keys() - set(known)
    if unknown:
        name = min(unknown)
        raise TypeError(
            f"replace: {type(row).__name__} has no attribute {name!r}{did_you_mean(near(name, known))}: expected some of "
            f"{', '.join(known)}"
        )
    made = copy(row)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


class Fields(Mapping[str, Any]):
    """The attributes of an instance as a mapping, without copying them."""

    __slots__ = ("_row",)

    def __init__(self, row: Model) -> None:
        self._row = row

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self._row, name)
        except AttributeError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(type(self._row).__schema__.attributes)

    def __len__(self) -> int:
        return sum(1 for _ in self)
