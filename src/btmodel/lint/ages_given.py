"""Families with an age that they lack, for what is to end, or is to last for longer."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta

from attrs import evolve

from btmodel.design.hints import called_following, sentences
from btmodel.estimates import rate_of_one, timed
from btmodel.lint.descriptions import (
    WRITTEN_ONCE,
    by_others,
    in_full,
    kept_alone,
    kept_for,
    kept_said,
    past_in,
)
from btmodel.lint.finding import ArgumentEdit, Fix
from btmodel.lint.later_events import from_later
from btmodel.lint.lifetimes import Bound, Lifetime, lifetimes
from btmodel.lint.retention import declared_family, free_family, moved, raised, with_room
from btmodel.schema import (
    Column,
    Family,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Union,
)
from btmodel.schema.gc import keeps_for_ever, max_versions, simplified
from btmodel.schema.model import Clock
from btmodel.source_text import gc_code
from btmodel.words import duration_text, quoted, words

# A rule that keeps so much of the time that is said was meant so.
NEARLY = 0.9
# A month may be thirty days; what ends sooner than so is lost.
EARLIEST = 0.96
_MOMENT = timedelta(seconds=1)
# So often a row is written while its cells last, where its age is counted from the last time.
_MANY_TIMES = 10


def with_age(model: ModelSchema, kept: timedelta, *, needed: bool = False) -> Fix:
    """The families with that age; one whose timestamps are no times has none. Where events are ``needed`` for so long, no number of versions ends them before."""
    fixed = {column.family for column in model.columns if model.clock(column) is Clock.FIXED}
    events = {column.family for column in model.columns if column.eventful} if needed else set()
    changed = {
        family.id: MaxAge(kept) if family.id in events and by_number(family.gc) else aged(family.gc, kept)
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
    """The families of what ends: what the description names; of a row that gathers events, these do, and what the row is does not."""
    gathered = [] if timed(model) else [column for column in model.columns if column.eventful]
    events = {column.family for column in kept_alone(model) or gathered}
    return [family for family in model.families if not events or family.id in events]


def _with_rules(
    model: ModelSchema, changed: Mapping[str, GcRule], text: str = "let the GC rule do it"
) -> Fix:
    """The families with other rules, by their ids."""
    families = tuple(evolve(family, gc=changed.get(family.id, family.gc)) for family in model.families)
    named = ", ".join(f'`bt.family("{id}", gc={gc_code(rule)})`' for id, rule in changed.items())
    edit = ArgumentEdit("gc", gc_code(next(iter(changed.values())))) if len(model.families) == 1 else None
    text = f"{text}: {named}"
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


def for_so_long(model: ModelSchema, family: Family, said: Lifetime) -> Fix:
    """That age; none, where it counts from something that happens long after the writing, and newest values are all that there is."""
    plain = all(column.shape.plain for column in model.columns)
    if said.bound in (Bound.LEAST, Bound.ABOUT) and from_later(model, said.said) and plain:
        newest = {one.id: max_versions(1) for one in model.families if not keeps_for_ever(one.gc)}
        families = tuple(evolve(one, gc=newest.get(one.id, one.gc)) for one in model.families)
        named = ", ".join(f"`{declared_family(one)}`" for one in families if one.id in newest)
        return Fix(
            f"let a program delete what is not needed any more, as an age counts from the writing, and not from then: {named}",
            (evolve(model, families=families),),
            otherwise="; or, if nothing is read after a time that is known, an age that surely lasts until then",
            longer=True,
        )
    assert said.length is not None
    needed = in_full(said.said, said.length, said.bound)
    wanted = said.bound in (Bound.LEAST, Bound.ABOUT)
    return _alone(model, family, needed) or with_age(model, needed, needed=wanted)


def _alone(model: ModelSchema, family: Family, kept: timedelta) -> Fix | None:
    """A family of their own for the columns of which the description speaks, and not of all that stand beside them."""
    beside = [column for column in model.columns if column.family == family.id]
    named = [column for column in kept_alone(model) if column in beside]
    if not named or len(named) == len(beside) or family.aggregate is not None:
        return None
    home, made = Family(free_family(model, family.id), MaxAge(kept)), model
    for column in named:
        made = moved(made, column, home)
    own = "a family of its own" if len(named) == 1 else "a family of their own"
    return Fix(
        f"give {quoted(one.name for one in named)}, of which that is said, {own}: `{declared_family(home)}`",
        (made,),
        longer=True,
    )


def without_age(model: ModelSchema) -> Fix:
    """The families without an age: each keeps the newest value, and all events."""
    gathering = {column.family for column in model.columns if not column.shape.plain}
    changed = {one.id: KeepAll() if one.id in gathering else MaxVersions(1) for one in model.families}
    fix = _with_rules(model, changed, "let no GC rule delete by age")
    return evolve(fix, otherwise="; or, if rows end at that age, say so in the docstring", longer=True)


def age_of_entries(model: ModelSchema, column: Column) -> tuple[str, timedelta] | None:
    """How long the entries of a column are wanted, and who says so: what it declares to keep, what the description says of it or of rows, or how far back it says that events are read."""
    declared = (
        [one.age for one in column.expected.keep.thresholds() if isinstance(one, MaxAge)]
        if column.expected.keep
        else []
    )
    if declared:
        return "as it declares by `keep`", max(declared)
    stem = words(column.name)[-1].lower().removesuffix("s") if words(column.name) else column.name
    spoken = [one for one in sentences(model.doc) if re.search(rf"(?i)\b{re.escape(stem)}(?:e?s)?\b", one)]
    said = [one for sentence in spoken for one in lifetimes(sentence) if not by_others(sentence[one.end :])]
    if any(one.bound is Bound.EVER for one in said):
        return None
    whole = kept_for(model)
    for one in (*said, *([whole] if whole else ())):
        if one.length is not None:
            return f"as the description says {one.said!r}", in_full(one.said, one.length, one.bound)
    asked = None if kept_said(model.doc) else max(filter(None, map(past_in, spoken)), default=None)
    if asked is None:
        return None
    return f"as the description speaks of {duration_text(asked)}", with_room(asked).age


def by_number(rule: GcRule) -> bool:
    """Whether a rule keeps several versions by their number."""
    return any(isinstance(one, MaxVersions) and one.versions > 1 for one in rule.thresholds())


def too_short(
    model: ModelSchema, said: Lifetime, rules: Sequence[GcRule], *, later: bool
) -> tuple[Family, GcRule] | None:
    """The first family that deletes before the time that is ``said``, where none keeps its cells for about so long; of events, only where all do.

    What is to be gone then may go a little sooner; what begins ``later`` than the writing is needed for longer.
    """
    kept = said.length
    assert kept is not None
    gone = said.bound in (Bound.ENDS, Bound.MOST)
    least = kept / NEARLY if later else kept * (NEARLY if gone else EARLIEST)
    early = [rule.deletes(least, 1) for rule in rules]
    about = any(not soon and rule.deletes(kept / NEARLY, 1) for soon, rule in zip(early, rules, strict=True))
    if about or not any(early) or (timed(model) and not all(early)):
        return None
    at = early.index(True)
    return model.families[at], rules[at]


def written_again(model: ModelSchema, rules: Sequence[GcRule]) -> bool:
    """Whether rows without a time in their key are written many times before an age deletes them, by the names of their columns or by their rate."""
    if timed(model):  # a bucket is, and the events in it are not
        return model.bucket is not None and not any(column.eventful for column in model.columns)
    if any(called_following(one.name, one.codec.python_type) or not one.shape.plain for one in model.columns):
        return True
    ages = [each.age for rule in rules for each in rule.thresholds() if isinstance(each, MaxAge)]
    written = (rate_of_one(model) or 0) * min(ages, default=_MOMENT).total_seconds()
    return written > _MANY_TIMES and not WRITTEN_ONCE.search(model.doc)
