"""The schema as Markdown, as GitHub and others show it."""

from collections.abc import Sequence

from btmodel_codegen import markdown_text
from btmodel_codegen.prose import printable
from btmodel_codegen.render import render
from btmodel_codegen.schema_page import DrawnPart, SchemaPage

FILE = "schema.md"
_LINE = 100


def files(page: SchemaPage) -> dict[str, str]:
    """The page of a schema."""
    written = render(
        "schema.md.jinja",
        file=FILE,
        page=page,
        text=markdown_text.text,
        code=markdown_text.code,
        inline=markdown_text.inline,
        table=markdown_text.table,
        drawn=_drawn,
    )
    return {FILE: printable(written)}


def _drawn(parts: Sequence[DrawnPart]) -> str:
    """An example key with its ruler below it, in as many lines as they take."""
    key, ruler = "".join(part.example for part in parts), "".join(part.ruler for part in parts)
    starts = range(0, max(len(key), 1), _LINE)
    both = [(key[at : at + _LINE], ruler[at : at + _LINE].rstrip()) for at in starts]
    return markdown_text.fenced([line for pair in both for line in pair])
