"""The rule on lifetimes in words: how long something goes on, and which columns are kept."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from tests.lint.parts import found


class Progress(bt.Model, table="progress", events="1200/s"):
    """Rows without a time in their key, which are written again and again."""

    learner: str = bt.key(bt.HexDigest(16), cardinality=900_000)
    question: int = bt.key(bt.PaddedInt(5), cardinality=2_300, sequential=False)

    p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=45))
    streak: int = bt.column("streak", p, codec=bt.DecimalText())

    of_learner = bt.query("learner")


def progress(doc: str) -> list[Finding]:
    """What the rule finds on rows that are described so."""
    return found(evolve(bt.schema_of(Progress), doc=doc), "FAM010")


@pytest.mark.parametrize(
    ("doc", "days"),
    [
        ("How a learner did. A learner needs the last 18 months of it.", 558),
        ("The course takes four to eighteen months, with long breaks.", 558),
        ("A course lasts up to a year. It goes on where it ended when a learner comes back.", 365),
        ("A course runs for 6-18 months; a learner who pauses resumes it.", 558),
        ("A course takes about two years; breaks are long.", 730),
        ("An answer. It takes 30 seconds, and a learner comes back the next day.", None),
        ("A part lasts two years, and then it breaks.", None),
        ("A course takes four to eighteen months.", None),  # and what is of it may be read at once
        ("The exam takes 45 days to plan, and a learner comes back for it.", None),
        ("A course takes 2 years with breaks. Rows are kept for 45 days.", None),
    ],
)
def test_rows_that_are_written_again_last_as_long_as_they_are_needed(doc: str, days: int | None) -> None:
    """By what asks for them, or by how long something goes on that may rest meanwhile."""
    findings = progress(doc)
    assert [each.level for each in findings] == [Level.WARNING] * (days is not None)
    for finding in findings:
        assert f"bt.max_age(days={days})" in finding.fix


class Run(bt.Model, table="runs", events="800/s"):
    """A machining run.

    Spindle data are for the maintenance people. The inspection
    record (serial number of the part, gauge result) is kept for 15 years: aviation parts.
    """

    machine: str = bt.key(bt.Text(max_length=10), cardinality=8_000)
    at: datetime = bt.key(bt.EpochSeconds())

    data = bt.family("data", gc=bt.max_age(days=10))
    load: float = bt.column("load", data)
    serial: str | None = bt.column("serial", data, default=None, max_size=24)
    gauge: str | None = bt.column("gauge", data, default=None, max_size=200)

    of_machine = bt.query("machine", between="at", span="1day")


def test_columns_of_which_a_time_is_said_get_a_family_of_their_own() -> None:
    """What stands beside them need not be kept for so long."""
    (finding,) = found(bt.schema_of(Run), "FAM010")
    own = '`bt.family("data2", gc=bt.max_age(days=5_475))`'
    assert f"give `serial`, `gauge`, of which that is said, a family of their own: {own}" in finding.fix
    assert finding.edit is None


def test_of_all_columns_the_whole_row_is_meant() -> None:
    """And of a sentence that names none."""
    for doc in ("A run: load, serial and gauge are kept for 15 years.", "A run. It is kept for 15 years."):
        (finding,) = found(evolve(bt.schema_of(Run), doc=doc), "FAM010")
        assert '`bt.family("data", gc=bt.max_age(days=5_475))`' in finding.fix


def test_what_columns_declare_is_said_once() -> None:
    """The rule on what columns want names them, and how their family is to be divided."""
    model = bt.schema_of(Run)
    wanted = [
        evolve(one, expected=evolve(one.expected, keep=bt.max_age(days=5_500))) if not one.required else one
        for one in model.columns
    ]
    stated = evolve(model, columns=tuple(wanted))
    assert found(stated, "FAM010") == []
    assert len(found(stated, "FAM005")) == 1
