"""A report as SARIF 2.1.0, which editors and code hosts read."""

import hashlib
import json
import os
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from btmodel.cli.report import Report
from btmodel.cli.source import Edit, Excerpt, Region
from btmodel.cli.terminal import echo
from btmodel.lint import RULES, Finding, Level, Rule, RulePage
from btmodel.lint.rule import EXAMPLES

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
    unread = [{"level": "error", "message": {"text": str(problem)}} for problem in report.problems]
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"{root.as_uri().rstrip('/')}/"}},
        "invocations": [{"executionSuccessful": not unread, "toolExecutionNotifications": unread}],
        "results": _results(report, root),
    }


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
