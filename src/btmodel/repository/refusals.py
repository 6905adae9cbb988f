"""Whose refusal it is where one call takes two edits."""

from collections.abc import Iterator
from contextlib import contextmanager

from btmodel.errors import QueryRefused


@contextmanager
def of_otherwise() -> Iterator[None]:
    """Say of a :class:`QueryRefused` raised inside that it is about the edit of ``otherwise=``."""
    try:
        yield
    except QueryRefused as error:
        raise QueryRefused(f"otherwise=: {error}") from None
