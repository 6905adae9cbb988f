"""A heat map: load over keys and time, at the size of a picture."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray

Load = Literal["writes", "reads"]

BUCKETS = 1000  # the maximum of Key Visualizer, too


@define(frozen=True, eq=False)
class Heat:
    """The rates of a table, for ``B`` buckets of keys in ``T`` steps of time.

    A bucket is a run of keys in byte order. All buckets have about equally many rows, counted over the whole time, so
    rows that are written later have their place from the beginning, and a key that grows at its end shows as a
    diagonal.
    """

    #: The name of the table, or of the model where several lie in one table.
    table: str
    #: When the first step begins.
    start: datetime
    #: How long a step is.
    step_seconds: float
    #: The first key of each bucket, ascending; a bucket ends in front of the next one's first key.
    low: Sequence[bytes]
    #: Of each bucket's first key the values of its fields, as text, in the order of ``fields``; it may be
    #: shorter than those, where a bucket begins with a prefix.
    labels: Sequence[Sequence[str]]
    #: The names of the key's fields, from the first one.
    fields: tuple[str, ...]
    #: Rows written a second, ``(B, T)``.
    writes: NDArray[np.float32] = field(repr=False)
    #: Rows read a second, ``(B, T)``.
    reads: NDArray[np.float32] = field(repr=False)
    #: Rows in each bucket at the end, ``(B,)``.
    rows: NDArray[np.float64] = field(repr=False)

    def __attrs_post_init__(self) -> None:
        """Refuse arrays that do not fit together and would draw a wrong picture."""
        buckets, steps = len(self.low), self.writes.shape[-1]
        shapes = (len(self.labels), self.writes.shape, self.reads.shape, self.rows.shape)
        if shapes != (buckets, (buckets, steps), (buckets, steps), (buckets,)):
            raise ValueError(
                f"expected labels, writes, reads and rows of {buckets} buckets and {steps} steps, got {shapes}"
            )

    @property
    def buckets(self) -> int:
        """The number of buckets."""
        return len(self.low)

    @property
    def steps(self) -> int:
        """The number of steps."""
        return int(self.writes.shape[1])

    def rates(self, what: Load) -> NDArray[np.float32]:
        """Rows written or read a second, ``(B, T)``."""
        return self.writes if what == "writes" else self.reads

    def at(self, step: int) -> datetime:
        """The time at which a step begins."""
        return self.start + timedelta(seconds=step * self.step_seconds)

    def named(self, bucket: int) -> str:
        """The fields of a bucket's first key: ``user=anna time=12:00``."""
        return " ".join(
            f"{name}={text}" for name, text in zip(self.fields, self.labels[bucket], strict=False)
        )


_MOST_FIELDS = 3  # more would leave no room for the map


@frozen
class BucketRun:
    """Buckets from ``first`` up to, not including, ``end``, and their common value of the field."""

    first: int
    end: int
    text: str


def shown_fields(heat: Heat) -> Sequence[int]:
    """The first fields that differ between buckets, or the first fields if none does."""
    columns = range(len(heat.fields))
    varying = [column for column in columns if len({_value(label, column) for label in heat.labels}) > 1]
    return (varying or list(columns))[:_MOST_FIELDS]


def runs(heat: Heat, field: int) -> Sequence[BucketRun]:
    """The runs of a field; a run also ends where a field before it changes."""
    fronts = [tuple(label[: field + 1]) for label in heat.labels]
    firsts = [at for at, front in enumerate(fronts) if at == 0 or front != fronts[at - 1]]
    ends = [*firsts[1:], len(fronts)]
    return [
        BucketRun(first, end, _value(heat.labels[first], field))
        for first, end in zip(firsts, ends, strict=True)
    ]


def _value(label: Sequence[str], field: int) -> str:
    return label[field] if field < len(label) else ""


_MOST_DECADES = 4  # values below a ten-thousandth of the hottest are equally dark
_HOT = 10  # white is at least so many even shares: small differences in an even load are no hotspots
_WIDE = 100  # the least ratio between white and dark


# Times an even share, from the darkest to the brightest: an even load has one calm colour, a quarter of the way up.
EVEN = (0.1, 1000.0)


@frozen
class ColorScale:
    """A logarithmic scale from ``low`` to ``high``: of times an even share, or of rows a second.

    The even share is that of a range if the load of its table were spread over all ranges and the whole time; it is at
    least one row a step, so that single rows are no hotspots. On a scale of rows a second, bright is not by itself bad:
    it is relative to all rates that are seen. Those are from ``least`` above nothing to ``most``, in rows a second.
    """

    least: float
    most: float
    low: float
    high: float
    against_even: bool = True

    def place(self, rates: NDArray[np.floating], step_seconds: float) -> NDArray[np.float64]:
        """The places of the rates of a table on the scale, from 0 to 1; negative if there is no traffic at all."""
        precise = rates.astype(np.float64)
        if self.against_even and precise.any():
            precise = precise / max(float(precise.mean()), 1 / step_seconds)
        shares = np.log(np.maximum(precise, self.low) / self.low) / np.log(self.high / self.low)
        return np.where(precise > 0, np.clip(shares, 0, 1), -1)


def scale_of(matrices: Iterable[NDArray[np.floating]], *, against_even: bool = True) -> ColorScale:
    """The scale for all these rates."""
    found = [matrix.astype(np.float64) for matrix in matrices if matrix.any()]
    if not found:
        return ColorScale(0.0, 0.0, *(EVEN if against_even else (0.1, 10.0)), against_even)
    least, most = float(min(one[one > 0].min() for one in found)), float(max(one.max() for one in found))
    if against_even:
        return ColorScale(least, most, *EVEN)
    even = float(min(one.mean() for one in found))
    high = max(most, _HOT * even)
    low = max(min(least, high / _WIDE), most / 10**_MOST_DECADES)
    return ColorScale(least, most, low, high, against_even=False)


def longer_steps(heat: Heat, most: int) -> Heat:
    """The same load in at most so many steps: a longer step has the mean rate of the steps that it replaces."""
    together = -(-heat.steps // most)
    if together <= 1:
        return heat
    return evolve(
        heat,
        step_seconds=heat.step_seconds * together,
        writes=means(heat.writes.T, together).T.astype(np.float32),
        reads=means(heat.reads.T, together).T.astype(np.float32),
    )


def means(values: NDArray[np.floating], together: int) -> NDArray[np.float64]:
    """The mean of each run of so many along the first axis; the last run may be shorter."""
    begins = np.arange(0, len(values), together)
    counts = np.diff(np.append(begins, len(values)))
    totals = np.add.reduceat(values.astype(np.float64), begins, axis=0)
    return np.asarray(totals / counts.reshape(-1, *(1 for _ in values.shape[1:])))


def peaks(values: NDArray[np.floating], lines: int, columns: int) -> NDArray[np.floating]:
    """The maximum of each block, if there are more than so many lines and columns.

    The mean would hide what a heat map is for: one hot bucket among cold ones.
    """
    for axis, most in ((0, lines), (1, columns)):
        if values.shape[axis] > most:
            begins = np.arange(most) * values.shape[axis] // most
            values = np.maximum.reduceat(values, begins, axis=axis)
    return values


Counts = NDArray[np.floating] | NDArray[np.integer]


@define(frozen=True, eq=False)
class Side:
    """The simulation of one alternative: the heat of each table, and the load of each node in the same time.

    A page shows alternatives side by side, in the same colours.
    """

    name: str
    heats: Sequence[Heat]
    #: The load of each of ``N`` nodes, as a share of what it can do, ``(T, N)``; None where none was simulated.
    load: NDArray[np.floating] | None = field(default=None, repr=False)
    #: The wait that one of a hundred requests exceeds, in seconds, ``(T,)``.
    p99: NDArray[np.floating] | None = field(default=None, repr=False)
    #: How many tablets were split, and how many moved to another node, in each step, ``(T,)``.
    splits: Counts | None = field(default=None, repr=False)
    moves: Counts | None = field(default=None, repr=False)


Colour = tuple[int, int, int]

# Brightness grows evenly, so the order is also visible in grey and to the colour-blind.
STOPS: Sequence[Colour] = (
    (20, 11, 52),
    (58, 12, 96),
    (101, 21, 110),
    (144, 37, 103),
    (186, 54, 85),
    (221, 81, 58),
    (243, 118, 27),
    (252, 165, 10),
    (246, 215, 70),
    (255, 255, 240),
)
#: Where nothing is written or read.
NOTHING: Colour = (0, 0, 4)


def colour(share: float) -> Colour:
    """The colour between the coldest (0) and the hottest (1)."""
    place = min(max(share, 0.0), 1.0) * (len(STOPS) - 1)
    at = min(int(place), len(STOPS) - 2)
    (low, high), rest = list(pairwise(STOPS))[at], place - at
    red, green, blue = (round(one + (two - one) * rest) for one, two in zip(low, high, strict=True))
    return red, green, blue


_STEPS = "▁▂▃▄▅▆▇█"


@frozen
class CharacterLine:
    """A line of characters: its label, and the upper and lower half of each character.

    A half is a place on the scale from 0 to 1, or negative for no traffic.
    """

    label: str
    halves: Sequence[tuple[float, float]]


def lines(
    heat: Heat, rates: NDArray[np.floating], scale: ColorScale, most: int, columns: int
) -> Sequence[CharacterLine]:
    """At most so many lines of at most so many characters; of cells that share a half, the hottest is drawn."""
    cells = wide(peaks(scale.place(rates, heat.step_seconds), 2 * most, columns), columns)
    if len(cells) <= most:
        cells = np.repeat(cells, 2, axis=0)
    elif len(cells) % 2:
        cells = np.concatenate([cells, cells[-1:]])
    halves = [list(zip(*pair, strict=True)) for pair in cells.reshape(-1, 2, cells.shape[1]).tolist()]
    firsts = [at * heat.buckets // len(halves) for at in range(len(halves))]
    return [CharacterLine(label, one) for label, one in zip(_labels(heat, firsts), halves, strict=True)]


def label_width(heat: Heat) -> int:
    """The maximal length of a label."""
    shown = shown_fields(heat)
    texts = (" ".join(label[one] for one in shown if one < len(label)) for label in heat.labels)
    return max(map(len, texts), default=0)


def wide(cells: NDArray[np.floating], columns: int) -> NDArray[np.floating]:
    """The same cells, repeated as often as there is room, so that a few steps do not become a thin strip."""
    return np.repeat(cells, max(columns // cells.shape[1], 1), axis=1)


def bar(load: NDArray[np.floating], columns: int) -> str:
    """Utilizations as bars, one per character; an idle node is a blank."""
    highest = wide(peaks(load.reshape(1, -1), 1, columns), columns)[0]
    places = np.clip(np.ceil(highest * len(_STEPS)), 0, len(_STEPS)).astype(int)
    return "".join(f" {_STEPS}"[one] for one in places.tolist())


def _labels(heat: Heat, buckets: Sequence[int]) -> list[str]:
    """The values of the fields that differ somewhere; a first value is not repeated while it lasts."""
    shown = shown_fields(heat)
    found, before = [], ""
    for bucket in buckets:
        texts = [heat.labels[bucket][one] for one in shown if one < len(heat.labels[bucket])]
        head, *rest = texts or [""]
        found.append(" ".join([" " * len(head) if head == before else head, *rest]).rstrip())
        before = head
    return found
