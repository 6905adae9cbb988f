"""Names in the order in which people count: ``T2`` stands before ``T10``."""

import re

_NUMBER = re.compile(r"([0-9]+)")


def natural(name: str) -> tuple[tuple[str | int, ...], str]:
    """What to sort ``name`` by; names that count alike, as ``T1`` and ``T01``, stay in the order of their texts."""
    # Texts and numbers take turns, a text first, so that like is compared with like.
    parts = _NUMBER.split(name)
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts)), name
