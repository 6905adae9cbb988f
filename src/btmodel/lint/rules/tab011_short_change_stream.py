"""TAB011 short-change-stream: a change stream that is kept for less time than its readers let pass

What it finds
    A table whose `change_stream` keeps changes for less time than lies between two runs of what reads them, by the docstring ("on Sunday night the job follows the changes
    of the week", "a weekly export of the changes", "once a month"). The rule reads the sentences that speak of changes or a stream, and one behind these that goes on with "it" or
    "the job". It finds nothing where such a sentence also says that the reader is always there ("all day", "every minute").

Why
    A change that is older than the retention of the stream cannot be read any more. A reader that comes later goes on behind the gap, or fails, and what changed meanwhile is lost to it.

Example
    import btmodel as bt


    class Shelf(bt.Model, table=bt.table("shelf", change_stream="2d"), events="20/s"):
        \"\"\"What lies on a shelf. A weekly job reads the change stream and sends the changes to the planners.\"\"\"

        store: str = bt.key(bt.Text(width=6), cardinality=4_000)
        shelf: str = bt.key(bt.Text(width=6), cardinality=3_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        pieces: int = bt.column("pieces", s)

        one = bt.query("store", "shelf")

Use instead
    import btmodel as bt


    class Shelf(bt.Model, table=bt.table("shelf", change_stream="7d"), events="20/s"):
        \"\"\"What lies on a shelf. A daily job reads the change stream and sends the changes to the planners.\"\"\"

        store: str = bt.key(bt.Text(width=6), cardinality=4_000)
        shelf: str = bt.key(bt.Text(width=6), cardinality=3_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        pieces: int = bt.column("pieces", s)

        one = bt.query("store", "shelf")

Allow
    Suppress it if the reader needs only the latest changes; say what it does about earlier ones.

Source
    https://cloud.google.com/bigtable/docs/change-streams-overview (retention of 1 to 7 days).
"""

from collections.abc import Iterator
from datetime import timedelta

from attrs import evolve

from btmodel.design.hints import DIGITS, NUMBERS, UNIT, length_said, sentences
from btmodel.design.time_adverbs import ADVERBS, RARE, either
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rule
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.schema.limits import STREAM_KEPT
from btmodel.schema.model import OFF
from btmodel.words import duration_text

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_EACH = r"(?:once (?:an?|each|every|per)|every|each)"
_COUNT = rf"({DIGITS}|other|{'|'.join(NUMBERS)})"
_ADVERB = pattern(rf"(?i){either(RARE)}\b")
_ON_A_DAY = pattern(rf"(?i)\b(?:every|each|on|on the night of|until|from) (?:{_DAY})\b|\bweekends?\b")
_OF_A_TIME = pattern(
    rf"(?i)\b(?:changes|writes|edits|all) (?:of|in|since) (?:the|a|each|its|last) (?:last |past |whole )?({UNIT})\b"
)
_AT_AN_END = pattern(
    rf"(?i)\b(?:end|first|last|beginning|start|close)(?: day)? of (?:the|each|every|an?) ({UNIT})\b"
)
_EVERY = pattern(rf"(?i)\b{_EACH} (?:{_COUNT} )?({UNIT})\b|\bonce in (?:an? )?(?:{_COUNT} )?({UNIT})\b")
_READ = r"(?:follow|read|process|consum|fetch|export|send|sent|cop(?:y|ie)|appl(?:y|ie)|replay|collect|load|pull|take|poll|drain|pick|evaluat|work)\w*"
# That something reads changes, and not only that something changes.
_STREAM = pattern(
    rf"(?i)\bchange[- ]streams?\b|\bcdc\b|\b{_READ} (?:\w+ ){{0,3}}?(?:changes|stream)\b|\b(?:changes|stream) (?:is|are) (?:\w+ )?{_READ}"
    r"|\b(?:export|reader|consumer|copy) of (?:the |its |all )?(?:changes|stream)\b"
)
_GOES_ON = pattern(r"^(?:It|They|This|That|The (?:job|reader|export|run|consumer|pipeline|program))\b")
_STEADY = pattern(
    r"(?i)\b(all day|day and night|continuous(?:ly)?|steady|steadily|permanent(?:ly)?|as (?:they|it) (?:comes?|happens?)|at once|immediately|within (?:\w+ ){0,2}?(?:seconds?|minutes?|hours?)|"
    r"live|real time|always (?:on|running)|(?:every|each) (?:\w+ )?(?:seconds?|minutes?|hours?)|hourly)\b"
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a stream that is kept for less time than the description says that its readers let pass."""
    kept = model.settings.change_stream
    said = longest_pause(model.doc) if kept is not None and kept != OFF else None
    if kept is None or said is None or said[1] <= kept:
        return
    text, pause = said
    most = STREAM_KEPT[1]
    longest = f'`change_stream="{most.days}d"`'
    if pause <= most:
        settings = evolve(model.settings, change_stream=most)
        fix = Fix(
            f"keep them for as long as the service does, {longest}, and let the job read at least once a day: a run that fails can then be made up for",
            (evolve(model, settings=settings),),
        )
    else:
        fix = Fix(
            f"no other schema does it, as the service keeps changes for {duration_text(most)} at most: read them at least once a day, with {longest} in reserve"
        )
    yield RULE.finding(
        model,
        f"the change stream keeps changes for {duration_text(kept)}, but the description says {text!r}: {duration_text(pause)} pass between two runs",
        why="a change that is older than the retention of the stream cannot be read any more, and is lost to the reader",
        fix=fix,
        level=Level.WARNING,
    )


def longest_pause(doc: str) -> tuple[str, timedelta] | None:
    """The words that say how often changes are read, and the time between two reads; None where they are read all the time, or nothing is said."""
    of_stream = False
    found: list[tuple[str, timedelta]] = []
    for sentence in sentences(doc) if doc else ():
        of_stream = bool(_STREAM.search(sentence)) or (of_stream and bool(_GOES_ON.search(sentence)))
        if not of_stream:
            continue
        if _STEADY.search(sentence):
            return None
        found.extend(_pauses(sentence))
    return max(found, key=lambda one: one[1], default=None)


def _pauses(sentence: str) -> Iterator[tuple[str, timedelta]]:
    for adverb in _ADVERB.finditer(sentence):
        yield adverb[0], ADVERBS[adverb[0].lower()]
    for day in _ON_A_DAY.finditer(sentence):
        yield day[0], timedelta(days=7)
    for time in (*_OF_A_TIME.finditer(sentence), *_AT_AN_END.finditer(sentence)):
        yield from _said(time[0], "", time[1])
    for each in _EVERY.finditer(sentence):
        yield from _said(each[0], each[1] or each[3] or "", each[2] or each[4])


def _said(text: str, count: str, unit: str) -> Iterator[tuple[str, timedelta]]:
    length = length_said("2" if count.lower() == "other" else count, unit)
    if length is not None:
        yield text, length


RULE: Rule[ModelSchema] = Rule(
    "TAB011",
    "short-change-stream",
    check,
    page=__doc__,
    rewrites=None,
    levels=(Level.WARNING,),
)
