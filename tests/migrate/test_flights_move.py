"""The key of real flights moves: from airport and day to carrier and flight number."""

import re
from pathlib import Path

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

from btmodel.declare import Fields, codec_of
from examples.flights import AirportDeparture, read_flights
from tests.examples_tried import THOROUGH

FLIGHTS = (Path(__file__).parents[2] / "examples" / "flights.py").read_text()
BEFORE = "from datetime import date, datetime\n" + "".join(
    re.search(rf"^class {name}\(.*?(?=^\S)", FLIGHTS, re.DOTALL | re.MULTILINE)[0]  # type: ignore[index]
    for name in ("Flight", "AirportDeparture")
)
FIELDS = re.compile(r"    origin: str.*?cardinality=3_844\)\n", re.DOTALL)
KEY = """    carrier: str = bt.key(bt.Text(width=2), cardinality=16)
    number: int = bt.key(bt.PaddedInt(4), cardinality=3_844)
    day: date = bt.key(bt.DateText("%Y%m%d"))
    origin: str = bt.key(bt.Text(width=3), cardinality=3)
    scheduled: datetime = bt.key(bt.EpochSeconds())
"""


def moved() -> str:
    """The models, with the key by flight in a table of its own."""
    declared = BEFORE.replace(
        'table="airport_departure"', 'table=bt.table("flight_departure", moved_from="airport_departure")'
    )
    start, _, queries = FIELDS.sub(KEY, declared).partition("    on_day = ")
    assert queries
    return f'{start}    of_flight = bt.query("carrier", "number", between="day")\n'


@pytest.mark.slow
def test_flights_move_to_another_key(project: Project, there: Site) -> None:
    """The revisions are written without anything to fill in, and every flight is found under its new key.

    It moves each sixth flight, and with ``--thorough`` each.
    """
    project.declare(BEFORE)
    project.done("new", "flights")
    project.done("apply", "--yes")
    codec = codec_of(AirportDeparture)
    flights = list(read_flights())[:: 1 if THOROUGH else 6]
    rows = f"{len(flights):,} rows"
    there.rows.write_many("airport_departure", (codec.encode(Fields(one), 1_000_000) for one in flights))
    project.declare(moved())
    told = project.done("new", "by flight")
    assert "fill in" not in told
    project.done("apply", "--yes")
    told = project.done("apply", "--yes", "--allow", "deployed:0003_by_flight_backfill")
    assert f"moved {rows} of airport_departure to flight_departure\n" in told
    assert f"compared airport_departure with flight_departure: {rows} equal\n" in told
    keys = [key for key, _ in there.rows.cells("flight_departure")]
    wanted = [
        f"{one.carrier}#{one.number:04}#{one.day:%Y%m%d}#{one.origin}#{int(one.scheduled.timestamp()):010}".encode()
        for one in flights
    ]
    assert keys == sorted(wanted)
