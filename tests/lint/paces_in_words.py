"""Models whose declared rates are low, with sentences by which they are far too low, and sentences that say nothing of it."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

import btmodel as bt


class Meter(bt.Model, table="meter", events="11/s"):
    """A value of a meter."""

    meter: int = bt.key(bt.PaddedInt(8), cardinality=2_000_000, sequential=False)
    at: datetime = bt.key(bt.EpochMillis())
    m = bt.family("m", gc=bt.max_age(days=90))
    watts: int = bt.column("w", m)
    of_meter = bt.query("meter", between="at")


class Bus(bt.Model, table="bus", events="1/s"):
    """Where a bus is."""

    bus: str = bt.key(bt.Text(width=6), cardinality=30_000)
    at: datetime = bt.key(bt.EpochMillis())
    b = bt.family("b", gc=bt.max_age(days=30))
    latitude: float = bt.column("la", b)
    of_bus = bt.query("bus", between="at")


class Probe(bt.Model, table="probe", events="2/s"):
    """What a probe in a field measures."""

    farm: int = bt.key(bt.PaddedInt(5), cardinality=9_000, sequential=False)
    probe_id: int = bt.key(bt.PaddedInt(6), cardinality=300_000, sequential=False)
    at: datetime = bt.key(bt.EpochMillis())
    p = bt.family("p", gc=bt.max_age(days=300))
    humidity: float = bt.column("h", p)
    of_probe = bt.query("farm", "probe_id", between="at")


class Turbine(bt.Model, table="turbine", events="3/s"):
    """A day of a wind turbine."""

    turbine: str = bt.key(bt.Text(width=8), cardinality=40_000)
    day: date = bt.key(bt.DateText())
    t = bt.family("t", gc=bt.max_age(days=400))
    power: bt.History[float] = bt.history("p", t)
    of_turbine = bt.query("turbine", between="day")


class Freezer(bt.Model, table="freezer", events="1/s"):
    """The temperature of a freezer of a shop."""

    shop: int = bt.key(bt.PaddedInt(5), cardinality=7_000, sequential=False)
    freezer: int = bt.key(bt.PaddedInt(6), cardinality=90_000, sequential=False)
    f = bt.family("f", gc=bt.max_versions(1))
    celsius: float = bt.column("c", f)
    of_shop = bt.query("shop")


class Quote(bt.Model, table="quote", events="5/s"):
    """The price of a share."""

    symbol: str = bt.key(bt.Text(width=6), cardinality=60_000)
    at: datetime = bt.key(bt.EpochMillis())
    q = bt.family("q", gc=bt.max_age(days=30))
    cents: int = bt.column("c", q)
    of_symbol = bt.query("symbol", between="at")


# By the model whose description each is a sentence of.
TOO_LOW: Mapping[type, Sequence[str]] = {
    Meter: (
        "Each meter sends a value every 15 minutes.",
        "A meter reports every minute.",
        "All meters report once an hour.",
        "Meters send one value every 30 minutes.",
        "The meter transmits its value once a minute.",
        "Each of the meters gives a value every five minutes.",
    ),
    Bus: (
        "A bus reports its place every 10 seconds.",
        "Each bus sends its position once a minute.",
        "The bus tells where it is every thirty seconds.",
        "Every bus writes one row each minute.",
    ),
    Probe: (
        "A probe measures once a minute.",
        "Each probe sends its humidity every 10 minutes.",
        "Probes report every five minutes.",
        "Every probe writes a row each minute.",
    ),
    Turbine: (
        "Every turbine delivers its power every second.",
        "A turbine sends one value a second.",
        "The controller of each turbine reports once a minute.",
        "Turbines report their power each minute.",
        "A turbine measures its power once every ten seconds.",
        "Each turbine is sampled every 30 seconds.",
    ),
    Freezer: (
        "Each freezer reports its temperature once a minute.",
        "A freezer sends its state every 20 seconds.",
        "Freezers are measured every minute.",
        "A value comes from each freezer every minute.",
    ),
    Quote: (
        "Each symbol is written once a second.",
        "Every symbol gets a price every second.",
        "The feed writes each symbol every second.",
    ),
}
HARMLESS: Mapping[type, Sequence[str]] = {
    Meter: (
        "A meter reports once a month.",
        "Each meter sends a value when it changes, at most every minute.",
        "A fitter looks at each meter every ten years.",
        "The app reads a meter every minute.",
        "A meter is exchanged every eight years.",
        "While it is tested, a meter sends a value every second.",
        "Some meters report every minute.",
        "The station asks for the values every 10 seconds.",
        "A meter reports twice a day.",
        "The meter of a factory may report every second.",
        "Tariffs change every 15 minutes.",
        "Each meter sends a value every two days.",
    ),
    Bus: (
        "A bus leaves every 10 minutes.",
        "Each bus sends some ten messages a second.",
        "A bus is cleaned every night.",
        "The board shows each bus, and is drawn every 10 seconds.",
        "A bus reports every 100 milliseconds.",
        "Buses are washed each week.",
        "A bus sends its position every second and its doors, brakes and engine a hundred times as often.",
    ),
    Probe: (
        "A probe measures every day.",
        "The farmer reads each probe once an hour.",
        "A probe measures once a minute if it is wet.",
        "Only the probes of the university report every minute.",
        "The battery of a probe is charged every week.",
        "A probe reports every second day.",
        "Probes are read by a car that comes once a month.",
    ),
    Turbine: (
        "A turbine turns once every four seconds.",
        "A crew visits each turbine every year.",
        "A turbine reports a fault within a second.",
        "In a storm, a turbine reports every second.",
        "The map asks each turbine's row every minute.",
        "A turbine is built every second day.",
        "Each turbine sends a report every month.",
    ),
    Freezer: (
        "A freezer is emptied every week.",
        "The shop reads each freezer every minute.",
        "A freezer that is open reports every second.",
        "A freezer reports when its door opens, and else every three days.",
        "Each shop sends a list every minute.",
        "The screen of a shop is drawn every 10 seconds.",
    ),
    Quote: (
        "A symbol is traded when somebody buys it.",
        "Prices of a symbol are read every second.",
        "Each symbol reports its earnings every quarter.",
        "The board shows each symbol every ten seconds.",
        "A few symbols get a price every second.",
    ),
}
