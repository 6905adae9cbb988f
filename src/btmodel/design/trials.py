"""What functions do, as far as trying them shows.

Those of derived fields climb with times or numbers, keep an order, put texts together, or show the clock of a place. A user's function
may refuse what it is given: of such a one, nothing is known.

Those that make the ids of new rows may make one behind the other: their names, those of what they call, and their docstrings say so; and one
that reads a clock, and uses nothing but the standard library, is tried.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache, partial
from itertools import count, pairwise, product
from time import sleep
from types import CodeType, ModuleType
from typing import Any, NamedTuple
from uuid import UUID

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec, Kind, Order
from btmodel.design.hints import counted_up
from btmodel.errors import ValueRefused
from btmodel.on_demand import pattern
from btmodel.schema import Column, Derived, KeyField, ModelSchema
from btmodel.words import words

# The moments at which a function of the time is tried: seconds to minutes apart, and of other microseconds each.
_MOMENTS = tuple(
    datetime(2031, 5, 14, 9, 26, 53, 589_793, UTC) + timedelta(seconds=seconds, microseconds=7_919 * at)
    for at, seconds in enumerate((0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233))
)

# Others, far apart, at which a function that adds a little to the time climbs, too; no whole minutes lie between them.
_LATER = tuple(moment + (moment - _MOMENTS[0]) * 1_009 for moment in _MOMENTS)

# Spans between moments, and values besides them, with which a function of both is tried.
_APART = (timedelta(hours=1), timedelta(days=1), timedelta(days=40), timedelta(days=400))
_TRIED: dict[type | None, tuple[Any, Any, Any]] = {
    str: ("a", "Mm5", "z9"),
    int: (1, 500, 1_000_000),
    UUID: (UUID(int=1), UUID(int=1 << 64), UUID(int=1 << 127)),
}


# Numbers one after the other, near and far apart, in no even steps: what a function drops of them, or takes the remainder of, it does not keep in order.
_STEPS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233)
_NUMBERS = tuple(
    tuple(7_919 + step * scale for step in _STEPS) for scale in (1, 7_919, 1_299_709, 104_729_001)
)
# Texts in their order.
_TEXTS = (
    "aardvark",
    "badger",
    "camel",
    "dingo",
    "eland",
    "falcon",
    "gecko",
    "heron",
    "ibis",
    "jackal",
    "koala",
)
_ORDERED: dict[type | None, tuple[tuple[Any, ...], ...]] = {int: _NUMBERS, str: (_TEXTS,)}

# Values of which each can be found in what they are put together to.
_PARTS: dict[type | None, tuple[str, ...] | tuple[int, ...]] = {
    str: ("qwx", "kzv", "jyq", "vwk"),
    int: (471, 538, 692, 743),
}
# Hours around those in which clocks are set back somewhere: early in April in the south, late in October and early in November elsewhere.
_BACK = tuple(
    datetime(2031, month, day, tzinfo=UTC) + timedelta(hours=hour)
    for month, day, days in ((4, 1, 10), (10, 20, 17))
    for hour in range(days * 24)
)


class Together(NamedTuple):
    """Two of the ``names`` whose values are put together with ``between``; and two pairs of values that come to the same ``text``."""

    names: tuple[str, str]
    between: str
    pairs: tuple[tuple[Any, Any], tuple[Any, Any]]
    text: str


def climbing(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is made by a function that climbs with the times that it is made from: it is tried."""
    made = part.derived
    if made is None or made.of_bytes:
        return False
    return _climbs(made.by, part.codec, tuple(_kind(model, name) for name in made.of))


def _kind(model: ModelSchema, name: str) -> type | None:
    """The type in which the attribute is given to functions."""
    types = [part.codec.python_type for part in model.key.asked if part.name == name]
    types += [column.codec.python_type for column in model.columns if column.name == name]
    return next(iter(types), None)


@lru_cache(maxsize=256)
def _climbs(by: Callable[..., Any], codec: KeyCodec[Any], kinds: tuple[type | None, ...]) -> bool:
    """Whether a function gives, of moments one after the other, values that lie one after the other, or one.

    It is tried: with times alone, or with other values besides, which must then not matter more than the time. Of one that
    refuses what it is given, nothing is known.
    """
    try:
        if all(kind is datetime for kind in kinds):
            return any(
                _sorted([codec.encode(by(*[at] * len(kinds))) for at in row]) for row in (_MOMENTS, _LATER)
            )
        return datetime in kinds and any(_in_order(by, codec, kinds, step) for step in _APART)
    except Exception:  # whatever the function of a user raises
        return False


def _sorted(made: list[bytes]) -> bool:
    return made in (sorted(made), sorted(made, reverse=True))


def _in_order(
    by: Callable[..., Any], codec: KeyCodec[Any], kinds: tuple[type | None, ...], step: timedelta
) -> bool:
    """Whether all that is made of one moment lies behind, or all in front of, what is made of the one before."""
    moments = [_MOMENTS[0] + step * count for count in range(5)]
    made = [
        [
            codec.encode(by(*[moment if kind is datetime else _TRIED[kind][at] for kind in kinds]))
            for at in range(3)
        ]
        for moment in moments
    ]
    rising = all(max(before) < min(after) for before, after in pairwise(made))
    return rising or all(min(before) > max(after) for before, after in pairwise(made))


def _tried(part: KeyField) -> Derived | None:
    """How the field is made, where its function is given values, and may give anything."""
    made = part.derived
    return None if made is None or made.of_bytes or made.values is not None else made


def followed(model: ModelSchema, part: KeyField) -> KeyField | Column | None:
    """The number, given one after the other, with which ``part`` climbs, as its thousands do; None where it climbs with none."""
    made = _tried(part)
    if made is None or len(made.of) != 1:
        return None
    (name,) = made.of
    source = _source(model, name)
    if source is None or source.codec.python_type is not int:
        return None
    said = source.sequential if isinstance(source, KeyField) else None
    counted = said is True or (said is None and counted_up(name))
    return source if counted and _ordered(made.by, part.codec, source.codec, int) else None


def _source(model: ModelSchema, name: str) -> KeyField | Column | None:
    """The attribute from which something is made."""
    sources: list[KeyField | Column] = [*model.key.asked, *(one for one in model.columns if one.shape.plain)]
    return next((one for one in sources if one.name == name), None)


def _may_be(codec: KeyCodec[Any] | CellCodec[Any], value: Any) -> bool:
    """Whether the attribute takes the value, which may be too large or too long for it."""
    try:
        codec.encode(value)
    except ValueRefused:
        return False
    return True


def keeps_order(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is made of one number or text, and sorts as that does: it is the beginning of it, and no hash."""
    made = _tried(part)
    if made is None or len(made.of) != 1:
        return False
    source = _source(model, made.of[0])
    kind = None if source is None else source.codec.python_type
    return source is not None and kind in _ORDERED and _ordered(made.by, part.codec, source.codec, kind)


@lru_cache(maxsize=256)
def _ordered(
    by: Callable[..., Any], codec: KeyCodec[Any], source: KeyCodec[Any] | CellCodec[Any], kind: type
) -> bool:
    width = source.length.fixed if isinstance(source, KeyCodec) and kind is str else None
    fitting = (lambda text: text) if width is None else lambda text: text.ljust(width, "m")[:width]
    found = False
    for row in _ORDERED[kind]:
        try:
            made = [codec.encode(by(value)) for value in map(fitting, row) if _may_be(source, value)]
        except Exception:  # whatever the function of a user raises
            continue
        if not _sorted(made):
            return False
        found = found or len(set(made)) > 1
    return found


def put_together(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is a text that shows all that it is made from, one behind the other: no hash."""
    made = _tried(part)
    return made is not None and _between(made, tuple(_kind(model, name) for name in made.of)) is not None


def ambiguous(model: ModelSchema, part: KeyField) -> Together | None:
    """Values that ``part`` puts together to one text, though they differ; None where it puts none together, or keeps them apart.

    What has a fixed width, or stands in the key besides, is kept apart.
    """
    made = _tried(part)
    kinds = () if made is None else tuple(_kind(model, name) for name in made.of)
    shown = None if made is None else _between(made, kinds)
    if made is None or shown is None:
        return None
    besides = {field.name for field in model.key.fields}
    fixed = {field.name for field in model.key.asked if field.fixed is not None}
    for (left, right), between in shown:
        names = (made.of[left], made.of[right])
        if not (besides | fixed).isdisjoint(names):
            continue
        found = _confused(made, kinds, (left, right), between)
        if found is not None:
            return Together(names, between, *found)
    return None


_Shown = list[tuple[tuple[int, int], str]]


def _between(made: Derived, kinds: tuple[type | None, ...]) -> _Shown | None:
    """Each two values that stand one behind the other in what the function gives, and what is between them; None where it does not show them all."""
    if len(kinds) < 2 or len(kinds) > 4 or not {*kinds} <= {str, int}:
        return None
    given = [_PARTS[kind][at] for at, kind in enumerate(kinds)]
    text = _called(made, given)
    if text is None:
        return None
    places = sorted((text.find(str(value)), at) for at, value in enumerate(given))
    if places[0][0] < 0:
        return None
    return [
        ((left, right), text[begin + len(str(given[left])) : end])
        for (begin, left), (end, right) in pairwise(places)
    ]


def _called(made: Derived, given: list[Any]) -> str | None:
    """What the function gives, in small letters; None of anything but a text."""
    try:
        text = made.by(*given)
    except Exception:  # whatever the function of a user raises
        return None
    return text.lower() if isinstance(text, str) else None


def _confused(
    made: Derived, kinds: tuple[type | None, ...], two: tuple[int, int], between: str
) -> tuple[tuple[tuple[Any, Any], tuple[Any, Any]], str] | None:
    """Two pairs of values of the attributes ``two`` that come to the same text."""
    if not between.strip() and len(between) > 1:
        between = ""  # what a fixed width is filled up with, in which no value ends
    ends = (f"a{between}", f"{between}c", f"{between}b{between}c")
    texts = ("a", f"a{between}b", "ab", "c", f"b{between}c", "bc", "a1", "a12", *ends)
    tried: dict[type | None, tuple[Any, ...]] = {str: texts, int: (1, 2, 12, 23, 123, 3)}
    seen: dict[str, tuple[Any, Any]] = {}
    for pair in product(*(tried[kinds[at]] for at in two)):
        given = [_PARTS[kind][at] for at, kind in enumerate(kinds)]
        for at, value in zip(two, pair, strict=True):
            given[at] = value
        text = _called(made, given)
        if text is None:
            continue
        first = seen.setdefault(text, (pair[0], pair[1]))
        if first != pair:
            return (first, (pair[0], pair[1])), text
    return None


def set_back(model: ModelSchema, part: KeyField) -> tuple[str, str, timedelta] | None:
    """What ``part`` shows twice, of two hours one after the other, as a clock does that is set back: the time it is made from, what it shows, and its unit; None where it does not."""
    made = _tried(part)
    kinds = () if made is None else tuple(_kind(model, name) for name in made.of)
    if made is None or kinds.count(datetime) != 1 or not {*kinds} <= {datetime, str, int}:
        return None
    found = _shown_twice(made.by, kinds)
    return None if found is None else (made.of[kinds.index(datetime)], *found)


@lru_cache(maxsize=256)
def _shown_twice(
    function: Callable[..., Any], kinds: tuple[type | None, ...]
) -> tuple[str, timedelta] | None:
    def by(moment: datetime) -> Any:
        return function(*(moment if kind is datetime else _PARTS[kind][0] for kind in kinds))

    hours = (timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1))
    try:
        usual = [by(moment) for moment in (*_BACK[:6], *_BACK[24:200:24])]
        if len(set(usual)) < len(usual):
            return None  # it shows days, or less, or only the hour of a day
        unit = next(reversed([one for one in hours if by(_BACK[0]) != by(_BACK[0] + one)]), hours[0])
        again = next((shown for shown, then in pairwise(map(by, _BACK)) if shown == then), None)
    except Exception:  # whatever the function of a user raises
        return None
    return None if again is None else (str(again), unit)


# What ids are called that begin with the time when they are given, in docstrings and in names.
_TIMED = pattern(
    r"(?i)\b(?:uuid_?v?[167]|uuids? of version [167]|version [167] uuids?|ulids?|ksuids?|snowflakes?|object ?ids?|time-?ordered)\b"
)
_TIMED_NAMES = frozenset(
    [
        "uuid1",
        "uuid6",
        "uuid7",
        "uuidv1",
        "uuidv6",
        "uuidv7",
        "ulid",
        "ksuid",
        "snowflake",
        "objectid",
        "tsid",
        "timeuuid",
    ]
)
_RANDOM_NAMES = frozenset(["uuid3", "uuid4", "uuid5", "uuidv4"])
# The names by which code turns one value into another one that is in no order.
_SCATTERING = frozenset(
    [
        "sha1",
        "sha224",
        "sha256",
        "sha384",
        "sha512",
        "md5",
        "blake2b",
        "blake2s",
        "crc32",
        "hash",
        "digest",
        "hexdigest",
        "reversed",
        "shuffle",
    ]
)
# What gives the next one of numbers that are counted up.
_NEXT = frozenset(("nextnumber", "nextid", "nextsequence", "nextserial", "nextval"))
_BEGINS = pattern(
    r"(?i)\b(?:time|timestamp|clock|(?:milli|micro)?seconds?|millis)\b[^.;]{0,40}\b(?:first|in front|then|followed by)\b"
    r"|\b(?:begin|start|lead)(?:s|ing)? with (?:the |an? )?(?:\w+ )?(?:time|timestamp|clock|date|moment|(?:milli|micro)?seconds?)\b"
    r"|\b(?:sorts?|sortable|sorted|ordered) by (?:the |its |their )?(?:\w+ )?(?:time|timestamp|creation|clock)\b"
)
# And what denies it.
_NOT = pattern(
    r"(?i)\b(?:not|no|never|without|instead of|unlike|rather than|hash|hashed|digest|shuffled|reversed|backwards)\b"
)
# The names by which code reads a clock; and the modules, with what of them may be used, of which a call changes nothing elsewhere.
_CLOCKS = frozenset(
    [
        "time",
        "time_ns",
        "now",
        "utcnow",
        "monotonic",
        "monotonic_ns",
        "perf_counter",
        "perf_counter_ns",
        "today",
    ]
)
_HARMLESS = frozenset(
    [
        "time",
        "datetime",
        "uuid",
        "secrets",
        "random",
        "math",
        "struct",
        "binascii",
        "base64",
        "string",
        "hashlib",
        "builtins",
    ]
)
_OF_SYSTEM = frozenset(["urandom", "getpid"])
# What else a function may do that changes something, or waits.
_HARMFUL = frozenset(
    (
        "open",
        "exec",
        "eval",
        "compile",
        "print",
        "input",
        "breakpoint",
        "setattr",
        "delattr",
        "globals",
        "vars",
        "exit",
        "quit",
        "__import__",
        "sleep",
        "seed",
    )
)
_CHANGING = frozenset(
    ("STORE_GLOBAL", "STORE_ATTR", "STORE_SUBSCR", "DELETE_GLOBAL", "DELETE_ATTR", "DELETE_SUBSCR")
)
_OF_ARGUMENTS = 0x04 | 0x08  # functions with `*args` and `**kwargs`
# So often a factory is tried, with so many seconds between: in order by chance are twelve values once in 479,001,600 times.
_TRIES = 12
_PAUSE = 0.0011


def in_order(part: KeyField) -> bool:
    """Whether new values of ``part`` are made by a function that gives each behind the one before it, and nothing else is said of their order."""
    known = part.sequential is not None or part.codec.kind is Kind.TIME or part.codec.order is Order.SCATTERED
    if part.factory is None or known or part.optional:
        return False
    return _made_in_order(part.factory, part.codec)


@lru_cache(maxsize=256)
def _made_in_order(factory: Callable[[], Any], codec: KeyCodec[Any]) -> bool:
    doc = " ".join((getattr(_inner(factory), "__doc__", None) or "").split()) if _own_doc(factory) else ""
    own, called = _parts(_own_names(factory)), _parts(_called_names(factory))
    if _NOT.search(doc) or not own.isdisjoint(_RANDOM_NAMES):
        return False
    counted = isinstance(getattr(factory, "__self__", None), count) or not own.isdisjoint(_NEXT)
    if counted or not own.isdisjoint(_TIMED_NAMES) or _TIMED.search(doc) or _BEGINS.search(doc):
        return True
    if not called.isdisjoint(_RANDOM_NAMES | _SCATTERING):
        return False
    if not called.isdisjoint(_TIMED_NAMES):
        return True
    return _reads_clock(factory) and _tried_factory(factory, codec)


def _inner(factory: Any) -> Any:
    """The function in a partial one, or behind a bound method."""
    while isinstance(factory, partial):
        factory = factory.func
    return getattr(factory, "__func__", factory)


def _own_doc(factory: Any) -> bool:
    """Whether the docstring is that of a function, and not one of a class of its callable."""
    return _code(factory) is not None


def _code(factory: Any) -> CodeType | None:
    code = getattr(_inner(factory), "__code__", None)
    return code if isinstance(code, CodeType) else None


def _parts(names: Iterable[str]) -> set[str]:
    """The words of names, and each two that stand together: a word is divided in front of its digits."""
    called = ([word.lower() for word in words(name)] for name in names)
    return {word for parts in called for word in (*parts, *map("".join, pairwise(parts)))}


def _own_names(factory: Any) -> Iterator[str]:
    """What the function is called, its module, and the class that it is, or is a method of."""
    inner = _inner(factory)
    yield from (getattr(inner, "__name__", ""), getattr(inner, "__qualname__", "").partition(".")[0])
    yield getattr(inner, "__module__", None) or ""
    yield type(getattr(factory, "__self__", None)).__name__


def _called_names(factory: Any) -> Sequence[str]:
    """The names in the code of the function."""
    code = _code(factory)
    return () if code is None else code.co_names


def _reads_clock(factory: Any) -> bool:
    """Whether the function reads a clock, and does only what can be done without harm."""
    code = _code(factory)
    if code is None or isinstance(factory, partial) or code.co_freevars:
        return False
    if code.co_argcount or code.co_kwonlyargcount or code.co_flags & _OF_ARGUMENTS:
        return False
    codes = (code, *(inner for inner in code.co_consts if isinstance(inner, CodeType)))
    names = {name for one in codes for name in one.co_names}
    if _CLOCKS.isdisjoint(names) or not names.isdisjoint(_HARMFUL):
        return False
    given = getattr(_inner(factory), "__globals__", {})
    return not any(map(_changes, codes)) and all(
        _harmless(given[name], names) for name in names if name in given
    )


def _changes(code: CodeType) -> bool:
    """Whether code changes what is not its own, imports what might, or holds functions in a function in it."""
    from dis import get_instructions  # here: few factories read a clock

    if any(
        isinstance(one, CodeType) and any(isinstance(each, CodeType) for each in one.co_consts)
        for one in code.co_consts
    ):
        return True
    for step in get_instructions(code):
        if step.opname == "IMPORT_NAME" and str(step.argval).partition(".")[0] not in _HARMLESS:
            return True
        if step.opname in _CHANGING:
            return True
    return False


def _harmless(value: object, names: set[str]) -> bool:
    """Whether a global name of a function is a constant, or of a module that changes nothing elsewhere."""
    if isinstance(value, (int, float, str, bytes, tzinfo)):
        return True
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or ""
    if module in ("os", "posix", "nt"):
        used = names & {*dir(sys.modules["os"])} - {"name", "sep"}
        return used <= _OF_SYSTEM
    return module.partition(".")[0] in _HARMLESS


def _tried_factory(factory: Callable[[], Any], codec: KeyCodec[Any]) -> bool:
    """Whether values that are made one after the other, some more than a millisecond apart, are in order."""
    made: list[bytes] = []
    try:
        for _ in range(_TRIES):
            made.append(codec.encode(factory()))
            sleep(_PAUSE)
    except Exception:  # whatever the function of a user raises
        return False
    return all(before < after for before, after in pairwise(made))
