"""TAB008: indexes that lack the rows without their covered columns."""

from typing import Any

import pytest

import btmodel as bt
from btmodel.lint import Finding, Level, review_all


class Loan(bt.Model, table="LOAN", events="80/s"):
    """A loan. It has a fine once it is late, and a note if somebody wrote one."""

    id: str = bt.key(bt.HexDigest(16), cardinality=100_000_000)

    t = bt.family("t", gc=bt.max_versions(1))
    reader: str = bt.column("r", t, size=10, max_size=20, cardinality=2_000_000)
    title: str = bt.column("b", t, size=50, max_size=200)
    returned: bool = bt.column("d", t)
    fine: int | None = bt.column("f", t, default=None)
    note: str | None = bt.column("n", t, default=None, size=20, max_size=100)


def told(doc: str, *covered: str, name: str = "LoanOfReader", **where: Any) -> list[Finding]:
    """What is found on an index of loans that covers these columns."""
    held: dict[str, Any] = {
        "__doc__": doc,
        "__module__": __name__,
        "__annotations__": {"reader": str, "id": str},
        "reader": bt.key(bt.Text(max_length=20)),
        "id": bt.covered(),
        "of_reader": bt.query("reader"),
    }
    for column in covered:
        held["__annotations__"][column] = Loan.__annotations__[column]
        held[column] = bt.covered()
    conditions = {"where": where} if where else {}
    made = type(bt.Index)(name, (bt.Index,), held, of=Loan, view="LOAN_OF_READER", **conditions)
    return [one for one in review_all([bt.schema_of(Loan), bt.schema_of(made)]) if one.rule == "TAB008"]


@pytest.mark.parametrize(
    ("doc", "covered", "level"),
    [
        ("All loans of a reader.", ("fine",), Level.WARNING),
        ("The loans of a reader.", ("note",), Level.WARNING),
        ("The loans of a reader.", ("fine", "note"), Level.WARNING),
        ("All loans of a reader, with their fines.", ("fine",), Level.WARNING),
        ("The fines of a reader.", ("fine",), Level.INFO),
        ("Fined loans.", ("fine",), Level.INFO),
        ("All loans of a reader.", ("fine", "title"), None),
        ("All loans of a reader.", ("title", "returned", "fine", "note"), None),
    ],
)
def test_an_index_has_the_rows_that_have_a_covered_column(
    doc: str, covered: tuple[str, ...], level: Level | None
) -> None:
    """So one of what rows may lack alone lacks rows; unless it is said that these are meant, it is a warning."""
    found = told(doc, *covered)
    assert [one.level for one in found] == ([] if level is None else [level])
    for one in found:
        assert "cover a column that each row has, too: `returned: bool = bt.covered()`" in one.fix
        assert f'`where={{"{covered[0]}": bt.present()}}`' in one.fix
        assert one.models


def test_a_condition_says_which_rows_are_meant() -> None:
    """If it is of a column that rows may lack; another one says nothing of these."""
    assert told("All loans of a reader.", "fine", fine=bt.present()) == []
    assert told("All loans of a reader.", "fine", note=bt.present()) == []
    assert len(told("All loans of a reader.", "fine", returned=True)) == 1
