"""Rows as columns of Arrow. Needs the extra ``btmodel[arrow]``."""

from btmodel.columnar.batches import Collector, rows_of
from btmodel.columnar.fields import Fields
from btmodel.columnar.libraries import pandas, parquet, polars, pyarrow

__all__ = ["Collector", "Fields", "pandas", "parquet", "polars", "pyarrow", "rows_of"]
