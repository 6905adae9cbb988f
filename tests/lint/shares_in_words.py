"""Models whose keys are spread if their values come evenly, with sentences that say they do not, and sentences that say nothing of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

import btmodel as bt


class Order(bt.Model, table="orders", events="60000/s"):
    """An order of a shop."""

    country: str = bt.key(bt.Text(width=2), cardinality=190)
    at: datetime = bt.key(bt.EpochMillis())
    order: UUID = bt.key(bt.UuidText())
    o = bt.family("o", gc=bt.max_age(days=730))
    cents: int = bt.column("c", o)
    payment: str = bt.column("p", o, max_size=10)
    of_country = bt.query("country", between="at")


class LogLine(bt.Model, table="log_lines", events="60000/s"):
    """A line of a log."""

    tenant_id: int = bt.key(bt.PaddedInt(6), cardinality=3_000, sequential=False)
    at: datetime = bt.key(bt.EpochMicros())
    host: str = bt.key(bt.Text(max_length=30))
    lo = bt.family("l", gc=bt.max_age(days=30))
    text: str = bt.column("t", lo, max_size=500)
    of_tenant = bt.query("tenant_id", between="at")


class Bid(bt.Model, table="bid", events="60000/s"):
    """A bid in an auction."""

    exchange: str = bt.key(bt.Text(max_length=12), cardinality=400)
    at: datetime = bt.key(bt.EpochMicros())
    bid: UUID = bt.key(bt.UuidText())
    b = bt.family("b", gc=bt.max_age(days=7))
    micros: int = bt.column("m", b)
    of_exchange = bt.query("exchange", between="at")


class View(bt.Model, table="page_views", events="50000/s"):
    """A view of a page of a newspaper."""

    site: str = bt.key(bt.Text(max_length=20), cardinality=250)
    at: datetime = bt.key(bt.EpochMillis())
    visit: UUID = bt.key(bt.UuidText())
    v = bt.family("v", gc=bt.max_age(days=90))
    page: str = bt.column("p", v, max_size=200)
    of_site = bt.query("site", between="at")


class Charge(bt.Model, table="charges", events="40000/s"):
    """A charge of a card."""

    merchant_id: int = bt.key(bt.PaddedInt(8), cardinality=900_000, sequential=False)
    at: datetime = bt.key(bt.EpochMicros())
    charge: UUID = bt.key(bt.UuidText())
    c = bt.family("c", gc=bt.max_age(days=3650))
    cents: int = bt.column("c", c)
    card_type: str = bt.column("t", c, max_size=10)
    of_merchant = bt.query("merchant_id", between="at")


class Tally(bt.Model, table="tally", events="30000/s"):
    """How many votes a candidate has."""

    candidate: str = bt.key(bt.Text(max_length=30), cardinality=30_000)
    t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
    votes: int | None = bt.counter("v", t)
    of_candidate = bt.query("candidate")


class Telemetry(bt.Model, table="telemetry", events="45000/s"):
    """What a plant's machines report."""

    plant: str = bt.key(bt.Text(width=4), cardinality=220)
    at: datetime = bt.key(bt.EpochMillis())
    machine: str = bt.key(bt.Text(width=8))
    t = bt.family("t", gc=bt.max_age(days=60))
    value: float = bt.column("v", t)
    of_plant = bt.query("plant", between="at")


# By the model whose description each is a sentence of.
UNEVEN: Mapping[type, Sequence[str]] = {
    Order: (
        "Germany alone is 60 % of the orders.",
        "Country mix: DE 55 %, FR 20 %, and the rest is small.",
        "Every second order is placed in one country.",
        "Two out of three orders come from one country.",
        "Sixty percent of orders are from one country.",
        "9 in 10 orders start in the same country.",
        "One country writes as much as all the others together.",
        "Countries differ a lot: the largest one has 60 % of the orders.",
        "Our home country places more than half of the orders.",
        "70 % of orders come from one country.",
        "70% of the orders are from a single country.",
        "About 70 percent of all orders come from one country.",
        "One country makes up 70 % of the traffic.",
        "One country has more than half of all orders.",
        "Half of the orders are those of one country.",
        "Two thirds of our orders come from the largest country.",
        "The biggest country sends 60 % of the rows.",
        "The top two countries account for 80 % of orders.",
        "80 % of all writes go to two countries.",
        "Three countries have 90 % of the orders.",
        "Nine out of ten orders are from one country.",
        "Most of the orders come from one country.",
        "The bulk of the traffic comes from a single country.",
        "Almost all orders are from one country.",
        "The majority of orders is placed in one country.",
        "Germany makes up about 70 % of our traffic.",
        "Two countries together produce 85 per cent of everything.",
        "Most orders come from one country.",
        "60 % of them come from one country.",
        "One of the countries sends most of them.",
        "A single country is responsible for 65 % of the volume.",
    ),
    LogLine: (
        "Half of the traffic is one tenant.",
        "One tenant is half of the traffic.",
        "One tenant writes 60 % of all lines.",
        "One of the tenants, a bank, sends most of them.",
        "Our largest tenant produces half of all log lines.",
        "60 % of the lines belong to one tenant.",
        "A single tenant causes three quarters of the load.",
        "The busiest tenant has 55 % of the volume.",
        "One tenant alone ships 70 % of the lines.",
        "More than half of what we store comes from one tenant.",
    ),
    Bid: (
        "Seventy percent of bids come from one exchange.",
        "One exchange sends as much as the rest.",
        "Bids are concentrated on two exchanges, which have 75 % of them.",
        "Traffic is dominated by one exchange (65 %).",
        "Every other bid arrives from the same exchange.",
        "One exchange sends half of the bids.",
        "Half the bids come from one exchange.",
        "The two biggest exchanges send 80 % of the bids.",
        "AdX has 60 % of the bids.",
        "Two exchanges make 75 % of all requests.",
    ),
    View: (
        "Half of all views are on one site.",
        "The biggest of the sites draws 60 % of the views.",
        "On most evenings, one site draws more than half of the traffic.",
        "The front site alone accounts for 70 % of all page views.",
        "Two sites share 80 % of the views between them.",
        "Our flagship site gets most of the traffic.",
        "65 % of traffic hits a single site.",
        "The three largest sites together see 90 % of views.",
        "Traffic is uneven: one site has 60 % of it.",
        "Of all views, 70 % are of one site.",
        "Some 75 % of page views are those of the largest site.",
    ),
    Charge: (
        "One merchant, a supermarket chain, takes 40 % of all charges.",
        "A quarter of the charges are made at one merchant.",
        "Around half the volume comes through a single merchant.",
        "The largest merchant is responsible for a third of the charges.",
        "Nearly half of charges belong to a single merchant.",
        "One merchant processes 45 percent of our charges.",
    ),
    Tally: (
        "Half of all votes go to one candidate.",
        "One candidate receives 60 % of the votes.",
        "The leading candidate collects most of the votes.",
    ),
    Telemetry: (
        "The plant in Linz sends 55 % of everything.",
        "One plant runs around the clock and produces 70 % of all rows.",
        "Linz sends 60 % of the rows.",
        "Two plants make up 75 % of the load.",
        "More than 60 % of the rows stem from one plant.",
        "90 % of the telemetry originates in one plant.",
    ),
}
HARMLESS: Mapping[type, Sequence[str]] = {
    Order: (
        "Every second order is paid by card.",
        "Two out of three orders are gifts.",
        "Sixty percent of orders are late.",
        "Discount mix: DE 5 %, FR 2 %.",
        "Country taxes: DE 19 %, FR 20 %.",
        "One country pays as much as all the others together.",
        "The average country places half of the orders in December.",
        "Countries differ a lot: the largest one has 60 shops.",
        "1 in 3 orders is for one person.",
        "Orders: 70 % Express.",
        "Orders are driven to one country by van (40 % of them at night).",
        "70 % of orders are paid by card.",
        "70 % of orders come from repeat customers.",
        "Half of the orders are shipped on the next day.",
        "One country has a tax of 20 %.",
        "A country may have 10 % of the orders at most.",
        "No country has more than 2 % of the orders.",
        "70 % of the revenue comes from one country.",
        "Most orders are small.",
        "Most countries have a shop.",
        "90 % of the reads ask for one country.",
        "Half of the countries are in Europe.",
        "One country in ten has no shop.",
        "The shop has 40 % of the market.",
        "Most of the orders of a country come at noon.",
        "In one country, half of the orders are returned.",
        "Orders are spread evenly over the countries.",
        "Once, one country had 90 % of the orders by mistake.",
        "Half a second passes until an order of one country is there.",
        "Half of the text is in the language of the country.",
    ),
    LogLine: (
        "Half of the tenants are schools.",
        "Most tenants have one host.",
        "One tenant reads 90 % of all lines at night.",
        "A tenant keeps 50 % of its lines.",
        "80 % of the lines are debug output.",
        "Half of the lines of a tenant come from one host.",
        "No tenant writes more than 1 % of the lines.",
        "Most of the lines are short.",
        "One tenant pays half of the bill.",
        "A tenant gets a warning at 80 % of its quota.",
        "The disk of one tenant was 90 % full.",
        "Each tenant has about the same share of the lines.",
        "Two thirds of the tenants are in one region.",
        "A tenant is deleted when half of its hosts are gone.",
        "Most lines are never read.",
        "One tenant deletes half of its lines.",
        "One tenant opens half of its lines.",
    ),
    Bid: (
        "One exchange rejects two thirds of bids.",
        "Seventy percent of bids come in late.",
        "One exchange costs as much as the rest.",
        "Well over half of the bids fall on Saturdays.",
        "Four of every five bids come from phones.",
        "Bids are checked on two exchanges, which lose 75 % of them.",
        "Traffic is encrypted by one exchange (100 %).",
        "Every other bid is too low.",
        "Of two bids, one exchange gets the better one.",
        "Half of the bids lose.",
        "One bid wins in 10 % of the auctions.",
        "An exchange takes 20 % of the price.",
        "Most bids are below one dollar.",
        "80 % of bids come within one millisecond.",
        "Most exchanges time out after half a second.",
        "Half of the exchanges use one protocol.",
        "One exchange closes at night.",
        "A bid is 50 % of the price on one exchange.",
        "One exchange has 400 bidders.",
    ),
    View: (
        "Half of the views last less than 10 seconds.",
        "70 % of the visitors use a phone.",
        "A site keeps 50 % of the income.",
        "Most sites have a few views a minute.",
        "60 % of the sites are local papers.",
        "One site shows 20 % of its pages to subscribers only.",
        "Most of the views of a site are of its front page.",
        "A page is half read when the reader leaves one site.",
        "Views are shared among the sites about evenly.",
        "No site gets more than 3 % of the views.",
        "The editor of one site reads most of the reports.",
        "At night, 90 % of the views are gone.",
        "30 % of the views are by robots.",
        "One percent of the views is kept as a sample.",
        "A site with 80 % fewer views is closed.",
    ),
    Charge: (
        "60 % of the charges are contactless.",
        "One merchant in three is a shop.",
        "Half of a charge may be paid back to one merchant.",
        "Most charges are below 50 euros.",
        "A merchant pays 2 % of each charge.",
        "70 % of charges are made by debit card.",
        "Most merchants have some charges a day.",
        "Half of the merchants are restaurants.",
        "A charge is 100 % insured.",
        "Two thirds of the merchants report once a day.",
    ),
    Tally: (
        "Half of the voters vote in the evening.",
        "A candidate wins with half of the votes.",
        "A candidate needs 50 % of the votes to win.",
        "60 % of the candidates get no vote.",
        "The count of one candidate is read by most of the pages.",
        "A vote counts half in the second round.",
    ),
    Telemetry: (
        "The machines run at 80 % of their power.",
        "Half of the machines of a plant are presses.",
        "One plant closes for half of the year.",
        "Each plant sends about 1 % of the rows.",
        "Most of the rows are the same as before.",
        "A plant has 40 % more machines than last year.",
        "95 % of the rows arrive within a second.",
        "One plant stores half of the spare parts.",
    ),
}
