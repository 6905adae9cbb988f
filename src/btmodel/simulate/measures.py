"""Numbers, keys and names as text: how results are written in sentences, tables and pictures."""

from math import floor, log10

from btmodel.words import as_text, one_line

_WIDEST = 96  # characters of a key or of a field's value; longer ones are cut in the middle


# What stands below a heat map, of either kind of colours.
READ_A_MAP = (
    "Good is one calm colour: each range of keys takes about its even share (1\u00d7). "
    "A bright band or diagonal is a hotspot."
)
READ_RATES = "Colours are relative to the rates that are seen: bright is not by itself bad."


def key(raw: bytes) -> str:
    """A row key as text in the form that ``btmodel explain`` reads; a long one is cut in the middle."""
    return cut(as_text(raw)) if raw else "(the first key)"


def name(text: str) -> str:
    """Any text that stands for a table or the value of a field; a long one is cut in the middle."""
    return cut(one_line(text))


def cut(text: str, most: int = _WIDEST) -> str:
    """At most so many characters from the beginning and the end."""
    if len(text) <= most:
        return text
    end = (most - 1) // 3
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"


def figure(value: float) -> str:
    """A number with about three digits: ``14,000``, ``3.79``, ``0.0041``, ``3e-07``."""
    if value == 0:
        return "0"
    digits = 2 - floor(log10(abs(value)))
    near = round(value, digits)
    if abs(near) < 1e-4 or abs(near) >= 1e9:
        return f"{near:.3g}"
    text = f"{near:,.{max(digits, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def share(part: float) -> str:
    """A share of a whole with about three digits, for pictures: ``38.2 %``, ``0.123 %``; :func:`percent` is for sentences and tables."""
    return f"{figure(100 * part)} %"


_LARGE = (("trillion", 1e12), ("billion", 1e9), ("million", 1e6))
# A unit, its seconds, and the least number of units for which it is used.
_UNITS = (("days", 86_400.0, 2), ("h", 3600.0, 2), ("min", 60.0, 2), ("s", 1.0, 1))


def percent(share: float) -> str:
    """A share of a whole as people say it: ``38 %``, ``0.4 %``, ``less than 0.1 %``."""
    if 0 < share < 0.001:
        return "less than 0.1 %"
    return f"{100 * share:.1f} %" if 0 < share < 0.01 else f"{100 * share:,.0f} %"


def many(count: float) -> str:
    """A large number: ``432 million``."""
    for name, unit in _LARGE:
        if count >= unit:
            return f"{figure(count / unit)} {name}"
    return figure(count)


def rate(per_second: float) -> str:
    """A rate per second, as the user gave it: ``11,112``."""
    return f"{per_second:,.0f}" if per_second >= 10 else figure(per_second)


def duration(seconds: float) -> str:
    """A time in the unit that suits it: ``1.5 h``, ``43 min``, ``7 ms``."""
    for name, unit, least in _UNITS:
        if seconds >= least * unit:
            count = seconds / unit
            return f"{count:,.0f} {name}" if count >= 10 else f"{round(count, 1):g} {name}"
    return "0 s" if seconds < 1e-4 else f"{round(seconds * 1000, 1):g} ms"
