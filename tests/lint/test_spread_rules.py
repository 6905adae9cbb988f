"""The rules on how keys spread the writes: sequential ids, few values in front of a time, salts, few domains."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs.cell import Utf8, UuidBytes
from btmodel.codecs.key import (
    BigEndian,
    Constant,
    DateText,
    EpochMillis,
    Int,
    KeyCodec,
    LittleEndian,
    OrderedInt,
    PaddedInt,
    ReversedDigits,
    ReversedDomain,
    Text,
    UuidText,
)
from btmodel.design.spread import crowd
from btmodel.lint import Finding, Level, review
from btmodel.schema import Column, Derived, Expected, Family, KeyField, ModelSchema, Query, Rate, RowKey, Skew
from btmodel.schema.gc import max_versions
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.workload import Uniform

Make = Callable[..., ModelSchema]
AT = KeyField("at", EpochMillis())
KIND = KeyField("kind", Constant("LoL"))
USER = KeyField("user", Text(width=8), 1_000_000)
FAST = Rate.parse("20000/s")


def found(model: ModelSchema, rule: str) -> list[Finding]:
    return [finding for finding in review(model) if finding.rule == rule]


def only(model: ModelSchema, rule: str) -> Finding:
    (finding,) = found(model, rule)
    return finding


def side(cardinality: int | None) -> KeyField:
    return KeyField("side", Text(width=1), cardinality)


def salt(count: int, *of: str) -> KeyField:
    return KeyField("salt", PaddedInt(3), derived=Derived(of or ("at",), hash, tuple(range(count))))


def column(name: str, cardinality: int | None = None, codec: Any = None, required: bool = True) -> Column:
    raw = name.encode()
    return Column(name, "data", raw, codec or Utf8(), required, expected=Expected(cardinality=cardinality))


def test_an_id_in_sequence_in_front_is_an_error_whose_fix_clears_it(a_model: Make) -> None:
    """Its digits are to be written backwards, in the codec that the fix writes out."""
    codecs: list[KeyCodec[Any]] = [PaddedInt(9), Int(9), BigEndian(4), OrderedInt()]
    for codec, digits in zip(codecs, (9, 9, 10, 19), strict=True):
        part = KeyField("id", codec, sequential=True)
        finding = only(a_model(KIND, part), "KEY002")
        assert (finding.level, finding.field) == (Level.ERROR, "id")
        assert finding.fix == f"write its digits backwards: `id` as `bt.ReversedDigits({digits})`"
        assert review(a_model(KIND, evolve(part, codec=ReversedDigits(digits)))) == ()


def test_what_scatters_or_does_not_lead_may_be_in_sequence(a_model: Make) -> None:
    """Behind a field of several values, or a salt, or with the byte that changes first in front, ids are spread."""
    number = KeyField("id", PaddedInt(9), sequential=True)
    assert found(a_model(USER, number), "KEY002") == []
    assert found(a_model(salt(3, "id"), number), "KEY002") == []
    assert found(a_model(KeyField("id", LittleEndian(4), sequential=True)), "KEY002") == []
    assert found(a_model(KeyField("site", Text(width=2), 1), number), "KEY002") != []


@pytest.mark.parametrize(
    ("part", "asks"),
    [
        (KeyField("id", PaddedInt(9)), True),
        (KeyField("id", PaddedInt(9), 100), True),
        (KeyField("id", PaddedInt(9), 99), False),
        (KeyField("id", PaddedInt(9), sequential=False), False),
        (KeyField("id", ReversedDigits(9)), False),
        (KeyField("id", Text(width=9)), False),
        (AT, False),
    ],
)
def test_a_number_in_front_of_which_nothing_is_said_is_asked_about(
    a_model: Make, part: KeyField, asks: bool
) -> None:
    """It is an info, of numbers that may have many values and lie in their order."""
    findings = found(a_model(part), "KEY002")
    assert [finding.level for finding in findings] == [Level.INFO] * asks
    assert all("sequential=False" in finding.fix for finding in findings)


def test_a_range_of_ids_in_sequence_needs_a_salt(a_model: Make) -> None:
    """Digits written backwards do not serve the query, salts do; text in sequence has no digits to write so."""
    part = KeyField("id", PaddedInt(9), sequential=True)
    query = Query("some", (), between="id")
    fix = only(a_model(part, queries=(query,), nodes=5), "KEY002").fix
    assert '`salt = bt.salt("id", buckets=5)` in front: `{salt}#{id}`' in fix
    salted = a_model(salt(5, "id"), part, queries=(query,), nodes=5)
    assert found(salted, "KEY002") + found(salted, "KEY005") + found(salted, "QRY001") == []
    text = a_model(KeyField("id", Text(width=9), sequential=True))
    fix = only(
        text, "KEY002"
    ).fix  # with another field in the key, nobody who knows the id would find its row
    assert fix == 'put `salt = bt.salt("id", buckets=3)` in front: `{salt}#{id}`'


@pytest.mark.parametrize(
    ("front", "events", "nodes", "flagged"),
    [
        ((side(29),), "20000/s", None, True),  # three nodes, as of a small cluster
        ((side(30),), "20000/s", None, False),
        ((side(30),), "20000/s", 4, True),
        ((side(3), KeyField("b", Text(width=1), 10)), "20000/s", None, False),
        ((side(2),), "281/s", 2, True),
        ((side(2),), "280/s", 2, False),  # each takes 140, with ease
        ((side(2),), "280/s", None, False),
        ((side(2),), "281/s", None, True),
        ((side(None),), "20000/s", None, False),
        ((USER,), "1000000/s", None, False),
        ((salt(3),), "2000/s", None, False),  # the documents' own
        ((salt(3),), "28001/s", None, False),
        ((salt(3),), "42001/s", None, True),  # four nodes
        ((salt(3), side(2)), "28001/s", None, False),
        ((salt(9, "side"), side(2)), "20000/s", None, True),  # the salt follows from the side
        ((KIND,), "20000/s", None, False),  # KEY001's
    ],
)
def test_values_in_front_of_a_time_are_counted(
    a_model: Make, front: tuple[KeyField, ...], events: str, nodes: int | None, flagged: bool
) -> None:
    """Each node gets ten values of fields, or one salt; what a tablet takes with ease needs none."""
    model = a_model(*front, AT, events=Rate.parse(events), nodes=nodes)
    assert bool(found(model, "KEY003")) is flagged


def test_without_a_rate_values_in_front_are_not_judged(a_model: Make) -> None:
    """What is not declared is not guessed, and a key without a time is no business of the rule."""
    assert found(a_model(side(2), AT), "KEY003") == []
    assert found(a_model(side(2), events=FAST), "KEY003") == []


def test_no_rate_asks_for_more_salts_than_a_query_reads_ranges(a_model: Make) -> None:
    """However many nodes a rate would need, the salt that is proposed has a thousand values at most."""
    bare = only(a_model(side(5), AT, events=FAST, nodes=100_000_000), "KEY003").fix
    assert bare.endswith('`salt = bt.salt("at", buckets=1000)` in front: `{salt}#{side}#{at}`')


def test_few_values_are_fixed_by_promotion_or_failing_that_a_salt(a_model: Make) -> None:
    """A field behind the time is promoted, then a column; the salts are as many as the nodes."""
    model = a_model(side(5), AT, USER, events=FAST, nodes=4)
    fix = only(model, "KEY003").fix
    assert fix == "put `user` (1,000,000 values) in front of `at`: `{side}#{user}#{at}`"
    bare = only(a_model(side(5), AT, events=FAST, nodes=4), "KEY003").fix
    assert "such as the id of what writes the row: `{side}#{id}#{at}`; or, if there is none, " in bare
    assert bare.endswith('`salt = bt.salt("at", buckets=4)` in front: `{salt}#{side}#{at}`')
    assert review(a_model(side(5), USER, AT, events=FAST, nodes=4)) == ()
    of_column = a_model(side(5), AT, events=FAST, columns=(column("user", 5_000), column("note")))
    assert (
        "the column `user` (5,000 values) a key field: `{side}#{user}#{at}`" in only(of_column, "KEY003").fix
    )
    assert review(a_model(salt(4), side(5), AT, events=FAST, nodes=4)) == ()


def test_a_salt_serves_the_time_of_few_values(a_model: Make) -> None:
    """The newest rows of one of three values are all rows nearly: fields in front of the time would lose the query."""
    silo = KeyField("silo", Text(width=9), 2_000)
    query = Query("newest", ("side",), between="at", newest=True)
    model = a_model(
        side(3), KeyField("at", bt.EpochSeconds()), silo, queries=(query,), events=Rate(30_000.0), nodes=5
    )
    (finding,) = found(model, "KEY003")
    assert finding.fix.startswith(
        'put `salt = bt.salt("silo", buckets=5)` in front: `{salt}#{side}#{at}#{silo}`'
    )
    assert finding.fix.endswith("(`newest` is then a read for each salt, merged)")


def test_a_query_that_gives_the_salt_is_one_read(a_model: Make) -> None:
    """The price of a salt is told of the other queries alone."""
    thing = KeyField("thing", Text(width=7), sequential=True)
    one = Query("one", ("thing",))
    assert only(a_model(thing, queries=(one,)), "KEY002").fix.endswith("in front: `{salt}#{thing}`")
    assert "merged" not in only(a_model(thing, queries=(one,)), "KEY002").fix


def test_the_tenant_stays_in_front_of_what_is_promoted(a_model: Make) -> None:
    """The key of a fix is one that no other rule has a word on."""
    tenant = KeyField("tenant", Text(width=4), 40, tenant=True)
    fix = only(a_model(AT, tenant, USER), "KEY001").fix
    assert "`{tenant}#{user}#{at}`" in fix
    assert review(a_model(tenant, USER, AT)) == ()


def test_what_is_promoted_is_not_personal_and_not_in_sequence(a_model: Make) -> None:
    """An address is not put in a key; digits in sequence are to be written backwards."""
    columns = (column("email", 9_000), column("device"))
    assert "`{device}#{at}`" in only(a_model(AT, columns=columns), "KEY001").fix
    fix = only(a_model(AT, KeyField("id", PaddedInt(7), 9_000, sequential=True)), "KEY001").fix
    assert "in front, and write the digits of `id` backwards (`bt.ReversedDigits(7)`): `{id}#{at}`" in fix


def test_columns_of_many_declared_values_are_promoted_first(a_model: Make) -> None:
    """A declared number says more than a type; a column of few values is none to promote."""
    columns = (column("id", codec=UuidBytes()), column("user", 5_000), column("city", 99))
    assert (
        "the column `user` (5,000 values) a key field: `{user}#{at}`"
        in only(a_model(AT, columns=columns), "KEY001").fix
    )
    assert "such as the id of what writes the row" in only(a_model(AT, columns=columns[2:]), "KEY001").fix


def test_a_salt_gives_way_to_a_field_of_many_values(a_model: Make) -> None:
    """The field takes the salt's place in the key that is written out, and what queries lose is told."""
    salted = a_model(KIND, salt(3), AT, columns=(column("user", 1_000_000),))
    finding = only(salted, "KEY005")
    assert "but the column `user` (1,000,000 values) would spread them as well" in finding.message
    assert (
        finding.fix
        == "leave out `salt`, and make the column `user` (1,000,000 values) a key field, and keep its cell, "
        '`mirror="data:user"`, as a row needs one: `LoL#{user}#{at}`'
    )
    in_time = Query("in_time", (), between="at")
    assert found(evolve(salted, queries=(in_time,)), "KEY005") == []  # the salt serves it
    behind = only(a_model(salt(3), AT, USER), "KEY005")
    assert behind.fix == "leave out `salt`, and put `user` (1,000,000 values) in front: `{user}#{at}`"
    assert review(a_model(USER, AT)) == ()
    needless = only(a_model(salt(3, "user"), USER, AT), "KEY005")
    assert needless.fix == "leave out `salt`: `{user}#{at}`"


def test_a_salt_that_every_query_gives_costs_nothing(a_model: Make) -> None:
    """Ids in sequence lie together without it; a query that does not give them reads each salt, and ids that spread need none."""
    chat = KeyField("chat", PaddedInt(9), 9_000_000, sequential=True)
    of_chat = Query("of_chat", ("chat",), between="at")
    free = a_model(salt(64, "chat"), chat, AT, queries=(of_chat,), events=FAST)
    assert found(free, "KEY005") == []
    assert found(evolve(free, queries=(of_chat, Query("all", (), between="at"))), "KEY005") != []
    spread = evolve(chat, sequential=False)
    assert found(a_model(salt(64, "chat"), spread, AT, queries=(of_chat,), events=FAST), "KEY005") != []


def test_uneven_values_do_not_replace_a_salt_with_what_may_go_with_them(a_model: Make) -> None:
    """Three applications with most of the events, each of one type: by the product of both, they would be enough."""
    query = Query("of_app", ("app", "type"), between="at")
    rest = (KeyField("type", Text(width=4), 40), AT, KeyField("span", UuidText()))

    def traces(skew: str | None) -> ModelSchema:
        app = KeyField("app", Text(max_length=20), 500, skew=skew and Skew.parse(skew))
        return a_model(salt(6, "span"), app, *rest, queries=(query,), events=Rate(40_000.0), nodes=6)

    assert found(traces("60%:3"), "KEY005") == []
    assert found(traces(None), "KEY005") != []


def test_a_salt_of_what_stands_beside_it_is_said_to_divide_nothing(a_model: Make) -> None:
    """It is the same for all rows of a value; one of something else counts."""
    pop = KeyField("pop", Text(width=3), 42, skew=Skew.parse("80%:5"))
    (finding,) = found(a_model(salt(24, "pop"), pop, AT, events=Rate.parse("180000/s")), "KEY003")
    assert "has `pop` in front of the time `at`" in finding.message
    assert finding.message.endswith("; `salt` follows from `pop`, so it divides none of them")
    few = found(a_model(salt(2, "user"), pop, AT, USER, events=Rate.parse("180000/s")), "KEY003")
    assert all("follows from" not in each.message for each in few)


@pytest.mark.parametrize(
    ("events", "skew", "level", "says"),
    [
        ("600/s", "85%:3", Level.INFO, "the most frequent one gets about 200/s, which one place takes"),
        ("5000/s", "85%:3", None, None),
        ("5000/s", None, Level.WARNING, "the fields in front of it spread the rows already"),
    ],
)
def test_a_salt_may_divide_the_most_frequent_of_uneven_values(
    a_model: Make, events: str, skew: str | None, level: Level | None, says: str | None
) -> None:
    """Who declares how uneven they are knows what the salt is for; what one value gets stands in the finding."""
    campaign = KeyField("campaign", Text(width=8), 400_000, skew=skew and Skew.parse(skew))
    pledge = KeyField("pledge", Text(width=12), 3_000_000)
    model = a_model(campaign, salt(8, "pledge"), AT, pledge, events=Rate.parse(events))
    told = found(model, "KEY005")
    assert [each.level for each in told] == [level] * (level is not None)
    assert all(says in each.message for each in told if says)


def test_a_salt_of_too_many_values_is_not_left_out_where_one_value_is_too_frequent(a_model: Make) -> None:
    """Of 18,000 writes a second 5,100 are of one value, which fewer salts divide."""
    campaign = KeyField("campaign", Text(width=8), 400_000, skew=Skew.parse("85%:3"))
    pledge = KeyField("pledge", Text(width=12), 3_000_000)
    model = a_model(campaign, salt(16, "pledge"), AT, pledge, events=Rate.parse("18000/s"))
    assert "leave it out" not in only(model, "KEY005").fix
    few = a_model(salt(16, "pledge"), AT, pledge, events=Rate.parse("9/s"))
    assert "leave it out, as one place takes 9/s" in only(few, "KEY005").fix


@pytest.mark.parametrize(
    ("columns", "queries", "flagged"),
    [
        ((column("user", 100),), (), True),
        ((column("user", 99),), (), False),
        ((column("user"),), (), False),
        ((column("user"),), (Query("q", (), scan="why", where=("user",)),), True),
        ((column("id", codec=UuidBytes()),), (), True),
        ((column("id", 9_000, required=False),), (), False),
        ((column("email", 9_000),), (), False),
    ],
)
def test_only_what_surely_has_many_values_takes_the_place_of_a_salt(
    a_model: Make, columns: tuple[Column, ...], queries: tuple[Query, ...], flagged: bool
) -> None:
    """That is declared, or told by a query or by the type; rows may not lack it, and it tells no person."""
    assert bool(found(a_model(salt(3), AT, columns=columns, queries=queries), "KEY005")) is flagged


@pytest.mark.parametrize(
    ("count", "events", "nodes", "level"),
    [
        (12, "2000/s", None, None),
        (13, "2000/s", None, Level.INFO),
        (47, "2000/s", None, Level.INFO),
        (48, "2000/s", None, Level.WARNING),
        (40, None, 10, None),
        (41, None, 10, Level.INFO),
        (99, None, None, None),
    ],
)
def test_salts_are_counted_by_the_nodes(
    a_model: Make, count: int, events: str | None, nodes: int | None, level: Level | None
) -> None:
    """Four for each node, of three nodes at least, are room to grow, and sixteen are a waste; nothing is said where neither nodes nor a rate are declared."""
    model = a_model(salt(count), AT, events=events and Rate.parse(events), nodes=nodes)
    assert [one.level for one in found(model, "KEY005")] == [level] * (level is not None)
    if level is not None:
        assert f"`buckets={nodes or 3}`" in only(model, "KEY005").fix


def test_a_hash_gives_way_to_what_is_hashed(a_model: Make) -> None:
    """The readable value takes its place; personal data gets a surrogate id instead; a time in front is promoted."""

    def hashed(*of: str) -> KeyField:
        return KeyField("mark", Text(width=4), derived=Derived(of, hash))

    site = a_model(hashed("site"), USER, columns=(column("site"),))
    assert only(site, "KEY004").fix.startswith("keep the readable value in the key: `{site}#{user}`; or")
    assert only(a_model(hashed("user"), USER, AT), "KEY004").fix.endswith("`{user}#{at}`")
    email = only(a_model(hashed("email"), AT, columns=(column("email"),)), "KEY004").fix
    assert "a surrogate id `person_id` for `email`: `{person_id}#{at}`" in email
    spread = only(a_model(hashed("at"), AT, USER), "KEY004").fix
    assert spread == "leave out `mark`, and put `user` (1,000,000 values) in front: `{user}#{at}`"
    assert found(a_model(salt(3), AT), "KEY004") == []


@pytest.mark.parametrize(
    ("fields", "events", "flagged"),
    [
        ((KeyField("domain", ReversedDomain(60), 99), AT), None, True),
        ((KeyField("domain", ReversedDomain(60), 100), AT), None, False),
        ((KeyField("domain", ReversedDomain(60)), AT), None, False),
        ((KeyField("domain", ReversedDomain(60), 5), AT), "140/s", False),
        ((KeyField("domain", ReversedDomain(60), 5), USER, AT), None, False),
        ((KeyField("domain", ReversedDomain(60), 5), KeyField("page", Text(width=4)), AT), None, True),
        ((USER, KeyField("domain", ReversedDomain(60), 5), AT), None, False),
        ((KeyField("domain", Text(width=60), 5, domain=True), AT), None, True),
    ],
)
def test_few_domains_in_front(
    a_model: Make, fields: tuple[KeyField, ...], events: str | None, flagged: bool
) -> None:
    """Fewer than 100 that lead, reversed or not, unless others spread their rows or few rows are written."""
    model = a_model(*fields, events=events and Rate.parse(events))
    assert bool(found(model, "KEY012")) is flagged


def test_few_domains_go_behind_another_field(a_model: Make) -> None:
    """The key is written out; of a field that may do as it stands, it is asked how many values it has."""
    domain = KeyField("domain", ReversedDomain(60), 5)
    assert "in front: `{user}#{domain}#{at}`" in only(a_model(domain, AT, USER), "KEY012").fix
    page = only(a_model(domain, KeyField("page", Text(width=4)), AT), "KEY012").fix
    assert page.endswith("if `page` has many values, declare how many: `cardinality=...`")


FIELDS = st.permutations(
    [
        AT,
        USER,
        side(3),
        KeyField("id", PaddedInt(6), 5_000, sequential=True),
        KeyField("tenant", Text(width=4), 40, tenant=True),
        KeyField("domain", ReversedDomain(20), 5),
        KeyField("uuid", UuidText()),
    ]
)


@given(FIELDS, st.integers(1, 7), st.sampled_from([None, "1/h", "20000/s"]), st.booleans())
def test_every_key_is_judged_without_a_failure(
    fields: list[KeyField], count: int, events: str | None, salted: bool
) -> None:
    """Whatever the key, with or without figures and salts, the rules come to an end and name fields of it, or none."""
    front = (salt(2, "at"),) if salted and AT in fields[:count] else ()
    key = RowKey((*front, *fields[:count]), b"#")
    model = ModelSchema("M", "m", "", "T", key, (), (), events=events and Rate.parse(events))
    assert {finding.field for finding in review(model)} <= {None, *(part.name for part in key.fields)}


def test_a_model_of_a_live_instance_is_judged(a_model: Make) -> None:
    """A model of which only the table and its families are known has no finding on its key."""
    bare = evolve(a_model(), key=RowKey((), b""))
    assert review(bare) == ()


def skewed(skew: str | None, nodes: int = 20) -> ModelSchema:
    """Events of 8,000 symbols, which come as unevenly as ``skew`` says."""
    said = None if skew is None else Skew.parse(skew)
    symbol = KeyField("symbol", Text(width=5), 8_000, skew=said)
    key = RowKey((symbol, KeyField("at", EpochMillis())), b"#")
    families = (Family("data", max_versions(1)),)
    return ModelSchema("Q", "m", "", "Q", key, families, (), events=Rate(280_000.0), nodes=nodes)


@pytest.mark.parametrize(
    ("skew", "places", "share"),
    [
        (None, None, ""),
        ("uniform", None, ""),
        ("90%:200", None, ""),
        ("90%:6", 6, "15 %"),
        ("50%:2", 4, "25 %"),
        ("40%:1", 2, "40 %"),
    ],
)
def test_the_values_of_a_field_come_as_unevenly_as_it_says(
    skew: str | None, places: int | None, share: str
) -> None:
    """By hand: 90 % on 6 values are as 6.67 values that come evenly, too few for half of 20 nodes; 50 % on 2 are as 4."""
    found = crowd(skewed(skew))
    assert (found and found.places) == places
    findings = [one for one in review(skewed(skew)) if one.rule == "KEY003"]
    assert bool(findings) is (places is not None)
    said = f"`symbol` in front of the time `at`, and by the declared `skew` one value of it has {share} of 280,000/s, as if there were only {places} values"
    assert all(said in one.message for one in findings)


def test_the_most_frequent_value_counts() -> None:
    """Of Zipf's law with the exponent 1 over 4 values, the first has 1 / (1 + 1/2 + 1/3 + 1/4) = 48 %: as 2 values."""
    assert Skew.parse("zipf:1").even(4) == 2
    assert Skew.parse("zipf").even(None) is None
    assert Skew.parse("1%:1").even(2) == 1
    assert Skew.parse("uniform").even(5) == 5
    large, exact = Skew.parse("zipf:0.5").even(40_000), sum(rank**-0.5 for rank in range(1, 40_001))
    assert large == pytest.approx(exact, abs=1)


@pytest.mark.parametrize(
    "wrong", ["", "zipf:0", "zipf:9", "0%:5", "101%:5", "90%:0", "90:5", 5, True, "A:6,B:4"]
)
def test_another_skew_is_refused(wrong: object) -> None:
    """The error says the forms that there are, and what was given."""
    with pytest.raises(bt.DeclarationError, match=r'skew: expected "90%:200" .*, got'):
        _declared(wrong)


def _declared(skew: object, cardinality: int = 50) -> object:
    class Quote(bt.Model, table="Q", events="10/s"):
        symbol: str = bt.key(bt.Text(width=5), cardinality=cardinality, skew=skew)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        f = bt.family("f", gc=bt.max_versions(1))
        bid: float = bt.column("b", f)

    return bt.schema_of(Quote)


def test_a_skew_is_of_values_that_there_are() -> None:
    """No more of them are frequent than there are, and a time comes by the clock."""
    with pytest.raises(bt.DeclarationError, match=r"skew: expected up to 50 values, .*, got 60"):
        _declared("90%:60")
    schema = _declared("90%:20")
    assert isinstance(schema, ModelSchema)
    assert str(workload_of(schema).fields["symbol"]) == "90%:20"


@pytest.mark.parametrize(("each", "flagged"), [(140, False), (141, True)])
@pytest.mark.parametrize("nodes", [None, 1, 3, 30])
def test_one_place_and_several_are_judged_alike(
    a_model: Make, each: int, flagged: bool, nodes: int | None
) -> None:
    """A time in front is one place; behind two values, and behind three, it is two and three: what each may take is the same."""
    for front, rule in (((), "KEY001"), ((side(2),), "KEY003"), ((side(3),), "KEY003")):
        places = front[0].cardinality or 1 if front else 1
        model = a_model(*front, AT, events=Rate.parse(f"{each * places}/s"), nodes=nodes)
        assert bool(found(model, rule)) is flagged


@pytest.mark.parametrize(
    ("front", "events", "buckets"),
    [
        ((), "20000/s", 6),
        ((), "120000/s", 26),
        ((), "2000/s", 3),
        ((side(5),), "60000/s", 7),  # one of them may have half
        ((evolve(side(5), skew=Skew.parse("uniform")),), "60000/s", 7),  # as many as there are nodes
        ((evolve(side(500), skew=Skew.parse("60%:2")),), "50000/s", 6),
        ((evolve(side(4), changes=True),), "40000/s", 10),  # new rows have the same
    ],
)
def test_a_salt_has_as_many_values_as_the_rate_needs(
    a_model: Make, front: tuple[KeyField, ...], events: str, buckets: int
) -> None:
    """Two of them on one node are about what it should take, and each node has as many of them."""
    model = a_model(
        *front, AT, events=Rate.parse(events), queries=(Query("q", tuple(part.name for part in front), "at"),)
    )
    (finding,) = found(model, "KEY003" if front else "KEY001")
    assert f"buckets={buckets})" in finding.fix


@pytest.mark.parametrize(
    ("front", "level"),
    [
        (side(5), Level.ERROR),  # 12,000/s each
        (side(12), Level.WARNING),
        (evolve(side(200), skew=Skew.parse("60%:3")), Level.ERROR),
        (evolve(side(12), changes=True), Level.ERROR),
    ],
)
def test_a_node_that_is_overloaded_is_an_error(a_model: Make, front: KeyField, level: Level) -> None:
    """It gets more than 70 % of what it can write; less is a warning."""
    assert only(a_model(front, AT, events=Rate.parse("60000/s")), "KEY003").level is level


def test_a_date_that_is_not_that_of_the_writing_is_no_hotspot(a_model: Make) -> None:
    """The author says so, and nothing follows from the clock: no place in front, no events that share it, no salt that lasts."""
    day = KeyField("issued", DateText(), 65_000)
    written = evolve(day, sequential=False)
    assert only(a_model(day, USER, events=FAST), "KEY001").level is Level.ERROR
    for key in ((written, USER), (written,), (USER, written), (side(2), written, USER)):
        rules = {one.rule for one in review(a_model(*key, events=FAST))}
        assert rules & {"KEY001", "KEY002", "KEY003", "KEY017"} == set(), key
    salted_by = evolve(salt(5, "issued"), name="spread")
    assert found(a_model(salted_by, written, AT, events=FAST), "KEY001") == []
    assert workload_of(a_model(written, USER, events=FAST)).fields["issued"] == Uniform()


def test_a_hash_by_which_a_person_is_found_is_its_own_reason(a_model: Make) -> None:
    """No key tells the address, and a query gives it whole; without such a query, a surrogate id does as well."""
    mark = KeyField("mark", Text(width=4), derived=Derived(("email",), hash))
    columns = (column("email"),)
    model = a_model(mark, columns=columns, queries=(Query("of_email", ("email",)),))
    assert found(model, "KEY004") == []
    assert len(found(evolve(model, queries=()), "KEY004")) == 1
    site = evolve(mark, derived=Derived(("site",), hash))
    assert (
        len(found(a_model(site, columns=(column("site"),), queries=(Query("q", ("site",)),)), "KEY004")) == 1
    )
    both = evolve(mark, derived=Derived(("email", "site"), hash))
    wide = a_model(both, columns=(*columns, column("site")), queries=(Query("of_email", ("email",)),))
    assert len(found(wide, "KEY004")) == 1


def test_a_salt_of_what_is_not_stored_divides_a_row() -> None:
    """Additions to one counter are shared among rows by who adds; one of a stored field in that place spreads nothing."""

    class Likes(bt.Model, table="LIKES", events="20000/s", nodes=6):
        stream: str = bt.key(bt.HexDigest(12), cardinality=20_000)
        shard = bt.salt("viewer", buckets=200)
        viewer: str | None = bt.key(bt.Text(max_length=20), stored=False, cardinality=5_000_000)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        likes: int | None = bt.counter("likes", v, increments="25/s")

        of_stream = bt.query("stream")

    class Same(bt.Model, table="SAME", events="20000/s", nodes=6):
        stream: str = bt.key(bt.HexDigest(12), cardinality=20_000)
        shard = bt.salt("stream", buckets=200)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        likes: int | None = bt.counter("likes", v, increments="25/s")

        by_stream = bt.query("stream")

    assert [one.rule for one in review(bt.schema_of(Likes))] == []
    assert "KEY005" in [one.rule for one in review(bt.schema_of(Same))]
