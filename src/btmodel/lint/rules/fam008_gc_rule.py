"""FAM008 gc-rule: a garbage-collection rule that the service refuses

What it finds
    A rule of more than 500 bytes, as the service stores it; and, on a live table, one that keeps nothing at all. Ages under
    1 ms and unions of nothing are refused where they are declared.

Why
    The service refuses such a rule, and with it the table. A local emulator may take it, so that
    the mistake is seen in production first.

Example
    from functools import reduce
    from operator import or_

    import btmodel as bt


    class Machine(bt.Model, table="MACHINE", events="100/min"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("state", gc=reduce(or_, [bt.max_age(days=day) for day in range(30, 130)]))
        load: float = bt.column("load", state)

        one = bt.query("host")

Use instead
    import btmodel as bt


    class Machine(bt.Model, table="MACHINE", events="100/min"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("state", gc=bt.max_age(days=30))
        load: float = bt.column("load", state)

        one = bt.query("host")

Allow
    It is a hard limit of the service and cannot be allowed.

Source
    google/bigtable/admin/v2/table.proto (ColumnFamily.gc_rule: at most 500 bytes).
"""

from collections.abc import Iterator
from datetime import timedelta

from btmodel.counted import counted
from btmodel.lint.finding import Finding
from btmodel.lint.fix import Fix
from btmodel.lint.retention import shortest
from btmodel.lint.rule import Rule
from btmodel.schema import GcRule, ModelSchema
from btmodel.schema.figures import GC_RULE_BYTES
from btmodel.schema.gc_code import gc_code
from btmodel.schema.gc_size import serialized_size


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each family whose rule is too large, or keeps nothing."""
    for family in model.families:
        problem = _problem(family.gc)
        if problem is not None:
            message, mend, fix = problem
            yield RULE.finding(
                model,
                f"the rule of family {family.id!r} {message}",
                why="the service refuses such a rule",
                mend=mend,
                part=family.id,
                at=family.location,
                fix=fix,
            )


def _problem(rule: GcRule | None) -> tuple[str, str, Fix | None] | None:
    """What is wrong with a rule, the mend, and the change where it is one."""
    if rule is None:
        return None
    if rule.deletes(timedelta(0), 1):
        return (
            "keeps nothing",
            "keep the newest value of a column, `gc=bt.max_versions(1)`, or drop the family",
            None,
        )
    size = serialized_size(rule)
    if size <= GC_RULE_BYTES:
        return None
    short, fix = shortest(rule), None
    if serialized_size(short) <= GC_RULE_BYTES:
        mend = f"say the same in fewer words: `gc={gc_code(short)}`"
        fix = Fix("gc", gc_code(short))
    else:
        mend = f"state fewer than its {counted(len(list(short.thresholds())), 'limit')}"
    return f"takes {size:,} bytes, of {GC_RULE_BYTES} that are possible", mend, fix


RULE: Rule[ModelSchema] = Rule("FAM008", "gc-rule", check, page=__doc__, limit=True)
