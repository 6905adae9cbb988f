"""Other values of what is assumed, as text: ``split-bytes=200MiB``, ``split-after=10min``, ``split-load=20%``."""

import re
from collections.abc import Callable, Mapping

from btmodel.errors import DeclarationError, SimulationRefused
from btmodel.near import meant
from btmodel.schema.every import parse_every
from btmodel.simulate.cluster.assumptions import Assumptions, described
from btmodel.simulate.workload.shares import share_of

_BYTES = re.compile(r"([0-9.]+)\s*([KMGTP]?)(i?)B?", re.IGNORECASE)
_POWERS = " KMGTP"


def assumptions_of(texts: Mapping[str, str]) -> Assumptions:
    """The assumptions with the values of ``texts`` in the place of their defaults; ``-`` in names is as good as ``_``.

    Raises :class:`SimulationRefused` for an unknown name, with the nearest, and for a value that makes no sense.
    """
    known = {one.name: one for one in described(Assumptions())}
    values = {}
    for told, text in texts.items():
        name = told.strip().lower().replace("-", "_")
        if name not in known:
            names = [one.replace("_", "-") for one in known]
            raise SimulationRefused(f"nothing is assumed of {told!r}; {meant(told, names, 'assumptions')}")
        reader = _READERS.get(known[name].unit, share_of)
        values[name] = reader(told, text.strip())
    return Assumptions(**values)


def _bytes(name: str, text: str) -> float:
    found = _BYTES.fullmatch(text)
    try:
        count = float(found[1]) if found else float(text)
    except ValueError:
        raise SimulationRefused(f"{name}: wanted bytes such as 200MiB, got {text!r}") from None
    base = 1024 if found is None or found[3] or not found[2] else 1000
    return float(count * base ** (_POWERS.index(found[2].upper()) if found and found[2] else 0))


def _seconds(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return parse_every(text, name).total_seconds()
    except DeclarationError as error:
        raise SimulationRefused(str(error)) from None


_READERS: Mapping[str, Callable[[str, str], float]] = {"bytes": _bytes, "seconds": _seconds}
