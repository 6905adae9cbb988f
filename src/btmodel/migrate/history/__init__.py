"""The migration history: what an instance remembers of its migrations, in a table of its own."""

from btmodel.migrate.history.records import (
    AppliedRevision,
    CopyRecord,
    Lock,
    Reached,
    Step,
    UnreadableRecord,
)
from btmodel.migrate.history.table import History, HistoryRows

__all__ = [
    "AppliedRevision",
    "CopyRecord",
    "History",
    "HistoryRows",
    "Lock",
    "Reached",
    "Step",
    "UnreadableRecord",
]
