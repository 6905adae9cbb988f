"""Designs from documentation, books, posts and the source of projects, with a verdict each: a table for tests.

The verdicts were written from the sources, before the review saw the designs.
"""

from collections.abc import Callable
from dataclasses import dataclass

Models = Callable[[], object]


@dataclass(frozen=True)
class Design:
    """A design: who published it, or what it was made from for this table; and its faults, none of a good one.

    A fault is the id of the rule that finds it, or several with a bar between where any of them says it;
    ``asked`` are faults that nobody can be sure of, so that information is enough. The fixes of the
    faults say each of ``says``, and none of ``never``. ``verdict`` is how grave the gravest fault is, where the source
    says: an error where data is lost or mixed up, a query has no answer, the service refuses it, or a node is overloaded.
    Of a design that the declaration refuses, before any rule, ``refused`` is what it says.
    """

    declare: Models
    source: str
    faults: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    verdict: str = ""
    refused: str = ""

    @property
    def good(self) -> bool:
        """Whether the design is as it should be."""
        return not (self.faults or self.asked or self.refused)


DESIGNS: list[Design] = []


def good(source: str) -> Callable[[Models], Models]:
    """Add the design of the decorated function, which is as it should be."""

    def add(declare: Models) -> Models:
        DESIGNS.append(Design(declare, source))
        return declare

    return add


def bad(
    source: str,
    *faults: str,
    asked: tuple[str, ...] = (),
    says: tuple[str, ...] = (),
    never: tuple[str, ...] = (),
    verdict: str = "",
    refused: str = "",
) -> Callable[[Models], Models]:
    """Add the design of the decorated function, which has these faults."""

    def add(declare: Models) -> Models:
        DESIGNS.append(Design(declare, source, faults, asked, says, never, verdict, refused))
        return declare

    return add
