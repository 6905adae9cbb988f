"""Revisions that are not what was applied: edited after they were squashed, or another project's; told on a real server."""

from revised_project import QUOTE, TRADE, USER, Project

from btmodel.client.admin import Admin


def edit(project: Project, name: str, old: str = "max_versions = 1", new: str = "max_versions = 2") -> str:
    """Edit the file of a revision; the text that it had."""
    path = project.migrations / f"{name}.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return text


def test_a_squashed_revision_that_is_edited_is_told(two: Project) -> None:
    """Though the instance recorded those that it replaces alone, an edit of it is seen; put back, all is well."""
    two.done("--yes")
    two.done("squash", "0002", "beginning")
    assert two.done("status").startswith(f"{two.instance}: 1 applied\n")
    text = edit(two, "0002_beginning")
    status = two.run("status")
    assert (status.exit_code, "  edited    0002_beginning" in status.output) == (2, True)
    for arguments in (("plan",), ("verify",), ("--yes",), ("rollback",)):
        assert "0002_beginning.toml: it was edited since it was applied" in two.refused(*arguments)
    (two.migrations / "0002_beginning.toml").write_text(text)
    assert two.done("verify").startswith("compared with 0002_beginning:\n")
    edit(two, "0002_beginning", "squashed = ", "# squashed = ")
    assert "it was edited since" in two.refused("plan")


def test_a_squashed_revision_that_was_edited_on_purpose_is_recorded(two: Project) -> None:
    """With live as it says now, also where a later revision is applied, the command that the error names records it."""
    two.done("--yes")
    two.declare(QUOTE, TRADE, USER)
    two.done("new", "users")
    two.done("--yes")
    two.done("squash", "0002", "beginning")
    cell = '"optional value Int64()"'
    edit(two, "0002_beginning", cell, f'{cell}\n"MD:X" = {cell}')
    assert "`btmodel migrate baseline 0003_users`" in two.refused("apply")
    assert two.done("baseline", "0003_users").endswith("recorded 0002_beginning\n")
    assert two.run("status").exit_code == 0


def test_the_records_of_another_project_are_left_alone(two: Project) -> None:
    """An instance with revisions that this checkout lacks gets no record of it, whether or not a name is the same."""
    two.done("--yes")
    for path in two.migrations.iterdir():
        path.unlink()
    two.declare(USER)
    two.done("new", "users")
    told = two.refused("baseline")
    assert "has applied 0001_quotes, 0002_trades, which migrations lacks" in told
    assert "where another project has applied them, name the instance of this one" in told
    (two.migrations / "0001_users.toml").rename(two.migrations / "0001_quotes.toml")
    assert "has applied 0002_trades, which migrations lacks" in two.refused("baseline")
    told = two.refused("apply")
    assert "0001_quotes.toml: it was edited since it was applied" in told
    assert "where another project has applied a revision of that name there, this is its instance" in told
    assert "baseline" not in told
    (two.migrations / "0001_quotes.toml").unlink()
    assert [line.split()[:2] for line in two.done("status").split("\n")[1:3]] == [
        ["unknown", "0001_quotes"],
        ["unknown", "0002_trades"],
    ]


def test_a_baseline_of_what_is_not_so_names_what_mends_it(two: Project, admin: Admin) -> None:
    """Of an edited file it says what differs, and to put it back; of one that later ones stand on, to record the last."""
    two.done("--yes")
    edit(two, "0002_trades")
    told = two.refused("baseline", "0002")
    assert "the instance is not as 0002_trades says: QUOTE.MD" in told
    assert "put migrations/0002_trades.toml back as applied" in told
    assert "baseline" not in told
    edit(two, "0002_trades", "max_versions = 2", "max_versions = 1")
    two.declare(QUOTE.replace("max_versions(1)", "max_versions(2)"), TRADE)
    two.done("new", "more")
    two.done("--yes")
    told = two.refused("baseline", "0002")
    assert "record the last one with `btmodel migrate baseline 0003_more`" in told
    assert "apply --to" not in told
