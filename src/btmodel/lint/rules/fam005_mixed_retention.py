"""FAM005 mixed-retention: a column that needs other versions or another age than its family keeps

What it finds
    A column whose declared `keep` differs from the GC rule of its family: an error where the rule
    deletes what is to be kept, a warning where it only keeps more. Two rules that keep
    the same cells are equal, however they are written.

    In a model with `timestamp=0`, a family that keeps two or more versions is a warning.

    In a model whose rows have an end (`bt.expires()`), also a family whose rule does not delete
    by age; and a family whose rule deletes cells before they are a minute old, if the timestamps of
    these are the times of writing. These are warnings.

    A required column in a family that deletes even its newest cell after an age, beside a family
    that keeps cells for longer, is a warning, too, unless rows are written again and again before
    that age, by the declared `events` and cardinalities.

Why
    The GC rule belongs to the family. If a column needs only the newest value and its family
    keeps 1,000 versions for another column, you pay for 999 cells that nobody wants. If it is
    the other way round, the service deletes data that you want. If a row loses a required column and
    keeps other cells, every read of it fails. The end of a row is the timestamp
    of its cells, so only an age deletes rows that have ended: reads leave the others out, and you
    pay for them forever. With `timestamp=0` each write replaces the cell of the one before, so no
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
    Suppress it if nobody reads a cell after so short a time; say why.

Source
    https://cloud.google.com/bigtable/docs/schema-design (column families: columns with different
    retention needs belong in different families: 1 version beside 1,000).
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from itertools import count
from math import inf

from attrs import evolve

from btmodel.estimates import rate_of_one, timed
from btmodel.lint.cells import named_cells
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.retention import declared_family, free_family, moved
from btmodel.lint.rule import Rule
from btmodel.schema import Column, Family, GcChange, GcRule, MaxAge, MaxVersions, ModelSchema, Stamp
from btmodel.schema.gc import age_text, kept_text, oldest, steps
from btmodel.schema.model import SHORT, WRITTEN, Clock
from btmodel.source_text import gc_code

# So many writes of a row within an age, on average, keep the cells of most rows younger (this project's own figure).
_OFTEN = 100


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each column that wants to be kept otherwise or is outlived, and each family that keeps ended rows, or what it holds too short."""
    filled = {column.family for column in model.columns} | {cell.family for cell in named_cells(model)}
    families = [family for family in model.families if family.id in filled]
    if model.stamp.expires:
        yield from _endless(model, families)
    else:
        yield from _outlived(model)
    yield from _short(model, families)
    yield from _replaced(model)
    yield from _kept_otherwise(model)


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
        if columns and fixed and 1 < max(versions for versions, _ in steps(family.gc)) < inf:
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
    newest = MaxVersions(1)
    text = f'state what it has: `bt.family("{family.id}", gc={gc_code(newest)})`'
    yield Fix(text, (_with_rule(model, family, newest),))
    text = "if older versions are wanted, leave out `timestamp=`, and cells get the time of writing"
    yield Fix(text, (evolve(model, stamp=WRITTEN),), alternative=True)


def _outlived(model: ModelSchema) -> Iterator[Finding]:
    """Each required column that a row loses before its other cells."""
    lives = {cell.family: _life(model, cell.family) for cell in named_cells(model)}
    known = {id: life for id, life in lives.items() if life is not None}
    longest = max(known.values(), default=timedelta(0))
    for column in model.columns:
        life = known.get(column.family, longest)
        if not column.required or not column.shape.plain or life >= longest or _renewed(model, life):
            continue
        home = next(family for family in model.families if known.get(family.id) == longest)
        yield RULE.finding(
            model,
            f"`{column.name}` is required, and its family {column.family!r} deletes it at an age of {age_text(life)}, "
            f"while the family {home.id!r} keeps other cells of the row for longer",
            why="a row that has lost a required column cannot be decoded: every read of it fails",
            fix=partial(_outliving, model, column, home),
            part=column.name,
            at=column.location,
            level=Level.WARNING,
        )


def _lasting(model: ModelSchema, family: Family) -> Iterator[Fix]:
    """The end of a row's life for its timestamps, or an age by which cells are read for a day."""
    names = (f"until{number or ''}" for number in count())
    name = next(one for one in names if one not in model.attributes)
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


def _renewed(model: ModelSchema, life: timedelta) -> bool:
    """Whether a row is written so often that its newest cells are always younger."""
    rate = None if timed(model) else rate_of_one(model)
    return rate is not None and rate * life.total_seconds() >= _OFTEN


def _outliving(model: ModelSchema, column: Column, home: Family) -> Iterator[Fix]:
    text = f"let a row be without it: `{column.name}: ... | None`, with `default=None`"
    yield Fix(text, (_without_value(model, column),))
    cells = {cell.text for cell in named_cells(model) if cell.family == home.id}
    if home.aggregate is None and column.qualifier.decode(errors="backslashreplace") not in cells:
        text = f"if it is wanted for as long, declare it in the family {home.id!r}"
        yield Fix(text, (moved(model, column, home),), alternative=True)


def _without_value(model: ModelSchema, column: Column) -> ModelSchema:
    """The model whose rows may lack the column."""
    optional = evolve(column, required=False)
    return evolve(model, columns=tuple(optional if one == column else one for one in model.columns))


def _kept_otherwise(model: ModelSchema) -> Iterator[Finding]:
    """Each column that wants to be kept otherwise; where all of a family do alike, its rule is what is wrong."""
    for column in model.columns:
        keep, family = column.expected.keep, model.family(column.family)
        if keep is None or family is None or family.gc is None or _alike(keep, family.gc):
            continue
        yield RULE.finding(
            model,
            f"`{column.name}` declares `keep={gc_code(keep)}`, but its family {family.id!r} has `gc={gc_code(family.gc)}`",
            why="a GC rule belongs to a family: you pay for cells that it keeps in excess, and lose those that it does not keep",
            fix=partial(_ways, model, column, keep, family),
            part=column.name,
            at=column.location,
            level=Level.ERROR if _loses(model, column, family.gc, keep) else Level.WARNING,
        )


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


def _ways(model: ModelSchema, column: Column, keep: GcRule, family: Family) -> Iterator[Fix]:
    if _all_want(model, family, keep):
        text = f'state what its columns want: `bt.family("{family.id}", gc={gc_code(keep)})`'
        yield Fix(text, (_with_rule(model, family, keep),))
    for other in model.families:
        if other.gc is not None and other.aggregate is family.aggregate and _alike(keep, other.gc):
            text = f"declare `{column.name}` in the family {other.id!r}, which keeps just that"
            yield Fix(text, (moved(model, column, other),))
    new = Family(free_family(model, family.id), keep, family.aggregate)
    text = f"give `{column.name}` a family of its own: `{declared_family(new)}`"
    yield Fix(text, (moved(model, column, new),))
    if column.required:  # then a row may lose it before its other cells
        absent = f"{text}, and let a row be without it: `{column.name}: ... | None`, with `default=None`"
        yield Fix(absent, (moved(_without_value(model, column), evolve(column, required=False), new),))


def _with_rule(model: ModelSchema, family: Family, rule: GcRule) -> ModelSchema:
    families = tuple(evolve(one, gc=rule) if one == family else one for one in model.families)
    return evolve(model, families=families)


def _all_want(model: ModelSchema, family: Family, keep: GcRule) -> bool:
    """Whether all cells of the family are of columns that want the same."""
    wanted = {column.name: column.expected.keep for column in model.columns}
    cells = [wanted.get(cell.attribute) for cell in named_cells(model) if cell.family == family.id]
    return all(each is not None and _alike(each, keep) for each in cells)


RULE: Rule[ModelSchema] = Rule(
    "FAM005", "mixed-retention", check, page=__doc__, rewrites=None, levels=(Level.ERROR, Level.WARNING)
)
