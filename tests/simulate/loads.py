"""Loads of tables whose shapes are known, made without a simulation."""

from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from btmodel.simulate.picture import Heat, Side

START = datetime(2026, 3, 1, 6, tzinfo=UTC)


def heat_of(writes: NDArray[np.floating], table: str = "battery", reads: float = 0.0) -> Heat:
    """A heat with these writes, by user and then by time, and so many reads for each write."""
    buckets = len(writes)
    users = [f"user-{bucket * 20 // max(buckets, 1):02}" for bucket in range(buckets)]
    days = [f"2026-02-{bucket % 28 + 1:02}" for bucket in range(buckets)]
    return Heat(
        table=table,
        start=START,
        step_seconds=60,
        low=[
            f"{user}#{day}#{at:05}".encode() for at, (user, day) in enumerate(zip(users, days, strict=True))
        ],
        labels=list(zip(users, days, strict=True)),
        fields=("user", "day"),
        writes=writes.astype(np.float32),
        reads=(writes * reads).astype(np.float32),
        rows=np.full(buckets, 1e6),
    )


def spread(buckets: int = 1000, steps: int = 1440, seed: int = 1) -> Heat:
    """Writes that are spread, with the grain of chance, and a day that has a morning and a night."""
    chance = np.random.default_rng(seed)
    day = 1 + 0.5 * np.sin(np.arange(steps) / max(steps, 1) * 2 * np.pi)
    return heat_of(chance.poisson(800 * day, (buckets, steps)) / 60, "spread", 0.5)


def growing(buckets: int = 1000, steps: int = 1440) -> Heat:
    """A key that begins with time: all writes at its end, which moves through the last tenth of the buckets."""
    writes = np.zeros((buckets, steps))
    at = buckets - 1 - np.arange(steps)[::-1] * (buckets // 10) // max(steps, 1)
    writes[at, np.arange(steps)] = 14_000
    return heat_of(writes, "growing")


def popular(buckets: int = 1000, steps: int = 1440, seed: int = 2) -> Heat:
    """Few hot ranges among many cold ones, as Zipf has them, one of which grows hot at noon."""
    shares = 1 / np.arange(1, buckets + 1) ** 0.99
    np.random.default_rng(seed).shuffle(shares)
    writes = np.outer(shares / shares.sum(), np.full(steps, 20_000.0))
    writes[buckets * 2 // 5, steps // 2 :] += 3000
    return heat_of(writes, "popular", 2)


def side(heat: Heat, nodes: int = 10, name: str = "") -> Side:
    """A heat above nodes that share its keys evenly, the first ones the first keys."""
    node = np.arange(heat.buckets) * nodes // max(heat.buckets, 1)
    load = np.stack([heat.writes[node == one].sum(axis=0) for one in range(nodes)], axis=1) / 14_000
    none = np.zeros(heat.steps)
    return Side(name or heat.table, [heat], load, p99=load.max(axis=1) / 10, splits=none, moves=none + 1)
