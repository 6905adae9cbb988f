"""COL003 too-many-columns: a row with more cells than one request can write

What it finds
    A model whose row has more than 100,000 cells that are put together, however small: columns, and the entries of
    mappings and sets. Events of histories, slots and marks are not counted, because each comes in a request of its
    own; ROW002 judges the size of such a row. If an estimate is missing, the rule counts only what it knows.
    It is information if the docstring of the model says that a row is written in parts ("in pieces of 50,000", "one by one").

Why
    A request changes 100,000 cells at most, so such a row can be neither written nor rewritten
    in one step, and its changes are not atomic. Each cell repeats its names and its timestamp.

Example
    import btmodel as bt


    class Fans(bt.Model, table="FANS"):
        star: str = bt.key(bt.Text(max_length=20), cardinality=10_000)

        f = bt.family("f", gc=bt.max_versions(1))
        since: dict[str, int] = bt.mapping(f, bt.Text(max_length=20), entries=200_000)

Use instead
    import btmodel as bt


    class Fan(bt.Model, table="FANS"):
        star: str = bt.key(bt.Text(max_length=20), cardinality=10_000)
        fan: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        since: int = bt.column("s", f)

Allow
    Suppress it if cells are written one by one, no query needs all of them at once, and only
    parts of the row are read.

Source
    https://cloud.google.com/bigtable/docs/schema-design (no more columns than needed;
    what is read together as one serialized cell), and the limit of 100,000 mutations in
    google/bigtable/v2/bigtable.proto. That a row should fit into one request is this
    project's own choice.
"""

from collections.abc import Iterator
from functools import partial

from btmodel.estimates import shares
from btmodel.lint.finding import Finding, Level
from btmodel.lint.row_size import cells_of_request, of_request, smaller
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.schema.limits import MUTATIONS_A_REQUEST

_IN_PARTS = pattern(
    r"(?i)\b(in|by) (\w+ )?(pieces|parts|batches|chunks|portions|blocks|slices|requests)\b|\bpiece by piece\b|\bone (by one|at a time|after (the other|another))\b"
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a full row of more cells than one request may change, as far as their number is known."""
    count = cells_of_request(model)
    if count <= MUTATIONS_A_REQUEST:
        return
    share = max(shares(model), key=of_request)
    yield RULE.finding(
        model,
        f"a full row has {count:,} cells that are put together, of which `{share.source.name}` has {of_request(share):,}",
        why=f"a request changes {MUTATIONS_A_REQUEST:,} cells at most, and each cell repeats its names and its time",
        fix=partial(smaller, model, share),
        part=share.source.name,
        at=share.source.location,
        level=Level.INFO if _IN_PARTS.search(model.doc) else Level.WARNING,
    )


RULE: Rule[ModelSchema] = Rule(
    "COL003",
    "too-many-columns",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.INFO),
)
