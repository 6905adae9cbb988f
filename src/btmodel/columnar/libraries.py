"""The optional libraries of columns, imported when needed, and the types of their frames."""

from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from btmodel.errors import QueryRefused
from btmodel.on_demand import library

if TYPE_CHECKING:
    from pandas import DataFrame as PandasFrame
    from polars import DataFrame as PolarsFrame
    from pyarrow import RecordBatch, Table

    __all__ = [
        "PandasFrame",
        "PolarsFrame",
        "RecordBatch",
        "Table",
        "numpy",
        "pandas",
        "parquet",
        "polars",
        "pyarrow",
        "time_type",
    ]

_found = partial(library, what="a read of columns", error=QueryRefused)


@cache
def pyarrow() -> Any:
    """The library of that name, with its functions on columns."""
    found = _found("pyarrow", "arrow")
    import_module("pyarrow.compute")
    return found


def time_type() -> Any:
    """The type of Arrow for all times: in microseconds, as cells have them, and in UTC."""
    return pyarrow().timestamp("us", tz="UTC")


@cache
def parquet() -> Any:
    """The part of pyarrow that reads and writes files of Parquet."""
    pyarrow()
    return import_module("pyarrow.parquet")


@cache
def numpy() -> Any:
    """The library of that name, which comes with ``btmodel[arrow]``."""
    return _found("numpy", "arrow")


@cache
def pandas() -> Any:
    """The library of that name."""
    return _found("pandas", "pandas")


@cache
def polars() -> Any:
    """The library of that name."""
    return _found("polars", "polars")
