"""Heat maps of few cells, for a terminal: a character shows two of them, one above the other."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from btmodel.simulate.picture.heat import Heat
from btmodel.simulate.picture.runs import shown_fields
from btmodel.simulate.picture.scale import Scale
from btmodel.simulate.picture.smaller import peaks

_STEPS = "▁▂▃▄▅▆▇█"


@frozen
class Line:
    """A line of characters: what stands in front of it, and of each its upper and its lower half.

    A half is a place on the scale, from 0 to 1, or less than 0 where there is nothing.
    """

    label: str
    halves: Sequence[tuple[float, float]]


def lines(heat: Heat, rates: NDArray[np.floating], scale: Scale, most: int, columns: int) -> Sequence[Line]:
    """At most so many lines of at most so many characters; where cells share a half, the hottest is drawn."""
    cells = wide(peaks(scale.place(rates), 2 * most, columns), columns)
    if len(cells) <= most:
        cells = np.repeat(cells, 2, axis=0)
    elif len(cells) % 2:
        cells = np.concatenate([cells, cells[-1:]])
    halves = [list(zip(*pair, strict=True)) for pair in cells.reshape(-1, 2, cells.shape[1]).tolist()]
    firsts = [at * heat.buckets // len(halves) for at in range(len(halves))]
    return [Line(label, one) for label, one in zip(_labels(heat, firsts), halves, strict=True)]


def label_width(heat: Heat) -> int:
    """The most characters that a label may have."""
    shown = shown_fields(heat)
    texts = (" ".join(label[one] for one in shown if one < len(label)) for label in heat.labels)
    return max(map(len, texts), default=0)


def wide(cells: NDArray[np.floating], columns: int) -> NDArray[np.floating]:
    """The same cells, each as often as there is room for all, so that few steps are not a thin strip."""
    return np.repeat(cells, max(columns // cells.shape[1], 1), axis=1)


def bar(load: NDArray[np.floating], columns: int) -> str:
    """Shares of what a node can do as bars, one a character; an idle one is a blank."""
    highest = wide(peaks(load.reshape(1, -1), 1, columns), columns)[0]
    places = np.clip(np.ceil(highest * len(_STEPS)), 0, len(_STEPS)).astype(int)
    return "".join(f" {_STEPS}"[one] for one in places.tolist())


def _labels(heat: Heat, buckets: Sequence[int]) -> list[str]:
    """The values of the fields that are not the same everywhere; a first one that goes on is not said again."""
    shown = shown_fields(heat)
    found, before = [], ""
    for bucket in buckets:
        texts = [heat.labels[bucket][one] for one in shown if one < len(heat.labels[bucket])]
        head, *rest = texts or [""]
        found.append(" ".join([" " * len(head) if head == before else head, *rest]).rstrip())
        before = head
    return found
