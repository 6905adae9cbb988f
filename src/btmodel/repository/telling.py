"""Going on past rows that cannot be decoded, never in silence."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from btmodel.errors import UndecodableCell, UndecodableKey

Undecodable = UndecodableKey | UndecodableCell
OnError = Callable[[Undecodable], object]


@contextmanager
def told(on_error: OnError | None) -> Iterator[None]:
    """Give the error of a row that cannot be decoded to ``on_error``, or raise it where there is none."""
    try:
        yield
    except (UndecodableKey, UndecodableCell) as error:
        if on_error is None:
            raise
        on_error(error)
