"""All problems of one declaration, in one error."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from attrs import define, field

from btmodel.errors import BtmodelError, DeclarationError
from btmodel.schema import Location, ModelSchema

P = TypeVar("P")


class Problems:
    """The problems of the declaration at ``location`` that were found so far."""

    def __init__(self, location: Location) -> None:
        self._location = location
        self._found: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def one(self, make: Callable[[], P], otherwise: P) -> P:
        """Call ``make`` and return its result; if it is refused, keep the refusal and return ``otherwise``."""
        try:
            return make()
        except DeclarationError as error:
            self._found.append(str(error))
            return otherwise

    def each(self, makers: Iterable[Callable[[], P]]) -> Iterator[P]:
        """The results of all ``makers`` that are not refused."""
        for make in makers:
            try:
                yield make()
            except DeclarationError as error:
                self._found.append(str(error))

    def refuse(self) -> None:
        """Raise what was found, if anything: a line each, with its place."""
        if self._found:
            raise DeclarationError("\n".join(placed(line, self._location) for line in self._found))


def placed(message: str, place: object) -> str:
    """``message`` with the place in front, unless it says one itself. A notebook, or standard input, is a file of no such name."""
    file = str(place).rpartition(":")[0]
    return (
        message if ".py:" in message or (file and message.startswith(f"{file}:")) else f"{place}: {message}"
    )


E = TypeVar("E", bound=BtmodelError)
# The name, bases and body of a class that cannot be, and why; what is made stands in its place.
StandInMaker = Callable[[str, tuple[type, ...], Mapping[str, Any], BtmodelError], type]


@define
class Declared:
    """The models declared so far, and what could not be.

    ``schemas`` holds the schema of each model, those that rules refuse included, in the
    order of their making. ``problems`` holds each problem once; what came of it is in its notes. ``partial`` are the schemas
    of what else such classes declare, each with whether its key, and what is said of the class, is all known.
    """

    _stand_in: StandInMaker
    schemas: list[ModelSchema] = field(factory=list)
    problems: list[BtmodelError] = field(factory=list)
    partial: list[tuple[ModelSchema, bool]] = field(factory=list)

    def problem(self, found: E) -> E:
        """Keep ``found``; where it is known already, as when a module ran twice, it is the known one."""
        for known in self.problems:
            if type(known) is type(found) and str(known) == str(found):
                return known
        self.problems.append(found)
        return found

    def stand_in(
        self, name: str, bases: tuple[type, ...], body: Mapping[str, Any], why: DeclarationError
    ) -> type:
        """Keep ``why`` there can be no class ``name``, and give what stands in its place."""
        return self._stand_in(name, bases, body, self.problem(why))


_DECLARED: ContextVar[Declared | None] = ContextVar("declared", default=None)


def collected() -> Declared | None:
    """Where model classes are gathered now; None where one with an error is refused, as it is by default."""
    return _DECLARED.get()


C = TypeVar("C", bound=Declared | None)


@contextmanager
def into(declared: C) -> Iterator[C]:
    """Gather in ``declared`` the classes that are made in this block; None gathers none of them."""
    token = _DECLARED.set(declared)
    try:
        yield declared
    finally:
        _DECLARED.reset(token)


def note(problem: BtmodelError, message: str) -> None:
    """Tell with ``problem`` what came of it, once."""
    if message not in getattr(problem, "__notes__", ()):
        problem.add_note(message)
