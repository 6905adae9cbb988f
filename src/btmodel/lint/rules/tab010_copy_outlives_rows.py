"""TAB010 copy-outlives-rows: a second table whose rows lead to rows that an age has deleted

What it finds
    Two tables with declared `events`, of which the second has as many or fewer, all fields of the first key and less of its columns, so each row of it leads to a row of the first, as
    those of `bt.twins` do, or all of its columns, if the docstring of the first says how long rows are kept ("messages disappear after 30 days"); if all families of the first delete by age, and a family of the second keeps its cells for ever, or for twice as long and more. The rule finds
    nothing where the docstring of the second says how long its rows are kept, or that they are wanted later, as those of an archive are; where rows gather several
    events; and where rows move from one table to the other.

Why
    Each table has its own GC rules, and no deletion by age reaches the other table. The copies are stored and paid for, and a reader who follows one finds no row.

Example
    from datetime import datetime

    import btmodel as bt


    class Booking(bt.Model, table="booking", events="900/s"):
        room: str = bt.key(bt.Text(width=8), cardinality=200_000)
        made: datetime = bt.key(bt.EpochMillis())
        reference: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=60))
        guests: int = bt.column("guests", b)
        paid: bool = bt.column("paid", b)

        of_room = bt.query("room", between="made")


    class BookingByReference(bt.Model, table="booking_by_reference", events="900/s"):
        reference: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)
        room: str = bt.key(bt.Text(width=8), cardinality=200_000)
        made: datetime = bt.key(bt.EpochMillis())

        b = bt.family("b", gc=bt.max_versions(1))
        guests: int = bt.column("guests", b)

        one = bt.query("reference")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Booking(bt.Model, table="booking", events="900/s"):
        room: str = bt.key(bt.Text(width=8), cardinality=200_000)
        made: datetime = bt.key(bt.EpochMillis())
        reference: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=60))
        guests: int = bt.column("guests", b)
        paid: bool = bt.column("paid", b)

        of_room = bt.query("room", between="made")


    class BookingByReference(bt.Model, table="booking_by_reference", events="900/s"):
        reference: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)
        room: str = bt.key(bt.Text(width=8), cardinality=200_000)
        made: datetime = bt.key(bt.EpochMillis())

        b = bt.family("b", gc=bt.max_age(days=60))
        guests: int = bt.column("guests", b)

        one = bt.query("reference")

Allow
    Suppress it if readers of the second table need no row of the first one; say what they look for.

Source
    https://cloud.google.com/bigtable/docs/garbage-collection (rules belong to the families of a table). That a copy of twice the age was meant so is this project's own choice.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import permutations

from attrs import evolve

from btmodel.design.copied_rows import a_row_each
from btmodel.design.related_tables import attribute_types, identity
from btmodel.lint.descriptions import kept_for
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import Family, MaxAge, ModelSchema
from btmodel.schema.gc import kept_text, oldest
from btmodel.source_text import gc_code
from btmodel.words import duration_text

_LONGER = 2  # so many times as long was meant so, if words say it, and else not
# What is wanted after the rows of the first table are gone.
_WANTED_LATER = pattern(
    r"(?i)\b(archiv\w*|for ever|forever|for good|for life|permanent(?:ly)?|histor(?:y|ies|ical)|audit\w*|ledger|statistic\w*|stays?|remains?|keeps?|kept|longer|years?|"
    r"even (?:after|when|if)|was (?:ever|once)|ever (?:had|was|were|been|used|seen)|never (?:deleted|goes|used twice))\b"
)


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each copy that outlives the rows that it leads to, once."""
    reported = set()
    # Most models cannot be such tables at all, and pairs of a thousand models are a million.
    for model, copy in permutations(sorted(filter(_judged, models), key=identity), 2):
        life = _ends(model)
        if life is None or identity(copy) in reported or not _leads_to(copy, model):
            continue
        late = [family for family in copy.families if _outlives(family, life)]
        if late and not (_WANTED_LATER.search(copy.doc) or kept_for(copy)):
            reported.add(identity(copy))
            yield _finding(model, copy, late, life)


def _judged(model: ModelSchema) -> bool:
    """Whether its rows are those of events, and all that is known of their ends is in their GC rules."""
    rules = [family.gc for family in model.families]
    moves = model.moved_from or model.moved_to or model.stamp.expires
    return a_row_each(model) and not moves and all(rule is not None and not rule.given for rule in rules)


def _ends(model: ModelSchema) -> timedelta | None:
    """The age at which all of a row is gone; None where a part of it stays for ever."""
    ages = [oldest(family.gc) for family in model.families]
    known = [age for age in ages if age is not None]
    return max(known) if known and len(known) == len(ages) else None


def _leads_to(copy: ModelSchema, model: ModelSchema) -> bool:
    """Whether each row of ``copy`` has the key of a row of ``model``, and not all of its values; or all of them, of which the description of ``model`` says how long they are kept."""
    if copy.table == model.table or not _as_rare(copy, model):
        return False
    known, held = attribute_types(model), attribute_types(copy)
    found = {part.name for part in model.key.asked}
    if not (held.items() <= known.items() and found <= held.keys()):
        return False
    return len(held) < len(known) or (bool(copy.columns) and kept_for(model) is not None)


def _as_rare(copy: ModelSchema, model: ModelSchema) -> bool:
    """Whether a table has as many events as another one, or fewer, as one of some of its rows has."""
    rate, of_all = copy.events, model.events
    return rate is not None and of_all is not None and rate.per_second <= of_all.per_second


def _outlives(family: Family, life: timedelta) -> bool:
    age = oldest(family.gc)
    return age is None or age / _LONGER >= life


def _finding(model: ModelSchema, copy: ModelSchema, late: Sequence[Family], life: timedelta) -> Finding:
    family, rule = late[0], MaxAge(life)
    ends = tuple(evolve(each, gc=rule) if each in late else each for each in copy.families)
    named = ", ".join(f'`bt.family("{each.id}", gc={gc_code(rule)})`' for each in late)
    text = f"let the rows end as those of {model.name} do: {named}"
    edit = ArgumentEdit("gc", gc_code(rule)) if len(late) == 1 else None
    fix = Fix(text, edit=edit) if edit else Fix(text, (evolve(copy, families=ends),))
    return RULE.finding(
        copy,
        f"each row leads to one of {model.name}, `{model.key.shape}`, which is gone after {duration_text(life)}, but family {family.id!r} keeps {kept_text(family.gc)}",
        why="no age of one table reaches the other, so copies of rows that are gone are stored and paid for, and who follows one finds no row",
        fix=evolve(
            fix, otherwise="; or, if they are wanted later, say so in the docstring, as of an archive"
        ),
        part=family.id,
        at=family.location,
        level=Level.WARNING,
    )


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "TAB010",
    "copy-outlives-rows",
    check,
    page=__doc__,
    rewrites=Rewritten.CELLS,
    levels=(Level.WARNING,),
)
