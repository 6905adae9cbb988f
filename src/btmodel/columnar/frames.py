"""The types of tables, for type checkers: nothing imports this when it runs."""

from pandas import DataFrame as PandasFrame
from polars import DataFrame as PolarsFrame
from pyarrow import RecordBatch, Table

__all__ = ["PandasFrame", "PolarsFrame", "RecordBatch", "Table"]
