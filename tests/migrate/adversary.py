"""A table store in memory, and writers whose halves run at any point between the calls of a move."""

from collections.abc import Callable, Generator, Iterable
from typing import Any

from hypothesis import strategies as st

import btmodel as bt
from btmodel.declare import Fields, codec_of, schema_of
from btmodel.migrate.data import move
from btmodel.migrate.data.moves import Move
from btmodel.rows import Cell, Delete, Mutation, ReadPlan

Stored = dict[tuple[str, bytes, int], bytes]


class Quote(bt.Model, table="QUOTE"):
    """A quote as it was."""

    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    exchange: str = bt.column("X", md)
    bid: int | None = bt.column("BID", md, default=None)


class Listed(bt.Model, table="LISTED"):
    """The same below its exchange, with the symbol as a column, too."""

    exchange: str = bt.key(bt.Text(max_length=4))
    symbol: str = bt.key(bt.Text(max_length=5), mirror="MD:SYMBOL")
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("PRICE", md, codec=bt.DecimalText(), default=None)


@move(Quote, Listed)
def listed(row: Quote) -> Listed:
    return Listed(exchange=row.exchange, symbol=row.symbol, bid=row.bid)


class Place(bt.Model, table="QUOTE"):
    """A quote whose key holds both fields already."""

    symbol: str = bt.key(bt.Text(max_length=5))
    exchange: str = bt.key(bt.Text(max_length=4))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)
    ask: int = bt.column("ASK", md)


class Swapped(bt.Model, table="LISTED"):
    """The same with its key the other way round."""

    exchange: str = bt.key(bt.Text(max_length=4))
    symbol: str = bt.key(bt.Text(max_length=5), mirror="MD:SYMBOL")
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("PRICE", md, codec=bt.DecimalText(), default=None)
    ask: int = bt.column("ASK", md)


@move(Place, Swapped)
def swapped(row: Place) -> Swapped:
    return Swapped(exchange=row.exchange, symbol=row.symbol, bid=row.bid, ask=row.ask)


class Killed(BaseException):
    """The process of a run ended here."""


class Memory:
    """Tables in dicts; ``before`` is called in front of each row that is read, and of each row that is written."""

    def __init__(self) -> None:
        self.before: Callable[[], None] = lambda: None
        self.tables: dict[str, dict[bytes, Stored]] = {"QUOTE": {}, "LISTED": {}}

    def read(self, plan: ReadPlan) -> Generator[tuple[bytes, list[Cell]], None, None]:
        keys = sorted(self.tables[plan.table])
        for key in keys:
            if not any(one.start <= key and (not one.end or key < one.end) for one in plan.ranges):
                continue
            self.before()
            stored = self.tables[plan.table].get(key)
            if stored:
                yield key, self.cells(stored)
        self.before()

    def write_many(self, table: str, mutations: Iterable[Mutation], *, permit: Any = None) -> int:
        count = 0
        for mutation in list(mutations):
            self.before()
            self.apply(mutation)
            count += 1
        self.before()
        return count

    def apply(self, mutation: Mutation) -> None:
        row = self.tables[mutation.table].setdefault(mutation.key, {})
        for delete in mutation.deletes:
            for place in [place for place in row if _is_deleted(place, delete)]:
                del row[place]
        for cell in mutation.cells:
            row[cell[:3]] = cell.value
        if not row:
            del self.tables[mutation.table][mutation.key]

    def collect(self, table: str, key: bytes) -> None:
        """What the service may do at any time: delete all but the newest version of each column of a row."""
        row = self.tables[table].get(key, {})
        for place in [one for one in row if any(one[:2] == other[:2] and one < other for other in row)]:
            del row[place]

    @staticmethod
    def cells(stored: Stored) -> list[Cell]:
        ordered = sorted(stored, key=lambda one: (one[0], one[1], -one[2]))
        return [Cell(*place, stored[place]) for place in ordered]

    def visible(self, table: str) -> dict[bytes, list[Cell]]:
        """The newest cell of each column."""
        found = {}
        for key, stored in self.tables[table].items():
            newest = {cell[:2]: cell for cell in reversed(self.cells(stored))}
            found[key] = [newest[place] for place in sorted(newest)]
        return found

    def moved(self, step: Move) -> dict[bytes, list[Cell]]:
        """What the new table is to hold, by the old one."""
        moved = step.moved((key, cells) for key, cells in self.visible("QUOTE").items())
        return {
            target: sorted(Cell(*at[1:], value) for at, value in cells.items())
            for cells in moved.values()
            for target in {at[0] for at in cells}
        }


def _is_deleted(place: tuple[str, bytes, int], delete: Delete) -> bool:
    family, qualifier, time = place
    if delete.family is None:
        return True
    if family != delete.family or delete.qualifier not in (None, qualifier):
        return False
    return delete.start <= time and (not delete.end or time < delete.end)


SYMBOLS, TIMES, BIDS, EXCHANGES = ["a", "b"], [1_000, 2_000, 3_000], [None, 1, 2], ["x", "y"]


class Writers:
    """The application: each row has one writer at a time, which writes the old row first, and then the new one.

    ``draw`` decides what happens next. Times are few, so that rows are deleted and written again at the same ones.
    """

    def __init__(self, memory: Memory, draw: Callable[[Any], Any], step: Move = listed) -> None:
        self.memory, self.draw, self.move = memory, draw, step
        self.pending: dict[str, list[Mutation]] = {}

    def step(self) -> None:
        """The next half of a write of some row, or the garbage collection of one."""
        symbol = self.draw(st.sampled_from(SYMBOLS))
        if symbol in self.pending:
            for mutation in self.pending.pop(symbol):
                self.memory.apply(mutation)
            return
        # A key that is made of columns allows no put, which would leave the row of an earlier value behind.
        puts = ["put"] if self.move.model is Place else []
        kind = self.draw(st.sampled_from(["replace", "delete", "collect", *puts]))
        if kind == "collect":
            for exchange in EXCHANGES:
                self.memory.collect("QUOTE", self.key(symbol, exchange))
                self.memory.collect("LISTED", f"{exchange}#{symbol}".encode())
            return
        row = self.row(symbol)
        key = codec_of(type(row)).keys.of_row(row)
        before = self.memory.visible("QUOTE").get(key)
        gone = [] if before is None else [self.deletion(self.target(key, before))]
        if kind == "delete":
            self.memory.apply(Mutation("QUOTE", key, deletes=[Delete()]))
            self.pending[symbol] = gone
            return
        old, new = self.both(row, *([Delete()] if kind == "replace" else []))
        self.memory.apply(old)
        self.pending[symbol] = [*(gone if kind == "replace" else []), new]

    def key(self, symbol: str, exchange: str) -> bytes:
        return f"{symbol}#{exchange}".encode() if self.move.model is Place else symbol.encode()

    def row(self, symbol: str) -> Any:
        exchange, bid = self.draw(st.sampled_from(EXCHANGES)), self.draw(st.sampled_from(BIDS))
        if self.move.model is Place:
            return Place(symbol=symbol, exchange=exchange, bid=bid, ask=3)
        return Quote(symbol=symbol, exchange=exchange, bid=bid)

    def replacement(self, symbol: str) -> tuple[Mutation, Mutation]:
        return self.both(self.row(symbol), Delete())

    def both(self, row: Any, *deletes: Delete) -> tuple[Mutation, Mutation]:
        time = self.draw(st.sampled_from(TIMES))
        return _written(row, time, deletes), _written(self.move.function(row), time, deletes)

    def target(self, key: bytes, cells: list[Cell]) -> bytes:
        assert self.move.model is not None
        row: Any = self.move.function(codec_of(self.move.model).decode(key, cells))
        return codec_of(type(row)).keys.of_row(row)

    def deletion(self, key: bytes) -> Mutation:
        return Mutation("LISTED", key, deletes=[Delete()])

    def finish(self) -> None:
        """The second halves of all writes that have begun."""
        for mutations in self.pending.values():
            for mutation in mutations:
                self.memory.apply(mutation)
        self.pending.clear()


def _written(row: Any, time: int, deletes: Iterable[Delete]) -> Mutation:
    made = codec_of(type(row)).encode(Fields(row), time)
    return Mutation(schema_of(type(row)).table, made.key, made.cells, list(deletes))
