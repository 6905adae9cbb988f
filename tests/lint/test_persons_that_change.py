"""KEY010 beside KEY021: a person in the key whom another one may follow, and rows that are found by what stays."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, review
from btmodel.schema import ModelSchema, Query


class Ticket(bt.Model, table="TICKET"):
    """A ticket."""

    team: str = bt.key(bt.Text(max_length=30), cardinality=300)
    assignee_email: str = bt.key(bt.Text(max_length=60), cardinality=3_000, changes=True)
    ticket: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

    data = bt.family("data", gc=bt.max_versions(1))
    title: str = bt.column("title", data)

    of_team = bt.query("team")


class Device(bt.Model, table="DEVICE"):
    """A device of an owner."""

    owner: str = bt.key(bt.Text(max_length=30), changes=True)
    phone: str = bt.key(bt.Text(max_length=16), cardinality=90_000)

    data = bt.family("data", gc=bt.max_versions(1))
    model: str = bt.column("m", data)

    one = bt.query("owner", "phone")
    of_owner = bt.query("owner")


def told(model: ModelSchema) -> dict[str, Finding]:
    return {one.rule: one for one in review(model) if one.rule in ("KEY010", "KEY021")}


def keys(finding: Finding) -> list[str]:
    return [made.key.shape for made in finding.models]


def test_who_is_followed_by_another_leaves_the_key() -> None:
    """No query asks for the person, so both fixes are one and the same."""
    found = told(bt.schema_of(Ticket))
    assert [keys(one) for one in found.values()] == [["{team}#{ticket}"]] * 2
    assert found["KEY010"].fix.startswith("keep `assignee_email` in a column: `{team}#{ticket}`")


def test_a_surrogate_of_who_is_followed_by_another_changes_too() -> None:
    """A query asks for it, so it moves the rows of a second table, which hold no address."""
    of_one = Query("of_one", ("team", "assignee_email"))
    found = told(evolve(bt.schema_of(Ticket), queries=(of_one,)))
    assert keys(found["KEY010"]) == ["{team}#{ticket}", "{team}#{person_id}#{ticket}"]
    assert "`person_id: UUID = bt.key(bt.UuidText(), cardinality=3_000, changes=True)`" in found["KEY010"].fix
    assert found["KEY021"].fix.startswith("the fix of KEY010 settles it, too")


def test_a_person_leaves_the_key_before_a_second_table_has_it() -> None:
    """Followed in the other order, the second table would have the number again; and the id is looked up by what stays."""
    found = told(bt.schema_of(Device))
    assert keys(found["KEY010"]) == ["{owner}#{person_id}"]
    assert '`bt.digest("phone")`' in found["KEY010"].fix
    assert found["KEY021"].fix.startswith("after the fix of KEY010, keep `owner` in a column: `{person_id}`")
    assert keys(found["KEY021"]) == ["{person_id}", "{owner}#{person_id}"]


@pytest.mark.parametrize("cardinality", [None, 40, 3_000_000])
def test_a_surrogate_has_as_many_values_as_what_it_stands_for(cardinality: int | None) -> None:
    """Else rules that need the number would find nothing any more."""
    model = bt.schema_of(Device)
    phone = evolve(model.key.fields[1], cardinality=cardinality)
    found = told(evolve(model, key=evolve(model.key, fields=(model.key.fields[0], phone))))["KEY010"]
    declared = "" if cardinality is None else f", cardinality={cardinality:_}"
    assert f"`person_id: UUID = bt.key(bt.UuidText(){declared})`" in found.fix
    assert [part.cardinality for part in found.models[0].key.fields] == [None, cardinality]
