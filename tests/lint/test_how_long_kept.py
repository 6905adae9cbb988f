"""How long rows are kept, by their descriptions: in many words, and in sentences that speak of other times."""

from datetime import datetime, timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from btmodel.lint.lifetimes import length_of, number_said
from btmodel.schema import GcRule
from tests.lint.parts import found


class Slip(bt.Model, table="SLIP", events="9/s"):
    """Rows without a time in their key, each of which is a new one."""

    number: str = bt.key(bt.Text(max_length=20))

    f = bt.family("f", gc=bt.max_versions(1))
    body: str = bt.column("b", f, size=200)

    of_number = bt.query("number")


def slip(said: str, gc: GcRule) -> list[Finding]:
    """What the rule warns of, of slips that are described so."""
    schema = bt.schema_of(Slip)
    families = (evolve(schema.families[0], gc=gc),)
    findings = found(evolve(schema, doc=f"A slip, by its number. {said}", families=families), "FAM010")
    return [one for one in findings if one.level is not Level.INFO]


# What ends after so long, which no number of versions does.
ENDS = [
    ("Gets swept every Friday.", timedelta(days=7)),
    ("Retention per policy: eighteen months.", timedelta(days=558)),
    ("Old slips (> 90 days) are discarded.", timedelta(days=90)),
    ("Removal after 21 days at the latest.", timedelta(days=21)),
    ("Auto-deleted (14 days).", timedelta(days=14)),
    ("Purged quarterly.", timedelta(days=92)),
    ("The table is emptied half-yearly.", timedelta(days=183)),
    ("Wiped fortnightly.", timedelta(days=14)),
    ("Cleared out yearly.", timedelta(days=365)),
    ("Cleaned out each Sunday.", timedelta(days=7)),
    ("GDPR: 30 days max.", timedelta(days=30)),
    ("Data protection allows us no more than four weeks.", timedelta(days=28)),
    ("Keep 90d.", timedelta(days=90)),
    ("Retain for 45 days, then drop.", timedelta(days=45)),
    ("Auto-expires (48h).", timedelta(hours=48)),
    ("After 72 h it is garbage.", timedelta(hours=72)),
    ("Holding time: five days.", timedelta(days=5)),
    ("Valid for ten minutes.", timedelta(minutes=10)),
    ("Each slip is good for half an hour.", timedelta(minutes=30)),
    ("Usable for one hour only.", timedelta(hours=1)),
    ("A slip dies after an hour.", timedelta(hours=1)),
    ("It is of no use after 48 hours.", timedelta(hours=48)),
    ("Purged nightly.", timedelta(days=1)),
    ("The table is emptied every night.", timedelta(days=1)),
    ("Wiped every 24 hours.", timedelta(days=1)),
    ("Gone within an hour.", timedelta(hours=1)),
    ("TTL: 48 hours.", timedelta(hours=48)),
    ("TTL 30d.", timedelta(days=30)),
    ("Time to live is three days.", timedelta(days=3)),
    ("Has a lifetime of eight hours.", timedelta(hours=8)),
    ("Expires 15 minutes after it was issued.", timedelta(minutes=15)),
    ("We hold on to them for three years.", timedelta(days=1_096)),
    ("The privacy policy promises that nothing survives thirty days.", timedelta(days=30)),
    ("Must not be held beyond 24 months.", timedelta(days=744)),
    ("After a month nobody cares about them and they may go.", timedelta(days=31)),
    ("Anything older than a quarter is thrown away.", timedelta(days=92)),
    ("Rows disappear on their own two days later.", timedelta(days=2)),
    ("They self-destruct after five minutes.", timedelta(minutes=5)),
    ("Kept for the duration of a fortnight.", timedelta(days=14)),
    ("Deleted once it is a year old.", timedelta(days=365)),
    ("Data older than 180 days ages out.", timedelta(days=180)),
    ("A week's worth of slips.", timedelta(days=7)),
    ("GDPR: remove after 6 months.", timedelta(days=186)),
    ("If it is not picked up within 3 days, it is dropped.", timedelta(days=3)),
    ("We promised users to forget them after 72 hours.", timedelta(hours=72)),
    ("It is kept for twenty-four hours.", timedelta(hours=24)),
    ("Automatically deleted after 3 days.", timedelta(days=3)),
    ("Slips should not be around for longer than a month.", timedelta(days=31)),
    ("A slip that is two years old may be deleted.", timedelta(days=730)),
    ("It is enough to keep them for three days.", timedelta(days=3)),
    ("We only keep them for thirty days.", timedelta(days=30)),
    ("Rows are removed by the GC rule after 14 days.", timedelta(days=14)),
    ("After six hours it is no longer valid.", timedelta(hours=6)),
    ("A slip that is more than 72 hours old is worthless.", timedelta(hours=72)),
    ("A slip stays in the table for four weeks.", timedelta(days=28)),
    ("We keep the slips of the last five days.", timedelta(days=5)),
    ("After 45 days a slip is purged.", timedelta(days=45)),
    ("The table only ever holds a month of slips.", timedelta(days=31)),
    ("We are allowed to store them for at most one year.", timedelta(days=365)),
    ("Kept around for two days in case of complaints.", timedelta(days=2)),
    ("Expiry: 12 hours.", timedelta(hours=12)),
    ("Its validity is two hours.", timedelta(hours=2)),
    ("A slip is accepted for up to five days.", timedelta(days=5)),
    ("It lives no longer than a minute.", timedelta(minutes=1)),
    ("Whatever is more than two weeks old goes.", timedelta(days=14)),
    ("Our policy is to delete them after four months.", timedelta(days=124)),
    ("It is gone by the next day.", timedelta(days=1)),
    ("We keep 13 months of slips.", timedelta(days=403)),
    ("Holding a slip for more than a year is not allowed.", timedelta(days=365)),
    ("Nothing is retained past 30 days.", timedelta(days=30)),
    ("Storage is limited to 60 days.", timedelta(days=60)),
    ("They are dropped as soon as they are a day old.", timedelta(days=1)),
    ("Max age: 14 days.", timedelta(days=14)),
    ("Data protection says: gone after 3 months.", timedelta(days=93)),
    ("The slip is void after 15 minutes.", timedelta(minutes=15)),
    ("A slip can be redeemed for 24 hours.", timedelta(hours=24)),
]
# What is needed for so long, and may be kept for longer.
NEEDED = [
    ("Law: six years.", 2_192),
    ("Legal minimum 10 yrs.", 3_650),
    ("The auditors insist on ten years.", 3_653),
    ("SOX requires seven years.", 2_557),
    ("For the tax office: 10 years.", 3_653),
    ("We owe the regulator seven years of these.", 2_557),
    ("The supervisory office expects twelve years.", 4_383),
    ("Required by HIPAA to be held six years.", 2_192),
    ("Under legal hold for seven years.", 2_557),
    ("By law these have to be around for six years.", 2_192),
    ("Tax law makes us keep these for ten years.", 3_653),
    ("Kept no less than 5 years.", 1_827),
    ("The minimum retention is three years.", 1_096),
    ("The statutory retention period is ten years.", 3_653),
    ("Preserved for a minimum of 36 months.", 1_116),
    ("Deletion before two years have passed is a crime.", 731),
    ("Customers can dispute them for 120 days.", 120),
    ("Our lawyers insist on eleven years.", 4_018),
    ("Records must be preserved seven years.", 2_557),
    ("Slips must be kept by law for at least eight years.", 2_922),
    ("We have to be able to read them for thirty years.", 10_958),
    ("An audit may need slips that are six years old.", 2_192),
    ("Seven years of retention are required by law.", 2_557),
    ("The bank has to be able to show each slip for ten years.", 3_653),
    ("Nobody may delete a slip before it is five years old.", 1_827),
    ("A complaint can refer to a slip for two years.", 731),
    ("The tax office may inspect them for ten years.", 3_653),
    ("We owe it to the law to keep each slip for five years.", 1_827),
    ("Slips may be erased no earlier than six years after they were written.", 2_192),
    ("At least 90 days of slips must be available.", 90),
    ("Needed for chargebacks for 18 months.", 558),
    ("A slip must survive for ten years.", 3_653),
    ("The auditors need to see every slip for eight years.", 2_922),
    ("Stored for the legally required ten years.", 3_653),
    ("Cannot be removed during the first five years.", 1_827),
    ("The regulator wants five years of them.", 1_827),
    ("Deduplication looks back 24 hours.", 1),
    ("The dashboard displays 30 days.", 30),
]
EVER = [
    "Never deleted.",
    "Kept forever.",
    "Records are permanent.",
    "We keep everything.",
    "Nothing is ever thrown away.",
    "They are archived for eternity.",
    "Every version is kept.",
    "Must be kept indefinitely.",
    "We never throw a slip away.",
    "They stay until the end of time.",
    "No slip is ever removed.",
    "There is no expiry.",
    "All slips are kept, for ever.",
    "A slip, once written, is never removed.",
    "They are kept without limit.",
    "Slips are for ever.",
    "None of them is ever erased.",
    "We do not delete slips.",
]
HARMLESS = [
    "A pallet stays for five weeks on average.",
    "Buoys without a satellite over them keep up to nine days of values and send them later.",
    "Hold for two minutes, then press.",
    "HIPAA training takes six hours.",
    "Customs requires a deposit for 2 weeks.",
    "Old customers (> 90 days) get a card.",
    "Tickets of the bus expire (30 min).",
    "Delivery after 21 days at the latest.",
    "Auto-saved (every 14 seconds).",
    "Reviewed quarterly.",
    "Billed monthly, and paid half-yearly.",
    "Slips are purged quarterly by the accountant.",
    "The office is cleaned out each Sunday.",
    "Law: the customer may ask for a copy.",
    "By law the notice period: 30 days.",
    "Tax law requires an answer within ten days.",
    "The regulator audits us every seven years.",
    "The auditors stay for two weeks.",
    "The tax office owes us two letters.",
    "Legal counsel has ten years of experience.",
    "Delivery: 30 days max.",
    "The contract auto-renews (48h notice).",
    "Data protection training takes no more than four weeks.",
    "Keep two days between two visits.",
    "The milk in the kitchen has a shelf life of four days.",
    "After 72 h a reminder is sent.",
    "The sensor is replaced after two years.",
    "A flight lasts up to 19 hours.",
    "A contract runs for two years and is then renewed.",
    "Members are at least 18 years old.",
    "A child under six years travels free.",
    "The customer has 30 days to pay.",
    "A bottle of milk keeps for ten days in the fridge.",
    "Wine is stored in oak for 18 months.",
    "The pump stops after ten minutes without water.",
    "Old tyres are replaced after six years.",
    "The lamp goes out after two minutes.",
    "Drivers are never alone for more than two hours.",
    "A library lends a book for four weeks.",
    "A concert hall is cleared within ten minutes.",
    "Beds are cleaned nightly.",
    "The data is cleaned every night.",
    "Old slips are purged nightly.",
    "Slips that are paid are removed every day.",
    "The tank is emptied every two weeks.",
    "No roast takes longer than half an hour.",
    "A second copy is kept in the safe.",
    "The menu of a lifetime: about four a year.",
    "A job removes whatever is older than 60 days.",
    "Erased 30 days after the account is closed.",
    "Kept until the customer leaves.",
    "Kept as long as the account exists.",
    "A cron job clears slips after 30 days.",
    "Fish older than two days is thrown away.",
    "A warning disappears from the screen after ten seconds.",
    "Files of the bank are kept in a vault for ten years.",
    "A minister may serve for no longer than eight years.",
    "Blood is kept for 42 days at the blood bank.",
    "A season ticket can be used for a year.",
    "The court keeps the file for thirty years.",
    "A slip is removed by the cashier after a day.",
    "The seal of a meter expires after eight years.",
    "A bee lives for six weeks.",
    "An egg keeps for three weeks.",
    "A train is held for two minutes.",
    "No crew may fly for longer than ten hours.",
    "The passport of a child is valid for six years.",
    "Only two bidders are left after an hour.",
]


@pytest.mark.parametrize(("said", "age"), ENDS)
def test_what_ends_has_an_age(said: str, age: timedelta) -> None:
    """An age that is as long as the description says is right, and no number of versions is."""
    (finding,) = slip(said, bt.max_versions(1))
    (model,) = finding.models
    (family,) = model.families
    assert family.gc is not None
    assert family.gc.deletes(age * 1.01, 1)
    assert not family.gc.deletes(age * 0.99, 1)
    assert slip(said, family.gc) == []


@pytest.mark.parametrize(("said", "days"), NEEDED)
def test_what_is_needed_is_kept_for_so_long(said: str, days: int) -> None:
    """Or for longer, or by its number."""
    (finding,) = slip(said, bt.max_age(timedelta(days=days) / 10))
    assert f"bt.max_age(days={days:_})" in finding.fix
    for rule in (bt.max_age(days=days), bt.max_age(days=2 * days), bt.max_versions(1)):
        assert slip(said, rule) == []


@pytest.mark.parametrize("said", EVER)
def test_what_is_never_deleted_has_no_age(said: str) -> None:
    """Not even a long one, unless the description says that rows end."""
    (finding,) = slip(said, bt.max_age(days=3_650))
    assert '`bt.family("f", gc=bt.max_versions(1))`' in finding.fix
    assert slip(said, bt.max_versions(1)) == []
    assert slip(f"{said} They are deleted after ten years.", bt.max_age(days=3_650)) == []


@pytest.mark.parametrize("said", HARMLESS)
def test_other_times_are_no_ages_of_rows(said: str) -> None:
    """Those of other things, and those that begin long after the writing."""
    for rule in (bt.max_versions(1), bt.max_age(hours=3), bt.max_age(days=4_000)):
        assert slip(said, rule) == []


@pytest.mark.parametrize(
    "said",
    [
        "It is buffered, so that nothing is lost.",
        "No slip is dropped when the network is down.",
        "Late slips are not discarded.",
        "Every event is stored.",
        "Every change is saved.",
        "Slips are never deleted by users.",
        "A slip is not deleted at once.",
        "A slip is not removed from the list.",
        "A slip is never deleted before it is paid.",
        "Slips are never deleted, they age out.",
        "The invoice of a slip is kept for ever.",
        "Slips are kept as long as the shop exists.",
        "A slip is held for good measure twice.",
    ],
)
def test_what_gets_lost_nowhere_may_end(said: str) -> None:
    """That all are written, and that all can be read, is not that they are never deleted."""
    assert slip(said, bt.max_age(days=30)) == []


class Scan(bt.Model, table="SCAN", events="9/s"):
    """Rows with a time in their key."""

    till: str = bt.key(bt.Text(width=8), cardinality=900)
    at: datetime = bt.key(bt.EpochMillis())

    f = bt.family("f", gc=bt.max_versions(1))
    article: str = bt.column("a", f, size=20)

    of_till = bt.query("till", between="at")


@pytest.mark.parametrize(
    ("said", "age"),
    [
        ("We store a rolling 90 days.", timedelta(days=90)),
        ("A rolling window of 28 days.", timedelta(days=28)),
        ("Only the last 45 days are stored.", timedelta(days=45)),
        ("Contains the past year of it.", timedelta(days=366)),
        ("One month is kept.", timedelta(days=31)),
        ("The past three days are held here.", timedelta(days=3)),
    ],
)
def test_the_newest_of_a_time_are_rows_where_these_have_a_time(said: str, age: timedelta) -> None:
    """In a row without one, they may be what a program writes into one cell."""
    (finding,) = found(evolve(bt.schema_of(Scan), doc=f"A scan at a till. {said}"), "FAM010")
    (model,) = finding.models
    (family,) = model.families
    assert family.gc is not None
    assert (family.gc.deletes(age * 1.01, 1), family.gc.deletes(age * 0.99, 1)) == (True, False)
    assert slip(said, bt.max_versions(1)) == []


def test_lengths_and_numbers_are_read_in_digits_and_words() -> None:
    """And what is no number has none."""
    assert length_of("half an hour") == timedelta(minutes=30)
    assert length_of("a year and a half") == timedelta(days=547, hours=12)
    assert length_of("about a dozen days") == timedelta(days=12)
    assert length_of("90min") == timedelta(minutes=90)
    assert length_of("a second copy") is None
    assert length_of("many years") is None
    assert [number_said(text) for text in ("1,000", "twenty-four", "a couple of", "lots")] == [
        1_000,
        24,
        2,
        None,
    ]


class Probe(bt.Model, table="PROBE", events="9/s", allow={"FAM006": "the tests review it"}):
    """Rows without a time in their key, with a history that is never more than its newest value."""

    number: str = bt.key(bt.Text(max_length=20), cardinality=5_000)

    f = bt.family("f", gc=bt.max_versions(1))
    price: bt.History[int] = bt.history("p", f)

    of_number = bt.query("number")


def probe(said: str, name: str) -> Finding:
    """What the rule finds on a history of such a name."""
    schema = bt.schema_of(Probe)
    columns = (evolve(schema.columns[0], name=name),)
    (finding,) = found(evolve(schema, doc=f"A probe. {said}", columns=columns, allow={}), "FAM006")
    return finding


@pytest.mark.parametrize(
    ("said", "name", "versions"),
    [
        ("The last five prices of an article.", "price", 5),
        ("Keeps three drafts of a letter.", "draft", 3),
        ("The ten most recent positions are kept.", "position", 10),
        ("At most four versions of the text.", "text", 4),
        ("We remember the two previous addresses.", "address", 3),
        ("Undo goes back twenty steps.", "text", 21),
        ("Up to 50 old states can be restored.", "settings", 51),
        ("The latest 8 firmware reports.", "report", 8),
        ("The previous setting can be restored.", "setting", 2),
        ("A dozen revisions are retained.", "text", 12),
        ("Its last 1,000 scores are remembered.", "score", 1_000),
        ("We discard all but the last six readings.", "reading", 6),
        ("The history is capped at 32 prices.", "price", 32),
        ("The current price and the two before it.", "price", 3),
        ("A price and its five predecessors.", "price", 6),
        ("Four earlier prices are remembered beside the current one.", "price", 5),
        ("A user can step back through the last fifteen versions.", "text", 15),
        ("A screen shows the last three prices, and a chart the last 20 prices.", "price", 20),
    ],
)
def test_as_many_versions_are_kept_as_the_description_says(said: str, name: str, versions: int) -> None:
    """Of earlier ones, the newest stands beside them."""
    assert f"gc=bt.max_versions({versions:_})" in probe(said, name).fix


@pytest.mark.parametrize(
    "said",
    [
        "The last five stops of the route are in the suburbs.",
        "A team has eleven players.",
        "The shop keeps three bicycles for rent.",
        "At most five prices a day are set.",
        "It does not keep three prices.",
        "Sessions last ten minutes.",
        "Only one price holds.",
    ],
)
def test_other_numbers_are_no_versions(said: str) -> None:
    """How many are kept is then for the author to say."""
    assert probe(said, "price").fix.startswith("how many are read, only you know")


class Call(bt.Model, table="calls", events="20/s"):
    """Rows with a time, of which a program may speak, too."""

    caller: int = bt.key(bt.PaddedInt(12), cardinality=40_000_000, sequential=False)
    at: datetime = bt.key(bt.EpochMillis())
    c = bt.family("c", gc=bt.max_age(minutes=10))
    phone: str = bt.column("p", c, max_size=20)
    topic: str = bt.column("t", c, max_size=30)
    of_caller = bt.query("caller", between="at")


@pytest.mark.parametrize(
    "sentence",
    [
        "Repeated calls of a phone are dropped by the program that writes it, which remembers the last hour.",
        "The phone is checked by the program that writes it, which remembers the last hour.",
        "A phone that calls twice is left out by the collector, which keeps the last hour.",
    ],
)
def test_what_a_program_remembers_is_no_time_of_rows(sentence: str) -> None:
    """Nor of the column that the sentence is about."""
    assert found(evolve(bt.schema_of(Call), doc=f"A call. {sentence}"), "FAM010") == []
    assert found(evolve(bt.schema_of(Call), doc="The table keeps the last hour."), "FAM010")


@pytest.mark.parametrize(
    ("said", "days", "found_"),
    [
        ("Slips are kept for 400 days.", 365, True),
        ("Slips are kept for 400 days.", 400, False),
        ("Slips are kept for 400 days.", 420, False),
        ("Slips are kept for a month.", 30, False),
        ("Slips are kept for a month.", 28, True),
        ("Slips are kept for three months.", 90, False),
        ("Slips are kept for a year.", 365, False),
        ("Slips are kept for a year.", 330, True),
        ("Slips are deleted after 400 days.", 365, False),
    ],
)
def test_what_ends_sooner_than_is_said_is_lost(said: str, days: int, found_: bool) -> None:
    """A month may have thirty days; a tenth less than what is said is too little, a little more is not."""
    assert bool(slip(said, bt.max_age(days=days))) is found_
