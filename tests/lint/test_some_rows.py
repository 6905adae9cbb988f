"""What a description says of some rows alone: no GC rule, which knows no state of a row, does it to all of them."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import review_all


class Mail(bt.Model, table="MAIL", events="20/s"):
    """A mail of a user."""

    owner: str = bt.key(bt.Text(width=8), cardinality=200_000)
    at: datetime = bt.key(bt.EpochMillis())

    f = bt.family("f", gc=bt.max_versions(1))
    text: str = bt.column("t", f, max_size=300)
    state: str = bt.column("s", f, max_size=10)

    of_owner = bt.query("owner", between="at")


def ages(sentence: str) -> list[str]:
    """What is found of how long rows are kept."""
    schema = evolve(bt.schema_of(Mail), doc=f"A mail of a user. {sentence}")
    return [one.fix for one in review_all([schema]) if one.rule == "FAM010"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Mails in the trash are deleted after 30 days.",
        "Read mails are deleted after 7 days.",
        "Cancelled mails are kept for 30 days.",
        "Mails of guests are kept for 2 days.",
        "Draft mails are kept for 3 days, others for a year.",
        "Mails that bounced are removed after a week.",
        "Mails without a subject are dropped after a day.",
        "Mails under one kilobyte are deleted after a day.",
        "Mails with the state 'void' are deleted after a day.",
        "Mails marked as spam are removed after 30 days.",
        "Most mails are deleted after 30 days.",
        "Mails are kept for 30 days by default; a tenant can choose longer.",
        "Mails are kept for 30 days in Europe and for a year elsewhere.",
        "Mails stay for ever, drafts for 7 days.",
        "Unless the owner agrees, a mail is deleted after 30 days.",
        "If nobody opens a mail, it is deleted after 14 days.",
        "A mail is kept for 90 days after the contract of the owner has ended.",
    ],
)
def test_an_age_of_some_rows_is_none_of_all(sentence: str) -> None:
    """To follow it would delete the others, too."""
    assert ages(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Mails are deleted after 30 days.",
        "All mails are deleted after 30 days.",
        "Mails of an owner are deleted after 30 days.",
        "Mails of owners are deleted after 30 days.",
        "The mails in this table are deleted after 30 days.",
        "Mails that are older than 30 days are deleted.",
        "If it is not opened within 30 days, a mail is deleted.",
        "Our mails are kept for 30 days.",
    ],
)
def test_an_age_of_all_rows_is_that_of_the_family(sentence: str) -> None:
    """Whose they are, where they are, and how old they are says not which of them."""
    (fix,) = ages(sentence)
    assert "bt.max_age(days=30)" in fix
