"""Tenants of one table against a server."""

from collections.abc import Iterator
from datetime import date

import btmodel as bt
from examples.generated.tenant_device_repository import TenantDeviceRepository
from examples.tenants import DEVICES, TenantDevice, without_a_delimiter
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Six rows of two tenants."""
    TenantDeviceRepository(db).put_many(
        TenantDevice(tenant=tenant, kind=kind, device=device, day=date(2019, 5, day), reports=day)
        for tenant, kind, device, day in DEVICES
    )


def ask(db: bt.Database) -> Iterator[Answer]:
    """What a tenant has; and then it leaves."""
    devices = TenantDeviceRepository(db)
    phones = [f"{row.device} {row.day}" for row in devices.of_kind("altostrat", "phone")]
    yield Answer("Which days are there of the phones of altostrat?", phones)
    yield Answer("altostrat leaves. How many rows are deleted?", devices.delete_prefix(tenant="altostrat"))
    yield Answer("And how many are left of it?", devices.of_tenant("altostrat").count())
    yield Answer("And of examplepetstore?", devices.of_tenant("examplepetstore").count())


EXAMPLE = Example("Tenants of one table", (TenantDevice,), write, ask, refused=(without_a_delimiter,))
