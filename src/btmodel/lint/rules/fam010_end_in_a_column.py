"""FAM010 end-in-a-column: rows whose end stands in a column, where no GC rule goes by it

What it finds
    A model whose rows are events, as there is a time in its key, with a column for the end of their life: a `datetime` called `expires`,
    `expires_at`, `expiry`, `expiration_time`, `delete_after`, `purge_at` or the like. If no GC rule of the model deletes by age, nothing ever deletes such a row. It is a
    warning if the docstring of the model says, too, that rows last for a while ("for 24 hours", "until they expire"), and else
    information: the end may be that of a contract, which is to be remembered.

Why
    A GC rule goes by the timestamps of cells, and knows nothing of their values. Rows that have ended are stored and paid for, and every read of the newest ones
    has to leave them out.

Example
    from datetime import datetime

    import btmodel as bt


    class Invitation(bt.Model, table="INVITATION", events="20/s"):
        \"\"\"A link by which a guest may join, for three days.\"\"\"

        host: str = bt.key(bt.Text(width=12), cardinality=5_000_000)
        sent: datetime = bt.key(bt.EpochMillis())

        i = bt.family("i", gc=bt.max_versions(1))
        guest: str = bt.column("g", i)
        expires_at: datetime = bt.column("x", i)

        of_host = bt.query("host", between="sent")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Invitation(bt.Model, table="INVITATION", events="20/s"):
        \"\"\"A link by which a guest may join, for three days.\"\"\"

        host: str = bt.key(bt.Text(width=12), cardinality=5_000_000)
        sent: datetime = bt.key(bt.EpochMillis())
        expires_at: datetime = bt.expires(round=True)

        i = bt.family("i", gc=bt.max_age(seconds=1))
        guest: str = bt.column("g", i)

        of_host = bt.query("host", between="sent")

Allow
    Suppress it if rows are needed after their end; say what for.

Source
    https://cloud.google.com/bigtable/docs/garbage-collection (the age of a cell is that of its timestamp; a timestamp in the future
    is the way to give each row an end of its own).
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from attrs import evolve

from btmodel.codecs.cell.record import is_class
from btmodel.estimates import timed
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, MaxAge, ModelSchema, Stamp
from btmodel.words import quoted, words

_END = pattern(
    r"(.*_)?(expires|expiry|expiration|((expires?|expiry|expiration|delete|purge|remove)_(at|on|after|by|time)))"
)
_LASTS = pattern(
    r"(?i)\b(for|after|within|until|lasts?|lives?)\s+(\w+\s+){0,2}?(\d+|an?|one|two|three|few|some)\s+(second|minute|hour|day|week|month)s?\b"
    r"|\b(ephemeral|temporary|temporarily|disappears?|vanish(es)?|expires?)\b"
)
_EVER = timedelta(days=100_000)
_AT_ONCE = MaxAge(timedelta(seconds=1))


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the column that holds the end of rows which come one after the other, where no GC rule deletes them."""
    column = next((column for column in model.columns if column.shape.single and _is_end(column)), None)
    if column is None or model.stamp != Stamp() or not timed(model):
        return
    if any(family.gc is None or family.gc.given or family.gc.deletes(_EVER, 1) for family in model.families):
        return
    yield RULE.finding(
        model,
        f"`{column.name}` says when a row ends, and no GC rule of {quoted(family.id for family in model.families)} deletes it then",
        why="a GC rule goes by the timestamps of cells and knows nothing of their values, so rows that have ended are kept and paid for",
        fix=_by_timestamps(model, column),
        part=column.name,
        at=column.location,
        level=Level.WARNING if _LASTS.search(model.doc) else Level.INFO,
    )


def _is_end(column: Column) -> bool:
    name = "_".join(words(column.name)).lower()
    return is_class(column.codec.python_type, datetime) and _END.fullmatch(name) is not None


def _by_timestamps(model: ModelSchema, column: Column) -> Fix:
    """The end as the time of the cells; where rows have another form than it takes, an age."""
    age = "an age, `bt.max_age(...)`, the longest that a row lasts"
    rest = tuple(other for other in model.columns if other != column)
    if not rest or not column.required or any(other.eventful or other.shape.summed for other in rest):
        return Fix(f"give each family {age}")
    families = tuple(evolve(family, gc=_AT_ONCE) for family in model.families)
    made = evolve(
        model,
        columns=rest,
        families=families,
        stamp=Stamp(column.name, stored=True, required=True, expires=True, round=True),
    )
    return Fix(
        f"make it the time of the cells: `{column.name}: datetime = bt.expires(round=True)` in the place of the column, and "
        f"`gc=bt.max_age(seconds=1)` for {quoted(family.id for family in families)}",
        (made,),
        otherwise=f"; or, if all rows last equally long, keep the column, and give each family {age}",
    )


RULE: Rule[ModelSchema] = Rule(
    "FAM010",
    "end-in-a-column",
    check,
    page=__doc__,
    rewrites=Rewritten.CELLS,
    levels=(Level.WARNING, Level.INFO),
)
