"""Declared rates that are far lower than what their writers come to, by the description or by the slots of rows."""

from datetime import date
from decimal import Decimal

import pytest
from attrs import evolve
from paces_in_words import HARMLESS, TOO_LOW, Meter

import btmodel as bt
from btmodel.lint import Level
from btmodel.schema import ModelSchema, Rate
from tests.lint.parts import found


def said(model: type, sentence: str) -> ModelSchema:
    """The model with a sentence behind its description."""
    schema = bt.schema_of(model)
    return evolve(schema, doc=f"{schema.doc}\n\n{sentence}")


@pytest.mark.parametrize("model", TOO_LOW, ids=lambda model: model.__name__)
def test_a_rate_far_below_what_all_send_is_a_contradiction(model: type) -> None:
    """As a warning, as not all of them may be there at a time."""
    assert found(bt.schema_of(model), "FIG002") == []
    for sentence in TOO_LOW[model]:
        levels = [one.level for one in found(said(model, sentence), "FIG002")]
        assert levels == [Level.WARNING], sentence


@pytest.mark.parametrize("model", HARMLESS, ids=lambda model: model.__name__)
def test_other_paces_say_nothing_of_the_rate(model: type) -> None:
    """Those of readers, of some, of a while, and of what is done to the things."""
    heard = [sentence for sentence in HARMLESS[model] if found(said(model, sentence), "FIG002")]
    assert heard == []


def test_the_message_has_both_rates_and_what_may_be_wrong() -> None:
    """With the number of values for which the declared rate would be true."""
    (told,) = found(said(Meter, "Each meter sends a value every 15 minutes."), "FIG002")
    assert "11/s are declared for the table, and 2,000,000 values of `meter` come to 2,200/s" in told.message
    assert "by the description ('Each meter sends a value every 15 minutes')" in told.message
    assert "the cardinality of `meter`, for about 9,900 at a time" in told.fix


def test_a_tenth_may_be_there_at_a_time() -> None:
    """More is no contradiction: some things are switched off, or gone."""
    meter = said(Meter, "Each meter sends a value every 15 minutes.")
    assert found(evolve(meter, events=Rate(222.0)), "FIG002")
    assert found(evolve(meter, events=Rate(223.0)), "FIG002") == []
    assert found(evolve(meter, events=None), "FIG002") == []


def test_the_slots_of_a_row_say_how_often_it_is_written() -> None:
    """Without a word of the description."""

    class Day(bt.Model, table="day", bucket="day", events="20/s"):
        meter: str = bt.key(bt.Text(width=8), cardinality=2_000_000)
        day: date = bt.key(bt.DateText())
        r = bt.family("r", gc=bt.max_age(days=400))
        power: bt.Slots[Decimal] = bt.slots(r, every="15min", qualifier="%H%M")
        of_meter = bt.query("meter", between="day")

    (told,) = found(bt.schema_of(Day), "FIG002")
    assert "as `power` has a slot every 15min" in told.message
    assert found(evolve(bt.schema_of(Day), events=Rate(300.0)), "FIG002") == []
