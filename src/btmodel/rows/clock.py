"""The time that a write gives its cells."""

import time


def now_micros() -> int:
    """This moment in whole milliseconds, as microseconds since 1970.

    The writer's clock, not the server's: a retried write then sets the same cell
    again instead of adding a version.
    """
    return time.time_ns() // 1_000_000 * 1_000
