"""The commands of revisions, in a user's project, on a real server."""

import json
import re
import subprocess

import pytest
from revised_project import ASK, QUOTE, TRADE, USER, Project
from some_tables import ONE, table

from btmodel.client.admin import Admin
from btmodel.schema import Family, MaxVersions


def live(admin: Admin) -> list[str]:
    """The tables that are there."""
    return [one.id for one in admin.read_tables()]


def test_new_needs_no_instance(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """new writes what the models changed since the last revision, and asks no instance."""
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", "127.0.0.1:1")
    assert project.done("new", "Quotes") == (
        "wrote migrations/0001_quotes.toml\n  + create-table:QUOTE  MD keeps newest 1 version\n"
    )
    assert project.done("new", "again") == "nothing to write: the models match 0001_quotes\n"
    project.declare(QUOTE + ASK)
    told = project.done("new", "ask", "--json")
    assert json.loads(told)["path"] == "migrations/0002_ask.toml"
    assert json.loads(told)["changes"] == [
        {"name": "add-cell:QUOTE/Quote.MD:ASK", "summary": "value Int64()"}
    ]
    assert json.loads(project.done("--json", "new", "again"))["id"] is None
    assert project.ids() == ["0001_quotes", "0002_ask"]


def test_ci_sees_that_a_revision_is_missing(project: Project) -> None:
    """--check writes nothing, and fails if the models have changed since the last revision."""
    missing = project.run("new", "--check")
    assert (missing.exit_code, project.ids()) == (1, [])
    assert missing.stdout == (
        "the models have changed and there is no revision: run `btmodel migrate new MESSAGE`\n"
        "  + create-table:QUOTE  MD keeps newest 1 version\n"
    )
    project.done("new", "quotes")
    assert project.done("new", "--check") == "nothing to write: the models match 0001_quotes\n"
    project.declare(QUOTE + ASK)
    changed = project.run("new", "--check", "--json")
    assert (changed.exit_code, project.ids()) == (1, ["0001_quotes"])
    assert [one["name"] for one in json.loads(changed.stdout)["changes"]] == ["add-cell:QUOTE/Quote.MD:ASK"]
    for wrong in (("--check", "ask"), ("--check", "--data-step", "fill"), ()):
        assert project.run("new", *wrong).exit_code == 1, wrong


def test_ci_sees_what_new_would_write(project: Project) -> None:
    """--check fails exactly where ``new`` writes: of a column that becomes required or is gone, and not of a class with another name."""
    project.declare(QUOTE + ASK)
    project.done("new", "quotes")
    required = ASK.replace(" | None", "").replace(", default=None", "")
    for number, (model, changed) in enumerate(
        [
            ((QUOTE + ASK).replace("Quote", "Offer"), False),
            (QUOTE + required, True),
            (QUOTE, True),
        ]
    ):
        project.declare(model)
        before = project.ids()
        assert project.run("new", "--check").exit_code == int(changed), model
        assert project.run("new", f"change {number}").exit_code == 0
        assert (project.ids() != before) is changed, model


def test_a_review_sees_what_changed(two: Project) -> None:
    """The changes stand as comments at the head of the file."""
    text = (two.migrations / "0002_trades.toml").read_text()
    assert "#\n# + create-table:TRADE  MD keeps newest 1 version\nformat = 1\n" in text


def test_a_header_announces_no_drop(two: Project) -> None:
    """What is declared no more stays until its drop is allowed, and so says the head of the file."""
    two.declare(QUOTE)
    two.done("new", "quotes alone")
    text = (two.migrations / "0003_quotes_alone.toml").read_text()
    assert (
        "# ? undeclared-table:TRADE  MD keeps newest 1 version; no longer declared, and kept until --allow drop-table:TRADE\n"
        in text
    )


def test_migrate_follows_the_revisions(two: Project, admin: Admin) -> None:
    """With revisions, migrate applies those that are pending, in order; then there is nothing to do."""
    plan = two.run("plan")
    assert plan.exit_code == 2
    assert re.findall(r"^(?:000.*|  \+ .*)$", plan.output, re.M) == [
        "0001_quotes: quotes",
        "  + create-table:QUOTE  MD keeps newest 1 version",
        "0002_trades: trades",
        "  + create-table:TRADE  MD keeps newest 1 version",
    ]
    assert live(admin) == []
    applied = two.done("--yes")
    assert applied.endswith(
        "done create-table:QUOTE\napplied 0001_quotes\ndone create-table:TRADE\napplied 0002_trades\n"
    )
    assert live(admin) == ["QUOTE", "TRADE"]
    for arguments in ((), ("plan",), ("apply",)):
        assert two.done(*arguments) == f"{two.instance}: nothing to do\n"


def test_models_that_moved_are_told(two: Project, admin: Admin) -> None:
    """Where the models are past the last revision, what is written is applied, and the next command is named."""
    two.declare(QUOTE, TRADE, USER)
    applied = two.done("--yes")
    assert (
        'changed since 0002_trades: write the next revision with `btmodel migrate new "message"`' in applied
    )
    assert live(admin) == ["QUOTE", "TRADE"]
    plan = two.run("plan", "--json")
    assert (plan.exit_code, json.loads(plan.stdout)["models_moved"]) == (2, True)
    for arguments in ((), ("plan",), ("plan", "--format", "github")):
        said = two.run(*arguments).output
        assert "no revision is pending" in said
        assert "nothing to do" not in said


def test_status(two: Project) -> None:
    """status tells what is applied, by whom, and what is pending, with exit code 2 for that."""
    assert two.run("status").stdout.startswith(
        f"{two.instance}: 2 pending\n  pending   0001_quotes  quotes\n"
    )
    two.done("apply", "--to", "0001", "--yes")
    result = two.run("status")
    assert result.exit_code == 2
    assert result.stdout.startswith(
        f"{two.instance}: 1 applied, 1 pending\n  applied   0001_quotes  quotes  (20"
    )
    two.done("apply", "--yes")
    told = json.loads(two.done("status", "--json"))
    assert [one["id"] for one in told["applied"]] == ["0001_quotes", "0002_trades"]
    assert (told["pending"], told["heads"]) == ([], ["0002_trades"])


def test_status_of_what_does_not_fit(two: Project) -> None:
    """A file that was edited, and a revision of another checkout, are told by status, and refused by apply."""
    two.done("apply", "--yes")
    (two.migrations / "0002_trades.toml").unlink()
    unknown = two.done("status")
    assert "  unknown   0002_trades  not in migrations  (20" in unknown
    assert "nothing to do; it has revisions that build on these" in two.done("apply")
    path = two.migrations / "0001_quotes.toml"
    path.write_text(path.read_text().replace("max_versions = 1", "max_versions = 2"))
    edited = two.run("status")
    assert (edited.exit_code, "  edited    0001_quotes" in edited.output) == (2, True)
    assert "0001_quotes.toml: it was edited since it was applied" in two.refused("apply", "--yes")


def test_no_terminal_to_ask_at(two: Project, admin: Admin) -> None:
    """Without --yes and without a terminal nothing is applied; the error says what to say."""
    assert "nothing was applied: 2 revisions with 2 changes waiting for an answer" in two.refused("apply")
    assert live(admin) == []


def test_history(two: Project) -> None:
    """history lists the revisions, and the branches where there are any."""
    assert two.done("history") == "0001_quotes  quotes\n0002_trades  trades\n"
    told = json.loads(two.done("history", "--json"))
    assert [one["parents"] for one in told] == [[], ["0001_quotes"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("history", "--instance", "x"), "No such option '--instance'"),
        (("--instance", "x", "history"), "`btmodel migrate history` has no option --instance"),
        (("--yes", "status"), "`btmodel migrate status` has no option --yes"),
        (("--allow", "drop-table:T", "verify"), "`btmodel migrate verify` has no option --allow"),
    ],
)
def test_no_option_is_ignored(two: Project, arguments: tuple[str, ...], message: str) -> None:
    """An option that a command has no use for is refused, before the command as behind it."""
    refused = two.run(*arguments)
    assert refused.exit_code == 1
    assert message in refused.stderr


def test_history_of_nothing(project: Project) -> None:
    """Without revisions, the commands that need some name the one that writes the first."""
    assert project.done("history") == "no revisions in migrations\n"
    for arguments in (("apply",), ("rollback",), ("verify",), ("baseline",), ("squash", "1"), ("merge",)):
        assert 'write the first with `btmodel migrate new "message"`' in project.refused(*arguments)
    assert project.run("status").stdout == f"{project.instance}: no revisions\n"


def branch(project: Project) -> None:
    """Another branch: users, on top of the first revision, beside trades."""
    trades = (project.migrations / "0002_trades.toml").read_text()
    (project.migrations / "0002_trades.toml").unlink()
    project.declare(QUOTE, USER)
    project.done("new", "users")
    (project.migrations / "0002_trades.toml").write_text(trades)


def test_two_branches_are_merged(two: Project, admin: Admin) -> None:
    """Two heads are told by every command, until merge writes the revision that has both."""
    branch(two)
    for arguments in (
        ("plan",),
        ("--yes",),
        ("apply",),
        ("new", "x"),
        ("baseline",),
        ("status",),
        ("history",),
    ):
        told = two.refused(*arguments)
        assert "0002_trades and 0002_users both come last" in told
        assert "`btmodel migrate merge`" in told
    assert two.done("merge", "both") == (
        "wrote migrations/0003_both.toml\n"
        "  + create-table:USER  MD keeps newest 1 version (since 0002_trades)\n"
        "  + create-table:TRADE  MD keeps newest 1 version (since 0002_users)\n"
    )
    two.declare(QUOTE, TRADE, USER)
    assert two.done("new", "x") == "nothing to write: the models match 0003_both\n"
    assert two.done("history").endswith(
        "0002_users   users  (on 0001_quotes)\n0003_both    both  (on 0002_trades and 0002_users)\n"
    )
    two.done("--yes")
    assert live(admin) == ["QUOTE", "TRADE", "USER"]
    assert two.done("status").startswith(f"{two.instance}: 4 applied\n")


def test_two_branches_are_told_where_one_is_applied(two: Project) -> None:
    """verify shows what it found and ends with an error; rollback, which may be the way out, says it and goes on."""
    two.done("--yes")
    branch(two)
    both = "0002_trades and 0002_users both come last"
    assert both in two.refused("verify")
    assert "compared with 0002_trades" in two.run("verify").output
    told = two.done("rollback", "--yes", "--allow", "drop-table:TRADE")
    assert both in told
    assert told.endswith("rolled back 0002_trades\n")


def test_a_merge_with_a_conflict(project: Project) -> None:
    """Where both branches changed one rule, merge says where, and --take decides."""
    project.done("new", "quotes")
    for count in (2, 3):
        project.declare(QUOTE.replace("max_versions(1)", f"max_versions({count})"))
        project.done("new", f"keep {count}")
        (project.migrations / f"0002_keep_{count}.toml").rename(project.folder / f"aside_{count}")
    for count in (2, 3):
        (project.folder / f"aside_{count}").rename(project.migrations / f"0002_keep_{count}.toml")
    assert "table QUOTE, family MD, gc: { max_versions = 2 } in 0002_keep_2" in project.refused("merge")
    project.done("merge", "--take", "0002_keep_3")
    assert project.done("new", "x").startswith("nothing to write")


def test_rollback(two: Project, admin: Admin) -> None:
    """rollback says what would be lost and which --allow would do it; with that it goes back."""
    two.done("--yes")
    told = two.refused("rollback", "--yes")
    assert "TRADE would be dropped: use --allow drop-table:TRADE if you mean that" in told
    admin.create_table(table("OTHERS"))
    shown = two.run("rollback", "--yes").output
    assert re.findall(r"^(?:\w.* \(\d\):|  \? \S+)", shown, re.M) == [
        "in the instance but not declared, left alone (1):",
        "  ? undeclared-table:OTHERS",
        "created by a revision that is rolled back: say for each what should happen to it (1):",
        "  ? undeclared-table:TRADE",
    ]
    admin.delete_table("OTHERS")
    assert live(admin) == ["QUOTE", "TRADE"]
    assert "--allow keep-table:TRADE instead of a drop" in told
    both = ("--allow", "drop-table:TRADE", "--allow", "keep-table:TRADE")
    assert two.refused("rollback", "--yes", *both).endswith(": name one of them")
    unasked = two.refused("rollback", "--allow", "keep-table:TRADE")
    assert unasked.startswith("nothing was rolled back: 1 revision waiting for an answer")
    assert unasked.endswith("use --yes to roll back without asking")
    kept = two.done("rollback", "--yes", "--allow", "keep-table:TRADE")
    assert "has to be said by name" not in kept
    assert kept.endswith("rolled back 0002_trades\n")
    assert live(admin) == ["QUOTE", "TRADE"]
    two.done("--yes")
    back = two.done("rollback", "--yes", "--allow", "drop-table:TRADE")
    assert back.endswith("done drop-table:TRADE\nrolled back 0002_trades\n")
    assert live(admin) == ["QUOTE"]
    assert two.run("status").stdout.startswith(f"{two.instance}: 1 applied, 1 pending\n")
    two.done("--yes")
    told = json.loads(two.done("rollback", "--json", "--yes", "--to", "0001", "--allow", "drop-table:TRADE"))
    assert (told["undone"], told["done"]) == (["0002_trades"], ["drop-table:TRADE"])


def test_baseline_of_an_instance_that_exists(two: Project, admin: Admin) -> None:
    """Revisions are recorded as applied where the instance is as they say, and nowhere else."""
    admin.create_table(table("QUOTE", MD=ONE))
    admin.create_table(table("OTHERS"))
    assert "the instance is not as 0002_trades says: TRADE MD keeps" in two.refused("baseline")
    assert two.done("baseline", "0001").endswith("recorded 0001_quotes\n")
    assert two.done("baseline", "0001").endswith("nothing to record: 0001_quotes is applied\n")
    assert two.run("status").stdout.startswith(f"{two.instance}: 1 applied, 1 pending\n")
    two.done("--yes")
    assert live(admin) == ["OTHERS", "QUOTE", "TRADE"]


def test_baseline_accepts_an_edited_file(two: Project) -> None:
    """A file that was edited on purpose, and live as it says, is recorded anew."""
    two.done("--yes")
    path = two.migrations / "0002_trades.toml"
    path.write_text(
        path.read_text().replace(
            '"optional value Int64()"', '"optional value Int64()"\n"MD:X" = "value Int64()"'
        )
    )
    assert "it was edited since it was applied" in two.refused("apply")
    assert two.done("baseline", "0002").endswith("recorded 0002_trades\n")
    assert two.done("apply") == f"{two.instance}: nothing to do\n"


def test_verify(two: Project, admin: Admin) -> None:
    """verify holds live against what is applied: by hand changed rules and strange tables exit with 2."""
    assert "no revision is applied" in two.refused("verify")
    two.done("--yes")
    assert two.done("verify") == f"compared with 0002_trades:\n{two.instance}: no difference\n"
    admin.create_table(table("OTHERS"))
    assert two.run("verify").exit_code == 2
    admin.delete_table("OTHERS")
    admin.modify_families("QUOTE", update=[table("QUOTE", MD=MaxVersions(9)).families[0]])
    result = two.run("verify", "--json")
    assert result.exit_code == 2
    told = json.loads(result.stdout)
    assert (told["revision"], [one["name"] for one in told["changes"]]) == (
        "0002_trades",
        ["tighten-gc:QUOTE.MD"],
    )
    assert "0002_trades is applied, and the instance is not as it says:" in two.run("plan").output


def test_what_revisions_left_is_no_tampering(two: Project, admin: Admin) -> None:
    """After a renaming, and where a table is declared no more, verify shows what stays and exits with 0; what others made is 2."""
    two.done("--yes")
    two.declare(QUOTE.replace('"MD", gc', '"MARKET", renamed_from="MD", gc'))
    two.done("new", "market")
    two.done("--yes")
    said = two.done("verify")
    assert "? renamed-family:QUOTE.MD" in said
    assert "? undeclared-table:TRADE" in said
    assert said.endswith(
        "all of that was left by earlier revisions: nothing was changed since they were applied\n"
    )
    left = json.loads(two.done("verify", "--json"))["left_by_earlier_revisions"]
    assert {"renamed-family:QUOTE.MD", "undeclared-table:TRADE"} <= set(left)
    admin.modify_families("QUOTE", create=[Family("STRANGE", MaxVersions(1))])
    assert two.run("verify").exit_code == 2


def test_squash(two: Project, admin: Admin) -> None:
    """Old files go, instances that applied them know the new one, and new ones are made with it alone."""
    two.done("--yes")
    assert two.done("squash", "0002", "beginning") == (
        "wrote migrations/0002_beginning.toml\n"
        "  moved 0001_quotes, to migrations/squashed: it is not committed to git\n"
        "  moved 0002_trades, to migrations/squashed: it is not committed to git\n"
    )
    assert two.ids() == ["0002_beginning"]
    assert two.done("apply") == f"{two.instance}: nothing to do\n"
    two.declare(QUOTE, TRADE, USER)
    two.done("new", "users")
    two.done("--yes")
    assert live(admin) == ["QUOTE", "TRADE", "USER"]
    fresh = ("--instance", f"{two.instance}-fresh")
    assert "applied 0002_beginning\n" in two.done("--yes", *fresh)
    assert two.done("status", *fresh).startswith(f"{two.instance}-fresh: 2 applied\n")


def test_squash_deletes_only_what_git_has(two: Project) -> None:
    """A file that was committed as it is goes; one that was edited since, ignored or never added is moved, and none is lost."""
    git = ("git", "-C", str(two.folder), "-c", "user.name=a", "-c", "user.email=a@b")
    two.done("new", "fill", "--data-step", "fill")
    for arguments in (
        ("init", "-q"),
        ("add", "migrations/0001*", "migrations/0002*"),
        ("commit", "-qm", "a"),
    ):
        subprocess.run([*git, *arguments], check=True)
    path = two.migrations / "0002_trades.toml"
    path.write_text(path.read_text() + "# edited\n")
    (two.folder / ".gitignore").write_text("*.py\n")
    told = two.done("squash", "0003", "all")
    assert re.findall(r"^  (\w+) (\w+)", told, re.M) == [
        ("deleted", "0001_quotes"),
        ("moved", "0002_trades"),
        ("moved", "0003_fill"),
    ]
    kept = sorted(path.name for path in (two.migrations / "squashed").iterdir())
    assert kept == ["0002_trades.toml", "0003_fill.py", "0003_fill.toml"]
    assert two.ids() == ["0003_all"]
    assert two.done("history") == "0003_all  all\n"


def test_a_revision_is_compared(two: Project) -> None:
    """diff takes revisions, too."""
    result = two.run("diff", "revision:0001", "revision:0002")
    assert (result.exit_code, "create-table:TRADE" in result.output) == (2, True)


def test_the_folder_is_a_setting(project: Project) -> None:
    """migrations = ... in the settings names the folder."""
    path = project.folder / "pyproject.toml"
    path.write_text(path.read_text() + 'migrations = "db/steps"\n')
    assert project.done("new", "quotes").startswith("wrote db/steps/0001_quotes.toml\n")


def test_github(two: Project) -> None:
    """--format github has a heading for each revision."""
    told = two.run("plan", "--format", "github")
    assert told.exit_code == 2
    assert "\n\n### 0002_trades: trades\n\n" in told.output
    assert told.output.endswith("</details>\n\n2 revisions are pending\n")
    assert two.run("--yes").exit_code == 0
    assert "###" not in two.run("plan", "--format", "github").output
    assert "this project has revisions, so there is no plan to save" in two.refused(
        "plan", "--out", "plan.json"
    )


def test_wrong_usage_exits_with_1(project: Project) -> None:
    """A message that is missing, an id that is none: exit code 1, and no 2."""
    for arguments in (("new",), ("squash",), ("apply", "--bogus"), ("rollback", "--to")):
        assert project.run(*arguments).exit_code == 1
