"""The slots of a row's bucket as a value."""

from collections.abc import Mapping
from datetime import UTC, datetime, time
from typing import Any, TypeVar

from btmodel.errors import ValueRefused

T = TypeVar("T")


class Slots(dict[datetime, T]):
    """The slots of a bucket: a dict from the time that a slot begins at to its value.

    Where no two slots begin at one time of day, as in a bucket of a day, a slot is found
    by its time of day (UTC) too: ``power[time(0, 15)]``.
    """

    def __getitem__(self, key: datetime | time) -> T:
        return super().__getitem__(key if isinstance(key, datetime) else self._begun_at(key))

    def get(self, key: datetime | time, default: Any = None) -> Any:
        """The value of a slot, by its time or by its time of day; ``default`` where there is none."""
        try:
            return self[key]
        except KeyError:
            return default

    def _begun_at(self, when: time) -> datetime:
        if not isinstance(when, time):
            raise KeyError(when)
        found = [one for one in self if one.astimezone(UTC).time() == when]
        if len(found) > 1:
            raise KeyError(f"{when}: {len(found)} slots begin at this time of day, give the day, too")
        if not found:
            raise KeyError(when)
        return found[0]

    def __repr__(self) -> str:
        return f"Slots({dict(self)!r})"


def as_slots(value: Mapping[datetime, Any]) -> Slots[Any]:
    """``value`` as slots."""
    if isinstance(value, Slots):
        return value
    if not isinstance(value, Mapping):
        raise ValueRefused("a mapping from times to values, such as Slots({...})", value)
    return Slots(value)
