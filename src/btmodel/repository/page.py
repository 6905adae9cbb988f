"""Pages: some rows of a read, and where the next ones begin."""

from typing import Generic, TypeVar

from attrs import frozen

M = TypeVar("M")


@frozen
class Page(Generic[M]):
    """Rows of a read, and the cursor of the page behind them; ``next`` is None where nothing follows."""

    rows: list[M]
    next: str | None
