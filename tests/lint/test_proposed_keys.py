"""The fixes of all findings of a model name one key, and a model that has it is clean."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import pytest
from attrs import evolve
from documented import findings
from hypothesis import given
from hypothesis import strategies as st
from proposed_keys import CASES, Case

from btmodel.codecs.cell import Float64, Int64, Utf8
from btmodel.codecs.key import DateText, EpochMillis, KeyCodec, PaddedInt, ReversedDigits, Text, TimeText
from btmodel.design.proposal import proposed, serves, with_tenant
from btmodel.lint import Level, review
from btmodel.schema import Column, Derived, Expected, Family, KeyField, ModelSchema, Query, Rate, RowKey
from btmodel.schema.gc import max_versions
from btmodel.words import counted, one
from tests.examples_tried import examples

Make = Callable[..., ModelSchema]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.bad.__name__)


@each_case
def test_all_fixes_of_a_model_name_one_key(case: Case) -> None:
    """Whichever rule speaks, it proposes the same."""
    found = [each for each in findings(case.bad) if each.level is not Level.INFO]
    assert {each.rule for each in found} == case.rules
    assert [each.fix for each in found if case.key not in each.fix] == []


@each_case
def test_the_model_with_the_proposed_key_is_clean(case: Case) -> None:
    """It has neither an error nor a warning, so its queries are served."""
    assert [str(each) for each in findings(case.fixed) if each.level is not Level.INFO] == []


@pytest.mark.parametrize(
    ("time", "of", "events", "flagged"),
    [
        (DateText(), "at", "5000/s", True),
        (TimeText("%Y%m%d%H%M"), "at", "5000/s", True),
        (TimeText("%Y%m%d%H%M%S"), "at", "5000/s", False),
        (TimeText("%Y%m%d%H%M%S"), "at", "50000/s", True),  # more in a second than a node takes
        (EpochMillis(), "at", "5000/s", False),
        (DateText(), "user", "5000/s", False),
        (DateText(), "at", "140/s", False),  # one tablet takes them with ease
    ],
)
def test_a_salt_spreads_only_if_made_from_what_varies(
    a_model: Make, time: KeyCodec[Any], of: str, events: str, flagged: bool
) -> None:
    """All that is written in a day has the same salt of the day, and lies in one place."""
    salt = KeyField("salt", PaddedInt(1), derived=Derived((of,), hash, (0, 1, 2)))
    user = KeyField("user", Text(width=8), 1_000_000)
    model = a_model(salt, ("at", time), user, events=Rate.parse(events))
    found = [each for each in review(model) if each.rule == "KEY001"]
    assert bool(found) is flagged
    assert all("made from nothing but the time `at`" in each.message for each in found)


def test_what_a_fix_costs_is_told(a_model: Make) -> None:
    """A query that is not served with the user in front gets a second table, by name; where a salt serves all, a read for each."""
    fields = (KeyField("day", DateText()), KeyField("user", Text(width=8), 1_000_000))
    queries = (Query("of_user", ("user",), "day"), Query("of_day", ("day",)))
    model = a_model(*fields, events=Rate.parse("5000/s"), queries=queries)
    (found,) = [each for each in review(model) if each.rule == "KEY001"]
    assert "`{user}#{day}`; `of_day` then needs a second table, whose key is `{day}#{user}`" in found.fix
    in_time = (Query("in_time", (), "day"),)
    (found,) = [each for each in review(evolve(model, queries=in_time)) if each.rule == "KEY001"]
    assert found.fix == (
        'put `salt = bt.salt("user", buckets=3)` in front: `{salt}#{day}#{user}` '
        "(`in_time` is then a read for each salt, merged)"
    )


def test_a_query_by_personal_data_is_not_answered_by_a_key_of_it(a_model: Make) -> None:
    """Its digest begins that of a second table, whose rows need a cell, as they have no other column."""
    column = Column("email", "data", b"E", Utf8(), True)
    user = KeyField("user", Text(width=8), 1_000_000)
    model = a_model(user, columns=(column,), queries=(Query("q", ("email",)),))
    (found,) = [each for each in review(model) if each.rule == "QRY001"]
    assert "`{email_hash}#{user}`" in found.fix
    assert 'with a cell for `user`, `mirror="data:user"`, as a row needs one' in found.fix
    assert "`{email}" not in found.fix


@pytest.mark.parametrize(
    ("query", "key"),
    [
        (Query("q", ("email",)), "`{email_hash}#{user}`"),
        (Query("q", ("email", "age")), "`{email_hash}#{age}#{user}`"),
        (Query("q", ("email",), "age"), "`{email_hash}#{age}#{user}`"),
        (Query("q", (), scan="the login page", where=("email",)), "`{email_hash}#{user}`"),
    ],
)
def test_a_row_is_found_by_the_digest_of_personal_data(a_model: Make, query: Query, key: str) -> None:
    """It begins the key of a second table, which holds the rest of the row, and not the value."""
    email, age = Column("email", "data", b"E", Utf8(), True), Column("age", "data", b"A", Int64(), True)
    plan = Column("plan", "data", b"P", Utf8(), True)
    user = KeyField("user", Text(width=8), 2_000_000)
    model = a_model(user, columns=(email, age, plan), queries=(query,))
    (found,) = [each for each in review(model) if each.rule == "QRY001"]
    assert key in found.fix
    assert '`email_hash = bt.digest("email")`' in found.fix
    assert "an HMAC with a secret" in found.fix
    first, second = found.models
    assert (first.queries, [one.name for one in second.key.unstored]) == ((), ["email"])
    assert "email" not in {one.name for one in second.columns}


@pytest.mark.parametrize("query", [Query("q", (), "email"), Query("q", (), starting="email")])
def test_a_digest_has_no_range(a_model: Make, query: Query) -> None:
    """A surrogate id is then all that is left."""
    email, age = Column("email", "data", b"E", Utf8(), True), Column("age", "data", b"A", Int64(), True)
    model = a_model(KeyField("user", Text(width=8), 2_000_000), columns=(email, age), queries=(query,))
    (found,) = [each for each in review(model) if each.rule == "QRY001"]
    assert "email_hash" not in found.fix
    assert "person_id" in found.fix


def test_one_thing_is_told_as_one() -> None:
    """Numbers of one have no plural, and an hour its own article."""
    assert (counted(1, "value"), counted(2_000, "value")) == ("1 value", "2,000 values")
    assert (one("hour"), one("day")) == ("an hour", "a day")


def test_a_key_of_many_fields_is_worked_out_soon() -> None:
    """Not all orders of nine fields are tried: those that queries ask for are, and the columns are promoted."""
    fields = tuple(KeyField(f"f{at}", Text(width=3 + at), 2 + at) for at in range(8))
    queries = tuple(Query(f"q{at}", (f"f{at}",), "day") for at in range(3))
    key = RowKey((KeyField("day", DateText()), *fields), b"#")
    model = ModelSchema("M", "m", "", "T", key, (), COLUMNS, queries, events=Rate.parse("500000/s"))
    begun = perf_counter()
    design = proposed(model)
    assert perf_counter() - begun < 5
    assert not design.hot


KINDS = {
    "kind": KeyField("kind", Text(width=3), 5),
    "user": KeyField("user", Text(width=8), 1_000_000),
    "id": KeyField("id", PaddedInt(7), 1_000_000, sequential=True),
    "tenant": KeyField("tenant", Text(width=4), 40, tenant=True),
    "at": KeyField("at", EpochMillis()),
    "day": KeyField("day", DateText()),
    "minute": KeyField("minute", TimeText("%Y%m%d%H%M")),
    "month": KeyField("month", PaddedInt(6), 120),
    "round": KeyField("round", ReversedDigits(1), 10, sequential=True),
}
COLUMNS = (
    Column("device", "data", b"D", Utf8(), True, expected=Expected(cardinality=5_000)),
    Column("load", "data", b"L", Float64(), True),
)
JUDGED = frozenset(("KEY001", "KEY002", "KEY003", "KEY005", "KEY012", "KEY017", "KEY018"))


@st.composite
def models(draw: st.DrawFn) -> ModelSchema:
    """A small model: a few fields in any order, a salt of one of them in front or not, a rate, and queries."""
    names = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4, unique=True))
    fields = [KINDS[name] for name in names]
    if draw(st.booleans()):
        derived = Derived((draw(st.sampled_from(names)),), hash, (0, 1, 2))
        place = draw(st.integers(0, len(fields)))
        fields.insert(place, KeyField("salt", PaddedInt(1), derived=derived))
    columns = draw(st.sampled_from([(), COLUMNS[1:], COLUMNS]))
    known = [*names, *(column.name for column in columns if column.name != "load")]
    queries = []
    for number in range(draw(st.integers(0, 2))):
        equal = draw(st.lists(st.sampled_from(known), max_size=2, unique=True))
        between = draw(st.none() | st.sampled_from(known))
        if equal or between:
            given = tuple(name for name in equal if name != between)
            queries.append(Query(f"q{number}", given, between))
    events = draw(st.sampled_from([None, "10/s", "2000/s", "50000/s"]))
    return ModelSchema(
        "M",
        "m",
        "",
        "T",
        RowKey(tuple(fields), b"#"),
        (Family("data", max_versions(1)),),
        columns,
        tuple(queries),
        events=events and Rate.parse(events),
    )


@examples(100, deadline=None)
@given(models())
def test_the_proposed_key_fixes_what_was_found(model: ModelSchema) -> None:
    """A model that has it is spread, and tells its events apart as far as it is known; what it does not serve is told."""
    design = proposed(model)
    needing = {query.name for query in design.tenants}
    queries = tuple(
        with_tenant(design.model, query) if query.name in needing else query for query in model.queries
    )
    fixed = evolve(design.model, queries=tuple(query for query in queries if serves(design.key, query)))
    lost = {query.name for query in queries} - {query.name for query in fixed.queries}
    assert lost == {query.name for query in design.unserved}
    if lost:  # their second tables are judged by themselves, and what is left without them has other needs
        return
    left = {finding.rule for finding in review(fixed) if finding.level is not Level.INFO} & JUDGED
    assert left <= ({"KEY001", "KEY002", "KEY003", "KEY012"} if design.hot else set()) | {"KEY017"}
    if "KEY017" not in left:  # its events then want yet another field
        assert proposed(fixed).shape == design.shape, "a key that was proposed is proposed again"


@examples(70, deadline=None)
@given(models())
def test_no_finding_comes_with_the_proposed_key(model: ModelSchema) -> None:
    """It serves no fewer queries than the key that there is, unless that one is hot, or scatters the rows of a tenant."""
    design = proposed(model)
    served = [query for query in model.queries if serves(model.key, query)]
    now = [query for query in model.queries if query not in design.unserved]
    hot = {finding.rule for finding in review(model)} & {"KEY001", "KEY002", "KEY003", "KEY018"}
    assert hot or len(now) >= len(served)
    names = [part.name for part in design.key.fields]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("is_mail", "key"), [(True, "{contact_hash}#{order}"), (False, "{contact}#{order}")])
def test_what_the_description_calls_an_email_address_is_personal(
    a_model: Make, is_mail: bool, key: str
) -> None:
    """A column whose name says nothing belongs in no key either, where the description says what it is."""
    contact = Column("contact", "data", b"C", Utf8(), True, expected=Expected(max_size=90))
    columns, asked = (contact, Column("age", "data", b"A", Int64(), True)), Query("q", ("contact",))
    doc = f"An order. The contact is the {'e-mail address' if is_mail else 'branch'} of the buyer."
    order = KeyField("order", Text(width=12), 9_000_000)
    model = a_model(order, columns=columns, queries=(Query("one", ("order",)), asked))
    (found,) = [each for each in review(evolve(model, doc=doc)) if each.rule == "QRY001"]
    assert f"`{key}`" in found.fix
