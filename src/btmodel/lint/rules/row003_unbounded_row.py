"""ROW003 unbounded-row: events that collect in a row without a bound

What it finds
    A history in a model without a time in its key, in a family that keeps everything; and marks
    and entries named by times in a family that keeps them at any age (they are separate
    columns, which no number of versions bounds). The rule ignores a column that gets one event
    per row and month, or less, and one of values of a known size, by their codec or by `size`, of which the declared `every` brings one in a week, or less, and up to 10 MB in a century. Histories of one family that come at one pace are one finding, and go to one table.

    If the description says how far back events are read ("the last ten minutes"), and not that all are kept, the first fix is an age for that. So it is of entries and members, also where it says how long they
    are kept ("clicks are deleted after a year"), or the column declares it by `keep`; if more than 10,000 come meanwhile, each also gets a row.

    Entries and members are a warning in such a row if their family deletes nothing by age, no `entries` are declared, there may be
    100,000 names or more, and there is always one more by the name of the attribute ("orders", "followers", "watched", "status_history") or by the docstring of the
    model ("grows", "kept for good", "everything that was ever said", "an entry for each message", "appends one every minute"), or the names begin with a time, or are ids (also texts of a fixed width of 24 or
    more) of which a row may get 100,000 in a year by the declared `events`, or in five years more than the advised 100 MB. Of others, the number is asked for (FIG001). Entries named by times are a warning, too, if a row gets ten times
    the declared `entries` in a year. So is a list in one cell, without a
    `max_size`, which is read and written whole for each new item; or with one, if its usual `size` is 100 KiB or more, and the declared rate writes more than 3.4 MiB
    of it a second, a quarter of what a node writes.

    A plain column in a family that keeps everything is a warning if its old versions make a row
    larger than the advised 100 MB within a year, by the declared rate (`increments`, or `events`
    and the cardinalities of a key without a time), or if those of all rows take 1 TiB or more in a year; and information if there are 1,000 or more in a
    year. Columns with the same timestamp in every write have no old versions.

Why
    The row grows for as long as there are events. Over 100 MB it is slow, and at 256 MB the service refuses it.

Example
    import btmodel as bt


    class Login(bt.Model, table="LOGIN", events="1000/h"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=10_000)

        data = bt.family("data", gc=bt.keep_all())
        device: bt.History[str] = bt.history("device", data, size=20)

        of_user = bt.query("user")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Login(bt.Model, table="LOGIN", events="1000/h"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=10_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.keep_all())
        device: str = bt.column("device", data, size=20)

        of_user = bt.query("user", between="at")

Allow
    Suppress it if something outside the model bounds the events, or if they are amendments of
    one value whose whole history matters; say what, and how many come.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (rows can be big but not infinite; a wide
    row is fine where its number of events is bounded, such as by the days of a month). The 1 TiB, the five
    years and the 24 characters are this project's own figures.
"""

from collections.abc import Iterator, Sequence, Set
from datetime import timedelta
from functools import partial
from math import ceil, inf
from typing import Any

from attrs import evolve

from btmodel.codecs.cell import CellCodec
from btmodel.estimates import shares
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.growth import filling, growing, outgrown
from btmodel.lint.lists import each_alone, listed, rewritten_bytes
from btmodel.lint.retention import (
    WINDOW,
    declared_family,
    free_family,
    gathered_together,
    gathering,
    moved,
    newest_only,
    overwritten,
    ways,
)
from btmodel.lint.row_size import apart
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, Family, ModelSchema
from btmodel.schema.gc import kept_text, oldest
from btmodel.schema.limits import ADVISED_ROW_BYTES
from btmodel.words import counted, duration_text, quoted, size_text

# Entries that are proposed as a bound (this project's own figure).
_ENTRIES = 1_000
# Years that are a long time (this project's own figure).
_LIFETIME = 50
# Bytes of old versions in all rows, in a year, that are worth a warning (this project's own figure).
_MUCH = 2**40
# Bytes that are proposed as the bound of a list (this project's own figure).
_LIST = 10_000


_REMOVED = "; or, if the program removes old entries, suppress this with that reason"


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each column that gathers events without end, or old versions that are never read."""
    events = list(_events(model))
    yield from events
    yield from _entries(model, {finding.field for finding in events})
    yield from _outgrown(model)
    yield from _lists(model)
    kept: dict[str, list[tuple[Column, float]]] = {}
    for column, family, versions in overwritten(model):
        kept.setdefault(family.id, []).append((column, versions))
    for family in model.families:
        if family.id in kept:
            yield _old_versions(model, family, kept[family.id])


def _old_versions(model: ModelSchema, family: Family, kept: Sequence[tuple[Column, float]]) -> Finding:
    """The columns of a family that keeps every version of them, without a reader."""
    bytes_ = sum(versions * _bytes(model, column) for column, versions in kept)
    days = int(365 * ADVISED_ROW_BYTES / bytes_)
    large = f", and exceeds {size_text(ADVISED_ROW_BYTES)} {_within(days)}" if days < 365 else ""
    unread = sum(_events_a_year(model, column) * _bytes(model, column) for column, _ in kept)
    much = f", and all rows together get {size_text(unread)} of them" if unread >= _MUCH else ""
    columns = [column for column, _ in kept]
    first = columns[0]
    together = len(columns) > 1
    return RULE.finding(
        model,
        f"family {family.id!r} keeps {_all_or_many(family)} of {quoted(column.name for column in columns)}, though reads return only the newest: at "
        f"the declared rate, a row gets {_count(max(versions for _, versions in kept))} of {'each' if together else 'them'} a year{large}{much}",
        why="each write adds a version, which you pay for, and deletes none of them in time, until the service refuses the row",
        fix=partial(newest_only, model, columns, family),
        part=family.id if together else first.name,
        at=family.location if together else first.location,
        level=Level.WARNING if large or much else Level.INFO,
    )


def _all_or_many(family: Family) -> str:
    ends = family.gc is not None and family.gc.deletes(timedelta.max, 2**31)
    return f"old versions ({kept_text(family.gc)})" if ends else "every version"


def _outgrown(model: ModelSchema) -> Iterator[Finding]:
    """Each mapping or set of times that gets more entries than are declared, of which nothing that is declared deletes any."""
    for column, a_year in outgrown(model):
        yield RULE.finding(
            model,
            f"`{column.name}` is declared to have at most {column.expected.entries:,} `entries`, but at the declared rate a row gets "
            f"{_count(a_year)} a year, and family {column.family!r} deletes none by age",
            why="the row grows with every event, until the service refuses it",
            fix=partial(_each_alone, model, column),
            part=column.name,
            at=column.location,
            level=Level.WARNING,
        )


def _each_alone(model: ModelSchema, column: Column) -> Iterator[Fix]:
    """A row for each event; how a program removes entries, no model says."""
    for fix in ways(model, column):
        yield fix if fix.alternative else evolve(fix, otherwise=_REMOVED)


def _entries(model: ModelSchema, found: Set[str | None]) -> Iterator[Finding]:
    """Each mapping or set that may get more and more entries, without a declared number of them; not what is ``found`` already."""
    for column in growing(model):
        if column.name in found:
            continue
        yield RULE.finding(
            model,
            f"`{column.name}` has an entry for each name that is put into a row of `{model.key.shape}`, family {column.family!r} "
            f"{_until(model, column)}, and nothing says how many there may be{_soon(model, column)}",
            why="such a row grows for as long as there are new names, until the service refuses it",
            fix=partial(_bounded, model, column),
            part=column.name,
            at=column.location,
            level=Level.WARNING,
        )


def _until(model: ModelSchema, column: Column) -> str:
    """When a family deletes the entries of a column, in words."""
    family = model.family(column.family)
    age = oldest(family.gc) if family and family.gc else None
    return "deletes none by age" if age is None else f"deletes none before {duration_text(age)}"


def _soon(model: ModelSchema, column: Column) -> str:
    """How fast the declared rate lets a row grow, as the end of a sentence; empty without a rate, and of what takes a lifetime."""
    a_year, years = filling(model, column) or (0, inf)
    if years > _LIFETIME:
        return ""
    when = _within(int(365 * years)) if years < 1 else f"in {counted(round(years), 'year')}"
    return f"; if each write brings a new one, a row gets {_count(a_year)} a year, and exceeds {size_text(ADVISED_ROW_BYTES)} {when}"


def _lists(model: ModelSchema) -> Iterator[Finding]:
    """Each list in a cell to which there is always one more."""
    for column, codec in listed(model):
        written = rewritten_bytes(model, column)
        most = column.expected.max_size or column.codec.max_size
        bounds = "nothing says how large it may get" if most is None else f"it may have {size_text(most)}"
        size = (
            f"each write has about {size_text(column.expected.size or 0)} of it, {size_text(written)} a second"
            if written
            else ""
        )
        yield RULE.finding(
            model,
            f"`{column.name}` is a list in one cell of a row of `{model.key.shape}`, there is always one more by the words of the model, and "
            f"{size or bounds}",
            why="each new item reads and writes the whole list"
            + (", and the cell grows until the service refuses it" if most is None else ""),
            fix=partial(_items, model, column, codec),
            part=column.name,
            at=column.location,
            level=Level.WARNING,
        )


def _items(model: ModelSchema, column: Column, one: CellCodec[Any]) -> Iterator[Fix]:
    """A row for each item; or the bound of a list that has one."""
    few = evolve(column, expected=evolve(column.expected, max_size=_LIST))
    columns = tuple(few if other == column else other for other in model.columns)
    if rewritten_bytes(model, column) or column.expected.max_size:
        yield from each_alone(model, column, one)
        return
    stated = f"if it is short, declare how large it may get, such as `max_size={_LIST:_}`"
    for fix in each_alone(model, column, one):
        yield evolve(fix, otherwise=f"; or, {stated}")
    yield Fix(stated, (evolve(model, columns=columns),))


def _bounded(model: ModelSchema, column: Column) -> Iterator[Fix]:
    """An age of the entries, where something says for how long they are wanted, and few come meanwhile; a row for each, with that age; or their number."""
    few = evolve(column, expected=evolve(column.expected, entries=_ENTRIES))
    columns = tuple(few if other == column else other for other in model.columns)
    declared = evolve(model, columns=columns)
    aged = _aged(model, column)
    if aged is None:
        yield evolve(
            apart(model, column),
            otherwise=f"{_endless(model, column)}; or, if they are few, declare how many at most: `entries=`",
        )
    else:
        fix, made = aged
        rows = apart(made, next(one for one in made.columns if one.name == column.name))
        if fix.models:
            yield fix
        yield evolve(
            rows,
            text=rows.text if made.families == model.families else f"{fix.text}; and {rows.text}",
            otherwise="; or, if they are few, declare how many at most: `entries=`",
        )
    yield Fix(f"if they are few, declare how many at most, such as `entries={_ENTRIES}`", (declared,))


def _aged(model: ModelSchema, column: Column) -> tuple[Fix, ModelSchema] | None:
    """The entries in a family with the age for which they are wanted, and the model with it; without models where so many come meanwhile that a row is no place for them."""
    from btmodel.lint.ages_given import age_of_entries, aged  # here: this rule is loaded with every model

    found, family = age_of_entries(model, column), model.family(column.family)
    if found is None or family is None or family.gc is None or family.aggregate is not None:
        return None
    how, age = found
    a_year, _ = filling(model, column) or (None, None)
    count = None if a_year is None else ceil(a_year * (age / timedelta(days=365)))
    alone = all(other == column for other in model.columns if other.family == family.id)
    home = evolve(family, gc=aged(family.gc, age), id=family.id if alone else free_family(model, family.id))
    made = (
        evolve(model, families=tuple(home if one == family else one for one in model.families))
        if alone
        else moved(
            model, column, home, required=column.required, expected=evolve(column.expected, entries=count)
        )
    )
    own = (
        f"give family {family.id!r} an age"
        if alone
        else f"give `{column.name}` a family of its own, with an age"
    )
    many = f", of which a row then has about {count:,}" if count else ""
    fits = count is None or count <= WINDOW
    return Fix(
        f"{own}, {how}: `{declared_family(home)}`{many if fits else ''}", (made,) if fits else ()
    ), made


def _endless(model: ModelSchema, column: Column) -> str:
    """A word of an age, as the end of a sentence, where nothing deletes the rows of entries and the rate is known."""
    from btmodel.lint.descriptions import kept_said  # here: few models have a fault

    if model.events is None or kept_said(model.doc):
        return ""
    rows = _count(_events_a_year(model, column))
    return f"; nothing deletes these rows, of which a year brings up to {rows}: where old ones are not needed, give their family an age, `gc=bt.max_age(...)`"


def _events_a_year(model: ModelSchema, column: Column) -> int:
    """The writes of all rows in a year that leave an old version of the column, by `events`; 0 of what has a rate of its own."""
    if model.events is None or column.expected.increments is not None:
        return 0
    return round(model.events.per_second * 365 * 86_400)


def _within(days: int) -> str:
    return f"in {counted(days, 'day')}" if days else "within a day"


def _count(versions: float) -> str:
    """A number in two digits: ``32,000``."""
    return f"{float(f'{versions:.2g}'):,.0f}"


def _bytes(model: ModelSchema, column: Column) -> int:
    """The bytes that are known of one cell of a plain column."""
    return next(share.cell.usual.least for share in shares(model) if share.source == column)


def _events(model: ModelSchema) -> Iterator[Finding]:
    """Each column that gathers events without a bound; histories that come together are one finding."""
    endless = ((column, most) for column, most in gathering(model) if most == inf)
    for columns, _ in gathered_together(model, endless):
        column = columns[0]
        family = model.family(column.family)
        what = "counts" if column.shape.summed else "events"
        collect = "collect their" if columns[1:] else "collects its"
        yield RULE.finding(
            model,
            f"{quoted(each.name for each in columns)} {collect} {what} in one row of `{model.key.shape}`, which has no time in its key, and "
            f"nothing bounds them: family {column.family!r} keeps {kept_text(family.gc if family else None)}",
            why="the row grows with every event, until the service refuses it",
            fix=partial(ways, model, *columns),
            part=column.name,
            at=column.location,
        )


RULE: Rule[ModelSchema] = Rule(
    "ROW003",
    "unbounded-row",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    slow=True,
    levels=(Level.ERROR, Level.WARNING, Level.INFO),
)
