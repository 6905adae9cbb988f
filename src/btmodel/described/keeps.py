"""Garbage-collection rules, in words: what a family keeps."""

from btmodel.counted import counted
from btmodel.schema import Family, GcRule, Intersection, KeepAll, MaxAge, MaxVersions, Union
from btmodel.schema.gc import simplified, told_age


def keeps(family: Family) -> str:
    """What the rule of ``family`` keeps of each column: ``the newest 3 versions``."""
    if family.gc is None:
        return "no rule is stated"
    match simplified(family.gc):
        case KeepAll():
            return "everything, for ever"
        case MaxVersions(1):
            return "the newest version"
        case MaxVersions(versions):
            return f"the newest {counted(versions, 'version')}"
        case MaxAge() as rule:
            return f"versions {_which(rule)}"
        case rule:
            return f"versions that are {_which(rule)}"


def _which(rule: GcRule) -> str:
    match rule:
        case MaxVersions(versions):
            return f"among the newest {versions:,}" if versions > 1 else "the newest"
        case MaxAge(age):
            return f"younger than {told_age(age)}"
        case Union(rules):  # either deletes: kept is what neither does
            return " and ".join(map(_part, rules))
        case Intersection(rules):
            return " or ".join(map(_part, rules))
        case _:
            raise TypeError(f"unknown GC rule {rule!r}")


def _part(rule: GcRule) -> str:
    return f"({_which(rule)})" if isinstance(rule, Union | Intersection) else _which(rule)
