"""Which cells the old model of a move reads as which attribute: as revisions recorded them, whatever the new model has in their places."""

import re

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import LISTED, QUOTE
from test_key_moves import dual as dual_writes

import btmodel as bt
from btmodel.rows import Cell

BID = 'bid: int | None = bt.column("BID", md, default=None)'
OFFER = BID.replace('"BID"', '"OFFER"')
RENAMED = OFFER.replace("default=None", 'default=None, renamed_from="BID"')
ASK = '    ask: int | None = bt.column("ASK", md, default=None)\n'
VOLUME = '    volume: int = bt.column("VOL", md)\n'
DROP = ("apply", "--yes", "--allow", "drop-table:QUOTE")


def number(value: int, qualifier: bytes = b"BID", time: int = 5_000) -> Cell:
    return Cell("MD", qualifier, time, value.to_bytes(8))


def recorded(project: Project, there: Site, model: str, **cells: int) -> Project:
    """A project with a revision that is applied, and two rows with these cells."""
    project.declare(model)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    exchange = Cell("MD", b"EXCHANGE", 5_000, b"XNYS")
    row = [exchange, *(number(value, name.encode()) for name, value in cells.items())]
    there.write("QUOTE", {b"A": row, b"B": row})
    return project


def renamed_in_place(project: Project, there: Site, model: str = QUOTE, **cells: int) -> Project:
    """The same, whose bid has moved to OFFER since."""
    found = recorded(project, there, model, **(cells or {"BID": 7}))
    found.declare(model.replace(BID, RENAMED))
    found.done("new", "offer")
    found.done("apply", "--yes", "--allow", "deployed:0002_offer")
    return found


def moved(project: Project, model: str = LISTED) -> str:
    """Write and apply the move to ``model``; the code of its backfill."""
    project.declare(model)
    project.done("new", "by exchange", "--dual-writes", "dual.py")
    code = next(project.migrations.glob("*_backfill.py")).read_text()
    project.done("apply", "--yes")
    for id in project.ids()[-2:]:
        project.done("apply", "--yes", "--allow", f"deployed:{id}")
    return code


@pytest.mark.parametrize(
    "declared", [OFFER, RENAMED, OFFER.replace("int | None", "int").replace(", default=None", "")]
)
def test_a_column_that_was_renamed_in_place_moves(project: Project, there: Site, declared: str) -> None:
    """All its cells lie in the new qualifier, which the old model did not read, while both tables were equal."""
    quotes = renamed_in_place(project, there, QUOTE + VOLUME, BID=7, VOL=1)
    code = moved(quotes, LISTED.replace(BID, declared) + VOLUME)
    assert re.search(
        r'bid: int( \| None)? = bt.column\("OFFER", md, (default=None, )?also=\("BID",\)\)', code
    ), code
    assert "bid_" not in code
    cells = {number(7, b"OFFER"), number(1, b"VOL")}
    assert there.cells("LISTED") == {b"XNYS#A": cells, b"XNYS#B": cells}
    quotes.done(*DROP)


def test_the_order_of_places_is_that_of_the_last_step(project: Project, there: Site) -> None:
    """The new model may have a third qualifier, or the former one in front."""
    quotes = renamed_in_place(project, there)
    quotes.declare(QUOTE.replace(BID, BID.replace("default=None", 'default=None, renamed_from="OFFER"')))
    quotes.done("new", "back")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_back")
    code = moved(quotes, LISTED.replace(BID, BID.replace('"BID"', '"PRICE"')))
    assert 'bid: int | None = bt.column("BID", md, default=None, also=("OFFER",))' in code
    assert there.cells("LISTED") == {b"XNYS#A": {number(7, b"PRICE")}, b"XNYS#B": {number(7, b"PRICE")}}


def test_what_an_old_process_wrote_meanwhile_counts_less(project: Project, there: Site) -> None:
    """A cell that is left in the former place is hidden by that in the new one, and a fallback where that is none."""
    quotes = renamed_in_place(project, there)
    there.write(
        "QUOTE",
        {
            b"B": [number(9, b"BID", 6_000)],
            b"C": [number(8, b"BID"), Cell("MD", b"EXCHANGE", 5_000, b"XNYS")],
        },
    )
    moved(quotes, LISTED.replace(BID, OFFER))
    rows = there.cells("LISTED")
    assert rows == {
        b"XNYS#A": {number(7, b"OFFER")},
        b"XNYS#B": {number(7, b"OFFER")},
        b"XNYS#C": {number(8, b"OFFER")},
    }


def test_dual_writes_read_both_places(project: Project, there: Site) -> None:
    quotes = renamed_in_place(project, there)
    moved(quotes, LISTED.replace(BID, OFFER))
    module = dual_writes(quotes)
    columns = {column.name: column for column in bt.schema_of(module.OldQuote).columns}
    assert (columns["bid"].qualifier, columns["bid"].also) == (b"OFFER", (b"BID",))


def test_a_data_step_reads_both_places(project: Project, there: Site) -> None:
    quotes = renamed_in_place(project, there)
    quotes.done("new", "change", "--data", "Quote")
    code = (quotes.migrations / "0003_change.py").read_text()
    assert 'bid: int | None = bt.column("OFFER", md, default=None, also=("BID",))' in code


def test_an_order_that_nothing_says_is_asked_for(project: Project, there: Site) -> None:
    quotes = recorded(
        project, there, QUOTE.replace(BID, BID.replace("default=None", 'default=None, also="OFFER"')), BID=7
    )
    quotes.declare(LISTED.replace(BID, BID.replace('"BID"', '"PRICE"')))
    said = "bid was read from MD:BID and MD:OFFER, and which of them counts first is not recorded: declare it in the new model with also="
    assert said in quotes.refused("new", "by exchange")
    code = moved(
        quotes,
        LISTED.replace(
            BID,
            BID.replace('"BID"', '"PRICE"').replace("default=None", 'default=None, also=("BID", "OFFER")'),
        ),
    )
    assert 'bid: int | None = bt.column("BID", md, default=None, also=("OFFER",))' in code


def test_attributes_that_exchange_their_qualifiers_keep_their_values(project: Project, there: Site) -> None:
    """Each took the cells of the other one without a word."""
    quotes = recorded(project, there, QUOTE + ASK, BID=3, ASK=7)
    moved(quotes, LISTED.replace('"BID"', '"ASK"') + ASK.replace('"ASK"', '"BID"'))
    cells = {number(3, b"ASK"), number(7, b"BID")}
    assert there.cells("LISTED") == {b"XNYS#A": cells, b"XNYS#B": cells}


def test_an_attribute_keeps_its_values_under_the_qualifier_of_another_one(
    project: Project, there: Site
) -> None:
    """What the new model has in its former place is none of it."""
    quotes = recorded(project, there, QUOTE + ASK, BID=3, ASK=7)
    code = moved(
        quotes, LISTED.replace('"BID"', '"ASK"') + ASK.replace('"ASK"', '"BID"').replace("ask", "offer")
    )
    assert 'ask: int | None = bt.column("ASK", md, default=None)' in code
    assert there.cells("LISTED") == {b"XNYS#A": {number(3, b"ASK")}, b"XNYS#B": {number(3, b"ASK")}}


def test_an_attribute_with_another_name_alone_keeps_its_cells(project: Project, there: Site) -> None:
    quotes = recorded(project, there, QUOTE, BID=3)
    code = moved(quotes, LISTED.replace("bid:", "price:"))
    assert 'price: int | None = bt.column("BID", md, default=None)' in code
    assert there.cells("LISTED") == {b"XNYS#A": {number(3)}, b"XNYS#B": {number(3)}}


def test_cells_without_recorded_attributes_are_not_taken_by_others(project: Project, there: Site) -> None:
    """Where names are not recorded, places that look like those of one another are asked for."""
    project.declare(QUOTE + ASK)
    project.done("new", "quotes")
    file = project.migrations / "0001_quotes.toml"
    file.write_text(re.sub(r"\n\[tables.QUOTE.models.Quote.attributes\](\n[^\n\[]+)*", "", file.read_text()))
    assert "attributes" not in file.read_text()
    project.done("apply", "--yes")
    project.declare(LISTED.replace('"BID"', '"ASK"') + ASK.replace('"ASK"', '"BID"'))
    said = 'bid is declared with MD:ASK, and MD:BID looks like its cells; which attributes they were is not recorded: declare bid with renamed_from="BID"'
    assert said in project.refused("new", "by exchange")
    project.declare(LISTED + ASK)
    project.done("new", "by exchange")
