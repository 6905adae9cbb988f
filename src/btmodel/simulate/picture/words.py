"""Figures and keys in words, for people."""

from math import floor, log10

from btmodel.printable import as_text, one_line

_WIDEST = 96  # characters of a key or of a field's value: what is longer is cut in the middle


def key(raw: bytes) -> str:
    """A row key as text, as ``btmodel explain`` reads it, cut in the middle where it is long."""
    return cut(as_text(raw)) if raw else "(the first key)"


def name(text: str) -> str:
    """Such a text that stands for a thing, as a table or a value of a field: cut in the middle where it is long."""
    return cut(one_line(text))


def cut(text: str, most: int = _WIDEST) -> str:
    """At most so many characters, of the beginning and of the end."""
    if len(text) <= most:
        return text
    end = (most - 1) // 3
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"


def figure(value: float) -> str:
    """A figure of about three digits: ``14,000``, ``3.79``, ``0.0041``, ``3e-07``."""
    if value == 0:
        return "0"
    digits = 2 - floor(log10(abs(value)))
    near = round(value, digits)
    if abs(near) < 1e-4 or abs(near) >= 1e9:
        return f"{near:.3g}"
    text = f"{near:,.{max(digits, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def share(part: float) -> str:
    """A share of a whole: ``38 %``, ``0.1 %``."""
    return f"{figure(100 * part)} %"


def duration(seconds: float) -> str:
    """A time: ``1 minute``, ``90 seconds``, ``2 hours``."""
    for noun, unit in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= unit and seconds % unit == 0:
            return _many(seconds / unit, noun)
    return _many(seconds, "second")


def _many(count: float, noun: str) -> str:
    return f"{figure(count)} {noun}{'' if count == 1 else 's'}"
