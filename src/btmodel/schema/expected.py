"""What a model expects of a column: figures for the review alone, which no byte depends on."""

from datetime import timedelta

from attrs import frozen

from btmodel.schema.gc import GcRule
from btmodel.schema.rate import Rate


@frozen
class Expected:
    """The declared figures of a column; None is what the model does not say.

    ``size`` and ``max_size`` are the bytes of a typical value and of the largest one,
    ``cardinality`` the number of distinct values in the table. ``every`` is the time between two events
    of one row, ``entries`` the most entries or members that one row has. ``keep`` is what the
    column wants to be kept, where that may differ from its family's rule. ``increments`` is the rate at which the
    cell of one row is added to.
    """

    size: int | None = None
    max_size: int | None = None
    cardinality: int | None = None
    every: timedelta | None = None
    entries: int | None = None
    keep: GcRule | None = None
    increments: Rate | None = None
