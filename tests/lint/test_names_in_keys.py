"""What names of key fields say of their values, and in which models: a table of names for each kind, and one of names that only look so."""

from collections.abc import Iterable

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import HexDigest, ReversedMillis, Text
from btmodel.lint import Level
from btmodel.schema import KeyField, ModelSchema, Query, RowKey
from btmodel.words import words
from tests.lint.parts import found


class Thing(bt.Model, table="thing", events="2000/s"):
    """A row."""

    thing: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    note: str = bt.column("n", d, size=40)


def model(name: str, *fields: KeyField, query: Query | None = None) -> ModelSchema:
    """A model of this name with these fields for its key."""
    table, doc = "_".join(words(name)).lower(), f"One {' '.join(words(name)).lower()}."
    schema = bt.schema_of(Thing)
    queries = (query or Query("of_one", equal=(fields[0].name,)),)
    return evolve(schema, name=name, table=table, doc=doc, key=RowKey(fields, b"#"), queries=queries)


def gravest(schema: ModelSchema, *rules: str) -> str:
    """The gravest level at which these rules find something: ``silent`` where they find nothing."""
    levels = {each.level for rule in rules for each in found(schema, rule)}
    order = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "info"}
    return next((text for level, text in order.items() if level in levels), "silent")


def each(names: str) -> Iterable[tuple[str, str]]:
    """The models and fields of a table of names, such as ``Patient.mrn``."""
    for name in names.split():
        thing, field = name.split(".")
        yield thing, field


AT = KeyField("at", ReversedMillis())
ID = KeyField("id", HexDigest(16), 5_000_000)

PERSONS = """
    Vehicle.number_plate Vehicle.reg_plate Vehicle.vrm Vehicle.plate_no Vehicle.registration Toll.lpn Traveller.passport_nr Traveller.visa_no
    Citizen.nid Citizen.id_card_no Citizen.ni_number Citizen.bsn Citizen.dni Citizen.nric Citizen.codice_fiscale Taxpayer.tin Taxpayer.itin
    Taxpayer.tax_no Voter.voter_id Driver.driving_licence Driver.dl_no Patient.mrn Patient.patient_no Patient.kvnr Patient.insured_no Patient.nhs_no
    Customer.mobile Customer.mobile_no Customer.tel Call.caller Call.calling_number Call.a_number Call.dialled_number Person.name Person.family_name
    Person.given_name Applicant.candidate_name Loan.borrower_name Cell.inmate_name Card.pan Card.card_no Card.cardholder Account.bank_account
    Account.account_holder Card.credit_card Visitor.ip Visitor.remote_addr Patient.tel_no
"""
PERHAPS_PERSONS = (
    "Impression.idfa Impression.gaid Impression.advertising_id Reading.mpan Encounter.mrn Scan.face_id"
)
NO_PERSONS = """
    Product.name Product.product_name Template.email_template Phone.phone_model Phone.phone_prefix Phone.phone_country_code Company.company_name
    Contract.wallet_address Transfer.token_address Plc.modbus_address Passport.passport_type Insurance.insurance_type Licence.licence_type
    Server.server_ip Server.ip Photo.pan Gallery.tin Station.tel_aviv Metric.caller Font.family_name User.name Player.name Tenant.tenant_name
    Customer.customer_id Customer.email_hash Card.card_token Lab.registration Device.device_model Plate.plate_type Function.sin Person.birth_year
"""


@pytest.mark.parametrize(
    ("names", "level"), [(PERSONS, "warning"), (PERHAPS_PERSONS, "info"), (NO_PERSONS, "silent")]
)
def test_names_of_what_identifies_a_person(names: str, level: str) -> None:
    """Numbers of states, insurers and banks, and what says so of people, vehicles, cards and calls alone."""
    told = {
        (thing, name): gravest(model(thing, KeyField(name, Text(max_length=30), 5_000_000), AT), "KEY010")
        for thing, name in each(names)
    }
    assert {key: one for key, one in told.items() if one != level} == {}
