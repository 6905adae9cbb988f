"""``btmodel check`` and ``rule``: review the models; print the pages of the rules."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve
from rich.syntax import Syntax
from rich.table import Table as Grid

from btmodel.cli.completion import instance_names, module_names, rule_names
from btmodel.cli.console import Console, PrintableText
from btmodel.cli.group import models_option
from btmodel.cli.models import load_all, modules_of, named_modules, without_table
from btmodel.cli.problems import LeftOut, Problem
from btmodel.cli.report import Report, place_of, show_github, show_json, show_sarif, show_text
from btmodel.cli.source import Sources
from btmodel.cli.source.fixes import WrittenFixes, fixes, may_be_written, write_source
from btmodel.cli.terminal import MODULES, echo
from btmodel.errors import BtmodelError, DeclarationError, SettingsError, SimulationRefused
from btmodel.lint import RULES, Finding, Level, Rule, RulePage, review_all, review_part
from btmodel.lint.rule import EXAMPLES, near_ids
from btmodel.schema import by_table, tables_and_templates
from btmodel.schema.column import Family
from btmodel.schema.gc import KeepAll
from btmodel.schema.key import RowKey
from btmodel.schema.model import ModelSchema
from btmodel.schema.table import Table
from btmodel.settings import read
from btmodel.words import counted, did_you_mean, near

# Each prints a report to stdout.
FORMATS: Mapping[str, Callable[[Report], None]] = {
    "text": show_text,
    "json": show_json,
    "sarif": show_sarif,
    "github": show_github,
}


def rules_named(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> frozenset[str]:
    """The ids of the rules that the values of an option name; a usage error for what no rule is called."""
    found: set[str] = set()
    for wanted in (part.strip() for value in given for part in value.split(",")):
        ids = _rule_ids(wanted)
        if not ids:
            message = f"no rule is called {wanted!r}, or begins so{_hint(wanted)}"
            raise click.BadParameter(message, context, parameter)
        found |= ids
    return frozenset(found)


def _rule_ids(wanted: str) -> set[str]:
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
    page = RulePage.parse(wanted.page)
    console.print(PrintableText(page.title, "bold"))
    for heading, body in page.sections.items():
        console.print(PrintableText(f"\n{heading}", "bold"))
        if heading in EXAMPLES:
            code = Syntax(body, "python", background_color="default", code_width=console.width)
            console.print(code if console.is_terminal else PrintableText(body), soft_wrap=True)
        else:
            console.print(PrintableText(_flowing(body)), soft_wrap=True)
    if wanted.address:
        console.print(PrintableText(f"\n{wanted.address}", "dim"), soft_wrap=True)


def _group(rule: Rule[Any]) -> str:
    return rule.id.rstrip("0123456789")


def _listed(rules: Sequence[Rule[Any]]) -> Grid:
    table = Grid("id", "name", "levels", "finds")
    for column in table.columns[:2]:
        column.no_wrap = True
    for each in rules:
        _, _, finds = RulePage.parse(each.page).title.partition(": ")
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


def of_table(instance: str, table: Table) -> ModelSchema:
    """The schema of a table of ``instance``: its families, an empty key, no columns and no queries.

    It is called as the table is, and its module as the instance.
    """
    families = tuple(map(_as_stated, table.families))
    return ModelSchema(table.id, instance, "", table.id, RowKey((), b""), families, (), existing=True)


def _as_stated(family: Family) -> Family:
    # A table shows a family that keeps everything and one without a rule in the same way.
    return evolve(family, gc=None) if isinstance(family.gc, KeepAll) else family


live_option = click.option(
    "--live",
    metavar="INSTANCE",
    shell_complete=instance_names,
    help="Review the tables of an instance (a name in the settings, or a path) instead of models.",
)


def load_live(context: click.Context, modules: Sequence[str], instance: str) -> list[ModelSchema]:
    """The schemas of all tables of ``instance``; no module is imported.

    Raises :class:`click.UsageError` where modules are named, too, :class:`SettingsError` for a
    name that is no instance, or one without tables, and :class:`ServerError` for one that cannot be reached.
    """
    if modules or context.meta.get(MODULES):
        raise click.UsageError(
            "--live reviews the tables of an instance, so it cannot be combined with a module", context
        )
    # Here, because they load grpc and servers, which a review of models has no use for.
    from btmodel.cli.connection import reached
    from btmodel.client.admin import Admin

    with reached(instance, only_reads=True) as target, Admin(target) as admin:
        found = [of_table(target.instance, table) for table in admin.read_tables()]
    if not found:
        raise SettingsError(f"no table is in {target}")
    return found


@click.command()
@click.argument("modules", nargs=-1, metavar="[MODULE]...", shell_complete=module_names)
@click.option(
    "--select",
    multiple=True,
    metavar="ID[,ID]",
    callback=rules_named,
    shell_complete=rule_names,
    help="Apply only these rules: ids (KEY001), id prefixes (KEY) or names (timestamp-first). Repeatable.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="ID[,ID]",
    callback=rules_named,
    shell_complete=rule_names,
    help="Leave out these rules, even if --select names them. Repeatable.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 on a warning, too.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(tuple(FORMATS)),
    default="text",
    show_default=True,
    help="The output format: text, JSON, SARIF 2.1.0 or GitHub Actions annotations.",
)
@click.option("--json", "json_", is_flag=True, help="The same as --format json.")
@click.option(
    "--simulate",
    "simulate_",
    is_flag=True,
    help="Add simulation results to findings about load.",
)
@click.option(
    "--fix",
    "fix_",
    is_flag=True,
    help="Write fixes into the source that change nothing that is stored: also classes of second tables and their dual writes.",
)
@click.option("--diff", "diff_", is_flag=True, help="Show what --fix would write, and write nothing.")
@live_option
@models_option
@click.pass_context
def check(
    context: click.Context,
    modules: tuple[str, ...],
    select: frozenset[str],
    ignore: frozenset[str],
    strict: bool,
    format_: str,
    json_: bool,
    simulate_: bool,
    fix_: bool,
    diff_: bool,
    live: str | None,
) -> None:
    """Review the models of the settings, or of the given modules.

    A module is named as app.models, by the path of its file, or with others by that of a folder, such as src/.

    If a module cannot be read, the command says so and reviews the others. It neither shows nor counts
    findings of rules that you do not select, or ignore.

    Exit code 0: no error; 1: an error in a model (with --strict, also a warning), or a module
    that cannot be read; 2: a wrong option. With --fix, the result is reviewed.
    """
    if diff_ and (json_ or format_ != "text"):
        raise click.UsageError(
            "--diff prints a unified diff, so it cannot be combined with another format", context
        )
    if live and (fix_ or diff_):
        raise click.UsageError(
            "--fix and --diff change the source of models, so they cannot be combined with --live", context
        )
    rules = (select or {rule.id for rule in RULES}) - ignore
    settings = read()
    modules = tuple(modules_of((*context.meta.get(MODULES, ()), *modules), settings))
    models, problems, reviewed = _reviewed(context, modules, live)
    left_out = [] if live else list(_left_out(modules or named_modules(context, settings), models))
    for each in left_out:
        echo(f"note: {each.message}", err=True)
    findings = [finding for finding in reviewed if finding.rule in rules]
    if simulate_:
        findings = _simulated(findings, models)
    sources = Sources()
    findings = [sources.placed(finding) for finding in findings]
    report = Report(settings.root, models, [*map(Problem.of, problems)], findings, sources, left_out)
    written = (
        fixes(findings, models, report.sources, settings.root) if _may_write(findings) else WrittenFixes()
    )
    if diff_:
        _show_diff(report, written)
    elif fix_ and _fixed(report, written):
        context.exit(_checked_again(context.params, modules))
    else:
        FORMATS["json" if json_ else format_](report)
        if written.texts:
            hint = "`btmodel check --diff` shows which of these fixes can be written, and --fix writes them"
            echo(f"note: {hint}", err=True)
    context.exit(1 if report.fails(strict=strict) else 0)


def _reviewed(
    context: click.Context, modules: Sequence[str], live: str | None
) -> tuple[list[ModelSchema], list[BtmodelError], list[Finding]]:
    """The models, why others could not be read, and what is found, also on what is declared well of a class that cannot be."""
    if live:
        models = load_live(context, modules, live)
        return models, [], list(review_all(models))
    models, problems, partial = load_all(context, modules)
    reviewed = review_all(models)
    problems += _refused_tables(models, reviewed)
    if any(model.sql_queries for model in models):
        problems += _refused_queries(models)
    parts = [finding for model, whole in partial for finding in review_part(model, whole_key=whole)]
    return models, problems, [*reviewed, *parts]


def _checked_again(params: Mapping[str, Any], modules: Sequence[str]) -> int:
    """The exit code of the same command without --fix, in a new process, which reads the source anew."""
    options = [(f"--{name}", id) for name in ("select", "ignore") for id in sorted(params[name])]
    options.append(("--format", "json" if params["json_"] else params["format_"]))
    words = [part for option in options for part in option]
    words += ["--strict"] * params["strict"] + ["--simulate"] * params["simulate_"]
    command = [sys.executable, "-m", "btmodel", "check", *words, "--", *modules]
    return subprocess.run(command, check=False).returncode


def _may_write(findings: Sequence[Finding]) -> bool:
    return any(map(may_be_written, findings))


def _show_diff(report: Report, written: WrittenFixes) -> None:
    """Print what :func:`_fixed` would write, as a unified diff."""
    from difflib import unified_diff  # here: few commands compare texts

    for file, text in written.texts.items():
        path = Path(file)
        name = str(path.relative_to(report.root)) if path.is_relative_to(report.root) else file
        lines = report.sources.lines(file)
        echo("\n".join(unified_diff(lines, text.split("\n"), f"a/{name}", f"b/{name}", lineterm="")))
    _note_unwritten(written)


def _fixed(report: Report, written: WrittenFixes) -> bool:
    """Write the fixes that change nothing that is stored; false where there are none."""
    for file, text in written.texts.items():
        write_source(Path(file), text)
        echo(f"changed {file}", err=True)
    if report.findings:
        _note_unwritten(written)
    if written.fixed:
        echo(f"fixed {counted(len(written.fixed), 'finding')}; this is what is left:", err=True)
    return bool(written.fixed)


def _note_unwritten(written: WrittenFixes) -> None:
    """Say why fixes are not written that change declarations alone, or that there are none."""
    for finding, why in written.left:
        place = place_of(finding)
        echo(f"note: the fix of {finding.rule} {place} is not written: {why}", err=True)
    if not written.texts and not written.left:
        echo("note: no fix changes declarations alone, so none is written", err=True)


def _left_out(modules: Sequence[str], models: Sequence[ModelSchema]) -> Iterator[LeftOut]:
    """What looks like a model whose table was forgotten, beside others, and queries in SQL that nothing here reads."""
    for name in without_table(modules) if models else ():
        yield LeftOut(
            "no-table", name, f"{name} has no table= and no model inherits from it: it is not reviewed"
        )
    if any(model.sql_queries for model in models):
        from btmodel.googlesql.analysis import installed  # here, as few models have any

        if not installed():
            yield LeftOut("sql", None, "queries in SQL are not checked: install `btmodel[sql]`")


def _refused_tables(models: Sequence[ModelSchema], reviewed: Sequence[Finding]) -> Iterator[BtmodelError]:
    """Why models of one table cannot share it, as every other command would say, where no finding says so."""
    wrong = {finding.model for finding in reviewed if finding.level is Level.ERROR}
    for group in by_table(models).values():
        if wrong.isdisjoint(model.name for model in group):
            try:
                tables_and_templates(group)
            except DeclarationError as error:
                yield error


def _refused_queries(models: Sequence[ModelSchema]) -> Iterator[BtmodelError]:
    """What Google's front end says against queries in SQL, where it is installed."""
    from btmodel_codegen.sql_queries import check_queries  # here, as few models have any

    yield from check_queries(models)


def _simulated(findings: Sequence[Finding], models: Sequence[ModelSchema]) -> list[Finding]:
    from btmodel.on_demand import library

    library("numpy", "simulate", "a simulation", SimulationRefused)
    # Here, because it loads numpy, which a review has no use for.
    from btmodel.simulate.citing import cited

    return list(cited(findings, models, lambda text: echo(text, err=True)))
