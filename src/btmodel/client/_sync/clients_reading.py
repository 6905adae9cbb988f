# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""One read as Google's data client does it, with its own merger of rows, its deadlines and its retries."""

from collections.abc import Callable
from contextlib import closing
from typing import Any, TypeVar

from google.cloud.bigtable.data import ReadRowsQuery
from google.cloud.bigtable.data import RowRange as ClientRange

from btmodel.client.calls import Calls
from btmodel.client.failures import translated
from btmodel.client.filters import sendable_filter
from btmodel.client.streams import Batches, RowBatch
from btmodel.client.target import Target
from btmodel.rows import Cell, ReadPlan, RowDecoder

T = TypeVar("T")


def read_with_client(
    open_table: Callable[[str], Calls],
    plan: ReadPlan,
    target: Target,
    decoder: RowDecoder[T],
    pause: object = None,
) -> Batches[T]:
    """What ``decoder`` makes of the rows of ``plan``, each as a batch of its own.

    That client knows no reads from the last row to the first, and pauses by itself.
    """
    spans = [span for span in plan.ranges if not span.empty]
    if not spans:
        return
    query = ReadRowsQuery(
        row_keys=[span.key for span in spans if span.key],
        row_ranges=[ClientRange(span.start or None, span.end or None) for span in spans if not span.key],
        limit=plan.limit,
        row_filter=sendable_filter(plan.filter, plan.table) if plan.filter else None,
    )
    with translated(plan.table, target, filter=plan.filter):
        rows: Any = open_table(plan.table).table.read_rows_stream(query)
        with closing(rows):
            for row in rows:
                cells = [
                    Cell(cell.family, cell.qualifier, cell.timestamp_micros, cell.value) for cell in row.cells
                ]
                yield RowBatch([row.row_key], [decoder.strict(row.row_key, cells)])
