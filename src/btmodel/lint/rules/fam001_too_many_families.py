"""FAM001 too-many-families: a table with more than 100 column families, or one for each value

What it finds
    More than 100 families in one table, counting all of its models. If a model is reviewed
    alone, the rule counts only its families.

    A family that is named at run time, such as `of_{month}`, is a warning: there is one for each value.
    So are two families or more whose ids end with a year, a month or a day.
    The rule ignores names that the id of the table has, too, and `{env}`, `{environment}` and `{stage}`.

Why
    According to the documentation, a table works well with up to about 100 families and slows
    down beyond that. If the number of families grows with the data, they should be columns or a
    key field.

Example
    import btmodel as bt


    class Sensor(bt.Model, table="SENSOR"):
        sensor: int = bt.key(bt.PaddedInt(6), cardinality=100_000, sequential=False)

        for day in range(1, 367):
            vars()[f"day{day}"] = bt.family(f"day{day}", gc=bt.max_versions(1))
        del day
        data = bt.family("data", gc=bt.max_versions(1))
        value: float = bt.column("value", data)

Use instead
    from datetime import date

    import btmodel as bt


    class Sensor(bt.Model, table="SENSOR"):
        sensor: int = bt.key(bt.PaddedInt(6), cardinality=100_000, sequential=False)
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        value: float = bt.column("value", data)

Allow
    Suppress it if the table exists already and works well, and say how you know. The number is
    a recommendation of the service, not a limit. Put the suppression into the model of the
    table that has the most families.

Source
    https://cloud.google.com/bigtable/docs/schema-design (column families).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile

from attrs import evolve

from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.retention import declared_family, free_family
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Family, MaxVersions, ModelSchema, Shape
from btmodel.schema.limits import TABLE_FAMILIES
from btmodel.schema.names import DEPLOYMENTS, placeholders
from btmodel.source_text import written
from btmodel.words import clauses, quoted


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each table with too many families, once, at the model with the most of them."""
    by_table: dict[str, list[ModelSchema]] = {}
    for model in models:
        by_table.setdefault(model.table, []).append(model)
    for model in models:
        if not model.undeclared:
            yield from _of_values(model)
            yield from _dated(model)
    for table, sharing in by_table.items():
        sharing.sort(key=lambda model: (-len(model.families), model.module, model.name))
        count = len({family.id for model in sharing for family in model.families})
        if count > TABLE_FAMILIES:
            yield RULE.finding(
                sharing[0],
                f"table {table!r} has {count} column families{_shares(sharing)}; at most {TABLE_FAMILIES} are advised",
                why="a table slows down with more than about 100 families",
                fix=partial(_ways, sharing, count),
            )


def _of_values(model: ModelSchema) -> Iterator[Finding]:
    """The families that are there for each value of something, as of each month."""
    for family in model.families:
        names = [
            name for name in placeholders(family.id) if name not in {*DEPLOYMENTS, *placeholders(model.table)}
        ]
        if names:
            yield RULE.finding(
                model,
                f"there is a family {family.id!r} for each {' and '.join(f'`{name}`' for name in names)}",
                why=f"a table works well with up to about {TABLE_FAMILIES} families, and somebody has to create each new one",
                fix=partial(_in_the_key, model, family, names),
                part=family.id,
                at=family.location,
                level=Level.WARNING,
            )


def _dated(model: ModelSchema) -> Iterator[Finding]:
    """Families that are named after years, months or days."""
    if sum(any(map(str.isdigit, family.id)) for family in model.families) < _SEVERAL:
        return
    from btmodel.design.related_tables import date_in

    named = [family for family in model.families if date_in(family.id)]
    if len(named) >= _SEVERAL:
        yield RULE.finding(
            model,
            f"families {', '.join(repr(family.id) for family in named[:3])}{', ...' if named[3:] else ''} are named after times",
            why=f"a table works well with up to about {TABLE_FAMILIES} families, and somebody has to declare each new one",
            fix=f"use one family{_in_common(named)}, and put the time into the key or into the qualifiers: {_YOURS}",
            part=named[0].id,
            at=named[0].location,
            level=Level.WARNING,
        )


def _in_common(families: Sequence[Family]) -> str:
    """What one family in the place of these is declared with, as they all are; or, where they differ, which of them has what."""
    kinds: dict[object, list[Family]] = {}
    for family in families:
        kinds.setdefault((family.gc, family.aggregate), []).append(family)
    if len(kinds) == 1:
        return f", `{declared_family(evolve(families[0], id='data'))}`"
    said = clauses(
        [
            f"`{declared_family(evolve(alike[0], id=f'data{number}'))}` in the place of {quoted(family.id for family in alike)}"
            for number, alike in enumerate(kinds.values(), 1)
        ]
    )
    return f" for each of their {len(kinds)} kinds, {said}"


def _in_the_key(model: ModelSchema, family: Family, names: Sequence[str]) -> Iterator[Fix]:
    """The values as a part of the key; or, where other cells of the row are no matter of a value, in its qualifiers."""
    from btmodel.design.keys import to_fill_in  # here: this rule is loaded with every model
    from btmodel.design.related_tables import (
        TIMES,
        asking,
        value_field,
        with_values,
    )

    id = free_family(model, "data")
    new, keyed = with_values(model, names)
    given = [name for name in new if name not in TIMES]
    keyed = _behind_what_is_given(model, keyed, given)
    home = evolve(family, id=id, gc=family.gc or MaxVersions(1))
    single = tuple(home if other == family else other for other in model.families)
    columns = tuple(
        evolve(column, family=id) if column.family == family.id else column for column in model.columns
    )
    where = (
        f"with {quoted(new)} in the key: `{keyed.key.shape}`"
        if new
        else f"as its key `{model.key.shape}` has {quoted(names)} already"
    )
    if all(column.family == family.id for column in model.columns):
        asking_ = [query.name for query in model.queries if query.equal or query.between or query.starting]
        asked = f", and give {quoted(given)} to {quoted(asking_)}, too" if given and asking_ else ""
        yield Fix(
            f"one family, `{declared_family(home)}`, {where}{asked}",
            (asking(evolve(keyed, families=single, columns=columns), given),),
        )
    if len(names) == 1 and all(column.shape.plain for column in columns if column.family == id):
        entries = tuple(
            evolve(
                column,
                shape=Shape.MAPPING,
                names=value_field(names[0]).codec,
                qualifier=column.qualifier + b":",
                required=False,
                also=(),
            )
            if column.family == id
            else column
            for column in columns
        )
        text = f"one family, `{declared_family(home)}`, with an entry for each `{names[0]}`, `bt.mapping({id}, {written(value_field(names[0]).codec)}, prefix=...)`{to_fill_in(value_field(names[0]).codec)}"
        yield Fix(text, (evolve(model, families=single, columns=entries),))


def _behind_what_is_given(model: ModelSchema, keyed: ModelSchema, new: Sequence[str]) -> ModelSchema:
    """``keyed`` with the new fields behind those in front that every query gives, so that what belongs together lies together."""
    given = [{*query.equal} for query in model.queries if not query.scan]
    together = given[0].intersection(*given) if given else set[str]()
    at = len(list(takewhile(lambda part: part.name in together or not part.asked, model.key.fields)))
    parts = [part for part in keyed.key.fields if part.name in new]
    rest = [part for part in keyed.key.fields if part.name not in new]
    return evolve(keyed, key=evolve(keyed.key, fields=(*rest[:at], *parts, *rest[at:])))


def _shares(sharing: Sequence[ModelSchema]) -> str:
    """The models that share the table, those with the most families first."""
    if len(sharing) == 1:
        return ""
    named = ", ".join(f"{model.name} {len(model.families)}" for model in sharing[:5])
    return f" over its {len(sharing)} models ({named}{', ...' if sharing[5:] else ''})"


_YOURS = "which of the two is for you to decide"
_VALUES = f"families stand for values of something, such as its days, put that value into a qualifier or into the key: {_YOURS}"
# One family may be called after a time for any reason.
_SEVERAL = 2


def _ways(sharing: Sequence[ModelSchema], count: int) -> Iterator[Fix]:
    """Families of one rule as one, where a single model has them all; else what only the author can decide."""
    if len(sharing) == 1:
        joined = _joined(sharing[0])
        gone = len(sharing[0].families) - len(joined.families)
        if gone:
            left = "1 family" if len(joined.families) == 1 else f"{len(joined.families)} families"
            text = f"declare the columns of families that have the same GC rule in one of them, which leaves {left}"
            yield Fix(text, (joined,), otherwise=f"; or, if {_VALUES}")
    yield Fix(f"do with {count - TABLE_FAMILIES} fewer: where {_VALUES}")


def _joined(model: ModelSchema) -> ModelSchema:
    """The model with all families of one rule and kind in the first of them, but for those with open columns."""
    open = {column.family for column in model.columns if column.open}
    open |= {part.mirror.family for part in model.key.fields if part.mirror}
    homes: dict[object, Family] = {}
    home = {
        family.id: family if family.id in open else homes.setdefault((family.gc, family.aggregate), family)
        for family in model.families
    }
    taken: set[tuple[str, bytes]] = set()
    columns = []
    for column in model.columns:
        place = home[column.family].id if column.family in home else column.family
        qualifier = column.qualifier
        if (place, qualifier) in taken:
            qualifier = f"{column.family}:".encode() + qualifier
        taken.add((place, qualifier))
        columns.append(evolve(column, family=place, qualifier=qualifier))
    kept = {family.id for family in home.values()}
    families = tuple(family for family in model.families if family.id in kept)
    return evolve(model, families=families, columns=tuple(columns))


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "FAM001",
    "too-many-families",
    check,
    page=__doc__,
    levels=(Level.ERROR, Level.WARNING),
    rewrites=Rewritten.FAMILY,
    slow=True,
)
