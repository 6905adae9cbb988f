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

from collections.abc import Iterator

from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import Access, KeyField, ModelSchema, access


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each query that is scattered over the values of a salt."""
    salted = any(part.derived and part.derived.values for part in model.key.fields)
    for query in model.queries if salted else ():
        found = access(model.key, query)
        if isinstance(found, Access) and (salt := found.scattered) and salt.derived and salt.derived.values:
            yield RULE.finding(
                model,
                f"the query `{query.name}` is {len(salt.derived.values)} reads, each {found.kind.value}, "
                f"one for each value of the salt `{salt.name}`",
                why="it costs as many reads as there are salts, and waits for the slowest of them",
                fix=_fix(salt),
                part=query.name,
                at=query.location,
            )


def _fix(salt: KeyField) -> str:
    of = salt.derived.of if salt.derived else ()
    return (
        f"give `{'`, `'.join(of)}`, from which the salt is computed, if you know it; or replace `{salt.name}` with a field of many "
        f"values that the query gives; or accept this as the price of the salt"
    )


RULE: Rule[ModelSchema] = Rule("QRY004", "salted-fan-out", check, page=__doc__, levels=(Level.INFO,))
