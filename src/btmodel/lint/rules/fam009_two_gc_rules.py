"""FAM009 two-gc-rules: a family with different GC rules in two models of one table

What it finds
    A column family of one table for which two models declare different GC rules or different
    aggregates.

Why
    The table has one family of that id, with one rule. Which of the two rules it gets is
    chance, and the stricter one deletes what the other model wants to keep. Likewise, the
    family holds either plain cells or one kind of aggregates.

Example
    import btmodel as bt


    class Bid(bt.Model, table="MARKET"):
        kind = bt.constant("bid")
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)

        md = bt.family("MD", gc=bt.max_versions(1))
        price: float = bt.column("P", md)


    class Trade(bt.Model, table="MARKET"):
        kind = bt.constant("trade")
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)

        md = bt.family("MD", gc=bt.max_age(days=30))
        price: float = bt.column("P", md)

Use instead
    import btmodel as bt


    class Bid(bt.Model, table="MARKET"):
        kind = bt.constant("bid")
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)

        md = bt.family("MD", gc=bt.max_versions(1))
        price: float = bt.column("P", md)


    class Trade(bt.Model, table="MARKET"):
        kind = bt.constant("trade")
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)

        trades = bt.family("TR", gc=bt.max_age(days=30))
        price: float = bt.column("P", trades)

Allow
    A family has one rule: this is a hard limit of the service and cannot be suppressed.

Source
    https://cloud.google.com/bigtable/docs/garbage-collection (rules belong to families).
"""

from collections.abc import Iterator, Sequence

from btmodel.lint.finding import Finding
from btmodel.lint.rule import Rule
from btmodel.schema import Family, ModelSchema
from btmodel.schema.gc import kept_text


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each family that an earlier model states otherwise: its rule, or how it aggregates."""
    known: dict[tuple[str, str], tuple[ModelSchema, Family]] = {}
    for model in sorted(models, key=lambda model: (model.module, model.name)):
        for family in model.families:
            if family.gc is None:
                continue
            first, declared = known.setdefault((model.table, family.id), (model, family))
            if declared.gc != family.gc:
                yield RULE.finding(
                    model,
                    f"family {family.id!r} of table {model.table!r} keeps {kept_text(family.gc)} here and "
                    f"{kept_text(declared.gc)} in {first.name}",
                    why="a family has one rule, and the stricter one deletes what the other model wants to keep",
                    fix=f"state the same rule in both, or give {model.name} a family of its own",
                    part=family.id,
                    at=family.location,
                )
            if declared.aggregate is not family.aggregate:
                yield RULE.finding(
                    model,
                    f"family {family.id!r} of table {model.table!r} holds {_cells(family)} here and "
                    f"{_cells(declared)} in {first.name}",
                    why="how a family aggregates is fixed when it is created, and is the same for every model",
                    fix=f"declare the same in both, or give {model.name} a family of its own",
                    part=family.id,
                    at=family.location,
                )


def _cells(family: Family) -> str:
    return "plain cells" if family.aggregate is None else f"aggregates ({family.aggregate.value})"


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "FAM009", "two-gc-rules", check, page=__doc__, rewrites=None, limit=True
)
