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
