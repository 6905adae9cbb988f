"""The rules on what a family is called for its columns, and on many columns."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from btmodel.codecs.cell import Int64, Present, Raw, Utf8
from btmodel.codecs.key import PaddedInt, Text
from btmodel.lint import Finding, Level, review
from btmodel.schema import Column, Expected, Family, KeyField, Mirror, ModelSchema, Query, RowKey, Shape
from btmodel.schema.gc import max_versions

Make = Callable[..., ModelSchema]
NUMBER = Column("n", "x", b"N", Int64(), True)


def found(rule: str, model: ModelSchema) -> list[Finding]:
    return [finding for finding in review(model) if finding.rule == rule]


def of_family(a_model: Make, id: str, *columns: Column, **changes: Any) -> ModelSchema:
    columns = tuple(evolve(column, family=id) for column in columns)
    return a_model(families=(Family(id, max_versions(1)),), columns=columns, **changes)


def sized(size: int) -> Column:
    return evolve(NUMBER, expected=Expected(size=size))


@pytest.mark.parametrize(
    ("length", "columns", "flagged"),
    [
        (12, (NUMBER,), False),
        (13, (NUMBER,), True),
        (13, (sized(13),), False),
        (13, (sized(12),), True),
        (13, (sized(2), sized(30)), False),
        (17, (sized(16),), True),
        (17, (sized(17),), False),
        (16, (), False),
        (17, (), True),
        (64, (sized(10_000),), False),
    ],
)
def test_a_family_id_is_long_for_what_it_holds(
    a_model: Make, length: int, columns: tuple[Column, ...], flagged: bool
) -> None:
    """Over 12 bytes and the typical value; without columns, over 16."""
    model = of_family(a_model, "f" * length, *columns)
    assert bool(found("FAM003", model)) == flagged


def test_a_shorter_id_is_proposed(a_model: Make) -> None:
    """Its first word, unless another family has it; what is filled in at run time stays."""
    (finding,) = found("FAM003", of_family(a_model, "machine_measurements", NUMBER))
    assert finding.level is Level.WARNING
    assert finding.fix == 'call it `"machine"`; the attribute keeps its name'
    assert "has 20 bytes, and a typical value of its columns only 8" in finding.message
    families = tuple(Family(id, max_versions(1)) for id in ("machine", "machine_measurements"))
    (finding,) = found("FAM003", a_model(families=families))
    assert '`"machinem"`' in finding.fix
    (finding,) = found("FAM003", of_family(a_model, "machine_measurements_{day}", NUMBER))
    assert '`"machine{day}"`' in finding.fix


def test_the_qualifier_is_the_data_of_marks_and_members(a_model: Make) -> None:
    """Their cells are empty, and yet a name of 13 bytes does not outweigh them; a mirror is a cell, too."""
    tags = Column("t", "x", b"", Present(), False, Shape.MEMBERS, names=Text(max_length=20))
    assert found("FAM003", of_family(a_model, "f" * 13, tags)) == []
    mirror = Mirror("f" * 13, b"ID", Raw())
    key = RowKey((KeyField("id", PaddedInt(6), mirror=mirror),), b"#")
    assert found("FAM003", of_family(a_model, "f" * 13, key=key)) == []


def test_a_family_that_the_service_refuses_is_left_to_its_own_rule(a_model: Make) -> None:
    """FAM002 has a legal id to propose."""
    assert [each.rule for each in review(of_family(a_model, "f" * 65, NUMBER))] == ["FAM002"]


def many(a_model: Make, count: int, **changes: Any) -> ModelSchema:
    columns = (Column(f"c{n}", "data", b"C%d" % n, Utf8(), True) for n in range(count))
    return a_model(columns=tuple(columns), **changes)


def test_many_columns_without_a_query_are_told(a_model: Make) -> None:
    """From 21 on; a query of any kind says what they are for."""
    (finding,) = found("COL007", many(a_model, 21))
    assert (finding.level, finding.field) == (Level.INFO, None)
    assert "Thing has 21 columns, and declares no query" in finding.message
    assert '`bt.query("id", only=[...])`' in finding.fix
    assert "`data: dict[str, Any]`, as `data:data`" in finding.fix
    assert found("COL007", many(a_model, 20)) == []
    assert found("COL007", many(a_model, 21, queries=(Query("q", ("id",)),))) == []


def test_a_model_of_a_single_row_has_a_scan_to_declare(a_model: Make) -> None:
    """Of a key that asks for nothing there is no field to give."""
    (finding,) = found("COL007", many(a_model, 21, key=RowKey((), b"#")))
    assert '`bt.query(scan="why", only=[...])`' in finding.fix
