"""A plan as GitHub Flavored Markdown, for a comment on a pull request.

Whatever holds a name is code, so that nothing in an id is markup, a mention or a link.
"""

from btmodel_codegen.markdown_text import code, text

from btmodel.migrate import Effect
from btmodel.migrate.told import Group, Line, Told
from btmodel.printable import one_line

# Shown before anything else: nobody has to open a list to see what goes.
_OPEN = (Effect.DESTRUCTIVE, Effect.IMPOSSIBLE, Effect.BLOCKED)
# A comment holds 65,536 characters: of what loses nothing, some lines are enough.
_MOST = 50
_HEAD = "| | change | what becomes of it | |\n|---|---|---|---|"


def as_markdown(said: Told) -> str:
    """The plan: a line that sums it up, then a section for each effect, of which what loses data comes first."""
    lines = [f"**btmodel migrate**, {_code(said.instance)}: **{text(said.tally)}**"]
    lines += [f"> {text(note)}" for note in said.by_the_way]
    lines += [_section(group) for group in reversed(said.groups)]
    return "\n\n".join(lines) + "\n"


def _section(group: Group) -> str:
    shown = group.lines if group.effect in _OPEN else group.lines[:_MOST]
    rows = [_HEAD, *map(_row, shown)]
    if len(shown) < len(group.lines):
        rows.append(f"| | and {len(group.lines) - len(shown)} more | | |")
    opened = " open" if group.effect in _OPEN or len(group.lines) <= 10 else ""
    heading = f"<summary><b>{text(group.title)}</b></summary>"
    return "\n".join([f"<details{opened}>", heading, "", *rows, "", "</details>"])


def _row(line: Line) -> str:
    told = [_code(line.summary), *map(_code, line.change.details), *map(text, line.fate)]
    return f"| {_code(line.sign)} | {_code(line.name)} | {'<br>'.join(told)} | {_code(line.hint) if line.hint else ''} |"


def _code(value: str) -> str:
    """Code on one line; what cannot be seen is written as its number."""
    return code(one_line(value)) if value else ""
