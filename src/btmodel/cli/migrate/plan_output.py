"""A plan on the terminal, in GitHub's Markdown, or as JSON."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import evolve
from btmodel_codegen.markdown_text import code, text
from rich.table import Table as Grid

from btmodel.cli.connection import as_known
from btmodel.cli.console import Console, PrintableText
from btmodel.cli.terminal import echo
from btmodel.errors import BtmodelError, MigrationFailed
from btmodel.migrate import Effect
from btmodel.migrate.planning.plan import WrongAllow
from btmodel.migrate.planning.text import ChangeGroup, ChangeLine, PlanText, plain, plan_text
from btmodel.words import one_line

_STYLES = {
    Effect.DRIFT: "yellow",
    Effect.SAFE: "green",
    Effect.SLOW: "cyan",
    Effect.BLOCKED: "bold magenta",
    Effect.IMPOSSIBLE: "bold red",
    Effect.DESTRUCTIVE: "bold red",
}


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    echo(json.dumps(value, indent=2))


def print_error(error: BtmodelError) -> None:
    """Print an error as JSON; of one that came on the way, also what is done, is not, and what is unknown."""
    lists = ("done", "undone", "unknown") if isinstance(error, MigrationFailed) else ()
    print_json({"error": str(error), **{name: list(getattr(error, name)) for name in lists}})


@contextmanager
def shown_where_wrong(console: Console) -> Iterator[None]:
    """Show the plan before an ``--allow`` that does not fit it is refused: what fits stands there."""
    try:
        yield
    except WrongAllow as error:
        for heading, plan in zip(error.headings, error.plans, strict=True):
            if heading:
                echo(heading, err=console.stderr)
            show(plan_text(plan), console)
        raise


def show(said: PlanText, console: Console) -> None:
    """A plan in colour at a terminal; elsewhere as text, which nothing wraps."""
    said = evolve(said, instance=as_known(said.instance))
    if not console.is_terminal:
        echo(plain(said), err=console.stderr)
        return
    console.print(PrintableText.assemble((said.instance, "bold"), ": ", said.tally))
    for note in said.by_the_way:
        console.print(PrintableText(f"note: {note}", "italic"))
    for group in said.groups:
        console.print(PrintableText(group.title, _STYLES[group.effect]))
        console.print(_grid(group))


def print_text(said: PlanText, shape: str) -> None:
    """Print a plan in words as ``text`` or ``github``."""
    if shape == "github":
        echo(as_markdown(said), nl=False)
    else:
        show(said, Console())


def _grid(group: ChangeGroup) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(overflow="fold")
    grid.add_column(overflow="fold")
    for line in group.lines:
        words = PrintableText(line.summary)
        for detail in line.more:
            words.append(f"\n{detail}", "dim")
        if line.hint:
            words.append(f"\n{line.hint}", "italic")
        grid.add_row(
            PrintableText(f"  {line.sign}", _STYLES[group.effect]), PrintableText(line.name, "bold"), words
        )
    return grid


# Whatever holds a name is code, so that nothing in an id is markup, a mention or a link.

# Shown before anything else: no list has to be opened to see what goes.
_OPEN = (Effect.DESTRUCTIVE, Effect.IMPOSSIBLE, Effect.BLOCKED)
# A comment holds 65,536 characters: of what loses nothing, some lines are enough.
_MOST = 50
_HEAD = "| | change | what becomes of it | |\n|---|---|---|---|"


def as_markdown(said: PlanText) -> str:
    """The plan: a line that sums it up, then a section for each effect, of which what loses data comes first."""
    lines = [f"**btmodel migrate**, {_code(said.instance)}: **{text(said.tally)}**"]
    lines += [f"> {text(note)}" for note in said.by_the_way]
    lines += [_section(group) for group in reversed(said.groups)]
    return "\n\n".join(lines) + "\n"


def _section(group: ChangeGroup) -> str:
    shown = group.lines if group.effect in _OPEN else group.lines[:_MOST]
    rows = [_HEAD, *map(_row, shown)]
    if len(shown) < len(group.lines):
        rows.append(f"| | and {len(group.lines) - len(shown)} more | | |")
    opened = " open" if group.effect in _OPEN or len(group.lines) <= 10 else ""
    heading = f"<summary><b>{text(group.title)}</b></summary>"
    return "\n".join([f"<details{opened}>", heading, "", *rows, "", "</details>"])


def _row(line: ChangeLine) -> str:
    cells = [_code(line.summary), *map(_code, line.change.details), *map(text, line.fate)]
    return f"| {_code(line.sign)} | {_code(line.name)} | {'<br>'.join(cells)} | {_code(line.hint) if line.hint else ''} |"


def _code(value: str) -> str:
    """Code on one line; what cannot be seen is written as its number."""
    return code(one_line(value)) if value else ""
