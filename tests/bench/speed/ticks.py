"""The table of five columns: made-up trades, as a model and as a careful person writes it by hand."""

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from struct import Struct
from typing import Any

from attrs import define

import btmodel as bt

FAMILY = "d"
MOST = 1_000_000
A_SYMBOL = 1_000  # rows
VENUES = ("NYSE", "NASDAQ", "ARCA", "BATS", "IEX")
DOUBLE = Struct(">d")
LONG = Struct(">q")


class Tick(bt.Model, table="ticks"):
    """A trade of a symbol."""

    symbol: str = bt.key(bt.Text(max_length=5), cardinality=1_000)
    number: int = bt.key(bt.PaddedInt(9))

    d = bt.family("d", gc=bt.max_versions(1))
    price: float = bt.column("px", d)
    size: int = bt.column("sz", d)
    venue: str = bt.column("vn", d)
    side: str = bt.column("sd", d)
    trade: int = bt.column("id", d)

    of_symbol = bt.query("symbol", between="number")
    all_ticks = bt.query(scan="the benchmark reads all of them")


@define
class PlainTick:
    """The same without an ORM."""

    symbol: str
    number: int
    price: float
    size: int
    venue: str
    side: str
    trade: int


def symbols() -> list[str]:
    """A thousand made-up symbols of 2 to 5 letters, in the order of their rows."""
    letters = random.Random(7)
    found: set[str] = set()
    while len(found) < MOST // A_SYMBOL:
        found.add("".join(letters.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=letters.randint(2, 5))))
    return sorted(found)


def records(count: int) -> Iterator[PlainTick]:
    """The first rows of the table, in the order of their keys."""
    numbers = ((symbol, number) for symbol in symbols() for number in range(A_SYMBOL))
    for at, (symbol, number) in enumerate(islice(numbers, count)):
        yield PlainTick(
            symbol=symbol,
            number=number,
            price=10 + at * 7_919 % 100_000 / 100,
            size=100 * (1 + at % 90),
            venue=VENUES[at % 5],
            side="BS"[at % 2],
            trade=at * 31,
        )


def model(one: PlainTick) -> Tick:
    """The record as an instance of the model."""
    return Tick(
        symbol=one.symbol,
        number=one.number,
        price=one.price,
        size=one.size,
        venue=one.venue,
        side=one.side,
        trade=one.trade,
    )


def key(one: PlainTick) -> bytes:
    """The row key, as a person writes it."""
    return f"{one.symbol}#{one.number:09d}".encode()


def key_fields(raw: bytes) -> tuple[str, int]:
    """The fields of a row key, as a person takes it apart."""
    symbol, number = raw.decode().split("#")
    return symbol, int(number)


def cells(one: PlainTick) -> list[tuple[bytes, bytes]]:
    """Qualifiers and values, in the order in which the service keeps them."""
    return [
        (b"id", LONG.pack(one.trade)),
        (b"px", DOUBLE.pack(one.price)),
        (b"sd", one.side.encode()),
        (b"sz", LONG.pack(one.size)),
        (b"vn", one.venue.encode()),
    ]


def careful(row: Any) -> PlainTick:
    """Of a row of the data client: its cells once, by qualifier."""
    values = {cell.qualifier: cell.value for cell in row.cells}
    symbol, number = row.row_key.decode().split("#")
    return PlainTick(
        symbol,
        int(number),
        DOUBLE.unpack(values[b"px"])[0],
        LONG.unpack(values[b"sz"])[0],
        values[b"vn"].decode(),
        values[b"sd"].decode(),
        LONG.unpack(values[b"id"])[0],
    )


def idiom(row: Any) -> PlainTick:
    """Of a row of the data client, as its documentation reads a cell."""
    symbol, number = row.row_key.decode().split("#")
    return PlainTick(
        symbol,
        int(number),
        DOUBLE.unpack(row[FAMILY, "px"][0].value)[0],
        LONG.unpack(row[FAMILY, "sz"][0].value)[0],
        row[FAMILY, "vn"][0].value.decode(),
        row[FAMILY, "sd"][0].value.decode(),
        LONG.unpack(row[FAMILY, "id"][0].value)[0],
    )


def legacy(row: Any) -> PlainTick:
    """Of a row of the legacy client."""
    symbol, number = row.row_key.decode().split("#")
    found = row.cells[FAMILY]
    return PlainTick(
        symbol,
        int(number),
        DOUBLE.unpack(found[b"px"][0].value)[0],
        LONG.unpack(found[b"sz"][0].value)[0],
        found[b"vn"][0].value.decode(),
        found[b"sd"][0].value.decode(),
        LONG.unpack(found[b"id"][0].value)[0],
    )


def scan(ticks: Any, count: int) -> Iterable[Any]:
    """The first rows, through the generated repository."""
    found: Iterable[Any] = ticks.all_ticks().limit(count)
    return found
