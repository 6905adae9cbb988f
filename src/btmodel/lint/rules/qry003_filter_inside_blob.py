"""QRY003 filter-inside-blob: a query that selects rows by a field inside a serialized cell

What it finds
    A name in the `where` of a query for a field inside a JSON document, a protobuf message or a
    packed record: `reading.pressure`, or `pressure` alone if the model has no attribute of that
    name and the cell has such a field. The rule also finds it in a query of a range of rows,
    because the rows of the range must still be filtered.

Why
    The server compares the bytes of whole cells and knows no field of a serialized cell. So it
    sends every row, and the reader decodes each one and drops most of them.

Example
    from dataclasses import dataclass
    from datetime import datetime

    import btmodel as bt


    @dataclass
    class Reading:
        pressure: int
        humidity: int


    class Balloon(bt.Model, table="BALLOON", events="100/s"):
        balloon: str = bt.key(bt.Text(width=6), cardinality=20_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        reading: Reading = bt.column("reading", data)

        of_balloon = bt.query("balloon", between="at")
        storms = bt.query(scan="the weekly report", where=["reading.pressure"])

Use instead
    from datetime import datetime

    import btmodel as bt


    class Balloon(bt.Model, table="BALLOON", events="100/s"):
        balloon: str = bt.key(bt.Text(width=6), cardinality=20_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        pressure: int = bt.column("pressure", data)
        humidity: int = bt.column("humidity", data)

        of_balloon = bt.query("balloon", between="at")
        storms = bt.query(scan="the weekly report", where=["pressure"])

Allow
    Suppress it if few rows come, and the reader decodes all of them anyway; say how many.

Source
    https://cloud.google.com/bigtable/docs/schema-design (variable or uncertain queries: no
    filters on the fields of a protobuf),
    https://cloud.google.com/bigtable/docs/schema-design-time-series (serialized events).
"""

import re
from collections.abc import Iterator

from attrs import evolve

from btmodel.codecs import meaning_of
from btmodel.codecs.cell import Utf8, default_codec
from btmodel.lint.cells import blob_of, fields_inside
from btmodel.lint.finding import Finding, Fix
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, ModelSchema, Query, Shape


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each name by which a query picks rows that lies inside of a serialized cell."""
    for query in model.queries:
        for name in query.where:
            found = blob_of(model, name)
            if found is None:
                continue
            column, field = found
            yield RULE.finding(
                model,
                f"the query `{query.name}` selects rows by `{field}` inside the cell `{column.cell}` "
                f"({meaning_of(column.codec)})",
                why="the server compares whole cells, so every row is sent, and the reader drops most of them",
                fix=_fix(model, query, column, field),
                part=query.name,
                at=query.location,
            )


def _fix(model: ModelSchema, query: Query, column: Column, field: str) -> Fix:
    """The column that the server can compare, written along with the serialized one."""
    taken = {one.name for one in model.columns} | {part.name for part in model.key.fields}
    own = re.sub(r"\W", "_", field)
    own = f"{column.name}_{own}" if own in taken else own
    kind = fields_inside(column.codec).get(field)
    value = kind.__name__ if kind else "..."
    shown = f"bt.History[{value}]" if column.shape is Shape.HISTORY else value
    cell = f"{column.family}:{own}"
    codec = default_codec(kind) if kind else None
    beside = Column(own, column.family, own.encode(), codec or Utf8(), False, column.shape)
    asked = evolve(
        query, where=tuple(own if blob_of(model, name) == (column, field) else name for name in query.where)
    )
    queries = tuple(asked if other == query else other for other in model.queries)
    return Fix(
        f"also write it to a column of its own, `{own}: {shown}` in the cell `{cell}`, "
        f'and ask `where=["{own}"]`',
        (evolve(model, columns=(*model.columns, beside), queries=queries),)
        if column.shape.single or column.versioned
        else (),
    )


RULE: Rule[ModelSchema] = Rule(
    "QRY003", "filter-inside-blob", check, page=__doc__, rewrites=Rewritten.CELLS, slow=True
)
