"""Groups of writers that are written to alike: how many they are, and what share of all events is theirs."""

from collections.abc import Iterator
from itertools import pairwise, product
from math import expm1, inf, log

from attrs import frozen

from btmodel.simulate.workload import Distribution, Few, Sequential, Weighted, Workload, Zipf

# The first ranks of a Zipf distribution one by one, the others in bands, each wider by this factor.
_SINGLE = 16
_WIDER = 1.6
# Beyond so many groups, those of the smallest shares are put together.
_MOST = 20_000


@frozen
class Crowd:
    """``count`` writers, each with the same part of ``share``, which is theirs of all events."""

    count: float
    share: float

    def distinct(self, events: float) -> float:
        """How many of them write at all, of so many ``events`` of all writers, each on its own."""
        if self.count == inf:
            return events * self.share
        return -self.count * expm1(-events * self.share / self.count)


def crowds(workload: Workload) -> tuple[Crowd, ...]:
    """The writers of a workload: the values of all that is no time, taken together."""
    found = [Crowd(1, 1.0)]
    for name, distribution in workload.fields.items():
        if name not in workload.counts:
            continue
        groups = list(_groups(distribution, workload.counts[name]))
        found = _few([Crowd(a.count * b.count, a.share * b.share) for a, b in product(found, groups)])
    return tuple(found)


def largest(found: tuple[Crowd, ...]) -> float:
    """The share of the writer with the most events."""
    return max((crowd.share / crowd.count for crowd in found), default=0.0)


def distinct(found: tuple[Crowd, ...], events: float) -> float:
    """How many writers write at all, of so many events."""
    return sum(crowd.distinct(events) for crowd in found)


def _groups(distribution: Distribution, count: int) -> Iterator[Crowd]:
    match distribution:
        case Weighted(values):
            whole = sum(weight for _, weight in values)
            yield from (Crowd(1, weight / whole) for _, weight in values)
        case Few(share, values) if values < count:
            yield Crowd(values, share)
            if share < 1:
                yield Crowd(count - values, 1 - share)
        case Zipf(theta):
            yield from _bands(theta, count)
        case Sequential():
            yield Crowd(inf, 1.0)
        case _:
            yield Crowd(count, 1.0)


def _bands(theta: float, count: int) -> list[Crowd]:
    """Ranks in bands: of each, the share is an integral, which the first ranks need not."""
    edges = [*range(1, min(count, _SINGLE) + 1)]
    while edges[-1] < count:
        edges.append(min(count, max(edges[-1] + 1, int(edges[-1] * _WIDER))))
    bands = [(1.0, 1.0)]
    for low, high in pairwise(edges):
        bands.append((float(high - low), _integral(theta, low + 0.5, high + 0.5)))
    whole = sum(weight for _, weight in bands)
    return [Crowd(number, weight / whole) for number, weight in bands]


def _integral(theta: float, low: float, high: float) -> float:
    """About the sum of ``rank ** -theta`` over the ranks from ``low`` to ``high``, by the middles of the ranks."""
    if abs(theta - 1) < 1e-9:
        return log(high / low)
    return float((high ** (1 - theta) - low ** (1 - theta)) / (1 - theta))


def _few(found: list[Crowd]) -> list[Crowd]:
    if len(found) <= _MOST:
        return found
    found = sorted(found, key=lambda crowd: -crowd.share)
    rest = found[_MOST:]
    return [*found[:_MOST], Crowd(sum(crowd.count for crowd in rest), sum(crowd.share for crowd in rest))]
