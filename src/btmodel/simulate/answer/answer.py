"""What one simulation says, in figures."""

from attrs import frozen

from btmodel.simulate.answer.growth import Growth
from btmodel.simulate.answer.spread import Spread
from btmodel.simulate.cluster.firm import Bound, Firm
from btmodel.simulate.cluster.outcome import Hot
from btmodel.simulate.workload import Workload


@frozen
class TableAnswer:
    """What was simulated of one table: how its writes and its reads lie on the nodes, and how it grows.

    ``rows`` and ``bytes`` are what it has in the end, ``hottest`` is its hottest tablet, ``firm`` are its bounds.
    """

    workload: Workload
    writes: Spread | None
    reads: Spread | None
    rows: float
    bytes: float
    hottest: Hot
    firm: tuple[Firm, ...]
    growth: Growth

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.workload.model.name

    def bound(self, *kinds: Bound) -> Firm | None:
        """The bound of one of these kinds that takes the largest share of the writes."""
        return max((one for one in self.firm if one.bound in kinds), key=lambda one: one.share, default=None)


@frozen
class Need:
    """How many nodes are needed: for the load at its peak, if it were spread evenly, and for the storage of a year."""

    load: int
    storage: int

    @property
    def nodes(self) -> int:
        """For both."""
        return max(self.load, self.storage)


@frozen
class Answer:
    """What was simulated of all tables of a cluster together.

    ``load`` is the usual share of what it can do that the hottest node does, ``load_most`` the most. ``p99`` and
    ``p99_most`` are seconds that one of a hundred requests waits at least, ``failed`` is the share of all of them, of all
    of the time, that wait in vain, ``waiting`` seconds of work that lie before the hottest node in the end. ``tablets`` are those in the end; ``splits`` and ``moves`` count all of the time.
    """

    name: str
    nodes: int
    seconds: float
    tables: tuple[TableAnswer, ...]
    writes: Spread | None
    reads: Spread | None
    load: float
    load_most: float
    p99: float
    p99_most: float
    failed: float
    waiting: float
    tablets: int
    splits: int
    moves: int
    need: Need

    @property
    def events(self) -> float:
        """Events a second at the start, of all tables."""
        return sum(table.workload.writes for table in self.tables)
