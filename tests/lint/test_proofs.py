"""The proof of a fix, step by step: what the models that it leads to may not lack, and what does not count against it."""

from collections.abc import Callable
from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.cell import Utf8
from btmodel.codecs.key import Text
from btmodel.lint.finding import Fix
from btmodel.lint.proof import settled
from btmodel.lint.rules.col006_read_modify_write_counter import RULE
from btmodel.schema import Column, KeyField, Location, ModelSchema, Query, Stamp
from tests.lint.parts import found

Make = Callable[..., ModelSchema]
NAME = Column("name", "data", b"n", Utf8(), required=True)
NOTE = Column("note", "data", b"o", Utf8(), required=False)


@pytest.fixture
def model(a_model: Make) -> ModelSchema:
    """A model that the declaration accepts, with a query that its key serves."""
    fields = (KeyField("user", Text(max_length=9), 1_000), KeyField("kind", Text(max_length=9), 10))
    return a_model(*fields, columns=(NAME, NOTE), queries=(Query("of_user", ("user",)),))


def told(model: ModelSchema, *made: ModelSchema, **more: object) -> str:
    """What the review says of the fix; of one that holds its own words alone."""
    finding = RULE.finding(model, "m", why="w", fix=lambda: [Fix("do it", made, **more)])  # type: ignore[arg-type]
    return settled(model, finding, lambda *_: ()).fix


def test_a_fix_that_the_declaration_refuses_does_not_hold(model: ModelSchema) -> None:
    """Whichever of its models that is; it says why, without the place, which the finding has."""
    placed = evolve(model, location=Location("models.py", 1))
    assert told(placed, placed) == "do it"
    bare = evolve(placed, columns=(), queries=())
    second = evolve(bare, name="Second", table="SECOND")
    refused = "do it; but the declaration then refuses {}: {} has no cell to write"
    assert refused.format("Thing", "Thing") in told(placed, bare)
    assert refused.format("Second", "Second") in told(placed, placed, second)


def test_what_the_declaration_refuses_already_does_not_count(model: ModelSchema) -> None:
    """A fix of something else holds for a model without a cell, and for one that replaces another without one."""
    bare = evolve(model, columns=())
    assert told(bare, bare) == "do it"
    other = evolve(bare, name="Other", table="OTHER", queries=())
    assert told(model, model, other, replaced=(other,)) == "do it"
    no_key = evolve(model, key=evolve(model.key, fields=()), queries=())
    assert "has no key field" in told(bare, evolve(no_key, columns=()))


def test_a_fix_loses_no_query_and_no_attribute(model: ModelSchema) -> None:
    """One may have another name, where the fix says so; a query that was not served cannot be lost."""
    assert "the query `of_user` would not be served any more" in told(model, evolve(model, queries=()))
    turned = evolve(model, key=evolve(model.key, fields=model.key.fields[::-1]))
    assert "the query `of_user` would not be served any more" in told(model, turned)
    assert told(turned, evolve(turned, queries=())) == "do it"
    assert "`note`" in told(model, evolve(model, columns=(NAME,)))
    renamed = evolve(model, columns=(NAME, evolve(NOTE, name="remark")))
    assert "`note`" in told(model, renamed)
    assert told(model, renamed, instead=(("note", "remark"),)) == "do it"
    assert "`note`" in told(model, evolve(model, columns=(NAME,)), instead=(("note", "remark"),))
    named = evolve(model, queries=(Query("else", ("user",)),))
    assert "the query `of_user` would not be served any more" in told(model, named)
    stamped = evolve(model, stamp=Stamp("at", stored=True))
    assert told(stamped, stamped) == "do it"
    assert "`at` would have no place any more" in told(stamped, model)
    assert told(evolve(model, stamp=Stamp("at")), model) == "do it"


def test_a_second_table_may_hold_what_the_first_one_lacks(model: ModelSchema) -> None:
    """Of a model that the fix does not replace: one of another name is a second table of the first model alone."""
    first = evolve(model, columns=(NAME,))
    second = evolve(model, name="Second", table="SECOND", columns=(NOTE, NAME))
    assert told(model, first, second) == "do it"
    other = evolve(model, name="Other", table="OTHER")
    assert "`note`" in told(other, evolve(other, columns=(NAME,)), model, replaced=(model,))
    assert "`note`" in told(model, model, evolve(other, columns=(NAME,)), second, replaced=(other,))
    assert told(model, evolve(model, name="Renamed")) == "do it"


def test_two_tables_may_become_one(model: ModelSchema) -> None:
    """It has what both had."""
    other = evolve(model, name="Other", table="OTHER")
    assert told(model, model, replaced=(other,)) == "do it"
    assert "`note`" in told(model, evolve(model, columns=(NAME,)), replaced=(other,))


def test_a_field_that_becomes_the_last_has_nothing_behind_it(model: ModelSchema) -> None:
    """A delimiter of its own, or none, stood between it and the next field; the fix says that it is gone."""
    user, kind = model.key.fields
    moved = evolve(model.key, fields=(kind, evolve(user, ends=b"")))
    made = evolve(model, key=moved, queries=())
    before = evolve(model, queries=())
    assert told(before, made) == "do it, where `user` is last and has no `ends=` any more"
    kept = evolve(model, key=evolve(model.key, fields=(evolve(user, ends=b"\0"), kind)))
    assert told(model, kept) == "do it"


@pytest.mark.parametrize("ends", [b"", b"+"])
def test_a_time_in_front_may_have_had_an_end_of_its_own(ends: bytes) -> None:
    """The field behind it goes in front, with the delimiter of the key."""

    class Shot(bt.Model, table="shot", events="2500/s", allow={"KEY001": "to be reviewed"}):
        """A picture."""

        taken: datetime = bt.key(bt.EpochSeconds(round=True), ends=ends)
        camera: str = bt.key(bt.HexDigest(16), cardinality=10_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        path: str = bt.column("path", s, size=70)

        one = bt.query("taken", "camera")

    (reported,) = found(evolve(bt.schema_of(Shot), allow={}), "KEY001")
    assert "`{camera}#{taken}`, where `taken` is last and has no `ends=` any more" in reported.fix
    assert [each.key.fields[-1].ends for each in reported.models] == [None]


@pytest.mark.parametrize(
    ("codec", "readable"),
    [
        (bt.TimeBytes("second", 4, round=True), "`bt.EpochSeconds(round=True)`"),
        (bt.TimeBytes("millisecond"), "`bt.EpochMillis()`"),
        (bt.TimeBytes("microsecond"), "`bt.EpochMicros()`"),
        (bt.TimeBytes("nanosecond"), "`bt.EpochNanos()`"),
    ],
)
def test_a_binary_clock_has_digits_in_its_place(a_model: Make, codec: bt.TimeBytes, readable: str) -> None:
    """The digits of the same clock hold the same times, and are proved to; `datetime` has no nanoseconds."""
    made = a_model(KeyField("user", Text(max_length=9), 1_000), KeyField("at", codec))
    (reported,) = found(made, "KEY006")
    assert f"encode `at` as {readable}" in reported.fix
    assert bool(reported.models) is ("bt." in readable)
