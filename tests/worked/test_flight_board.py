"""The departure board, on real flights: what follows the table shows what the file says, wherever it was stopped."""

from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from btmodel_codegen.targets import generate

import btmodel as bt
from btmodel.pytest_plugin import Instances
from examples import flights
from examples.streams.board import LOST, Board, BoardedFlight, left, planned
from examples.streams.generated.boarded_flight_repository import (
    AsyncBoardedFlightRepository,
    BoardedFlightRepository,
)

ROOT = Path(__file__).parents[2]
DAY = 842  # flights of the first of January


def test_the_board_shows_the_flights_of_a_day(bigtable: Instances, tmp_path: Path) -> None:
    """A board that is stopped in the middle and goes on from its file shows every flight of the day as the file has it."""
    day = list(islice(flights.read_flights(), DAY))
    board, store = Board(), tmp_path / "board.position"
    boarded = BoardedFlightRepository(bigtable(BoardedFlight))
    since = datetime.now(UTC)
    boarded.put_many(map(planned, day))

    def follow(most: int) -> None:
        changes = boarded.changes(since=since, until=datetime.now(UTC), store=store, heartbeat=0.05)
        with changes:
            for change in islice(changes, most):
                board.show(change)

    follow(400)
    boarded.put_many(map(left, day))
    follow(10_000)

    expected = {bt.key_of(left(one)): one for one in day}
    assert {key: (line.destination, line.delay) for key, line in board.lines.items()} == {
        key: (one.destination, one.departure_delay) for key, one in expected.items()
    }
    assert board.waiting == sum(one.departure_delay is None for one in day)
    late = {key for key, one in expected.items() if (one.departure_delay or 0) >= LOST}
    assert late
    assert set(board.late) == late


def test_the_repository_is_generated_from_the_model() -> None:
    """What is in ``generated`` is what `btmodel generate` writes."""
    folder = ROOT / "examples" / "streams" / "generated"
    for name, text in generate([bt.schema_of(BoardedFlight)]).items():
        assert (folder / name).read_text() == text, f"{name}: see the command in examples/streams/__init__.py"
    assert AsyncBoardedFlightRepository.model is BoardedFlight
