"""Every number of rows, cells, bytes, workers or seconds that a caller gives is refused where it is given, if it is none, with one clear error."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import attrs
import pytest

import btmodel as bt
import btmodel.columnar
import btmodel.migrate
import btmodel.repository
from btmodel.client.options import Options
from btmodel.client.target import Target
from btmodel.columnar import ArrowFields, Cells, Collector
from btmodel.errors import DeclarationError, QueryRefused, SettingsError
from btmodel.migrate import RewriteStep
from btmodel.repository import Part
from examples.generated.balloon_events_repository import BalloonEventsRepository
from examples.generated.quote_repository import QuoteRepository, QuoteRows
from tests.public_counts import numbers

WRONG = (0, -1, 1.5, True, "5", [2], 2j, float("nan"), None)
Given = Callable[[bt.Database, Any], object]


def read(db: bt.Database) -> QuoteRows:
    """A read that nothing narrows."""
    return QuoteRepository(db).by_symbol("NYSE", "IBM")


def part(db: bt.Database) -> Part[Any]:
    """The same as one part."""
    rows = read(db)
    return Part.whole(type(rows), rows._reader, rows._asked, rows._selection)


# How a number is given, by its place.
CHECKED: dict[str, Given] = {
    "Cells(most)": lambda db, wrong: Cells(wrong),
    "Collector(most)": lambda db, wrong: Collector(ArrowFields, None, print, wrong),  # type: ignore[arg-type]
    "Followed.changes(heartbeat)": lambda db, wrong: QuoteRepository(db).changes(heartbeat=wrong),
    "Part.split(share)": lambda db, wrong: part(db).split(wrong),
    "RewriteStep(requests)": lambda db, wrong: RewriteStep("step", "TABLE", None, print, wrong),
    "Rows.arrow_batches(rows)": lambda db, wrong: read(db).arrow_batches(rows=wrong),
    "Rows.cells_arrow(cells)": lambda db, wrong: read(db).cells_arrow(cells=wrong),
    "Rows.limit(rows)": lambda db, wrong: read(db).limit(wrong),
    "Rows.page(size)": lambda db, wrong: read(db).page(wrong),
    "Rows.parallel(processes)": lambda db, wrong: read(db).parallel(processes=wrong),
    "Rows.parallel(workers)": lambda db, wrong: read(db).parallel(wrong),
    "Rows.parts(size)": lambda db, wrong: read(db).parts(wrong),
    "Rows.sample(share)": lambda db, wrong: read(db).sample(wrong),
    "Seen(most)": lambda db, wrong: bt.Seen(wrong),
    "TableStore(lease)": lambda db, wrong: bt.TableStore("name", wrong),
}
# Of generated methods, and those of which only some numbers are wrong.
GENERATED: dict[str, Given] = {
    "newest(n)": lambda db, wrong: BalloonEventsRepository(db).newest(wrong, "Basel", "B1"),
    "newest_events(n)": lambda db, wrong: BalloonEventsRepository(db).newest_events(wrong, "Basel", "B1"),
    "versions(newest)": lambda db, wrong: (
        BalloonEventsRepository(db).newest(5, "Basel", "B1").versions(wrong)
    ),
    "get(versions)": lambda db, wrong: BalloonEventsRepository(db).get(
        "Basel", "B1", date(2026, 1, 5), versions=wrong
    ),
}
# None leaves it to btmodel, and seconds may be parts of one.
FINE = {
    "Rows.parts(size)": {"None"},
    "Rows.parallel(processes)": {"None"},
    "get(versions)": {"None"},
    "Followed.changes(heartbeat)": {"1.5"},
    "TableStore(lease)": {"1.5"},
}
UNCHECKED = {
    "Add(amount)": "any amount, which the codec of the counter judges",
    "Add(timestamp)": "a time",
    "Call(ranges)": "a result, which calls of hooks get",
    "Delete(end)": "a time",
    "Delete(start)": "a time",
    "Part(size)": "a result, which parts(...) gives",
    "Part.divided(least)": "what parts(...) calls, with checked numbers",
    "Part.divided(size)": "what parts(...) calls, with checked numbers",
}


@pytest.fixture(scope="module")
def db() -> Iterator[bt.Database]:
    """A connection to no server."""
    with bt.Database(Target("projects/p/instances/i", "127.0.0.1:1")) as connected:
        yield connected


def test_no_number_is_forgotten() -> None:
    """A new public parameter is to be checked, or to be no number that a caller chooses."""
    found = numbers([bt, btmodel.columnar, btmodel.migrate, btmodel.repository])
    assert found == CHECKED.keys() | UNCHECKED.keys()


@pytest.mark.parametrize("place", [*CHECKED, *GENERATED])
def test_what_is_no_number_is_refused(db: bt.Database, place: str) -> None:
    """With what was expected and what was given, before anything is asked."""
    give = (CHECKED | GENERATED)[place]
    for wrong in WRONG:
        if repr(wrong) in FINE.get(place, ()):
            continue
        with pytest.raises(
            (QueryRefused, DeclarationError), match=r"expected .*got " + re.escape(repr(wrong)[:9])
        ):
            give(db, wrong)


@pytest.mark.parametrize(
    "name", [one.name for one in attrs.fields(Options) if re.search(r"\b(int|float)\b", str(one.type))]
)
def test_options_are_refused(name: str) -> None:
    """Those of a connection that are numbers, likewise."""
    for wrong in (-1, True, "5", [2], 2j, timedelta(1)):
        with pytest.raises(SettingsError, match=f"{name}: expected "):
            Options(**{name: wrong})
