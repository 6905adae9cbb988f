"""Collecting what is wrong with a declaration, so that one error tells all of it."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from btmodel.errors import DeclarationError
from btmodel.schema import Location

P = TypeVar("P")


class Problems:
    """What is wrong with the declaration at ``location``, as far as it was found."""

    def __init__(self, location: Location) -> None:
        self._location = location
        self._found: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def one(self, make: Callable[[], P], otherwise: P) -> P:
        """What ``make`` makes; where that is refused, the refusal is kept."""
        try:
            return make()
        except DeclarationError as error:
            self._found.append(str(error))
            return otherwise

    def each(self, makers: Iterable[Callable[[], P]]) -> Iterator[P]:
        """What each of ``makers`` makes, but for those that are refused."""
        for make in makers:
            try:
                yield make()
            except DeclarationError as error:
                self._found.append(str(error))

    def refuse(self) -> None:
        """Raise what was found, if anything: a line each, with its place."""
        if self._found:
            raise DeclarationError("\n".join(placed(line, self._location) for line in self._found))


def placed(told: str, place: object) -> str:
    """``told`` with the place in front, unless it says one itself."""
    return told if ".py:" in told else f"{place}: {told}"
