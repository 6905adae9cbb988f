"""Fixes that would lose rows, or bring them in a wrong order, where they are followed."""

from datetime import date, datetime
from uuid import UUID

import pytest
from attrs import evolve
from documented import findings

import btmodel as bt
from btmodel.codecs.key import DateText
from btmodel.lint import Finding
from btmodel.lint.numbers_kept import number_kept
from btmodel.schema import Expected, KeyField, ModelSchema, Rate
from tests.lint.parts import found


def by_rule(declared: type[bt.Model]) -> dict[str, Finding]:
    return {one.rule: one for one in findings(lambda: declared)}


def test_rows_that_a_changing_name_tells_apart_get_an_id() -> None:
    """Three million nicknames have no place in nine hundred rows; who knows a nickname finds the id in the second table."""

    class Player(bt.Model, table="player", events="30/s"):
        game: str = bt.key(bt.Text(width=5), cardinality=900)
        nickname: str = bt.key(bt.Text(max_length=30), cardinality=3_000_000, changes=True, pii=False)

        p = bt.family("p", gc=bt.max_versions(1))
        coins: int = bt.column("coins", p)

        of_game = bt.query("game")
        one = bt.query("game", "nickname")

    told = by_rule(Player)["KEY021"]
    assert told.fix.startswith(
        "give each row an id of its own, `id: UUID = bt.key(bt.UuidText())`, keep `nickname` in a column: `{game}#{id}`; "
        "`one` needs it in a key: keep `{game}#{nickname}` as a second table"
    )
    player, one = told.models
    assert (player.key.shape, one.key.shape, one.owned) == ("{game}#{id}", "{game}#{nickname}", True)
    assert {column.name for column in one.columns} == {"coins", "id"}


def test_rows_that_a_query_reads_in_their_order_stay_apart() -> None:
    """A line has many trips; two may leave at once, so the id ends the key of both tables."""

    class Trip(bt.Model, table="trip", events="3/s"):
        line: str = bt.key(bt.Text(max_length=8), cardinality=900)
        departs: datetime = bt.key(bt.EpochSeconds(), changes=True)

        t = bt.family("t", gc=bt.max_age("30d"))
        bus: str = bt.column("bus", t, max_size=9)

        of_line = bt.query("line", between="departs")

    found = by_rule(Trip)["KEY021"]
    assert [made.key.shape for made in found.models] == ["{line}#{id}", "{line}#{departs}#{id}"]


def test_the_only_field_of_a_key_leaves_an_id() -> None:
    """A key of nothing is none."""

    class Vehicle(bt.Model, table="vehicle"):
        plate: str = bt.key(bt.Text(max_length=9), cardinality=3_000_000, changes=True, pii=False)

        v = bt.family("v", gc=bt.max_versions(1))
        maker: str = bt.column("maker", v)

        of_plate = bt.query("plate")

    assert [made.key.shape for made in by_rule(Vehicle)["KEY021"].models] == ["{id}", "{plate}"]


def test_a_state_behind_an_id_leaves_that_id() -> None:
    """Few values of a state say nothing of rows."""

    class Job(bt.Model, table="job"):
        job: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)
        state: str = bt.key(bt.Text(max_length=9), cardinality=5, changes=True)

        j = bt.family("j", gc=bt.max_versions(1))
        pages: int = bt.column("pages", j)

        one = bt.query("job")

    assert [made.key.shape for made in by_rule(Job)["KEY021"].models] == ["{job}"]


def test_of_two_times_none_is_reversed_alone() -> None:
    """The newest day with its oldest message first would be neither order."""

    class Message(bt.Model, table="message", events="50/s"):
        room: str = bt.key(bt.HexDigest(8), cardinality=900_000)
        day: date = bt.key(bt.DateText())
        at: datetime = bt.key(bt.EpochMillis())
        number: str = bt.key(bt.HexDigest(4))

        m = bt.family("m", gc=bt.max_age(days=90))
        text: str = bt.column("text", m, size=90)

        newest = bt.query("room", newest=True)

    assert "KEY015" not in by_rule(Message)


def test_events_that_are_needed_for_long_have_no_number() -> None:
    """Twenty years of hourly measurements are more than a thousand."""

    class Well(bt.Model, table="well", events="2/s"):
        """A well. Each measurement is kept for 20 years."""

        well: str = bt.key(bt.HexDigest(8), cardinality=7_000)

        w = bt.family("w", gc=bt.max_versions(1_000))
        bar: bt.History[float] = bt.history("bar", w, every="1h")

        one = bt.query("well")

    assert '`bt.family("w", gc=bt.max_age(days=7_305))`' in by_rule(Well)["FAM010"].fix


def pieces(doc: str, called: str = "pieces", often: str = "30/min") -> ModelSchema:
    """A number in a family with an age, to which so much is added."""

    class Bin(bt.Model, table="bin"):
        """Pieces."""

        bin: str = bt.key(bt.HexDigest(8), cardinality=7_000)

        p = bt.family("p", gc=bt.max_age("400d"))
        pieces: int = bt.column("n", p, increments="30/min")

        one = bt.query("bin")

    model = bt.schema_of(Bin)
    (column,) = model.columns
    made = evolve(
        column,
        name=called,
        expected=Expected(increments=Rate(3e-8) if often == "rarely" else Rate.parse(often)),
    )
    return evolve(model, doc=doc, columns=(made,))


@pytest.mark.parametrize(
    ("doc", "called", "often", "total"),
    [
        ("How many pieces lie in a bin.", "pieces", "30/min", True),
        ("How many pieces went through a bin.", "pieces", "1/day", True),
        ("How many pieces lie in a bin.", "pieces", "2/day", True),
        ("How many pieces lie in a bin, which gets one in a year.", "pieces", "rarely", False),
        ("Pieces of a bin. Bins are deleted after 400 days.", "pieces", "30/min", False),
        ("Pieces of a bin.", "pieces_this_year", "30/min", False),
    ],
)
def test_a_total_that_additions_renew_is_kept(doc: str, called: str, often: str, total: bool) -> None:
    """A plain cell outlives its age where each addition writes it again, and days of a counter do not: the text says so."""
    (told,) = found(pieces(doc, called, often), "COL006")
    (made,) = told.models
    (column,) = made.columns
    assert (column.spans is None) is total
    if total:
        assert "gc=bt.keep_all()" in told.fix
        assert "as each addition renews `pieces`" in told.fix
    else:
        assert f"`{called}.total` is the sum of the last 400 days, and no older additions" in told.fix


def test_a_number_of_a_time_in_the_key_ends_with_it() -> None:
    """No row of another day renews it."""
    model = pieces("Pieces by day.")
    day = KeyField("day", DateText("%Y%m%d"))
    (told,) = found(evolve(model, key=evolve(model.key, fields=(*model.key.fields, day))), "COL006")
    assert all(column.spans for column in told.models[0].columns)


def test_an_index_that_stands_first_says_what_it_is_beside() -> None:
    """A second table of a state that is in the key brings another fault here; the text begins with what becomes of the state."""

    def declared() -> object:
        class Task(bt.Model, table="task", events="300/s"):
            """A task for a worker."""

            state: str = bt.key(bt.Text(max_length=8), cardinality=4, changes=True)
            created: datetime = bt.key(bt.EpochMillis())
            id: UUID = bt.key(bt.UuidText())

            t = bt.family("t", gc=bt.max_versions(1))
            payload: bytes = bt.column("p", t, size=2_000)

            open = bt.query("state", between="created")
            one = bt.query("id")

        return Task

    (fix,) = (one.fix for one in findings(declared) if one.rule == "KEY021")
    assert fix.startswith("keep `state` in a column, and put `id` in front: `{id}#{created}`; ")
    assert "class TaskOpen(bt.Index, of=Task" in fix


def test_a_value_in_parts_is_cleared_before_it_is_written_again() -> None:
    """The last part of a longer value would stay behind a shorter one."""

    class Scan(bt.Model, table="scan", events="3/s"):
        scan: str = bt.key(bt.HexDigest(8), cardinality=7_000_000)

        s = bt.family("s", gc=bt.max_age("90d"))
        image: bytes = bt.column("image", s, size=30_000_000)

        one = bt.query("scan")

    assert (
        "to write it again, clear it first in the same edit, as a longer value has more parts"
        in by_rule(Scan)["ROW001"].fix
    )


def test_who_has_the_id_of_a_row_reads_no_queue() -> None:
    """The rows of one id are one."""

    class Task(bt.Model, table="task", events="300/s"):
        """A task for a worker. Workers take the oldest open task; done tasks are deleted."""

        id: UUID = bt.key(bt.UuidText())
        created: datetime = bt.key(bt.EpochMillis())

        t = bt.family("t", gc=bt.max_versions(1))
        state: str = bt.column("s", t, max_size=8)

        one = bt.query("id")

    assert "ROW009" not in by_rule(Task)


def test_events_of_a_bucket_are_needed_as_long_as_it_says() -> None:
    """The row of a bucket is written again, and its events are not."""

    class Charge(bt.Model, table="charge", bucket="hour", events="3000/s"):
        """What a charging point measures. Invoices need it for three years."""

        point: str = bt.key(bt.HexDigest(8), cardinality=9_000)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        c = bt.family("c", gc=bt.max_age(days=40))
        amps: bt.History[float] = bt.history("a", c, every="3s")

        of_point = bt.query("point", between="hour", span="1day")

    assert '`bt.family("c", gc=bt.max_age(days=1_096))`' in by_rule(Charge)["FAM010"].fix


def test_a_person_leaves_the_key_of_a_bucket_for_an_optional_column() -> None:
    """No event is sure to bring the name along."""

    class Pulse(bt.Model, table="pulse", bucket="hour", events="300/s"):
        """The pulse of a patient, kept for 90 days."""

        patient: str = bt.key(bt.Text(max_length=30), cardinality=9_000, pii=True)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        p = bt.family("p", gc=bt.max_age(days=90))
        bpm: bt.History[int] = bt.history("b", p, every="3s")

        of_patient = bt.query("patient", between="hour", span="1day")

    found = by_rule(Pulse)["KEY010"]
    assert found.fix.startswith("use a surrogate id")
    (made,) = found.models
    assert [(column.name, column.required) for column in made.columns if column.name == "patient"] == [
        ("patient", False)
    ]


class Trade(bt.Model, table="TRADE", events="3000/s"):
    share: str = bt.key(bt.Text(max_length=12), cardinality=9_000)
    at: datetime = bt.key(bt.EpochMillis())
    number: int = bt.key(bt.PaddedInt(9))

    t = bt.family("t", gc=bt.max_age(days=7) & bt.max_versions(1))
    price: int = bt.column("p", t)

    of_share = bt.query("share", between="at")


@pytest.mark.parametrize(
    ("said", "days"), [("", 7), ("Trades are kept for 30 days.", 30), ("Trades are kept for 3 days.", 7)]
)
def test_an_age_that_begins_to_delete_is_no_shorter_than_is_said(said: str, days: int) -> None:
    """Beside a number of versions it deleted nothing, so that nobody saw that it is too short."""
    (finding,) = found(evolve(bt.schema_of(Trade), doc=f"A trade. {said}"), "FAM005")
    assert f'`bt.family("t", gc=bt.max_age(days={days}))`' in finding.fix


class Page(bt.Model, table="PAGE", events="2/s"):
    url: str = bt.key(bt.HexDigest(16), cardinality=900_000)

    p = bt.family("p", gc=bt.max_versions(3))
    html: bytes = bt.column("h", p, size=12_000_000, max_size=15_000_000)

    one = bt.query("url")


@pytest.mark.parametrize(
    ("said", "split"), [("", True), ("The newest three copies of a page are kept.", False)]
)
def test_a_value_of_which_older_ones_are_kept_is_not_divided(said: str, split: bool) -> None:
    """Its parts are cleared before they are written again, and with them all that came before."""
    (finding,) = found(evolve(bt.schema_of(Page), doc=f"A page. {said}"), "ROW001")
    assert ("clear it first" in finding.fix) is split


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Of the embeddings we need the last ten.", 10),
        ("Only the newest counts, except the embeddings, of which we need the last ten.", 10),
        ("An old embedding must stay readable (the newest five).", 5),
        ("The embedding of the last ten days is read.", None),
        ("Embeddings are computed by the last ten jobs.", None),
    ],
)
def test_a_number_behind_what_is_kept_is_heard(said: str, kept: int | None) -> None:
    """It may stand at the end of a clause, without the name of what it counts."""
    model = bt.schema_of(Page)
    column = evolve(model.columns[0], name="embedding")
    heard = number_kept(evolve(model, doc=said, columns=(column,)), column)
    assert (heard and heard[1]) == kept
