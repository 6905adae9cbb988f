"""A data step that workers can import."""

import btmodel as bt
from btmodel.migrate import data_step
from examples.market import Quote


@data_step(Quote)
def doubled_size(row: Quote) -> Quote:
    """Quotes of twice the size."""
    return bt.replace(row, bid_size=2 * (row.bid_size or 0) % 1_000)


@data_step(Quote)
def broken(row: Quote) -> Quote:
    """Fails."""
    raise ValueError("no venue")
