"""What was renamed and stands still: every command names the one that drops it, and that one works."""

import re

import pytest
from revised_project import QUOTE, TRADE, Project

from btmodel.client.admin import Admin

MARKET = QUOTE.replace('bt.family("MD", ', 'bt.family("market", renamed_from="MD", ')
PRICE = MARKET.replace('table="QUOTE"', 'table=bt.table("PRICE", renamed_from="QUOTE")').replace(
    ' renamed_from="MD",', ""
)


@pytest.fixture
def renamed(project: Project) -> Project:
    """A project whose second revision, not applied yet, renames the only family."""
    project.done("new", "quotes")
    project.done("--yes")
    project.declare(MARKET)
    project.done("new", "market")
    return project


def families(admin: Admin, table: str) -> list[str]:
    """The families of a table that are live."""
    found = admin.table(table)
    assert found is not None
    return [one.id for one in found.families]


def named(told: str) -> list[str]:
    """The words of the command that drops something."""
    (command,) = re.findall(r"`btmodel migrate ([^`]*--allow drop-[^`]*)`", told)
    return str(command).split()


def test_behind_a_rollback(renamed: Project, admin: Admin) -> None:
    """What took over stands still, and the revision that brought it is pending: status and verify name what drops it."""
    renamed.done("--yes")
    renamed.done("--yes", "--allow", "drop-family:QUOTE.MD")
    renamed.done("rollback", "--yes")
    status, verify = renamed.run("status").output, renamed.run("verify").output
    wanted = ["apply", "--to", "0001_quotes", "--allow", "drop-family:QUOTE.market"]
    assert named(status) == named(verify) == wanted
    assert families(admin, "QUOTE") == ["MD", "market"]
    renamed.done(*wanted, "--yes")
    assert families(admin, "QUOTE") == ["MD"]
    assert "copied" not in renamed.run("status").output


def test_with_another_revision_pending(renamed: Project, admin: Admin) -> None:
    """Forward, too, the command applies nothing but the drop; with nothing pending, the short one is named."""
    renamed.done("--yes")
    assert named(renamed.done("status")) == ["--allow", "drop-family:QUOTE.MD"]
    renamed.declare(MARKET, TRADE)
    renamed.done("new", "trades")
    wanted = ["apply", "--to", "0002_market", "--allow", "drop-family:QUOTE.MD"]
    assert named(renamed.run("status").output) == named(renamed.run("verify").output) == wanted
    renamed.done(*wanted, "--yes")
    assert families(admin, "QUOTE") == ["market"]
    assert admin.table("TRADE") is None


@pytest.mark.parametrize("applied", [True, False])
def test_a_table_that_is_renamed_before_an_old_family_is_dropped(
    renamed: Project, admin: Admin, applied: bool
) -> None:
    """The plan and its refusal say what is left behind, that it was copied, and the commands that end that first."""
    if applied:
        renamed.done("--yes")
    renamed.declare(PRICE)
    renamed.done("new", "prices")
    told = renamed.refused("--yes")
    assert "data would be lost (PRICE, copied from QUOTE: cells that are not copied: family MD was" in told
    assert (
        "family MD was copied to QUOTE.market, and is not dropped: what it alone has is left behind" in told
    )
    assert told.endswith("or use --allow copy-table:PRICE if you mean that")
    assert "drop QUOTE.MD first, once compared, with" in renamed.run("plan").output
    assert ("run `btmodel migrate apply --to 0002_market`, and then drop" in told) is not applied
    if not applied:
        renamed.done("apply", "--to", "0002_market", "--yes")
    assert named(told) == ["apply", "--to", "0002_market", "--allow", "drop-family:QUOTE.MD"]
    renamed.done(*named(told), "--yes")
    renamed.done("--yes")
    assert families(admin, "PRICE") == ["market"]
