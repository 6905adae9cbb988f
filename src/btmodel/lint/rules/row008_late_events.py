"""ROW008 late-events: an event that is written late and replaces a newer one, or comes behind what was read

What it finds
    In a model that declares how late events arrive (`lateness="2d"`), columns that keep what was
    written last, in rows without a time in their key, if by the declared rate a row is written ten
    times or more while an event is late. Columns with `bt.timestamp()`, histories and counters are
    not meant: they go by the time of the event.

    Also where the docstring says that events come out of order ("workers take the changes in any order", "a late change must not overwrite a newer one"): then one event in a thousand that comes while another of its row is late is
    enough; and without a `lateness`, a column with a time, which is then that of the event.

    A query for the newest rows (`newest=True`) whose `span` is no longer than events are late is
    information. GC rules that delete late events are found by FAM006.

Why
    Of the cells of a column, Bigtable returns the one with the latest timestamp. If that is the
    time of writing, an event that was on its way for two days replaces all that happened since.
    And a program that reads the newest hour again and again never sees what arrives later than that.

Example
    import btmodel as bt


    class Position(bt.Model, table="POSITION", events="5000/min", lateness="1h"):
        vehicle: str = bt.key(bt.Text(width=10), cardinality=20_000)

        p = bt.family("p", gc=bt.max_versions(1))
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)

        of_vehicle = bt.query("vehicle")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Position(bt.Model, table="POSITION", events="5000/min", lateness="1h"):
        vehicle: str = bt.key(bt.Text(width=10), cardinality=20_000)
        at: datetime = bt.timestamp()

        p = bt.family("p", gc=bt.max_versions(1))
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)

        of_vehicle = bt.query("vehicle")

Allow
    Suppress it if something in front of the table puts events in order or drops late ones; say what.

Source
    https://cloud.google.com/bigtable/docs/overview (each cell has a unique timestamped version; the latest is read),
    https://cloud.google.com/bigtable/docs/garbage-collection (timestamps that the application sets).
    The three times are this project's own choice.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from attrs import evolve

from btmodel.codecs.cell.record import is_class
from btmodel.design.denials import denies
from btmodel.design.hints import sentences
from btmodel.design.keys import fresh
from btmodel.estimates import least_rows, rate_of_one, timed
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema, Query, Stamp
from btmodel.schema.model import Clock
from btmodel.schema.rate import every_text
from btmodel.words import duration_text, quoted

# So many writes of a row while an event is late, on average, leave no doubt that a newer one was among them.
_TIMES = 3
# And where the description says that they come out of order, one in a thousand is enough.
_SELDOM = 0.001
# What denies that there is an order, and so says that there is none.
_IN_NO_ORDER = pattern(r"(?i)\b(?:in no (?:\w+ )?order|not in (?:their|the) order)\b")
_COMING = r"(?:changes?|updates?|events?|messages?|reports?|writes?|records?|values?|states?|deltas?|mutations?|commits?|they)"
_NEWER = r"(?:(?:an?|the|each|any) )?(?:newer|later|more recent|fresher|earlier|older|other)(?: \w+| one)?s?"
_UNORDERED = pattern(
    rf"(?i)\b{_COMING}\b[^.;]*?\b(?:out[- ]of[- ]order|in (?:any|no|random|arbitrary|its own|their own) (?:\w+ )?order|unordered|re-?ordered|not in (?:their|the) order|overtakes? (?:each other|one another|{_NEWER}))\b"
)
# What must not happen, or may, with a change that comes late: nothing but its own time prevents it. And what has no order.
_OVERWRITES = pattern(
    r"(?i)\b(?:old|older|outdated|stale|late|delayed|earlier) \w+ (?:must (?:not|never)|may (?:not|never)|can|could|may|might|should (?:not|never)|shall (?:not|never)) (?:overwrite|replace|win over|cover|undo) (?:an? |the |any )?(?:newer|later|more recent|fresher|current|newest|latest)\b"
    rf"|\b(?:order|ordering|sequence) of (?:the )?{_COMING} is (?:not|never) (?:guaranteed|kept|preserved|certain)\b|\b{_COMING}\b[^.;]*\b(?:no|without(?: any)?) (?:guarantees? of|guaranteed) (?:an? |their )?order\b"
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag columns in which the last write wins though events are late or out of order, and queries that end before the late ones come."""
    yield from _replacing(model)
    if model.lateness is not None:
        for query in model.queries:
            if query.newest and query.span is not None and query.span <= model.lateness:
                yield _behind(model, query, query.span, model.lateness)


def _replacing(model: ModelSchema) -> Iterator[Finding]:
    columns = [column for column in model.columns if model.clock(column) is Clock.WRITING]
    if not columns or len(columns) < len(model.columns) or model.bucket is not None or timed(model):
        return
    times = [column for column in columns if is_class(column.codec.python_type, datetime)]
    how = _how(model, times)
    if how is None:
        return
    name = times[0].name if len(times) == 1 else fresh(model, "at", "time", "event_time")
    rest = tuple(column for column in model.columns if column.name != name)
    yield RULE.finding(
        model,
        f"{how[0]}, but {quoted(column.name for column in columns[:4])}{', ...' if columns[4:] else ''} keep what was written last: {how[1]}",
        why="reads return the cell with the latest timestamp, which here is the time of writing",
        fix=Fix(
            f"give the cells the time of the event: `{name}: datetime = bt.timestamp()`"
            f"{' in the place of the column' if len(rest) < len(model.columns) else ''}",
            (evolve(model, columns=rest, stamp=Stamp(name, stored=True, required=True)),) if rest else (),
        ),
        part=columns[0].name,
        at=columns[0].location,
    )


def _how(model: ModelSchema, times: Sequence[Column]) -> tuple[str, str] | None:
    """How late or in which order events are written, and what that does; None where no newer event is replaced, as far as is known.

    Out of order without a known lateness counts where each event brings its time, by which it could be judged.
    """
    said = next(filter(None, map(_unordered, sentences(model.doc))), None)
    late = model.lateness
    if late is None:
        shown = f"the description says {said!r}"
        return (shown, "an old event replaces a newer one, for good") if said and times else None
    rows = least_rows(model)  # a product of cardinalities may count rows that there are not
    rate = rate_of_one(model) if rows is None or model.events is None else model.events.per_second / rows
    newer = round((rate or 0) * late.total_seconds(), 6)  # computed with floats
    if newer >= _TIMES:
        written = f"events are written up to {duration_text(late)} late"
        return written, f"a late event replaces about {newer:,.0f} newer ones"
    if said and newer >= _SELDOM:
        written = f"events are written up to {duration_text(late)} late, and the description says {said!r}"
        return (
            written,
            f"about one event in {max(2, round(1 / newer)):,} comes beside another of its row, and an old one that comes later replaces it for good",
        )
    return None


def _unordered(sentence: str) -> str | None:
    """The words of a sentence that say that events are written in another order than they happened."""
    if (overwrites := _OVERWRITES.search(sentence)) is not None:
        return overwrites[0]
    found = _UNORDERED.search(sentence)
    if found is None:
        return None
    clause = sentence[: found.end()].rpartition(", ")[2] if ", " not in found[0] else found[0]
    return None if denies(_IN_NO_ORDER.sub(" ", clause)) else found[0]


def _behind(model: ModelSchema, query: Query, span: timedelta, late: timedelta) -> Finding:
    longer = evolve(query, span=span + late)
    queries = tuple(longer if other == query else other for other in model.queries)
    return RULE.finding(
        model,
        f"the query `{query.name}` reads the newest {every_text(span)}, and events are written up to {duration_text(late)} late: "
        "it never returns those that come after their time is over",
        why="rows lie by the time of the event, so a late one is behind the newest rows, not among them",
        fix=Fix(
            f'read back as far as events are late, `span="{every_text(span + late)}"`, and skip what was read before',
            (evolve(model, queries=queries),),
        ),
        part=query.name,
        at=query.location,
        level=Level.INFO,
    )


RULE: Rule[ModelSchema] = Rule(
    "ROW008",
    "late-events",
    check,
    page=__doc__,
    levels=(Level.WARNING, Level.INFO),
    rewrites=Rewritten.CELLS,
)
