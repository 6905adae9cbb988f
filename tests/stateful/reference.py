"""What a table must hold after some writes: a dict of plain Python values, without an encoder and without a server."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import define, field, frozen

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FOREIGN = "cells of others"
MIRROR = "a repeated field of the key"

Key = tuple[Any, ...]
Place = tuple[str, Any]
Versions = dict[datetime, Any]


@frozen
class Family:
    """A family: what its rule keeps, by the rank of a version (from 0) and whether it is old; all versions, or the newest."""

    keeps: Callable[[int, bool], bool]
    versioned: bool = False


@frozen
class Attribute:
    """An attribute of cells: a value, entries, members, a history, marks, slots, a counter, counters of entries, or counts of hours.

    Entries also have histories, or times.
    """

    shape: str
    family: str
    # How a counter joins what it has with what is added.
    joins: Callable[[int, int], int] = field(default=lambda one, other: one + other)


VERSIONED = ("history", "marks", "histories")


@define
class Table:
    """The rows of one model, by key: for each place, the attribute and its entry, the values by time."""

    key_fields: tuple[str, ...]
    families: Mapping[str, Family]
    attributes: Mapping[str, Attribute]
    order: Callable[[Any], Any]  # what the keys sort by
    recent: datetime  # what is older is too old for every rule that looks at the age
    stamp: str | None = None
    mirror: str | None = None  # the family of the repeated field
    rows: dict[Key, dict[Place, Versions]] = field(factory=dict)

    def put(self, key: Key, values: Mapping[str, Any], now: datetime, *, uncover: bool = False) -> None:
        """Add the cells of ``values``; what is None is left. If ``uncover``, what is not older than they are goes."""
        stamp = (values.get(self.stamp) if self.stamp else None) or now
        if self.mirror:
            self.write(key, (MIRROR, None), stamp, True, uncover)
        for name, one in self.attributes.items():
            for entry, time, value in _cells(one.shape, values.get(name), stamp):
                self.write(key, (name, entry), time, value, uncover and one.shape not in VERSIONED)

    def put_if(
        self, key: Key, values: Mapping[str, Any], expected: Mapping[str, Any], now: datetime
    ) -> bool | None:
        """Add them if the row is as it is expected; whether it was. None where it was, but is of a later time than ``values``."""
        row = self.read(key)
        own = values.get(self.stamp) if self.stamp else None
        if any(self.newest(key, name) != value for name, value in expected.items()):
            return False
        if own and row and row[self.stamp] and own < row[self.stamp]:
            return None
        self.put(key, values, now, uncover=own is None)
        return True

    def write(self, key: Key, place: Place, time: datetime, value: Any, uncover: bool = False) -> None:
        """Write one version."""
        versions = self.rows.setdefault(key, {}).setdefault(place, {})
        for later in [one for one in versions if uncover and one >= time]:
            del versions[later]
        versions[time] = value

    def change(self, key: Key, name: str, now: datetime, value: Any) -> None:
        """Write the newest version, with the time of the one before where that is later."""
        versions = self.rows.get(key, {}).get((name, None), {})
        self.write(key, (name, None), max([now, *versions]), value)

    def add(self, key: Key, amounts: Mapping[str, Any], now: datetime, at: datetime) -> None:
        """Add to counters, and to the hour of ``at``; what the row repeats of its key is written, unless that would move a time of the row."""
        if self.stamp is None:
            self.put(key, {}, now)
        for name, amount in amounts.items():
            time = at.replace(minute=0) if self.attributes[name].shape == "counts" else EPOCH
            for entry, one in amount.items() if isinstance(amount, dict) else [(None, amount)]:
                has = self.rows.get(key, {}).get((name, entry), {}).get(time)
                joined = one if has is None else self.attributes[name].joins(has, one)
                self.write(key, (name, entry), time, joined)

    def delete(self, key: Key) -> None:
        """Delete a row."""
        self.rows.pop(key, None)

    def clear(self, key: Key, names: Collection[str]) -> None:
        """Delete the cells of some attributes."""
        row = self.rows.get(key, {})
        for place in [place for place in row if place[0] in names]:
            del row[place]

    def remove(self, key: Key, entries: Mapping[str, Iterable[Any]]) -> None:
        """Delete some entries."""
        for name, some in entries.items():
            for entry in some:
                self.rows.get(key, {}).pop((name, entry), None)

    def newest(self, key: Key, name: str) -> Any:
        """The value of an attribute of one value, or None."""
        versions = self._visible(key).get((name, None), {})
        return versions[max(versions)] if versions else None

    def holds(self, key: Key) -> bool:
        """Whether the row is there."""
        return bool(self._visible(key))

    def keys(self) -> list[Key]:
        """The keys of the rows that are there, in their order."""
        return sorted(filter(self.holds, self.rows), key=self.order)

    def read(
        self,
        key: Key,
        only: Collection[str] | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        *,
        timed: bool = False,
    ) -> dict[str, Any] | None:
        """The row as a read of these attributes gives it; None where there is none.

        If ``timed``, of every version in ``[start, end)`` that is kept, not of the newest alone.
        """
        cells = {
            place: {t: v for t, v in versions.items() if (not start or t >= start) and (not end or t < end)}
            for place, versions in self._visible(key, every=timed).items()
            if only is None or place[0] in only
        }
        if not any(cells.values()):
            return None
        found: dict[str, Any] = dict(zip(self.key_fields, key, strict=True))
        plain = [EPOCH]
        for name in self.attributes if only is None else only:
            of = {entry: cells[name, entry] for at, entry in cells if at == name and cells[name, entry]}
            shape = self.attributes[name].shape
            found[name] = _value(shape, of)
            if shape in ("value", "entries", "members"):
                plain += [time for versions in of.values() for time in versions]
        if self.stamp:
            plain += cells.get((MIRROR, None), {}).keys()
            found[self.stamp] = max(plain) if len(plain) > 1 else None
        found[FOREIGN] = {
            (*entry, time, value)
            for (name, entry), versions in cells.items()
            if name == FOREIGN
            for time, value in versions.items()
        }
        return found

    def foreign(self) -> set[tuple[Key, str, bytes, datetime, bytes]]:
        """Every cell that others wrote, readable through the model or not."""
        return {
            (key, *entry, time, value)
            for key, row in self.rows.items()
            for (name, entry), versions in row.items()
            if name == FOREIGN
            for time, value in versions.items()
        }

    def _visible(self, key: Key, *, every: bool = False) -> dict[Place, Versions]:
        """The cells of a row that the rules keep, of families that the model has: the newest, or ``every`` one."""
        found = {}
        for place, versions in self.rows.get(key, {}).items():
            family = self.families.get(self._family(place))
            if family is None:
                continue
            ranked = enumerate(sorted(versions, reverse=True))
            kept = {
                time: versions[time]
                for rank, time in ranked
                if family.keeps(rank, time < self.recent) and (every or family.versioned or rank == 0)
            }
            if kept:
                found[place] = kept
        return found

    def _family(self, place: Place) -> str | None:
        name, entry = place
        if name == FOREIGN:
            family: str = entry[0]
            return family
        return self.mirror if name == MIRROR else self.attributes[name].family


def _cells(shape: str, value: Any, stamp: datetime) -> Iterator[tuple[Any, datetime, Any]]:
    """The entry, time and value of each cell of an attribute."""
    if value is None or shape in ("counter", "counters", "counts"):
        return
    match shape:
        case "value":
            yield None, stamp, value
        case "entries" | "slots":
            yield from ((entry, stamp, one) for entry, one in value.items())
        case "members":
            yield from ((entry, stamp, True) for entry in value)
        case "history":
            yield from ((None, time, one) for time, one in value.items())
        case "histories":
            yield from ((entry, time, one) for entry, of in value.items() for time, one in of.items())
        case "timed":
            yield from ((entry, one.time, one.value) for entry, one in value.items())
        case "marks":
            yield from ((one, time, True) for time, one in value.items())


def _value(shape: str, cells: Mapping[Any, Versions]) -> Any:
    """The value of an attribute, by the versions of each of its entries."""
    newest = {entry: versions[max(versions)] for entry, versions in cells.items()}
    match shape:
        case "value" | "counter":
            return newest.get(None)
        case "entries" | "counters" | "slots":
            return newest
        case "members":
            return set(newest)
        case "history" | "counts":
            return dict(sorted(cells.get(None, {}).items(), reverse=True))
        case "histories":
            return {entry: dict(sorted(versions.items(), reverse=True)) for entry, versions in cells.items()}
        case "timed":
            return {entry: (value, max(cells[entry])) for entry, value in newest.items()}
        case _:
            return dict(sorted(((time, entry) for entry in cells for time in cells[entry]), reverse=True))
