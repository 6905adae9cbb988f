"""Qualifiers that may be the slots of a time bucket."""

import math
from collections.abc import Sequence
from datetime import timedelta

from btmodel.errors import DeclarationError
from btmodel.schema import Bucket
from btmodel.schema.slot import SlotFormat

_FEWEST = 4
_MANY = 12
# How slots of a bucket are named, each with the seconds that its numbers count, from coarse to fine.
_FORMS: dict[Bucket, tuple[tuple[str, tuple[int, ...]], ...]] = {
    Bucket.DAY: (("%H", (3600,)), ("%H%M", (3600, 60))),
    Bucket.HOUR: (("%M", (60,)), ("%M%S", (60, 1))),
}
_LIMITS = {3600: 24, 60: 60, 1: 60}
_WHOLE = {Bucket.DAY: 86_400, Bucket.HOUR: 3_600}


def slot_format(names: Sequence[bytes], bucket: Bucket) -> SlotFormat | None:
    """The slots of ``bucket`` that ``names`` are: two digits for each unit, all of them times there are."""
    for text, units in _FORMS.get(bucket, ()):
        starts = [_start(name, units) for name in names]
        found = [start for start in starts if start is not None]
        if len(found) < len(names) or len(set(found)) < _FEWEST:
            continue
        many = len(set(found)) >= _MANY
        every = math.gcd(_WHOLE[bucket], *found) if many else units[-1]  # of few, others may lie in between
        try:
            return SlotFormat(text, timedelta(seconds=every), bucket)
        except DeclarationError:  # the step needs other units than the names tell
            continue
    return None


def _start(name: bytes, units: Sequence[int]) -> int | None:
    """The seconds from the start of the bucket to the slot; None for what is no name of one."""
    if len(name) != 2 * len(units) or not name.isdigit():
        return None
    numbers = [int(name[at : at + 2]) for at in range(0, len(name), 2)]
    if any(number >= _LIMITS[unit] for number, unit in zip(numbers, units, strict=True)):
        return None
    return sum(number * unit for number, unit in zip(numbers, units, strict=True))
