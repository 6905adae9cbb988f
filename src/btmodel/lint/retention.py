"""GC rules as mends propose them: raised to what a row needs, or said in fewer words."""

from datetime import timedelta
from functools import reduce
from operator import and_

from attrs import evolve

from btmodel.schema import GcRule, Intersection, KeepAll, MaxAge, MaxVersions, ModelSchema, Union
from btmodel.schema.figures import FAMILY_ID_LENGTH
from btmodel.schema.gc import MOST_VERSIONS

_STEP = timedelta(microseconds=1)


def raised(rule: GcRule, age: timedelta, rank: int) -> GcRule:
    """``rule`` as it is, or with versions or ages raised as far as it takes to keep a cell of this age and rank."""
    tries = (rule, _raised(rule, None, rank), _raised(rule, age, None), _raised(rule, age, rank))
    # There are more events than any rule can count: keep them by their age.
    fallback = MaxVersions(rank) if rank <= MOST_VERSIONS else MaxAge(age)
    return next((one for one in tries if not one.deletes(age, rank)), fallback)


def _raised(rule: GcRule, age: timedelta | None, rank: int | None) -> GcRule:
    match rule:
        case MaxVersions(versions) if rank is not None:
            return MaxVersions(min(max(versions, rank), MOST_VERSIONS))
        case MaxAge(limit) if age is not None:
            return MaxAge(max(limit, age))
        case Union(rules) | Intersection(rules):
            return evolve(rule, rules=tuple(_raised(part, age, rank) for part in rules))
        case _:
            return rule


def shortest(rule: GcRule) -> GcRule:
    """A rule of the same meaning that names no limit twice, and none that changes nothing.

    A rule keeps the cells of any rank up to an age, those of a lower rank up to a higher one, and so on: these
    steps are read off its own limits. Of a rule that keeps nothing there is none, so it is given back.
    """
    limits = list(rule.thresholds())
    ages = [*sorted({limit.age for limit in limits if isinstance(limit, MaxAge)}), None]
    ranks = sorted({limit.versions for limit in limits if isinstance(limit, MaxVersions)})
    steps: list[GcRule] = []
    before = 0
    for rank in [None, *reversed(ranks)]:
        behind = rank or max(ranks, default=0) + 1
        kept = sum(not rule.deletes(_or_older(age, ages), behind) for age in ages)
        if kept > before:
            before = kept
            steps.append(_step(rank, ages[kept - 1]))
    return reduce(and_, steps) if steps else rule


def _or_older(age: timedelta | None, ages: list[timedelta | None]) -> timedelta:
    """An age, or for None one beyond them all."""
    oldest = max((one for one in ages if one is not None), default=timedelta(0))
    return min(oldest, timedelta.max - _STEP) + _STEP if age is None else age


def _step(rank: int | None, age: timedelta | None) -> GcRule:
    """Keeps what is within the rank and within the age; None is any."""
    if rank is None:
        return KeepAll() if age is None else MaxAge(age)
    return MaxVersions(rank) if age is None else MaxVersions(rank) | MaxAge(age)


def free_family(model: ModelSchema, stem: str) -> str:
    """A family id that the model has not: ``stem``, or with a number behind it."""
    taken = {family.id for family in model.families}
    names = (stem, *(f"{stem[: FAMILY_ID_LENGTH - 3]}{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)
