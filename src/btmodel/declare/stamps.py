"""Declaring functions of times that are stored in the timestamps of a row."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast, overload

from btmodel.declare.declarations import (
    REQUIRED,
    Required,
    TimestampDeclaration,
    declares,
    default_of,
    here,
)
from btmodel.errors import DeclarationError, shown


@overload
def timestamp(*, round: bool = False) -> datetime: ...
@overload
def timestamp(*, default: None, round: bool = False) -> datetime | None: ...
@overload
def timestamp(*, default_factory: Callable[[], datetime], round: bool = False) -> datetime: ...
@declares
def timestamp(
    *,
    default: Required | None = REQUIRED,
    default_factory: Callable[[], datetime] | None = None,
    round: bool = False,
) -> Any:
    """A time that is stored in the timestamps of the row's plain cells, without a cell of its own.

    With ``default=None`` a row without it gets the time of writing; with ``default_factory`` what that gives when the
    row is made. A row that is read has the newest timestamp of its plain cells. Timestamps are whole milliseconds: a finer
    time is refused, or, with ``round``, taken for the millisecond that it lies in.
    """
    if default is not None and default is not REQUIRED:
        raise DeclarationError(
            f"{here()}: timestamp: the only default is None (the time of writing), got {default!r}"
        )
    return _timestamp("timestamp", default, default_factory, round)


@declares
def expires(*, default_factory: Callable[[], datetime] | None = None, round: bool = False) -> datetime:
    """The end of a row's life: a time that is stored in the timestamps of the row's plain cells, without a cell of its own.

    What has come to it, by the clock of the reader, is in no read, does not exist, and is absent for conditions,
    whether the service has deleted it yet or not: ``gc=bt.max_age(seconds=1)`` lets it. ``default_factory`` gives the end of a
    new row that is made without one. There is no ``default=None``: a row without an end would have the time of
    writing, and never be read. ``round`` is as for :func:`timestamp`.
    """
    return cast("datetime", _timestamp("expires", REQUIRED, default_factory, round, expires=True))


def _timestamp(
    function: str, default: object, default_factory: object, round: object, *, expires: bool = False
) -> TimestampDeclaration:
    location = here(3)
    what = f"{location}: {function}"
    if type(round) is not bool:
        raise DeclarationError(f"{what}: round: expected True or False, got {shown(round)}")
    return TimestampDeclaration(default_of(what, default, default_factory), location, expires, round)
