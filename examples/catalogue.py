"""A catalogue of articles, which an import writes every night, all of it, and again where it failed.

Its cells have the timestamp 0, so an article that is written again replaces its cells instead of
adding versions. Sizes were packed into 6 bytes once, and are JSON now: both are read, the new form is
written. They can be told apart, as no JSON document of a size is as short as 6 bytes.
"""

from attrs import frozen

import btmodel as bt


@frozen
class Size:
    """What an article measures, in millimetres."""

    width: int
    height: int
    depth: int


PACKED = bt.Packed(Size, ">HHH")


class Article(bt.Model, table="articles", timestamp=0, events="100000/day"):
    """An article, as it is written now."""

    number: str = bt.key(bt.Text(max_length=12), cardinality=100_000)

    data = bt.family("data", gc=bt.max_versions(1))
    name: str = bt.column("name", data)
    size: Size = bt.column("size", data, codec=bt.Either(bt.Json(Size), PACKED), size=40)


class OldArticle(
    bt.Model,
    table="articles",
    timestamp=0,
    events="100000/day",
    allow={"TAB005": "it shows what the import wrote once; Article reads both forms of a size"},
):
    """An article, as it was written once."""

    number: str = bt.key(bt.Text(max_length=12), cardinality=100_000)

    data = bt.family("data", gc=bt.max_versions(1))
    name: str = bt.column("name", data)
    size: Size = bt.column("size", data, codec=PACKED)
