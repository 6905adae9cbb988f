"""``btmodel rule``: the pages of the rules."""

from collections.abc import Sequence
from typing import Any

import click
from rich.syntax import Syntax
from rich.table import Table

from btmodel.cli.completion import rule_names
from btmodel.cli.console import Console, Text
from btmodel.errors import SettingsError
from btmodel.lint import RULES, Page, Rule
from btmodel.lint.rule import EXAMPLES, near_ids
from btmodel.words import did_you_mean, near


def rules_named(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> frozenset[str]:
    """The ids of the rules that the values of an option name; a usage error for what no rule is called."""
    found: set[str] = set()
    for wanted in (part.strip() for value in given for part in value.split(",")):
        ids = _meant(wanted)
        if not ids:
            message = f"no rule is called {wanted!r}, or begins so{_hint(wanted)}"
            raise click.BadParameter(message, context, parameter)
        found |= ids
    return frozenset(found)


def _meant(wanted: str) -> set[str]:
    if not wanted:
        return set()
    return {rule.id for rule in RULES if rule.name == wanted.lower() or rule.id.startswith(wanted.upper())}


def _hint(wanted: str) -> str:
    """The ids, beginnings and names that are near to what is none, as the end of a sentence."""
    groups = sorted({_group(rule) for rule in RULES})
    found = near_ids(wanted, (rule.id for rule in RULES)) or near(
        wanted, [*groups, *(rule.name for rule in RULES)]
    )
    return did_you_mean(found) or f" (they begin with {', '.join(groups)}; btmodel rule lists them)"


@click.command()
@click.argument("id", required=False, metavar="[ID]", shell_complete=rule_names)
def rule(id: str | None) -> None:
    """Print the page of rule ID (KEY001, or its name, timestamp-first), or list the rules of a group (KEY); without ID, list all rules."""
    console = Console(highlight=False)
    groups = {_group(each) for each in RULES}
    if id is None or id.upper() in groups:
        console.print(_listed([each for each in _in_order() if id is None or _group(each) == id.upper()]))
        return
    wanted = next((each for each in RULES if id.upper() == each.id or id.lower() == each.name), None)
    if wanted is None:
        raise SettingsError(f"no rule {id!r}{_hint(id)}")
    page = Page.parse(wanted.page)
    console.print(Text(page.title, "bold"))
    for heading, body in page.sections.items():
        console.print(Text(f"\n{heading}", "bold"))
        if heading in EXAMPLES:
            code = Syntax(body, "python", background_color="default", code_width=console.width)
            console.print(code if console.is_terminal else Text(body), soft_wrap=True)
        else:
            console.print(Text(_flowing(body)), soft_wrap=True)


def _group(rule: Rule[Any]) -> str:
    return rule.id.rstrip("0123456789")


def _listed(rules: Sequence[Rule[Any]]) -> Table:
    table = Table("id", "name", "levels", "finds")
    for column in table.columns[:2]:
        column.no_wrap = True
    for each in rules:
        _, _, finds = Page.parse(each.page).title.partition(": ")
        table.add_row(each.id, each.name, ", ".join(level.value for level in each.levels), finds)
    return table


def _in_order() -> list[Rule[Any]]:
    """The rules by their groups, those of row keys first, and by their numbers."""
    groups = list(dict.fromkeys(_group(each) for each in RULES))
    return sorted(RULES, key=lambda each: (groups.index(_group(each)), each.id))


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
