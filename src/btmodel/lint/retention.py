"""GC rules that fixes propose."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from functools import reduce
from math import ceil, floor, inf
from operator import and_
from typing import Any

from attrs import evolve

from btmodel.codecs.key import Kind
from btmodel.design.series import aged, aging, fitting_bucket, keeps_states, key_of_buckets, key_of_events
from btmodel.estimates import (
    events_in,
    members,
    pace,
    rate_of_one,
    shares,
    stated_every,
    timed,
    writers,
)
from btmodel.lint.finding import Fix
from btmodel.schema import (
    Access,
    AccessKind,
    Aggregate,
    Bucket,
    Column,
    Family,
    GcRule,
    Intersection,
    KeepAll,
    KeyField,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Query,
    Shape,
    Union,
    access,
)
from btmodel.schema.gc import MOST_VERSIONS, oldest
from btmodel.schema.limits import ADVISED_ROW_BYTES, FAMILY_ID_LENGTH, MB
from btmodel.source_text import declaration, gc_code
from btmodel.words import duration_text, one, quoted

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
        case MaxAge(limit) if age is not None and age > limit:
            return MaxAge(age)
        case Union(rules) | Intersection(rules):
            return evolve(rule, rules=tuple(_raised(part, age, rank) for part in rules))
        case _:
            return rule


def shortest(rule: GcRule) -> GcRule:
    """A rule of the same meaning that names no limit twice, and none that changes nothing.

    A rule keeps the cells of any rank up to an age, those of a lower rank up to a higher one, and so on: these
    steps are read off its own limits. Of a rule that keeps nothing there is none, so it is given back, and so is one
    whose ages are given at run time.
    """
    if rule.given:
        return rule  # which of its limits change nothing is not known
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


def declared_family(family: Family) -> str:
    """The declaration of a family that a fix adds."""
    rule = "" if family.gc is None else f", gc={gc_code(family.gc)}"
    sums = "" if not isinstance(family.aggregate, Aggregate) else f', aggregate="{family.aggregate.value}"'
    return f'bt.family("{family.id}"{rule}{sums})'


def moved(model: ModelSchema, part: Column | KeyField, family: Family, **changes: Any) -> ModelSchema:
    """``model`` with a column, or the mirror of a key field, in ``family``, which may be new; ``changes`` are those of the column."""
    known = family.id in {one.id for one in model.families}
    families = model.families if known else (*model.families, family)
    if isinstance(part, Column):
        held = evolve(part, family=family.id, **changes)
        columns = tuple(held if column == part else column for column in model.columns)
        return evolve(model, families=families, columns=columns)
    mirror = None if part.mirror is None else evolve(part.mirror, family=family.id)
    fields = tuple(evolve(field, mirror=mirror) if field == part else field for field in model.key.fields)
    return evolve(model, families=families, key=evolve(model.key, fields=fields))


# What amending a value now and then may come to: versions of it are fine where there are no more.
AMENDMENTS = 100
# So rarely is a value amended that its history outgrows no row: 1,200 versions in a century.
_RARELY = timedelta(days=30)
# And so slowly that some hundreds of versions, of up to a MiB, are no series of measurements (this project's own figures).
_SLOWLY = timedelta(hours=1)
# Small values are a series of measurements where one comes each day, as Bigtable's documentation calls closing prices; of a century of weeks there are 5,218.
_CENTURY = timedelta(days=36_525)
_RARELY_SMALL = timedelta(days=7)
# A tenth of the advised size of a row (this project's own figure).
_SMALL_ROW = ADVISED_ROW_BYTES // 10
# Counts of 8 bytes are small: of a century of days there are 36,525, in less than a MiB.
_RARELY_COUNTED = timedelta(days=1)

_ANY_RANK = 2**31
YEAR = timedelta(days=365)
# More versions in a year are no amendments, whose history somebody may want (this project's own figure).
_MANY_VERSIONS = 10 * AMENDMENTS


def gathering(model: ModelSchema) -> Iterator[tuple[Column, float]]:
    """Each such column, with the most events that a row keeps of it: ``inf`` where nothing bounds them.

    Where that cannot be known for want of a rate it is left out, and so is what is rarely written.
    """
    if model.bucket is not None or timed(model):
        return
    for column in model.columns:
        if column.versioned or (column.names is not None and column.names.kind is Kind.TIME):
            found = pace(model, column)
            most = None if _rarely(model, column, found) else _most(model, column, found)
            if most is not None:
                yield column, most


def _rarely(model: ModelSchema, column: Column, pace: float | None) -> bool:
    """Whether so few events come that a row has room for those of a century: of values of a known size, as their declared beat says, or else one in a month."""
    rare = _RARELY_COUNTED if column.shape.spanned else _RARELY
    if pace is None or pace * rare.total_seconds() <= 1:
        return pace is not None
    cell = next(share.cell for share in shares(model) if share.source == column)
    bounded = column.codec.max_size is not None
    if stated_every(column) is None or not (bounded or column.expected.size):
        return False  # a mean of all rows says little of one, and texts are as long as they are
    size = cell.largest.value if bounded else cell.usual.value
    weekly = pace * _RARELY_SMALL.total_seconds() <= 1 + 1e-9
    return weekly and size is not None and pace * _CENTURY.total_seconds() * size <= _SMALL_ROW


def gathered_together(
    model: ModelSchema, found: Iterable[tuple[Column, float]]
) -> list[tuple[tuple[Column, ...], float]]:
    """The columns that a fix moves together, and the most events of each: the histories of one family that come at one pace, and all others alone."""
    groups: dict[object, tuple[list[Column], float]] = {}
    for column, most in found:
        alone = column.shape is not Shape.HISTORY or bool(column.spans)
        same = column.name if alone else (column.family, pace(model, column), most)
        groups.setdefault(same, ([], most))[0].append(column)
    return [(tuple(columns), most) for columns, most in groups.values()]


def overwritten(model: ModelSchema) -> Iterator[tuple[Column, Family, float]]:
    """Each plain column of which its family keeps every version, or so many that a row gets too large, and how many a row has after a year.

    What gets few is left out, and what has one timestamp in all writes: it has no old versions.
    """
    if model.stamp.repeated:
        return
    for share in shares(model):
        column, family = share.column, model.family(share.family)
        if column is None or family is None or not column.shape.plain or family.aggregate is not None:
            continue
        increments = column.expected.increments
        rate = increments.per_second if increments else None if timed(model) else rate_of_one(model)
        if not rate or family.gc is None or family.gc.given:
            continue
        versions = rate * YEAR.total_seconds()
        if family.gc.deletes(timedelta.max, _ANY_RANK):
            versions = _kept_versions(family.gc, rate, versions)
            if versions * share.cell.usual.least < ADVISED_ROW_BYTES:
                continue
        if versions >= _MANY_VERSIONS:
            yield column, family, versions


def _kept_versions(rule: GcRule, rate: float, most: float) -> float:
    """How many versions of a cell that is written at this rate the rule keeps, up to ``most``."""
    low, high = 0, round(most)
    while low < high:  # the more versions there are, the older the oldest is
        middle = (low + high + 1) // 2
        gone = rule.deletes(timedelta(seconds=middle / rate), middle)
        low, high = (low, middle - 1) if gone else (middle, high)
    return low


def newest_only(model: ModelSchema, columns: Sequence[Column], family: Family) -> Iterator[Fix]:
    """The newest version alone: of the family, where all of its columns are plain, or of one of their own."""
    newest = MaxVersions(1)
    if all(column.shape.plain for column in model.columns if column.family == family.id):
        text = f'keep the newest: `bt.family("{family.id}", gc={gc_code(newest)})`'
        yield Fix(text, (with_rule(model, family.id, newest),))
    new = Family(free_family(model, family.id), newest, family.aggregate)
    own = "its" if len(columns) == 1 else "their"
    made = model
    for column in columns:
        made = moved(made, column, new)
    text = f"give {quoted(column.name for column in columns)} a family of {own} own: `{declared_family(new)}`"
    yield Fix(text, (made,))


def ways(model: ModelSchema, column: Column, *more: Column) -> Iterator[Fix]:
    """A row for each event, and where one fits the bucket that bounds a row; of counts, an age at which they end.

    The events of ``more`` columns come together with those of the first.
    """
    if column.spans:
        text = f'let old counts end: `bt.family("{column.family}", gc=bt.max_age(days=30), ...)`'
        age = MaxAge(timedelta(days=30))
        family = model.family(column.family)
        if family is None or not ends_others(model, family, age, column):
            yield Fix(text, (with_rule(model, column.family, age),), otherwise=YOURS)
        new = Family(free_family(model, column.family), age, family.aggregate if family else None)
        own = f"let old counts end, in a family of their own: `{declared_family(new)}`"
        yield Fix(own, (moved(model, column, new),), otherwise=YOURS)
        return
    asked = list(_aged_as_asked(model, column, *more))
    yield from asked
    narrow = list(narrowed(model, column))
    if narrow and not narrow[0].alternative:
        yield from narrow
        yield from rows_of_events(model, column, *more)
        return
    for fix in rows_of_events(model, column, *more):
        yield evolve(fix, alternative=bool(asked))
    yield from narrow
    bucket = fitting_bucket(model, column) if column.eventful else None
    if bucket is not None and _needs_cells(model):
        yield from _gathered_apart(model, bucket, column, *more)
    elif bucket is not None:
        text, made = _gathered(model, column, bucket)
        yield Fix(text, (made,) if made else (), alternative=True)
    if column.shape is Shape.HISTORY and not narrow and _may_be_amended(model, column):
        few = MaxVersions(AMENDMENTS)
        this = "these are values that are" if more else "this is one value that is"
        declared, made_so = with_rule_of(model, column.family, few, column, *more)
        text = f"if {this} amended now and then, keep a few versions: {declared}"
        yield Fix(text, (made_so,), alternative=True)


def _aged_as_asked(model: ModelSchema, *columns: Column) -> Iterator[Fix]:
    """An age of a family that keeps every event of these columns, where the description says how far back they are read, and nothing that all are kept."""
    family, age = model.family(columns[0].family), age_asked(model)
    if family is None or not isinstance(family.gc, KeepAll) or age is None:
        return
    said = f", as the description speaks of {duration_text(age[0])}"
    if all(other in columns for other in model.columns if other.family == family.id):
        made, where = with_rule(model, family.id, age[1]), f"give family {family.id!r} an age"
        yield Fix(f"{where}, `gc={gc_code(age[1])}`{said}", (made,))
        return
    new = Family(free_family(model, family.id), age[1])
    made = reduce(lambda made, column: moved(made, column, new), columns, model)
    names = quoted(column.name for column in columns)
    own = f"give {names} a family of {'their' if columns[1:] else 'its'} own: `{declared_family(new)}`{said}"
    yield Fix(own, (made,))


# What is added to the time that is asked for, at least and at most, so that there is time to read it.
_ROOM = (timedelta(minutes=50), timedelta(days=1))


def age_asked(model: ModelSchema) -> tuple[timedelta, MaxAge] | None:
    """How far back the description says that events are read, and an age that keeps these; None without, or where they are to be kept."""
    from btmodel.lint.descriptions import kept_said, past_of, times_said  # here: few models have a fault

    if (asked := past_of(model)) is None or kept_said(model.doc):
        return None
    most = max([asked, *times_said(model.doc)])
    return most, with_room(most)


def with_room(asked: timedelta) -> MaxAge:
    """An age that keeps what is asked for, and leaves time to read it."""
    room = min(max(asked, _ROOM[0]), _ROOM[1])
    return MaxAge(timedelta(hours=ceil((asked + room) / timedelta(hours=1))))


def _may_be_amended(model: ModelSchema, column: Column) -> bool:
    """Whether no estimate says that the events come regularly, or so often that a few versions of them are soon too few."""
    found = pace(model, column)
    often = found is not None and found * _RARELY.total_seconds() > AMENDMENTS
    return stated_every(column) is None and not often


def narrowed(model: ModelSchema, column: Column) -> Iterator[Fix]:
    """The union of a number of versions and an age, where their intersection is declared, which keeps what either of them keeps: an alternative, unless the description wants that number."""
    family = model.family(column.family)
    rule = family.gc if family else None
    if not isinstance(rule, Intersection) or column.shape is not Shape.HISTORY:
        return
    kinds = {type(part): part for part in rule.rules}
    versions, age = kinds.get(MaxVersions), kinds.get(MaxAge)
    if (
        len(rule.rules) != len(kinds)
        or not isinstance(versions, MaxVersions)
        or age is None
        or versions.versions == 1
    ):
        return
    from btmodel.lint.numbers_kept import no_more_said  # here: this file is loaded with every model

    both = versions | age
    said = no_more_said(model, versions.versions)
    text = (
        f"if no more than {versions.versions:,} were meant, and none that is older, "
        if said is None
        else f"keep no more, as the description says {said!r}: "
    )
    declared, made = with_rule_of(model, column.family, both, column)
    text += f"{declared}: an intersection (`&`) deletes only what both of its rules delete"
    yield Fix(text, (made,), alternative=said is None)


def amendments(model: ModelSchema, column: Column, most: float) -> bool:
    """Whether so many versions are those of a value that is amended now and then: few, or slow, small and not many."""
    found = pace(model, column)
    size = next(share.bytes.usual.value for share in shares(model) if share.source == column)
    slow = found is not None and found * _SLOWLY.total_seconds() <= 1 + 1e-9
    return most <= AMENDMENTS or (most <= _MANY_VERSIONS and slow and size is not None and size <= MB)


# So many events that come regularly and end at an age are a window on them, in a row that does not grow (this project's own figure).
WINDOW = 10_000
_MIB = 2**20


def window(model: ModelSchema, column: Column, most: float) -> bool:
    """Whether a row holds the regular events of the last days and no more, which are not many and small."""
    family = model.family(column.family)
    bytes_ = next(share.cell.usual.least for share in shares(model) if share.source == column)
    ended = family is not None and oldest(family.gc) is not None
    return ended and stated_every(column) is not None and most <= WINDOW and most * bytes_ <= _MIB


# How long counts are wanted is for the author to say.
YOURS = "; the age is yours to choose"


def rows_of_events(model: ModelSchema, *columns: Column) -> Iterator[Fix]:
    """A row for each event, in the place of the rows that there are, or beside them, where these hold more than events."""
    kept = aged(model)
    aging_ = aging(model, kept)
    asked = age_asked(model)
    for id in dict.fromkeys(column.family for column in columns if column.expected.keep is None and asked):
        family = kept.family(id)
        if asked is not None and family is not None and isinstance(family.gc, KeepAll):
            kept = with_rule(kept, id, asked[1])
            aging_ += f", and `gc={gc_code(asked[1])}` of family {id!r}, as the description speaks of {duration_text(asked[0])}"
    key = key_of_events(model)
    names = quoted(column.name for column in columns)
    plain = f"with {names} as {'plain columns' if columns[1:] else 'a plain column'}"
    rest = tuple(other for other in model.columns if other not in columns)
    if not any(other.required or not other.eventful for other in rest):
        text = f"write one row per event: {key}, {plain}{aging_}{_kept_for_ever(model, kept, columns)}"
        yield Fix(text, (key.holds(kept, *columns),), instead=key.instead)
        return
    alone = evolve(key.holds(evolve(kept, columns=columns), *columns), queries=())
    ranged = _ranges(model, alone, columns)
    alone = evolve(alone, queries=ranged)
    queries = "".join(f", which `{query.name} = {declaration(query)}` reads there" for query in ranged)
    # What is left has another rate, which nobody has said; events that have no rate of their own came at this one.
    moved_rate = model.events is not None and not any(
        other.eventful and stated_every(other) is None for other in rest
    )
    left = evolve(model, columns=rest, events=None if moved_rate else model.events)
    takes = "; the `events` of this one then belong there" if moved_rate else ""
    ever = _kept_for_ever(model, kept, columns)
    text = f"write one row per event to a second table, and leave {names} out of this one: {key}, {plain}{queries}{aging_}{takes}{ever}"
    yield Fix(text, (left, alone))


def _ranges(model: ModelSchema, made: ModelSchema, columns: Sequence[Column]) -> tuple[Query, ...]:
    """The first query that reads the events of a row, as one of a range of their times in rows of their own; none where these are read in no such range."""
    time = made.key.fields[-1]
    for query in _points(model, columns):
        ranged = Query(query.name, query.equal, between=time.name)
        return (ranged,) if isinstance(access(made.key, ranged), Access) else ()
    return ()


def _kept_for_ever(model: ModelSchema, kept: ModelSchema, columns: Sequence[Column]) -> str:
    """A word of an age, as the end of a sentence, where nothing deletes the rows of events and no column says that it is meant."""
    families = {column.family: kept.family(column.family) for column in columns}
    ids = [id for id, family in families.items() if family is not None and isinstance(family.gc, KeepAll)]
    if not ids or model.events is None or any(column.expected.keep is not None for column in columns):
        return ""
    count, beat = writers(model), pace(model, columns[0])
    events = min(model.events.per_second, count * beat if count and beat else inf)
    rows = events * YEAR.total_seconds()
    return (
        f"; nothing deletes these rows, of which a year brings {float(f'{rows:.2g}'):,.0f}: where old ones are not needed, "
        f"give family {quoted(ids)} an age, `gc=bt.max_age(...)`"
    )


def with_rule(model: ModelSchema, id: str, rule: GcRule) -> ModelSchema:
    """``model`` with this rule of a family."""
    families = tuple(evolve(family, gc=rule) if family.id == id else family for family in model.families)
    return evolve(model, families=families)


def with_rule_of(model: ModelSchema, id: str, rule: GcRule, *columns: Column) -> tuple[str, ModelSchema]:
    """``model`` with this rule of a family for the sake of ``columns``, and how that is declared; in a family of their own, where the rule would end what others in it keep."""
    family = model.family(id)
    if family is None or not ends_others(model, family, rule, *columns):
        return f"`gc={gc_code(rule)}`", with_rule(model, id, rule)
    new = Family(free_family(model, id), rule, family.aggregate)
    made = reduce(lambda made, column: moved(made, column, new), columns, model)
    own = "its" if len(columns) == 1 else "their"
    names = quoted(column.name for column in columns)
    text = f"`{declared_family(new)}`, a family of {own} own for {names}, as the others in {id!r} would lose what it keeps"
    return text, made


def ends_others(model: ModelSchema, family: Family, rule: GcRule, *columns: Column) -> bool:
    """Whether a rule of a family would delete what it keeps of other cells than those of ``columns``: of a plain one, the newest counts."""
    if family.gc is None:
        return False
    newest = MaxVersions(1)
    if (
        any(part.mirror and part.mirror.family == family.id for part in model.key.fields)
        and (rule | newest).compared_to(family.gc | newest).deletes_kept_cells
    ):
        return True
    for other in model.columns:
        if other.family == family.id and other not in columns:
            alone = other.shape.plain or other.shape is Shape.COUNTER
            new, old = (rule | newest, family.gc | newest) if alone else (rule, family.gc)
            if new.compared_to(old).deletes_kept_cells:
                return True
    return False


def _most(model: ModelSchema, column: Column, pace: float | None) -> float | None:
    family = model.family(column.family)
    if column.expected.entries is not None and not column.versioned:
        return column.expected.entries
    if family is None or family.gc is None:
        return None
    if column.versioned and not column.shape.marked:
        return _kept(family.gc, pace, by_rank=True)
    values = _values(column)
    if column.shape.marked and values is not None:
        each = _kept(family.gc, pace, by_rank=True)
        return None if each is None else each * values
    return _kept(family.gc, pace, by_rank=False)


def _values(column: Column) -> int | None:
    """How many different qualifiers the column has, where its type says so; each has versions of its own."""
    return members(column.names.python_type) if column.names else None


def _kept(rule: GcRule, pace: float | None, *, by_rank: bool) -> float | None:
    """The events that a rule keeps, which come at such a pace; each is a column of its own unless ``by_rank``."""

    def deleted(age: timedelta, count: int) -> bool:
        return rule.deletes(age, count if by_rank else 1)

    if not deleted(timedelta.max, _ANY_RANK):
        return None if rule.given else inf
    limits = list(rule.thresholds())
    versions = {limit.versions for limit in limits if not isinstance(limit, MaxAge)}
    if pace is None:
        if not deleted(timedelta(0), _ANY_RANK):
            return None
        return max(count for count in versions if not deleted(timedelta(0), count))
    ages = [limit.age for limit in limits if isinstance(limit, MaxAge)]
    counts = versions | {floor(age.total_seconds() * pace * (1 + 1e-9)) for age in ages}
    return max((count for count in counts if not deleted(_age(count, pace), count)), default=1)


def _age(count: int, pace: float) -> timedelta:
    """The age of the event with this rank."""
    try:
        return timedelta(seconds=count / pace * (1 - 1e-9))
    except (OverflowError, ZeroDivisionError):
        return timedelta.max


def _needs_cells(model: ModelSchema) -> bool:
    """Whether a row has cells that its first event does not bring: those of a bucket would be without what was written once."""
    return model.stamp.required or any(column.required or column.shape.plain for column in model.columns)


def _gathered_apart(model: ModelSchema, bucket: Bucket, *columns: Column) -> Iterator[Fix]:
    """Rows of ``bucket`` in a second table, where the row has cells, too, that are written once; these stay where they are."""
    rest = tuple(other for other in model.columns if other not in columns)
    if not rest or model.stamp.required or any(other.eventful for other in rest):
        return
    if any(keeps_states(model, column) for column in columns):
        return  # each is read by itself, and a bucket of documents is as large as the row was
    from btmodel.design.second_tables import as_second  # only here: rules are loaded with every model

    held = {one.family for one in columns}
    families = tuple(family for family in model.families if family.id in held)
    alone = as_second(
        evolve(model, columns=columns, families=families, atomic=()), model.key, Query(bucket.value, ())
    )
    text, made = _gathered(evolve(alone, queries=()), columns[0], bucket)
    if made is None:
        return
    ranged = tuple(
        query
        for query in (
            evolve(one, only=(), between=made.key.fields[-1].name) for one in _points(model, columns)
        )
        if isinstance(access(made.key, query), Access)
    )
    read = "".join(f", which `{query.name} = {declaration(query)}` reads there" for query in ranged[:1])
    names = quoted(column.name for column in columns)
    moved_rate = "" if model.events is None else "; the `events` of this one then belong there"
    left = evolve(model, columns=rest, events=None)
    yield Fix(
        f"move {names} to a second table, `{made.table}`, and {text}{read}{moved_rate}",
        (left, evolve(made, queries=ranged[:1])),
        alternative=True,
    )


def _points(model: ModelSchema, columns: Sequence[Column]) -> Iterator[Query]:
    """The queries that read these columns of one row."""
    for query in model.queries:
        found = access(model.key, query)
        wanted = not query.only or any(column.name in query.only for column in columns)
        if wanted and isinstance(found, Access) and found.kind is AccessKind.POINT and not query.where:
            yield query


def _gathered(model: ModelSchema, column: Column, bucket: Bucket) -> tuple[str, ModelSchema | None]:
    """Rows of ``bucket``, in words, and as a model; None where a slot or a rule of another column is in the way."""
    key = key_of_buckets(model, bucket)
    text = f'gather the events of {one(bucket.value)}, `bucket="{bucket.value}"`: {key}'
    family, found = model.family(column.family), pace(model, column)
    made = key.given(model, bucket=bucket)
    if family is None or family.gc is None or found is None:
        return text, made
    ruled = aged(model, bucket.longest).family(column.family)
    rule = (ruled and ruled.gc) or family.gc
    rule = raised(rule, bucket.longest, events_in(bucket.longest, found))
    if rule == family.gc:
        return text, made
    return f"{text}, and `gc={gc_code(rule)}`", with_rule(made, family.id, rule)


def without_past(model: ModelSchema, family: Family, rule: GcRule) -> list[Column]:
    """The histories of the family, of which the rule deletes all but the newest value at once."""
    if not rule.deletes(timedelta(0), 2):
        return []
    held = (column for column in model.columns if column.family == family.id and column.versioned)
    return [column for column in held if not column.shape.marked and not column.spans]
