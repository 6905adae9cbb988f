"""What generated methods take for columns: names of those that fit, and values of their types."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, assert_never

from attrs import evolve, frozen

from btmodel.schema import Column, ModelSchema, Shape
from btmodel.schema.model import WRITTEN
from btmodel.schema.possible_edits import (
    clears,
    counts,
    extends,
    identifies,
    increments,
    increments_entries,
    removes,
    sets_value,
    sorts,
    times_entries,
)
from btmodel_codegen.edit_docs import (
    add_doc,
    extend_doc,
    increment_doc,
    increment_entry_doc,
    put_if_doc,
    update_doc,
)
from btmodel_codegen.literals import literal
from btmodel_codegen.naming import Names, free, spelt
from btmodel_codegen.python_text import fitted
from btmodel_codegen.signatures import Parameter, handed_on, lines_of


@frozen
class ColumnChoice:
    """A parameter for names of columns, the type of the values that go with them, and the method's docstring."""

    parameter: str
    value: str = ""
    doc: str = ""


@frozen
class ColumnParameters:
    """Parameters that have the names of columns; ``key`` is the name of the one in front of them, ``at`` of a time behind."""

    key: str
    parameters: tuple[Parameter, ...]
    values: tuple[str, ...]
    doc: str = ""
    at: str = ""


@frozen
class Columns:
    """The columns of a model as its methods take them; None where no column fits, so that there is no method.

    ``column`` and ``field`` are the types of their names, the latter of those of the key, too; ``row`` and ``conditions``
    are the names of parameters, as is ``given``, which takes what is set by name. ``ends`` are those of a range of times of
    entries that edits remove. ``values`` are what is set, ``updated`` whether some of them can be set alone; ``cleared`` and ``families`` are what is cleared in edits.
    """

    column: str | None
    field: str | None
    expected: tuple[Parameter, ...]
    values: tuple[Parameter, ...]
    updated: bool
    cleared: str | None
    families: str | None
    row: str
    conditions: str
    begin: str
    given: str
    time: str
    put_if_doc: str
    update_doc: str
    entries: ColumnChoice | None
    named: tuple[Parameter, ...]
    versioned: bool
    increment: ColumnChoice | None
    increment_entry: ColumnChoice | None
    extend: ColumnChoice | None
    clear: ColumnChoice | None
    add: ColumnParameters | None
    remove: ColumnParameters | None
    ends: tuple[Parameter, ...]


def columns(model: ModelSchema, names: Names) -> Columns:
    """What the methods of a model take."""
    # In a model whose cells have times of their own the server cannot change one: it would give it the present.
    changed = [column for column in model.columns if model.stamp == WRITTEN and not identifies(model, column)]
    incremented, extended = [*filter(increments, changed)], [*filter(extends, changed)]
    entered = [*filter(increments_entries, changed)]
    parts = [part.name for part in model.key.asked]
    begin = free("begin", [*parts, *(column.name for column in model.columns)])
    cleared = [column.name for column in model.columns if clears(model, column)]
    return Columns(
        column=_column(model),
        field=_field(model),
        expected=tuple(_parameter(column, _compared(column, names)) for column in model.columns),
        values=tuple(_values(model, names)),
        updated=not model.stamp.expires,
        cleared=_named("*columns", cleared),
        families=_named("*families", [family.id for family in model.families]),
        row=free("row", [column.name for column in model.columns]),
        conditions=free("conditions", [column.name for column in model.columns]),
        begin=begin,
        given=free("values", [*parts, *model.key.hashed]),
        time=names.type(datetime) if cleared else "",
        put_if_doc=put_if_doc(model),
        update_doc=update_doc(model, begin),
        entries=_chosen("column", filter(sorts, model.columns), lambda one: _name_type(one, names)),
        named=tuple(
            _parameter(column, f"Iterable[{_name_type(column, names)}]")
            for column in filter(removes, model.columns)
        ),
        versioned=any(column.versioned for column in model.columns),
        increment=_chosen("column", incremented, lambda one: "int", increment_doc(model, incremented)),
        increment_entry=_chosen(
            "column", entered, lambda one: _name_type(one, names), increment_entry_doc(model, entered)
        ),
        extend=_chosen(
            "column", extended, lambda one: names.type(one.codec.python_type), extend_doc(model, extended)
        ),
        clear=_chosen(
            "*columns", (column for column in model.columns if clears(model, column)), lambda one: ""
        ),
        add=_added(model, names),
        remove=_given_columns(
            filter(removes, model.columns), lambda one: f"Iterable[{_name_type(one, names)}] | None"
        ),
        ends=_ends(model, names),
    )


def field_names(model: ModelSchema) -> list[str]:
    """The names of the attributes that rows hold: of the key, of the row's own time, and of the columns."""
    stamp = [model.stamp.attribute] if model.stamp.stored and model.stamp.attribute else []
    names = [*(part.name for part in model.key.asked), *stamp, *(column.name for column in model.columns)]
    return list(dict.fromkeys(names))


def types(model: ModelSchema) -> set[Any]:
    """The types that signatures and the fields of classes are annotated with."""
    found = {part.codec.python_type for part in model.key.asked}
    found |= {spelt(column.value_type) for column in model.columns}
    found |= {spelt(column.codec.annotation) for column in model.columns if column.shape.plain}
    found |= {spelt(column.names.python_type) for column in model.columns if column.names}
    if (
        model.stamp.stored
        or model.series
        or any(clears(model, column) or times_entries(column) for column in model.columns)
    ):
        found.add(datetime)
    if any(column.shape is Shape.MEMBERS for column in model.columns):
        found.add(set)
    if model.holds_events:
        found.add(datetime)
    return found


def _column(model: ModelSchema) -> str | None:
    """The type of the names of the columns, or None where the model has none."""
    quoted = [f'"{column.name}"' for column in model.columns]
    return fitted(f"{model.name}Column = Literal[", quoted, "]") if quoted else None


def _field(model: ModelSchema) -> str | None:
    """The type of the names of what a row has as columns of a frame, or None where it has nothing."""
    quoted = [f'"{name}"' for name in field_names(model)]
    return fitted(f"{model.name}Field = Literal[", quoted, "]") if quoted else None


def _chosen(
    name: str, fitting: Iterable[Column], type_: Callable[[Column], str], doc: str = ""
) -> ColumnChoice | None:
    found = list(fitting)
    if not found:
        return None
    parameter = fitted(f"{name}: Literal[", [f'"{column.name}"' for column in found], "],", within=8)
    return ColumnChoice(parameter, " | ".join(sorted(set(map(type_, found)))), doc)


def _named(name: str, found: list[str]) -> str | None:
    """A parameter that takes some of these names."""
    quoted = [literal(one) for one in found]
    return fitted(f"{name}: Literal[", quoted, "],", within=8) if quoted else None


def _values(model: ModelSchema, names: Names) -> Iterator[Parameter]:
    """What is written to columns, by their names, and the time of a row that lies in the timestamps of its cells."""
    stamp = model.stamp
    if stamp.stored and stamp.attribute:
        optional = "" if stamp.required else " | None"
        yield Parameter(stamp.attribute, f"{names.type(datetime)}{optional}", stamp.attribute)
    for column in model.columns:
        if sets_value(column) and not identifies(model, column):
            yield _parameter(column, _written(column, names))


def _written(column: Column, names: Names) -> str:
    value = names.type(spelt(column.value_type))
    match column.shape:
        case Shape.VALUE:
            return value if column.required or value == "Any" else f"{value} | None"
        case Shape.MAPPING | Shape.COUNTERS:
            return f"Mapping[{_name_type(column, names)}, {value}]"
        case Shape.HISTORIES:
            return f"Mapping[{_name_type(column, names)}, Mapping[{names.type(datetime)}, {value}]]"
        case Shape.TIMED:
            return f"Mapping[{_name_type(column, names)}, tuple[{value}, {names.type(datetime)}]]"
        case Shape.MEMBERS:
            return f"{names.type(set)}[{_name_type(column, names)}]"
        case Shape.HISTORY | Shape.SLOTS | Shape.MARKS | Shape.COUNTS:
            return f"Mapping[{names.type(datetime)}, {value}]"
        case Shape.COUNTER:
            return value
        case _:
            assert_never(column.shape)


def _given_columns(
    fitting: Iterable[Column], type_: Callable[[Column], str], doc: str = ""
) -> ColumnParameters | None:
    found = tuple(_parameter(column, type_(column), "None") for column in fitting)
    if not found:
        return None
    key = free("key", [parameter.name for parameter in found])
    return ColumnParameters(key, found, lines_of(list(map(handed_on, found))), doc)


def _added(model: ModelSchema, names: Names) -> ColumnParameters | None:
    """What counters take; where some of them count spans of time, the time that says which."""
    found = _given_columns(
        filter(counts, model.columns), lambda one: f"{_amount(one, names)} | None", add_doc(model)
    )
    if found is None or not any(column.spans for column in model.columns):
        return found
    at = free("at", [parameter.name for parameter in found.parameters])
    time = Parameter(at, f"{names.type(datetime)} | None", at, "None")
    return evolve(
        found,
        parameters=(*found.parameters, time),
        values=(*found.values, f"{at},"),
        doc=add_doc(model, at),
        at=at,
    )


def _amount(column: Column, names: Names) -> str:
    """What a counter is added to with: a number, or one for each entry."""
    return _written(column, names) if column.shape.named else "int"


def _ends(model: ModelSchema, names: Names) -> tuple[Parameter, ...]:
    """The ends of a range of times of entries that are removed; none where entries have no times."""
    if not any(map(times_entries, model.columns)):
        return ()
    removed = [column.name for column in filter(removes, model.columns)]
    ends = (free("start", removed), free("end", removed))
    return tuple(Parameter(end, f"{names.type(datetime)} | None", end, "None") for end in ends)


def _parameter(column: Column, type_: str, default: str = "") -> Parameter:
    return Parameter(column.name, type_, column.name, default)


def _name_type(column: Column, names: Names) -> str:
    assert column.names is not None
    return names.type(spelt(column.names.python_type))


def _compared(column: Column, names: Names) -> str:
    """What a column is compared with: a value and what compares with one, or whether there is a cell."""
    if not column.shape.plain and column.shape is not Shape.HISTORY:
        return "Comparison[Any] | None"
    type_ = names.type(spelt(column.codec.annotation))
    if column.shape is Shape.HISTORY:
        return f"Comparison[{type_}] | None"
    return type_ if type_ == "Any" else f"{type_} | Comparison[{type_}] | None"
