"""What a node of a cluster can do, as documented; nothing here is an assumption."""

from attrs import frozen

# https://cloud.google.com/bigtable/docs/performance: the most rows of 1 KB that a node reads, or writes, in a second, under
# optimal conditions; and the bytes that it scans.
ROW_BYTES = 1024
# The same page: the most CPU load that it recommends where throughput counts; where latency does, it is 0.6.
CPU_THROUGHPUT = 0.9
# The same page: how full the storage of a node should be at the most where throughput counts; for latency, 0.6.
STORAGE_THROUGHPUT = 0.7

_MB = 10**6
_TIB = 2**40


@frozen
class Limits:
    """The most that one node does in a second, and stores: rows of 1 KB read or written, bytes scanned, bytes stored."""

    reads: float
    writes: float
    scan_bytes: float
    storage_bytes: float


# Storage: AutoscalingTargets.storage_utilization_gib_per_node in google/bigtable/admin/v2/instance.proto goes up to 5 TiB
# of SSD and 16 TiB of HDD.
LIMITS = {
    "ssd": Limits(17_000, 14_000, 220 * _MB, 5 * _TIB),
    "hdd": Limits(500, 10_000, 180 * _MB, 16 * _TIB),
}
