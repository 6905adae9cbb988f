"""Rates of events, as models declare them."""

from collections.abc import Iterable
from datetime import timedelta
from math import isclose

from attrs import field, frozen

from btmodel.errors import DeclarationError
from btmodel.on_demand import pattern
from btmodel.value import Value

SECONDS = {"s": 1, "min": 60, "h": 3600, "day": 86_400, "week": 604_800}
_ALIASES = {"second": "s", "minute": "min", "m": "min", "hour": "h", "d": "day"}


def _unit_names(units: Iterable[str]) -> str:
    """Units for people: with the short one that most write, ``day or d``."""
    return ", ".join(f"{unit} or d" if unit == "day" else unit for unit in units)


def unit_called(name: str) -> str:
    """The unit that ``name`` is another name of, or ``name`` itself."""
    single = name.removesuffix("s") if len(name) > 2 else name  # 5days
    return _ALIASES.get(single, single)


_NEARLY_ONE = 1 - 1e-9  # computed with floats
_RATE_FORM = pattern(r"\s*([0-9][0-9_]*(?:\.[0-9]+)?)\s*/\s*([a-z]+)\s*")


# Nobody writes a rate in so many a week.
_LONG_NUMBER = 1e6
# Beyond what any table takes, and rarer than anything that is worth a rate: once in 3,000 years.
_LEAST, _MOST = 1e-11, 1e12


@frozen(eq=False, repr=False)
class Rate(Value):
    """Events a second; ``unit`` is the one that they are written in, or None for whichever suits the number."""

    per_second: float
    unit: str | None = field(default=None, eq=False, repr=False)

    @classmethod
    def parse(cls, value: object, what: str = "events") -> "Rate":
        """A rate from text such as ``5000/s``, ``4/h`` or ``1/day``; ``what`` names it in a refusal."""
        found = _RATE_FORM.fullmatch(value) if isinstance(value, str) else None
        unit = unit_called(found[2]) if found else ""
        if found is None or unit not in SECONDS:
            raise DeclarationError(
                f"{what}: expected a rate such as '5000/s' (units: {_unit_names(SECONDS)}), got {value!r}"
            )
        rate = float(found[1].replace("_", "")) / SECONDS[unit]
        if not _LEAST <= rate <= _MOST:
            wanted = "a rate above 0" if rate < _LEAST else "a rate of up to 10**12/s"
            raise DeclarationError(f"{what}: expected {wanted}, got {value!r}")
        return cls(rate, unit)

    def __str__(self) -> str:
        counts = {unit: self.per_second * seconds for unit, seconds in SECONDS.items()}
        large = [unit for unit, count in counts.items() if count >= _NEARLY_ONE] or ["week"]
        # In whole numbers, where it can be: 10,000/day, and not 6.94444/min.
        whole = (
            unit
            for unit in large
            if isclose(counts[unit], round(counts[unit])) and counts[unit] < _LONG_NUMBER
        )
        unit = self.unit or next(whole, large[0])
        count = counts[unit]
        return f"{count:,.0f}/{unit}" if count >= 1e6 else f"{count:,.6g}/{unit}"

    def rounded(self) -> "Rate":
        """The rate to two digits of the finest unit that has one event or more, as a person would write it."""
        unit = next((unit for unit, seconds in SECONDS.items() if self.per_second * seconds >= 1), "week")
        return Rate(float(f"{self.per_second * SECONDS[unit]:.2g}") / SECONDS[unit], unit)


# From fine to coarse. Cells hold times to the millisecond.
_LENGTHS = {"ms": timedelta(milliseconds=1)} | {name: timedelta(seconds=s) for name, s in SECONDS.items()}
_LENGTH_FORM = pattern(r"\s*([1-9][0-9]{0,8})\s*([a-z]+)\s*")


def parse_every(text: object, what: str = "every") -> timedelta:
    """The length of time that text such as ``15min``, ``1h`` or ``250ms`` names."""
    found = _LENGTH_FORM.fullmatch(text) if isinstance(text, str) else None
    unit = _LENGTHS.get(unit_called(found[2])) if found else None
    if found is None or unit is None:
        raise DeclarationError(
            f"{what}: expected a length of time such as '15min' (a number and one unit: {_unit_names(_LENGTHS)}), got {text!r}"
        )
    try:
        return int(found[1]) * unit
    except OverflowError:
        raise DeclarationError(
            f"{what}: expected a length of up to {timedelta.max.days:,} days, got {text!r}"
        ) from None


def every_text(every: timedelta) -> str:
    """The text of a length of time, in the coarsest unit that fits: ``parse_every`` reads it again."""
    for name, unit in reversed(_LENGTHS.items()):
        if not every % unit:
            return f"{every // unit}{name}"
    return str(every)
