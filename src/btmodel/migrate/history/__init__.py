"""The migration history: what an instance remembers of its migrations, in a table of its own."""

from btmodel.migrate.history.records import (
    AppliedRevision,
    CopyRecord,
    Lock,
    Reached,
    Step,
    UnreadableRecord,
)
from btmodel.migrate.history.table import HistoryRows, MigrationHistory

__all__ = [
    "AppliedRevision",
    "CopyRecord",
    "HistoryRows",
    "Lock",
    "MigrationHistory",
    "Reached",
    "Step",
    "UnreadableRecord",
]
