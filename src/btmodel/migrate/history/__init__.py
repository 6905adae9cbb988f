"""The migration history: what an instance remembers of its migrations, in a table of its own."""

from btmodel.migrate.history.records import (
    AppliedRevision,
    CopyRecord,
    Journal,
    Lease,
    Reached,
    Step,
    UnreadableRecord,
)
from btmodel.migrate.history.table import Data, TableJournal

__all__ = [
    "AppliedRevision",
    "CopyRecord",
    "Data",
    "Journal",
    "Lease",
    "Reached",
    "Step",
    "TableJournal",
    "UnreadableRecord",
]
