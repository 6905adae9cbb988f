"""Fixes of rows that keep the states of a document as versions: the newest state is wanted however old it is."""

from uuid import UUID

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding
from btmodel.schema import ModelSchema
from tests.lint.parts import found


class Contract(bt.Model, table="contract", events="40/s"):
    """A contract with all its earlier versions, so that one can go back."""

    contract: UUID = bt.key(bt.UuidText(), cardinality=300_000)

    b = bt.family("b", gc=bt.max_versions(500))
    body: bt.History[bytes] = bt.history("b", b, size=400_000, max_size=500_000)

    h = bt.family("h", gc=bt.max_versions(1))
    title: str = bt.column("t", h, size=40, max_size=200)

    one = bt.query("contract")


class Spectrum(bt.Model, table="spectrum", events="40/s"):
    """What a probe has measured."""

    probe: UUID = bt.key(bt.UuidText(), cardinality=300_000)

    s = bt.family("s", gc=bt.max_versions(500))
    bands: bt.History[bytes] = bt.history("b", s, size=400_000, max_size=500_000)

    one = bt.query("probe")


def fixes(model: ModelSchema) -> list[Finding]:
    """What is found of the size of a row, which has the fix of its cause as an alternative."""
    assert found(model, "COL005") == []
    return found(model, "ROW002")


@pytest.mark.parametrize(
    "doc",
    [
        "A contract with all its earlier versions, so that one can go back.",
        "A draft. Lawyers undo what they wrote.",
        "A document that is edited all day.",
        "The revisions of a page.",
    ],
)
def test_the_newest_state_stays(doc: str) -> None:
    """A row for each state keeps its one version; an age would delete the newest one of what nobody writes any more."""
    reported = fixes(evolve(bt.schema_of(Contract), doc=doc))
    assert [one.rule for one in reported] == ["ROW002"]
    for one in reported:
        assert "`gc=bt.max_versions(1)`" in one.fix
        assert "a job deletes the rows of old ones" in one.fix
        assert "; or write one row per event to a second table" in one.fix
        assert "days=" not in one.fix
        assert "bucket" not in one.fix
        assert one.models


def test_measurements_keep_an_age() -> None:
    """An event of its own is as old as it is: what a number of versions kept, an age keeps."""
    model = bt.schema_of(Spectrum)
    assert ["gc=bt.max_age(days=44)" in one.fix for one in fixes(model)] == [True]
    numbers = evolve(bt.schema_of(Contract), columns=(evolve(model.columns[0], family="b"),), doc="A probe.")
    assert all("max_age(days=44)" in one.fix for one in fixes(numbers))


def test_an_age_that_is_declared_stays() -> None:
    """Where states go at an age already, so do the rows of them."""
    model = bt.schema_of(Contract)
    aged = bt.max_versions(500) | bt.max_age(days=900)
    reported = fixes(evolve(model, families=(evolve(model.families[0], gc=aged), model.families[1])))
    assert reported
    assert all("a job deletes" not in one.fix for one in reported)
