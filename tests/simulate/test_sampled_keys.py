"""Keys of a table that is there, in the place of made-up ones."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.cli.simulation.run import sampled_keys
from btmodel.errors import MissingTable, SettingsError, SimulationRefused
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.workload import Stated
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, Trade, made_up_quotes

QUOTE = bt.schema_of(Quote)


def test_keys_are_sampled_from_the_table(migrated: Callable[..., str]) -> None:
    """What comes is what is there, as far as it is not too much."""
    instance = migrated(Quote)
    with bt.connect(instance) as db:
        QuoteRepository(db).put_many(made_up_quotes(400))
    told: list[str] = []
    keys = sampled_keys(instance, QUOTE, told.append)
    assert len(keys) == 400
    assert {key[:12] for key in keys} == {b"NASDAQ#ZXZZT", b"NYSE  #IBM  "}
    assert told == []
    assert len(sampled_keys(instance, QUOTE, told.append, most=80)) <= 80
    evolve(workload_of(QUOTE, Stated(history=timedelta(days=1))), keys=keys)


def test_rows_of_others_are_left_out_and_told(migrated: Callable[..., str]) -> None:
    """A table may hold rows of several models, or of none."""
    instance = migrated(Quote)
    with bt.connect(instance) as db:
        QuoteRepository(db).put_many(made_up_quotes(3))
        strange = bt.mutation_of(next(made_up_quotes(1)))
        db.write(evolve(strange, key=b"something else"))
    told: list[str] = []
    assert len(sampled_keys(instance, QUOTE, told.append)) == 3
    assert told == ["1 of 4 sampled rows do not fit Quote and were left out"]


def test_an_empty_table_has_nothing_to_simulate(migrated: Callable[..., str]) -> None:
    """Nothing is made up in its place."""
    with pytest.raises(SimulationRefused, match="expected rows of Quote, got none"):
        sampled_keys(migrated(Quote), QUOTE, print)


def test_a_table_that_is_not_there_is_named(migrated: Callable[..., str]) -> None:
    """As is an instance that is none."""
    with pytest.raises(MissingTable, match="QUOTE"):
        sampled_keys(migrated(Trade), QUOTE, print)
    with pytest.raises(SettingsError):
        sampled_keys("nowhere", QUOTE, print)
