"""Rates of events, as models declare them."""

import math
import re

from attrs import frozen

from btmodel.errors import DeclarationError
from btmodel.schema.units import SECONDS, unit_called

_FORM = re.compile(r"\s*([0-9][0-9_]*(?:\.[0-9]+)?)\s*/\s*([a-z]+)\s*")


@frozen
class Rate:
    """Events a second."""

    per_second: float

    @classmethod
    def parse(cls, value: object, what: str = "events") -> "Rate":
        """A rate from text such as ``5000/s``, ``4/h`` or ``1/day``; ``what`` names it in a refusal."""
        found = _FORM.fullmatch(value) if isinstance(value, str) else None
        unit = unit_called(found[2]) if found else ""
        if found is None or unit not in SECONDS:
            units = ", ".join(SECONDS)
            raise DeclarationError(f"{what}: wanted a rate such as '5000/s' (units: {units}), got {value!r}")
        rate = float(found[1].replace("_", "")) / SECONDS[unit]
        if not math.isfinite(rate) or rate <= 0:
            raise DeclarationError(f"{what}: wanted a rate above 0, got {value!r}")
        return cls(rate)

    def __str__(self) -> str:
        unit = next((unit for unit, seconds in SECONDS.items() if self.per_second * seconds >= 1), "week")
        return f"{self.per_second * SECONDS[unit]:,.6g}/{unit}"
