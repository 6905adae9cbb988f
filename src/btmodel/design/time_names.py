"""Names of numbers and texts that are times of writing: spans of a calendar, clocks, and what lasts for weeks in models of some things only; and what descriptions call such a span."""

import re

from btmodel.design.denials import denies
from btmodel.design.hints import sentences
from btmodel.on_demand import pattern
from btmodel.words import words

# Spans that last: all that is written meanwhile has the same value.
SPANS = frozenset(words("year quarter month week day date hour minute period yyyy yyyymm yyyymmdd"))
# The bucket that such a word stands for, where it is called otherwise.
BUCKETS = {
    "quarter": "month",
    "period": "month",
    "date": "day",
    "yyyy": "year",
    "yyyymm": "month",
    "yyyymmdd": "day",
}
# What people write for a span.
_SHORT = {
    **dict.fromkeys(words("yr fy"), "year"),
    **dict.fromkeys(words("qtr semester trimester ym yearmonth"), "month"),
    **dict.fromkeys(words("wk yearweek yyyyww gameweek gw matchday fortnight"), "week"),
    **dict.fromkeys(words("ymd dt ds"), "day"),
    **dict.fromkeys(words("hh yyyymmddhh"), "hour"),
    **dict.fromkeys(words("timeslot"), "minute"),
}
# Two words that are one span.
_PAIRS = {
    ("time", "slot"): "minute",
    ("as", "of"): "day",
    ("academic", "term"): "month",
    ("school", "term"): "month",
    **{
        (span, edge): span
        for span in ("week", "month", "period")
        for edge in ("start", "end", "ending", "commencing", "beginning")
    },
}
# What a clock shows: it climbs, and is another one for nearly every row.
CLOCKS = frozenset(words("timestamp ts time at epoch"))
# What was so at a time, which is meant where a unit of it stands behind.
_DONE = frozenset(
    words(
        "created inserted recorded received observed measured written sent posted logged started began occurred happened ingested "
        "captured sampled"
    )
)
_UNITS = frozenset(words("epoch unix ms millis micros seconds"))
# A clock that counts these.
_COUNTS = {
    **dict.fromkeys(words("min mins minutes"), "minute"),
    "hours": "hour",
    "days": "day",
    "s": "at",
    "sec": "at",
    "secs": "at",
}
# What may stand behind them, and words beside them with which they are no times of writing: a year of birth does not climb.
_BEHIND = frozenset(words("number no nr num id key index bucket utc unix ms millis micros seconds"))
_OTHERS = frozenset(
    words(
        "birth born release released model vintage founded graduation arrival departure due expiry expiration valid "
        "scheduled planned part full life real run response latency wait cpu play trial grace maturity publication published construction mint minted"
    )
)
# A thing of the past has its year, and no row is written in it.
_OLD = frozenset(
    words("film movie book song album car coin stamp wine fossil element art artwork painting building house")
)
_OF_OLD = frozenset(words("year period epoch"))
# What lasts for a while in models of these things, by their names, and the span that is nearest to it.
_OF_THINGS = (
    ("season", "month", "match game fixture player athlete standing standings league team club result goal"),
    (
        "term intake cohort",
        "month",
        "enrolment enrollment grade student course mark attendance exam lesson registration timetable",
    ),
    ("sprint iteration", "week", "task issue story ticket"),
    ("release", "week", "crash build event error test deployment bug"),
    ("edition issue volume", "day", "paper article newspaper magazine journal page"),
    ("wave", "month", "census survey poll answer response interview"),
    ("round", "week", "survey match fixture draw bet"),
    ("draw edition", "day", "draw bet ticket lottery coupon event"),
    ("cycle", "month", "bill invoice statement payslip usage charge flight chart waypoint"),
    ("airac", "month", "flight chart waypoint airport procedure"),
    ("window interval bucket slot", "minute", "reading measurement metric sample usage event count"),
    ("snapshot backup checkpoint generation", "day", "snapshot backup checkpoint"),
    ("load", "day", "run load import row"),
    ("orbit sol revolution pass", "hour", "mission satellite telemetry image"),
    ("shift", "hour", "rota roster"),
)


def time_word(name: str, model: str = "") -> str | None:
    """The word of :data:`SPANS` or :data:`CLOCKS` for which a name stands that is one of a time of writing, in a model of this name; None of others."""
    parts = [word.lower() for word in words(name)]
    about = {one for word in words(model) for one in (word.lower(), word.lower().removesuffix("s"))}
    if len(parts) > 1 and parts[-1] in _UNITS and parts[-2] in _DONE:
        return "at"
    if len(parts) > 1 and parts[0] in ("epoch", "unix") and parts[-1] in _COUNTS:
        return _COUNTS[parts[-1]]
    while len(parts) > 1 and parts[-1] in _BEHIND:
        parts.pop()
    last = parts[-1] if parts else ""
    if (last in _OF_OLD and not _OLD.isdisjoint(about)) or parts == ["build", "year"]:
        return None
    span = _PAIRS.get(("".join(parts[-2:-1]), last)) or _SHORT.get(last) or last
    # The time that a run takes is a length; its date is none.
    beside = {*parts} - ({"run"} if last in ("date", "day", "month") else set())
    if span in SPANS | CLOCKS and _OTHERS.isdisjoint(beside):
        return span
    found = (
        each
        for called, each, things in _OF_THINGS
        if last in called.split() and not about.isdisjoint(words(things))
    )
    return next(found, None)


# How a description calls the time that a number or a text stands for; a day of the week, and one that is planned, come in any order.
_SPAN_SAID = r"(year|quarter|month|week|day|date|hour|minute|yyyymmdd|yyyymm|yyyyww|yyyy)"
_SPAN = pattern(rf"(?i)\b{_SPAN_SAID}\b")
_OF_CALENDAR = (
    r"(?:(?:iso|calendar|current|present|running|utc|epoch|unix|business|trading|fiscal|whole)[\s-]+){0,2}"
)
_OF_WRITING = (
    r"(?=(?:\s+number)?\s*(?:$|[,;:.()]|\b(?:as|since|counted|written|in\s+utc)\b"
    r"|\b(?:of|at)\s+(?:the\s+|its\s+)?(?:writing|write|insert|arrival|ingestion)\b|\b(?:when|in\s+which)\s+(?:it|they|the\s+\w+)\s+(?:is|was|are|were)\s+(?:written|received|sent|recorded|stored)\b))"
)


# A piece of time that everything is written in, by its length; and the minute that such a piece begins at, as an example.
_PIECE = r"(?:[\w-]+[\s-])?(second|minute|hour|day|week)s?[\s-](?:windows?|intervals?|slots?|buckets?|periods?|blocks?|slices?)\b"
_EXAMPLE = r"\b(?:for\s+example|for\s+instance|such\s+as|like)\s+[`'\"]?(?:20)?\d\d-?[01]\d-?[0-3]\d[T_ -]?(?:[01]\d|2[0-3]):?[0-5]\d\b"
_PIECES = pattern(rf"(?i){_PIECE}|{_EXAMPLE}")


def span_said(doc: str, name: str) -> str | None:
    """The span of a calendar that the attribute ``name`` is by a description, ``doc``; None where it says of none that rows are written in it."""
    if not (_SPAN.search(doc) or _PIECES.search(doc)) or name.lower() not in doc.lower():
        return None
    called = rf"(?<![\w`])`?{re.escape(name)}`?(?!\w)"
    said = (
        rf"(?i){called},?\s+(?:which\s+)?(?:is|holds|means|says|stands\s+for)\s+(?:(?:the|an?|its|our)\s+)?{_OF_CALENDAR}{_SPAN_SAID}{_OF_WRITING}",
        rf"(?i)\b(?:the|an?|by|each)\s+{_OF_CALENDAR}{_SPAN_SAID}(?:,\s+|\s+\(|\s+in\s+)`{re.escape(name)}`",
    )
    found = (re.search(one, sentence) for sentence in sentences(doc) for one in said)
    word = next((each[1].lower() for each in found if each), None)
    if word is None:
        word = _piece_said(doc, called)
    return word if word is None else _SHORT.get(word, word)


def _piece_said(doc: str, called: str) -> str | None:
    """The unit of the piece of time that an attribute is, by a sentence that begins with it and says its length, or has such a minute as its example."""
    about = re.compile(rf"(?i)^(?:the\s+|each\s+)?{called}\s+(?:is|names|holds|says|means)\b")
    for sentence in sentences(doc):
        if not about.match(sentence) or denies(sentence):
            continue
        said = re.search(rf"(?i){_PIECE}", sentence)
        if said:
            return said[1].lower()
        if re.search(rf"(?i){_EXAMPLE}", sentence):
            return "minute"
    return None
