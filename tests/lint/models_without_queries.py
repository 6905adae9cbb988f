"""Models that do not declare the queries which their descriptions may ask."""

from datetime import date, datetime
from enum import Enum
from uuid import UUID

import btmodel as bt


class Parcel(bt.Model, table="parcel", events="400/s"):
    """A parcel."""

    parcel: UUID = bt.key(bt.UuidText(), cardinality=900_000_000)

    p = bt.family("p", gc=bt.max_age(days=400))
    phone: str = bt.column("ph", p, max_size=20)
    status: str = bt.column("st", p, max_size=12, cardinality=9)
    courier: int = bt.column("co", p, cardinality=30_000)
    city: str = bt.column("ci", p, max_size=40, cardinality=5_000)
    grams: int = bt.column("g", p)


class Account(bt.Model, table="account"):
    """An account."""

    account: UUID = bt.key(bt.UuidText(), cardinality=40_000_000)

    a = bt.family("a", gc=bt.max_versions(1))
    email: str = bt.column("e", a, max_size=120)
    display_name: str = bt.column("n", a, max_size=60)
    plan: str = bt.column("p", a, max_size=12, cardinality=6)
    country: str = bt.column("c", a, max_size=2, cardinality=190)
    created: datetime = bt.column("t", a)


class Invoice(bt.Model, table="invoices"):
    """An invoice."""

    invoice_id: UUID = bt.key(bt.UuidText(), cardinality=300_000_000)

    i = bt.family("i", gc=bt.max_versions(1))
    customer_id: int = bt.column("cu", i, cardinality=4_000_000)
    total: int = bt.column("to", i)
    due: date = bt.column("du", i)

    one = bt.query("invoice_id")


class Order(bt.Model, table="orders", events="200/s"):
    """An order."""

    customer: int = bt.key(bt.PaddedInt(9), cardinality=6_000_000, sequential=False)
    at: datetime = bt.key(bt.ReversedMillis())
    order: UUID = bt.key(bt.UuidText())

    o = bt.family("o", gc=bt.max_age(days=730))
    product: str = bt.column("p", o, max_size=20, cardinality=200_000)
    status: str = bt.column("s", o, max_size=12)

    of_customer = bt.query("customer", between="at")


class Reading(bt.Model, table="reading", events="5000/s"):
    """A reading of a device."""

    device: str = bt.key(bt.Text(width=12), cardinality=2_000_000)
    at: datetime = bt.key(bt.EpochMillis())

    r = bt.family("r", gc=bt.max_age(days=90))
    site: str = bt.column("s", r, max_size=20, cardinality=8_000)
    firmware: str = bt.column("f", r, max_size=16, cardinality=50)
    value: float = bt.column("v", r)

    of_device = bt.query("device", between="at")


class Session(bt.Model, table="session"):
    """A session."""

    session: UUID = bt.key(bt.UuidText(), cardinality=80_000_000)

    s = bt.family("s", gc=bt.max_age(days=30))
    user_id: int = bt.column("u", s, cardinality=20_000_000)
    ip_address: str = bt.column("i", s, max_size=40)
    browser: str = bt.column("b", s, max_size=60)


class Booking(bt.Model, table="hotel_bookings"):
    """A booking of a room."""

    booking: UUID = bt.key(bt.UuidText(), cardinality=60_000_000)
    b = bt.family("b", gc=bt.max_versions(1))
    hotel_id: int = bt.column("h", b, cardinality=40_000)
    guest_name: str = bt.column("g", b, max_size=80)
    guest_phone: str | None = bt.column("p", b, max_size=20)
    arrival: date = bt.column("a", b)
    agency: str | None = bt.column("ag", b, max_size=30, cardinality=3000)
    paid: bool = bt.column("pd", b)


class Vehicle(bt.Model, table="vehicles"):
    """A vehicle of a fleet."""

    vin: str = bt.key(bt.Text(width=17), cardinality=20_000_000)
    v = bt.family("v", gc=bt.max_versions(1))
    plate: str = bt.column("pl", v, max_size=12)
    owner: int = bt.column("o", v, cardinality=9_000_000)
    model_code: str = bt.column("m", v, max_size=12)
    colour: str = bt.column("c", v, max_size=12)


class Ticket(bt.Model, table="ticket", events="20/s"):
    """A support ticket."""

    tenant: str = bt.key(bt.Text(max_length=20), cardinality=2_000)
    ticket: UUID = bt.key(bt.UuidText())
    t = bt.family("t", gc=bt.max_age(days=900))
    assignee: str = bt.column("as", t, max_size=40)
    state: str = bt.column("s", t, max_size=12)
    subject: str = bt.column("su", t, max_size=200)
    queue: str = bt.column("q", t, max_size=30)
    of_tenant = bt.query("tenant")


class Track(bt.Model, table="track"):
    """A track of a record."""

    isrc: str = bt.key(bt.Text(width=12), cardinality=90_000_000)
    m = bt.family("m", gc=bt.max_versions(1))
    artist_id: int = bt.column("ar", m)
    album_id: int = bt.column("al", m)
    genre: str = bt.column("g", m, max_size=30)
    title: str = bt.column("t", m, max_size=200)
    seconds: int = bt.column("s", m)


class Prescription(bt.Model, table="rx", events="60/s"):
    """A prescription that a doctor wrote."""

    rx: UUID = bt.key(bt.UuidText(), cardinality=500_000_000)
    r = bt.family("r", gc=bt.max_age(days=3650))
    patient_id: int = bt.column("p", r)
    doctor_id: int = bt.column("d", r)
    pharmacy: str | None = bt.column("ph", r, max_size=20)
    drug: str = bt.column("dr", r, max_size=20)


class Payment(bt.Model, table="payment", events="900/s"):
    """A payment."""

    account: int = bt.key(bt.PaddedInt(10), cardinality=30_000_000, sequential=False)
    at: datetime = bt.key(bt.EpochMicros())
    p = bt.family("p", gc=bt.max_age(days=3650))
    reference: str = bt.column("r", p, max_size=35)
    merchant: str = bt.column("m", p, max_size=20, cardinality=400_000)
    cents: int = bt.column("c", p)
    of_account = bt.query("account", between="at")


class Loan(bt.Model, table="loans", events="3/s"):
    """A book that was lent."""

    barcode: str = bt.key(bt.Text(width=14), cardinality=12_000_000)
    lent: datetime = bt.key(bt.ReversedMillis())
    lo = bt.family("l", gc=bt.max_age(days=3650))
    reader: int = bt.column("r", lo, cardinality=800_000)
    branch: str = bt.column("b", lo, max_size=20, cardinality=120)
    due: date = bt.column("d", lo)
    of_book = bt.query("barcode")


class Shipment(bt.Model, table="shipment"):
    """Where a shipment is."""

    shipment_id: UUID = bt.key(bt.UuidText(), cardinality=700_000_000)
    s = bt.family("s", gc=bt.max_age(days=180))
    order_number: str = bt.column("o", s, max_size=20)
    carrier: str = bt.column("c", s, max_size=10, cardinality=60)
    warehouse_id: int = bt.column("w", s, cardinality=300)
    stage: str = bt.column("st", s, max_size=12)
    one = bt.query("shipment_id")


class UserProfile(bt.Model, table="profiles"):
    """What we know of a user."""

    uid: UUID = bt.key(bt.UuidText(), cardinality=200_000_000)
    p = bt.family("p", gc=bt.max_versions(1))
    user_name: str = bt.column("n", p, max_size=30)
    email: str = bt.column("e", p, max_size=100)
    language: str = bt.column("l", p, max_size=5)
    referrer_id: int | None = bt.column("rf", p)


class Asset(bt.Model, table="assets"):
    """A file that a customer uploaded."""

    workspace: int = bt.key(bt.PaddedInt(8), cardinality=400_000, sequential=False)
    asset: UUID = bt.key(bt.UuidText())
    a = bt.family("a", gc=bt.max_versions(1))
    sha256: bytes = bt.column("h", a, max_size=32)
    uploader: int = bt.column("u", a)
    folder: str = bt.column("f", a, max_size=100)
    of_workspace = bt.query("workspace")


class Claim(bt.Model, table="claim"):
    """A claim under a policy."""

    policy: str = bt.key(bt.Text(width=10), cardinality=5_000_000)
    claim: UUID = bt.key(bt.UuidText())
    c = bt.family("c", gc=bt.max_versions(1))
    adjuster: str = bt.column("a", c, max_size=30, cardinality=2_000)
    region: str = bt.column("r", c, max_size=20)
    reported: datetime = bt.column("t", c)
    of_policy = bt.query("policy")


class Meter(bt.Model, table="electricity_meters"):
    """An electricity meter and who pays for it."""

    serial: str = bt.key(bt.Text(width=16), cardinality=18_000_000)
    m = bt.family("m", gc=bt.max_versions(1))
    street: str = bt.column("st", m, max_size=60)
    zip_code: str = bt.column("z", m, max_size=10, cardinality=30_000)
    contract_number: str = bt.column("c", m, max_size=14)
    transformer: str = bt.column("t", m, max_size=12, cardinality=60_000)


class Reply(bt.Model, table="replies", events="300/s"):
    """A reply under a post of a forum."""

    post: UUID = bt.key(bt.UuidText(), cardinality=70_000_000)
    at: datetime = bt.key(bt.EpochMillis())
    reply: UUID = bt.key(bt.UuidText())
    r = bt.family("r", gc=bt.max_versions(1))
    author: int = bt.column("a", r, cardinality=9_000_000)
    text: str = bt.column("t", r, max_size=4000)
    flagged: bool = bt.column("f", r)
    of_post = bt.query("post")


class Device(bt.Model, table="device"):
    """A phone that gets push messages, under the token of its installation."""

    token: str = bt.key(bt.Text(width=64), cardinality=500_000_000)
    d = bt.family("d", gc=bt.max_age(days=400))
    user: int = bt.column("u", d, cardinality=200_000_000)
    app_version: str = bt.column("v", d, max_size=10, cardinality=200)
    locale: str = bt.column("l", d, max_size=6)


class Job(bt.Model, table="jobs", events="100/s"):
    """A rendering job that a machine works on."""

    job: UUID = bt.key(bt.UuidText(), cardinality=90_000_000)
    j = bt.family("j", gc=bt.max_age(days=30))
    project: str = bt.column("p", j, max_size=30, cardinality=40_000)
    state: str = bt.column("s", j, max_size=12)
    machine: str = bt.column("m", j, max_size=20, cardinality=900)
    priority: int = bt.column("pr", j)


class Coupon(bt.Model, table="coupons"):
    """A coupon, under the code that is printed on it."""

    code: str = bt.key(bt.Text(width=12), cardinality=400_000_000)
    c = bt.family("c", gc=bt.max_age(days=800))
    campaign: str = bt.column("ca", c, max_size=30, cardinality=9_000)
    redeemed_by: int | None = bt.column("rb", c)
    issued_to: str | None = bt.column("it", c, max_size=100)


class Stage(Enum):
    """Where a delivery is."""

    NEW = "new"
    PICKED = "picked"
    SENT = "sent"


class Delivery(bt.Model, table="deliveries", events="80/s"):
    """A delivery of a restaurant to somebody's door."""

    delivery: UUID = bt.key(bt.UuidText(), cardinality=300_000_000)
    d = bt.family("d", gc=bt.max_age(days=700))
    rider: int = bt.column("r", d, cardinality=60_000)
    restaurant: str = bt.column("re", d, max_size=24, cardinality=90_000)
    stage: Stage = bt.column("s", d)
    customer_phone: str = bt.column("c", d, max_size=20)
    one = bt.query("delivery")


class Patient(bt.Model, table="patients"):
    """A patient of a clinic, under a random number."""

    patient: UUID = bt.key(bt.UuidText(), cardinality=8_000_000)
    p = bt.family("p", gc=bt.max_versions(1))
    insurance_number: str = bt.column("i", p, max_size=14)
    ward: str | None = bt.column("w", p, max_size=10, cardinality=4_000)
    doctor: str = bt.column("d", p, max_size=20, cardinality=20_000)


class Domain(bt.Model, table="domains"):
    """A domain that a registrar holds."""

    domain: str = bt.key(bt.ReversedDomain(80), cardinality=30_000_000)
    d = bt.family("d", gc=bt.max_versions(1))
    registrant: int = bt.column("r", d, cardinality=9_000_000)
    name_server: str = bt.column("n", d, max_size=80)
    expires_on: date = bt.column("e", d)
    one = bt.query("domain")


class Seat(bt.Model, table="seats", events="50/s"):
    """A seat of a performance that somebody bought."""

    performance: UUID = bt.key(bt.UuidText(), cardinality=900_000)
    seat: str = bt.key(bt.Text(max_length=8))
    s = bt.family("s", gc=bt.max_versions(1))
    buyer: int = bt.column("b", s)
    barcode: str = bt.column("bc", s, max_size=20)
    category: str = bt.column("c", s, max_size=4)
    of_performance = bt.query("performance")


class Build(bt.Model, table="builds", events="30/s"):
    """A build of a repository."""

    repository: str = bt.key(bt.Text(max_length=60), cardinality=400_000)
    number: int = bt.key(bt.PaddedInt(7))
    b = bt.family("b", gc=bt.max_age(days=400))
    commit_sha: str = bt.column("c", b, max_size=40)
    branch: str = bt.column("br", b, max_size=60)
    runner: str = bt.column("r", b, max_size=20, cardinality=3_000)
    result: str = bt.column("re", b, max_size=10)
    of_repository = bt.query("repository")
