"""Designs of earlier sets with other figures, names and words, on which the review was wrong."""

from datetime import date, datetime

from published import bad, good

import btmodel as bt


@bad(
    "Passengers of a bus within one second, who are all at the same stop",
    "KEY017",
    says=("such as an id", "`{bus}#{at}#{id}`"),
    never=("#{stop}",),
    verdict="warning",
)
def reworded_bus_doors() -> object:
    class Passage(bt.Model, table="passage", events="9000/s"):
        """A passenger who broke the light barrier at one of the four doors of a bus. Planners replay the trips of a bus."""

        bus: str = bt.key(bt.Text(width=6), cardinality=4_500)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        p = bt.family("p", gc=bt.max_age(days=30))
        door: int = bt.column("d", p)
        stop: str = bt.column("s", p, size=8, max_size=8, cardinality=30_000)

        of_bus = bt.query("bus", between="at", span="1day")

    return Passage


@bad(
    "Rejected bottles of a line within one second, each with its number",
    "KEY017",
    says=("make the column `bottle` a key field, to distinguish the events: `{line}#{at}#{bottle}`",),
    verdict="error",
)
def reworded_bottles() -> object:
    class Reject(bt.Model, table="reject", events="90/s"):
        """A rejected bottle of one of 24 lines, with the score of the inspector."""

        line: int = bt.key(bt.PaddedInt(3), cardinality=24, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        r = bt.family("r", gc=bt.max_age(days=365))
        bottle: int = bt.column("no", r)
        score: float = bt.column("s", r)

        of_line = bt.query("line", between="at", span="8h")

    return Reject


@bad(
    "Passengers of buses of depots: a bus is in one depot, so there are as many keys as buses",
    "KEY017",
    says=("`{depot}#{bus}#{at}#{id}`",),
    verdict="warning",
)
def reworded_buses_of_depots() -> object:
    class Passage(bt.Model, table="passage", events="9000/s"):
        """A passenger who broke the light barrier at one of the four doors of a bus."""

        depot: str = bt.key(bt.Text(width=4), cardinality=60)
        bus: str = bt.key(bt.Text(width=6), cardinality=4_500)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        p = bt.family("p", gc=bt.max_age(days=30))
        door: int = bt.column("d", p)

        of_bus = bt.query("depot", "bus", between="at", span="1day")

    return Passage


@good(
    "Switching positions of 25 bays of each of 4,000 substations, one a second: numbers begin anew in each substation"
)
def reworded_bays() -> object:
    class Position(bt.Model, table="position", events="100000/s"):
        """What a bay of a substation measures each second."""

        substation: str = bt.key(bt.Text(width=6), cardinality=4_000)
        bay: int = bt.key(bt.PaddedInt(2), cardinality=25)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        p = bt.family("p", gc=bt.max_age(days=30))
        volts: float = bt.column("v", p)

        of_bay = bt.query("substation", "bay", between="at", span="1h")

    return Position


@bad(
    "Months of a forklift, of which a query asks for a day: a bucket of a day is nearest",
    "ROW002",
    asked=("ROW006",),
    says=('`bucket="day"`',),
    never=('bucket="hour"',),
    verdict="error",
)
def reworded_forklift_day() -> object:
    class ForkliftMonth(bt.Model, table="forklift_month", bucket="month", events="3000/s", nodes=4):
        """A month of a forklift. Controllers send all six values once a second, day and night."""

        truck: str = bt.key(bt.HexDigest(8), cardinality=3_000)
        month: date = bt.key(bt.DateText("%Y%m01"))

        v = bt.family("v", gc=bt.max_age(days=400))
        volts: bt.History[float] = bt.history("u", v, every="1s")
        amperes: bt.History[float] = bt.history("i", v, every="1s")
        pressure: bt.History[float] = bt.history("p", v, every="1s")
        height: bt.History[float] = bt.history("h", v, every="1s")
        load: bt.History[float] = bt.history("m", v, every="1s")
        celsius: bt.History[float] = bt.history("t", v, every="1s")

        of_truck = bt.query("truck", between="month", span="1day")

    return ForkliftMonth


@bad(
    "Months of a forklift, of which a query asks for a month: a bucket of a day is nearest",
    "ROW002",
    says=('`bucket="day"`',),
    never=('bucket="hour"',),
    verdict="error",
)
def reworded_forklift_month() -> object:
    class ForkliftMonth(bt.Model, table="forklift_month", bucket="month", events="3000/s", nodes=4):
        """A month of a forklift. Controllers send all six values once a second, day and night."""

        truck: str = bt.key(bt.HexDigest(8), cardinality=3_000)
        month: date = bt.key(bt.DateText("%Y%m01"))

        v = bt.family("v", gc=bt.max_age(days=400))
        volts: bt.History[float] = bt.history("u", v, every="1s")
        amperes: bt.History[float] = bt.history("i", v, every="1s")
        pressure: bt.History[float] = bt.history("p", v, every="1s")
        height: bt.History[float] = bt.history("h", v, every="1s")
        load: bt.History[float] = bt.history("m", v, every="1s")
        celsius: bt.History[float] = bt.history("t", v, every="1s")

        of_truck = bt.query("truck", between="month", span="31days")

    return ForkliftMonth


@bad(
    "Consents of customers: the history of six years has one version",
    "FAM006",
    says=("bt.max_versions(1) & bt.max_age(days=2_370)",),
    verdict="warning",
)
def reworded_consents_kept() -> object:
    class Consent(bt.Model, table="consent"):
        """Whether a customer may be addressed. Customers change their minds about twice a year. Kept for six years."""

        customer: str = bt.key(bt.HexDigest(16), cardinality=20_000_000, pii=False)

        c = bt.family("c", gc=bt.max_versions(1))
        given: bt.History[bool] = bt.history("ok", c, every="180days")

        of_customer = bt.query("customer")

    return Consent


@bad(
    "Consents of customers: an age deletes those that are in force",
    "FAM010",
    says=("bt.max_versions(1) & bt.max_age(days=2_190)",),
    verdict="warning",
)
def reworded_consents_in_force() -> object:
    class Consent(bt.Model, table="consent"):
        """Whether a customer may be addressed. Customers change their minds about twice a year. The present answer holds however old it is."""

        customer: str = bt.key(bt.HexDigest(16), cardinality=20_000_000, pii=False)

        c = bt.family("c", gc=bt.max_age(days=2_190))
        given: bt.History[bool] = bt.history("ok", c, every="180days")

        of_customer = bt.query("customer")

    return Consent


@bad(
    "The broken ones among two million pallets of a depot, picked by a bool",
    "QRY005",
    says=("write a second table",),
    never=("part of the key",),
    verdict="warning",
)
def reworded_broken_pallets() -> object:
    class Pallet(bt.Model, table="pallet", events="900/s"):
        """A pallet and the depot that keeps it. The foreman of a depot opens the list of broken ones many times a day."""

        depot: str = bt.key(bt.Text(width=4), cardinality=30)
        pallet: str = bt.key(bt.HexDigest(12), cardinality=60_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        broken_now: bool = bt.column("cond", p)
        trips: int = bt.column("n", p)

        broken = bt.query("depot", where=["broken_now"])

    return Pallet


@good("The same among 20,000 pallets: half of them are read in a moment")
def reworded_few_pallets() -> object:
    class Pallet(bt.Model, table="pallet", events="9/s"):
        """A pallet and the depot that keeps it. The foreman of a depot opens the list of broken ones many times a day."""

        depot: str = bt.key(bt.Text(width=4), cardinality=30)
        pallet: str = bt.key(bt.HexDigest(12), cardinality=600_000)

        p = bt.family("p", gc=bt.max_versions(1))
        broken_now: bool = bt.column("cond", p)
        trips: int = bt.column("n", p)

        broken = bt.query("depot", where=["broken_now"])

    return Pallet


@bad(
    "Pieces of a costume, which is lent as a whole, as only the description says",
    "ROW004",
    says=("one row for each `theatre`, `costume`",),
    verdict="warning",
)
def reworded_costumes() -> object:
    class Piece(bt.Model, table="piece", events="2/s"):
        """A piece of a costume, such as the left shoe. A costume is lent as a whole: all of its pieces change hands in the
        same moment, or none does."""

        theatre: str = bt.key(bt.Text(width=5), cardinality=700)
        costume: str = bt.key(bt.HexDigest(10), cardinality=900_000)
        piece: int = bt.key(bt.PaddedInt(2), cardinality=12)

        p = bt.family("p", gc=bt.max_versions(1))
        holder: str | None = bt.column("h", p, default=None, size=5, max_size=5, cardinality=700)

        of_costume = bt.query("theatre", "costume")

    return Piece


@good("The same of pieces that are lent one by one")
def reworded_pieces() -> object:
    class Piece(bt.Model, table="piece", events="2/s"):
        """A piece of a costume, such as the left shoe. All of them are listed, also those that none has."""

        theatre: str = bt.key(bt.Text(width=5), cardinality=700)
        costume: str = bt.key(bt.HexDigest(10), cardinality=900_000)
        piece: int = bt.key(bt.PaddedInt(2), cardinality=12)

        p = bt.family("p", gc=bt.max_versions(1))
        holder: str | None = bt.column("h", p, default=None, size=5, max_size=5, cardinality=700)

        of_costume = bt.query("theatre", "costume")

    return Piece


@bad(
    "A plot and its soil, of one form and one page, in two tables",
    "ROW007",
    says=("declare `acid` in Plot",),
    verdict="warning",
)
def reworded_plots() -> object:
    class Plot(bt.Model, table="plot", events="1000/day"):
        """A plot of an estate. The plot page shows both the plot and its soil."""

        estate: str = bt.key(bt.Text(width=6), cardinality=8_000)
        plot: str = bt.key(bt.Text(width=4), cardinality=2_000)

        p = bt.family("p", gc=bt.max_versions(1))
        grape: str = bt.column("g", p, size=12, max_size=40, cardinality=300)

        of_plot = bt.query("estate", "plot")

    class PlotSoil(bt.Model, table="plot_soil", events="1000/day"):
        """The soil of a plot."""

        estate: str = bt.key(bt.Text(width=6), cardinality=8_000)
        plot: str = bt.key(bt.Text(width=4), cardinality=2_000)

        s = bt.family("s", gc=bt.max_versions(1))
        acid: float = bt.column("ph", s)

        of_plot = bt.query("estate", "plot")

    return Plot, PlotSoil


@good("A plot, and its soil, which is measured apart from it")
def reworded_measured_plots() -> object:
    class Plot(bt.Model, table="plot", events="1000/day"):
        """A plot of an estate. The plot page shows the grapes; the soil is of a laboratory."""

        estate: str = bt.key(bt.Text(width=6), cardinality=8_000)
        plot: str = bt.key(bt.Text(width=4), cardinality=2_000)

        p = bt.family("p", gc=bt.max_versions(1))
        grape: str = bt.column("g", p, size=12, max_size=40, cardinality=300)

        of_plot = bt.query("estate", "plot")

    class PlotSoil(bt.Model, table="plot_soil", events="1000/day"):
        """The soil of a plot."""

        estate: str = bt.key(bt.Text(width=6), cardinality=8_000)
        plot: str = bt.key(bt.Text(width=4), cardinality=2_000)

        s = bt.family("s", gc=bt.max_versions(1))
        acid: float = bt.column("ph", s)

        of_plot = bt.query("estate", "plot")

    return Plot, PlotSoil
