"""COL009: cells that several writers read, change and put back, in whatever words and of whatever things."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level, review
from btmodel.schema import ModelSchema, Stamp
from tests.lint.parts import found


class Playlist(bt.Model, table="PLAYLIST", events="900/s"):
    """A playlist."""

    playlist: str = bt.key(bt.HexDigest(12), cardinality=8_000_000)

    p = bt.family("p", gc=bt.max_versions(1))
    songs: list[dict[str, str]] = bt.column("songs", p, size=12_000, max_size=80_000)
    title: str = bt.column("t", p, size=30, max_size=100)
    plays: int = bt.column("n", p)

    of_playlist = bt.query("playlist")


def said(doc: str) -> ModelSchema:
    """Playlists with such a description."""
    return evolve(bt.schema_of(Playlist), doc=f"A playlist. {doc}")


@pytest.mark.parametrize(
    "doc",
    [
        "A phone reads the songs, adds one to the list and puts the row.",
        "To add one, the app loads the songs, appends the new one and saves them.",
        "The friends of its owner change the songs at the same time.",
        "Several users edit its songs.",
        "Its songs are changed by many people in parallel.",
        "The service fetches the list of songs, removes what is gone, and writes it back.",
        "Songs are added by read-modify-write of the list of songs.",
    ],
)
def test_a_list_that_is_put_back_as_a_whole_loses_changes(doc: str) -> None:
    """Each item has a cell of its own in the fix, and what the declared rate rewrites is said."""
    (told,) = found(said(doc), "COL009")
    assert told.field == "songs"
    assert "about 12 KiB, 10 MiB a second" in told.message
    assert (
        '`songs: dict[str, dict[str, str]] = bt.mapping(p, bt.Text(max_length=40), prefix="songs:", entries=1_000)`'
        in told.fix
    )
    assert "`put_if`" in told.fix
    (made,) = told.models
    assert [each.rule for each in review(made) if each.rule in ("COL009", "ROW003", "FIG001")] == []


@pytest.mark.parametrize(
    "doc",
    [
        "",
        "A phone reads the songs.",
        "The app writes the songs as a whole, when its owner has sorted them.",
        "One worker reads the songs, removes what is gone and writes them.",
        "A phone reads the songs, adds one and puts the row by `put_if`, if the version number is the same.",
        "A job reads the songs, adds one and writes the row under a lock.",
        "Many people hear the songs at the same time.",
        "Many users read the songs that an editor adds.",
        "Several users edit its picture.",
        "At the same time, a job writes the charts of another table.",
        "A phone reads the songs of another table, and shows them.",
    ],
)
def test_what_has_one_writer_or_a_condition_is_safe(doc: str) -> None:
    """So is what is only read, or replaced."""
    assert found(said(doc), "COL009") == []


def test_a_number_that_is_read_and_put_is_lost_too() -> None:
    """Only where the sentence names it; with declared increments, COL006 says so."""
    doc = "A player reads the plays of the row, increments them and puts it."
    (told,) = found(said(doc), "COL009")
    assert told.field == "plays"
    assert "let the service add, which reads nothing: " in told.fix
    assert told.models
    assert [
        each.field
        for each in found(said("A player reads the row, adds a song to the songs, and puts it."), "COL009")
    ] == ["songs"]


def test_events_of_their_own_rows_are_not_put_back() -> None:
    """A row with a time in its key is written once."""

    class Scan(bt.Model, table="SCAN", events="900/s"):
        """A scan. A program reads the codes, adds one to the list and puts the row."""

        gate: str = bt.key(bt.HexDigest(8), cardinality=4_000)
        at: datetime = bt.key(bt.EpochMillis())

        s = bt.family("s", gc=bt.max_versions(1))
        codes: list[str] = bt.column("c", s)

    assert found(bt.schema_of(Scan), "COL009") == []


class Crossing(bt.Model, table="CROSSING", events="90/s"):
    """A crossing."""

    crossing: str = bt.key(bt.HexDigest(12), cardinality=5_000_000)
    leaves: datetime = bt.timestamp()

    c = bt.family("c", gc=bt.max_versions(1))
    berth: str = bt.column("b", c, size=6)

    of_crossing = bt.query("crossing")


def crossing(doc: str, name: str = "leaves") -> ModelSchema:
    """Crossings with such a description, and another name of their time."""
    model = bt.schema_of(Crossing)
    return evolve(model, doc=doc, stamp=evolve(model.stamp, attribute=name))


@pytest.mark.parametrize(
    ("doc", "name"),
    [
        ("When a ferry is planned to leave; it is moved to an earlier time as the tide allows.", "leaves"),
        ("A crossing that is scheduled. It may be rescheduled.", "departs"),
        ("A crossing. Times may be changed by the harbour master.", "departs"),
        ("A booked crossing, put earlier or later as the tide demands.", "departure"),
        ("A crossing that is brought forward if nobody comes.", "planned_at"),
    ],
)
def test_a_plan_that_is_moved_is_not_the_time_of_its_cells(doc: str, name: str) -> None:
    """The time is a column in the fix, and the newest cell is what was written last."""
    (told,) = found(crossing(doc, name), "COL009")
    assert (told.level, told.field) == (Level.WARNING, name)
    assert f'`{name}: datetime = bt.column("{name}", c)`' in told.fix
    (made,) = told.models
    assert made.stamp == Stamp()
    assert [each.rule for each in review(made) if each.level is not Level.INFO] == []


@pytest.mark.parametrize(
    ("doc", "name", "level"),
    [
        ("A crossing.", "departs", Level.INFO),
        ("A crossing. Its time never changes, and is not moved to an earlier one.", "departs", Level.INFO),
        ("Where a ferry was. Positions come over a satellite, earlier or later.", "seen", None),
        ("A crossing. Its berth may be changed.", "leaves", None),
        ("The forecast of a crossing; forecasts are revised each hour.", "issued", None),
        ("A booked crossing, and where it is. It may be rescheduled.", "at", None),
        ("A planned crossing, as it was reported last; plans may change.", "reported", None),
        ("A crossing that nobody has planned; times are corrected by hand.", "left_at", None),
    ],
)
def test_what_has_happened_or_stays_is_the_time_of_its_cells(
    doc: str, name: str, level: Level | None
) -> None:
    """Of a time that is only called like one to come, the rule asks."""
    assert [each.level for each in found(crossing(doc, name), "COL009")] == ([level] if level else [])


@pytest.mark.parametrize(
    "doc",
    [
        "The last 200 songs, to which each new one is appended and the oldest dropped.",
        "The last 200 songs; each song is added to the end.",
        "The newest 200 songs. Every new song is pushed, and the oldest goes.",
        "The 200 latest songs, to which what was played is added.",
        "The last 200 songs. A new song goes to the end of the list.",
        "The last 200 songs. Each phone rewrites the songs when one is played.",
        "The last 200 songs, a list that is updated in place by each like.",
    ],
)
def test_a_list_to_which_each_event_is_appended_is_put_back_by_many(doc: str) -> None:
    """Nobody is named who would be the only one; of the last so many, the service keeps versions."""
    (told,) = found(said(doc.replace("what was", "each song that was")), "COL009")
    assert (
        '`bt.family("p2", gc=bt.max_versions(200))`, `songs: bt.History[dict[str, str]] = bt.history("songs", p2, size=60)`'
        in told.fix
    )
    (made,) = told.models
    assert found(made, "COL009") == []


@pytest.mark.parametrize(
    "doc",
    [
        "The last 200 songs, to which one worker appends: each new one is added to the end.",
        "The last 200 songs, to which somebody listened.",
        "The last 200 songs; the list is replaced as a whole, as each new song is added to the end.",
        "The chart to which a playlist belongs is added later.",
    ],
)
def test_a_list_with_one_writer_is_appended_to_safely(doc: str) -> None:
    """Or one that is replaced, or something else that is added."""
    assert found(said(doc), "COL009") == []
