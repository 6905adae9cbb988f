"""Reports of the schema review. To add a format: a file, and a line in the table."""

from collections.abc import Callable, Mapping

from btmodel.cli.report import github, json, sarif, text
from btmodel.cli.report.report import Report

# Each prints a report to stdout.
FORMATS: Mapping[str, Callable[[Report], None]] = {
    "text": text.show,
    "json": json.show,
    "sarif": sarif.show,
    "github": github.show,
}

__all__ = ["FORMATS", "Report"]
