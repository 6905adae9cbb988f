"""What somebody wrote into the file of a revision forges no line of what is shown, and no colour."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from revised_project import Project

from btmodel.words import one_line

FORGED = "one\n+ nothing to do\x1b[2J\r\u202e"
SHOWN = "one\\n+ nothing to do\\x1b[2J\\r\\u202e"
COMMANDS = [("plan",), ("plan", "--format", "github"), ("status",), ("history",), ("apply", "--yes")]


def toml(text: str) -> str:
    """What writes ``text`` between the quotes of TOML."""
    return "".join(f"\\u{ord(one):04x}" for one in text)


@given(st.text())
def test_any_text_is_one_line(text: str) -> None:
    """Every character can be seen then, and what could be is as it was."""
    assert one_line(text).isprintable()
    assert one_line(text) == text or not text.isprintable()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_message_is_one_line(project: Project, command: tuple[str, ...]) -> None:
    """A message stays on its line in every command that shows it, with its escapes told as what they are."""
    project.done("new", "one")
    path = project.migrations / "0001_one.toml"
    path.write_text(path.read_text().replace('message = "one"', f'message = "{toml(FORGED)}"'))
    shown = project.run(*command).output
    # Markdown writes marks as numbers, or with a stroke in front of them.
    assert SHOWN in shown.replace("\\[", "[").replace("&#92;", "\\")
    assert not set(shown) & set("\x1b\r\u202e")
    assert not [line for line in shown.splitlines() if line.startswith("+")]
    if command == ("apply", "--yes"):
        assert SHOWN in project.run("status").output


def test_how_a_cell_is_written_is_one_line(project: Project) -> None:
    """Codecs are texts of the file, too, which a plan shows."""
    project.done("new", "one")
    path = project.migrations / "0001_one.toml"
    path.write_text(path.read_text().replace('"optional value Int64()"', f'"value {toml(FORGED)}"'))
    shown = project.run("diff", "models", "revision:0001").output
    assert f"declared: value {SHOWN}" in shown
    assert "\x1b" not in shown
