"""A cluster: its nodes, and what they can do."""

from attrs import Factory, field, frozen

from btmodel.errors import SimulationRefused
from btmodel.simulate.cluster.assumptions import Assumptions
from btmodel.simulate.cluster.limits import LIMITS, Limits


def _some(instance: object, attribute: object, value: int) -> None:
    if type(value) is not int or not 1 <= value <= 1000:
        raise SimulationRefused(f"nodes: wanted a whole number from 1 to 1,000, got {value!r}")


def _documented(cluster: "Cluster") -> Limits:
    if cluster.storage not in LIMITS:
        raise SimulationRefused(f"storage: wanted {' or '.join(LIMITS)}, got {cluster.storage!r}")
    return LIMITS[cluster.storage]


@frozen
class Cluster:
    """``nodes`` nodes with this kind of ``storage``. ``added`` says when more come: seconds from the start, and how many."""

    nodes: int = field(validator=_some)
    storage: str = "ssd"
    assumptions: Assumptions = field(factory=Assumptions)
    limits: Limits = field(default=Factory(_documented, takes_self=True))
    added: tuple[tuple[float, int], ...] = ()

    def nodes_at(self, seconds: float) -> int:
        """How many nodes there are at a moment."""
        return self.nodes + sum(count for at, count in self.added if at <= seconds)

    @property
    def most_nodes(self) -> int:
        """How many nodes there are in the end."""
        return self.nodes_at(float("inf"))
