"""What stands for a time, or climbs as one does: names, sequences of few values, functions that are tried; and rates that make none grave."""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Any

import pytest
from attrs import evolve

from btmodel.codecs.key import (
    BigEndian,
    Boolean,
    DateText,
    Descending,
    EnumText,
    EpochMillis,
    Hex,
    HexDigest,
    Int,
    KeyCodec,
    OrderedInt,
    PaddedInt,
    ReversedDigits,
    ReversedMillis,
    Text,
    UuidText,
)
from btmodel.lint import Finding, Level, review
from btmodel.schema import Derived, KeyField, ModelSchema, Query, Rate

Make = Callable[..., ModelSchema]
USER = KeyField("user", Text(width=8), 1_000_000)
DEVICE = KeyField("device", Text(width=8), 100_000)


class Phase(StrEnum):
    BEGUN = "begun"
    ENDED = "ended"


FAST, SLOW = Rate.parse("20000/s"), Rate.parse("3/day")


def found(model: ModelSchema, rule: str) -> list[Finding]:
    return [finding for finding in review(model) if finding.rule == rule]


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("year", Level.WARNING),
        ("billing_month", Level.WARNING),
        ("createdAt", Level.WARNING),
        ("event_ts", Level.WARNING),
        ("hour_of_day", Level.WARNING),
        ("order_date", Level.WARNING),
        ("week_no", Level.WARNING),
        ("yyyymm", Level.WARNING),
        ("time_zone", None),
        ("due_date", None),
        ("birth_year", None),
        ("model_year", None),
        ("update_count", None),
        ("daytona", None),
    ],
)
@pytest.mark.parametrize(
    "codec", [PaddedInt(10), ReversedDigits(10), Descending(PaddedInt(10)), Text(width=8)]
)
def test_a_name_tells_a_time_in_front(
    a_model: Make, name: str, level: Level | None, codec: KeyCodec[Any]
) -> None:
    """All words of it speak of times; in which order the digits are written changes nothing, nor does a slow table matter."""
    part = KeyField(name, codec)
    assert [each.level for each in found(a_model(part, USER, events=FAST), "KEY001")] == [level] * (
        level is not None
    )
    assert found(a_model(part, USER, events=SLOW), "KEY001") == []
    assert found(a_model(USER, part, events=FAST), "KEY001") == []


def test_what_is_declared_counts_more_than_a_name(a_model: Make) -> None:
    """Values in no order are no time, and values in sequence surely are one; the finding says how to tell."""
    asked = found(a_model(KeyField("year", PaddedInt(4)), USER, events=FAST), "KEY001")
    assert "declare `sequential=False`" in asked[0].fix
    spread = KeyField("year", PaddedInt(4), sequential=False)
    assert found(a_model(spread, USER, events=FAST), "KEY001") == []
    sure = found(a_model(KeyField("year", PaddedInt(4), sequential=True), USER, events=FAST), "KEY001")
    assert [each.level for each in sure] == [Level.ERROR]
    assert "sequential" not in sure[0].fix


@pytest.mark.parametrize(("cardinality", "rules"), [(99, {"KEY001"}), (100, {"KEY002"}), (None, {"KEY002"})])
def test_each_of_a_few_values_in_sequence_lasts(
    a_model: Make, cardinality: int | None, rules: set[str]
) -> None:
    """Digits written backwards spread many values, and keep a few in one place each."""
    part = KeyField("load", PaddedInt(9), cardinality, sequential=True)
    assert {each.rule for each in review(a_model(part, USER, events=FAST))} & {"KEY001", "KEY002"} == rules
    turned = KeyField("load", ReversedDigits(9), cardinality, sequential=True)
    left = {each.rule for each in review(a_model(turned, USER, events=FAST))} & {"KEY001", "KEY002"}
    assert left == rules - {"KEY002"}


def hour_number(at: datetime) -> int:
    return int(at.timestamp()) // 3600


def hours_left(at: datetime) -> int:
    return 10**7 - hour_number(at)


def minute(at: datetime) -> int:
    return at.minute


def microsecond(at: datetime) -> int:
    return at.microsecond % 7


def shifted(at: datetime) -> int:
    """The time and its rest, which is still the time."""
    return int(at.timestamp()) % 10**8 + int(at.timestamp()) % 5


def rest(at: datetime) -> int:
    return int(at.timestamp()) % 5


def refusing(at: datetime) -> int:
    raise RuntimeError(at)


@pytest.mark.parametrize(
    ("by", "flagged"),
    [
        (hour_number, True),
        (hours_left, True),
        (minute, True),
        (shifted, True),
        (rest, False),
        (microsecond, False),
        (refusing, False),
    ],
)
def test_a_function_of_the_time_is_tried(a_model: Make, by: Callable[[datetime], int], flagged: bool) -> None:
    """One that climbs, falls or stays is a time in front; one that jumps spreads, and one that raises is not judged."""
    part = KeyField("part", PaddedInt(8), derived=Derived(("at",), by))
    model = a_model(part, USER, KeyField("at", EpochMillis()), events=FAST)
    assert bool(found(model, "KEY001")) is flagged
    if flagged:
        (finding,) = found(model, "KEY001")
        assert "`part`, which climbs with the time from which it is made," in finding.message
        assert "leave out `part`" in finding.fix
        assert found(model, "KEY004") == []


def hour_then_user(at: datetime, user: str) -> str:
    return f"{at:%y%m%d%H}{user[:1]:_<1}"


def user_then_hour(user: str, at: datetime) -> str:
    return f"{user[:1]:_<1}{at:%y%m%d%H}"


@pytest.mark.parametrize(
    ("by", "of", "flagged"),
    [(hour_then_user, ("at", "user"), True), (user_then_hour, ("user", "at"), False)],
)
def test_a_function_of_the_time_and_more_is_tried(
    a_model: Make, by: Callable[..., str], of: tuple[str, ...], flagged: bool
) -> None:
    """What matters first decides: the hour keeps all users in one place, the user keeps the hours apart."""
    part = KeyField("part", Text(width=9), derived=Derived(of, by))
    model = a_model(part, USER, KeyField("at", EpochMillis()), events=FAST)
    assert bool(found(model, "KEY001")) is flagged


@pytest.mark.parametrize(("rate", "grave"), [("140/s", False), ("141/s", True)])
def test_ids_in_sequence_are_grave_by_their_rate(a_model: Make, rate: str, grave: bool) -> None:
    """What one tablet takes with ease is no hotspot, whatever its key."""
    part = KeyField("id", PaddedInt(9), sequential=True)
    assert bool(found(a_model(part, events=Rate.parse(rate)), "KEY002")) is grave


@pytest.mark.parametrize(("partitions", "grave"), [(6, True), (80, False)])
def test_ids_in_sequence_behind_a_few_values_climb_as_times_do(
    a_model: Make, partitions: int, grave: bool
) -> None:
    """Each of the values has a place of its own, and 8 nodes want 80 of them."""
    fields = (
        KeyField("partition", PaddedInt(3), partitions),
        KeyField("offset", PaddedInt(12), sequential=True),
    )
    model = a_model(*fields, events=Rate.parse("90000/s"), nodes=8)
    assert [each.field for each in found(model, "KEY003")] == ["offset"] * grave


@pytest.mark.parametrize(
    ("queries", "level"),
    [
        ((), Level.WARNING),
        ((Query("one", ("user", "number")),), None),
        ((Query("of", ("user",)),), Level.INFO),
        ((Query("some", ("user",), "number"), Query("one", ("user", "number"))), Level.ERROR),
        ((Query("all", (), scan="a report"),), None),
    ],
)
def test_queries_decide_how_grave_a_lost_order_is(
    a_model: Make, queries: tuple[Query, ...], level: Level | None
) -> None:
    """An error where a range is asked for, a word where rows come in the order, nothing where each is looked up."""
    model = a_model(USER, KeyField("number", Int(6)), queries=queries)
    assert [each.level for each in found(model, "KEY007")] == [level] * (level is not None)


@pytest.mark.parametrize(
    ("name", "codec", "declared", "level"),
    [
        ("status", Text(width=4), None, Level.INFO),
        ("order_status", Text(width=4), None, Level.INFO),
        ("status_code", Text(width=4), None, None),
        ("state", EnumText(Phase), None, Level.INFO),
        ("state", Text(width=2), None, None),
        ("next_run", EpochMillis(), None, Level.INFO),
        ("last_seen", EpochMillis(), None, Level.WARNING),
        ("last_name", Text(width=9), None, None),
        ("updated_at", EpochMillis(), None, Level.INFO),
        ("status", Text(width=4), False, None),
        ("colour", Text(width=4), True, Level.WARNING),
        ("colour", Text(width=4), None, None),
    ],
)
def test_a_field_that_changes_moves_its_row(
    a_model: Make, name: str, codec: KeyCodec[Any], declared: bool | None, level: Level | None
) -> None:
    """What is declared is a warning, what is called so a question, and what is denied nothing."""
    model = evolve(a_model(USER, KeyField(name, codec, changes=declared), events=SLOW), name="User")
    told = found(model, "KEY021")
    assert [each.level for each in told] == [level] * (level is not None)
    assert all(each.fix.startswith(f"keep `{name}` in a column: `{{user}}`") for each in told)
    assert all(("declare `changes=False`" in each.fix) is (declared is None) for each in told)


@pytest.mark.parametrize(
    ("name", "codec", "doc", "level"),
    [
        ("current_ward", Text(width=4), "", Level.WARNING),
        ("assigned_to", Text(width=4), "", Level.WARNING),
        ("status", Text(width=4), "", Level.WARNING),
        ("ward_now", Text(width=4), "", Level.WARNING),
        ("is_open", Boolean(), "", Level.WARNING),
        ("next_run", EpochMillis(), "", Level.WARNING),
        ("priority", Text(width=4), "", Level.INFO),  # that of most jobs stays
        ("http_status", Text(width=4), "", None),  # of a request that is over
        ("ward", Text(width=4), "", None),
        ("is_domestic", Boolean(), "", None),
        (
            "ward",
            Text(width=4),
            "Stays of users, by the ward where the patient lies now.",
            Level.WARNING,
        ),
        ("ward", Text(width=4), "Stays by ward, which never changes.", None),
        ("ward", Text(width=4), "Stays by ward. The diet changes.", None),
    ],
)
def test_a_thing_is_not_found_by_what_changes(
    a_model: Make, name: str, codec: KeyCodec[Any], doc: str, level: Level | None
) -> None:
    """In front of an id it is a fault, by its name or by what the model says of it; of an event that is over, a question at most."""
    part, id = KeyField(name, codec), KeyField("stay", UuidText())
    told = found(a_model(USER, part, id, doc=doc, events=SLOW), "KEY021")
    assert [each.level for each in told] == [level] * (level is not None)
    event = found(a_model(USER, KeyField("at", EpochMillis()), part, id, doc=doc, events=SLOW), "KEY021")
    last = found(a_model(USER, part, doc=doc, events=SLOW), "KEY021")
    assert {each.level for each in (*event, *last)} <= {Level.INFO}


@pytest.mark.parametrize(
    ("name", "time", "asked"),
    [
        ("phase", EpochMillis(), False),  # of a wave: P or S
        ("phase", DateText(), True),  # of what is done on a day
        ("status", EpochMillis(), True),
    ],
)
def test_what_an_event_was_of_is_not_asked(
    a_model: Make, name: str, time: KeyCodec[Any], asked: bool
) -> None:
    """A word for what seldom changes says nothing behind the time of a moment, as long as the description does not."""
    parts = (USER, KeyField("at", time), KeyField(name, Text(width=1), 2))
    assert bool(found(a_model(*parts, events=SLOW), "KEY021")) is asked
    printed = evolve(parts[1], sequential=False)
    assert found(a_model(USER, printed, parts[2], events=SLOW), "KEY021") != []


@pytest.mark.parametrize(
    ("name", "codec", "behind", "level"),
    [
        ("ulid", Text(width=26), False, Level.WARNING),
        ("ulid", Text(width=26), True, Level.WARNING),
        ("order_ulid", Text(width=26), False, Level.WARNING),
        ("order_ulid", Text(width=26), True, None),
        ("uuid7", UuidText(), False, Level.WARNING),
        ("uuid_v7", UuidText(), False, Level.WARNING),
        ("uuid", UuidText(), False, None),
        ("ksuid", Text(width=27), False, Level.WARNING),
        ("snowflake_id", PaddedInt(19), False, Level.WARNING),
        ("object_id", Hex(12), False, Level.WARNING),
        ("object_id", Hex(8), False, None),
        ("ulid", HexDigest(16), True, Level.WARNING),
    ],
)
def test_ids_that_begin_with_a_time_are_known_by_their_names(
    a_model: Make, name: str, codec: KeyCodec[Any], behind: bool, level: Level | None
) -> None:
    """They are in sequence unless the model says otherwise; of an id of something, rows that follow may be of any.

    What overloads a node is an error.
    """
    part = KeyField(name, codec)
    parts = (part, DEVICE) if behind else (part,)
    told = found(a_model(*parts, events=FAST), "KEY002")
    assert [one.level for one in told] == [Level.ERROR] * (level is not None)
    slower = found(a_model(*parts, events=Rate.parse("5000/s")), "KEY002")
    assert [one.level for one in slower] == [level] * (level is not None)
    assert all("declare `sequential=False`" in one.fix and one.edit is None for one in told)
    assert found(a_model(evolve(part, sequential=False), *parts[1:], events=FAST), "KEY002") == []


@pytest.mark.parametrize(
    ("codec", "query", "kept"),
    [
        (ReversedMillis(), Query("latest", ("user",), newest=True), True),
        (EpochMillis(), Query("latest", ("user",), newest=True), True),
        (Descending(PaddedInt(9)), Query("latest", ("user",)), True),
        (EpochMillis(), Query("latest", ("user",), "seen"), True),
        (PaddedInt(9), Query("latest", ("user",)), True),
        (EpochMillis(), Query("latest", ("user",)), True),
        (Text(width=9), Query("latest", ("user",)), False),
    ],
)
def test_the_order_of_a_field_that_changes_is_kept_in_a_second_table(
    a_model: Make, codec: KeyCodec[Any], query: Query, kept: bool
) -> None:
    """The models of the fix hold the field in a column, and the key as it was for what needs its values or their order."""
    model = a_model(USER, KeyField("seen", codec, changes=True), DEVICE, events=SLOW, queries=(query,))
    model = evolve(model, name="Device")
    (told,) = found(model, "KEY021")
    first, *second = told.models
    assert [part.name for part in first.key.fields] == ["user", "device"]
    assert "seen" in [column.name for column in first.columns]
    # The first table keeps what changes in a column of each row, so rows of the second one need a cell.
    keys = [[evolve(part, mirror=None) for part in made.key.fields] for made in second]
    assert keys == [list(model.key.fields)] * kept
    assert all(any(part.mirror for part in made.key.fields) for made in second)
    assert ("`latest` needs it in a key" in told.fix) is kept


@pytest.mark.parametrize(
    ("name", "codec", "domain", "queries", "asked"),
    [
        ("url", Text(max_length=90), None, (), True),
        ("page_url", Text(max_length=90), None, (Query("some", (), starting="page_url"),), True),
        ("url", Text(max_length=90), None, (Query("one", ("url",)),), False),
        ("url", Text(max_length=90), False, (), False),
        ("url", HexDigest(16), None, (), False),
        ("domain", Text(max_length=90), None, (), True),
        ("domain_id", Text(max_length=90), None, (), False),
        ("hostname", Text(max_length=90), None, (), True),
        ("host_name", Text(max_length=90), None, (), True),
        ("site_url", Text(max_length=90), None, (), True),
        ("host_count", Text(max_length=90), None, (), False),
    ],
)
def test_urls_and_domains_are_asked_about(
    a_model: Make,
    name: str,
    codec: KeyCodec[Any],
    domain: bool | None,
    queries: tuple[Query, ...],
    asked: bool,
) -> None:
    """Where it may matter that the pages of a domain lie together, and nobody has said."""
    model = a_model(KeyField(name, codec, domain=domain), queries=queries, events=SLOW)
    told = found(model, "KEY011")
    assert [each.level for each in told] == [Level.INFO] * asked
    assert all("declare `domain=False`" in each.fix for each in told)


@pytest.mark.parametrize(
    ("name", "domain", "rule", "level"),
    [
        ("fqdn", None, "KEY011", Level.WARNING),
        ("fqdn", True, "KEY011", Level.WARNING),
        ("fqdn", False, "KEY019", Level.INFO),
        ("url", None, "KEY011", Level.INFO),
        ("word", None, "KEY019", Level.INFO),
    ],
)
def test_a_domain_that_is_not_reversed_is_told_before_its_delimiter(
    a_model: Make, name: str, domain: bool | None, rule: str, level: Level
) -> None:
    """Of what a query wants to begin alike, the order of the labels comes first, and the delimiter behind it is not told."""
    part = KeyField(name, Text(max_length=90), domain=domain)
    model = a_model(part, ("at", EpochMillis()), events=SLOW, queries=(Query("below", (), starting=name),))
    told = [*found(model, "KEY011"), *found(model, "KEY019")]
    assert [(one.rule, one.level) for one in told] == [(rule, level)]


@pytest.mark.parametrize(
    ("codec", "doc", "sequential", "flagged"),
    [
        (UuidText(), "Payments, by a UUID of version 7.", None, True),
        (UuidText(), "Payments, by a random UUID.", None, False),
        (UuidText(), "Payments, one after the other.", None, False),  # which says nothing of their ids
        (PaddedInt(12), "Invoices. Numbers are given one after the other.", None, True),
        (PaddedInt(12), "Invoices. Numbers are given one after the other.", False, False),
        (ReversedDigits(12), "Invoices. Numbers are given one after the other.", None, False),
    ],
)
def test_ids_that_climb_are_known_by_the_description(
    a_model: Make, codec: KeyCodec[Any], doc: str, sequential: bool | None, flagged: bool
) -> None:
    """Of a key of one field it can only mean that one; what the field itself says goes before."""
    part = KeyField("payment", codec, 10**9, sequential=sequential)
    told = found(a_model(part, doc=doc, events=Rate.parse("5000/s")), "KEY002")
    assert bool([one for one in told if one.level is not Level.INFO]) is flagged


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("card_number", "KEY010"),
        ("patient_name", "KEY010"),
        ("dob", "KEY010"),
        ("user_name", None),
        ("file_name", None),
        ("name", None),
    ],
)
def test_names_and_numbers_of_people_are_known(a_model: Make, name: str, rule: str | None) -> None:
    """Those that people have from others; what they call themselves may be invented."""
    model = a_model(KeyField(name, Text(max_length=30)), ("at", EpochMillis()), events=SLOW)
    assert bool(found(model, "KEY010")) is (rule is not None)


@pytest.mark.parametrize(
    ("part", "flagged"),
    [
        (KeyField("api_key", Text(width=40)), True),
        (KeyField("sessionToken", Text(max_length=90)), True),
        (KeyField("password", Text(max_length=90)), True),
        (KeyField("api_key", Text(width=40), pii=False), False),
        (KeyField("token", Text(max_length=90)), False),  # of a text, or of a chain
        (KeyField("api_key_id", Text(width=12)), False),
        (KeyField("secret_santa", Text(width=12)), False),
        (KeyField("pin_code", PaddedInt(6)), False),
    ],
)
def test_a_secret_belongs_into_no_key(a_model: Make, part: KeyField, flagged: bool) -> None:
    """A hash of it finds the row as well, and opens nothing to those who see it."""
    model = a_model(part, queries=(Query("q", (part.name,)),), events=SLOW)
    findings = found(model, "KEY010")
    assert [one.level for one in findings] == [Level.WARNING] * flagged
    for one in findings:
        [made] = one.models
        assert [each.name for each in made.key.unstored] == [part.name]
        assert [each.name for each in made.key.fields] == [f"{part.name}_hash"]


def test_a_tenant_is_known_by_its_name(a_model: Make) -> None:
    """Where no field is declared to be one; `tenant_count` is none."""
    for name, flagged in (("tenant_id", True), ("tenant", True), ("tenant_count", False)):
        model = a_model(DEVICE, KeyField(name, Text(width=4), 90), events=SLOW)
        told = found(model, "KEY018")
        assert bool(told) is flagged
        assert all(f"`{{{name}}}#{{device}}`" in one.fix for one in told)


@pytest.mark.parametrize(
    ("name", "codec", "behind", "level"),
    [
        ("height", BigEndian(8), None, Level.WARNING),
        ("block_height", PaddedInt(12), None, Level.WARNING),
        ("offset", PaddedInt(19), None, Level.WARNING),
        ("seq_no", OrderedInt(), None, Level.WARNING),
        ("order_number", PaddedInt(12), None, Level.WARNING),
        ("revision", Descending(PaddedInt(9)), None, Level.WARNING),
        ("ledger_index", PaddedInt(12), DEVICE, Level.WARNING),  # the parts of it are written with it
        ("ledger_index", PaddedInt(12), KeyField("at", EpochMillis()), Level.INFO),  # written to for long
        ("height", ReversedDigits(12), None, None),
        ("account_number", PaddedInt(12), None, Level.INFO),
        ("house_number", PaddedInt(12), None, Level.INFO),
        ("speed", PaddedInt(12), None, Level.INFO),
    ],
)
def test_counters_are_known_by_their_names(
    a_model: Make, name: str, codec: KeyCodec[Any], behind: KeyField | None, level: Level | None
) -> None:
    """A number that is called like a counter is warned of where it leads; of others the rule asks, and what is declared counts."""
    part = KeyField(name, codec, 5_000_000)
    parts = (part,) if behind is None else (part, behind)
    told = found(a_model(*parts, events=Rate.parse("3000/s")), "KEY002")
    assert [one.level for one in told] == [level] * (level is not None)
    assert all("declare `sequential=False`" in one.fix for one in told)
    few = evolve(part, cardinality=500)
    assert Level.WARNING not in {
        one.level for one in found(a_model(few, events=Rate.parse("3000/s")), "KEY002")
    }
    assert found(a_model(evolve(part, sequential=False), *parts[1:], events=FAST), "KEY002") == []


def test_a_counter_behind_few_values_climbs_as_a_time_does(a_model: Make) -> None:
    """Each of the few partitions has one growing end."""
    partition = KeyField("partition", PaddedInt(2), 12)
    offset = KeyField("offset", PaddedInt(19))
    (told,) = found(a_model(partition, offset, events=Rate.parse("100000/s")), "KEY003")
    assert "`offset`, which climbs" in told.message
