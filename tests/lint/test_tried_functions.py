"""What functions of derived fields do is tried: they climb with numbers, keep an order, put texts together, or show a clock that is set back."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from attrs import evolve

from btmodel.codecs.cell import Int64, Utf8
from btmodel.codecs.cell import IsoTime as IsoTimeCell
from btmodel.codecs.key import DateText, EpochMillis, HexDigest, PaddedInt, Text
from btmodel.lint import Finding, Level, review
from btmodel.schema import Bucket, Column, Derived, KeyField, ModelSchema, Rate

Make = Callable[..., ModelSchema]
Function = Callable[..., Any]
DOOR = KeyField("door", Text(width=8), 3_000)
NUMBER = KeyField("number", PaddedInt(12), 1_000_000_000, sequential=True)
FAST = Rate.parse("20000/s")


def found(model: ModelSchema, rule: str) -> list[Finding]:
    return [finding for finding in review(model) if finding.rule == rule]


def made(by: Function, *of: str, codec: Any = None, name: str = "made") -> KeyField:
    return KeyField(name, codec or Text(max_length=90), derived=Derived(of, by))


def texts(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, "data", name.encode(), Utf8(), True) for name in names)


@pytest.mark.parametrize(
    ("by", "codec"),
    [
        (lambda number: number // 100_000, PaddedInt(7)),
        (lambda number: number >> 12, PaddedInt(12)),
        (lambda number: f"{number:012d}"[:8], Text(width=8)),
        (lambda number: 999_999_999_999 - number, PaddedInt(12)),
        (lambda number: str(number).zfill(12)[:7], Text(width=7)),
        (lambda number: f"b{number // 1_000:09d}", Text(width=10)),
    ],
)
def test_what_is_made_of_numbers_in_sequence_climbs_with_them(
    a_model: Make, by: Function, codec: Any
) -> None:
    """A part of such a number spreads nothing, whatever is between; without it, its digits are to be written backwards."""
    block = made(by, "number", codec=codec, name="block")
    (finding,) = found(a_model(block, NUMBER, events=FAST), "KEY002")
    assert finding.level is Level.ERROR
    assert finding.fix.startswith("leave out `block`, and write its digits backwards: `number`")
    (finding,) = found(a_model(block, DOOR, NUMBER, events=FAST), "KEY002")
    assert finding.fix.startswith("leave out `block`")
    assert found(a_model(block, DOOR, NUMBER, events=FAST), "KEY004") == []
    assert found(a_model(block, NUMBER, events=Rate.parse("3/day")), "KEY002") == []


@pytest.mark.parametrize(
    ("by", "codec"),
    [
        (lambda number: number % 1_000, PaddedInt(3)),
        (lambda number: number % 1_000_000, PaddedInt(6)),
        (lambda number: int(str(number)[::-1]), PaddedInt(13)),
        (lambda number: (number * 2_654_435_761) % 2**32, PaddedInt(10)),
        (lambda number: 7, PaddedInt(1)),
    ],
)
def test_what_has_another_order_than_its_numbers_does_not_climb(
    a_model: Make, by: Function, codec: Any
) -> None:
    """A remainder, the digits backwards, a hash."""
    block = made(by, "number", codec=codec, name="block")
    assert found(a_model(block, NUMBER, events=FAST), "KEY002") == []


def test_a_column_that_is_called_like_a_counter_is_one(a_model: Make) -> None:
    """Its name is a hint, and so a warning; the fix puts the number itself into the key, backwards."""
    block = made(lambda number: number // 1_000, "order_number", codec=PaddedInt(9), name="block")
    columns = (Column("order_number", "data", b"n", Int64(), True), *texts("buyer"))
    model = a_model(block, events=Rate.parse("5000/s"), columns=columns)
    (finding,) = found(model, "KEY002")
    assert finding.level is Level.WARNING
    assert "keep `order_number` in the place of `block`, and " in finding.fix
    quiet = evolve(model, columns=(Column("weight", "data", b"n", Int64(), True), *texts("buyer")))
    named = evolve(
        quiet,
        key=evolve(
            quiet.key, fields=(made(lambda n: n // 1_000, "weight", codec=PaddedInt(9), name="class"),)
        ),
    )
    assert found(named, "KEY002") == []


@pytest.mark.parametrize(
    ("by", "hashed"),
    [
        (lambda site: site[:3], False),
        (lambda site: site.ljust(40)[:40], False),
        (lambda site: site[::-1], True),
        (lambda site: f"{len(site):02d}", True),
        (lambda site: str(sum(map(ord, site)) * 7919 % 997), True),
    ],
)
def test_the_beginning_of_a_text_is_no_hash(a_model: Make, by: Function, hashed: bool) -> None:
    """It sorts as the text does, also one of a fixed width; letters in another order, or a number of them, do not."""
    code = KeyField("site", Text(width=4), 30_000)
    assert bool(found(a_model(made(by, "site", name="front"), code), "KEY004")) is hashed
    assert bool(found(a_model(made(by, "site"), columns=texts("site")), "KEY004")) is hashed


@pytest.mark.parametrize(
    ("by", "doc", "level"),
    [
        (lambda a, b: f"{a}-{b}", "Names are letters, digits and hyphens.", Level.ERROR),
        (lambda a, b: f"{a}-{b}".lower(), "A name may hold dashes.", Level.ERROR),
        (lambda a, b: f"{b}_{a}", "Names are words with underscores.", Level.ERROR),
        (lambda a, b: "/".join(("v1", a, b)), "A path may have slashes.", Level.ERROR),
        (lambda a, b: f"{a}.{b}", "Names hold `.` and letters.", Level.ERROR),
        (lambda a, b: a + b, "", Level.ERROR),
        (lambda a, b: a.upper() + b.upper(), "Letters only.", Level.ERROR),
        (lambda a, b: f"{a}-{b}", "", Level.WARNING),
        (lambda a, b: f"{a}--{b}", "", Level.WARNING),
        (lambda a, b: f"{a}-{b}", "Names never hold a hyphen.", None),
        (lambda a, b: f"{a}-{b}", "Hyphens are not allowed in names.", None),
        (lambda a, b: f"{a}/{b}", "Names are letters, digits and hyphens.", None),
        (lambda a, b: f"{a}-{b}", "Words without hyphens.", None),
        (lambda a, b: f"{a}-{b}", "Names are of letters and digits.", None),
        (lambda a, b: f"{a}-{b}", "Letters of a company to its customers.", Level.WARNING),
        (lambda a, b: f"{a}.{b}", "Points of a team in a period.", Level.WARNING),
        (lambda a, b: f"{a} {b}", "Parking spaces.", Level.WARNING),
        (lambda a, b: f"{a}#{b}", "A hash of both.", Level.WARNING),
        (lambda a, b: f"{a.replace('-', '--')}-{b}", "", Level.WARNING),
        (lambda a, b: f"{a.replace('~', '~0').replace('-', '~1')}-{b}", "Names hold hyphens.", None),
        (lambda a, b: f"{len(a):03d}{a}{b}", "", None),
        (lambda a, b: f"{a:20}{b:20}", "", None),
    ],
)
def test_texts_that_are_put_together_can_be_taken_apart(
    a_model: Make, by: Function, doc: str, level: Level | None
) -> None:
    """Or two rows are one; the finding shows which, and the fix makes them fields, of which btmodel sees the ends."""
    model = a_model(made(by, "owner", "project"), columns=texts("owner", "project", "title"), doc=doc)
    told = found(model, "KEY008")
    assert [one.level for one in told] == ([] if level is None else [level])
    assert all("`{owner}#{project}`" in one.fix and " and so do " in one.message for one in told)
    assert found(model, "KEY004") == []


def test_numbers_end_where_no_digit_follows(a_model: Make) -> None:
    """A number holds no hyphen, and one of fixed width needs none; digits behind digits are one number."""
    columns = (
        *texts("shop", "title"),
        *(Column(n, "data", n.encode(), Int64(), True) for n in ("till", "line")),
    )

    def told(by: Function, *of: str) -> list[Finding]:
        return found(a_model(made(by, *of), columns=columns), "KEY008")

    assert told(lambda shop, till: f"{shop}-{till}", "shop", "till") == []
    assert told(lambda shop, till: f"{shop}{till:06d}", "shop", "till") == []
    assert told(lambda till, line: f"{till}:{line}", "till", "line") == []
    assert told(lambda till, line: f"{till}{line}", "till", "line") != []
    assert told(lambda shop, till: f"{shop}{till}", "shop", "till") != []


def test_what_stands_in_the_key_besides_is_known(a_model: Make) -> None:
    """Where one of two texts ends is seen by the other one, or by its width; and a hash of both is none of them."""
    joined = made(lambda owner, project: f"{owner}-{project}", "owner", "project")
    owner = KeyField("owner", Text(max_length=40), 10_000)
    assert found(a_model(joined, owner, columns=texts("project", "title")), "KEY008") == []
    digest = made(lambda owner, project: f"{hash((owner, project)):x}", "owner", "project")
    assert found(a_model(digest, columns=texts("owner", "project", "title")), "KEY008") == []


def test_who_identifies_a_person_is_not_put_into_the_key(a_model: Make) -> None:
    """Then only words say how the parts are kept apart."""
    joined = made(lambda email, site: f"{email}{site}", "email", "site")
    (finding,) = found(a_model(joined, columns=texts("email", "site", "title")), "KEY008")
    assert finding.fix.startswith("put `email`, `site` together so that each ends")


def wall(zone: str, text: str) -> Function:
    return lambda at: at.astimezone(ZoneInfo(zone)).strftime(text)


def at_door(part: KeyField, a_model: Make, *behind: KeyField, **changes: Any) -> ModelSchema:
    columns = (Column("at", "data", b"at", IsoTimeCell(), True), *texts("who"))
    values: dict[str, Any] = {"columns": columns, "events": Rate.parse("40/min")}
    return a_model(DOOR, part, *behind, **(values | changes))


@pytest.mark.parametrize(
    ("by", "unit"),
    [
        (wall("Europe/Berlin", "%Y%m%d%H%M"), "%Y%m%d%H%M"),
        (wall("America/New_York", "%Y-%m-%d %H:%M:%S"), "%Y%m%d%H%M%S"),
        (wall("America/Santiago", "%Y%m%d%H"), "%Y%m%d%H"),
        (wall("Australia/Sydney", "%Y/%j/%H%M"), "%Y%m%d%H%M"),
        (lambda at: int(at.astimezone(ZoneInfo("Europe/Paris")).strftime("%Y%m%d%H%M")), "%Y%m%d%H%M"),
        (lambda at: at.astimezone(ZoneInfo("Africa/Cairo")).replace(tzinfo=None).isoformat(), "%Y%m%d%H%M%S"),
    ],
)
def test_an_hour_that_comes_twice_is_two(a_model: Make, by: Function, unit: str) -> None:
    """A clock on the wall shows it twice, in whatever zone it is set back; the fix is the time in UTC."""
    (finding,) = found(at_door(made(by, "at", name="shown"), a_model), "KEY024")
    assert finding.level is Level.ERROR
    assert f'`at: datetime = bt.key(bt.TimeText("{unit}")' in finding.fix
    assert "`{door}#{at}`" in finding.fix


@pytest.mark.parametrize(
    "by",
    [
        wall("UTC", "%Y%m%d%H%M"),
        wall("Asia/Tokyo", "%Y%m%d%H%M"),
        wall("Asia/Kolkata", "%Y%m%d%H%M"),
        wall("Europe/Berlin", "%Y%m%d%H%M%z"),
        wall("Europe/Berlin", "%Y-%m-%d"),
        wall("Europe/Berlin", "%H"),
        wall("Europe/Berlin", "%A %H:%M"),
        lambda at: (at + timedelta(hours=2)).strftime("%Y%m%d%H%M"),
        lambda at: int(at.timestamp()) // 3600,
        lambda at: f"{at:%Y%m%d%H}".zfill(12)[:99] if at.year < 2030 else 1 / 0,
    ],
)
def test_a_clock_that_is_never_set_back_shows_each_hour_once(a_model: Make, by: Function) -> None:
    """Nor are days or hours of the day lost, nor is a time with its offset; of a function that refuses a time nothing is known."""
    assert found(at_door(made(by, "at", name="shown"), a_model), "KEY024") == []


def test_rows_that_differ_otherwise_are_out_of_order_alone(a_model: Make) -> None:
    """Behind an id, and in a row that collects the events of both hours; with the time itself in the key, nothing is wrong."""
    shown = made(wall("Europe/Berlin", "%Y%m%d%H%M"), "at", name="shown")
    ticket = KeyField("ticket", HexDigest(8), 100_000_000)
    lane = KeyField("lane", PaddedInt(2), 12)
    assert [one.level for one in found(at_door(shown, a_model, ticket), "KEY024")] == [Level.WARNING]
    assert [one.level for one in found(at_door(shown, a_model, lane), "KEY024")] == [Level.ERROR]
    assert found(at_door(shown, a_model, KeyField("at", EpochMillis()), columns=texts("who")), "KEY024") == []
    day = KeyField("day", DateText())
    assert [one.rule for one in found(at_door(shown, a_model, day), "KEY024")] == ["KEY024"]


@pytest.mark.parametrize(
    ("name", "doc", "flagged"),
    [
        ("minute", "By the minute of the clock on the wall.", True),
        ("local_time", "A visit. Times are local times of the shop.", True),
        ("written_at", "Entries, by wall-clock time.", True),
        ("hour", "Sums of an hour, in the time zone of the shop.", True),
        ("minute", "By the minute, in UTC; local time is computed where it is shown.", False),
        ("local_time", "Local time with its offset, such as +02:00.", False),
        ("minute", "Sums of a minute.", False),
        ("day", "The local time decides of which day a row is.", False),
        ("code", "Calls are answered in local time.", False),
    ],
)
def test_a_text_is_a_local_time_where_the_description_says_so(
    a_model: Make, name: str, doc: str, flagged: bool
) -> None:
    """Unless it speaks of UTC or an offset, or the field is no moment."""
    told = found(at_door(KeyField(name, Text(width=12)), a_model, doc=doc), "KEY024")
    assert [one.level for one in told] == [Level.WARNING] * flagged
    assert found(at_door(KeyField(name, Text(width=5)), a_model, doc=doc), "KEY024") == []


def test_a_clock_is_found_beside_other_values(a_model: Make) -> None:
    """They become fields of the key, as the time does."""
    by = wall("Europe/Berlin", "%Y%m%d%H%M")
    both = made(lambda lane, at: f"{lane}.{by(at)}", "lane", "at", name="shown")
    columns = (Column("at", "data", b"at", IsoTimeCell(), True), *texts("lane", "who"))
    (finding,) = found(at_door(both, a_model, columns=columns), "KEY024")
    assert "`{door}#{lane}#{at}`" in finding.fix
    utc = made(lambda lane, at: f"{lane}.{at:%Y%m%d%H%M}", "lane", "at", name="shown")
    assert found(at_door(utc, a_model, columns=columns), "KEY024") == []


def test_a_bucket_takes_the_events_of_both_hours(a_model: Make) -> None:
    """They have times of their own there, so none is lost."""
    shown = made(wall("Europe/Berlin", "%Y%m%d%H"), "at", name="shown")
    model = at_door(shown, a_model)
    assert [one.level for one in found(evolve(model, bucket=Bucket.HOUR), "KEY024")] == [Level.WARNING]
