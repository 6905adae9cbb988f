"""Reports of the schema review. To add a format: a file, and a line in the table."""

from collections.abc import Callable, Mapping

from btmodel.cli.report import report, sarif
from btmodel.cli.report.report import Report

# Each prints a report to stdout.
FORMATS: Mapping[str, Callable[[Report], None]] = {
    "text": report.show_text,
    "json": report.show_json,
    "sarif": sarif.show,
    "github": report.show_github,
}

__all__ = ["FORMATS", "Report"]
