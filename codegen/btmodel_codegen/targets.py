"""What is generated: a visible table of targets. To add one: a module, and a line here."""

from collections.abc import Callable, Iterable, Sequence

from attrs import frozen

from btmodel.schema import ModelSchema
from btmodel_codegen import (
    bigquery,
    cbt,
    create_requests,
    gcloud,
    googlesql,
    html_page,
    markdown_page,
    repositories,
    terraform,
)


@frozen
class Target:
    """A kind of output: what makes its files, and whether they are written unless others are asked for."""

    files: Callable[[Sequence[ModelSchema]], dict[str, str]]
    default: bool = False


TARGETS = {
    "cbt": Target(cbt.files, default=True),
    "json": Target(create_requests.files, default=True),
    "repository": Target(repositories.files, default=True),
    "gcloud": Target(gcloud.files),
    "terraform": Target(terraform.files),
    "sql": Target(googlesql.files),
    "bigquery": Target(bigquery.files),
    "html": Target(html_page.files),
    "markdown": Target(markdown_page.files),
}
DEFAULTS = tuple(name for name, target in TARGETS.items() if target.default)


def generate(models: Sequence[ModelSchema], targets: Iterable[str] = DEFAULTS) -> dict[str, str]:
    """The text of every generated file of ``targets``, names of the table, by its path in the output folder.

    The same models give the same bytes, in whatever order they come. Raises
    :class:`GenerationError` for names that cannot be written.
    """
    ordered = sorted(models, key=lambda model: (model.module, model.name))
    files: dict[str, str] = {}
    for name in targets:
        files.update(TARGETS[name].files(ordered))
    return files
