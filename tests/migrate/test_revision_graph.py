"""Revisions together: their order, branches, and what in a folder cannot be."""

import shutil
from pathlib import Path

import attrs
import pytest
from some_revisions import BOTH, FIRST, OTHER, SECOND, folder_of, on
from some_tables import QUOTE, TRADE, table

from btmodel.errors import MigrationError
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.new import checked, differences, next_revision, slug
from btmodel.migrate.revisions.revision import Link
from btmodel.schema import CellLayout, Family, Layout, MaxVersions, Table, TableSettings, Union


def graph(path: Path, *revisions: object) -> Graph:
    return read_folder(folder_of(path, *revisions))  # type: ignore[arg-type]


def test_each_stands_behind_its_parents(tmp_path: Path) -> None:
    """Revisions come in the order in which they are applied, and the last one is the head."""
    found = graph(tmp_path, BOTH, OTHER, SECOND, FIRST)
    assert list(found.revisions) == ["0001_quotes", "0002_trades", "0002_users", "0003_merge"]
    assert found.head == BOTH
    assert [one.id for one in found.up_to("0002_users")] == ["0001_quotes", "0002_users"]


def test_two_heads_are_told(tmp_path: Path) -> None:
    """Where two branches met, one sentence names both heads, and the command that joins them."""
    found = graph(tmp_path, FIRST, SECOND, OTHER)
    assert found.heads == (SECOND, OTHER)
    with pytest.raises(
        MigrationError, match=r"0002_trades and 0002_users both come last.*`btmodel migrate merge`"
    ):
        _ = found.head


def test_a_missing_parent_is_told(tmp_path: Path) -> None:
    """A revision whose parent is not in the folder is told with both."""
    with pytest.raises(MigrationError, match=r"0002_trades.toml: its parent 0001_quotes is not in"):
        graph(tmp_path, SECOND)


def test_an_edited_parent_is_told(tmp_path: Path) -> None:
    """A parent that was edited after its child was written is found without an instance."""
    folder_of(tmp_path, FIRST, SECOND)
    path = tmp_path / "0001_quotes.toml"
    path.write_text(path.read_text().replace("max_versions = 1", "max_versions = 2"))
    with pytest.raises(
        MigrationError, match=r"0001_quotes.toml: it was edited after 0002_trades was written on it"
    ):
        read_folder(tmp_path)


def test_all_on_an_edited_parent_are_told(tmp_path: Path) -> None:
    """Every revision that was written on the edited one is named, for all of them have to be written anew."""
    beside = attrs.evolve(SECOND, id="0002_others")
    folder_of(tmp_path, FIRST, SECOND, beside)
    path = tmp_path / "0001_quotes.toml"
    path.write_text(path.read_text().replace("max_versions = 1", "max_versions = 2"))
    with pytest.raises(
        MigrationError,
        match=r"it was edited after 0002_others, 0002_trades were written on it .*delete those and write them anew",
    ):
        read_folder(tmp_path)


def test_the_last_one_may_be_edited(tmp_path: Path) -> None:
    """On the last revision nothing stands, so its file may be edited for as long as nobody has applied it."""
    folder_of(tmp_path, FIRST, SECOND)
    path = tmp_path / "0002_trades.toml"
    path.write_text(path.read_text().replace("7d", "8d"))
    assert read_folder(tmp_path).heads[0].checksum != SECOND.checksum


def test_a_ring_is_told(tmp_path: Path) -> None:
    """Revisions that stand on one another, which only a hand can write, are told."""
    ring = attrs.evolve(FIRST, parents=(Link("0002_trades", "0"),))
    with pytest.raises(MigrationError, match="0001_quotes, 0002_trades stand on one another in a ring"):
        graph(tmp_path, ring, SECOND)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("0002", "'0002' is how 0002_trades and 0002_users begin: give more of it"),
        (
            "0009",
            "no revision is called '0009' in .* \\(the last ones: 0002_trades, 0002_users, 0003_merge\\)",
        ),
        ("0002_trade_", "no revision is called '0002_trade_' in .* \\(did you mean 0002_trades\\?\\)"),
        ("", "no revision is called ''"),
    ],
)
def test_names_that_name_none(name: str, told: str, tmp_path: Path) -> None:
    """A name that is none, or begins several, is told with those that there are."""
    with pytest.raises(MigrationError, match=told):
        graph(tmp_path, FIRST, SECOND, OTHER, BOTH).named(name)


def test_a_name_may_be_short(tmp_path: Path) -> None:
    """As much of an id is enough as no other one begins with."""
    found = graph(tmp_path, FIRST, SECOND, OTHER)
    assert (found.named("0001"), found.named("0002_u")) == (FIRST, OTHER)


def test_a_thousand_revisions_are_read_in_order(tmp_path: Path) -> None:
    """A long history is no matter of depth: no recursion goes along it."""
    revisions = [FIRST]
    for number in range(2, 1_001):
        revisions.append(on(revisions[-1], message=f"step {number}", tables=[QUOTE]))
    found = graph(tmp_path, *revisions)
    assert found.head == revisions[-1]
    assert list(found.revisions) == [one.id for one in revisions]


@pytest.mark.parametrize(
    ("message", "file"),
    [
        ("Add trades (NYSE)", "add_trades_nyse"),
        ("Größe von Zellen", "groe_von_zellen"),
        ("表", "revision"),
        ("../../etc", "etc"),
        ("x" * 80, "x" * 50),
        (
            "Squash up to 0003_the_orders_of_customers_get_their_notes",
            "squash_up_to_0003_the_orders_of_customers_get",
        ),
    ],
)
def test_a_message_names_the_file(message: str, file: str) -> None:
    """Whatever the message is, the name of the file is of plain letters, and not long."""
    assert slug(message) == file


@pytest.mark.parametrize("message", ["", "  ", "two\nlines", "\udc80"])
def test_a_message_is_one_line(message: str) -> None:
    """A message that is none, or none that a file can hold on one line, is refused."""
    with pytest.raises(MigrationError, match="expected a message on one line"):
        checked(message)


def test_the_first_and_the_next(tmp_path: Path) -> None:
    """The first revision stands on nothing, the next one on the last, with its number and its checksum."""
    first = next_revision(read_folder(tmp_path), [QUOTE], " quotes ")
    assert first is not None
    assert first == FIRST
    second = next_revision(graph(tmp_path, FIRST), [QUOTE, TRADE], "trades")
    assert second is not None
    assert second == SECOND
    assert [one.name for one in differences(second.tables, FIRST.tables)] == ["create-table:TRADE"]


LAYOUT = Layout("Quote", (), (CellLayout("MD:BID", "value Utf8()"),))


@pytest.mark.parametrize(
    ("declared", "differs"),
    [
        (table("QUOTE", MD=Union((MaxVersions(1),))), False),
        (Table("QUOTE", (Family("MD", MaxVersions(1), renamed_from="OLD"),)), False),
        (table("QUOTE", MD=MaxVersions(2)), True),
        (attrs.evolve(QUOTE, layouts=(LAYOUT,)), True),
        (attrs.evolve(QUOTE, settings=TableSettings(deletion_protection=False)), True),
        (table("QUOTES", MD=MaxVersions(1)), True),
    ],
)
def test_what_is_a_difference(declared: Table, differs: bool, tmp_path: Path) -> None:
    """GC rules of one meaning are none, nor is a renaming that was done; how rows lie and what is stated are."""
    found = next_revision(graph(tmp_path, FIRST), [declared], "next")
    assert (found is not None) == differs


def test_a_copied_file_is_another_head(tmp_path: Path) -> None:
    """The id is the name of the file, so a copy is no second revision of one id, but one beside it."""
    folder_of(tmp_path, FIRST, SECOND)
    shutil.copy(tmp_path / "0002_trades.toml", tmp_path / "0002_copy.toml")
    with pytest.raises(MigrationError, match="0002_copy and 0002_trades both come last"):
        _ = read_folder(tmp_path).head
