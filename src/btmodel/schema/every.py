"""Lengths of time, as declarations name them: ``15min``, ``1h``."""

import re
from datetime import timedelta

from btmodel.errors import DeclarationError
from btmodel.schema.units import SECONDS, unit_called

# From fine to coarse. Cells tell times to the millisecond.
_LENGTHS = {"ms": timedelta(milliseconds=1)} | {name: timedelta(seconds=s) for name, s in SECONDS.items()}
_FORM = re.compile(r"\s*([1-9][0-9]{0,8})\s*([a-z]+)\s*")


def parse_every(text: object, what: str = "every") -> timedelta:
    """The length of time that text such as ``15min``, ``1h`` or ``250ms`` names."""
    found = _FORM.fullmatch(text) if isinstance(text, str) else None
    unit = _LENGTHS.get(unit_called(found[2])) if found else None
    if found is None or unit is None:
        units = ", ".join(_LENGTHS)
        raise DeclarationError(
            f"{what}: wanted a length of time such as '15min' (units: {units}), got {text!r}"
        )
    return int(found[1]) * unit


def every_text(every: timedelta) -> str:
    """The text of a length of time, in the coarsest unit that tells it: ``parse_every`` reads it again."""
    for name, unit in reversed(_LENGTHS.items()):
        if not every % unit:
            return f"{every // unit}{name}"
    return str(every)
