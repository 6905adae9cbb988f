"""Groups of rollups of which the table deletes events before anybody could read their sums."""

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from attrs import evolve

from btmodel.codecs.key import Kind
from btmodel.design.series import unit
from btmodel.lint.finding import Fix
from btmodel.lint.retention import raised
from btmodel.on_demand import pattern
from btmodel.schema import Family, GcRule, KeepAll, KeyField, ModelSchema, View
from btmodel.schema.gc import oldest
from btmodel.schema.model import Clock
from btmodel.source_text import gc_code
from btmodel.words import duration_text

_NONE = timedelta(0)
# What a group must be kept for beyond its end, so that somebody can read its sums, as a part of it (this project's own figure).
_TO_READ = 4
_LAST = pattern(
    r"(?i)\b(last|past|recent|recently|newest|latest|rolling|sliding|moving|current|currently|trending)\b"
)


class Group(NamedTuple):
    """A group of a rollup: the finest time of its key, for how long its first event must be kept at ``least`` and is ``needed``, and the words of the description that say so, where they do."""

    time: KeyField | None
    least: timedelta
    needed: timedelta
    said: str = ""

    @property
    def in_words(self) -> str:
        """What the sums are of."""
        if self.time is None:
            return "have no time in their key, so they should cover all that was ever written"
        return f"are those of one value of `{self.time.name}`, which stands for {duration_text(unit(self.time) or _NONE)}"


def group_of(model: ModelSchema) -> Group:
    """The group of a rollup: what its queries read at once, and its description wants together, is kept up to the end of the last group."""
    from btmodel.lint.periods_said import periods_said  # here: the rule is loaded with every model

    known = [
        (span, part)
        for part in model.key.asked
        if part.codec.kind is Kind.TIME and (span := unit(part)) is not None
    ]
    span, time = min(known, key=lambda each: each[0], default=(_NONE, None))
    asked = [
        query.span
        for query in model.queries
        if query.span and time is not None and query.between == time.name
    ]
    needed = max((span + span / _TO_READ, *asked))
    said, period = max(periods_said(model.doc), key=lambda each: each[1], default=("", _NONE))
    if time is None or period <= needed:
        return Group(time, needed, needed)
    return Group(time, period, period + span, said)


def shrinking(
    model: ModelSchema, view: View, source: ModelSchema, group: Group
) -> Iterator[tuple[Family, GcRule, list[str]]]:
    """The families of the table from which a part of a group is deleted too soon, with the names of the sums that shrink."""
    if group.time is None and _LAST.search(model.doc):
        return
    for family in _summed(view, source):
        rule = family.gc
        age = None if rule is None or rule.given else oldest(rule)
        if rule is None or age is None or (group.time is not None and not rule.deletes(group.least, 1)):
            continue
        yield (
            family,
            rule,
            [name for name, of in view.sums if of is None or _held(source, of) in (None, family.id)],
        )


def _summed(view: View, source: ModelSchema) -> Iterator[Family]:
    """The families of the table of what is summed up; where rows are counted, the one of the last cells of a row."""
    named = {_held(source, of) for _, of in view.sums if of is not None}
    rules = {family.id: family for family in source.families}
    aged = {
        column.family for column in source.columns if source.clock(column) not in (Clock.END, Clock.FIXED)
    }
    yield from (rules[id] for id in sorted(named & aged & rules.keys(), key=str) if id is not None)
    held = {column.family for column in source.columns}
    held |= {part.mirror.family for part in source.key.fields if part.mirror}
    ages = [(oldest(rules[id].gc) or timedelta.max, rules[id]) for id in sorted(held & rules.keys())]
    if held <= aged and any(of is None or _held(source, of) is None for _, of in view.sums) and ages:
        yield max(ages, key=lambda each: each[0])[1]


def _held(source: ModelSchema, name: str) -> str | None:
    """The family of a column of the table; None of a key field, which lasts as long as its row."""
    return next((column.family for column in source.columns if column.name == name), None)


def kept_longer(
    model: ModelSchema, view: View, source: ModelSchema, family: Family, rule: GcRule, group: Group
) -> Fix:
    """The rule of the table's family that keeps the events until the sums of their group were read."""
    kept: GcRule
    if group.time is None:
        kept, many = (
            KeepAll(),
            (
                '; or, if the sums of what is left are meant, say so in the docstring ("in the last 30 days"); '
                "or group by a day as well, and add up the days that are wanted"
            ),
        )
    else:
        whole = unit(group.time) or _NONE
        kept = raised(rule, max(group.needed, 2 * whole), 1)
        many = f", as those of an older one go with its events; or group by a shorter time than `{group.time.name}`, and copy each group to a table of its own before its first events are deleted"
    families = tuple(evolve(other, gc=kept) if other == family else other for other in source.families)
    made = evolve(model, view=evolve(view, source=evolve(source, families=families)))
    until = (
        "the events"
        if group.time is None
        else f"the events until the sums of each `{group.time.name}` are read"
    )
    until += (
        f", and so for {duration_text(group.needed)}, as the description says {group.said!r}"
        if group.said
        else ""
    )
    return Fix(
        f'keep {until}, in `{source.name}`: `bt.family("{family.id}", gc={gc_code(kept)})`',
        (made,),
        otherwise=many,
    )
