"""Rows as columns of Arrow. Needs the extra ``btmodel[arrow]``."""

from btmodel.columnar.collector import Collector
from btmodel.columnar.fields import Fields
from btmodel.columnar.libraries import pandas, polars, pyarrow
from btmodel.columnar.source import rows_of

__all__ = ["Collector", "Fields", "pandas", "polars", "pyarrow", "rows_of"]
