"""Names in the order in which people count."""

from hypothesis import given
from hypothesis import strategies as st
from some_tables import ONE, table

from btmodel.migrate import diff, make_plan
from btmodel.words import natural, one

names = st.text(alphabet="aT09_.é٣", max_size=6)


def test_two_before_ten() -> None:
    """Numbers in names count as numbers."""
    wanted = ["T", "T1", "T01", "T2", "T2.a", "T10", "T10.b3", "T10.b12", "U1"]
    upside_down = wanted[::-1]
    assert sorted(upside_down, key=natural) == ["T", "T01", "T1", *wanted[3:]]


@given(st.lists(names, unique=True))
def test_it_is_an_order(some: list[str]) -> None:
    """Any names can be sorted, always in the same way."""
    upside_down = some[::-1]
    assert sorted(some, key=natural) == sorted(upside_down, key=natural)


def test_tables_of_a_plan() -> None:
    """A plan, its drift and a comparison list tables so."""
    tables = [table(f"T{number}", f=ONE) for number in (10, 2, 1)]
    there = [table(f"T{number}") for number in (30, 4)]
    plan = make_plan("i", tables, there)
    assert [change.table_id for change in plan.changes] == ["T1", "T2", "T10"]
    assert [change.table_id for change in plan.drift] == ["T4", "T30"]
    assert [change.table_id for change in diff(tables, ())] == ["T1", "T2", "T10"]


def test_an_article_fits_its_noun() -> None:
    """In messages, also before the name of a class."""
    assert [one(noun) for noun in ("day", "hour", "event", "AdClickKey", "NoteKey")] == [
        "a day", "an hour", "an event", "an AdClickKey", "a NoteKey",
    ]  # fmt: skip
