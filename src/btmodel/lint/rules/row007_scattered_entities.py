"""ROW007 scattered-entities: rows that are read together but stored apart

What it finds
    A query whose `together` names a model in another table, or in the same table under keys
    that do not begin with the fields that the query gives. It is information, and a warning where both models have
    the same key: one row may hold both. Two tables of the same key, without a time in it, and of the same declared `events` are such a warning, too, if a docstring says that both are shown,
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

from attrs import evolve

from btmodel.codecs.key import Constant
from btmodel.design.keys import drawn
from btmodel.design.overlap import fields_of
from btmodel.design.tables import by_name, identity, partner
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
    told: set[frozenset[str]] = set()  # two that ask for each other
    for model in models:
        for query in model.queries:
            others = (partner(model, name, known) for name in query.together if query.equal)
            for other in others:
                if other is None or other is model or _adjacent(model, query, other):
                    continue
                found = _finding(model, query, other)
                pair = frozenset((model.name, other.name))
                if found.level is Level.INFO or pair not in told:
                    told.add(pair)
                    yield found


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
        merged = _merged(model, query, other) if said is not None and query is not None else None
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


def _finding(model: ModelSchema, query: Query, other: ModelSchema) -> Finding:
    apart = (
        f"are in table {other.table!r}, not in {model.table!r}"
        if model.table != other.table
        else f"are elsewhere in the table: `{other.key.shape}` does not begin as `{model.key.shape}` does"
    )
    merged = _merged(model, query, other)
    if merged is not None:
        return RULE.finding(
            model,
            f"the query `{query.name}` reads rows of {other.name} together with its own, and both have the key `{model.key.shape}`, but they {apart}",
            why="what belongs to one key in one row is read at once, and changes at once: only changes of one row are atomic",
            fix=merged,
            part=query.name,
            at=query.location,
            level=Level.WARNING,
        )
    return RULE.finding(
        model,
        f"the query `{query.name}` reads rows of {other.name} together with its own, but they {apart}",
        why="rows side by side take one read, from one tablet",
        fix=_fix(model, query, other),
        part=query.name,
        at=query.location,
    )


def _merged(model: ModelSchema, query: Query, other: ModelSchema) -> Fix | None:
    """One model for two whose rows have the same key; None of others, and where their families or columns are not one set."""
    whole = (model.view, other.view, *model.parameters, *other.parameters) == (None, None)
    if not whole or model.key != other.key or (model.bucket, model.stamp) != (other.bucket, other.stamp):
        return None
    families = {family.id: family for family in (*other.families, *model.families)}
    columns = {column.name: column for column in (*other.columns, *model.columns)}
    cells = {(column.family, column.qualifier) for column in columns.values()}
    alike = all(families[family.id].gc == family.gc for family in other.families)
    if not alike or len({len(columns), len(cells), len(model.columns) + len(other.columns)}) > 1:
        return None
    queries = {each.name: each for each in (*other.queries, *model.queries)}
    kept = tuple(
        evolve(each, together=tuple(name for name in each.together if name not in (model.name, other.name)))
        for each in queries.values()
    )
    made = evolve(model, families=tuple(families.values()), columns=tuple(columns.values()), queries=kept)
    held = quoted(column.name for column in other.columns)
    text = f"declare {held} in {model.name}, so that one row of {model.table!r} holds both, and leave out {other.name}"
    return Fix(text, (made,), replaced=(other,))


def _fix(model: ModelSchema, query: Query, other: ModelSchema) -> Fix:
    given = ", ".join(f"`{name}`" for name in query.equal)
    here, there = _key(model, query), _key(other, query)
    text = (
        f"put both into one table, {model.table!r}, with {given} in front and a constant behind it: "
        f"`{drawn(model.key, here)}` here, and `{drawn(other.key, there)}` in {other.name}"
    )
    made = [
        evolve(schema, table=model.table, key=evolve(schema.key, fields=fields))
        for schema, key in ((model, here), (other, there))
        if len(fields := tuple(part for part in key if isinstance(part, KeyField))) == len(key)
    ]
    return Fix(text, tuple(made) if len(made) == 2 else (), replaced=(other,))


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
