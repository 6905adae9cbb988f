"""The units of time that a declaration may name: ``s``, ``min``, ``h``, ``day``, ``week``."""

SECONDS = {"s": 1, "min": 60, "h": 3600, "day": 86_400, "week": 604_800}
_ALIASES = {"second": "s", "minute": "min", "hour": "h", "d": "day"}


def unit_called(name: str) -> str:
    """The unit that ``name`` is another name of, or ``name`` itself."""
    return _ALIASES.get(name, name)
