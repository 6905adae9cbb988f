"""A report for people: findings by model, each with its line of source."""

import os
from itertools import groupby
from pathlib import Path

from rich.cells import cell_len

from btmodel.cli.console import Console, Styled, Text
from btmodel.cli.report.report import Report
from btmodel.cli.source import Excerpt
from btmodel.counted import counted
from btmodel.lint import Finding, Level

STYLES = {Level.ERROR: "bold red", Level.WARNING: "yellow", Level.INFO: "cyan"}
_INDENT = "    "


def show(report: Report) -> None:
    """Print what was found, and a summary."""
    console = Console(highlight=False)
    for problem in report.problems:
        _print_wrapped(console, Text("error  ", STYLES[Level.ERROR]), str(problem))
    for (module, model), found in groupby(report.findings, key=lambda each: (each.module, each.model)):
        console.print(Text.assemble((model, "bold"), (f"  {module}", "dim")), soft_wrap=True)
        for finding in found:
            _print_finding(console, finding, report.sources.excerpt(finding))
        console.print()
    console.print(_summary(report), soft_wrap=True)


def _print_finding(console: Console, finding: Finding, excerpt: Excerpt | None) -> None:
    head = Text.assemble(
        "  ",
        (f"{finding.level.value} {finding.rule} ", STYLES[finding.level]),
        (finding.name, "bold"),
        "  ",
        (_place(finding), "dim"),
    )
    console.print(head, soft_wrap=True)
    if excerpt:
        _print_excerpt(console, excerpt, STYLES[finding.level])
    lines = [("what", finding.message), ("why ", finding.why), ("mend", finding.mend)]
    if finding.simulated:
        lines.append(("sim ", finding.simulated))
    for label, said in lines:
        _print_wrapped(console, Text.assemble(_INDENT, (f"{label}  ", "dim")), said)


def _place(finding: Finding) -> str:
    """What the finding is about, and its line in a file as seen from this folder."""
    if finding.location is None:
        return finding.subject
    path = Path(finding.location.file)
    shown = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else path
    return f"{finding.subject} ({shown}:{finding.location.line})"


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
    for text in (Text.assemble(number, before, (meant, "bold"), after), Text.assemble(*carets)):
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
    text = Text(said)
    text.highlight_regex("`[^`]+`", "bold")
    if not console.is_terminal:  # for grep, and for who reads it at another width
        console.print(label + text, soft_wrap=True)
        return
    hanging = Text(" " * label.cell_len)
    for number, line in enumerate(text.wrap(console, max(console.width - label.cell_len, 20))):
        line.rstrip()
        console.print((hanging if number else label) + line, soft_wrap=True)


def _summary(report: Report) -> Text:
    clean = not report.problems and not report.findings
    # What could not be read is an error, too.
    counts = [
        counted(report.count(Level.ERROR) + len(report.problems), Level.ERROR.value),
        counted(report.count(Level.WARNING), Level.WARNING.value),
    ]
    if report.count(Level.INFO):
        counts.append(counted(report.count(Level.INFO), Level.INFO.value))
    live = bool(report.models) and all(model.live for model in report.models)
    models = counted(len(report.models), "table" if live else "model")
    return Text(f"{models} reviewed: {', '.join(counts)}", "bold green" if clean else "bold")
