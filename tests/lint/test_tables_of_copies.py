"""KEY021 on a table that has the rows of another one already: its dual writes have to own it, and a third table helps nobody."""

from enum import StrEnum
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import HexDigest, Text
from btmodel.lint import Finding, review, review_all
from btmodel.schema import KeyField, ModelSchema


class State(StrEnum):
    OPEN = "open"
    DONE = "done"


class Ticket(bt.Model, table="TICKET"):
    """A ticket."""

    ticket: str = bt.key(bt.HexDigest(8), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    state: State = bt.column("state", d)
    title: str = bt.column("title", d)


class TicketInState(bt.Model, table="TICKET_IN_STATE"):
    """The tickets in a state."""

    state: State = bt.key(bt.EnumText(State))
    ticket: str = bt.key(bt.HexDigest(8), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    title: str = bt.column("title", d)

    in_state = bt.query("state")


def changing(*models: ModelSchema) -> list[Finding]:
    found = review(*models) if not models[1:] else review_all(models)
    return [one for one in found if one.rule == "KEY021"]


OWNED = (
    "declare that their dual writes own these rows, `bt.twins(Ticket, TicketInState, owned=True)`, and change rows by `replace`, "
    "which deletes the old row here and writes the new one"
)


def test_a_table_of_copies_is_to_be_owned() -> None:
    """Its first table has the rows by an id that stays; so it gets no third one."""
    source, copy = bt.schema_of(Ticket), bt.schema_of(TicketInState)
    (finding,) = changing(source, copy)
    assert finding.model == "TicketInState"
    assert finding.fix == f"{OWNED}; or, if a row never changes it, declare `changes=False`"
    (made,) = finding.models
    assert made.owned
    assert changing(source, made) == []
    # Alone, nothing says that there is another table.
    (alone,) = changing(copy)
    assert "keep `{state}#{ticket}` as a second table" in alone.fix


def test_declared_twins_are_named_as_they_are_declared() -> None:
    """A declaration without `owned=True` is said with it, whatever the tables are called, and with the function that it has."""
    declared = "bt.twins(Ticket, (Board, on_board), owned=True)"
    board = evolve(bt.schema_of(TicketInState), name="Board", table="BOARD", twins=declared)
    for found in (changing(board), changing(bt.schema_of(Ticket), board)):
        (finding,) = found
        assert finding.fix.startswith(f"declare that their dual writes own these rows, `{declared}`, and")
        assert [made.owned for made in finding.models] == [True]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"key": 0}, "its key lacks the id"),
        ({"columns": 1}, "it has what the other one lacks"),
    ],
)
def test_a_table_of_other_rows_is_no_copy(changes: dict[str, int], why: str) -> None:
    """What is no copy keeps its fix."""
    source, copy = bt.schema_of(Ticket), bt.schema_of(TicketInState)
    parts: dict[str, Any] = {}
    if "key" in changes:
        fields = (copy.key.fields[0], KeyField("agent", HexDigest(8), 1_000))
        parts["key"] = evolve(copy.key, fields=fields)
    else:
        parts["columns"] = tuple(evolve(one, name=f"{one.name}_then") for one in copy.columns)
    (finding,) = changing(source, evolve(copy, **parts))
    assert "own these rows" not in finding.fix, why


def test_the_first_table_keeps_its_fix() -> None:
    """A table by what changes, without another one by an id, has to be changed itself."""
    source = evolve(bt.schema_of(TicketInState), name="Case", table="CASE")
    other = evolve(bt.schema_of(Ticket), key=evolve(source.key, fields=(KeyField("case", Text(width=9), 9),)))
    (finding,) = changing(source, other)
    assert "own these rows" not in finding.fix


def test_a_table_whose_rows_exist_is_not_written_again() -> None:
    """A declaration costs nothing, so the finding stays what it is."""
    copy = evolve(bt.schema_of(TicketInState), existing=True)
    (finding,) = changing(evolve(bt.schema_of(Ticket), existing=True), copy)
    assert finding.fix.startswith(OWNED)
    assert finding.cost is None
