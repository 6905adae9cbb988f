"""Questions that stand in a description only: by which attributes rows are looked up, and that no key and no declared query serves."""

from uuid import UUID

import pytest
from attrs import evolve
from models_without_queries import Account, Invoice, Order, Parcel, Shipment, UserProfile
from questions_in_words import ASKED, HARMLESS

import btmodel as bt
from btmodel.lint import Finding, Level, review_all
from btmodel.lint.rules import qry008_question_in_words
from btmodel.schema import ModelSchema
from tests.points_tried import points


def asked(*models: ModelSchema) -> list[Finding]:
    """What the rule finds, before fixes are worked out."""
    return [*qry008_question_in_words.check(models)]


def said(model: type, sentence: str) -> ModelSchema:
    """The model with a sentence behind its description."""
    schema = bt.schema_of(model)
    return evolve(schema, doc=f"{schema.doc}\n\n{sentence}")


SAID = [(model, sentence) for model, group in ASKED.items() for sentence in group]


@pytest.mark.parametrize("model", ASKED, ids=lambda model: model.__name__)
def test_a_question_that_no_key_serves_is_found(model: type) -> None:
    """As a warning that cites the sentence, and names the attribute."""
    for sentence in ASKED[model]:
        found = asked(said(model, sentence))
        assert [one.level for one in found] == [Level.WARNING], sentence
        assert sentence[:40] in found[0].message
        assert found[0].field in {column.name for column in bt.schema_of(model).columns} | {"order"}


@pytest.mark.parametrize("model", HARMLESS, ids=lambda model: model.__name__)
def test_other_sentences_ask_nothing(model: type) -> None:
    """What the key serves, what is asked elsewhere or never, and what is said of other things or of people."""
    assert [sentence for sentence in HARMLESS[model] if asked(said(model, sentence))] == []


@pytest.mark.parametrize(("model", "sentence"), [SAID[at] for at in points([model for model, _ in SAID])])
def test_the_fix_declares_the_query_and_holds(model: type, sentence: str) -> None:
    """With a second table, or another key, that is proved."""
    (found,) = (one for one in review_all([said(model, sentence)]) if one.rule == "QRY008")
    assert found.fix.startswith("declare `by_")
    assert found.models
    assert not [one for one in review_all(found.models) if one.level is not Level.INFO]


@pytest.mark.parametrize(
    ("model", "sentence", "fields"),
    [
        (Parcel, "The desk lists parcels by status and by city.", {"status", "city"}),
        (Parcel, "Support searches parcels by phone or by city.", {"phone", "city"}),
        (Parcel, "Support searches parcels by phone or city.", {"phone", "city"}),
        (Parcel, "Support finds parcels by phone, by status or by city.", {"phone", "status", "city"}),
        (Parcel, "Support finds parcels by phone. The desk lists parcels by city.", {"phone", "city"}),
        (Shipment, "Clerks search shipments by order number or carrier.", {"order_number", "carrier"}),
        (UserProfile, "Admins search users by e-mail or name.", {"email", "user_name"}),
    ],
)
def test_several_questions_are_found_and_fixed_each(model: type, sentence: str, fields: set[str]) -> None:
    """As the others were there before, none stands in the way of the fix of another."""
    found = [one for one in review_all([said(model, sentence)]) if one.rule == "QRY008"]
    assert {one.field for one in found} == fields
    assert len(found) == len(fields)
    for one in found:
        assert one.fix.startswith("declare `by_")
        assert one.models


def test_a_second_table_that_is_there_serves_the_question() -> None:
    """Be it a table with the digest of what is given, a table that leads to the row, or a view."""
    account = said(Account, "The sign-in looks an account up by e-mail.")
    assert asked(account)
    (found,) = (one for one in review_all([account]) if one.rule == "QRY008")
    _, second = found.models
    assert second.key.sources == ("email",)
    assert asked(account, second) == []

    class AccountOfMail(bt.Model, table="account_mail"):
        mail: str = bt.key(bt.Text(max_length=120))
        a = bt.family("a", gc=bt.max_versions(1))
        account: UUID = bt.column("id", a)

    class Elsewhere(bt.Model, table="mails"):
        email: str = bt.key(bt.Text(max_length=120))
        a = bt.family("a", gc=bt.max_versions(1))
        newsletter: bool = bt.column("n", a)

    assert asked(account, bt.schema_of(AccountOfMail)) == []
    assert asked(account, bt.schema_of(Elsewhere))


def test_an_index_serves_the_question() -> None:
    """Which the review of a project sees beside the table."""

    class Stored(bt.Model, table="stored"):
        """A parcel. Dispatchers list the parcels of a courier."""

        parcel: UUID = bt.key(bt.UuidText(), cardinality=900_000_000)
        p = bt.family("p", gc=bt.max_versions(1))
        courier: str = bt.column("co", p, codec=bt.AsInKey(bt.Text(max_length=12)))
        grams: int = bt.column("g", p)

    class ByCourier(bt.Index, of=Stored, view="stored_by_courier"):
        courier: str = bt.key(bt.Text(max_length=12))
        parcel: UUID = bt.key(bt.UuidText())
        grams: int = bt.covered()

        of_courier = bt.query("courier")

    alone = review_all([bt.schema_of(Stored)])
    assert [one.field for one in alone if one.rule == "QRY008"] == ["courier"]
    both = review_all([bt.schema_of(Stored), bt.schema_of(ByCourier)])
    assert [one for one in both if one.rule == "QRY008"] == []


def test_a_declared_query_is_said_once() -> None:
    """A query that the model declares, even as a scan or one that it does not serve, is what the other findings are about."""
    invoice = said(Invoice, "The portal lists all invoices of a customer.")
    scan = bt.schema_of(Invoice).queries[0]
    declared = evolve(scan, name="of_customer", equal=("customer_id",))
    unserved = evolve(invoice, queries=(declared,))
    assert asked(unserved) == []
    graver = [one for one in review_all([unserved]) if one.level is Level.ERROR]
    assert [(one.rule, one.field) for one in graver] == [("QRY001", "of_customer")]
    meant = evolve(scan, name="of_customer", equal=(), where=("customer_id",), scan="a nightly job")
    assert asked(evolve(invoice, queries=(meant,))) == []


def test_a_small_table_is_read_as_a_whole() -> None:
    """As nobody waits for so few rows."""
    parcel = said(Parcel, "Dispatchers list the parcels of a courier.")
    (part,) = parcel.key.fields
    assert asked(parcel)
    few = evolve(parcel, key=evolve(parcel.key, fields=(evolve(part, cardinality=5_000),)))
    assert asked(few) == []


def test_a_suppression_says_why_it_is_not_served() -> None:
    """As of any other finding of the rule."""
    order = said(Order, "The warehouse reads the orders by status.")
    allowed = evolve(order, allow={"QRY008": "twice a year, from a backup"})
    assert [one.rule for one in review_all([order]) if one.level is Level.WARNING] == ["QRY008"]
    assert [one.rule for one in review_all([allowed]) if one.level is Level.WARNING] == []


@pytest.mark.parametrize(
    ("who", "asked_for"),
    [("The harbour master", True), ("The master of a harbour", False), ("In the harbour, the master", False)],
)
def test_who_is_called_after_a_field_names_no_value_of_it(who: str, asked_for: bool) -> None:
    """A harbour master looks in all harbours; in the range of a harbour, its master looks on."""

    class Booking(bt.Model, table="BOOKING", events="20/s"):
        """A booking of a berth."""

        harbour: str = bt.key(bt.Text(max_length=20), cardinality=300)
        number: str = bt.key(bt.HexDigest(8), cardinality=9_000_000)

        b = bt.family("b", gc=bt.max_age(days=3_000))
        call_sign: str = bt.column("c", b, max_size=8)

        of_harbour = bt.query("harbour")

    model = said(Booking, f"{who} looks up a booking by the call sign of the ship.")
    assert bool(asked(model)) is asked_for
