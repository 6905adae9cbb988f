"""What a garbage-collection rule keeps: the newest cells of a column, up to some rank and age."""

import math
from collections.abc import Iterable
from datetime import timedelta

from btmodel.schema.gc import GcRule, Intersection, KeepAll, MaxAge, MaxVersions, Union

# Cells of up to this rank (from 1) and this age are kept; infinite where there is no limit.
Step = tuple[float, timedelta]


def steps(rule: GcRule | None) -> list[Step]:
    """What ``rule`` keeps: cells within the rank and the age of any of these."""
    match rule:
        case MaxVersions(versions):
            return [(versions, timedelta.max)]
        case MaxAge(age):
            return [(math.inf, age)]
        case Union(rules):
            # What a union keeps, each of its rules keeps.
            found: list[Step] = [(math.inf, timedelta.max)]
            for part in rules:
                found = _widest((min(a, b), min(s, t)) for a, s in found for b, t in steps(part))
            return found
        case Intersection(rules):
            return _widest(step for part in rules for step in steps(part))
        case KeepAll() | None:
            return [(math.inf, timedelta.max)]
        case _:
            raise TypeError(f"unknown GC rule {rule!r}")


def oldest(rule: GcRule | None) -> timedelta | None:
    """The age beyond which ``rule`` keeps no cell, not even the newest of its column; None where there is none."""
    age = max(age for _, age in steps(rule))
    return None if age == timedelta.max else age


def keeps_for_ever(rule: GcRule | None) -> bool:
    """Whether ``rule`` keeps the newest cell of a column whatever its age."""
    return oldest(rule) is None


def _widest(candidates: Iterable[Step]) -> list[Step]:
    """The steps that no other one contains."""
    found: list[Step] = []
    for versions, age in sorted(set(candidates), reverse=True):
        if not found or age > found[-1][1]:
            found.append((versions, age))
    return found
