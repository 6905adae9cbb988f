"""``btmodel check``: the schema review."""

import json
from collections.abc import Sequence
from itertools import groupby

import click
from rich.console import Console
from rich.text import Text

from btmodel.cli.models import load_each
from btmodel.errors import BtmodelError, DeclarationError
from btmodel.lint import Finding, Level, review_all
from btmodel.schema import ModelSchema

_STYLES = {Level.ERROR: "bold red", Level.WARNING: "yellow", Level.INFO: "cyan"}


@click.command()
@click.argument("modules", nargs=-1, metavar="[MODULE]...")
@click.option("--strict", is_flag=True, help="Exit 1 on a warning, too.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.pass_context
def check(context: click.Context, modules: tuple[str, ...], strict: bool, json_: bool) -> None:
    """Review the models of the settings, or those of the modules named.

    A module that cannot be read is reported, and the others are still reviewed.

    Exit code 0: no error; 1: an error in a model (with --strict, or a warning), or a module
    that cannot be read.
    """
    models, problems = load_each(context, modules)
    declared = [finding for problem in problems for finding in _findings(problem)]
    findings = [*declared, *review_all(models)]
    if json_:
        document = {
            "models": len(models),
            "findings": [finding.as_json() for finding in findings],
            "problems": [str(problem) for problem in problems],
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        _print(models, problems, findings)
    failing = {Level.ERROR, Level.WARNING} if strict else {Level.ERROR}
    context.exit(1 if problems or any(finding.level in failing for finding in findings) else 0)


def _findings(problem: BtmodelError) -> list[Finding]:
    if not isinstance(problem, DeclarationError):
        return []
    return [finding for finding in problem.findings if isinstance(finding, Finding)]


def _print(
    models: Sequence[ModelSchema], problems: Sequence[BtmodelError], findings: Sequence[Finding]
) -> None:
    console = Console(highlight=False)
    for problem in problems:
        if not _findings(problem):
            console.print(Text.assemble(("error ", "bold red"), str(problem)), soft_wrap=True)
    for (module, model), found in groupby(findings, key=lambda finding: (finding.module, finding.model)):
        console.print(Text.assemble((model, "bold"), (f"  {module}", "dim")))
        for finding in found:
            _print_finding(console, finding)
    counts = [_plural(_count(findings, level), level.value) for level in (Level.ERROR, Level.WARNING)]
    unread = f", {_plural(len(problems), 'module')} could not be read" if problems else ""
    clean = not problems and not findings
    summary = f"{_plural(len(models), 'model')} reviewed: {', '.join(counts)}{unread}"
    console.print(Text(summary, "bold green" if clean else "bold"))


def _print_finding(console: Console, finding: Finding) -> None:
    head = Text.assemble(
        "  ",
        (f"{finding.level.value} {finding.rule} ", _STYLES[finding.level]),
        (finding.name, "bold"),
        "  ",
        (str(finding.place), "dim"),
    )
    console.print(head, soft_wrap=True)
    for label, text in (("what", finding.message), ("why ", finding.why), ("mend", finding.mend)):
        console.print(Text.assemble(("    ", ""), (f"{label}  ", "dim"), text), soft_wrap=True)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _count(findings: Sequence[Finding], level: Level) -> int:
    return sum(finding.level is level for finding in findings)
