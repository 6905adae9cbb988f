"""KEY012 few-domains: a key that begins with one of a few domains

What it finds
    A row key that begins with a domain name (a reversed one, or one declared `domain=True`)
    with fewer than 100 declared values, in a model that is written faster than a single tablet
    handles with ease (see KEY001). The rule finds nothing if the fields after it, up to the
    time, have that many declared values together.

Why
    All rows of a domain are stored together. With few domains, few tablets take every write.

Example
    from datetime import datetime

    import btmodel as bt


    class Hit(bt.Model, table="HIT"):
        domain: str = bt.key(bt.ReversedDomain(60), cardinality=5, domain=True)
        at: datetime = bt.key(bt.EpochMillis())
        visitor: str = bt.key(bt.Text(width=12), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        page: str = bt.column("page", data)

Use instead
    from datetime import datetime

    import btmodel as bt


    class Hit(bt.Model, table="HIT"):
        visitor: str = bt.key(bt.Text(width=12), cardinality=1_000_000)
        domain: str = bt.key(bt.ReversedDomain(60), cardinality=5, domain=True)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        page: str = bt.column("page", data)

Allow
    Suppress it if few rows are written and you cannot declare the rate; say why they are few.

Source
    https://cloud.google.com/bigtable/docs/schema-design (domain names: few of them). The 100
    values are this project's own choice.
"""

from collections.abc import Iterator
from itertools import takewhile

from btmodel.codecs.key import Kind
from btmodel.design.advice import change
from btmodel.design.spread import few_domains
from btmodel.lint.finding import Finding, Level, key_fixes
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema
from btmodel.words import counted


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a domain of few values in front, unless the model is written slowly."""
    first = few_domains(model)
    if first is None:
        return
    yield RULE.finding(
        model,
        f"the key `{model.key.shape}` begins with the domain `{first.name}`, which has only "
        f"{counted(first.cardinality or 0, 'value')}",
        why="all rows of a domain are stored together, so with few domains few tablets take every write",
        fix=key_fixes(model, lambda key: change(model, key), lambda _: _unsaid(model)),
        part=first.name,
        at=first.location,
    )


def _unsaid(model: ModelSchema) -> str:
    """A word on a field that may spread the rows of a domain, if it has many values."""
    asked = takewhile(lambda part: part.codec.kind is not Kind.TIME, model.key.asked)
    unsaid = [part.name for part in asked if part.cardinality is None]
    return f"; or, if `{unsaid[0]}` has many values, declare how many: `cardinality=...`" if unsaid else ""


RULE: Rule[ModelSchema] = Rule(
    "KEY012", "few-domains", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.WARNING,)
)
