"""How densely models fill their tables: the arithmetic of rates."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.codecs.cell import Int64
from btmodel.codecs.key import DateText, Text
from btmodel.estimates import events_in, events_of_row, missing, pace, row_size, uncounted, writers
from btmodel.lint import review, review_all
from btmodel.schema import (
    Bucket,
    Column,
    Derived,
    Expected,
    Family,
    KeyField,
    ModelSchema,
    Rate,
    RowKey,
    Shape,
)
from btmodel.schema.gc import max_versions

DAY = timedelta(days=1)
HISTORY = Column("hits", "f", b"h", Int64(), False, Shape.HISTORY)


def model(
    events: str | None,
    cardinality: int | None,
    bucket: Bucket = Bucket.DAY,
    versions: int = 100,
    **changes: object,
) -> ModelSchema:
    """Events of a writer, in rows of a bucket."""
    granularity = {Bucket.DAY: "%Y%m%d", Bucket.MONTH: "%Y%m"}[bucket]
    values: dict[str, object] = {
        "name": "Hits",
        "module": "m",
        "doc": "",
        "table": "HITS",
        "key": RowKey(
            (KeyField("user", Text(max_length=9), cardinality), KeyField("day", DateText(granularity))), b"#"
        ),
        "families": (Family("f", max_versions(versions)),),
        "columns": (HISTORY,),
        "events": events and Rate.parse(events),
        "bucket": bucket,
    }
    return ModelSchema(**(values | changes))  # type: ignore[arg-type]


@given(st.integers(1, 3_000), st.integers(1, 500))
def test_whole_numbers_of_events_stay_whole(of_one: int, rows: int) -> None:
    """So many events a day of each of some rows are just so many in a row of a day, and not one more."""
    assert events_of_row(model(f"{of_one * rows}/day", rows), HISTORY) == of_one


@given(st.integers(1, 100_000))
def test_the_events_of_a_time_are_those_of_its_intervals(count: int) -> None:
    """A day holds as many events as intervals of their distance fit in it."""
    assert events_in(DAY, count / DAY.total_seconds()) == count


def test_a_declared_interval_counts_before_the_rate_of_the_table() -> None:
    """What one row is declared to get is not computed from averages."""
    column = Column(
        "hits", "f", b"h", Int64(), False, Shape.HISTORY, expected=Expected(every=timedelta(minutes=1))
    )
    assert pace(model("1/day", 5), column) == 1 / 60
    assert events_of_row(model("1/day", 5), column) == 1_440


@pytest.mark.parametrize("bucket", [Bucket.DAY, Bucket.MONTH])
@given(
    events=st.one_of(st.none(), st.sampled_from(["1000000000000/s", "2000000/s", "1/week"])),
    cardinality=st.one_of(st.none(), st.sampled_from([1, 400, 600, 10**6, 10**18])),
)
def test_the_review_comes_to_an_end_whatever_the_figures(
    bucket: Bucket, events: str | None, cardinality: int | None
) -> None:
    """No figure that can be declared, and none that is missing, keeps a rule from its work."""
    odd = model(events, cardinality, bucket)
    review(odd)
    found = {finding.rule for finding in review_all([odd])}
    if events is None and (cardinality or 1) <= 10**6:
        assert "FIG001" in found
    assert found <= {"FIG001", "FAM006", "KEY001", "KEY003", "KEY017", "ROW002", "COL003"}


def test_a_hash_of_a_column_counts_by_the_values_of_the_column() -> None:
    """Rows that a hash of a column tells apart cannot be counted without its cardinality, and that is told."""
    hashed = KeyField("id", Text(max_length=32), derived=Derived(("url",), str))

    def hits(cardinality: int | None) -> ModelSchema:
        url = Column("url", "f", b"u", Int64(), True, expected=Expected(cardinality=cardinality))
        key = RowKey((hashed, KeyField("day", DateText())), b"#")
        return model("1000/s", None, key=key, columns=(url, HISTORY))

    unknown = hits(None)
    assert (writers(unknown), uncounted(unknown)) == (None, ("url",))
    assert "`cardinality` of `url`" in missing(unknown)
    assert row_size(unknown).usual.value is None
    assert writers(hits(50)) == 50
    assert events_of_row(hits(50), HISTORY) == 20 * 86_400
