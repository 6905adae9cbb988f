"""The settings of a shop against a server."""

from collections.abc import Iterator
from decimal import Decimal

import btmodel as bt
from examples.generated.shop_settings_repository import ShopSettingsRepository
from examples.shop_settings import ShopSettings
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """The first settings; then a change of them, if nobody else made one."""
    settings = ShopSettingsRepository(db)
    settings.put_if_absent(ShopSettings(version=1, currency="EUR"))
    changed = ShopSettings(version=2, currency="EUR", free_shipping_from=Decimal("49.90"))
    settings.put_if(changed, version=1)


def ask(db: bt.Database) -> Iterator[Answer]:
    """The row, which has no other key; and a change that comes too late."""
    settings = ShopSettingsRepository(db)
    now = settings.get()
    yield Answer("From what price on is shipping free?", now and str(now.free_shipping_from))
    late = settings.put_if(ShopSettings(version=2, currency="USD"), version=1)
    yield Answer("Is a change of version 1 taken still?", late)


EXAMPLE = Example("The settings of a shop", (ShopSettings,), write, ask)
