"""The source of models: the lines that findings are about, and what their fixes change in them."""

from btmodel.cli.source.file import Region
from btmodel.cli.source.fixes import Edit, Excerpt, Sources

__all__ = ["Edit", "Excerpt", "Region", "Sources"]
