"""Garbage-collection rules, in words: what a family keeps."""

from collections.abc import Sequence

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
        case Intersection(rules) if all(map(_told, rules)):  # what either rule spares
            return _either(rules)
        case rule:
            return _told(rule) or f"versions that are {_which(rule)}"


def _told(rule: GcRule) -> str:
    """What a rule keeps, as a noun: of limits, and of a number and an age that both must hold; of others nothing."""
    match rule:
        case MaxVersions(1):
            return "the newest version"
        case MaxVersions(versions):
            return f"the newest {counted(versions, 'version')}"
        case MaxAge():
            return f"versions {_which(rule)}"
        case Union((MaxVersions() as newest, MaxAge() as age)) | Union(
            (MaxAge() as age, MaxVersions() as newest)
        ):
            return f"{_told(newest)}, while younger than {told_age(age.age)}"
        case _:
            return ""


def _either(rules: Sequence[GcRule]) -> str:
    """What any of some rules keeps: those of a number first, then those of an age; no comma is left in doubt."""
    ordered = sorted(rules, key=lambda rule: isinstance(rule, MaxAge))
    match ordered:
        case [MaxVersions() as newest, MaxAge() as age]:
            return f"{_told(newest)}, and all younger than {told_age(age.age)}"
        case _:
            return "; and ".join(map(_told, ordered))


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
