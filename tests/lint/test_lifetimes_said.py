"""The rule on lifetimes in words: how long something goes on, and which columns are kept."""

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
