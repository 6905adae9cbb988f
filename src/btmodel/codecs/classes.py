"""Classes among the types that annotations name."""

from typing import TypeGuard, TypeVar

T = TypeVar("T")


def is_class(annotation: object, kind: type[T]) -> TypeGuard[type[T]]:
    """Whether ``annotation`` is a class, and ``kind`` or derived from it; of ``list[int]`` or ``int | None``, no.

    ``issubclass`` takes ``list[int]`` up to Python 3.12, and raises from 3.13 on.
    """
    return isinstance(annotation, type) and issubclass(annotation, kind)
