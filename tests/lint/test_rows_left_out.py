"""TAB009: a view leaves out the rows whose values its key does not take, and the review says which these are."""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Any

import pytest
from btmodel_codegen import generate
from documented import findings

import btmodel as bt
from btmodel.lint import Finding, Level


class Size(StrEnum):
    """What a parcel may be."""

    SMALL = "s"
    LARGE = "l"


def indexed(column: Any, key: Any, kind: type = str) -> tuple[type[bt.Model], type[bt.Model]]:
    """A table of parcels with a column, and an index by it."""

    class Parcel(bt.Model, table="PARCEL"):
        id: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        of: kind = column(f)  # type: ignore[valid-type]
        weight: int = bt.column("w", f)

    class ParcelOf(bt.Index, of=Parcel, view="PARCEL_OF"):
        of: key.python_type = bt.key(key)  # type: ignore[name-defined]
        id: str = bt.covered()
        weight: int = bt.covered()

    return Parcel, ParcelOf


def found(declare: Callable[[], object]) -> list[Finding]:
    """What TAB009 finds."""
    return [one for one in findings(declare) if one.rule == "TAB009"]


@pytest.mark.parametrize(
    ("options", "key", "kind", "level", "says"),
    [
        ({}, bt.Text(max_length=20), str, Level.WARNING, "longer than 20 bytes or text with `#` in it"),
        ({}, bt.Text(width=6), str, Level.WARNING, "longer than 6 bytes"),
        ({"max_size": 20}, bt.Text(max_length=20), str, Level.INFO, "text with `#` in it"),
        ({"max_size": 40}, bt.Text(max_length=20), str, Level.WARNING, "longer than 20 bytes"),
        ({"codec": bt.AsInKey(bt.Text(max_length=20))}, bt.Text(max_length=20), str, Level.INFO, "`#`"),
        ({"codec": bt.AsInKey(bt.Text(width=6))}, bt.Text(width=6), str, None, ""),
        ({}, bt.EnumText(Size), str, Level.WARNING, "not the value of"),
        ({}, bt.EnumText(Size), Size, None, ""),
        ({}, bt.PaddedInt(6), int, Level.WARNING, "negative or of 7 digits or more"),
        ({}, bt.PaddedInt(19), int, Level.INFO, "negative"),
        ({"codec": bt.AsInKey(bt.PaddedInt(6))}, bt.PaddedInt(6), int, None, ""),
        ({}, bt.EpochSeconds(), datetime, None, ""),
        ({}, bt.Boolean(), bool, None, ""),
        ({}, bt.Bytes(width=2), bytes, Level.WARNING, "longer than 2 bytes"),
    ],
)
def test_values_that_the_key_of_an_index_refuses_are_found(
    options: dict[str, Any], key: Any, kind: type, level: Level | None, says: str
) -> None:
    """Lengths and numbers out of range are a warning, signs within and times are information, and what the column refuses is nothing."""
    one = found(lambda: indexed(lambda family: bt.column("c", family, **options), key, kind))
    assert [each.level for each in one] == ([] if level is None else [level])
    assert all(says in each.message for each in one)


def test_a_time_before_1970_is_found_where_the_name_says_that_it_may_be() -> None:
    """People are born before 1970, and a key that counts from then on has no row of them."""

    def declare() -> object:
        class Member(bt.Model, table="MEMBER"):
            id: str = bt.key(bt.HexDigest(4))
            f = bt.family("f", gc=bt.max_versions(1))
            birth_day: datetime = bt.column("b", f)
            age: int = bt.column("a", f)

        class MemberBorn(bt.Index, of=Member, view="BORN"):
            birth_day: datetime = bt.key(bt.EpochSeconds())
            id: str = bt.covered()
            age: int = bt.covered()

        return Member, MemberBorn

    assert [(one.level, "before 1970" in one.message) for one in found(declare)] == [(Level.WARNING, True)]


class Parcel(bt.Model, table="PARCEL"):
    """A parcel of a customer who is called anything."""

    id: str = bt.key(bt.HexDigest(4))
    f = bt.family("f", gc=bt.max_versions(1))
    customer: str = bt.column("c", f)
    weight: int = bt.column("w", f)


class ParcelOf(bt.Index, of=Parcel, view="PARCEL_OF"):
    """The parcels of a customer."""

    customer: str = bt.key(bt.Text(max_length=20))
    id: str = bt.covered()
    weight: int = bt.covered()

    every = bt.query(scan="a test reads all")


class Fixed(bt.Model, table="FIXED"):
    """The same, as the fix says."""

    id: str = bt.key(bt.HexDigest(4))
    f = bt.family("f", gc=bt.max_versions(1))
    customer: str = bt.column("c", f, codec=bt.AsInKey(bt.Text(max_length=20)))
    weight: int = bt.column("w", f)


class FixedOf(bt.Index, of=Fixed, view="FIXED_OF"):
    """The same, as the fix says."""

    customer: str = bt.key(bt.Text(max_length=20), ends="\0")
    id: str = bt.covered()
    weight: int = bt.covered()

    every = bt.query(scan="a test reads all")


def repository(model: type[bt.Model], db: Any) -> Any:
    """The generated repository of a model."""
    name = f"{model.__name__}Repository"
    schemas = [bt.schema_of(each) for each in (Parcel, ParcelOf, Fixed, FixedOf)]
    text = next(text for text in generate(schemas, ["repository"]).values() if f"class {name}(" in text)
    space: dict[str, Any] = {}
    exec(text, space)
    return space[name](db)


def test_a_row_that_does_not_fit_is_missing_and_the_fix_refuses_or_holds_it(bigtable: Any) -> None:
    """Two of three rows are not in the index; as the fix says, the long value is refused when it is written, and that with a `#` is there."""
    (finding,) = found(lambda: (Parcel, ParcelOf))
    ended = 'codec=bt.AsInKey(bt.Text(max_length=20))`, and end `customer` in the key with a byte that no value holds: `ends="\\0"`'
    assert finding.fix.endswith(ended)
    assert found(lambda: (Fixed, FixedOf)) == []

    db = bigtable(Parcel, ParcelOf, Fixed, FixedOf)
    values = {"0001": "jo", "0002": "x" * 32, "0003": "a#b"}
    repository(Parcel, db).put_many(Parcel(id=id, customer=name, weight=1) for id, name in values.items())
    assert {row.id for row in repository(ParcelOf, db).every()} == {"0001"}
    fixed = repository(Fixed, db)
    fixed.put_many(Fixed(id=id, customer=values[id], weight=1) for id in ("0001", "0003"))
    with pytest.raises(bt.ValueRefused):
        fixed.put(Fixed(id="0002", customer=values["0002"], weight=1))
    assert {row.id for row in repository(FixedOf, db).every()} == {"0001", "0003"}
