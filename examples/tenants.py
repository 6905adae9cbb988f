"""Tenants in one table: the tenant leads the key, so its rows lie together, and go together when it leaves.

A table of its own for every tenant would serve the same questions, but an instance takes 1,000 tables only.
"""

from datetime import date

import btmodel as bt


class TenantDevice(bt.Model, table="tenants", events="100000/day"):
    """A day of a device of one tenant."""

    tenant: str = bt.key(bt.Text(max_length=30), cardinality=500)
    kind: str = bt.key(bt.Text(max_length=10), cardinality=5)
    device: str = bt.key(bt.HexDigest(8), cardinality=100_000)
    day: date = bt.key(bt.DateText())

    stats = bt.family("stats", gc=bt.max_versions(1))
    reports: int = bt.column("reports", stats, codec=bt.DecimalText())

    of_tenant = bt.query("tenant")
    of_kind = bt.query("tenant", "kind")


def without_a_delimiter() -> object:
    """Nothing between the tenant and what follows: nobody could tell where the tenant ends."""

    class Device(bt.Model, table="tenants", delimiter="", events="100000/day"):
        tenant: str = bt.key(bt.Text(max_length=30), cardinality=500)
        device: str = bt.key(bt.HexDigest(8), cardinality=100_000)

        stats = bt.family("stats", gc=bt.max_versions(1))
        reports: int = bt.column("reports", stats)

        of_tenant = bt.query("tenant")

    return Device


DEVICES = (
    ("altostrat", "phone", "4c410523", 1),
    ("altostrat", "phone", "4c410523", 2),
    ("altostrat", "tablet", "a0b41f74", 1),
    ("examplepetstore", "phone", "4c410523", 2),
    ("examplepetstore", "tablet", "a6b81f79", 1),
    ("examplepetstore", "tablet", "a0b81f79", 2),
)
