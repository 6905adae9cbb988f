"""ROW002 where a family keeps many versions of large values."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from btmodel.schema import GcRule, Rate
from tests.lint.parts import found

SIXTY = bt.max_versions(60)


def told(doc: str, gc: GcRule = SIXTY, size: int = 1_200_000, most: int = 3_000_000) -> list[Finding]:
    """What ROW002 says of parts with a small price and a large manual in one family."""

    class Part(bt.Model, table="PART", events="400000/day"):
        __doc__ = doc

        part: str = bt.key(bt.Text(width=12), cardinality=400_000)

        d = bt.family("d", gc=gc)
        cents: int = bt.column("cents", d)
        manual: bytes = bt.column("manual", d, size=size, max_size=most)

        one = bt.query("part")

    return found(bt.schema_of(Part), "ROW002")


UNWANTED = [
    ("A part. The shop draws the last 60 prices, and serves the newest manual.", SIXTY, Level.WARNING),
    ("A part; of the manual, only the latest is shown.", SIXTY, Level.WARNING),
    ("A part, with its current manual.", bt.max_versions(40) | bt.max_age("90d"), Level.WARNING),
    ("A part. The shop draws the last 60 prices.", SIXTY, Level.INFO),
    ("A part.", SIXTY, Level.INFO),
    ("A part.", bt.max_versions(90), Level.WARNING),  # 103 MiB of usual size
    ("A part, and all manuals that it ever had.", bt.max_versions(90), Level.WARNING),
]


@pytest.mark.parametrize(("doc", "gc", "level"), UNWANTED)
def test_old_versions_of_large_values_are_found(doc: str, gc: GcRule, level: Level) -> None:
    """A family of its own keeps fewer, and ends them at the same age."""
    (one,) = told(doc, gc)
    assert one.level is level
    assert "versions of `manual`" in one.message
    assert "give `manual` a family of its own" in one.fix
    kept = "bt.max_versions(34)" if "ever" in doc else "bt.max_versions(1)"
    assert f'bt.family("d2", gc={kept}{" | bt.max_age(days=90)" if "current" in doc else ""})' in one.fix
    assert one.models


WANTED = [
    ("A part and its manual; the workshop goes back to all drafts.", SIXTY),
    ("A part. The shop compares the last 60 manuals.", SIXTY),
    ("A part, with undo.", SIXTY),
    ("A part, its manual, and earlier versions of both.", SIXTY),
    ("A part and its newest manual.", bt.max_versions(1)),
    ("A part and its newest manual.", bt.max_versions(3)),
    ("A part, written once, with its newest manual.", SIXTY),
    (
        "A part and its newest manual. The import writes it once a year.",
        bt.max_versions(60) | bt.max_age("30d"),
    ),
]


@pytest.mark.parametrize(("doc", "gc"), WANTED)
def test_versions_may_be_wanted_or_few(doc: str, gc: GcRule) -> None:
    """Where the description wants them, and the row has room for them, nothing is found."""
    assert told(doc, gc) == []


def test_small_values_may_have_versions() -> None:
    """They are no burden."""
    assert told("A part and its newest manual.", SIXTY, 20_000, 90_000) == []


def test_the_largest_values_are_counted_with_their_versions() -> None:
    """A row whose drafts may have more than 256 MiB cannot be read; the fix keeps as many as there is room for."""
    (one,) = told("A part and all drafts of its manual.", SIXTY, 500_000, 6_000_000)
    assert one.level is Level.WARNING
    assert "cannot be read in full" in one.why
    assert "keeps 17 versions" in one.fix


def test_large_values_alone_in_their_family_are_meant() -> None:
    """Unless the description says that the newest is read."""

    def alone(doc: str) -> list[Finding]:
        class Leaflet(bt.Model, table="LEAFLET", events="10/s"):
            __doc__ = doc

            leaflet: str = bt.key(bt.Text(width=12), cardinality=400_000)

            d = bt.family("d", gc=bt.max_versions(30))
            scan: bytes = bt.column("scan", d, size=1_200_000, max_size=3_000_000)

            one = bt.query("leaflet")

        return found(bt.schema_of(Leaflet), "ROW002")

    assert alone("A leaflet.") == []
    (one,) = alone("A leaflet, of which the newest scan is shown.")
    assert 'keep the newest version: `bt.family("d", gc=bt.max_versions(1))`' in one.fix


class Shown(bt.Model, table="SHOWN", events="5000/s"):
    """What a viewer is shown."""

    viewer: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)

    r = bt.family("r", gc=bt.max_versions(10))
    ranked: bytes = bt.column("r", r, size=90_000, max_size=200_000)
    made_by: str = bt.column("m", r, size=12)

    one = bt.query("viewer")


@pytest.mark.parametrize(
    ("doc", "level", "says"),
    [
        ("The page shows what was computed last.", Level.WARNING, 'bt.family("r", gc=bt.max_versions(1))'),
        ("The player reads only what was written most recently.", Level.WARNING, 'bt.family("r", gc='),
        ("Of the ranked, the newest is shown.", Level.WARNING, 'bt.family("r2", gc=bt.max_versions(1))'),
        ("What a viewer is shown.", Level.INFO, 'bt.family("r2", gc=bt.max_versions(1))'),
    ],
)
def test_old_versions_of_many_rows_are_a_burden_of_the_table(doc: str, level: Level, says: str) -> None:
    """However small each row is; a small value has no business in an object store."""
    (one,) = found(evolve(bt.schema_of(Shown), doc=doc), "ROW002")
    assert one.level is level
    assert "147 TiB of old ones in the table" in one.message
    assert says in one.fix
    assert "object store" not in one.fix
    assert one.models


def test_old_versions_of_few_rows_are_none() -> None:
    """Nor those that somebody wants."""
    shown = bt.schema_of(Shown)
    few = evolve(shown.key.fields[0], cardinality=200_000)
    doc = "The page shows what was computed last."
    fewer = evolve(shown, key=evolve(shown.key, fields=(few,)), doc=doc, events=Rate(5.0))
    assert found(fewer, "ROW002") == []
    assert found(evolve(shown, doc=f"{doc} The editors compare all versions of it."), "ROW002") == []
