"""Whether the rows of a bulk write that failed may be written again, by their causes."""

import pytest

import btmodel as bt
from btmodel.errors import FailedRow, TwinsFailed, WriteFailed

BUSY, LATE = bt.Unavailable("busy"), bt.Unanswered("late")
GONE = bt.MissingRow("Note", "NOTE", b"k", ())


@pytest.mark.parametrize(
    ("causes", "may"),
    [
        ([BUSY], True),
        ([BUSY, LATE], True),
        ([GONE], False),
        ([BUSY, GONE], False),
        ([ValueError("x")], False),
    ],
)
def test_failures_may_be_repeated_if_every_cause_passes(causes: list[Exception], may: bool) -> None:
    """What the server did not take or did not answer may be written again; one row that is refused makes it no matter of trying."""
    failures = [FailedRow(index, b"k", cause) for index, cause in enumerate(causes)]
    assert [one.may_be_repeated for one in failures] == [cause in (BUSY, LATE) for cause in causes]
    failed = WriteFailed("NOTE", 0, failures, stopped=False)
    assert failed.may_be_repeated is may
    assert TwinsFailed([WriteFailed("TWIN", 1, [], stopped=False), failed]).may_be_repeated is may
