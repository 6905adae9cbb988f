"""Rows of one table that several models read, where the rows of one model are rewritten in place."""

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

import btmodel as bt
from btmodel.migrate.revisions.shared_tables import other_rows
from btmodel.rows import Cell
from btmodel.schema import Table
from btmodel.schema.table import tables_and_templates

QUOTE = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=8))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int = bt.column("BID", md)
    ask: int | None = bt.column("ASK", md, codec=bt.IntBytes(4), default=None)
"""
SPREAD = """
class Spread(bt.Model, table="QUOTE"):
    "The same rows, other columns."
    symbol: str = bt.key(bt.Text(max_length=8))
    md = bt.family("MD", gc=bt.max_versions(1))
    offer: int | None = bt.column("ASK", md, codec=bt.IntBytes(4), default=None)
"""
KINDS = """
class Kind(bt.Model, table="QUOTE"):
    "Other rows, of keys of twelve characters."
    id: str = bt.key(bt.Text(width=12))
    md = bt.family("MD", gc=bt.max_versions(1))
    ask: int = bt.column("ASK", md, codec=bt.IntBytes(4))
"""
RENAMED = ('"ASK", md', '"OFFER", md, renamed_from="ASK"')
WIDER = ("codec=bt.IntBytes(4)", "codec=bt.Either(bt.Int64(), bt.IntBytes(4))")
BID, ASK = Cell("MD", b"BID", 1_000, (3).to_bytes(8)), Cell("MD", b"ASK", 1_000, (7).to_bytes(4))
OFFER, WIDE = ASK._replace(qualifier=b"OFFER"), ASK._replace(value=(7).to_bytes(8))
MISSED = (
    "Quote.ask takes the cells of MD:ASK to MD:OFFER, and {} of the same rows reads MD:ASK alone and would find nothing: declare {} as "
    "'OFFER' with renamed_from=\"ASK\" as well, or leave Spread out if nothing uses it"
)
UNREAD = (
    "Quote.ask rewrites MD:ASK as Int64(), and {} of the same rows reads IntBytes(size=4): declare the same codec there, Either(new=Int64(), "
    "old=(IntBytes(size=4))), or leave Spread out if nothing uses it"
)


def begun(project: Project, *models: str) -> None:
    """Apply a first revision with these models."""
    project.declare(*models)
    project.done("new", "quotes")
    project.done("apply", "--yes")


@pytest.mark.parametrize(
    ("change", "rewrite", "why"),
    [(RENAMED, (), MISSED), (WIDER, ("--rewrite", "Quote"), UNREAD)],
    ids=["rename", "codec"],
)
def test_cells_that_another_model_reads_are_not_taken_from_it(
    project: Project, there: Site, change: tuple[str, str], rewrite: tuple[str, ...], why: str
) -> None:
    """Neither a new revision nor one that is there already rewrites what another model would not find, or could not read."""
    begun(project, QUOTE, SPREAD)
    there.write("QUOTE", {b"A": [BID, ASK]})
    project.declare(QUOTE.replace(*change), SPREAD)
    refused = project.refused("new", "offer", *rewrite)
    assert refused == "table 'QUOTE': " + why.format("Spread.offer", "Spread.offer")
    project.declare(QUOTE.replace(*change))
    project.done("new", "offer", *rewrite)
    (toml,) = project.migrations.glob("0002*.toml")
    former = (project.migrations / "0001_quotes.toml").read_text()
    spread = former[former.index("[tables.QUOTE.models.Spread]") :]
    toml.write_text(f"{toml.read_text()}\n{spread}")  # as a branch that is merged declares it
    allow = ("--allow", "deployed:0002_offer")
    named = "Spread (MD:ASK)"
    assert project.refused("apply", "--yes", *allow).splitlines()[-1] == (
        "migrations/0002_offer.py: nothing was applied, because "
        + why.format(named, named)
        + "; then, where no instance has it yet, delete 0002_offer and what stands on it, and write them anew"
    )
    assert why.format(named, named) in project.run("plan").output
    assert there.cells("QUOTE") == {b"A": {BID, ASK}}


def test_a_codec_whose_cells_another_model_cannot_read_is_allowed_by_name(
    project: Project, there: Site
) -> None:
    """It was said to be safe, as it reads what is there, while the other model fails at the first cell that is written."""
    begun(project, QUOTE, SPREAD, KINDS)
    there.write("QUOTE", {b"A": [BID, ASK]})
    project.declare(QUOTE.replace(*WIDER), SPREAD, KINDS)
    change = "! change-codec:QUOTE.MD:ASK  another codec, whose cells Spread of the same rows cannot read"
    why = (
        "Quote writes Int64() from now on, and Spread reads IntBytes(size=4): declare Either(new=Int64(), old=(IntBytes(size=4))) there as well, or leave "
        "Spread out if nothing uses it"
    )
    assert change[2:] in project.run("new", "--check").output
    told = project.done("new", "wider")
    assert change[2:] in told
    assert why in told
    told = project.run("plan").output
    assert change[2:] in told
    assert why in told
    assert "use --allow change-codec:QUOTE.MD:ASK" in project.refused("apply", "--yes")
    project.done("apply", "--yes", "--allow", "change-codec:QUOTE.MD:ASK")
    assert project.run("verify").exit_code == 0


@pytest.mark.parametrize(
    "spread",
    [
        SPREAD.replace(*WIDER),
        SPREAD.replace("int | None", "bytes | None").replace("codec=bt.IntBytes(4)", "codec=bt.Raw()"),
        SPREAD.replace('"ASK"', '"SPREAD"'),
    ],
    ids=["the same codec", "bytes", "another cell"],
)
def test_a_codec_that_the_other_models_read_is_safe(project: Project, there: Site, spread: str) -> None:
    """As before, and rows of another kind are no matter."""
    begun(project, QUOTE, spread, KINDS)
    there.write("QUOTE", {b"A": [BID, ASK]})
    project.declare(QUOTE.replace(*WIDER), spread, KINDS)
    told = project.done("new", "wider")
    assert "change-codec:QUOTE.MD:ASK  another codec, which also reads existing cells" in told
    assert "cannot read" not in told
    project.done("apply", "--yes")


@pytest.mark.parametrize(("change", "after"), [(RENAMED, OFFER), (WIDER, WIDE)], ids=["rename", "codec"])
def test_models_that_change_together_share_their_rows(
    project: Project, there: Site, change: tuple[str, str], after: Cell
) -> None:
    """Each has its step: rows that one of them cannot read, as they lack its columns, are those of the other."""
    begun(project, QUOTE, SPREAD)
    there.write("QUOTE", {b"A": [BID, ASK], b"B": [ASK]})
    project.declare(QUOTE.replace(*change), SPREAD.replace(*change))
    project.done("new", "offer", "--rewrite", "Quote", "--rewrite", "Spread")
    told = project.done("apply", "--yes", "--allow", "deployed:0002_offer")
    assert "left 1 row of Spread in QUOTE as it is" in told
    assert there.cells("QUOTE") == {b"A": {BID, after}, b"B": {after}}


@pytest.mark.parametrize("change", [RENAMED, WIDER], ids=["rename", "codec"])
def test_rows_of_another_kind_stay(project: Project, there: Site, change: tuple[str, str]) -> None:
    """Their keys show that they are others: they are counted, and a row that no model reads is refused as ever."""
    begun(project, QUOTE, KINDS)
    after = OFFER if change is RENAMED else WIDE
    there.write("QUOTE", {b"A": [BID, ASK], b"OTHER0000001": [ASK], b"OTHER0000002": [ASK]})
    project.declare(QUOTE.replace(*change), KINDS)
    project.done("new", "offer", "--rewrite", "Quote")
    there.write("QUOTE", {b"longer than nine": [ASK]})
    refused = project.refused("apply", "--yes", "--allow", "deployed:0002_offer")
    assert "row b'longer than nine' of 'QUOTE' is no Quote" in refused
    assert there.cells("QUOTE")[b"A"] == {BID, ASK}, "nothing of its batch is written"
    there.rows.write_many(
        "QUOTE", [bt.migrate.Mutation("QUOTE", b"longer than nine", deletes=[bt.migrate.Delete()])]
    )
    told = project.done("apply", "--yes", "--allow", "deployed:0002_offer")
    assert "left 2 rows of Kind in QUOTE as they are" in told
    assert there.cells("QUOTE") == {b"A": {BID, after}, b"OTHER0000001": {ASK}, b"OTHER0000002": {ASK}}


def test_a_step_for_rows_of_one_kind_is_none_for_those_of_another(project: Project, there: Site) -> None:
    """Each kind has its own step, and the cells of one are not taken to be moved where those of the other are."""
    begun(project, QUOTE, KINDS)
    there.write("QUOTE", {b"A": [BID, ASK], b"OTHER0000001": [ASK]})
    project.declare(QUOTE, KINDS.replace(*RENAMED))
    project.done("new", "kinds")
    project.done("apply", "--yes", "--allow", "deployed:0002_kinds")
    assert there.cells("QUOTE") == {b"A": {BID, ASK}, b"OTHER0000001": {OFFER}}
    now = ('"ASK", md', '"OFFER", md')
    project.declare(QUOTE.replace(*now), KINDS.replace(*now))
    told = project.run("new", "--check").output
    assert told.count("a step has moved these cells to MD:OFFER") == 1
    assert "undeclared:QUOTE/Quote.MD:ASK" in told
    project.declare(QUOTE.replace(*RENAMED), KINDS.replace(*now))
    assert "> rewrite_quote  moves the cells of MD:ASK to MD:OFFER" in project.done("new", "quotes too")
    project.done("apply", "--yes", "--allow", "deployed:0003_quotes_too")
    assert there.cells("QUOTE") == {b"A": {BID, OFFER}, b"OTHER0000001": {OFFER}}


def shared() -> tuple[Table, type[bt.Model]]:
    """A table of three kinds, which a constant in front tells apart, and of one of which the record does not say the whole key."""

    class Order(bt.Model, table="SHOP"):
        """An order."""

        kind = bt.constant("order")
        id: int = bt.key(bt.PaddedInt(5))
        d = bt.family("d", gc=bt.max_versions(1))
        total: int = bt.column("TOTAL", d)

    class Client(bt.Model, table="SHOP"):
        """A client."""

        kind = bt.constant("client")
        name: str = bt.key(bt.Text(max_length=9))
        d = bt.family("d", gc=bt.max_versions(1))
        total: int | None = bt.column("TOTAL", d, default=None)

    class Salted(bt.Model, table="SHOP"):
        """A row with a salt."""

        kind = bt.constant("salt")
        salt = bt.salt("name", buckets=4)
        name: str = bt.key(bt.Text(max_length=9))
        d = bt.family("d", gc=bt.max_versions(1))
        total: int = bt.column("TOTAL", d)

    models = (Order, Client, Salted)
    (table,) = tables_and_templates(bt.schema_of(model) for model in models)
    return table, Order


@pytest.mark.parametrize(
    ("key", "model"),
    [
        (b"client#ann", "Client"),
        (b"client#", None),
        (b"order#00001", None),
        (b"salt#2#ann", "Salted"),
        (b"other", None),
    ],
)
def test_the_rows_of_other_models_are_known_by_their_keys(key: bytes, model: str | None) -> None:
    """And by the cells that each of them has."""
    table, order = shared()
    others = other_rows([table], bt.schema_of(order))
    total = Cell("d", b"TOTAL", 1_000, (7).to_bytes(8))
    assert [one.model for one in others if one.has(key, [total])] == ([model] if model else [])
    assert not any(one.has(b"salt#2#ann", []) for one in others)


def test_a_model_that_begins_to_read_moved_cells_is_said_and_renamed_by_a_step_of_its_own(
    project: Project, there: Site
) -> None:
    """The step before it has moved nothing of what it writes: before, its own renaming had no step, and its cells were forgotten."""
    begun(project, QUOTE)
    there.write("QUOTE", {b"A": [BID, ASK], b"B": [BID, ASK]})
    project.declare(QUOTE.replace(*RENAMED))
    project.done("new", "offer")
    project.done("apply", "--yes", "--allow", "deployed:0002_offer")
    project.declare(QUOTE.replace('"ASK", md', '"OFFER", md'), SPREAD)
    project.done("new", "spread")
    said = "Spread reads QUOTE.MD:ASK, whose cells a step has moved to MD:OFFER: it finds those alone that are written there from now on"
    assert said in project.run("plan").output
    assert said in project.done("apply", "--yes")
    assert said not in project.done("plan")
    there.write("QUOTE", {b"A": [ASK._replace(timestamp=2_000, value=(9).to_bytes(4))]})
    project.declare(QUOTE.replace('"ASK", md', '"OFFER", md'), SPREAD.replace(*RENAMED))
    assert "rewrite_spread  moves the cells of MD:ASK to MD:OFFER" in project.done("new", "spread offer")
    project.done("apply", "--yes", "--allow", "deployed:0004_spread_offer")
    cells = {key: list(cells) for key, cells in there.rows.cells("QUOTE")}
    assert [cell.qualifier for cell in cells[b"A"]].count(b"ASK") == 0
    newest = max(
        (cell for cell in cells[b"A"] if cell.qualifier == b"OFFER"), key=lambda cell: cell.timestamp
    )
    assert (newest.timestamp, newest.value) == (2_000, (9).to_bytes(4))
    project.declare(QUOTE.replace('"ASK", md', '"OFFER", md'), SPREAD.replace('"ASK", md', '"OFFER", md'))
    assert "forget:QUOTE/Spread.MD:ASK" in project.done("new", "done")
