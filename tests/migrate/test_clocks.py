"""Clocks that are wrong: what a copy leaves out goes by the service's clock, and what is in doubt is copied."""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from googles_client import cells_of
from memory_history import MemoryHistory
from renamed_models import QUOTE, Site, family, lie, site

from btmodel import emulator
from btmodel.errors import MigrationError, NotAllowed, ServerError
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.migrate.history.run_record import read_clock
from btmodel.rows import Cell
from btmodel.schema import GcRule, MaxAge, MaxVersions, Table

MONTH = MaxAge(timedelta(days=30))
YEAR = timedelta(days=365).total_seconds()
DROP = "drop-family:QUOTE.MD"


def renamed(gc: GcRule = MONTH) -> Table:
    """The table with its family renamed."""
    return Table("QUOTE", (family("market", "MD", gc),), layouts=(lie(market__BID="value Int64()"),))


@pytest.fixture
def there(server: emulator.Emulator, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        found.admin.create_table(Table("QUOTE", (family("MD", gc=MONTH),), layouts=QUOTE.layouts))
        yield found


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the clock of this machine, and not that of the server, so many seconds ahead."""
    real = time.time_ns
    return lambda seconds: monkeypatch.setattr(time, "time_ns", lambda: real() + int(seconds * 1e9))


def aged(family: str = "MD", **days: float) -> dict[bytes, Iterable[Cell]]:
    """Rows with a cell that is so many days old."""
    now = datetime.now(UTC)
    times = {key: int((now - timedelta(age)).timestamp() * 1_000) * 1_000 for key, age in days.items()}
    return {key.encode(): [Cell(family, b"BID", at, key.encode())] for key, at in times.items()}


def keys(there: Site, server: emulator.Emulator, family: str) -> set[bytes]:
    """The rows that have cells in a family, as Google's client reads them."""
    rows = cells_of(there.admin.instance, server.host, "QUOTE")
    return {key for key, cells in rows.items() if any(cell.family == family for cell in cells)}


@pytest.mark.parametrize("seconds", [YEAR, -YEAR, 90.0])
@pytest.mark.parametrize("copied", [False, True])
def test_a_machine_whose_clock_is_wrong_moves_nothing(
    there: Site, server: emulator.Emulator, ahead: Callable[[float], None], seconds: float, copied: bool
) -> None:
    """A clock that is over a minute off stops a copy, and a drop, before anything is done; the error says both times."""
    there.write("QUOTE", aged(young=1, old=29))
    if copied:
        there.apply(renamed())
    before = there.admin.table("QUOTE"), cells_of(there.admin.instance, server.host, "QUOTE")
    ahead(seconds)
    shown = f"{datetime.now(UTC) + timedelta(seconds=seconds):%Y-%m-%d}"
    with pytest.raises(MigrationError, match=rf"^nothing was applied.*machine shows {shown} .*set the clock"):
        there.apply(renamed(), allow=[DROP] if copied else ())
    assert (there.admin.table("QUOTE"), cells_of(there.admin.instance, server.host, "QUOTE")) == before


def test_an_age_is_judged_by_the_clock_of_the_service(
    there: Site, server: emulator.Emulator, ahead: Callable[[float], None]
) -> None:
    """With a machine half a minute ahead, a cell that its clock alone calls too old is copied, and outlives the drop."""
    almost = 30 - 15 / 86_400
    there.write("QUOTE", aged(young=1, almost=almost))
    ahead(30)
    there.apply(renamed())
    there.apply(renamed(), allow=[DROP])
    assert keys(there, server, "market") == {b"young", b"almost"}


def test_what_a_rule_leaves_out_is_counted(there: Site) -> None:
    """After the copy and before the drop, it is said how many cells were left out, the first of them, and by which rule."""
    there.write("QUOTE", aged(young=1, old=31, older=99))
    said: list[str] = []
    for allow in ([], [DROP]):
        plan = there.plan(renamed(), allow=allow)
        apply_stages([Stage(plan)], there.admin, there.history, "me", data=Data(there.rows, say=said.append))
        assert "left out 2 cells in 2 rows, such as old MD:BID of " in said[-1]
        assert "(market keeps younger than 30d, at 20" in said[-1]
        assert said[-2] == "compared QUOTE.MD with QUOTE.market: nothing is missing"
    assert said[0] == "copied 1 row of QUOTE.MD to QUOTE.market"


@pytest.mark.parametrize("error", [ServerError("single-row transactions are not allowed"), None])
def test_where_nobody_knows_the_time_all_is_copied(
    there: Site, server: emulator.Emulator, monkeypatch: pytest.MonkeyPatch, error: ServerError | None
) -> None:
    """A service that stamps no cell leaves the age in doubt, so that cells of any age are copied; versions are counted still."""

    def fail(history: object) -> datetime:
        assert error
        raise error

    if error:
        monkeypatch.setattr(type(there.history), "service_time", fail)
    now = there.rows
    there.write("QUOTE", aged(young=1, old=99))
    there.write("QUOTE", {b"young": [Cell("MD", b"BID", 1_000, b"version")]})
    there.apply(renamed(MONTH | MaxVersions(1)), allow=["copy-family:QUOTE.market"])
    cells = [cell for cells in now.cells("QUOTE") for cell in cells[1] if cell.family == "market"]
    assert {cell.value for cell in cells} == ({b"young", b"old"} if error else {b"young"})


def test_a_clock_that_cannot_be_read_stops_it() -> None:
    """Without the right to write, nothing is in doubt: the error says what could not be read."""

    class Refusing(MemoryHistory):
        def service_time(self) -> datetime:
            raise NotAllowed("not permitted")

    with pytest.raises(MigrationError, match=r"nothing was applied.*clock cannot be read: not permitted"):
        read_clock(Refusing())


def test_the_time_goes_on_by_no_clock_that_is_set(ahead: Callable[[float], None]) -> None:
    """Once read, the service's time goes on as time does, whatever is done to this machine's clock meanwhile."""
    clock = read_clock(MemoryHistory())
    ahead(YEAR)
    now, real = clock.now(), datetime.now(UTC).timestamp() * 1_000_000
    assert now is not None
    assert real - 5_000_000 < now <= real
