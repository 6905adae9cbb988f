"""A codec that a fix writes out for values of which nothing says how long they are: the text says that its width is no fact."""

from collections.abc import Callable

import pytest
from attrs import evolve

from btmodel.codecs.cell import Int64, Utf8
from btmodel.codecs.key import EpochMillis, HexDigest
from btmodel.lint import Finding, review
from btmodel.schema import Column, KeyField, ModelSchema, Query

Make = Callable[..., ModelSchema]
ORDER = KeyField("order", HexDigest(16), 50_000_000)
SHOP = Column("shop", "data", b"s", Utf8(), required=True)
TOTAL = Column("total", "data", b"t", Int64(), required=True)
OF_SHOP = Query("of_shop", ("shop",))
OF_ORDER = Query("of_order", ("order",), between="at")


def only(model: ModelSchema, rule: str) -> Finding:
    (finding,) = (each for each in review(model) if each.rule == rule)
    return finding


def test_the_text_says_what_stands_in_the_place_of_a_width(a_model: Make) -> None:
    """An index leaves out longer values, so its table has to refuse them, and only the user knows how long they are."""
    model = a_model(ORDER, ("at", EpochMillis()), columns=(SHOP, TOTAL), queries=(OF_ORDER, OF_SHOP))
    fix = only(model, "QRY001").fix
    assert (
        "`shop` with `codec=bt.AsInKey(bt.Text(width=20))`, with the bytes of the longest value in the place of 20, "
        "which refuses values that an index would leave out"
    ) in fix


@pytest.mark.parametrize("size", [20, 64])
def test_a_declared_length_is_taken_as_it_is(a_model: Make, size: int) -> None:
    """Nothing is left to put there, also where it is as long as the guess."""
    shop = evolve(SHOP, expected=evolve(SHOP.expected, max_size=size))
    model = a_model(ORDER, ("at", EpochMillis()), columns=(shop, TOTAL), queries=(OF_ORDER, OF_SHOP))
    fix = only(model, "QRY001").fix
    assert "in the place of" not in fix
    assert "width=20" not in fix
