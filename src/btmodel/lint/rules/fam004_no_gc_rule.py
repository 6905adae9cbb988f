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
from datetime import timedelta
from functools import partial

from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level
from btmodel.lint.rule import Rule
from btmodel.schema import Family, GcRule, MaxAge, MaxVersions, ModelSchema
from btmodel.source_text import gc_code


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each family without a rule."""
    if model.undeclared:
        yield from _live(model)
        return
    histories = {column.family for column in model.columns if column.versioned}
    for family in model.families:
        if family.gc is None:
            yield RULE.finding(
                model,
                f"family {family.id!r} has no GC rule",
                why="without a rule every version of every cell is kept and paid for forever",
                fix=partial(
                    _ways,
                    model,
                    family,
                    MaxAge(timedelta(days=30)) if family.id in histories else MaxVersions(1),
                ),
                part=family.id,
                at=family.location,
            )


def _ways(model: ModelSchema, family: Family, usual: GcRule) -> Iterator[Fix]:
    """The rules to choose from. None is an edit: what may be deleted only the author knows, and to keep everything would only silence the finding."""
    aim = "its history for 30 days" if isinstance(usual, MaxAge) else "the newest value of a column"
    keep = f'state it in `bt.family("{family.id}", gc=...)`: to keep {aim}, `gc={gc_code(usual)}`'
    everything = ArgumentEdit("gc", "bt.keep_all()")
    yield Fix(f"{keep}; to keep everything, `gc=bt.keep_all()`", as_if=everything)
    yield Fix(keep, as_if=ArgumentEdit("gc", gc_code(usual)))


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
