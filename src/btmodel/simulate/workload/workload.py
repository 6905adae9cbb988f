"""The workload of one model."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from attrs import field, frozen

from btmodel.errors import SimulationRefused
from btmodel.schema import ModelSchema
from btmodel.simulate.workload.distribution import Distribution

# The same always, so that the same question gets the same answer: the noon of a Sunday, and the last of its month, so
# that the day from then on sees a day, a week and a month begin.
START = datetime(2026, 5, 31, 12, tzinfo=UTC)


@frozen
class Reads:
    """Reads of a declared query: ``per_second`` requests, each of ``rows`` rows."""

    query: str
    per_second: float
    rows: float = 1.0


@frozen
class Workload:
    """What comes to the table of ``model``.

    ``writes`` are events a second at the start, ``growth`` the share by which they grow in a day, ``daily``
    (0 to 1) how far they swing around that with the time of day, the least at midnight UTC. ``fields`` says of
    each key field that a row must give, and of each column that the key is made of, how its values come,
    ``counts`` how many there are. ``history`` is how long such events came before ``start``: none of a new table.
    ``keys`` are those of a real sample, in any order, which then stand for all rows.
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

    def __attrs_post_init__(self) -> None:
        name = self.model.name
        if not 0 < self.writes < float("inf"):
            raise SimulationRefused(f"{name}: wanted a rate of events above 0, got {self.writes!r} a second")
        if not -1 < self.growth < float("inf"):
            raise SimulationRefused(f"{name}: wanted a growth above -1 (-100 % a day), got {self.growth!r}")
        if not 0 <= self.daily <= 1:
            raise SimulationRefused(f"{name}: wanted a daily swing from 0 to 1, got {self.daily!r}")
        if self.history < timedelta(0):
            raise SimulationRefused(f"{name}: wanted a history of 0 or more, got {self.history}")
        for field_name, count in self.counts.items():
            if count < 1:
                raise SimulationRefused(f"{name}.{field_name}: wanted at least 1 value, got {count!r}")
