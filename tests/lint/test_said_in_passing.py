"""What descriptions say in passing: spans in front of keys, numbers that count up, things that are handed on, domains, values to come, and what is added at intervals."""

from datetime import date, datetime
from uuid import UUID

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level, review
from btmodel.schema import GcRule, ModelSchema, Query, Rate, Stamp
from tests.lint.parts import found


def grave(model: ModelSchema, rule: str) -> bool:
    """Whether the rule finds more than information."""
    return any(each.level is not Level.INFO for each in found(model, rule))


class Shown(bt.Model, table="SHOWN", events="60000/s"):
    """An advertisement that was shown."""

    part: int = bt.key(bt.PaddedInt(6), cardinality=110)
    placement: int = bt.key(bt.PaddedInt(8), cardinality=900_000, sequential=False)
    id: UUID = bt.key(bt.UuidText(), cardinality=30_000_000_000)

    i = bt.family("i", gc=bt.max_age(days=730))
    creative: int = bt.column("c", i)

    of_placement = bt.query("part", "placement")


SPANS = [
    "An advertisement. `part` is the ISO week as the warehouse counts it, e.g. 202617.",
    "An advertisement. part is the day in UTC.",
    "An advertisement; `part`, which is the month, comes first.",
    "An advertisement, below the hour (`part`) and the placement.",
    "An advertisement. Its part is the calendar week, counted from 1970.",
    "An advertisement. The part means the day when it was recorded.",
    "An advertisement; `part` is YYYYMM.",
]
NO_SPANS = [
    "An advertisement. `part` is the day of the week.",
    "An advertisement. `part` is the hour of the day.",
    "An advertisement. The part is a shelf of the warehouse, which is full each week.",
    "An advertisement. `part` is the week for which the campaign was booked.",
    "An advertisement. `part` is the year of birth of the viewer, rounded.",
    "An advertisement, shown in a week. `part` is the zone.",
    "An advertisement. The week is that of the campaign, and `part` its number among parts.",
]


def shown(doc: str, rate: str = "60000/s", sequential: bool | None = None) -> ModelSchema:
    """The advertisements with another description, rate and order of their parts."""
    model = bt.schema_of(Shown)
    first, *rest = model.key.fields
    key = evolve(model.key, fields=(evolve(first, sequential=sequential), *rest))
    return evolve(model, doc=doc, events=Rate.parse(rate), key=key)


@pytest.mark.parametrize("doc", SPANS)
def test_a_number_that_is_said_to_be_a_span_is_a_time_in_front(doc: str) -> None:
    """As a week with a codec of weeks is; what spreads goes in front of it."""
    (told,) = found(shown(doc), "KEY001")
    assert told.level is Level.WARNING
    assert "as the description of the model says" in told.message
    assert "`{placement}#{part}#{id}`" in told.fix
    assert "declare `sequential=False`" in told.fix
    assert found(shown(doc, "9/s"), "KEY001") == []
    assert found(shown(doc, sequential=False), "KEY001") == []


@pytest.mark.parametrize("doc", NO_SPANS)
def test_what_comes_again_or_is_planned_is_no_span_of_the_writing(doc: str) -> None:
    """Nor what another attribute is."""
    assert found(shown(doc), "KEY001") == []


class Receipt(bt.Model, table="RECEIPT", events="9000/s"):
    """A receipt."""

    number: str = bt.key(bt.Text(width=14), cardinality=3_000_000_000)

    r = bt.family("r", gc=bt.max_age(days=3650))
    cents: int = bt.column("total", r)


def receipt(doc: str, name: str = "number", called: str = "Receipt") -> ModelSchema:
    """Receipts with another description, and another name of them and of their key."""
    model = bt.schema_of(Receipt)
    (part,) = model.key.fields
    return evolve(model, name=called, doc=doc, key=evolve(model.key, fields=(evolve(part, name=name),)))


@pytest.mark.parametrize(
    ("doc", "name", "called"),
    [
        ("A receipt. The number is given by the fiscal service, e.g. `R26-0004711815`.", "number", "Receipt"),
        ("A receipt; numbers look like R0004711815000.", "number", "Receipt"),
        ("An order, such as SO-2026-00012.", "order_no", "Order"),
        ("What was bought, under a number such as INV/26/000123.", "invoice_number", "Bought"),
    ],
)
def test_a_number_with_zeros_behind_letters_counts_up(doc: str, name: str, called: str) -> None:
    """A salt of it costs no read, as rows are found by all of it."""
    (told,) = found(receipt(doc, name, called), "KEY002")
    assert told.level is Level.WARNING
    assert f'`salt = bt.salt("{name}", buckets=3)` in front' in told.fix
    assert "are not counted up" in told.fix
    assert found(evolve(receipt(doc, name, called), events=Rate.parse("4/s")), "KEY002") == []


@pytest.mark.parametrize(
    ("doc", "name", "called"),
    [
        ("A receipt.", "number", "Receipt"),
        ("A receipt. The number is drawn, e.g. `R26-8304711815`.", "number", "Receipt"),
        ("A model, such as M26-0004711815.", "number", "Model"),
        ("A product, such as 0004711815000.", "ean", "Product"),
        ("A receipt. Its file is named like F-000123.pdf.", "digest", "Receipt"),
        ("A card, e.g. C-00012345.", "card_number", "Card"),
        ("A parcel, such as RR012345678CN.", "number", "Shipment"),
    ],
)
def test_other_numbers_count_nothing(doc: str, name: str, called: str) -> None:
    """Those that are drawn, and those of things of which there is not always one more."""
    assert not grave(receipt(doc, name, called), "KEY002")


class Ticket(bt.Model, table="tickets", events="150/s"):
    """A ticket."""

    desk: str = bt.key(bt.Text(max_length=20), cardinality=300)
    agent: int = bt.key(bt.PaddedInt(7), cardinality=20_000, sequential=False)
    ticket: UUID = bt.key(bt.UuidText(), cardinality=80_000_000)

    t = bt.family("t", gc=bt.max_versions(1))
    subject: str = bt.column("s", t, max_size=300)

    inbox = bt.query("desk", "agent")


@pytest.mark.parametrize(
    "doc",
    [
        "A ticket. Supervisors move tickets between agents when a shift ends.",
        "A ticket. Tickets are handed over to the next agent at noon.",
        "A ticket, which may be passed on to another agent.",
        "A ticket. It happens that a ticket is reassigned from one agent to another.",
        "A ticket; supervisors transfer a ticket to a different agent.",
        "A ticket. Tickets get moved to other agents.",
        "A ticket. Open tickets are shifted among the agents.",
    ],
)
def test_what_is_handed_on_moves_its_row(doc: str) -> None:
    """The owner is a column in the fix, and a second table has the order of the query."""
    (told,) = found(evolve(bt.schema_of(Ticket), doc=doc), "KEY021")
    assert (told.level, told.field) == (Level.WARNING, "agent")
    assert "keep `agent` in a column: `{desk}#{ticket}`" in told.fix
    assert "owned=True" in told.fix


@pytest.mark.parametrize(
    "doc",
    [
        "A ticket. Tickets are never moved between agents.",
        "A ticket. Calls are passed from one agent to another until somebody has opened it.",
        "A ticket. Supervisors move chairs between agents.",
        "A ticket. Agents move between desks.",
        "A ticket; it goes to its agent at once.",
        "A ticket. It is passed to the agent who took the call.",
        "A ticket. The mail is shared among agents.",
    ],
)
def test_what_stays_or_is_of_others_moves_nothing(doc: str) -> None:
    """Or what is handed to its first owner. Of a ticket, the name of its agent says it by itself."""
    model = evolve(bt.schema_of(Ticket), name="Note", doc=doc)
    assert [one for one in found(model, "KEY021") if one.field == "agent"] == []


class Link(bt.Model, table="LINK", events="5000/s"):
    """Links."""

    target: str = bt.key(bt.Text(max_length=100), cardinality=40_000_000)
    source: str = bt.key(bt.HexDigest(16))

    f = bt.family("f", gc=bt.max_versions(1))
    anchor: str = bt.column("a", f, max_size=500)

    below = bt.query(starting="target")


@pytest.mark.parametrize(
    "doc",
    [
        "Who links to a site. Customers ask for a host, or for a registered name with all that is below it.",
        "Links to a host, which is asked for with its subdomains.",
        "Links. A report is of a domain and all of its hosts.",
        "Links. Reports are of a registrable domain.",
        "Links; a whole domain is read at once.",
        "Links. Ask for a domain, and get what is below it.",
    ],
)
def test_a_domain_that_is_asked_for_with_what_is_below_it_is_reversed(doc: str) -> None:
    """Whatever the field is called; where it says so itself, that goes before."""
    model = evolve(bt.schema_of(Link), doc=doc)
    (told,) = found(model, "KEY011")
    assert told.level is Level.WARNING
    assert "judging by the description" in told.message
    assert "`bt.ReversedDomain(100)`" in told.fix
    first, second = model.key.fields
    said = evolve(model, key=evolve(model.key, fields=(evolve(first, domain=False), second)))
    assert found(said, "KEY011") == []
    exact = (Query("of_target", ("target",)),)
    assert found(evolve(model, queries=exact), "KEY011") == []


@pytest.mark.parametrize(
    ("doc", "name"),
    [
        ("Links.", "target"),
        ("Links. A folder is asked for with all that is below it.", "target"),
        ("Links of a domain expert.", "target"),
        ("Links. No subdomains are asked for.", "target"),
        ("Links within a domain, or its subdomains.", "path"),
    ],
)
def test_other_beginnings_are_no_domains(doc: str, name: str) -> None:
    """Paths begin with what they share."""
    model = evolve(bt.schema_of(Link), doc=doc)
    first, second = model.key.fields
    key = evolve(model.key, fields=(evolve(first, name=name), second))
    assert found(evolve(model, key=key, queries=(Query("below", (), starting=name),)), "KEY011") == []


class Price(bt.Model, table="PRICE", events="500/s"):
    """A price."""

    shop: int = bt.key(bt.PaddedInt(5), cardinality=4_000, sequential=False)
    ean: str = bt.key(bt.Text(width=13), cardinality=300_000)
    valid_from: datetime = bt.timestamp()

    p = bt.family("p", gc=bt.max_versions(1))
    cents: int = bt.column("c", p)

    of_shop = bt.query("shop")


def price(doc: str, name: str = "valid_from", rule: GcRule | None = None) -> ModelSchema:
    """Prices that are described so, with another name of their time and another rule."""
    model = bt.schema_of(Price)
    (family,) = model.families
    return evolve(
        model,
        doc=doc,
        stamp=evolve(model.stamp, attribute=name),
        families=(evolve(family, gc=rule or family.gc),),
    )


@pytest.mark.parametrize("name", ["valid_from", "effective_from", "effective", "applies_from"])
@pytest.mark.parametrize(
    "doc",
    [
        "A price. Head office loads prices up to six weeks before they come into force.",
        "A price, which is entered in advance.",
        "A price. It may be one of the future.",
    ],
)
def test_what_is_to_come_does_not_replace_what_holds(doc: str, name: str) -> None:
    """A row for each is the fix; of several versions, a read may take the one that holds."""
    (told,) = found(price(doc, name), "COL009")
    assert (told.level, told.field) == (Level.WARNING, name)
    assert f"`{{shop}}#{{ean}}#{{{name}}}`" in told.fix
    (made,) = told.models
    assert made.stamp == Stamp()
    assert [each.rule for each in review(made) if each.level is not Level.INFO] == []
    assert not grave(price(doc, name, bt.max_versions(10)), "COL009")


@pytest.mark.parametrize(
    ("doc", "name"),
    [
        ("A price.", "valid_from"),
        ("A price. It is never entered in advance.", "valid_from"),
        ("A price, entered in advance.", "measured"),
        ("A price. It is loaded as soon as it holds.", "effective_from"),
    ],
)
def test_what_is_not_written_ahead_may_be_the_time_of_the_cells(doc: str, name: str) -> None:
    """Or what has happened by then."""
    assert not grave(price(doc, name), "COL009")


class Shipment(bt.Model, table="SHIPMENT", events="800/s"):
    """A container."""

    container: str = bt.key(bt.Text(width=11), cardinality=2_000_000)

    s = bt.family("s", gc=bt.max_versions(1))
    vessel: str = bt.column("v", s, max_size=60)
    trail: list[float] = bt.column("trail", s, size=900)


@pytest.mark.parametrize(
    "doc",
    [
        "A container. The tracker reads the trail, appends a position every minute, and writes it back.",
        "A container; `trail` is the list of positions so far.",
        "A container. A position is added each hour.",
        "A container. The tracker adds one to the trail twice a day.",
    ],
)
def test_a_list_to_which_is_added_at_intervals_has_no_bound(doc: str) -> None:
    """A row for each is the fix, also where the list is read and put back."""
    model = evolve(bt.schema_of(Shipment), doc=doc)
    told = [one for one in review(model) if one.level is not Level.INFO]
    assert "ROW003" in {one.rule for one in told}
    assert all("`{container}#{at}`" in one.fix for one in told if one.rule in ("ROW003", "COL009"))


@pytest.mark.parametrize(
    "doc",
    [
        "A container. The tracker appends a position every minute, and drops the oldest.",
        "A container. Its trail has the last positions; one is added each hour.",
        "A container. A tax is added each time.",
        "A container. The trail is written once.",
        "A container. Positions are sent every minute.",
    ],
)
def test_a_list_that_makes_room_has_one(doc: str) -> None:
    """Or one of which nothing is said to be added, unless it is called so."""
    model = bt.schema_of(Shipment)
    vessel, trail = model.columns
    model = evolve(model, doc=doc, columns=(vessel, evolve(trail, name="marks")))
    assert found(model, "ROW003") == []


@pytest.mark.parametrize(
    "doc",
    [
        "A container. The tracker adds a position, and drops the oldest.",
        "A container. Its trail has the last positions.",
        "A container. The trail is written once.",
    ],
)
def test_a_list_of_a_name_that_grows_may_be_said_to_have_a_bound(doc: str) -> None:
    """The sentence counts for more than the name."""
    assert found(evolve(bt.schema_of(Shipment), doc=doc), "ROW003") == []
    assert found(evolve(bt.schema_of(Shipment), doc="A container."), "ROW003") != []


class Driver(bt.Model, table="DRIVER", events="6000/s"):
    """A driver: who they are, as given at sign-up, and the last position that the app has sent."""

    driver: UUID = bt.key(bt.UuidText(), cardinality=900_000)

    d = bt.family("d", gc=bt.max_age(days=30))
    name: str = bt.column("name", d, max_size=120)
    licence: str = bt.column("lic", d, max_size=30)
    signed_up: date = bt.column("since", d)
    battery: int = bt.column("bat", d)
    lat: float | None = bt.column("lat", d, default=None)
    lon: float | None = bt.column("lon", d, default=None)


def test_what_each_row_has_was_written_with_what_is_written_once() -> None:
    """Where the others come and go; what is named elsewhere, or called like a value of now, stays where it is."""
    model = bt.schema_of(Driver)
    (told,) = found(model, "FAM010")
    assert "give `name`, `licence`, `battery`, `signed_up` a family of their own" in told.fix
    (told,) = found(evolve(model, doc=f"{model.doc} The battery is reported every minute."), "FAM010")
    assert "give `name`, `licence`, `signed_up` a family of their own" in told.fix
    columns = tuple(evolve(one, required=one.name == "lat" or one.required) for one in model.columns)
    columns = tuple(evolve(one, required=True) for one in columns)
    (told,) = found(evolve(model, columns=columns), "FAM010")
    assert "give `signed_up` a family of its own" in told.fix
