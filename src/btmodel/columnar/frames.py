"""The types of data frames, for type checkers only."""

from pandas import DataFrame as PandasFrame
from polars import DataFrame as PolarsFrame
from pyarrow import RecordBatch, Table

__all__ = ["PandasFrame", "PolarsFrame", "RecordBatch", "Table"]
