"""Shares in words: "70 % of orders come from one country" counts as the skew of the country."""

from datetime import datetime

import pytest
from attrs import evolve
from shares_in_words import HARMLESS, UNEVEN, LogLine, Order, Tally, View

import btmodel as bt
from btmodel.design.shares_said import shares_said, with_shares_said
from btmodel.lint import Level, review
from btmodel.schema import ModelSchema, Rate, Skew
from tests.lint.parts import found
from tests.points_tried import points

SAID = [(model, sentence) for model, group in UNEVEN.items() for sentence in group]


def said(model: type, sentence: str) -> ModelSchema:
    """The model with a sentence behind its description."""
    schema = bt.schema_of(model)
    return evolve(schema, doc=f"{schema.doc}\n\n{sentence}")


@pytest.mark.parametrize("model", UNEVEN, ids=lambda model: model.__name__)
def test_a_share_in_words_is_heard(model: type) -> None:
    """And a key that is spread without it crowds, as a warning: words refuse no class."""
    assert [one for one in review(bt.schema_of(model)) if one.level is not Level.INFO] == []
    for sentence in UNEVEN[model]:
        uneven = said(model, sentence)
        assert len(shares_said(uneven)) == 1, sentence
        rules = {one.rule: one.level for one in review(uneven) if one.level is not Level.INFO}
        assert rules in ({"KEY003": Level.WARNING}, {"KEY013": Level.WARNING}), sentence


@pytest.mark.parametrize("model", HARMLESS, ids=lambda model: model.__name__)
def test_other_shares_are_of_other_things(model: type) -> None:
    """Of columns, readers and money; of values within one, of what may be, and of what is spread evenly."""
    heard = [sentence for sentence in HARMLESS[model] if shares_said(said(model, sentence))]
    assert heard == []


@pytest.mark.parametrize(("model", "sentence"), [SAID[at] for at in points([model for model, _ in SAID])])
def test_the_fix_holds_with_the_same_words(model: type, sentence: str) -> None:
    """Which still stand in the description of the models that it leads to."""
    (told,) = (one for one in review(said(model, sentence)) if one.level is not Level.INFO)
    assert told.models
    assert not [one for made in told.models for one in review(made) if one.level is not Level.INFO]


@pytest.mark.parametrize(
    ("sentence", "skew"),
    [
        ("70 % of orders come from one country.", "70%:1"),
        ("The top two countries account for 80 % of orders.", "80%:2"),
        ("A few countries have 90 % of the orders.", "90%:3"),
        ("Two thirds of our orders come from the largest country.", "66.7%:1"),
        ("Nine out of ten orders are from one country.", "90%:1"),
        ("20 % of the countries make 80 % of the orders.", "80%:38"),
        ("Four of five orders come from the two largest countries.", "80%:2"),
        ("Germany, Austria and Italy make 75 % of the traffic.", "75%:3"),
    ],
)
def test_the_share_and_the_number_of_values_are_those_of_the_sentence(sentence: str, skew: str) -> None:
    """As a declaration would say them."""
    uneven = said(Order, sentence)
    assert shares_said(uneven)["country"].skew == Skew.parse(skew)
    assert with_shares_said(uneven).key.fields[0].skew == Skew.parse(skew)


def test_rows_are_called_by_other_words_for_the_same() -> None:
    """A mail is an e-mail, and yet spoken of as a mail."""

    class Mail(bt.Model, table="mails", events="45000/s"):
        """A mail. Half of all mails are sent for one customer."""

        customer_id: int = bt.key(bt.PaddedInt(6), cardinality=2_500, sequential=False)
        sent: datetime = bt.key(bt.EpochMicros())
        mail: str = bt.key(bt.HexDigest(16))
        m = bt.family("m", gc=bt.max_age(days=60))
        opened: bool = bt.column("o", m)
        of_customer = bt.query("customer_id", between="sent")

    assert shares_said(bt.schema_of(Mail))["customer_id"].skew == Skew.parse("50%:1")


def test_the_message_cites_the_words() -> None:
    """Where a declared skew would be named."""
    (told,) = found(said(LogLine, "Half of the traffic is one tenant."), "KEY003")
    assert (
        "by what the description says of `tenant_id` ('Half of the traffic is one tenant') one value of it has 50 %"
        in told.message
    )


def test_a_declared_skew_goes_before_words() -> None:
    """It may say that the values come evenly."""
    uneven = said(View, "Half of all views are on one site.")
    first, *rest = uneven.key.fields
    declared = evolve(first, skew=Skew.parse("uniform"))
    even = evolve(uneven, key=evolve(uneven.key, fields=(declared, *rest)))
    assert found(uneven, "KEY003")
    assert found(even, "KEY003") == []


def test_a_low_rate_is_borne_by_one_value() -> None:
    """However uneven the values are."""
    uneven = said(View, "Half of all views are on one site.")
    assert found(evolve(uneven, events=bt.schema_of(Tally).events), "KEY003")
    assert found(evolve(uneven, events=Rate(200.0)), "KEY003") == []


def test_a_salt_is_not_needless_where_one_value_has_most() -> None:
    """By the description alone, as by a declared skew."""

    class Salted(bt.Model, table="salted_views", events="50000/s"):
        """A view."""

        site: str = bt.key(bt.Text(max_length=20), cardinality=250)
        part = bt.salt("visit", buckets=12)
        at: datetime = bt.key(bt.EpochMillis())
        visit: str = bt.key(bt.HexDigest(16))
        v = bt.family("v", gc=bt.max_age(days=90))
        page: str = bt.column("p", v, max_size=200)
        of_site = bt.query("site")

    schema = bt.schema_of(Salted)
    assert found(schema, "KEY005")
    assert not [
        one
        for one in found(said(Salted, "Half of all views are on one site."), "KEY005")
        if one.level is not Level.INFO
    ]
