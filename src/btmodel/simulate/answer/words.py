"""Figures in words, as the answer of a simulation prints them."""

from btmodel.simulate.picture.words import figure

_SIZES = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_LARGE = (("trillion", 1e12), ("billion", 1e9), ("million", 1e6))
# A unit, its seconds, and from how many of them on it is used.
_UNITS = (("days", 86_400.0, 2), ("h", 3600.0, 2), ("min", 60.0, 2), ("s", 1.0, 1))


def percent(share: float) -> str:
    """A share of a whole: ``38 %``, ``0.4 %``."""
    if 0 < share < 0.001:
        return "less than 0.1 %"
    return f"{100 * share:.1f} %" if 0 < share < 0.01 else f"{100 * share:,.0f} %"


def size(count: float) -> str:
    """Bytes in the largest unit that they fill: ``1.2 GiB``."""
    unit = 0
    while count >= 1024 and unit < len(_SIZES) - 1:
        count, unit = count / 1024, unit + 1
    return f"{figure(count)} {_SIZES[unit]}" if unit else f"{count:,.0f} B"


def many(count: float) -> str:
    """A large number: ``432 million``."""
    for name, unit in _LARGE:
        if count >= unit:
            return f"{figure(count / unit)} {name}"
    return figure(count)


def rate(per_second: float) -> str:
    """What comes in a second, as it was told: ``11,112``."""
    return f"{per_second:,.0f}" if per_second >= 10 else figure(per_second)


def duration(seconds: float) -> str:
    """A time in the unit that suits it: ``1.5 h``, ``43 min``, ``7 ms``."""
    for name, unit, least in _UNITS:
        if seconds >= least * unit:
            count = seconds / unit
            return f"{count:,.0f} {name}" if count >= 10 else f"{round(count, 1):g} {name}"
    return "0 s" if seconds < 1e-4 else f"{round(seconds * 1000, 1):g} ms"
