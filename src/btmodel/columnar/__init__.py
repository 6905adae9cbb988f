"""Rows as columns of Arrow. Needs the extra ``btmodel[arrow]``."""

from btmodel.columnar.fields import ArrowFields, Unfit
from btmodel.columnar.libraries import pandas, parquet, polars, pyarrow
from btmodel.columnar.record_batches import Cells, Collector, cells_of, rows_of, sql_table

__all__ = [
    "ArrowFields",
    "Cells",
    "Collector",
    "Unfit",
    "cells_of",
    "pandas",
    "parquet",
    "polars",
    "pyarrow",
    "rows_of",
    "sql_table",
]
