"""What a description says of the id of a row is a query of it: no fix takes the key away by which rows are read."""

from collections.abc import Callable

import pytest
from attrs import evolve

from btmodel.codecs.cell import Int64, Utf8
from btmodel.codecs.key import Text, UuidText
from btmodel.design.own_ids_said import found_by_own_id
from btmodel.lint import review
from btmodel.lint.finding import Finding
from btmodel.schema import Column, Expected, KeyField, ModelSchema, Query

Make = Callable[..., ModelSchema]
POLICY = Column(
    "policy_id", "data", b"P", Utf8(), True, expected=Expected(cardinality=30_000_000, max_size=20)
)
CENTS = Column("cents", "data", b"C", Int64(), True)


def claim(a_model: Make, doc: str, name: str = "claim_id") -> ModelSchema:
    key = KeyField(name, UuidText(), 400_000_000)
    made = a_model(key, columns=(POLICY, CENTS), queries=(Query("of_policy", ("policy_id",)),))
    return evolve(made, name="Claim", doc=doc)


def fix(model: ModelSchema) -> Finding:
    (finding,) = (one for one in review(model) if one.rule == "QRY001")
    return finding


@pytest.mark.parametrize(
    "doc",
    [
        "A claim of a policy. An agent opens a claim by its id.",
        "A claim. Claims are looked up by the claim number.",
        "A claim, which is fetched by its id.",
        "A claim. The page reads one by id.",
    ],
)
@pytest.mark.parametrize("name", ["id", "claim_id"])
def test_the_id_stays_what_finds_a_row(a_model: Make, doc: str, name: str) -> None:
    """Another query gets a second table, where it would else get another key."""
    model = claim(a_model, doc, name)
    assert found_by_own_id(model) == name
    assert [one.key.shape for one in fix(model).models] == [f"{{{name}}}", f"{{policy_id}}#{{{name}}}"]


@pytest.mark.parametrize(
    "doc",
    [
        "A claim of a policy.",
        "A claim. Nobody opens a claim by its id.",
        "A claim. Agents find the policy by its number.",
        "A claim. A policy is opened by its id.",
        "A claim, which is looked up by its id in the data warehouse.",
        "A claim. Agents list the claims of a policy by its amount.",
        "A claim. It is paid by its insurer, who has an id.",
    ],
)
def test_what_is_said_of_something_else_keeps_no_key(a_model: Make, doc: str) -> None:
    """Without a word of it, the key may become that of the only query that is declared."""
    assert found_by_own_id(claim(a_model, doc)) is None


def test_an_id_that_the_key_does_not_serve_is_not_kept(a_model: Make) -> None:
    """Behind another field, it finds no row alone."""
    made = claim(a_model, "A claim. An agent opens a claim by its id.")
    office = KeyField("office", Text(width=4), 900)
    key = type(made.key)((office, *made.key.fields), b"#")
    assert found_by_own_id(evolve(made, key=key)) is None
