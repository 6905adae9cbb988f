"""One table in the place of several, which are there for a value each: its key holds the values."""

from collections.abc import Sequence
from datetime import timedelta

from attrs import evolve

from btmodel.codecs.key import Text
from btmodel.design.related_tables import (
    TIMES,
    FamilyOfTables,
    asking,
    with_values,
    without,
)
from btmodel.lint.descriptions import kept_for
from btmodel.lint.finding import Fix
from btmodel.schema import KeyField, MaxAge, ModelSchema
from btmodel.schema.gc import keeps_for_ever, simplified
from btmodel.schema.names import DEPLOYMENTS, placeholders
from btmodel.source_text import declaration, gc_code
from btmodel.words import quoted

_SOME = timedelta(days=1)  # stands for an age that only its author knows


def values_of_tables(model: ModelSchema) -> list[str]:
    """The values for each of which there is a table, by the placeholders of its id."""
    return [name for name in placeholders(model.table) if name not in DEPLOYMENTS]


def merged(model: ModelSchema) -> Fix:
    """One table in the place of one for each value."""
    one = model.table
    for name in placeholders(model.table):
        one = without(one, f"{{{name}}}")
    return one_table(model, one or model.name.upper(), values_of_tables(model))


def of_kinds(model: ModelSchema, family: FamilyOfTables) -> Fix:
    """One table of a model whose key begins with what distinguishes the tables."""
    kind = KeyField(family.field, Text(max_length=max(map(len, family.values))), len(family.values))
    key = evolve(model.key, fields=(kind, *model.key.fields))
    text = f'one table, `table="{family.name}"`, with that value in front of the key: `{key.shape}`{_asked(model, [kind.name])}'
    return Fix(text, (asking(evolve(model, table=family.name, key=key), [kind.name]),))


def _asked(model: ModelSchema, names: Sequence[str]) -> str:
    """A word on the queries, which gave ``names`` by the table that they asked."""
    if not names:
        return ""
    giving = [query.name for query in model.queries if query.equal or query.between or query.starting]
    given = f", and give {quoted(names)} to {quoted(giving)}, too" if giving else ""
    # What read a whole table reads a part of one, which is another declaration: a scan gives nothing.
    whole = [query for query in asking(model, names).queries if query.name not in giving and not query.where]
    return given + "".join(f", and declare `{query.name} = {declaration(query)}`" for query in whole)


def one_table(model: ModelSchema, name: str, values: Sequence[str]) -> Fix:
    """One table whose key holds the values: a time behind what there is, all else in front."""
    new, made = with_values(model, values)
    age = _age_asked(model, values)
    if not new:
        text = f'one table, `table="{name}"`: its key `{model.key.shape}` has {quoted(values)} already{age}'
        return Fix(text, (evolve(model, table=name),))
    given = [value for value in new if value not in TIMES]
    rate = f", and the `events` of all of them, not {model.events}" if given and model.events else ""
    text = f'one table, `table="{name}"`, with {quoted(new)} in the key: `{made.key.shape}`{_asked(model, given)}{rate}{age}'
    return Fix(text, (asking(evolve(made, table=name), given),))


def _age_asked(model: ModelSchema, values: Sequence[str]) -> str:
    """A word on the families without an age, where dropping the tables of old times may have ended their rows; what the description says of it, FAM010 declares."""
    times = [value for value in values if value in TIMES]
    endless = [family for family in model.families if family.gc is None or keeps_for_ever(family.gc)]
    if not times or not endless or kept_for(model):
        return ""
    rules = [
        MaxAge(_SOME) if family.gc is None else simplified(family.gc | MaxAge(_SOME)) for family in endless
    ]
    written = ", ".join(
        f'`bt.family("{family.id}", gc={gc_code(rule).replace(gc_code(MaxAge(_SOME)), "bt.max_age(days=...)")})`'
        for family, rule in zip(endless, rules, strict=True)
    )
    return (
        f"; if the table of an old {times[0]} is dropped, declare the age of its rows then, {written}: "
        "in one table nothing else deletes them"
    )
