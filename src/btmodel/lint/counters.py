"""Plain cells that a program adds to, as counters of the service, which needs no read for it."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import NamedTuple

from btmodel.codecs import cell
from btmodel.design.keys import fresh
from btmodel.estimates import timed
from btmodel.lint.decided_numbers import decided
from btmodel.lint.descriptions import kept_for
from btmodel.lint.period_counters import called_of
from btmodel.lint.retention import declared_family, free_family, moved
from btmodel.schema import (
    Aggregate,
    Column,
    Expected,
    Family,
    GcRule,
    KeepAll,
    MaxAge,
    ModelSchema,
    Rate,
    Shape,
)
from btmodel.schema.bucket import Spans
from btmodel.schema.gc import oldest
from btmodel.schema.rate import every_text
from btmodel.source_text import family_name
from btmodel.words import duration_text, quoted

# Spans that a counter with an age adds up, the longest first.
_SPANS = tuple(map(Spans, (timedelta(days=1), timedelta(hours=1), timedelta(minutes=1))))
# An age holds so many spans, or additions, at least, so that what ends with one is a small part, and no pause outlasts it (this project's own figure).
_IN_AN_AGE = 10


class Counters(NamedTuple):
    """The plain columns that are added to as ``columns`` of the service, in ``families`` that may be new: ``model`` has them."""

    model: ModelSchema
    columns: tuple[Column, ...]
    families: tuple[Family, ...]
    new: tuple[Family, ...]
    fractions: tuple[str, ...]  #: the columns that are no whole numbers yet
    lasting: tuple[
        str, ...
    ] = ()  #: the columns whose total an age would have ended, had not each addition renewed it

    @property
    def longer(self) -> bool:
        """Whether it keeps what an age may have ended."""
        return bool(self.lasting)

    def declared(self, *, rates: bool = True) -> str:
        """Their declarations, and those of new families; with or without what is added to each."""
        called = {family.id: _called(self.model, family) for family in self.families}
        made = [f"{called[family.id]} = {declared_family(family)}" for family in self.new]
        made += [_declared(column, called[column.family], rates=rates) for column in self.columns]
        known = [family for family in self.families if family not in self.new]
        which = (
            f" (`{called[known[0].id]}` is the family {known[0].id!r}, which sums already)" if known else ""
        )
        spanned = [column.name for column in self.columns if column.spans]
        ages = {age for family in self.families if family.gc and (age := oldest(family.gc))}
        since = (
            f" of the last {duration_text(min(ages))}, and no older additions, while each write keeps a plain cell; for a total of all, `gc=bt.keep_all()` without `every`"
            if ages
            else ""
        )
        read = f", of which {quoted(f'{name}.total' for name in spanned)} {'is the sum' if len(spanned) == 1 else 'are the sums'}{since}"
        return quoted(made) + which + (read if spanned else "") + self._renewed() + self._whole()

    def _renewed(self) -> str:
        """Why a total has no age any more, as a part of a sentence; empty where none had one."""
        if not self.lasting:
            return ""
        one = len(self.lasting) == 1
        return f", as each addition renews {quoted(self.lasting)}, so that the age never ends {'it' if one else 'them'}, and a counter of days would forget"

    def _whole(self) -> str:
        """What becomes of fractions, which the service cannot add up, as a part of a sentence; empty where there are none."""
        if not self.fractions:
            return ""
        count = "counts" if len(self.fractions) == 1 else "count"
        return f", where {quoted(self.fractions)} {count} whole numbers of the smallest unit, such as cents, as the service adds up no fractions"


def _called(model: ModelSchema, family: Family) -> str:
    """The name of a family in Python."""
    name = family_name(family.id)
    return fresh(model, name, f"{name}_")


def _declared(column: Column, family: str, *, rates: bool) -> str:
    name = column.qualifier.decode(errors="backslashreplace")
    held = "bt.History[int]" if column.spans else "int | None"
    every = f', every="{every_text(column.spans.every)}"' if column.spans else ""
    increments = column.expected.increments
    rate = f', increments="{_rate(increments)}"' if rates and increments is not None else ""
    return f'{column.name}: {held} = bt.counter("{name}", {family}{every}{rate})'


def _rate(rate: Rate) -> str:
    """A rate as a declaration takes it, without commas between its digits."""
    return str(rate).replace(",", "")


def added_blindly(model: ModelSchema) -> list[Column]:
    """Those to which a program adds whatever they hold, so that a counter can take their place."""
    return [column for column in added_to(model) if decided(model, column) is None]


def added_to(model: ModelSchema) -> list[Column]:
    """The plain columns that a program adds to by reading them."""
    families = {family.id: family for family in model.families}
    return [
        column
        for column in model.columns
        if column.expected.increments is not None
        and not column.shape.summed
        and column.family in families
        and families[column.family].aggregate is None
    ]


def as_counters(model: ModelSchema, columns: Sequence[Column]) -> Iterator[Counters]:
    """The columns as counters that are kept for as long: in families that sum already, then in new ones.

    A total that additions renew before its age ends it is kept as a total first, and as one of days behind that. There are none where
    counters cannot be kept so: those of a bucket have no spans, and an age of which none is a small part ends no sum.
    """
    if not columns:
        return
    renewed = frozenset(column.name for column in columns if _renewed(model, column))
    for total in (renewed, frozenset[str]()) if renewed else (renewed,):
        kept = [(KeepAll(), None) if column.name in total else _kept(model, column) for column in columns]
        rules = [each for each in kept if each is not None]
        if len(rules) < len(kept):
            continue
        lasting = tuple(column.name for column in columns if column.name in total)
        if any(_known(model, rule) for rule, _ in rules):
            yield _made(model, columns, rules, known=True)._replace(lasting=lasting)
        yield _made(model, columns, rules, known=False)._replace(lasting=lasting)


def _renewed(model: ModelSchema, column: Column) -> bool:
    """Whether a plain cell outlives the age of its family, as additions write it again before; unless that is the time for which a number is of something, or rows are kept."""
    age = _age(model, column)
    increments = column.expected.increments
    if age is None or increments is None or timed(model) or model.bucket is not None:
        return False
    of_all = kept_for(model) is None and called_of(column.name) is None
    return of_all and increments.per_second * age.total_seconds() >= _IN_AN_AGE


def _age(model: ModelSchema, column: Column) -> timedelta | None:
    rule = _rule(model, column)
    return None if rule is None or rule.given else oldest(rule)


def _rule(model: ModelSchema, column: Column) -> GcRule | None:
    """The rule by which a column is to be kept: its own, or that of its family."""
    family = model.family(column.family)
    return column.expected.keep or (family.gc if family else None)


def _kept(model: ModelSchema, column: Column) -> tuple[GcRule, Spans | None] | None:
    """The rule that keeps what is added to a column for as long as the column, and the spans that it needs for that.

    A counter without spans is one cell at timestamp 0, which no age may delete.
    """
    rule = _rule(model, column)
    if rule is not None and rule.given:
        return None
    age = _age(model, column)
    if age is None:
        return KeepAll(), None
    spans = next((each for each in _SPANS if age >= each.every * _IN_AN_AGE), None)
    return None if spans is None or model.bucket is not None else (MaxAge(age), spans)


def _known(model: ModelSchema, rule: GcRule) -> Family | None:
    """A family of the model that sums and keeps its cells by the rule."""
    return next(
        (each for each in model.families if each.aggregate is Aggregate.SUM and each.gc == rule), None
    )


def _made(
    model: ModelSchema,
    columns: Sequence[Column],
    rules: Sequence[tuple[GcRule, Spans | None]],
    *,
    known: bool,
) -> Counters:
    made, families, new = model, dict[GcRule, Family](), list[Family]()
    for column, (rule, spans) in zip(columns, rules, strict=True):
        family = families.get(rule) or (_known(model, rule) if known else None)
        if family is None:
            family = Family(free_family(made, "sums"), rule, Aggregate.SUM)
            new.append(family)
        families[rule] = family
        made = moved(
            made,
            column,
            family,
            codec=cell.Int64(),
            shape=Shape.COUNTER if spans is None else Shape.COUNTS,
            spans=spans,
            required=False,
            expected=Expected(increments=column.expected.increments),
        )
    names = {column.name for column in columns}
    counted = tuple(column for column in made.columns if column.name in names)
    fractions = tuple(column.name for column in columns if column.codec.python_type in (float, Decimal))
    return Counters(made, counted, tuple(families.values()), tuple(new), fractions)
