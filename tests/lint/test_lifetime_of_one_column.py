"""FAM010 on the only column of a model, of which the description says for how long it is kept."""

from datetime import date

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from tests.lint.parts import found


class Inspection(bt.Model, table="inspection", events="20/s"):
    machine: str = bt.key(bt.HexDigest(12), cardinality=300_000)
    day: date = bt.key(bt.DateText("%Y%m%d"))

    f = bt.family("f", gc=bt.max_age(days=365))
    report: str = bt.column("r", f, size=600)

    of_machine = bt.query("machine", between="day")


@pytest.mark.parametrize(
    ("doc", "warned"),
    [
        ("An inspection of a machine. Reports are kept for ten years.", True),
        ("An inspection of a machine. The report must never be deleted.", True),
        ("An inspection of a machine. Reports are kept for one year.", False),
        ("An inspection of a machine. The archive keeps reports for ten years.", False),
        ("An inspection of a machine, which is in service for ten years.", False),
    ],
)
def test_a_sentence_on_the_only_column_is_about_it(doc: str, warned: bool) -> None:
    """It is called otherwise than the row is."""
    findings = found(evolve(bt.schema_of(Inspection), doc=doc), "FAM010")
    assert [one.level for one in findings] == [Level.WARNING] * warned
