"""Metrics of servers against a server."""

from collections.abc import Iterator
from datetime import timedelta

import btmodel as bt
from examples.generated.current_metrics_repository import CurrentMetricsRepository
from examples.generated.first_metrics_repository import FirstMetricsRepository
from examples.generated.metrics_repository import MetricsRepository
from examples.generated.metrics_twins import MetricsTwins
from examples.metrics import AT, CurrentMetrics, FirstMetrics, Metrics, measured, newest_of_all
from examples.worked.example import Answer, Example

HOSTS = "server1.bbb.com", "server1.aaa.bbb.com", "server2.aaa.bbb.com"
FIVE = timedelta(seconds=5)


def write(db: bt.Database) -> None:
    """Two sets of each machine to both tables, the older one late; the first iteration, too."""
    both = MetricsTwins(db)
    both.put_many(measured(host) for host in HOSTS)
    both.put_many(measured(host, AT - FIVE, "0.35") for host in HOSTS)
    one = measured(HOSTS[0])
    FirstMetricsRepository(db).put(FirstMetrics(host=one.host, at=one.at, values=one.values))


def ask(db: bt.Database) -> Iterator[Answer]:
    """A range of one machine, a prefix of machines, and all of them."""
    sets = MetricsRepository(db).of_host("server1.bbb.com", AT - FIVE, AT)
    loads = [str(one.values["CPU/CPU1_USR"]) for one in sets]
    yield Answer("What was the load of server1.bbb.com in the five seconds before?", ", ".join(loads))
    current = CurrentMetricsRepository(db)
    ours = [f"{one.host} {one.values['CPU/CPU1_USR']}" for one in current.of_hosts("server1.")]
    yield Answer("How do the machines called server1 do now?", ", ".join(ours))
    yield Answer(
        "Of when is the newest set of each machine?", {f"{one.at:%H:%M:%S}" for one in current.of_all()}
    )


EXAMPLE = Example(
    "Metrics of servers", (Metrics, CurrentMetrics, FirstMetrics), write, ask, refused=(newest_of_all,)
)
