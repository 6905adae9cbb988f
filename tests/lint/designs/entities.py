"""Published designs of entities: users, orders, messages, feeds, queues, chains, graphs, pages."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad, good

import btmodel as bt


@good("HBase reference guide, case study of customers and orders: customer, order")
def orders_of_customers() -> object:
    class Order(bt.Model, table="orders", events="500/s"):
        customer: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)
        order: int = bt.key(bt.PaddedInt(10), sequential=True)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        of_customer = bt.query("customer", between="order")

    return Order


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: orders by their number",
    "KEY002",
    says=("ReversedDigits(10)",),
)
def orders_by_number() -> object:
    class Order(bt.Model, table="orders", events="2000/s"):
        order: int = bt.key(bt.PaddedInt(10), sequential=True)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        one = bt.query("order")

    return Order


@good("https://cloud.google.com/bigtable/docs/schema-design: the number backwards")
def orders_by_number_backwards() -> object:
    class Order(bt.Model, table="orders", events="2000/s"):
        order: int = bt.key(bt.ReversedDigits(10), sequential=True)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        one = bt.query("order")

    return Order


@bad("HBase reference guide, case study of customers and orders", "QRY001", says=("{customer}#{order}",))
def orders_then_customers() -> object:
    class Order(bt.Model, table="orders", events="500/s"):
        order: str = bt.key(bt.HexDigest(16), cardinality=10**9)
        customer: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        of_customer = bt.query("customer")

    return Order


@good("The DynamoDB Book: one table of customers and their orders")
def single_table() -> object:
    class Customer(bt.Model, table="shop", events="50/s"):
        customer: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)
        kind = bt.constant("PROFILE")

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        one = bt.query("customer", together=["Order"])

    class Order(bt.Model, table="shop", events="500/s"):
        customer: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)
        kind = bt.constant("ORDER")
        order: int = bt.key(bt.PaddedInt(10), sequential=True)

        g = bt.family("g", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", g)

        of_customer = bt.query("customer", between="order")

    return Customer, Order


class Status(StrEnum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"
    DONE = "done"


@bad(
    "The DynamoDB Book: an index of orders by status",
    "KEY003",
    asked=("KEY021",),
    never=("{status}#{order}",),
)
def orders_by_status() -> object:
    class Order(bt.Model, table="orders_by_status", events="50000/s"):
        status: Status = bt.key(bt.EnumText(Status), cardinality=4)
        at: datetime = bt.key(bt.EpochMillis())
        order: str = bt.key(bt.HexDigest(16), cardinality=10**9)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        of_status = bt.query("status", between="at")

    return Order


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: a value that changes, in the key",
    asked=("KEY021",),
)
def tickets_by_state() -> object:
    class Ticket(bt.Model, table="ticket", events="20/s"):
        team: str = bt.key(bt.Text(max_length=20), cardinality=300)
        status: Status = bt.key(bt.EnumText(Status), cardinality=4)
        ticket: str = bt.key(bt.HexDigest(8), cardinality=10**8)

        f = bt.family("f", gc=bt.max_versions(1))
        title: str = bt.column("t", f)

        of_team = bt.query("team", "status")

    return Ticket


@bad(
    "A scheduler by the time of the next run (discussions of timers on Cassandra and HBase)",
    "KEY001",
    asked=("KEY021",),
)
def jobs_by_next_run() -> object:
    class Job(bt.Model, table="job", events="2000/s"):
        next_run: datetime = bt.key(bt.EpochMillis())
        job: str = bt.key(bt.HexDigest(16), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        command: str = bt.column("c", f)

        due = bt.query(between="next_run")

    return Job


@good("A scheduler of shards, of which each worker reads one: each row is one run, and never moves")
def runs_by_shard() -> object:
    class Run(bt.Model, table="run", events="2000/s"):
        shard: int = bt.key(bt.PaddedInt(2), cardinality=16, sequential=False)
        due: datetime = bt.key(bt.EpochMillis())
        job: str = bt.key(bt.HexDigest(16), cardinality=10**7)

        f = bt.family("f", gc=bt.max_age(days=7))
        command: str = bt.column("c", f)

        due_now = bt.query("shard", between="due")

    return Run


@bad("Microservices Patterns, transactional outbox, on a store of ranges", "KEY001")
def outbox_by_time() -> object:
    class Message(bt.Model, table="outbox", events="2000/s"):
        at: datetime = bt.key(bt.EpochMicros())
        id: str = bt.key(bt.HexDigest(16), cardinality=10**9)

        f = bt.family("f", gc=bt.max_age(days=7))
        payload: str = bt.column("p", f, size=300)

        pending = bt.query(between="at")

    return Message


@good("Microservices Patterns, transactional outbox: partitions, each in order")
def outbox_of_partitions() -> object:
    class Message(bt.Model, table="outbox", events="20000/s", nodes=4):
        partition = bt.salt("aggregate", buckets=4)
        at: datetime = bt.key(bt.EpochMicros())
        aggregate: str = bt.key(bt.HexDigest(16), cardinality=10**9)

        f = bt.family("f", gc=bt.max_age(days=7))
        payload: str = bt.column("p", f, size=300)

        pending = bt.query(between="at")

    return Message


@good("HBase in Action, chapter 4: the stream of a user, newest first")
def twits() -> object:
    class Twit(bt.Model, table="twits", events="6000/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)
        at: datetime = bt.key(bt.ReversedMillis())

        f = bt.family("twits", gc=bt.keep_all())
        text: str = bt.column("t", f)

        newest = bt.query("user", between="at", newest=True)

    return Twit


@good("Designing Data-Intensive Applications, chapter 1: a home timeline, written when a tweet is")
def timelines() -> object:
    class Entry(bt.Model, table="timeline", events="300000/s"):
        follower: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)
        at: datetime = bt.key(bt.ReversedMillis())
        author: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)

        f = bt.family("f", gc=bt.max_age(days=30))
        tweet: int = bt.column("t", f)

        newest = bt.query("follower", between="at", newest=True)

    return Entry


@bad("Designing Data-Intensive Applications, chapter 1: one timeline of all, by day", "KEY001", "QRY001")
def timeline_of_all() -> object:
    class Entry(bt.Model, table="timeline", events="6000/s"):
        day: date = bt.key(bt.DateText())
        user: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)
        number: int = bt.key(bt.PaddedInt(6))

        f = bt.family("f", gc=bt.keep_all())
        text: str = bt.column("t", f)

        of_user = bt.query("user", between="day")

    return Entry


@good("HBase in Action, chapter 4: who follows whom, a row each")
def follows() -> object:
    class Follow(bt.Model, table="follows", events="900/s"):
        follower: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)
        followed: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        since: date = bt.column("s", f)

        of = bt.query("follower")
        one = bt.query("follower", "followed")

    return Follow


@good("Facebook Messages on HBase: the inbox of a user, newest first")
def inbox() -> object:
    class Mail(bt.Model, table="inbox", events="90000/s"):
        user: int = bt.key(bt.PaddedInt(12), cardinality=10**9, sequential=False)
        at: datetime = bt.key(bt.ReversedMicros())
        message: str = bt.key(bt.HexDigest(16), cardinality=10**12)

        f = bt.family("f", gc=bt.max_age(days=365))
        subject: str = bt.column("s", f)

        newest = bt.query("user", between="at", newest=True)

    return Mail


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: a reversed time that no query needs",
    asked=("KEY014",),
)
def statement_backwards() -> object:
    class Booking(bt.Model, table="booking", events="900/s"):
        account: str = bt.key(bt.HexDigest(16), cardinality=10**7)
        at: datetime = bt.key(bt.ReversedMillis())

        f = bt.family("f", gc=bt.keep_all())
        amount: Decimal = bt.column("a", f)

        of_month = bt.query("account", between="at")

    return Booking


@good("https://cloud.google.com/bigtable/docs/schema-design, finance: account, time backwards, transaction")
def statement() -> object:
    class Booking(bt.Model, table="booking", events="9000/s"):
        account: str = bt.key(bt.HexDigest(16), cardinality=10**7)
        at: datetime = bt.key(bt.ReversedMillis())
        booking: UUID = bt.key(bt.UuidText())

        f = bt.family("f", gc=bt.keep_all())
        amount: Decimal = bt.column("a", f)

        newest = bt.query("account", between="at", newest=True)

    return Booking


@bad(
    "Finance on wide-column stores: trades partitioned by the day", "KEY001", says=("{account}#{trade_date}",)
)
def trades_by_day() -> object:
    class Trade(bt.Model, table="trade", events="20000/s"):
        trade_date: date = bt.key(bt.DateText())
        account: str = bt.key(bt.HexDigest(8), cardinality=10**6)
        trade: str = bt.key(bt.HexDigest(16), cardinality=10**10)

        f = bt.family("f", gc=bt.keep_all())
        price: Decimal = bt.column("p", f)

        of_account = bt.query("trade_date", "account")

    return Trade


@bad(
    "Redis leaderboards moved over: the score in the key",
    asked=("KEY021",),
    says=("`best` needs it in a key: keep `{game}#{score}#{player}` as a second table",),
)
def leaderboard_by_score() -> object:
    class Entry(bt.Model, table="board", events="800/s"):
        game: str = bt.key(bt.Text(max_length=20), cardinality=400)
        score: int = bt.key(bt.Descending(bt.PaddedInt(9)))
        player: str = bt.key(bt.HexDigest(12), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        best = bt.query("game")

    return Entry


@good("https://cloud.google.com/bigtable/docs/schema-design, gaming: the games of a player")
def games_of_players() -> object:
    class Game(bt.Model, table="game", events="5000/s"):
        player: str = bt.key(bt.HexDigest(12), cardinality=10**7)
        at: datetime = bt.key(bt.ReversedSeconds())

        f = bt.family("f", gc=bt.max_age(days=365))
        won: bool = bt.column("w", f)

        newest = bt.query("player", between="at", newest=True)

    return Game


@good("https://cloud.google.com/bigtable/docs/schema-design, ad tech: the segments of a user")
def segments() -> object:
    class Segments(bt.Model, table="segments", events="40000/s"):
        user: UUID = bt.key(bt.UuidText(), cardinality=10**9)

        f = bt.family("s", gc=bt.max_age(days=90))
        segments: dict[str, float] = bt.mapping(f, bt.Text(max_length=20), entries=300)

        one = bt.query("user")

    return Segments


@good("Sessions of a website: a random id, and an age in the family")
def sessions() -> object:
    class Session(bt.Model, table="session", events="3000/s"):
        id: UUID = bt.key(bt.UuidText())

        f = bt.family("s", gc=bt.max_age(days=1))
        user: str = bt.column("u", f)

        one = bt.query("id")

    return Session


@good("OWASP, storage of session tokens: only the hash of a token is kept")
def sessions_by_hash() -> object:
    class Session(bt.Model, table="session", events="3000/s"):
        id = bt.digest("token")
        token: str | None = bt.key(bt.Text(max_length=80), stored=False, cardinality=10**7)

        f = bt.family("s", gc=bt.max_age(days=1))
        user: str = bt.column("u", f)

    return Session


@bad("https://cloud.google.com/bigtable/docs/schema-design: an e-mail address as key", "KEY010")
def users_by_email() -> object:
    class User(bt.Model, table="user", events="10/s"):
        email: str = bt.key(bt.Text(max_length=100), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        one = bt.query("email")

    return User


@bad("Call records on HBase, by telephone number", "KEY010")
def calls_by_msisdn() -> object:
    class Call(bt.Model, table="cdr", events="30000/s"):
        msisdn: str = bt.key(bt.Text(max_length=15), cardinality=10**8)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=180))
        seconds: int = bt.column("s", f)

        of_line = bt.query("msisdn", between="at")

    return Call
