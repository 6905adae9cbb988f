"""The whole path, on 27,004 real flights, in a minute: ``make demo`` runs it.

Each step says what it shows and why that matters, and runs what a user would run: the
commands in a project of its own, which is made in a temporary folder, and the generated
repositories.
"""

import inspect
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

from google.cloud.bigtable.data import BigtableDataClient
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.syntax import Syntax
from rich.table import Column, Table
from rich.text import Text

import btmodel as bt
from btmodel import emulator, server
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from examples import by_hand
from examples.flights import AirportDeparture, read_flights
from examples.generated.aircraft_flight_repository import AircraftFlightRepository
from examples.generated.airport_departure_repository import AirportDepartureRepository
from examples.generated.flights_twins import FlightsTwins
from examples.streams.board import Board, BoardedFlight, left, planned
from examples.streams.generated.boarded_flight_repository import BoardedFlightRepository
from examples.views.arrivals import CarrierDay, FlightTo
from examples.views.generated.airport_departure_repository import (
    AirportDepartureRepository as DepartureRepository,
)
from examples.views.generated.carrier_day_repository import CarrierDayRepository
from examples.views.generated.flight_to_repository import FlightToRepository

COUNT = 27_004  # flights in the file
AIRPORTS = ("EWR", "JFK", "LGA")

SETTINGS = """\
[tool.btmodel]
models = ["examples.flights"]
out = "generated"
instance = "dev"

[tool.btmodel.instances]
dev = "local:dev.db"
"""

# The key that everybody tries first.
FIRST_TRY = """\
from datetime import datetime
from decimal import Decimal

import btmodel as bt


class Quote(bt.Model, table="QUOTE", events="20000/s"):
    quote_time: datetime = bt.key(bt.EpochMillis())
    exchange: str = bt.key(bt.Text(width=6), cardinality=20)
    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)

    md = bt.family("MD", gc=bt.max_age(days=30))
    bid: Decimal = bt.column("BID", md, size=6)
"""

console = Console()


def main() -> None:
    """Run every step in a new project; a step that fails ends the demo with its error."""
    # The parts of this demo are imported from here, also where the commands run.
    sys.path.insert(0, str(Path(__file__).parents[1]))
    with tempfile.TemporaryDirectory() as folder, chdir(folder), server.start("dev.db") as local:
        Path("pyproject.toml").write_text(SETTINGS)
        sys.path.insert(0, folder)
        console.print(Text(FIRST.replace("\n", " "), "italic"))
        console.print()
        refuse()
        simulate()
        generate()
        migrate()
        with bt.connect("local:dev.db") as db:
            load(db)
            ask(db)
            compare(db, local.host)
        keep()
    console.rule("[bold]Where to go next")
    console.print(NEXT)


FIRST = """\
btmodel is an ORM for Google Cloud Bigtable. This demo shows its main path in seven steps and about a minute: a row
key that is refused, what it would have done to a cluster, the code, the tables and the rows of a better model, how
fast that is, and what Bigtable keeps by itself. It needs no Google account: a local server stands in for Bigtable."""


def refuse() -> None:
    """A class with the time in front, and what the review says of it."""
    step(
        1,
        "A class is refused, before there is a table",
        "Bigtable stores rows in the order of their keys, and keeps no schema that would warn you. This key begins "
        "with the time, so all new rows would go to one node. btmodel says so when the class is written, and shows a "
        "key that would do.",
    )
    Path("first_try.py").write_text(FIRST_TRY)
    show("first_try.py", FIRST_TRY.partition("\n\n\n")[2].rstrip())
    command("check", "-m", "first_try", code=1)


def simulate() -> None:
    """The refused key and the proposed one under the same load."""
    step(
        2,
        "The hotspot, before and after",
        "The same 20,000 events a second on ten nodes: first with the refused key, then with the key that the review "
        "proposes. Keys run down, time to the right; the brighter, the busier.",
    )
    command("simulate", "Quote", "-m", "first_try", "--nodes", "10", "--for", "6h", "--maps")


def generate() -> None:
    """Repositories of the flights."""
    step(
        3,
        "Typed code is generated",
        "From here on the data is real: the flights that left New York City in January 2013, in two tables, because "
        "they are asked for by aircraft and by airport. Each declared query becomes a method, proved to read one range.",
    )
    command("generate")
    name = "generated/aircraft_flight_repository.py"
    code = Path(name).read_text()
    show(f"{name}, a part", code[code.index("    def of_aircraft(") :].partition('"""')[0].rstrip())


def migrate() -> None:
    """The tables of a new local server, from the models."""
    step(
        4,
        "The tables are created from the models",
        "btmodel compares the models with an instance, shows the difference, asks, and applies it. Nothing is dropped "
        "unless you allow it by name. Here the instance is a file, dev.db, which btmodel's own server serves.",
    )
    command("migrate", "--yes")
    command("migrate", "plan")


def load(db: bt.Database) -> None:
    """Write every flight to its two tables together."""
    step(
        5,
        "Real rows are written and read",
        "One call keeps both tables, in batches, and accounts for every row.",
    )
    without_tail = 0

    def departures() -> Iterator[AirportDeparture]:
        nonlocal without_tail
        for departure in read_flights():
            without_tail += departure.tail is None
            yield departure

    started, used = time.perf_counter(), time.process_time()
    with bar("flights, to two tables", COUNT) as done:
        departed = FlightsTwins(db).put_many(departures(), progress=done)
    seconds, used = time.perf_counter() - started, time.process_time() - used
    flown = departed - without_tail
    rows = departed + flown
    console.print(f"{rows:,} rows written in {seconds:.1f} s: {rows / seconds:,.0f} rows/s", highlight=False)
    console.print(
        f"This process used {used:.1f} s of CPU for that, and else waited for the local server.",
        highlight=False,
    )
    console.print(
        f"{without_tail} of {departed:,} flights were cancelled before they had an aircraft: they are in one table only.\n",
        highlight=False,
    )


@contextmanager
def bar(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar; what it gives takes how much is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(name, total=total)
        yield lambda done: progress.update(task, completed=done)


def ask(db: bt.Database) -> None:
    """Ask what the models were declared for, and show what is read for it."""
    aircraft = AircraftFlightRepository(db)
    read = aircraft.of_aircraft(
        "N730MQ", datetime(2013, 1, 3, 5, tzinfo=UTC), datetime(2013, 1, 4, 5, tzinfo=UTC)
    )
    table(
        "What did N730MQ do on 3 January? (times in UTC, delays in minutes)",
        ["row key", "from", "to", "left late", "arrived late"],
        (
            [bt.key_of(f).decode(), f.origin, f.destination, f.departure_delay, f.arrival_delay]
            for f in read
        ),
    )  # fmt: skip
    departures = AirportDepartureRepository(db)
    table(
        "What left La Guardia first on 1 January? (times in UTC, delays in minutes)",
        ["row key", "tail", "to", "left late"],
        (
            [bt.key_of(f).decode(), f.tail, f.destination, f.departure_delay]
            for f in departures.on_day("LGA", date(2013, 1, 1)).limit(3)
        ),
    )


def compare(db: bt.Database, host: str) -> None:
    """The same scan by a generated repository, and by hand with Google's client."""
    step(
        6,
        "Generated code is faster than code written by hand",
        "Both read all departures of three airports, with the same client library and server, and decode every row. "
        "The code by hand is examples/by_hand.py, which is short and simple; docs/speed.md compares with careful code, "
        "too. CPU is that of this process alone.",
    )
    repository = AirportDepartureRepository(db)
    ways: dict[str, Callable[[str], list[object]]] = {
        "btmodel": lambda airport: list(repository.on_days(airport))
    }
    os.environ[emulator.VARIABLE] = host
    with BigtableDataClient(project="btmodel") as client:
        ways["by hand"] = lambda airport: list(by_hand.departures(client, "local", airport))
        taken = {name: timed(read) for name, read in ways.items()}
    del os.environ[emulator.VARIABLE]
    cpu = taken["btmodel"][2]
    table(
        "A scan of all departures",
        ["", "rows", "seconds", "CPU a row", "CPU compared"],
        (
            [
                name,
                f"{rows:,}",
                f"{seconds:.2f}",
                f"{1e6 * used / rows:.0f} \u00b5s",
                f"{used / cpu:.1f} times",
            ]
            for name, (rows, seconds, used) in taken.items()
        ),
    )


def timed(read: Callable[[str], list[object]]) -> tuple[int, float, float]:
    """Rows, elapsed time and CPU time, both in seconds: the better of two runs, as the first one warms up."""
    runs = []
    for _ in range(2):
        started, used = time.perf_counter(), time.process_time()
        rows = sum(len(read(airport)) for airport in AIRPORTS)
        runs.append((rows, time.perf_counter() - started, time.process_time() - used))
    return min(runs, key=lambda run: run[2])


def keep() -> None:
    """An index, a rollup and a change stream, of the flights of two days."""
    step(
        7,
        "Bigtable keeps more than rows",
        "An index holds the rows under another key, a rollup counts and sums them, and a change stream reports every "
        "write. All are declared, and the service keeps them: the program writes flights and nothing else.",
    )
    head, _, fields = inspect.getsource(CarrierDay).rstrip().split("\n", 2)
    show("examples/views/arrivals.py, a part", f"{head}{fields}")
    days = [flight for flight in read_flights() if flight.day <= date(2013, 1, 2)]
    with bt.connect("local:") as db:
        bt.create_tables(db, AirportDeparture, FlightTo, CarrierDay, BoardedFlight)
        DepartureRepository(db).put_many(days)
        began = datetime.now(UTC)
        boarded = BoardedFlightRepository(db)
        boarded.put_many(map(planned, days))
        boarded.put_many(map(left, days))
        show_views(db)
        board, came = Board(), 0
        with boarded.changes(since=began, until=datetime.now(UTC), heartbeat=0.1) as stream:
            for change in stream:
                board.show(change)
                came += 1
    gone = len(board.lines) - board.waiting
    console.print(
        f"The stream: {came:,} changes of {len(board.lines):,} flights. {gone:,} have left, {len(board.late)} of them an "
        f"hour late or more; {board.waiting} were cancelled.\n",
        highlight=False,
    )


def show_views(db: bt.Database) -> None:
    """What the index and the rollup hold."""
    arrivals = FlightToRepository(db).to(
        "SFO", datetime(2013, 1, 1, tzinfo=UTC), datetime(2013, 1, 3, tzinfo=UTC)
    )
    table(
        "The index: what goes to San Francisco first? (minutes)",
        ["key in the view", "from", "arrived late"],
        ([bt.key_of(f).decode(), f.origin, f.arrival_delay] for f in arrivals.limit(3)),
    )
    carriers = CarrierDayRepository(db)
    table(
        "The rollup: how late were carriers? (minutes)",
        ["carrier", "day", "flights", "mean", "worst", "aircraft"],
        (
            [one.carrier, one.day, one.flights, f"{one.mean or 0:.1f}", one.worst, one.aircraft]
            for one in carriers.of_carrier(["B6", "UA"])
        ),
    )


NEXT = """
  [bold]docs/tutorial[/]       build an application from nothing to production
  [bold]btmodel init shop[/]   a small project of your own, with a model and a test
  [bold]docs/guides[/]         come from f-strings, HBase, SQL; design keys; test; run
  [bold]docs/recipes[/]        locks, counters, queues, time series, tenants and others
  [bold]docs/rules[/]          what the review knows, rule by rule
  [bold]make examples[/]       the designs that Bigtable's documentation discusses
  [bold]make docs[/]           all of this as a site, with a search
"""


def step(number: int, title: str, why: str) -> None:
    """A heading, and why the step matters."""
    console.rule(f"[bold]{number}. {title}")
    console.print(Text(why, "italic"))
    console.print()


def show(title: str, code: str) -> None:
    """A few lines of Python."""
    console.print(Text(title, "bold"))
    console.print(Syntax(code, "python", theme="ansi_dark", background_color="default"))
    console.print()


def command(*arguments: str, code: int = 0) -> None:
    """Run a ``btmodel`` command as the shell would, and show it; it must end with ``code``."""
    console.print(Text(f"$ btmodel {' '.join(arguments)}", "bold green"))
    group.table = COMMANDS
    done = group.main(list(arguments), prog_name="btmodel", standalone_mode=False) or 0
    if done != code:
        sys.exit(done or 1)
    console.print()


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
