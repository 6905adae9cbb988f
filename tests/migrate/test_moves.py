"""Rows that move while others write them: nothing is lost, nothing is revived, nothing is there twice."""

from collections.abc import Callable, Generator, Iterable
from typing import Any

import pytest
from adversary import Killed, Listed, Memory, Quote, Writers, listed, swapped
from hypothesis import given
from hypothesis import strategies as st
from memory_history import MemoryHistory

import btmodel as bt
from btmodel.declare import Fields, codec_of, schema_of
from btmodel.errors import DeclarationError, MigrationError
from btmodel.migrate import MoveStep, move
from btmodel.migrate.data.comparison import PartComparison, Pass, Suspects, compare_move
from btmodel.migrate.data.moves import backfill, recover
from btmodel.migrate.data.sums import Sums
from btmodel.migrate.data.walks import BATCH_BYTES
from btmodel.migrate.history import Reached
from btmodel.rows import Cell, Delete, Mutation, ReadPlan, RowRange
from tests.examples_tried import examples

STEP = "0002_by_exchange/listed"


def adversary(memory: Memory, writers: Writers, data: st.DataObject, kills: int = 0) -> Callable[[], None]:
    """What happens between two calls: writers do halves of writes, and a run is killed now and then."""
    left = kills

    def before() -> None:
        nonlocal left
        for _ in range(data.draw(st.integers(0, 2))):
            writers.step()
        if left and data.draw(st.booleans()):
            left -= 1
            memory.before = lambda: None
            raise Killed

    return before


@pytest.mark.parametrize("step", [listed, swapped], ids=["a key of columns", "another order"])
@examples(70, deadline=None)
@given(data=st.data())
def test_writers_between_any_two_calls_and_kills_anywhere(step: MoveStep, data: st.DataObject) -> None:
    """Whatever writers do between the reads and writes of a move, and wherever it is killed, the tables agree in the end."""
    memory, history = Memory(), MemoryHistory()
    writers = Writers(memory, data.draw, step)
    for symbol in data.draw(st.sets(st.sampled_from(["a", "b"]))):
        memory.apply(writers.replacement(symbol)[0])
    before = adversary(memory, writers, data, kills=data.draw(st.integers(0, 2)))
    done = False
    while not done:
        memory.before = before
        try:
            backfill(memory, history, step, STEP)
            done = True
        except Killed:
            pass
    memory.before = lambda: None
    writers.finish()
    assert memory.visible("LISTED") == memory.moved(step)


@pytest.mark.parametrize("step", [listed, swapped], ids=["a key of columns", "another order"])
@examples(50, deadline=None)
@given(data=st.data())
def test_a_comparison_under_writers_copies_what_is_missing_and_invents_no_difference(
    step: MoveStep, data: st.DataObject
) -> None:
    """Rows that are written while both tables are compared are no difference; rows of one table alone are."""
    memory = Memory()
    writers = Writers(memory, data.draw, step)
    alone = data.draw(st.sets(st.sampled_from(["a", "b"])))
    for symbol in ("a", "b"):
        old, new = writers.replacement(symbol)
        memory.apply(old)
        if symbol not in alone:
            memory.apply(new)
    memory.before = adversary(memory, writers, data)
    cuts = sorted(data.draw(st.sets(st.sampled_from([b"a", b"b", b"x", b"x#b"]))))
    found = compare_move(memory, step, passing=lambda number: in_parts(memory, step, cuts, writers, number))
    memory.before = lambda: None
    writers.finish()
    assert memory.visible("LISTED") == memory.moved(step)
    assert found.copied <= len(alone)
    assert not found.removed


def in_parts(memory: Memory, step: MoveStep, cuts: list[bytes], writers: Writers, number: int) -> Pass:
    """A pass over the parts between ``cuts``, as workers do it, in the opposite order."""
    spans = map(RowRange, [b"", *cuts], [*cuts, b""])
    parts = [PartComparison(memory, step, part=span) for span in spans][::-1]
    sums = Sums()
    for part in parts:
        sums.include(part.sums()[0])
    suspects = Suspects(sums.differing(), sums.counts, number=number)
    done = [part.repaired(suspects, lambda seconds: writers.finish()) for part in parts]
    return Pass(sums.counts, copied=sum(one[0] for one in done), removed=sum(one[1] for one in done))


def quote(symbol: str, exchange: str = "x", time: int = 1_000) -> Mutation:
    row = Quote(symbol=symbol, exchange=exchange, bid=7)
    made = codec_of(Quote).encode(Fields(row), time)
    return Mutation("QUOTE", made.key, made.cells)


def test_a_value_that_is_replaced_at_its_own_timestamp_is_the_new_one() -> None:
    """A writer with explicit times replaces a cell, in both tables, after a batch was read and before it is written."""
    memory = Memory()
    memory.apply(quote("a"))
    calls = 0

    def before() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:  # after the row and the end of the read: in front of the write
            written(memory, Quote(symbol="a", exchange="x", bid=8), 1_000)

    memory.before = before
    backfill(memory, MemoryHistory(), listed, STEP)
    assert memory.tables["LISTED"][b"x#a"]["MD", b"PRICE", 1_000] == b"8"


def test_what_garbage_collection_deletes_below_a_cell_that_goes_is_written_again() -> None:
    """A row is replaced at an earlier time, its copied cell lies above that for a moment, and the service collects just then."""
    memory = Memory()
    memory.apply(quote("a", time=2_000))
    calls = 0

    def before() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:  # in front of the write
            row = Quote(symbol="a", exchange="x", bid=8)
            for one in (row, listed.function(row)):
                made = codec_of(type(one)).encode(Fields(one), 1_000)
                memory.apply(Mutation(schema_of(type(one)).table, made.key, made.cells, [Delete()]))
        elif calls == 4:  # behind it
            memory.collect("LISTED", b"x#a")
            assert ("MD", b"PRICE", 1_000) not in memory.tables["LISTED"][b"x#a"]

    memory.before = before
    backfill(memory, MemoryHistory(), listed, STEP)
    assert memory.visible("LISTED") == memory.moved(listed)
    assert memory.tables["LISTED"][b"x#a"] == {("MD", b"PRICE", 1_000): b"8", ("MD", b"SYMBOL", 1_000): b"a"}


def test_cells_that_the_old_table_does_not_have_are_named_and_removed_only_where_that_is_allowed() -> None:
    """A row of the new table alone is another writer's, or one that was deleted half: only the user knows which."""
    memory = Memory()
    memory.apply(quote("a"))
    backfill(memory, MemoryHistory(), listed, STEP)
    times = (1_000, 2_000, 3_000)  # the older ones are seen once the newest is gone
    memory.apply(Mutation("LISTED", b"x#b", [Cell("MD", b"SYMBOL", time, b"b") for time in times]))
    with pytest.raises(
        MigrationError,
        match=r"1 cell in 1 row that do not follow from 'QUOTE', such as b'x#b'.*take-back:listed",
    ):
        compare_move(memory, listed, wait=lambda seconds: None)
    assert compare_move(memory, listed, remove=True, wait=lambda seconds: None).removed == 1
    assert memory.visible("LISTED") == memory.moved(listed)


def test_a_table_that_one_writer_does_not_know_is_named() -> None:
    """Where something writes the old table alone all the time, the comparison ends and says so."""
    memory = Memory()
    count = 0

    def alone(seconds: float) -> None:
        nonlocal count
        count += 1
        memory.apply(quote(f"n{count}"))

    memory.apply(quote("a"))
    with pytest.raises(MigrationError, match="something writes 'QUOTE' alone"):
        compare_move(memory, listed, wait=alone)


def test_a_comparison_ends_after_one_pass_however_many_rows_are_written_meanwhile() -> None:
    """Each row is written again, in both tables, whenever a table has been read: no group is ever equal, and no row differs when it is looked at."""
    memory = Memory()
    for at in range(700):
        memory.apply(quote(f"a{at}"))
    backfill(memory, MemoryHistory(), listed, STEP)
    reads, time = 0, 1_000

    def read(plan: ReadPlan) -> Generator[tuple[bytes, list[Cell]], None, None]:
        nonlocal reads, time
        yield from Memory.read(memory, plan)
        if not plan.ranges[0].start and not plan.ranges[0].end:
            reads, time = reads + 1, time + 1_000
            for at in range(700):
                written(memory, Quote(symbol=f"a{at}", exchange="x", bid=time), time)

    memory.read = read  # type: ignore[method-assign]
    found = compare_move(memory, listed, wait=lambda seconds: None)
    assert (found.rows, found.copied, reads) == (700, 0, 4)


@pytest.mark.parametrize("both", [True, False])
def test_a_row_that_is_rewritten_at_one_time_differs_only_where_one_table_is_written(both: bool) -> None:
    """Each read finds another value at the same time that the new table does not have yet; where it gets none at all, that is found."""
    memory = Memory()
    memory.apply(quote("a"))
    backfill(memory, MemoryHistory(), listed, STEP)
    bid = 8

    def read(plan: ReadPlan) -> Generator[tuple[bytes, list[Cell]], None, None]:
        nonlocal bid
        if plan.table == "QUOTE":  # which is read behind the new one
            before, bid = bid, bid + 1
            if both:
                written(memory, Quote(symbol="a", exchange="x", bid=before), 1_000)
            first = codec_of(Quote).encode(Fields(Quote(symbol="a", exchange="x", bid=bid)), 1_000)
            memory.apply(Mutation("QUOTE", first.key, first.cells))
        yield from Memory.read(memory, plan)

    memory.read = read  # type: ignore[method-assign]
    if both:
        assert compare_move(memory, listed, wait=lambda seconds: None).copied == 0
        return
    with pytest.raises(MigrationError, match="has changed at the same timestamps"):
        compare_move(memory, listed, wait=lambda seconds: None)


def test_an_update_of_which_one_half_was_written_is_completed() -> None:
    """A process ended between its two writes: the older value of the new row is hidden by what is copied, and nothing has to be taken back."""
    memory = Memory()
    memory.apply(quote("a"))
    backfill(memory, MemoryHistory(), listed, STEP)
    old = codec_of(Quote).encode(Fields(Quote(symbol="a", exchange="x", bid=8)), 2_000)
    memory.apply(Mutation("QUOTE", old.key, old.cells))
    assert compare_move(memory, listed, wait=lambda seconds: None).copied == 1
    assert memory.visible("LISTED") == memory.moved(listed)


@pytest.mark.parametrize("share", [1, 7, 400])
def test_all_rows_that_differ_are_found_however_many_batches_they_are_in(share: int) -> None:
    """Rows of one table alone, values that were not moved, and rows under an earlier key: one in so many, over three batches."""
    memory = Memory()
    for at in range(1_300):
        memory.apply(quote(f"a{at}"))
    backfill(memory, MemoryHistory(), listed, STEP)
    for at in range(0, 1_300, share):
        exchange = "y" if at % 2 else "x"
        old = codec_of(Quote).encode(Fields(Quote(symbol=f"a{at}", exchange=exchange, bid=8)), 2_000)
        memory.apply(Mutation("QUOTE", old.key, old.cells))
    moved_on = sum(at % 2 for at in range(0, 1_300, share))
    if moved_on:
        with pytest.raises(MigrationError, match="take-back:listed"):
            compare_move(memory, listed, wait=lambda seconds: None)
    found = compare_move(memory, listed, remove=True, wait=lambda seconds: None)
    assert found.removed == moved_on
    assert memory.visible("LISTED") == memory.moved(listed)


def written(memory: Memory, row: Quote, time: int) -> None:
    """Write a row in both tables."""
    for one in (row, listed.function(row)):
        made = codec_of(type(one)).encode(Fields(one), time)
        memory.apply(Mutation(schema_of(type(one)).table, made.key, made.cells))


def test_two_rows_that_would_become_one_are_refused_with_both_keys() -> None:
    """Where the new key does not hold the old one, rows are compared before they are written, in a batch and beyond it."""

    class ByExchange(bt.Model, table="LISTED"):
        """The last quote of an exchange."""

        exchange: str = bt.key(bt.Text(max_length=4))
        md = bt.family("MD", gc=bt.max_versions(1))
        symbol: str = bt.column("SYMBOL", md)

    @move(Quote, ByExchange)
    def last(row: Quote) -> ByExchange:
        return ByExchange(exchange=row.exchange, symbol=row.symbol)

    memory = Memory()
    memory.apply(quote("a"))
    backfill(memory, MemoryHistory(), last, STEP)
    memory.apply(quote("b"))
    with pytest.raises(
        MigrationError, match="the rows b'a' and b'b' of 'QUOTE' would both become b'x' of 'LISTED'"
    ):
        backfill(memory, MemoryHistory(), last, STEP)
    memory.apply(Mutation("LISTED", b"x", deletes=[Delete()]))
    with pytest.raises(
        MigrationError, match="the rows b'a' and b'b' of 'QUOTE' would both become b'x' of 'LISTED'"
    ):
        backfill(memory, MemoryHistory(), last, STEP)
    assert memory.tables["LISTED"] == {}


def killed(memory: Memory, step: MoveStep) -> MemoryHistory:
    """The history of a run that was killed right after it had written its first new row."""
    history = MemoryHistory()

    def before() -> None:
        if memory.tables["LISTED"]:
            raise Killed

    memory.before = before
    with pytest.raises(Killed):
        backfill(memory, history, step, STEP)
    memory.before = lambda: None
    return history


GONE = Mutation("QUOTE", b"a", deletes=[Delete()])


@pytest.mark.parametrize(
    ("since", "rows"),
    [
        ([GONE], {}),
        ([GONE, quote("a", exchange="y")], {b"y#a": b"7"}),
        ([GONE, quote("b")], {b"x#b": b"7"}),
        ([Mutation("QUOTE", b"a", [Cell("MD", b"BID", 1_000, (9).to_bytes(8))])], {b"x#a": b"9"}),
        ([Mutation("QUOTE", b"a", deletes=[Delete("MD", b"BID")])], {b"x#a": None}),
        ([], {b"x#a": b"7"}),
    ],
    ids=["deleted", "moved on", "another", "replaced", "less", "the same"],
)
def test_what_a_killed_run_has_written_follows_from_the_old_rows_in_the_end(
    since: list[Mutation], rows: dict[bytes, bytes | None]
) -> None:
    """The next run finishes its batch first, whatever has become of the old row since."""
    memory = Memory()
    memory.apply(quote("a"))
    history = killed(memory, listed)
    for mutation in since:
        memory.apply(mutation)
    backfill(memory, history, listed, STEP)
    found = {key: row.get(("MD", b"PRICE", 1_000)) for key, row in memory.tables["LISTED"].items()}
    assert found == rows


class Unwritten(Memory):
    """A store to which nothing may be written."""

    def write_many(self, table: str, mutations: Iterable[Mutation], *, permit: Any = None) -> int:
        raise AssertionError([*mutations])


def test_a_killed_batch_that_is_whole_is_not_written_again() -> None:
    """Nor is any cell of it deleted for a while: the application may read the new rows by then."""
    memory = Memory()
    memory.apply(quote("a"))
    killed(memory, listed)
    there = Unwritten()
    there.tables = memory.tables
    recover(there, listed, [b"x#a"])


def test_a_killed_run_counts_each_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one goes on behind the last row of its last whole batch, and leaves no batch open."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 1)
    memory, history = Memory(), MemoryHistory()
    for symbol in ("a", "b", "c"):
        memory.apply(quote(symbol))

    def before() -> None:
        if len(memory.tables["LISTED"]) == 2:
            raise Killed

    memory.before = before
    with pytest.raises(Killed):
        backfill(memory, history, listed, STEP)
    memory.before = lambda: None
    reached = backfill(memory, history, listed, STEP)
    assert (reached.rows, reached.written, reached.targets) == (3, 3, ())
    assert history.progress(STEP) == reached


def test_a_killed_run_that_has_written_two_new_rows_of_one_old_row() -> None:
    """As its sections were worked through by several runs; the row that follows stays alone."""
    memory, history = Memory(), MemoryHistory()
    for exchange in ("x", "y"):
        memory.apply(quote("a", exchange=exchange))
        backfill(memory, MemoryHistory(), listed, STEP)
    assert [*memory.tables["LISTED"]] == [b"x#a", b"y#a"]
    history.record_progress(STEP, Reached(b"", 0, targets=(b"x#a", b"y#a")))
    backfill(memory, history, listed, STEP)
    assert [*memory.tables["LISTED"]] == [b"y#a"]


def test_a_new_row_that_does_not_say_its_old_one_is_left_as_it_is() -> None:
    """Another program has written it, or has deleted the cell that says so."""

    class ByExchange(bt.Model, table="LISTED"):
        """The last quote of an exchange."""

        exchange: str = bt.key(bt.Text(max_length=4))
        md = bt.family("MD", gc=bt.max_versions(1))
        symbol: str = bt.column("SYMBOL", md)

    @move(Quote, ByExchange)
    def last(row: Quote) -> ByExchange:
        return ByExchange(exchange=row.exchange, symbol=row.symbol)

    memory = Memory()
    memory.apply(quote("a"))
    history = killed(memory, last)
    other = Cell("MD", b"OTHER", 1_000, b"o")
    memory.apply(Mutation("LISTED", b"x", [other], [Delete("MD", b"SYMBOL")]))
    memory.apply(GONE)
    backfill(memory, history, last, STEP)
    assert memory.tables["LISTED"] == {b"x": {other[:3]: b"o"}}


def test_all_versions_and_cells_that_no_model_knows_come_along() -> None:
    """Each cell keeps its time; versions that no reader sees, and columns that no model declares, are copied."""
    memory = Memory()
    memory.apply(quote("a", time=1_000))
    memory.apply(quote("a", time=5_000))
    memory.apply(Mutation("QUOTE", b"a", [Cell("MD", b"OTHER", 2_000, b"?")]))
    backfill(memory, MemoryHistory(), listed, STEP)
    assert memory.tables["LISTED"] == {
        b"x#a": {
            ("MD", b"PRICE", 1_000): b"7",
            ("MD", b"PRICE", 5_000): b"7",
            ("MD", b"OTHER", 2_000): b"?",
            ("MD", b"SYMBOL", 5_000): b"a",
        }
    }


def test_a_function_that_changes_what_is_copied_is_refused() -> None:
    """A column of both models is copied as it is, so a function that computes it would not agree with its cells."""

    @move(Quote, Listed)
    def doubled(row: Quote) -> Listed:
        return Listed(exchange=row.exchange, symbol=row.symbol, bid=2 * (row.bid or 0))

    @move(Quote, Listed)
    def shouted(row: Quote) -> Listed:
        return Listed(exchange=row.exchange, symbol=row.symbol.upper(), bid=row.bid)

    memory = Memory()
    memory.apply(quote("a"))
    with pytest.raises(
        MigrationError, match=r"^doubled: row b'a': the function makes bid=14, and the copied cells are bid=7"
    ):
        backfill(memory, MemoryHistory(), doubled, STEP)
    with pytest.raises(
        MigrationError, match=r"^shouted: row b'a' has symbol='a', and its new row symbol='A'"
    ):
        backfill(memory, MemoryHistory(), shouted, STEP)
    assert memory.tables["LISTED"] == {}


class Narrow(bt.Model, table="LISTED"):
    """A quote whose price has 2 bytes, and its fees single bytes under names of two digits."""

    exchange: str = bt.key(bt.Text(max_length=4))
    symbol: str = bt.key(bt.Text(max_length=4))
    md = bt.family("MD", gc=bt.max_versions(3))
    price: int = bt.column("PRICE", md, codec=bt.IntBytes(2))
    fees: dict[int, int] = bt.mapping(md, bt.PaddedInt(2), prefix="F", codec=bt.IntBytes(1))


class Wide(bt.Model, table="QUOTE"):
    """The same with wider ones."""

    symbol: str = bt.key(bt.Text(max_length=4))
    md = bt.family("MD", gc=bt.max_versions(3))
    exchange: str = bt.column("EXCHANGE", md)
    price: int = bt.column("PRICE", md, codec=bt.IntBytes(4))
    fees: dict[int, int] = bt.mapping(md, bt.PaddedInt(4), prefix="F", codec=bt.IntBytes(2))


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (
            Cell("MD", b"PRICE", 9_000, (70_000).to_bytes(4)),
            r"Narrow\.price: expected .*, got 70000: give that",
        ),
        (
            Cell("MD", b"PRICE", 9_000, b"?"),
            r"no Wide: table QUOTE, row b'a', cell MD:PRICE.*: expected .*, got b'\?'",
        ),
        (
            Cell("MD", b"PRICE", 1_000, b"?"),
            r"no Wide: table QUOTE, row b'a', cell MD:PRICE.*: expected .*, got b'\?'",
        ),
        (Cell("MD", b"F0007", 9_000, b"\1\0"), r"Narrow\.fees.*: expected .*, got 256: give that"),
        (Cell("MD", b"F0700", 9_000, b"\0\1"), r"Narrow\.fees.*: expected .*, got 700: give that"),
    ],
)
def test_a_cell_that_the_new_row_cannot_hold_is_named(cell: Cell, why: str) -> None:
    """With the row, the attribute, and what to do: whether it is the newest of its column or an older one."""

    @move(Wide, Narrow)
    def narrowed(row: Wide) -> Narrow:
        return Narrow(exchange=row.exchange, symbol=row.symbol, price=1, fees={})

    memory = Memory()
    there = [Cell("MD", b"PRICE", 5_000, b"\0\0\0\1"), Cell("MD", b"EXCHANGE", 5_000, b"x")]
    memory.apply(Mutation("QUOTE", b"a", [*there, cell]))
    with pytest.raises(MigrationError, match=rf"^narrowed: row b'a' of 'QUOTE' .*{why}"):
        backfill(memory, MemoryHistory(), narrowed, STEP)


def counter() -> Any:
    class Sales(bt.Model, table="SALES"):
        """Sales of a shop."""

        shop: str = bt.key(bt.Text(max_length=4))
        f = bt.family("f", gc=bt.keep_all(), aggregate="sum")
        sold: int | None = bt.counter("s", f)

    return Sales


def test_models_whose_rows_cannot_be_moved_are_refused_with_a_sentence() -> None:
    """Sums, tables that are named at run time, and keys that the new row does not hold."""

    class Bare(bt.Model, table="BARE"):
        """A quote without its symbol."""

        exchange: str = bt.key(bt.Text(max_length=4))
        md = bt.family("MD", gc=bt.max_versions(1))
        bid: int | None = bt.column("BID", md, default=None)

    sales = counter()
    with pytest.raises(DeclarationError, match=r"Sales.sold.*sums cannot be moved while they are added to"):
        move(sales, sales)
    with pytest.raises(DeclarationError, match="rows of Bare do not hold symbol of the key of Quote"):
        move(Quote, Bare)


def test_large_rows_that_differ_are_looked_at_a_few_at_a_time() -> None:
    """Rows of a mebibyte, all of which lack one small cell: memory holds no more of them than a batch."""
    memory = Memory()
    large = codec_of(Quote).encode(Fields(Quote(symbol="a", exchange="x", bid=7)), 1_000).cells
    large = (*large, Cell("MD", b"LARGE", 1_000, bytes(2**20)))
    for at in range(40):
        memory.apply(Mutation("QUOTE", b"a%d" % at, large))
    backfill(memory, MemoryHistory(), listed, STEP)
    for at in range(40):
        memory.apply(Mutation("LISTED", b"x#a%d" % at, deletes=[Delete("MD", b"PRICE")]))
    most = 0

    def read(plan: ReadPlan) -> Generator[tuple[bytes, list[Cell]], None, None]:
        nonlocal most
        if plan.ranges[0].start:
            most = max(most, len(plan.ranges))
        yield from Memory.read(memory, plan)

    memory.read = read  # type: ignore[method-assign]
    assert compare_move(memory, listed, wait=lambda seconds: None).copied == 40
    assert memory.moved(listed) == memory.visible("LISTED")
    assert 1 < most <= BATCH_BYTES // 2**20 + 1
