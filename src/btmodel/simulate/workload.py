"""Workloads: the number of events, their keys, and the reads; and how they are written: distributions (``zipf:0.99``, ``90%:200``,
``NASDAQ:6,NYSE:4``), and a file in TOML.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any
from uuid import UUID

from attrs import field, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import KeyCodec, Kind
from btmodel.errors import DeclarationError, SimulationRefused, ValueRefused, shown
from btmodel.schema import ModelSchema, Rate
from btmodel.schema.key import MOST_THETA, YCSB_THETA
from btmodel.schema.rate import parse_every
from btmodel.words import meant

# Popular values are scattered over the key space by a hash of their rank, as in YCSB's ``ScrambledZipfianGenerator``.
# The number of values is not part of the distribution but in :attr:`btmodel.simulate.workload.Workload.counts`.


def _theta(instance: object, attribute: object, value: float) -> None:
    if not 0 < value <= MOST_THETA:
        raise SimulationRefused(f"zipf: expected an exponent above 0 and up to {MOST_THETA:g}, got {value!r}")


def _share(instance: object, attribute: object, value: float) -> None:
    if not 0 < value <= 1:
        raise SimulationRefused(
            f"a few values: expected a share above 0 % and up to 100 %, got {100 * value:g} %"
        )


def _some(instance: object, attribute: object, value: int) -> None:
    if type(value) is not int or value < 1:
        raise SimulationRefused(f"a few values: expected at least 1 value, got {value!r}")


def _weights(instance: object, attribute: object, pairs: tuple[tuple[Any, float], ...]) -> None:
    if not pairs:
        raise SimulationRefused("values with weights: expected at least one value, got none")
    seen = set()
    for value, weight in pairs:
        if not 0 < weight < float("inf"):
            raise SimulationRefused(
                f"values with weights: expected a weight above 0 of {shown(value)}, got {weight!r}"
            )
        if value in seen:
            raise SimulationRefused(
                f"values with weights: expected each value once, got {shown(value)} twice"
            )
        seen.add(value)
    if sum(weight for _, weight in pairs) == float("inf"):
        raise SimulationRefused(
            "values with weights: expected weights that can be summed up, got too large ones"
        )


@frozen
class Uniform:
    """All values are equally frequent."""

    def __str__(self) -> str:
        return "uniform"


@frozen
class Zipf:
    """The value of rank ``r`` has a frequency in proportion to ``r ** -theta``; YCSB uses 0.99."""

    theta: float = field(default=YCSB_THETA, validator=_theta)

    def __str__(self) -> str:
        return f"zipf:{self.theta:g}"


@frozen
class Weighted:
    """Only these values occur, each in proportion to its weight; they are Python values of the field."""

    values: tuple[tuple[Any, float], ...] = field(validator=_weights)

    def __str__(self) -> str:
        return ",".join(f"{value}:{weight:g}" for value, weight in self.values)


@frozen
class Few:
    """``values`` values have ``share`` of all events, evenly; all others share the rest evenly."""

    share: float = field(default=0.9, validator=_share)
    values: int = field(default=200, validator=_some)

    def __str__(self) -> str:
        return f"{self.share:.6%}".rstrip("%").rstrip("0").rstrip(".") + f"%:{self.values}"


@frozen
class Sequential:
    """Each event has a new value, one above the last.

    As many values as the field is declared to have existed before the start, or those of the history.
    """

    def __str__(self) -> str:
        return "sequential"


@frozen
class EventTime:
    """The time of the event."""

    def __str__(self) -> str:
        return "clock"


Distribution = Uniform | Zipf | Weighted | Few | Sequential | EventTime


# A fixed start, so that the same question gets the same answer: noon on a Sunday that ends a month, so that a day, a week
# and a month begin within the next 24 hours.
START = datetime(2026, 5, 31, 12, tzinfo=UTC)


@frozen
class Reads:
    """Reads of a declared query: ``per_second`` requests, each for ``rows`` rows."""

    query: str
    per_second: float
    rows: float = 1.0


@frozen
class Workload:
    """The load of the table of ``model``.

    ``writes`` is events per second at the start, ``growth`` the share by which they grow in a day, and ``daily`` (0
    to 1) how far they vary with the time of day, with the minimum at midnight UTC. ``fields`` has the distribution of
    each key field of a row and of each column that the key is derived from, and ``counts`` their numbers of values.
    ``history`` is how long such events came before ``start``; zero for a new table. ``keys`` are those of a real
    sample, in any order, which then stand for all rows. ``declared`` is the model as its author wrote it, where
    ``model`` has other codecs in the place of what comes in another order than its own.
    """

    model: ModelSchema
    writes: float
    fields: Mapping[str, Distribution]
    counts: Mapping[str, int]
    growth: float = 0.0
    reads: tuple[Reads, ...] = ()
    history: timedelta = timedelta(0)
    start: datetime = START
    keys: tuple[bytes, ...] | None = field(default=None, repr=False)
    daily: float = 0.0
    declared: ModelSchema | None = field(default=None, repr=False)

    def __attrs_post_init__(self) -> None:
        name = self.model.name
        if not 0 < self.writes < float("inf"):
            raise SimulationRefused(
                f"{name}: expected a rate of events above 0, got {self.writes!r} a second"
            )
        if not -1 < self.growth < float("inf"):
            raise SimulationRefused(f"{name}: expected a growth above -1 (-100 % a day), got {self.growth!r}")
        if not 0 <= self.daily <= 1:
            raise SimulationRefused(f"{name}: expected a daily swing from 0 to 1, got {self.daily!r}")
        if self.history < timedelta(0):
            raise SimulationRefused(f"{name}: expected a history of 0 or more, got {self.history}")
        for field_name, count in self.counts.items():
            if count < 1:
                raise SimulationRefused(f"{name}.{field_name}: expected at least 1 value, got {count!r}")


@frozen
class Stated:
    """Workload estimates; None, or no entry, means that an estimate is not stated.

    ``fields`` maps a field to the text of its distribution or to values with weights, ``counts`` to its number of
    values, and ``reads`` a query to a rate such as ``100/s``, or ``100/s:50`` for 50 rows each.
    """

    events: Rate | None = None
    growth: float | None = None
    daily: float | None = None
    history: timedelta | None = None
    start: datetime | None = None
    fields: Mapping[str, str | Mapping[str, Any]] = field(factory=dict)
    counts: Mapping[str, int] = field(factory=dict)
    reads: Mapping[str, str] = field(factory=dict)

    def over(self, other: "Stated") -> "Stated":
        """These estimates, completed by those of ``other``."""
        return Stated(
            self.events or other.events,
            other.growth if self.growth is None else self.growth,
            other.daily if self.daily is None else self.daily,
            other.history if self.history is None else self.history,
            self.start or other.start,
            {**other.fields, **self.fields},
            {**other.counts, **self.counts},
            {**other.reads, **self.reads},
        )


MOST_NODES = 1_000  # of a cluster: more are not simulated


def share_of(where: str, value: object) -> float:
    """The share in a text or number. Raises :class:`SimulationRefused`."""
    text = str(value).strip()
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise SimulationRefused(f"{where}: expected a share such as 5%, got {value!r}") from None


@frozen
class AskedField:
    """A key field, or a column that the key is derived from; ``count`` is its declared number of values."""

    name: str
    codec: KeyCodec[Any] | CellCodec[Any]
    kind: Kind
    count: int | None
    sequential: bool = False
    skew: str | None = None


def asked_of(model: ModelSchema) -> tuple[AskedField, ...]:
    """All fields and columns that determine the row keys of ``model``."""
    return tuple(_asked(model))


def _asked(model: ModelSchema) -> Iterator[AskedField]:
    for part in model.key.asked:
        sequential = part.sequential is True
        skew = None if part.skew is None else part.skew.text
        yield AskedField(part.name, part.codec, part.codec.kind, part.cardinality, sequential, skew)
    for column in model.columns:
        if column.name in model.key.hashed:
            yield AskedField(column.name, column.codec, _kind(column.codec), column.expected.cardinality)


def _kind(codec: CellCodec[Any]) -> Kind:
    if is_class(codec.python_type, date):
        return Kind.TIME
    return Kind.NUMBER if codec.python_type is int else Kind.TEXT


_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def value_of(asked: AskedField, text: str) -> Any:
    """The value in ``text``. Raises :class:`ValueRefused` if the field cannot hold it."""
    kind = asked.codec.python_type
    try:
        value = _reader(kind)(text)
    except (ValueError, KeyError):
        raise ValueRefused(f"text of a {kind.__name__}", text) from None
    asked.codec.encode(value)
    return value


def _reader(kind: type) -> Callable[[str], Any]:
    if is_class(kind, Enum):
        return lambda text: next(member for member in kind if text in (member.name, str(member.value)))
    readers: dict[type, Callable[[str], Any]] = {
        str: str,
        int: int,
        bool: lambda text: _TRUTHS[text.lower()],
        UUID: UUID,
        bytes: str.encode,
        datetime: _time,
        date: date.fromisoformat,
    }
    return readers.get(kind, kind)


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


FORMS = "uniform, zipf, zipf:0.99, 90%:200 (90 % of the events on 200 values), sequential, clock, or A:6,B:4"
_FEW = re.compile(r"([0-9.]+)\s*%\s*:\s*([0-9_]+)")
_WORDS: Mapping[str, Distribution] = {
    "uniform": Uniform(),
    "zipf": Zipf(),
    "sequential": Sequential(),
    "clock": EventTime(),
}


def distribution_of(asked: AskedField, given: str | Mapping[str, Any], where: str) -> Distribution:
    """The distribution in a text, or in a mapping of values to weights.

    ``where`` names the field in messages, as ``Quote.symbol``. Raises :class:`SimulationRefused`.
    """
    try:
        found = (
            _weighted(asked, given.items()) if isinstance(given, Mapping) else _named(asked, given.strip())
        )
    except SimulationRefused as error:
        raise SimulationRefused(f"{where}: {error}") from None
    _check_fits(asked, found, where)
    return found


def _named(asked: AskedField, text: str) -> Distribution:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if few := _FEW.fullmatch(text):
        return Few(_number(few[1], text) / 100, int(few[2]))
    name, colon, rest = text.partition(":")
    if name.lower() == "zipf" and "," not in text:
        return Zipf(_number(rest, text))
    pairs = [part.rpartition(":") for part in text.split(",")]
    # A text with this ending is meant as a share.
    share = len(pairs) == 1 and pairs[0][0].endswith("%")
    if not colon or share or not all(middle for _, middle, _ in pairs):
        raise SimulationRefused(f"expected {FORMS}; got {text!r}")
    return _weighted(asked, [(value.strip(), _number(weight, text)) for value, _, weight in pairs])


def _weighted(asked: AskedField, pairs: Iterable[tuple[str, Any]]) -> Weighted:
    found = []
    for text, weight in pairs:
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise SimulationRefused(f"expected a number as the weight of {text!r}, got {weight!r}")
        try:
            found.append((value_of(asked, text), float(weight)))
        except ValueRefused as error:
            raise SimulationRefused(str(error)) from None
    return Weighted(tuple(found))


def _number(text: str, whole: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SimulationRefused(f"expected a number, got {text!r} in {whole!r}; forms are {FORMS}") from None


def _check_fits(asked: AskedField, found: Distribution, where: str) -> None:
    """Refuse a distribution that does not fit this kind of field."""
    timed = asked.kind is Kind.TIME
    if timed and not isinstance(found, EventTime | Weighted):
        raise SimulationRefused(
            f"{where}: it is a time: expected clock, or times with weights, got {str(found)!r}"
        )
    if isinstance(found, EventTime) and not timed:
        raise SimulationRefused(f"{where}: expected a distribution other than clock: it is no time")
    if isinstance(found, Sequential) and asked.kind is not Kind.NUMBER:
        raise SimulationRefused(f"{where}: expected a distribution other than sequential: it is no number")


_CLUSTER = {"nodes": (int, "a whole number"), "storage": (str, "text")}


@frozen
class WorkloadFile:
    """The contents of a workload file: ``models`` by name, the ``cluster``, and the assumptions."""

    models: Mapping[str, Stated] = field(factory=dict)
    cluster: Mapping[str, Any] = field(factory=dict)
    assume: Mapping[str, str] = field(factory=dict)


def read_file(path: Path) -> WorkloadFile:
    """Read the workload file at ``path``. Raises :class:`SimulationRefused`, with the file and the place in it."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SimulationRefused(f"{path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SimulationRefused(f"{path}: {error}") from None
    cluster, assume = document.pop("cluster", {}), document.pop("assume", {})
    models = {name: _stated(f"{path}: [{name}]", table) for name, table in document.items()}
    for name, value in _table(f"{path}: [cluster]", cluster).items():
        if name not in _CLUSTER:
            raise SimulationRefused(f"{path}: [cluster]: no {name!r}{meant(name, [*_CLUSTER], 'it has')}")
        kind, meaning = _CLUSTER[name]
        if type(value) is not kind:
            raise SimulationRefused(f"{path}: [cluster] {name}: expected {meaning}, got {value!r}")
    texts = {name: str(value) for name, value in _table(f"{path}: [assume]", assume).items()}
    return WorkloadFile(models, cluster, texts)


def _stated(where: str, table: Any) -> Stated:
    found: dict[str, Any] = {}
    for name, value in _table(where, table).items():
        if name not in _READERS:
            raise SimulationRefused(f"{where}: no {name!r}{meant(name, [*_READERS], 'it has')}")
        try:
            found[name] = _READERS[name](f"{where} {name}", value)
        except DeclarationError as error:
            raise SimulationRefused(f"{where} {error}") from None
    return Stated(**found)


def _table(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise SimulationRefused(f"{where}: expected a table, got {value!r}")
    return value


def _start(where: str, value: Any) -> datetime:
    if not isinstance(value, date):
        raise SimulationRefused(f"{where}: expected a time such as 2026-01-05T00:00:00Z, got {value!r}")
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def _history(where: str, value: Any) -> timedelta:
    """A length of time; 0 means none, as on the command line."""
    return timedelta(0) if str(value).strip() == "0" else parse_every(value, "history")


def _distributions(where: str, value: Any) -> Mapping[str, Any]:
    for name, given in _table(where, value).items():
        if not isinstance(given, str | dict):
            raise SimulationRefused(f"{where}.{name}: expected text, or values with weights, got {given!r}")
    return _table(where, value)


def _counts(where: str, value: Any) -> Mapping[str, int]:
    for name, count in _table(where, value).items():
        if type(count) is not int or count < 1:
            raise SimulationRefused(f"{where}.{name}: expected a whole number from 1 on, got {count!r}")
    return _table(where, value)


_READERS: Mapping[str, Callable[[str, Any], Any]] = {
    "events": lambda where, value: Rate.parse(value),
    "growth": share_of,
    "daily": share_of,
    "history": _history,
    "start": _start,
    "fields": _distributions,
    "counts": _counts,
    "reads": lambda where, value: {name: str(told) for name, told in _table(where, value).items()},
}
