"""QRY004 salted-fan-out: a query that becomes one read per salt value

What it finds
    A query behind a salt in the key that does not give the attributes from which the salt is
    computed. It becomes one read per salt value, and the repository merges the rows.

Why
    The repository serves the query and merges the rows in their order. But each such query
    costs as many reads as there are salts, and waits for the slowest of them.

Example
    from datetime import datetime

    import btmodel as bt


    class Alarm(bt.Model, table="ALARM", events="200/s", nodes=3):
        salt = bt.derived(bt.PaddedInt(1), "at", by=lambda at: at.microsecond % 3, values=(0, 1, 2))
        at: datetime = bt.key(bt.EpochMicros())

        data = bt.family("data", gc=bt.max_versions(1))
        message: bytes = bt.column("message", data)

        in_time = bt.query(between="at")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Alarm(bt.Model, table="ALARM", events="200/s", nodes=3):
        site: str = bt.key(bt.Text(width=6), cardinality=4_000)
        at: datetime = bt.key(bt.EpochMicros())

        data = bt.family("data", gc=bt.max_versions(1))
        message: bytes = bt.column("message", data)

        of_site = bt.query("site", between="at")

Allow
    This is the price of a salt. Suppress it if no other field can spread the writes.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (salting: several
    scans, one for each salted value, whose results are combined).
"""

from collections.abc import Iterator, Sequence

from btmodel.design.spread import oversized
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Access, KeyField, ModelSchema, Query, access
from btmodel.words import quoted


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each salt over whose values queries are scattered, once, with all of them."""
    for salt in model.key.fields:
        values = salt.derived.values if salt.derived else None
        scattered = [query for query in model.queries if _over(model, query, salt)] if values else []
        if values and scattered and not oversized(model, salt):
            alone = len(scattered) == 1
            yield RULE.finding(
                model,
                f"the {'query' if alone else 'queries'} {quoted(query.name for query in scattered)} "
                f"{'needs' if alone else 'need'} {len(values):,} reads{'' if alone else ' each'}, one for each value of the "
                f"salt `{salt.name}`",
                why="it costs as many reads as there are salts, and waits for the slowest of them",
                fix=_fix(salt, scattered),
                part=scattered[0].name if alone else salt.name,
                at=scattered[0].location if alone else salt.location,
            )


def _over(model: ModelSchema, query: Query, salt: KeyField) -> bool:
    found = access(model.key, query)
    return isinstance(found, Access) and found.scattered == salt


def _fix(salt: KeyField, scattered: Sequence[Query]) -> str:
    """What the caller may give, unless each query reads a range of it, which holds rows of all salts."""
    made_of = salt.derived.of if salt.derived else ()
    of = quoted(made_of)
    if all({query.between, query.starting}.intersection(made_of) for query in scattered):
        return f"this is the price of the salt, which is made from {of}: a range of it has rows of all salts"
    return f"if the caller knows {of}, give it: the salt follows from it, and one read is left; else this is the price of the salt"


RULE: Rule[ModelSchema] = Rule(
    "QRY004", "salted-fan-out", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.INFO,)
)
