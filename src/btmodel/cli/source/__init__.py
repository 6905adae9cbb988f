"""The source of models: the lines that findings are about, and what their fixes change in them."""

from btmodel.cli.source.file import Edit, Excerpt, Region, Sources

__all__ = ["Edit", "Excerpt", "Region", "Sources"]
