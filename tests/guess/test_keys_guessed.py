"""How keys are taken apart, and the rows of several models told from one another."""

import random
from collections.abc import Sequence

import pytest

from btmodel.codecs.key import Bytes, Constant, DateText, EpochMillis, HexDigest, Int, PaddedInt, Text
from btmodel.guess import SampledRow, TableGuess, TableSample, guess_table
from btmodel.lint import Level, review
from btmodel.rows import Cell, RowCodec
from btmodel.schema import Family, MaxVersions, Mirror, Table

FAMILY = Family("f", MaxVersions(1))
CHANCE = random.Random(7)
NAMES = ["ada", "jose", "seo-yoon", "hiroshi", "fred", "jakob", "o'neil", "gabriel", "li", "zoe"]
MANY = [f"{CHANCE.choice(NAMES)}#{1426535612156 + n * 86_400_000}" for n in range(120)]


def guessed(keys: Sequence[str | bytes], **cells: Sequence[str]) -> TableGuess:
    """The models for a table with these row keys; ``cells`` are the values of columns, one for each key."""
    columns = cells or {"c": ["x"] * len(keys)}
    rows = [
        SampledRow(
            key if isinstance(key, bytes) else key.encode(),
            tuple(Cell("f", name.encode(), 0, columns[name][at].encode()) for name in sorted(columns)),
        )
        for at, key in enumerate(keys)
    ]
    return guess_table(TableSample(Table("T", (FAMILY,)), tuple(rows), whole=True, said=""))


def shapes(guess: TableGuess) -> list[str]:
    """The keys of the models, drawn."""
    return [model.schema.key.shape for model in guess.models]


KEYS: dict[str, tuple[list[str], str]] = {
    "one delimiter": (MANY, "{name}#{time}"),
    "another": ([key.replace("#", "|") for key in MANY], "{name}|{time}"),
    "several": ([f"user:{key.replace('#', '/')}" for key in MANY], "user:{name}/{time}"),
    "a dash within names": ([f"sensor-{n}" for n in range(1, 120)], "sensor-{number}"),
    "dashes in names alone": (["new-york", "los-angeles", "san-jose"] * 10, "{name}"),
    "a date with dashes": (["2020-05-01", "2020-06-17"], "{day}"),
    "a last field that some lack": (["jo", "jo#tea", "ada#milk", "ada", "li"], "{name}#{name_2?}"),
    "paths": ([f"acme#a{'/b' * n}" for n in range(4)], "{name}#{path}"),
    "mail": (["jo@example.com#1", "ada@example.org#2"], "{mail}#{number}"),
}


@pytest.mark.parametrize("what", KEYS)
def test_delimiters(what: str) -> None:
    """Keys are taken apart where the same delimiters stand in all of them, and nowhere else."""
    keys, shape = KEYS[what]
    assert shapes(guessed(keys)) == [shape]


def test_several_models_by_their_first_part() -> None:
    """A word in front of keys that differ in shape tells the rows of several models apart."""
    users = [f"user#{name}" for name in NAMES]
    orders = [f"order#{name}#{n:06}" for n, name in enumerate(NAMES)]
    guess = guessed(sorted([*users, *orders]))
    assert shapes(guess) == ["order#{name}#{number}", "user#{name}"]
    assert [model.schema.name for model in guess.models] == ["TOrder", "TUser"]
    assert [model.schema.key.fields[0].codec for model in guess.models] == [
        Constant("order"),
        Constant("user"),
    ]
    assert guess.models[0].description == "whose keys begin with 'order'"


def test_a_few_values_are_no_models() -> None:
    """Of rows that look alike and have the same cells, a first part of few values is a field."""
    guess = guessed(sorted(f"{side}#{name}" for side in ("buy", "sell") for name in NAMES))
    assert shapes(guess) == ["{name}#{name_2}"]
    assert guess.models[0].schema.key.fields[0].cardinality == 2


def test_several_models_by_the_number_of_parts() -> None:
    """Where nothing else tells, keys of two parts and of four are of two models."""
    short = [f"{name}#{n}" for n, name in enumerate(NAMES)]
    long = [f"{name}#{n}#x{n}#2020050{n % 9 + 1}" for n, name in enumerate(NAMES)]
    guess = guessed(sorted([*short, *long]))
    assert shapes(guess) == ["{name}#{number}", "{name}#{number}#{name_2}#{day}"]
    assert [model.description for model in guess.models] == [
        "whose keys have 2 parts",
        "whose keys have 4 parts",
    ]


def test_binary_keys() -> None:
    """Keys that are no text are bytes: of one width, or of any."""
    fixed = [CHANCE.randbytes(12) for _ in range(30)]
    assert guessed(fixed).models[0].schema.key.fields[0].codec == Bytes(width=12)
    assert isinstance(guessed([b"\xff", b"\xfe\0"]).models[0].schema.key.fields[0].codec, Bytes)


def test_keys_that_hold_every_delimiter() -> None:
    """Text in which the usual delimiter stands in some keys alone is still read."""
    guess = guessed(["a#b", "c", "d#e#f", "g##"])
    assert len(guess.models) == 1
    assert isinstance(guess.models[0].schema.key.fields[-1].codec, Text)


FEW: dict[str, tuple[list[str], list[str]]] = {
    "one digit": (["7#a", "8#b"], ["10#b", "1234567#b"]),
    "names": (["jo#tea", "li#milk"], ["bartholomew-montgomery-the-third#earl grey, with lemon and honey"]),
    "what stands in text as well": (["a/b:c", "d/e:f"], ["d", "d/e/f", "http://example.com"]),
    "hexadecimal words": (["feed2024#1", "cafe2024#2"], ["milk2024#1", "beef24#2"]),
    "months": ([f"2024-{n:02}" for n in range(1, 13)], ["2024-13", "2024-104"]),
    "months without a dash": ([f"2001{n:02}" for n in range(1, 13)], ["200113", "2001130"]),
    "a word before": ([f"NYSE#A{n}" for n in range(40)], ["NASDAQ#A1"]),
    "a blank at the end": (["jo #1"], ["li#1", "bob#1"]),
    "what looks like a domain": (["app.main#1", "dev.local#2"], ["app_main#1", "localhost#2"]),
}


@pytest.mark.parametrize("what", FEW)
def test_few_keys_bind_no_others(what: str) -> None:
    """What few keys have in common is not taken for a rule: the model takes others, too."""
    keys, others = FEW[what]
    [model] = guessed(keys).models
    codec = RowCodec(model.schema, lambda values, unknown: None)
    for key in others:
        assert codec.keys.encode(codec.keys.decode(key.encode())) == key.encode()


def test_small_numbers_are_no_mirrors_by_chance() -> None:
    """A cell that counts up as the key does may go on otherwise; to take it for a mirror would overwrite it."""
    guess = guessed([f"{n:04}" for n in range(1, 31)], rank=[str(n) for n in range(1, 31)])
    assert [column.name for column in guess.models[0].schema.columns] == ["rank"]


def test_mirrors() -> None:
    """A cell that repeats a part of every key is its mirror, and gives it its name."""
    names = NAMES * 5
    keys = [f"{name}#{n:04}" for n, name in enumerate(names)]
    guess = guessed(keys, SYMBOL=names, ID=[str(n) for n in range(50)], other=["x"] * 50)
    schema = guess.models[0].schema
    assert schema.key.shape == "{symbol}#{id_}"
    mirrors = [field.mirror and (field.mirror.family, field.mirror.qualifier) for field in schema.key.fields]
    assert mirrors == [("f", b"SYMBOL"), ("f", b"ID")]
    assert isinstance(schema.key.fields[0].mirror, Mirror)
    assert [column.name for column in schema.columns] == ["other"]


def test_evidence() -> None:
    """Each field says from how many keys it was guessed, and what was seen."""
    evidence = guessed(MANY).models[0].evidence
    assert evidence["time"].startswith("120 of 120 keys: 13 digits, milliseconds since 1970, 2015-03-16 to ")
    assert evidence["name"] == "120 of 120 keys: text, 2 to 8 bytes; 10 different values"


def test_models_of_existing_rows_say_so_and_allow_nothing() -> None:
    """A time in front would refuse a new class: of existing rows it is information, so that the class can be made."""
    turned = ["#".join(reversed(key.split("#"))) for key in MANY]
    for keys in (turned, MANY, [f"{name}#{n}" for n, name in enumerate(NAMES * 3)]):
        schema = guessed(keys).models[0].schema
        assert (schema.existing, schema.allow) == (True, {})
    (advice,) = (one for one in review(guessed(turned).models[0].schema) if one.rule == "KEY001")
    assert advice.level is Level.INFO


def test_a_weaker_guess_is_taken_where_one_row_does_not_fit() -> None:
    """One key of another form is enough: what is guessed has to read them all."""
    codecs = [type(one.codec) for one in guessed([*MANY, "ada#yesterday"]).models[0].schema.key.fields]
    assert codecs == [Text, Text]
    codecs = [type(one.codec) for one in guessed(MANY).models[0].schema.key.fields]
    assert codecs == [Text, EpochMillis]
    assert {HexDigest, DateText, Int, PaddedInt} & set(codecs) == set()
