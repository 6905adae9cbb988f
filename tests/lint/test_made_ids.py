"""KEY002 on ids that a function makes: known by what it is called, says or calls, or tried."""

import os
import secrets
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import KeyCodec, PaddedInt, Text, UuidText
from btmodel.lint import Level
from btmodel.schema import KeyField, ModelSchema
from tests.lint.parts import found

ASKED: list[str] = []


def uuid7() -> uuid.UUID:
    return uuid.uuid4()  # its name is enough


def make_ulid() -> str:
    return secrets.token_hex(13)


def new_key() -> uuid.UUID:
    """A UUID of version 7: milliseconds, then random bits."""
    return uuid.uuid4()


def sortable() -> str:
    """An id that begins with the milliseconds of its making."""
    return secrets.token_hex(13)


def next_id() -> int:
    return 7


def by_clock() -> str:
    return f"{time.time_ns() // 1_000:020d}{os.urandom(3).hex()}"


def by_date() -> str:
    return datetime.now(UTC).strftime("%Y%m%d%H%M%S%f") + "abcdef"


def random_id() -> uuid.UUID:
    """A random id, not a UUID of version 7, which would climb."""
    return uuid.uuid4()


def hashed() -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, str(time.time_ns())).hex[:26]


def random_before_clock() -> str:
    return f"{secrets.token_hex(3)}{time.time_ns():020d}"


def with_server() -> str:
    ASKED.append("asked")  # what something else would notice
    return f"{time.time_ns():026d}"


def with_file() -> str:
    with open("asked", "a", encoding="utf-8"):  # it would be there
        ASKED.append("file")
    return f"{time.time_ns():026d}"


def with_import() -> str:
    from shutil import rmtree

    return f"{time.time_ns():026d}{rmtree.__name__[:0]}"


COUNTED = 0


def with_global() -> str:
    global COUNTED
    COUNTED += 1
    return f"{time.time_ns():026d}"


class Generator:
    """Something else whose method gives ids."""

    def ulid(self) -> str:
        return secrets.token_hex(13)


def of_factory(factory: Callable[[], Any] | None, codec: KeyCodec[Any]) -> ModelSchema:
    """Payments whose ids that function makes."""

    class Payment(bt.Model, table="PAYMENTS", events="12000/s"):
        """A payment, looked up by its id."""

        id: Any = bt.key(bt.Text(width=26), cardinality=30_000_000_000)
        p = bt.family("p", gc=bt.max_versions(1))
        cents: int = bt.column("c", p)

        of_id = bt.query("id")

    model = bt.schema_of(Payment)
    (part,) = model.key.fields
    part = evolve(part, codec=codec, factory=factory)
    return evolve(model, key=evolve(model.key, fields=(part,)))


@pytest.mark.parametrize(
    ("factory", "codec"),
    [
        (uuid7, UuidText()),
        (make_ulid, Text(width=26)),
        (lambda: str(make_ulid()), Text(width=26)),
        (partial(make_ulid), Text(width=26)),
        (Generator().ulid, Text(width=26)),
        (new_key, UuidText()),
        (sortable, Text(width=26)),
        (next_id, PaddedInt(12)),
        (count().__next__, PaddedInt(12)),
        (by_clock, Text(width=26)),
        (by_date, Text(width=26)),
        (lambda: f"{time.time_ns():026d}", Text(width=26)),
    ],
)
def test_ids_that_a_function_makes_one_behind_the_other(
    factory: Callable[[], Any], codec: KeyCodec[Any]
) -> None:
    """New ones are the highest; the fix spreads them, and is one read where the id is known."""
    (told,) = found(of_factory(factory, codec), "KEY002")
    assert told.level is Level.ERROR
    assert "as its `default_factory` makes one behind the other" in told.message
    assert told.models


@pytest.mark.parametrize(
    ("factory", "codec"),
    [
        (uuid.uuid4, UuidText()),
        (random_id, UuidText()),
        (lambda: secrets.token_hex(13), Text(width=26)),
        (hashed, Text(width=26)),
        (random_before_clock, Text(width=26)),
        (with_server, Text(width=26)),
        (with_file, Text(width=26)),
        (with_import, Text(width=26)),
        (with_global, Text(width=26)),
        (Generator, UuidText()),
        (lambda: 1 / 0, Text(width=26)),
        (None, UuidText()),
    ],
)
def test_other_functions_say_nothing(factory: Callable[[], Any] | None, codec: KeyCodec[Any]) -> None:
    """Random ids, hashes, and what asks something else: that one is not called."""
    assert [
        each for each in found(of_factory(factory, codec), "KEY002") if each.level is not Level.INFO
    ] == []
    assert ASKED == []
    assert COUNTED == 0


def test_what_the_model_says_of_the_order_counts() -> None:
    """And a declared field knows the function that makes it."""
    model = of_factory(uuid7, UuidText())
    (part,) = model.key.fields
    told = evolve(model, key=evolve(model.key, fields=(evolve(part, sequential=False),)))
    assert found(told, "KEY002") == []

    class Shipment(bt.Model, table="SHIPMENT", events="50/s"):
        id: uuid.UUID = bt.key(bt.UuidText(), default_factory=uuid7)
        f = bt.family("f", gc=bt.max_versions(1))
        kilograms: int = bt.column("k", f)

    declared: Iterator[KeyField] = iter(bt.schema_of(Shipment).key.fields)
    assert next(declared).factory is uuid7


@pytest.mark.parametrize(
    ("said", "flagged"),
    [
        ("It gets its id from our gateway as it arrives.", False),
        ("Their ids begin with the milliseconds.", False),
        ("A shop numbers its own payments from 1.", True),
        ("Each shop has its own numbers from 1.", True),
        ("Its numbers start at 1 in each shop.", True),
    ],
)
def test_an_id_that_comes_from_somewhere_is_no_number_of_an_owner(said: str, flagged: bool) -> None:
    """KEY018 is about numbers that each owner counts from one on; a UUID is unique everywhere."""

    class Payment(bt.Model, table="PAYMENTS", events="100/s"):
        payment: int = bt.key(bt.ReversedDigits(9), cardinality=30_000_000)
        p = bt.family("p", gc=bt.max_versions(1))
        shop: str = bt.column("s", p, size=12, max_size=20)

        of_id = bt.query("payment")

    model = evolve(bt.schema_of(Payment), doc=f"A payment by card. {said}")
    assert bool(found(model, "KEY018")) is flagged
    (part,) = model.key.fields
    unique = evolve(model, key=evolve(model.key, fields=(evolve(part, codec=UuidText()),)))
    assert found(unique, "KEY018") == []
