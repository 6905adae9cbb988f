"""Devices and machines: row keys that tell what is asked for, from the left.

A key begins with what every question gives, and ends with the time. A reading is a row
of its own: one row a device, updated every second, would keep one tablet busy, and grow.
A counter that changes hundreds of times a minute is kept in memory and written at intervals.
"""

from datetime import UTC, date, datetime, timedelta

import btmodel as bt
from examples.codecs import MachineName, WholeSeconds


class DeviceDay(bt.Model, table="devices", events="100000/day"):
    """A day of a device: asked for by the type of devices, or by type and id."""

    kind: str = bt.key(bt.Text(max_length=10), cardinality=5)
    device: str = bt.key(bt.HexDigest(8), cardinality=100_000)
    day: date = bt.key(bt.DateText())

    stats = bt.family("stats", gc=bt.max_versions(1))
    reports: int = bt.column("reports", stats, codec=bt.DecimalText())

    of_kind = bt.query("kind")
    of_device = bt.query("kind", "device", between="day")


def all_of_one_day() -> object:
    """Every device on one day: the day stands at the end of the key."""

    class Device(bt.Model, table="devices", events="100000/day"):
        kind: str = bt.key(bt.Text(max_length=10), cardinality=5)
        device: str = bt.key(bt.HexDigest(8), cardinality=100_000)
        day: date = bt.key(bt.DateText())

        stats = bt.family("stats", gc=bt.max_versions(1))
        reports: int = bt.column("reports", stats, codec=bt.DecimalText())

        of_day = bt.query("day")

    return Device


class MemoryUse(bt.Model, table="memory_use", events="10000/s"):
    """A row a reading, with the metric's name as a constant in the middle of the key."""

    device: str = bt.key(bt.HexDigest(8), cardinality=10_000)
    metric = bt.constant("memusage")
    at: datetime = bt.key(bt.EpochMillis())

    memory = bt.family("memory", gc=bt.max_versions(1))
    percent: int = bt.column("percent", memory, codec=bt.DecimalText())

    of_device = bt.query("device", between="at")


class MachineLoad(bt.Model, table="machines", events="1000/s"):
    """How a machine did at a time. Its name in the key, and the time that it runs, have codecs of their own."""

    machine: int = bt.key(MachineName(), cardinality=1_000)
    at: datetime = bt.key(bt.EpochMillis())

    load = bt.family("load", gc=bt.max_versions(1))
    cpu: int = bt.column("cpu", load, codec=bt.DecimalText())
    running: timedelta = bt.column("running", load, codec=WholeSeconds())

    of_machine = bt.query("machine", between="at")


class Process(bt.Model, table="processes", events="5000/s"):
    """A process of a machine. Columns come back in the order of their bytes, whatever the order of declaration."""

    machine: int = bt.key(MachineName(), cardinality=1_000)
    number: int = bt.key(bt.PaddedInt(7), cardinality=30_000, mirror=("SysMonitor:ID", bt.DecimalText()))

    monitor = bt.family("SysMonitor", gc=bt.max_versions(1))
    name: str = bt.column("ProcessName", monitor)
    user: str = bt.column("User", monitor)
    cpu: float = bt.column("%CPU", monitor, codec=bt.FloatText())
    memory: int = bt.column("Memory", monitor, codec=bt.DecimalText())
    disk_read: int = bt.column("DiskRead", monitor, codec=bt.DecimalText())
    priority: int = bt.column("Priority", monitor, codec=bt.DecimalText())

    of_machine = bt.query("machine")


DEVICES = (("phone", "4c410523", (1, 2)), ("tablet", "a0b81f74", (1, 2)))
MEMORY_AT = datetime(2015, 2, 9, 23, 12, 49, 918_000, tzinfo=UTC)
MACHINE_AT = datetime(2015, 3, 2, 21, 12, 37, 685_000, tzinfo=UTC)
