"""FAM008 gc-rule: a GC rule that the service refuses

What it finds
    A GC rule that takes more than 500 bytes as the service stores it, and, in an existing
    table, one that keeps nothing at all. Declarations refuse ages under 1 ms and empty unions.

Why
    The service refuses such a rule, and the table with it. A local emulator may accept it, so
    the mistake appears first in production.

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
    This is a hard limit of the service and cannot be suppressed.

Source
    google/bigtable/admin/v2/table.proto (ColumnFamily.gc_rule: at most 500 bytes).
"""

from collections.abc import Iterator
from datetime import timedelta

from btmodel.lint.finding import ArgumentEdit, Finding
from btmodel.lint.retention import shortest
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema
from btmodel.schema.gc import GcRule, Intersection, MaxAge, MaxVersions, Union, simplified
from btmodel.schema.limits import GC_RULE_BYTES
from btmodel.source_text import gc_code
from btmodel.words import counted

# A rule is a message ``GcRule`` of google/bigtable/admin/v2/table.proto: one of
# ``max_num_versions`` (1, a number), ``max_age`` (2, a ``Duration``), ``intersection`` (3) and ``union`` (4),
# which hold rules themselves (1). All these field numbers take one byte.

_SECOND = timedelta(seconds=1)
_NANOS = 1_000
_TAG = 1


def serialized_size(rule: GcRule) -> int:
    """The bytes of ``rule`` as a message; 0 where it keeps everything, which is no rule there."""
    return _size(simplified(rule))


def _size(rule: GcRule) -> int:
    match rule:
        case MaxVersions(versions):
            return _TAG + _number(versions)
        case MaxAge(age):
            return _message(_field(age // _SECOND) + _field((age % _SECOND).microseconds * _NANOS))
        case Union(rules) | Intersection(rules):
            return _message(sum(_message(_size(part)) for part in rules))
        case _:
            return 0


def _number(value: int) -> int:
    """Seven bits of a number lie in a byte."""
    return max(1, -(-value.bit_length() // 7))


def _field(value: int) -> int:
    """The bytes of a number in a message: a field of 0 is left out."""
    return _TAG + _number(value) if value else 0


def _message(size: int) -> int:
    """The bytes of a message of this size in another one, its length in front."""
    return _TAG + _number(size) + size


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each family whose rule is too large, or keeps nothing."""
    for family in model.families:
        problem = _problem(family.gc)
        if problem is not None:
            message, fix, edit = problem
            yield RULE.finding(
                model,
                f"the rule of family {family.id!r} {message}",
                why="the service refuses such a rule",
                fix=fix,
                part=family.id,
                at=family.location,
                edit=edit,
            )


def _problem(rule: GcRule | None) -> tuple[str, str, ArgumentEdit | None] | None:
    """What is wrong with a rule, the fix, and the change where it is one."""
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
    short, edit = shortest(rule), None
    if serialized_size(short) <= GC_RULE_BYTES:
        fix = f"say the same in fewer words: `gc={gc_code(short)}`"
        edit = ArgumentEdit("gc", gc_code(short))
    else:
        fix = f"state fewer than its {counted(len(list(short.thresholds())), 'limit')}"
    return f"takes {size:,} bytes; the service accepts {GC_RULE_BYTES}", fix, edit


RULE: Rule[ModelSchema] = Rule("FAM008", "gc-rule", check, page=__doc__, rewrites=None, limit=True)
