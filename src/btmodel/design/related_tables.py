"""Tables that hold the same entity, or whose names follow a pattern."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from attrs import evolve, frozen

from btmodel.codecs.key import Kind
from btmodel.design.keys import UNKNOWN_NAME
from btmodel.design.overlap import behind
from btmodel.design.series import bucket_codec
from btmodel.on_demand import pattern
from btmodel.schema import Bucket, KeyField, ModelSchema
from btmodel.value import Value

_DATE = pattern(r"(?<![0-9])(?:19[89]|20[0-9])[0-9](?:[-_.]?(?:0[1-9]|1[0-2])(?:[-_.]?[0-3][0-9])?)?\Z")
_WORD = pattern(r"[0-9]+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def date_in(table: str) -> str:
    """The year, month or day that ends a table's id: ``2015`` of ``EVENTS_2015``; empty where none does."""
    found = _DATE.search(table)
    # A table that is called by a year alone has nothing else to be called by.
    return found[0] if found and table[: found.start()].strip("-_.") else ""


def undated(table: str) -> str:
    """The id without the date that ends it, and without what joined the two."""
    return table.removesuffix(date_in(table)).strip("-_.")


def without(table: str, value: str) -> str:
    """The id without ``value``, where that comes first in it, and without what joined the two."""
    return re.sub("[-_.]{2,}", "_", table.replace(value, "", 1)).strip("-_.")


def patterns(table: str) -> Iterator[tuple[str, str]]:
    """The id with a word or a number of it left out, each with what was left out."""
    for found in _WORD.finditer(table):
        yield f"{table[: found.start()]}*{table[found.end() :]}", found[0]


def by_table(models: Iterable[ModelSchema]) -> dict[str, list[ModelSchema]]:
    """The models of each table."""
    found: dict[str, list[ModelSchema]] = {}
    for model in models:
        found.setdefault(model.table, []).append(model)
    return found


def sharing_tables(models: Iterable[ModelSchema]) -> Iterator[list[ModelSchema]]:
    """The models of each table that is shared by several."""
    yield from (sharing for sharing in by_table(models).values() if len(sharing) > 1)


Identity = tuple[str, str]


def identity(model: ModelSchema) -> Identity:
    """The identity of a model: its module and its name."""
    return model.module, model.name


def by_name(models: Iterable[ModelSchema]) -> dict[str, list[ModelSchema]]:
    """The models of each name."""
    found: dict[str, list[ModelSchema]] = {}
    for model in sorted(models, key=identity):
        found.setdefault(model.name, []).append(model)
    return found


def partner(model: ModelSchema, name: str, known: Mapping[str, Sequence[ModelSchema]]) -> ModelSchema | None:
    """The model that ``model`` means by ``name``: that of its own module, where several have the name."""
    named = known.get(name, ())
    return next((schema for schema in named if schema.module == model.module), named[0] if named else None)


def read_together(models: Sequence[ModelSchema]) -> frozenset[frozenset[Identity]]:
    """The pairs of models that some query reads together."""
    known = by_name(models)
    return frozenset(
        frozenset((identity(model), identity(other)))
        for model in models
        for query in model.queries
        for name in query.together
        if (other := partner(model, name, known))
    )


# Two tables that differ in a word may be two things; three of them are a list (this project's own figure).
WORDS = 3
NUMBERS = 2


@frozen(eq=False, repr=False)
class FamilyOfTables(Value):
    """Models alike, of tables whose ids differ in one word or number; ``values`` are those."""

    name: str
    field: str
    values: tuple[str, ...]
    models: tuple[ModelSchema, ...]


def alike(models: Iterable[ModelSchema]) -> Iterator[list[ModelSchema]]:
    """The models in groups of the same families, columns and key fields, one of a table.

    Constants in a key may be other ones, as they distinguish such models, at the same places. A table that is named at
    run time is none of them, nor is a table of which nothing but its families is known.
    """
    groups: dict[object, list[ModelSchema]] = {}
    for model in sorted(models, key=identity):
        if model.columns and model.key.asked and not model.parameters:
            names = (*(part.name for part in model.key.asked), *(column.name for column in model.columns))
            groups.setdefault(names, []).append(model)
    for group in groups.values():
        if len({model.table for model in group}) > 1:
            yield from _of_one_content(group)


def _of_one_content(models: Iterable[ModelSchema]) -> Iterator[list[ModelSchema]]:
    groups: dict[object, dict[str, ModelSchema]] = {}
    for model in models:
        groups.setdefault(_content(model), {}).setdefault(model.table, model)
    yield from (list(group.values()) for group in groups.values() if len(group) > 1)


def _content(model: ModelSchema) -> object:
    """The properties that two models of the same rows share, whatever the names of their tables and constants."""
    key = (
        (behind(model.key, part), None)
        if part.constant is not None
        else (behind(model.key, part), part.name, part.codec, part.mirror, part.derived, part.optional)
        for part in model.key.fields
    )
    columns = (
        (column.name, column.family, column.qualifier, column.codec, column.shape, column.names, column.slots)
        for column in model.columns
    )
    return tuple(key), tuple(columns), frozenset(model.families), model.bucket


def families_of_tables(group: Sequence[ModelSchema]) -> Iterator[FamilyOfTables]:
    """The models of a group whose tables differ in a number or a word of their ids; dates are left out."""
    found: dict[str, dict[str, ModelSchema]] = {}
    for model in group:
        if not date_in(model.table):
            for pattern, value in patterns(model.table):
                found.setdefault(pattern, {})[value] = model
    reported: set[str] = set()
    for pattern, by_value in sorted(found.items(), key=lambda one: -len(one[1])):
        name = without(pattern, "*")
        numbers = all(value.isdigit() for value in by_value)
        enough = len(by_value) >= (NUMBERS if numbers else WORDS)
        tables = {model.table for model in by_value.values()}
        if name and enough and reported.isdisjoint(tables):
            reported |= tables
            field = "number" if numbers else "kind"
            yield FamilyOfTables(name, field, tuple(by_value), tuple(by_value.values()))


TIMES = frozenset(("year", "month", "week", "day", "date", "hour"))


def value_field(name: str) -> KeyField:
    """The key field that holds the value of a name in braces."""
    if name not in TIMES:
        return KeyField(name, UNKNOWN_NAME)
    return KeyField(name, bucket_codec(Bucket("day" if name == "date" else name)))


def with_values(model: ModelSchema, values: Sequence[str]) -> tuple[list[str], ModelSchema]:
    """Those of these that the key does not hold yet, and the model whose key does: a time behind what there is, all else in front."""
    key = model.key
    known = {part.name for part in key.fields}
    times = any(part.codec.kind is Kind.TIME for part in key.fields)
    new = [value for value in values if value not in known and not (times and value in TIMES)]
    front = [value_field(value) for value in new if value not in TIMES]
    behind = [value_field(value) for value in new if value in TIMES]
    return new, evolve(model, key=evolve(key, fields=(*front, *key.fields, *behind)))


def with_first_tables(models: Sequence[ModelSchema]) -> list[ModelSchema]:
    """The models, of which those that have the rows of another one, under a key that its columns are part of, know the dual writes that have to own them."""
    first: dict[frozenset[str], list[ModelSchema]] = {}
    for model in models:
        if model.view is None and model.key.asked and model.columns:
            first.setdefault(frozenset(part.name for part in model.key.asked), []).append(model)
    return [_with_first_table(model, first) for model in models]


# Keys of more fields have too many parts to look for.
_MOST_FIELDS = 8


def _with_first_table(
    model: ModelSchema, first: Mapping[frozenset[str], Sequence[ModelSchema]]
) -> ModelSchema:
    names = [part.name for part in model.key.asked]
    if model.owned or model.twins is not None or model.view is not None or len(names) > _MOST_FIELDS:
        return model
    parts = (frozenset(some) for count in range(1, len(names)) for some in combinations(names, count))
    found = (other for part in parts for other in first.get(part, ()) if _copies(model, other))
    other = next(found, None)
    return (
        model if other is None else evolve(model, twins=f"bt.twins({other.name}, {model.name}, owned=True)")
    )


def _copies(model: ModelSchema, other: ModelSchema) -> bool:
    """Whether all that rows of ``model`` hold is in those of ``other``, of whose columns its key has some."""
    held, known = attribute_types(model), attribute_types(other)
    return (
        model.table != other.table
        and held.items() <= known.items()
        and all(column.shape.plain for column in model.columns)
    )


def attribute_types(model: ModelSchema) -> dict[str, type]:
    """The attributes of a row, with the types of their values."""
    fields = {part.name: part.codec.python_type for part in model.key.asked}
    return fields | {column.name: column.codec.python_type for column in model.columns}


def asking(model: ModelSchema, names: Sequence[str]) -> ModelSchema:
    """``model``, whose queries give ``names``, too: those of a table for each value gave them by its name."""
    queries = (
        evolve(query, scan=None, equal=tuple(names))
        if query.scan and not query.equal and not query.where and names
        else query
        if query.scan and not query.equal
        else evolve(query, equal=(*(name for name in names if name not in query.equal), *query.equal))
        for query in model.queries
    )
    return evolve(model, queries=tuple(queries))
