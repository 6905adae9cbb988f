"""What a fix writes is accepted as it is written, and keeps what there was."""

import re
from datetime import date, datetime
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.cell import Utf8
from btmodel.codecs.key import KeyCodec
from btmodel.lint import Level, review_all
from btmodel.schema import Aggregate, Column, Family, KeyField, ModelSchema
from tests.lint.parts import found
from tests.lint.test_disguised_times import Make

CODE = re.compile(r"`([^`]+)`")


def declared(fix: str, *more: str) -> ModelSchema:
    """The schema of a class with the declarations in backticks of a fix, in their order, and ``more`` behind them."""
    lines = [each for each in CODE.findall(fix) if re.match(r"\w+(?:: .+)? = bt\.", each)]
    body = "\n".join(f"    {line}" for line in (*lines, *more))
    names: dict[str, Any] = {"bt": bt, "date": date, "datetime": datetime, "UUID": UUID}
    exec(f"class Made(bt.Model, table='MADE'):\n{body}", names)
    return bt.schema_of(names["Made"])


@pytest.mark.parametrize(
    ("name", "codec", "cardinality"),
    [
        ("api_key", bt.Text(width=40), 90_000),
        ("session_token", bt.Text(max_length=80), None),
        ("accessToken", bt.Text(width=20), 1_000_000),
        ("password", bt.Text(max_length=64), None),
        ("refresh_token", bt.EscapedText(30), 5_000),
        ("device_token", bt.Text(width=64), 40_000_000),
        ("csrf_token", bt.Text(width=32), None),
        ("private_key", bt.Text(max_length=2_000), None),
        ("secret", bt.Text(width=16), 10),
        ("reset_token", bt.Text(max_length=30), 700),
    ],
)
def test_the_hash_of_a_secret_is_accepted(
    a_model: Make, name: str, codec: KeyCodec[Any], cardinality: int | None
) -> None:
    """The declarations of the fix make a class as they are; of that, the rule finds nothing."""
    (finding,) = found(a_model(KeyField(name, codec, cardinality)), "KEY010")
    made = declared(finding.fix, "d = bt.family('d', gc=bt.max_versions(1))", "plan: str = bt.column('p', d)")
    (secret,) = made.key.unstored
    assert (secret.name, secret.codec, secret.cardinality) == (name, codec, cardinality)
    assert [part.name for part in made.key.fields] == [f"{name}_hash"]
    assert found(made, "KEY010") == []


RULES = {
    "max_age(days=8)": bt.max_age(days=8),
    "max_versions(3)": bt.max_versions(3),
    "max_versions(3) | bt.max_age(hours=5)": bt.max_versions(3) | bt.max_age(hours=5),
    "keep_all()": bt.keep_all(),
    "max_versions(1) & bt.max_age(days=30)": bt.max_versions(1) & bt.max_age(days=30),
}


@pytest.mark.parametrize("aggregate", [None, Aggregate.SUM])
@pytest.mark.parametrize("text", RULES)
def test_one_family_has_what_those_of_each_value_had(
    a_model: Make, text: str, aggregate: Aggregate | None
) -> None:
    """Its GC rule, and what it adds up."""
    family = Family("c{campaign}", RULES[text], aggregate)
    load = Column("load", family.id, b"l", Utf8(), True)
    for other in ((), (Column("name", "other", b"n", Utf8(), True),)):
        families = (family, Family("other", bt.max_versions(1)))[: 1 + len(other)]
        (finding,) = found(a_model(families=families, columns=(load, *other)), "FAM001")
        sums = "" if aggregate is None else ', aggregate="sum"'
        name = "data2" if '"data2"' in finding.fix else "data"  # that of FAM007 may make one, too
        assert f'`bt.family("{name}", gc=bt.{text}{sums})`' in finding.fix
        for made in finding.models:
            assert evolve(family, id=name) in made.families


def test_what_differs_between_families_of_years_is_said(a_model: Make) -> None:
    """One family where all are alike, and else one of each kind, with what it stands for."""

    def fix(*families: Family) -> str:
        columns = tuple(Column(one.id, one.id, b"l", Utf8(), False) for one in families)
        (finding,) = found(a_model(families=families, columns=columns), "FAM001")
        return finding.fix

    years = [Family(f"y{year}", bt.max_age(days=400)) for year in (2022, 2023, 2024)]
    assert 'use one family, `bt.family("data", gc=bt.max_age(days=400))`, and' in fix(*years)
    years[1] = evolve(years[1], gc=bt.max_versions(2))
    said = fix(*years)
    assert "use one family for each of their 2 kinds" in said
    assert '`bt.family("data1", gc=bt.max_age(days=400))` in the place of `y2022`, `y2024`' in said
    assert '`bt.family("data2", gc=bt.max_versions(2))` in the place of `y2023`' in said


class Parcel(bt.Model, table="PARCEL", events="4000/s"):
    """A parcel, below the hub in which it lies right now."""

    carrier: str = bt.key(bt.Text(max_length=8), cardinality=120)
    hub: str = bt.key(bt.Text(width=5), cardinality=2_200)
    barcode: str = bt.key(bt.Text(width=18), cardinality=80_000_000)

    s = bt.family("s", gc=bt.max_age(days=60))
    weight: int = bt.column("g", s)

    in_hub = bt.query("carrier", "hub")
    one = bt.query("carrier", "hub", "barcode")


def parcel(name: str, doc: str) -> ModelSchema:
    """A parcel with another name of its hub, and another description."""
    model = bt.schema_of(Parcel)
    fields = tuple(evolve(part, name=name) if part.name == "hub" else part for part in model.key.fields)
    queries = tuple(
        evolve(query, equal=tuple(name if one == "hub" else one for one in query.equal))
        for query in model.queries
    )
    return evolve(model, doc=doc, key=evolve(model.key, fields=fields), queries=queries)


@pytest.mark.parametrize(
    ("name", "doc"),
    [
        ("hub", "A parcel. It passes through four to nine hubs."),
        ("desk", "A file, at the desk where it is now."),
        ("ward", "A patient; the ward changes often."),
        ("lane", "A car that moves from lane to lane."),
        ("owner", "A flat: its owner changes every few years."),
        ("depot", "A bus is moved: it changes its depot."),
        ("bay", "A pallet. It goes through several bays."),
        ("shelf", "A book and the shelf on which it currently stands."),
        ("team", "A player. The team changes each summer."),
        ("track", "A wagon, with the track where it stands at present."),
        ("status", "A parcel."),
        ("balance", "An account."),
        ("assignee", "A ticket."),
        ("current_hub", "A parcel."),
    ],
)
def test_a_second_table_of_what_changes_passes_the_review_itself(name: str, doc: str) -> None:
    """Whatever its own description says: a twin owns it, which moves its rows."""
    (finding,) = found(parcel(name, doc), "KEY021")
    assert "`bt.twins(Parcel, ParcelInHub, owned=True)`" in finding.fix
    second = next(one for one in finding.models if one.name == "ParcelInHub")
    described = evolve(second, doc="Finds rows.")
    told = [each for each in review_all((described,)) if each.level is not Level.INFO]
    assert [each.rule for each in told] == []


@pytest.mark.parametrize(
    "doc",
    [
        "A parcel. At present there are 2,200 hubs.",
        "A parcel. Now they are several hubs.",
        "A parcel, in one of thirty hubs at the moment.",
        "A parcel. Currently that makes thousands of hubs.",
    ],
)
def test_what_is_counted_does_not_change_for_that(doc: str) -> None:
    """There may be more of them later, and each stays what it is."""
    assert found(parcel("hub", doc), "KEY021") == []


@pytest.mark.parametrize(
    "doc",
    [
        "A parcel for the hub that is open at present.",
        "A parcel, meant for a hub which has room now.",
    ],
)
def test_what_something_is_for_does_not_change_for_that(doc: str) -> None:
    """What is so at present is said of the hub, and not of which hub it is."""
    assert found(parcel("hub", doc), "KEY021") == []
