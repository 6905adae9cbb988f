"""Numbers by which a write decides: no fix makes a counter of one, which refuses no addition."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level, review
from btmodel.schema import Column, Expected, ModelSchema, Rate, Shape
from tests.lint.parts import found


class Number(bt.Model, table="NUMBER", events="90/s"):
    """A number."""

    thing: str = bt.key(bt.HexDigest(12), cardinality=8_000_000)

    n = bt.family("n", gc=bt.max_versions(1))
    number: int = bt.column("n", n, increments="5/min")
    label: str = bt.column("l", n, size=20)

    of_thing = bt.query("thing")


def called(name: str, doc: str, often: str = "5/min") -> ModelSchema:
    """A number of such a name, to which so much is added."""
    model = bt.schema_of(Number)
    number, label = model.columns
    expected = Expected(increments=Rate.parse(often))
    return evolve(model, doc=doc, columns=(evolve(number, name=name, expected=expected), label))


def counting(model: ModelSchema) -> list[Column]:
    """The counters of all models that findings lead to."""
    made = (each for finding in review(model) for each in finding.models)
    return [
        column for each in made for column in each.columns if column.shape in (Shape.COUNTER, Shape.COUNTS)
    ]


DECIDED = [
    ("balance", "A purse. Its balance must not go below zero."),
    ("balance", "A purse. The balance is never negative."),
    ("balance", "A purse. A payment is declined if the balance is too low."),
    ("balance", "An account, which cannot be overdrawn."),
    ("balance", "What is on a card. A purchase is accepted only when the balance covers it."),
    ("stock", "An article of a shop. Stock must not be oversold."),
    ("stock", "An article of a shop. Its stock may never drop below 0, so an order is refused where there is not enough."),
    ("packs", "An article. We prevent overselling of packs."),
    ("free", "A train; no seat is sold twice."),
    ("seats", "A show. A booking succeeds only if seats are left."),
    ("taken", "A course. No more than its capacity may be taken: a student is turned away when it is full."),
    ("highest", "An auction. A bid must be higher than the current one."),
    ("bid", "An auction: only a higher bid replaces the one that stands."),
    ("used", "A plan. Calls used must not exceed the quota; a call is rejected once it is used up."),
    ("counter", "A document. Writers use optimistic locking by the counter."),
    ("last", "A branch, which hands out the next number of an invoice, without gaps."),
    ("balance", "A purse.\n\nBalance: never below zero"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "doc"), DECIDED)
def test_no_counter_is_proposed_of_a_number_that_decides(name: str, doc: str) -> None:
    """It is written under a condition; where that is not said, the rule asks for it."""
    model = called(name, doc)
    for each in found(model, "COL006"):
        assert each.level is Level.INFO
        assert "by `put_if`" in each.fix
        assert not each.models
    assert counting(model) == []


@pytest.mark.parametrize("name", ["version", "row_version", "revision", "seats_left", "remaining_units"])
def test_some_names_say_so_alone(name: str) -> None:
    """What is compared, or left to be given out."""
    assert found(called(name, "A thing."), "COL006") == []


@pytest.mark.parametrize(
    ("name", "doc"),
    [
        ("visits", "A page."),
        ("balance", "A purse."),
        ("balance", "A purse. Its balance may well go below zero."),
        ("balance", "A purse. A payment is never refused, however low the balance is."),
        ("visits", "A page, whose visits are shown in tens below the title."),
        ("visits", "A page. The label must not be negative about others, and no visits are lost."),
        ("likes", "A post. A comment is refused if its author is too young; see the table of authors."),
        ("likes", "A post. No row is read twice."),
        ("views_left_column", "A page."),
        ("bids", "An auction. How many bids there are."),
        ("conversions", "A campaign."),
        ("visits", "A page. Temperatures never fall below zero in another table."),
        ("calls", "Calls of an API; nobody needs more than the sum."),
        ("visits", "A page, with more visits than the last one."),
        ("packs", "How many packs there are, in good condition."),
    ],
)
def test_what_is_only_added_up_may_be_a_counter(name: str, doc: str) -> None:
    """The look-alikes: what may go below, what speaks of something else, and names that only begin so."""
    (told,) = found(called(name, doc), "COL006")
    assert told.models


def test_of_two_numbers_the_one_that_is_named_decides() -> None:
    """The other one is a counter in the fix."""
    model = called("balance", "A purse. Its balance must not go below zero.")
    balance, label = model.columns
    visits = evolve(balance, name="visits", qualifier=b"v")
    told = found(evolve(model, columns=(balance, visits, label)), "COL006")
    assert [(each.field, bool(each.models)) for each in told] == [("balance", False), ("visits", True)]


def test_other_rules_make_no_counter_of_it_either() -> None:
    """Neither of one that is added to very often, nor of one that a program reads and puts, nor of one of a month."""
    hot = called("balance", "A purse. Its balance must not go below zero.", "300/s")
    (told,) = found(hot, "KEY013")
    assert "each write decides by `balance`" in told.fix
    assert counting(hot) == []
    plain = called("balance", "A program reads the balance, decreases it and puts it. It is never negative.")
    number, label = plain.columns
    put = evolve(plain, columns=(evolve(number, expected=Expected()), label))
    (told,) = found(put, "COL009")
    assert "`put_if`" in told.fix
    assert counting(put) == []
    month = called("calls_this_month", "Calls, of which the number must not exceed the quota.")
    assert counting(month) == []
