"""Copies of rows in a second table: the columns that they have, the cell that each needs, the rows that have none, and tables that may be such copies."""

import re

from attrs import evolve

from btmodel.design.covered import as_file, covered
from btmodel.schema import Column, Mirror, ModelSchema
from btmodel.schema.possible_edits import added_to
from btmodel.words import quoted


def copied(model: ModelSchema, made: ModelSchema) -> ModelSchema:
    """``made`` as a second table of copies of the rows of ``model``: with what its queries read alone, and with a cell in each row.

    Dual writes copy what is put, and no additions. A row of the second table may lack all columns that are left there although
    its first row has others: a field of its key then has a cell, too, that of its column if it was one. It stays as it is where
    nothing is put, as of a model of counters alone.
    """
    put = {column.name for column in model.columns if not column.shape.summed}
    put |= {part.name for part in model.key.fields if part.mirror}
    if not put:
        return made
    held = covered(made)
    made = evolve(made, columns=held)
    certain = any(column.required for column in held) or any(part.mirror for part in made.key.fields)
    if certain or put <= {column.name for column in held}:
        return made
    return _with_a_cell(model, made)


def _with_a_cell(model: ModelSchema, made: ModelSchema) -> ModelSchema:
    """``made`` with a mirror of a field of its key: one that was a column keeps its cell, another one gets a cell of its name, which lives as long as those that are left out."""
    columns = {column.name: column for column in model.columns if column.shape.plain}
    fields = [part for part in made.key.fields if part.asked and not part.optional]
    part = next((one for one in fields if one.name in columns), None)
    if part is not None:
        column = columns[part.name]
        mirror = Mirror(column.family, column.qualifier, column.codec)
    else:
        part = next((one for one in fields if one.name in {old.name for old in model.key.fields}), None)
        left = [column for column in model.columns if not column.shape.summed and column not in made.columns]
        family = next((column.family for column in sorted(left, key=lambda one: not one.required)), None)
        if part is None or family is None:
            return made
        mirror = Mirror(family, _qualifier(model, family, part.name), part.codec.mirror())
    fields_then = tuple(evolve(one, mirror=mirror) if one == part else one for one in made.key.fields)
    return evolve(made, key=evolve(made.key, fields=fields_then))


def _qualifier(model: ModelSchema, family: str, name: str) -> bytes:
    """The name as a qualifier that no column of the family has."""
    taken = {qualifier for known, qualifier in model.single_cells if known == family}
    names = (f"{name}{end}".encode() for end in ("", "_key", *range(2, len(taken) + 3)))
    return next(one for one in names if one not in taken)


def kept_cell(model: ModelSchema, made: ModelSchema) -> str:
    """How the key field of a second table gets its cell, as a part of a sentence; empty where no row needs that."""
    known = {part.name: part for part in model.key.fields}
    for part in made.key.fields:
        if part.mirror is not None and (part.name not in known or known[part.name].mirror is None):
            if part.name not in known:
                return its_cell(part.mirror)
            return f", with a cell for `{part.name}`, {_declared(part.mirror)}, as a row needs one"
    return ""


def its_cell(place: Mirror | Column) -> str:
    """How a column that becomes a key field keeps its cell, as a part of a sentence."""
    return f", and keep its cell, {_declared(place)}, as a row needs one"


def _declared(place: Mirror | Column) -> str:
    return f'`mirror="{place.family}:{place.qualifier.decode(errors="backslashreplace")}"`'


def of_additions(model: ModelSchema, made: ModelSchema) -> str:
    """What additions mean for a second table of copies, as the end of a sentence; empty where the model has none."""
    added = [column for column in model.columns if added_to(column)]
    inside = [column.name for column in made.columns if added_to(column)]
    asked = {part.name for part in made.key.fields}
    keyed = [column.name for column in added if column.name in asked]
    stay = [column.name for column in added if column.name not in {*asked, *inside}]
    text = ""
    if keyed:
        text += f"; additions to {quoted(keyed)} reach no second table, so let a batch job write it"
    if inside:
        text += f"; add to {quoted(inside)} in both tables, as dual writes copy what is put, and no additions"
    if stay:
        one = len(stay) == 1
        text += (
            f"; {quoted(stay)}, which {'is' if one else 'are'} added to, {'stays' if one else 'stay'} in `{model.name}`, "
            "as dual writes copy no additions"
        )
    return text


def _left(model: ModelSchema, made: ModelSchema) -> list[Column]:
    """The columns of which a second table has nothing, neither in a cell nor in its key."""
    held = {*(part.name for part in made.key.fields), *(column.name for column in made.columns)}
    return [column for column in model.columns if column.name not in held]


def of_files(model: ModelSchema, made: ModelSchema) -> str:
    """Which values are too large to be copied to a second table, as the end of a sentence; empty where none is."""
    left = [column.name for column in _left(model, made) if as_file(column)]
    return (
        f"; {quoted(left)}, too large for a second copy, {'stays' if len(left) == 1 else 'stay'} in `{model.name}`, where the key of the row finds {'it' if len(left) == 1 else 'them'}"
        if left
        else ""
    )


def of_unread(model: ModelSchema, made: ModelSchema) -> str:
    """Which values no query of a second table reads, so that it has none of them, as the end of a sentence; empty where there are none."""
    left = [column.name for column in _left(model, made) if not (added_to(column) or as_file(column))]
    if not left or not all(query.only for query in made.queries):
        return ""
    one = len(left) == 1
    return f"; {quoted(left)}, which no query of it reads, {'stays' if one else 'stay'} in `{model.name}`"


def copyable(model: ModelSchema, made: ModelSchema) -> bool:
    """Whether dual writes keep the rows of the second table as those of the first are: its cells and its key are not added to."""
    asked = {part.name for part in made.key.fields}
    return not any(
        added_to(column)
        for column in (*made.columns, *(column for column in model.columns if column.name in asked))
    )


def lacking(model: ModelSchema, made: ModelSchema) -> list[str]:
    """The fields of a second table that are columns which rows of the first may lack."""
    optional = {column.name for column in model.columns if not column.required}
    return [part.name for part in made.key.asked if part.name in optional]


def rows_left_out(model: ModelSchema, made: ModelSchema) -> str:
    """Which rows have none in the second table, as the end of a sentence; empty where each has one."""
    names = lacking(model, made)
    return f"; a row without {quoted(names)} has no row there" if names else ""


def maker(made: ModelSchema) -> str:
    """The name of the function that makes a row of a second table."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", made.name).lower()


def as_twin(model: ModelSchema, made: ModelSchema) -> str:
    """A second table as dual writes name it: its class, or the class with the function that makes its rows, or None."""
    return f"({made.name}, {maker(made)})" if lacking(model, made) else made.name


def a_row_each(model: ModelSchema) -> bool:
    """Whether the table has a row for each of its events, each column with one value."""
    return (
        model.events is not None
        and not (model.bucket is not None or model.undeclared or model.view is not None)
        and all(column.shape.plain for column in model.columns)
    )
