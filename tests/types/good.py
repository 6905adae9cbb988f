"""User code that a type checker must accept."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import btmodel as bt
from btmodel.repository import OwnedTwinRepository, Page, TwinRepository
from examples.games import SCORES, PlayerScore
from examples.generated.quote_repository import (
    AsyncQuoteRepository,
    AsyncQuoteRows,
    QuoteEdit,
    QuoteKey,
    QuoteRepository,
    QuoteRows,
)
from examples.generated.scores_twins import AsyncScoresTwins, ScoresTwins
from examples.generated.sensor_of_day_repository import AsyncSensorOfDayRepository, SensorOfDayRepository
from examples.generated.weather_day_repository import WeatherDayEvent, WeatherDayRepository
from examples.market import Quote
from examples.weather import WeatherDay

AT = datetime(2020, 1, 1, tzinfo=UTC)


class Kept(
    bt.Model, table=bt.table("kept", deletion_protection=True, change_stream="3d", tiered_storage=False)
):
    """A model whose table has settings."""

    name: str = bt.key(bt.Text(max_length=8), cardinality=40)
    k = bt.family("k", gc=bt.keep_all(), renamed_from="j")
    note: str | None = bt.column("note", k, default=None)


class Reading(bt.Model, table="reading", bucket="day", events="4/h", allow={"KEY003": "a reason"}):
    """A model with every kind of declaration."""

    kind: str = bt.constant("reading")
    place: str = bt.key(bt.Text(max_length=8), cardinality=40, mirror="r:PLACE")
    meter: int = bt.key(bt.PaddedInt(10), mirror=("r:ID", bt.DecimalText()))
    day: date = bt.key(bt.DateText())

    r = bt.family("r", gc=bt.max_versions(24) | bt.max_age(days=7))
    note: str | None = bt.column("note", r, default=None)
    count: int = bt.column(b"n", r, codec=bt.DecimalText())
    price: Decimal | None = bt.column("p", r, codec=bt.DecimalNumber(), default=None)
    sizes: dict[str, int] = bt.column("sizes", r, codec=bt.Json(dict[str, int]))
    mark: bool | None = bt.column("mark", r, codec=bt.Present(), default=None)
    text: str = bt.column("text", r, codec=bt.Compressed(bt.Utf8(), "lzma"))
    moved: int = bt.column("moved", r, codec=bt.Either(bt.Int64(), bt.DecimalText()))
    padded: int = bt.column("padded", r, codec=bt.AsInKey(bt.PaddedInt(10)))
    power: bt.History[float] = bt.history("power", r)

    of_meter = bt.query("place", "meter", between="day")


class Device(bt.Model, table="device", bucket="day"):
    """A model whose attributes lie in many cells, in timestamps, or follow from others."""

    f = bt.family("f", gc=bt.keep_all())
    g = bt.family("g", gc=bt.keep_all(), aggregate="sum")
    shard = bt.salt("name", buckets=12)
    name: str = bt.key(bt.Text(max_length=8), cardinality=40)
    day: date = bt.key(bt.DateText())
    power: bt.Slots[float] = bt.slots(f, every="15min", qualifier="%H%M", codec=bt.Float64(), prefix="p")
    alarms: bt.History[str] = bt.marks(f, bt.Text(max_length=8), prefix="a:")
    limits: dict[str, int] = bt.mapping(f, bt.Text(max_length=8), codec=bt.Int64(), prefix="l:")
    levels: dict[int, str] = bt.mapping(f, bt.PaddedInt(2), prefix="v:")
    tags: set[str] = bt.members(f, bt.Text(max_length=8), prefix="t:")
    prices: dict[str, bt.History[int]] = bt.histories(f, bt.Text(max_length=8), codec=bt.Int64(), prefix="r:")
    stock: dict[str, bt.Timed[int]] = bt.timed(f, bt.Text(max_length=8), prefix="s:")
    total: int | None = bt.counter("n", g)
    hours: bt.History[int] = bt.counter("h", g, every="1h", increments="5/min")
    likes: dict[str, int] = bt.counters(g, bt.Text(max_length=8), prefix="l:", entries=9)
    seen: datetime | None = bt.timestamp(default=None)

    of_name = bt.query("name", between="day")


class Leaf(bt.Model, table="leaf"):
    """A model with a key that may end early, and a time of its own."""

    digest = bt.digest("url", size=8)
    site: str = bt.key(bt.Text(max_length=8), cardinality=40)
    part: int | None = bt.key(bt.PaddedInt(3), default=None)
    f = bt.family("f", gc=bt.max_versions(1))
    url: str = bt.column("u", f)
    at: datetime = bt.timestamp()

    of_site = bt.query("url", starting="site")


device = Device(
    name="a",
    day=AT.date(),
    power=bt.Slots({AT: 9.5}),
    alarms=bt.History({AT: "hot"}),
    limits={"max": 9},
    levels={1: "low"},
    prices={"tea": bt.History({AT: 5})},
    stock={"tea": bt.Timed(5, AT)},
    tags={"new"},
)
hot: float = device.power[AT] + device.power[AT.time()]
alarm: str | None = device.alarms.newest
limit: int = device.limits["max"]
counted: int | None = device.total
price: int | None = device.prices["tea"].newest
stocked: datetime = device.stock["tea"].time
stock: int = device.stock["tea"].value
summed: int = device.hours.total
seen: datetime | None = Device(
    name="a",
    day=AT.date(),
    power=bt.Slots({}),
    alarms=bt.History({}),
    limits={},
    levels={},
    prices={},
    stock={},
    tags=set(),
    seen=AT,
).seen
leaf: Leaf = Leaf(site="a", url="b", at=AT)
part: int | None = Leaf(site="a", part=5, url="b", at=AT).part
reading = Reading(
    place="a",
    meter=1,
    day=AT.date(),
    count=5,
    sizes={},
    text="",
    moved=1,
    padded=1,
    power=bt.History({AT: 9.5}),
)
total: int = reading.count + 1
newest: float | None = reading.power.newest
key: bytes = bt.key_of(reading)
explained: str = Reading.of_meter.explain(place="a", meter=1, day=(AT.date(), None))
quote = Quote(exchange="NASDAQ", symbol="ZXZZT", quote_time=AT, bid=Decimal("600.55"))
bid: Decimal | None = quote.bid


def read(quotes: QuoteRepository) -> Decimal | None:
    """Point reads, ranges and writes."""
    found = quotes.get("NASDAQ", "ZXZZT", AT)
    rows: QuoteRows = quotes.by_symbol("NASDAQ", "ZXZZT", AT, None, closed="[]").limit(5)
    keys: list[QuoteKey] = list(rows.keys())
    turned: QuoteRows = quotes.by_symbol("NASDAQ", "ZXZZT").backwards()
    last: Quote | None = turned.only("bid").where(bid_size=500).times(AT, None).first()
    page: Page[Quote] = rows.page(20, None)
    follows: str | None = quotes.newest(100, "NASDAQ", "ZXZZT").page(20, page.next).next
    errors: list[Exception] = []
    count: int = rows.matching("NASDAQ.*").on_error(errors.append).count() + rows.delete(progress=print)
    some: list[Quote | None] = quotes.get_many([QuoteKey("NASDAQ", "ZXZZT", AT), *keys])
    there: bool = quotes.exists("NASDAQ", "ZXZZT", AT) or quotes.put_if_absent(quote)
    there = quotes.put_if(quote, bid_size=500) or bool(last and follows and count and some)
    found = quotes.get("NASDAQ", "ZXZZT", AT, only=["bid", "ask"]) if there else found
    there = quotes.put_if(quote, bid=None) and there
    late: bt.Comparison[Decimal] = bt.less_than(Decimal(5))
    condition: bt.Condition = quotes.when(bt.present(), bid=late, ask=bt.one_of(Decimal(1), Decimal(2)))
    condition = condition & ~quotes.when(bid_size=bt.between(1, 5, "[]")) | quotes.when(
        ask=None, bid=bt.absent()
    )
    there = quotes.put_if(quote, condition, bid=bt.older_than(timedelta(hours=1))) and there
    edit: QuoteEdit = quotes.edit("NASDAQ", "ZXZZT", AT).set(bid=Decimal(1), ask=None).clear("bid_size")
    there = edit.apply(when=condition, otherwise=edit.delete().set(ask_size=5)) and there
    edit.clear_family("MD").clear("bid", start=AT).apply(begin=False)
    quotes.update("NASDAQ", "ZXZZT", AT, bid=Decimal(1), begin=True)
    count += quotes.update_many([(QuoteKey("NASDAQ", "ZXZZT", AT), {"bid": None, "bid_size": 5})])
    count += quotes.apply_many([edit, edit.set(bid_size=6)], progress=print)
    rows = rows.after(QuoteKey("NASDAQ", "ZXZZT", AT)).limit(20)
    rows = rows.where(condition, bid=None).where(bid_size=bt.more_than(5))
    count += len(rows.to_polars()) + len(rows.to_pandas(["quote_time", "bid"]))
    newest: list[Quote] = list(quotes.newest(3, "NASDAQ", "ZXZZT").only("bid"))
    count += quotes.delete_prefix(exchange="NASDAQ") + len(newest)
    count += quotes.delete_prefix(exchange="NASDAQ", symbol="ZXZZT", progress=print, on_error=errors.append)
    quotes.replace(quote)
    quotes.replace_many(page.rows)
    quotes.delete_many(keys)
    quotes.clear(keys[0], "bid")
    quotes.put(quote)
    written: int = quotes.put_many(rows)
    quotes.delete(exchange="NASDAQ", symbol="ZXZZT", quote_time=AT)
    return found.bid if found and written else None


def watch(days: WeatherDayRepository) -> list[float]:
    """Events in buckets."""
    days.append(station="JFK", at=AT, temperature=9.5)
    days.append_many([WeatherDayEvent(station="JFK", at=AT)])
    day: WeatherDay | None = days.get("JFK", AT.date())
    events = [event.temperature for event in days.events("JFK", AT, AT) if event.temperature is not None]
    since: list[datetime] = [event.at for event in days.newest_events(len(events), "JFK", start=AT, end=None)]
    return events + list(day.temperature.values() if day and since else [])


def name_at_run_time(db: bt.Database, other: bt.AsyncDatabase) -> None:
    """Tables whose names are completed by parameters."""
    day: str = "20170726"
    SensorOfDayRepository(db, day=day).put_many([])
    AsyncSensorOfDayRepository(other, day=day).of_all()
    QuoteRepository(db)
    AsyncQuoteRepository(other)


def write_together(db: bt.Database, rows: list[PlayerScore]) -> int:
    """Rows and their twins."""
    scores = ScoresTwins(db)
    scores.put(rows[0])
    scores.delete(rows[0])
    by_hand: TwinRepository[PlayerScore] = TwinRepository(db, SCORES)
    count: int = scores.put_many(rows, progress=print) + by_hand.put_many(iter(rows))
    owned: OwnedTwinRepository[PlayerScore] = OwnedTwinRepository(db, SCORES)
    owned.replace(rows[0])
    owned.delete(rows[0])
    there: bool = owned.delete_key(game="a", player="b", day=date(2020, 1, 1))
    count += owned.delete_many(rows, progress=print) + there
    return count + scores.delete_many(rows)


async def write_together_async(db: bt.AsyncDatabase, rows: list[PlayerScore]) -> int:
    """The same, asynchronous."""
    scores = AsyncScoresTwins(db)
    await scores.put(rows[0])
    await scores.delete(rows[0])
    return await scores.put_many(rows) + await scores.delete_many(rows, progress=print)


async def read_async(quotes: AsyncQuoteRepository) -> Quote | None:
    """The same, asynchronous."""
    rows: AsyncQuoteRows = quotes.by_symbol("NASDAQ", "ZXZZT")
    page: Page[Quote] = await rows.page(5)
    assert page.rows == [row async for row in rows.limit(5)]
    keys: list[QuoteKey] = [key async for key in rows.keys()]
    assert await quotes.delete_prefix(exchange="NASDAQ") == 0
    assert await rows.count() == len(await quotes.get_many(keys))
    async for row in rows:
        return row
    return await quotes.get("NASDAQ", "ZXZZT", AT)


class Defaulted(bt.Model, table="defaulted"):
    """A row that can be made without anything."""

    f = bt.family("f", gc=bt.keep_all())
    t = bt.family("t", gc=bt.keep_all())
    name: str = bt.key(bt.Text(max_length=3), default="a")
    number: int = bt.key(bt.PaddedInt(3), default_factory=lambda: 5)
    at: datetime = bt.timestamp(default_factory=lambda: AT)
    level: int = bt.column("l", f, default=3)
    note: str | None = bt.column("n", f, default="new")
    text: str = bt.column("x", f, codec=bt.Utf8(), default="text")
    made: datetime = bt.column("m", f, default_factory=lambda: AT)
    tags: set[str] = bt.members(t, bt.Text(max_length=3))


level: int = Defaulted().level + len(Defaulted(name="b", tags={"x"}, level=4).tags)
