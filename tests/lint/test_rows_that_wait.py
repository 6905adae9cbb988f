"""The rule on queries that read too much: rows that wait for what is done to all in the end."""

from datetime import date, datetime
from enum import StrEnum

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.design.second_tables import second_model
from btmodel.lint import Finding, Level, review
from btmodel.schema import GcRule
from tests.lint.parts import found


class Order(bt.Model, table="orders", events="45000/day"):
    """An order of a practice."""

    lab: str = bt.key(bt.Text(width=4), cardinality=75)
    order: str = bt.key(bt.HexDigest(12), cardinality=70_000_000)

    o = bt.family("o", gc=bt.max_versions(1))
    work: str = bt.column("work", o, size=20, max_size=200)
    due: date = bt.column("due", o)
    shipped: datetime | None = bt.column("shipped", o, default=None)

    board = bt.query("lab", where=["due", "shipped"])
    one = bt.query("lab", "order")


def orders(name: str = "shipped", many: int = 70_000_000, gc: GcRule | None = None) -> list[Finding]:
    """What the rule finds on orders, of which a column is called so, and of which there are so many."""
    model = bt.schema_of(Order)
    lab, order = model.key.fields
    (family,) = model.families
    return found(
        evolve(
            model,
            key=evolve(model.key, fields=(lab, evolve(order, cardinality=many))),
            families=(evolve(family, gc=gc or family.gc),),
            columns=(*model.columns[:-1], evolve(model.columns[-1], name=name)),
            queries=(evolve(model.queries[0], where=("due", name)), model.queries[1]),
        ),
        "QRY005",
    )


def test_rows_that_wait_for_their_end_are_kept_alone() -> None:
    """By an index of those without the column, in the order of what else is picked by; or in a second table."""
    (finding,) = orders()
    assert finding.level is Level.WARNING
    assert "of about 933,333 rows, of which those that lack `shipped`" in finding.message
    first, second = finding.fix.split("; or, ")
    assert 'where={"shipped": bt.absent()})` with the key `{lab}#{due}#{order}`' in first
    assert first.endswith('which serves `bt.query("lab", between="due")`')
    assert "whose key `{lab}#{due}#{order}` serves" in second
    assert "delete a row there when it gets `shipped`" in second


@pytest.mark.parametrize(
    ("name", "many", "gc", "level"),
    [
        ("closed_at", 70_000_000, None, Level.WARNING),
        ("note", 70_000_000, None, Level.INFO),
        ("archived", 70_000_000, None, Level.INFO),  # which few are
        ("shipped", 7_000_000, None, Level.INFO),  # 93,333 rows of a lab
        ("shipped", 70_000_000, bt.max_age(days=90), Level.INFO),  # the others go
    ],
)
def test_few_rows_wait_among_many_that_stay(name: str, many: int, gc: GcRule | None, level: Level) -> None:
    """Only of a name that says so, in a table that keeps all."""
    assert [each.level for each in orders(name, many, gc)] == [level]


def test_a_table_of_rows_without_what_they_may_lack_has_no_place_for_it() -> None:
    """It keeps the order by what they have."""
    (finding,) = orders("note")
    assert "keep them alone in a table with the key `{lab}#{due}#{order}`" in finding.fix


def test_a_time_that_moves_on_belongs_to_no_key() -> None:
    """A card is due again after each answer."""
    model = evolve(bt.schema_of(Order), events=None)
    (finding,) = found(evolve(model, queries=(evolve(model.queries[0], where=("due",)),)), "QRY005")
    assert "if a row never changes it" not in finding.fix
    assert "when `due` changes, replace rows by `bt.twins(Order, OrderBoard, owned=True)`" in finding.fix


class State(StrEnum):
    """What a ticket goes through."""

    OPEN = "open"
    COOKING = "cooking"
    SERVED = "served"


class Ticket(bt.Model, table="ticket", events="900/s"):
    """A ticket of a kitchen."""

    restaurant: str = bt.key(bt.HexDigest(16), cardinality=8_000)
    ordered: datetime = bt.key(bt.EpochMillis(round=True))
    number: str = bt.key(bt.HexDigest(32), cardinality=1_000_000_000)

    t = bt.family("t", gc=bt.max_versions(1) | bt.max_age(days=730))
    state: State = bt.column("state", t)
    dish: str = bt.column("dish", t, size=20, max_size=80)

    not_served = bt.query("restaurant", where=["state"])


def test_a_state_that_rows_leave_is_found_by_rows_that_move() -> None:
    """By an index, whose rows the service moves, or by an owned twin, whose old row `replace` deletes; or only recent rows are read."""
    (finding,) = found(bt.schema_of(Ticket), "QRY005")
    assert finding.level is Level.WARNING
    assert "1 in 3 of the rows that it reads if the values of `state` are alike in number, and far fewer" in (
        finding.message
    )
    index, table, recent = finding.fix.split("; or, ")
    assert index.startswith("if the query may be behind the table for a while, let the service keep it: ")
    assert index.endswith("; it moves a row when `state` changes")
    assert table.startswith("if the query may not be behind the table, write a second table")
    assert "when `state` changes, replace rows by `bt.twins(Ticket, TicketNotServed, owned=True)`" in table
    assert '`bt.query("restaurant", between="ordered", span="1h")`: it reads about 405 rows' in recent


@pytest.mark.parametrize("model", [Ticket, Order])
def test_the_table_of_a_state_raises_nothing_as_an_owned_twin(model: type[bt.Model]) -> None:
    """The rule on fields that change sees the type of the state in its key, so a table without twins raises it."""
    schema = bt.schema_of(model)
    column = next(one for one in bt.schema_of(Ticket).columns if one.name == "state")
    columns = (
        *(one for one in schema.columns if one.name != "state"),
        evolve(column, family=schema.families[0].id),
    )
    query = evolve(schema.queries[0], name="of_state", where=("state",))
    schema = evolve(schema, columns=columns, queries=(*schema.queries[1:], query))
    made = second_model(schema, evolve(query, equal=(*query.equal, "state"), where=()))
    assert made.owned
    assert [each.rule for each in review(made) if each.level is not Level.INFO] == []
    assert "KEY021" in [each.rule for each in review(evolve(made, owned=False))]


class Claim(bt.Model, table="claim", events="40/s"):
    """A claim of an insurer."""

    insurer: str = bt.key(bt.Text(max_length=12), cardinality=70)
    claim: str = bt.key(bt.HexDigest(10), cardinality=200_000_000)

    c = bt.family("c", gc=bt.max_versions(1))
    waits: bool = bt.column("w", c)
    cents: int = bt.column("a", c)

    work_list = bt.query("insurer", where=["waits"])


def test_rows_of_which_something_is_true_have_an_index_of_their_own() -> None:
    """It holds the few that are asked for, and the service moves them; what may lack the value, or has another one, is in a second table."""
    (finding,) = found(bt.schema_of(Claim), "QRY005")
    assert finding.fix.startswith(
        "if the rows are asked for of which `waits` is true, let the service keep those alone: "
    )
    assert 'where={"waits": True})` with the key `{insurer}#{claim}`' in finding.fix
    assert "such as `cents: int = bt.covered()`" in finding.fix
    assert "; or write a second table, whose key `{insurer}#{waits}#{claim}`" in finding.fix
    (_, index) = finding.models
    assert index.view is not None
    assert index.key.shape == "{insurer}#{claim}"
    columns = tuple(evolve(one, required=one.name != "waits") for one in bt.schema_of(Claim).columns)
    (finding,) = found(evolve(bt.schema_of(Claim), columns=columns), "QRY005")
    assert '"waits": True' not in finding.fix


@pytest.mark.parametrize(("more", "found_there"), [((), False), (("title",), True), (("study_uid",), False)])
def test_what_has_nothing_but_large_cells_is_no_list(more: tuple[str, ...], found_there: bool) -> None:
    """What the key is made of is known already to whoever asks."""
    scan = bt.schema_of(Scan)
    columns = tuple(one for one in scan.columns if one.name in ("jpeg", *more))
    assert (found(evolve(scan, columns=columns), "QRY005") != []) is found_there


class Scan(bt.Model, table="scan", events="30/s"):
    """A slice, as the viewer shows it."""

    study = bt.digest("study_uid", size=12)
    series: int = bt.key(bt.PaddedInt(3), cardinality=40)
    slice: int = bt.key(bt.PaddedInt(4), cardinality=2_000)

    px = bt.family("p", gc=bt.max_age(days=10))
    study_uid: str = bt.column("uid", px, max_size=64)
    title: str = bt.column("t", px, max_size=64)
    jpeg: bytes = bt.column("j", px, size=220_000, max_size=6_000_000)

    of_series = bt.query("study_uid", "series")
