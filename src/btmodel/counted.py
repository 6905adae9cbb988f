"""Numbers of things, in words."""


def counted(count: int, noun: str) -> str:
    """A number of things: ``1 value``, ``2,000 values``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
