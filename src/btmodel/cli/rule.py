"""``btmodel rule``: the pages of the rules."""

from typing import Any

import click
from rich.syntax import Syntax
from rich.table import Table

from btmodel.cli.completing import rule_names
from btmodel.cli.console import Console, Text
from btmodel.cli.selection import near
from btmodel.errors import SettingsError
from btmodel.lint import RULES, Page, Rule
from btmodel.lint.page import EXAMPLES


@click.command()
@click.argument("id", required=False, metavar="[ID]", shell_complete=rule_names)
def rule(id: str | None) -> None:
    """Print the page of rule ID (KEY001, or its name, timestamp-first); without one, list the rules."""
    console = Console(highlight=False)
    if id is None:
        table = Table("id", "name", "levels", "finds")
        for column in table.columns[:2]:
            column.no_wrap = True
        for each in _in_order():
            _, _, finds = Page.parse(each.page).title.partition(": ")
            table.add_row(each.id, each.name, ", ".join(level.value for level in each.levels), finds)
        console.print(table)
        return
    wanted = next((each for each in RULES if id.upper() == each.id or id.lower() == each.name), None)
    if wanted is None:
        raise SettingsError(f"no rule {id!r}{near(id)}")
    page = Page.parse(wanted.page)
    console.print(Text(page.title, "bold"))
    for heading, body in page.sections.items():
        console.print(Text(f"\n{heading}", "bold"))
        if heading in EXAMPLES:
            code = Syntax(body, "python", background_color="default", code_width=console.width)
            console.print(code if console.is_terminal else Text(body), soft_wrap=True)
        else:
            console.print(Text(_flowing(body)), soft_wrap=True)


def _in_order() -> list[Rule[Any]]:
    """The rules by their groups, those of row keys first, and by their numbers."""
    groups = list(dict.fromkeys(each.id.rstrip("0123456789") for each in RULES))
    return sorted(RULES, key=lambda each: (groups.index(each.id.rstrip("0123456789")), each.id))


def _flowing(body: str) -> str:
    """The paragraphs of a text, and the items of its lists, on a line each, for a terminal of any width."""
    joined: list[str] = []
    for line in body.splitlines():
        text = line.strip()
        begins = not text or text.startswith("- ") or not joined or not joined[-1]
        if begins:
            joined.append(text)
        else:
            joined[-1] += f" {text}"
    return "\n".join(joined)
