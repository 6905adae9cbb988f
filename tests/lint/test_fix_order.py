"""Fixes of several findings on one model can be followed one after the other."""

from collections.abc import Callable
from datetime import datetime
from enum import Enum
from uuid import UUID

from documented import findings

import btmodel as bt
from btmodel.lint import Finding, Level


class Stage(Enum):
    NEW = "new"
    DONE = "done"


def reading() -> object:
    class Reading(bt.Model, table="reading", events="2000/s"):
        """A meter reading. Dispatch lists the readings of a district. Two readings of a meter may come in one second."""

        meter: int = bt.key(bt.PaddedInt(9), cardinality=3_000_000, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds())

        c = bt.family("c", gc=bt.max_age(days=400))
        district: str = bt.column("d", c, max_size=12, cardinality=900)
        wh: int = bt.column("wh", c)

        of_meter = bt.query("meter", between="at")

    return Reading


def job() -> object:
    class Job(bt.Model, table="job", events="80/s"):
        """A print job."""

        stage: Stage = bt.key(bt.EnumText(Stage))
        created: datetime = bt.key(bt.EpochMillis())
        job: UUID = bt.key(bt.UuidText())

        j = bt.family("j", gc=bt.max_versions(1))
        pages: int = bt.column("pages", j)

        todo = bt.query("stage", between="created")
        one = bt.query("job")

    return Job


def member() -> object:
    class Member(bt.Model, table="member"):
        """A member."""

        office: str = bt.key(bt.Text(width=4), cardinality=900)
        email: str = bt.key(bt.Text(max_length=60), cardinality=90_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        shop: UUID = bt.column("s", c, codec=bt.AsInKey(bt.UuidText()))
        cents: int = bt.column("cents", c)

        one = bt.query("office", "email")
        of_shop = bt.query("shop")

    return Member


def by_rule(declare: Callable[[], object]) -> dict[str, Finding]:
    return {one.rule: one for one in findings(declare)}


def test_a_second_table_has_the_key_that_another_fix_leads_to() -> None:
    """Rows that share a key now would share one there, too: the id that tells them apart comes first."""
    found = by_rule(reading)
    assert found["KEY017"].fix.endswith("`{meter}#{at}#{id}`")
    assert found["QRY008"].fix.startswith("after the fix of KEY017, declare")
    assert "`{district}#{meter}#{at}#{id}` serves it" in found["QRY008"].fix
    first, second = found["QRY008"].models
    assert (first.key.shape, second.key.shape) == ("{meter}#{at}#{id}", "{district}#{meter}#{at}#{id}")


def test_a_person_is_in_no_second_table_either() -> None:
    """What leaves the key is not in that of a table which another finding proposes."""
    found = by_rule(member)
    assert "`{office}#{person_id}`" in found["KEY010"].fix
    assert found["QRY001"].fix.startswith("after the fix of KEY010, make `shop` part of the key")
    assert "`{shop}#{office}#{person_id}` serves it" in found["QRY001"].fix
    assert "email" not in found["QRY001"].fix


def test_a_table_that_another_fix_makes_needless_is_an_alternative() -> None:
    """A state that leaves the key leaves one that serves the other query, too."""
    found = by_rule(job)
    assert "`{job}#{created}`" in found["KEY021"].fix
    said = "the fix of KEY021 settles it, too: the key is then `{job}#{created}`; or, in its place, also write the rows"
    assert found["QRY001"].fix.startswith(said)
    assert [made.key.shape for made in found["QRY001"].models] == ["{job}#{created}"]


def test_what_does_not_touch_the_key_stays_as_it_is_said() -> None:
    """An age of a family is nothing that a second table is named by."""

    def declared() -> object:
        class Claim(bt.Model, table="claim", events="40/s"):
            """A claim. An adjuster opens the claims assigned to her. Kept for seven years."""

            policy: int = bt.key(bt.PaddedInt(9), cardinality=40_000_000, sequential=False)
            opened: datetime = bt.key(bt.EpochMillis())

            c = bt.family("c", gc=bt.max_versions(1))
            adjuster: int = bt.column("adj", c, cardinality=2_000)
            cents: int = bt.column("cents", c)

            of_policy = bt.query("policy")

        return Claim

    found = by_rule(declared)
    assert {"FAM010", "QRY008"} <= found.keys()
    assert found["QRY008"].fix.startswith("declare `by_adjuster = ")


def grade() -> object:
    class Grade(bt.Model, table="GRADE", events="20/s"):
        """A grade of a pupil. Parents ask for those of a pupil."""

        term: str = bt.key(bt.Text(max_length=8), cardinality=6)
        course: str = bt.key(bt.Text(max_length=20), cardinality=4_000)
        pupil: str = bt.key(bt.Text(max_length=20), cardinality=300_000)

        g = bt.family("g", gc=bt.max_versions(1))
        mark: int = bt.column("mark", g)

        of_course = bt.query("term", "course")
        of_pupil = bt.query("pupil", "term")

    return Grade


def test_a_query_that_is_declared_and_described_may_move() -> None:
    """What the description asks for is served by the second table, as the declared query is."""
    found = by_rule(grade)
    assert "brings another fault" not in found["QRY001"].fix
    first, second = found["QRY001"].models
    assert [query.name for query in second.queries] == ["of_pupil"]
    assert first.key.shape == "{term}#{course}#{pupil}"


def test_advice_on_rows_that_exist_says_what_is_written_again() -> None:
    """A second table is empty until they are copied; a GC rule is changed in place, so it stays a warning without a cost."""

    class Parcel(bt.Model, table="PARCEL", events="50/s", existing=True):
        """A parcel. Support looks a parcel up by the tracking number. Kept for a year."""

        id: UUID = bt.key(bt.UuidText(), cardinality=90_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        tracking: str = bt.column("t", p, max_size=20)
        grams: int = bt.column("g", p)

        one = bt.query("id")

    found = by_rule(lambda: Parcel)
    assert "once a data step has copied them" in found["QRY008"].fix
    assert (found["FAM010"].level, found["FAM010"].cost) == (Level.WARNING, None)


def test_a_reversed_time_takes_what_the_time_took() -> None:
    """A codec that rounds is exchanged for one that does."""

    class Message(bt.Model, table="MESSAGE", events="50/s"):
        """A message."""

        box: str = bt.key(bt.HexDigest(8), cardinality=900_000)
        received: datetime = bt.key(bt.EpochMillis(round=True))
        number: str = bt.key(bt.HexDigest(4))

        m = bt.family("m", gc=bt.max_age(days=90))
        text: str = bt.column("t", m, size=90)

        inbox = bt.query("box", between="received", newest=True)

    found = by_rule(lambda: Message)
    assert "`bt.ReversedMillis(round=True)`" in found["KEY015"].fix
