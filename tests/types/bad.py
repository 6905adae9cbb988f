"""User code that a type checker must refuse on each line that is marked, and nowhere else."""

from datetime import UTC, date, datetime
from decimal import Decimal

import btmodel as bt
from examples.games import DayScore, PlayerScore
from examples.generated.metrics_twins import MetricsTwins
from examples.generated.monthly_sales_repository import MonthlySalesKey, MonthlySalesRepository
from examples.generated.person_repository import PersonKey, PersonRepository
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteKey, QuoteRepository
from examples.generated.scores_twins import AsyncScoresTwins, ScoresTwins
from examples.generated.sensor_of_day_repository import AsyncSensorOfDayRepository, SensorOfDayRepository
from examples.generated.trade_repository import TradeKey
from examples.generated.weather_day_repository import WeatherDayRepository
from examples.market import Quote
from examples.metrics import Metrics

AT = datetime(2020, 1, 1, tzinfo=UTC)


class Reading(bt.Model, table="reading"):
    """A model with wrong annotations."""

    place: int = bt.key(bt.Text(width=3))  # wrong
    number: str = bt.key(bt.PaddedInt(3))  # wrong
    day: datetime = bt.key(bt.DateText())  # wrong
    other: str = bt.key(bt.Text(width=3), mirror=("r:O", bt.DecimalText()))  # wrong
    r = bt.family("r", gc=5)  # wrong
    size: str = bt.column("s", r, codec=bt.Int64())  # wrong
    count: int = bt.column("n", r, codec=bt.Int64(), default=None)  # wrong
    power: bt.History[str] = bt.history("p", r, codec=bt.Float64())  # wrong
    sizes: dict[str, str] = bt.column("z", r, codec=bt.Json(dict[str, int]))  # wrong
    moved: int = bt.column("m", r, codec=bt.Compressed(bt.Utf8()))  # wrong
    far: int = bt.column("f", "r", codec=bt.Int64())  # wrong


DEVICE = bt.table("device", change_stream=True)  # wrong
GONE = bt.colum("x")  # wrong


class Device(bt.Model, table=DEVICE):
    """A model with wrong annotations of what lies in many cells."""

    f = bt.family("f", gc=bt.keep_all())
    name: str = bt.key(bt.Text(max_length=3))
    part: int = bt.key(bt.PaddedInt(3), default=None)  # wrong
    power: bt.Slots[str] = bt.slots(f, every="1h", qualifier="%H", codec=bt.Int64())  # wrong
    hours: bt.Slots[int] = bt.slots(f, qualifier="%H", codec=bt.Int64())  # wrong
    alarms: bt.History[int] = bt.marks(f, bt.Text(max_length=3))  # wrong
    limits: dict[str, str] = bt.mapping(f, bt.Text(max_length=3), codec=bt.Int64())  # wrong
    levels: dict[int, int] = bt.mapping(f, bt.Text(max_length=3), codec=bt.Int64())  # wrong
    prices: dict[str, int] = bt.histories(f, bt.Text(max_length=3), codec=bt.Int64())  # wrong
    stock: dict[str, bt.Timed[str]] = bt.timed(f, bt.Text(max_length=3), codec=bt.Int64())  # wrong
    tags: set[int] = bt.members(f, bt.Text(max_length=3))  # wrong
    words: set[str] = bt.members(f, bt.Utf8())  # wrong
    total: int = bt.counter("n", f)  # wrong
    hourly: int | None = bt.counter("h", f, every="1h")  # wrong
    seen: datetime = bt.timestamp(default=None)  # wrong
    shard = bt.salt("name", buckets="12")  # wrong
    level: int = bt.column("l", f, default="high")  # wrong
    label: str = bt.column("a", f, codec=bt.Utf8(), default_factory=int)  # wrong
    part: str = bt.key(bt.Text(max_length=3), default=5)  # wrong
    stamp: datetime = bt.timestamp(default_factory=str)  # wrong


class Right(bt.Model, table="right"):
    """A model to be used wrongly."""

    f = bt.family("f", gc=bt.keep_all())
    g = bt.family("g", gc=bt.keep_all(), aggregate="sum")
    shard = bt.salt("name", buckets=2)
    name: str = bt.key(bt.Text(max_length=3))
    part: int | None = bt.key(bt.PaddedInt(3), default=None)
    tags: set[str] = bt.members(f, bt.Text(max_length=3))
    total: int | None = bt.counter("n", g)
    spans: bt.History[int] = bt.counter("s", g, every="1h")
    at: datetime = bt.timestamp()


Right(name="a", tags=set(), at=AT, total=5)  # wrong
Right(name="a", tags=set(), at=AT, spans={AT: 5})  # wrong
Right(name="a", tags=set())  # wrong
Right(name="a", at=AT, tags=None)  # wrong
Right(name="a", tags={5}, at=AT)  # wrong
Right(name="a", tags=set(), at="2020")  # wrong
Right(name="a", tags=set(), at=AT, part="1")  # wrong
Right(name="a", tags=set(), at=AT, shard=1)  # wrong
print(Right(name="a", tags=set(), at=AT).part + 1)  # wrong
Quote(exchange="NASDAQ", symbol="ZXZZT", quote_time="2020")  # wrong
Quote(exchange="NASDAQ", symbol="ZXZZT")  # wrong
Quote(exchange="NASDAQ", symbol="ZXZZT", quote_time=AT, bidd=None)  # wrong
Quote("NASDAQ", "ZXZZT", AT)  # wrong
Quote(exchange="NASDAQ", symbol="ZXZZT", quote_time=AT, bid=1.5)  # wrong
bt.Text(width="3")  # wrong
bt.Text(3)  # wrong
bt.max_age(weeks=1)  # wrong


def read(quotes: QuoteRepository) -> None:
    """Wrong arguments, and results used wrongly."""
    found = quotes.get("NASDAQ", "ZXZZT", AT)
    print(found.bid)  # wrong
    quotes.get("NASDAQ", AT)  # wrong
    quotes.get("NASDAQ", "ZXZZT", "2020")  # wrong
    quotes.by_symbol("NASDAQ")  # wrong
    quotes.by_symbol("NASDAQ", 5)  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT", AT, AT, 5)  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT", limit=5)  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").limit("5")  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT", closed="[[")  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").where(500)  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").times("2020", None)  # wrong
    next(quotes.by_symbol("NASDAQ", "ZXZZT"))  # wrong
    quotes.get("NASDAQ", "ZXZZT", AT, only=["bidd"])  # wrong
    quotes.get_many([("NASDAQ", "ZXZZT", AT)])  # wrong
    quotes.get_many([QuoteKey("NASDAQ", AT)])  # wrong
    quotes.clear(TradeKey("NASDAQ", "ZXZZT", AT), "bid")  # wrong
    for key in quotes.by_symbol("NASDAQ", "ZXZZT").keys():
        print(key.bid)  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT", date(2020, 1, 1))  # wrong
    quotes.put("a quote")  # wrong
    quotes.put_many([1, 2])  # wrong
    quotes.by_name("NASDAQ")  # wrong
    quotes.newest("NASDAQ", "ZXZZT")  # wrong
    quotes.newest(5, "NASDAQ")  # wrong
    quotes.delete_prefix()  # wrong
    quotes.delete_prefix("NASDAQ")  # wrong
    quotes.delete_prefix(exchange=None)  # wrong
    quotes.delete_prefix(exchange="NASDAQ", symbol=None)  # wrong
    quotes.delete_prefix(symbol="ZXZZT")  # wrong
    quotes.delete_prefix(exchange="NASDAQ", symbol="ZXZZT", quote_time=AT)  # wrong
    quotes.put_if(found, bid_size=5)  # wrong
    quotes.put_if(Quote(exchange="A", symbol="B", quote_time=AT), bid_size="5")  # wrong
    quotes.put_if(Quote(exchange="A", symbol="B", quote_time=AT), size=5)  # wrong
    quotes.clear(QuoteKey("NASDAQ", "ZXZZT", AT), "exchange")  # wrong
    quotes.increment(QuoteKey("NASDAQ", "ZXZZT", AT), "bid_size")  # wrong
    quotes.add(QuoteKey("NASDAQ", "ZXZZT", AT), bid=5)  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").after(("NASDAQ", "ZXZZT", AT))  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").only("bidd")  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").only(["bid"])  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").to_arrow(["bidd"])  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").to_pandas(columns="bid")  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").where(bid=bt.less_than("5"))  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").where(bid_size=bt.one_of(1, "5"))  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").where(bt.one_of(1, 5))  # wrong
    quotes.when(bid_size=bt.at_least(Decimal(5)))  # wrong
    quotes.when(size=bt.present())  # wrong
    quotes.when(bid_size=5) & True  # wrong
    edit = quotes.edit("NASDAQ", "ZXZZT", AT)
    quotes.edit("NASDAQ", AT)  # wrong
    edit.set(bid="5")  # wrong
    edit.set(exchange="NYSE")  # wrong
    edit.clear("exchange")  # wrong
    edit.clear_family("XY")  # wrong
    edit.add(bid=5)  # wrong
    edit.apply(when=True)  # wrong
    edit.apply(otherwise=edit)  # wrong
    edit.apply().bit_length()  # wrong
    quotes.update("NASDAQ", "ZXZZT", AT, bid=5.5)  # wrong
    quotes.update("NASDAQ", "ZXZZT", bid=None)  # wrong
    quotes.update_many([(QuoteKey("NASDAQ", "ZXZZT", AT), {"bidd": 5})])  # wrong
    quotes.apply_many(["NASDAQ"])  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").where(bid="5")  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").where(size=5)  # wrong
    quotes.by_symbol("NASDAQ", "ZXZZT").entries("bid", None, None)  # wrong
    for quote in quotes.by_symbol("NASDAQ", "ZXZZT"):
        print(quote.bid_size + "5")  # wrong
        print(quote.exchange + 5)  # wrong
        print(quote.price)  # wrong
        quote.symbol = 5  # wrong


def watch(days: WeatherDayRepository) -> None:
    """Events, asked for and given wrongly."""
    days.when(temperature=bt.at_least("9.5"))  # wrong
    days.when(temperature=9.5)  # wrong
    days.append("JFK", AT, 9.5)  # wrong
    days.append(station="JFK", at=AT, temperature="9.5")  # wrong
    days.append(station="JFK", temperature=9.5)  # wrong
    days.append(station="JFK", at=AT, rain=9.5)  # wrong
    days.events("JFK", AT)  # wrong
    days.newest_events("JFK")  # wrong
    days.newest_events(5, "JFK", AT)  # wrong
    days.newest_events(5, "JFK", start="2020")  # wrong
    days.newest_events(5).page(3)  # wrong
    next(days.events("JFK", AT, AT))  # wrong
    days.get("JFK", "2020-01-01")  # wrong
    for event in days.events("JFK", AT, AT):
        print(event.temperature + 1)  # wrong


def count(people: PersonRepository, sales: MonthlySalesRepository) -> None:
    """Columns edited wrongly."""
    people.remove(PersonKey("Jose"), friends=[5])  # wrong
    people.remove(PersonKey("Jose"), names=["Fred"])  # wrong
    sales.add(MonthlySalesKey("jo", date(2020, 1, 1)), cents="5")  # wrong
    sales.add(MonthlySalesKey("jo", date(2020, 1, 1)), rows=5)  # wrong
    sales.increment(MonthlySalesKey("jo", date(2020, 1, 1)), "cents")  # wrong
    sales.newest(5)  # wrong


def name_at_run_time(db: bt.Database, other: bt.AsyncDatabase) -> None:
    """Parameters that are missing, wrong, or none of the model."""
    SensorOfDayRepository(db)  # wrong
    SensorOfDayRepository(db, "20170726")  # wrong
    SensorOfDayRepository(db, day=date(2017, 7, 26))  # wrong
    SensorOfDayRepository(db, days="20170726")  # wrong
    SensorOfDayRepository(db, day="20170726", site="a")  # wrong
    SensorOfDayRepository(other, day="20170726")  # wrong
    AsyncSensorOfDayRepository(other)  # wrong
    AsyncSensorOfDayRepository(other, day=None)  # wrong
    QuoteRepository(db, day="20170726")  # wrong
    QuoteRepository(other)  # wrong
    QuoteRepository()  # wrong
    AsyncQuoteRepository(other, day="20170726")  # wrong


def write_together(db: bt.Database, score: PlayerScore, other: DayScore, metrics: Metrics) -> None:
    """Rows of the wrong model, and what twins do not have."""
    scores = ScoresTwins(db)
    scores.put(other)  # wrong
    scores.put_many(score)  # wrong
    scores.put_many([other])  # wrong
    scores.put_many([score], print)  # wrong
    scores.delete(other)  # wrong
    scores.delete_many([other])  # wrong
    scores.get(score)  # wrong
    ScoresTwins(db, day="20200101")  # wrong
    ScoresTwins()  # wrong
    ScoresTwins("local:dev.db")  # wrong
    AsyncScoresTwins(db)  # wrong
    MetricsTwins(db).delete(metrics)  # wrong


async def write_together_async(db: bt.AsyncDatabase, score: PlayerScore) -> None:
    """What is asynchronous must be awaited."""
    written: int = AsyncScoresTwins(db).put_many([score])  # wrong
    print(written)


async def read_async(quotes: AsyncQuoteRepository) -> None:
    """What is asynchronous must be awaited."""
    print(quotes.get("NASDAQ", "ZXZZT", AT).bid)  # wrong
    for _ in quotes.by_symbol("NASDAQ", "ZXZZT"):  # wrong
        pass
    deleted: int = quotes.delete_prefix(exchange="NASDAQ")  # wrong
    print(deleted)
