"""What is guessed of the worked examples, from the few values that they write, next to what they declare."""

from collections.abc import Iterable, Iterator

import pytest

import btmodel as bt
from btmodel import emulator
from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.guess import TableGuess, TableSample, guess_table, sampled
from btmodel.migrate import bring
from btmodel.schema import ModelSchema, tables
from btmodel.schema.layout import codec_parts, codec_text
from examples.worked import EXAMPLES

# Of each table the key, and how many of the cells that are declared are guessed with the same codec. The
# names of key fields are made up; where they come from a cell that repeats them, they are its name.
GUESSED = {
    "GARDEN_BY_DAY": ("{name}#{day}", "1 of 1"),
    "GARDEN_BY_MONTH": ("{name}#{day}", "0 of 1"),
    "STOCK": ("{name}", "1 of 1"),
    "STOCK_BY_DAY": ("{name}#{day}", "1 of 1"),
    "GAME_BY_DAY": ("{name}#{day}#{name_2}", "2 of 2"),
    "GAME_BY_PLAYER": ("{name}#{name_2}#{day}", "2 of 2"),
    "GAME_FIRST_TRY": ("{name}#{day}", "3 of 3"),
    "BATTERY": ("{name}#{name_2}#{time}", "1 of 1"),
    "BATTERY_SALTED": ("{name}#{number}#{time}", "2 of 2"),
    "QUOTE": ("{exchange}#{symbol}#{quotetime}", "7 of 7"),
    "TRADE": ("{name}#{name_2}#{time}", "5 of 6"),
    "CURRENT_METRIC": ("{name}", "0 of 1"),
    "METRIC": ("{name}#{time}", "0 of 1"),
    "METRIC_FIRST_TRY": ("{name}#{time}", "1 of 2"),
    "SENSOR": ("{id_}#{day}", "2 of 2"),
    "balloon_events": ("{name}#{number}#{name_2}", "0 of 1"),
    "balloon_minutes": ("{name}#{number}#{time}", "0 of 1"),
    "balloon_pressure": ("{name}#{number}#{name_2}#{name_3}", "0 of 1"),
    "balloon_readings": ("{name}#{number}#{time}", "4 of 4"),
    "balloon_weeks": ("{name}#{number}#{name_2}", "2 of 4"),
    "devices": ("{name}#{name_2}#{day}", "1 of 1"),
    "machines": ("{name}#{time}", "1 of 2"),
    "memory_use": ("{name}#{name_2}#{time}", "1 of 1"),
    "processes": ("{name}#{number}", "6 of 7"),
    "cities": ("{name}#{name_2}#{name_3}", "1 of 1"),
    "sites": ("{domain}", "1 of 1"),
    "friendships": ("{name}#{number}", "2 of 2"),
    "people": ("{name}", "0 of 1"),
    "tenants": ("{name}#{name_2}#{name_3}#{day}", "1 of 1"),
    "logins": ("{number}#{time}", "1 of 1"),
    "users": ("{number}", "1 of 1"),
    "sales": ("{name}#{name_2}", "2 of 2"),
    "settings": ("{name}", "3 of 3"),
    "activity": ("{name_2}#{time}", "4 of 5"),
    "accounts": ("{name}#{name_2}#{name_3}", "2 of 2"),
    "sessions": ("{name}#{name_2}", "2 of 2"),
    "articles": ("{name_2}", "1 of 2"),
    "files": ("{name}#{path}", "1 of 1"),
    "pages": ("{name}#{name_2?}", "1 of 1"),
}


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    """A server of our own."""
    running = local_server.start()
    yield running.host
    running.stop()


def bare(codec: object) -> str:
    """A codec without what it states of the inside of documents, which nobody guesses."""
    return codec_parts(codec_text(codec)).bare


def cells(models: Iterable[ModelSchema]) -> dict[str, str]:
    """Each cell of some models, with its shape and codec."""
    found: dict[str, str] = {}
    for model in models:
        found |= {one.cell: f"{one.shape.name} {bare(one.codec)}" for one in model.columns}
        for mirror in (part.mirror for part in model.key.fields if part.mirror):
            found[f"{mirror.family}:{mirror.qualifier.decode()}"] = f"VALUE {bare(mirror.codec)}"
    return found


def told(guess: TableGuess, declared: Iterable[ModelSchema]) -> tuple[str, str]:
    """The keys of a guess, and how many cells it has right."""
    models = [one.schema for one in guess.models]
    wanted, got = cells(declared), cells(models)
    right = sum(wanted[name] == got.get(name) for name in wanted)
    return " ".join(model.key.shape for model in models), f"{right} of {len(wanted)}"


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_worked_example(name: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are taken apart as they were put together, and most cells have the codec that wrote them."""
    example, instance = EXAMPLES[name], f"projects/test/instances/guessed-{name}"
    schemas = [bt.schema_of(model) for model in example.models]
    monkeypatch.setenv(emulator.VARIABLE, host)
    with Admin(Target(instance, host)) as admin:
        bring(admin, tables(schemas))
        live = admin.read_tables()
    with bt.connect(instance) as db:
        example.write(db)
        rows = {table.id: sampled(db.cells(table.id)) for table in live}
    for table in live:
        guess = guess_table(TableSample(table, rows[table.id], whole=True, said=""))
        declared = [schema for schema in schemas if schema.table == table.id]
        assert told(guess, declared) == GUESSED[table.id]
