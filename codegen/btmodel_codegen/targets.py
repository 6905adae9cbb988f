"""What is generated: a visible table of targets. To add one: a module, and a line here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from btmodel.errors import GenerationError
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
from btmodel_codegen.file_names import refuse_bad_names
from btmodel_codegen.own_templates import own_targets
from btmodel_codegen.render import templates_of


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


def targets_with(templates: Path | None) -> Mapping[str, Target]:
    """The targets of the table, and those that the user's own ``templates`` are, which are all default ones.

    Raises :class:`GenerationError` for a folder that holds no templates, or one that is called as a target is.
    """
    own = own_targets(templates) if templates else {}
    for name in own:
        if name in TARGETS:
            raise GenerationError(f"{templates}: a target is called {name!r}: rename the template")
    return {**TARGETS, **{name: Target(files, default=True) for name, files in own.items()}}


def generate(
    models: Sequence[ModelSchema], targets: Iterable[str] | None = None, templates: Path | None = None
) -> dict[str, str]:
    """The text of every generated file of ``targets`` (the default ones), by its name in the output folder.

    ``templates`` is a folder of the user's own templates. The same models give the same bytes, in
    whatever order they come. Raises :class:`GenerationError` for names that cannot be written, and
    for templates that fail.
    """
    known = targets_with(templates)
    chosen = [name for name, one in known.items() if one.default] if targets is None else targets
    ordered = sorted(models, key=lambda model: (model.module, model.name))
    files: dict[str, str] = {}
    with templates_of(templates):
        for name in dict.fromkeys(chosen):
            for file, text in known[name].files(ordered).items():
                if file in files:
                    raise GenerationError(
                        f"two targets would write {file}; one of them is {name!r}: rename it"
                    )
                files[file] = text
    refuse_bad_names(files)
    return files
