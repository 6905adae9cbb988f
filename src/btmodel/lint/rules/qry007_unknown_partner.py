"""QRY007 unknown-partner: a query that is read together with an unknown model

What it finds
    A name in the `together` of a query that is not the name of a model, or is that of the
    query's own model. The finding is a warning if a model has a similar name, and otherwise an
    info, because the model may belong to a module that was not reviewed. The rule does not
    judge a model that is reviewed alone.

Why
    ROW007, TAB003 and TAB004 judge models that are read together. For an unknown name, they
    silently find nothing.

Example
    import btmodel as bt


    class Order(bt.Model, table="accounts"):
        account: str = bt.key(bt.Text(width=8), cardinality=1_000_000)
        kind = bt.constant("order")
        number: int = bt.key(bt.PaddedInt(6))

        data = bt.family("data", gc=bt.max_versions(1))
        cents: int = bt.column("cents", data)

        of_account = bt.query("account", together=["Payments"])


    class Payment(bt.Model, table="accounts"):
        account: str = bt.key(bt.Text(width=8), cardinality=1_000_000)
        kind = bt.constant("payment")
        number: int = bt.key(bt.PaddedInt(9))

        data = bt.family("data", gc=bt.max_versions(1))
        cents: int = bt.column("cents", data)

Use instead
    import btmodel as bt


    class Order(bt.Model, table="accounts"):
        account: str = bt.key(bt.Text(width=8), cardinality=1_000_000)
        kind = bt.constant("order")
        number: int = bt.key(bt.PaddedInt(6))

        data = bt.family("data", gc=bt.max_versions(1))
        cents: int = bt.column("cents", data)

        of_account = bt.query("account", together=["Payment"])


    class Payment(bt.Model, table="accounts"):
        account: str = bt.key(bt.Text(width=8), cardinality=1_000_000)
        kind = bt.constant("payment")
        number: int = bt.key(bt.PaddedInt(9))

        data = bt.family("data", gc=bt.max_versions(1))
        cents: int = bt.column("cents", data)

Allow
    Suppress it if the other model belongs to another project; say which.

Source
    This project.
"""

from collections.abc import Iterator, Sequence, Set

from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema, Query
from btmodel.words import did_you_mean, near


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each name of a partner that no other model has, where there are other models."""
    if len(models) < 2:
        return
    names = {model.name for model in models}
    for model in models:
        for query in model.queries:
            for name in query.together:
                if name not in names or name == model.name:
                    yield _finding(model, query, name, names - {model.name})


def _finding(model: ModelSchema, query: Query, name: str, names: Set[str]) -> Finding:
    alike = near(name, sorted(names))
    what = "is this model itself" if name == model.name else "is no model"
    hint = did_you_mean(alike)
    other = "name the model whose rows are read with these, or also review the module that declares it"
    return RULE.finding(
        model,
        f"the query `{query.name}` is read together with {name!r}, which {what}{hint}",
        why="whether rows that are read together are stored together cannot be checked without both models",
        fix=f'write `together=["{alike[0]}"]`' if alike else other,
        part=query.name,
        at=query.location,
        level=Level.WARNING if alike else Level.INFO,
    )


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "QRY007", "unknown-partner", check, page=__doc__, rewrites=None, levels=(Level.WARNING, Level.INFO)
)
