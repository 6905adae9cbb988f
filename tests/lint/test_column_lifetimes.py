"""The rule on lifetimes in words: what is said of single columns, which may need a family of their own."""

from datetime import datetime
from decimal import Decimal

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level, review
from btmodel.schema import GcRule, ModelSchema, Rate
from tests.lint.parts import found


class Click(bt.Model, table="click", events="700/s"):
    """A click that may earn a commission."""

    partner: str = bt.key(bt.HexDigest(6), cardinality=52_000)
    clicked: datetime = bt.key(bt.EpochMillis())
    nonce: str = bt.key(bt.HexDigest(4))

    c = bt.family("c", gc=bt.max_versions(1))
    commission: Decimal = bt.column("eur", c, max_size=12)
    ip: str | None = bt.column("ip", c, default=None, max_size=45)
    browser: str | None = bt.column("ua", c, default=None, max_size=300)
    stay_secs: int | None = bt.column("s", c, default=None)

    of_partner = bt.query("partner", between="clicked")


class Elevator(bt.Model, table="ELEVATOR", events="3000/s"):
    """An elevator: where its cabin is, and what it is."""

    building: str = bt.key(bt.HexDigest(5), cardinality=16_000)
    shaft: int = bt.key(bt.PaddedInt(2), cardinality=40)

    e = bt.family("e", gc=bt.max_age(hours=48))
    floor: int | None = bt.column("floor", e, default=None)
    doors: bool | None = bt.column("doors", e, default=None)
    reported: datetime | None = bt.column("rep", e, default=None)
    serial: str | None = bt.column("serial", e, default=None, max_size=30)
    maker: str | None = bt.column("maker", e, default=None, max_size=40)
    load_kg: int | None = bt.column("load", e, default=None)

    of_building = bt.query("building")


def with_rule(model: type[bt.Model], doc: str, rule: GcRule | None = None) -> ModelSchema:
    """A model that is described so, with another rule of its family."""
    schema = bt.schema_of(model)
    families = tuple(evolve(one, gc=rule or one.gc) for one in schema.families)
    return evolve(schema, doc=doc, families=families)


def only(model: ModelSchema) -> Finding:
    """The one finding of the rule, whose fix leads to a model without any."""
    (finding,) = found(model, "FAM010")
    assert finding.level is Level.WARNING
    assert [
        each.rule for made in finding.models for each in review(made) if each.level is not Level.INFO
    ] == []
    assert finding.models
    return finding


MUST_GO = [
    ("The visitor's IP address and browser have to be gone 14 days after the click.", ("ip", "browser"), 14),
    ("A click. Its `ip` must be deleted after 14 days.", ("ip",), 14),
    ("A click. The browser may be kept no longer than 30 days.", ("browser",), 30),
    ("A click. The ip may not be kept for longer than two weeks.", ("ip",), 14),
    ("A click. We must erase the browser and the ip within 10 days.", ("ip", "browser"), 10),
    ("A click. After 14 days, the ip has to be anonymised.", ("ip",), 14),
    ("A click. 90 days after the visit, ip and browser must be wiped.", ("ip", "browser"), 90),
    ("A click. The IP is to be removed within a month.", ("ip",), 31),
    ("A click. The browser must not be stored for more than 7 days.", ("browser",), 7),
    ("A click. The ip is kept for at most 14 days.", ("ip",), 14),
    (
        "A click. The commission stays, but ip and browser must be gone after 14 days.",
        ("ip", "browser"),
        14,
    ),
    ("A click. The stay is purged after 60 days.", ("stay_secs",), 60),
    ("A click. Law says that the ip shall be destroyed no later than 14 days after the click.", ("ip",), 14),
    ("A click. The commission must be deleted after 365 days.", ("commission",), 365),
    ("A click. The ip must be gone 14 days after the click on the link.", ("ip",), 14),
    ("A click. The ip can be stored for only 14 days: our privacy notice says so.", ("ip",), 14),
]
NEED_NOT_GO = (
    "A click that may earn a commission.",
    "A click. The ip is that of the visitor, 14 days a month at home.",
    "A click. The commission must be paid within 14 days.",
    "A click. The ip need not be deleted after 14 days.",
    "A click. The ip must not be deleted after 14 days.",
    "A click. A partner must be asked within 14 days after the browser has changed.",
    "A click. The invoice must be deleted after 14 days.",
    "A click. The ip is in the table IPS, and must be deleted there after 14 days.",
    "A click. The letter goes out, and must be deleted after 14 days.",
    "A click. A cookie is set, but has to be gone after 14 days.",
    "A click. The browser must be shown within 14 days.",
    "A click. The cookie must be gone after 14 days.",
    "A click. The commission is kept for ten years.",
    "A click. The ip and the browser are shown after 3 seconds.",
    "A click. The browser is deleted after 14 days by the warehouse.",
    "A click. The partner has to be deleted within 30 days, with the contract.",
)


@pytest.mark.parametrize(("doc", "names", "days"), MUST_GO)
def test_columns_that_must_be_gone_have_an_age_of_their_own(
    doc: str, names: tuple[str, ...], days: int
) -> None:
    """In a family that keeps them by their number, or for longer; the others stay as they are."""
    for rule in (bt.max_versions(1), bt.keep_all(), bt.max_age(days=400)):
        finding = only(with_rule(Click, doc, rule))
        assert finding.field == names[0]
        named = ", ".join(f"`{name}`" for name in names)
        assert (
            f"give {named} a family of the" in finding.fix or f"give {named} a family of its" in finding.fix
        )
        assert f'`bt.family("c2", gc=bt.max_age(days={days}))`' in finding.fix
        assert "may take a week more" in finding.fix
        (made,) = finding.models
        homes = {one.name: one.family for one in made.columns}
        assert {name for name, home in homes.items() if home == "c2"} == {*names}
    assert found(with_rule(Click, doc, bt.max_age(days=days)), "FAM010") == []
    assert found(with_rule(Click, doc, bt.max_age(days=days - 1)), "FAM010") == []


@pytest.mark.parametrize("doc", NEED_NOT_GO)
def test_what_is_said_of_other_things_needs_no_age(doc: str) -> None:
    """Nor what must be done by then, and what must not."""
    assert found(with_rule(Click, doc), "FAM010") == []


def test_a_row_goes_on_without_what_it_had_to_have() -> None:
    """A required column that goes earlier than the row is optional then; one that has said what it wants is left alone."""
    doc = "A click. The commission must be deleted after 365 days."
    finding = only(with_rule(Click, doc))
    assert "and let a row be without it: `commission: Decimal | None`, with `default=None`" in finding.fix
    model = with_rule(Click, doc)
    wanted = tuple(
        evolve(one, expected=evolve(one.expected, keep=bt.max_versions(1))) for one in model.columns
    )
    assert found(evolve(model, columns=wanted), "FAM010") == []


def test_a_family_of_nothing_else_gets_the_age_itself() -> None:
    """No other is needed."""
    model = with_rule(Click, "A click. The ip and the browser must be gone after 14 days.")
    own = evolve(model.families[0], id="who")
    columns = tuple(
        evolve(one, family="who") if one.name in ("ip", "browser") else one for one in model.columns
    )
    finding = only(evolve(model, families=(*model.families, own), columns=columns))
    assert 'give their family that age: `bt.family("who", gc=bt.max_age(days=14))`' in finding.fix


STAYS = [
    (
        "Two days of the cabin are plenty. The serial number, the maker and the load are entered once, by the fitter on the day of the installation.",
        ("serial", "maker", "load_kg"),
    ),
    ("An elevator. `serial`, `maker` and `load_kg` are written once.", ("serial", "maker", "load_kg")),
    ("An elevator. The serial and the maker never change.", ("serial", "maker")),
    ("An elevator. The maker is kept for ever.", ("maker",)),
    ("An elevator. The serial number is needed for as long as the building stands.", ("serial",)),
    ("An elevator. The fitter enters serial and maker once.", ("serial", "maker")),
    ("An elevator. Its serial does not change.", ("serial",)),
    ("An elevator. The load is recorded at the installation.", ("load_kg",)),
    ("An elevator. The maker stays the same.", ("maker",)),
    ("An elevator. The maker is set at the first start.", ("maker",)),
    ("An elevator. Its serial is given on sign-up.", ("serial",)),
    ("An elevator. Its serial must never be lost.", ("serial",)),
    ("An elevator. The serial and the load are fixed, for they are never deleted.", ("serial", "load_kg")),
    ("An elevator. The maker is always there.", ("maker",)),
    ("An elevator whose floor changes all the time, while its maker is immutable.", ("maker",)),
]
GOES = (
    "An elevator: where its cabin is, and what it is.",
    "An elevator. The floor is reported once a minute.",
    "An elevator. The doors are written once every few seconds.",
    "An elevator. The serial changes with the motor.",
    "An elevator. The building never changes.",
    "An elevator. A fitter comes once, and enters the code of the door.",
    "An elevator. All that is said of it goes after two days.",
    "An elevator. Its maker may change once more.",
    "An elevator. The serial is written again with each report.",
    "An elevator. Contracts are kept for ever.",
    "An elevator. The maker is kept for ever in another table.",
    "An elevator. The floor is never the same.",
    "An elevator. The serial is kept for ever in the archive.",
    "An elevator. The doors do not change often.",
    "An elevator. The first report is that of the floor.",
    "An elevator. The maker is asked once the doors are stuck.",
)


@pytest.mark.parametrize(("doc", "names"), STAYS)
def test_columns_that_are_written_once_are_kept_apart_from_those_that_age(
    doc: str, names: tuple[str, ...]
) -> None:
    """A row that lives on would lose them."""
    finding = only(with_rule(Elevator, doc))
    assert finding.field == names[0]
    assert '`bt.family("once", gc=bt.max_versions(1))`' in finding.fix
    (made,) = finding.models
    assert {one.name for one in made.columns if one.family == "once"} == {*names}
    assert found(with_rule(Elevator, doc, bt.max_versions(1)), "FAM010") == []


@pytest.mark.parametrize("doc", GOES)
def test_what_is_written_again_or_is_something_else_may_age(doc: str) -> None:
    """By the words of the description; what its name says of a column stays."""
    said = [
        one for one in found(with_rule(Elevator, doc), "FAM010") if "judging by its name" not in one.message
    ]
    assert said == []


def test_a_row_that_is_written_once_ends_as_a_whole() -> None:
    """No column of it is lost before the others; what nothing may delete is lost all the same."""
    once, ever = ("An elevator. The maker is written once.", "An elevator. The maker is kept for ever.")
    for doc, flagged in ((once, False), (ever, True)):
        model = with_rule(Elevator, doc)
        rare = evolve(model, events=Rate.parse("10/day"))
        assert bool(found(rare, "FAM010")) is flagged


def test_a_family_that_keeps_the_newest_value_is_taken() -> None:
    """A row then needs no new one."""
    model = with_rule(Elevator, "An elevator. The maker is written once.")
    kept = evolve(model.families[0], id="kept", gc=bt.max_versions(1))
    name = evolve(model.columns[3], name="street", family="kept", qualifier=b"street")
    finding = only(evolve(model, families=(*model.families, kept), columns=(*model.columns, name)))
    assert finding.fix.startswith("declare `maker` in the family 'kept', which keeps the newest value")


class Survey(bt.Model, table="survey", events="20/min"):
    """A survey of a roof."""

    roof: str = bt.key(bt.HexDigest(8), cardinality=800_000)
    day: datetime = bt.key(bt.EpochSeconds())

    s = bt.family("s", gc=bt.max_age(days=365))
    sound: bool = bt.column("sound", s)
    photo: bytes = bt.column("photo", s, size=90_000, max_size=400_000)
    report: str = bt.column("report", s, size=3_000, max_size=60_000)

    of_roof = bt.query("roof", between="day")


@pytest.mark.parametrize(
    ("doc", "column"),
    [
        ("A survey of a roof. Reports are kept for ten years, as the law demands.", "report"),
        ("A survey of a roof. Its photo must be kept for at least 10 years.", "photo"),
        ("A survey. The report of a surveyor (of his own firm) is retained for a full ten years.", "report"),
        ("A survey of a roof; the report is needed for 10 years.", "report"),
    ],
)
def test_columns_that_are_kept_for_a_time_are_not_deleted_before(doc: str, column: str) -> None:
    """The family of a column keeps it for as long as the description says, with its leap days."""
    model = with_rule(Survey, doc)
    finding = only(model)
    assert finding.message.startswith(f"the description says of `{column}` '")
    assert finding.fix == 'keep the family for so long: `bt.family("s", gc=bt.max_age(days=3_653))`'
    assert not found(with_rule(Survey, doc, bt.max_age(days=3_653)), "FAM010")
    assert not found(with_rule(Survey, doc, bt.max_versions(1)), "FAM010")


@pytest.mark.parametrize(
    "doc",
    [
        "A survey of a roof. Copies of the report are kept for ten years.",
        "A survey of a roof. Reports may be kept for ten years.",
        "A survey of a roof. The report's archive is kept for ten years.",
        "A survey of a roof. Reports are kept for ten years in the archive.",
        "A survey of a roof. Reports are not kept for ten years.",
        "A survey of a roof. Contracts with a report are kept for ten years.",
        "A survey of a roof. Reports are kept for 100 days.",
        "A survey of a roof. Reports are kept for ten years in another table.",
    ],
)
def test_what_is_kept_of_other_things_or_for_less_is_no_fault(doc: str) -> None:
    """A column that is named beside another thing, elsewhere, or for a time that its family keeps."""
    assert not found(with_rule(Survey, doc), "FAM010")


def test_a_participle_is_named_by_its_stem() -> None:
    """The date of signing up is ``signed_up``."""

    class Member(bt.Model, table="MEMBER", events="9000/s"):
        """What is known of a member. Clicks are counted every hour; the language and the date of signing up are written once."""

        member: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)

        f = bt.family("f", gc=bt.max_age(days=45))
        clicks: int | None = bt.column("c", f, default=None)
        language: str | None = bt.column("la", f, size=5, default=None)
        signed_up: datetime | None = bt.column("su", f, default=None)
        speed: int | None = bt.column("sp", f, default=None)

        one = bt.query("member")

    finding = only(bt.schema_of(Member))
    assert "give `language`, `signed_up` a family of their own" in finding.fix


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("A code is deleted after a day.", Level.WARNING),
        ("Each code must be deleted after a day.", Level.WARNING),
        ("Old values of a code are deleted after a day.", None),
    ],
)
def test_what_is_said_of_the_thing_that_a_row_is_is_said_of_the_row(said: str, level: Level | None) -> None:
    """The code of a login code: all of the row ends, and not that column alone."""

    class LoginCode(bt.Model, table="LOGIN_CODE", events="2000/s"):
        account: str = bt.key(bt.HexDigest(16), cardinality=150_000_000)

        c = bt.family("c", gc=bt.max_versions(1) & bt.max_age(days=1))
        code: str = bt.column("c", c, size=64)
        tries: int = bt.column("n", c)

        check = bt.query("account")

    findings = found(evolve(bt.schema_of(LoginCode), doc=f"What was sent to an account. {said}"), "FAM010")
    assert [one.level for one in findings if one.level is not Level.INFO] == [level] * (level is not None)
    for one in findings if level else ():
        assert '`bt.family("c", gc=bt.max_age(days=1))`' in one.fix
        assert "a family of its own" not in one.fix
