"""How often each value of a key field comes.

Which value is popular is scattered over the key space, by a hash of its rank, as YCSB's
``ScrambledZipfianGenerator`` does. How many values there are stands beside the distribution, in
:attr:`btmodel.simulate.workload.Workload.counts`.
"""

from typing import Any

from attrs import field, frozen

from btmodel.errors import SimulationRefused, shown

# com.yahoo.ycsb.generator.ZipfianGenerator.ZIPFIAN_CONSTANT
YCSB_THETA = 0.99
# Beyond this, the first value has nine of ten events, whatever follows.
_MOST_THETA = 5.0


def _theta(instance: object, attribute: object, value: float) -> None:
    if not 0 < value <= _MOST_THETA:
        raise SimulationRefused(f"zipf: wanted an exponent above 0 and up to {_MOST_THETA:g}, got {value!r}")


def _share(instance: object, attribute: object, value: float) -> None:
    if not 0 < value <= 1:
        raise SimulationRefused(
            f"a few values: wanted a share above 0 % and up to 100 %, got {100 * value:g} %"
        )


def _some(instance: object, attribute: object, value: int) -> None:
    if type(value) is not int or value < 1:
        raise SimulationRefused(f"a few values: wanted at least 1 value, got {value!r}")


def _weights(instance: object, attribute: object, pairs: tuple[tuple[Any, float], ...]) -> None:
    if not pairs:
        raise SimulationRefused("values with weights: wanted at least one value, got none")
    seen = set()
    for value, weight in pairs:
        if not 0 < weight < float("inf"):
            raise SimulationRefused(
                f"values with weights: wanted a weight above 0 of {shown(value)}, got {weight!r}"
            )
        if value in seen:
            raise SimulationRefused(f"values with weights: wanted each value once, got {shown(value)} twice")
        seen.add(value)
    if sum(weight for _, weight in pairs) == float("inf"):
        raise SimulationRefused(
            "values with weights: wanted weights that can be summed up, got too large ones"
        )


@frozen
class Uniform:
    """Each value as often as any other."""

    def __str__(self) -> str:
        return "uniform"


@frozen
class Zipf:
    """The value of rank ``r`` in proportion to ``r ** -theta``; YCSB's is 0.99."""

    theta: float = field(default=YCSB_THETA, validator=_theta)

    def __str__(self) -> str:
        return f"zipf:{self.theta:g}"


@frozen
class Weighted:
    """These values alone, each in proportion to its weight, as Python values of the field."""

    values: tuple[tuple[Any, float], ...] = field(validator=_weights)

    def __str__(self) -> str:
        return ",".join(f"{value}:{weight:g}" for value, weight in self.values)


@frozen
class Few:
    """``share`` of all events come to ``values`` values, evenly, and the rest evenly to all others."""

    share: float = field(default=0.9, validator=_share)
    values: int = field(default=200, validator=_some)

    def __str__(self) -> str:
        return f"{self.share:.6%}".rstrip("%").rstrip("0").rstrip(".") + f"%:{self.values}"


@frozen
class Sequential:
    """Each event has a new value, one above the last; as many as are counted were there before, or as the history gave."""

    def __str__(self) -> str:
        return "sequential"


@frozen
class Clock:
    """The time of the event."""

    def __str__(self) -> str:
        return "clock"


Distribution = Uniform | Zipf | Weighted | Few | Sequential | Clock
