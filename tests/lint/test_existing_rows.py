"""The review of rows that exist already: advice with its cost, and what stays an error."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from hypothesis import given
from test_fixes_hold import models

import btmodel as bt
from btmodel.codecs.cell import Int64, Utf8
from btmodel.codecs.key import EpochMillis, PaddedInt, Text, TimeText
from btmodel.lint import RULES, ArgumentEdit, Finding, Level, review
from btmodel.lint.rule import Rule
from btmodel.schema import Column, Expected, Family, KeyField, ModelSchema, Query, Rate, RowKey
from btmodel.schema.gc import max_age, max_versions
from tests.examples_tried import examples

AT, SYMBOL = KeyField("at", EpochMillis()), KeyField("symbol", Text(width=5), 8_000)


def stored(*fields: KeyField, age: int | None = None, **changes: object) -> ModelSchema:
    """A model of existing rows of 5,000/s, with a counted value of 8 bytes."""
    family = Family("f", max_versions(1) if age is None else max_age(days=age))
    columns = (Column("price", "f", b"p", Int64(), True),)
    key, events = RowKey(fields or (AT, SYMBOL), b"#"), Rate.parse("5000/s")
    made = ModelSchema(
        "Tick", "m", "", "TICK", key, (family,), columns, events=events, existing=True, location=None
    )
    return evolve(made, **changes)


def only(model: ModelSchema, rule: str) -> Finding:
    """The one finding of a rule."""
    (finding,) = (finding for finding in review(model) if finding.rule == rule)
    return finding


@examples(40, deadline=None)
@given(models())
def test_existing_rows_have_the_findings_of_new_ones(model: ModelSchema) -> None:
    """The same rules find the same; a finding is as grave as before, or information that names its cost."""
    new, old = review(model), review(evolve(model, existing=True))
    assert sorted((one.rule, one.field or "", one.message) for one in new) == sorted(
        (one.rule, one.field or "", one.message) for one in old
    )
    level = {(one.rule, one.field, one.message): one.level for one in new}
    for one in old:
        if one.cost is None:
            assert one.level is level[one.rule, one.field, one.message]
        else:
            assert one.level is Level.INFO
        assert one.edit is None or not one.edit.rewrites
    assert all(one.cost is None for one in new)


def test_a_class_of_existing_rows_is_not_refused_for_its_design() -> None:
    """A time in front, where many events are written, refuses a new class."""

    def declare(**keywords: bool) -> type[bt.Model]:
        class Tick(bt.Model, table="TICK", events="500/s", **keywords):
            at: datetime = bt.key(bt.EpochSeconds())
            meter: int = bt.key(bt.PaddedInt(6))

            f = bt.family("f", gc=bt.keep_all())
            price: int = bt.column("p", f)

        return Tick

    with pytest.raises(bt.DeclarationError, match="KEY001"):
        declare()
    made = declare(existing=True)
    assert bt.schema_of(made).existing
    assert made.row_key(at=datetime(2024, 2, 29, 12, tzinfo=UTC), meter=7) == b"1709208000#000007"


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        (stored(), "a new table, and a copy of every row"),
        # 5,000/s for 6 days; each row 13 + 1 + 5 bytes of key, 1 + 1 + 8 + 8 of its cell
        (stored(age=6), "a new table, and a copy of up to 2,592,000,000 rows (89 GiB)"),
        # a row for each of 8,000 symbols and each hour of 6 days, and the hour that has begun
        (
            stored(evolve(AT, codec=TimeText("%Y%m%d%H")), SYMBOL, age=6),
            "a new table, and a copy of up to 1,160,000 rows (38 MiB)",
        ),
        (
            stored(age=6, columns=(Column("note", "f", b"p", Utf8(), True),)),
            "a new table, and a copy of up to 2,592,000,000 rows",
        ),
    ],
)
def test_the_cost_of_another_key(model: ModelSchema, cost: str) -> None:
    """It is a copy of all rows: as many as there are events, or keys, in the time for which they are kept."""
    assert only(model, "KEY001").cost == cost


def test_the_cost_of_other_names() -> None:
    """A family is copied, the cells of a column are written again; the number of keys without a time is that of its values."""
    key = KeyField("id", PaddedInt(6), 1_000, sequential=False)
    long = Column("price", "f", b"the_price_of_this_thing", Int64(), True)
    found = only(stored(key, columns=(long,)), "COL001")
    assert found.cost == "its cells are written again in up to 1,000 rows (39 KiB)"  # of 1 + 23 + 8 + 8 bytes
    name = "measurements_of_things"
    moved = evolve(stored(key), families=(Family(name, max_versions(1)),))
    moved = evolve(moved, columns=(Column("price", name, b"p", Int64(), True, expected=Expected()),))
    found = only(moved, "FAM003")
    assert found.cost == f"a new family, and a copy of the cells of '{name}' in up to 1,000 rows (38 KiB)"
    assert found.edit is None


def test_what_cannot_be_true_stays_an_error() -> None:
    """A query that no key serves, and a range of numbers that do not sort, are errors of any model; their edits are not offered."""
    unserved = stored(SYMBOL, AT, queries=(Query("of", (), "at"),))
    assert only(unserved, "QRY001").level is Level.ERROR
    number = KeyField("number", bt.Int(8), 1_000)
    unordered = stored(number, queries=(Query("of", (), "number"),))
    found = only(unordered, "KEY007")
    assert (found.level, found.edit) == (Level.ERROR, None)
    assert only(evolve(unordered, existing=False), "KEY007").edit == ArgumentEdit("codec", "bt.PaddedInt(8)")


def test_what_can_change_at_any_time_stays_as_grave() -> None:
    """A GC rule is changed without writing a row."""
    model = evolve(stored(SYMBOL, AT), families=(Family("f", None),))
    assert only(model, "FAM004").level is Level.ERROR


def test_events_that_overwrite_one_another_stay_an_error() -> None:
    """Events of one symbol and one second share a row: the later replaces the earlier, and that is lost."""
    model = stored(SYMBOL, evolve(AT, codec=bt.EpochSeconds()), events=Rate.parse("50000/s"))
    assert only(model, "KEY017").level is Level.ERROR


def test_advice_can_be_suppressed() -> None:
    """A reason hides it, as any finding, and is not called needless."""
    model = stored(allow={"KEY001": "one writer"})
    assert [one.rule for one in review(model) if one.rule.startswith(("KEY001", "ALW"))] == []


def test_existing_is_true_or_false() -> None:
    """Anything else is refused where it is declared."""
    with pytest.raises(bt.DeclarationError, match="existing: expected True or False, got 'yes'"):

        class Thing(bt.Model, table="THING", existing="yes"):
            id: int = bt.key(bt.PaddedInt(6))

            f = bt.family("f", gc=bt.max_age(timedelta(days=1)))
            value: int = bt.column("v", f)


def test_of_every_rule_it_is_known_whether_it_writes_rows_again() -> None:
    """A rule cannot be made without it, and only what writes rows again can be slow and no more."""
    with pytest.raises(TypeError, match="rewrites"):
        Rule("KEY999", "new", lambda _: (), page="")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    assert all(rule.rewrites for rule in RULES if rule.slow)
