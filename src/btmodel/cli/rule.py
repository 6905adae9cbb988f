"""``btmodel rule``: the pages of the rules."""

import click
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from btmodel.errors import SettingsError
from btmodel.lint import RULES, Page
from btmodel.lint.page import EXAMPLES


@click.command()
@click.argument("id", required=False, metavar="[ID]")
def rule(id: str | None) -> None:
    """Print the page of rule ID (KEY001, or its name, timestamp-first); without one, list the rules."""
    console = Console(highlight=False)
    if id is None:
        table = Table("id", "name", "levels", "finds")
        for each in RULES:
            _, _, finds = Page.parse(each.page).title.partition(": ")
            table.add_row(each.id, each.name, ", ".join(level.value for level in each.levels), finds)
        console.print(table)
        return
    wanted = next((each for each in RULES if id.upper() == each.id or id.lower() == each.name), None)
    if wanted is None:
        raise SettingsError(f"no rule {id!r}; the rules are {', '.join(each.id for each in RULES)}")
    page = Page.parse(wanted.page)
    console.print(Text(page.title, "bold"))
    for heading, body in page.sections.items():
        console.print(Text(f"\n{heading}", "bold"))
        if heading in EXAMPLES:
            code = Syntax(body, "python", background_color="default", code_width=console.width)
            console.print(code if console.is_terminal else Text(body), soft_wrap=True)
        else:
            console.print(
                Text("\n\n".join(" ".join(part.split()) for part in body.split("\n\n"))), soft_wrap=True
            )
