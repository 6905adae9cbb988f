"""Rows that are rewritten in place: another codec, another qualifier, and columns that rows lack."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import numpy as np
import pytest
from adversary import SYMBOLS, TIMES, Killed, Memory
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from memory_history import MemoryHistory
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

import btmodel as bt
from btmodel.errors import DeclarationError, MigrationError, MigrationFailed
from btmodel.migrate import rewrite
from btmodel.migrate.changes.base import InstanceFacts
from btmodel.migrate.changes.results import RewrittenCells, StepResults
from btmodel.migrate.data.rewriting import RewriteStep
from btmodel.migrate.history.records import CopyRecord
from btmodel.rows import Cell, Conditional, Delete, Mutation
from btmodel.rows.filters import (
    Chain,
    ExactValue,
    Families,
    Filter,
    FirstCells,
    Qualifiers,
    Rows,
    RowsWithout,
    Times,
)
from btmodel.schema import CellLayout, Layout
from tests.examples_tried import examples

BEFORE = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column("BID", md, codec=bt.IntBytes(4), default=None)
    ask: int | None = bt.column("ASK", md, default=None)
"""
BOTH = BEFORE.replace("codec=bt.IntBytes(4)", "codec=bt.Either(bt.Int64(), bt.IntBytes(4))").replace(
    '"ASK", md', '"OFFER", md, also="ASK"'
)
AFTER = BOTH.replace("codec=bt.Either(bt.Int64(), bt.IntBytes(4)), ", "").replace(', also="ASK"', "")
COUNTS = """
class Counts(bt.Rollup, of=Quote, view="COUNTS"):
    "How often an ask was quoted."
    symbol: str = bt.key(bt.Text(max_length=5), cardinality=9)
    quotes: int = bt.count()
    of_symbol = bt.query("symbol")
"""
DEPLOYED = "deployed:0002_wider_bids"


@pytest.fixture
def quotes(project: Project, there: Site) -> Project:
    """A project with a revision that is applied, three quotes, and a model that reads them in two ways."""
    project.declare(BEFORE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"A": [bid(1, 1_000), bid(2, 2_000)], b"B": [Cell("MD", b"ASK", 3_000, wide(3))]})
    project.declare(BOTH)
    return project


def bid(value: int, time: int) -> Cell:
    return Cell("MD", b"BID", time, value.to_bytes(4))


def wide(value: int) -> bytes:
    return value.to_bytes(8)


def wide_bid(value: int, time: int) -> Cell:
    return Cell("MD", b"BID", time, wide(value))


def test_a_codec_and_a_qualifier_change_in_place(quotes: Project, there: Site) -> None:
    """All versions keep their times; what is left for the models is to declare the new way alone."""
    told = quotes.done("new", "wider bids", "--rewrite", "Quote")
    assert "waits until every process reads and writes Quote as this revision declares it" in told
    assert f"confirm it with --allow {DEPLOYED}" in quotes.refused("apply", "--yes")
    told = quotes.done("apply", "--yes", "--allow", DEPLOYED)
    assert "rewrote 2 rows of QUOTE; no row is left that needs it" in told
    assert there.cells("QUOTE") == {
        b"A": {Cell("MD", b"BID", 1_000, wide(1)), Cell("MD", b"BID", 2_000, wide(2))},
        b"B": {Cell("MD", b"OFFER", 3_000, wide(3))},
    }
    quotes.declare(AFTER)
    assert "QUOTE.MD:BID  the codec in which a step rewrites all cells" in quotes.done("new", "wide alone")
    quotes.done("apply", "--yes")
    assert quotes.run("verify").exit_code == 0


def test_less_may_be_read_once_the_cells_are_rewritten(quotes: Project) -> None:
    """One of three codecs goes, of a column that is still read from its former place: what is left reads all that the step has written."""
    three = BOTH.replace("bt.IntBytes(4))", "bt.IntBytes(4), bt.IntBytes(2))").replace(
        'OFFER", md, also', 'OFFER", md, codec=bt.Either(bt.Int64(), bt.IntBytes(4)), also'
    )
    quotes.declare(three)
    quotes.done("new", "wider bids", "--rewrite", "Quote")
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    quotes.declare(BOTH)
    quotes.done("new", "two of three")
    quotes.done("apply", "--yes")
    assert quotes.run("verify").exit_code == 0


def test_a_codec_alone_is_asked_for_where_nothing_shows_that_its_cells_are_rewritten(
    quotes: Project, there: Site
) -> None:
    """Where a baseline took the user's word, or no step was written, the user has to promise it; the name is no error where nothing asks."""
    told = quotes.done("new", "wider bids")
    assert "once this is deployed, `btmodel migrate new MESSAGE --rewrite Quote` writes the revision" in told
    quotes.done("new", "rewritten", "--rewrite", "Quote")
    quotes.done("apply", "--yes", "--to", "0002_wider_bids")
    quotes.declare(AFTER)
    quotes.done("new", "wide alone")
    promise = "change-codec:QUOTE.MD:BID"
    assert "data steps would never run: 0003_rewritten/rewrite_quote" in quotes.refused("baseline", "0003")
    quotes.done("baseline", "0003_rewritten", "--allow", "skip-step:0003_rewritten/rewrite_quote")
    assert f"use --allow {promise}" in quotes.refused(
        "apply", "--yes", "--allow", "forget:QUOTE/Quote.MD:ASK"
    )
    there.history.remove_revision("0003_rewritten")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_rewritten", "--allow", promise)
    assert quotes.run("verify").exit_code == 0


MARKET = 'bt.family("market", gc=bt.max_versions(3), renamed_from="MD")'


def test_rows_are_not_rewritten_while_they_are_compared_with_what_they_were_copied_from(
    project: Project, there: Site
) -> None:
    """Rewritten cells would differ from those of the old family for ever, and a copy of these would undo the step: first the one, then the other."""
    project.declare(BEFORE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"A": [bid(1, 1_000), bid(2, 2_000)]})
    renamed = BOTH.replace('bt.family("MD", gc=bt.max_versions(3))', MARKET)
    project.declare(renamed)
    told = project.refused("new", "both", "--rewrite", "Quote")
    assert "the models also rename QUOTE.MD to QUOTE.market: write that revision first" in told
    project.done("new", "market")
    project.done("new", "wider bids", "--rewrite", "Quote")
    project.done("apply", "--yes", "--to", "0002_market")
    deployed = ("--allow", "deployed:0003_wider_bids")
    refused = project.refused("apply", "--yes", *deployed)
    assert (
        "it rewrites cells of QUOTE.market, which are compared with those of QUOTE.MD before that is dropped"
        in refused
    )
    project.done("apply", "--yes", "--to", "0002_market", "--allow", "drop-family:QUOTE.MD")
    project.done("apply", "--yes", *deployed)
    assert there.cells("QUOTE")[b"A"] == {
        Cell("market", b"BID", 1_000, wide(1)),
        Cell("market", b"BID", 2_000, wide(2)),
    }


def test_a_copy_that_brings_old_cells_back_takes_the_promise_back() -> None:
    """What a step has rewritten is known as long as no copy into the same place has ended since."""
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    layout = Layout("Quote", (), ())
    done = RewrittenCells(
        "QUOTE", layout, "MD:BID", "value Either(new=Int64(), old=(IntBytes(size=4)))", "value Int64()", noon
    )
    declared, known = CellLayout("MD:BID", done.codec), CellLayout("MD:BID", done.before)
    results = StepResults(rewritten=frozenset({done}))

    def known_after(*ended: datetime | None) -> bool:
        copies = [CopyRecord("QUOTE.OLD", "QUOTE.MD", "a run", noon, end) for end in ended]
        return InstanceFacts(copies=tuple(copies), results=results).are_rewritten(
            "QUOTE", layout, declared, known
        )

    assert known_after()
    assert known_after(noon - timedelta(hours=1))
    assert not known_after(noon + timedelta(hours=1))
    assert not known_after(None)


FILLED = {
    "another row": "return bt.replace(row, ask=7 if row.ask is None else row.ask)",
    "in place": "row.ask = 7 if row.ask is None else row.ask\n    return row",
}
CHANGED = {"another row": "return bt.replace(row, bid=5)", "in place": "row.bid = 5\n    return row"}


@pytest.mark.parametrize("function", FILLED.values(), ids=FILLED)
def test_a_column_is_filled_before_it_is_required(quotes: Project, there: Site, function: str) -> None:
    """The function gives what rows lack, a millisecond before their newest cell; nothing that is there changes."""
    quotes.done("new", "wider bids", "--rewrite", "Quote")
    path = quotes.migrations / "0002_wider_bids.py"
    code = path.read_text()
    path.write_text(code.replace("return row", function))
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    assert Cell("MD", b"OFFER", 1_000, wide(7)) in there.cells("QUOTE")[b"A"]
    assert there.cells("QUOTE")[b"B"] == {Cell("MD", b"OFFER", 3_000, wide(3))}


@pytest.mark.parametrize("function", CHANGED.values(), ids=CHANGED)
def test_a_function_that_changes_what_is_there_is_refused(
    quotes: Project, there: Site, function: str
) -> None:
    """A rewriting is no place for computing: the error names the row, and the file with its line."""
    quotes.done("new", "wider bids", "--rewrite", "Quote")
    path = quotes.migrations / "0002_wider_bids.py"
    path.write_text(path.read_text().replace("return row", function))
    error = quotes.run("apply", "--yes", "--allow", DEPLOYED).exception
    assert isinstance(error, MigrationFailed)
    assert ": rewrite_quote: row b'A' has bid=2: a rewritten row may get what it lacks" in str(error)
    assert "raised" not in str(error)


class Uneven(bt.Model, table="QUOTE"):
    """A quote whose bids are written in fewer bytes than they were."""

    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column("BID", md, codec=bt.Either(bt.IntBytes(2), bt.IntBytes(4)), default=None)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (
            (70_000).to_bytes(4),
            r"has a cell that cannot be rewritten: Uneven\.bid: expected .*, got 70000: give that",
        ),
        (b"???", r"is no Uneven: table QUOTE, row b'A', cell MD:BID.*: expected .*, got b'\?\?\?'"),
    ],
)
def test_a_cell_that_cannot_be_rewritten_is_named(value: bytes, why: str) -> None:
    """With the row and the attribute, also where it is an older version, which no read has shown."""

    @rewrite(Uneven)
    def same(row: Uneven) -> Uneven:
        return row

    cells = [Cell("MD", b"BID", 9_000, b"\0\1"), Cell("MD", b"BID", 5_000, value)]
    with pytest.raises(MigrationError, match=rf"^same: row b'A' of 'QUOTE' {why}"):
        list(same.changes((b"A", cells)))


def test_what_is_no_model_is_refused(quotes: Project) -> None:
    """Names of models that nobody declares, and of other things."""
    assert "--rewrite: no model is called 'Quot'" in quotes.refused("new", "x", "--rewrite", "Quot")
    quotes.declare(BOTH + COUNTS)
    assert "got Counts, which is a view" in quotes.refused("new", "x", "--rewrite", "Counts")
    with pytest.raises(DeclarationError, match="rewrite: expected a model, got 'Quote'"):
        rewrite("Quote")  # type: ignore[arg-type, type-var]


class Kept(bt.Model, table="QUOTE"):
    """A quote that is read in two ways."""

    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column(
        "BID", md, codec=bt.Either(bt.Int64(), bt.IntBytes(4)), also="OLD", default=None
    )


@rewrite(Kept)
def kept(row: Kept) -> Kept:
    return row


class Conditions(Memory):
    """A table store with writes under the condition that one cell is there."""

    def write_if(self, conditional: Conditional) -> bool:
        self.before()
        row = self.tables["QUOTE"].get(conditional.mutation.key, {})
        holds = found(conditional.found, row) is conditional.present
        if holds:
            self.apply(conditional.mutation)
        self.before()
        return holds


def found(filter: Filter | None, row: Mapping[tuple[str, bytes, int], bytes]) -> bool:
    """Whether the filter of a condition finds a cell in a row."""
    match filter:
        case Rows(condition, then):
            return found(condition, row) and found(then, row)
        case RowsWithout(condition, then):
            return not found(condition, row) and found(then, row)
        case FirstCells(1):
            return bool(row)
        case Qualifiers(family, (qualifier,)):
            return any(place[:2] == (family, qualifier) for place in row)
        case Chain((Families(), Qualifiers(family, (qualifier,)), Times(time), *rest)):
            place = (family, qualifier, time)
            return place in row and all(
                isinstance(one, ExactValue) and one.value == row[place] for one in rest
            )
    raise AssertionError(filter)


@examples(80, deadline=None)
@given(data=st.data())
def test_writers_between_any_two_calls_and_kills_anywhere(data: st.DataObject) -> None:
    """The end is as if nobody had rewritten before the last writer was done: nothing is lost, revived or changed."""
    memory, alone = Conditions(), Conditions()

    def write(draw: Callable[[Any], Any], *, old: bool) -> None:
        key = draw(st.sampled_from(SYMBOLS)).encode()
        time = draw(st.sampled_from(TIMES))
        ways = [(b"BID", wide), (b"OLD", wide), (b"BID", lambda value: value.to_bytes(4))]
        qualifier, encoded = draw(st.sampled_from(ways if old else ways[:1]))
        cell = Cell("MD", qualifier, time, encoded(draw(st.integers(1, 2))))
        kinds = ["put"] if old else ["put", "delete", "delete and put", "clear"]
        kind = draw(st.sampled_from(kinds))
        deletes = {"delete": [Delete()], "delete and put": [Delete()]}.get(kind, [])
        if kind == "clear":
            deletes = [Delete("MD", b"BID"), Delete("MD", b"OLD")]
        cells = [cell] if "put" in kind else []
        for store in (memory, alone):
            store.apply(Mutation("QUOTE", key, cells, deletes))

    for _ in range(data.draw(st.integers(0, 6))):
        write(data.draw, old=True)
    kills = data.draw(st.integers(0, 2))

    def before() -> None:
        nonlocal kills
        for _ in range(data.draw(st.integers(0, 2))):
            write(data.draw, old=False)
        if kills and data.draw(st.booleans()):
            kills -= 1
            memory.before = lambda: None
            raise Killed

    history, done = MemoryHistory(), False
    step = type(kept)(kept.name, kept.table, kept.model, kept.function, requests=1)
    while not done:
        memory.before = before
        try:
            step.run(memory, history, "0002/kept")
            done = True
        except Killed:
            pass
    memory.before = lambda: None
    step.run(alone, MemoryHistory(), "0002/kept")
    assert memory.tables["QUOTE"] == alone.tables["QUOTE"]


class Aged(bt.Model, table="QUOTE"):
    """The same, of an old qualifier that sorts in front of the new one."""

    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column("BID", md, also="AGED", default=None)


@pytest.mark.parametrize(("model", "old"), [(Kept, b"OLD"), (Aged, b"AGED")])
@pytest.mark.parametrize(
    ("before", "meanwhile", "left"),
    [
        ([], Mutation("QUOTE", b"a", [wide_bid(7, 1_000)]), 7),
        ([wide_bid(2, 1_000)], Mutation("QUOTE", b"a", [], [Delete("MD", b"BID")]), 1),
    ],
)
def test_what_comes_to_the_place_of_a_moved_cell_counts(
    model: type[Kept | Aged], old: bytes, before: list[Cell], meanwhile: Mutation, left: int
) -> None:
    """A writer writes the very millisecond, or deletes what was there, between the read of a cell and its move."""
    memory = Conditions()
    memory.apply(Mutation("QUOTE", b"a", [Cell("MD", old, 1_000, wide(1)), *before]))
    rewritten_meanwhile(memory, rewrite(model)(lambda row: row), meanwhile)
    assert memory.tables["QUOTE"] == {b"a": {("MD", b"BID", 1_000): wide(left)}}


def test_what_comes_to_a_column_that_is_filled_counts() -> None:
    """A writer gives the row a value between its read and the one that the function has for it."""
    memory = Conditions()
    memory.apply(Mutation("QUOTE", b"a", [Cell("MD", b"ASK", 5_000, b"x")]))
    rewritten_meanwhile(
        memory,
        rewrite(Aged)(lambda row: evolve(row, bid=row.bid or 1)),
        Mutation("QUOTE", b"a", [wide_bid(7, 4_000)]),
    )
    assert memory.tables["QUOTE"][b"a"][("MD", b"BID", 4_000)] == wide(7)


def rewritten_meanwhile(memory: Conditions, step: RewriteStep, meanwhile: Mutation) -> None:
    """Run the step on one row, which a writer changes between its read and its first write."""
    calls = iter([lambda: None, lambda: memory.apply(meanwhile)])
    memory.before = lambda: next(calls, lambda: None)()
    alone = RewriteStep(step.name, step.table, step.model, step.function, requests=1)
    alone.run(memory, MemoryHistory(), "0002/kept")


def test_a_writer_of_the_old_way_is_named() -> None:
    """Where something goes on writing in the old way, the step ends with an error, and begins again with the first row."""
    memory, history = Conditions(), MemoryHistory()
    memory.apply(Mutation("QUOTE", b"a", [bid(1, 1_000)]))
    later = iter([None] * 3)

    def before() -> None:
        if next(later, "over") == "over":
            memory.before = lambda: None
            memory.apply(Mutation("QUOTE", b"b", [bid(1, 1_000)]))

    memory.before = before
    with pytest.raises(
        MigrationError, match="1 row of 'QUOTE', such as b'b', were written in the old way since"
    ):
        kept.run(memory, history, "0002/kept")
    kept.run(memory, history, "0002/kept")
    assert all(len(value) == 8 for row in memory.tables["QUOTE"].values() for value in row.values())


def test_a_data_step_begins_with_the_recorded_model(quotes: Project, there: Site) -> None:
    """The old model is typed in from the record, by the attribute names of the declared one; only the function is left."""
    told = quotes.done("new", "no small bids", "--data", "Quote")
    assert "0002_no_small_bids.py: fill in change_quote; btmodel applies nothing before you do\n" in told
    path = quotes.migrations / "0002_no_small_bids.py"
    code = path.read_text()
    assert 'bid: int | None = bt.column("BID", md, codec=bt.IntBytes(4), default=None)' in code
    assert "def change_quote(row: OldQuote) -> OldQuote | None:" in code
    assert "the data step change_quote is still to be written" in quotes.refused("apply", "--yes")
    path.write_text(
        code.replace(
            'raise NotImplementedError("fill in change_quote")',
            "return bt.replace(row, bid=9) if row.bid else None",
        )
    )
    quotes.done("apply", "--yes")
    assert Cell("MD", b"BID", 2_000, (9).to_bytes(4)) in there.cells("QUOTE")[b"A"]
    assert (
        "expected a recorded model of one table, got 'Trade', which no tables have; recorded are Quote"
        in quotes.refused("new", "x", "--data", "Trade")
    )
    assert "expected one of --data-step, --data and --rewrite" in quotes.refused(
        "new", "x", "--data", "Quote", "--rewrite", "Quote"
    )


class Sale(StrEnum):
    """States whose values were others: `sold`, and `new` is still what it was."""

    SOLD = "sold_out"
    NEW = "new"

    @classmethod
    def _missing_(cls, value: object) -> "Sale | None":
        return cls.SOLD if value == "sold" else None


class Item(bt.Model, table="QUOTE"):
    """Cells of every shape, by codecs that read more than they write."""

    id: str = bt.key(bt.Text(max_length=5))
    f = bt.family("f", gc=bt.max_versions(3))
    state: Sale = bt.column("s", f, default=Sale.NEW)
    counts: dict[str, int] | None = bt.column("c", f, default=None)
    inner: int | None = bt.column(
        "i", f, codec=bt.Prefixed(b"!", bt.Either(bt.Int64(), bt.IntBytes(4))), default=None
    )
    ratio: float | None = bt.column("r", f, default=None)
    array: np.ndarray[Any, Any] | None = bt.column("n", f, codec=bt.RawArray("<f4", (None,)), default=None)
    g = bt.family("g", gc=bt.max_versions(1))
    entries: dict[str, Any] = bt.mapping(
        g,
        bt.Text(max_length=5),
        codec=bt.PerEntry({"a": bt.Either(bt.Int64(), bt.IntBytes(4)), "b": bt.Utf8()}),
    )
    h = bt.family("h", gc=bt.max_versions(100))
    states: bt.History[Sale] = bt.history("s", h)
    m = bt.family("m", gc=bt.max_versions(1))
    members: set[str] = bt.members(m, bt.Text(max_length=5))
    n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
    total: int | None = bt.counter("t", n)


NAN = b"\x7f\xf8" + bytes(5) + b"\x07"
REWRITTEN: list[tuple[str, bytes, bytes, bytes]] = [
    ("f", b"s", b"sold", b"sold_out"),
    ("f", b"s", b"new", b"new"),
    ("f", b"c", b'{"a": 1}', b'{"a": 1}'),  # nobody declares that it is to be spelt otherwise
    ("f", b"i", b"!" + bytes(3) + b"\1", b"!" + wide(1)),
    ("f", b"r", NAN, NAN),
    ("f", b"n", bytes(8), bytes(8)),
    ("g", b"a", bytes(3) + b"\2", wide(2)),
    ("g", b"b", b"text", b"text"),
    ("h", b"s", b"sold", b"sold_out"),
    ("m", b"x", b"whatever", b"whatever"),
    ("n", b"t", wide(5), wide(5)),
]


@pytest.mark.parametrize(("family", "qualifier", "before", "after"), REWRITTEN)
def test_every_cell_gets_the_bytes_that_its_codec_writes(
    family: str, qualifier: bytes, before: bytes, after: bytes
) -> None:
    """A value of an enum, or of a codec in another one, gets new bytes; what nobody declares to be read in two ways is left. The step ends once nothing is left."""
    others = [] if (family, qualifier) == ("f", b"s") else [Cell("f", b"s", 9_000, b"new")]
    memory, said = Conditions(), list[str]()
    memory.apply(Mutation("QUOTE", b"A", [Cell(family, qualifier, 1_000, before), *others]))
    step = RewriteStep("step", "QUOTE", Item, lambda row: row)
    step.run(memory, MemoryHistory(), "step", say=said.append)
    wanted = {cell[:3]: cell.value for cell in (Cell(family, qualifier, 1_000, after), *others)}
    assert memory.tables["QUOTE"][b"A"] == wanted
    count = "1 row" if before != after else "0 rows"
    assert said[0] == f"rewrote {count} of QUOTE; no row is left that needs it"


def small(text: str) -> str:
    return text.lower()


def same(text: str) -> str:
    return text


class Shout(bt.Model, table="QUOTE"):
    """A codec that reads what it would not write."""

    id: str = bt.key(bt.Text(max_length=5))
    f = bt.family("f", gc=bt.max_versions(3))
    text: str = bt.column("x", f, codec=bt.mapped(bt.Utf8(), to=small, from_=same))


def test_bytes_that_a_codec_of_the_user_would_write_otherwise_are_left() -> None:
    """Each run would write them again, and the step would never end, if such a codec never writes the same bytes twice."""
    memory, said = Conditions(), list[str]()
    memory.apply(Mutation("QUOTE", b"A", [Cell("f", b"x", 1_000, b"Upper")]))
    RewriteStep("step", "QUOTE", Shout, lambda row: row).run(memory, MemoryHistory(), "step", say=said.append)
    assert memory.tables["QUOTE"][b"A"] == {("f", b"x", 1_000): b"Upper"}
    assert said[0] == "rewrote 0 rows of QUOTE; no row is left that needs it"
