"""An instance of a model out of its values."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from btmodel.rows.compiled.source import Source


def write_instance(
    source: Source, make: Callable[..., Any], values: Mapping[str, str], part_of: type | None = None
) -> None:
    """Add the lines that make ``row`` as ``make`` does of ``values``, which are expressions by name.

    Where that is a class whose constructor only sets its attributes, they are set here: the call of
    a class takes four times as long. So they are where ``make`` makes instances of such a class, ``part_of``, in which
    all attributes that are not among the values stay unset.
    """
    fields = _set_alone(part_of or make)
    if fields is None or (part_of is None and _lacks(values, fields)):
        given = ", ".join(f"{name}={value}" for name, value in values.items())
        source.line(f"row = {source.name(make)}({given})")
        return
    source.line(f"row = {source.name(object.__new__)}({source.name(part_of or make)})")
    for one in fields:
        value = values.get(one.name)
        if (value is None and part_of is None) or not one.init:
            value = source.name(one.default)
        source.line(*([] if value is None else [f"row.{one.name} = {value}"]))


def _set_alone(make: Callable[..., Any]) -> tuple["attrs.Attribute[Any]", ...] | None:
    """The attributes that calling ``make`` sets; None where it may do anything else."""
    if not (isinstance(make, type) and attrs.has(make)):
        return None
    written = getattr(make.__init__, "__code__", None)
    # attrs calls what it writes so; of any other constructor nothing is known.
    if written is None or not written.co_filename.startswith("<attrs generated"):
        return None
    hooks = ("__attrs_pre_init__", "__attrs_post_init__")
    if any(hasattr(make, hook) for hook in hooks) or type(make).__call__ is not type.__call__:
        return None
    if make.__new__ is not object.__new__ or make.__setattr__ is not object.__setattr__:
        return None
    fields: tuple[attrs.Attribute[Any], ...] = attrs.fields(make)
    if any(one.converter or one.validator or isinstance(one.default, attrs.Factory) for one in fields):  # type: ignore[arg-type]
        return None
    return fields


def _lacks(values: Mapping[str, str], fields: Iterable["attrs.Attribute[Any]"]) -> bool:
    """Whether a constructor would refuse ``values``: one is no field, or one without a default is not given."""
    needed = {one.name for one in fields if one.default is attrs.NOTHING}
    return not needed <= values.keys() <= {one.name for one in fields}
