"""The load of a table over its keys and over time: what a heat map shows."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

BUCKETS = 1000  # as many as Key Visualizer has, at most


@define(frozen=True, eq=False)
class Heat:
    """Rates of a table, of ``B`` buckets of keys in ``T`` steps of time.

    Buckets are runs of keys in the order of their bytes, each of about as many rows as any other, counted
    over the whole time: rows that are only written later have their place from the beginning. So a key that
    grows at its end is a diagonal.
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
        """Refuse what does not fit together, of which a wrong picture would be drawn."""
        buckets, steps = len(self.low), self.writes.shape[-1]
        shapes = (len(self.labels), self.writes.shape, self.reads.shape, self.rows.shape)
        if shapes != (buckets, (buckets, steps), (buckets, steps), (buckets,)):
            raise ValueError(
                f"wanted labels, writes, reads and rows of {buckets} buckets and {steps} steps, got {shapes}"
            )

    @property
    def buckets(self) -> int:
        """How many buckets there are."""
        return len(self.low)

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return int(self.writes.shape[1])

    def at(self, step: int) -> datetime:
        """When a step begins."""
        return self.start + timedelta(seconds=step * self.step_seconds)

    def named(self, bucket: int) -> str:
        """The fields of a bucket's first key: ``user=anna time=12:00``."""
        return " ".join(
            f"{name}={text}" for name, text in zip(self.fields, self.labels[bucket], strict=False)
        )
