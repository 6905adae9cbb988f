"""The settings of a shop: one row, whose key nobody gives."""

from collections.abc import Callable

import pytest

import btmodel as bt
from examples.generated.shop_settings_repository import ShopSettingsKey, ShopSettingsRepository
from examples.shop_settings import ShopSettings
from examples.worked.shop_settings import EXAMPLE
from tests.worked.raw_cells import cells

Open = Callable[..., bt.Database]


@pytest.fixture
def shop(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_the_key_is_the_constant(shop: bt.Database) -> None:
    """There is one row, called shop; its newest cells are those of version 2."""
    assert ShopSettings.row_key() == b"shop"
    [(key, found)] = cells(shop, "settings").items()
    assert key == b"shop"
    newest = dict(reversed(found))
    assert newest == {b"data:version": b"2", b"data:currency": b"EUR", b"data:free_from": b"49.90"}


def test_the_questions_have_answers(shop: bt.Database) -> None:
    """A change of a version that is gone is not taken, so nobody's change is lost."""
    assert [answer.answer for answer in EXAMPLE.ask(shop)] == ["49.90", False]


def test_the_row_is_asked_for_without_a_key(shop: bt.Database) -> None:
    """Every method of a repository that takes a key takes this one, which is empty."""
    settings = ShopSettingsRepository(shop)
    assert settings.exists()
    assert settings.get_many([ShopSettingsKey()]) == [settings.get()]
    settings.clear(ShopSettingsKey(), "free_shipping_from")
    found = settings.get()
    assert found is not None
    assert found.free_shipping_from is None
    settings.delete()
    assert settings.get() is None
