"""The values of a field as strata: what comes often one by one, the others as samples that stand for crowds."""

from random import Random
from typing import Any

import numpy as np
from attrs import frozen

from btmodel.simulate.keyspace.values import Making
from btmodel.simulate.workload import Distribution, Few, Weighted, Zipf

# Ranks whose weights are added one by one; of the others, the sum is an integral.
_SUMMED = 100_000


@frozen
class Stratum:
    """A value with its share of all events; it stands for ``count`` values, which have the share together.

    Of what is drawn for each event, such as a salt of its time, ``count`` is the part of the events' keys that
    have it. ``crowd`` is whether it stands for more values than itself.
    """

    value: Any
    share: float
    count: float = 1.0
    crowd: bool = False


def strata(distribution: Distribution, count: int, make: Making, most: int, seed: str) -> list[Stratum]:
    """At most ``most`` strata of ``count`` values, whose shares are 1 together.

    Which values come often is scattered over all of them; ``seed`` decides it, so that the same field
    has the same ones everywhere.
    """
    match distribution:
        case Zipf(theta):
            heads = zipf_shares(theta, count, count if count <= most else max(1, most // 2))
            return _ranked(heads, count, make, most, seed)
        case Few(share, values) if values < count and values <= max(1, most // 2):
            return _ranked([share / values] * values, count, make, most, seed)
        case Few(share, values) if values < count:
            # Too many to tell them apart: samples of either kind.
            many = max(1, most // 2)
            popular = _even(count, make, many, seed)
            others = _even(count, make, many, seed + "others")
            return [
                Stratum(one.value, one.share * part, number / len(some), crowd=True)
                for some, part, number in ((popular, share, values), (others, 1 - share, count - values))
                for one in some
            ]
        case _:
            return _even(count, make, most, seed)


def weighted(distribution: Weighted) -> list[Stratum]:
    """Values with weights, each by itself."""
    whole = sum(weight for _, weight in distribution.values)
    return [Stratum(value, weight / whole) for value, weight in distribution.values]


def zipf_shares(theta: float, count: int, heads: int) -> list[float]:
    """The shares of the ``heads`` first ranks of ``count``."""
    summed = min(count, max(_SUMMED, heads))
    weights = np.arange(1, summed + 1, dtype=float) ** -theta
    whole = float(weights.sum())
    if count > summed:
        low, high = summed + 0.5, count + 0.5
        whole += (
            np.log(high / low) if theta == 1 else (high ** (1 - theta) - low ** (1 - theta)) / (1 - theta)
        )
    return [float(weight) / float(whole) for weight in weights[:heads]]


def _ranked(heads: list[float], count: int, make: Making, most: int, seed: str) -> list[Stratum]:
    """The ranks in ``heads`` one by one, each somewhere; the rest evenly."""
    places = Random(seed).sample(range(count), len(heads))
    found = [Stratum(make(place), share) for place, share in zip(places, heads, strict=True)]
    others, rest = count - len(heads), 1 - sum(heads)
    if not others or rest <= 0:
        return found
    known = set(places)
    many = min(others, max(1, most - len(heads)))
    if many == others:
        free = [number for number in range(count) if number not in known]
    else:
        free = [_free(number, known, count) for number in _spread(count, many, seed)]
    return found + [Stratum(make(number), rest / many, others / many, others > many) for number in free]


def _even(count: int, make: Making, most: int, seed: str) -> list[Stratum]:
    many = min(count, most)
    return [
        Stratum(make(number), 1 / many, count / many, count > many) for number in _spread(count, many, seed)
    ]


def _spread(count: int, many: int, seed: str) -> list[int]:
    """``many`` of ``count`` numbers, one at random of each stretch: a regular step would have a meaning in the digits."""
    if many >= count:
        return list(range(count))
    random = Random(seed + "spread")
    edges = [count * edge // many for edge in range(many + 1)]
    return [random.randrange(edges[one], edges[one + 1]) for one in range(many)]


def _free(number: int, known: set[int], count: int) -> int:
    while number in known:
        number = (number + 1) % count
    return number
