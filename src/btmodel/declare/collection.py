"""Collecting models for a review, so that one refused class does not hide the next."""

import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, NoReturn

from btmodel.declare.body import TYPED, UNTYPED
from btmodel.declare.declarations import DerivedDeclaration, RefusedDeclaration
from btmodel.declare.metaclass import ModelMeta
from btmodel.declare.problems import Declared, into, note
from btmodel.declare.queries import DeclaredQuery, DeclaredSql
from btmodel.errors import BtmodelError, DeclarationError
from btmodel.schema import Location
from btmodel.schema.names import is_private


def collecting() -> AbstractContextManager[Declared]:
    """Gather the models that are declared in this block, where each class with an error would be refused.

    A class that rules refuse is made all the same. Where no schema can be built, a
    :class:`StandIn` takes the place of the class, and why is among the problems.
    """
    return into(Declared(_stand_in))


class FollowUp(DeclarationError, AttributeError):
    """Raised by the use of a class that only stands in for a refused one; ``problem`` is why that was."""

    def __init__(self, stand_in: type) -> None:
        super().__init__(f"{stand_in.__name__} only stands in for a class that cannot be")
        self.problem: BtmodelError = stand_in.__dict__["__problem__"]


class StandIn(ModelMeta):
    """The class of what stands in for a model that cannot be, so that its module goes on.

    It shows what its body assigned, such as families, constants and methods. Any other
    use raises :class:`FollowUp`. What inherits from it is a stand-in, too, for the same problem.
    """

    __problem__: BtmodelError

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **settings: Any
    ) -> "StandIn":
        """Make what inherits from a stand-in, and report with its problem that this cannot be judged."""
        problem = next(base.__problem__ for base in bases if isinstance(base, StandIn))
        frame = sys._getframe(1)
        place = Location(frame.f_code.co_filename, frame.f_lineno)
        note(problem, f"{name} ({place}) inherits from it, so it is not reviewed")
        return _stand_in(name, bases, namespace, problem)

    def __getattr__(cls, name: str) -> NoReturn:
        """Reached for what the class would have if it could be."""
        raise FollowUp(cls)

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse to make a row."""
        raise FollowUp(cls)


def _stand_in(
    name: str, bases: tuple[type, ...], namespace: Mapping[str, Any], problem: BtmodelError
) -> StandIn:
    unused = (*TYPED, DerivedDeclaration, DeclaredQuery, DeclaredSql, RefusedDeclaration)
    body = {
        attribute: value
        for attribute, value in namespace.items()
        if not isinstance(value, (*unused, *UNTYPED) if is_private(attribute) else unused)
    }
    return type.__new__(StandIn, name, bases, {"__slots__": (), **body, "__problem__": problem})
