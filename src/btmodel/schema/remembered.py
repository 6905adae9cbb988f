"""Functions of a schema that are computed once."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from btmodel.schema.model import ModelSchema

T = TypeVar("T")


def remembered(compute: Callable[[ModelSchema], T]) -> Callable[[ModelSchema], T]:
    """The function ``compute``, whose value a schema keeps, as it keeps that of a cached property.

    A schema never changes, so neither does the value; copies compute their own.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def look_up(model: ModelSchema) -> T:
        known = vars(model)
        if name not in known:
            known[name] = compute(model)
        found: T = known[name]
        return found

    return look_up
