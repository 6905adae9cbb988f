"""The schema as one HTML page, which needs nothing but itself."""

from btmodel_codegen.prose import printable
from btmodel_codegen.render import render
from btmodel_codegen.schema_page import SchemaPage

FILE = "schema.html"


def files(page: SchemaPage) -> dict[str, str]:
    """The page of a schema."""
    return {FILE: printable(render("schema.html.jinja", file=FILE, page=page))}
