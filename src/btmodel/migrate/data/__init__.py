"""Migrations of data: resumable walks that copy, compare and rewrite rows."""

from btmodel.migrate.data.adding import added
from btmodel.migrate.data.copies import Copy, CopyDifference, compare, copy
from btmodel.migrate.data.move_steps import MoveStep, move
from btmodel.migrate.data.rewriting import RewriteStep, rewrite
from btmodel.migrate.data.steps import DataStep, StoredRow, data_step, run_step
from btmodel.migrate.data.walks import Progress, Recorded, Row, RowAccess, walk

__all__ = [
    "Copy",
    "CopyDifference",
    "DataStep",
    "MoveStep",
    "Progress",
    "Recorded",
    "RewriteStep",
    "Row",
    "RowAccess",
    "StoredRow",
    "added",
    "compare",
    "copy",
    "data_step",
    "move",
    "rewrite",
    "run_step",
    "walk",
]
