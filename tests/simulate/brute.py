"""Events one by one: the row key of each is written with the model's own codec. Slow, and nothing to be wrong in."""

from collections.abc import Iterator
from random import Random
from typing import Any

from attrs import frozen

from btmodel.rows import RowKeyCodec
from btmodel.simulate.keyspace.key_fields import making, number_of, pace_of, strata, time_of, weighted
from btmodel.simulate.workload import EventTime, Sequential, Uniform, Weighted, Workload


@frozen
class Event:
    """One event: when it came, in seconds from the start, and its row key."""

    second: float
    key: bytes


def events(workload: Workload, begin: float, end: float, count: int) -> Iterator[Event]:
    """So many events, at random moments between two, in the order of time; no more than the workload has then."""
    random = Random(count)
    codec = RowKeyCodec(workload.model)
    draws = {part.name: _draw(workload, part.name, random, end) for part in workload.model.key.asked}
    # Ids do not come at random, each is the next one.
    regular = any(isinstance(one, Sequential) for one in workload.fields.values())
    for at, second in enumerate(sorted(random.uniform(begin, end) for _ in range(count))):
        moment = begin + (at + random.random()) * (end - begin) / count if regular else second
        yield Event(moment, codec.key({name: draw(moment) for name, draw in draws.items()}))


def _draw(workload: Workload, name: str, random: Random, end: float) -> Any:
    codec = workload.model.key.field(name).codec
    distribution = workload.fields[name]
    if isinstance(distribution, EventTime):
        return time_of(codec, workload.start)
    if isinstance(distribution, Sequential):
        steps = max(1, int(end / 60))
        return number_of(codec, workload.counts[name], pace_of(workload, steps, end / steps))
    count = workload.counts[name]
    if isinstance(distribution, Uniform):
        make = making(name, codec, count, workload.start)
        return lambda _: make(random.randrange(count))
    if isinstance(distribution, Weighted):
        all_values = weighted(distribution)
    else:
        all_values = strata(distribution, count, making(name, codec, count, workload.start), count, name)
    values, weights = [one.value for one in all_values], [one.share for one in all_values]
    sums = [sum(weights[: at + 1]) for at in range(len(weights))]
    return lambda _: random.choices(values, cum_weights=sums)[0]
