"""Sizes as findings tell them."""

from btmodel.counted import counted

_UNITS = ("bytes", "KB", "MB", "GB")


def told(size: int) -> str:
    """``size`` in the unit that suits it, of 1,024 each: ``87 bytes``, ``1.5 KB``, ``240 MB``."""
    scaled, unit = float(size), 0
    while round(scaled) >= 1024 and unit + 1 < len(_UNITS):
        scaled, unit = scaled / 1024, unit + 1
    if not unit:
        return counted(size, "byte")
    digits = 1 if scaled < 10 else 0
    return f"{scaled:,.{digits}f} {_UNITS[unit]}"
