"""Attributes that are declared with the qualifiers of others, as revisions and records name the attribute of each cell."""

import re

from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

from btmodel.rows import Cell

QUOTE = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=8))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)
    ask: int | None = bt.column("ASK", md, default=None)
"""
EXCHANGED = QUOTE.replace('"BID"', '"X"').replace('"ASK"', '"BID"').replace('"X"', '"ASK"')
ONE = QUOTE.replace('    bid: int | None = bt.column("BID", md, default=None)\n', "").replace(
    '"ASK"', '"BID"'
)
CELLS = {b"A": {Cell("MD", b"BID", 1_000, (3).to_bytes(8)), Cell("MD", b"ASK", 1_000, (7).to_bytes(8))}}


def recorded(project: Project, there: Site) -> Project:
    """A project with a revision that is applied, and a row."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", CELLS)
    return project


def test_attributes_that_exchange_their_qualifiers_are_refused(project: Project, there: Site) -> None:
    """It was nothing to write, and each read the values of the other."""
    quotes = recorded(project, there)
    quotes.declare(EXCHANGED)
    checked = quotes.run("new", "--check")
    assert checked.exit_code == 1
    said = (
        "take-cells:QUOTE.MD:ASK  Quote.bid would read the cells that Quote.ask wrote, and its own are MD:BID",
        "take-cells:QUOTE.MD:BID  Quote.ask would read the cells that Quote.bid wrote, and its own are MD:ASK",
    )
    told = quotes.done("new", "exchanged")
    for one in said:
        assert one in checked.output
        assert one in told
    assert 'to take its own cells along, declare bid with renamed_from="BID"' in told
    names = "--allow take-cells:QUOTE.MD:ASK --allow take-cells:QUOTE.MD:BID"
    assert f"use {names} if you mean that" in quotes.refused("apply", "--yes")
    quotes.done("apply", "--yes", *names.split())
    assert quotes.run("verify").exit_code == 0
    assert quotes.run("new", "--check").exit_code == 0
    assert there.cells("QUOTE") == CELLS


def test_an_attribute_that_is_declared_with_the_qualifier_of_one_that_is_gone_is_refused(
    project: Project, there: Site
) -> None:
    """Its own cells would be left behind."""
    quotes = recorded(project, there)
    quotes.declare(ONE)
    quotes.done("new", "one")
    refused = quotes.refused("apply", "--yes")
    assert "Quote.ask would read the cells that Quote.bid wrote, and its own are MD:ASK" in refused
    assert "use --allow take-cells:QUOTE.MD:BID if you mean that" in refused


def test_an_attribute_without_cells_of_its_own_takes_any(project: Project, there: Site) -> None:
    """A new name in Python changes no bytes, and is nothing to write; nor is it after a revision was written for something else."""
    quotes = recorded(project, there)
    renamed = QUOTE.replace("    bid: int", "    offer: int")
    quotes.declare(renamed)
    assert quotes.run("new", "--check").exit_code == 0
    quotes.declare(renamed + '    size: int | None = bt.column("SIZE", md, default=None)\n')
    assert "take-cells" not in quotes.done("new", "size")
    assert "take-cells" not in quotes.done("apply", "--yes")
    quotes.declare(renamed.replace("    offer: int", "    bid: int"))
    assert "take-cells" not in quotes.run("new", "--check").output


def test_a_table_without_rows_asks_for_no_permission(project: Project, there: Site) -> None:
    """Nothing is read that somebody else wrote."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    project.declare(EXCHANGED)
    project.done("new", "exchanged")
    project.done("apply", "--yes")


def test_an_exchange_by_way_of_a_third_qualifier_asks_for_nothing(project: Project, there: Site) -> None:
    """Each column says where its cells are; in the end, each has its own."""
    quotes = recorded(project, there)
    columns = (
        {"bid": '"BID"', "ask": '"TEMP", renamed_from="ASK"'},
        {"bid": '"ASK", renamed_from="BID"', "ask": '"TEMP"'},
        {"bid": '"ASK"', "ask": '"BID", renamed_from="TEMP"'},
        {"bid": '"ASK"', "ask": '"BID"'},
    )
    for at, places in enumerate(columns):
        model = QUOTE
        for name, place in places.items():
            qualifier, *more = place.split(", ")
            column = ", ".join([qualifier, "md", *more, "default=None"])
            model = re.sub(rf"( +{name}: .*= bt\.column)\(.*\)\n", rf"\1({column})\n", model)
        quotes.declare(model)
        told = quotes.done("new", f"step {at}")
        assert "take-cells" not in told, told
        *_, id = quotes.ids()
        allow = ("--allow", f"deployed:{id}") if at < 3 else ()
        assert "take-cells" not in quotes.done("apply", "--yes", *allow)
    assert there.cells("QUOTE") == {
        b"A": {Cell("MD", b"ASK", 1_000, (3).to_bytes(8)), Cell("MD", b"BID", 1_000, (7).to_bytes(8))}
    }


def test_a_history_without_names_is_read_as_ever(project: Project, there: Site) -> None:
    """What an earlier version wrote says nothing of attributes; nothing differs for that, and nothing is refused."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    (toml,) = project.migrations.glob("0001*.toml")
    text = toml.read_text()
    start = text.index("[tables.QUOTE.models.Quote.attributes]")
    assert text[start:].split("\n\n")[0].count("\n") >= 2
    toml.write_text(text[:start].rstrip() + "\n")
    assert "attributes" not in toml.read_text()
    assert project.run("new", "--check").exit_code == 0
    project.done("apply", "--yes")
    there.write("QUOTE", CELLS)
    assert project.run("verify").exit_code == 0
    project.declare(EXCHANGED)
    assert project.run("new", "--check").exit_code == 0
    project.declare(QUOTE + '    size: int | None = bt.column("SIZE", md, default=None)\n')
    project.done("new", "size")
    project.done("apply", "--yes")
    project.declare(EXCHANGED + '    size: int | None = bt.column("SIZE", md, default=None)\n')
    assert "take-cells:QUOTE.MD:ASK" in project.run("new", "--check").output


def test_an_exchange_in_a_table_that_is_renamed_is_refused(project: Project, there: Site) -> None:
    """Its cells are copied as they are: one after the other is the way."""
    quotes = recorded(project, there)
    quotes.declare(EXCHANGED.replace('table="QUOTE"', 'table=bt.table("PRICE", renamed_from="QUOTE")'))
    said = quotes.refused("new", "price")
    assert "nothing was written" in said
    assert "Quote.bid would read the cells that Quote.ask wrote" in said
    assert quotes.ids() == ["0001_quotes"]
