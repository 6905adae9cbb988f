"""QRY005 where a list shows a little of rows that come with large cells."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from tests.lint.parts import found


class Product(bt.Model, table="PRODUCT", events="200/s"):
    """A product of a shop."""

    shop: str = bt.key(bt.HexDigest(10), cardinality=80_000)
    product: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)

    p = bt.family("p", gc=bt.max_versions(1))
    title: str = bt.column("t", p, size=60, max_size=200)
    cents: int = bt.column("c", p)
    vector: bytes = bt.column("v", p, size=6_144, max_size=6_144)
    picture: bytes = bt.column("pic", p, size=300_000, max_size=2_000_000)

    of_shop = bt.query("shop")
    one = bt.query("shop", "product")


@pytest.mark.parametrize(
    ("doc", "apart", "shown"),
    [
        ("A product. The page of a shop shows all titles.", ["picture", "vector"], '["title", "cents"]'),
        (
            "A product, with a vector. The page of a shop shows all.",
            ["picture", "vector"],
            '["title", "cents"]',
        ),
        ("A product. The list of a shop has title and vector.", ["picture"], '["title", "cents", "vector"]'),
    ],
)
def test_a_list_reads_no_heavy_cells_that_it_does_not_show(doc: str, apart: list[str], shown: str) -> None:
    """What a sentence on the list names is shown; other cells of a KiB and more go with the large ones."""
    (finding,) = found(evolve(bt.schema_of(Product), doc=doc), "QRY005")
    assert finding.level is Level.WARNING
    names = ", ".join(f"`{name}`" for name in apart)
    assert finding.fix.startswith(f"give {names} a family of {'its' if len(apart) == 1 else 'their'} own")
    assert f"`only={shown}`" in finding.fix
    (made,) = finding.models
    assert found(made, "QRY005") == []


def test_without_a_list_the_large_cells_alone_are_meant() -> None:
    """Nothing says then that a vector is not what is read."""
    (finding,) = found(evolve(bt.schema_of(Product), doc="A product."), "QRY005")
    assert finding.level is Level.INFO
    assert finding.fix.startswith("give `picture` a family of its own")


def test_a_row_of_nothing_but_heavy_cells_shows_the_smallest() -> None:
    """Something has to be left to show."""
    model = evolve(bt.schema_of(Product), doc="A product. The page of a shop shows all.")
    (finding,) = found(evolve(model, columns=model.columns[2:]), "QRY005")
    assert finding.fix.startswith("give `picture` a family of its own")
