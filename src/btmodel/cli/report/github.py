"""A report as workflow commands of GitHub Actions, which become annotations of the lines in question."""

from btmodel.cli.report.report import Report
from btmodel.cli.terminal import echo
from btmodel.lint import Finding, Level

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "notice"}


def show(report: Report) -> None:
    """Print a line for each problem and each finding."""
    for problem in report.problems:
        echo(_command("error", {"title": "btmodel check"}, str(problem)))
    for finding in report.findings:
        message = f"{finding.subject}: {finding.message}\nWhy: {finding.why}\nMend: {finding.mend}"
        if finding.simulated:
            message += f"\nSimulated: {finding.simulated}"
        echo(_command(_COMMANDS[finding.level], _properties(report, finding), message))


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
