"""The report of ``btmodel check``: as text, JSON, GitHub annotations, or SARIF 2.1.0, which editors and code hosts read."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from attrs import field, frozen
from rich.cells import cell_len

from btmodel.cli.console import Console, PrintableText, Styled
from btmodel.cli.problems import LeftOut, Problem
from btmodel.cli.source import Edit, Excerpt, Region, Sources
from btmodel.cli.terminal import echo, from_here
from btmodel.lint import RULES, Finding, Level, Rule, RulePage
from btmodel.lint.rule import EXAMPLES
from btmodel.lint.rules.fig001_missing_figure import RULE as _MISSING_FIGURE
from btmodel.schema import ModelSchema
from btmodel.words import counted


@frozen
class Report:
    """The models that were reviewed, why others could not be or are not, and what the rules found, of the project in ``root``."""

    root: Path
    models: Sequence[ModelSchema]
    problems: Sequence[Problem]
    findings: Sequence[Finding]
    sources: Sources = field(factory=Sources, eq=False, repr=False)
    left_out: Sequence[LeftOut] = ()

    def count(self, level: Level) -> int:
        """The number of findings of a level."""
        return sum(finding.level is level for finding in self.findings)

    def fails(self, *, strict: bool) -> bool:
        """Whether there is an error, where ``strict`` a warning, or something that could not be read."""
        return bool(self.problems or self.count(Level.ERROR) or (strict and self.count(Level.WARNING)))


def show_json(report: Report) -> None:
    """Print one JSON document."""
    document = {
        "models": len(report.models),
        "findings": [finding.as_json() for finding in report.findings],
        "problems": [problem.as_json() for problem in report.problems],
        "left_out": [each.as_json() for each in report.left_out],
    }
    echo(json.dumps(document, indent=2))


# What is said of rows that exist already, in one place of each model.
ADVICE = "its rows exist already, so this is advice: each change has the cost that is named behind it"


def _advice(report: Report) -> Iterator[tuple[ModelSchema, list[Finding]]]:
    """The advice on rows that exist already, by the model."""
    found: dict[tuple[str, str], list[Finding]] = {}
    for finding in report.findings:
        if finding.cost is not None:
            found.setdefault((finding.module, finding.model), []).append(finding)
    yield from (
        (model, one) for model in report.models if (one := found.pop((model.module, model.name), None))
    )


def _by_cost(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.cost or "", []).append(finding)
    return found


_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "notice"}


def show_github(report: Report) -> None:
    """Print a line for each problem and each finding."""
    for problem in report.problems:
        given: dict[str, object] = {"title": "btmodel check"}
        if problem.file is not None:
            given = {"file": problem.file, "line": problem.line, **given}
        echo(_command("error", given, problem.text))
    for finding in report.findings:
        if finding.cost is None:
            message = f"{finding.subject}: {finding.message}\nWhy: {finding.why}\nFix: {finding.fix}"
            if finding.simulated:
                message += f"\nSimulated: {finding.simulated}"
            echo(_command(_COMMANDS[finding.level], _properties(report, finding), message))
    for model, found in _advice(report):
        lines = [f"{model.name}: {ADVICE}"]
        for cost, each in _by_cost(found).items():
            lines += [
                f"{finding.rule} {finding.subject}: {finding.message}\nFix: {finding.fix}" for finding in each
            ]
            lines.append(f"Cost: {cost}")
        place: dict[str, object] = {}
        if model.location:
            place = {"file": model.location.file, "line": model.location.line}
        echo(_command("notice", place | {"title": "design of existing rows"}, "\n".join(lines)))


def _properties(report: Report, finding: Finding) -> dict[str, object]:
    place: dict[str, object] = {}
    if finding.location:
        # A runner takes an absolute path, wherever in the repository the project lies.
        place = {"file": finding.location.file, "line": finding.location.line}
    excerpt = report.sources.excerpt(finding)
    if excerpt:
        line = excerpt.number
        place |= {"line": line, "endLine": line, "col": excerpt.start + 1, "endColumn": excerpt.end}
    return place | {"title": f"{finding.rule} {finding.name}"}


def _command(name: str, properties: dict[str, object], message: str) -> str:
    given = ",".join(f"{key}={_escaped_property(str(value))}" for key, value in properties.items())
    return f"::{name} {given}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


MISSING = _MISSING_FIGURE.id
STYLES = {Level.ERROR: "bold red", Level.WARNING: "yellow", Level.INFO: "cyan"}
_INDENT = "    "


def show_text(report: Report) -> None:
    """Print what was found, and a summary."""
    console = Console(highlight=False)
    for problem in report.problems:
        _print_wrapped(console, PrintableText("error  ", STYLES[Level.ERROR]), problem.text)
    missing = [each for each in report.findings if each.rule == MISSING]
    shown = [each for each in report.findings if each.rule != MISSING]
    for (module, model), found in groupby(shown, key=lambda each: (each.module, each.model)):
        console.print(PrintableText.assemble((model, "bold"), (f"  {module}", "dim")), soft_wrap=True)
        findings = list(found)
        for finding in findings:
            if finding.cost is None:
                _print_finding(console, finding, report.sources.excerpt(finding))
        _print_advice(console, [each for each in findings if each.cost is not None])
        console.print()
    if missing:
        _print_missing(console, missing)
    console.print(_summary(report), soft_wrap=True)


def _print_finding(console: Console, finding: Finding, excerpt: Excerpt | None) -> None:
    head = PrintableText.assemble(
        "  ",
        (f"{finding.level.value} {finding.rule} ", STYLES[finding.level]),
        (finding.name, "bold"),
        "  ",
        (place_of(finding), "dim"),
    )
    console.print(head, soft_wrap=True)
    if excerpt:
        _print_excerpt(console, excerpt, STYLES[finding.level])
    lines = [("what", finding.message), ("why ", finding.why), ("fix ", finding.fix)]
    if finding.simulated:
        lines.append(("sim ", finding.simulated))
    for label, said in lines:
        _print_wrapped(console, PrintableText.assemble(_INDENT, (f"{label}  ", "dim")), said)


def _print_advice(console: Console, findings: Sequence[Finding]) -> None:
    """Print what another design of existing rows would do better, together, with what each change costs."""
    if not findings:
        return
    head = PrintableText.assemble("  ", (f"{Level.INFO.value} ", STYLES[Level.INFO]))
    _print_wrapped(console, head, ADVICE)
    for cost, found in _by_cost(findings).items():
        for finding in found:
            parts = (f"{_INDENT}{finding.rule} ", (finding.name, "bold"), "  ", (place_of(finding), "dim"))
            console.print(PrintableText.assemble(*parts), soft_wrap=True)
            lines = [("what", finding.message), ("fix ", finding.fix)]
            if finding.simulated:
                lines.append(("sim ", finding.simulated))
            for label, said in lines:
                _print_wrapped(console, PrintableText.assemble(_INDENT * 2, (f"{label}  ", "dim")), said)
        _print_wrapped(console, PrintableText.assemble(_INDENT, ("cost  ", "dim")), cost)


def _print_missing(console: Console, findings: Sequence[Finding]) -> None:
    """Print what models do not declare, a line for each: most models of a young project lack something."""
    level = findings[0].level
    head = PrintableText.assemble((f"{level.value} {MISSING} ", STYLES[level]), (findings[0].name, "bold"))
    console.print(head, soft_wrap=True)
    why = "rules that need these workload estimates report nothing until they are declared; a rough estimate is enough"
    _print_wrapped(console, PrintableText("  "), why)
    for finding in findings:
        _print_wrapped(
            console, PrintableText.assemble(_INDENT, (place_of(finding), "dim"), "  "), finding.message
        )
    console.print()


def place_of(finding: Finding) -> str:
    """The subject of a finding, and its line in a file, relative to the current folder."""
    if finding.location is None:
        return finding.subject
    return f"{finding.subject} ({from_here(Path(finding.location.file))}:{finding.location.line})"


def _print_excerpt(console: Console, excerpt: Excerpt, style: str) -> None:
    """Print the line with its number, and carets below what is meant; cut to the width of a terminal."""
    line, start, end = excerpt.line, excerpt.start, excerpt.end
    before, meant, after = (
        part.replace("\t", _INDENT) for part in (line[:start], line[start:end], line[end:])
    )
    number = f"{_INDENT}{excerpt.number:>4} │ "
    if console.is_terminal:
        room = console.width - len(number)
        before = _cut(before, max(room - cell_len(meant), room // 3))
    carets = f"{' ' * (len(number) - 2)}│ ", " " * cell_len(before), ("^" * cell_len(meant), style)
    for text in (
        PrintableText.assemble(number, before, (meant, "bold"), after),
        PrintableText.assemble(*carets),
    ):
        text.stylize("dim", 0, len(number))
        if console.is_terminal:
            console.print(text, no_wrap=True, overflow="ellipsis")
        else:
            console.print(text, soft_wrap=True)


def _cut(text: str, width: int) -> str:
    """The end of ``text``, where it is wider than that."""
    return text if cell_len(text) <= width else f"…{text[1 - width :]}"


def _print_wrapped(console: Console, label: Styled, said: str) -> None:
    """Print a text behind a label, on a terminal wrapped to its width under its own beginning."""
    text = PrintableText(said)
    text.highlight_regex("`[^`]+`", "bold")
    if not console.is_terminal:  # for grep, and for a user who reads it at another width
        console.print(label + text, soft_wrap=True)
        return
    hanging = PrintableText(" " * label.cell_len)
    for number, line in enumerate(text.wrap(console, max(console.width - label.cell_len, 20))):
        line.rstrip()
        console.print((hanging if number else label) + line, soft_wrap=True)


def _summary(report: Report) -> PrintableText:
    clean = not report.problems and not report.findings
    # What could not be read is an error, too.
    counts = [
        counted(report.count(Level.ERROR) + len(report.problems), Level.ERROR.value),
        counted(report.count(Level.WARNING), Level.WARNING.value),
    ]
    if report.count(Level.INFO):
        counts.append(counted(report.count(Level.INFO), Level.INFO.value))
    live = bool(report.models) and all(model.undeclared for model in report.models)
    models = counted(len(report.models), "table" if live else "model")
    return PrintableText(f"{models} reviewed: {', '.join(counts)}", "bold green" if clean else "bold")


_LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "note"}
_ROOT = "%SRCROOT%"


def show_sarif(report: Report) -> None:
    """Print one SARIF log of one run."""
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [_run(report)],
    }
    echo(json.dumps(log, indent=2))


def _run(report: Report) -> dict[str, Any]:
    root = _source_root(report.root)
    driver = {"name": "btmodel", "version": version("btmodel"), "rules": [_rule(rule) for rule in RULES]}
    unread = [_unread(root, problem) for problem in report.problems]
    left_out = [_notification("note", each.kind, each.message) for each in report.left_out]
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"{root.as_uri().rstrip('/')}/"}},
        "invocations": [
            {"executionSuccessful": not unread, "toolExecutionNotifications": [*unread, *left_out]}
        ],
        "results": _results(report, root),
    }


def _notification(level: str, kind: str, text: str) -> dict[str, Any]:
    return {"descriptor": {"id": kind}, "level": level, "message": {"text": text}}


def _unread(root: Path, problem: Problem) -> dict[str, Any]:
    """What could not be read, with its place where that is known."""
    told = _notification("error", problem.kind, problem.text)
    if problem.file is None or problem.line is None:
        return told
    physical = {"artifactLocation": _artifact(root, problem.file), "region": {"startLine": problem.line}}
    return told | {"locations": [{"physicalLocation": physical}]}


def _source_root(project: Path) -> Path:
    """The repository that holds the project, or else the project: code hosts read paths from the root of the repository."""
    project = project.resolve()
    return next((path for path in (project, *project.parents) if (path / ".git").exists()), project)


def _rule(rule: Rule[Any]) -> dict[str, Any]:
    level: dict[str, Any] = {"defaultConfiguration": {"level": _LEVELS[rule.levels[0]]}}
    if rule.address:
        level["helpUri"] = rule.address
    if not rule.page:  # python -OO drops docstrings
        return {"id": rule.id, "name": rule.name, **level}
    page = RulePage.parse(rule.page)
    _, _, title = page.title.partition(": ")
    finds = " ".join(page.sections["What it finds"].split("\n\n")[0].split())
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": title},
        "fullDescription": {"text": finds},
        "help": {"text": rule.page.strip(), "markdown": _markdown(page)},
        **level,
    }


def _markdown(page: RulePage) -> str:
    parts = [f"# {page.title}"]
    for heading, body in page.sections.items():
        parts += [f"## {heading}", f"```python\n{body}\n```" if heading in EXAMPLES else body]
    return "\n\n".join(parts)


def _results(report: Report, root: Path) -> list[dict[str, Any]]:
    alike: Counter[str] = Counter()
    results = []
    for finding in report.findings:
        # Neither lines nor messages, which name lines: they change while the finding does not.
        same = "|".join((finding.rule, finding.module, finding.model, finding.field or ""))
        alike[same] += 1
        fingerprint = hashlib.sha256(f"{same}|{alike[same]}".encode()).hexdigest()
        results.append({**_result(report, root, finding), "partialFingerprints": {"finding/v1": fingerprint}})
    return results


def _result(report: Report, root: Path, finding: Finding) -> dict[str, Any]:
    message = f"{finding.subject}: {finding.message}. Why: {finding.why}. Fix: {finding.fix}."
    if finding.simulated:
        message += f" Simulated: {finding.simulated}."
    if finding.cost:
        message += f" Cost: {finding.cost}."
    logical = {
        "fullyQualifiedName": f"{finding.module}.{finding.subject}",
        "kind": "member" if finding.field else "type",
    }
    location: dict[str, Any] = {"logicalLocations": [logical]}
    if finding.location:
        region = _excerpt_region(report.sources.excerpt(finding)) or {"startLine": finding.location.line}
        artifact = _artifact(root, finding.location.file)
        location["physicalLocation"] = {"artifactLocation": artifact, "region": region}
    edit = report.sources.edit(finding)
    properties = {
        name: value for name, value in (("simulated", finding.simulated), ("cost", finding.cost)) if value
    }
    return {
        "ruleId": finding.rule,
        "ruleIndex": next(index for index, rule in enumerate(RULES) if rule.id == finding.rule),
        "level": _LEVELS[finding.level],
        "message": {"text": message},
        "locations": [location],
        **({"fixes": [_edit(root, finding, edit)]} if edit else {}),
        **({"properties": properties} if properties else {}),
    }


def _edit(root: Path, finding: Finding, edit: Edit) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(edit.region), "insertedContent": {"text": edit.text}}
    change = {"artifactLocation": _artifact(root, edit.file), "replacements": [replacement]}
    said = f"Write {edit.text.lstrip(', ')}"
    if finding.edit and finding.edit.rewrites:
        said += "; for a table without data: it changes what is written"
    return {"description": {"text": said}, "artifactChanges": [change]}


def _excerpt_region(excerpt: Excerpt | None) -> dict[str, int] | None:
    if excerpt is None:
        return None
    return _region(Region(excerpt.number, excerpt.start, excerpt.number, excerpt.end))


def _region(region: Region) -> dict[str, int]:
    """Lines and columns from 1, the end behind the last column."""
    return {
        "startLine": region.line,
        "startColumn": region.column + 1,
        "endLine": region.end_line,
        "endColumn": region.end_column + 1,
    }


def _artifact(root: Path, file: str) -> dict[str, str]:
    """The place of a file: relative to the root if it is inside, also by a link, and else absolute."""
    path = Path(os.path.abspath(file))  # which takes `..` away: a path with it may lead out of the root
    for inside in (path, path.resolve()):
        if inside.is_relative_to(root):
            return {"uri": quote(inside.relative_to(root).as_posix()), "uriBaseId": _ROOT}
    return {"uri": path.as_uri()}
