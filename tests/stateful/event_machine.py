"""The machine for rows that are buckets of time: their events are appended, and read by time."""

from datetime import datetime
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.stateful import rule
from hypothesis.strategies import DataObject

from tests.stateful.cases import ALARMS, HOURS, METERS, NUMBERS
from tests.stateful.machine import DATA, RepositoryMachine
from tests.stateful.reference import Key


class EventMachine(RepositoryMachine):
    """Drives the repository of a model whose rows are buckets of time."""

    def fitted(self, key: Key, values: dict[str, Any]) -> dict[str, Any]:
        """The events of the row's own day; a row needs one of them."""
        fitting = {
            name: type(some)({time: one for time, one in some.items() if time.date() == key[1]})
            for name, some in values.items()
        }
        assume(any(fitting.values()))
        return fitting

    def drawn_event(self, data: DataObject) -> tuple[Key, datetime, dict[str, Any]]:
        """An event: the key of its row, its time and its values."""
        meter, at = data.draw(st.sampled_from(METERS)), data.draw(st.sampled_from(HOURS))
        values: dict[str, Any] = {name: data.draw(st.none() | NUMBERS) for name in ("power", "heat", "level")}
        values["alarms"] = data.draw(st.sampled_from([None, ALARMS[at]]))
        assume(any(value is not None for value in values.values()))
        key = (meter, at.date())
        self.raw(key)
        return key, at, values

    def appended(self, key: Key, at: datetime, values: dict[str, Any]) -> None:
        """What an event adds to its row."""
        given = {name: {at: value} for name, value in values.items() if value is not None}
        self.table.put(key, given, self.now())

    @rule(data=DATA)
    def append(self, data: DataObject) -> None:
        key, at, values = self.drawn_event(data)
        self.repository.append(meter=key[0], at=at, **values)
        self.appended(key, at, values)

    @rule(data=DATA, count=st.integers(0, 5))
    def append_many(self, data: DataObject, count: int) -> None:
        events = [self.drawn_event(data) for _ in range(count)]
        assume(len({(key, at) for key, at, _ in events}) == count)
        event = self.generated.MeterDayEvent
        assert self.repository.append_many(event(meter=key[0], at=at, **v) for key, at, v in events) == count
        for key, at, values in events:
            self.appended(key, at, values)

    @rule(meter=st.sampled_from(METERS), start=st.sampled_from(HOURS), end=st.sampled_from(HOURS))
    def events(self, meter: str, start: datetime, end: datetime) -> None:
        start, end = sorted((start, end))
        found = [
            (one.meter, one.at, {name: getattr(one, name) for name in self.table.attributes})
            for one in self.repository.events(meter, start, end)
        ]
        rows = [self.table.read(key) for key in self.table.keys() if key[0] == meter]
        expected = []
        for at in sorted(HOURS):
            values = {
                name: next((row[name][at] for row in rows if row and at in row[name]), None)
                for name in self.table.attributes
            }
            if start <= at < end and any(value is not None for value in values.values()):
                expected.append((meter, at, values))
        assert found == expected
