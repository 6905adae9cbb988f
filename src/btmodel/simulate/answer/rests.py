"""What an answer rests on: what is firm, and what is assumed."""

from collections.abc import Iterator, Sequence

from btmodel.simulate.answer.words import duration, percent, size
from btmodel.simulate.cluster.assumptions import Assumed, Assumptions, described
from btmodel.simulate.cluster.firm import Bound, Firm
from btmodel.simulate.picture.words import figure


def firm_lines(firm: Sequence[Firm], assumptions: Assumptions) -> Iterator[str]:
    """The bounds of tables, a line each; and that of their sizes."""
    for one in firm:
        where = f", the most of one at {one.what}" if one.what else ""
        yield (
            f"{one.bound.value}: {percent(one.share)} of the writes of {one.table}{where}; "
            f"it asks for {percent(one.of_node)} of what a node can do{_until(one, assumptions)}"
        )
    yield "rows and bytes follow from the declarations alone, with garbage collection done and nothing compressed"


def _until(one: Firm, assumptions: Assumptions) -> str:
    """How long a small table is one, which depends on an assumption."""
    if one.bound is not Bound.SMALL:
        return ""
    return f", for {duration(one.until)} if a few are the {size(assumptions.small_table)} that are assumed"


def assumed_rows(assumptions: Assumptions) -> Iterator[tuple[str, str, str]]:
    """Each assumption: its name, its value, and what it decides."""
    for one in described(assumptions):
        told = "" if one.value == one.default else f" (unless told otherwise {valued(one, one.default)})"
        yield one.name.replace("_", "-"), valued(one, one.value), one.decides + told


def valued(one: Assumed, value: float) -> str:
    """The value of an assumption in its unit."""
    if one.unit == "bytes":
        return size(value)
    if one.unit == "seconds":
        return duration(value)
    return f"{figure(value)} {one.unit}"
