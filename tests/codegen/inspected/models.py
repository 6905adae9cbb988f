"""Models of 5 tables of projects/shop/instances/production.

Written by `btmodel inspect`, once, to be edited.
Column families and their rules are those of the tables. What keys and cells mean is
guessed: a comment says from how many rows, and what was seen. All of those rows are
read by these models; others may not be. The names of key fields are made up, for a
table does not know them.
"""

from datetime import date, datetime
from decimal import Decimal

import btmodel as bt

# Table bare: no model: it has no column family, so it can hold no row, and no model can
# declare it.


class Empty(bt.Model, table="empty", existing=True):
    """The rows of the table empty."""

    # none is there

    # any bytes: no row was read
    key: bytes = bt.key(bt.Bytes(max_length=4096))

    f_1 = bt.family("f.1", gc=bt.max_age(days=1))
    # no cell was read, so any is taken: a class needs an attribute
    cells: dict[bytes, bytes] = bt.mapping(
        f_1,
        bt.Bytes(max_length=16_384, min_length=0),
    )


class Quote(
    bt.Model,
    table=bt.table("QUOTE", deletion_protection=True, change_stream="3day"),
    existing=True,
):
    """The rows of the table QUOTE."""

    # 200 rows were read from 8 places

    # 200 of 200 keys: 6 bytes, 100 of them padded with spaces; 2 different values;
    # MD:EXCHANGE repeats it in all rows
    exchange: str = bt.key(bt.Text(width=6), mirror="MD:EXCHANGE", cardinality=2)
    # 200 of 200 keys: 5 bytes, 100 of them padded with spaces; 2 different values;
    # MD:SYMBOL repeats it in all rows
    symbol: str = bt.key(bt.Text(width=5), mirror="MD:SYMBOL", cardinality=2)
    # 200 of 200 keys: 13 digits, milliseconds since 1970, 2015-03-16; MD:QUOTETIME
    # repeats it in all rows
    quotetime: datetime = bt.key(bt.EpochMillis(), mirror="MD:QUOTETIME")

    md = bt.family("MD", gc=bt.max_versions(1))
    # 200 of 200 rows: decimal numbers as text, up to 5 digits
    ask: Decimal | None = bt.column("ASK", md, default=None)
    # 200 of 200 rows: whole numbers as text, 100 to 1500
    asksize: int | None = bt.column("ASKSIZE", md, codec=bt.DecimalText(), default=None)
    # 200 of 200 rows: decimal numbers as text, up to 5 digits
    bid: Decimal | None = bt.column("BID", md, default=None)
    # 200 of 200 rows: whole numbers as text, 100 to 900
    bidsize: int | None = bt.column("BIDSIZE", md, codec=bt.DecimalText(), default=None)


class ShopDataOrder(bt.Model, table="shop-data", existing=True):
    """The rows of the table shop-data whose keys begin with 'order'."""

    # all 10 rows were read

    # 5 of 5 keys: the same in all of them
    kind = bt.constant("order")
    # 5 of 5 keys: text, 2 to 4 bytes
    name: str = bt.key(bt.Text(max_length=128))
    # 5 of 5 keys: %Y-%m-%d, 2024-01-17 to 2024-05-17
    day: date = bt.key(bt.DateText("%Y-%m-%d"))

    o = bt.family("o", gc=bt.max_age(days=30) | bt.max_versions(3))
    # 5 of 5 rows: decimal numbers as text, up to 3 digits
    total: Decimal | None = bt.column("total", o, default=None)
    # 5 of 5 rows: 8 bytes, whole numbers, 0 to 28
    visits: int | None = bt.column("visits", o, default=None)

    # no column of it could be inferred
    sum_ = bt.family("sum", gc=bt.keep_all(), aggregate="sum")


class ShopDataUser(bt.Model, table="shop-data", existing=True):
    """The rows of the table shop-data whose keys begin with 'user'."""

    # all 10 rows were read

    # 5 of 5 keys: the same in all of them
    kind = bt.constant("user")
    # 5 of 5 keys: text, 2 to 4 bytes
    name: str = bt.key(bt.Text(max_length=128))

    u = bt.family("u", gc=bt.max_versions(1))
    # 5 of 5 rows: text, 14 to 16 bytes
    mail: str | None = bt.column("mail", u, default=None)


class Tags(bt.Model, table="tags", existing=True):
    """The rows of the table tags."""

    # all 12 rows were read

    # 12 of 12 keys: 8 hexadecimal digits
    digest: str = bt.key(bt.HexDigest(8))

    t = bt.family("t", gc=bt.keep_all())
    # 12 of 12 rows, 30 different qualifiers: a number without zeros on the left, 0 to
    # 29; all cells are empty
    tag: set[int] = bt.members(t, bt.Int(19), prefix="tag:")
