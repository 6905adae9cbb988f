"""Which types of Arrow hold the values of which others, so that a cast changes none of them."""

from collections.abc import Callable
from typing import Any

from btmodel.columnar.libraries import pyarrow


def fits(given: Any, wanted: Any) -> bool:
    """Whether ``given`` has the values of ``wanted``, a type that ``to_arrow`` gives, be it in another layout.

    Other sizes of integers, units of time and zones fit: their cast is refused where a value would change.
    """
    types = pyarrow().types
    if types.is_dictionary(given):
        given = given.value_type
    if types.is_dictionary(wanted):
        wanted = wanted.value_type
    if given == wanted or types.is_null(given):
        return True
    if types.is_struct(wanted):
        return types.is_struct(given) and _fields_fit(given, wanted)
    if types.is_map(wanted):
        return types.is_map(given) and all(
            fits(one, other)
            for one, other in ((given.key_type, wanted.key_type), (given.item_type, wanted.item_type))
        )
    if types.is_list(wanted):
        lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
        return any(check(given) for check in lists) and fits(given.value_type, wanted.value_type)
    if types.is_timestamp(wanted):
        # Without a zone nobody can say which time it is.
        return types.is_timestamp(given) and given.tz is not None
    return any(check(given) and check(wanted) for check in _same_kinds())


def _fields_fit(given: Any, wanted: Any) -> bool:
    names = [one.name for one in given]
    return sorted(names) == sorted(one.name for one in wanted) and all(
        fits(given.field(one.name).type, one.type) for one in wanted
    )


def _same_kinds() -> list[Callable[[Any], bool]]:
    types = pyarrow().types
    texts = (types.is_string, types.is_large_string, types.is_string_view)
    raws = (types.is_binary, types.is_large_binary, types.is_binary_view, types.is_fixed_size_binary)
    return [
        types.is_integer,
        types.is_floating,
        lambda type: any(check(type) for check in texts),
        lambda type: any(check(type) for check in raws),
    ]
