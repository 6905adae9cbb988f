"""Tenants of one table: their keys, and how one leaves."""

from collections.abc import Callable
from datetime import date

import pytest

import btmodel as bt
from examples.generated.tenant_device_repository import TenantDeviceRepository
from examples.tenants import TenantDevice, without_a_delimiter
from examples.worked.tenants import EXAMPLE
from tests.worked.raw_cells import cells

Open = Callable[..., bt.Database]


@pytest.fixture
def tenants(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_the_tenant_leads_the_key(tenants: bt.Database) -> None:
    """The rows of a tenant lie together."""
    assert cells(tenants, "tenants") == {
        b"altostrat#phone#4c410523#20190501": [(b"stats:reports", b"1")],
        b"altostrat#phone#4c410523#20190502": [(b"stats:reports", b"2")],
        b"altostrat#tablet#a0b41f74#20190501": [(b"stats:reports", b"1")],
        b"examplepetstore#phone#4c410523#20190502": [(b"stats:reports", b"2")],
        b"examplepetstore#tablet#a0b81f79#20190502": [(b"stats:reports", b"2")],
        b"examplepetstore#tablet#a6b81f79#20190501": [(b"stats:reports", b"1")],
    }


def test_the_questions_have_answers(tenants: bt.Database) -> None:
    """A tenant that leaves takes its three rows with it, and no other's."""
    assert [answer.answer for answer in EXAMPLE.ask(tenants)] == [
        ["4c410523 2019-05-01", "4c410523 2019-05-02"],
        3,
        0,
        3,
    ]
    assert list(cells(tenants, "tenants")) == [
        b"examplepetstore#phone#4c410523#20190502",
        b"examplepetstore#tablet#a0b81f79#20190502",
        b"examplepetstore#tablet#a6b81f79#20190501",
    ]


def test_a_tenant_whose_name_begins_alike_stays(tenants: bt.Database) -> None:
    """Deleting altostrat leaves altostrat2, altostrat! and alto as they are, whatever sorts around the delimiter."""
    devices = TenantDeviceRepository(tenants)
    others = ("alto", "altostrat!", 'altostrat"', "altostrat$", "altostrat2", "altostrat-east")
    devices.put_many(
        TenantDevice(tenant=name, kind="phone", device="4c410523", day=date(2019, 5, 1), reports=1)
        for name in others
    )
    assert devices.of_tenant("altostrat").delete() == 3
    left = {key.partition(b"#")[0].decode() for key in cells(tenants, "tenants")}
    assert left == {*others, "examplepetstore"}


def test_a_key_without_a_delimiter_is_refused() -> None:
    """Without one, deleting altostrat would delete altostrat2, too."""
    with pytest.raises(
        bt.DeclarationError, match=r"QRY001 full-scan: .*where 'tenant' ends cannot be determined"
    ):
        without_a_delimiter()
