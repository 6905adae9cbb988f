"""Rendering: the one file that knows of Jinja."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
)

from btmodel.errors import GenerationError
from btmodel_codegen.joined import joined
from btmodel_codegen.marks import LINES, WORDS, has_mark, mark

# The folder of the user's own templates, which stand in front of ours of the same name.
_own: ContextVar[Path | None] = ContextVar("own templates", default=None)


@cache
def _environment(own: Path | None) -> Environment:
    ours = PackageLoader("btmodel_codegen")
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader(own), ours]) if own else ours,
        undefined=StrictUndefined,
        # Markup is quoted here. Other output is code, or text: values arrive quoted for its language.
        autoescape=lambda name: (name or "").endswith((".html.jinja", ".htm.jinja", ".xml.jinja")),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["joined"] = joined
    return environment


@contextmanager
def templates_of(own: Path | None) -> Iterator[None]:
    """Within, templates in the folder ``own`` stand in front of those of the same name that btmodel has."""
    token = _own.set(own)
    try:
        yield
    finally:
        _own.reset(token)


def packaged() -> frozenset[str]:
    """The names of the templates that btmodel has."""
    return frozenset(_environment(None).list_templates())


def render(template: str, *, file: str | None = None, **values: object) -> str:
    """The text of a template; ``file`` is the name of the generated file that it is for, whose mark it prints.

    Raises :class:`GenerationError`, with the template and its line, for a value that the template names
    and is not given, for a template that does not parse or stops, and, with the template, for what no file
    can hold, and for one of the user's that does not print the mark.
    """
    own = _own.get()
    try:
        found = _environment(own).get_template(template)
        text = found.render(**values, **({"file": file, "mark": mark(file)} if file else {}))
    except Exception as error:  # a template is code, and can raise anything
        raise GenerationError(_template_error(template, error)) from error
    _refuse_unwritable(text, found.filename or template)
    if own and file and Path(found.filename or "").is_relative_to(own) and not has_mark(text, file):
        raise GenerationError(
            f"{found.filename}: expected {{{{ mark }}}} on one of the first {LINES} lines that it prints, after "
            f"nothing but comment or quote characters, got {text[:40]!r}: by the mark, '{WORDS} as ...', "
            "btmodel recognizes its own file, and may replace it"
        )
    return text


def _refuse_unwritable(text: str, template: str) -> None:
    """Refuse halves of characters, which a surrogate alone is: UTF-8 has no bytes for it."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise GenerationError(
            f"{template}: expected text that can be written as UTF-8, got {text[error.start]!r}, half of a "
            f"character, in line {line} of what it prints"
        ) from None


def _template_error(template: str, error: Exception) -> str:
    """What went wrong, behind the file and the line of the template where it did."""
    if isinstance(error, TemplateSyntaxError):
        return f"{error.filename or template}:{error.lineno}: {error.message}"
    # Jinja puts the lines of templates in the place of those of the code that it makes of them.
    places = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.endswith(".jinja")]
    place = f"{places[-1].filename}:{places[-1].lineno}" if places else template
    if isinstance(error, TemplateNotFound):
        return f"{place}: no template is called {error.name!r}"
    kind = "" if isinstance(error, TemplateError) else f"{type(error).__name__}: "
    return f"{place}: {kind}{error}"
