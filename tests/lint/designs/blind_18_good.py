"""An eighteenth set of designs by people who had not read the rules: those that are as they should be."""

from datetime import date, datetime
from enum import StrEnum

from published import good

import btmodel as bt


@good("Deployments of a company")
def eighteenth_deployment() -> object:
    class Deployment(bt.Model, table="DEPLOYMENTS", events="3/min"):
        """A deployment of a service. The page of operations shows those of the last days, of all services, by time."""

        at: datetime = bt.key(bt.ReversedMillis())
        service: str = bt.key(bt.Text(max_length=40), cardinality=900)

        d = bt.family("d", gc=bt.max_age("730d"))
        version: str = bt.column("v", d, size=12, max_size=40)
        who: str = bt.column("w", d, size=8, max_size=20)

        lately = bt.query(between="at", span="3days")

    return Deployment


@good("Invoices of a telephone company")
def eighteenth_invoice() -> object:
    class Invoice(bt.Model, table="INVOICES", events="6000/s"):
        """An invoice. Numbers are given one after the other, as the law demands, so the key has their last digit first."""

        number: int = bt.key(bt.ReversedDigits(12), sequential=True, cardinality=5_000_000_000)

        i = bt.family("i", gc=bt.max_versions(1))
        customer: str = bt.column("c", i, size=10, max_size=10)
        cents: int = bt.column("a", i)
        day: date = bt.column("d", i)

        of_number = bt.query("number")

    return Invoice


@good("Bids in an auction of advertisements")
def eighteenth_bid() -> object:
    class Bid(bt.Model, table="BIDS", events="15000/s"):
        """A bid. A job exports the bids of each five minutes, of all advertisers; nobody asks for those of one."""

        shard = bt.salt("bid", buckets=16)
        at: datetime = bt.key(bt.EpochMillis())
        bid: str = bt.key(bt.HexDigest(16), cardinality=9_000_000_000)

        b = bt.family("b", gc=bt.max_age("7d"))
        advertiser: str = bt.column("a", b, size=8, max_size=8)
        micros: int = bt.column("m", b)

        during = bt.query(between="at", span="5min")

    return Bid


@good("Pages of old newspapers that a library has scanned")
def eighteenth_page() -> object:
    class Page(bt.Model, table="PAGES", events="4000/s"):
        """A page of a newspaper from 1800 to 1950. Several contractors send the pages, in the order in which they find the volumes in the cellar."""

        printed: date = bt.key(bt.DateText("%Y%m%d"), sequential=False, cardinality=55_000)
        paper: str = bt.key(bt.Text(width=6), cardinality=3_000)
        page: int = bt.key(bt.PaddedInt(3), sequential=False, cardinality=40)

        p = bt.family("p", gc=bt.max_versions(1))
        headline: str = bt.column("h", p, size=80, max_size=400)
        scan: str = bt.column("s", p, size=30, max_size=80)

        of_paper = bt.query("printed", "paper")
        of_day = bt.query("printed")

    return Page


@good("Routers of an internet provider")
def eighteenth_router() -> object:
    class Router(bt.Model, table="ROUTERS", events="5000/s"):
        """The load of a router, which it reports every ten seconds. Operations look at the last minutes only, and nobody at older values."""

        router: str = bt.key(bt.Text(width=12), cardinality=50_000)

        load = bt.family("l", gc=bt.max_versions(60))
        cpu: bt.History[float] = bt.history("cpu", load, every="10s")
        memory: bt.History[float] = bt.history("mem", load, every="10s")

        of_router = bt.query("router")

    return Router


@good("Exchange rates of currencies")
def eighteenth_rate() -> object:
    class Rate(bt.Model, table="RATES", events="40/min"):
        """The rates between two currencies. The newest is valid until there is another one, however old it is, and all of 90 days are kept."""

        pair: str = bt.key(bt.Text(width=6), cardinality=9_000)

        r = bt.family("r", gc=bt.max_versions(1) & bt.max_age("90d"))
        rate: bt.History[float] = bt.history("r", r, every="4h")

        of_pair = bt.query("pair")

    return Rate


@good("Earthquakes that stations have felt")
def eighteenth_station_year() -> object:
    class StationYear(bt.Model, table="QUAKES", bucket="year", events="6000/day"):
        """What a seismic station felt in a year: two or three quakes a day, kept for good."""

        station: str = bt.key(bt.Text(width=5), cardinality=2_500)
        year: date = bt.key(bt.DateText("%Y"))

        q = bt.family("q", gc=bt.keep_all())
        magnitude: bt.History[float] = bt.history("mag", q, every="10h")
        depth: bt.History[float] = bt.history("km", q, every="10h")

        of_station = bt.query("station", between="year", span="1095days")

    return StationYear


@good("Views of videos")
def eighteenth_views() -> object:
    class Views(bt.Model, table="VIEWS", events="50000/s"):
        """How often a video was seen in each hour of the last 60 days. The server adds the numbers, no program reads them to add."""

        video: str = bt.key(bt.HexDigest(11), cardinality=80_000_000)

        h = bt.family("h", gc=bt.max_age("60d"), aggregate="sum")
        hours: bt.History[int] = bt.counter("v", h, every="1h", increments="300/s")

        of_video = bt.query("video")

    return Views


@good("Seats of stadiums")
def eighteenth_match() -> object:
    class Match(bt.Model, table="SEATS", events="500/s", atomic="match"):
        """The sold seats of a match, at most 80,000. Seats side by side are sold at once, so all of a match are in one row."""

        match: str = bt.key(bt.HexDigest(8), cardinality=30_000)

        s = bt.family("s", gc=bt.max_versions(1))
        buyers: dict[str, str] = bt.mapping(s, bt.Text(width=6), entries=80_000, size=12, max_size=12)

        of_match = bt.query("match")

    return Match


@good("Sessions of a web mail")
def eighteenth_session() -> object:
    class Session(bt.Model, table="SESSIONS", events="900/s"):
        """Who is logged in. Requests bring the token, which is not stored anywhere; sessions are only ever looked up by it."""

        id = bt.digest("token")
        token: str | None = bt.key(bt.Text(max_length=64), stored=False, cardinality=40_000_000)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age("14d"))
        user: str = bt.column("u", s, size=10, max_size=20)
        began: datetime = bt.column("b", s)

        of_token = bt.query("token")

    return Session


@good("Finished games of a chess server")
def eighteenth_game() -> object:
    class Result(StrEnum):
        WHITE = "w"
        BLACK = "b"
        DRAW = "d"

    class Game(bt.Model, table="GAMES", events="300/s"):
        """A game, written once, when it has ended: its result stays what it is. People look through their wins, losses and draws."""

        player: str = bt.key(bt.Text(max_length=20), cardinality=15_000_000)
        result: Result = bt.key(bt.EnumText(Result), changes=False)
        ended: datetime = bt.key(bt.ReversedMillis())

        g = bt.family("g", gc=bt.keep_all())
        moves: str = bt.column("m", g, size=300, max_size=4_000)
        opponent: str = bt.column("o", g, size=10, max_size=20)

        of_result = bt.query("player", "result")
        of_player = bt.query("player")

    return Game


@good("Smoke detectors of buildings")
def eighteenth_signal() -> object:
    class Signal(bt.Model, table="SIGNALS", events="9000/s"):
        """A sign of life of a smoke detector. The region comes first, since each fire brigade exports those of its own region once a quarter."""

        region: str = bt.key(bt.Text(width=2), cardinality=12)
        detector: str = bt.key(bt.HexDigest(10), cardinality=3_000_000)
        at: datetime = bt.key(bt.EpochSeconds())

        s = bt.family("s", gc=bt.max_age("30d"))
        battery: int = bt.column("b", s)

        of_detector = bt.query("region", "detector", between="at", span="7days")
        of_region = bt.query("region")

    return Signal


@good("Buoys in the sea")
def eighteenth_measurement() -> object:
    class Measurement(bt.Model, table="MEASUREMENTS", events="20/s", lateness="2d"):
        """A measurement of a buoy, which may come two days late by satellite."""

        buoy: str = bt.key(bt.Text(width=6), cardinality=9_000)
        at: datetime = bt.key(bt.EpochSeconds())

        m = bt.family("m", gc=bt.max_age("365d"))
        celsius: float = bt.column("c", m)

        of_buoy = bt.query("buoy", between="at", span="7days")

    class Newest(bt.Model, table="NEWEST_MEASUREMENTS", events="20/s", lateness="2d"):
        """The newest measurement of a buoy, by the time at which it was made."""

        buoy: str = bt.key(bt.Text(width=6), cardinality=9_000)
        at: datetime = bt.timestamp()

        m = bt.family("m", gc=bt.max_versions(1))
        celsius: float = bt.column("c", m)

        of_buoy = bt.query("buoy")

    bt.twins(Measurement, Newest)

    return Measurement, Newest


@good("Transfers of loyalty points")
def eighteenth_transfer() -> object:
    class Transfer(bt.Model, table="TRANSFERS", events="400/s", atomic="transfer"):
        """A transfer of points between members, with the posting of each of them: one row, so that it is booked whole or not at all."""

        transfer: str = bt.key(bt.HexDigest(16), cardinality=3_000_000_000)

        t = bt.family("t", gc=bt.keep_all())
        at: datetime = bt.column("at", t)
        p = bt.family("p", gc=bt.keep_all())
        postings: dict[str, int] = bt.mapping(p, bt.Text(width=10), entries=4)

        of_transfer = bt.query("transfer")

    class Posting(bt.Model, table="POSTINGS", events="800/s"):
        """The postings of a member, the newest first: a copy for the statement, which is written after the transfer."""

        member: str = bt.key(bt.Text(width=10), cardinality=20_000_000)
        at: datetime = bt.key(bt.ReversedMillis())
        transfer: str = bt.key(bt.HexDigest(16))

        p = bt.family("p", gc=bt.keep_all())
        points: int = bt.column("n", p)

        of_member = bt.query("member")

    def postings_of(transfer: Transfer) -> list[Posting]:
        return [
            Posting(member=member, at=transfer.at, transfer=transfer.transfer, points=points)
            for member, points in sorted(transfer.postings.items())
        ]

    bt.twins(Transfer, (Posting, postings_of), owned=True)

    return Transfer, Posting


@good("Patients of clinics with their visits")
def eighteenth_patient() -> object:
    class Patient(bt.Model, table="CLINIC", events="5/s"):
        """A patient. The row lies in front of those of the patient's visits, so one range has all."""

        patient: str = bt.key(bt.HexDigest(12), cardinality=4_000_000)
        kind = bt.constant("a")

        p = bt.family("p", gc=bt.max_versions(1))
        allergies: str | None = bt.column("al", p, default=None, size=30, max_size=400)
        born: date = bt.column("b", p)

        of_patient = bt.query("patient", together=["Visit"])

    class Visit(bt.Model, table="CLINIC", events="40/s"):
        """A visit of a patient."""

        patient: str = bt.key(bt.HexDigest(12), cardinality=4_000_000)
        kind = bt.constant("v")
        day: date = bt.key(bt.DateText("%Y%m%d"))
        number: int = bt.key(bt.PaddedInt(2), cardinality=20)

        p = bt.family("p", gc=bt.max_versions(1))
        findings: str = bt.column("f", p, size=600, max_size=8_000)

        of_patient = bt.query("patient", between="day", span="365days")

    return Patient, Visit


@good("Addresses of the customers of a mail order company")
def eighteenth_address() -> object:
    class Address(bt.Model, table="ADDRESSES", events="30/s"):
        """An address of a customer, who has two of them and at most twenty. The program looks through them for those that are in a country."""

        customer: str = bt.key(bt.HexDigest(12), cardinality=25_000_000)
        number: int = bt.key(bt.PaddedInt(2), cardinality=20)

        a = bt.family("a", gc=bt.max_versions(1))
        country: str = bt.column("c", a, size=2, max_size=2, cardinality=120)
        lines: str = bt.column("l", a, size=60, max_size=300)

        of_customer = bt.query("customer", where=["country"])

    return Address


@good("Airports of the world")
def eighteenth_airport() -> object:
    class Airport(bt.Model, table="AIRPORTS", events="10/day"):
        """An airport. There are 9,000 of them, and each process reads all once, when it starts."""

        code: str = bt.key(bt.Text(width=4), cardinality=9_000)

        a = bt.family("a", gc=bt.max_versions(1))
        name: str = bt.column("n", a, size=25, max_size=100)
        zone: str = bt.column("z", a, size=15, max_size=40)

        everything = bt.query(scan="each process reads the 9,000 rows once, when it starts")
        of_code = bt.query("code")

    return Airport


@good("Water that households use")
def eighteenth_usage() -> object:
    class Usage(bt.Model, table="USAGE", events="1500/s"):
        """What a water meter has counted in an hour, for 400 days, so that a month of this year can be compared with that of last year."""

        meter: str = bt.key(bt.Text(width=12), cardinality=5_400_000)
        at: datetime = bt.key(bt.EpochSeconds())

        u = bt.family("u", gc=bt.max_age("400d"))
        litres: int = bt.column("l", u)

        of_meter = bt.query("meter", between="at", span="1day")

    class UsageOfDay(bt.Rollup, of=Usage, view="USAGE_OF_DAY"):
        """What a household used on a day."""

        meter: str = bt.key(bt.Text(width=12))
        day: date = bt.key(bt.DateText("%Y%m%d"), of="at")

        litres: int = bt.sum_of("litres")

        of_meter = bt.query("meter", between="day", span="31days")

    return Usage, UsageOfDay


@good("Certificates that were issued for domains")
def eighteenth_certificate() -> object:
    class Certificate(bt.Model, table="CERTIFICATES", events="100/s"):
        """A certificate for a host. Owners of a domain look for those of the domain and of all its subdomains."""

        host: str = bt.key(bt.ReversedDomain(120), cardinality=300_000_000)
        serial: str = bt.key(bt.HexDigest(32), cardinality=2_000_000_000)

        c = bt.family("c", gc=bt.max_age("800d"))
        issuer: str = bt.column("i", c, size=20, max_size=80)
        ends: datetime = bt.column("e", c)

        of_domain = bt.query(starting="host")

    return Certificate


@good("Rides of a taxi service")
def eighteenth_ride() -> object:
    class State(StrEnum):
        ORDERED = "o"
        RIDING = "r"
        DONE = "d"

    class Ride(bt.Model, table="RIDES", events="200/s"):
        """A ride, by its id. Its state changes, and stands in a column."""

        id: str = bt.key(bt.HexDigest(16), cardinality=1_000_000_000)

        r = bt.family("r", gc=bt.max_versions(1))
        driver: str = bt.column("driver", r, size=10, max_size=12)
        state: State = bt.column("state", r)
        ordered: datetime = bt.column("ordered", r)
        start: str = bt.column("start", r, size=30, max_size=120)

    class DoneRide(bt.Index, of=Ride, view="DONE_RIDES", where={"state": State.DONE}):
        """The rides that a driver has done, the newest first, for the statement of the driver."""

        driver: str = bt.key(bt.Text(max_length=12), cardinality=300_000)
        newest: datetime = bt.key(bt.ReversedMillis(), of="ordered")
        id: str = bt.covered()

        start: str = bt.covered()

        of_driver = bt.query("driver", between="newest", span="31days")

    return Ride, DoneRide


@good("Songs of a music library")
def eighteenth_song() -> object:
    class Song(bt.Model, table="SONGS", events="10/s"):
        """A song with its preview, which is up to four megabytes. Lists of songs read the names alone, which have a family of their own."""

        album: str = bt.key(bt.HexDigest(12), cardinality=5_000_000)
        track: int = bt.key(bt.PaddedInt(2), cardinality=99, sequential=False)

        n = bt.family("n", gc=bt.max_versions(1))
        name: str = bt.column("name", n, size=20, max_size=200)
        seconds: int = bt.column("sec", n)
        a = bt.family("a", gc=bt.max_versions(1))
        preview: bytes = bt.column("mp3", a, size=700_000, max_size=4_000_000)

        of_album = bt.query("album", only=["name", "seconds"])

    return Song


@good("Logs of a service that a few banks rent")
def eighteenth_log() -> object:
    class Log(bt.Model, table="LOG_{bank}", events="400/s"):
        """A line of the log of a bank. Our twelve banks each demand a table of their own, with the age that their contract says."""

        machine: str = bt.key(bt.Text(max_length=30), cardinality=500)
        at: datetime = bt.key(bt.EpochMicros())
        line: int = bt.key(bt.PaddedInt(3), cardinality=1_000, sequential=False)

        f = bt.family("f", gc=bt.max_age("{ttl}"))
        text: str = bt.column("t", f, size=120, max_size=4_000)

        of_machine = bt.query("machine", between="at", span="1h")

    return Log
