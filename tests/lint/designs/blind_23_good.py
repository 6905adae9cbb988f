"""A twenty-third set of designs by people who had not read the rules: the good ones, each with the fault that it only seems to have."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import good

import btmodel as bt


@good("Vault visits")
def twentythird_good_vault_visit() -> object:
    class VaultVisit(bt.Model, table="vault_visit", events="3/min"):
        """Somebody went into the vault of the museum."""

        at: datetime = bt.key(bt.EpochMillis())
        door: str = bt.key(bt.Text(width=3), cardinality=12)

        v = bt.family("v", gc=bt.max_age(days=400))
        badge: str = bt.column("badge", v, size=12)

        during = bt.query(between="at")

    return VaultVisit


@good("Lottery tickets")
def twentythird_good_lottery_ticket() -> object:
    class LotteryTicket(bt.Model, table="lottery_ticket", events="12000/s"):
        """A ticket, by its number, which counts up."""

        ticket: int = bt.key(bt.ReversedDigits(12), cardinality=90_000_000_000, sequential=True)

        t = bt.family("t", gc=bt.max_age(days=200))
        shop: str = bt.column("shop", t, size=8)
        numbers: bytes = bt.column("n", t, size=6, max_size=20)

        one = bt.query("ticket")

    return LotteryTicket


@good("Seismic picks")
def twentythird_good_seismic_pick() -> object:
    class SeismicPick(bt.Model, table="seismic_pick", events="20000/s"):
        """A station heard a wave; all stations of the last minute are looked at together."""

        spread = bt.salt("at", "station", buckets=16)
        at: datetime = bt.key(bt.EpochMillis())
        station: str = bt.key(bt.HexDigest(6), cardinality=40_000)

        p = bt.family("p", gc=bt.max_age(days=30))
        amplitude: float = bt.column("a", p)

        during = bt.query(between="at", span="1min")

    return SeismicPick


@good("Newspaper pages")
def twentythird_good_newspaper_page() -> object:
    class NewspaperPage(bt.Model, table="newspaper_page", events="5000/s"):
        """A page of a newspaper of 1850 to 1990, scanned as volumes come out of the cellar."""

        day: date = bt.key(bt.DateText(), cardinality=51_000, sequential=False)
        paper: str = bt.key(bt.Text(width=6), cardinality=3_000)
        page: int = bt.key(bt.PaddedInt(3), cardinality=200)

        p = bt.family("p", gc=bt.max_versions(1))
        text: str = bt.column("text", p, size=9_000, max_size=90_000)

        of_day = bt.query("day")
        of_paper = bt.query("day", "paper")

    return NewspaperPage


@good("Choir")
def twentythird_good_choir() -> object:
    class Choir(bt.Model, table="choir", events="1/min"):
        """A choir, who sings in it, and which voice."""

        choir: str = bt.key(bt.HexDigest(8), cardinality=60_000)

        m = bt.family("m", gc=bt.max_versions(1))
        singers: dict[str, str] = bt.mapping(m, bt.Text(max_length=40), entries=400, size=8, max_size=20)
        town: str = bt.column("town", m, size=20)

        one = bt.query("choir")

    return Choir


@good("Soil probe")
def twentythird_good_soil_probe() -> object:
    class SoilProbe(bt.Model, table="soil_probe", bucket="month", events="60/s"):
        """How moist the soil of a vineyard is, each hour, since the probe was set."""

        probe: int = bt.key(bt.PaddedInt(6), cardinality=200_000)
        month: date = bt.key(bt.DateText("%Y%m"))

        s = bt.family("s", gc=bt.keep_all())
        moisture: bt.History[float] = bt.history("m", s, every="1h")

        of_probe = bt.query("probe", between="month")

    return SoilProbe


@good("Contract text")
def twentythird_good_contract_text() -> object:
    class ContractText(bt.Model, table="contract_text", events="2/s"):
        """The text of a contract; what was replaced can be had back for 90 days."""

        contract: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        c = bt.family("c", gc=bt.max_versions(1) & bt.max_age(days=90))
        text: str = bt.column("text", c, size=12_000, max_size=200_000)
        signed: bool = bt.column("signed", c)

        one = bt.query("contract")

    return ContractText


@good("Locker")
def twentythird_good_locker() -> object:
    class Locker(bt.Model, table="locker", events="30/s"):
        """A locker of a railway station, and who has it."""

        station: str = bt.key(bt.Text(width=5), cardinality=2_000)
        locker: str = bt.key(bt.Text(max_length=4), cardinality=900)

        f = bt.family("l", gc=bt.max_versions(1))
        taken: bool = bt.column("taken", f)
        until: datetime | None = bt.column("until", f, default=None)

        of_station = bt.query("station")
        one = bt.query("station", "locker")

    return Locker


class Grade(StrEnum):
    GOLD = "gold"
    SILVER = "silver"
    PLAIN = "plain"


@good("Graded diamond")
def twentythird_good_graded_diamond() -> object:
    class GradedDiamond(bt.Model, table="graded_diamond", events="20/min"):
        """A diamond that was graded; a second grading is a stone of its own."""

        laboratory: str = bt.key(bt.Text(width=4), cardinality=90)
        status: Grade = bt.key(bt.EnumText(Grade), changes=False)
        stone: str = bt.key(bt.HexDigest(10), cardinality=20_000_000)

        g = bt.family("g", gc=bt.max_versions(1))
        carats: Decimal = bt.column("carats", g, size=5)
        graded: date = bt.column("graded", g)

        of_status = bt.query("laboratory", "status")

    return GradedDiamond


@good("Street sign")
def twentythird_good_street_sign() -> object:
    class StreetSign(bt.Model, table="street_sign", events="1/s"):
        """A sign at a street, as surveyors of the town saw it on a day."""

        street: str = bt.key(bt.Text(max_length=60, holds_delimiter=True), cardinality=90_000)
        day: date = bt.key(bt.DateText())
        sign: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        shape: str = bt.column("shape", s, size=10)
        rust: int = bt.column("rust", s)

        of_street = bt.query("street", between="day")

    return StreetSign


@good("Ferry and car deck")
def twentythird_good_ferry() -> object:
    class Ferry(bt.Model, table="ferry"):
        """A ferry."""

        kind = bt.constant("F")
        ferry: str = bt.key(bt.Text(max_length=20), cardinality=300)

        f = bt.family("f", gc=bt.max_versions(1))
        tonnes: int = bt.column("t", f)
        flag: str = bt.column("flag", f, size=2)

    class CarDeck(bt.Model, table="ferry", events="10/s"):
        """What stands on a deck of a crossing."""

        kind = bt.constant("D")
        crossing: str = bt.key(bt.HexDigest(10), cardinality=4_000_000)
        place: int = bt.key(bt.PaddedInt(3), cardinality=600)

        f = bt.family("f", gc=bt.max_versions(1))
        plate: str = bt.column("plate", f, size=9)

        of_crossing = bt.query("crossing")

    return Ferry, CarDeck


@good("Stops counted")
def twentythird_good_stop_count() -> object:
    class StopCount(bt.Model, table="stop_count", events="8000/s"):
        """How many people went on at a stop in each hour."""

        stop: str = bt.key(bt.HexDigest(6), cardinality=60_000)

        n = bt.family("n", gc=bt.max_age(days=60), aggregate="sum")
        boarded: bt.History[int] = bt.counter("on", n, every="1h", increments="15/s")

        one = bt.query("stop")

    return StopCount


@good("Berth fees")
def twentythird_good_berth_fee() -> object:
    class BerthFee(bt.Model, table="berth_fee", events="5/s"):
        """A fee that a ship paid."""

        ship: str = bt.key(bt.HexDigest(10), cardinality=200_000)
        at: datetime = bt.key(bt.EpochMillis())

        b = bt.family("b", gc=bt.max_age(days=400))
        harbour: str = bt.column("harbour", b, size=5)
        cents: int = bt.column("cents", b)

        of_ship = bt.query("ship", between="at")

    class FeeOfDay(bt.Rollup, of=BerthFee, view="fee_of_day"):
        """What a ship paid on a day."""

        ship: str = bt.key(bt.HexDigest(10), cardinality=200_000)
        day: date = bt.key(bt.DateText(), of="at")

        cents: int = bt.sum_of("cents")

        of_ship = bt.query("ship", between="day")

    return BerthFee, FeeOfDay


@good("Restoration")
def twentythird_good_restoration() -> object:
    class Restoration(bt.Model, table="restoration", events="30/min"):
        """A painting that is restored."""

        job: str = bt.key(bt.HexDigest(12), cardinality=900_000)

        r = bt.family("r", gc=bt.max_versions(1))
        workshop: str = bt.column("workshop", r, codec=bt.AsInKey(bt.Text(max_length=20)), cardinality=700)
        painting: str = bt.column("painting", r, size=40, max_size=200)
        done: date | None = bt.column("done", r, default=None)

    class AtWorkshop(bt.Index, of=Restoration, view="restoration_at_workshop", where={"done": bt.absent()}):
        """What a workshop has not finished yet."""

        workshop: str = bt.key(bt.Text(max_length=20), cardinality=700)
        job: str = bt.covered()

        painting: str = bt.covered()

        of_workshop = bt.query("workshop")

    return Restoration, AtWorkshop


@good("Milk deliveries")
def twentythird_good_milk() -> object:
    class Delivery(bt.Model, table="milk_delivery", events="4/s"):
        """Milk that a dairy took in."""

        delivery: str = bt.key(bt.HexDigest(12), cardinality=300_000_000)

        d = bt.family("d", gc=bt.max_age(days=1000))
        farm: str = bt.column("farm", d, size=7)
        day: date = bt.column("day", d)
        litres: int = bt.column("l", d)

    class OfFarm(bt.Model, table="milk_of_farm", events="4/s"):
        """The deliveries of a farm."""

        farm: str = bt.key(bt.Text(width=7), cardinality=60_000)
        day: date = bt.key(bt.DateText())
        delivery: str = bt.key(bt.HexDigest(12), cardinality=300_000_000)

        d = bt.family("d", gc=bt.max_age(days=1000))
        litres: int = bt.column("l", d)

        of_farm = bt.query("farm", between="day")

    bt.twins(Delivery, OfFarm)
    return Delivery, OfFarm


@good("Weather masts")
def twentythird_good_mast() -> object:
    class MastGust(bt.Model, table="mast_gust", events="90/s"):
        """A sample of the wind at a mast; the one on the summit sends most of them."""

        mast: str = bt.key(bt.Text(width=4), cardinality=400, skew="70%:1")
        at: datetime = bt.key(bt.EpochMicros())

        g = bt.family("g", gc=bt.max_age(days=365))
        metres: float = bt.column("ms", g)

        of_mast = bt.query("mast", between="at")

    return MastGust


@good("Import of a gazetteer")
def twentythird_good_gazetteer() -> object:
    class Place(bt.Model, table="gazetteer", events="2000/s", timestamp=0):
        """A place of the gazetteer, imported again as a whole when a new edition comes; importing twice changes nothing."""

        place: str = bt.key(bt.HexDigest(10), cardinality=12_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        name: str = bt.column("name", p, size=30, max_size=300)
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)

        one = bt.query("place")

    return Place


@good("Held seats")
def twentythird_good_held_seat() -> object:
    class HeldSeat(bt.Model, table="held_seat", events="700/s"):
        """A seat of the opera that somebody has in the basket: it is free again after ten minutes."""

        performance: str = bt.key(bt.HexDigest(8), cardinality=40_000)
        seat: str = bt.key(bt.Text(max_length=6), cardinality=2_000)

        h = bt.family("h", gc=bt.max_age(minutes=10))
        basket: UUID = bt.column("basket", h)

        of_performance = bt.query("performance")

    return HeldSeat


@good("Lighthouses")
def twentythird_good_lighthouse() -> object:
    class Lighthouse(bt.Model, table="lighthouse", events="2/day"):
        """A lighthouse and its light."""

        lighthouse: str = bt.key(bt.Text(width=6), cardinality=1_400)

        f = bt.family("l", gc=bt.max_versions(1))
        signal: str = bt.column("signal", f, size=20)
        miles: int = bt.column("miles", f)

        one = bt.query("lighthouse")
        all = bt.query(where=["signal"], scan="the list of lights is printed once a night")

    return Lighthouse


@good("Tram vibration")
def twentythird_good_tram() -> object:
    class TramAxle(bt.Model, table="tram_axle", bucket="day", events="4000/s"):
        """How much an axle of a tram shakes."""

        axle: int = bt.key(bt.PaddedInt(6), cardinality=4_000)
        day: date = bt.key(bt.DateText())

        x = bt.family("x", gc=bt.max_age(days=90))
        shake: bt.History[float] = bt.history("g", x, every="1s")

        of_axle = bt.query("axle", between="day")

    return TramAxle


@good("Where a herd is")
def twentythird_good_collar() -> object:
    class Collar(bt.Model, table="collar", events="900/s"):
        """Where the collar of a reindeer was last; positions come over a satellite, out of order."""

        collar: int = bt.key(bt.PaddedInt(7), cardinality=250_000, sequential=False)
        seen: datetime = bt.timestamp()

        c = bt.family("c", gc=bt.max_versions(1))
        latitude: float = bt.column("lat", c)
        longitude: float = bt.column("lon", c)

        one = bt.query("collar")

    return Collar
