"""The rules on names of tables, families and columns, and on the cells that bear them."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from btmodel.codecs.cell import CellCodec, DecimalText, Int64, Raw, Utf8
from btmodel.codecs.key import PaddedInt
from btmodel.lint import Finding, Level, review
from btmodel.lint.rules.col001_long_qualifier import shortened
from btmodel.schema import Column, Family, KeyField, Location, Mirror, ModelSchema, RowKey, Shape
from btmodel.schema.gc import keep_all

Make = Callable[..., ModelSchema]
ID = KeyField("id", PaddedInt(6), sequential=False)


def column(name: str, qualifier: bytes, codec: CellCodec[Any] | None = None) -> Column:
    return Column(name, "data", qualifier, codec or Int64(), True, location=Location("m.py", 5))


def found(model: ModelSchema, rule: str) -> list[Finding]:
    return [finding for finding in review(model) if finding.rule == rule]


@pytest.mark.parametrize("id", ["MD", "a" * 64, "-._x", "0", "measurements_blob"])
def test_a_legal_family_id_is_not_flagged(a_model: Make, id: str) -> None:
    """Every id that the service takes passes."""
    assert found(a_model(families=(Family(id, keep_all()),)), "FAM002") == []


@pytest.mark.parametrize("id", ["QUOTE", "_a", "0", "a" * 50, "SENSOR_20170726", "a-b.c"])
def test_a_legal_table_id_is_not_flagged(a_model: Make, id: str) -> None:
    """Every id that the service takes passes."""
    assert found(a_model(table=id), "TAB006") == []


# A name in braces is filled in at run time, and judged as if it were.
@given(
    st.one_of(
        st.just(""), st.just("a\n"), st.just("é"), st.text(max_size=80).filter(lambda id: "{" not in id)
    )
)
def test_an_illegal_id_is_flagged_and_fixed_by_a_legal_one(id: str) -> None:
    """The ids that the fixes write out are legal, so following them clears the findings."""

    def model(table: str, family: str) -> ModelSchema:
        families = (Family(family, keep_all()),)
        return ModelSchema("M", "m", "", table, RowKey((ID,), b"#"), families, ())

    def illegal(model: ModelSchema) -> list[Finding]:
        return [finding for finding in review(model) if finding.rule in ("FAM002", "TAB006")]

    findings = illegal(model(id, id))
    assert {finding.limit for finding in findings} <= {True}
    legal_family = bool(re.fullmatch(r"[-_.a-zA-Z0-9]{1,64}", id, re.ASCII))
    legal_table = bool(re.fullmatch(r"[_a-zA-Z0-9][-_.a-zA-Z0-9]{0,49}", id, re.ASCII))
    expected = ([] if legal_family else ["FAM002"]) + ([] if legal_table else ["TAB006"])
    assert [finding.rule for finding in findings] == expected
    for finding in findings:
        fixed = re.search(r'"(.*?)"', finding.fix)
        assert fixed is not None
        fixed_model = model("t", fixed[1]) if finding.rule == "FAM002" else model(fixed[1], "f")
        assert illegal(fixed_model) == []


@pytest.mark.parametrize(
    ("table", "family", "rules"),
    [
        ("a" * 51, "f", ["TAB006"]),
        ("-a", "f", ["TAB006"]),
        ("t", "a" * 65, ["FAM002"]),
        ("", "", ["FAM002", "TAB006"]),
    ],
)
def test_ids_just_over_the_limit_are_flagged(
    a_model: Make, table: str, family: str, rules: list[str]
) -> None:
    """51 characters are too many for a table, 65 for a family, none is too few for either."""
    model = a_model(table=table, families=(Family(family, keep_all()),))
    assert sorted(finding.rule for finding in review(model)) == rules


def test_a_family_without_a_rule_is_fixed_by_what_it_holds(a_model: Make) -> None:
    """A family of histories is not told to keep one version; to keep everything is a rule."""
    plain, series = (
        Family("data", None, location=Location("m.py", 3)),
        Column("t", "h", b"t", Int64(), False, shape=Shape.HISTORY),
    )
    one, other = found(
        a_model(families=(plain, Family("h", None, location=Location("m.py", 4))), columns=(series,)),
        "FAM004",
    )
    assert (one.field, one.location) == ("data", Location("m.py", 3))
    assert "`gc=bt.max_versions(1)`" in one.fix
    assert "`gc=bt.max_age(days=30)`" in other.fix
    assert review(a_model(families=(Family("data", keep_all()),))) == ()


@pytest.mark.parametrize(
    ("qualifier", "codec", "level"),
    [
        (b"CPU/CPU1_USR", Int64(), None),
        (b"LONG_COLUMN_NAME", Raw(), None),
        (b"CELLPHONE_NO", Utf8(), None),
        (b"CELLPHONE_NUMBER", Utf8(), None),  # of any length
        (b"CELLPHONE_NUMBER", Int64(), Level.WARNING),
        (b"thirteenbytes", DecimalText(), Level.WARNING),
        (b"x" * 16384, Int64(), Level.WARNING),
        (b"x" * 16385, Int64(), Level.ERROR),
    ],
)
def test_the_length_of_a_qualifier(
    a_model: Make, qualifier: bytes, codec: CellCodec[Any], level: Level | None
) -> None:
    """Over 12 bytes, and over what its values usually have, a name is long; over 16 KiB it is impossible."""
    findings = review(a_model(columns=(column("c", qualifier, codec),)))
    assert [(each.rule, each.level, each.limit) for each in findings] == (
        [] if level is None else [("COL001", level, level is Level.ERROR)]
    )
    assert all(len(finding.message) < 200 for finding in findings)


def test_an_impossible_qualifier_is_one_for_large_values_too(a_model: Make) -> None:
    """That values are longer still does not make the service take the name."""

    @frozen
    class Image(Raw):
        typical_size = 100_000

    (finding,) = review(a_model(columns=(column("c", b"x" * 16385, Image()),)))
    assert (finding.rule, finding.level) == ("COL001", Level.ERROR)


def test_short_names_are_proposed_that_differ(a_model: Make) -> None:
    """Two long names with one beginning get two short ones, and none that is there already."""
    names = (b"CELLPHONE_NUMBER", b"CELLPHONE_PROVIDER", b"CELLPHONE_PRICE")
    columns = [column(f"cellphone_{index}", name) for index, name in enumerate(names)]
    fixes = [finding.fix for finding in found(a_model(columns=tuple(columns)), "COL001")]
    assert [re.findall("`(.*?)`", fix) for fix in fixes] == [["data:CELLN"], ["data:CELLP"], ["data:CELLP2"]]
    (daily,) = found(a_model(columns=(column("trips", b"avg_daily_trips"),)), "COL001")
    assert "`data:trips`" in daily.fix  # and not "avg", which names nothing
    one = (column("cell", b"CELL"), columns[0])
    assert "`data:CELLN`" in found(a_model(columns=one), "COL001")[0].fix


def test_the_name_of_an_attribute_is_the_short_name_of_its_cell(a_model: Make) -> None:
    """It says what the cell is, as the author calls it, unless it is long, or another cell is called so."""
    names = {
        "va": b"phase_a_voltage_in_kilovolts",
        "vb": b"phase_b_voltage_in_kilovolts",
        "active": b"three_phase_power",
    }
    columns = [column(name, qualifier) for name, qualifier in names.items()]

    def fixes(*more: Column) -> dict[str | None, str]:
        told = found(a_model(columns=(*columns, *more)), "COL001")
        return {one.field: "".join(re.findall("`data:(.*?)`", one.fix)) for one in told}

    assert fixes() == {"va": "va", "vb": "vb", "active": "active"}
    assert fixes(column("total", b"THE_TOTAL_OF_ORDERS"))["total"] == "TOTAL"
    assert fixes(column("other", b"va"))["va"] == "phaseavik"
    assert fixes(column("power_of_phase_a", b"phase_a_power_in_kilowatts"))["power_of_phase_a"] == "phaseapik"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("temperatureOfTheRoom", "temp"),
        ("HTTPStatusCodeSent", "HTTP"),
        ("1234567890123", "1234"),
        ("vehicle_registration", "vehicle"),
        ("observationsOfPassengers", "Passengers"),
        ("last_measured_temperature", "temp"),
        ("ééééééé", "c"),
    ],
)
def test_a_short_name_is_a_word_of_the_long_one(name: str, short: str) -> None:
    """Words are told by underscores, other signs and capitals; none is cut but to a form that people use."""
    assert shortened(name, set()) == short


def test_two_attributes_on_one_cell_are_flagged_at_the_later_one(a_model: Make) -> None:
    """Columns, mirrors, and one of each: whatever writes a cell twice."""
    mirrored = KeyField("symbol", PaddedInt(4), mirror=Mirror("data", b"SYM", DecimalText()))
    columns = (column("sym", b"SYM"), column("a", b"A"), column("b", b"A"), column("c", b"A"))
    findings = found(a_model(mirrored, columns=columns), "COL002")
    assert [(finding.field, finding.location) for finding in findings] == [
        (name, Location("m.py", 5)) for name in ("b", "c", "sym")
    ]
    assert "`sym` and the mirror of `symbol`" in findings[2].message
    assert "`b` and `a` (line 5) are one cell, `data:A`" in findings[0].message
    assert ["`data:B`" in findings[0].fix, "`data:C`" in findings[1].fix] == [True, True]


def test_columns_that_take_the_qualifiers_of_others_are_renamed_one_by_one(a_model: Make) -> None:
    """No other cell is what the user wants: two exchange theirs by way of a third one, and of two in a row the one in front goes first."""

    def renamed(name: str, new: bytes, old: bytes) -> Column:
        return evolve(column(name, new), also=(old,), renamed_from=old)

    swapped = found(a_model(columns=(renamed("a", b"B", b"A"), renamed("b", b"A", b"B"))), "COL002")
    for finding in swapped:
        assert finding.fix.startswith(
            "two columns exchange their qualifiers by way of a third one, in three revisions: rename `b` to that"
        )
    (shifted,) = found(a_model(columns=(renamed("a", b"B", b"A"), renamed("b", b"C", b"B"))), "COL002")
    assert shifted.fix.startswith("rename `b` first, and give `a` its qualifier in a later revision")


def test_one_qualifier_in_two_families_is_two_cells(a_model: Make) -> None:
    """The family is part of a cell's name."""
    families = (Family("data", keep_all()), Family("more", keep_all()))
    columns = (column("a", b"A"), Column("b", "more", b"A", Int64(), True))
    assert review(a_model(families=families, columns=columns)) == ()
