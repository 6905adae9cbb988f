"""A report as JSON. Its keys are a contract: they are only ever added to."""

import json

import click

from btmodel.cli.report.report import Report


def show(report: Report) -> None:
    """Print one JSON document."""
    document = {
        "models": len(report.models),
        "findings": [finding.as_json() for finding in report.findings],
        "problems": [str(problem) for problem in report.problems],
    }
    click.echo(json.dumps(document, indent=2))
