"""Classes with fields: what attrs, dataclasses and NamedTuple say of them, in one form."""

import dataclasses

import attrs
from attrs import frozen

from btmodel.codecs.classes import is_class
from btmodel.errors import DeclarationError


@frozen
class RecordField:
    """One field: its name, what the constructor calls it, and whether it must be given."""

    name: str
    argument: str
    required: bool


def is_record(cls: type) -> bool:
    """Whether ``cls`` is an attrs class, a dataclass or a NamedTuple."""
    return attrs.has(cls) or dataclasses.is_dataclass(cls) or _is_named_tuple(cls)


def record_fields(cls: type) -> tuple[RecordField, ...]:
    """The fields of an attrs class, a dataclass or a NamedTuple.

    Raises :class:`DeclarationError` for another class, and for one that sets fields by itself.
    """
    if not isinstance(cls, type) or not is_record(cls):
        raise DeclarationError(f"wanted an attrs class, a dataclass or a NamedTuple, got {cls!r}")
    if _is_named_tuple(cls):
        defaults = getattr(cls, "_field_defaults", {})
        names: tuple[str, ...] = getattr(cls, "_fields", ())
        return tuple(RecordField(name, name, name not in defaults) for name in names)
    found = _attrs_fields(cls) if attrs.has(cls) else _dataclass_fields(cls)
    return tuple(found)


def _is_named_tuple(cls: type) -> bool:
    return is_class(cls, tuple) and hasattr(cls, "_fields")


def _attrs_fields(cls: type) -> list[RecordField]:
    found = []
    for one in attrs.fields(cls):
        _refuse_set_by_itself(cls, one.name, one.init)
        found.append(RecordField(one.name, one.alias or one.name, one.default is attrs.NOTHING))
    return found


def _dataclass_fields(cls: type) -> list[RecordField]:
    found = []
    for one in dataclasses.fields(cls):
        _refuse_set_by_itself(cls, one.name, one.init)
        given = one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
        found.append(RecordField(one.name, one.name, given))
    return found


def _refuse_set_by_itself(cls: type, name: str, init: bool) -> None:
    if not init:
        raise DeclarationError(
            f"{cls.__name__}.{name} is not given to the constructor, so it could not be read back"
        )
