"""The workload of one model."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import field, frozen

from btmodel.errors import SimulationRefused, shown
from btmodel.schema import ModelSchema, Rate
from btmodel.schema.key import MOST_THETA, YCSB_THETA

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
