"""Garbage collection rules: which are valid, what they delete, and which change of one is a relaxation.

A rule is handled as the service documents it: max_num_versions deletes all but the newest N cells of a
column, max_age deletes cells older than an age, a union deletes what any of its rules deletes, an
intersection what all of them delete, and no rule at all deletes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from btmodel.server import limits
from btmodel.server.protos import Message
from btmodel.server.status import invalid, precondition

MILLISECOND = timedelta(milliseconds=1)
MICROSECOND = timedelta(microseconds=1)

#: (rank of the cell in its column, the newest being 0; its age in microseconds) -> is it garbage?
Collector = Callable[[int, int], bool]


def check(rule: Message, family: str) -> None:
    """Refuse a rule that the service would not store: too large, empty branches, or thresholds below one."""
    size = rule.ByteSize()
    if size > limits.GC_RULE_SIZE:
        raise invalid(
            f"GC rule of family '{family}' is {size:,} bytes long, "
            f"which is more than the limit of {limits.GC_RULE_SIZE} bytes"
        )
    _check_node(rule, family, outermost=True)


def _check_node(rule: Message, family: str, outermost: bool) -> None:
    kind = rule.WhichOneof("rule")
    if kind is None and not outermost:
        raise invalid(f"GC rule of family '{family}' has an empty rule in a union or an intersection")
    if kind == "max_num_versions" and rule.max_num_versions < 1:
        raise invalid(
            f"max_num_versions of family '{family}' must be at least 1, but got {rule.max_num_versions}"
        )
    if kind == "max_age":
        age = limits.duration(rule.max_age, f"max_age of family '{family}'")
        if age < MILLISECOND:
            raise invalid(
                f"max_age of family '{family}' must be at least 1 millisecond, but got {limits.in_words(age)}"
            )
    if kind in ("union", "intersection"):
        children = getattr(rule, kind).rules
        if not children:
            raise invalid(f"{kind} of family '{family}' must contain at least one rule")
        for child in children:
            _check_node(child, family, outermost=False)


def collector(rule: Message) -> Collector | None:
    """Compile a rule; None when it never deletes anything."""
    kind = rule.WhichOneof("rule")
    if kind is None:
        return None
    if kind == "max_num_versions":
        keep: int = rule.max_num_versions
        return lambda rank, age: rank >= keep
    if kind == "max_age":
        oldest = limits.duration(rule.max_age, "max_age") // MICROSECOND
        return lambda rank, age: age > oldest
    parts = [part for child in getattr(rule, kind).rules if (part := collector(child))]
    if kind == "union":
        return lambda rank, age: any(part(rank, age) for part in parts)
    return lambda rank, age: all(part(rank, age) for part in parts)


def check_relaxation(old: Message, new: Message, family: str, ignore_warnings: bool) -> None:
    """Refuse to relax a pure age rule of a replicated family.

    With ignore_warnings the service lets an age grow by up to 90 days at a time; removing the rule, or
    replacing it by one that is not pure age, stays refused.
    """
    if old.WhichOneof("rule") != "max_age":
        return
    before = limits.duration(old.max_age, "max_age")
    if new.WhichOneof("rule") == "max_age":
        grown = limits.duration(new.max_age, "max_age") - before
        if grown <= timedelta(0) or (ignore_warnings and grown <= limits.RELAX_AT_MOST):
            return
    elif _at_least_as_strict(new, before // MICROSECOND):
        return
    raise precondition(
        f"Cannot relax pure age-based GC for a replicated family ({family}). "
        "If you must relax the age constraint, unreplicate the instance and try again."
    )


def _at_least_as_strict(rule: Message, age: int) -> bool:
    """Whether a rule still deletes all that is older than *age* microseconds, the newest cells too."""
    collects = collector(rule)
    return collects is not None and collects(0, age + 1)
