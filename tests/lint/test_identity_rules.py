"""The rules on what keys tell: raw bytes, and who a person is. And the codecs that their fixes write out."""

from collections.abc import Callable
from datetime import date
from enum import Enum
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.cell import Utf8
from btmodel.codecs.key import (
    Base64,
    BigEndian,
    Boolean,
    Bytes,
    DateText,
    Descending,
    EnumText,
    EscapedBytes,
    EscapedText,
    Hex,
    HexDigest,
    Int,
    IsoWeek,
    KeyCodec,
    LengthPrefixed,
    LittleEndian,
    OrderedInt,
    PaddedInt,
    Repeated,
    Text,
    TimeText,
    UuidRaw,
    UuidText,
    Week,
)
from btmodel.design.personal_names import personal
from btmodel.lint import Finding, Level, review
from btmodel.schema import Column, Derived, Expected, Family, KeyField, ModelSchema, Query, Rate
from btmodel.schema.gc import max_versions
from btmodel.source_text import written
from tests.lint.parts import found

Make = Callable[..., ModelSchema]
USER = KeyField("user", Text(width=8), 1_000_000)
MONDAY = date(2021, 3, 1)


class Phone(Enum):
    """Kinds of phones."""

    HOME = "phone"


def only(model: ModelSchema, rule: str) -> Finding:
    (finding,) = found(model, rule)
    return finding


def raw(model: ModelSchema) -> Finding:
    """What is found of raw bytes in a key, or, where the same fix puts them in order, of their order."""
    (finding,) = (one for rule in ("KEY006", "KEY007") for one in found(model, rule))
    return finding


@pytest.mark.parametrize(
    ("codec", "instead"),
    [
        (BigEndian(4), PaddedInt(10)),
        (BigEndian(), PaddedInt(20)),
        (LittleEndian(2), PaddedInt(5)),
        (Bytes(width=4), Hex(4)),
        (UuidRaw(), UuidText()),
        (Repeated(BigEndian(2), most=3), Repeated(PaddedInt(5), most=3)),
        (Descending(BigEndian(4)), Descending(PaddedInt(10))),
        (Descending(UuidRaw()), Descending(UuidText(dashes=False))),
        (Descending(TimeText("%Y-%m-%d")), Descending(TimeText("%Y%m%d"))),
        (Descending(IsoWeek()), Descending(IsoWeek("%G%V"))),
        (Descending(Week("week{n:04}", origin=MONDAY)), Descending(Week("{n:04}", origin=MONDAY))),
    ],
)
def test_raw_bytes_are_fixed_by_text_of_the_same_values(
    a_model: Make, codec: KeyCodec[Any], instead: KeyCodec[Any]
) -> None:
    """The codec that the fix writes out is for the same type, and no rule has a word on it."""
    fix = raw(a_model(USER, ("n", codec))).fix
    assert eval(fix.split("`")[3], {"bt": bt, "date": date}) == instead
    assert instead.python_type == codec.python_type
    assert review(a_model(USER, ("n", instead))) == ()


@pytest.mark.parametrize(
    ("codec", "fix"),
    [
        (
            OrderedInt(),
            "`bt.PaddedInt(19)` where no number is below 0, else `bt.PaddedInt(20)` of the number + 2**63",
        ),
        (BigEndian(2, signed=True), "else `bt.PaddedInt(5)` of the number + 2**15"),
        (Bytes(max_length=9), "`bt.Text(max_length=18)`, with `value.hex()`"),
        (EscapedBytes(9), "`bt.Text(max_length=18)`, with `value.hex()`"),
        (LengthPrefixed(Bytes(max_length=9)), "`bt.Text(max_length=18)`, with `value.hex()`"),
        (Descending(Text(width=4)), "`bt.Text(width=4)`, and read it from the end"),
    ],
)
def test_raw_bytes_without_such_a_codec_are_fixed_in_words(
    a_model: Make, codec: KeyCodec[Any], fix: str
) -> None:
    """It is said what to write instead of the values."""
    assert fix in raw(a_model(USER, ("n", codec))).fix


def test_numbers_of_both_signs_are_told_to_sort_in_text(a_model: Make) -> None:
    """What does not sort is not fixed by other raw bytes."""
    assert "bt.PaddedInt(19)" in only(a_model(USER, ("n", BigEndian(signed=True))), "KEY007").fix
    assert only(a_model(USER, ("n", LittleEndian(2))), "KEY007").fix == "encode `n` as `bt.PaddedInt(5)`"


@pytest.mark.parametrize(
    "codec",
    [
        Text(max_length=9),
        EscapedText(9),
        LengthPrefixed(Text(max_length=9)),
        Base64(9),
        Descending(PaddedInt(4)),
        Descending(Hex(4)),
        Descending(DateText()),
        UuidText(),
    ],
)
def test_text_is_no_raw_bytes(a_model: Make, codec: KeyCodec[Any]) -> None:
    """Nor is it for the length in front of it, the end behind it, or where its digits are turned around."""
    assert found(a_model(USER, ("t", codec)), "KEY006") == []


@pytest.mark.parametrize(
    "codec",
    [
        Text(max_length=20),
        Text(width=5, min_length=1),
        Int(6),
        UuidText(dashes=False),
        DateText("%Y-%m"),
        Week("week{n}", origin=MONDAY, first=0),
        Repeated(Text(max_length=60), "|", most=8, holds_delimiter=True),
        Descending(TimeText("%Y%m%d%H")),
        LengthPrefixed(Text(max_length=4), 2),
        bt.ReversedDomain(253),
        bt.EpochMillis(),
    ],
)
def test_a_codec_is_written_as_it_was_declared(codec: KeyCodec[Any]) -> None:
    """What is written declares the codec again."""
    assert eval(written(codec), {"bt": bt, "date": date}) == codec


@pytest.mark.parametrize(
    "name",
    """email user_email userEmail EMAIL email_address phone PHONE_NUMBER cellphone phones surname first_name lastName
    date_of_birth birthday ssn passport_id address home_address addresses iban visitor_ip client_ip_address license_plate national_id nhs_number
    user_tax_id imei medicare_no insurance_no card_nr health_number patientInsuranceNo cpf""".split(),  # noqa: SIM905
)
def test_names_that_tell_a_person(name: str) -> None:
    """Whole words, in snake case and in camel case."""
    assert personal(name)


@pytest.mark.parametrize(
    "name",
    """hostname name user user_id mailing ip ip_address mac_address host_address device_address email_domain phone_type
    phoneModel email_id addressed emailed order_no room_nr card_id health medicare_plan no""".split(),  # noqa: SIM905
)
def test_names_that_tell_no_person(name: str) -> None:
    """Parts of words, machines, and what is about something else."""
    assert personal(name) is None


def test_a_field_that_tells_a_person_gets_a_surrogate(a_model: Make) -> None:
    """The key is written out with the id in its place, or without it where there is such an id."""
    email = KeyField("email", Text(max_length=60))
    finding = only(a_model(email, ("day", DateText())), "KEY010")
    assert finding.field == "email"
    assert (
        "`person_id: UUID = bt.key(bt.UuidText())`, and keep `email` in a column: `{person_id}#{day}`"
        in finding.fix
    )
    assert "declare `pii=False`" in finding.fix
    known = a_model(("user_id", Text(width=8)), ("user_email", Text(width=60)), ("day", DateText()))
    assert (
        "use only `user_id`, and keep `user_email` in a column: `{user_id}#{day}`"
        in only(known, "KEY010").fix
    )


def test_the_surrogate_has_as_many_values_as_what_it_stands_for(a_model: Make) -> None:
    """By the words as well as in the model, so that rates of one row stay known."""
    email = KeyField("email", Text(max_length=60), 4_000_000)
    finding = only(a_model(email, ("day", DateText())), "KEY010")
    assert "`person_id: UUID = bt.key(bt.UuidText(), cardinality=4_000_000)`" in finding.fix
    assert finding.models[0].key.fields[0].cardinality == 4_000_000


def test_what_identifies_a_person_together_is_one_finding(a_model: Make) -> None:
    """One id stands for all of it, and is found by all of it; the query is printed as it then is."""
    surname, born = KeyField("surname", Text(max_length=40), 600_000), KeyField("born", DateText(), pii=True)
    query = Query("of_person", ("surname", "born"), between="day")
    finding = only(a_model(surname, born, ("day", DateText()), queries=(query,)), "KEY010")
    assert "`surname`, `born` of the key" in finding.message
    assert "`{person_id}#{day}`, and ask by `person_id`" in finding.fix
    assert '`of_person = bt.query("person_id", between="day")`' in finding.fix
    assert '`bt.digest("surname", "born")`' in finding.fix


@pytest.mark.parametrize(
    ("names", "count"),
    [
        (("first_name", "last_name"), 1),
        (("patient_name", "patient_birthdate"), 1),
        (("caller_phone", "callee_phone"), 2),
        (("email", "phone"), 1),
        (("sender_email", "driver_phone"), 2),
    ],
)
def test_what_identifies_two_persons_is_two_findings(
    a_model: Make, names: tuple[str, str], count: int
) -> None:
    """By what stands in front of their names."""
    fields = (KeyField(name, Text(max_length=40), 600_000) for name in names)
    assert len(found(a_model(*fields), "KEY010")) == count


def test_a_surrogate_is_not_found_by_what_it_stands_for(a_model: Make) -> None:
    """Who gives it has it."""
    id, born = KeyField("person_id", UuidText(), 600_000), KeyField("born", DateText(), pii=True)
    query = Query("of_person", ("person_id", "born"), between="day")
    fix = only(a_model(id, born, ("day", DateText()), queries=(query,)), "KEY010").fix
    assert fix.startswith("use only `person_id`, and keep `born` in a column: `{person_id}#{day}`")
    assert "digest" not in fix


def test_queries_by_what_tells_a_person_ask_by_the_surrogate(a_model: Make) -> None:
    """The models of the fix serve them by the id, and hold the value in a column."""
    email = KeyField("email", Text(max_length=60))
    finding = only(a_model(email, ("day", DateText()), queries=(Query("mine", ("email",)),)), "KEY010")
    assert 'and ask by `person_id`: `mine = bt.query("person_id")`' in finding.fix
    (made,) = finding.models
    assert [query.equal for query in made.queries] == [("person_id",)]
    assert [column.name for column in made.columns] == ["email"]
    assert review(made) == ()


def test_what_is_declared_counts_more_than_the_name(a_model: Make) -> None:
    """`pii` says yes or no, whatever the field is called."""
    email = KeyField("email", Text(max_length=60))
    assert found(a_model(evolve(email, pii=False)), "KEY010") == []
    assert (
        "is declared as identifying" in only(a_model(evolve(email, name="nick", pii=True)), "KEY010").message
    )
    assert found(a_model(evolve(email, name="nick")), "KEY010") == []


def test_values_that_cannot_tell_a_person_are_none(a_model: Make) -> None:
    """Constants, members of an enum, yes and no, hashes and domains."""
    fields = [
        KeyField("phone", bt.codecs.key.Constant("phone")),
        KeyField("phone", EnumText(Phone)),
        KeyField("phone", Boolean()),
        KeyField("email", Text(width=8), derived=Derived(("user",), hash)),
        KeyField("email", Text(max_length=60), domain=True),
    ]
    for part in fields:
        assert found(a_model(USER, part), "KEY010") == []


@pytest.mark.parametrize(
    ("name", "codec", "level"),
    [
        ("mail", Hex(8), None),
        ("email", Bytes(width=8), None),
        ("email", bt.HexDigest(16), None),
        ("email", Text(width=40), Level.WARNING),
        ("phone", Hex(8), Level.WARNING),
        ("mac_address", Text(width=17), Level.INFO),
        ("plate", Text(width=9), None),  # of a laboratory, say: see below
        ("license_plate", Text(width=9), Level.WARNING),
        ("plate_count", PaddedInt(9), None),
        ("tax_id_kind", Text(width=9), None),
    ],
)
def test_a_name_counts_as_far_as_the_values_can_be_what_it_says(
    a_model: Make, name: str, codec: KeyCodec[Any], level: Level | None
) -> None:
    """Binary ids are no e-mail addresses; of machines and cars it is asked whose they are."""
    told = found(a_model(USER, KeyField(name, codec)), "KEY010")
    assert [one.level for one in told] == [level] * (level is not None)


@pytest.mark.parametrize(
    ("doc", "level"),
    [
        ("A car that passed a gate.", Level.WARNING),
        ("Which vehicle came by when.", Level.WARNING),
        ("What the cameras have read of number plates.", Level.WARNING),
        ("What came through the gates.", Level.INFO),
        ("The wells of a plate.", None),
        ("Plates of a dinner service.", None),
    ],
)
def test_whose_a_plate_is_the_description_says(a_model: Make, doc: str, level: Level | None) -> None:
    """That of a vehicle tells its owner, as a licence plate does."""
    model = a_model(USER, KeyField("plate", Text(width=9)), doc=doc)
    assert [one.level for one in found(model, "KEY010")] == [level] * (level is not None)


def test_a_family_that_tells_a_person_is_flagged(a_model: Make) -> None:
    """Its id is renamed, to one that is free; a name that is filled in later counts."""
    families = (Family("data", max_versions(1)), Family("{email}", max_versions(1)))
    finding = only(a_model(families=families), "KEY010")
    assert finding.field == "{email}"
    assert '`bt.family("data2")`' in finding.fix
    assert found(a_model(families=(Family("phone", max_versions(1)),)), "KEY010") == []  # what its cells are
    two = (Family("{email}", max_versions(1)), Family("{phone}", max_versions(1)))
    fixes = [each.fix for each in found(a_model(families=two), "KEY010")]
    assert ['"data"' in fixes[0], '"data2"' in fixes[1]] == [True, True]


def test_rows_that_are_found_by_personal_data_alone_are_found_by_its_digest(a_model: Make) -> None:
    """Without a query, the key is how rows are found: a surrogate id alone would lose them."""
    email = KeyField("email", Text(max_length=60))
    fix = only(a_model(email), "KEY010").fix
    assert (
        '`{person_id}`; a caller that has only `email` finds the id in another table, by `bt.digest("email")` of what no row there holds (`stored=False`)'
        in fix
    )


def test_the_table_in_which_an_id_is_found_is_as_it_should_be() -> None:
    """What its digest is made of stands in no row, so nobody is told to put it into the key."""

    class Insured(bt.Model, table="INSURED", events="1/s"):
        mark = bt.digest("insured")
        insured: str | None = bt.key(bt.Text(width=11), cardinality=30_000_000, pii=True, stored=False)
        p = bt.family("p", gc=bt.max_versions(1))
        person_id: str = bt.column("person", p)
        of_insured = bt.query("insured")

    assert review(bt.schema_of(Insured)) == ()


@pytest.mark.parametrize(
    ("name", "columns", "of"),
    [
        ("url_md5", (), "url"),
        ("email_hash", (), "email"),
        ("hashed_email", (), "email"),
        ("hostSha1", (), "host"),
        ("user_hash", (), "user"),
        ("hash", ("page_url",), "page_url"),  # of the column beside it
        ("hash", ("load",), None),
        ("file_sha256", (), None),  # the name of its content
        ("digest", (), None),
        ("url", (), None),
        ("v2", (), None),
    ],
)
def test_hashes_that_are_made_outside_are_seen_by_their_names(
    a_model: Make, name: str, columns: tuple[str, ...], of: str | None
) -> None:
    """A hash of a URL, a mail address or a user is asked about; the fix has what is hashed, or an id, in its place."""
    key = KeyField(name, Text(width=32), 1_000_000)
    held = tuple(Column(one, "data", b"c", Utf8(), True, expected=Expected(size=30)) for one in columns)
    model = a_model(
        key, columns=(*held, Column("n", "data", b"n", Utf8(), True)), queries=(Query("one", (name,)),)
    )
    findings = found(model, "KEY004")
    assert [one.level for one in findings] == [Level.INFO] * (of is not None)
    for one in findings:
        assert f"is a hash of `{of}`, made outside of the model" in one.message
        (made,) = one.models
        assert name not in {part.name for part in made.key.fields}
        assert found(made, "KEY004") == []
        assert ("no secret" in one.why) is (of == "email")


def test_a_hash_beside_what_is_hashed_is_left_out(a_model: Make) -> None:
    """The value itself spreads the rows."""
    model = a_model(
        KeyField("user_hash", Text(width=4), 900), KeyField("user", Text(width=6), 10**6), columns=()
    )
    (finding,) = found(model, "KEY004")
    assert finding.fix.startswith("leave it out: `{user}`")


def test_a_family_for_each_value_is_flagged(a_model: Make) -> None:
    """The value goes into the key, or where other cells of the row are no matter of it, into a qualifier; deployments are few."""
    own, other = Family("of_{month}", max_versions(1)), Family("data", max_versions(1))
    load = Column("load", "of_{month}", b"l", Utf8(), True)
    name = Column("name", "data", b"n", Utf8(), True)
    (finding,) = found(a_model(families=(own,), columns=(load,)), "FAM001")
    assert finding.level is Level.WARNING
    assert (
        finding.fix
        == 'one family, `bt.family("data", gc=bt.max_versions(1))`, with `month` in the key: `{id}#{month}`'
    )
    (finding,) = found(a_model(families=(own, other), columns=(load, name)), "FAM001")
    assert "with an entry for each `month`" in finding.fix
    tenant = Family("of_{tenant}", max_versions(1))
    tenants = a_model(families=(tenant,), columns=(evolve(load, family=tenant.id),), table="T_{tenant}")
    assert found(tenants, "FAM001") == []  # TAB002 tells of the table
    few = Family("{env}", max_versions(1))
    assert found(a_model(families=(few,), columns=(evolve(load, family=few.id),)), "FAM001") == []
    dated = tuple(Family(f"y{year}", max_versions(1)) for year in (2023, 2024))
    years = tuple(Column(one.id, one.id, b"l", Utf8(), False) for one in dated)
    (finding,) = found(a_model(families=dated, columns=years), "FAM001")
    assert "families 'y2023', 'y2024' are named after times" in finding.message
    assert found(a_model(families=dated[:1], columns=years[:1]), "FAM001") == []


def test_the_codec_of_a_digest_says_that_a_field_is_one(a_model: Make) -> None:
    """An e-mail address is no hexadecimal digits."""
    model = a_model(
        KeyField("email", HexDigest(32), 10**6), columns=(Column("n", "data", b"n", Utf8(), True),)
    )
    (finding,) = found(model, "KEY004")
    assert "is a hash, made outside of the model, judging by its codec" in finding.message
    assert "`{person_id}`" in finding.fix
    assert found(finding.models[0], "KEY004") == []
    assert found(a_model(KeyField("file", HexDigest(32), 10**6)), "KEY004") == []


def test_a_digest_is_one_of_all_that_identifies_together(a_model: Make) -> None:
    """A number that is one only within its issuer is looked up with it; a time that is asked for with it identifies nobody."""
    issuer, at = KeyField("issuer", Text(width=3), 190), KeyField("at", bt.EpochMillis())
    number = KeyField("passport_no", Text(max_length=9), 80_000_000)
    both = Query("of_document", ("issuer", "passport_no"), between="at")
    (finding,) = found(a_model(issuer, number, at, queries=(both,)), "KEY010")
    assert '`bt.digest("issuer", "passport_no")`' in finding.fix
    alone = a_model(number, at, queries=(evolve(both, equal=("passport_no",)),))
    (finding,) = found(alone, "KEY010")
    assert '`bt.digest("passport_no")`' in finding.fix


@pytest.mark.parametrize(
    ("name", "doc", "level"),
    [
        ("login", "Who has a right to it.", Level.INFO),
        ("contact", "Who has a right to it.", Level.INFO),
        ("login", "A graduate, who signs in with an e-mail address.", Level.WARNING),
        ("user", "Customers log in with their email, which is `user`.", Level.WARNING),
        ("customer", "A customer is the email address of one.", Level.WARNING),
        ("customer", "Customers get an email each month, by their phone number.", None),
        ("user", "A message is sent by email.", None),
        ("customer", "Customers sign in with an e-mail address, which stands elsewhere.", None),
    ],
)
def test_a_description_says_that_a_text_is_an_address(
    a_model: Make, name: str, doc: str, level: Level | None
) -> None:
    """A field of another name may hold one; what people log in with may be a name that they have invented, so that is asked."""
    part = KeyField(name, Text(max_length=80), 3_000_000)
    assert [each.level for each in found(a_model(part, doc=doc), "KEY010")] == [level] * (level is not None)
    short = KeyField(name, Text(max_length=20), 3_000_000)
    assert found(a_model(short, doc="Who has a right to it."), "KEY010") == []
    assert found(a_model(evolve(part, pii=False), doc=doc), "KEY010") == []


@pytest.mark.parametrize(
    ("doc", "said"),
    [
        (
            "`whom` is the number on the patient's health insurance card, which practices type in.",
            "the number on the patient's health insurance card",
        ),
        ("Whom: a passport number, as it was typed in.", "a passport number"),
        ("The whom holds the tax id of the payer.", "the tax id of the payer"),
        ("`whom` is the IBAN.", "the IBAN"),
        ("`whom` is the number plate of the car.", "the number plate of the car"),
        ("`whom` is the address of the customer.", "the address of the customer"),
        ("`whom` is the name of the guest, in capitals.", "the name of the guest"),
        ("`whom` is the name of the machine.", None),
        ("`whom` is the address of the page.", None),
        ("`whom` is an address.", None),
        ("`whom` is the phone number's hash.", None),
        ("`whom` is a random id that stands for the passport number.", None),
        ("`whom` is not the passport number.", None),
        ("`whom` is the serial number on the box.", None),
        ("`whom` is the phone model.", None),
        ("`whom` is a customer. The phone number is a column.", None),
        ("`whom` carries the national insurance number.", "the national insurance number"),
        ("`whom` (the driver's licence number) comes from the form.", "the driver's licence number"),
        ("`whom`, the licence number of the driver, is typed in.", "the licence number of the driver"),
        ("As `whom` we use the social security number.", "the social security number"),
        ("The passenger's passport number serves as whom.", "The passenger's passport number"),
        ("The whom is taken from the tax id of the farmer.", "the tax id of the farmer"),
        ("Whoms are phone numbers.", "phone numbers"),
        ("Keyed by the mobile number of the patient.", "the mobile number of the patient"),
        ("Rows are stored under the e-mail address of the guest.", "the e-mail address of the guest"),
        ("One row per phone number.", "phone number"),
        ("A row for each taxpayer id.", "taxpayer id"),
        ("The key is the patient's passport number.", "the patient's passport number"),
        ("We key on the customer's email address.", "the customer's email address"),
        ("We use the guest's email address as the key.", "the guest's email address"),
        ("Number plate of the visitor's car as key.", "Number plate of the visitor's car"),
        ("Keyed by the hash of the mobile number.", None),
        ("Keyed by the serial number of the pump.", None),
        ("The row key is the full name of the table.", None),
        ("The whom is whatever the mail is about.", None),
        ("One row per whom; the phone number is in a column.", None),
        ("One row for each e-mail template.", None),
        ("Rows are filed under the number of the shelf.", None),
        ("Each row belongs to one department, which has an e-mail address.", None),
        ("The phone number is the key to success.", None),
        ("We use a surrogate as the key, not the guest's email address.", None),
        ("Customers are found by the phone number.", None),
        ("Stored by the customer's phone.", None),
        ("Each row is for one mail.", None),
        ("One row per phone.", None),
        ("One row per phone number block.", None),
        ("`whom` stores the product's full name.", None),
        ("In `whom` stands the name of the deceased.", "the name of the deceased"),
        (
            "The whom, being a patient's insurance number, is printed on the card.",
            "a patient's insurance number",
        ),
    ],
)
def test_a_description_says_that_a_field_is_a_number_of_a_person(
    a_model: Make, doc: str, said: str | None
) -> None:
    """Its words are read as a name would be: the number on a card is a card number."""
    part = KeyField("whom", Text(max_length=30), 3_000_000)
    findings = found(a_model(part, doc=doc), "KEY010")
    assert [each.level for each in findings] == [Level.WARNING] * (said is not None)
    assert all(f"the description says {said!r}" in each.message for each in findings)
    assert found(a_model(evolve(part, pii=False), doc=doc), "KEY010") == []


@pytest.mark.parametrize(
    ("doc", "level"),
    [
        ("The billing system numbers passages one by one.", Level.ERROR),
        ("The billing system counts passages up.", Level.ERROR),
        ("The counter hands out the next number.", Level.ERROR),
        ("The id begins with the millisecond of acceptance.", Level.ERROR),
        ("The number of a passage is drawn at random.", Level.INFO),
    ],
)
def test_a_description_says_that_numbers_climb(a_model: Make, doc: str, level: Level) -> None:
    """In other words than that they are sequential."""
    number = KeyField("number", PaddedInt(13), 72_000_000_000)
    model = a_model(number, doc=doc, events=Rate.parse("14000/s"))
    assert only(model, "KEY002").level is level


CHAIN = (
    "A token transfer, below the contract address that emitted it.",
    "An account of a blockchain.",
    "A call of a smart contract.",
    "A balance on Ethereum.",
    "A payment in bitcoin.",
    "A log line of an ERC-20 token.",
    "A sale of an NFT.",
    "An on-chain vote.",
    "A stake on Solana.",
    "A trade in a cryptocurrency.",
)
NO_CHAIN = (
    "",
    "A customer with a contract.",
    "A delivery in the supply chain.",
    "A shop of a chain.",
    "A block of flats.",
    "A wallet that was found.",
    "A token of a session.",
    "A person, by the hash of the postal address.",
    "A transfer of money.",
    "A mail that was sent.",
)


@pytest.mark.parametrize("doc", [*CHAIN, *NO_CHAIN])
def test_an_address_on_a_chain_is_public(a_model: Make, doc: str) -> None:
    """It is that of a contract, and no hash of anything; texts and what is about people are asked about as before."""
    part = KeyField("address", HexDigest(40), 1_700_000)
    told = [*found(a_model(part, doc=doc), "KEY010"), *found(a_model(part, doc=doc), "KEY004")]
    assert bool(told) is (doc in NO_CHAIN)
    assert found(a_model(KeyField("address", Text(max_length=90)), doc=doc), "KEY010") != []
    assert found(a_model(KeyField("email", Text(max_length=90)), doc=doc), "KEY010") != []
