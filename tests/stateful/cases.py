"""For each model: the values that the machine writes, the questions that it asks, and the table that it compares with."""

import zlib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from attrs import frozen
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import btmodel as bt
from tests.stateful.models import MeterDay, Note, Stock
from tests.stateful.reference import Attribute, Family, Table

MINUTE = timedelta(minutes=1)
OLD = datetime(2020, 1, 1, tzinfo=UTC)
RECENT = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(days=2)
TIMES = [start + n * MINUTE for start in (OLD, RECENT) for n in range(3)]
ENDS = [None, *TIMES]
MIDNIGHT = datetime(2024, 2, 29, tzinfo=UTC)
HOURS = [MIDNIGHT + timedelta(hours=6 * n) for n in range(-3, 7)]


@frozen
class Question:
    """A call of a generated query, and the keys that it must find, in an order of its own where it has one."""

    name: str
    arguments: tuple[Any, ...]
    finds: Callable[[Any], bool]
    closed: str | None = None
    order: Callable[[Any], Any] | None = None


def in_order(question: Question) -> bool:
    """Whether a range does not start after its end, which reads refuse."""
    start, end = question.arguments[-2:] if question.closed is not None else (None, None)
    return start is None or end is None or bool(start <= end)


@frozen
class Case:
    """What the machine needs to know of a model."""

    model: type[bt.Model]
    fields: tuple[str, ...]
    keys: SearchStrategy[tuple[Any, ...]]
    values: SearchStrategy[dict[str, Any]]
    questions: SearchStrategy[Question]
    table: Callable[[], Table]
    foreign: tuple[tuple[str, bytes], ...]
    required: frozenset[str] = frozenset()
    clearable: tuple[str, ...] = ()
    removable: tuple[str, ...] = ()
    incremented: tuple[str, ...] = ()
    extended: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()


def newest(count: int) -> Callable[[int, bool], bool]:
    """A rule that keeps so many versions of any age."""
    return lambda rank, old: rank < count


def lies(value: Any, start: Any, end: Any, closed: str) -> bool:
    """Whether a value lies between two others; an end that is None is open."""
    above = start is None or start < value or (closed[0] == "[" and value == start)
    below = end is None or value < end or (closed[1] == "]" and value == end)
    return above and below


EVERYTHING = st.just(Question("everything", (), lambda key: True))
CLOSED = st.sampled_from(["[)", "[]", "()", "(]"])
NUMBERS = st.sampled_from([0, 1, -1, 2**62])
SHORT = st.sampled_from(["", "a", "b", "ä", "\0"])


def few(values: list[Any]) -> SearchStrategy[Any]:
    """One of some values that meet often."""
    return st.sampled_from(values)


def histories(times: list[datetime]) -> SearchStrategy[Any]:
    """A few versions."""
    return st.dictionaries(few(times), NUMBERS, max_size=3).map(bt.History)


def in_group(key: Any) -> Any:
    """What notes sort by: a group ends with the delimiter, the last number comes first, and the salt does not count."""
    return key[0] + "#", -key[1], key[2]


def salted(key: Any) -> Any:
    """What they lie by: a scan of the table does not join what the salt spreads."""
    stored = f"{key[0]}\0\1{999 - key[1]:03}"
    return zlib.crc32(stored.encode()) % 3, *in_group(key)


GROUPS, PATHS = ["a", "a!", "ab"], ["", "a", "a#", "ab", "é"]
NOTE_KEYS = st.tuples(few(GROUPS), few([0, 7]), few(PATHS))
NOTE = Case(
    model=Note,
    fields=("group", "number", "path"),
    keys=NOTE_KEYS,
    values=st.fixed_dictionaries(
        {
            "at": few(TIMES),
            "title": SHORT,
            "size": st.none() | few([0, 1]),
            "scores": st.dictionaries(few(["x", "y", "t:"]), NUMBERS, max_size=2),
            "tags": st.sets(few(["x", "y", "t:"]), max_size=2),
            "draft": st.none() | SHORT,
            "prices": histories(TIMES),
        }
    ),
    questions=st.just(Question("everything", (), lambda key: True, order=salted))
    | NOTE_KEYS.map(lambda asked: Question("one", asked, lambda key: key == asked))
    | few(GROUPS).map(lambda group: Question("of_group", (group,), lambda key: key[0] == group))
    | st.builds(
        lambda group, start, end, closed: Question(
            "by_number",
            (group, start, end),
            lambda key: key[0] == group and lies(key[1], start, end, closed),
            closed,
        ),
        few(GROUPS),
        few([None, -1, 0, 7, 8]),
        few([None, 0, 7, 1000]),
        CLOSED,
    )
    | st.builds(
        lambda group, number, start, end, closed: Question(
            "by_path",
            (group, number, start, end),
            lambda key: key[:2] == (group, number) and lies(key[2], start, end, closed),
            closed,
        ),
        few(GROUPS),
        few([0, 7]),
        few([None, *PATHS]),
        few([None, *PATHS]),
        CLOSED,
    )
    | st.builds(
        lambda group, number, start: Question(
            "below",
            (group, number, start),
            lambda key: key[:2] == (group, number) and key[2].startswith(start),
        ),
        few(GROUPS),
        few([0, 7]),
        few(["", "a", "a#", "#", "c"]),
    ),
    table=lambda: Table(
        key_fields=NOTE.fields,
        families={
            **dict.fromkeys("detc", Family(newest(1))),
            "a": Family(lambda rank, old: not old),
            "h": Family(newest(2), versioned=True),
        },
        attributes={
            "title": Attribute("value", "d"),
            "size": Attribute("value", "d"),
            "scores": Attribute("entries", "e"),
            "tags": Attribute("members", "t"),
            "draft": Attribute("value", "a"),
            "prices": Attribute("history", "h"),
            "hits": Attribute("counter", "c"),
        },
        order=in_group,
        recent=RECENT,
        stamp="at",
        mirror="d",
    ),
    foreign=(("d", b"t"), ("d", b"title2"), ("t", b"t"), ("h", b""), ("x", b"o")),
    required=frozenset(["title"]),
    clearable=("size", "scores", "draft", "prices", "hits"),
    removable=("scores", "tags"),
    compared=("title", "size", "draft"),
)

NAMES = ["a", "a!", "ab", "b"]
STOCK_KEYS = st.tuples(few(NAMES), few([None, 0, 5, 99]))
STOCK = Case(
    model=Stock,
    fields=("name", "part"),
    keys=STOCK_KEYS,
    values=st.fixed_dictionaries(
        {
            "count": st.none() | few([0, 1]),
            "text": st.none() | SHORT,
            "unit": st.none() | SHORT,
            "both": histories(TIMES),
            "either": histories(TIMES),
            "prices": st.dictionaries(few(["x", "y"]), histories(TIMES), max_size=2),
            "seen": st.dictionaries(few(["x", "y"]), st.builds(bt.Timed, NUMBERS, few(TIMES)), max_size=2),
        }
    ),
    questions=EVERYTHING
    | STOCK_KEYS.map(lambda asked: Question("one", asked, lambda key: key == asked))
    | few(NAMES).map(lambda name: Question("of_name", (name,), lambda key: key[0] == name))
    | few(["a", "b", "c"]).map(
        lambda start: Question("named", (start,), lambda key: key[0].startswith(start))
    )
    | st.builds(
        lambda start, end, closed: Question(
            "by_name", (start, end), lambda key: lies(key[0], start, end, closed), closed
        ),
        few([None, *NAMES]),
        few([None, *NAMES]),
        CLOSED,
    )
    | st.builds(
        lambda name, start, end, closed: Question(
            "by_part",
            (name, start, end),
            lambda key: key[0] == name and key[1] is not None and lies(key[1], start, end, closed),
            closed,
        ),
        few(NAMES),
        few([None, 0, 4, 5]),
        few([None, 0, 5, 99]),
        CLOSED,
    ),
    table=lambda: Table(
        key_fields=STOCK.fields,
        families={
            **dict.fromkeys("dsmkb", Family(newest(1))),
            "n": Family(lambda rank, old: not old, versioned=True),
            "p": Family(lambda rank, old: rank < 2 and not old, versioned=True),
            "u": Family(lambda rank, old: rank < 2 and not old, versioned=True),
            "i": Family(lambda rank, old: rank < 1 or not old, versioned=True),
        },
        attributes={
            "count": Attribute("value", "d"),
            "text": Attribute("value", "d"),
            "unit": Attribute("value", "u"),
            "both": Attribute("history", "u"),
            "either": Attribute("history", "i"),
            "total": Attribute("counter", "s"),
            "most": Attribute("counter", "m", max),
            "hours": Attribute("counts", "n"),
            "votes": Attribute("counters", "b"),
            "prices": Attribute("histories", "p"),
            "seen": Attribute("timed", "k"),
        },
        order=lambda key: (key[0], -1 if key[1] is None else key[1]),
        recent=RECENT,
        mirror="d",
    ),
    foreign=(("d", b""), ("d", b"nam"), ("i", b"unit")),
    clearable=(
        "count",
        "text",
        "unit",
        "both",
        "either",
        "total",
        "most",
        "hours",
        "votes",
        "prices",
        "seen",
    ),
    removable=("votes", "prices", "seen"),
    incremented=("count",),
    extended=("text", "unit"),
    compared=("count", "text", "unit"),
)

METERS = ["a", "ab", "b"]
DAYS = [date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)]
METER_KEYS = st.tuples(few(METERS), few(DAYS))
# One alarm at a time, and so many at each: two alarms of one time cannot both be told.
ALARMS = {time: ("x", "y")[n % 2] for n, time in enumerate(HOURS)}
METER = Case(
    model=MeterDay,
    fields=("meter", "day"),
    keys=METER_KEYS,
    values=st.fixed_dictionaries(
        {
            "power": histories(HOURS),
            "heat": histories(HOURS),
            "level": st.dictionaries(few(HOURS), NUMBERS, max_size=2).map(bt.Slots),
            "alarms": st.sets(few(HOURS), max_size=3).map(lambda at: bt.History({t: ALARMS[t] for t in at})),
        }
    ),
    questions=EVERYTHING
    | METER_KEYS.map(lambda asked: Question("one", asked, lambda key: key == asked))
    | few(METERS).map(lambda meter: Question("of_meter", (meter,), lambda key: key[0] == meter))
    | st.builds(
        lambda meter, start, end, closed: Question(
            "by_day",
            (meter, start, end),
            lambda key: key[0] == meter and lies(key[1], start, end, closed),
            closed,
        ),
        few(METERS),
        few([None, *DAYS]),
        few([None, *DAYS]),
        CLOSED,
    ),
    table=lambda: Table(
        key_fields=METER.fields,
        families={
            "p": Family(newest(3), versioned=True),
            "s": Family(newest(1)),
            "k": Family(newest(2), versioned=True),
        },
        attributes={
            "power": Attribute("history", "p"),
            "heat": Attribute("history", "p"),
            "level": Attribute("slots", "s"),
            "alarms": Attribute("marks", "k"),
        },
        order=lambda key: key,
        recent=RECENT,
    ),
    foreign=(("p", b"q"), ("k", b"a")),
    clearable=("power", "heat", "level"),
)
