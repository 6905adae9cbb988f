"""Families with an age that they lack, for what is to end, or is to last for longer."""

from datetime import timedelta

from attrs import evolve

from btmodel.estimates import timed
from btmodel.lint.finding import ArgumentEdit, Fix
from btmodel.lint.retention import raised
from btmodel.schema import GcRule, Intersection, KeepAll, MaxAge, MaxVersions, ModelSchema, Union
from btmodel.schema.gc import keeps_for_ever, simplified
from btmodel.schema.model import Clock
from btmodel.source_text import gc_code

# A rule that keeps so much of the time that is said was meant so.
NEARLY = 0.9


def with_age(model: ModelSchema, kept: timedelta) -> Fix:
    """The families with that age; one whose timestamps are no times has none."""
    fixed = {column.family for column in model.columns if model.clock(column) is Clock.FIXED}
    # What a row of something gathers ends, and not what it is.
    events = set() if timed(model) else {column.family for column in model.columns if column.eventful}
    changed = {
        family.id: aged(family.gc, kept)
        for family in model.families
        if family.gc is not None and family.id not in fixed and (not events or family.id in events)
    }
    if not changed:
        return Fix(
            "no GC rule goes by the age of such cells: delete the rows by a job, or give their key a time"
        )
    families = tuple(evolve(family, gc=changed.get(family.id, family.gc)) for family in model.families)
    named = ", ".join(f'`bt.family("{id}", gc={gc_code(rule)})`' for id, rule in changed.items())
    edit = ArgumentEdit("gc", gc_code(next(iter(changed.values())))) if len(model.families) == 1 else None
    text = f"let the GC rule do it: {named}"
    return Fix(text, edit=edit) if edit else Fix(text, (evolve(model, families=families),))


def no_older(model: ModelSchema, kept: timedelta) -> Fix:
    """The families that keep more than that, with that age as an end of all cells."""
    long = ids_too_long(model, kept)
    changed = {
        family.id: _cut(family.gc, kept)
        for family in model.families
        if family.gc is not None and family.id in long
    }
    named = ", ".join(f'`bt.family("{id}", gc={gc_code(rule)})`' for id, rule in changed.items())
    families = tuple(evolve(one, gc=changed.get(one.id, one.gc)) for one in model.families)
    return Fix(f"let the GC rule do it: {named}", (evolve(model, families=families),))


def ids_too_long(model: ModelSchema, kept: timedelta) -> frozenset[str]:
    """The families that keep cells for longer; of a row that gathers events, those of the events."""
    events = set() if timed(model) else {column.family for column in model.columns if column.eventful}
    return frozenset(
        family.id
        for family in model.families
        if family.gc is not None
        and not family.gc.deletes(kept / NEARLY, 1)
        and (not events or family.id in events)
    )


def _cut(rule: GcRule, kept: timedelta) -> GcRule:
    """The rule with that age instead of its own."""
    parts = rule.rules if isinstance(rule, Union) else (rule,)
    others = [part for part in parts if not isinstance(part, (MaxAge, KeepAll))]
    return simplified(Union((*others, MaxAge(kept)))) if others else MaxAge(kept)


def aged(rule: GcRule, kept: timedelta) -> GcRule:
    """The rule with that age at the end of all versions."""
    if not keeps_for_ever(rule):
        return raised(rule, kept, 1)
    if isinstance(rule, Intersection):  # which keeps the newest version for ever, whatever its age is
        several = [one for one in rule.rules if isinstance(one, MaxVersions) and one.versions > 1]
        ages = [one for one in rule.rules if isinstance(one, MaxAge) and of_older(rule, kept)]
        return simplified(Union((several[0], (ages or [MaxAge(kept)])[0]))) if several else MaxAge(kept)
    return simplified(rule | MaxAge(kept))


def of_older(rule: GcRule, kept: timedelta) -> bool:
    """Whether a rule ends older versions at that age, and keeps the newest: the words may be about these."""
    ages = [each.age for each in rule.thresholds() if isinstance(each, MaxAge)]
    return isinstance(rule, Intersection) and any(kept * NEARLY <= age <= kept / NEARLY for age in ages)
