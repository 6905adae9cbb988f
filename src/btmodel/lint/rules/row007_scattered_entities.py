"""ROW007 scattered-entities: rows that are read together but stored apart

What it finds
    A query whose `together` names a model in another table, or in the same table under keys
    that do not begin with the fields that the query gives. It is information, and a warning where both models have
    the same key: one row may hold both. Models of one key that ask for each other are one finding. Two tables of the same key, without a time in it, and of the same declared `events` are such a warning, too, if a docstring says that both are shown,
    read or filled in together ("the page shows both", "from the same form"), and no query of them has `together`.

Why
    Rows side by side take one read. Rows of two tables, or of two places in one, take two
    reads, from two tablets.

Example
    from decimal import Decimal

    import btmodel as bt


    class Order(bt.Model, table="orders"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)
        number: int = bt.key(bt.PaddedInt(6))

        data = bt.family("data", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", data)

        of_account = bt.query("account", together=["Payment"])


    class Payment(bt.Model, table="payments"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)
        receipt: str = bt.key(bt.Text(width=12))

        data = bt.family("data", gc=bt.max_versions(1))
        paid: Decimal = bt.column("paid", data)

Use instead
    from decimal import Decimal

    import btmodel as bt


    class Order(bt.Model, table="accounts"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)
        kind = bt.constant("order")
        number: int = bt.key(bt.PaddedInt(6))

        data = bt.family("data", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", data)

        of_account = bt.query("account", together=["Payment"])


    class Payment(bt.Model, table="accounts"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)
        kind = bt.constant("payment")
        receipt: str = bt.key(bt.Text(width=12))

        data = bt.family("data", gc=bt.max_versions(1))
        paid: Decimal = bt.column("paid", data)

Allow
    Suppress it if one of them is small or is read once and kept, or if the tables have
    different owners.

Source
    https://cloud.google.com/bigtable/docs/schema-design (store related entities in
    adjacent rows; keys that keep related data apart).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from attrs import evolve

from btmodel.codecs.key import Constant
from btmodel.design.keys import UNKNOWN_TEXT, drawn
from btmodel.design.overlap import fields_of
from btmodel.design.proposal import serves
from btmodel.design.related_tables import by_name, identity, partner
from btmodel.design.second_tables import as_second, written_again
from btmodel.estimates import timed
from btmodel.lint.descriptions import TOGETHER
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import KeyField, ModelSchema, Query
from btmodel.words import quoted


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each query that reads rows together which are not side by side."""
    known = by_name(models)
    yield from _as_described(models)
    asked: list[_Asked] = []
    for model in models:
        for query in model.queries:
            others = (partner(model, name, known) for name in query.together if query.equal)
            for other in others:
                if other is None or other is model or _adjacent(model, query, other):
                    continue
                if _merged(model, (other,)) is None:
                    yield _apart(model, query, other)
                else:
                    asked.append(_Asked(model, query, other))
    for group in _connected(asked):
        yield from _of_group(group)


class _Asked(NamedTuple):
    """A query of a model for rows of another one that has the same key."""

    model: ModelSchema
    query: Query
    other: ModelSchema


def _connected(asked: Sequence[_Asked]) -> list[list[_Asked]]:
    """What asks for each other, directly or by a third model, together."""
    groups: list[list[_Asked]] = []
    for one in asked:
        pair = _pair(one)
        near = [group for group in groups if any(_pair(each) & pair for each in group)]
        groups = [
            *(group for group in groups if group not in near),
            [*(each for group in near for each in group), one],
        ]
    return groups


def _pair(one: _Asked) -> frozenset[object]:
    """The two models, in no order."""
    return frozenset((identity(one.model), identity(one.other)))


def _of_group(group: Sequence[_Asked]) -> Iterator[Finding]:
    """One finding of all that one model can hold: that which asks for most of the others, or is declared first. What is left is told by pairs."""
    models = {identity(each): each for one in group for each in (one.model, one.other)}
    asking = {
        each: len({identity(one.other) for one in group if identity(one.model) == each}) for each in models
    }
    home = min(models.values(), key=lambda each: (-asking[identity(each)], *_declared(each)))
    others: list[ModelSchema] = []
    for each in sorted(models.values(), key=_declared):
        if each is not home and _merged(home, (*others, each)) is not None:
            others.append(each)
    query = next((one.query for one in group if one.model is home), None)
    fix = _merged(home, others) if others else None
    told = {identity(each) for each in (home, *others)} if fix is not None and query is not None else set()
    if fix is not None and query is not None:
        yield _same_key(home, query, others, fix)
    left: set[frozenset[object]] = set()  # two that ask for each other
    for one in group:
        pair, merged = _pair(one), _merged(one.model, (one.other,))
        if merged is not None and not pair <= told and pair not in left:
            left.add(pair)
            yield _same_key(one.model, one.query, (one.other,), merged)


def _declared(model: ModelSchema) -> tuple[str, int, str]:
    """Where a model is declared, as what sorts."""
    at = model.location
    return (model.module, 0 if at is None else at.line, model.name)


def _as_described(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Each pair of models of one key and rate, of which one says that it is filled in or shown with the other, though no query says `together`."""
    stated = {
        name
        for model in models
        for query in model.queries
        for name in (model.name, *query.together)
        if query.together
    }
    for model, other in combinations(sorted(models, key=identity), 2):
        if (
            model.table == other.table
            or model.events is None
            or model.events != other.events
            or {model.name, other.name} & stated
        ):
            continue
        said = (
            TOGETHER.search(" ".join(f"{model.doc} {other.doc}".split()))
            if model.key == other.key and not timed(model)
            else None
        )
        query = next((query for query in model.queries if query.equal), None)
        merged = _merged(model, (other,)) if said is not None and query is not None else None
        if said is not None and query is not None and merged is not None:
            yield RULE.finding(
                model,
                f"{model.name} and {other.name} have the key `{model.key.shape}`, and {model.events} each, and a description says {said[0]!r}",
                why="what belongs to one key in one row is read at once, and changes at once: only changes of one row are atomic",
                fix=merged,
                part=query.name,
                at=query.location,
                level=Level.WARNING,
            )


def _adjacent(model: ModelSchema, query: Query, other: ModelSchema) -> bool:
    """Whether the rows of both that have the given fields lie side by side."""
    given = {*query.equal}
    places = [place for place, part in enumerate(model.key.fields) if part.name in given]
    count = len(places) and places[-1] + 1
    one, two = (_fields(each, count) for each in (model, other))
    return model.table == other.table and one == two


def _fields(model: ModelSchema, count: int) -> list[tuple[object, ...]]:
    """What the first fields of the key are made of, whatever they are called; the last one may end the key."""
    made = [tuple(made) for _, *made in fields_of(model.key, count)]
    return [*made[:-1], *(one[:-1] for one in made[-1:])]


def _same_key(model: ModelSchema, query: Query, others: Sequence[ModelSchema], merged: Fix) -> Finding:
    """The finding of models that could be one."""
    several = len(others) > 1
    apart = (
        f"are in the tables {_all([repr(other.table) for other in others])}, not in {model.table!r}"
        if several
        else _elsewhere(model, others[0])
    )
    return RULE.finding(
        model,
        f"the query `{query.name}` reads rows of {_all([other.name for other in others])} together with its own, and {'all' if several else 'both'} "
        f"have the key `{model.key.shape}`, but they {apart}",
        why="what belongs to one key in one row is read at once, and changes at once: only changes of one row are atomic",
        fix=merged,
        part=query.name,
        at=query.location,
        level=Level.WARNING,
    )


def _all(names: Sequence[str]) -> str:
    """The names, with an "and" before the last one."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def _elsewhere(model: ModelSchema, other: ModelSchema) -> str:
    """Where the rows of another model are, in words."""
    return (
        f"are in table {other.table!r}, not in {model.table!r}"
        if model.table != other.table
        else f"are elsewhere in the table: `{other.key.shape}` does not begin as `{model.key.shape}` does"
    )


def _apart(model: ModelSchema, query: Query, other: ModelSchema) -> Finding:
    """The finding of rows of other keys."""
    return RULE.finding(
        model,
        f"the query `{query.name}` reads rows of {other.name} together with its own, but they {_elsewhere(model, other)}",
        why="rows side by side take one read, from one tablet",
        fix=_fix(model, query, other),
        part=query.name,
        at=query.location,
    )


def _merged(model: ModelSchema, others: Sequence[ModelSchema]) -> Fix | None:
    """One model for several whose rows have the same key; None of others, and where their families or columns are not one set."""
    alike = all(
        (model.view, other.view, *model.parameters, *other.parameters) == (None, None)
        and (model.key, model.bucket, model.stamp) == (other.key, other.bucket, other.stamp)
        for other in others
    )
    every = (*others, model)
    families = {family.id: family for each in every for family in each.families}
    columns = {column.name: column for each in every for column in each.columns}
    cells = {(column.family, column.qualifier) for column in columns.values()}
    alike = alike and all(
        families[family.id].gc == family.gc for other in others for family in other.families
    )
    if not alike or len({len(columns), len(cells), sum(len(each.columns) for each in every)}) > 1:
        return None
    names = {each.name for each in every}
    queries = {each.name: each for other in every for each in other.queries}
    kept = tuple(
        evolve(each, together=tuple(name for name in each.together if name not in names))
        for each in queries.values()
    )
    made = evolve(model, families=tuple(families.values()), columns=tuple(columns.values()), queries=kept)
    moved = [column for other in others for column in other.columns]
    lacking = (
        "; what a row may lack, as where another table has no row today, is declared with `| None` and `default=None`"
        if any(column.required for column in moved)
        else ""
    )
    held = quoted(column.name for column in moved)
    text = (
        f"declare {held} in {model.name}, so that one row of {model.table!r} holds {'all' if others[1:] else 'both'}, and leave out "
        f"{_all([other.name for other in others])}{lacking}"
    )
    return Fix(text, (made,), replaced=tuple(others))


def _fix(model: ModelSchema, query: Query, other: ModelSchema) -> Fix:
    given = ", ".join(f"`{name}`" for name in query.equal)
    here, there = _key(model, query), _key(other, query)
    text = (
        f"put both into one table, {model.table!r}, with {given} in front and a constant behind it: "
        f"`{drawn(model.key, here)}` here, and `{drawn(other.key, there)}` in {other.name}"
    )
    made: list[ModelSchema] = []
    seconds: list[ModelSchema] = []
    known = True
    for schema, key in ((model, here), (other, there)):
        each_known, fields = _as_fields(schema, other if schema is model else model, key)
        known = known and each_known
        names = {part.name for part in fields}
        moved = evolve(
            schema,
            table=model.table,
            key=evolve(schema.key, fields=fields),
            columns=tuple(column for column in schema.columns if column.name not in names),
        )
        lost = tuple(
            each for each in schema.queries if serves(schema.key, each) and not serves(moved.key, each)
        )
        if lost:
            second = evolve(as_second(schema, schema.key, lost[0]), queries=lost)
            needs = "needs" if len(lost) == 1 else "need"
            text += (
                f"; {quoted(each.name for each in lost)} of {schema.name} {needs} another key: keep `{second.key.shape}` as a second table"
                f"{written_again(schema, (second,))}"
            )
            seconds.append(second)
        made.append(evolve(moved, queries=tuple(each for each in schema.queries if each not in lost)))
    return Fix(text, (*made, *seconds) if known else (), replaced=(other,))


def _as_fields(
    schema: ModelSchema, beside: ModelSchema, key: Sequence[KeyField | str]
) -> tuple[bool, tuple[KeyField, ...]]:
    """The fields of the key, and whether all of their codecs are known: what the model has as a column, or not at all, is written as in the key of the other one."""
    there = {part.name: evolve(part, mirror=None) for part in beside.key.asked}
    columns = {column.name: column.codec.python_type for column in schema.columns}
    fields = tuple(
        there.get(part, KeyField(part, UNKNOWN_TEXT)) if isinstance(part, str) else part for part in key
    )
    new = [field for part, field in zip(key, fields, strict=True) if isinstance(part, str)]
    known = all(
        field.name in there and columns.get(field.name, field.codec.python_type) is field.codec.python_type
        for field in new
    )
    return known, fields


def _key(model: ModelSchema, query: Query) -> list[KeyField | str]:
    """The key with the given fields in front, and a constant behind them that names the model."""
    known = {part.name: part for part in model.key.fields}
    front = [known.get(name, name) for name in query.equal]
    rest = [part for part in model.key.fields if part not in front]
    constants = [part for part in rest if part.constant] or [KeyField("kind", Constant(model.name.lower()))]
    return [*front, *constants, *(part for part in rest if not part.constant)]


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "ROW007",
    "scattered-entities",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.INFO, Level.WARNING),
)
