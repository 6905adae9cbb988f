"""What descriptions say of ages: that each family has its own, that values stay readable for long, and that they are read as they were."""

from datetime import date

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level, review
from btmodel.schema import GcRule
from tests.lint.parts import found


class Subscriber(bt.Model, table="subscriber", events="400/s"):
    """A row that gathers events, beside a value that ends at an age."""

    line: str = bt.key(bt.HexDigest(12), cardinality=60_000_000)

    contract = bt.family("c", gc=bt.max_versions(1))
    usage = bt.family("u", gc=bt.max_age(days=45))
    location = bt.family("l", gc=bt.max_age(days=1) | bt.max_versions(1))
    tariff: str = bt.column("tariff", contract)
    megabytes: bt.History[int] = bt.history("mb", usage, every="1day")
    cell: str | None = bt.column("cell", location, default=None)

    of_line = bt.query("line")


@pytest.mark.parametrize(
    "said",
    [
        "One row a line; each family has its own lifetime.",
        "A line. Every family has a retention of its own.",
        "A line. The families have different lifetimes.",
        "A line. Each family keeps its own age.",
        "A line. All three families have their own GC rule.",
        "A line. The retention differs by family.",
        "A line, with families that differ; the families differ in their lifetime.",
        "A line. Every column family has its own TTL.",
        "A line. There is a separate retention period per family.",
    ],
)
def test_families_that_live_for_different_times_by_intent_are_let_be(said: str) -> None:
    """Where rows may lack what goes first; what they need is found even so."""
    model = evolve(bt.schema_of(Subscriber), doc=said)
    assert found(model, "FAM005") == []
    needed = tuple(evolve(one, required=True) if one.name == "cell" else one for one in model.columns)
    assert [one.level for one in found(evolve(model, columns=needed), "FAM005")] == [Level.WARNING]


@pytest.mark.parametrize(
    "said",
    [
        "One row a line.",
        "A line. Each line has its own lifetime.",
        "A line. Its family has its own page.",
        "A line. The families have different names.",
        "A line. No retention differs by family.",
        "A line. Each family member has an age of their own.",
        "A line of a family plan; each family has its own tariff.",
        "A line. Its age differs.",
        "A line. The families are divided by what reads them.",
    ],
)
def test_other_words_on_families_change_nothing(said: str) -> None:
    """A value in a family with an age is lost while the events of its row go on."""
    (finding,) = found(evolve(bt.schema_of(Subscriber), doc=said), "FAM005")
    assert finding.level is Level.WARNING


class Visit(bt.Model, table="trial_visit", events="40/min"):
    """A visit."""

    trial: str = bt.key(bt.Text(max_length=12), cardinality=300)
    subject: int = bt.key(bt.PaddedInt(6), cardinality=90_000, sequential=False)
    visit: date = bt.key(bt.DateText())

    obs = bt.family("obs", gc=bt.max_versions(1) | bt.max_age(days=730))
    systolic: int | None = bt.column("sys", obs, default=None)
    weight: float | None = bt.column("kg", obs, default=None)

    of_subject = bt.query("trial", "subject", between="visit")


def kept(doc: str, gc: GcRule | None = None) -> list[Finding]:
    """What the rule finds on visits that are described so."""
    model = bt.schema_of(Visit)
    families = tuple(evolve(one, gc=gc or one.gc) for one in model.families)
    return found(evolve(model, doc=doc, families=families), "FAM010")


@pytest.mark.parametrize(
    ("doc", "days"),
    [
        ("A visit. Every value has to stay readable for at least 15 years.", 5_479),
        ("A visit. Values must be available to inspectors for ten years.", 3_653),
        ("A visit. Each must remain accessible for 25 years.", 9_132),
        ("A visit. Rows have to be legible for no less than 30 years.", 10_958),
        ("A visit. It should remain on file for 5 years.", 1_827),
        ("A visit. All measurements must still be readable after 12 years.", 4_383),
        ("A visit. Entries need to be retrievable for a minimum of three years.", 1_096),
        ("A visit. They must stay in the table for 4 years.", 1_461),
        ("A visit, kept for ten years.", 3_653),
        ("A visit. Inspectors ask for the last three years.", 1_096),
    ],
)
def test_what_is_needed_for_years_has_their_leap_days(doc: str, days: int) -> None:
    """In whichever words it is said; an age that is longer, or none, keeps it."""
    (finding,) = kept(doc)
    assert finding.level is Level.WARNING
    assert f"bt.max_age(days={days:_})" in finding.fix
    assert kept(doc, bt.max_age(days=days)) == []


@pytest.mark.parametrize(
    "doc",
    [
        "A visit. Every value has to stay readable for at least 15 years after the trial ends.",
        "A visit. Values must be available for ten years after the end of the trial.",
        "A visit. Each must remain accessible for 25 years after the last visit.",
        "A visit. Rows are retained for at least 10 years after the study is closed.",
    ],
)
def test_a_time_that_begins_later_is_no_age(doc: str) -> None:
    """An age counts from the writing, so none is right; the newest values are kept."""
    (finding,) = kept(doc)
    assert finding.level is Level.WARNING
    assert '`bt.family("obs", gc=bt.max_versions(1))`' in finding.fix
    assert kept(doc, bt.max_versions(1)) == []
    assert kept(doc, bt.keep_all()) == []
    assert "brings another fault" not in finding.fix


@pytest.mark.parametrize(
    "doc",
    [
        "A visit. The ward is available for 15 years.",
        "A visit. Doctors have to stay available for ten years.",
        "A visit. The archive must stay readable for 30 years.",
        "A visit. Paper has to be legible for ten years.",
        "A visit. It is readable at once.",
        "A visit. Values must stay below 300 for ten minutes.",
        "A visit. Every value has to stay readable for at least a year.",
        "A visit. The scan must be available in the archive for ten years.",
        "A visit. Values must be readable by nurses.",
    ],
)
def test_what_other_things_need_is_no_age_of_rows(doc: str) -> None:
    """Nor is what the rule keeps already."""
    assert kept(doc) == []


@pytest.mark.parametrize(
    "doc",
    [
        "A visit. No row may be kept for longer than three years.",
        "A visit. Rows are deleted after three years.",
    ],
)
def test_what_must_end_gets_no_leap_days(doc: str) -> None:
    """A promise to delete is kept on the day."""
    (finding,) = kept(doc, bt.keep_all())
    assert "bt.max_age(days=1_095)" in finding.fix


class Features(bt.Model, table="features_user", events="2500/s"):
    """Rows of which each column has its newest value."""

    entity: str = bt.key(bt.HexDigest(16), cardinality=12_000_000)

    f = bt.family("f", gc=bt.max_versions(1))
    clicks: int = bt.column("clicks", f)
    spend: float = bt.column("spend", f)

    of_entity = bt.query("entity")


@pytest.mark.parametrize(
    ("doc", "gc"),
    [
        (
            "Features. Values are kept for 90 days, so that the trainer reads them as they were.",
            "bt.max_age(days=90)",
        ),
        ("Features. Rows are kept for 30 days, for point-in-time joins.", "bt.max_age(days=30)"),
        (
            "Features. The trainer joins labels of the last 90 days with the values *as they were at the label's time*.",
            "bt.max_versions(1) & bt.max_age(days=90)",
        ),
        ("Settings, up to 60 days back as of any date.", "bt.max_versions(1) & bt.max_age(days=60)"),
        (
            "A limit. A dispute of the last two months needs it as it was on the day of the order.",
            "bt.max_versions(1) & bt.max_age(days=62)",
        ),
        (
            "Prices; an invoice of the last 14 days shows the values that applied at the time.",
            "bt.max_versions(1) & bt.max_age(days=14)",
        ),
        ("A profile. Auditors see it as it was 7 days ago.", "bt.max_versions(1) & bt.max_age(days=7)"),
        ("A model's inputs, with as-of joins over the last week.", "bt.max_versions(1) & bt.max_age(days=7)"),
        (
            "A tariff. A claim is settled with the tariff as it stood at its date.",
            "bt.max_versions(1) & bt.max_age(...)",
        ),
    ],
)
def test_values_that_are_read_as_they_were_need_their_versions(doc: str, gc: str) -> None:
    """A number of versions deletes them however it is combined by `|`; the fix keeps them for the time that is said."""
    model = evolve(bt.schema_of(Features), doc=doc)
    (finding,) = found(model, "FAM010")
    assert finding.level is Level.WARNING
    assert f"gc={gc}" in finding.fix
    assert "max_versions(1) | " not in finding.fix
    for made in finding.models:
        assert [str(each) for each in review(made) if each.level is not Level.INFO] == []


@pytest.mark.parametrize(
    "doc",
    [
        "Features. Columns that are not written stay as they were.",
        "Features. A failed write leaves them as they were.",
        "Features. Nobody reads them as they were at an earlier time.",
        "Features. Text is stored as it was entered.",
        "Features, valid as of today.",
        "Features. The warehouse has them as they were at any time of the last 90 days.",
        "Features. Values as they were at the label's time are in another table.",
        "Features. Point-in-time reads go to the archive.",
        "Features as of the newest model.",
        "Features of the last 90 days.",
        "Features. No point-in-time read is needed.",
    ],
)
def test_other_words_on_the_past_need_no_versions(doc: str) -> None:
    """What stays, what is denied, and what another place keeps."""
    assert found(evolve(bt.schema_of(Features), doc=doc), "FAM010") == []


class Entry(bt.Model, table="entry", events="300/s"):
    """What was booked."""

    account: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)
    number: str = bt.key(bt.HexDigest(12))

    e = bt.family("e", gc=bt.max_age(days=365))
    cents: int = bt.column("c", e)

    of_account = bt.query("account")


@pytest.mark.parametrize(
    "said",
    [
        "The law obliges us to keep each entry for seven years.",
        "The bank is required to retain all entries for 7 years.",
        "We must keep every entry for at least seven years.",
        "The regulator demands that we preserve the rows for a full seven years.",
        "We keep them for seven years.",
        "By law, we have to keep records for seven years.",
        "A bank is obliged by law to keep an entry for seven years.",
        "Entries may not be deleted before seven years have passed.",
        "It has to be there for the seven years that the law asks for.",
        "Kept seven years for tax audits.",
        "Entries stay for seven years.",
        "Retention: seven years.",
        "SOX requires a seven-year retention.",
        "The statutory retention period is 7 years.",
    ],
)
def test_who_has_to_keep_rows_keeps_them(said: str) -> None:
    """In the active voice as in the passive one."""
    for rule, flagged in (
        (bt.max_age(days=365), True),
        (bt.max_age(days=2_557), False),
        (bt.keep_all(), None),
    ):
        model = evolve(bt.schema_of(Entry), doc=f"What was booked. {said}")
        model = evolve(model, families=(evolve(model.families[0], gc=rule),))
        told = found(model, "FAM010")
        if flagged is not None:
            assert [one.level for one in told] == [Level.WARNING] * flagged
        for one in told if flagged else ():
            assert '`bt.family("e", gc=bt.max_age(days=2_557))`' in one.fix
            assert found(one.models[0], "FAM010") == []


@pytest.mark.parametrize(
    "said",
    [
        "We must keep each entry in BigQuery for seven years.",
        "The law obliges us to keep the paper for seven years.",
        "We must keep each entry for seven years in the archive.",
        "Nobody has to keep an entry.",
        "A customer must keep the card for two years.",
        "A guest stays for two years.",
        "The logs have a retention of two years.",
        "Retention: two years of the raw ones, and a retention of four years of the others.",
        "Kept two years ago.",
    ],
)
def test_who_keeps_other_things_keeps_no_rows(said: str) -> None:
    """Or keeps them elsewhere."""
    assert found(evolve(bt.schema_of(Entry), doc=f"What was booked. {said}"), "FAM010") == []
