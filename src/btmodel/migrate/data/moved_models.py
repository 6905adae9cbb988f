"""The old and the new model of a move side by side: why rows cannot move from one to the other, and where their cells go."""

from collections.abc import Iterable
from typing import Any

import attrs

from btmodel.codecs.cell.wrapping import Mapped
from btmodel.codecs.key import KeyCodec
from btmodel.migrate.data.copies import keeps_less
from btmodel.recorded.layouts import other_span
from btmodel.rows.columns import ColumnCodec
from btmodel.schema import Column, Family, ModelSchema
from btmodel.schema.layout import layout_of

# What the names of recorded models begin with in the code of a step.
OLD = "Old"


def columns_of_both(old: ModelSchema, new: ModelSchema) -> dict[str, tuple[Column, Column]]:
    """The columns that both models have, by the names of their attributes."""
    by_name = {column.name: column for column in new.columns}
    return {column.name: (column, by_name[column.name]) for column in old.columns if column.name in by_name}


def family_places(old: ModelSchema, new: ModelSchema) -> dict[str, str]:
    """The families of new rows by those of old ones, for cells of columns that neither model declares.

    A family keeps its id; where the new model has none of that id, the family takes these cells to which all columns of both models go.
    """
    found = {family.id: family.id for family in new.families}
    taken = {family.id for family in old.families}
    for family in old.families:
        goes = {
            there.family for here, there in columns_of_both(old, new).values() if here.family == family.id
        }
        if family.id not in found and len(goes) == 1 and not goes & taken:
            found[family.id] = goes.pop()
    return found


def family_pairs(old: ModelSchema, new: ModelSchema) -> frozenset[tuple[str, str]]:
    """The families of old rows whose cells are copied, each with a family of the new rows to which they go."""
    by_column = {(here.family, there.family) for here, there in columns_of_both(old, new).values()}
    return frozenset(by_column | set(family_places(old, new).items()))


def tighter(
    old: Iterable[Family], new: Iterable[Family], pairs: Iterable[tuple[str, str]]
) -> tuple[tuple[Family, Family], ...]:
    """Of ``pairs`` of ids, the families whose GC rule keeps cells that the rule of the new one deletes, each with that."""
    before, after = {family.id: family for family in old}, {family.id: family for family in new}
    return tuple(
        (before[here], after[there])
        for here, there in sorted(pairs)
        if here in before and there in after and keeps_less(after[there], before[here])
    )


def refusal(old: ModelSchema, new: ModelSchema) -> str | None:
    """Why rows of ``old`` cannot be moved to ``new``; None if they can."""
    sums = [
        f"{model.name}.{column.name}"
        for model in (old, new)
        for column in model.columns
        if column.shape.summed
    ]
    sums += [
        f"family {family.id} of {model.name}"
        for model in (old, new)
        for family in model.families
        if family.aggregate
    ]
    if sums:
        return (
            f"{', '.join(sums)}: sums cannot be moved while they are added to, because an addition to the old sum and its copy "
            "cannot be told apart: let the application add to both tables, and fill in the rest with a data step once the old one rests"
        )
    why = _other_span(old, new) or _other_key(old, new)
    if why:
        return why
    shapes = {column.name: column for column in new.columns}
    for column in old.columns:
        other = shapes.get(column.name, column)
        if other.shape is not column.shape or other.slots != column.slots:
            one = (
                ", which makes one value of all events of a row"
                if column.eventful and other.shape.single
                else ""
            )
            return (
                f"{column.name} holds {column.shape.lies} in {old.name}, and {other.shape.lies} in {new.name}: give it another name, "
                f"and fill it in the function{one}"
            )
    return None


def _other_span(old: ModelSchema, new: ModelSchema) -> str | None:
    found = other_span(layout_of(old), layout_of(new), kept=[column.name for column in new.columns])
    if found is None:
        return None
    return (
        f"a row of {old.name} holds {found.before}, and one of {new.name} {found.after}, but rows are moved one by one: "
        f"declare the new model without moved_from=, {found.way(old.name.removeprefix(OLD))}"
    )


def _other_key(old: ModelSchema, new: ModelSchema) -> str | None:
    """Why a new row would not say which old row it comes from; None if it does."""
    lost = [field.name for field in old.key.asked if field.name not in new.attributes]
    if lost:
        return (
            f"rows of {new.name} do not hold {', '.join(lost)} of the key of {old.name}, so two old rows could become one: "
            "declare it as a key field or a column of the new model"
        )
    types = {field.name: field.codec.python_type for field in new.key.asked}
    types |= {column.name: column.codec.python_type for column in new.columns if column.shape.plain}
    for field in old.key.asked:
        before = field.codec.python_type
        if types.get(field.name) is not before:
            after = types[field.name].__name__ if field.name in types else "no plain value"
            return (
                f"{field.name} is {before.__name__} in the key of {old.name}, and {after} in {new.name}, but a new row must hold the "
                "old key as it is: give the new attribute another name, and declare this one with the old type"
            )
    return None


def holds_exactly(codec: KeyCodec[Any]) -> bool:
    """Whether a codec holds just the values that it is given: not where it rounds, nor where functions of the user decide."""
    kind: type[Any] = type(codec)
    given = [getattr(codec, one.name) for one in attrs.fields(kind)] if attrs.has(kind) else []
    inner = [value for value in given if isinstance(value, KeyCodec)]
    own = isinstance(codec, Mapped) or not kind.__module__.startswith("btmodel.")
    return not own and not getattr(codec, "round", False) and all(map(holds_exactly, inner))


def renamed_qualifier(old: Column, writes: ColumnCodec, name: bytes) -> bytes:
    """The qualifier of an entry, as the new column ``writes`` it; raises :class:`ValueRefused` with the attribute."""
    new = writes.column
    if old.names is None or new.names is None or old.names == new.names:
        return new.qualifier + name
    return writes.qualifier(old.names.decode(name))
