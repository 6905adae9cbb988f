"""FAM010 by names: what is used once and has an end in a column, and what goes on while an age deletes how it began."""

from datetime import date, datetime
from uuid import UUID

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from btmodel.schema import ModelSchema, Rate
from tests.lint.parts import found


class Code(bt.Model, table="code", events="1500/s"):
    id: UUID = bt.key(bt.UuidText(), cardinality=5_000_000_000)

    c = bt.family("c", gc=bt.max_versions(1))
    digits: bytes = bt.column("h", c, size=32, max_size=32)
    expires_at: datetime = bt.column("exp", c)

    of_id = bt.query("id")


def called(
    name: str, table: str = "t", doc: str = "", cardinality: int | None = 5_000_000_000
) -> ModelSchema:
    """The rows under another name, with so many ids."""
    model = bt.schema_of(Code)
    (part,) = model.key.fields
    key = evolve(model.key, fields=(evolve(part, cardinality=cardinality),))
    return evolve(model, name=name, table=table, doc=doc, key=key)


@pytest.mark.parametrize(
    "model",
    [
        called("OneTimeCode"),
        called("Row", "otp"),
        called("PasswordReset"),
        called("MagicLink", cardinality=None),
        called("LoginChallenge"),
        called("Nonces"),
        called("WebSession"),
    ],
    ids=lambda model: f"{model.name} {model.table}",
)
def test_what_is_used_once_ends_by_itself(model: ModelSchema) -> None:
    """No sentence has to say it; the end is then the time of the cells."""
    (one,) = found(model, "FAM010")
    assert (one.field, one.level) == ("expires_at", Level.WARNING)
    assert one.models[0].stamp.expires


@pytest.mark.parametrize(
    "model",
    [
        called("Contract"),
        called("Subscription"),
        called("CodeOfConduct"),
        called("OneTimeCode", doc="What was sent; kept for the auditors."),
        called("OneTimeCode", cardinality=1_000_000),
    ],
    ids=lambda model: f"{model.name} {model.doc} {model.key.fields[0].cardinality}",
)
def test_what_goes_on_or_is_overwritten_may_keep_its_end(model: ModelSchema) -> None:
    """A contract, and a code in the row of a user, of which the next one takes the place."""
    assert found(model, "FAM010") == []


class Viewer(bt.Model, table="viewer", events="800/s"):
    viewer: UUID = bt.key(bt.UuidRaw(), cardinality=40_000_000)

    d = bt.family("d", gc=bt.max_age(days=30))
    plan: str = bt.column("plan", d, size=8, max_size=16)
    member_since: date = bt.column("since", d)
    last_title: str | None = bt.column("last", d, default=None, size=12, max_size=24)

    of_viewer = bt.query("viewer")


def viewer(
    doc: str = "", name: str = "Viewer", since: str = "member_since", events: str = "800/s"
) -> list[Finding]:
    """What the rule finds on viewers who are described and called so."""
    model = bt.schema_of(Viewer)
    columns = tuple(evolve(one, name=since) if one.name == "member_since" else one for one in model.columns)
    changed = evolve(model, doc=doc, name=name, columns=columns, events=Rate.parse(events))
    return [each for each in found(changed, "FAM010") if each.level is Level.WARNING]


@pytest.mark.parametrize(
    "since", ["member_since", "created_at", "signed_up", "registration_date", "account_opened_on"]
)
@pytest.mark.parametrize(
    "doc",
    ["", "A viewer.", "A viewer, with what the start page needs of the last titles (kept for 30 days)."],
)
def test_how_a_thing_began_is_not_to_end_before_it(doc: str, since: str) -> None:
    """What each row must have gets a family of its own."""
    (one,) = viewer(doc, since=since)
    assert one.message.startswith(
        f"`{since}` is written once, judging by its name, and `last_title` again and again"
    )
    assert (
        f'give `plan`, `{since}` a family of their own: `bt.family("once", gc=bt.max_versions(1))`' in one.fix
    )
    assert one.models


@pytest.mark.parametrize(
    "findings",
    [
        viewer(since="renewed_on"),
        viewer(name="ViewerSession"),
        viewer("The session of a viewer."),
        viewer("A viewer; goes when nothing was written for 30 days."),
        viewer("A viewer. Inactive ones are forgotten."),
        viewer("A viewer, kept for 30 days."),
        viewer(events="20/s"),
    ],
)
def test_what_rests_may_end(findings: list[Finding]) -> None:
    """A session, what the description says to go, and what is hardly written again before its age."""
    assert findings == []


def test_what_is_written_whole_ages_anew() -> None:
    """Without a column that is written alone, each write is one of all columns."""
    model = bt.schema_of(Viewer)
    columns = tuple(evolve(one, required=True) for one in model.columns)
    assert found(evolve(model, columns=columns), "FAM010") == []
