"""What names of key fields say of their values, and in which models: a table of names for each kind, and one of names that only look so."""

from collections.abc import Iterable
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import HexDigest, KeyCodec, PaddedInt, ReversedMillis, Text
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
    Customer.mobile Customer.mobile_no Customer.tel Call.caller Call.calling_number Call.a_number Call.dialled_number Patient.name Person.family_name
    Person.given_name Applicant.candidate_name Loan.borrower_name Cell.inmate_name Card.pan Card.card_no Card.cardholder Account.bank_account
    Account.account_holder Citizen.cnic Call.from_number Patient.insurance_id Learner.learner_name Customer.landline Card.credit_card Visitor.ip Visitor.remote_addr Patient.tel_no
"""
PERHAPS_PERSONS = (
    "Impression.idfa Impression.gaid Impression.advertising_id Reading.mpan Encounter.mrn Scan.face_id"
)
NO_PERSONS = """
    Product.name Product.product_name Template.email_template Phone.phone_model Phone.phone_prefix Phone.phone_country_code Company.company_name
    Contract.wallet_address Transfer.token_address Plc.modbus_address Passport.passport_type Insurance.insurance_type Licence.licence_type
    Server.server_ip Server.ip Photo.pan Gallery.tin Station.tel_aviv Metric.caller Font.family_name Person.name User.name Player.name Tenant.tenant_name
    Customer.customer_id Customer.email_hash Card.card_token Lab.registration Device.device_model Plate.plate_type Function.sin Person.birth_year Server.address_family
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


PAPERS = """
    Receipt.receipt_no Invoice.inv_num Claim.claim_no Waybill.awb_no Docket.docket_nr Ticket.ticket_number SupportCase.case_no Lot.lot_no Ballot.ballot_no
    Permit.permit_no PurchaseOrder.po_number SalesOrder.ord_nr WorkOrder.wo_no JournalEntry.voucher_no Posting.doc_no Transaction.txn_no Cheque.cheque_no
    Folio.folio_no Admission.encounter_no LabOrder.accession_no Specimen.specimen_no Prescription.rx_no Return.rma_no BillOfLading.bl_no Incident.incident_no
    Fine.citation_no Deed.deed_no Event.event_seq Message.msg_no Build.build_no Parcel.parcel_no Pallet.pallet_no Statement.statement_no Outage.outage_no
    Order.orderno Order.order_seq Donation.donation_no Sample.sample_no Log.lsn Audit.audit_seq
"""
BARE_PAPERS = "Waybill.awb Docket.docket Claim.claim Permit.permit PurchaseOrder.po Receipt.receipt Case.case Encounter.encounter"
OTHER_NUMBERS = """
    Book.isbn Vehicle.vin Handset.imei Card.card_token Product.sku Product.gtin Device.serial_no Booking.pnr Booking.booking_ref Voucher.voucher_code
    Container.container_no Wagon.wagon_no Flight.flight_no Route.route_no Seat.seat_no Room.room_no Part.part_no Store.store_no Till.till_no Plant.plant_no
    Station.station_no Aircraft.tail_no House.house_no Chemical.cas_no Customer.customer_no Account.account_no Meter.meter_no
    Link.short_code Order.public_id Session.session_token
"""
NUMBER, TEXT = PaddedInt(12), Text(max_length=16)


@pytest.mark.parametrize(
    ("names", "codec", "level"),
    [
        (PAPERS, NUMBER, "warning"),
        (PAPERS, TEXT, "warning"),
        (BARE_PAPERS, NUMBER, "warning"),
        (BARE_PAPERS, TEXT, "silent"),
        (PAPERS, HexDigest(16), "silent"),
        (OTHER_NUMBERS, NUMBER, "info"),
        (OTHER_NUMBERS, TEXT, "silent"),
    ],
)
def test_names_of_numbers_that_are_given_in_order(names: str, codec: KeyCodec[Any], level: str) -> None:
    """Papers, parcels and cases get the next number when they are written down, whether it is a number or a text; those of places, of products and of outside bodies say nothing of it."""
    told = {
        (thing, name): gravest(model(thing, KeyField(name, codec, 500_000_000)), "KEY002")
        for thing, name in each(names)
    }
    assert {key: one for key, one in told.items() if one != level} == {}


@pytest.mark.parametrize("codec", [NUMBER, TEXT])
def test_a_number_of_many_values_is_one_of_what_is_written_down(codec: KeyCodec[Any]) -> None:
    """Whatever the thing is called; of few values, it may be that of a place."""
    names = "Requisition.req_no GoodsReceipt.grn_no Biopsy.biopsy_nr Warrant.warrant_number Memo.memo_num"
    for thing, name in each(names):
        assert gravest(model(thing, KeyField(name, codec, 50_000_000)), "KEY002") == "warning"
        assert gravest(model(thing, KeyField(name, codec, 200_000)), "KEY002") != "warning"


@pytest.mark.parametrize(
    ("doc", "level"),
    [("A docket, under a random number.", "silent"), ("A docket, printed at the till.", "warning")],
)
def test_a_description_that_gives_numbers_in_no_order_counts(doc: str, level: str) -> None:
    """More than the name."""
    schema = evolve(model("Docket", KeyField("docket_no", TEXT, 500_000_000)), doc=doc)
    assert gravest(schema, "KEY002") == level


def test_a_text_beside_others_is_no_counter_by_its_name() -> None:
    """Rows of a claim may be written for years."""
    part = KeyField("claim_no", TEXT, 500_000_000)
    assert gravest(model("Page", part, ID), "KEY002") == "silent"


TIMES = """
    Sale.wk Sale.week_no Sale.yearweek Sale.yyyyww Sale.ym Sale.yr Sale.qtr Sale.fy Sale.fiscal_period Sale.ymd Sale.dt Sale.week_nr Reading.epoch_min
    Reading.epoch_minutes Reading.unix_hours Reading.timeslot Reading.time_slot Reading.window_no Reading.interval Enrolment.semester Enrolment.term
    Enrolment.intake Grade.term_no Match.season Match.gameweek Fixture.matchday Draw.draw_no Paper.edition Article.issue_no Survey.wave Task.sprint
    Task.sprint_no Crash.release Build.release_no Chart.airac_cycle Timesheet.week_ending Class.academic_term Statement.billing_cycle Backup.backup_no Run.run_date Run.as_of Telemetry.orbit_no
"""
NO_TIMES = """
    Schedule.weekday Series.season Show.season_no Climate.season Book.edition Person.birth_year Book.publication_year Film.year Stamp.issue_year Coin.mint_year
    Building.build_year Car.model_year Fossil.period Art.period Washing.cycle Loan.term Loan.term_months Deposit.tenor Glossary.term Search.search_term
    Shop.window Music.interval Tank.volume Wave.wave_type Slot.slot_machine Phone.release_name Physics.half_life Reading.minutes Job.run_time Bond.maturity_date
"""


@pytest.mark.parametrize("codec", [PaddedInt(8), Text(max_length=10)])
def test_names_of_times_that_are_written_as_numbers_or_texts(codec: KeyCodec[Any]) -> None:
    """Spans of a calendar as people shorten them, and what lasts for weeks in models of some things alone."""

    def hot(thing: str, name: str) -> bool:
        return gravest(model(thing, KeyField(name, codec), ID), "KEY001") != "silent"

    assert [key for key in each(TIMES) if not hot(*key)] == []
    assert [key for key in each(NO_TIMES) if hot(*key)] == []


MOVING = """
    Patient.ward Patient.bed Inmate.cell Patient.triage_level StockItem.bin Pallet.bay Pallet.dock Parcel.depot Parcel.driver Parcel.locker Container.yard
    Shipment.state Order.picker Booking.seat Ticket.agent Ticket.queue Ticket.stage Ticket.severity Lead.score Lead.owner Case.judge Claim.adjuster
    Opportunity.probability Application.reviewer Employee.department Employee.manager Student.tutor Applicant.stage Customer.tier Customer.account_manager
    Subscriber.tariff Member.points Loan.servicer Policy.broker Player.guild Player.elo Player.rank Character.zone Athlete.club Device.firmware Vehicle.driver
    Bike.station Machine.operator Meter.tariff Flight.gate Room.occupant Campaign.budget Product.price Video.views Vm.host Pod.node Job.worker Document.reviewer
    Cow.pen Book.borrower Ship.captain Prescription.pharmacist Sample.freezer Apartment.rent Question.difficulty
"""
LASTING = """
    Device.site Device.group Device.owner Vehicle.fleet StockItem.warehouse Product.category Product.supplier Ticket.team Customer.region Document.folder
    File.owner Player.server Job.queue Shelf.aisle Bin.zone Room.floor Bed.ward Tariff.plan TierBenefit.tier GuildMember.guild TeamMember.team Vote.candidate
    TicketByAgent.agent PatientsOfWard.ward TicketIndex.stage RolePermission.role Sensor.station Charger.geohash Seat.section Price.currency Screen.gate Apartment.building Lesson.course Song.album Sighting.location Stop.line RidersShift.driver PriceQuote.price
"""


def of_thing(thing: str, name: str, *behind: KeyField) -> str:
    """What is found of a field in front of the id of what a row is."""
    own = KeyField(f"{words(thing)[-1].lower()}_id", HexDigest(16), 5_000_000)
    return gravest(model(thing, KeyField(name, Text(max_length=20), 2_000), *behind, own), "KEY021")


def test_names_of_what_a_thing_has_for_a_while() -> None:
    """Where it is, who has it, and what it counts for: in a model about such a thing, unless the key has a time, and each row is an event."""
    assert [key for key in each(MOVING) if of_thing(*key) != "warning"] == []
    assert [key for key in each(MOVING) if of_thing(*key, AT) == "warning"] == []
    season = KeyField("season", Text(width=4))
    assert [key for key in each("Player.team Athlete.club") if of_thing(*key, season) != "silent"] == []
    assert [key for key in each(LASTING) if of_thing(*key) == "warning"] == []


@pytest.mark.parametrize(
    ("doc", "level"),
    [
        ("A patient in a ward.", "warning"),
        ("A patient. The ward is that of the admission and never changes.", "silent"),
        ("An index of the patients of a ward.", "silent"),
        ("A patient, who is moved to another ward.", "warning"),
    ],
)
def test_a_description_may_say_that_it_stays(doc: str, level: str) -> None:
    """Or that the table only finds rows."""
    fields = KeyField("ward", Text(max_length=20), 2_000), KeyField("patient", HexDigest(16), 5_000_000)
    assert gravest(evolve(model("Patient", *fields), doc=doc), "KEY021") == level


@pytest.mark.parametrize("thing", ["StatusChange", "OrderEvent", "StateTransition", "ApiResponse"])
def test_the_status_of_an_event_is_that_of_its_moment(thing: str) -> None:
    """Judging by the name of the model and a time in its key: it is asked about, and not warned of."""
    assert of_thing(thing, "status", AT) == "info"
    assert of_thing("Order", "status", AT) == "warning"


DOMAINS = """
    Page.domain Page.hostname Page.fqdn Page.website Page.subdomain Hit.ref_domain Backlink.target_domain Dns.qname Dns.record_name Dns.nameserver
    Certificate.common_name Certificate.san Tls.sni Proxy.vhost Proxy.authority Proxy.host_header Mail.mail_domain Threat.ioc_domain Tenant.custom_domain
"""
URLS = """
    Page.url Page.permalink Page.href Page.link Page.canonical Page.web_address Page.landing_page Hit.referrer Hit.referer Hit.target_url Hit.entry_page
    Backlink.source_page Crawl.webpage Creative.click_through Package.homepage Feed.rss_url
"""
NO_DOMAINS = """
    Page.url_hash Page.domain_id Page.reversed_domain Page.page_type Route.route Route.path_template Api.endpoint_name File.folder Bucket.bucket_name
    Protein.domain Gene.domain Business.business_domain Data.data_domain Airport.origin Mine.site Radio.site Customer.referrer Program.referrer Network.link
    Contract.san Person.cn Store.zone Address.authority
"""


@pytest.mark.parametrize(("names", "level"), [(DOMAINS, "warning"), (URLS, "info"), (NO_DOMAINS, "silent")])
def test_names_of_domains_and_of_urls(names: str, level: str) -> None:
    """Where a query wants what begins with a text: the labels that domains share are at their end, and those of a URL behind its scheme."""
    told = {}
    for thing, name in each(names):
        begins = Query("below", equal=(), starting=name)
        schema = model(thing, KeyField(name, Text(max_length=200), 5_000_000), AT, query=begins)
        told[thing, name] = gravest(schema, "KEY011")
    assert {key: one for key, one in told.items() if one != level} == {}
