"""The settings of a shop: a table with a single row, whose key is a constant that nobody gives."""

from decimal import Decimal

import btmodel as bt


class ShopSettings(bt.Model, table="settings", events="1/day"):
    """What the whole shop shares. `version` tells whether somebody else changed it in the meantime."""

    row = bt.constant("shop")

    data = bt.family("data", gc=bt.max_versions(1))
    version: int = bt.column("version", data, codec=bt.DecimalText())
    currency: str = bt.column("currency", data)
    free_shipping_from: Decimal | None = bt.column("free_from", data, default=None)
