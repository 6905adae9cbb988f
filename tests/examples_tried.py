"""How many examples a property test tries."""

from typing import Any

from hypothesis import settings

THOROUGH = settings().max_examples >= 1_000


def examples(usual: int, **more: Any) -> settings:
    """So many examples, and with ``--thorough`` as many as any test tries there."""
    return settings(max_examples=settings().max_examples if THOROUGH else usual, **more)
