"""Values compare, hash and show as attrs would have it."""

from typing import Any

import attrs
import pytest
from attrs import field, frozen

import btmodel.schema.layout
import btmodel.schema.table
from btmodel.value import Value


@frozen
class ByAttrs:
    """What ``Ours`` has to be like."""

    one: int
    two: str = ""
    unseen: int = field(default=0, repr=False)
    unequal: int = field(default=0, eq=False)
    shown: str = field(default="x", repr=str.upper)


@frozen(eq=False, repr=False)
class Ours(Value):
    """The same fields."""

    one: int
    two: str = ""
    unseen: int = field(default=0, repr=False)
    unequal: int = field(default=0, eq=False)
    shown: str = field(default="x", repr=str.upper)


class Derived(Ours):
    """Another class of the same fields."""


@frozen(eq=False, repr=False)
class Empty(Value):
    """No field at all."""


@pytest.mark.parametrize(
    "change", [{}, {"one": 2}, {"two": "b"}, {"unseen": 1}, {"unequal": 1}, {"shown": "y"}]
)
def test_values_are_equal_where_those_of_attrs_are(change: dict[str, Any]) -> None:
    """Equality, hash and text follow the fields, and what each field says of itself."""
    ours, theirs = Ours(1, "a"), ByAttrs(1, "a")
    changed = attrs.evolve(ours, **change)
    assert (changed == ours) is (attrs.evolve(theirs, **change) == theirs)
    assert (hash(changed) == hash(ours)) is (changed == ours)
    assert repr(changed) == repr(attrs.evolve(theirs, **change)).replace("ByAttrs", "Ours")


def test_values_of_two_classes_differ() -> None:
    """As with attrs, a class and one derived from it are never equal, nor is anything else."""
    assert Ours(1) != Derived(1)
    assert Ours(1) != (1, "", 0, "x")
    assert (Empty(), hash(Empty()), repr(Empty())) == (Empty(), hash(Empty()), "Empty()")


def kinds(base: type) -> set[type]:
    """What is derived from ``base``, however far."""
    return {one for direct in base.__subclasses__() for one in (direct, *kinds(direct))}


def test_no_value_has_a_field_with_a_key_of_its_own() -> None:
    """What such a field is compared by, a value would not ask for."""
    having = {
        one for one in kinds(Value) if attrs.has(one) and any(each.eq_key for each in attrs.fields(one))
    }
    assert having == set()
    assert len(kinds(Value)) > 50
    assert any(each.eq_key for each in attrs.fields(btmodel.schema.layout.KeyPart))
