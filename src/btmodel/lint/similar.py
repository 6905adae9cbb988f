"""Models of different tables that hold the same."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from btmodel.lint.apart import behind
from btmodel.lint.names_of_tables import date_in, patterns, without
from btmodel.lint.partners import identity
from btmodel.schema import ModelSchema

# Two tables that differ in a word may be two things; three of them are a list (this project's own figure).
WORDS = 3
NUMBERS = 2


@frozen
class FamilyOfTables:
    """Models alike, of tables whose ids differ in one word or number; ``values`` are those."""

    name: str
    field: str
    values: tuple[str, ...]
    models: tuple[ModelSchema, ...]


def alike(models: Iterable[ModelSchema]) -> Iterator[list[ModelSchema]]:
    """The models in groups of the same families, columns and key fields, one of a table.

    Constants in a key may be other ones, as they are there to tell such models apart, at the same places. A table that is named at
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
    """What two models of the same rows agree in, whatever their tables are called and their constants say."""
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
    """Those of a group of alike models whose tables differ in a number or a word of their ids; dates are left out."""
    found: dict[str, dict[str, ModelSchema]] = {}
    for model in group:
        if not date_in(model.table):
            for pattern, value in patterns(model.table):
                found.setdefault(pattern, {})[value] = model
    told: set[str] = set()
    for pattern, by_value in sorted(found.items(), key=lambda one: -len(one[1])):
        name = without(pattern, "*")
        numbers = all(value.isdigit() for value in by_value)
        enough = len(by_value) >= (NUMBERS if numbers else WORDS)
        tables = {model.table for model in by_value.values()}
        if name and enough and told.isdisjoint(tables):
            told |= tables
            field = "number" if numbers else "kind"
            yield FamilyOfTables(name, field, tuple(by_value), tuple(by_value.values()))
