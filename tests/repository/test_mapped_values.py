"""Values of the user's own types, by two functions around a codec: in keys, mirrors, cells and qualifiers."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from notes import generated

import btmodel as bt

HOUR = timedelta(hours=1)


def cents(euros: Decimal) -> int:
    return int(euros.scaleb(2))


def euros(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def hours(length: timedelta) -> int:
    return length // HOUR


def of_hours(count: int) -> timedelta:
    return count * HOUR


PRICE = bt.mapped(bt.PaddedInt(6), to=cents, from_=euros, ordered=True)
SPAN = bt.mapped(bt.DecimalText(), to=hours, from_=of_hours)
PATH = bt.mapped(bt.Text(max_length=20), to=str, from_=Path)


class Offer(bt.Model, table="OFFER", events="10/s"):
    """A model with such codecs wherever it can have one."""

    shop: Path = bt.key(PATH, cardinality=10)
    price: Decimal = bt.key(PRICE, cardinality=1000, mirror="f:price")

    f = bt.family("f", gc=bt.max_versions(1))
    span: timedelta = bt.column("s", f, codec=SPAN, size=2, max_size=4)
    last: Decimal | None = bt.column("l", f, codec=bt.AsInKey(PRICE), default=None)
    rates: dict[Decimal, timedelta] = bt.mapping(f, PRICE, codec=SPAN, prefix="r", entries=5)
    paths: set[Path] = bt.members(f, PATH, prefix="p", entries=5)

    dear = bt.query("shop", between="price")


def offers() -> list[Offer]:
    return [
        Offer(
            shop=Path("a/b"),
            price=Decimal(f"{number}.50"),
            span=number * HOUR,
            rates={Decimal("1.25"): HOUR},
            paths={Path("x")},
        )
        for number in range(3)
    ]


def test_rows_are_written_read_and_asked_for(database: Callable[..., bt.Database]) -> None:
    """By the generated repository, with its compiled code, and as columns of Arrow and back."""
    repository = generated(Offer).OfferRepository(database(Offer))
    repository.put_many(offers())
    assert list(repository.dear(Path("a/b"), Decimal("0.99"))) == offers()[1:]
    assert repository.get(Path("a/b"), Decimal("1.50")) == offers()[1]
    assert list(repository.dear(Path("a/b")).where(span=2 * HOUR)) == offers()[2:]
    [row, *_] = repository.dear(Path("a/b")).entries("rates", Decimal("1.00"), Decimal("1.26"))
    assert row.rates == offers()[0].rates
    table = repository.dear(Path("a/b")).to_arrow()
    repository.put_arrow(table)
    assert list(repository.dear(Path("a/b"))) == offers()


def test_the_bytes_are_those_of_the_codecs_inside() -> None:
    """In the key, its mirror, cells, qualifiers and members."""
    mutation = str(bt.mutation_of(offers()[1]))
    assert "row b'a/b#000150'" in mutation
    for line in ("f:s @", "f:price @", "f:r000125 @", "f:px @"):
        assert line in mutation
