"""Rows are compared by the server as Python would compare their values, on every codec that sorts."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from notes import generated

import btmodel as bt

Open = Callable[..., bt.Database]
pytestmark = pytest.mark.both_servers
AT = datetime(2020, 1, 1, 12, tzinfo=UTC)


class Sight(bt.Model, table="sights"):
    """A value of each kind that sorts, and some that do not."""

    number: int = bt.key(bt.PaddedInt(3))

    f = bt.family("f", gc=bt.max_versions(1))
    m = bt.family("m", gc=bt.max_age(days=1))
    count: int | None = bt.column("c", f, default=None)
    degrees: float | None = bt.column("d", f, default=None)
    at: datetime | None = bt.column("a", f, default=None)
    day: date | None = bt.column("y", f, default=None)
    name: str | None = bt.column("n", f, default=None)
    padded: int | None = bt.column("p", f, codec=bt.AsInKey(bt.Descending(bt.PaddedInt(4))), default=None)
    price: Decimal | None = bt.column("r", f, default=None)
    scores: dict[str, int] = bt.mapping(m, bt.Text(max_length=5), prefix="s:")
    tags: set[str] = bt.members(m, bt.Text(max_length=5), prefix="t:")

    every = bt.query(scan="the tests")


SIGHTS = generated(Sight)
COUNTS = [-5, -1, 0, 1, 7]


@pytest.fixture
def sights(database: Open) -> Any:
    """Five rows of ascending values, and one without any but an entry."""
    found = SIGHTS.SightRepository(database(Sight))
    found.put_many(
        Sight(
            number=number,
            count=count,
            degrees=count / 2,
            at=AT + timedelta(hours=count),
            day=date(2020, 1, 10) + timedelta(days=count),
            name="abcde"[number],
            padded=100 + count,
            price=Decimal(count),
            scores={"x": count},
            tags={"odd"} if count % 2 else set(),
        )
        for number, count in enumerate(COUNTS)
    )
    found.put(Sight(number=9, scores={"y": 1}, tags=set()))
    return found


def numbers(read: Any) -> list[int]:
    """The numbers of the rows of a read."""
    return [row.number for row in read]


@pytest.mark.parametrize(
    ("column", "ends"),
    [
        ("count", (-1, 1)),
        ("degrees", (-0.5, 0.5)),
        ("at", (AT - timedelta(hours=1), AT + timedelta(hours=1))),
        ("day", (date(2020, 1, 9), date(2020, 1, 11))),
        ("name", ("b", "d")),
        ("padded", (99, 101)),
    ],
)
def test_values_are_compared_on_the_server(sights: Any, column: str, ends: tuple[Any, Any]) -> None:
    """Every comparison finds the rows between the second and the fourth, of values of any sign and kind."""
    low, high = ends
    for comparison, wanted in [
        (bt.less_than(low), [0]),
        (bt.at_most(low), [0, 1]),
        (bt.more_than(low), [2, 3, 4]),
        (bt.at_least(high), [3, 4]),
        (bt.between(low, high), [1, 2]),
        (bt.between(low, high, "(]"), [2, 3]),
        (bt.one_of(low, high), [1, 3]),
        (bt.present(), [0, 1, 2, 3, 4]),
        (bt.absent(), [9]),
        (None, [9]),
        (low, [1]),
    ]:
        assert numbers(sights.every().where(**{column: comparison})) == wanted, comparison


def test_reads_take_conditions_too(sights: Any) -> None:
    """Entries, ages of cells, and what joins conditions choose rows; so do several calls of ``where`` together."""
    every, when = sights.every(), sights.when
    assert numbers(every.where(scores=bt.contains("x", bt.at_least(1)))) == [3, 4]
    assert numbers(every.where(scores=bt.contains("y"))) == [9]
    assert numbers(every.where(tags=bt.contains("odd"), count=bt.less_than(0))) == [0, 1]
    assert numbers(every.where(when(count=7) | when(name=None))) == [4, 9]
    assert numbers(every.where(~when(tags=bt.contains("odd"))).where(name=bt.present())) == [2]
    assert numbers(every.where(count=bt.older_than(timedelta(hours=1)))) == []
    assert numbers(every.where(count=bt.newer_than(timedelta(hours=1))).limit(2)) == [0, 1]
    assert numbers(every.where(count=bt.older_than(datetime.now(UTC) + timedelta(hours=1)))) == [
        0,
        1,
        2,
        3,
        4,
    ]
    assert every.where(count=bt.at_least(0)).count() == 3
    assert [key.number for key in every.where(count=None).keys()] == [9]
    with pytest.raises(
        bt.ValueRefused, match=r"expected text, or bt.one_of\(...\) for any of several, got \['a'"
    ):
        every.where(name=["a", "b"])
    with pytest.raises(bt.ValueRefused, match=r"or bt.one_of\(\*values\) for any of several, got \['a'"):
        every.where(name=bt.one_of(["a", "b"]))
    with pytest.raises(
        bt.QueryRefused, match=r"Sight.price: bt.less_than\(Decimal\('1'\)\): the bytes of its codec"
    ):
        every.where(price=bt.less_than(Decimal(1)))


def test_chosen_rows_are_deleted_while_they_are_so(sights: Any) -> None:
    """What a comparison chose is deleted under the same condition."""
    assert sights.every().where(count=bt.less_than(0)).delete() == 2
    assert numbers(sights.every()) == [2, 3, 4, 9]
