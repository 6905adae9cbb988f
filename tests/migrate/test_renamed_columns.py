"""Columns declared with ``renamed_from=``: a revision moves their cells to the new qualifier."""

import os
import signal
import sys
from collections.abc import Iterator
from threading import Event, Thread

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

import btmodel as bt
from btmodel import emulator
from btmodel import server as local_server
from btmodel.client.target import Target
from btmodel.errors import DeclarationError
from btmodel.rows import Cell
from tests.forked_commands import Commands
from tests.written_repositories import generated


class Quote(bt.Model, table="QUOTE"):
    """A quote, as its column is called from now on."""

    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column("BID", md, default=None)
    ask: int | None = bt.column("OFFER", md, renamed_from="ASK", default=None)

    all = bt.query(scan="a test")


OLD = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column("BID", md, default=None)
    ask: int = bt.column("ASK", md)
"""
RENAMED = OLD.replace('"ASK", md', '"OFFER", md, renamed_from="ASK"')
NEW = OLD.replace('"ASK"', '"OFFER"')
OTHER = """
from btmodel.migrate import data_step

@data_step("QUOTE")
def other(row):
    return None
"""
# Where the step of the revision kills its process, once.
KILLED = """    import os, pathlib, signal
    if row.symbol == "00700" and not pathlib.Path("killed").exists():
        pathlib.Path("killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
"""
DEPLOYED = "deployed:0002_offer"
HINT = (
    'if MD:ASK is called MD:OFFER now, declare MD:OFFER with renamed_from="ASK", and `btmodel migrate new` '
    "writes the step that moves its cells"
)


@pytest.fixture(scope="module")
def server() -> Iterator[local_server.RunningServer]:
    """The local server alone: nothing here depends on the server."""
    with local_server.start() as running:
        yield running


@pytest.fixture
def quotes(project: Project, there: Site) -> Project:
    """A project whose first revision is applied, and two rows with asks, one of them in two versions."""
    project.declare(OLD)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"A": [ask(1, 1_000), ask(2, 2_000)], b"B": [ask(3, 3_000)]})
    return project


COUNT = 1_500


def rename_many(quotes: Project, there: Site) -> None:
    """Write so many rows, and the revision that renames the column, which may be absent."""
    there.write("QUOTE", {b"%05d" % row: [ask(row, 1_000)] for row in range(COUNT)})
    quotes.declare(RENAMED.replace("int = bt", "int | None = bt").replace('"ASK")', '"ASK", default=None)'))
    quotes.done("new", "offer")


def ask(value: int, time: int, qualifier: bytes = b"ASK") -> Cell:
    return Cell("MD", qualifier, time, value.to_bytes(8))


def test_the_cells_of_a_renamed_column_move(quotes: Project, there: Site) -> None:
    """The revision has the step without being asked for it; each version keeps its time, and then `renamed_from=` may go."""
    quotes.declare(RENAMED)
    printed = quotes.done("new", "offer")
    assert "waits until every process reads and writes Quote as this revision declares it" in printed
    assert "> rewrite_quote  moves the cells of MD:ASK to MD:OFFER" in printed
    assert f"confirm it with --allow {DEPLOYED}" in quotes.refused("apply", "--yes")
    assert "rewrote 2 rows of QUOTE" in quotes.done("apply", "--yes", "--allow", DEPLOYED)
    moved = {
        b"A": {ask(1, 1_000, b"OFFER"), ask(2, 2_000, b"OFFER")},
        b"B": {ask(3, 3_000, b"OFFER")},
    }
    assert there.cells("QUOTE") == moved

    printed = quotes.done("new", "nothing else")
    assert (
        "Quote.ask: once the step of 0002_offer has run on every instance, declare it without renamed_from="
        in printed
    )
    assert quotes.ids() == ["0001_quotes", "0002_offer"]
    quotes.declare(NEW)
    printed = quotes.done("new", "offer alone")
    assert "  - forget:QUOTE/Quote.MD:ASK  a step has moved these cells to MD:OFFER\n" in printed
    assert "require-column" not in printed
    assert "rewrite" not in (quotes.migrations / "0003_offer_alone.toml").read_text()
    assert "--allow" not in quotes.run("plan").output
    assert "applied 0003_offer_alone\n" in quotes.done("apply", "--yes")
    assert "MD:ASK" not in quotes.run("plan").output
    assert quotes.run("verify").exit_code == 0
    assert there.cells("QUOTE") == moved


ALLOWED = ("--allow", "require-column:QUOTE.MD:OFFER", "--allow", "forget:QUOTE/Quote.MD:ASK")


def test_a_rename_that_is_known_to_be_done_needs_no_promise(quotes: Project) -> None:
    """Also where the step runs in the same command, and where another instance needed the promises that the command names."""
    quotes.declare(RENAMED)
    quotes.done("new", "offer")
    quotes.declare(NEW)
    quotes.done("new", "offer alone")
    printed = quotes.done("apply", "--yes", "--allow", DEPLOYED, *ALLOWED)
    assert "applied 0002_offer\n" in printed
    assert "applied 0003_offer_alone\n" in printed
    quotes.done("rollback", "--yes")
    assert "applied 0003_offer_alone\n" in quotes.done("apply", "--yes")


def test_a_rename_that_is_only_said_to_be_done_needs_its_promise(quotes: Project, there: Site) -> None:
    """A baseline records a revision without running its step, so the cells may be where they were."""
    quotes.declare(RENAMED)
    quotes.done("new", "offer")
    quotes.done("baseline", "0002_offer", "--allow", "skip-step:0002_offer/rewrite_quote")
    quotes.declare(NEW)
    quotes.done("new", "offer alone")
    assert "require-column:QUOTE.MD:OFFER" in quotes.refused("apply", "--yes")
    assert "[forget with --allow forget:QUOTE/Quote.MD:ASK]" in quotes.run("plan").output
    quotes.done("apply", "--yes", *ALLOWED)
    assert there.cells("QUOTE")[b"B"] == {ask(3, 3_000)}


def test_a_column_that_was_filled_in_by_nothing_needs_its_promise(quotes: Project) -> None:
    """A step moves what is there: where the column may be absent, requiring it is a promise, and the only one."""
    optional = RENAMED.replace("ask: int", "ask: int | None").replace('"ASK")', '"ASK", default=None)')
    quotes.declare(optional)
    quotes.done("new", "offer")
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    quotes.declare(NEW)
    quotes.done("new", "offer alone")
    error = quotes.refused("apply", "--yes")
    assert "require-column:QUOTE.MD:OFFER" in error
    assert "forget" not in quotes.run("plan").output
    quotes.done("apply", "--yes", *ALLOWED[:2])


def test_a_step_that_cannot_be_loaded_any_more_stops_what_depends_on_it(quotes: Project) -> None:
    """What it imported is gone since: the file is corrected, and the instance records it as it is now."""
    quotes.declare(RENAMED)
    quotes.done("new", "offer")
    step = quotes.migrations / "0002_offer.py"
    (quotes.folder / "helpers_of_offer.py").touch()
    whole = step.read_text()
    step.write_text(whole + "\nimport helpers_of_offer\n\nhelpers_of_offer.__name__\n")
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    (quotes.folder / "helpers_of_offer.py").unlink()
    sys.modules.pop("helpers_of_offer")
    quotes.declare(NEW)
    why = "No module named 'helpers_of_offer'; the data steps of 0002_offer cannot be loaded"
    assert why in quotes.refused("new", "offer alone")
    assert why in quotes.refused("rollback", "--yes")
    step.write_text(whole)
    quotes.done("new", "offer alone")
    assert "was edited since it was applied" in quotes.refused("apply", "--yes")
    quotes.done("baseline", "0002_offer")
    # What is recorded in this way is not known to have run.
    assert "applied 0003_offer_alone\n" in quotes.done("apply", "--yes", *ALLOWED[:2])


def test_nothing_is_lost_under_writers(
    quotes: Project, there: Site, server: local_server.RunningServer
) -> None:
    """What the new model writes, changes and deletes while the cells move is what is there in the end."""
    rename_many(quotes, there)
    begun, done, rounds = Event(), Event(), 0
    expected: dict[str, int | None] = {f"{row:05}": row for row in range(COUNT)}

    def write() -> None:
        nonlocal rounds
        with bt.Database(Target(quotes.instance, server.host, lambda: None)) as db:
            repository = generated(Quote).QuoteRepository(db)
            while not done.is_set() or not rounds:
                for row in range(rounds % 7, COUNT, 7):
                    symbol = f"{row:05}"
                    match (row + rounds) % 3:
                        case 0:
                            repository.put(Quote(symbol=symbol, ask=rounds + 5_000))
                            expected[symbol] = rounds + 5_000
                        case 1:
                            repository.clear(repository.key(symbol), "ask")
                            expected[symbol] = None
                        case _:
                            repository.delete_many([repository.key(symbol)])
                            expected.pop(symbol, None)
                    begun.set()
                    done.wait(0.001)  # the command gets the processor
                rounds += 1

    writer = Thread(target=write)
    writer.start()
    assert begun.wait(30)
    try:
        quotes.done("apply", "--yes", "--allow", DEPLOYED)
    finally:
        done.set()
        writer.join()
    with bt.Database(Target(quotes.instance, server.host, lambda: None)) as db:
        repository = generated(Quote).QuoteRepository(db)
        found = {row.symbol: row.ask for row in repository.all()}
    assert {symbol: value for symbol, value in expected.items() if value is not None} == {
        symbol: value for symbol, value in found.items() if symbol not in "AB"
    }
    assert not [cell for cells in there.cells("QUOTE").values() for cell in cells if cell.qualifier == b"ASK"]


@pytest.mark.parametrize("optional", [False, True], ids=["required", "optional"])
def test_a_column_that_looks_renamed_is_asked_about(quotes: Project, optional: bool) -> None:
    """Where one column is gone and one like it is new, the plan says how to rename it; a model that does so is not asked."""
    declared = NEW.replace("ask: int", "ask: int | None").replace('md)\n"', "md)")
    quotes.declare(declared.replace('"OFFER", md', '"OFFER", md, default=None') if optional else NEW)
    assert HINT in quotes.done("new", "offer")
    assert HINT in quotes.run("plan").output
    quotes.declare(RENAMED)
    (quotes.migrations / "0002_offer.toml").unlink()
    quotes.done("new", "offer")
    assert HINT not in quotes.run("plan").output


def test_several_alike_are_not_asked_about(quotes: Project) -> None:
    """Of two new columns either could be the old one, and one of another type is none."""
    two = '    old: int | None = bt.column("O", md, default=None)\n'
    quotes.declare(NEW.replace("ask: int =", "ask: int | None =").replace('md)\n"', "md)") + two)
    assert "is called" not in quotes.run("plan").output
    quotes.declare(NEW.replace("ask: int", "ask: str"))
    assert "is called" not in quotes.run("plan").output


def test_another_step_leaves_the_cells(quotes: Project, there: Site) -> None:
    """A revision has steps of one kind, so the next one gets the step, which `plan` and `new --check` say, too."""
    quotes.declare(RENAMED)
    printed = quotes.done("new", "offer", "--data-step", "other")
    assert "Quote.ask: no revision moves the cells of MD:ASK to MD:OFFER yet: keep renamed_from=" in printed
    assert "no revision moves the cells of MD:ASK" in quotes.run("plan").output
    assert quotes.run("new", "--check").exit_code == 1
    (quotes.migrations / "0002_offer.py").write_text(OTHER)
    assert "> rewrite_quote  moves the cells of MD:ASK to MD:OFFER" in quotes.done("new", "offer, too")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_offer_too")
    assert ask(3, 3_000, b"OFFER") in there.cells("QUOTE")[b"B"]
    assert (
        "Quote.ask: once the step of 0003_offer_too has run on every instance, declare it without"
        in quotes.run("plan").output
    )


def test_a_column_gets_its_old_qualifier_again(quotes: Project, there: Site) -> None:
    """The step of the way there is none of the way back, although both revisions record the same cells."""
    quotes.declare(RENAMED)
    quotes.done("new", "offer")
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    quotes.declare(OLD.replace('"ASK", md', '"ASK", md, renamed_from="OFFER"'))
    assert "> rewrite_quote  moves the cells of MD:OFFER to MD:ASK" in quotes.done("new", "ask again")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_ask_again")
    assert there.cells("QUOTE")[b"B"] == {ask(3, 3_000)}
    assert "once the step of 0003_ask_again has run on every instance" in quotes.done("new", "nothing else")


def test_a_qualifier_that_was_renamed_already_is_refused(quotes: Project, there: Site) -> None:
    """Its cells are elsewhere: a step would find none, and the column would be read from neither."""
    quotes.declare(RENAMED)
    quotes.done("new", "offer")
    quotes.declare(OLD.replace('"ASK", md', '"PRICE", md, renamed_from="ASK"'))
    assert quotes.refused("new", "price") == (
        "Quote.ask: renamed_from='ASK': expected 'OFFER', as 0002_offer moves the cells of MD:ASK to MD:OFFER: declare it with "
        "renamed_from='OFFER'"
    )
    quotes.declare(OLD.replace('"ASK", md', '"PRICE", md, renamed_from="OFFER"'))
    assert "> rewrite_quote  moves the cells of MD:OFFER to MD:PRICE" in quotes.done("new", "price")
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    quotes.done("apply", "--yes", "--allow", "deployed:0003_price")
    assert there.cells("QUOTE")[b"B"] == {ask(3, 3_000, b"PRICE")}


def test_a_rollback_says_where_moved_cells_are(quotes: Project, there: Site) -> None:
    """The models before would find none, and a column that may be absent would say nothing of that: a further step moves the cells back."""
    optional = [
        one.replace("int = bt", "int | None = bt").replace("md)", "md, default=None)") for one in (OLD, NEW)
    ]
    quotes.declare(RENAMED.replace("int = bt", "int | None = bt").replace('"ASK")', '"ASK", default=None)'))
    quotes.done("new", "offer")
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    quotes.declare(optional[1])
    quotes.done("new", "offer alone")
    quotes.done("apply", "--yes")
    quotes.done("rollback", "--yes")
    wrote = ("--allow", "data-step:rewrite_quote")
    refused = quotes.refused("rollback", "--yes", *wrote, "--allow", "require-column:QUOTE.MD:ASK")
    assert refused == (
        "nothing was rolled back: a step has moved the cells of QUOTE.MD:ASK to MD:OFFER, and the models of 0001_quotes would find none: in "
        'place of a rollback, declare MD:ASK with renamed_from="OFFER", and `btmodel migrate new` writes the step that moves them back: use '
        "--allow unread-cells:QUOTE.MD:OFFER if you mean that"
    )
    (quotes.migrations / "0003_offer_alone.toml").unlink()
    quotes.declare(optional[0].replace('"ASK", md', '"ASK", md, renamed_from="OFFER"'))
    quotes.done("new", "ask again")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_ask_again")
    assert there.cells("QUOTE")[b"B"] == {ask(3, 3_000)}
    quotes.done("rollback", "--yes", "--to", "0001_quotes", *wrote, "--allow", "require-column:QUOTE.MD:ASK")
    assert there.cells("QUOTE")[b"B"] == {ask(3, 3_000)}


def test_a_rollback_to_columns_that_have_exchanged_their_cells_says_so(quotes: Project, there: Site) -> None:
    """By way of a third qualifier: each of the two is there, and holds what the other one held."""
    there.write("QUOTE", {b"A": [ask(5, 1_000, b"BID")], b"B": [ask(6, 1_000, b"BID")]})
    bid, offer = '"BID", md', '"ASK", md'
    ways = [
        (bid, '"TMP", md, renamed_from="ASK"'),
        ('"ASK", md, renamed_from="BID"', '"TMP", md'),
        (offer, '"BID", md, renamed_from="TMP"'),
    ]
    optional = OLD.replace("ask: int", "ask: int | None").replace('"ASK", md', '"ASK", md, default=None')
    for number, (first, second) in enumerate(ways, 2):
        quotes.declare(optional.replace(offer, "{}").replace(bid, first).replace("{}", second))
        quotes.done("new", "way")
        quotes.done("apply", "--yes", "--allow", f"deployed:{number:04}_way")
    assert there.cells("QUOTE")[b"B"] == {ask(6, 1_000), ask(3, 3_000, b"BID")}
    refused = quotes.refused("rollback", "--yes", "--to", "0001_quotes")
    for old, new in (("ASK", "BID"), ("BID", "ASK")):
        told = f"a step has moved the cells of QUOTE.MD:{old} to MD:{new}, and the models of 0001_quotes would read the values of others: "
        assert told in refused


def test_a_rollback_that_leaves_moved_cells_is_allowed_by_name(quotes: Project, there: Site) -> None:
    """The cells stay where the step has moved them."""
    quotes.declare(RENAMED)
    quotes.done("new", "offer")
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    refused = quotes.refused("rollback", "--yes")
    names = ("require-column:QUOTE.MD:ASK", "unread-cells:QUOTE.MD:OFFER", "data-step:rewrite_quote")
    allow = [word for name in names for word in ("--allow", name)]
    assert f"use {' '.join(allow)} if you mean that" in refused
    quotes.done("rollback", "--yes", *allow)
    assert there.cells("QUOTE")[b"B"] == {ask(3, 3_000, b"OFFER")}


def test_a_rollback_below_a_step_that_was_interrupted_says_so(quotes: Project, there: Site) -> None:
    """Its revision is not applied, and the models before would find none of the cells that it has moved."""
    count = 700
    there.write("QUOTE", {f"{row:05}".encode(): [ask(row, 1_000)] for row in range(count)})
    optional = RENAMED.replace("int = bt", "int | None = bt").replace('"ASK")', '"ASK", default=None)')
    quotes.declare(optional)
    quotes.done("new", "offer")
    step = quotes.migrations / "0002_offer.py"
    code = step.read_text()
    step.write_text(
        code.replace(
            "    return row", '    if row.symbol == "00650":\n        raise KeyError(row)\n    return row'
        )
    )
    assert quotes.run("apply", "--yes", "--allow", DEPLOYED).exit_code
    assert there.cells("QUOTE")[b"00001"] == {ask(1, 1_000, b"OFFER")}
    names = ("require-column:QUOTE.MD:ASK", "unread-cells:QUOTE.MD:OFFER", "data-step:rewrite_quote")
    unread = [word for name in names for word in ("--allow", name)]
    refused = quotes.refused("rollback", "--yes", "--to", "0001_quotes")
    assert (
        "the step of 0002_offer has moved some of the cells of QUOTE.MD:ASK to MD:OFFER, until it was interrupted, and the models of "
        "0001_quotes would find none: in place of a rollback, let it run to its end with `btmodel migrate apply --to 0002_offer`, and "
        'then declare MD:ASK with renamed_from="OFFER"'
    ) in refused
    assert f"use {' '.join(unread)} if you mean that" in refused
    quotes.done("rollback", "--yes", "--to", "0001_quotes", *unread)
    quotes.done("rollback", "--yes", "--to", "0001_quotes", *unread)
    quotes.done("rollback", "--yes", "--to", "0001_quotes")


def test_it_may_be_said_a_revision_later(quotes: Project, there: Site) -> None:
    """A revision that only takes the new qualifier records it, and the next one still moves the cells of the old one."""
    quotes.declare(NEW)
    assert HINT in quotes.done("new", "offer")
    quotes.declare(RENAMED)
    assert "> rewrite_quote  moves the cells of MD:ASK to MD:OFFER" in quotes.done("new", "renamed")
    quotes.done(
        "apply", "--yes", "--allow", "deployed:0003_renamed", "--allow", "require-column:QUOTE.MD:OFFER"
    )
    assert there.cells("QUOTE")[b"B"] == {ask(3, 3_000, b"OFFER")}


class OldQuote(bt.Model, table="QUOTE"):
    """The quote of processes that are not deployed anew yet."""

    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column("BID", md, default=None)
    ask: int | None = bt.column("ASK", md, default=None)


def test_old_and_new_writers_and_a_kill(
    quotes: Project, there: Site, server: local_server.RunningServer, commands: Commands
) -> None:
    """A step that is killed goes on; while old processes write it ends with an error, and then each row has its newest value."""
    rename_many(quotes, there)
    step = quotes.migrations / "0002_offer.py"
    step.write_text(step.read_text().replace("    return row", KILLED + "    return row"))
    stops = {OldQuote: Event(), Quote: Event()}
    begun = {OldQuote: Event(), Quote: Event()}
    newest: dict[str, int | None] = {}

    def write(model: type[OldQuote | Quote], residue: int) -> None:
        """Write the rows that are this writer's own: a value by either model, and deletions by the new one."""
        with bt.Database(Target(quotes.instance, server.host, lambda: None)) as db:
            made = generated(model)
            repository = getattr(made, f"{model.__name__}Repository")(db)
            number = 0
            while not stops[model].wait(0.001):  # the commands get the processor
                symbol = f"{number * 4 % COUNT + residue:05}"
                if model is Quote and number % 3 == 0:
                    repository.clear(repository.key(symbol), "ask")
                    newest[symbol] = None
                else:
                    repository.put(model(symbol=symbol, ask=number))
                    newest[symbol] = number
                number += 1
                begun[model].set()

    # The old processes write rows of their own, and rows that new ones have written before.
    with bt.Database(Target(quotes.instance, server.host, lambda: None)) as db:
        generated(Quote).QuoteRepository(db).put_many(
            Quote(symbol=f"{row:05}", ask=-1) for row in range(1, COUNT, 8)
        )
    writers = {
        OldQuote: Thread(target=write, args=(OldQuote, 1)),
        Quote: Thread(target=write, args=(Quote, 2)),
    }
    for writer in writers.values():
        writer.start()
    try:
        assert all(event.wait(30) for event in begun.values())
        environment = {**os.environ, emulator.VARIABLE: server.host}
        killed = commands.run(["migrate", "apply", "--yes", "--allow", DEPLOYED], quotes.folder, environment)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        again = quotes.run("apply", "--yes", "--allow", DEPLOYED, "--force-unlock")
        assert "were written in the old way since: find out which process does that" in str(again.exception)
        stops[OldQuote].set()
        writers[OldQuote].join()
        quotes.done("apply", "--yes", "--allow", DEPLOYED)
    finally:
        for model, writer in writers.items():
            stops[model].set()
            writer.join()
    with bt.Database(Target(quotes.instance, server.host, lambda: None)) as db:
        found = {row.symbol: row.ask for row in generated(Quote).QuoteRepository(db).all()}
    expected = {"A": 2, "B": 3, **{f"{row:05}": row for row in range(COUNT)}}
    expected |= {f"{row:05}": -1 for row in range(1, COUNT, 8)} | newest
    assert found == {symbol: value for symbol, value in expected.items() if value is not None}
    assert not [cell for cells in there.cells("QUOTE").values() for cell in cells if cell.qualifier == b"ASK"]


def test_a_table_that_is_named_at_run_time_keeps_both(project: Project) -> None:
    """No step can move its cells, and the command says so."""
    tenant = OLD.replace('"QUOTE"', '"QUOTE-{tenant}"')
    project.declare(tenant)
    project.done("new", "quotes")
    project.declare(tenant.replace('"ASK", md', '"OFFER", md, renamed_from="ASK"'))
    printed = project.done("new", "offer")
    assert (
        "QUOTE-{tenant} is named at run time, so no step moves the cells of MD:ASK to MD:OFFER: keep"
        in printed
    )
    assert not (project.migrations / "0002_offer.py").exists()


@pytest.mark.parametrize("wrong", ["OFFER", b"OFFER", 5, "\ud800", ("ASK",)], ids=repr)
def test_what_no_column_was_called_is_refused(wrong: object) -> None:
    """The old qualifier is one, as text or bytes, and another one."""
    with pytest.raises(
        DeclarationError,
        match="'OFFER': renamed_from: expected the qualifier that the column had before, as text or bytes, got",
    ):

        class Wrong(bt.Model, table="wrong"):
            id: int = bt.key(bt.PaddedInt(3))
            f = bt.family("f", gc=bt.max_versions(1))
            ask: int = bt.column("OFFER", f, renamed_from=wrong)  # type: ignore[call-overload]


def test_an_old_qualifier_is_read_once() -> None:
    """It counts before those of ``also=``, cannot be one of them, nor that of another column."""

    class Right(bt.Model, table="right"):
        id: int = bt.key(bt.PaddedInt(3))
        f = bt.family("f", gc=bt.max_versions(1))
        ask: int = bt.column("OFFER", f, renamed_from="ASK", also="A")

    assert bt.schema_of(Right).columns[0].also == (b"ASK", b"A")
    with pytest.raises(DeclarationError, match="expected other qualifiers than b'ASK' of renamed_from, each"):

        class Twice(bt.Model, table="twice"):
            id: int = bt.key(bt.PaddedInt(3))
            f = bt.family("f", gc=bt.max_versions(1))
            ask: int = bt.column("OFFER", f, renamed_from="ASK", also="ASK")

    with pytest.raises(DeclarationError, match="COL002"):

        class Other(bt.Model, table="other"):
            id: int = bt.key(bt.PaddedInt(3))
            f = bt.family("f", gc=bt.max_versions(1))
            ask: int = bt.column("OFFER", f, renamed_from="ASK")
            other: int = bt.column("ASK", f)


def test_a_qualifier_that_another_column_took_since_can_be_renamed(quotes: Project, there: Site) -> None:
    """What an earlier step moved away from there are not the cells of the column that is declared there now."""
    renamed, offer = (
        one.replace("ask: int = bt", "ask: int | None = bt").replace(
            '"OFFER", md', '"OFFER", md, default=None'
        )
        for one in (RENAMED, NEW)
    )
    quotes.declare(renamed)
    quotes.done("new", "offer")
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    quotes.declare(offer)
    quotes.done("new", "offer alone")
    quotes.done("apply", "--yes")
    fresh = '    fresh: int | None = bt.column("ASK", md, default=None)\n'
    quotes.declare(offer + fresh)
    quotes.done("new", "fresh")
    quotes.done("apply", "--yes")
    there.write("QUOTE", {b"B": [ask(9, 4_000)]})
    quotes.declare(offer + fresh.replace('"ASK", md', '"PRICE", md, renamed_from="ASK"'))
    assert "> rewrite_quote  moves the cells of MD:ASK to MD:PRICE" in quotes.done("new", "price")
    quotes.done("apply", "--yes", "--allow", "deployed:0005_price")
    assert there.cells("QUOTE")[b"B"] == {ask(3, 3_000, b"OFFER"), ask(9, 4_000, b"PRICE")}


def test_a_qualifier_that_a_step_moved_other_cells_to_can_be_renamed(quotes: Project, there: Site) -> None:
    """By way of a third qualifier, two columns have exchanged theirs, and one of them is renamed after that."""
    there.write("QUOTE", {b"B": [ask(6, 1_000, b"BID")]})
    ways = [
        ('"BID", md', '"TMP", md, renamed_from="ASK"'),
        ('"ASK", md, renamed_from="BID"', '"TMP", md'),
        ('"ASK", md', '"BID", md, renamed_from="TMP"'),
        ('"PRICE", md, renamed_from="ASK"', '"BID", md'),
    ]
    optional = OLD.replace("ask: int", "ask: int | None").replace('"ASK", md', '"ASK", md, default=None')
    for number, (bid, second) in enumerate(ways, 2):
        quotes.declare(optional.replace('"ASK", md', "{}").replace('"BID", md', bid).replace("{}", second))
        quotes.done("new", "way")
        quotes.done("apply", "--yes", "--allow", f"deployed:{number:04}_way")
    assert there.cells("QUOTE")[b"B"] == {ask(6, 1_000, b"PRICE"), ask(3, 3_000, b"BID")}
