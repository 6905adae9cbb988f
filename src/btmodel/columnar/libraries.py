"""The optional libraries of columns, imported when needed."""

from functools import cache
from importlib import import_module
from typing import Any

from btmodel.errors import QueryRefused


def _found(library: str, extra: str) -> Any:
    try:
        return import_module(library)
    except ImportError:
        raise QueryRefused(f"columns of rows need {library}: install btmodel[{extra}]") from None


@cache
def pyarrow() -> Any:
    """The library of that name, with its functions on columns."""
    found = _found("pyarrow", "arrow")
    import_module("pyarrow.compute")
    return found


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
