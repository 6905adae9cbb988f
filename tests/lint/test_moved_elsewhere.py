"""KEY021 where a description says that a thing is taken to another place or another owner, of which the key has the name."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from tests.lint.parts import found


class Crate(bt.Model, table="crate", events="300/s"):
    """A crate and the rack that it is on."""

    rack: str = bt.key(bt.Text(width=8), cardinality=90_000)
    crate: str = bt.key(bt.Text(width=18), cardinality=4_000_000)

    c = bt.family("c", gc=bt.max_versions(1))
    bottles: int = bt.column("n", c)

    on_rack = bt.query("rack")


@pytest.mark.parametrize(
    "said",
    [
        "The crane moves a crate to another rack several times a day.",
        "A crate is often moved to a different rack.",
        "At night, crates are taken to other racks.",
        "Crates go from one rack to another.",
        "A crate is transferred to a new rack when a lorry has come.",
        "A picker switches crates between racks.",
    ],
)
def test_what_is_taken_elsewhere_is_found_by_its_own_id(said: str) -> None:
    """The place is then a column, and the key of a second table."""
    (one,) = found(evolve(bt.schema_of(Crate), doc=f"A crate. {said}"), "KEY021")
    assert (one.field, one.level) == ("rack", Level.WARNING)
    assert one.models[0].key.shape == "{crate}"
    assert "`bt.twins(Crate, CrateOnRack, owned=True)`" in one.fix


@pytest.mark.parametrize(
    "said",
    [
        "A crate is never moved to another rack.",
        "The crane moves to another rack.",
        "Bottles are moved to another crate.",
        "A crate stays on its rack until it is moved to the scrapyard.",
        "Next to each rack is another rack.",
    ],
)
def test_what_stays_or_is_of_another_thing_moves_nothing(said: str) -> None:
    """A crane that drives on takes no crate with it. Of a crate, the name of its rack says it by itself."""
    model = evolve(bt.schema_of(Crate), name="Note", table="notes", doc=f"A note. {said}")
    assert found(model, "KEY021") == []
