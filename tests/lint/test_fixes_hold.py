"""Fixes are followed until none is left: see ``btmodel.lint.proof``."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, NamedTuple

from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from btmodel.codecs.cell import Float64, Int64, Json, Present, Raw, Utf8
from btmodel.codecs.key import (
    Constant,
    DateText,
    EpochMillis,
    Int,
    Kind,
    LittleEndian,
    PaddedInt,
    ReversedMillis,
    Text,
    TimeText,
    UuidText,
)
from btmodel.design.proposal import serves
from btmodel.errors import DeclarationError
from btmodel.estimates import pace
from btmodel.lint import RULES as REVIEW
from btmodel.lint import Finding, Level, review, review_all
from btmodel.lint.finding import Fix
from btmodel.lint.proof import settled
from btmodel.schema import (
    Aggregate,
    Bucket,
    Column,
    Derived,
    Expected,
    Family,
    KeyField,
    ModelSchema,
    Query,
    Rate,
    RowKey,
    Shape,
    Skew,
    Stamp,
)
from btmodel.schema.bucket import Spans
from btmodel.schema.checks import CHECKS
from btmodel.schema.gc import keep_all, max_age, max_versions
from btmodel.schema.model import WRITTEN
from btmodel.schema.rate import parse_every
from tests.examples_tried import examples

RULES_BY_ID = {rule.id: rule for rule in REVIEW}
FIELDS = {
    part.name: part
    for part in (
        KeyField("kind", Text(width=3), 5),
        KeyField("region", Text(max_length=12), 20),
        KeyField("user", Text(width=8), 1_000_000),
        KeyField("name", Text(max_length=30)),
        KeyField("id", PaddedInt(7), 1_000_000, sequential=True),
        KeyField("small", LittleEndian(4), 1_000),
        KeyField("serial", Int(8)),
        KeyField("tenant", Text(width=4), 40, tenant=True),
        KeyField("site", Text(max_length=50), 50, domain=True),
        KeyField("url", Text(max_length=200), size=60),
        KeyField("status", Text(width=6), 5, changes=True),
        KeyField("shop", PaddedInt(5), 5_000, skew=Skew.parse("90%:20"), sequential=False),
        KeyField("email", Text(max_length=60), 100_000, pii=True),
        KeyField("order", UuidText(), 50_000_000),
        KeyField("title", Text(max_length=900), size=400),
        KeyField("year", PaddedInt(4)),
        KeyField("latitude", PaddedInt(8)),
        KeyField("longitude", PaddedInt(8)),
        KeyField("fixed", Constant("visit")),
        KeyField("host_md5", Text(width=32), 400_000),
        KeyField("at", EpochMillis()),
        KeyField("day", DateText()),
        KeyField("newest", ReversedMillis()),
        KeyField("minute", TimeText("%Y%m%d%H%M")),
    )
}
BUCKETS = {"day": Bucket.DAY, "minute": Bucket.MINUTE}
MINUTELY = Expected(every=timedelta(minutes=1), size=8)
COLUMNS = (
    Column("device", "data", b"D", Utf8(), True, expected=Expected(cardinality=5_000)),
    Column("load", "data", b"L", Float64(), True),
    Column("email_of", "data", b"E", Utf8(), False),
    Column("note", "more", b"a_note_about_it", Utf8(), False, expected=Expected(size=20, max_size=200)),
    Column("picture", "more", b"P", Raw(), False, expected=Expected(size=400_000, max_size=150_000_000)),
    Column("kept", "more", b"K", Int64(), False, expected=Expected(keep=max_versions(3))),
    Column("blob", "data", b"B", Json(dict), False, expected=Expected(size=300)),
    Column("count", "data", b"C", Int64(), False, expected=Expected(increments=Rate.parse("60/s"))),
    Column("seen", "data", b"S", Int64(), False, Shape.HISTORY, expected=MINUTELY),
    Column("prices", "more", b"p:", Float64(), False, Shape.HISTORY),
    Column("marks", "more", b"m:", Present(), False, Shape.MARKS, Int(6)),
    Column(
        "tags",
        "more",
        b"t:",
        Utf8(),
        False,
        Shape.MAPPING,
        Text(max_length=12),
        expected=Expected(entries=90, size=9),
    ),
    Column(
        "friends",
        "more",
        b"f:",
        Present(),
        False,
        Shape.MEMBERS,
        Text(width=9),
        expected=Expected(entries=3_000_000),
    ),
    Column(
        "stock", "data", b"s:", Int64(), False, Shape.TIMED, Text(max_length=9), expected=Expected(entries=20)
    ),
    Column("days", "data", b"d:", Float64(), False, Shape.MAPPING, DateText()),
    Column("monthly", "of_{month}", b"M", Int64(), False),
    Column("total", "sums", b"T", Int64(), False, Shape.COUNTER),
    Column("hours", "sums", b"H", Int64(), False, Shape.COUNTS, spans=Spans(timedelta(hours=1))),
)
RULES = (
    None,
    max_versions(1),
    max_versions(1_000),
    max_age(days=1),
    max_age(seconds=1),
    max_age(days=30) | max_versions(5),
    max_age(days=30) & max_versions(5),
    keep_all(),
)
RATES = (None, "1/day", "10/s", "2000/s", "50000/s")
LATE = (None, None, timedelta(minutes=5), timedelta(days=2))


@st.composite
def models(draw: st.DrawFn) -> ModelSchema:
    """A model that the declaration accepts: a key of any fields, maybe with a salt or a hash of one of them, columns, and queries."""
    names = draw(st.lists(st.sampled_from(sorted(FIELDS)), min_size=1, max_size=4, unique=True))
    fields = [FIELDS[name] for name in names]
    for name, codec, values in (("salt", PaddedInt(1), (0, 1, 2)), ("mark", Text(width=8), None)):
        if draw(st.integers(0, 3)) == 0:
            derived = Derived((draw(st.sampled_from(names)),), hash, values)
            fields.insert(draw(st.integers(0, len(fields))), KeyField(name, codec, derived=derived))
    chosen = draw(st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=4, unique_by=id))
    model = model_of(
        *fields,
        columns=chosen,
        queries=draw(queries(names, [one.name for one in chosen if one.shape.plain])),
        events=draw(st.sampled_from(RATES)),
        families=tuple(
            Family(id, draw(st.sampled_from(RULES)), Aggregate.SUM if id == "sums" else None)
            for id in dict.fromkeys(one.family for one in chosen)
        ),
        bucket=BUCKETS.get(names[-1]) if draw(st.booleans()) else None,
        stamp=draw(st.sampled_from((WRITTEN, WRITTEN, WRITTEN, Stamp(fixed=0), Stamp("when", True, True)))),
        lateness=draw(st.sampled_from(LATE)),
        nodes=draw(st.sampled_from((None, None, 1, 12))),
    )
    assume(declared(model))
    return model


@st.composite
def queries(draw: st.DrawFn, names: list[str], columns: list[str]) -> list[Query]:
    """Up to three queries by fields and columns, for ranges, beginnings and the newest, some of which pick rows by others."""
    asked = [name for name in names if not FIELDS[name].constant]
    known = [*asked, *columns]
    made: list[Query] = []
    for number in range(draw(st.integers(0, 3))):
        equal = draw(st.lists(st.sampled_from(known), max_size=2, unique=True)) if known else []
        ranged = draw(st.none() | st.sampled_from(known)) if known else None
        given = tuple(name for name in equal if name != ranged)
        if not (given or ranged):
            continue
        begins = ranged is not None and draw(st.integers(0, 4)) == 0
        between = None if begins else ranged
        rest = [name for name in known if name not in (*given, ranged)]
        where = tuple(draw(st.lists(st.sampled_from(rest), max_size=2, unique=True))) if rest else ()
        codec = FIELDS[between].codec if between in FIELDS else None
        newest = isinstance(codec, ReversedMillis | EpochMillis) and draw(st.booleans())
        span = timedelta(hours=1) if codec and codec.kind is Kind.TIME and draw(st.booleans()) else None
        starting = ranged if begins else None
        made.append(Query(f"q{number}", given, between, starting, newest=newest, where=where, span=span))
    return made


def declared(model: ModelSchema) -> bool:
    """Whether the declaration accepts the model."""
    try:
        for check in CHECKS:
            check(model)
    except DeclarationError:
        return False
    return True


GATHERED = (
    max_versions(1),
    max_versions(200),
    max_versions(50_000),
    max_age(days=90),
    max_versions(1) & max_age(days=365),
    max_versions(100) & max_age(days=90),
    max_versions(100) | max_age(days=90),
    keep_all(),
)


@st.composite
def gathering(draw: st.DrawFn) -> ModelSchema:
    """A model of rows that gather events as versions, or sums, at some rate, with a query of a span maybe."""
    names = draw(st.sampled_from((["user"], ["kind"], ["kind", "user"], ["user", "day"], ["user", "at"])))
    rule, every = draw(st.sampled_from(GATHERED)), draw(st.sampled_from((None, "1s", "1min", "1day")))
    if draw(st.booleans()):
        rate = draw(st.sampled_from((None, Rate.parse("100/s"), Rate.parse("20000/s"))))
        column = Column("n", "data", b"N", Int64(), False, Shape.COUNTER, expected=Expected(increments=rate))
        family = Family("data", keep_all(), Aggregate.SUM)
    else:
        expected = Expected(every=every and parse_every(every), size=draw(st.sampled_from((None, 60, 4_000))))
        column = Column("v", "data", b"V", Raw(), False, Shape.HISTORY, expected=expected)
        family = Family("data", rule)
    span = draw(st.sampled_from((None, timedelta(days=7), timedelta(days=200))))
    between = names[-1] if names[-1] in ("day", "at") else None
    given = tuple(name for name in names if name != between)
    query = Query("q", given, between, span=span if between else None)
    made = model_of(
        *(FIELDS[name] for name in names),
        columns=(column,),
        queries=(query,),
        events=draw(st.sampled_from(RATES)),
    )
    return evolve(made, families=(family,))


def model_of(
    *fields: KeyField,
    columns: Iterable[Column] = COLUMNS[1:2],
    queries: Iterable[Query] = (),
    events: str | None = "10/s",
    **changes: Any,
) -> ModelSchema:
    """A model with a key of these fields."""
    key, families = RowKey(tuple(fields), b"#"), (Family("data", max_versions(1)),)
    rate = None if events is None else Rate.parse(events)
    made = ModelSchema("M", "m", "", "T", key, families, tuple(columns), tuple(queries), events=rate)
    return evolve(made, **changes)


def fix(model: ModelSchema, rule: str) -> str:
    """The fix of the only finding of a rule, without what else may be done."""
    (finding,) = (finding for finding in review(model) if finding.rule == rule)
    return finding.fix.partition("; or, if")[0]


class Followed(NamedTuple):
    """The models at the end of all fixes, with what is still found."""

    ends: list[ModelSchema]
    left: list[Finding]


def grave(model: ModelSchema) -> list[Finding]:
    """The errors and warnings."""
    return [finding for finding in review(model) if finding.level is not Level.INFO]


def followed(model: ModelSchema, turn: int = 0, seen: frozenset[str] = frozenset()) -> Followed:
    """Follow one of the fixes of a model that models say, by ``turn``, then those of the models that it leads to."""
    assert repr(model) not in seen, "a fix leads back"
    assert len(seen) < 12, "the fixes come to no end"
    findings = grave(model)
    fixable = [finding for finding in findings if finding.models]
    if not fixable:
        return Followed([model], findings)
    fix = fixable[turn % len(fixable)]
    parts = [followed(made, turn, seen | {repr(model)}) for made in fix.models]
    return Followed(
        [one for part in parts for one in part.ends], [one for part in parts for one in part.left]
    )


@examples(40, deadline=None)
@given(models(), st.integers(0, 3))
def test_fixes_are_followed_to_an_end_and_lose_nothing(model: ModelSchema, turn: int) -> None:
    """No model comes twice, every query that was served is served, and every attribute is there, whichever fix is followed first."""
    ends = followed(model, turn).ends
    for query in model.queries:
        if serves(model.key, query):
            answers = [
                one for end in ends for one in end.queries if one.name == query.name and serves(end.key, one)
            ]
            assert answers, query
    kept = {part.name for end in ends for part in end.key.asked}
    kept |= {column.name for end in ends for column in end.columns}
    assert kept >= {part.name for part in model.key.asked} | {column.name for column in model.columns}


def led_to(model: ModelSchema, on_the_way: tuple[str, ...], seen: dict[str, ModelSchema]) -> None:
    """Follow each fix of each finding, and those of the models that they lead to; no way comes back to a model."""
    assert repr(model) not in on_the_way, "two fixes undo each other"
    assert len(on_the_way) < 12, "the fixes come to no end"
    if repr(model) in seen:
        return
    seen[repr(model)] = model
    for finding in grave(model):
        for made in finding.models:
            led_to(made, (*on_the_way, repr(model)), seen)


@examples(30, deadline=None)
@given(models() | gathering())
def test_no_two_fixes_undo_each_other(model: ModelSchema) -> None:
    """In whatever order they are followed, no model comes twice."""
    led_to(model, (), {})


@examples(40, deadline=None)
@given(models() | gathering())
def test_a_fix_raises_nothing_and_clears_its_finding(model: ModelSchema) -> None:
    """The models of a fix have no error or warning that was not there, and not the one that it fixes."""
    levels = {rule.id: rule.levels for rule in REVIEW}
    assert all(one.level in levels[one.rule] for one in review_all([model]))
    findings = grave(model)
    before = {(finding.rule, finding.field) for finding in findings}
    for finding in findings:
        after = {(one.rule, one.field) for made in finding.models for one in grave(made)}
        assert after <= before - {(finding.rule, finding.field)} or not finding.models


@examples(40, deadline=None)
@given(gathering())
def test_what_a_rule_deletes_is_deleted_behind_a_fix_too(model: ModelSchema) -> None:
    """A row for each event, or for those of a span, holds few versions of each: a rule that bounded them bounds their age there."""
    (family,) = model.families
    bounded = family.aggregate is None and family.gc.deletes(timedelta.max, 2**31)
    for finding in grave(model):
        for made in finding.models:
            if bounded and len(made.key.fields) > len(model.key.fields) and pace(model, model.columns[0]):
                assert made.families[0].gc.deletes(timedelta.max, 1) or family.gc == max_versions(1), finding


def test_the_only_column_that_becomes_a_key_field_keeps_its_cell() -> None:
    """A row without cells does not exist, so the declaration would refuse a model without columns."""
    model = model_of(FIELDS["at"], FIELDS["kind"], columns=COLUMNS[:1], events="2000/s")
    (finding,) = (finding for finding in review(model) if finding.rule == "KEY001")
    assert 'and keep its cell, `mirror="data:D"`, as a row needs one: `{device}#{at}#{kind}`' in finding.fix
    assert [part.mirror is not None for part in finding.models[0].key.fields] == [True, False, False]


def test_a_second_table_has_the_codecs_that_its_query_needs() -> None:
    """A range of numbers needs padded ones, and ids in sequence in front need reversed digits."""
    serial, user, sequence = FIELDS["serial"], FIELDS["user"], FIELDS["id"]
    queries = (Query("of_user", ("user",)), Query("some", ("id",), "serial"))
    model = model_of(user, serial, sequence, queries=queries, events="2000/s")
    assert fix(model, "QRY001") == (
        "also write the rows to a second table, whose key `{id}#{serial}#{user}` serves it, with the digits of `id` "
        "written backwards (`bt.ReversedDigits(7)`), and `serial` as `bt.PaddedInt(8)`; 4,000/s are then written instead "
        "of 2,000/s"
    )


def test_the_key_of_a_model_with_one_query_is_its_own() -> None:
    """No second table is proposed where the first one would not be read at all."""
    model = model_of(
        FIELDS["user"], FIELDS["serial"], queries=(Query("some", (), "serial"),), columns=COLUMNS
    )
    assert "second table" not in fix(model, "QRY001")


def test_no_fix_keeps_for_ever_what_an_age_ends() -> None:
    """The proof refuses a family without an age for what had one; a column that wants to be kept for ever had none."""

    def settle(model: ModelSchema, made: ModelSchema) -> str:
        (finding,) = (one for one in RULES_BY_ID["COL006"].check(model))
        return settled(model, evolve(finding, ways=lambda: [Fix("move it", (made,))]), lambda *_: ()).fix

    count = next(one for one in COLUMNS if one.name == "count")
    model = model_of(FIELDS["user"], columns=(count,), families=(Family("data", max_age(days=9)),))
    moved = evolve(count, family="sums", shape=Shape.COUNTER)
    made = evolve(model, columns=(moved,), families=(Family("sums", keep_all(), Aggregate.SUM),))
    assert "but `count` would be kept for ever, and has an age now" in settle(model, made)
    wanted = evolve(count, expected=evolve(count.expected, keep=keep_all()))
    assert settle(evolve(model, columns=(wanted,)), made) == "move it"


def test_an_index_is_kept_for_as_long_as_its_table() -> None:
    """What the rule of the table deletes is gone from the index, which has no rule of its own."""
    fields = (FIELDS["kind"], FIELDS["at"])
    query = Query("of_device", ("kind",), "at", where=("device",), span=timedelta(hours=1))
    aged = (Family("data", max_age(days=90)),)
    model = model_of(*fields, columns=COLUMNS[:2], queries=(query,), families=aged)
    assert "bt.Index" in "".join(finding.fix for finding in review(model) if finding.rule == "QRY005")


def test_where_no_fix_holds_the_finding_says_so() -> None:
    """It names the nearest change, and the fault that this would bring."""
    queries = (Query("of_device", ("device",)), Query("range", (), "site"))
    model = model_of(FIELDS["site"], columns=COLUMNS, queries=queries, events=None)
    assert fix(model, "KEY012") == (
        "the only change that was found brings another fault: make the column `device` "
        "(5,000 values) a key field: `{device}#{site}`; `range` then needs a second table, whose key is `{site}`; `count`, "
        "`total`, `hours`, which are added to, stay in `M`, as dual writes copy no additions; each row is then written twice; but KEY012 (few-domains) would still be found: the key `{site}` begins with the domain `site`, which has only 50 values"
    )
    alone = model_of(FIELDS["site"], queries=queries[1:], events=None)
    assert fix(alone, "KEY012").startswith("no order of the declared fields and columns does it")


def test_a_salt_of_a_value_that_changes_is_made_from_one_that_stays() -> None:
    """A changed status would be another salt, so another row; no such column is proposed for a key either."""
    status = Column("status", "data", b"S", Utf8(), True, expected=Expected(cardinality=9_000))
    salt = KeyField("salt", PaddedInt(1), derived=Derived(("status",), hash, (0, 1, 2)))
    salted = model_of(salt, FIELDS["user"], FIELDS["at"], columns=(status,))
    made = 'make it from `user`, which stays: `salt = bt.salt("user", buckets=3)`'
    gone = "the fix of KEY005 settles it, too: the key is then `{user}#{at}`; or, in its place, "
    assert fix(salted, "KEY021") == f"{gone}{made}"
    plain = model_of(FIELDS["at"], FIELDS["kind"], columns=(status,), events="2000/s")
    assert "`status`" not in fix(plain, "KEY001")


def test_writes_of_a_day_do_not_all_go_to_the_end_of_the_table() -> None:
    """Where users follow the day, they go to one range of keys; a day alone is the end."""
    (many,) = (
        one
        for one in review(model_of(FIELDS["day"], FIELDS["user"], events="2000/s"))
        if one.rule == "KEY001"
    )
    assert "all writes of a day go to one range of keys" in many.why
    (last,) = (
        one for one in review(model_of(FIELDS["at"], FIELDS["user"], events="2000/s")) if one.rule == "KEY001"
    )
    assert last.why.endswith("goes to the last tablet and its one node")


def test_a_size_that_is_bounded_is_not_asked_for() -> None:
    """The largest value is an estimate, too."""

    def asks(most: int | None) -> bool:
        expected = Expected(max_size=most, entries=50)
        blobs = Column("blobs", "data", b"B", Raw(), False, Shape.MAPPING, Text(width=4), expected=expected)
        found = review_all([model_of(FIELDS["user"], columns=(blobs,))])
        return any("`size` of `blobs`" in one.message for one in found)

    assert asks(None)
    assert not asks(9_000)


def test_a_fix_that_brings_a_fault_is_shown_with_the_fix_of_the_fault() -> None:
    """A table without queries has its binary field for no reason: both steps are followed together, and hold."""
    friends = evolve(COLUMNS[12], family="data")
    model = model_of(
        FIELDS["user"],
        FIELDS["small"],
        columns=(*COLUMNS[1:2], friends),
        queries=(Query("of", ("user",), only=(COLUMNS[1].name,)),),
    )
    (finding,) = (one for one in review(model) if one.rule == "COL003")
    assert finding.fix.count("; then encode `small` as `bt.PaddedInt(10)`") == 1
    assert len(finding.models) == 2
    assert [grave(made) for made in finding.models] == [[], []]
