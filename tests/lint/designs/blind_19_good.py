"""A nineteenth set of designs by people who had not read the rules: those that are as they should be."""

from datetime import date, datetime
from enum import StrEnum

from published import good

import btmodel as bt


@good("Release note")
def nineteenth_release_note() -> object:
    class ReleaseNote(bt.Model, table="RELEASE_NOTE", events="40/day"):
        """A note about a release of one of our products, in the order of publication."""

        published: datetime = bt.key(bt.EpochSeconds(round=True))
        product: str = bt.key(bt.Text(max_length=30), cardinality=200)
        version: str = bt.key(bt.Text(max_length=20), cardinality=20_000)

        n = bt.family("n", gc=bt.max_versions(1))
        text: str = bt.column("text", n, size=800, max_size=20_000)

        lately = bt.query(between="published", span="30day")

    return ReleaseNote


@good("Receipt")
def nineteenth_receipt() -> object:
    class Receipt(bt.Model, table="RECEIPT", events="6000/s"):
        """A cash receipt. The tax office's numbers are consecutive; a receipt is only ever looked up by its number."""

        number: int = bt.key(bt.ReversedDigits(14), cardinality=50_000_000_000, sequential=True)

        r = bt.family("r", gc=bt.max_versions(1))
        shop: str = bt.column("shop", r, size=8, max_size=12)
        cents: int = bt.column("cents", r)
        printed: datetime = bt.column("printed", r)

        one = bt.query("number")

    return Receipt


@good("Login attempt")
def nineteenth_login_attempt() -> object:
    class Country(StrEnum):
        DE = "de"
        FR = "fr"
        IT = "it"
        ES = "es"

    class LoginAttempt(bt.Model, table="LOGIN_ATTEMPT", events="12000/s"):
        """An attempt to log in. The country comes first because its supervisors may ask for an export of its customers."""

        country: Country = bt.key(bt.EnumText(Country), cardinality=4, skew="60%:1")
        customer: str = bt.key(bt.HexDigest(16), cardinality=20_000_000, pii=False)
        at: datetime = bt.key(bt.EpochMillis())
        attempt: str = bt.key(bt.HexDigest(8), cardinality=4_000_000_000)

        data = bt.family("l", gc=bt.max_age(days=90))
        agent: str = bt.column("agent", data, size=90, max_size=400)
        succeeded: bool = bt.column("ok", data)

        of_customer = bt.query("country", "customer", between="at", span="1day")

    return LoginAttempt


@good("Stadium post")
def nineteenth_stadium_post() -> object:
    class StadiumPost(bt.Model, table="STADIUM_POST", events="40000/s"):
        """A post of the fans of a match. In a final nearly all posts belong to one match, so they are spread by their ids."""

        shard = bt.salt("post", buckets=64)
        match: str = bt.key(bt.HexDigest(8), cardinality=60_000, skew="70%:1")
        at: datetime = bt.key(bt.ReversedMillis())
        post: str = bt.key(bt.HexDigest(16), cardinality=4_000_000_000)

        m = bt.family("m", gc=bt.max_age(days=30))
        author: str = bt.column("author", m, size=12, max_size=30)
        text: str = bt.column("text", m, size=60, max_size=1_200)

        of_match = bt.query("match", between="at", span="10s")

    return StadiumPost


@good("Donation")
def nineteenth_donation() -> object:
    class Donation(bt.Model, table="DONATION", events="3000/s"):
        """A donation to a campaign of a telethon. Many come in the same second, and each has an id of its own."""

        campaign: str = bt.key(bt.HexDigest(12), cardinality=400)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        donation: str = bt.key(bt.HexDigest(16), cardinality=600_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        donor: str | None = bt.column("donor", d, default=None, size=16, max_size=16)
        cents: int = bt.column("cents", d)

        of_campaign = bt.query("campaign", between="at", span="1min")

    return Donation


@good("Clinic audit day")
def nineteenth_clinic_audit_day() -> object:
    class ClinicAuditDay(bt.Model, table="CLINIC_AUDIT_DAY", bucket="day", events="1500/s"):
        """Who opened which record in a clinic on a day. The gateway of a clinic stamps no two entries with the same millisecond."""

        clinic: str = bt.key(bt.HexDigest(10), cardinality=3_000, tenant=True)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        a = bt.family("a", gc=bt.max_age(days=400))
        access: bt.History[str] = bt.history("access", a, every="2s", size=300, max_size=2_000)

        of_clinic = bt.query("clinic", between="day", span="1day")

    return ClinicAuditDay


@good("Book club")
def nineteenth_book_club() -> object:
    class BookClub(bt.Model, table="BOOK_CLUB", events="50/s"):
        """The members of a reading circle; the service closes a circle at 5,000 of them."""

        club: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        readers: set[str] = bt.members(m, bt.HexDigest(16), entries=5_000)

        of_club = bt.query("club")

    return BookClub


@good("Essay claps")
def nineteenth_essay_claps() -> object:
    class EssayClaps(bt.Model, table="ESSAY_CLAPS", events="3000/s"):
        """How often readers clapped for an essay. Clients collect the claps, so that even the most popular essay is added to a few times a second."""

        essay: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)

        c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
        claps: int | None = bt.counter("claps", c, increments="5/s")

        one = bt.query("essay")

    return EssayClaps


@good("Dialysis day")
def nineteenth_dialysis_day() -> object:
    class DialysisDay(bt.Model, table="DIALYSIS_DAY", bucket="day", events="2000/min"):
        """The readings of a dialysis chair, once a minute, for the whole day and a margin for repeated ones."""

        chair: str = bt.key(bt.Text(width=8), cardinality=2_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        v = bt.family("v", gc=bt.max_versions(2_000))
        pressure: bt.History[int] = bt.history("pressure", v, every="1min")
        flow: bt.History[int] = bt.history("flow", v, every="1min")

        of_chair = bt.query("chair", between="day", span="1day")

    return DialysisDay


@good("Sighting day")
def nineteenth_sighting_day() -> object:
    class SightingDay(bt.Model, table="SIGHTING_DAY", bucket="day", events="500/min", lateness="30d"):
        """The birds that a field station counted on a day. Stations without a network bring their notes up to a month later."""

        station: str = bt.key(bt.Text(width=9), cardinality=20_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        b = bt.family("b", gc=bt.max_age(days=1_100))
        birds: bt.History[int] = bt.history("n", b, every="40min")

        of_station = bt.query("station", between="day", span="7day")

    return SightingDay


@good("Menu price")
def nineteenth_menu_price() -> object:
    class MenuPrice(bt.Model, table="MENU_PRICE", events="1/s"):
        """The price of a dish. The present one always stays, also of a dish that is never changed; older ones are kept for 30 days for complaints."""

        restaurant: str = bt.key(bt.HexDigest(10), cardinality=30_000)
        dish: str = bt.key(bt.Text(max_length=40), cardinality=900_000)

        p = bt.family("p", gc=bt.max_versions(1) & bt.max_age(days=30))
        cents: bt.History[int] = bt.history("cents", p, every="20day")

        of_restaurant = bt.query("restaurant")

    return MenuPrice


@good("Permit")
def nineteenth_permit() -> object:
    class Stage(StrEnum):
        FILED = "filed"
        REVIEW = "review"
        GRANTED = "granted"

    class Permit(bt.Model, table="PERMIT", events="5/s"):
        """An application for a building permit. The stage is a column, because it changes."""

        permit: str = bt.key(bt.HexDigest(12), cardinality=50_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        office: str = bt.column("office", p, size=8, max_size=16, cardinality=900)
        stage: Stage = bt.column("stage", p)
        filed: datetime = bt.column("filed", p)
        subject: str = bt.column("subject", p, size=60, max_size=250)

        one = bt.query("permit")

    class PermitInReview(bt.Index, of=Permit, view="PERMIT_IN_REVIEW", where={"stage": Stage.REVIEW}):
        """What an office has to review, the oldest first. Bigtable moves a row in and out as its stage changes."""

        office: str = bt.key(bt.Text(max_length=16), cardinality=900)
        filed: datetime = bt.key(bt.EpochMillis())
        permit: str = bt.covered()

        subject: str = bt.covered()

        of_office = bt.query("office", between="filed", span="30day")

    return Permit, PermitInReview


@good("Donor")
def nineteenth_donor() -> object:
    class Donor(bt.Model, table="DONOR", events="30/s"):
        """What a blood donor agreed to. The row is found by the e-mail address, which the key holds only as a digest."""

        id = bt.digest("email")
        email: str | None = bt.key(bt.Text(max_length=120), stored=False, cardinality=25_000_000, pii=True)

        d = bt.family("d", gc=bt.max_versions(1))
        consents: set[str] = bt.members(d, bt.Text(max_length=20), entries=30)
        confirmed: datetime | None = bt.column("confirmed", d, default=None)

        one = bt.query("email")

    return Donor


@good("Print job")
def nineteenth_print_job() -> object:
    class PrintJob(bt.Model, table="PRINT_JOB", events="2/s"):
        """A job of a copy shop. The clerk looks at the day's jobs, about ninety of a shop, and hides what is done."""

        shop: str = bt.key(bt.HexDigest(8), cardinality=2_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        job: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)

        j = bt.family("j", gc=bt.max_age(days=365))
        state: str = bt.column("state", j, size=7, max_size=10, cardinality=4)
        title: str = bt.column("title", j, size=40, max_size=200)

        of_day = bt.query("shop", "day", where=["state"])

    return PrintJob


@good("Episode part")
def nineteenth_episode_part() -> object:
    class EpisodePart(bt.Model, table="EPISODE_PART", events="60/s"):
        """A part of the audio of a podcast, of one megabyte at most; a player streams the parts in their order."""

        episode: str = bt.key(bt.HexDigest(16), cardinality=3_000_000)
        part: int = bt.key(bt.PaddedInt(4), cardinality=200, sequential=False)

        a = bt.family("a", gc=bt.max_versions(1))
        audio: bytes = bt.column("audio", a, size=1_000_000, max_size=1_000_000)

        of_episode = bt.query("episode", between="part")

    return EpisodePart


@good("Call record")
def nineteenth_call_record() -> object:
    class CallRecord(bt.Model, table="CALL_RECORD", events="60000/s"):
        """A call that ended in a mobile network. The fraud detection reads all calls of a few seconds, whoever made them."""

        shard = bt.salt("call", buckets=32)
        at: datetime = bt.key(bt.EpochMillis())
        call: str = bt.key(bt.HexDigest(16), cardinality=20_000_000_000)

        c = bt.family("c", gc=bt.max_age(days=3))
        caller: str = bt.column("caller", c, size=16, max_size=16)
        seconds: int = bt.column("seconds", c)

        during = bt.query(between="at", span="5s")

    return CallRecord


@good("Ticket sale")
def nineteenth_ticket_sale() -> object:
    class TicketSale(bt.Model, table="TICKET_SALE", events="9000/s"):
        """A ticket that was sold for a concert in one of four regions, one of which sells most of them."""

        shard = bt.salt("sale", buckets=20)
        region: str = bt.key(bt.Text(width=4), cardinality=4, skew="60%:1")
        at: datetime = bt.key(bt.EpochMillis())
        sale: str = bt.key(bt.HexDigest(12), cardinality=5_000_000_000)

        s = bt.family("s", gc=bt.max_age(days=90))
        cents: int = bt.column("cents", s)
        seats: int = bt.column("seats", s)

        of_region = bt.query("region", between="at", span="1min")

    return TicketSale


@good("Gift card")
def nineteenth_gift_card() -> object:
    class GiftCard(bt.Model, table="GIFT_CARD", events="40/s"):
        """A gift card and what is left on it. Shops look one up by its code; accounting copies all of them each night."""

        card: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)

        g = bt.family("g", gc=bt.max_versions(1))
        cents: int = bt.column("cents", g)
        sold: datetime = bt.column("sold", g)

        one = bt.query("card")
        everything = bt.query(scan="the nightly export for accounting", only=["cents"])

    return GiftCard


@good("Recipe")
def nineteenth_recipe() -> object:
    class Recipe(bt.Model, table="RECIPE", events="2/s"):
        """A recipe with the photo of the dish. The overview of a cuisine asks for the titles alone; the photo has a family of its own."""

        cuisine: str = bt.key(bt.Text(max_length=30), cardinality=300)
        dish: str = bt.key(bt.Text(max_length=30), cardinality=20_000)
        recipe: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)

        r = bt.family("r", gc=bt.max_versions(1))
        title: str = bt.column("title", r, size=60, max_size=200)
        minutes: int = bt.column("minutes", r)

        i = bt.family("i", gc=bt.max_versions(1))
        photo: bytes = bt.column("photo", i, size=400_000, max_size=2_000_000)

        of_dish = bt.query("cuisine", "dish", only=["title", "minutes"])

    return Recipe


@good("Pump price")
def nineteenth_pump_price() -> object:
    class PumpPrice(bt.Model, table="PUMP_PRICE", events="500/s", lateness="2h"):
        """The latest price of a fuel at a petrol station. Prices come out of order; the cells have the time from which a price holds."""

        station: str = bt.key(bt.HexDigest(8), cardinality=90_000)
        fuel: str = bt.key(bt.Text(max_length=10), cardinality=8)
        since: datetime = bt.timestamp(round=True)

        p = bt.family("p", gc=bt.max_versions(1))
        tenths: int = bt.column("tenths", p)

        of_station = bt.query("station")

    return PumpPrice


@good("Banquet")
def nineteenth_banquet() -> object:
    class Banquet(bt.Model, table="BANQUET", events="7/s", atomic="banquet"):
        """A banquet that a caterer prepares, with all of its courses in one row: it is confirmed with all of them, or not at all."""

        banquet: str = bt.key(bt.HexDigest(12), cardinality=80_000_000)

        b = bt.family("b", gc=bt.max_versions(1))
        confirmed: bool = bt.column("confirmed", b)
        c = bt.family("c", gc=bt.max_versions(1))
        courses: dict[int, int] = bt.mapping(c, bt.PaddedInt(4), entries=60)

        one = bt.query("banquet")

    return Banquet


@good("Basket")
def nineteenth_basket() -> object:
    class Basket(bt.Model, table="BASKET", events="2500/s"):
        """The basket of a visitor. Each change replaces the whole row, and a basket that nobody changed for 90 days is forgotten."""

        basket: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)

        b = bt.family("b", gc=bt.max_age(days=90))
        articles: list[str] = bt.column("articles", b, size=200, max_size=20_000)
        cents: int = bt.column("cents", b)
        changed: datetime = bt.column("changed", b)

        one = bt.query("basket")

    return Basket
