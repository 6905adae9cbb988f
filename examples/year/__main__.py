"""Runs the move of a year of flights: ``make year``, or ``python -m examples.year --every 84`` for every 84th flight."""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import btmodel as bt
from btmodel import server
from btmodel.client.admin import Admin
from btmodel.client.target import resolve
from btmodel.migrate.history import MigrationHistory
from btmodel.rows import Cell
from examples.flights import AirportDeparture, read_flights
from examples.generated.airport_departure_repository import AirportDepartureRepository

ROOT = Path(__file__).parents[2]
YEAR = ROOT / "examples" / "data" / "flights-2013.csv.xz"
INSTANCE = "local:year.db"
OLD, NEW = "airport_departure", "flight_departure"
BACKFILL, SWITCH = "0003_by_flight_backfill", "0004_by_flight_switch"
MOVE = f"{BACKFILL}/move_flight_departure"
SETTINGS = f"""\
[tool.btmodel]
models = ["examples.year.by_airport"]
instance = "{INSTANCE}"
"""


def main() -> None:
    """Write the flights, move them to another key, compare the bytes, and export both tables by month."""
    parser = argparse.ArgumentParser(prog="python -m examples.year", description=__doc__)
    parser.add_argument("--data", type=Path, default=YEAR, help="the flights, as .csv.gz or .csv.xz")
    parser.add_argument("--every", type=int, default=1, help="take only each n-th flight")
    parser.add_argument("--runner", help="move them as a pipeline of Apache Beam, with this runner")
    parser.add_argument("options", nargs="*", help="options of Apache Beam, behind --")
    given = parser.parse_args()
    if not given.data.is_file():
        parser.error(f"--data: {given.data} is not there")
    data, every = given.data.resolve(), max(given.every, 1)
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        os.chdir(folder)
        opened.callback(os.chdir, ROOT)
        opened.enter_context(server.start("year.db"))
        rows = load(folder, read_flights(data, every))
        move(folder, rows, (f"--runner={given.runner}", "--", *given.options) if given.runner else ())
        compare(rows)
        export(rows)
    print("\nall of it holds")


def load(folder: Path, flights: Iterable[AirportDeparture]) -> int:
    """A project with the table as it was, and its rows; how many."""
    heading(f"The flights, in {OLD}: by airport and day")
    settings = folder / "pyproject.toml"
    settings.write_text(SETTINGS)
    btmodel("migrate", "new", "by airport")
    btmodel("migrate", "apply", "--yes")
    began = time.perf_counter()
    with bt.connect(INSTANCE) as db:
        rows = AirportDepartureRepository(db).put_many(flights)
    print(f"{rows:,} rows written in {time.perf_counter() - began:.0f} s")
    settings.write_text(SETTINGS.replace("by_airport", "by_flight"))
    return rows


def move(folder: Path, rows: int, runner: Sequence[str] = ()) -> None:
    """Move the rows; the run is killed in the middle, and the next one goes on."""
    heading(f"The same flights, in {NEW}: by carrier and flight number")
    btmodel("migrate", "new", "by flight")
    btmodel("migrate", "preview", codes=(2,))
    btmodel("migrate", "apply", "--yes")
    confirmed = ("--allow", f"deployed:{BACKFILL}")
    began = time.perf_counter()
    reached = killed_midway(["migrate", "apply", "--yes", *confirmed, *runner], rows)
    print(f"\nkilled (kill -9) after {reached:,} of {rows:,} rows\n")
    btmodel("migrate", "status", codes=(2,))
    btmodel("migrate", "apply", "--yes", "--force-unlock", *runner)
    print(f"moved and compared in {time.perf_counter() - began:.0f} s")
    btmodel("migrate", "apply", "--yes", "--allow", f"deployed:{SWITCH}")


def killed_midway(arguments: list[str], rows: int) -> int:
    """Start a command, and kill it once it has moved half of the rows; how many it had recorded."""
    target = resolve(INSTANCE)
    with Admin(target) as admin, bt.connect(INSTANCE) as db:
        history = MigrationHistory(admin, db)
        run = subprocess.Popen(command(*arguments), env=environment(), stdout=subprocess.DEVNULL)
        while run.poll() is None:
            if recorded(history) >= rows // 2:
                run.kill()
            time.sleep(0.005)
        reached = recorded(history)
    target.release()
    if run.returncode != -9 or not rows // 2 <= reached < rows:
        sys.exit(
            f"expected a run that is killed in the middle, got exit code {run.returncode} after {reached:,} rows"
        )
    return reached


def recorded(history: MigrationHistory) -> int:
    """How many rows are recorded as moved: by one walk, or by sections of a runner."""
    reached = history.progress(MOVE)
    if reached is None:
        return 0
    return sum(one.rows for one in history.sections(MOVE).values()) if reached.starts else reached.rows


def compare(rows: int) -> None:
    """Every row has the same cells, byte for byte and with the same timestamps, under its new key."""
    heading("The bytes")
    with bt.connect(INSTANCE) as db:
        wanted = sorted((by_flight(key), digest(cells)) for key, cells in db.cells(OLD))
        found = [(key, digest(cells)) for key, cells in db.cells(NEW)]
    before, after = (hashlib.sha256(b"".join(map(b"".join, some))).hexdigest() for some in (wanted, found))
    print(f"{OLD}, under the new keys: {len(wanted):,} rows, {before}\n{NEW}: {len(found):,} rows, {after}")
    if before != after or len(found) != rows:
        sys.exit("the tables differ")


def by_flight(key: bytes) -> bytes:
    """The new key of a flight: the parts of the old one in another order."""
    origin, day, scheduled, carrier, number = key.split(b"#")
    return b"#".join((carrier, number, day, origin, scheduled))


def digest(cells: Iterable[Cell]) -> bytes:
    """The hash of the cells of a row."""
    return hashlib.blake2b(repr(sorted(map(tuple, cells))).encode(), digest_size=16).digest()


def export(rows: int) -> None:
    """Both tables by month, as Parquet, which hold the same flights."""
    from pyarrow import parquet

    heading("Both tables by month, as Parquet")
    tables = []
    for module, model in (("by_airport", "AirportDeparture"), ("by_flight", "FlightDeparture")):
        btmodel("rows", model, "-m", f"examples.year.{module}", "--out", module, "--partition", "day:month")
        tables.append({path.parent.name: parquet.read_table(path) for path in sorted(months(Path(module)))})
    old, new = tables
    order = [(name, "ascending") for name in ("origin", "day", "scheduled", "carrier", "number")]
    for month, table in old.items():
        same = new[month].select(table.column_names).sort_by(order).equals(table.sort_by(order))
        print(f"{month}: {table.num_rows:6,} rows, {'the same' if same else 'not the same'} in both")
        if not same:
            sys.exit(f"{month} differs")
    if old.keys() != new.keys() or sum(table.num_rows for table in old.values()) != rows:
        sys.exit("rows are missing in the files")


def months(folder: Path) -> Iterator[Path]:
    """The files of a partitioned folder, one a month."""
    yield from folder.glob("*/*.parquet")


def heading(text: str) -> None:
    """A line between two steps."""
    print(f"\n== {text}\n", flush=True)


def command(*arguments: str) -> list[str]:
    """A ``btmodel`` command for a process of its own."""
    return [sys.executable, "-m", "btmodel", *arguments]


def environment() -> dict[str, str]:
    """The environment of such a process, which finds the examples."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def btmodel(*arguments: str, codes: tuple[int, ...] = (0,)) -> None:
    """Run a ``btmodel`` command as the shell would, and show it; it must end with one of ``codes``."""
    print(f"$ btmodel {' '.join(arguments)}", flush=True)
    done = subprocess.run(command(*arguments), env=environment(), check=False)
    if done.returncode not in codes:
        sys.exit(done.returncode or 1)


if __name__ == "__main__":
    main()
