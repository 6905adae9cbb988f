"""What is read and written in every way that is compared: a table of records, by hand and as a model."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from types import ModuleType
from typing import Any

from attrs import field, frozen

import btmodel as bt
from examples.flights import AirportDeparture
from examples.generated import airport_departure_repository
from tests.bench.speed import flights, ticks
from tests.bench.speed.generated import generated


@frozen(slots=False)
class Workload:
    """A table: records made by hand, instances of a model, and how either lies in cells.

    ``prefix`` begins the keys of all its rows; ``most`` is how many there are.
    """

    name: str
    model_class: type[Any]
    hand: Any  # the module with the functions of the same names
    prefix: bytes
    repositories: Callable[[], ModuleType] = field(repr=False)

    @property
    def table(self) -> str:
        """The table's id."""
        return bt.schema_of(self.model_class).table

    @property
    def family(self) -> str:
        """The id of its only family."""
        return str(self.hand.FAMILY)

    @property
    def most(self) -> int:
        """How many rows there are."""
        return int(self.hand.MOST)

    def records(self, count: int) -> Iterator[Any]:
        """The first ``count`` records in the order of their keys."""
        found: Iterator[Any] = self.hand.records(count)
        return found

    def models(self, records: Iterable[Any]) -> Iterator[Any]:
        """Instances of the model."""
        return map(self.hand.model, records)

    def fields(self, one: Any) -> tuple[Any, ...]:
        """The values of a record, or of an instance of the model, to compare them."""
        return tuple(getattr(one, name) for name in self._names)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        schema = bt.schema_of(self.model_class)
        return tuple(f.name for f in schema.key.asked) + tuple(c.name for c in schema.columns)

    @cached_property
    def generated(self) -> ModuleType:
        """The module of its repositories."""
        return self.repositories()

    @property
    def repository(self) -> Any:
        """The generated repository's class."""
        return getattr(self.generated, f"{self.model_class.__name__}Repository")

    @property
    def async_repository(self) -> Any:
        """Its asynchronous twin."""
        return getattr(self.generated, f"Async{self.model_class.__name__}Repository")

    @property
    def key_class(self) -> Any:
        """The named tuple of its key fields."""
        return getattr(self.generated, f"{self.model_class.__name__}Key")

    def key(self, one: Any) -> Any:
        """The key of a record, as ``get_many`` takes it."""
        return self.key_class(*(getattr(one, name) for name in self.key_class._fields))


TICKS = Workload("ticks", ticks.Tick, ticks, b"", lambda: generated(ticks.Tick))
FLIGHTS = Workload("flights", AirportDeparture, flights, b"EWR#", lambda: airport_departure_repository)
WORKLOADS = {work.name: work for work in (TICKS, FLIGHTS)}
