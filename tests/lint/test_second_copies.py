"""What a second table copies of a row, and what stays with it alone."""

from decimal import Decimal

from documented import findings

import btmodel as bt


def photo() -> object:
    class Photo(bt.Model, table="PHOTO", events="5/s"):
        """A photo."""

        photo: str = bt.key(bt.Text(max_length=20), cardinality=3_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        album: int = bt.column("album", d)
        taken_by: str = bt.column("by", d, size=20)
        image: bytes = bt.column("image", d, size=6_000_000)
        thumbnail: bytes = bt.column("thumbnail", d, size=6_000)

        one = bt.query("photo")
        of_album = bt.query("album")

    return Photo


def test_what_is_as_large_as_a_file_is_not_copied() -> None:
    """A reader of the second table finds it by the key of the row, and the text says so."""
    (found,) = (one for one in findings(photo) if one.rule == "QRY001")
    first, second = found.models
    assert [column.name for column in second.columns] == ["taken_by", "thumbnail"]
    assert "image" in {column.name for column in first.columns}
    assert (
        "`image`, too large for a second copy, stays in `Photo`, where the key of the row finds it"
        in found.fix
    )


def test_a_query_that_reads_it_gets_it() -> None:
    """`only` names what a query is for."""

    def declared() -> object:
        class Sheet(bt.Model, table="SHEET", events="5/s"):
            """A scanned sheet."""

            sheet: str = bt.key(bt.Text(max_length=20), cardinality=3_000_000)

            d = bt.family("d", gc=bt.max_versions(1))
            folder: int = bt.column("folder", d)
            image: bytes = bt.column("image", d, size=6_000_000)

            one = bt.query("sheet")
            of_folder = bt.query("folder", only=["image"])

        return Sheet

    (found,) = (one for one in findings(declared) if one.rule == "QRY001")
    assert [column.name for column in found.models[1].columns] == ["image"]
    assert "second copy" not in found.fix


def test_a_counter_of_fractions_counts_the_smallest_unit() -> None:
    """The service adds up whole numbers, so what was 1.25 is 125 of something."""

    def declared() -> object:
        class Account(bt.Model, table="ACCOUNT"):
            """An account."""

            account: str = bt.key(bt.Text(max_length=20), cardinality=3_000_000)

            d = bt.family("d", gc=bt.max_versions(1))
            balance: float = bt.column("balance", d, increments="30/min")
            fees: Decimal = bt.column("fees", d, increments="30/min")
            visits: int = bt.column("visits", d, increments="30/min")

            one = bt.query("account")

        return Account

    by_kind = {one.field: one.fix for one in findings(declared) if one.rule == "COL006"}
    assert (
        "where `balance`, `fees` count whole numbers of the smallest unit, such as cents"
        in by_kind["balance"]
    )
    assert "smallest unit" not in by_kind["visits"]
