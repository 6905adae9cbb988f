"""Results that are kept: of values that come again and again, as days and members of enums do."""

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST_KEPT = 4_096  # results


class Memo(dict[K, V]):
    """``memo[x]`` is ``function(x)``, kept for the next time; what it raises is raised, and not kept.

    It is emptied when it is full, so that its memory is bounded however many values there are.
    """

    __slots__ = ("_function", "_most")

    def __init__(self, function: Callable[[K], V], most: int = MOST_KEPT) -> None:
        super().__init__()
        self._function = function
        self._most = most

    def __missing__(self, key: K) -> V:
        value = self._function(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value
