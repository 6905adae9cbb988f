"""Rendering: the one file that knows of Jinja."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("btmodel_codegen"),
        undefined=StrictUndefined,
        # HTML is quoted here. Other output is code, for which values arrive quoted.
        autoescape=select_autoescape(("html.jinja",), default=False),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(template: str, **values: object) -> str:
    """The text of a template. A value that the template names and nobody gave is an error."""
    return _environment().get_template(template).render(**values)
