"""The methods that attrs would write for every frozen class, written once.

attrs compiles ``__eq__``, ``__hash__`` and ``__repr__`` for each class anew, which is half of what a class costs when it is
imported, and declaring a first model imports many.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import attrs


class Value:
    """A base that compares, hashes and shows by the fields: ``@frozen(eq=False, repr=False) class Rate(Value)``.

    A class with a field that is compared by a key, ``field(eq=...)``, is attrs's alone.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_compared(self) == _compared(other))

    def __hash__(self) -> int:
        return hash((self.__class__, _compared(self)))

    def __repr__(self) -> str:
        kind: Any = self.__class__
        fields = (field for field in attrs.fields(kind) if field.repr)
        shown = (f"{field.alias}={_shown(field.repr, getattr(self, field.name))}" for field in fields)
        return f"{kind.__qualname__.rpartition('>.')[2]}({', '.join(shown)})"


# What gets the compared values of an object, by its class.
_GETTERS: dict[type, Callable[[object], object]] = {}


def _compared(value: object) -> object:
    kind: Any = value.__class__
    getter = _GETTERS.get(kind)
    if getter is None:
        names = [field.name for field in attrs.fields(kind) if field.eq]
        getter = _GETTERS[kind] = attrgetter(*names) if names else lambda value: ()
    return getter(value)


def _shown(how: bool | Callable[[object], str], value: object) -> str:
    return how(value) if callable(how) else repr(value)
