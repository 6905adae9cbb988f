"""KEY013 hot-row: a row that is written once a second or more often

What it finds
    A model without a time in its key that writes the same row once a second or more often: the
    declared `events`, divided by the number of keys. A row for a span of time (`bucket`), to which
    events are added for a while, may be written more often, but no faster than a single tablet
    takes with ease, 140 writes a second. Uneven values count by the row that is written most, also where only the docstring says so ("half of all votes go to one candidate"). A row that is meant to hold the newest value and nothing else, as its
    docstring or its name says ("the latest sample of each printer"), in families that keep one version, may be written up to 10 times a second; up to 140 times, it
    is information. The rule also finds a column with that many declared `increments`, and a
    counter, to which the service adds without a read, with more than 140 of them a second.

    It is an error if one row gets more than 70 % of the documented writes of a node, 9,800 a second, and
    information if a salt divides the counter already and a part gets up to 1,400, a tenth of those of a node; or if a row of nothing but counters gets up to 1,400 and no more
    than a twentieth of what the declared `events` bring to each node.

    The fix says which rows and bytes a reader of shards adds up, and which a program holds that adds up in memory. If its sums
    would still write half of all additions, as nearly each is of another row, that is no fix.

Why
    A row is on one tablet, which takes all of its writes, however many nodes there are. Older
    values take up space until garbage collection deletes them, so the row may outgrow its
    limit.

Example
    import btmodel as bt


    class MemoryUse(bt.Model, table="memory_use", events="10000/s"):
        device: str = bt.key(bt.HexDigest(8), cardinality=10_000)
        metric = bt.constant("memusage")

        memory = bt.family("memory", gc=bt.max_versions(1))
        percent: int = bt.column("percent", memory)

        of_device = bt.query("device")

Use instead
    from datetime import datetime

    import btmodel as bt


    class MemoryUse(bt.Model, table="memory_use", events="10000/s"):
        device: str = bt.key(bt.HexDigest(8), cardinality=10_000)
        metric = bt.constant("memusage")
        at: datetime = bt.key(bt.EpochMillis())

        memory = bt.family("memory", gc=bt.max_versions(1))
        percent: int = bt.column("percent", memory)

        of_device = bt.query("device", between="at")

Allow
    Suppress it if you need nothing but the newest value, at once, and a load test has shown
    that the rows bear it; or say so in the docstring. For most such rows, one write every few seconds is enough, which the
    rule does not find.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys to avoid: frequently
    updated identifiers; counters that change hundreds of times a minute). Once a second
    is the rate of its example; the 10, the tenth and the twentieth are this project's own figures.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from math import ceil

from attrs import evolve

from btmodel import design
from btmodel.codecs import key as codecs
from btmodel.design.keys import WITH_EASE, before, fresh, of_values
from btmodel.design.series import aged, aging, key_of_events
from btmodel.design.spread import as_uneven_as_said, divides, hot, nodes_judged, overloads
from btmodel.estimates import different_keys, key_size, rate_of_one, row_size, shares, timed, writers
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.retention import rows_of_events
from btmodel.lint.row_size import all_apart
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, KeyField, ModelSchema, Query, Rate, Shape
from btmodel.schema.limits import NODE_ROW_WRITES
from btmodel.source_text import declaration
from btmodel.words import counted, quoted, size_text, words

# Writes a second of one row, as in the document.
OFTEN = 1.0
# Additions a second to a part of a counter that its tablet bears beside others: a tenth of what a node takes (this project's own figure).
_BORNE = NODE_ROW_WRITES / 10
# Of what each node of a table gets, the part that one row may add to it (this project's own figure).
_SMALL_PART = 0.05
# Writes a second of a row that holds the newest value, as it is meant to: a tablet takes hundreds of such rows (this project's own figure).
_OF_NEWEST = 10.0
# The part of all additions that sums may still write: with more of them, few additions are of one row (this project's own figure).
_SAVING = 0.5
_ADD_UP = "add up in memory, and add the sum to the row at intervals, such as every 10 s"


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each column that is added to so often; where there is none, rows that are written so often, also by what the description says of uneven values."""
    found = [*_found(model)]
    yield from found
    uneven = model if any(each.level is not Level.INFO for each in found) else as_uneven_as_said(model)
    if uneven != model:
        graver = (each for each in _found(uneven) if each.level is not Level.INFO)
        yield from (
            evolve(each, level=Level.WARNING)
            for each in graver
            if each.field not in {one.field for one in found}
        )


def _found(model: ModelSchema) -> Iterator[Finding]:
    added = [
        (column, column.expected.increments)
        for column in model.columns
        if column.expected.increments is not None and _often(column, column.expected.increments.per_second)
    ]
    rate = rate_of_one(model)
    if added:
        column, most = max(added, key=lambda each: each[1].per_second)
        yield RULE.finding(
            model,
            f"{_added(added)} of one row {'is' if len(added) == 1 else 'are'} added to at {'a rate' if len(added) == 1 else 'rates'} of {_rates(added)}",
            why="all these writes go to the one tablet of the row, however many nodes there are",
            fix=partial(_of_sums, model, max(most.per_second, rate or 0)),
            part=column.name,
            at=column.location,
            level=_level(most.per_second, borne=_borne_beside(model, most.per_second)),
        )
    summed = bool(model.columns) and all(column.shape.summed for column in model.columns)
    gathered = any(column.versioned for column in model.columns)
    newest = _newest(model)
    often = WITH_EASE if model.bucket is not None or summed or gathered else _OF_NEWEST if newest else OFTEN
    if added or rate is None or rate < often or (timed(model) and model.bucket is None):
        return
    if model.bucket is not None and hot(model):
        return  # KEY001 and KEY003 say so of all rows
    yield RULE.finding(
        model,
        f"each row of `{model.key.shape}` is written at a rate of {Rate(rate)} ({model.events} over {_rows(model)}{_at_once(model)})",
        why="all writes of a row go to its one tablet, and old values take up space until they are collected",
        fix=partial(_ways, model, rate),
        level=Level.INFO if newest and rate <= WITH_EASE else _level(rate),
    )


_NEWEST_NAMES = frozenset(words("now current latest newest last live"))
_NEWEST = pattern(
    r"(?i)\b(latest|newest|most recent|last known|right now|at present|"
    r"(last|current) (state|value|reading|sample|position|status|location|price|level|message|\w+ (of|from) (each|every|a|an|all)))\b"
)


def _newest(model: ModelSchema) -> bool:
    """Whether a row is to hold the newest value and nothing else, by its name or its description, in families that keep one version."""
    kept = [family.gc for family in model.families]
    if any(rule is None or not rule.deletes(timedelta(0), 2) for rule in kept):
        return False
    called = [word.lower() for word in words(model.name)]
    return not _NEWEST_NAMES.isdisjoint((*called[:1], *called[-1:])) or _NEWEST.search(model.doc) is not None


def _added(columns: Sequence[tuple[Column, Rate]]) -> str:
    return quoted(column.name for column, _ in columns)


def _rates(columns: Sequence[tuple[Column, Rate]]) -> str:
    rates = list(dict.fromkeys(str(increments) for _, increments in columns))
    return f"{rates[0]} each" if len(columns) > len(rates) == 1 else " and ".join(rates)


def _often(column: Column, rate: float) -> bool:
    """Whether so much is added to the column of one row; what the service adds up by itself waits for no read."""
    return rate > WITH_EASE if column.shape.summed else rate >= OFTEN


def _level(rate: float, *, borne: bool = False) -> Level:
    """How grave so many writes of a row are; ``borne`` are those that a node hardly notices."""
    if overloads(rate):
        return Level.ERROR
    return Level.INFO if borne and rate <= _BORNE else Level.WARNING


def _borne_beside(model: ModelSchema, rate: float) -> bool:
    """Whether a salt divides such rows already; or additions of the service to the busiest row are a small part of what each node of the table gets."""
    if any(divides(model, part) for part in model.key.fields):
        return True
    if model.events is None or not all(column.shape.summed for column in model.columns):
        return False
    return rate * nodes_judged(model) <= model.events.per_second * _SMALL_PART


def _rows(model: ModelSchema) -> str:
    count = writers(model)
    skewed = [part.name for part in model.key.asked if part.skew]
    by = f", as uneven as {quoted(skewed)} {'is' if len(skewed) == 1 else 'are'}" if skewed else ""
    return f"{'the only row' if count == 1 else f'{count:,} rows'}{by}"


def _at_once(model: ModelSchema) -> str:
    return "" if model.bucket is None else " at a time"


def _of_sums(model: ModelSchema, rate: float) -> Iterator[Fix]:
    """Shards of a row of nothing but sums, which a reader adds up; else what the program that writes them can do."""
    summed = all(column.shape.summed for column in model.columns)
    mirrored = any(part.mirror for part in model.key.fields)
    many = model.events is not None and overloads(model.events.per_second)
    if many and summed and _adding_up(model):
        yield _sums_of_processes(model)
    if not summed or mirrored:
        yield from _sums_apart(model)
        yield from _summing(model, rate)
        yield _undivided(model)
        return
    for fix in _sharded(model, rate):
        still = f"; {model.events} are then still written" if many else ""
        other = "" if many else _or_added_up(model)
        yield evolve(fix, text=f"{fix.text}{still}", otherwise=other, alternative=many)


def _undivided(model: ModelSchema) -> Fix:
    """What a program can do, where no schema is found; it adds up nothing by which each write decides."""
    from btmodel.lint.decided_numbers import decided

    numbers = [column for column in model.columns if column.expected.increments is not None]
    deciding = [column for column in numbers if decided(model, column) is not None]
    if deciding:
        return Fix(
            f"as each write decides by {quoted(column.name for column in deciding)}, no counter and no sum in memory takes the place of it: give it several rows, each with a part of it "
            "by which a write decides alone, by `put_if`, and move parts between them where one is used up"
        )
    return Fix(
        f"no other schema that was found divides the writes of one cell: {_adding_up(model) or 'give its rows more keys'}"
    )


def _adding_up(model: ModelSchema) -> str:
    """What a program can add up before it writes, with what ten processes then write and hold; empty where nearly each addition is of another row."""
    rows = _rows_of_sums(model)
    if model.events is None or rows is None:
        return _ADD_UP
    if rows > model.events.per_second * _SAVING:
        return ""
    return f"{_ADD_UP}: ten processes that do so write {_rounded(rows):,}/s instead of {model.events}{_held(model)}"


def _rows_of_sums(model: ModelSchema) -> float | None:
    """The rows to which one of ten processes adds in 10 s, which are as many as all write in a second."""
    return None if model.events is None else different_keys(model, model.events.per_second)


def _held(model: ModelSchema) -> str:
    """The rows and bytes that one of ten processes holds: of the counts of all spans of a row, one."""
    rows = _rows_of_sums(model)
    if rows is None:
        return ""
    size = sum((share.cell for share in shares(model)), key_size(model.key)).usual.value
    bytes_ = "" if size is None else f", {size_text(_rounded(rows) * size)}"
    return f", and each holds the sums of about {counted(_rounded(rows), 'row')}{bytes_}"


def _or_added_up(model: ModelSchema) -> str:
    text = _adding_up(model)
    return f"; or, if a crash may lose what was not written yet, {text}" if text else ""


def _sums_of_processes(model: ModelSchema) -> Fix:
    """The sums of each process, which need no node for every addition: ten processes that write every 10 s each row to which they have added.

    A tenth of all additions goes to each, which in 10 s are as many as all of a second.
    """
    rows = _rows_of_sums(model)
    columns = tuple(
        column
        if column.expected.increments is None
        else evolve(column, expected=evolve(column.expected, increments=Rate(1.0)))
        for column in model.columns
    )
    stated = [column.name for column in model.columns if column.expected.increments is not None]
    each = f'`increments="1/s"` of {quoted(stated)}, ' if stated else ""
    events = model.events if rows is None else Rate(float(_rounded(rows)))
    # What comes most often is then written no more often than the rest.
    uneven = [part.name for part in model.key.fields if part.skew is not None]
    key = evolve(model.key, fields=tuple(evolve(part, skew=None) for part in model.key.fields))
    even = f", without the `skew` of {quoted(uneven)}" if uneven else ""
    few = "fewer `events`" if rows is None else f'about `events="{_rounded(rows)}/s"`, at most'
    return Fix(
        f"{_ADD_UP}: ten processes that do so come to {each}{few}{even}{_held(model)}; what a process has not written yet is lost with it",
        (evolve(model, key=key, events=events, columns=columns),),
    )


def _sharded(model: ModelSchema, rate: float) -> Iterator[Fix]:
    """Rows that divide the additions to one."""
    shards = max(2, _rounded(rate / WITH_EASE))
    dividing = next((part for part in model.key.fields if divides(model, part)), None)
    if dividing is not None:
        yield _more_shards(model, dividing, shards)
        return
    digits = len(str(shards - 1))
    shard = KeyField(fresh(model, "shard", "part"), codecs.PaddedInt(digits), shards, sequential=False)
    last = model.key.fields[-1:] if model.key.fields[-1].optional else ()
    fields = (*model.key.fields[: len(model.key.fields) - len(last)], shard, *last)
    key = evolve(model.key, fields=fields)
    columns, each = _of_shards(model, shards)
    made = evolve(model, key=key, columns=columns)
    size = row_size(made).usual.value
    read = "" if size is None else f", {size_text(size * shards)} in {shards:,} rows"
    text = (
        f"divide each row among {shards:,} shards, of which a writer takes one at random and a reader adds up all{read}: "
        f"`{shard.name}: int = bt.key(bt.PaddedInt({digits}), cardinality={shards}, sequential=False)`, `{key.shape}`{each}"
    )
    yield Fix(text, (made,))


def _more_shards(model: ModelSchema, salt: KeyField, times: int) -> Fix:
    """The salt that divides the rows already, with so many times as many values."""
    assert salt.derived is not None
    count = len(salt.derived.values or ()) * times
    more = evolve(of_values(salt, count), cardinality=count)
    columns, each = _of_shards(model, times)
    fields = tuple(more if part == salt else part for part in model.key.fields)
    return Fix(
        f"divide each row further: `{design.salt_declaration(more)}`{each}",
        (evolve(model, key=evolve(model.key, fields=fields), columns=columns),),
    )


def _of_shards(model: ModelSchema, shards: int) -> tuple[tuple[Column, ...], str]:
    """The columns of one of the shards of a row, and what is declared of their rates, as the end of a sentence."""
    columns = tuple(_of_shard(column, shards) for column in model.columns)
    stated = {
        column.name: column.expected.increments
        for column in columns
        if column.expected.increments is not None
    }
    rates = [
        f'`increments="{one.per_second:g}/s"` of {"each" if len(stated) == 1 else f"`{name}`"}'
        for name, one in stated.items()
    ]
    return columns, f", and {', '.join(rates)}" if rates else ""


def _summing(model: ModelSchema, rate: float) -> Iterator[Fix]:
    """The plain cells that a program adds to as counters of the service, which needs no read, and their shards."""
    from btmodel.lint.counters import added_blindly, as_counters  # here, as below

    for made in as_counters(model, added_blindly(model)):
        if rate <= WITH_EASE:
            yield Fix(f"let the service add: {made.declared()}", (made.model,), longer=made.longer)
        summed = all(column.shape.summed for column in made.model.columns)
        counters = f"let the service add: {made.declared(rates=False)}"
        for fix in _of_sums(made.model, rate) if summed else _sums_apart(made.model):
            yield evolve(fix, text=f"{counters}; and {fix.text}", longer=made.longer or fix.longer)


def _sums_apart(model: ModelSchema) -> Iterator[Fix]:
    """The sums in a table of their own, whose rows are shards; the other columns, which are no sums, stay where they are."""
    from btmodel.design.second_tables import as_second  # only here: rules are loaded with every model

    sums = tuple(column for column in model.columns if column.shape.summed)
    names = {column.name for column in sums}
    rates = [
        column.expected.increments.per_second for column in sums if column.expected.increments is not None
    ]
    mirrored = any(part.mirror for part in model.key.fields)
    if mirrored or not rates or any(not names.isdisjoint(query.where) for query in model.queries):
        return
    moving = tuple(query for query in model.queries if query.only and names.issuperset(query.only))
    staying = tuple(
        evolve(query, only=tuple(name for name in query.only if name not in names))
        for query in model.queries
        if query not in moving
    )
    reading = tuple(
        evolve(query, only=())
        for query in model.queries
        if query not in moving
        and not (query.scan or query.where)
        and (not query.only or names & {*query.only})
    )
    rest = tuple(column for column in model.columns if column not in sums)
    alone = as_second(_of_columns(model, sums), model.key, Query("shards", ()))
    declared = ", ".join(f"`{query.name} = {declaration(query)}`" for query in reading)
    asked = f", read by {declared}" if declared else ""
    for fix in _sharded(
        evolve(alone, queries=(*moving, *reading), atomic=()), max(*rates, rate_of_one(alone) or 0)
    ):
        left = evolve(_of_columns(model, rest), queries=staying, events=None)
        yield evolve(
            fix,
            text=f"count {quoted(column.name for column in sums)} in a table of {'its' if len(sums) == 1 else 'their'} own, "
            f"`{alone.table}`, {'' if model.events is None else 'which takes the `events` of this one, '}and {fix.text}{asked}",
            otherwise=_or_added_up(evolve(alone, events=model.events)),
            models=(left, *fix.models),
        )


def _of_columns(model: ModelSchema, columns: tuple[Column, ...]) -> ModelSchema:
    """The model with nothing but these columns, and their families."""
    used = {column.family for column in columns}
    return evolve(
        model, columns=columns, families=tuple(family for family in model.families if family.id in used)
    )


def _of_shard(column: Column, shards: int) -> Column:
    """The column of one of the shards of a row."""
    increments = column.expected.increments
    if increments is None:
        return column
    return evolve(
        column, expected=evolve(column.expected, increments=Rate(float(ceil(increments.per_second / shards))))
    )


def _rounded(count: float) -> int:
    """``count`` or a little more, of two digits that count."""
    step: int = 10 ** max(0, len(str(ceil(count))) - 2)
    return ceil(count / step) * step


def _ways(model: ModelSchema, rate: float) -> Iterator[Fix]:
    """A row for each event, or more rows of a bucket; of sums, their shards."""
    if model.columns and all(column.shape.summed for column in model.columns):
        yield from _of_sums(model, rate)
        return
    bucket = model.bucket_field
    if bucket is not None:
        source = KeyField(fresh(model, "source"), codecs.UuidText())
        fields = (part for part in before(model.key, bucket, source) if isinstance(part, KeyField))
        key = evolve(model.key, fields=tuple(fields))
        yield Fix(
            f"add a field in front of `{bucket.name}` that divides the events among rows, such as the id of what measured "
            f"them: `{key.shape}`",
            (evolve(model, key=key),),
            otherwise="; or gather the events of a row in the program, and write those of a second together, as one write",
        )
        if all(column.shape is Shape.HISTORY for column in model.columns):
            # Where that takes a query its answer: no row is then written again.
            yield from rows_of_events(model, *model.columns)
        return
    entered = [column for column in model.columns if column.shape.entered]
    if entered:
        yield all_apart(model, sorted(entered, key=lambda column: column.expected.entries or 0, reverse=True))
    new = key_of_events(model)
    kept = aged(model)
    timed, rules = evolve(kept, key=new.key), aging(model, kept)
    otherwise = "; or, if only the newest value counts, write it at intervals, such as every 5 s"
    if not hot(timed):
        yield Fix(f"write one row per event: {new}{rules}", (timed,), otherwise=otherwise)
    for each, models in design.led_to(timed):
        text = f"write one row per event: add `{new.declared}`, and, to spread the writes, {design.change(timed, each)}{rules}"
        yield Fix(text, models, otherwise=otherwise)


RULE: Rule[ModelSchema] = Rule(
    "KEY013",
    "hot-row",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    slow=True,
    levels=(Level.WARNING, Level.ERROR, Level.INFO),
)
