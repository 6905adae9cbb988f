"""KEY016 fine-before-coarse: a query by a field behind a finer field

What it finds
    A query that gives a key field (or selects rows by it, `where`) behind a field with more
    declared values that the query does not give. Times do not count, because they belong at the
    end. QRY001 finds a query that the key does not serve at all.

Why
    If fields go from coarse to fine, each beginning of the key is a useful prefix: a continent,
    a country, a city. If the finer field is in front, the rows of one coarse value are
    scattered.

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
    Suppress it if the finer field has to spread the writes, or if nearly all reads give it; say
    which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: begin with a common value and end
    with a granular one).
"""

from collections.abc import Iterator
from functools import partial

from attrs import evolve

from btmodel.design.advice import change, led_to
from btmodel.design.copied_rows import copied, kept_cell, of_additions
from btmodel.design.keys import before, lost, tenant_first
from btmodel.design.proposal import finer_in_front, serves
from btmodel.design.second_tables import as_second
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import KeyField, ModelSchema, Query
from btmodel.words import counted


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each served query that has a finer field in front of one that it gives."""
    for query in model.queries:
        pair = finer_in_front(model, query) if serves(model.key, query) else None
        if pair is not None:
            finer, coarse = pair
            yield RULE.finding(
                model,
                f"the query `{query.name}` gives `{coarse.name}` ({counted(coarse.cardinality or 0, 'value')}), but in the key "
                f"`{model.key.shape}` the finer `{finer.name}` ({finer.cardinality:,} values) comes before it",
                why="the rows of one coarse value are scattered among those of the finer field",
                fix=partial(_ways, model, query, finer, coarse),
                part=query.name,
                at=query.location,
            )


def _ways(model: ModelSchema, query: Query, finer: KeyField, coarse: KeyField) -> Iterator[Fix]:
    """The proposed keys from coarse to fine, or a second table where other queries need the key as it is."""
    asked = f'ask for its prefix: `bt.query("{coarse.name}")`'
    for design, models in led_to(model):
        if query not in design.unserved and finer_in_front(design.model, query) is None:
            yield Fix(f"{change(model, design, 'order the fields from coarse to fine')}, and {asked}", models)
    fields = tenant_first(before(model.key, finer, coarse))
    others = [name for name in lost(model, fields) if name != query.name]
    needed = f"`{'`, `'.join(others)}` needs the key as it is: " if others else ""
    key = evolve(model.key, fields=tuple(part for part in fields if isinstance(part, KeyField)))
    second = copied(model, as_second(model, key, query))
    rest = evolve(model, queries=tuple(other for other in model.queries if other != query))
    text = f"{needed}also write the rows to a second table, whose key is `{key.shape}`{kept_cell(model, second)}, and {asked}{of_additions(model, second)}"
    yield Fix(text, (rest, second))


RULE: Rule[ModelSchema] = Rule(
    "KEY016", "fine-before-coarse", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.INFO,)
)
