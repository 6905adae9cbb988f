"""What a picture shows, in sentences and figures: for whoever does not see it, and to check what is seen."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from btmodel.counted import counted
from btmodel.printable import one_line
from btmodel.simulate.picture import words
from btmodel.simulate.picture.heat import Heat
from btmodel.simulate.picture.side import Side

_HOT = 5  # ranges of keys that are named


@frozen
class HotRange:
    """A bucket that had much of a table's load: its keys, its share of the whole time, and when it was hottest."""

    first: str
    end: str
    fields: str
    share: float
    most: float
    at: str


def hottest(heat: Heat, rates: NDArray[np.float32], count: int = _HOT) -> Sequence[HotRange]:
    """The buckets with the largest shares of ``rates``, which are the heat's writes or its reads."""
    sums = rates.sum(axis=1, dtype=np.float64)
    order = [int(one) for one in np.argsort(-sums, kind="stable")[:count] if sums[one] > 0]
    return [_range(heat, rates[one], one, float(sums[one] / sums.sum())) for one in order]


def told(heat: Heat) -> Sequence[str]:
    """How the load of one table is spread."""
    ranges, steps = counted(heat.buckets, "range"), counted(heat.steps, "step")
    sentences = [
        f"{ranges} of keys by {steps} of {words.duration(heat.step_seconds)}, from {heat.start:%Y-%m-%d %H:%M} on."
    ]
    for verb, rates in (("written", heat.writes), ("read", heat.reads)):
        totals = rates.sum(axis=0, dtype=np.float64)
        if not totals.any():
            sentences.append(f"Nothing is {verb}.")
            continue
        peaks = rates.max(axis=0, initial=0)[totals > 0] / totals[totals > 0]
        whole = hottest(heat, rates, 1)[0].share
        sentences.append(
            f"{words.figure(float(totals.mean()))} rows/s are {verb}; of these the hottest range has "
            f"{words.share(float(np.median(peaks)))} in the usual step, {words.share(float(peaks.max()))} at "
            f"most, and {words.share(whole)} of the whole time's (an even share is {words.share(1 / heat.buckets)})."
        )
    return sentences


def told_of_nodes(side: Side) -> Sequence[str]:
    """How busy the nodes are."""
    load = side.load
    if load is None or not load.size:
        return []
    nodes = load.shape[1]
    if nodes == 1:
        return [
            f"The one node is busy to {words.share(float(load.mean()))} in the mean, {words.share(float(load.max()))} at most."
        ]
    busiest = load.max(axis=1)
    return [
        f"Of {nodes:,} nodes the busiest is at {words.share(float(busiest.mean()))} in the mean and "
        f"{words.share(float(busiest.max()))} at most; all together at {words.share(float(load.mean()))}."
    ]


def _range(heat: Heat, rates: NDArray[np.float32], bucket: int, share: float) -> HotRange:
    step = int(rates.argmax())
    last = bucket + 1 == heat.buckets
    return HotRange(
        first=words.key(heat.low[bucket]),
        end="(the last key)" if last else words.key(heat.low[bucket + 1]),
        fields=one_line(heat.named(bucket)),
        share=share,
        most=float(rates[step]),
        at=f"{heat.at(step):%Y-%m-%d %H:%M}",
    )
