"""Values that are used once, in rows that last: by the name of a column, and for as long as the description says."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from btmodel.schema import GcRule
from tests.lint.parts import found


class Account(bt.Model, table="ACCOUNT", events="90/s"):
    """Values that are used once, in a row that lasts."""

    account: str = bt.key(bt.HexDigest(12), cardinality=9_000_000)

    a = bt.family("a", gc=bt.max_versions(1))
    name: str = bt.column("n", a, size=20)
    code: str | None = bt.column("c", a, default=None, size=6)

    one = bt.query("account")


def account(name: str, said: str = "", gc: GcRule | None = None) -> list[Finding]:
    """What the rule finds on accounts with a value of such a name."""
    schema = bt.schema_of(Account)
    columns = tuple(evolve(one, name=name) if one.name == "code" else one for one in schema.columns)
    families = tuple(evolve(one, gc=gc or one.gc) for one in schema.families)
    return found(evolve(schema, doc=f"An account. {said}", columns=columns, families=families), "FAM010")


@pytest.mark.parametrize(
    ("name", "said", "age"),
    [
        ("login_code", "The login code is valid for ten minutes.", "minutes=10"),
        ("otp", "", "days=1"),
        ("reset_token", "It is sent by mail. A reset token can be used for an hour.", "hours=1"),
        ("magic_link", "A name lasts for years.", "days=1"),
        ("csrf_token", "", "days=1"),
        ("email_verification_token", "", "days=1"),
        ("last_sms_code", "", "days=1"),
    ],
)
def test_what_is_used_once_ends_in_a_row_that_lasts(name: str, said: str, age: str) -> None:
    """After as long as the description says of it; in a family with an age it ends already."""
    (finding,) = account(name, said)
    assert finding.level is Level.WARNING
    assert (
        f'give `{name}` a family of its own: `bt.family("a2", gc=bt.max_versions(1) | bt.max_age({age}))`'
        in finding.fix
    )
    assert account(name, said, bt.max_age(days=30)) == []


@pytest.mark.parametrize(
    "name",
    [
        "door_code",
        "access_code",
        "country_code",
        "confirmation_code",
        "push_token",
        "refresh_token",
        "session_id",
        "totp_secret",
        "nonce",
    ],
)
def test_what_is_like_it_lasts(name: str) -> None:
    """A code of a booking, a country or a door, and a token of a device."""
    assert account(name) == []


def test_what_is_looked_at_later_is_kept() -> None:
    """So are the columns that declare what they want."""
    assert account("login_code", "Login codes are needed for audits.") == []
