"""FAM004 no-gc-rule: a family that does not say what it keeps

What it finds
    A column family without a GC rule. To keep everything, say so with `gc=bt.keep_all()`. In a
    table that is read from an instance, the finding is a warning, because there a family that
    keeps everything has no rule either. In such a table the rule skips families of counters,
    because adding to a cell adds no version.

Why
    Without a rule, every version of every cell is kept and paid for forever, and rows that are
    overwritten keep growing. A rule that you set later deletes data that was written before, so
    choose it with the model.

Example
    import btmodel as bt


    class Machine(bt.Model, table="MACHINE"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("state")
        load: float = bt.column("load", state)

Use instead
    import btmodel as bt


    class Machine(bt.Model, table="MACHINE"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("state", gc=bt.max_versions(1))
        load: float = bt.column("load", state)

Allow
    Suppress it if the table exists already and its rule must not be touched; say who maintains
    it. To keep everything, declare `gc=bt.keep_all()` instead.

Source
    https://cloud.google.com/bigtable/docs/garbage-collection.
"""

from collections.abc import Iterator

from btmodel.lint.finding import ArgumentEdit, Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each family without a rule."""
    if model.live:
        yield from _live(model)
        return
    histories = {column.family for column in model.columns if column.versioned}
    for family in model.families:
        if family.gc is None:
            if family.id in histories:
                aim, gc = "its history for 30 days", "bt.max_age(days=30)"
            else:
                aim, gc = "the newest value of a column", "bt.max_versions(1)"
            yield RULE.finding(
                model,
                f"family {family.id!r} has no GC rule",
                why="without a rule every version of every cell is kept and paid for forever",
                fix=f'state it in `bt.family("{family.id}", gc=...)`: to keep {aim}, `gc={gc}`; to keep everything, `gc=bt.keep_all()`',
                part=family.id,
                at=family.location,
                # Of the rules to choose from, the one that deletes nothing.
                edit=ArgumentEdit("gc", "bt.keep_all()"),
            )


def _live(table: ModelSchema) -> Iterator[Finding]:
    for family in table.families:
        if family.gc is None and family.aggregate is None and family.value_type is None:
            yield RULE.finding(
                table,
                f"family {family.id!r} has no GC rule",
                why="without a rule every version of every cell is kept and paid for forever",
                fix=f'state it in a model of the table, as `bt.family("{family.id}", gc=bt.max_versions(1))`, '
                "and bring it there with `btmodel migrate`; where everything is to be kept, leave it so",
                part=family.id,
                level=Level.WARNING,
            )


RULE: Rule[ModelSchema] = Rule(
    "FAM004", "no-gc-rule", check, page=__doc__, rewrites=None, levels=(Level.ERROR, Level.WARNING)
)
