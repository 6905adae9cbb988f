"""Two models of fixed-width keys, with mirrors: rows, one range each."""

from examples.market import Quote, Trade

__all__ = ["Quote", "Trade"]
