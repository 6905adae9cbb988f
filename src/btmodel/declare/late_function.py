"""Functions of a model that are compiled when they are first asked for."""

from collections.abc import Callable
from typing import Any


class LateFunction:
    """Stands in the base of models for a class method, and in each model with a table makes way for a function.

    ``made`` gives the function of a model, which is then the model's own: calling it costs what it does, and
    no more. ``general`` is what a class without a table has.
    """

    def __init__(
        self, general: "classmethod[Any, ..., Any]", made: Callable[[Any], Callable[..., Any]]
    ) -> None:
        self._general = general
        self._made = made

    def __get__(self, row: object, owner: Any) -> Callable[..., Any]:
        if "__schema__" not in owner.__dict__:
            return self._general.__get__(row, owner)
        function, general = self._made(owner), self._general.__func__
        name = general.__name__
        function.__name__, function.__doc__ = name, general.__doc__
        # So that it can be pickled, as what a pool of processes is to call.
        function.__module__, function.__qualname__ = owner.__module__, f"{owner.__qualname__}.{name}"
        # Where a class stands between that has one of its own, and asks for this one by `super()`, its own stays.
        if next(one for one in owner.__mro__ if name in one.__dict__).__dict__[name] is self:
            setattr(owner, name, Compiled(self, function))
        return function

    def __reduce__(self) -> tuple[Any, ...]:
        return _late_function, (self._general.__func__.__name__,)


class Compiled(staticmethod):  # type: ignore[type-arg]  # mypy wants parameters that the class has at no run time
    """What a :class:`LateFunction` made for a model. A copy of the class in another process compiles its own."""

    def __init__(self, late: LateFunction, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._late = late

    def __reduce__(self) -> tuple[Any, ...]:
        return self._late.__reduce__()


def _late_function(name: str) -> Any:
    from btmodel.declare.model import Model

    return Model.__dict__[name]
