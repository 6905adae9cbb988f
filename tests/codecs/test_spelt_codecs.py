"""Codecs as code: whatever was recorded of one, code of a migration can make again."""

from typing import Any

import pytest
from btmodel_codegen.attribute_code import types_of
from btmodel_codegen.literals import codec_code
from btmodel_codegen.naming import classes
from key_cases import CASES as KEYS
from test_cell_codecs import CASES as CELLS

import btmodel as bt
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.recorded.layouts import enums_of, recorded_codec
from btmodel.schema import Column, KeyField
from btmodel.schema.layout import codec_text

# Those that can be made of their recorded texts; enums and functions have names of their own, and a constant a function of its own.
SPELT = {
    name: made
    for name, codec in {
        **{f"key: {name}": case.codec for name, case in KEYS.items()},
        **{f"cell: {name}": codec for name, (codec, _) in CELLS.items()},
    }.items()
    if (made := recorded_codec(codec_text(codec))) is not None
    and not any(enums_of(made))
    and not isinstance(made, Constant)
}


@pytest.mark.parametrize("name", SPELT)
def test_codecs_are_spelt_as_they_are_made(name: str) -> None:
    """The expression of a codec makes one of the same text, with the types that are imported for it."""
    codec: Any = SPELT[name]
    part = KeyField("x", codec) if isinstance(codec, KeyCodec) else Column("x", "f", b"x", codec, True)
    imported = {one.__name__: one for one in classes(types_of(part))}
    assert codec_text(eval(codec_code(codec), {"bt": bt, **imported})) == codec_text(codec)


def test_most_codecs_are_spelt() -> None:
    """So the test above is not empty."""
    assert len(SPELT) > 60
