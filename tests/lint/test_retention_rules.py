"""The rules on what families keep: garbage collection against events, columns and limits."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.client.admin_messages import DeleteAll
from btmodel.codecs.cell import DecimalText, Int64, Present
from btmodel.codecs.key import Constant, DateText, EpochMillis, Int, PaddedInt, Text
from btmodel.lint import Finding, Level, review
from btmodel.lint.finding import ArgumentEdit
from btmodel.lint.retention import raised, shortest
from btmodel.lint.rules.fam008_gc_rule import serialized_size
from btmodel.schema import (
    Aggregate,
    Bucket,
    Column,
    Expected,
    Family,
    GcChange,
    GcRule,
    KeyField,
    Mirror,
    ModelSchema,
    Query,
    Rate,
    RowKey,
    Shape,
    Union,
)
from btmodel.schema.bucket import SlotFormat, Spans
from btmodel.schema.model import WRITTEN, Clock, Stamp
from btmodel.schema.rate import parse_every
from btmodel.source_text import gc_code
from tests.gc_rules import RULES
from tests.lint.parts import column, found

Make = Callable[..., ModelSchema]
ID = KeyField("id", PaddedInt(6), 10)
DAY = KeyField("day", DateText())
HOURLY = Rate.parse("10/h")  # each of ten rows, once an hour


def expiring(gc: GcRule) -> ModelSchema:
    """A model whose rows have an end, in a family of that rule."""

    class Lock(bt.Model, table="LOCK"):
        task: str = bt.key(bt.Text(max_length=40), cardinality=10_000)
        until: datetime = bt.expires()
        f = bt.family("f", gc=gc)
        owner: str = bt.column("o", f)

    return bt.schema_of(Lock)


@pytest.mark.parametrize(
    ("gc", "flagged"),
    [
        (bt.max_age(seconds=1), True),
        (bt.max_age("59s") | bt.max_versions(3), True),
        (bt.max_age("59s") & bt.max_versions(3), False),
        (bt.max_age("1min"), False),
        (bt.keep_all(), False),
    ],
)
def test_what_is_gone_before_anybody_reads_it_is_flagged(gc: GcRule, flagged: bool) -> None:
    """A family with so short an age is one of rows that end, or a mistake; the fix gives the rows an end."""

    class Lease(bt.Model, table="LEASE"):
        task: str = bt.key(bt.Text(max_length=40), cardinality=10_000)
        f = bt.family("f", gc=gc)
        owner: str = bt.column("o", f)

    findings = [each for each in review(bt.schema_of(Lease)) if each.rule == "FAM005"]
    assert [each.level for each in findings] == [Level.WARNING] * flagged
    for finding in findings:
        assert finding.subject == "Lease.f"
        assert finding.message.startswith("what is written to family 'f' is read for")
        assert "`until: datetime = bt.expires()`" in finding.fix


def ended(
    name: str = "expires_at",
    doc: str = "A story that is seen for 24 hours.",
    gc: GcRule | None = None,
    key: KeyField | None = None,
    column: Any = bt.column,
) -> list[Finding]:
    """What FAM010 finds on a model whose column of this name holds a time."""
    f = bt.family("f", gc=gc or bt.max_versions(1))
    part = bt.key(bt.EpochMillis()) if key is None else bt.key(bt.PaddedInt(6))
    space = {
        "__doc__": doc,
        "__module__": __name__,
        "__annotations__": {"user": int, "at": datetime if key is None else int, "text": str, name: datetime},
        "user": bt.key(bt.PaddedInt(8), cardinality=10_000_000),
        "at": part,
        "f": f,
        "text": column("t", f),
        name: bt.column("x", f),
    }
    made = type(bt.Model)("Story", (bt.Model,), space, table="STORY")
    return [each for each in review(bt.schema_of(made)) if each.rule == "FAM010"]


@pytest.mark.parametrize(
    ("changes", "level"),
    [
        ({}, Level.WARNING),
        ({"doc": "A post that disappears again."}, Level.WARNING),
        ({"doc": "A token that a user was given."}, Level.INFO),
        ({"name": "expiry"}, Level.WARNING),
        ({"name": "deleteAfter"}, Level.WARNING),
        ({"name": "token_expires_at"}, Level.WARNING),
        ({"name": "expected_at"}, None),
        ({"name": "deleted"}, None),
        ({"gc": bt.max_age(days=2)}, None),
        ({"gc": bt.max_age(days=2) | bt.max_versions(1)}, None),
        ({"gc": bt.keep_all()}, Level.WARNING),
        ({"key": ID}, Level.WARNING),  # of ids without number, as those of sessions
        ({"key": ID, "doc": "A story; it expires."}, None),  # a row stays, and its end is moved on
    ],
)
def test_an_end_that_stands_in_a_column_deletes_nothing(changes: dict[str, Any], level: Level | None) -> None:
    """Of rows that come one after the other; the fix makes it the time of the cells, or gives an age."""
    findings = ended(**changes)
    assert [each.level for each in findings] == [level] * (level is not None)
    for finding in findings:
        [made] = finding.models
        assert made.stamp.expires
        assert {family.gc for family in made.families} == {bt.max_age(seconds=1)}
        assert [each.name for each in made.columns] == ["text"]


@pytest.mark.parametrize(
    ("doc", "gc", "kept"),
    [
        ("A click, kept for 90 days.", bt.max_versions(1), bt.max_versions(1) | bt.max_age(days=90)),
        ("Clicks that are stored for a year.", bt.keep_all(), bt.max_age(days=366)),
        ("Each is deleted after two weeks.", bt.keep_all(), bt.max_age(days=14)),
        ("Kept in the log for up to 36 hours.", bt.max_age(hours=12), bt.max_age(hours=36)),
        ("Erased 13 weeks after it was given.", bt.max_versions(1), bt.max_versions(1) | bt.max_age(days=91)),
        ("Deleted after 60 days.", bt.max_versions(1) & bt.max_age(days=60), None),  # FAM005 says so
        ("May not be stored for longer than 30 days.", bt.keep_all(), bt.max_age(days=30)),
        ("Must be collected after 30 days.", bt.keep_all(), bt.max_age(days=30)),
        ("Nothing may be left after 30 days.", bt.keep_all(), bt.max_age(days=30)),
        ("Kept for 90 days.", bt.max_age(days=90), None),
        ("Kept for 90 days.", bt.max_age(days=400), None),
        ("Kept for three months.", bt.max_age(days=90), None),
        ("Kept for 90 days.", bt.max_age(days=90) | bt.max_versions(1), None),
        ("Gateways keep reports for six hours.", bt.max_versions(1), None),
        ("A visit, which lasts for 2 hours.", bt.max_versions(1), None),
    ],
)
def test_a_time_that_the_description_says_is_that_of_the_gc_rule(
    doc: str, gc: GcRule, kept: GcRule | None
) -> None:
    """Rows that are kept for ever or too short are flagged; what is kept for longer than said may be a margin."""
    findings = ended(name="seen_at", doc=doc, gc=gc)
    assert [each.level for each in findings] == [Level.WARNING] * (kept is not None)
    for finding in findings:
        assert [family.gc for made in finding.models for family in made.families] == [kept]
        assert finding.edit is not None


@pytest.mark.parametrize(
    ("doc", "gc", "flagged"),
    [
        ("The address of a customer, with all earlier ones.", bt.max_versions(1), True),
        ("What an account holds, with its full history.", bt.max_versions(1), True),
        ("What an account holds, with its full history.", bt.max_versions(9), False),
        ("The newest state. The full history is in the table LOG.", bt.max_versions(1), False),
        ("The newest state of an old customer.", bt.max_versions(1), False),
    ],
)
def test_earlier_values_that_the_description_speaks_of_are_asked_about(
    doc: str, gc: GcRule, flagged: bool
) -> None:
    """Of rows that are written again and again; with a time in the key, each value has a row of its own."""
    findings = ended(name="seen_at", doc=doc, gc=gc, key=ID)
    assert [each.level for each in findings] == [Level.INFO] * flagged
    assert ended(name="seen_at", doc=doc, gc=gc) == []


def test_times_of_the_application_may_be_short_of_age() -> None:
    """Of a row, an entry or an event, they may lie in the future, so that each ends by itself."""

    class Visit(bt.Model, table="VISIT"):
        user: str = bt.key(bt.Text(max_length=40), cardinality=10_000)
        f = bt.family("f", gc=bt.max_age(seconds=1))
        devices: dict[str, bt.Timed[str]] = bt.timed(f, bt.Text(max_length=9))

    class Seen(bt.Model, table="SEEN"):
        user: str = bt.key(bt.Text(max_length=40), cardinality=10_000)
        at: datetime = bt.timestamp()
        f = bt.family("f", gc=bt.max_age(seconds=1))
        device: str = bt.column("d", f)

    for model in (Visit, Seen):
        assert not [each for each in review(bt.schema_of(model)) if each.rule == "FAM005"]


@pytest.mark.parametrize(
    ("gc", "flagged"),
    [
        (bt.max_age(seconds=1), False),
        (bt.max_age("30d") | bt.max_versions(1), False),
        (bt.max_versions(1), True),
        (bt.keep_all(), True),
        (bt.max_age("1h") & bt.max_versions(1), True),
    ],
)
def test_rows_that_have_ended_are_deleted_by_age(gc: GcRule, flagged: bool) -> None:
    """Where rows have an end, a family whose rule would keep them behind it for ever is flagged, and the fix deletes them."""
    findings = [each for each in review(expiring(gc)) if each.rule == "FAM005"]
    assert len(findings) == flagged
    for finding in findings:
        assert finding.subject == "Lock.f"
        assert "rows end at `until`, but their family 'f' keeps" in finding.message
        assert code(finding.fix) == bt.max_age(seconds=1)


def code(fix: str) -> GcRule:
    """The rule that a fix writes out."""
    text = re.search(r"gc=(.*?)\)?`", fix)
    assert text is not None
    closed = text[1] + ")" * (text[1].count("(") - text[1].count(")"))
    rule: GcRule = eval(closed, {"bt": bt})
    return rule


@given(RULES, st.integers(0, 6).map(lambda n: timedelta(milliseconds=n)), st.integers(1, 6))
def test_a_raised_rule_keeps_what_it_is_raised_for(rule: GcRule, age: timedelta, rank: int) -> None:
    """It deletes nothing of this age and rank, nothing that it kept before, and is left as it is where it can be."""
    higher = raised(rule, age, rank)
    assert not higher.deletes(age, rank)
    assert not higher.compared_to(rule).deletes_kept_cells
    assert rule.deletes(age, rank) or higher == rule


@given(RULES)
def test_the_shortest_rule_means_the_same(rule: GcRule) -> None:
    """It keeps the same cells, and there is nothing left in it to leave out."""
    short = shortest(rule)
    assert short.compared_to(rule) is GcChange.EQUAL
    assert shortest(short) == short


def day_of(a_model: Make, rule: GcRule, *columns: Column, **changes: Any) -> ModelSchema:
    values: dict[str, Any] = {"events": HOURLY, "bucket": Bucket.DAY} | changes
    return a_model(ID, DAY, families=(Family("data", rule),), columns=columns, **values)


@pytest.mark.parametrize("shape", [Shape.HISTORY, Shape.MARKS])
@pytest.mark.parametrize(
    ("rule", "fixed"),
    [
        (bt.max_versions(24), None),
        (bt.max_versions(23), bt.max_versions(24)),
        (bt.max_age(days=1), None),
        (bt.max_age(hours=23), bt.max_age(days=1)),
        (bt.max_versions(23) & bt.max_age(days=1), None),
        (bt.max_versions(24) & bt.max_age(hours=1), None),
        (bt.max_versions(23) & bt.max_age(hours=1), bt.max_versions(24) & bt.max_age(hours=1)),
        (bt.max_versions(24) | bt.max_age(hours=1), bt.max_versions(24) | bt.max_age(days=1)),
        (bt.max_versions(5) | bt.max_age(hours=1), bt.max_versions(24) | bt.max_age(days=1)),
        (bt.keep_all(), None),
    ],
)
def test_a_rule_keeps_a_whole_bucket_or_is_raised(
    a_model: Make, shape: Shape, rule: GcRule, fixed: GcRule | None
) -> None:
    """A day of hourly events needs 24 versions or a day; of rules that combine, what they mean together counts."""
    names = Int(6) if shape is Shape.MARKS else None
    model = day_of(a_model, rule, column("t", shape, names=names))
    findings = found(model, "FAM006")
    assert [code(finding.fix) for finding in findings] == ([] if fixed is None else [fixed])
    if fixed is not None:
        assert found(evolve(model, families=(Family("data", fixed),)), "FAM006") == []


def test_slots_are_judged_by_their_age_alone(a_model: Make) -> None:
    """Each slot is a column, so one version of each is enough; an age is too little for any."""
    slots = column("t", Shape.SLOTS, slots=SlotFormat("%H", timedelta(hours=1), Bucket.DAY))
    assert found(day_of(a_model, bt.max_versions(1), slots), "FAM006") == []
    (finding,) = found(day_of(a_model, bt.max_age(hours=1), slots), "FAM006")
    assert code(finding.fix) == bt.max_age(days=1)
    assert "every=" not in finding.fix


def test_events_that_are_not_known_are_judged_by_age_alone(a_model: Make) -> None:
    """How many come is not guessed; that a bucket lasts a day is known."""
    history = column("t", Shape.HISTORY)
    assert found(day_of(a_model, bt.max_versions(1), history, events=None), "FAM006") == []
    assert len(found(day_of(a_model, bt.max_age(hours=1), history, events=None), "FAM006")) == 1
    (past,) = found(day_of(a_model, bt.max_versions(1), history, bucket=None), "FAM006")
    assert past.level is Level.WARNING
    assert "never longer than one" in past.why
    assert found(day_of(a_model, bt.max_versions(2), history, bucket=None), "FAM006") == []


def kept_of(days: int) -> GcRule:
    """The newest version, and the others up to an age."""
    return bt.max_versions(1) & bt.max_age(days=days)


@pytest.mark.parametrize(
    ("doc", "every", "kept"),
    [
        ("The price of each day of the last two years.", "1day", kept_of(731)),
        ("What was sold in the past 90 days, and in the last hour.", "1day", kept_of(91)),
        ("Auditors ask what held on a given day, up to six years back.", "180days", kept_of(2_370)),
        ("Auditors ask what held on a given day, 6 years back.", "180days", kept_of(2_370)),
        ("Auditors ask what held on a given day, as far back as six years.", "180days", kept_of(2_370)),
        ("Auditors ask what held on a given day, for six years.", "180days", kept_of(2_370)),
        ("Kept for six years.", "180days", kept_of(2_370)),
        ("The last week, by the minute.", "1min", None),  # 10,080 are too many for a row
        ("The last day, twice an hour.", "30min", bt.max_versions(1) & bt.max_age(hours=24, minutes=30)),
        ("The last two years.", None, kept_of(730)),
        ("The last known price of a day.", "1day", None),
        ("The price of each day.", "1day", None),
    ],
)
def test_how_many_events_are_wanted_is_not_guessed(
    a_model: Make, doc: str, every: str | None, kept: GcRule | None
) -> None:
    """The description and the rate may say it; where they do not, it is asked for, and nothing is written into the source."""
    figures = Expected(every=every and parse_every(every))
    history = column("price", Shape.HISTORY, expected=figures)
    model = a_model(ID, families=(Family("data", bt.max_versions(1)),), columns=(history,), doc=doc)
    (finding,) = found(model, "FAM006")
    assert finding.edit == (kept and ArgumentEdit("gc", gc_code(kept)))
    if kept is None:
        assert "how many are read, only you know" in finding.fix
        assert (
            "`gc=bt.max_versions(1) & bt.max_age(...)`" in finding.fix
        )  # the newest stays, and no age is guessed
    else:
        assert "as the description says" in finding.fix


@pytest.mark.parametrize(
    ("rule", "every", "kept"),
    [
        (bt.max_versions(1) | bt.max_age(days=60), "10s", bt.max_age(days=60)),
        (bt.max_versions(1) | bt.max_age(days=60), None, None),
        (bt.max_versions(1) | bt.max_age(days=60), "1s", None),  # more than a row should have
        (bt.max_versions(1), "10s", None),
    ],
)
def test_an_age_that_is_there_is_what_was_meant(
    a_model: Make, rule: GcRule, every: str | None, kept: GcRule | None
) -> None:
    """The number beside it deletes what it would keep; as many as the day of a row has."""
    figures = Expected(every=every and parse_every(every))
    history = column("price", Shape.HISTORY, expected=figures)
    model = a_model(
        ID, ("day", DateText()), families=(Family("data", rule),), columns=(history,), doc="Prices."
    )
    (finding,) = found(model, "FAM006")
    assert finding.edit == (kept and ArgumentEdit("gc", gc_code(kept)))
    if kept is None:
        assert "how many are read, only you know" in finding.fix
        assert ("of which a row has" in finding.fix) is bool(every)
    else:
        assert "leave out the number of versions, so that those of 60 days are kept" in finding.fix


def test_a_history_that_says_what_it_keeps_is_reported_once(a_model: Make) -> None:
    """By the rule on what columns want; a history beside it that says nothing is reported here, and so is one that wants no more."""
    newest = (Family("data", bt.max_versions(1)),)
    dose = column("dose", Shape.HISTORY, expected=Expected(keep=bt.keep_all()))
    stated = a_model(ID, families=newest, columns=(column("arm"), dose))
    assert found(stated, "FAM006") == []
    assert [one.level for one in found(stated, "FAM005")] == [Level.ERROR]
    both = evolve(stated, columns=(*stated.columns, column("weight", Shape.HISTORY)))
    (finding,) = found(both, "FAM006")
    assert finding.message.startswith("`weight` is a history")
    unwilling = evolve(dose, expected=Expected(keep=bt.max_versions(1)))
    assert len(found(evolve(stated, columns=(unwilling,)), "FAM006")) == 1


@pytest.mark.parametrize(
    ("doc", "whole"),
    [
        ("Inspectors read each dose that was ever set.", True),
        ("All doses that a subject\never had are read.", True),
        ("Every dose ever set.", True),
        ("Every dose is hardly ever read.", False),
        ("Each dose of the last two years is read, if ever.", False),
        ("Has a subject ever had a dose?", False),
    ],
)
@pytest.mark.parametrize("beside", [True, False])
def test_each_value_that_ever_was_is_kept(a_model: Make, doc: str, whole: bool, beside: bool) -> None:
    """What stands beside a history keeps the rule that it has."""
    dose = column("dose", Shape.HISTORY, expected=Expected(every=parse_every("40days")))
    columns = (*[column("arm")] * beside, dose)
    model = a_model(ID, families=(Family("data", bt.max_versions(1)),), columns=columns, doc=doc)
    (finding,) = found(model, "FAM006")
    home = "data2" if beside else "data"
    assert (f'`bt.family("{home}", gc=bt.keep_all())`' in finding.fix) is whole
    assert ("a family of its own" in finding.fix) is (whole and beside)


@pytest.mark.parametrize(
    ("days", "span", "kept"),
    [
        (14, "14days", "days=36"),  # 21 late, a day of the bucket, and 14 to be read
        (22, "14days", "days=36"),
        (34, "14days", "days=36"),
        (36, "14days", None),
        (14, "1day", "days=36"),  # a short span is no reason to keep less than the rule does
        (30, "30days", None),  # which are not over when the last events are there
    ],
)
def test_what_is_late_is_kept_for_as_long_as_it_is_read(days: int, span: str, kept: str | None) -> None:
    """A query of days that are over before their events came is asked of days that are past."""

    class Passers(bt.Model, table="PASSERS", bucket="day", events="40/s", lateness="21d"):
        counter: str = bt.key(bt.Text(width=6), cardinality=8_000)
        day: date = bt.key(bt.DateText())
        f = bt.family("f", gc=bt.max_age(days=days))
        people: bt.History[int] = bt.history("n", f, every="200s")
        of_counter = bt.query("counter", between="day", span=span)

    told = [one for one in found(bt.schema_of(Passers), "FAM006") if one.level is Level.WARNING]
    assert [f"bt.max_age({kept})" in one.fix for one in told] == [True] * bool(kept)


def test_the_document_s_week_of_minutes(a_model: Make) -> None:
    """10,080 cells of a balloon's week under a rule of 1,000 versions: the fix keeps them all, in one finding."""
    every = Expected(every=timedelta(minutes=1))
    columns = (column("a", Shape.HISTORY, expected=every), column("b", Shape.HISTORY, expected=every))
    week = KeyField("week", bt.IsoWeek())
    model = a_model(
        ID, week, bucket=Bucket.WEEK, families=(Family("data", bt.max_versions(1_000)),), columns=columns
    )
    (finding,) = found(model, "FAM006")
    assert finding.field == "data"
    assert "10,080 events" in finding.message
    assert '`bt.family("data", gc=bt.max_versions(10_080))`' in finding.fix
    assert "every=" not in finding.fix


def test_a_column_that_wants_to_be_kept_otherwise(a_model: Make) -> None:
    """One version beside a thousand gets a family of its own, whose rule is written out."""
    wanted = Expected(keep=bt.max_versions(1))
    many = Family("data", bt.max_versions(1_000))
    columns = (column("a", Shape.HISTORY), column("note", expected=wanted))
    (finding,) = found(a_model(families=(many,), columns=columns), "FAM005")
    assert finding.field == "note"
    assert '`bt.family("data2", gc=bt.max_versions(1))`' in finding.fix
    other = (many, Family("data2", bt.max_versions(1)))
    (finding,) = found(a_model(families=other, columns=columns), "FAM005")
    assert "in the family 'data2'" in finding.fix


def test_one_fix_is_for_all_columns_of_a_family_that_want_to_be_kept_otherwise(a_model: Make) -> None:
    """Those that want the same move together, those that want something else to a family of another name; then nothing is found."""
    year, newest = Expected(keep=bt.max_age(days=400)), Expected(keep=bt.max_versions(1))
    rule = bt.max_versions(1) | bt.max_age(days=30)
    columns = (
        column("a", expected=newest),
        column("b", expected=year),
        column("c", expected=newest),
        column("d"),
    )
    model = a_model(
        ID, families=(Family("s", rule),), columns=tuple(evolve(one, family="s") for one in columns)
    )
    (finding,) = found(model, "FAM005")
    assert finding.field == "a"
    assert "`a`, `c` declare `keep=bt.max_versions(1)`, and `b` declares `keep=" in finding.message
    assert finding.fix == (
        'give `a`, `c` a family of their own: `bt.family("s2", gc=bt.max_versions(1))`, and '
        'give `b` a family of its own: `bt.family("s3", gc=bt.max_age(days=400))`'
    )
    (made,) = finding.models
    assert found(made, "FAM005") == []
    (there,) = found(evolve(model, families=(*model.families, Family("k", bt.max_versions(1)))), "FAM005")
    assert "declare `a`, `c` in the family 'k', which keeps just that, and give `b` a family" in there.fix
    required = evolve(model, columns=tuple(evolve(one, required=True) for one in model.columns))
    assert all(one.models for one in found(required, "FAM005"))


def test_a_family_whose_rule_no_column_wants_takes_that_of_the_first(a_model: Make) -> None:
    """Nothing would be left in it if all columns moved."""
    wanted = {"a": bt.max_versions(9), "b": bt.max_age(days=30), "c": bt.max_versions(9)}
    columns = tuple(column(name, expected=Expected(keep=keep)) for name, keep in wanted.items())
    (finding,) = found(a_model(families=(Family("data", bt.max_versions(1)),), columns=columns), "FAM005")
    assert finding.level is Level.ERROR
    assert finding.fix.startswith('state what `a`, `c` declare: `bt.family("data", gc=bt.max_versions(9))`')
    assert 'give `b` a family of its own: `bt.family("data3", gc=bt.max_age(days=30))`' in finding.fix
    assert [found(each, "FAM005") for each in finding.models] == [[]]


def test_a_column_that_is_kept_for_less_than_its_row_may_be_absent(a_model: Make) -> None:
    """A family of its own with an age would delete a required column before the row: the fix lets a row be without it."""
    family = Family("data", bt.max_versions(1))
    wanted = column("beat", expected=Expected(keep=bt.max_age(days=1)))
    model = a_model(families=(family,), columns=(column("name"), evolve(wanted, required=True)))
    (finding,) = found(model, "FAM005")
    assert finding.fix == (
        'give `beat` a family of its own: `bt.family("data2", gc=bt.max_age(days=1))`, and let a row be without it: '
        "`beat: int | None`, with `default=None`"
    )
    assert found(finding.models[0], "FAM005") == []


@pytest.mark.parametrize(
    ("cached", "kept", "required", "events", "flagged"),
    [
        (bt.max_age(days=1), bt.max_versions(1), True, None, True),
        (bt.max_age(days=1), bt.max_age(days=30), True, None, True),
        (bt.max_age(days=1), bt.max_age(days=1), True, None, False),  # the row goes as a whole
        (bt.max_age(days=1) & bt.max_versions(1), bt.max_versions(1), True, None, False),  # the newest stays
        (bt.max_age(days=1), bt.max_versions(1), False, None, False),
        (bt.max_age(days=1), bt.max_versions(1), True, "1/h", True),
        (bt.max_age(days=1), bt.max_versions(1), True, "1/min", False),  # each of ten rows in ten minutes
        (bt.max_age("{ttl}"), bt.max_versions(1), True, None, False),
    ],
)
def test_a_required_column_is_not_outlived_by_others(
    a_model: Make, cached: GcRule, kept: GcRule, required: bool, events: str | None, flagged: bool
) -> None:
    """Once it is deleted and the row is not, no read decodes the row; the fixes are to lack it, or to keep it as long."""
    families = (Family("c", cached), Family("f", kept))
    columns = (
        evolve(column("amount"), family="f", required=required),
        evolve(column("time"), family="c", required=required),
    )
    model = a_model(ID, families=families, columns=columns, events=events and Rate.parse(events))
    findings = found(model, "FAM005")
    assert [one.field for one in findings] == ["time"] * flagged
    for one in findings:
        assert one.level is Level.WARNING
        assert "`default=None`" in one.fix
        assert "declare it in the family 'f'" in one.fix
        for fixed in one.models:
            assert found(fixed, "FAM005") == []


def test_what_is_written_once_is_kept_as_long_as_what_changes_often(a_model: Make) -> None:
    """Many writes of optional columns do not renew the required ones, which are all in a family of their own: one finding, one cause."""
    families = (Family("u", bt.max_versions(1) | bt.max_age(days=90)), Family("live", bt.max_versions(1)))
    columns = (
        column("make", family="u", required=True),
        column("built", family="u", required=True),
        column("floor", family="live"),
    )
    model = a_model(ID, families=families, columns=columns, events=Rate.parse("1/s"))
    (finding,) = found(model, "FAM005")
    assert finding.fix.startswith('keep them for as long as the row: `bt.family("u", gc=bt.max_versions(1))`')
    assert found(finding.models[0], "FAM005") == []
    both = evolve(model, columns=(*columns, column("seen", family="live", required=True)))
    assert found(both, "FAM005") == []  # each write writes all that is required


def test_a_family_of_which_all_columns_want_the_same_is_wrong_itself(a_model: Make) -> None:
    """Where nothing in the family wants its rule, the rule is what changes; a mirror wants none."""
    wanted = Expected(keep=bt.max_age(days=7))
    columns = (column("a", expected=wanted), column("b", expected=wanted))
    model = a_model(families=(Family("data", bt.max_versions(1)),), columns=columns)
    for finding in found(model, "FAM005"):
        assert '`bt.family("data", gc=bt.max_age(days=7))`' in finding.fix
    mirrored = evolve(ID, mirror=Mirror("data", b"ID", Int64()))
    model = a_model(mirrored, families=model.families, columns=columns)
    assert all('"data2"' in finding.fix for finding in found(model, "FAM005"))


def test_rules_that_mean_the_same_are_the_same(a_model: Make) -> None:
    """How a rule is written does not matter."""
    kept = bt.max_age(days=1) | bt.max_versions(1)
    same = bt.max_versions(1) | bt.max_age(hours=24) | bt.max_age(days=9)
    model = a_model(families=(Family("data", kept),), columns=(column("a", expected=Expected(keep=same)),))
    assert found(model, "FAM005") == []


def test_a_rule_of_500_bytes_passes_and_a_larger_one_is_said_in_fewer_words(a_model: Make) -> None:
    """The limit is the service's, and what is too long mostly names the same limits again."""
    sizes = {}
    for count in range(1, 140):
        rule = Union((bt.max_versions(1),) * count)
        sizes[serialized_size(rule)] = rule
    least = min(size for size in sizes if size > 500)
    most = max(size for size in sizes if size <= 500)
    assert most >= 497
    assert found(a_model(families=(Family("data", sizes[most]),)), "FAM008") == []
    (finding,) = found(a_model(families=(Family("data", sizes[least]),)), "FAM008")
    assert finding.limit
    assert f"{least} bytes; the service accepts 500" in finding.message
    assert "`gc=bt.max_versions(1)`" in finding.fix


def test_a_rule_that_cannot_be_said_in_fewer_words(a_model: Make) -> None:
    """Of fifty steps none is superfluous, so the fix tells how many there are."""
    steps = [bt.max_versions(n) | bt.max_age(days=100 - n) for n in range(1, 51)]
    rule = steps[0]
    for step in steps[1:]:
        rule = rule & step
    (finding,) = found(a_model(families=(Family("data", rule),)), "FAM008")
    assert finding.fix == "state fewer than its 100 limits"


def test_a_live_rule_that_keeps_nothing(a_model: Make) -> None:
    """An emulator stores limits of nothing; a review of the live table tells of them."""
    (finding,) = found(a_model(families=(Family("data", DeleteAll()),)), "FAM008")
    assert "keeps nothing" in finding.message


def test_counters_and_plain_cells_do_not_share_a_family(a_model: Make) -> None:
    """A column, a mirror and a counter in the wrong kind of family are a finding each, at their own places."""
    mirrored = evolve(ID, mirror=Mirror("sums", b"ID", Int64()))
    families = (Family("data", bt.keep_all()), Family("sums", bt.keep_all(), Aggregate.SUM))
    columns = (
        column("n", Shape.COUNTER),
        column("total", Shape.COUNTER, "sums"),
        column("plain", family="sums"),
        column("fine"),
    )
    findings = found(a_model(mirrored, families=families, columns=columns), "FAM007")
    assert [(finding.field, finding.limit) for finding in findings] == [
        ("id", True),
        ("n", True),
        ("plain", True),
    ]
    assert "such as 'sums'" in findings[1].fix
    assert "such as 'data'" in findings[0].fix
    assert "with `bt.counter(...)`; if not, put it into a plain family" in findings[2].fix


@pytest.mark.parametrize(
    ("aggregate", "shape", "family"),
    [
        (Aggregate.SUM, Shape.MEMBERS, 'bt.family("data2", gc=bt.max_versions(1))'),
        (None, Shape.COUNTER, 'bt.family("sums", gc=bt.keep_all(), aggregate="sum")'),
    ],
)
def test_the_family_that_is_missing_is_written_out(
    a_model: Make, aggregate: Aggregate | None, shape: Shape, family: str
) -> None:
    """Without a family of the right kind, the fix declares one, under an id that is free."""
    one = Column("a", "data", b"a", Present(), False, shape, Text(max_length=3))
    model = a_model(families=(Family("data", bt.keep_all(), aggregate),), columns=(one,))
    assert f"`{family}`" in found(model, "FAM007")[0].fix


@pytest.mark.parametrize(
    ("one", "fix"),
    [
        (Column("n", "data", b"n", Int64(), True), "as `int | None` with `bt.counter(...)`"),
        (Column("n", "data", b"n", Int64(), False, also=(b"m",)), "declare it with `bt.counter(...)`"),
        (
            Column("n", "data", b"", Int64(), False, Shape.MAPPING, Text(max_length=3)),
            "declare it with `bt.counters(...)`",
        ),
        (Column("n", "data", b"n", DecimalText(), False), "put it into a plain family, such as `bt.family("),
    ],
)
def test_numbers_of_an_aggregate_family_are_taken_for_counters(a_model: Make, one: Column, fix: str) -> None:
    """A number of 8 bytes may have been meant to be added to, and each entry of a mapping of such; no other value can be."""
    model = a_model(families=(Family("data", bt.keep_all(), Aggregate.SUM),), columns=(one,))
    assert fix in found(model, "FAM007")[0].fix


def test_a_class_with_a_mixed_family_is_refused_with_a_finding() -> None:
    """The declaration itself is told by the rule, with the place of the column, and by nothing else."""
    with pytest.raises(bt.DeclarationError, match="1 error in its declaration") as refused:

        class Sales(bt.Model, table="SALES"):
            employee: str = bt.key(bt.Text(max_length=20), cardinality=5_000)

            totals = bt.family("totals", gc=bt.keep_all(), aggregate="sum")
            name: str = bt.column("name", totals)

    (finding,) = (each for each in refused.value.findings if isinstance(each, Finding))
    assert (finding.rule, finding.field) == ("FAM007", "name")
    assert finding.location is not None
    assert finding.location.file == __file__


def test_a_live_table_has_neither_columns_nor_events(a_model: Make) -> None:
    """Rules on retention cope with a table that was read from an instance."""
    model = a_model(families=(Family("data", DeleteAll()), Family("sums", bt.keep_all(), Aggregate.MAX)))
    empty = evolve(model, key=evolve(model.key, fields=()), location=None)
    assert [finding.rule for finding in review(empty)] == ["FAM008"]
    assert review(a_model(("kind", Constant("x")))) == ()


LATE = timedelta(days=2)


@pytest.mark.parametrize(
    ("shape", "changes", "rule", "fixed"),
    [
        (Shape.HISTORY, {}, bt.max_age(days=1), bt.max_age(days=3)),
        (Shape.HISTORY, {}, bt.max_age(days=2), None),  # what is two days late has just that age
        (Shape.HISTORY, {"lateness": None}, bt.max_age(hours=1), None),
        (Shape.VALUE, {}, bt.max_age(days=1), None),  # the time of writing is never late
        (Shape.VALUE, {"stamp": Stamp("at", True, True)}, bt.max_age(days=1), bt.max_age(days=3)),
        (Shape.VALUE, {"stamp": Stamp("id")}, bt.max_age(days=1), bt.max_age(days=3)),
        (Shape.VALUE, {"stamp": Stamp("at", True, True)}, bt.max_versions(1), None),  # the newest is wanted
        (Shape.VALUE, {"stamp": Stamp("end", True, True, expires=True)}, bt.max_age(days=1), None),
        (Shape.TIMED, {}, bt.max_age(days=1), bt.max_age(days=3)),
        (Shape.TIMED, {}, bt.max_age(seconds=1), None),  # ends of entries
        (Shape.COUNTS, {}, bt.max_age(days=2), bt.max_age(days=5)),
        (Shape.COUNTS, {}, bt.max_age(days=3), None),
    ],
)
def test_what_is_written_late_is_not_deleted_at_once(
    a_model: Make, shape: Shape, changes: dict[str, Any], rule: GcRule, fixed: GcRule | None
) -> None:
    """An age counts from the timestamp, so a family of event times keeps late events only if it is no shorter than they are late."""
    names = Text(max_length=3) if shape is Shape.TIMED else None
    spans = Spans(timedelta(days=1)) if shape is Shape.COUNTS else None
    one = column("n", shape, names=names, spans=spans)
    values: dict[str, Any] = {"lateness": LATE} | changes
    sums = Aggregate.SUM if spans else None
    model = a_model(families=(Family("data", rule, sums),), columns=(one,), **values)
    findings = found(model, "FAM006")
    assert [(each.level, code(each.fix)) for each in findings] == (
        [(Level.WARNING, fixed)] if fixed is not None else []
    )
    for each in findings:
        assert found(each.models[0], "FAM006") == []


@pytest.mark.parametrize(("days", "flagged"), [(2, True), (3, False)])
def test_a_bucket_takes_events_until_the_late_ones_are_there(a_model: Make, days: int, flagged: bool) -> None:
    """The first event of a day is three days old when the last one may still come."""
    model = day_of(a_model, bt.max_age(days=days), column("t", Shape.HISTORY), lateness=LATE)
    findings = found(model, "FAM006")
    assert [each.level for each in findings] == [Level.WARNING] * flagged
    assert all("a day takes them until 3 days after its start" in each.message for each in findings)


@pytest.mark.parametrize(
    ("rule", "flagged"),
    [
        (bt.max_versions(48), True),
        (bt.max_versions(49), False),
        (bt.max_versions(1) & bt.max_age(days=2), False),
        (bt.keep_all(), False),
    ],
)
def test_versions_are_counted_by_the_times_of_events(a_model: Make, rule: GcRule, flagged: bool) -> None:
    """Of hourly events, 48 are newer than one that is two days late: that it is gone is information."""
    history = column("t", Shape.HISTORY, expected=Expected(every=timedelta(hours=1)))
    model = a_model(families=(Family("data", rule),), columns=(history,), lateness=LATE)
    findings = found(model, "FAM006")
    assert [each.level for each in findings] == [Level.INFO] * flagged
    assert all("when the row has 48 newer ones" in each.message for each in findings)
    slow = evolve(model, columns=(column("t", Shape.HISTORY),))
    assert found(slow, "FAM006") == []  # how many are newer is not guessed


@pytest.mark.parametrize(
    ("stamp", "rule", "flagged"),
    [
        (Stamp(fixed=0), bt.max_versions(2), True),
        (Stamp(fixed=0), bt.max_versions(1), False),
        (Stamp(fixed=0), bt.keep_all(), False),
        (WRITTEN, bt.max_versions(2), False),
    ],
)
def test_cells_that_are_replaced_have_no_versions(
    a_model: Make, stamp: Stamp, rule: GcRule, flagged: bool
) -> None:
    """A family that keeps several versions of what always has the same timestamp promises what it cannot keep."""
    findings = found(a_model(families=(Family("data", rule),), columns=(column("n"),), stamp=stamp), "FAM005")
    assert [each.level for each in findings] == [Level.WARNING] * flagged
    for each in findings:
        assert code(each.fix) == bt.max_versions(1)
        assert "leave out `timestamp=`" in each.fix


@pytest.mark.parametrize(
    ("doc", "first"),
    [
        ("A text; its author goes back to one of the last ten versions.", True),
        ("A text, with the previous drafts.", True),
        ("A text whose history is shown.", True),
        ("A text.", False),
        ("A text, of which no older versions are kept.", False),
    ],
)
def test_versions_that_are_wanted_need_the_time_of_writing(a_model: Make, doc: str, first: bool) -> None:
    """The fix that comes first is the one that gives what the description speaks of."""
    families = (Family("data", bt.max_versions(10)),)
    model = a_model(families=families, columns=(column("n"),), stamp=Stamp(fixed=0))
    (finding,) = found(evolve(model, doc=doc), "FAM005")
    assert finding.fix.startswith("leave out `timestamp=`") is first
    assert (finding.models[0].stamp == WRITTEN) is first


@pytest.mark.parametrize(
    ("shape", "stamp", "rule", "clock"),
    [
        (Shape.VALUE, WRITTEN, bt.max_versions(1), Clock.WRITING),
        (Shape.SLOTS, WRITTEN, bt.max_versions(1), Clock.WRITING),
        (Shape.MEMBERS, Stamp(fixed=0), bt.max_versions(1), Clock.FIXED),
        (
            Shape.VALUE,
            Stamp("at"),
            bt.max_age(seconds=1),
            Clock.EVENT,
        ),  # a time of the key, which many cells share
        (Shape.VALUE, Stamp("at", True, True), bt.max_versions(1), Clock.EVENT),
        (Shape.VALUE, Stamp("at", True, True), bt.max_age(seconds=1), Clock.END),
        (Shape.VALUE, Stamp("at", True, True, expires=True), bt.max_age(days=9), Clock.END),
        (Shape.HISTORY, Stamp(fixed=0), bt.max_age(seconds=1), Clock.EVENT),
        (Shape.TIMED, WRITTEN, bt.max_age(days=1), Clock.EVENT),
        (Shape.TIMED, WRITTEN, bt.max_age(seconds=1), Clock.END),
        (Shape.COUNTERS, Stamp("at"), bt.keep_all(), Clock.FIXED),
        (Shape.COUNTS, WRITTEN, bt.max_age(days=9), Clock.SPAN),
    ],
)
def test_the_meaning_of_a_timestamp_follows_from_the_declaration(
    a_model: Make, shape: Shape, stamp: Stamp, rule: GcRule, clock: Clock
) -> None:
    """Shape, stamp and rule say it together, once for the review and for what is shown."""
    spans = Spans(timedelta(days=1)) if shape is Shape.COUNTS else None
    one = column("n", shape, spans=spans)
    model = a_model(families=(Family("data", rule),), columns=(one,), stamp=stamp)
    assert model.clock(one) is clock


@pytest.mark.parametrize(
    ("changes", "flagged"),
    [
        ({}, True),
        ({"lateness": timedelta(minutes=17)}, False),  # three of a row with 10/h come in 18 minutes
        ({"lateness": None}, False),
        ({"events": None}, False),  # how often a row is written is not guessed
        ({"stamp": Stamp("at", True, True)}, False),
        ({"key": RowKey((ID, KeyField("at", EpochMillis())), b"#")}, False),  # a row for each event
        ({"columns": (column("n"), column("t", Shape.HISTORY))}, False),  # what is late is in the history
    ],
)
def test_a_late_event_does_not_replace_a_newer_one(
    a_model: Make, changes: dict[str, Any], flagged: bool
) -> None:
    """Where the last write counts and a row is written again and again while an event is late, its own time is to count."""
    values: dict[str, Any] = {
        "events": Rate.parse("100/h"),
        "lateness": timedelta(hours=1),
        "columns": (column("n"),),
    }
    findings = found(a_model(ID, **(values | changes)), "ROW008")
    assert [each.level for each in findings] == [Level.WARNING] * flagged
    for each in findings:
        assert "replaces about 10 newer ones" in each.message
        assert each.fix == "give the cells the time of the event: `at: datetime = bt.timestamp()`"
        assert found(each.models[0], "ROW008") == []


@pytest.mark.parametrize(
    ("span", "newest", "flagged"), [(1, True, True), (3, True, False), (1, False, False)]
)
def test_the_newest_rows_are_read_as_far_back_as_events_are_late(
    a_model: Make, span: int, newest: bool, flagged: bool
) -> None:
    """Who reads the newest day again and again misses what comes after two."""
    query = Query("last", ("id",), "at", newest=newest, span=timedelta(days=span))
    model = a_model(ID, ("at", EpochMillis()), queries=(query,), lateness=LATE, columns=(column("n"),))
    findings = found(model, "ROW008")
    assert [each.level for each in findings] == [Level.INFO] * flagged
    for each in findings:
        assert '`span="3day"`' in each.fix
        assert each.models[0].queries[0].span == timedelta(days=3)


WEEK = timedelta(days=7)


@pytest.mark.parametrize(
    ("gc", "other", "lateness", "span", "kept"),
    [
        (bt.max_age(hours=6), None, None, WEEK, bt.max_age(days=7)),
        (bt.max_age(hours=6), None, timedelta(days=3), WEEK, bt.max_age(days=7)),
        (bt.max_age(hours=6) | bt.max_versions(2), None, None, WEEK, bt.max_age(days=7) | bt.max_versions(2)),
        (bt.max_age(hours=6) & bt.max_versions(2), None, None, WEEK, None),
        (bt.max_age(days=7), None, None, WEEK, None),
        (bt.max_versions(1), None, None, WEEK, None),
        (bt.max_age(hours=6), None, None, None, None),
        (bt.max_age(hours=6), bt.max_age(days=30), None, WEEK, None),
        (bt.max_age(hours=6), bt.max_age(hours=5), None, WEEK, bt.max_age(days=7)),
    ],
)
def test_a_query_does_not_read_more_than_is_kept(
    a_model: Make,
    gc: GcRule,
    other: GcRule | None,
    lateness: timedelta | None,
    span: timedelta | None,
    kept: GcRule | None,
) -> None:
    """Rows of which nothing is left cannot be read; where another family keeps some of them for longer, that is meant."""
    families = [Family("data", gc)] + [Family("other", other)] * (other is not None)
    columns = [column("a"), *[column("b", family="other")] * (other is not None)]
    query = Query("week", ("id",), "at", span=span)
    at = KeyField("at", EpochMillis())
    model = a_model(
        ID, at, families=tuple(families), columns=tuple(columns), queries=(query,), lateness=lateness
    )
    told = [one for one in found(model, "FAM006") if "reads 7 days" in one.message]
    assert [one.level for one in told] == [Level.ERROR] * (kept is not None)
    assert [one.models[0].family("data").gc for one in told] == [kept] * (kept is not None)
    backfilled = evolve(model, key=RowKey((ID, evolve(at, sequential=False)), b"#"))
    assert not [one for one in found(backfilled, "FAM006") if "reads 7 days" in one.message]


def test_a_rule_that_keeps_too_much_is_no_error(a_model: Make) -> None:
    """Cells in excess cost something, and lost ones are gone; a row for an event has one version, which no number deletes."""
    at = KeyField("at", EpochMillis())
    wanted = column("a", expected=Expected(keep=bt.max_age(days=30)))
    for rule, level in ((bt.max_versions(1), Level.WARNING), (bt.max_age(days=7), Level.ERROR)):
        model = a_model(ID, at, families=(Family("data", rule),), columns=(wanted,))
        assert [one.level for one in found(model, "FAM005")] == [level]
    versions = column("a", expected=Expected(keep=bt.max_versions(5)))
    lost = a_model(ID, families=(Family("data", bt.max_versions(1)),), columns=(versions,))
    assert [one.level for one in found(lost, "FAM005")] == [Level.ERROR]


AT = KeyField("at", EpochMillis())


@pytest.mark.parametrize(
    ("fields", "shape", "rule", "level"),
    [
        ((ID, AT), Shape.VALUE, bt.max_versions(1) & bt.max_age(days=30), Level.WARNING),
        ((ID, AT), Shape.VALUE, bt.max_versions(3) & bt.max_age(days=30), Level.WARNING),
        ((ID, AT), Shape.VALUE, bt.max_versions(1) | bt.max_age(days=30), None),
        ((ID, AT), Shape.VALUE, bt.max_age(days=30), None),
        ((ID, AT), Shape.VALUE, bt.max_versions(1), None),  # that is stated
        ((ID, AT), Shape.VALUE, bt.max_versions(1) & bt.max_age(days=7) | bt.max_age(days=30), None),
        ((ID, AT), Shape.MEMBERS, bt.max_versions(1) & bt.max_age(days=30), Level.WARNING),
        ((ID, AT), Shape.HISTORY, bt.max_versions(1) & bt.max_age(days=30), None),  # the older ones go
        (
            (ID, DAY),
            Shape.VALUE,
            bt.max_versions(1) & bt.max_age(days=30),
            Level.INFO,
        ),  # written again on that day, maybe
        ((ID,), Shape.VALUE, bt.max_versions(1) & bt.max_age(days=30), None),  # what it was for 30 days
        (
            (ID,),
            Shape.MEMBERS,
            bt.max_versions(1) & bt.max_age(days=30),
            Level.INFO,
        ),  # an old version is as empty
    ],
)
def test_an_age_deletes_something(
    a_model: Make, fields: tuple[KeyField, ...], shape: Shape, rule: GcRule, level: Level | None
) -> None:
    """The newest version that an intersection keeps is the only one in a row that is written once: say the age alone, or none."""
    names = Text(max_length=9) if shape is Shape.MEMBERS else None
    codec = Present() if names else Int64()
    columns = (
        column("up", shape, names=names, codec=codec, expected=Expected(entries=9 if names else None)),
    )
    model = a_model(*fields, families=(Family("data", rule),), columns=columns)
    findings = found(model, "FAM005")
    assert [one.level for one in findings] == ([] if level is None else [level])
    for one in findings:
        assert '`bt.family("data", gc=bt.max_age(days=30))`' in one.fix
        assert "gc=bt.max_versions(" in one.fix


@pytest.mark.parametrize(
    ("names", "shape", "rule", "told"),
    [
        (("crop", "planted"), Shape.HISTORY, bt.max_age(days=14), "`crop`, `planted`"),
        (("crop", "planted"), Shape.MARKS, bt.max_age(days=14), "`crop`, `planted`"),
        (("crop", "planted"), Shape.COUNTS, bt.max_age(days=14), "`crop`, `planted`"),
        (("crop", "last_seen", "current_load"), Shape.HISTORY, bt.max_age(days=14), "`crop`"),
        (("crop",), Shape.HISTORY, bt.max_age(days=14) & bt.max_versions(1), None),  # the newest stays
        (("crop",), Shape.VALUE, bt.max_age(days=14), None),  # a row that ends when nobody writes it
    ],
)
def test_what_is_written_once_does_not_end_with_the_events_beside_it(
    a_model: Make, names: tuple[str, ...], shape: Shape, rule: GcRule, told: str | None
) -> None:
    """The age of each cell counts by itself: plain columns need a family that keeps the newest, wherever the events are."""
    aggregate = Aggregate.SUM if shape is Shape.COUNTS else None
    spans = Spans(timedelta(hours=1)) if aggregate else None
    marks = PaddedInt(2) if shape is Shape.MARKS else None
    codec = Present() if marks else Int64()
    expected = Expected(every=None if shape is Shape.VALUE or aggregate else timedelta(minutes=10))
    series = column("m", shape, "n", spans=spans, names=marks, codec=codec, expected=expected)
    for required in (False, True):
        columns = (*(column(name, required=required) for name in names), series)
        families = (Family("data", rule), Family("n", bt.max_age(days=14), aggregate))
        findings = found(a_model(ID, families=families, columns=columns), "FAM005")
        assert [one.message.split(" is in ")[0].split(" are in ")[0] for one in findings] == [told] * (
            told is not None
        )
        for one in findings:
            assert (
                'of their own: `bt.family("data2", gc=bt.max_versions(1))`' in one.fix
                or "of its own: " in one.fix
            )
            assert "keep=bt.max_age(days=14)" in one.fix
            assert ("cannot be decoded" in one.why) is required
            assert [found(each, "FAM005") for each in one.models] == [[]]
    kept = Expected(keep=bt.max_age(days=14))
    stated = a_model(
        ID, families=families, columns=(*(column(name, expected=kept) for name in names), series)
    )
    assert found(stated, "FAM005") == [] or rule != bt.max_age(days=14)
