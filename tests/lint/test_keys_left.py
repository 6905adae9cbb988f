"""No fix takes a field out of a key where what is left would have fewer rows than the field has values."""

from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import Text
from btmodel.design.keys import merging
from btmodel.lint import Level
from btmodel.lint.finding import Fix
from btmodel.lint.proof import settled
from btmodel.lint.rules import key021_changing_field
from btmodel.schema import KeyField, ModelSchema
from tests.lint.parts import column, found


class Hospital(bt.Model, table="hospital"):
    """What nurses see."""

    bed: str = bt.key(bt.Text(max_length=12), cardinality=90_000)
    hospital: str = bt.key(bt.Text(max_length=12), cardinality=300)

    h = bt.family("h", gc=bt.max_versions(1))
    patients: int = bt.column("n", h)

    one = bt.query("bed", "hospital")


def place(
    thing: str, part: str, values: int | None = None, things: int | None = None, **changes: Any
) -> ModelSchema:
    """A model of things and the parts that they have."""
    model = bt.schema_of(Hospital)
    first, last = model.key.fields
    fields = (
        evolve(first, name=part, cardinality=values),
        evolve(last, name=thing.lower(), cardinality=things),
    )
    queries = (evolve(model.queries[0], equal=(part, thing.lower())),)
    return evolve(
        model,
        name=thing,
        table=thing.lower(),
        key=evolve(model.key, fields=fields),
        queries=queries,
        **changes,
    )


THINGS = [("Hospital", "bed"), ("Library", "shelf"), ("Warehouse", "bin")]


@pytest.mark.parametrize(("thing", "part"), THINGS)
def test_what_has_more_values_than_its_owner_is_not_moved(thing: str, part: str) -> None:
    """Of 90,000 beds, 300 hospitals have several each, so a row is a bed, whatever the names say."""
    assert found(place(thing, part, 90_000, 300), "KEY021") == []
    (one,) = found(place(thing, part, 300, 90_000), "KEY021")
    assert [made.key.shape for made in one.models] == [f"{{{thing.lower()}}}"]


def test_the_thing_that_a_part_is_said_of_counts_alone() -> None:
    """Where a region stands in front, the rest of the key may have enough rows, but a hospital still has several beds."""
    model = place("Hospital", "bed", 90_000, 300)
    region = KeyField("region", Text(width=4), 400)
    assert found(evolve(model, key=evolve(model.key, fields=(region, *model.key.fields))), "KEY021") == []


@pytest.mark.parametrize(
    "doc",
    [
        "A bed of a hospital.",
        "Each bed in a hospital, and who lies in it.",
        "The beds of a hospital.",
        "Beds of our hospitals.",
    ],
)
def test_a_description_says_that_a_row_is_what_the_field_names(doc: str) -> None:
    """Without numbers, too, a bed of a hospital is a bed."""
    assert found(place("Hospital", "bed", doc=doc), "KEY021") == []
    assert found(place("Library", "shelf", doc="Shelves of libraries."), "KEY021") == []
    assert found(place("Hospital", "bed", doc="A hospital and its bed."), "KEY021")
    assert found(place("Hospital", "bed", doc="The bed of a hospital."), "KEY021")


def declared_to_change(model: ModelSchema) -> ModelSchema:
    """The model with a first field that changes."""
    first, *others = model.key.fields
    return evolve(model, key=evolve(model.key, fields=(evolve(first, changes=True), *others)))


def test_what_is_known_to_change_may_have_more_values_than_there_are_rows() -> None:
    """Over time, 300 scooters stand in 90,000 cells of the map, each in one of them."""
    model = place("Scooter", "cell", 90_000, 300)
    said = evolve(model, doc="A scooter. A ride moves the scooter to another cell.")
    for changing in (declared_to_change(model), said):
        (one,) = found(changing, "KEY021")
        assert (one.level, [made.key.shape for made in one.models]) == (Level.WARNING, ["{scooter}"])


def test_two_fields_of_few_values_count_together() -> None:
    """What else moves tells no rows apart: without both, 300 crates are left, of 900 bins."""
    model = place("Crate", "bin", 900, 300)
    custodian = KeyField("custodian", Text(width=4), 20)
    two = evolve(model, key=evolve(model.key, fields=(custodian, *model.key.fields)))
    assert [one.field for one in found(two, "KEY021")] == ["custodian"]


def test_no_fix_of_any_rule_holds_that_merges_rows() -> None:
    """The proof compares the declared values of what becomes a column with the keys that are left."""
    model = place("Hospital", "bed", 90_000, 300)
    left = evolve(model, key=evolve(model.key, fields=model.key.fields[1:]), queries=())
    held = evolve(left, columns=(*left.columns, evolve(column("bed"), family="h")))
    (raw,) = key021_changing_field.RULE.check(declared_to_change(model))
    finding = evolve(raw, ways=lambda: [Fix("x", (held,))])
    fix = settled(evolve(model, queries=()), finding, lambda *_: ()).fix
    assert "rows would be merged: `bed` has 90,000 values, and `{hospital}` at most 300 rows" in fix
    few = place("Hospital", "bed", 300, 300)
    assert settled(evolve(few, queries=()), finding, lambda *_: ()).fix == "x"


def test_keys_that_are_not_counted_prove_nothing() -> None:
    """A field without a number may tell all rows apart; a constant tells none apart."""
    many, some, open_ = (
        KeyField(name, Text(width=4), count) for name, count in (("a", 900), ("b", 30), ("c", None))
    )
    assert merging([some], [many]) == (many, 30)
    assert merging([evolve(some, optional=True), some], [many]) is None
    assert merging([some, open_], [many]) is None
    assert merging([some], [open_]) is None
