"""FAM005 mixed-retention: a column that needs other versions or another age than its family keeps

What it finds
    Columns whose declared `keep` differs from the GC rule of their family, all of one family together: an error where the rule
    deletes what is to be kept, a warning where it only keeps more. Two rules that keep the same cells are equal, however they are written.

    In a model with `timestamp=0`, a family that keeps two or more versions is a warning.

    In a model whose rows have an end (`bt.expires()`), also a family whose rule does not delete
    by age; and a family whose rule deletes cells before they are a minute old, if the timestamps of these are the times of writing. A
    `bt.timestamp()` that is called like an end, such as `valid_until`, is one as well, if no family deletes by its age within a minute. These are warnings.

    A required column in a family that deletes even its newest cell after an age, beside a family
    that keeps cells for longer, is a warning, too, unless rows are written again and again before
    that age, by the declared `events` and cardinalities; which says nothing of what is in a family of its own where all others are optional.

    So are plain columns in a family that deletes them at an age, in a row without a time in its key that also gathers events or
    counts, unless they are called like values that follow the events, such as `last_seen` and `current_load`, or
    declare `keep`, or rows may lack them and the docstring says that each family has its own lifetime.

    An age that deletes nothing is a warning: an intersection, as `bt.max_versions(1) & bt.max_age(days=30)`, always keeps the newest
    versions, and in a row that is written once, as one with a time in its key, there are no others. It is
    information where the time of the key is a day or longer and no id stands behind it: then a row may be written again.

Why
    The GC rule belongs to the family. If a column needs only the newest value and its family
    keeps 1,000 versions for another column, you pay for 999 useless cells. If it is the other way round, the service deletes data that you want. If a row loses a required column and
    keeps other cells, every read of it fails. The end of a row is the timestamp
    of its cells, so only an age deletes rows that have ended: reads leave the others out, and you
    pay for them forever. The age of a cell counts from its own timestamp: events that are written later do not keep a value
    that was written once. With `timestamp=0` each write replaces the cell of the one before, so no
    older version is ever there. If a timestamp is the time of writing, no read shows what is older than
    the age: `gc=bt.max_age(seconds=1)` is right for ends alone.

Example
    import btmodel as bt


    class Machine(bt.Model, table="MACHINE", events="100/min"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("s", gc=bt.max_versions(100))
        setting: bt.History[str] = bt.history("set", state, size=20)
        note: str | None = bt.column("note", state, default=None, keep=bt.max_versions(1), size=50)

        one = bt.query("host")

Use instead
    import btmodel as bt


    class Machine(bt.Model, table="MACHINE", events="100/min"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("s", gc=bt.max_versions(100))
        setting: bt.History[str] = bt.history("set", state, size=20)

        newest = bt.family("s2", gc=bt.max_versions(1))
        note: str | None = bt.column("note", newest, default=None, keep=bt.max_versions(1), size=50)

        one = bt.query("host")

Allow
    Suppress it if other programs write to the family, too, and the column is rarely written;
    say how rarely. Suppress it if rows that have ended are kept for other programs; say for which.
    Suppress it if no program reads a cell after so short a time; say why.

Source
    https://cloud.google.com/bigtable/docs/schema-design (column families: columns with different
    retention needs belong in different families: 1 version beside 1,000).
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from itertools import count, dropwhile, product
from math import inf

from attrs import evolve

from btmodel.codecs.key import Kind
from btmodel.design.hints import called_end, called_following
from btmodel.design.keys import single
from btmodel.estimates import events_of_row, rate_of_one, span, timed
from btmodel.lint.cells import named_cells
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.retention import declared_family, free_family, moved
from btmodel.lint.rule import Rule
from btmodel.schema import Column, Family, GcChange, GcRule, MaxAge, MaxVersions, ModelSchema, Stamp
from btmodel.schema.gc import age_text, kept_ranges, kept_text, oldest
from btmodel.schema.model import SHORT, WRITTEN, Clock
from btmodel.source_text import gc_code
from btmodel.words import clauses, quoted

# So many writes of a row within an age, on average, keep the cells of most rows younger (this project's own figure).
_OFTEN = 100


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each column that wants to be kept otherwise or is outlived, and each family that keeps ended rows, or what it holds too short."""
    filled = {column.family for column in model.columns} | {cell.family for cell in named_cells(model)}
    families = [family for family in model.families if family.id in filled]
    if model.stamp.expires:
        yield from _endless(model, families)
    else:
        beside = {family: columns for family in families if (columns := _beside_events(model, family))}
        yield from (_written_once(model, family, columns) for family, columns in beside.items())
        yield from _outlived(model, {column for columns in beside.values() for column in columns[:1]})
        yield from ageless(model, families)
        yield from _named_end(model, families)
    yield from _short(model, families)
    yield from _replaced(model)
    yield from _kept_otherwise(model)


def _named_end(model: ModelSchema, families: list[Family]) -> Iterator[Finding]:
    """The time of the cells where it is called like an end, and neither its declaration nor a rule makes it one."""
    name = model.stamp.attribute
    if name is None or not model.stamp.stored or not called_end(name):
        return
    if any(model.clock(column) is Clock.EVENT for column in model.columns):
        yield RULE.finding(
            model,
            f"the timestamp `{name}` is called like an end, but `bt.timestamp()` declares the time of an event",
            why="what has ended is still read, and no rule deletes it when it ends",
            fix=partial(_ending, model, name, families),
            part=name,
            at=model.location,
            level=Level.WARNING,
        )


def _ending(model: ModelSchema, name: str, families: list[Family]) -> Iterator[Fix]:
    """The end of the row's life, after which its cells are deleted; or a plain column, whose newest value counts."""
    aged = [evolve(family, gc=MaxAge(timedelta(seconds=1))) for family in families]
    kept = tuple(next((new for new in aged if new.id == family.id), family) for family in model.families)
    text = f"declare that rows end then: `{name}: datetime = bt.expires()`, with {', '.join(f'`{declared_family(family)}`' for family in aged)}"
    yield Fix(text, (evolve(model, stamp=evolve(model.stamp, expires=True), families=kept),))
    from btmodel.lint.planned_times import in_a_column  # here: this rule is loaded with every model

    declared, made = in_a_column(model, name)
    text = f"if an end may also be moved forward, when the cell with the later one would hide it, keep it in a column: {declared}"
    yield Fix(text, (made,), alternative=True)


def _endless(model: ModelSchema, families: list[Family]) -> Iterator[Finding]:
    for family in families:
        if family.gc is None or family.gc.deletes(timedelta.max, 1):
            continue
        yield RULE.finding(
            model,
            f"rows end at `{model.stamp.attribute}`, but their family {family.id!r} keeps {kept_text(family.gc)}",
            why="reads leave out what has ended, but without an age no rule deletes it, so you pay for it forever",
            fix=_by_age(model, family),
            part=family.id,
            at=family.location,
            level=Level.WARNING,
        )


def _short(model: ModelSchema, families: list[Family]) -> Iterator[Finding]:
    """Each family whose cells are soon too old to be read, as only such may be whose timestamps are ends of lives."""
    written = {column.family for column in model.columns if model.clock(column) is Clock.WRITING}
    for family in families:
        age = oldest(family.gc)
        if family.id not in written or age is None or age >= SHORT:
            continue
        yield RULE.finding(
            model,
            f"what is written to family {family.id!r} is read for {age_text(age)} alone: the family keeps {kept_text(family.gc)}",
            why="reads leave out what a rule lets the service delete; so short an age is right where timestamps are the ends "
            "of lives",
            fix=partial(_lasting, model, family),
            part=family.id,
            at=family.location,
            level=Level.WARNING,
        )


def _replaced(model: ModelSchema) -> Iterator[Finding]:
    """Each family that keeps old versions of cells that have none, as all of their timestamps are the same."""
    for family in model.families:
        columns = [column for column in model.columns if column.family == family.id]
        fixed = all(column.stamped and model.clock(column) is Clock.FIXED for column in columns)
        if columns and fixed and 1 < max(versions for versions, _ in kept_ranges(family.gc)) < inf:
            yield RULE.finding(
                model,
                f"family {family.id!r} keeps {kept_text(family.gc)}, but with `timestamp={model.stamp.fixed}` a column never has more than one",
                why="all writes have the same timestamp, so each replaces the cell of the one before",
                fix=partial(_versioned, model, family),
                part=family.id,
                at=family.location,
                level=Level.WARNING,
            )


def _versioned(model: ModelSchema, family: Family) -> Iterator[Fix]:
    """One version, as there is; or the time of writing, which gives each write a version: first where the description speaks of older ones."""
    from btmodel.lint.descriptions import VERSIONS_WANTED  # here: this rule is loaded with every model

    newest = MaxVersions(1)
    one = Fix(
        f'state what it has: `bt.family("{family.id}", gc={gc_code(newest)})`',
        (_with_rule(model, family, newest),),
    )
    each = Fix("leave out `timestamp=`, and cells get the time of writing", (evolve(model, stamp=WRITTEN),))
    if VERSIONS_WANTED.search(model.doc):
        yield each
        yield evolve(one, text=f"if only the newest is wanted, {one.text}", alternative=True)
    else:
        yield one
        yield evolve(each, text=f"if older versions are wanted, {each.text}", alternative=True)


def _beside_events(model: ModelSchema, family: Family) -> tuple[Column, ...]:
    """The plain columns that the family deletes at an age, though only events are written to their rows again and again."""
    gathers = any(_gathers(column) for column in model.columns)
    if (
        not gathers
        or timed(model)
        or model.bucket is not None
        or _life(model, family.id) in (None, timedelta.max)
    ):
        return ()

    return tuple(
        column
        for column in model.columns
        if column.family == family.id
        and column.shape.plain
        and column.expected.keep is None
        and column.expected.increments is None
        and (column.required or not _lives_by_itself(model))
        and not called_following(column.name, column.codec.python_type)
    )


def _lives_by_itself(model: ModelSchema) -> bool:
    """Whether the description says that each family has its own lifetime."""
    from btmodel.lint.descriptions import OWN_LIFETIMES  # here: this rule is loaded with every model

    return OWN_LIFETIMES.search(" ".join(model.doc.split())) is not None


def _gathers(column: Column) -> bool:
    """Whether a row gets more and more of it: events, or what is added to."""
    named = column.names is not None and column.names.kind is Kind.TIME
    return column.versioned or column.shape.timed or named or column.expected.increments is not None


def _written_once(model: ModelSchema, family: Family, columns: tuple[Column, ...]) -> Finding:
    names = quoted(column.name for column in columns)
    has, they = ("is", "it") if len(columns) == 1 else ("are", "them")
    required = any(column.required for column in columns)
    lost = "; a row that has lost a required column cannot be decoded" if required else ""
    return RULE.finding(
        model,
        f"{names} {has} in the family {family.id!r}, which keeps {kept_text(family.gc)}: unless each event writes {they} again, "
        f"the row loses {they} while its events go on",
        why=f"the age of a cell counts from its own timestamp, and what is written later keeps no other cell{lost}",
        fix=partial(_kept_apart, model, family, columns),
        part=columns[0].name,
        at=columns[0].location,
        level=Level.WARNING,
    )


def _kept_apart(model: ModelSchema, family: Family, columns: tuple[Column, ...]) -> Iterator[Fix]:
    """The columns in a family that keeps the newest value, there is one or a new one; or what they want, stated."""
    newest = MaxVersions(1)
    # A row needs what is required for as long as it has anything.
    needed = (
        column
        for column in model.columns
        if column.family == family.id and column.required and column.shape.plain
    )
    moving = tuple(dict.fromkeys((*columns, *(column for column in needed if column.expected.keep is None))))
    names = quoted(column.name for column in moving)
    for other in model.families:
        if other.gc is not None and other.aggregate is None and _alike(newest, other.gc):
            text = f"declare {names} in the family {other.id!r}, which keeps the newest value"
            yield Fix(text, (_all_moved(model, moving, other),))
    new = Family(free_family(model, family.id), newest)
    own = "a family of its own" if len(moving) == 1 else "a family of their own"
    yield Fix(f"give {names} {own}: `{declared_family(new)}`", (_all_moved(model, moving, new),))
    if family.gc is not None:
        stated = tuple(
            evolve(column, expected=evolve(column.expected, keep=family.gc)) if column in columns else column
            for column in model.columns
        )
        what = "it is" if len(columns) == 1 else "they are"
        text = f"if {what} to end with the events, say so: `keep={gc_code(family.gc)}`"
        yield Fix(text, (evolve(model, columns=stated),), alternative=True)


def _all_moved(model: ModelSchema, columns: Sequence[Column], family: Family) -> ModelSchema:
    for column in columns:
        model = moved(model, column, family)
    return model


def ageless(model: ModelSchema, families: list[Family]) -> Iterator[Finding]:
    """Each family whose age deletes nothing: its rule always keeps the newest versions, and its cells have no others."""
    for family in families:
        rule = family.gc
        columns = [column for column in model.columns if column.family == family.id]
        ages = (
            []
            if rule is None or rule.given
            else [threshold for threshold in rule.thresholds() if isinstance(threshold, MaxAge)]
        )
        ranks = [_versions(model, column) for column in columns]
        if rule is None or not ages or not ranks or None in ranks:
            continue
        most = max(rank for rank in ranks if rank is not None)
        if rule.deletes(timedelta.max, most):
            continue
        counted_ = (
            "no cell has an older version"
            if most == 1
            else f"no column of a row has more than {most:,} versions"
        )
        yield RULE.finding(
            model,
            f"the age in `gc={gc_code(rule)}` of family {family.id!r} deletes nothing: the rule always keeps {_newest(rule)}, and "
            f"in the rows of `{model.key.shape}` {counted_}",
            why="an intersection (`&`) deletes only what all of its rules delete, so these rows stay forever, and you pay for them",
            fix=partial(_aging, model, family, max(age.age for age in ages)),
            part=family.id,
            at=family.location,
            level=Level.WARNING
            if span(model) < timedelta(days=1) or model.bucket is not None or _told_apart(model)
            else Level.INFO,
        )


def _told_apart(model: ModelSchema) -> bool:
    """Whether an id stands behind the time of the key: a row is then of one event, which is written once."""
    behind = tuple(dropwhile(lambda part: part not in timed(model), model.key.fields))[1:]
    return any(part.asked and not single(part) and part not in timed(model) for part in behind)


def _versions(model: ModelSchema, column: Column) -> int | None:
    """How many versions a cell of the column ever gets, in rows that are written once; None where that is not known."""
    if column.shape.spanned:
        return None
    if model.clock(column) is Clock.FIXED or column.shape.slotted:
        return 1
    if column.versioned:
        return events_of_row(model, column)
    within = model.bucket is not None or any(not part.optional for part in timed(model))
    return 1 if within or column.shape.empty else None


def _newest(rule: GcRule) -> str:
    versions = [threshold.versions for threshold in rule.thresholds() if isinstance(threshold, MaxVersions)]
    most = max(versions, default=1)
    return "the newest version" if most == 1 else f"the newest {most:,} versions"


def _aging(model: ModelSchema, family: Family, age: timedelta) -> Iterator[Fix]:
    from btmodel.lint.descriptions import needed_for  # here: this rule is loaded with every model

    rule = MaxAge(max(age, needed_for(model) or age))
    text = f'delete by age alone: `bt.family("{family.id}", gc={gc_code(rule)})`'
    yield Fix(text, (_with_rule(model, family, rule),))
    versions = [
        threshold for threshold in (family.gc or rule).thresholds() if isinstance(threshold, MaxVersions)
    ]
    kept = max(versions, key=lambda one: one.versions, default=MaxVersions(1))
    text = f"if the rows are to stay, say so: `gc={gc_code(kept)}`"
    yield Fix(text, (_with_rule(model, family, kept),), alternative=True)


def _outlived(model: ModelSchema, reported: set[Column]) -> Iterator[Finding]:
    """The required columns of each family that a row loses before its other cells, but those that are ``reported`` of."""
    lives = {cell.family: _life(model, cell.family) for cell in named_cells(model)}
    known = {id: life for id, life in lives.items() if life is not None}
    longest = max(known.values(), default=timedelta(0))
    home = next((family for family in model.families if known.get(family.id) == longest), None)
    for family in model.families:
        life = known.get(family.id, longest)
        needed = [
            column
            for column in model.columns
            if column.family == family.id and column.required and column.shape.plain
        ]
        columns = [column for column in needed if column not in reported]
        if home is None or not columns or life >= longest or _renewed(model, family, life):
            continue
        yield RULE.finding(
            model,
            f"{quoted(column.name for column in columns)} {'is' if len(columns) == 1 else 'are'} required, and the family {family.id!r} deletes "
            f"{'it' if len(columns) == 1 else 'them'} at an age of {age_text(life)}, while the family {home.id!r} keeps other cells of the row for longer",
            why="a row that has lost a required column cannot be decoded: every read of it fails",
            fix=partial(_outliving, model, family, columns, home),
            part=columns[0].name,
            at=columns[0].location,
            level=Level.WARNING,
        )


def _lasting(model: ModelSchema, family: Family) -> Iterator[Fix]:
    """The end of a row's life for its timestamps, or an age by which cells are read for a day."""
    names = (f"until{number or ''}" for number in count())
    name = next(name for name in names if name not in model.attributes)
    ending = evolve(model, stamp=Stamp(name, stored=True, required=True, expires=True))
    yield Fix(f"if rows end by themselves, declare when: `{name}: datetime = bt.expires()`", (ending,))
    age = MaxAge(timedelta(days=1))
    text = f'state how long its cells are read: `bt.family("{family.id}", gc={gc_code(age)})`'
    yield Fix(text, (_with_rule(model, family, age),))


def _life(model: ModelSchema, id: str) -> timedelta | None:
    """The age at which a family deletes even the newest cell of a column; None where it is given at run time."""
    family = model.family(id)
    if family is None or (family.gc is not None and family.gc.given):
        return None
    return oldest(family.gc) or timedelta.max


def _renewed(model: ModelSchema, family: Family, life: timedelta) -> bool:
    """Whether a row is written so often that its newest cells are always younger; what changes optional columns need not write others."""
    others = [column for column in model.columns if column.family != family.id]
    if others and not any(column.required for column in others):
        return False
    rate = None if timed(model) else rate_of_one(model)
    return rate is not None and rate * life.total_seconds() >= _OFTEN


def _outliving(model: ModelSchema, family: Family, columns: Sequence[Column], home: Family) -> Iterator[Fix]:
    """What a row needs, all of it in one family, is kept as long as the row; else a row may lack it, or it moves."""
    cells = {cell.text for cell in named_cells(model) if cell.family == home.id}
    fixes = [_optional(model, columns)]
    alone = all(
        (column.family == family.id) is (column in columns) is column.required for column in model.columns
    )
    if alone and home.gc is not None and _life(model, home.id) == timedelta.max:
        text = f'keep {"it" if len(columns) == 1 else "them"} for as long as the row: `bt.family("{family.id}", gc={gc_code(home.gc)})`'
        fixes.insert(0, Fix(text, (_with_rule(model, family, home.gc),)))
    elif home.aggregate is None and cells.isdisjoint(
        column.qualifier.decode(errors="backslashreplace") for column in columns
    ):
        they = "it is" if len(columns) == 1 else "they are"
        text = f"if {they} wanted for as long, declare {'it' if len(columns) == 1 else 'them'} in the family {home.id!r}"
        fixes.append(Fix(text, (_all_moved(model, columns, home),)))
    for at, fix in enumerate(fixes):
        yield evolve(fix, alternative=at > 0)


def _optional(model: ModelSchema, columns: Sequence[Column]) -> Fix:
    """Rows that may lack the columns."""
    changed = {column: evolve(column, required=False) for column in columns}
    declared = ", ".join(f"`{column.name}: {column.codec.python_type.__name__} | None`" for column in columns)
    lacking = evolve(model, columns=tuple(changed.get(column, column) for column in model.columns))
    return Fix(
        f"let a row be without {'it' if len(columns) == 1 else 'them'}: {declared}, with `default=None`",
        (lacking,),
    )


# What columns of a family want to be kept, and those of its columns that want it.
Wish = tuple[GcRule, list[Column]]


def _kept_otherwise(model: ModelSchema) -> Iterator[Finding]:
    """Each family of which columns want to be kept otherwise, with one fix for all of them; where all do, its rule is what is wrong."""
    proposed = model  # with the families that earlier fixes add, so that all can be followed
    for family, wishes in _wishes(model).items():
        own: list[Family] = []
        for keep, _ in wishes:
            own.append(Family(free_family(proposed, family.id), keep, family.aggregate))
            proposed = evolve(proposed, families=(*proposed.families, own[-1]))
        columns = [column for _, those in wishes for column in those]
        statements = [
            f"{quoted(column.name for column in those)} {'declares' if len(those) == 1 else 'declare'} `keep={gc_code(keep)}`"
            for keep, those in wishes
        ]
        rule = family.gc or wishes[0][0]
        yield RULE.finding(
            model,
            f"{clauses(statements)}, but {'its' if len(columns) == 1 else 'their'} family {family.id!r} has `gc={gc_code(rule)}`",
            why="a GC rule belongs to a family: you pay for cells that it keeps in excess, and lose those that it does not keep",
            fix=partial(_ways, model, family, wishes, own),
            part=columns[0].name,
            at=columns[0].location,
            level=Level.ERROR
            if any(_loses(model, column, rule, keep) for keep, those in wishes for column in those)
            else Level.WARNING,
        )


def _wishes(model: ModelSchema) -> dict[Family, list[Wish]]:
    """What columns want that their family does not, by their family, and which of its columns want it."""
    found: dict[Family, list[Wish]] = {}
    for column in model.columns:
        keep, family = column.expected.keep, model.family(column.family)
        if keep is None or family is None or family.gc is None or _alike(keep, family.gc):
            continue
        wishes = found.setdefault(family, [])
        same = next((columns for wanted, columns in wishes if _alike(keep, wanted)), None)
        if same is None:
            wishes.append((keep, [column]))
        else:
            same.append(column)
    return found


def _loses(model: ModelSchema, column: Column, rule: GcRule, keep: GcRule) -> bool:
    """Whether the rule deletes cells that are wanted; a row for an event has one of each plain column."""
    if timed(model) and model.bucket is None and column.shape.plain:
        rule, keep = rule | MaxVersions(1), keep | MaxVersions(1)
    return rule.compared_to(keep).deletes_kept_cells


def _alike(one: GcRule, other: GcRule) -> bool:
    return one.compared_to(other) is GcChange.EQUAL


def _by_age(model: ModelSchema, family: Family) -> Fix:
    age = MaxAge(timedelta(seconds=1))
    text = f'delete it by its age: `bt.family("{family.id}", gc={gc_code(age)})`'
    return Fix(text, (_with_rule(model, family, age),))


def _ways(model: ModelSchema, family: Family, wishes: list[Wish], own: list[Family]) -> Iterator[Fix]:
    """The rule that the columns want, where no cell wants that of the family; else families that there are, or new ones."""
    first = _ending_least(family, wishes) if _none_wants(model, family) else None
    if first is not None:
        wishes = [wishes[first], *wishes[:first], *wishes[first + 1 :]]
        own = [own[first], *own[:first], *own[first + 1 :]]
        keep, columns = wishes[0]
        who = "its columns want" if not wishes[1:] else f"{quoted(column.name for column in columns)} declare"
        text = f'state what {who}: `bt.family("{family.id}", gc={gc_code(keep)})`'
        yield _placed(_with_rule(model, family, keep), wishes[1:], own[1:], [text])
    alike = [
        [
            other
            for other in model.families
            if other.gc and other.aggregate is family.aggregate and _alike(keep, other.gc)
        ]
        for keep, _ in wishes
    ]
    for homes in product(*([*known, new] for known, new in zip(alike, own, strict=True))):
        yield _placed(model, wishes, homes, [])
    required = [column for keep, columns in wishes if oldest(keep) for column in columns if column.required]
    if required:  # then a row may lose them before its other cells
        without = _optional(model, required)
        optional = [
            (keep, [evolve(column, required=False) if column in required else column for column in columns])
            for keep, columns in wishes
        ]
        placed = _placed(without.models[0], optional, own, [])
        yield evolve(placed, text=f"{placed.text}, and {without.text}")


def _ending_least(family: Family, wishes: Sequence[Wish]) -> int | None:
    """Which of the rules that columns want ends nothing that others want and have now; None where each does, so that the family is divided."""
    rules = [keep for keep, _ in wishes]
    kept = [other | family.gc if family.gc else other for other in rules]
    ends = (any(one.compared_to(other).deletes_kept_cells for other in kept) for one in rules)
    return next((at for at, each in enumerate(ends) if not each), None)


def _placed(model: ModelSchema, wishes: Sequence[Wish], homes: Sequence[Family], steps: list[str]) -> Fix:
    """The columns of each wish in the family that keeps just that, behind the ``steps`` that the model has taken."""
    made = model
    for (_, columns), home in zip(wishes, homes, strict=True):
        names = quoted(column.name for column in columns)
        owner = "its" if len(columns) == 1 else "their"
        steps.append(
            f"declare {names} in the family {home.id!r}, which keeps just that"
            if home in model.families
            else f"give {names} a family of {owner} own: `{declared_family(home)}`"
        )
        made = _all_moved(made, columns, home)
    return Fix(clauses(steps), (made,))


def _with_rule(model: ModelSchema, family: Family, rule: GcRule) -> ModelSchema:
    families = tuple(evolve(other, gc=rule) if other == family else other for other in model.families)
    return evolve(model, families=families)


def _none_wants(model: ModelSchema, family: Family) -> bool:
    """Whether all cells of the family are of columns that want another rule than it has."""
    wanted = {column.name: column.expected.keep for column in model.columns}
    cells = [wanted.get(cell.attribute) for cell in named_cells(model) if cell.family == family.id]
    return all(each is not None and family.gc and not _alike(each, family.gc) for each in cells)


RULE: Rule[ModelSchema] = Rule(
    "FAM005",
    "mixed-retention",
    check,
    page=__doc__,
    rewrites=None,
    levels=(Level.ERROR, Level.WARNING, Level.INFO),
)
