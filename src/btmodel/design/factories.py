"""Whether the function that makes the id of a new row makes one behind the other.

The names of the function and of what it calls, and its docstring, say so; and one that reads a clock, and uses nothing but the standard library, is tried.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import tzinfo
from functools import lru_cache, partial
from itertools import count, pairwise
from time import sleep
from types import CodeType, ModuleType
from typing import Any

from btmodel.codecs.key import KeyCodec, Kind, Order
from btmodel.on_demand import pattern
from btmodel.schema import KeyField
from btmodel.words import words

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
    return _in_order(part.factory, part.codec)


@lru_cache(maxsize=256)
def _in_order(factory: Callable[[], Any], codec: KeyCodec[Any]) -> bool:
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
    return _reads_clock(factory) and _tried(factory, codec)


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


def _tried(factory: Callable[[], Any], codec: KeyCodec[Any]) -> bool:
    """Whether values that are made one after the other, some more than a millisecond apart, are in order."""
    made: list[bytes] = []
    try:
        for _ in range(_TRIES):
            made.append(codec.encode(factory()))
            sleep(_PAUSE)
    except Exception:  # whatever the function of somebody else raises
        return False
    return all(before < after for before, after in pairwise(made))
