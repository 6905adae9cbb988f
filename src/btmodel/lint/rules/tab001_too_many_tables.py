"""TAB001 too-many-tables: more tables than an instance accepts, or than are useful

What it finds
    More than 100 tables in a project, counting all models (a warning), or more than 1,000 (an
    error: an instance accepts no more). A table that is named at run time counts once.

Why
    Bigtable stores the rows of all tables in the same way, so more tables do not balance load
    better. Each table has connections of its own, and rare requests to it are slow.

Example
    from types import new_class

    import btmodel as bt

    TOPICS = [f"{first}{second}" for first in "abcdefghijk" for second in "lmnopqrstu"]


    def about(topic):
        def body(names):
            data = bt.family("data", gc=bt.max_versions(1))
            names["__annotations__"] = {"id": str, "value": str}
            names["id"] = bt.key(bt.Text(width=8), cardinality=1_000_000)
            names["data"] = data
            names["value"] = bt.column(topic, data)

        return new_class(topic, (bt.Model,), {"table": topic}, body)


    globals().update({topic: about(topic) for topic in TOPICS})

Use instead
    import btmodel as bt


    class Fact(bt.Model, table="facts"):
        topic: str = bt.key(bt.Text(width=2), cardinality=110)
        id: str = bt.key(bt.Text(width=8), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        text: str = bt.column("text", data)

        of_topic = bt.query("topic")

Allow
    Suppress the warning if the tables belong to several instances; say to which. The error is a
    hard limit of the service and cannot be suppressed.

Source
    https://cloud.google.com/bigtable/quotas (1,000 tables an instance),
    https://cloud.google.com/bigtable/docs/schema-design (tables: avoid a large number of them). The
    100 tables are this project's own choice.
"""

from collections.abc import Iterator, Sequence

from btmodel.design.keys import with_constant
from btmodel.design.related_tables import by_table, identity
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema
from btmodel.schema.limits import INSTANCE_TABLES

# More tables than these are many (this project's own figure).
MANY = 100


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag a project with too many tables, once, at its first model."""
    tables = by_table(sorted(models, key=identity))
    count = len(tables)
    if count <= MANY:
        return
    over = count > INSTANCE_TABLES
    declared = [sharing[0] for sharing in tables.values() if not sharing[0].undeclared]
    first = declared[0] if declared else next(iter(tables.values()))[0]
    there = f"the instance {first.module!r} has" if first.undeclared else "the models need"
    yield RULE.finding(
        first,
        f"{there} {count:,} tables; an instance accepts at most {INSTANCE_TABLES:,}"
        if over
        else f"{there} {count:,} tables; more than {MANY} are seldom needed",
        why="more tables do not balance load better, and cost connections, maintenance and time",
        fix="put rows of several kinds into one table, each kind with its own constant at the start of its keys"
        f"{_shown(declared[:2])}; which kinds belong together is for you to decide",
        level=Level.ERROR if over else Level.WARNING,
    )


def _shown(models: Sequence[ModelSchema]) -> str:
    """The keys that the rows of two models could have in one table."""
    if len(models) < 2:
        return ""
    keys = (f"`{with_constant(model.key, 0, model.name.lower()).shape}` for {model.name}" for model in models)
    return f": {' and '.join(keys)}, in {models[0].table!r}"


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "TAB001",
    "too-many-tables",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.ERROR),
    limit=True,
)
