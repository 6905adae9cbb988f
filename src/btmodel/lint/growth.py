"""Rows that get more and more entries or items, by the words of the model or by its declared rate."""

from collections.abc import Iterator
from datetime import timedelta
from math import inf
from typing import Any

from btmodel.codecs.aware_times import LENGTHS
from btmodel.codecs.key import KeyCodec, Kind, Text
from btmodel.design.denials import denied
from btmodel.design.hints import gathering, happening, sentences
from btmodel.estimates import rate_of_one, shares, stated_every, timed, writable
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema
from btmodel.schema.gc import oldest
from btmodel.schema.limits import ADVISED_ROW_BYTES, NODE_ROW_WRITES

_YEAR = timedelta(days=365)


def growing(model: ModelSchema) -> Iterator[Column]:
    """The mappings and sets of rows without a time that have one more entry for all that happens, by the words of the model, and that no age ends in time.

    What else has no declared number of entries is asked for it, along with other estimates.
    """
    if model.bucket is not None or timed(model) or model.stamp.expires:
        return
    for column in model.columns:
        rule = family.gc if (family := model.family(column.family)) else None
        if (
            column.shape.entered
            and rule is not None
            and not rule.given
            and outlasts(model, column, oldest(rule))
            and column.expected.entries is None
            and _many(column)
            and (gathering(column.name) or grows_said(model.doc) or _comes(model, column))
        ):
            yield column


def outlasts(model: ModelSchema, column: Column, age: timedelta | None) -> bool:
    """Whether entries that come at the declared rate make a row too large before an age ends them; all do where there is no age."""
    if age is None:
        return True
    _, years = filling(model, column) or (0, inf)
    return years < age / _YEAR


def filling(model: ModelSchema, column: Column) -> tuple[float, float] | None:
    """The entries that the declared rate brings a row in a year, if each is a new one, and the years until it exceeds the advised size; None without a rate."""
    rate = rate_of_one(model)
    size = next((share.cell.usual.least for share in shares(model) if share.source == column), 0)
    if not rate or not size:
        return None
    a_year = rate * _YEAR.total_seconds()
    return a_year, ADVISED_ROW_BYTES / (a_year * size)


def outgrown(model: ModelSchema) -> Iterator[tuple[Column, float]]:
    """The entries named by times of which no age ends any, and which come so often that there are soon more than the declared number.

    Each with how many come in a year.
    """
    if model.bucket is not None or timed(model) or model.stamp.expires:
        return
    for column in model.columns:
        family, names, entries = model.family(column.family), column.names, column.expected.entries
        if names is None or names.kind is not Kind.TIME or not column.shape.entered or entries is None:
            continue
        ends = family is None or family.gc is None or family.gc.given or oldest(family.gc) is not None
        every = stated_every(column)
        rate = (rate_of_one(model) or 0) if every is None else 1 / every.total_seconds()
        beat = (
            names.granularity
            if isinstance(names.granularity, timedelta)
            else LENGTHS.get(names.granularity or "")
        )
        # Of the events of one unit of the names, there is one entry.
        a_year = min(rate * _YEAR.total_seconds(), _YEAR / beat if beat else inf)
        if not ends and a_year >= _SOON * entries:
            yield column, a_year


# A year brings so many times the declared entries, where they are soon too few (this project's own figure).
_SOON = 10
# What descriptions say of rows that grow.
_GROWS = pattern(
    r"(?i)\b(grow(s|ing)?|ever (more|longer)|for ?ever|without (end|limit|bound)|no limit|any number|unbounded|accumulates?|"
    r"never (deleted|removed)|kept for good|more and more|(adds?|appends?|appended|added|put) (\w+ ){0,4}(to|at) the end|each new|every new|history of)\b"
)

# The same, of a sentence that speaks of no other place.
_GATHERS = pattern(
    r"(?i)(?<!hardly )(?<!not )\b(?:everything|all|each|every \w+|whatever|anything|any \w+)\b[^.;!?]*(?<!hardly )(?<!scarcely )(?<!rarely )(?<!if )\b(?:ever|so far|since (?:the (?:beginning|start|first)|it|he|she|they)|"
    r"from the (?:first|beginning|start))\b|\b(?:whole|full|complete|entire) (?:conversation|history|log|transcript|chat|thread|timeline|diary|correspondence|backlog)\b"
    r"|\b(?:indefinitely|in perpetuity|for all time|year after year|for decades)\b"
    r"|(?:never (?:\w+ )?|\b(?:nothing|none(?: of (?:it|them))?|nobody|no one) (?:(?:is|are|gets|was|were|ever) ){0,2})(?:deletes?|deleted|removes?|removed|purged?|erased?|trimmed|pruned|forgotten|cleaned up|thrown away|dropped|expires?)\b"
)
# What is added at intervals, or whenever something happens; what goes at the same time leaves no more than before.
_ADDED = pattern(
    r"(?i)\b(?:adds?|appends?|appended|added|appending|adding|pushes|pushed|prepends?|prepended)\b[^.;:!?]{0,50}\b(?:every|each|(?:once|twice|several times|\d+ times) (?:an?|per))\s+"
    r"(?:few\s+|couple\s+of\s+|other\s+|\w+\s+)?(?:seconds?|minutes?|hours?|days?|nights?|mornings?)\b"
    r"|\b(?:list|trail|log|array|series|track|path|history)\s+of\s+(?:(?:all|the|its|their|his|her)\s+){0,2}\w+s\s+so\s+far\b"
)
# What keeps a list or a row from growing for ever: what goes when something comes, the newest ones alone, a number, a form of fixed length, and a new beginning.
_GOES = r"(?:drops?|dropp(?:ed|ing)|removes?|removed|removing|deletes?|deleted|evicts?|evicted|trims?|trimmed|cuts?|forgets?|forgotten|discards?|discarded|overwrites?|overwritten|replaces?|replaced|pushes\s+out)"
_NEWEST = r"(?:last|latest|newest|most\s+recent)"
_BOUNDED = pattern(
    rf"(?i)\b{_GOES}\s+(?:(?!more\b)\w+\s+){{0,4}}?(?:oldest|older|old|first|earliest|{_NEWEST})\b|\b(?:oldest|older|old|first|earliest)\s+(?:\w+\s+){{0,3}}?(?:{_GOES}|falls?|goes|go|makes?\s+(?:room|way))\b|\b(?:trims?|trimmed|capped|cut\s+(?:off|down|to|after))\b"
    rf"|\b(?:has|have|holds?|keeps?|kept|keeping|stores?|with|of|only|just|are)\s+(?:(?:only|just)\s+)?the\s+(?:\w+\s+)?{_NEWEST}\b|\bthe\s+{_NEWEST}\s+(?:\w+\s+){{1,4}}?(?:is|are)\s+(?:kept|held|stored)\b"
    rf"|\b(?:at\s+(?:the\s+)?most|(?:no|never|not)\s+more\s+than|up\s+to|a\s+maximum\s+of|limited\s+to)\b(?!\s+(?:once|twice|(?:\w+\s+){{1,4}}(?:an?|per|each|every|within)\s+(?:second|minute|hour|day|night|week|month|year))\b)|\b(?:of|with)\s+(?:a\s+)?(?:fixed|constant|bounded|limited)\s+(?:length|size|number)\b|\bring(?:\s+buffer)?\b|\b(?:sliding|rolling|moving)?\s*window\b"
    r"|\bwritten\s+once\b|\bnever\s+(?:grows?|changes?)\b|\b(?:resets?|empties|emptied|clears?|cleared|starts?\s+(?:anew|afresh|over|again)|a?\s*new\s+(?:row|list|one)\s+(?:each|every|per|for\s+(?:each|every)))\b"
)
_ENTRY_OF = pattern(
    r"(?i)\b(?:entry|entries|cell|cells|column|columns|item|items|member|members) (?:for|per) (?:(?:each|every)(?: new| single)? )?(\w+)"
)
_AT_ANOTHER_PLACE = pattern(
    r"(?i)\b(?:archives?|archived|warehouse|bucket|back-?ups?|object store|bigquery|another|other|exported)\b"
)


def grows(sentence: str) -> bool:
    """Whether a sentence says of something that it grows, or that nothing of it is deleted."""
    return any(not denied(sentence[: found.start()]) for found in _GROWS.finditer(sentence))


def bounded_said(doc: str) -> bool:
    """Whether a description says that what is added to does not grow for ever, as the oldest goes then, or there are at most so many."""
    return any(
        not denied(sentence[: found.start()])
        for sentence in sentences(doc)
        for found in _BOUNDED.finditer(sentence)
    )


def grows_said(doc: str) -> bool:
    """Whether a description says that there is ever more, of which nothing is deleted."""
    if any(map(grows, sentences(doc))):
        return True
    from btmodel.lint.descriptions import ELSEWHERE  # here: few models have anything that may grow

    room_made = bounded_said(doc)
    for sentence in sentences(doc):
        if not room_made and _ADDED.search(sentence) and not ELSEWHERE.search(sentence):
            return True
        if ELSEWHERE.search(sentence) or _AT_ANOTHER_PLACE.search(sentence):
            continue
        if _GATHERS.search(sentence) or any(map(happening, _ENTRY_OF.findall(sentence))):
            return True
    return False


def _many(column: Column) -> bool:
    """Whether there may be so many names of entries that nothing but their number bounds a row."""
    possible = None if column.names is None else writable(column.names)
    return column.names is not None and (possible is None or possible >= _MANY_NAMES)


def _comes(model: ModelSchema, column: Column) -> bool:
    """Whether the names begin with a time, or are ids of which a row may get too many in a year, by the declared rate."""
    if column.names is None or column.names.kind is Kind.TIME:
        return False  # events, which :func:`gathering` counts
    if column.names.leading.kind is Kind.TIME:
        return True
    a_year, years = filling(model, column) or (0, inf)
    return (a_year >= _MANY_NAMES or years <= _FORESEEABLE) and _of_ids(column.names)


# So many years until rows are too large are foreseeable (this project's own figure).
_FORESEEABLE = 5
# Characters of a text of a fixed width beyond which it is a generated id: those of an ObjectId, a cuid, a ULID, a UUID; a serial number has fewer (this project's own figure).
_GENERATED = 24


def _of_ids(names: KeyCodec[Any]) -> bool:
    """Whether they are ids: UUIDs, digests, texts of a fixed width that are generated, and numbers of six digits or more."""
    from btmodel.codecs.key import HexDigest  # here: binary codecs are loaded where a model has one

    generated = isinstance(names, Text) and (names.length.fixed or 0) >= _GENERATED
    return generated or isinstance(names, HexDigest) or names.python_type.__name__ in ("UUID", "int")


# As many columns of a row are too many for one request (this project's own figure).
_MANY_NAMES = 100_000
# Bytes that one column is written with in a second: a quarter of what a node writes (this project's own figure).
MUCH_WRITTEN = NODE_ROW_WRITES * 1_024 / 4
