"""Fixes of several findings on one model can be followed one after the other."""

from collections.abc import Callable
from datetime import date, datetime
from enum import Enum
from uuid import UUID

from attrs import evolve
from documented import findings

import btmodel as bt
from btmodel.lint import Finding, Level, review_all


class Stage(Enum):
    NEW = "new"
    DONE = "done"


def reading() -> object:
    class Reading(bt.Model, table="reading", events="2000/s"):
        """A meter reading. Dispatch lists the readings of a district. Two readings of a meter may come in one second."""

        meter: int = bt.key(bt.PaddedInt(9), cardinality=3_000_000, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds())

        c = bt.family("c", gc=bt.max_age(days=400))
        district: str = bt.column("d", c, max_size=12, cardinality=900)
        wh: int = bt.column("wh", c)

        of_meter = bt.query("meter", between="at")

    return Reading


def job() -> object:
    class Job(bt.Model, table="job", events="80/s"):
        """A print job."""

        stage: Stage = bt.key(bt.EnumText(Stage))
        created: datetime = bt.key(bt.EpochMillis())
        job: UUID = bt.key(bt.UuidText())

        j = bt.family("j", gc=bt.max_versions(1))
        pages: int = bt.column("pages", j)

        todo = bt.query("stage", between="created")
        one = bt.query("job")

    return Job


def member() -> object:
    class Member(bt.Model, table="member"):
        """A member."""

        office: str = bt.key(bt.Text(width=4), cardinality=900)
        email: str = bt.key(bt.Text(max_length=60), cardinality=90_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        shop: UUID = bt.column("s", c, codec=bt.AsInKey(bt.UuidText()))
        cents: int = bt.column("cents", c)

        one = bt.query("office", "email")
        of_shop = bt.query("shop")

    return Member


def by_rule(declare: Callable[[], object]) -> dict[str, Finding]:
    return {one.rule: one for one in findings(declare)}


def test_a_second_table_has_the_key_that_another_fix_leads_to() -> None:
    """Rows that share a key now would share one there, too: the id that tells them apart comes first."""
    found = by_rule(reading)
    assert found["KEY017"].fix.endswith("`{meter}#{at}#{id}`")
    assert found["QRY008"].fix.startswith("after the fix of KEY017, declare")
    assert "`{district}#{meter}#{at}#{id}` serves it" in found["QRY008"].fix
    first, second = found["QRY008"].models
    assert (first.key.shape, second.key.shape) == ("{meter}#{at}#{id}", "{district}#{meter}#{at}#{id}")


def test_a_person_is_in_no_second_table_either() -> None:
    """What leaves the key is not in that of a table which another finding proposes."""
    found = by_rule(member)
    assert "`{office}#{person_id}`" in found["KEY010"].fix
    assert found["QRY001"].fix.startswith("after the fix of KEY010, make `shop` part of the key")
    assert "`{shop}#{office}#{person_id}` serves it" in found["QRY001"].fix
    assert "email" not in found["QRY001"].fix


def test_a_table_that_another_fix_makes_needless_is_an_alternative() -> None:
    """A state that leaves the key leaves one that serves the other query, too."""
    found = by_rule(job)
    assert "`{job}#{created}`" in found["KEY021"].fix
    said = "the fix of KEY021 settles it, too: the key is then `{job}#{created}`; or, in its place, also write the rows"
    assert found["QRY001"].fix.startswith(said)
    assert [made.key.shape for made in found["QRY001"].models] == [
        "{job}#{created}",
        "{stage}#{created}#{job}",
    ]


def test_what_does_not_touch_the_key_stays_as_it_is_said() -> None:
    """An age of a family is nothing that a second table is named by."""

    def declared() -> object:
        class Claim(bt.Model, table="claim", events="40/s"):
            """A claim. An adjuster opens the claims assigned to her. Kept for seven years."""

            policy: int = bt.key(bt.PaddedInt(9), cardinality=40_000_000, sequential=False)
            opened: datetime = bt.key(bt.EpochMillis())

            c = bt.family("c", gc=bt.max_versions(1))
            adjuster: int = bt.column("adj", c, cardinality=2_000)
            cents: int = bt.column("cents", c)

            of_policy = bt.query("policy")

        return Claim

    found = by_rule(declared)
    assert {"FAM010", "QRY008"} <= found.keys()
    assert found["QRY008"].fix.startswith("declare `by_adjuster = ")


def grade() -> object:
    class Grade(bt.Model, table="GRADE", events="20/s"):
        """A grade of a pupil. Parents ask for those of a pupil."""

        term: str = bt.key(bt.Text(max_length=8), cardinality=6)
        course: str = bt.key(bt.Text(max_length=20), cardinality=4_000)
        pupil: str = bt.key(bt.Text(max_length=20), cardinality=300_000)

        g = bt.family("g", gc=bt.max_versions(1))
        mark: int = bt.column("mark", g)

        of_course = bt.query("term", "course")
        of_pupil = bt.query("pupil", "term")

    return Grade


def test_a_query_that_is_declared_and_described_may_move() -> None:
    """What the description asks for is served by the second table, as the declared query is."""
    found = by_rule(grade)
    assert "brings another fault" not in found["QRY001"].fix
    first, second = found["QRY001"].models
    assert [query.name for query in second.queries] == ["of_pupil"]
    assert first.key.shape == "{term}#{course}#{pupil}"


def test_advice_on_rows_that_exist_says_what_is_written_again() -> None:
    """A second table is empty until they are copied; a GC rule is changed in place, so it stays a warning without a cost."""

    class Parcel(bt.Model, table="PARCEL", events="50/s", existing=True):
        """A parcel. Support looks a parcel up by the tracking number. Kept for a year."""

        id: UUID = bt.key(bt.UuidText(), cardinality=90_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        tracking: str = bt.column("t", p, max_size=20)
        grams: int = bt.column("g", p)

        one = bt.query("id")

    found = by_rule(lambda: Parcel)
    assert "once a data step has copied them" in found["QRY008"].fix
    assert (found["FAM010"].level, found["FAM010"].cost) == (Level.WARNING, None)


def test_a_reversed_time_takes_what_the_time_took() -> None:
    """A codec that rounds is exchanged for one that does."""

    class Message(bt.Model, table="MESSAGE", events="50/s"):
        """A message."""

        box: str = bt.key(bt.HexDigest(8), cardinality=900_000)
        received: datetime = bt.key(bt.EpochMillis(round=True))
        number: str = bt.key(bt.HexDigest(4))

        m = bt.family("m", gc=bt.max_age(days=90))
        text: str = bt.column("t", m, size=90)

        inbox = bt.query("box", between="received", newest=True)

    found = by_rule(lambda: Message)
    assert "`bt.ReversedMillis(round=True)`" in found["KEY015"].fix


def test_families_come_before_what_moves_out_of_them() -> None:
    """One family is given to the readings, and the rest of the first one keeps its newest values; a new name is new for all."""

    class Meter(bt.Model, table="METER", events="400/s"):
        """A meter, with its readings and how often it was called. Readings are kept for 90 days."""

        meter: int = bt.key(bt.PaddedInt(9), cardinality=3_000_000, sequential=False)

        d = bt.family("d", gc=bt.keep_all())
        name: str = bt.column("name", d)
        readings: dict[datetime, int] = bt.mapping(d, bt.EpochMicros(), prefix="r:", entries=10_000, size=8)
        calls: int = bt.column("calls", d, increments="30/s")

        one = bt.query("meter")

    found = by_rule(lambda: Meter)
    assert (
        found["FAM010"].fix
        == 'give `readings`, of which that is said, a family of its own: `bt.family("d2", gc=bt.max_age(days=90))`'
    )
    assert (
        found["ROW003"].fix
        == 'after the fix of FAM010, keep the newest: `bt.family("d", gc=bt.max_versions(1))`'
    )
    (made,) = found["ROW003"].models
    assert {one.name: one.family for one in made.columns} == {"name": "d", "readings": "d2", "calls": "d"}


def test_what_has_no_fix_by_itself_may_have_one_behind_another() -> None:
    """Two columns want an age that their family has not: as long as that is so, nothing else can be moved."""

    class Meter(bt.Model, table="METER", events="400/s", allow={"ROW003": "the tests review it"}):
        """The state of a meter, with its readings and how often it was called."""

        meter: int = bt.key(bt.PaddedInt(9), cardinality=3_000_000, sequential=False)

        d = bt.family("d", gc=bt.keep_all())
        name: str = bt.column("name", d, keep=bt.keep_all())
        last: str | None = bt.column("last", d, keep=bt.max_age("30d"))
        readings: bt.History[int] = bt.history("readings", d, keep=bt.max_age("90d"))
        calls: int = bt.column("calls", d, increments="30/s")

        one = bt.query("meter")

    found = review_all([evolve(bt.schema_of(Meter), allow={})])
    assert all(one.models for one in found)
    by_part = {(one.rule, one.field): one.fix for one in found}
    both = 'give `last` a family of its own: `bt.family("d2", gc=bt.max_age(days=30))`, and give `readings` a family of its own: `bt.family("d3", gc=bt.max_age(days=90))`'
    assert by_part["FAM005", "last"] == both
    assert by_part["ROW003", "readings"].startswith(
        "after the fixes of FAM005 and KEY013, write one row per event"
    )
    assert by_part["KEY013", "calls"].startswith("let the service add: `sums = ")
    assert by_part["ROW003", "d"] == "the fix of ROW003 of `readings` settles it, too"


def test_what_is_kept_no_longer_is_not_the_row() -> None:
    """Only the family of what the description names ends by that age."""

    class Campaign(bt.Model, table="CAMPAIGN", events="3/min", allow={"ROW003": "the tests review it"}):
        """A campaign. No click may be kept for longer than six weeks."""

        campaign: str = bt.key(bt.Text(max_length=20), cardinality=40_000)

        a = bt.family("a", gc=bt.max_versions(1))
        name: str = bt.column("n", a, size=20)
        clicks: dict[str, str] = bt.mapping(a, bt.Text(width=26), prefix="c:", size=80)

        one = bt.query("campaign")

    found = {one.rule: one for one in review_all([evolve(bt.schema_of(Campaign), allow={})])}
    (made,) = found["FAM010"].models
    assert {one.name: one.family for one in made.columns} == {"name": "a", "clicks": "a2"}
    assert made.family("a") == bt.schema_of(Campaign).family("a")
    assert found["ROW003"].fix.startswith("the fix of FAM010 settles it, too")


def test_a_person_who_is_asked_for_in_words_is_found_in_another_table() -> None:
    """The surrogate id holds although only the description asks by what it stands for: the fix says where that is found."""

    def declared() -> object:
        class Order(bt.Model, table="ORDER", events="40/s"):
            """An order. Support lists the orders of a customer by e-mail."""

            shop: str = bt.key(bt.Text(width=4), cardinality=900)
            placed: datetime = bt.key(bt.EpochMillis())
            customer_email: str = bt.key(bt.Text(max_length=60))

            d = bt.family("d", gc=bt.max_age("400d"))
            cents: int = bt.column("cents", d)

            of_shop = bt.query("shop", between="placed")
            of_customer = bt.query("customer_email")

        return Order

    found = by_rule(declared)
    assert found["KEY010"].fix.startswith("use a surrogate id, `customer_id: UUID = ")
    assert "a caller that has only `customer_email` finds the id in another table" in found["KEY010"].fix
    assert found["QRY001"].fix.startswith("after the fix of KEY010, also write the rows to a second table")
    assert found["QRY001"].models[1].key.shape == "{customer_id}#{shop}#{placed}"


def test_the_second_table_that_leads_from_a_person_to_the_id_answers_what_is_asked() -> None:
    """As the fix says, with the digest in its key: then nothing is found any more."""

    class Order(bt.Model, table="ORDER", events="40/s"):
        """An order. Support lists the orders of a customer by e-mail."""

        shop: str = bt.key(bt.Text(width=4), cardinality=900)
        placed: datetime = bt.key(bt.EpochMillis())
        customer_id: UUID = bt.key(bt.UuidText())

        d = bt.family("d", gc=bt.max_age("400d"))
        cents: int = bt.column("cents", d)
        customer_email: str = bt.column("customer_email", d, size=60)

        of_shop = bt.query("shop", between="placed")

    class OrderByCustomer(bt.Model, table="ORDER_BY_CUSTOMER", events="40/s"):
        """The same by customer."""

        customer_id: UUID = bt.key(bt.UuidText())
        placed: datetime = bt.key(bt.EpochMillis())
        shop: str = bt.key(bt.Text(width=4), cardinality=900)

        d = bt.family("d", gc=bt.max_age("400d"))
        cents: int = bt.column("cents", d)

        of_customer = bt.query("customer_id", between="placed")

    class CustomerOfEmail(bt.Model, table="CUSTOMER_OF_EMAIL"):
        """The id of a customer."""

        customer_email_hash = bt.digest("customer_email")
        customer_email: str | None = bt.key(bt.Text(max_length=60), stored=False)

        d = bt.family("d", gc=bt.max_versions(1))
        customer_id: UUID = bt.column("customer_id", d)

        one = bt.query("customer_email")

    assert {one.field for one in findings(lambda: (Order, OrderByCustomer))} == {"customer_email"}
    assert findings(lambda: (Order, OrderByCustomer, CustomerOfEmail)) == ()


def test_a_question_that_another_key_answers_is_settled() -> None:
    """Also where the old key stays as a second table, whose description asks the same."""

    class Order(bt.Model, table="order", events="300/s"):
        """An order of a customer. Support lists all orders of a customer by day."""

        state: str = bt.key(bt.Text(max_length=10), cardinality=6, changes=True)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        customer: str = bt.key(bt.Text(max_length=30), cardinality=500_000)

        o = bt.family("o", gc=bt.max_versions(1))
        number: int = bt.column("nr", o, cardinality=100_000_000)
        cents: int = bt.column("total", o)

        in_state = bt.query("state", between="day")

    found = by_rule(lambda: Order)
    assert "`{customer}#{day}#{number}`; `in_state` needs it in a key" in found["KEY021"].fix
    settled = "the fix of KEY021 settles it, too: the key is then `{customer}#{day}#{number}`; or, in its place, declare"
    assert found["QRY008"].fix.startswith(settled)


def test_a_second_table_has_the_salt_of_the_first() -> None:
    """What moves to another table moves behind the change of the key, and of two findings of one rule it is said which."""

    def declared() -> object:
        class Device(bt.Model, table="device", events="20000/s"):
            """What a device last reported, and what it reported before."""

            tenant: str = bt.key(bt.Text(max_length=10), cardinality=3, tenant=True, skew="90%:1")
            device: int = bt.key(bt.PaddedInt(10), sequential=True, cardinality=1_000_000)

            d = bt.family("d", gc=bt.keep_all())
            temp: bt.History[float] = bt.history("temp", d, every="1min")
            firmware: str = bt.column("fw", d, keep=bt.max_versions(1))

            of_tenant = bt.query("tenant")

        return Device

    found = [one for one in findings(declared) if one.rule in ("KEY003", "ROW003")]
    (key,) = (one for one in found if one.rule == "KEY003")
    assert "`{tenant}#{id}#{device}`" in key.fix
    (temp,) = (one for one in found if one.field == "temp")
    assert temp.fix.startswith("after the fix of KEY003, write one row per event to a second table")
    assert "`{tenant}#{id}#{device}#{at}`" in temp.fix


def test_a_ranking_keeps_the_order_of_its_numbers() -> None:
    """Whoever wants the best would read all rows of a key without them: the score leaves it for a second table only."""

    def declared() -> object:
        class Score(bt.Model, table="score", events="3000/s"):
            """The score of a player in a season; the leaderboard shows the best 100 of a season."""

            season: int = bt.key(bt.PaddedInt(4), cardinality=12, sequential=False)
            score: int = bt.key(bt.PaddedInt(9), cardinality=1_000_000, sequential=False)
            player: str = bt.key(bt.Text(max_length=24), cardinality=8_000_000)

            s = bt.family("s", gc=bt.max_versions(1))
            wins: int = bt.column("w", s)

            best = bt.query("season")
            of_player = bt.query("season", "player")

        return Score

    found = {one.rule: one for one in findings(declared)}
    assert (
        "`best` needs it in a key: keep `{season}#{score}#{player}` as a second table" in found["KEY021"].fix
    )
    assert "also write the rows to a second table" in found["QRY001"].fix
    assert not found["QRY001"].fix.startswith("order the fields")


def test_a_question_that_a_key_does_not_answer_is_not_settled() -> None:
    """Rows are called after the last field of their key, and it may be another one then."""

    def declared() -> object:
        class Loan(bt.Model, table="loan", events="3/s"):
            """A loan of a book. A reader asks for all books that they have."""

            due: date = bt.key(bt.DateText())
            book: int = bt.key(bt.PaddedInt(9), cardinality=2_000_000, sequential=False)

            b = bt.family("b", gc=bt.max_age("900d"))
            reader: int = bt.column("r", b, cardinality=300_000)
            renewed: int = bt.column("n", b)

            of_book = bt.query("book", between="due")

        return Loan

    found = {one.rule: one for one in findings(declared)}
    assert "`{book}#{due}`" in found["QRY001"].fix
    assert "settles it" not in found["QRY008"].fix
    assert found["QRY008"].models[1].key.shape.startswith("{reader}#")
