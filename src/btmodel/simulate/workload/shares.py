"""Shares of a whole, as people write them: ``5%`` or ``0.05``."""

from btmodel.errors import SimulationRefused


def share_of(where: str, value: object) -> float:
    """The share that a text or number names. Raises :class:`SimulationRefused`."""
    text = str(value).strip()
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise SimulationRefused(f"{where}: wanted a share such as 5%, got {value!r}") from None
