"""The generated classes of twins, executed against real servers."""

import asyncio
from collections.abc import Callable
from datetime import date
from types import ModuleType
from typing import Any

import pytest
from btmodel_codegen import generate

import btmodel as bt
from btmodel.declare import twins_in
from examples.games import DayScore, PlayerScore, scores
from examples.generated.day_score_repository import DayScoreRepository
from examples.generated.player_score_repository import PlayerScoreRepository
from examples.generated.scores_twins import AsyncScoresTwins, ScoresTwins

Open = Callable[..., bt.Database]
ROWS = list(scores())


class Person(bt.Model, table="region_person"):
    """A person, by number."""

    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    name: str = bt.column("name", d)


class OfRegion(bt.Model, table="people_{region}"):
    """The people of one region, by name."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000, mirror="d:number")

    d = bt.family("d", gc=bt.max_versions(1))


REGIONS = bt.twins(Person, OfRegion)


def keys(db: bt.Database, table: str) -> list[bytes]:
    return [key for key, _ in db.cells(table)]


def generated() -> Any:
    """The module that is generated for ``REGIONS``."""
    texts = generate([], ["repository"], twins=twins_in([__name__]))
    module = ModuleType("regions_twins")
    exec(texts["regions_twins.py"], vars(module))
    return module


def test_a_deleted_row_leaves_no_twin_and_no_other_row(database: Open) -> None:
    """After each deletion, both tables hold the rows that are left, and no others."""
    db = database(PlayerScore, DayScore)
    both, left = ScoresTwins(db), list(ROWS)
    assert both.put_many(left) == 5
    while left:
        both.delete(left.pop(2 % len(left)))
        assert keys(db, "GAME_BY_PLAYER") == sorted(map(bt.key_of, left))
        assert [(one.game, one.player, one.day) for one in DayScoreRepository(db).of_game("LoL")] == sorted(
            [(one.game, one.player, one.day) for one in left if one.game == "LoL"], key=lambda one: one[2]
        )
    both.delete(ROWS[0])
    assert keys(db, "GAME_BY_DAY") == []


def test_many_rows_are_deleted_and_counted(database: Open) -> None:
    """As many as are given, in batches; what was written again after a deletion is there."""
    db = database(PlayerScore, DayScore)
    both = ScoresTwins(db)
    assert both.put_many(ROWS) == 5
    told: list[int] = []
    assert both.delete_many(iter(ROWS[:4]), progress=told.append) == 4
    assert told == [4]
    assert keys(db, "GAME_BY_DAY") == [b"Starcraft#20150303#Eriko"]
    assert keys(db, "GAME_BY_PLAYER") == [b"Starcraft#Eriko#20150303"]
    both.put(ROWS[0])
    assert keys(db, "GAME_BY_DAY") == [b"LoL#20150301#Corrie", b"Starcraft#20150303#Eriko"]


def test_a_row_stays_as_long_as_its_twin(database: Open) -> None:
    """Where the twins cannot be deleted, the rows are not, and the error says so for each table."""
    db = database(PlayerScore)
    PlayerScoreRepository(db).put_many(ROWS)
    for delete in (lambda: ScoresTwins(db).delete(ROWS[0]), lambda: ScoresTwins(db).delete_many(ROWS[:1])):
        with pytest.raises(bt.TwinsFailed) as failed:
            delete()
        by_day, by_player = failed.value.tables
        assert (by_day.table, by_player.table) == ("GAME_BY_DAY", "GAME_BY_PLAYER")
        assert isinstance(by_day.failures[0].cause, bt.MissingTable)
        assert isinstance(by_player.failures[0].cause, bt.TwinsFailed)
    assert len(keys(db, "GAME_BY_PLAYER")) == 5
    bt.create_tables(db, DayScore)
    ScoresTwins(db).delete(ROWS[0])
    assert len(keys(db, "GAME_BY_PLAYER")) == 4


def test_a_row_of_another_model_is_refused(database: Open) -> None:
    """Nothing is sent of what is no row of the source, by its name."""
    db = database(PlayerScore, DayScore)
    wrong: Any = DayScore(game="LoL", day=date(2015, 3, 1), player="Jo", win=True, kda=ROWS[0].kda)
    for change in (ScoresTwins(db).put, ScoresTwins(db).delete):
        with pytest.raises(bt.ValueRefused, match="ScoresTwins: expected an instance of PlayerScore"):
            change(wrong)


def test_the_asynchronous_class_does_the_same(migrated: Callable[..., str]) -> None:
    """With await, rows and their twins are written and deleted; a connection of the other kind is refused."""

    async def main() -> list[list[bytes]]:
        async with bt.connect_async(migrated(PlayerScore, DayScore)) as db:
            both = AsyncScoresTwins(db)
            await both.put(ROWS[0])
            assert await both.put_many(ROWS[1:]) == 4
            await both.delete(ROWS[0])
            assert await both.delete_many(ROWS[1:4]) == 3
            wrong: Any = db
            with pytest.raises(TypeError, match=r"ScoresTwins: expected a connection of connect\(\.\.\.\)"):
                ScoresTwins(wrong)
            return [[key async for key, _ in db.cells(table)] for table in ("GAME_BY_PLAYER", "GAME_BY_DAY")]

    assert asyncio.run(main()) == [[b"Starcraft#Eriko#20150303"], [b"Starcraft#20150303#Eriko"]]


def test_tables_that_are_named_at_run_time_are_named_by_parameters(database: Open) -> None:
    """A generated class takes the names in braces as parameters, which it needs."""
    db = database(Person)
    bt.create_tables(db, OfRegion, region="north")
    made = generated()
    people = made.RegionsTwins(db, region="north")
    people.put(Person(number=1, name="Ann"))
    assert keys(db, "people_north") == [b"Ann#000001"]
    people.delete(Person(number=1, name="Ann"))
    assert keys(db, "people_north") == keys(db, "region_person") == []
    for wrong in ({}, {"region": "north", "day": "x"}):
        with pytest.raises(TypeError, match="keyword"):
            made.RegionsTwins(db, **wrong)
