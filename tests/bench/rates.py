"""What some work on rows takes: rows/s, and CPU of this process per row."""

import time
from collections.abc import Callable

Work = Callable[[], object]


def measured(name: str, rows: int, work: Work) -> None:
    """Print what ``work`` took."""
    began, cpu = time.perf_counter(), time.process_time()
    work()
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(
        f"{rows:9,}  {name:34} {rows / seconds:9,.0f} rows/s  {cpu / rows * 1e6:7.1f} us CPU/row", flush=True
    )
