"""What a second table copies of a row, and what stays with it alone."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
from attrs import evolve
from documented import findings

import btmodel as bt
from btmodel.lint import review
from btmodel.lint.rules import qry001_full_scan as qry001
from btmodel.lint.rules import qry008_question_in_words as qry008
from btmodel.schema import ModelSchema, Query


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


class File(bt.Model, table="FILE", events="5/s"):
    """A file."""

    file: str = bt.key(bt.Text(max_length=20), cardinality=3_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    folder: int = bt.column("folder", d)
    name: str = bt.column("name", d, size=20)
    kind: str = bt.column("kind", d, size=20)
    opened: int = bt.column("opened", d, increments="2/min")
    content: bytes = bt.column("content", d, size=6_000_000)

    one = bt.query("file")


def found_by_folder(only: Sequence[str] = (), where: Sequence[str] = ()) -> ModelSchema:
    """Files that are found by their folder, with a number that is added to and a cell of megabytes."""
    model = bt.schema_of(File)
    query = Query("of_folder", ("folder",), only=(*only,), where=(*where,))
    return evolve(model, queries=(*model.queries, query))


def copies(only: Sequence[str] = (), where: Sequence[str] = ()) -> list[tuple[bool, list[str]]]:
    """What each second table and index of a fix holds, and whether it is an index."""
    return [
        (made.view is not None, [column.name for column in made.columns])
        for way in ways(found_by_folder(only, where), "QRY001")
        for made in way[1:]
    ]


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ({}, ["name", "kind"]),
        ({"only": ["name"]}, ["name"]),
        ({"only": ["kind", "name"]}, ["name", "kind"]),
        ({"only": ["name"], "where": ["kind"]}, ["name", "kind"]),
    ],
)
def test_a_copy_holds_what_its_queries_read(asked: dict[str, list[str]], held: list[str]) -> None:
    """Neither a second table nor an index has a number that is added to, which is a counter soon, or a cell of megabytes."""
    made = copies(**asked)
    assert {index for index, _ in made} == {False, True}
    assert all(columns == held for _, columns in made)


@pytest.mark.parametrize("name", ["content", "opened"])
def test_no_index_holds_a_file_or_a_number_that_is_added_to(name: str) -> None:
    """Even where its query reads it: of a number that is added to, the copy would be an old one."""
    made = copies(only=[name])
    assert made
    assert [index for index, _ in made if index] == []
    assert all("opened" not in columns for _, columns in made)


def test_what_no_query_of_the_copy_reads_is_said_to_stay() -> None:
    """A reader of the text alone copies no more than its model has."""
    (found,) = (one for one in review(found_by_folder(["name"])) if one.rule == "QRY001")
    assert "`kind`, which no query of it reads, stays in `File`" in found.fix


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("An overview lists the files of a folder.", ["name", "kind"]),
        ("An overview lists the files of a folder, and shows only their name.", ["name"]),
    ],
)
def test_a_question_in_words_says_what_it_reads(sentence: str, held: list[str]) -> None:
    """The columns alone that it names."""
    asking = evolve(bt.schema_of(File), doc=f"A file. {sentence}")
    made = [[column.name for column in one.columns] for way in ways(asking, "QRY008") for one in way[1:]]
    assert made
    assert all(columns == held for columns in made)


def ways(model: ModelSchema, rule: str) -> list[tuple[ModelSchema, ...]]:
    """The models of each fix of a finding that leaves the key as it is."""
    (found,) = (qry001 if rule == "QRY001" else qry008).check([model])
    assert found.ways is not None
    key = model.key
    return [fix.models for fix in found.ways() if fix.models and fix.models[0].key == key]
