"""TAB003 similar-tables: two tables with the same data and the same queries

What it finds
    Models of different tables with the same families, columns and key fields, in the same order
    and encoding, that declare queries of the same fields, or that a query reads together. If
    anything differs, they are two things: quotes and trades have different columns, rows by day
    another order of the key, an archive another retention. Constants in the keys may have
    different texts, but not different places. The rule ignores what TAB002 finds, tables that
    are named at run time, and tables that both hold another model which is read together with
    theirs.

Why
    One table can hold both, each with its own prefix. Another table is one more to create, to
    monitor and to pay for, and does not balance load better.

Example
    from datetime import datetime
    from decimal import Decimal

    import btmodel as bt


    class Invoice(bt.Model, table="invoices", events="10/s"):
        customer: str = bt.key(bt.Text(width=8), cardinality=100_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.keep_all())
        total: Decimal = bt.column("total", data)

        of_customer = bt.query("customer", between="at")


    class Refund(bt.Model, table="refunds", events="10/day"):
        customer: str = bt.key(bt.Text(width=8), cardinality=100_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.keep_all())
        total: Decimal = bt.column("total", data)

        of_customer = bt.query("customer", between="at")

Use instead
    from datetime import datetime
    from decimal import Decimal

    import btmodel as bt


    class Invoice(bt.Model, table="bills", events="10/s"):
        kind = bt.constant("invoice")
        customer: str = bt.key(bt.Text(width=8), cardinality=100_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.keep_all())
        total: Decimal = bt.column("total", data)

        of_customer = bt.query("customer", between="at")


    class Refund(bt.Model, table="bills", events="10/day"):
        kind = bt.constant("refund")
        customer: str = bt.key(bt.Text(width=8), cardinality=100_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.keep_all())
        total: Decimal = bt.column("total", data)

        of_customer = bt.query("customer", between="at")

Allow
    Suppress it if the tables have different owners, rights or backups; say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (tables: store datasets with
    similar schemas in the same table, with a row key prefix for each).
"""

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from btmodel.design.keys import with_constant
from btmodel.design.related_tables import (
    Identity,
    alike,
    date_in,
    families_of_tables,
    identity,
    read_together,
    sharing_tables,
)
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema, RowKey
from btmodel.source_text import asked


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each model that is like another one of a table before it, and read like it or along with it."""
    companions = _companions(models)
    bound = _bound(models, companions)
    for group in alike(models):
        reported = {identity(model) for family in families_of_tables(group) for model in family.models}
        left = [model for model in group if identity(model) not in reported and not date_in(model.table)]
        firsts: dict[object, ModelSchema] = {}
        seen: dict[Identity, ModelSchema] = {}
        for model in left:
            near = companions.get(identity(model), ())
            found = [firsts[shape] for shape in _shapes(model) if shape in firsts]
            found += [seen[other] for other in near if other in seen]
            if found:
                yield from _finding(min(found, key=identity), model, bound)
            seen[identity(model)] = model
            firsts |= {shape: firsts.get(shape, model) for shape in _shapes(model)}


def _companions(models: Sequence[ModelSchema]) -> dict[Identity, set[Identity]]:
    """With which others each model is read."""
    found: dict[Identity, set[Identity]] = {}
    for pair in read_together(models):
        for one in pair:
            found.setdefault(one, set()).update(pair - {one})
    return found


def _shapes(model: ModelSchema) -> set[tuple[object, ...]]:
    """What the queries of a model ask for; whole-table scans are like no other."""
    return {asked(query) for query in model.queries if query.scan is None}


def _bound(models: Sequence[ModelSchema], companions: Mapping[Identity, set[Identity]]) -> set[Identity]:
    """The models that share their table with one that is read together with them, and belong there."""
    return {
        identity(model)
        for sharing in sharing_tables(models)
        for model in sharing
        if not companions.get(identity(model), set()).isdisjoint(map(identity, sharing))
    }


def _finding(first: ModelSchema, model: ModelSchema, bound: set[Identity]) -> Iterator[Finding]:
    place = model if identity(model) in bound else first
    if {identity(first), identity(model)} <= bound:
        return
    before, here = _prefixed(first), _prefixed(model)
    yield RULE.finding(
        model,
        f"table {model.table!r} has the families, columns and key fields of table {first.table!r} "
        f"({first.name}), and has the same queries",
        why="one table can hold both, each with its own key prefix, and a second table does not balance load better",
        fix=Fix(
            f"put both into {place.table!r}, as `{before.shape}` in {first.name} and `{here.shape}` here",
            (evolve(model, table=place.table, key=here), evolve(first, table=place.table, key=before)),
            replaced=(first,),
        ),
    )


def _prefixed(model: ModelSchema) -> RowKey:
    """The key with the table's id in front, as a constant."""
    return with_constant(model.key, 0, model.table)


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "TAB003", "similar-tables", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.WARNING,)
)
