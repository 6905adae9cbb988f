"""Metrics of servers: a hundred of them, from each of 100,000 machines, every five seconds.

What did one machine do between two times? One range of METRIC, whose key is the machine
and the time. How do machines do now? No key of METRIC serves that, so the newest set of each
machine is written to CURRENT_METRIC, too, in place of the one before.

The key of CURRENT_METRIC holds no time. Its cells have the time of their set as their
timestamp, so that a set that comes late, or again, never hides a newer one: of the
versions of a cell the newest is kept, whenever it was written.
"""

from datetime import UTC, datetime
from decimal import Decimal

import btmodel as bt


class Metrics(bt.Model, table="METRIC", events="20000/s", timestamp="at"):
    """A machine's metrics at one time: a column each, called by the group and the name of the metric."""

    host: str = bt.key(bt.Text(max_length=100), cardinality=100_000)
    at: datetime = bt.key(bt.EpochMillis())

    metric = bt.family("METRIC", gc=bt.max_versions(1))
    values: dict[str, Decimal] = bt.mapping(metric, bt.Text(max_length=40), entries=100)

    of_host = bt.query("host", between="at")


class CurrentMetrics(bt.Model, table="CURRENT_METRIC", events="20000/s"):
    """The newest metrics of a machine, of the time ``at``.

    A metric that its machine does not send any more stays as it was sent last.
    """

    host: str = bt.key(bt.Text(max_length=100), cardinality=100_000, domain=False)
    at: datetime = bt.timestamp()

    metric = bt.family("METRIC", gc=bt.max_versions(1))
    values: dict[str, Decimal] = bt.mapping(metric, bt.Text(max_length=40), entries=100)

    of_hosts = bt.query(starting="host")
    of_all = bt.query(scan="the overview shows every machine, one row each")


METRICS = bt.twins(Metrics, CurrentMetrics)


class FirstMetrics(bt.Model, table="METRIC_FIRST_TRY", events="20000/s", timestamp="at"):
    """The first iteration: it repeats the machine in a cell, which the key tells already."""

    host: str = bt.key(bt.Text(max_length=100), cardinality=100_000, mirror="METRIC:HOSTNAME")
    at: datetime = bt.key(bt.EpochMillis())

    metric = bt.family("METRIC", gc=bt.max_versions(1))
    values: dict[str, Decimal] = bt.mapping(metric, bt.Text(max_length=40), entries=100)

    of_host = bt.query("host", between="at")


def newest_of_all() -> object:
    """The newest metrics of every machine at one time, asked of a key that the machine leads."""

    class Metrics(bt.Model, table="METRIC", events="20000/s"):
        host: str = bt.key(bt.Text(max_length=100), cardinality=100_000)
        at: datetime = bt.key(bt.EpochMillis())

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        values: dict[str, Decimal] = bt.mapping(metric, bt.Text(max_length=40), entries=100)

        of_all = bt.query(between="at")

    return Metrics


AT = datetime(2015, 3, 16, 19, 53, 32, 45_000, tzinfo=UTC)


def measured(host: str, at: datetime = AT, user: str = "0.02") -> Metrics:
    """Four metrics of a machine, of which ``user`` is the share of the time that its processor worked for users."""
    return Metrics(
        host=host,
        at=at,
        values={
            "CPU/CPU1_USR": Decimal(user),
            "CPU/CPU1_NICE": Decimal("0.00"),
            "IO/BLK_READ": Decimal(253453634),
            "MIO/BLK_WRTN": Decimal(657365234),
        },
    )
