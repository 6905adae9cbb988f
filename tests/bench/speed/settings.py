"""How much is measured: the whole, or the quick look."""

from attrs import frozen


@frozen
class Settings:
    """Rows of a lap, rounds, and how far growth is followed."""

    rounds: int
    replayed: int  # rows of a scan on the replay server
    loaded: int  # rows of a bulk write to it
    served: int  # the same on a server that keeps rows
    points: int  # calls of a lap of single reads or writes
    multigets: int  # calls of a lap of reads of a hundred keys
    waits: int  # calls of a lap of concurrent reads
    starts: int  # rounds of processes that only import
    sizes: tuple[int, ...]  # rows; memory is compared between the last one and MEMORY_BASE
    baseline_sizes: tuple[int, ...]


MEMORY_BASE = 10_000
WHOLE = Settings(
    rounds=7,
    replayed=20_000,
    loaded=5_000,
    served=3_000,
    points=150,
    multigets=10,
    waits=500,
    starts=9,
    sizes=(1_000, 10_000, 100_000, 1_000_000),
    baseline_sizes=(1_000, 10_000, 100_000),
)
QUICK = Settings(
    rounds=3,
    replayed=6_000,
    loaded=1_500,
    served=600,
    points=50,
    multigets=3,
    waits=150,
    starts=3,
    sizes=(1_000, 10_000, 100_000),
    baseline_sizes=(1_000, 10_000),
)
