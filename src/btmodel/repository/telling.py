"""Going on past rows that cannot be decoded, never in silence."""

from collections.abc import Callable

from btmodel.errors import UndecodableCell, UndecodableKey

UNDECODABLE = (UndecodableKey, UndecodableCell)
Undecodable = UndecodableKey | UndecodableCell
OnError = Callable[[Undecodable], object]


def tell(error: Undecodable, on_error: OnError | None) -> None:
    """Give the error of a row that cannot be decoded to ``on_error``, or raise it where there is none."""
    if on_error is None:
        raise error
    on_error(error)
