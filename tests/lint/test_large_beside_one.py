"""QRY005 on a query of one row: what lies beside the small cells that it wants."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from tests.lint.parts import found


class Article(bt.Model, table="article", events="4000/s"):
    sku: str = bt.key(bt.HexDigest(10), cardinality=800_000)

    a = bt.family("a", gc=bt.max_versions(1))
    price_cents: int = bt.column("price", a)
    manual: bytes | None = bt.column("manual", a, default=None, size=900_000, max_size=8_000_000)
    picture: bytes | None = bt.column("picture", a, default=None, size=900_000, max_size=8_000_000)

    tile = bt.query("sku", only=["price_cents"])


def sized(size: int | None, only: tuple[str, ...] = ("price_cents",)) -> list[Finding]:
    """What the rule finds if each of the two has so many bytes."""
    model = bt.schema_of(Article)
    columns = tuple(
        evolve(one, expected=evolve(one.expected, size=size)) if not one.required else one
        for one in model.columns
    )
    (query,) = model.queries
    return found(evolve(model, columns=columns, queries=(evolve(query, only=only),)), "QRY005")


@pytest.mark.parametrize(
    ("size", "level"),
    [
        (900_000, Level.WARNING),
        (50_000, Level.WARNING),
        (40_000, Level.INFO),
        (16_384, Level.INFO),
        (16_000, None),
        (None, None),
    ],
)
def test_a_small_cell_brings_large_ones_with_it(size: int | None, level: Level | None) -> None:
    """Gravely from 100 KB on, of all of them together."""
    findings = sized(size)
    assert [one.level for one in findings] == [level] * (level is not None)
    for one in findings:
        assert "of one row" in one.message
        assert 'give `manual`, `picture` a family of their own, `bt.family("a2"' in one.fix
        assert one.models


@pytest.mark.parametrize("only", [(), ("price_cents", "manual"), ("manual", "picture")])
def test_what_is_wanted_is_not_beside(only: tuple[str, ...]) -> None:
    """Nor is anything where the whole row is asked for."""
    assert sized(900_000, only) == []


def test_a_family_of_its_own_is_not_read() -> None:
    """That is the fix, and it holds."""
    (one,) = sized(900_000)
    assert found(one.models[0], "QRY005") == []
