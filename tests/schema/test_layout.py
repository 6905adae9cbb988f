"""Layouts: what a model's keys and cells look like in bytes, as text."""

from btmodel.declare import schema_of
from btmodel.schema import layout_of
from examples import battery, catalogue, market, meters


def test_a_layout_is_written_as_it_would_be_declared() -> None:
    """The key part by part, and the cells by name, without what is default."""
    layout = layout_of(schema_of(market.Quote))
    assert layout.key_text == "{exchange: Text(width=6)}#{symbol: Text(width=5)}#{quote_time: EpochMillis()}"
    assert [(cell.cell, cell.codec) for cell in layout.cells] == [
        ("MD:ASK", "value DecimalNumber()"),
        ("MD:ASKSIZE", "value DecimalText()"),
        ("MD:BID", "value DecimalNumber()"),
        ("MD:BIDSIZE", "value DecimalText()"),
        ("MD:EXCHANGE", "value Utf8()"),
        ("MD:QUOTETIME", "value AsInKey(codec=EpochMillis())"),
        ("MD:SYMBOL", "value Utf8()"),
    ]


def test_what_decides_over_bytes_is_in_the_text() -> None:
    """Salts tell how they are made and of what, codecs of codecs their parts, classes their names."""
    salted = layout_of(schema_of(battery.SaltedBattery))
    assert salted.key[1].codec == "PaddedInt(digits=1) by salt_of of at in (1, 2, 3)"
    article = {cell.cell: cell.codec for cell in layout_of(schema_of(catalogue.Article)).cells}
    assert article["data:size"] == (
        "value Either(new=Json(of=Size){'Size', 'Size.width: int', 'Size.height: int', 'Size.depth: int'}, "
        "old=(Packed(record=Size, layout='>HHH'){'Size 0 width', 'Size 1 height', 'Size 2 depth'}))"
    )


def test_no_text_depends_on_the_run() -> None:
    """No text holds an address or the name of a module, which another run or a moved file would change."""
    for module in (battery, catalogue, market, meters):
        for value in vars(module).values():
            if isinstance(value, type) and "__schema__" in vars(value):
                text = str(layout_of(schema_of(value)))
                assert " at 0x" not in text
                assert "examples." not in text
