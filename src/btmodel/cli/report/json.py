"""A report as JSON. Its keys are a contract: they are only ever added to."""

import json

from btmodel.cli.report.report import Report
from btmodel.cli.terminal import echo


def show(report: Report) -> None:
    """Print one JSON document."""
    document = {
        "models": len(report.models),
        "findings": [finding.as_json() for finding in report.findings],
        "problems": [str(problem) for problem in report.problems],
    }
    echo(json.dumps(document, indent=2))
