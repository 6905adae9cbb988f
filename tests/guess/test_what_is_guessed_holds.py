"""Whatever a table holds: what is written for it can be imported, changes nothing, and reads every row."""

from pathlib import Path

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.declare import codec_of
from btmodel.errors import BtmodelError
from btmodel.guess import SampledRow, TableSample
from btmodel.schema import layout_of
from tests.examples_tried import examples
from tests.guess.live_tables import changes, declared, live_tables


def reads(model: type[bt.Model], row: SampledRow) -> bool:
    """Whether the model reads the row, and writes its key as it was."""
    try:
        read = codec_of(model).decode(row.key, row.cells)
    except BtmodelError:
        return False
    return bt.key_of(read) == row.key


@examples(
    50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(samples=st.lists(live_tables(), min_size=1, max_size=2, unique_by=lambda one: one.table.id))
def test_any_table(tmp_path: Path, samples: list[TableSample]) -> None:
    """The module imports, a migration finds nothing to do, and every sampled row is read by a model of its table."""
    guesses, models, text = declared(tmp_path, samples)
    compile(text, "models.py", "exec")
    assert changes(models, [one.table for one in samples]) == ()
    for sample, guess in zip(samples, guesses, strict=True):
        assert guess.models or guess.undeclared
        own = [model for model in models if bt.schema_of(model).table == sample.table.id]
        for guessed, model in zip(guess.models, own, strict=True):
            assert layout_of(guessed.schema) == layout_of(bt.schema_of(model))
        for row in sample.rows:
            assert any(reads(model, row) for model in own)
