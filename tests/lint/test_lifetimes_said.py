"""The rule on lifetimes in words: how long something goes on, and which columns are kept."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from tests.lint.parts import found


class Progress(bt.Model, table="progress", events="1200/s"):
    """Rows without a time in their key, which are written again and again."""

    learner: str = bt.key(bt.HexDigest(16), cardinality=900_000)
    question: int = bt.key(bt.PaddedInt(5), cardinality=2_300, sequential=False)

    p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=45))
    streak: int = bt.column("streak", p, codec=bt.DecimalText())

    of_learner = bt.query("learner")


def progress(doc: str) -> list[Finding]:
    """What the rule finds on rows that are described so."""
    return found(evolve(bt.schema_of(Progress), doc=doc), "FAM010")


@pytest.mark.parametrize(
    ("doc", "days"),
    [
        ("How a learner did. A learner needs the last 18 months of it.", 558),
        ("The course takes four to eighteen months, with long breaks.", 558),
        ("A course lasts up to a year. It goes on where it ended when a learner comes back.", 365),
        ("A course runs for 6-18 months; a learner who pauses resumes it.", 558),
        ("A course takes about two years; breaks are long.", 731),
        ("An answer. It takes 30 seconds, and a learner comes back the next day.", None),
        ("A part lasts two years, and then it breaks.", None),
        ("A course takes four to eighteen months.", None),  # and what is of it may be read at once
        ("The exam takes 45 days to plan, and a learner comes back for it.", None),
        ("A course takes 2 years with breaks. Rows are kept for 45 days.", None),
    ],
)
def test_rows_that_are_written_again_last_as_long_as_they_are_needed(doc: str, days: int | None) -> None:
    """By what asks for them, or by how long something goes on that may rest meanwhile."""
    findings = progress(doc)
    assert [each.level for each in findings] == [Level.WARNING] * (days is not None)
    for finding in findings:
        assert f"bt.max_age(days={days})" in finding.fix


class Run(bt.Model, table="runs", events="800/s"):
    """A machining run.

    Spindle data are for the maintenance people. The inspection
    record (serial number of the part, gauge result) is kept for 15 years: aviation parts.
    """

    machine: str = bt.key(bt.Text(max_length=10), cardinality=8_000)
    at: datetime = bt.key(bt.EpochSeconds())

    data = bt.family("data", gc=bt.max_age(days=10))
    load: float = bt.column("load", data)
    serial: str | None = bt.column("serial", data, default=None, max_size=24)
    gauge: str | None = bt.column("gauge", data, default=None, max_size=200)

    of_machine = bt.query("machine", between="at", span="1day")


def test_columns_of_which_a_time_is_said_get_a_family_of_their_own() -> None:
    """What stands beside them need not be kept for so long."""
    (finding,) = found(bt.schema_of(Run), "FAM010")
    own = '`bt.family("data2", gc=bt.max_age(days=5_479))`'
    assert f"give `serial`, `gauge`, of which that is said, a family of their own: {own}" in finding.fix
    assert finding.edit is None


def test_of_all_columns_the_whole_row_is_meant() -> None:
    """And of a sentence that names none."""
    for doc in ("A run: load, serial and gauge are kept for 15 years.", "A run. It is kept for 15 years."):
        (finding,) = found(evolve(bt.schema_of(Run), doc=doc), "FAM010")
        assert '`bt.family("data", gc=bt.max_age(days=5_479))`' in finding.fix


def test_what_columns_declare_is_said_once() -> None:
    """The rule on what columns want names them, and how their family is to be divided."""
    model = bt.schema_of(Run)
    wanted = [
        evolve(one, expected=evolve(one.expected, keep=bt.max_age(days=5_500))) if not one.required else one
        for one in model.columns
    ]
    stated = evolve(model, columns=tuple(wanted))
    assert found(stated, "FAM010") == []
    assert len(found(stated, "FAM005")) == 1


class Licence(bt.Model, table="licences", events="2/s"):
    """Rows without a time in their key, which are written when a licence is sold."""

    id: str = bt.key(bt.HexDigest(20), cardinality=8_000_000)

    f = bt.family("f", gc=bt.max_age(days=90))
    edition: str = bt.column("e", f, size=6, max_size=20)
    seats: int = bt.column("n", f)

    one = bt.query("id")


class Sale(bt.Model, table="licences", events="2/s"):
    """Rows with a time in their key, which are written once."""

    shop: str = bt.key(bt.Text(width=8), cardinality=8_000)
    at: datetime = bt.key(bt.EpochMillis())

    f = bt.family("f", gc=bt.max_age(days=90))
    edition: str = bt.column("e", f, size=6, max_size=20)

    of_shop = bt.query("shop", between="at")


LASTING = (
    "A licence. It is written once, when it is sold, and the program asks for it until it ends three years later.",
    "A licence. The program asks for it for three years.",
    "A licence. It was sold by a shop. The program needs it for at least three years.",
    "A licence. It is valid for three years.",
    "A licence. It runs for three years, and the program asks for it at each start.",
    "A licence. It ends three years later.",
    "A licence that is valid for three years.",
    "A sold edition, valid for three years.",
    "A paper by which a customer may use a program. It is valid for three years.",
    "What a shop sold. A licence is needed for three years.",
    "What a shop sold. The server must read the licence for three years.",
)
ANOTHER = (
    "A licence. It is valid for three months.",  # which are no longer than its age
    "A licence. The dongle is valid for three years.",
    "A licence of a customer. The customer has a contract, and it runs for three years.",
    "A licence. A customer signs a contract. It is valid for three years.",
    "A customer signs a contract. It is valid for three years.",
    "A licence. It comes with a dongle, and the program needs it for three years.",
    "A licence under a contract valid for three years.",
    "A licence. The price of a licence is valid for three years.",
    "A licence. It is not needed for three years after its end.",
    "A licence, cached beside the program. It is valid for three years.",
    "A licence. It runs three years a week too long.",
    "A licence. Its guarantee is valid for three years.",
    "A licence. Backups are needed for three years.",
    "A licence. The shop needs the invoice for ten years.",
    "A licence. The customer has a subscription, which runs for three years.",
    "A licence. The contract behind a licence ends three years later.",
    "A licence. Each shop has a contract. It lapses after three years.",
    "A licence. The server reads it, and the key of the server is valid for three years.",
    "A licence for a program that is used for three years.",
    "A licence of a program, used for three years by nobody.",
    "A licence. A version of the program is needed for three years.",
    "A licence. It is needed for a month. The paper is valid for three years.",
)
WRITTEN_AGAIN = (
    "A licence. It is valid for three years. Each start writes the row again.",
    "A licence is valid for three years. A licence is renewed with each start.",
    "A licence. It is valid for three years. The row is updated whenever the program starts.",
    "A licence. It is valid for three years. It is rewritten every day.",
    "A licence. It is valid for three years. The server refreshes the licence each night.",
    "A licence. It is valid for three years. The program sends a heartbeat, and the licence stays alive.",
    "A licence, updated with each start. It is valid for three years.",
    "A licence. It is valid for three years. The program updates it.",
    "A licence. It is valid for three years, and renewed with each start.",
    "A licence. It is valid for three years. The program writes it at every start.",
)


@pytest.mark.parametrize("model", [Licence, Sale])
def test_rows_last_as_long_as_what_they_are_about(model: type[bt.Model]) -> None:
    """By how long it is valid or needed, whether a row is that of a thing or of an event."""
    for doc in LASTING:
        findings = found(evolve(bt.schema_of(model), doc=doc), "FAM010")
        assert [(doc, each.level) for each in findings] == [(doc, Level.WARNING)]
        assert "bt.max_age(days=1_096)" in findings[0].fix
    for doc in ANOTHER:
        findings = found(evolve(bt.schema_of(model), doc=doc), "FAM010")
        assert [(doc, each.message) for each in findings if each.level is not Level.INFO] == []


def test_rows_that_are_written_again_begin_to_age_anew() -> None:
    """By the description, by the name of a column, or by the rate of a row; unless they are written once."""
    model = bt.schema_of(Licence)
    for doc in WRITTEN_AGAIN:
        assert found(evolve(model, doc=doc), "FAM010") == []
    said = "A licence. It is valid for three years."
    followed = [evolve(one, name="last_seats") if one.name == "seats" else one for one in model.columns]
    often = evolve(model, doc=said, events=bt.schema_of(Progress).events)
    assert found(evolve(model, doc=said, columns=tuple(followed)), "FAM010") == []
    assert found(often, "FAM010") == []
    assert len(found(evolve(often, doc=f"{said} It is written once."), "FAM010")) == 1


class Reading(bt.Model, table="readings", events="20/s"):
    """Rows with a time in their key, which are kept for 90 days."""

    meter: str = bt.key(bt.Text(width=8), cardinality=80_000)
    at: datetime = bt.key(bt.EpochMillis())

    f = bt.family("f", gc=bt.max_age(days=90))
    litres: int = bt.column("l", f)

    of_meter = bt.query("meter", between="at")


# Each says two times, of which the longer one is not that of the rows; those of licences last for 90 days, too.
TWO_AGES = {
    Licence: (
        "The row is only needed for a month, but the licence is valid for three years.",
        "A licence is valid for three years, but its row is needed for a month.",
        "A licence is valid for three years. The row is needed for 30 days.",
        "A licence is valid for three years. Nobody reads the row after a month.",
        "A licence is valid for three years; no program asks for a row after two months.",
        "A licence is valid for three years, and the record is not needed any more after a month.",
        "Rows are read for a week, while a licence runs for three years.",
        "A licence. It is needed for a month, though it is valid for three years.",
        "A licence. It is valid for three years, but the shop needs it for a month.",
        "A licence. The program reads it for two months. It is valid for three years.",
        "A licence lasts three years, and each row is used for 60 days.",
        "A licence runs for three years. An entry is looked up for a week.",
    ),
    Reading: (
        "A reading. It is kept for 90 days, and its invoice is kept for ten years.",
        "A reading. The invoice is kept for ten years, and the reading is kept for 90 days.",
        "A reading is kept for 90 days. Its invoice is kept for ten years.",
        "Readings are kept for 90 days, but each invoice is kept for ten years.",
        "A reading of a meter. An invoice of a reading is kept for ten years.",
        "A reading of a meter. A reading's picture is deleted after three days.",
        "A reading of a meter. All invoices are kept for ten years, and a reading is kept for 90 days.",
        "A reading of a meter, whose invoice is kept for ten years.",
        "A reading of a meter. It is read once, and the contract is kept for ten years.",
        "A reading of a meter. Everything is checked, and the seal is kept for eight years.",
        "A reading of a meter. The plan of the house is held for thirty years, and rows for 90 days.",
        "A reading of a meter. Auditors ask for the invoices of the last ten years.",
        "A reading of a meter. The office shows the last ten years of invoices and a reading of today.",
        "A reading of a meter. A customer sees all of it. The court asks for the contracts of the past 30 years.",
        "A reading of a meter. Readings are needed for 60 days, and the meter lasts sixteen years.",
        "A reading of a meter. Its cable lasts twenty years, and the reading is read for a month.",
        "A reading of a meter. Each customer has a contract, and their letters are deleted after a day.",
        "A reading of a meter. This is checked, while the photo of the meter is removed after a week.",
        "A reading of a meter. The photo is deleted after a day. A reading is deleted after 90 days.",
        "A reading of a meter. It is sent at night, and every log is purged after a week.",
    ),
}
# Each says two times, of which the one in days is that of the rows, and of which their rule deletes sooner or never.
OF_ROWS = {
    Licence: (
        ("The row is needed for a year, and the licence is valid for three years.", 366),
        ("A licence is valid for three years, and the dongle is needed for a month.", 1_096),
        ("A licence. The shop needs it for a month, and the auditor needs it for two years.", 731),
        ("The licence is valid for three years. The carton is needed for a week.", 1_096),
        ("A licence. The contract runs for ten years. A licence is valid for three years.", 1_096),
        ("A licence. Its row is read for two years, and it is valid for ten years.", 731),
        ("A licence runs for three years, and the invoice is valid for a week.", 1_096),
    ),
    Reading: (
        ("A reading. The invoice is kept for ten years, and the reading is kept for two years.", 731),
        ("A reading. It is kept for two years, and its picture is kept for a week.", 731),
        (
            "A reading of a meter. The picture is deleted after a week, but readings are deleted after a year.",
            365,
        ),
        (
            "A reading of a meter. A reading's picture is kept for a week, and the row is kept for a year.",
            366,
        ),
        (
            "A reading of a meter. The bill is kept for ten years. All readings of a meter are kept for a year.",
            366,
        ),
        (
            "A reading of a meter. The auditor asks for the readings of the last two years, and bills of the last ten.",
            731,
        ),
        ("A reading of a meter. The seal lasts eight years, and the court needs the last two years.", 731),
        (
            "A reading of a meter. The photo is purged after a day; nothing else is kept for longer than two years.",
            730,
        ),
    ),
}


@pytest.mark.parametrize("model", TWO_AGES)
def test_an_age_belongs_to_its_subject(model: type[bt.Model]) -> None:
    """That of another thing is none of the rows, in the same sentence or in the next; and how long a row is needed counts before how long its thing is valid."""
    assert sum(map(len, TWO_AGES.values())) >= 30
    for doc in TWO_AGES[model]:
        findings = found(evolve(bt.schema_of(model), doc=doc), "FAM010")
        assert [(doc, each.message) for each in findings if each.level is not Level.INFO] == []


@pytest.mark.parametrize("model", OF_ROWS)
def test_the_age_of_the_rows_is_found_beside_another(model: type[bt.Model]) -> None:
    """Also behind it, and where the other one is longer."""
    assert sum(map(len, OF_ROWS.values())) >= 15
    for doc, days in OF_ROWS[model]:
        findings = found(evolve(bt.schema_of(model), doc=doc), "FAM010")
        assert [(doc, each.level) for each in findings] == [(doc, Level.WARNING)]
        assert (doc, f"bt.max_age(days={days:_})" in findings[0].fix) == (doc, True)


@pytest.mark.parametrize(
    "sentence",
    [
        "The price list is updated each month.",
        "The shop sends a letter each year.",
        "Each customer writes a review.",
        "A heartbeat of the server is in another table.",
        "The page is refreshed every minute.",
        "The contract with the maker is renewed each year.",
        "The customer updates the program.",
        "Updates of the program are free.",
        "The battery of the dongle keeps the clock alive.",
        "The shop puts a sticker on every box.",
        "The maker extends the guarantee.",
        "The manual is rewritten for each edition.",
        "The screen is touched by the clerk.",
        "The key of the server is set anew each year.",
        "Each shop reports sales.",
        "The certificate of the server is renewed.",
        "The clerk stores the paper with each invoice.",
        "An invoice is sent again where it was lost.",
        "The shop saves the paper of every invoice.",
        "The program refreshes the screen again and again.",
    ],
)
def test_what_is_said_of_other_things_renews_no_row(sentence: str) -> None:
    """Only what is written again itself begins to age anew."""
    for doc in (
        f"A licence. It is valid for three years. {sentence}",
        f"A licence is valid for three years. {sentence}",
    ):
        findings = found(evolve(bt.schema_of(Licence), doc=doc), "FAM010")
        assert [(doc, each.level) for each in findings] == [(doc, Level.WARNING)]


class Aid(bt.Model, table="AID", events="300/s"):
    """A hearing aid, of which one part is written when it is sold, and another again and again."""

    serial: str = bt.key(bt.HexDigest(12), cardinality=4_000_000)

    h = bt.family("h", gc=bt.max_age(days=14))
    shop: str = bt.column("shop", h)
    seen: datetime | None = bt.column("seen", h, default=None)


@pytest.mark.parametrize(
    ("doc", "ends"),
    [
        ("What was registered when it was sold, which the warranty needs for five years.", False),
        ("What was registered when it was sold, and what it last reported.", True),
        ("What was registered when it was sold. It charges for three days.", True),
    ],
)
def test_what_is_needed_for_years_does_not_end_with_its_last_report(doc: str, ends: bool) -> None:
    """To write all of it each time is no way then; and of columns that declare what they want, FAM005 speaks alone."""
    model = evolve(bt.schema_of(Aid), doc=doc)
    (finding,) = found(model, "FAM010")
    assert finding.fix.startswith("give `shop` a family of its own")
    assert ("if a row is to end" in finding.fix) is ends
    shop, seen = model.columns
    wanted = evolve(shop, expected=evolve(shop.expected, keep=bt.max_versions(1)))
    said = evolve(model, columns=(wanted, seen))
    assert [len(found(said, rule)) for rule in ("FAM010", "FAM005")] == [0, 1]
