"""The whole path on real data: ``make demo`` runs it.

Check the models, generate, simulate, start a server, migrate, load January's flights, a
market data feed and the weather, and ask the questions that the models were
declared for.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column, Table
from rich.text import Text

import btmodel as bt
from btmodel import emulator, server
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from examples.flights import AirportDeparture, aircraft_flight, read_flights
from examples.generated.aircraft_flight_repository import AircraftFlightRepository
from examples.generated.airport_departure_repository import AirportDepartureRepository
from examples.generated.flights_twins import FlightsTwins
from examples.generated.quote_repository import QuoteRepository
from examples.generated.trade_repository import TradeRepository
from examples.generated.weather_day_repository import WeatherDayEvent, WeatherDayRepository
from examples.market import QUOTE_TIME, made_up_quotes, the_message
from examples.weather import read_weather

INSTANCE = "projects/demo/instances/demo"
COUNT = 27_004  # flights in the file

console = Console()


def main() -> None:
    """Run every step; a step that fails ends the demo with its error."""
    console.rule("[bold]1. Review the models, write table definitions and repositories")
    command("check")
    command("generate")
    console.rule("[bold]2. See where the writes go, before there is a table")
    command(
        "simulate", "SaltedBattery", "--vs", "UserBattery", "--nodes", "10", "--history", "30d", "--brief"
    )
    console.rule("[bold]3. Start a server, and bring it to the models")
    with tempfile.TemporaryDirectory() as folder, server.start(f"{folder}/demo.db") as local:
        os.environ[emulator.VARIABLE] = local.host
        console.print(f"A local Bigtable serves {local.file} at {local.host}\n")
        command("migrate", "--instance", INSTANCE, "--emulated", "--yes")
        with bt.connect(INSTANCE) as db:
            console.rule("[bold]4. Load")
            load(db)
            console.rule("[bold]5. Ask")
            ask(db)
        console.rule("[bold]6. Migrate again")
        command("migrate", "plan", "--instance", INSTANCE)


def command(*arguments: str) -> None:
    """Run a ``btmodel`` command as the shell would, and show it."""
    console.print(f"[bold green]$ btmodel {' '.join(arguments)}")
    group.table = COMMANDS
    code = group.main(list(arguments), prog_name="btmodel", standalone_mode=False)
    if code:
        sys.exit(code)
    console.print()


def load(db: bt.Database) -> None:
    """Write every flight to its two tables together, the market messages and the weather."""
    without_tail = 0

    def departures() -> Iterator[AirportDeparture]:
        nonlocal without_tail
        for departure in read_flights():
            without_tail += departure.tail is None
            yield departure

    _, trade = the_message()
    flights = FlightsTwins(db)
    weather = WeatherDayRepository(db)
    bars = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    started = time.perf_counter()
    with Progress(*bars, console=console) as progress:

        def bar(name: str, total: int) -> Callable[[int], None]:
            task = progress.add_task(name, total=total)
            return lambda done: progress.update(task, completed=done)

        departed = flights.put_many(departures(), progress=bar("flights, to two tables", COUNT))
        quotes = QuoteRepository(db).put_many(made_up_quotes(1_000), progress=bar("quotes", 1_000))
        TradeRepository(db).put(trade)
        readings = weather.append_many(
            (WeatherDayEvent(**reading) for reading in read_weather()), progress=bar("hourly weather", 2_211)
        )
    seconds = time.perf_counter() - started
    flown = departed - without_tail
    rows = departed + flown + quotes + 1 + readings
    console.print(f"{rows:,} writes in {seconds:.1f} s: {rows / seconds:,.0f} rows/s\n")
    console.print(
        f"{without_tail} of {departed:,} flights were cancelled before an aircraft was assigned: they are among "
        f"their airport's departures, and in no aircraft's rows ({flown:,}).\n"
    )


def ask(db: bt.Database) -> None:
    """Ask what the models were declared for, and show the raw keys behind it."""
    show_keys()
    aircraft = AircraftFlightRepository(db)
    start, end = datetime(2013, 1, 3, 5, tzinfo=UTC), datetime(2013, 1, 4, 5, tzinfo=UTC)
    table(
        "What did N730MQ do on 3 January? One range of rows",
        ["scheduled (UTC)", "flight", "from", "to", "left late (min)", "arrived late (min)"],
        (
            [f"{f.scheduled:%H:%M}", f"{f.carrier} {f.number}", f.origin, f.destination,
             f.departure_delay, f.arrival_delay]
            for f in aircraft.of_aircraft("N730MQ", start, end)
        ),
    )  # fmt: skip
    departures = AirportDepartureRepository(db)
    table(
        "What left La Guardia on 1 January? One prefix; its first rows",
        ["scheduled (UTC)", "flight", "tail", "to", "left late (min)"],
        (
            [f"{f.scheduled:%H:%M}", f"{f.carrier} {f.number}", f.tail, f.destination, f.departure_delay]
            for f in departures.on_day("LGA", date(2013, 1, 1)).limit(5)
        ),
    )
    quotes = QuoteRepository(db)
    table(
        "Quotes of ZXZZT in one second: one range",
        ["time (UTC)", "bid", "ask", "bid size", "ask size"],
        (
            [f"{q.quote_time:%H:%M:%S.%f}"[:-3], q.bid, q.ask, q.bid_size, q.ask_size]
            for q in quotes.by_symbol(
                "NASDAQ", "ZXZZT", QUOTE_TIME, QUOTE_TIME.replace(second=QUOTE_TIME.second + 1)
            )
        ),
    )
    weather = WeatherDayRepository(db)
    events = weather.events("JFK", datetime(2013, 1, 5, tzinfo=UTC), datetime(2013, 1, 7, tzinfo=UTC))
    table(
        "Weather at JFK on 5 and 6 January, every sixth of 48 events: they lie in two rows",
        ["time (UTC)", "Fahrenheit", "humidity %", "wind mph", "millibars"],
        (
            [f"{e.at:%d %H:%M}", e.temperature, e.humidity, _tenth(e.wind_speed), e.pressure]
            for number, e in enumerate(events)
            if number % 6 == 0
        ),
    )
    started = time.perf_counter()
    rows = sum(1 for airport in ("EWR", "JFK", "LGA") for _ in departures.on_days(airport))
    seconds = time.perf_counter() - started
    console.print(f"all departures scanned: {rows:,} rows in {seconds:.1f} s: {rows / seconds:,.0f} rows/s\n")


def _tenth(value: float | None) -> str | None:
    return None if value is None else f"{value:.1f}"


def show_keys() -> None:
    """The raw keys of a few rows."""
    quote, trade = the_message()
    departure = next(read_flights())
    flight = aircraft_flight(departure)
    rows: list[bt.Model] = [quote, trade, departure]
    rows += [flight] if flight is not None else []
    table("Raw row keys", ["model", "key"], ([type(row).__name__, bt.key_of(row).decode()] for row in rows))


def table(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a table; None shows as a dash."""
    grid = Table(
        *(Column(name, overflow="fold") for name in columns),
        title=title,
        title_justify="left",
        title_style="bold",
    )
    for row in rows:
        grid.add_row(*("-" if value is None else str(value) for value in row))
    console.print(grid)
    console.print()


if __name__ == "__main__":
    try:
        main()
    except bt.BtmodelError as error:
        console.print(Text.assemble(("error: ", "bold red"), str(error)))
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        console.print("interrupted")
        sys.exit(130)
