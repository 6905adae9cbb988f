"""The schema as one HTML page, which needs nothing but itself."""

from collections.abc import Sequence

from btmodel.schema import ModelSchema, TwinsSchema
from btmodel_codegen.files import MARK
from btmodel_codegen.prose import printable
from btmodel_codegen.render import render
from btmodel_codegen.schema_page import schema_page

FILE = "schema.html"


def files(models: Sequence[ModelSchema], twins: Sequence[TwinsSchema]) -> dict[str, str]:
    """The page of ``models``, with those that are written together."""
    return {FILE: printable(render("schema.html.jinja", mark=MARK, page=schema_page(models, twins)))}
