"""Families with an age that they lack, for what is to end, or is to last for longer."""

from collections.abc import Mapping
from datetime import timedelta

from attrs import evolve

from btmodel.estimates import timed
from btmodel.lint.finding import ArgumentEdit, Fix
from btmodel.lint.retention import raised
from btmodel.schema import Family, GcRule, Intersection, KeepAll, MaxAge, MaxVersions, ModelSchema, Union
from btmodel.schema.gc import keeps_for_ever, simplified
from btmodel.schema.model import Clock
from btmodel.source_text import gc_code

# A rule that keeps so much of the time that is said was meant so.
NEARLY = 0.9


def with_age(model: ModelSchema, kept: timedelta) -> Fix:
    """The families with that age; one whose timestamps are no times has none."""
    fixed = {column.family for column in model.columns if model.clock(column) is Clock.FIXED}
    changed = {
        family.id: aged(family.gc, kept)
        for family in _ending(model)
        if family.gc is not None and family.id not in fixed
    }
    if not changed:
        return Fix(
            "no GC rule goes by the age of such cells: delete the rows by a job, or give their key a time"
        )
    return _with_rules(model, changed)


def no_older(model: ModelSchema, kept: timedelta) -> Fix:
    """The families that keep more than that, with that age as an end of all cells."""
    return _with_rules(
        model, {one.id: _cut(one.gc, kept) for one in too_long(model, kept) if one.gc is not None}
    )


def too_long(model: ModelSchema, kept: timedelta) -> list[Family]:
    """The families of what ends that keep cells for longer."""
    return [one for one in _ending(model) if one.gc is not None and not one.gc.deletes(kept / NEARLY, 1)]


def _ending(model: ModelSchema) -> list[Family]:
    """The families of what ends: of a row that gathers events, these do, and what the row is does not."""
    events = set() if timed(model) else {column.family for column in model.columns if column.eventful}
    return [family for family in model.families if not events or family.id in events]


def _with_rules(model: ModelSchema, changed: Mapping[str, GcRule]) -> Fix:
    """The families with other rules, by their ids."""
    families = tuple(evolve(family, gc=changed.get(family.id, family.gc)) for family in model.families)
    named = ", ".join(f'`bt.family("{id}", gc={gc_code(rule)})`' for id, rule in changed.items())
    edit = ArgumentEdit("gc", gc_code(next(iter(changed.values())))) if len(model.families) == 1 else None
    text = f"let the GC rule do it: {named}"
    return Fix(text, edit=edit) if edit else Fix(text, (evolve(model, families=families),))


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
