"""What people do to revision files and to instances, and what they are told then."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from revised_project import QUOTE, TRADE, USER, Project
from some_tables import ONE, table

from btmodel.client.admin import Admin
from btmodel.schema import MaxVersions


def test_status_compares_the_instance_with_the_last_revision(two: Project, admin: Admin) -> None:
    """status says whether the instance is as the last applied revision says, what is undeclared, and what shows it all."""
    assert "the instance is" not in two.run("status").output
    two.done("apply", "--to", "0001", "--yes")
    assert two.run("status").output.endswith("the instance matches 0001_quotes\n")
    two.done("apply", "--yes")
    admin.create_table(table("OLD", f=ONE))
    assert two.done("status").endswith(
        "the instance matches 0002_trades, except for what it does not declare\n"
        "the instance has 1 thing (undeclared-table:OLD) that 0002_trades does not declare: run `btmodel migrate verify` to see more\n"
    )
    admin.modify_families("QUOTE", update=[table("QUOTE", MD=MaxVersions(9)).families[0]])
    assert (
        "the instance differs from 0002_trades by 1 change (tighten-gc:QUOTE.MD): run `btmodel migrate verify` to see more\n"
    ) in two.done("status")
    assert json.loads(two.done("status", "--json"))["live"] == {
        "revision": "0002_trades",
        "changes": ["tighten-gc:QUOTE.MD"],
        "drift": ["undeclared-table:OLD"],
    }


def test_status_compares_nothing_where_files_do_not_fit(two: Project) -> None:
    """Where the files are not what was applied, there is nothing to hold live against, and status says so."""
    two.done("apply", "--yes")
    (two.migrations / "0002_trades.toml").unlink()
    assert "the instance was not compared, because the applied revisions do not match the files" in two.done(
        "status"
    )
    assert json.loads(two.done("status", "--json"))["live"] is None


def test_a_checkout_without_revisions_migrates_no_instance_that_has_some(two: Project, admin: Admin) -> None:
    """Models alone lead no instance anywhere that revisions have brought where it is; nothing to do is no error."""
    two.done("apply", "--yes")
    two.migrations.rename(two.folder / "aside")
    two.done("--yes")
    two.declare(QUOTE, TRADE, USER)
    for arguments in (("--yes",), ("plan",)):
        told = two.refused(*arguments)
        assert "of which 0002_trades was applied last, and there are none here" in told
    assert [one.id for one in admin.read_tables()] == ["QUOTE", "TRADE"]


def test_a_file_that_was_renamed(two: Project) -> None:
    """A revision under another name is known by its checksum: the old name is told."""
    two.done("apply", "--to", "0001", "--yes")
    path = two.migrations / "0001_quotes.toml"
    path.rename(two.migrations / "0001_kwotes.toml")
    told = r"0001_kwotes.toml: 0002_trades stands on it as 0001_quotes: give the file that name again"
    assert re.search(told, two.refused("plan"))
    (two.migrations / "0002_trades.toml").unlink()
    told = r"0001_kwotes.toml: the instance has applied it as 0001_quotes: give the file that name again"
    assert re.search(told, two.refused("plan"))


def edit(old: str, new: str) -> Callable[[Path], object]:
    """Replaces a part of a file."""

    def apply(path: Path) -> None:
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return apply


EDITS = [
    (edit("[parents]", "[parents"), "not TOML: "),
    (
        edit("max_versions = 1", "max_versions = -2"),
        "table 'QUOTE', family 'MD', gc: max_versions: expected a number",
    ),
    (edit("\nMD = ", '\n"M D" = '), "table 'QUOTE', family 'M D': expected an id of 1 to 64 letters"),
    (edit("[tables.QUOTE.", '[tables."a/b".'), "table 'a/b': expected an id of 1 to 50 letters"),
    (edit("0001_quotes = ", "0002_trades = "), "0002_trades stands on itself: put `parents` back"),
    (lambda path: path.write_bytes(b""), "expected format = 1, got None"),
    (lambda path: path.write_bytes(b"\xff\xfe"), "expected UTF-8"),
]


@pytest.mark.parametrize(("change", "told"), EDITS)
def test_a_file_that_was_spoilt(two: Project, change: Callable[[Path], object], told: str) -> None:
    """What is wrong in a file is one sentence with its place, for every command that reads it."""
    change(two.migrations / "0002_trades.toml")
    for arguments in (
        ("status",),
        ("plan",),
        ("apply", "--yes"),
        ("new", "x"),
        ("history",),
        ("squash", "0002"),
    ):
        message = two.refused(*arguments)
        assert told in message
        assert "\n" not in message


def test_git_may_change_line_ends(two: Project) -> None:
    """Line ends of Windows change no checksum: nothing is pending, edited or different."""
    two.done("apply", "--yes")
    for path in two.migrations.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert two.done("status").endswith("the instance matches 0002_trades\n")
    assert two.done("apply") == f"{two.instance}: nothing to do\n"


def test_hidden_files_are_nobodys_revisions(two: Project) -> None:
    """Locks of editors, and what file systems put beside files, are passed over."""
    (two.migrations / "._0002_trades.toml").write_bytes(b"\0\x05\x16\x07")
    (two.migrations / ".#0003_more.toml").symlink_to("nobody@nowhere")
    assert two.done("history") == "0001_quotes  quotes\n0002_trades  trades\n"


def test_apply_leads_no_way_back(two: Project) -> None:
    """--to of what is applied long since does nothing, as an old deployment needs it, and names rollback."""
    two.done("apply", "--yes")
    assert two.done("apply", "--to", "0001", "--yes") == (
        f"{two.instance}: nothing to do; it has revisions that build on 0001_quotes; "
        "to go back, run `btmodel migrate rollback --to 0001_quotes`\n"
    )


def test_an_instance_in_the_midst_of_what_was_squashed(two: Project) -> None:
    """It lacks a part of the squashed revision: apply, plan and baseline say which, and what to do."""
    two.declare(QUOTE, TRADE, USER)
    two.done("new", "users")
    two.done("apply", "--to", "0002", "--yes")
    two.done("squash", "0003")
    for arguments in (("apply", "--yes"), ("plan",), ("baseline",), ("rollback", "--yes")):
        assert "some of the revisions that it replaces, and lacks 0003_users" in two.refused(*arguments)


def test_the_way_back_over_several(two: Project, admin: Admin) -> None:
    """rollback --to undoes all that stands on it, the last one first, and names each table that goes."""
    two.declare(QUOTE, TRADE, USER)
    two.done("new", "users")
    two.done("apply", "--yes")
    back = ("rollback", "--to", "0001", "--yes")
    assert "use --allow drop-table:TRADE --allow drop-table:USER if" in two.refused(*back)
    told = two.done(*back, "--allow", "drop-table:TRADE", "--allow", "drop-table:USER")
    assert told.endswith("rolled back 0003_users\nrolled back 0002_trades\n")
    assert [one.id for one in admin.read_tables()] == ["QUOTE"]
