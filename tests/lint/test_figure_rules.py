"""The rules about declared figures."""

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.cell import Flag, Int64, Utf8
from btmodel.codecs.key import Boolean, DateText, EnumText, KeyCodec, PaddedInt, Text
from btmodel.lint import Finding, Level, review, review_all
from btmodel.lint.rules.fig002_contradicting_figures import corrected
from btmodel.schema import (
    Bucket,
    Column,
    Expected,
    Family,
    GcRule,
    KeyField,
    Location,
    ModelSchema,
    Rate,
    Shape,
)
from btmodel.schema.bucket import SlotFormat
from btmodel.schema.rate import parse_every

Make = Callable[..., ModelSchema]


class Color(Enum):
    """Three values."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"


def contradictions(model: ModelSchema) -> list[Finding]:
    """What FIG002 finds."""
    return [finding for finding in review(model) if finding.rule == "FIG002"]


@pytest.mark.parametrize(
    ("codec", "most"),
    [(PaddedInt(3), 1000), (EnumText(Color), 3), (Boolean(), 2)],
    ids=["three digits", "an enum", "a flag"],
)
def test_a_field_has_no_more_values_than_its_codec_writes(
    a_model: Make, codec: KeyCodec[Any], most: int
) -> None:
    """As many values as there are may be declared, and not one more."""
    assert contradictions(a_model(KeyField("a", codec, most), KeyField("b", Text(max_length=5)))) == []
    (found,) = contradictions(a_model(KeyField("a", codec, most + 1), KeyField("b", Text(max_length=5))))
    assert f"its codec can write only {most:,} (" in found.message
    assert f"cardinality={most:_}" in found.fix


def test_long_texts_have_as_many_values_as_anybody_says(a_model: Make) -> None:
    """A codec that can write more values than can be counted contradicts no cardinality."""
    assert contradictions(a_model(KeyField("a", Text(max_length=200), 10**30))) == []


def test_a_typical_value_is_not_larger_than_the_largest(a_model: Make) -> None:
    """A size may equal the largest one; with one of them alone, nothing can be said."""

    def column(**figures: Any) -> Column:
        return Column("c", "data", b"c", Utf8(), True, expected=Expected(**figures))

    for fine in ({"size": 9, "max_size": 9}, {"size": 9}, {"max_size": 9}, {}):
        assert contradictions(a_model(columns=(column(**fine),))) == []
    (found,) = contradictions(a_model(columns=(column(size=10, max_size=9),)))
    assert found.field == "c"
    assert "`size=9` at most, or `max_size=10` at least" in found.fix


def test_a_column_of_a_flag_has_two_values(a_model: Make) -> None:
    """A column has no more values than its type."""
    column = Column("c", "data", b"c", Flag(), True, expected=Expected(cardinality=3))
    (found,) = contradictions(a_model(columns=(column,)))
    assert "3 values, of 2 that there are" in found.message


@pytest.mark.parametrize(("events", "wrong"), [("100/min", False), ("200/min", False), ("220/min", True)])
def test_a_table_has_the_events_of_its_rows(a_model: Make, events: str, wrong: bool) -> None:
    """A hundred balloons with an event a minute are not 220 events a minute; a rough estimate passes, and columns add up."""
    column = Column(
        "c",
        "data",
        b"c",
        Int64(),
        False,
        Shape.HISTORY,
        expected=Expected(every=parse_every("1min")),
    )
    model = a_model(
        KeyField("balloon", PaddedInt(4), 100),
        KeyField("day", DateText()),
        columns=(column,),
        bucket=Bucket.DAY,
        events=Rate.parse(events),
    )
    found = contradictions(model)
    assert bool(found) is wrong
    if found:
        assert "an event every 1min of each of 100" in found[0].message
    two = evolve(model, columns=(column, evolve(column, name="d", qualifier=b"d")))
    assert contradictions(two) == []
    unsaid = evolve(column, name="d", qualifier=b"d", expected=Expected())
    assert contradictions(evolve(model, columns=(column, unsaid))) == []


def test_rows_of_earlier_days_have_events_too(a_model: Make) -> None:
    """Of ten wheels that are made a day and weighed each week for years, nobody knows how many there are; of ten that are weighed daily, there are ten."""
    weekly, daily = (
        Column("g", "data", b"g", Int64(), False, Shape.HISTORY, expected=Expected(every=parse_every(every)))
        for every in ("7d", "1d")
    )
    fields = (KeyField("wheel", PaddedInt(4), 10), KeyField("made", DateText()))
    made = a_model(*fields, columns=(weekly,), events=Rate.parse("1000/day"))
    assert contradictions(made) == []
    assert [found.field for found in contradictions(evolve(made, columns=(daily,)))] == ["g"]


def crossings(a_model: Make, gc: GcRule) -> ModelSchema:
    """3,500,000 tags with a crossing a day are 41 a second, and 140 are declared."""
    fee = Column(
        "fee", "data", b"f", Int64(), False, Shape.HISTORY, expected=Expected(every=parse_every("1d"))
    )
    return a_model(
        KeyField("tag", PaddedInt(8), 3_500_000),
        KeyField("month", DateText("%Y-%m")),
        columns=(fee,),
        families=(Family("data", gc),),
        bucket=Bucket.MONTH,
        events=Rate.parse("140/s"),
    )


def test_rates_that_contradict_each_other_are_each_corrected(a_model: Make) -> None:
    """What would be right of each of them stands in the fix, and with any of them the finding is gone."""
    model = crossings(a_model, bt.keep_all())
    (found,) = contradictions(model)
    assert '`events="41/s"` of the class, or `every="6h"` of `fee`, or the cardinalities' in found.fix
    assert "for 12,000,000 rows at a time" in found.fix
    assert [contradictions(one) for one in corrected(model)] == [[], []]
    flag = Column("c", "data", b"c", Flag(), True, expected=Expected(cardinality=3))
    text = Column("c", "data", b"c", Utf8(), True, expected=Expected(size=9, max_size=8))
    field = KeyField("a", PaddedInt(3), 1_001)
    for wrong in (a_model(columns=(flag,)), a_model(columns=(text,)), a_model(field)):
        assert [contradictions(one) for one in corrected(wrong)] in ([[]], [[], []])


def test_a_number_that_a_correction_changes_is_not_written(a_model: Make) -> None:
    """As many versions as there are crossings in a month, by the one figure or by the other; what no figure changes is written."""
    rule = bt.max_versions(1) | bt.max_age(days=1)
    model = evolve(crossings(a_model, rule), location=Location("models.py", 1))
    (contested,) = (one for one in review_all((model,)) if one.rule == "FAM006")
    assert contested.edit is None
    assert contested.fix.endswith(
        "; the number follows from figures that FIG002 calls wrong, so correct these first"
    )
    right = evolve(model, events=Rate.parse("41/s"))
    (agreed,) = (one for one in review_all((right,)) if one.rule == "FAM006")
    assert agreed.edit is not None
    assert "FIG002" not in agreed.fix


@pytest.mark.parametrize(
    ("rule", "fixed"),
    [
        (bt.max_versions(1), "bt.keep_all()"),
        (bt.max_versions(1) | bt.max_age(days=1), "bt.max_age(days=31)"),
        (bt.max_versions(1) & bt.max_age(days=1), "bt.max_versions(108) & bt.max_age(days=1)"),
    ],
)
def test_of_two_figures_the_larger_is_kept(a_model: Make, rule: GcRule, fixed: str) -> None:
    """Without a number of versions, where a rule can do without: a row takes no events after its month."""
    (contested,) = (one for one in review_all((crossings(a_model, rule),)) if one.rule == "FAM006")
    assert "a month has up to 108 events" in contested.message
    assert f"gc={fixed})`" in contested.fix


def test_slots_bound_the_rate_of_a_table(a_model: Make) -> None:
    """Slots of an hour are 24 events a day and row, however many more are declared."""
    slots = SlotFormat("%H", parse_every("1h"), Bucket.DAY)
    column = Column("c", "data", b"", Int64(), False, Shape.SLOTS, slots=slots)
    fields = (KeyField("meter", PaddedInt(4), 10), KeyField("day", DateText()))
    fine = a_model(*fields, columns=(column,), bucket=Bucket.DAY, events=Rate.parse("240/day"))
    assert contradictions(fine) == []
    wrong = a_model(*fields, columns=(column,), bucket=Bucket.DAY, events=Rate.parse("240/h"))
    assert [found.field for found in contradictions(wrong)] == ["c"]


def test_a_number_is_no_domain(a_model: Make) -> None:
    """What is declared as the name of a domain holds text."""
    assert contradictions(a_model(KeyField("site", Text(max_length=20), domain=True))) == []
    (found,) = contradictions(a_model(KeyField("site", PaddedInt(4), domain=True)))
    assert "leave out the `domain=True` of `site`" in found.fix


@pytest.mark.parametrize(
    ("moved", "rules", "flagged"),
    [
        (90, [bt.max_age(days=60)], True),
        (60, [bt.max_age(days=60)], False),
        (90, [bt.max_age(days=60), bt.max_age(days=400)], False),
        (90, [bt.max_age(days=60) | bt.max_versions(3), bt.max_age(days=7)], True),
        (90, [bt.max_versions(1)], False),
        (90, [bt.max_age(days=60) & bt.max_versions(1)], False),
        (None, [bt.max_age(days=60)], False),
    ],
)
def test_cells_reach_the_age_at_which_they_are_moved(
    a_model: Make, moved: int | None, rules: list[GcRule], flagged: bool
) -> None:
    """Of one family at least: what is deleted before is never in infrequent access."""
    model = a_model(KeyField("a", Text(max_length=5)))
    families = tuple(Family(f"f{number}", rule) for number, rule in enumerate(rules))
    settings = evolve(model.settings, tiered_storage=None if moved is None else timedelta(days=moved))
    told = contradictions(evolve(model, families=families, settings=settings))
    assert [found.level for found in told] == [Level.WARNING] * flagged


def test_nobody_counts_the_ids_of_events() -> None:
    """A digest behind the time tells events apart, however many there are; a kind does not, and is asked for."""

    class Sent(bt.Model, table="SENT_MESSAGE", events="40000/s"):
        talk: str = bt.key(bt.HexDigest(16), cardinality=900_000)
        sent: datetime = bt.key(bt.EpochSeconds())
        message: str = bt.key(bt.HexDigest(12))

        m = bt.family("m", gc=bt.keep_all())
        text: str = bt.column("t", m, size=60)

        of_talk = bt.query("talk", between="sent")

    model = evolve(bt.schema_of(Sent), name="Message")
    assert [str(each) for each in review_all([model])] == []
    kind = evolve(model.key.fields[2], name="kind", codec=Text(width=4))
    (asked,) = review_all([evolve(model, key=evolve(model.key, fields=(*model.key.fields[:2], kind)))])
    assert (asked.rule, asked.message) == ("FIG001", "the `cardinality` of `kind` is not declared")


@pytest.mark.parametrize(("codec", "digest"), [(bt.HexDigest(4), True), (bt.PaddedInt(4), False)])
def test_a_digest_of_too_few_values_is_made_longer(a_model: Make, codec: Any, digest: bool) -> None:
    """Of fewer values, several things would share their keys; another codec may just be declared with too many."""
    (finding,) = contradictions(a_model(KeyField("device", codec, 3_000_000)))
    assert ("write a longer digest" in finding.fix) is digest
    assert ("declare at most" in finding.fix) is not digest
