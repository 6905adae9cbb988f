"""What somebody says of a workload, over what the model declares: on the command line, or in a file."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from attrs import field, frozen

from btmodel.schema import Rate


@frozen
class Stated:
    """Figures of a workload; None, or no entry, is what is not said.

    ``fields`` maps a field to the text of its distribution, or to values with weights; ``counts`` to how many
    values it has; ``reads`` a query to a rate such as ``100/s``, or ``100/s:50`` for 50 rows each.
    """

    events: Rate | None = None
    growth: float | None = None
    daily: float | None = None
    history: timedelta | None = None
    start: datetime | None = None
    fields: Mapping[str, str | Mapping[str, Any]] = field(factory=dict)
    counts: Mapping[str, int] = field(factory=dict)
    reads: Mapping[str, str] = field(factory=dict)

    def over(self, other: "Stated") -> "Stated":
        """This, and what ``other`` says where this says nothing."""
        return Stated(
            self.events or other.events,
            other.growth if self.growth is None else self.growth,
            other.daily if self.daily is None else self.daily,
            other.history if self.history is None else self.history,
            self.start or other.start,
            {**other.fields, **self.fields},
            {**other.counts, **self.counts},
            {**other.reads, **self.reads},
        )
