"""Questions in SQL on real flights: what comes is what the file says."""

from collections import defaultdict
from itertools import islice
from pathlib import Path
from statistics import fmean

from btmodel_codegen.targets import generate

import btmodel as bt
from btmodel.pytest_plugin import Instances
from examples import flights
from examples.sql.delays import FlownFlight, flown
from examples.sql.generated.flown_flight_repository import FlownFlightRepository

ROOT = Path(__file__).parents[2]


def test_the_answers_are_those_of_the_file(bigtable: Instances) -> None:
    """The delays of the carriers of an airport, and the latest flights to a destination, are those of the file."""
    known = [one for one in map(flown, islice(flights.read_flights(), 3_000)) if one is not None]
    repository = FlownFlightRepository(bigtable(FlownFlight))
    repository.put_many(known)

    delays: dict[str, list[int]] = defaultdict(list)
    for one in known:
        if one.origin == "EWR":
            delays[one.carrier].append(one.delay)
    expected = {
        carrier: (len(found), round(fmean(found), 6), sum(delay >= 30 for delay in found))
        for carrier, found in delays.items()
        if len(found) >= 20
    }
    rows = repository.carriers("EWR", late=30, least=20).all()
    assert {row.carrier: (row.flights, round(row.mean or 0, 6), row.late) for row in rows} == expected
    assert [row.mean for row in rows] == sorted((row.mean or 0 for row in rows), reverse=True)

    latest = sorted(
        (one for one in known if one.destination == "LAX"), key=lambda one: (-one.delay, bt.key_of(one))
    )
    worst = repository.worst("LAX", 5).all()
    assert [(row.key, row.delay) for row in worst] == [(bt.key_of(one), one.delay) for one in latest[:5]]


def test_the_repository_is_generated_from_the_model() -> None:
    """What is in ``generated`` is what `btmodel generate` writes."""
    folder = ROOT / "examples" / "sql" / "generated"
    for name, text in generate([bt.schema_of(FlownFlight)]).items():
        assert (folder / name).read_text() == text, f"{name}: see the command in examples/sql/__init__.py"
