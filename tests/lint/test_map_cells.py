"""QRY005 and QRY001 on rectangles: the fix keeps the exact places, and says what a cell is."""

from typing import Any

from btmodel.codecs.key import HexDigest, PaddedInt
from btmodel.schema import KeyField, Query
from tests.lint.parts import column, found


def test_the_exact_place_stays_beside_its_cell(a_model: Any) -> None:
    """A cell of nine characters is about 5 m wide; shorter prefixes are larger cells."""
    latitude = KeyField("latitude", PaddedInt(9), 100_000_000, sequential=False)
    id = KeyField("id", HexDigest(12), 200_000_000)
    model = a_model(
        latitude,
        id,
        columns=(column("longitude"),),
        queries=(Query("on_map", (), between="latitude", where=("longitude",)),),
    )
    (told,) = [one for rule in ("QRY005", "QRY001") for one in found(model, rule)]
    assert "in a cell of 9 characters, of about 5 m, and a prefix of fewer is a larger cell" in told.fix
    assert "keep the exact values as columns, `latitude`, `longitude`" in told.fix
    assert "in the place of" not in told.fix
    (made,) = told.models
    assert {"latitude", "longitude"} <= {one.name for one in made.columns}
