"""Who writes a workload: groups of writers with equal shares of the events."""

from collections.abc import Iterator
from itertools import pairwise, product
from math import expm1, inf, log

from attrs import frozen

from btmodel.simulate.workload import Distribution, Few, Sequential, Weighted, Workload, Zipf

# The first ranks of a Zipf distribution stand alone; the others are in bands, each wider by this factor.
_SINGLE = 16
_WIDER = 1.6
# With more groups than this, those with the smallest shares are merged.
_MOST = 20_000


@frozen
class WriterGroup:
    """``count`` writers that each have the same part of ``share``; ``share`` is their part of all events."""

    count: float
    share: float

    def distinct(self, events: float) -> float:
        """How many of them write at least once in ``events`` events of all writers."""
        if self.count == inf:
            return events * self.share
        return -self.count * expm1(-events * self.share / self.count)


def writer_groups(workload: Workload) -> tuple[WriterGroup, ...]:
    """The writers of a workload: all combinations of values of fields that are not times, and of salts of what the key does not hold."""
    combined = [WriterGroup(1, 1.0)]
    key = workload.model.key
    hashes = (part.derived.of for part in key.fields if part.derived and part not in key.salts_of_others)
    salted = {name for salt in key.salts_of_others if salt.derived for name in salt.derived.of} - {
        name for of in hashes for name in of
    }
    several = [
        list(_groups(distribution, workload.counts[name]))
        for name, distribution in workload.fields.items()
        if name in workload.counts and name not in salted
    ]
    several += [
        [WriterGroup(len(salt.derived.values or ()), 1.0)] for salt in key.salts_of_others if salt.derived
    ]
    for groups in several:
        combined = _few(
            [WriterGroup(a.count * b.count, a.share * b.share) for a, b in product(combined, groups)]
        )
    return tuple(combined)


def largest(groups: tuple[WriterGroup, ...]) -> float:
    """The share of the writer with the most events."""
    return max((group.share / group.count for group in groups), default=0.0)


def distinct(groups: tuple[WriterGroup, ...], events: float) -> float:
    """How many of these writers write at least once in so many events."""
    return sum(group.distinct(events) for group in groups)


def _groups(distribution: Distribution, count: int) -> Iterator[WriterGroup]:
    match distribution:
        case Weighted(values):
            whole = sum(weight for _, weight in values)
            yield from (WriterGroup(1, weight / whole) for _, weight in values)
        case Few(share, values) if values < count:
            yield WriterGroup(values, share)
            if share < 1:
                yield WriterGroup(count - values, 1 - share)
        case Zipf(theta):
            yield from _bands(theta, count)
        case Sequential():
            yield WriterGroup(inf, 1.0)
        case _:
            yield WriterGroup(count, 1.0)


def _bands(theta: float, count: int) -> list[WriterGroup]:
    """Ranks in bands; the share of a band is an integral, except for the first ranks."""
    edges = [*range(1, min(count, _SINGLE) + 1)]
    while edges[-1] < count:
        edges.append(min(count, max(edges[-1] + 1, int(edges[-1] * _WIDER))))
    bands = [(1.0, 1.0)]
    for low, high in pairwise(edges):
        bands.append((float(high - low), _integral(theta, low + 0.5, high + 0.5)))
    whole = sum(weight for _, weight in bands)
    return [WriterGroup(number, weight / whole) for number, weight in bands]


def _integral(theta: float, low: float, high: float) -> float:
    """Approximates the sum of ``rank ** -theta`` over the ranks from ``low`` to ``high`` with the midpoint rule."""
    if abs(theta - 1) < 1e-9:
        return log(high / low)
    return float((high ** (1 - theta) - low ** (1 - theta)) / (1 - theta))


def _few(groups: list[WriterGroup]) -> list[WriterGroup]:
    if len(groups) <= _MOST:
        return groups
    groups = sorted(groups, key=lambda group: -group.share)
    rest = groups[_MOST:]
    return [
        *groups[:_MOST],
        WriterGroup(sum(group.count for group in rest), sum(group.share for group in rest)),
    ]
