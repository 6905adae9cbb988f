"""KEY016 fine-before-coarse: a query gives a field that a finer one stands in front of

What it finds
    A query that gives a key field (or picks rows by it, `where`), and in front of it one of more declared values
    that the query does not give. Times are left out: they belong behind. A query that the key does not
    serve at all is QRY001's.

Why
    Fields that go from coarse to fine make every beginning of the key a prefix to ask for: a continent, a
    country of it, a city. With the finer field in front, the rows of one coarse value are scattered.

Example
    import btmodel as bt


    class City(bt.Model, table="CITY"):
        city: str = bt.key(bt.Text(max_length=60), cardinality=50_000)
        country: str = bt.key(bt.Text(max_length=40), cardinality=200)

        data = bt.family("data", gc=bt.max_versions(1))
        visitors: int = bt.column("visitors", data)

        of_country = bt.query(scan="the report of a country", where=["country"])

Use instead
    import btmodel as bt


    class City(bt.Model, table="CITY"):
        country: str = bt.key(bt.Text(max_length=40), cardinality=200)
        city: str = bt.key(bt.Text(max_length=60), cardinality=50_000)

        data = bt.family("data", gc=bt.max_versions(1))
        visitors: int = bt.column("visitors", data)

        of_country = bt.query("country")

Allow
    Where the finer field has to spread the writes, or is what nearly all reads give: say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: begin with a common value and end
    with a granular one).
"""

from collections.abc import Iterator

from btmodel.codecs.key import Kind
from btmodel.lint.finding import Finding, Level
from btmodel.lint.keys import before, drawn, lost, tenant_first
from btmodel.lint.rule import Rule
from btmodel.schema import KeyField, ModelSchema, Query, Unserved, access


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each served query that has a finer field in front of one that it gives."""
    for query in model.queries:
        pair = None if isinstance(access(model.key, query), Unserved) else _pair(model, query)
        if pair is not None:
            finer, coarse = pair
            yield RULE.finding(
                model,
                f"the query `{query.name}` gives `{coarse.name}` ({coarse.cardinality:,} values), and in the key "
                f"`{model.key.shape}` the finer `{finer.name}` ({finer.cardinality:,} values) stands in front of it",
                why="the rows of one coarse value are scattered over those of the finer field",
                mend=_mend(model, query, finer, coarse),
                part=query.name,
                at=query.location,
            )


def _pair(model: ModelSchema, query: Query) -> tuple[KeyField, KeyField] | None:
    """The first field that the query gives behind a finer one that it does not give, and that finer one."""
    given = {*query.equal, *query.where}
    for coarse in model.key.asked:
        if coarse.name in given and coarse.codec.kind is not Kind.TIME and not coarse.optional:
            for finer in model.key.asked[: model.key.asked.index(coarse)]:
                if finer.name not in given and _finer(finer, coarse):
                    return finer, coarse
    return None


def _finer(part: KeyField, than: KeyField) -> bool:
    known = part.cardinality is not None and than.cardinality is not None
    return part.codec.kind is not Kind.TIME and known and (part.cardinality or 0) > (than.cardinality or 0)


def _mend(model: ModelSchema, query: Query, finer: KeyField, coarse: KeyField) -> str:
    fields = tenant_first(before(model.key, finer, coarse))
    drawing = drawn(model.key, fields)
    asked = f'ask for its prefix: `bt.query("{coarse.name}")`'
    others = [name for name in lost(model, fields) if name != query.name]
    if others:
        return (
            f"`{'`, `'.join(others)}` needs the key as it is: write the rows to a second table, too, whose key is "
            f"`{drawing}`, and {asked}"
        )
    return f"from coarse to fine: `{drawing}`, and {asked}"


RULE: Rule[ModelSchema] = Rule("KEY016", "fine-before-coarse", check, page=__doc__, levels=(Level.INFO,))
