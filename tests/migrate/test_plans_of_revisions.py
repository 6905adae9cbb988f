"""What the plan of revisions says, as text and as Markdown: each of them, and how many they are."""

import re

import pytest
from revised_project import QUOTE, TRADE, USER, Project


@pytest.mark.parametrize("shape", ["text", "github"])
def test_a_revision_with_data_steps_alone_is_something_to_do(project: Project, shape: str) -> None:
    """Its tables need nothing, and its steps are run: the exit code is 2, and nothing says that there is nothing to do."""
    project.done("new", "quotes")
    project.done("--yes")
    project.done("new", "fill", "--data-step", "fill")
    plan = project.run("plan", "--format", shape)
    assert plan.exit_code == 2
    assert "nothing to do" not in plan.output
    assert "no table changes" in plan.output
    assert f"it runs its data steps: {'fill' if shape == 'text' else '`fill`'}\n" in plan.output
    assert "the data step fill is still to be written" in plan.output


def test_markdown_says_what_the_text_does(two: Project) -> None:
    """A blank line parts revisions, one that is applied beside another says so, and the last line counts them."""
    trades = (two.migrations / "0002_trades.toml").read_text()
    (two.migrations / "0002_trades.toml").unlink()
    two.declare(QUOTE, USER)
    two.done("new", "users")
    two.done("--yes")
    (two.migrations / "0002_trades.toml").write_text(trades)
    two.done("merge", "both")
    two.declare(QUOTE, TRADE, USER)
    text = two.run("plan").output
    told = two.run("plan", "--format", "github").output
    heads = ["0002_trades: trades (beside 0002_users)", "0003_both: both"]
    assert re.findall(r"^000.*", text, re.M) == heads
    plain = told.replace("\\", "").replace("&#95;", "_").replace("&#58;", ":")
    assert re.findall(r"^### (.*)", plain, re.M) == heads
    assert "</details>\n\n### " in plain
    for shown in (text, told):
        assert shown.endswith("\n2 revisions are pending\n")
