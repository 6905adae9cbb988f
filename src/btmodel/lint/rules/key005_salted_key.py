"""KEY005 salted-key: a salt where a field would do, or with too many values

What it finds
    A salt (`bt.salt`, or `bt.derived` with `values`) in a key

    - where another field could spread the writes: a key field behind it, or a required column, of which
      at least 100 values are declared, or a column of UUIDs, or one that a query asks by;
    - or with more than 4 values for each node: the declared `nodes`, or as many as the rate needs at
      the documented writes of a node, and at least the 3 of the documents. So a cluster that grows
      to four times its size still has a salt for each node.

Why
    Each query that does not tell the salt is one read for each of its values, merged. A
    field that people ask for spreads the writes as well, and makes queries cheaper.

Example
    from datetime import datetime

    import btmodel as bt


    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        battery = bt.constant("BATTERY")
        salt = bt.salt("at", buckets=3)
        at: datetime = bt.key(bt.EpochMicros())

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        user: str = bt.column("USER", metric, cardinality=1_000_000)
        percentage: int = bt.column("PERCENT", metric)

Use instead
    from datetime import datetime

    import btmodel as bt


    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        battery = bt.constant("BATTERY")
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMicros())

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        percentage: int = bt.column("PERCENT", metric)

Allow
    Where promotion does not help: a query by time alone over all rows, or few
    values that are measured to take most of the writes. Say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (field promotion is preferred;
    salting only where it does not resolve the hotspot; about as many salts as nodes). The 100 values and
    the factor of 4 are this project's own figures.
"""

from collections.abc import Iterator
from uuid import UUID

from btmodel.lint.finding import Finding, Level
from btmodel.lint.keys import before, drawn, lost, tenant_first
from btmodel.lint.promotion import asked_for, in_reverse, spreading_columns, spreading_fields
from btmodel.lint.rule import Rule
from btmodel.schema import Column, KeyField, ModelSchema
from btmodel.schema.density import nodes_needed

SALTS_A_NODE = 4
# The nodes that the documents salt for, of a small cluster.
LEAST_NODES = 3


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each salt that a field could replace; else each one of too many values."""
    for part in model.key.fields:
        values = part.derived.values if part.derived else None
        if values is None:
            continue
        better = _promotable(model, part)
        if better is not None:
            yield _finding(
                model,
                part,
                f"the salt `{part.name}` spreads the rows of `{model.key.shape}`, which "
                f"{_known(better)} would do, too",
                _promotion(model, part, better),
            )
            continue
        nodes = model.nodes or nodes_needed(model)
        if nodes is not None and len(values) > SALTS_A_NODE * max(nodes, LEAST_NODES):
            yield _finding(
                model,
                part,
                f"the salt `{part.name}` has {len(values):,} values, for {max(nodes, LEAST_NODES)} nodes",
                f"about as many values as there are nodes: `buckets={max(nodes, LEAST_NODES)}`",
            )


def _finding(model: ModelSchema, part: KeyField, message: str, mend: str) -> Finding:
    return RULE.finding(
        model,
        message,
        why="a query that does not tell the salt is one read for each of its values, merged",
        mend=mend,
        part=part.name,
        at=part.location,
    )


def _promotable(model: ModelSchema, salt: KeyField) -> KeyField | Column | None:
    """What surely has many values: a key field behind the salt, or a column."""
    behind = model.key.fields[model.key.fields.index(salt) + 1 :]
    for field in spreading_fields(model):
        if field.cardinality is not None and field in behind:
            return field
    asked = asked_for(model)
    for column in spreading_columns(model):
        known = column.expected.cardinality is not None or column.codec.python_type is UUID
        if column.required and (known or column.name in asked):
            return column
    return None


def _known(part: KeyField | Column) -> str:
    if isinstance(part, KeyField):
        return f"`{part.name}` ({part.cardinality:,} values)"
    many = part.expected.cardinality
    return f"the column `{part.name}`" + (f" ({many:,} values)" if many else "")


def _promotion(model: ModelSchema, salt: KeyField, better: KeyField | Column) -> str:
    """The key with what is promoted in the place of the salt."""
    moved = better if isinstance(better, KeyField) else better.name
    fields = tuple(part for part in before(model.key, salt, moved) if part != salt)
    fields = tenant_first(fields)
    reverse = in_reverse(better) if isinstance(better, KeyField) else ""
    queries = lost(model, fields)
    needed = (
        f"; `{'`, `'.join(queries)}` must then give `{better.name}`, or keep the salted table with this rule allowed"
        if queries
        else ""
    )
    return f"promote `{better.name}` in its place{reverse}: `{drawn(model.key, fields)}`{needed}"


RULE: Rule[ModelSchema] = Rule("KEY005", "salted-key", check, page=__doc__, levels=(Level.WARNING,))
