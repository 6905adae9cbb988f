"""Tables with a record of their migrations: it is taken where all rows agree, and else they are guessed."""

from pathlib import Path

from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.guess import SampledRow, TableSample
from btmodel.rows import Cell
from btmodel.schema import CellLayout, Family, KeepAll, KeyPart, Layout, Table, layout_of
from tests.guess.live_tables import changes, declared, live_tables
from tests.guess.test_what_is_guessed_holds import reads
from tests.schemas import RandomKey, random_keys

_SETTINGS = settings(
    max_examples=2 * settings().max_examples,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
_CODECS = st.sampled_from(
    [
        "Text(max_length=9)",
        "Bytes(max_length=60, min_length=0, holds_delimiter=True)",
        "Int(max_digits=9)",
        "PaddedInt(digits=1) by salt of a in (1, 2)",
        "Mine()",
        "EnumText(enum=Side(BUY='B'))",
        "Text(width=2) or nothing",
        "Constant(text='a')",
        "",
    ]
)
_CELLS = st.sampled_from(
    [
        "value Raw()",
        "value Utf8()",
        "history Int64()",
        "value EnumValue(enum=Side(BUY='B'), value=Utf8())",
        "value Json(of=Size)",
        "mapping Raw() Bytes(max_length=60, min_length=0)",
        "members Present() Text(max_length=4)",
        "marks Present() Week(origin=datetime.date(2021, 3, 1))",
        "slots Utf8() SlotFormat(text='%H', every=datetime.timedelta(seconds=3600), bucket=Bucket.DAY)",
        "counter Int64()",
        "counts Int64() Spans(every=datetime.timedelta(seconds=3600))",
        "counts Int64()",
        "histories Int64() Text(max_length=4)",
        "timed Utf8() Text(max_length=4)",
        "value Compressed(codec=Json(of=dict))",
        "nothing",
    ]
)


@st.composite
def recorded_tables(draw: st.DrawFn) -> TableSample:
    """A live table with a record that may be of it, or of something else."""
    sample = draw(live_tables())
    places = [
        f"{cell.family}:{cell.qualifier.decode(errors='backslashreplace')}"
        for row in sample.rows
        for cell in row.cells
    ]
    places += [f"{family.id}:x..." for family in sample.table.families] + ["gone:x", "odd"]
    layouts = []
    for name in draw(st.lists(st.sampled_from(["Quote", "class", "bt", "A_b"]), max_size=2, unique=True)):
        key = [
            KeyPart(draw(_CODECS), draw(st.sampled_from(["#", "", "::"])), part)
            for part in draw(
                st.lists(st.sampled_from(["a", "b", "class", "md", "date"]), max_size=3, unique=True)
            )
        ]
        cells = [
            CellLayout(place, draw(_CELLS))
            for place in draw(st.lists(st.sampled_from(places), max_size=4, unique=True))
        ]
        layouts.append(Layout(name, tuple(key), tuple(cells)))
    return evolve(sample, layouts=tuple(layouts))


@_SETTINGS
@given(sample=recorded_tables())
def test_any_record(tmp_path: Path, sample: TableSample) -> None:
    """Whatever is recorded, the module imports, every row is read, and the tables are as they are."""
    [guess], models, _ = declared(tmp_path, [sample])
    assert guess.models or guess.undeclared
    assert changes(models, [evolve(sample.table)]) == ()
    for row in sample.rows:
        assert not guess.models or any(reads(model, row) for model in models)
    for guessed, model in zip(guess.models, models, strict=True):
        assert layout_of(guessed.schema) == layout_of(bt.schema_of(model))


@_SETTINGS
@given(key=random_keys(), seed=st.integers(0, 2**32), count=st.integers(0, 20))
def test_a_record_of_the_table(tmp_path: Path, key: RandomKey, seed: int, count: int) -> None:
    """A key that was recorded is declared as it was, whatever it is, but for functions and enums."""
    layout = layout_of(key.model)
    cells = (Cell("f", b"c", 0, b"x"),)
    rows = tuple(SampledRow(raw, cells) for raw in sorted(key.rows(seed, count)))
    sample = TableSample(Table("t", (Family("f", KeepAll()),)), rows, True, "", (layout,))
    [guess], [model], _ = declared(tmp_path, [sample])
    for row in rows:
        assert reads(model, row)
    if guess.notes:  # the review refuses it: of a design that nobody could have declared
        return
    found = layout_of(bt.schema_of(model))
    for part, was in zip(found.key, layout.key, strict=True):
        assert part.codec == was.codec.partition(" by ")[0] or "enum=" in was.codec
    assert [part.behind for part in found.key] == [part.behind for part in layout.key]
    assert [part.name for part in found.key] == [part.name for part in layout.key]
