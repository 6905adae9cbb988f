"""KEY021 where what changes is all that tells rows apart: rows keep a key each, by an id that they have or by a new one."""

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.schema import ModelSchema
from tests.lint.parts import found


class Player(bt.Model, table="PLAYER"):
    game: str = bt.key(bt.Text(max_length=20), cardinality=300)
    nickname: str = bt.key(bt.Text(max_length=30), changes=True)

    data = bt.family("data", gc=bt.max_versions(1))
    player_id: str = bt.column("pid", data, max_size=12)
    country: str = bt.column("c", data)

    of_game = bt.query("game")
    one = bt.query("game", "nickname")


class Job(bt.Model, table="JOB"):
    queue: str = bt.key(bt.Text(max_length=20), cardinality=300)
    next_run: datetime = bt.key(bt.EpochMillis(), changes=True)

    data = bt.family("data", gc=bt.max_versions(1))
    job_id: UUID = bt.column("id", data)
    body: str = bt.column("b", data)

    due = bt.query("queue", between="next_run")


class Ticket(bt.Model, table="TICKET"):
    team: str = bt.key(bt.Text(max_length=20), cardinality=300)
    status: str = bt.key(bt.Text(max_length=10), changes=True)
    priority: int = bt.key(bt.PaddedInt(2), changes=True)

    data = bt.family("data", gc=bt.max_versions(1))
    number: str = bt.column("number", data, max_size=9)
    title: str = bt.column("title", data)

    of_team = bt.query("team", "status")


class Courier(bt.Model, table="COURIER"):
    """A courier who is on the road."""

    region: str = bt.key(bt.Text(max_length=20), cardinality=300)
    cell: str = bt.key(bt.Text(max_length=12), changes=True)

    data = bt.family("data", gc=bt.max_versions(1))
    bags: str = bt.column("bags", data)

    around = bt.query("region", between="cell")


def key_and_second(model: ModelSchema) -> list[str]:
    return [made.key.shape for made in found(model, "KEY021")[0].models]


@pytest.mark.parametrize(
    ("model", "keys"),
    [
        (Player, ["{game}#{player_id}", "{game}#{nickname}"]),
        (Job, ["{queue}#{job_id}", "{queue}#{next_run}#{job_id}"]),
        (Ticket, ["{team}#{number}", "{team}#{status}#{priority}#{number}"]),
        (Courier, ["{region}#{id}", "{region}#{cell}\\x00{id}"]),
    ],
)
def test_rows_keep_a_key_each(model: type[bt.Model], keys: list[str]) -> None:
    """The id that a row has is taken before a new one; both tables tell as many rows apart as the first did."""
    assert key_and_second(bt.schema_of(model)) == keys


def test_the_id_that_a_row_has_leaves_its_column() -> None:
    """In the table it is a field of the key; the second table, which finds one row, has it in a cell."""
    first, second = found(bt.schema_of(Player), "KEY021")[0].models
    assert "player_id" not in [column.name for column in first.columns]
    assert "player_id" in [column.name for column in second.columns]
    first, second = found(bt.schema_of(Job), "KEY021")[0].models
    assert "job_id" not in [column.name for column in (*first.columns, *second.columns)]


def test_the_fix_says_how_the_second_table_sorts_what_it_reads_a_range_of() -> None:
    """A text in front of an id sorts by its values only if nothing that follows it comes into their order."""
    (one,) = found(bt.schema_of(Courier), "KEY021")
    assert 'with `cell` ended by a NUL, `ends="\\0"`' in one.fix


@pytest.mark.parametrize(
    ("name", "doc", "field", "expected"),
    [
        ("Customer", "", "customer", True),
        ("Customer", "", "customer_id", True),
        ("Customer", "", "id", True),
        ("MachineState", "", "machine", True),
        ("Seat", "A passenger with a seat.", "passenger", True),
        ("Ticket", "", "team", False),
        ("TicketOfTeam", "", "team", False),
        ("Driver", "A driver of a region.", "region", False),
    ],
)
def test_what_is_left_may_name_the_row(name: str, doc: str, field: str, expected: bool) -> None:
    """Then a row needs no id: a customer has one tier at a time."""
    model = evolve(bt.schema_of(Player), name=name, doc=doc, columns=bt.schema_of(Player).columns[1:])
    moving = "state" if name.endswith("State") else "seat" if name == "Seat" else "tier"
    fields: list[Any] = [evolve(model.key.fields[0], name=field), evolve(model.key.fields[1], name=moving)]
    model = evolve(model, key=evolve(model.key, fields=tuple(fields)), queries=())
    assert key_and_second(model) == [f"{{{field}}}" if expected else f"{{{field}}}#{{id}}"]


class Flight(bt.Model, table="FLIGHT"):
    airport: str = bt.key(bt.Text(width=3), cardinality=4_000)
    departure: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"), changes=True)
    flight_no: str = bt.key(bt.Text(max_length=7), cardinality=90_000)

    data = bt.family("data", gc=bt.max_versions(1))
    gate: str = bt.column("g", data)

    departures = bt.query("airport", between="departure")


@pytest.mark.parametrize(
    ("model", "last", "kept"),
    [
        ("Flight", "flight_no", "{airport}#{flight_no}#{id}"),  # there is one of each number a day
        ("TrainRun", "train", "{airport}#{train}#{id}"),
        ("Job", "job", "{airport}#{job}"),
        ("Order", "order_id", "{airport}#{order_id}"),
    ],
)
def test_what_comes_again_needs_more_than_its_name(model: str, last: str, kept: str) -> None:
    """The time that tells its days apart may be put off; what is there once is found by its own id."""
    schema = evolve(bt.schema_of(Flight), name=model)
    *front, behind = schema.key.fields
    schema = evolve(schema, key=evolve(schema.key, fields=(*front, evolve(behind, name=last))))
    assert key_and_second(schema)[0] == kept


class Sample(bt.Model, table="SAMPLE"):
    """A sample of blood. A sample moves from one freezer to another."""

    freezer: str = bt.key(bt.Text(max_length=10), cardinality=90)
    shelf: str = bt.key(bt.Text(max_length=4))
    barcode: str = bt.key(bt.Text(max_length=10), cardinality=9_000_000)

    data = bt.family("data", gc=bt.max_versions(1))
    notes: str = bt.column("n", data)

    of_shelf = bt.query("freezer", "shelf")


@pytest.mark.parametrize(
    ("name", "codec", "kept"),
    [
        ("shelf", bt.Text(max_length=4), "{barcode}"),
        ("tray_number", bt.PaddedInt(3), "{barcode}"),
        ("donor", bt.HexDigest(12), "{donor}#{barcode}"),
    ],
)
def test_a_place_within_what_changes_changes_too(name: str, codec: Any, kept: str) -> None:
    """In another freezer, a sample is on another shelf; it is of the same donor."""
    model = bt.schema_of(Sample)
    first, within, last = model.key.fields
    fields = (first, evolve(within, name=name, codec=codec), last)
    assert key_and_second(evolve(model, key=evolve(model.key, fields=fields), queries=()))[0] == kept


class Lap(bt.Model, table="LAP"):
    """A lap of a rider in a race."""

    race: str = bt.key(bt.HexDigest(8))
    rider: str = bt.key(bt.Text(max_length=10), cardinality=90_000)
    lap: int = bt.key(bt.PaddedInt(3))

    data = bt.family("data", gc=bt.max_versions(1))
    seconds: int = bt.column("s", data)

    of_rider = bt.query("race", "rider")


class Bet(bt.Model, table="BET"):
    """A bet on a game. The odds change until the game begins; a bet keeps the odds at which it was made."""

    game: str = bt.key(bt.HexDigest(8), cardinality=90_000)
    odds: str = bt.key(bt.Text(width=5))
    bet: str = bt.key(bt.HexDigest(16))

    data = bt.family("data", gc=bt.max_versions(1))
    stake: int = bt.column("s", data)

    of_game = bt.query("game")


@pytest.mark.parametrize("model", [Lap, Bet])
def test_what_a_row_keeps_does_not_move_it(model: type[bt.Model]) -> None:
    """A short number counts within what stands in front of it; and a copy of what changes elsewhere stays."""
    assert found(bt.schema_of(model), "KEY021") == []


class Booking(bt.Model, table="BOOKING"):
    hotel: str = bt.key(bt.HexDigest(8), cardinality=90_000)
    arrival: datetime = bt.key(bt.TimeText("%Y%m%d"))
    booking: str = bt.key(bt.HexDigest(16))

    data = bt.family("data", gc=bt.max_versions(1))
    guests: int = bt.column("g", data)

    arriving = bt.query("hotel", between="arrival")


@pytest.mark.parametrize(
    ("said", "moves"),
    [
        ("Guests may move a booking to other dates.", True),
        ("A booking can be moved to another day.", True),
        ("A booking may be cancelled, or moved to another date.", True),
        ("A booking is shifted to the next week if the hotel is full.", True),
        ("A booking is never moved to another day.", False),
        ("A guest moves to another hotel.", False),
        ("Rooms are moved to other dates of the cleaning plan.", False),
        ("A booking stays as it is; nobody moves it to another day.", False),
    ],
)
def test_what_is_moved_to_another_day_moves_its_row(said: str, moves: bool) -> None:
    """The day in the key is its only time."""
    told = found(evolve(bt.schema_of(Booking), doc=f"A booking. {said}"), "KEY021")
    assert [one.field for one in told] == ["arrival"] * moves
