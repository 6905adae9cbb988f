"""TAB007 heavy-index: an index that copies a large value with every write

What it finds
    A view with `bt.Index` that covers a column of 10 KiB or more, if the declared rate of its table makes that more than 3.4 MiB of copies a second,
    a quarter of what a node writes. The size is the declared `size` of the column, and the rate `events` of the table's model; the rule finds nothing where either is not
    declared, or where a query of the view names the column in `only`.

Why
    The service writes a row of the view for each write of a row of the table, and with it everything that the view covers. A few large values can need more nodes than the table
    itself, once for each index, and they are stored once more, too.

Example
    import btmodel as bt


    class Article(bt.Model, table="ARTICLE", events="100/s"):
        id: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        topic: str = bt.column("t", a, codec=bt.AsInKey(bt.Text(max_length=20)), cardinality=500)
        title: str = bt.column("h", a, size=60)
        text: str = bt.column("x", a, size=50_000, max_size=500_000)

        of_id = bt.query("id")


    class ArticleOfTopic(bt.Index, of=Article, view="ARTICLE_OF_TOPIC"):
        topic: str = bt.key(bt.Text(max_length=20), ends="\\0")
        id: str = bt.covered()
        title: str = bt.covered()
        text: str = bt.covered()

        of_topic = bt.query("topic")

Use instead
    import btmodel as bt


    class Article(bt.Model, table="ARTICLE", events="100/s"):
        id: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        topic: str = bt.column("t", a, codec=bt.AsInKey(bt.Text(max_length=20)), cardinality=500)
        title: str = bt.column("h", a, size=60)
        text: str = bt.column("x", a, size=50_000, max_size=500_000)

        of_id = bt.query("id")


    class ArticleOfTopic(bt.Index, of=Article, view="ARTICLE_OF_TOPIC"):
        topic: str = bt.key(bt.Text(max_length=20), ends="\\0")
        id: str = bt.covered()
        title: str = bt.covered()

        of_topic = bt.query("topic")

Allow
    Suppress it if reading the value from the table, after the index, would cost more than the copies; say how often it is read.

Source
    https://cloud.google.com/bigtable/docs/continuous-materialized-views (a view is kept up to date with each change of its table, by the nodes of the cluster, and stored),
    https://cloud.google.com/bigtable/docs/performance (14,000 rows of 1 KB written a second by a node). The 10 KiB and the quarter are this
    project's own choice.
"""

from collections.abc import Iterator

from attrs import evolve

from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.growth import MUCH_WRITTEN
from btmodel.lint.rule import Rule
from btmodel.schema import Column, ModelSchema
from btmodel.schema.view import ViewKind
from btmodel.words import size_text

_LARGE = 10 * 1_024


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each large column that a view copies more often than a node should."""
    view = model.view
    source = view.source if view is not None and view.kind is ViewKind.INDEX else None
    if source is None or source.events is None:
        return
    asked = {name for query in model.queries for name in query.only}
    rate = source.events.per_second
    for column in model.columns:
        size = column.expected.size
        if size is None or size < _LARGE or size * rate < MUCH_WRITTEN or column.name in asked:
            continue
        yield RULE.finding(
            model,
            f"each write of `{source.name}` copies the {size_text(size)} of `{column.name}` to the view as well: {size_text(round(size * rate))} a second",
            why="an index is written with everything that it covers, so it takes as many nodes as the table, and stores the value once more",
            fix=_without(model, source, column),
            part=column.name,
            at=column.location,
        )


def _without(model: ModelSchema, source: ModelSchema, column: Column) -> Fix:
    """The view without the column; as it needs a cell, with a small one in its place where it has no other."""
    read = f"out of the view, and read it from `{source.name}` for the rows that are wanted"
    rest = tuple(other for other in model.columns if other != column)
    if rest:
        return Fix(f"leave `{column.name}` {read}", (evolve(model, columns=rest),))
    small = next(
        (other for other in source.columns if _is_small(other) and other.name not in model.attributes), None
    )
    if small is None:
        return Fix(
            f"leave `{column.name}` {read}: the view needs one cell, so give `{source.name}` a small column for it"
        )
    one = evolve(small, family=column.family, qualifier=small.name.encode(), also=())
    return Fix(
        f"leave `{column.name}` {read}: cover `{small.name}` in its place", (evolve(model, columns=(one,)),)
    )


def _is_small(column: Column) -> bool:
    """Whether every row has the column, and no more in it than an index should copy."""
    size = column.expected.size or column.expected.max_size or column.codec.max_size
    return column.shape.single and column.required and size is not None and size < _LARGE


RULE: Rule[ModelSchema] = Rule(
    "TAB007", "heavy-index", check, page=__doc__, rewrites=None, levels=(Level.WARNING,)
)
